#include <solvers/problems/beam/linear_uncertainty.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <solvers/case/stopped_work.hpp>
#include <solvers/problems/beam/beam_gradient.hpp>
#include <stoss/core/number_key.hpp>
#include <stoss/core/parallel.hpp>

namespace stoss::solvers {

namespace {

constexpr double within_scatter = 2.0;  // standard deviations of a key
constexpr double visible = 0.3;         // difference, relative to the larger standard deviation

/// A case with its uncertain keys at their means.
struct CaseAtMeans {
    models::BeamCollision collision;
    bool is_nominal = true;  ///< all means are the values of the case
    bool has_same_beam = true;
};

/// Precondition: all keys are numbers of the collision, or the shift of the place.
CaseAtMeans at_means(const models::BeamCollision& nominal, const std::vector<std::string>& keys,
                     const std::vector<statistics::Marginal>& marginals) {
    CaseAtMeans found{nominal};
    for (std::size_t k = 0; k < keys.size(); ++k) {
        if (keys[k] == location_key) continue;
        const core::NumberKey number = core::number_at(found.collision, keys[k]);
        const double mean = marginals[k].expectation();
        if (number.value() == mean) continue;
        number.set(mean);
        found.is_nominal = false;
        if (keys[k].starts_with("beam.")) found.has_same_beam = false;
    }
    return found;
}

/// The nominal model itself where that is the one.
models::BeamModel model_at_means(const models::BeamModel& nominal,
                                 const std::vector<std::string>& keys,
                                 const std::vector<statistics::Marginal>& marginals) {
    const CaseAtMeans found = at_means(nominal.parameters(), keys, marginals);
    if (found.is_nominal) return nominal;
    return found.has_same_beam ? models::BeamModel(found.collision, nominal)
                               : models::BeamModel(found.collision);
}

/// Why e is not linear within the scatter.
std::string reason_of(const LinearUncertainty::Place& place) {
    if (place.kink < within_scatter)
        return fmt::format("e has a kink within the scatter: {:.2g} standard deviations of {}",
                           place.kink, place.kink_words);
    return "e is bent within the scatter";
}

/// How far mean and standard deviation are from those of the samples: the larger difference over
/// the larger standard deviation. None where one is not known, or where e does not vary.
std::optional<double> difference(const LinearUncertainty::Place& place,
                                 const statistics::Spread& sampled) {
    if (!std::isfinite(place.deviation) || !sampled.deviation) return std::nullopt;
    const double size = std::max(place.deviation, *sampled.deviation);
    if (!(size > 0.0)) return std::nullopt;
    return std::max(std::abs(place.deviation - *sampled.deviation),
                    std::abs(place.mean - *sampled.mean)) /
           size;
}

/// Warns if means or standard deviations differ visibly.
void compare(const std::vector<LinearUncertainty::Place>& places,
             const std::vector<statistics::Spread>& sampled, std::vector<std::string>& warnings,
             io::Value& summary) {
    std::size_t compared = 0, apart = 0;
    double largest = 0.0;
    const LinearUncertainty::Place* farthest = nullptr;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const std::optional<double> found = difference(places[i], sampled[i]);
        if (!found) continue;
        ++compared;
        if (*found > visible) ++apart;
        if (*found > largest) farthest = &places[i];
        largest = std::max(largest, *found);
    }
    summary.set("places_apart", apart).set("largest_difference", largest);
    if (apart == 0) return;
    warnings.push_back(fmt::format(
        "uncertainty: mean or standard deviation of e, linear and of the samples, differ by more "
        "than {:.0f} % of the standard deviation at {} of {} places, most at xi = {:.4g}: {}; "
        "trust the samples",
        100.0 * visible, apart, compared, farthest->xi, reason_of(*farthest)));
}

const LinearUncertainty::Place empty_place{
    0.0, io::no_number, io::no_number, io::no_number, {}, io::no_number, {}};

}  // namespace

LinearUncertainty::LinearUncertainty(const models::BeamModel& nominal, const Locations& locations,
                                     const std::vector<std::string>& keys,
                                     const std::vector<statistics::Marginal>& marginals)
    : locations_(locations),
      length_(nominal.scales().length),
      at_means_(model_at_means(nominal, keys, marginals)),
      gradients_(at_means_, keys) {
    for (std::size_t k = 0; k < keys.size(); ++k) {
        if (keys[k] == location_key) shift_ = marginals[k].expectation();
        deviations_.push_back(marginals[k].standard_deviation());
    }
}

std::vector<core::Violation> LinearUncertainty::check(
    const models::BeamCollision& nominal, const std::vector<std::string>& keys,
    const std::vector<statistics::Marginal>& marginals) {
    const models::BeamCollision collision = at_means(nominal, keys, marginals).collision;
    std::vector<core::Violation> violations = models::check(collision);
    for (core::Violation& each : violations)
        each.rule += " (with the uncertain keys at their means)";
    if (!violations.empty()) return violations;
    return models::check_gradient(collision, keys, "uncertainty.keys");
}

