#include <solvers/problems/beam/sought_keys.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <models/beam_gradients.hpp>
#include <solvers/case/collision_columns.hpp>
#include <solvers/case/stopped_work.hpp>
#include <solvers/case/sweep.hpp>
#include <solvers/problems/beam/beam_case.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/json.hpp>
#include <stoss/io/stiffness_unit.hpp>
#include <stoss/statistics/sensitivity.hpp>

namespace stoss::solvers {

double Sought::value(double t) const {
    return is_logarithmic() ? range.from * core::pow(range.to / range.from, t)
                            : range.from * (1.0 - t) + range.to * t;
}

double Sought::unknown(double value) const {
    return is_logarithmic() ? core::log(value / range.from) / core::log(range.to / range.from)
                            : (value - range.from) / (range.to - range.from);
}

double Sought::slope(double t) const {
    return is_logarithmic() ? value(t) * core::log(range.to / range.from) : range.to - range.from;
}

const char* bound_of(double t) {
    constexpr double near_bound = 1e-6;  // of the range
    if (t < near_bound) return "lower";
    return t > 1.0 - near_bound ? "upper" : "none";
}

std::string Sought::doubt_about_bound(double t) const {
    if (bound_of(t) == std::string_view("none")) return {};
    return fmt::format("{} ended at its bound {}", key, core::with_unit(value(t), unit));
}

namespace {

using Violations = std::vector<core::Violation>;

/// A bound in SI, admissible for the key; none with a violation if it is not.
std::optional<double> read_bound(const models::BeamCollision& nominal, const FittedKey& given,
                                 const std::string& text, const std::string& unit,
                                 const std::string& path, Violations& violations) {
    const auto parsed = io::parse_quantity(text, unit, exponent_of(nominal.contact.law));
    if (const auto* const error = std::get_if<io::QuantityError>(&parsed)) {
        violations.push_back({path, text, error->rule, error->suggestion});
        return std::nullopt;
    }
    const double value = std::get<double>(parsed);
    const Violations found = check_with(nominal, given.key, value);
    if (found.empty()) return value;
    violations.push_back(
        {path, text, fmt::format("is not a value of {}: {}", given.key, found.front().rule), ""});
    return std::nullopt;
}

std::optional<Sought> read_one(const models::BeamCollision& nominal, const FittedKey& given,
                               const std::string& list, std::size_t index, Violations& violations) {
    const auto path_of = [&](const char* key) {
        return fmt::format("{}[{}].{}", list, index, key);
    };
    if (given.key.starts_with("mesh.") || given.key.starts_with("integration.")) {
        violations.push_back({path_of("key"), given.key,
                              "is a number of the computation, not of the bodies",
                              "a key of beam, striker, motion or contact"});
        return {};
    }
    models::BeamCollision copy = nominal;
    const NumberKey number = number_at(copy, given.key);
    if (!number) {
        const auto nearest =
            core::nearest_word(given.key, single_keys(io::describe_keys<models::BeamCollision>()));
        violations.push_back({path_of("key"), given.key, std::string(models::no_number_of_case),
                              nearest && *nearest != given.key
                                  ? "did you mean `" + *nearest + "`?"
                                  : "for example beam.internal_damping"});
        return {};
    }
    Sought sought{given.key, std::string(number.unit), {}};
    sought.range.spacing = given.spacing;
    const auto from =
        read_bound(nominal, given, given.from, sought.unit, path_of("from"), violations);
    const auto to = read_bound(nominal, given, given.to, sought.unit, path_of("to"), violations);
    if (from && to && *to <= *from) {
        violations.push_back(
            {path_of("to"), given.to, "must be greater than `from`: " + given.from, ""});
    }
    if (from) sought.range.from = *from;
    if (to) sought.range.to = *to;
    if (sought.is_logarithmic() && from && *from <= 0.0) {
        violations.push_back({path_of("spacing"), "logarithmic",
                              "needs bounds > 0, but `from` is " + given.from, ""});
    }
    return sought;
}

double nearest_admitted(const Sought& sought, double value) {
    return std::clamp(value, sought.range.from, sought.range.to);
}

/// Not finite at a place that has a result.
bool is_missing(const std::vector<double>& results, const Eigen::VectorXd& slopes) {
    for (std::size_t k = 0; k < results.size(); ++k)
        if (std::isfinite(results[k]) && !std::isfinite(slopes[static_cast<Eigen::Index>(k)]))
            return true;
    return false;
}

/// xi of a place. A distance beyond the end by roundoff is the end.
double share_on_beam(const core::Place& place, double length) {
    return std::min(place.share(length), 1.0);
}

}  // namespace

std::vector<Sought> read_sought(const models::BeamCollision& nominal,
                                const std::vector<FittedKey>& given, const std::string& list,
                                Violations& violations) {
    if (given.empty()) violations.push_back({list, "[]", "must hold at least one key", ""});
    std::vector<Sought> all;
    for (std::size_t i = 0; i < given.size(); ++i) {
        for (std::size_t other = 0; other < i; ++other) {
            if (given[other].key != given[i].key) continue;
            violations.push_back(
                {fmt::format("{}[{}].key", list, i), given[i].key, "is given twice", ""});
        }
        if (auto sought = read_one(nominal, given[i], list, i, violations))
            all.push_back(*std::move(sought));
    }
    return all;
}

std::optional<double> value_in(const models::BeamCollision& nominal, const Sought& sought) {
    models::BeamCollision collision = nominal;
    return number_at(collision, sought.key).value();
}

std::vector<Unknowns> starts_of(const models::BeamCollision& nominal,
                                const std::vector<Sought>& sought, int count) {
    Unknowns own;
    for (const Sought& each : sought) {
        const auto value = value_in(nominal, each);
        own.push_back(value ? each.unknown(nearest_admitted(each, *value)) : 0.5);
    }
    std::vector<Unknowns> starts{own};
    const std::size_t dimensions = sought.size(), all = static_cast<std::size_t>(count);
    const auto points = statistics::sobol_points(all, dimensions, 1);
    while (starts.size() < all) {
        const auto first =
            points.begin() + static_cast<std::ptrdiff_t>((starts.size() - 1) * dimensions);
        starts.emplace_back(first, first + static_cast<std::ptrdiff_t>(dimensions));
    }
    return starts;
}

InputEcho echo_of(const models::BeamCollision& nominal, const std::vector<Sought>& sought,
                  std::span<const double> places) {
    InputEcho echo = echo_of(nominal, places);
    for (const Sought& each : sought) {
        const auto value = value_in(nominal, each);
        if (!value || each.admits(*value)) continue;
        const auto words = [&](double number) { return core::with_unit(number, each.unit); };
        echo.doubts.push_back(
            {each.key, words(*value),
             fmt::format("is outside its bounds, {} to {}", words(each.range.from),
                         words(each.range.to)),
             "the first search begins at " + words(nearest_admitted(each, *value))});
    }
    return echo;
}

models::BeamCollision collision_at(const models::BeamCollision& nominal,
                                   const std::vector<Sought>& sought, const Unknowns& t) {
    models::BeamCollision collision = nominal;
    for (std::size_t j = 0; j < t.size(); ++j)
        number_at(collision, sought[j].key).set(sought[j].value(t[j]));
    return collision;
}

Places fractions(const std::vector<double>& xi) {
    Places places;
    for (const double each : xi) places.push_back({each});
    return places;
}

std::vector<double> shares(const Places& places, double length) {
    std::vector<double> xi;
    for (const core::Place& place : places) xi.push_back(share_on_beam(place, length));
    return xi;
}

SoughtResults::SoughtResults(const models::BeamCollision& nominal,
                             const std::vector<Sought>& sought, impact::Quantity quantity,
                             const RunOptions& options)
    : collision_(nominal), sought_(sought), quantity_(quantity), options_(options) {
    for (const Sought& each : sought) keys_.push_back(each.key);
    has_gradients_ = models::check_gradient(nominal, keys_, "").empty();
    const auto changes_modes = [](const std::string& key) { return key.starts_with("beam."); };
    if (std::ranges::none_of(keys_, changes_modes)) nominal_.emplace(nominal);
    const auto* const splitting = std::get_if<time::Splitting>(&nominal.integration.scheme);
    // Differences carry the error of the result; their own error grows with the square of the step.
    const double error = splitting ? splitting->tolerance : 1e-6;
    step_ = std::clamp(core::cbrt(error), 1e-3, 2e-2);
}

bool SoughtResults::compute(std::size_t count, const std::function<void(std::size_t)>& item) const {
    return run_unless_stopped(
               options_.stop,
               [&] { core::parallel_for(count, options_.threads, item, options_.stop); }) &&
           !options_.stop();
}

bool SoughtResults::curves(const std::vector<Unknowns>& sets, const Places& places,
                           std::vector<std::vector<double>>& results) const {
    std::vector<std::optional<models::BeamModel>> models(sets.size());
    if (!compute(sets.size(), [&](std::size_t i) { emplace(models[i], sets[i]); })) return false;
    results.assign(sets.size(), std::vector<double>(places.size(), io::no_number));
    return compute(sets.size() * places.size(), [&](std::size_t item) {
        const std::size_t i = item / places.size(), k = item % places.size();
        const double length = models[i]->scales().length;
        const impact::CollisionResult result = models[i]->collide(share_on_beam(places[k], length));
        results[i][k] = known_value(result, models[i]->time_limit());
    });
}

double SoughtResults::known_value(const impact::CollisionResult& result, double time_limit) const {
    if (quantity_ == impact::Quantity::cor_kinematic) return known_restitution(result, time_limit);
    const bool separated = result.status == impact::Status::separated;
    return separated ? impact::value_of(result, quantity_) : io::no_number;
}

bool SoughtResults::tangents(const Unknowns& t, const Places& places, std::vector<double>& results,
                             Eigen::MatrixXd& jacobian) const {
    results.assign(places.size(), io::no_number);
    jacobian.setConstant(static_cast<Eigen::Index>(places.size()),
                         static_cast<Eigen::Index>(t.size()), io::no_number);
    if (has_gradients_ && !take_gradients(t, places, results, jacobian)) return false;
    std::vector<std::size_t> missing;
    for (std::size_t j = 0; j < t.size(); ++j) {
        if (!has_gradients_ || is_missing(results, jacobian.col(static_cast<Eigen::Index>(j))))
            missing.push_back(j);
    }
    return missing.empty() || take_differences(t, places, missing, results, jacobian);
}

/// False: stopped.
bool SoughtResults::take_gradients(const Unknowns& t, const Places& places,
                                   std::vector<double>& results, Eigen::MatrixXd& jacobian) const {
    std::optional<models::BeamModel> model;
    emplace(model, t);
    const models::BeamGradients gradients(*model, keys_);
    const double length = model->scales().length;
    return compute(places.size(), [&](std::size_t k) {
        const double xi = share_on_beam(places[k], length);
        const double xi_by_length = places[k].is_distance ? -xi / length : 0.0;
        const models::CollisionSlopes slopes =
            gradients.at(xi, std::array{quantity_}, xi_by_length);
        if (slopes.by_key.size() == 0) return;
        results[k] = impact::value_of(slopes.result, quantity_);
        for (std::size_t j = 0; j < t.size(); ++j) {
            const auto column = static_cast<Eigen::Index>(j);
            jacobian(static_cast<Eigen::Index>(k), column) =
                slopes.by_key(0, column) * sought_[j].slope(t[j]);
        }
    });
}

/// Central differences by some of the unknowns, one-sided at a bound.
bool SoughtResults::take_differences(const Unknowns& t, const Places& places,
                                     const std::vector<std::size_t>& unknowns,
                                     std::vector<double>& results,
                                     Eigen::MatrixXd& jacobian) const {
    std::vector<Unknowns> sets{t};
    for (const std::size_t j : unknowns) {
        for (const double side : {-1.0, 1.0}) {
            sets.push_back(t);
            sets.back()[j] = std::clamp(t[j] + side * step_, 0.0, 1.0);
        }
    }
    std::vector<std::vector<double>> all;
    if (!curves(sets, places, all)) return false;
    results = all.front();
    for (std::size_t n = 0; n < unknowns.size(); ++n) {
        const std::size_t j = unknowns[n], low = 2 * n + 1, high = low + 1;
        const double width = sets[high][j] - sets[low][j];
        for (std::size_t k = 0; k < places.size(); ++k) {
            jacobian(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j)) =
                (all[high][k] - all[low][k]) / width;
        }
    }
    return true;
}

/// The model at t. Keys that change no modes of the beam share those of the case.
void SoughtResults::emplace(std::optional<models::BeamModel>& model, const Unknowns& t) const {
    const models::BeamCollision collision = collision_at(collision_, sought_, t);
    if (nominal_) {
        model.emplace(collision, *nominal_);
    } else {
        model.emplace(collision);
    }
}

}  // namespace stoss::solvers
