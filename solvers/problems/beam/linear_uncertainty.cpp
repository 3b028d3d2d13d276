#include <solvers/problems/beam/linear_uncertainty.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <solvers/problems/beam/beam_gradient.hpp>
#include <stoss/core/parallel.hpp>

namespace stoss::solvers {

namespace {

constexpr double within_scatter = 2.0;  // standard deviations of a key
constexpr double visible = 0.3;  // difference of two standard deviations, relative to the larger

/// Why e is not linear within the scatter.
std::string reason_of(const LinearUncertainty::Place& place) {
    if (place.kink < within_scatter)
        return fmt::format("e has a kink within the scatter: {:.2g} standard deviations of {}",
                           place.kink, place.kink_words);
    return "e is bent within the scatter";
}

/// Warns if the standard deviations differ visibly. `sampled`: NaN where not known.
void compare(const std::vector<LinearUncertainty::Place>& places,
             const std::vector<double>& sampled, std::vector<std::string>& warnings,
             io::Value& summary) {
    std::size_t compared = 0, apart = 0;
    double largest = 0.0;
    const LinearUncertainty::Place* farthest = nullptr;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const double size = std::max(places[i].deviation, sampled[i]);
        if (!std::isfinite(places[i].deviation) || !std::isfinite(sampled[i]) || !(size > 0.0))
            continue;
        ++compared;
        const double difference = std::abs(places[i].deviation - sampled[i]) / size;
        if (difference > visible) ++apart;
        if (difference > largest) farthest = &places[i];
        largest = std::max(largest, difference);
    }
    summary.set("places_apart", apart).set("largest_difference", largest);
    if (apart == 0) return;
    warnings.push_back(fmt::format(
        "uncertainty: the linear and the sampled standard deviation of e differ by more than "
        "{:.0f} % at {} of {} places, most at xi = {:.4g}: {}; trust the samples",
        100.0 * visible, apart, compared, farthest->xi, reason_of(*farthest)));
}

const LinearUncertainty::Place empty_place{
    0.0, io::no_number, io::no_number, io::no_number, {}, io::no_number, {}};

}  // namespace

LinearUncertainty::LinearUncertainty(const models::BeamModel& nominal, const Locations& locations,
                                     std::vector<std::string> keys,
                                     const std::vector<statistics::Marginal>& marginals)
    : locations_(locations),
      length_(nominal.scales().length),
      gradients_(nominal, std::move(keys)) {
    for (const statistics::Marginal& each : marginals) {
        means_.push_back(each.expectation());
        deviations_.push_back(each.standard_deviation());
    }
}

LinearUncertainty::Place LinearUncertainty::at(std::size_t index) const {
    const auto xi_on = [&](double length) { return locations_.xi(index, length); };
    Place place = empty_place;
    place.xi = xi_on(length_);
    const models::CollisionSlopes slopes = gradients_.at(
        place.xi, std::array{impact::Quantity::cor_kinematic}, xi_by_length(xi_on, length_), true);
    if (slopes.by_key.size() == 0) return place;
    place.cor = slopes.result.cor_kinematic;
    double variance = 0.0, mean = place.cor;
    std::vector<double> parts;
    for (std::size_t k = 0; k < means_.size(); ++k) {
        const double slope = slopes.by_key(0, static_cast<Eigen::Index>(k));
        const bool is_shift = gradients_.keys()[k] == models::contact_place_key;
        mean += slope * (means_[k] - (is_shift ? 0.0 : gradients_.value(k, place.xi)));
        parts.push_back(slope * slope * deviations_[k] * deviations_[k]);
        variance += parts.back();
        const auto& kink = slopes.kinks[k];
        const double sigmas = kink ? std::abs(kink->distance) / deviations_[k] : core::infinity;
        if (!(sigmas < core::infinity) || sigmas >= place.kink) continue;
        place.kink = sigmas;
        place.kink_words =
            fmt::format("{}, where {}", gradients_.keys()[k], event_words(event_number(*kink)));
    }
    place.mean = mean;
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
        "uncertainty: at {} of {} places e has a jump or a kink at the value of a key and no "
        "linear uncertainty",
        lost, places.size()));
}

bool LinearUncertainty::add_to(Outcome& outcome, const RunOptions& options,
                               const std::vector<double>& sampled, io::Value& summary) const {
    const std::vector<Place> all = places(options);
    if (options.stop && options.stop()) return false;
    outcome.tables.emplace_back("uncertainty_linear.csv", table(all));
    io::Value own = this->summary(all);
    if (!sampled.empty()) compare(all, sampled, outcome.warnings, own);
    warn(all, outcome.warnings);
    summary.set("linear", std::move(own));
    return true;
}

}  // namespace stoss::solvers