LinearUncertainty::Place LinearUncertainty::at(std::size_t index) const {
    const double length = at_means_.scales().length;
    const auto xi_on = [&](double of) { return locations_.xi(index, of) + shift_ / of; };
    const double xi = xi_on(length);
    Place place = empty_place;
    place.xi = locations_.xi(index, length_);
    if (!(xi >= 0.0 && xi <= 1.0)) return place;
    const models::CollisionSlopes slopes = gradients_.at(
        xi, std::array{impact::Quantity::cor_kinematic}, xi_by_length(xi_on, length), true);
    if (slopes.by_key.size() == 0) return place;
    place.cor = slopes.result.cor_kinematic;
    double variance = 0.0;
    std::vector<double> parts;
    for (std::size_t k = 0; k < deviations_.size(); ++k) {
        const double slope = slopes.by_key(0, static_cast<Eigen::Index>(k));
        parts.push_back(slope * slope * deviations_[k] * deviations_[k]);
        variance += parts.back();
        const auto& kink = slopes.kinks[k];
        const double sigmas = kink ? std::abs(kink->distance) / deviations_[k] : core::infinity;
        if (!(sigmas < core::infinity) || sigmas >= place.kink) continue;
        place.kink = sigmas;
        place.kink_words =
            fmt::format("{}, where {}", gradients_.keys()[k], event_words(event_number(*kink)));
    }
    if (std::isfinite(variance)) place.mean = place.cor;
    place.deviation = std::sqrt(variance);
    if (!(variance > 0.0)) return place;
    for (const double part : parts) place.shares.push_back(part / variance);
    return place;
}

std::vector<LinearUncertainty::Place> LinearUncertainty::places(const RunOptions& options) const {
    std::vector<Place> places(locations_.count(), empty_place);
    core::parallel_for(
        places.size(), options.threads, [&](std::size_t i) { places[i] = at(i); }, options.stop);
    return places;
}

io::Table LinearUncertainty::table(const std::vector<Place>& places) const {
    io::Table table;
    const auto add = [&](const std::string& name, const auto& value) {
        std::vector<double> values;
        for (const Place& place : places) values.push_back(value(place));
        table.add(name, std::move(values));
    };
    add("xi", [](const Place& place) { return place.xi; });
    add("x_m", [&](const Place& place) { return place.xi * length_; });
    add("cor_kinematic", [](const Place& place) { return place.cor; });
    add("cor_mean", [](const Place& place) { return place.mean; });
    add("cor_standard_deviation", [](const Place& place) { return place.deviation; });
    add("kink_standard_deviations", [](const Place& place) { return place.kink; });
    for (std::size_t k = 0; k < gradients_.keys().size(); ++k) {
        add("share_" + gradients_.keys()[k], [&](const Place& place) {
            return place.shares.empty() ? io::no_number : place.shares[k];
        });
    }
    return table;
}

io::Value LinearUncertainty::summary(const std::vector<Place>& places) const {
    io::Value summary = io::Value::object(), shares = io::Value::object();
    double sum = 0.0, largest = 0.0, xi = io::no_number, variances = 0.0;
    std::size_t known = 0;
    std::vector<double> parts(gradients_.keys().size(), 0.0);
    for (const Place& place : places) {
        if (!std::isfinite(place.deviation)) continue;
        ++known;
        sum += place.deviation;
        if (place.deviation > largest) xi = place.xi;
        largest = std::max(largest, place.deviation);
        const double variance = place.deviation * place.deviation;
        variances += variance;
        for (std::size_t k = 0; k < place.shares.size(); ++k)
            parts[k] += variance * place.shares[k];
    }
    summary.set("places", known);
    if (known == 0) return summary;
    summary.set("cor_standard_deviation_mean", sum / static_cast<double>(known));
    summary.set("cor_standard_deviation_max", largest).set("xi_of_max", xi);
    for (std::size_t k = 0; k < parts.size() && variances > 0.0; ++k)
        shares.set(gradients_.keys()[k], parts[k] / variances);
    summary.set("share", std::move(shares));
    return summary;
}

void LinearUncertainty::warn(const std::vector<Place>& places,
                             std::vector<std::string>& warnings) const {
    const auto missed =
        std::ranges::count_if(places, [](const Place& place) { return std::isnan(place.cor); });
    if (missed > 0) {
        warnings.push_back(
            fmt::format("uncertainty: at {} of {} places the bodies do not meet, or do not part, "
                        "with the keys at their means, and there is no linear uncertainty",
                        missed, places.size()));
    }
    for (std::size_t k = 0; k < gradients_.keys().size(); ++k) {
        if (gradients_.reason(k).empty()) continue;
        warnings.push_back(
            fmt::format("uncertainty: there is no linear one, for e has no "
                        "derivative by {}: {}",
                        gradients_.keys()[k], gradients_.reason(k)));
        return;
    }
    const auto lost = std::ranges::count_if(places, [](const Place& place) {
        return std::isfinite(place.cor) && !std::isfinite(place.deviation);
    });
    if (lost == 0) return;
    warnings.push_back(fmt::format(
        "uncertainty: at {} of {} places e has a jump or a kink at the mean of a key and no "
        "linear uncertainty",
        lost, places.size()));
}

bool LinearUncertainty::add_to(Outcome& outcome, const RunOptions& options,
                               const std::vector<statistics::Spread>& sampled,
                               io::Value& summary) const {
    std::vector<Place> all;
    if (!run_unless_stopped(options.stop, [&] { all = places(options); }) || options.stop())
        return false;
    outcome.tables.emplace_back("uncertainty_linear.csv", table(all));
    io::Value own = this->summary(all);
    if (!sampled.empty()) compare(all, sampled, outcome.warnings, own);
    warn(all, outcome.warnings);
    summary.set("linear", std::move(own));
    return true;
}

}  // namespace stoss::solvers
