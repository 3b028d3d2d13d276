#include <solvers/problems/beam/uncertainty.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <models/collision_inputs.hpp>
#include <solvers/case/collision_columns.hpp>
#include <solvers/case/key_range.hpp>
#include <solvers/case/open_rows.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/case/sweep.hpp>
#include <solvers/problems/beam/beam_case.hpp>
#include <solvers/problems/beam/linear_uncertainty.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/statistics/sensitivity.hpp>

namespace stoss::solvers {

namespace {

using Violations = std::vector<core::Violation>;

constexpr double most_collisions = 1e8;  // of all samples together: 0.8 GB
constexpr std::size_t head = 2;          // numbers of a row before the results

std::string path_of(std::size_t key) {
    return fmt::format("uncertainty.keys[{}]", key);
}

/// The number that a key is; nothing, with a violation, if it is none.
std::optional<UncertainNumber> find_number(const std::string& key, std::size_t index,
                                           const models::BeamCollision& nominal,
                                           Violations& violations) {
    if (key == location_key) return UncertainNumber{"m", 0.0, path_of(index)};
    models::BeamCollision copy = nominal;
    if (const NumberKey number = number_at(copy, key)) {
        return UncertainNumber{std::string(number.unit), number.value(), path_of(index),
                               exponent_of(nominal.contact.law)};
    }
    auto names = single_keys(io::describe_keys<models::BeamCollision>());
    names.emplace_back(location_key);
    const auto nearest = core::nearest_word(key, names);
    violations.push_back({path_of(index) + ".key", key, std::string(models::no_number_of_case),
                          nearest && *nearest != key
                              ? "did you mean `" + *nearest + "`?"
                              : "for example beam.material.youngs_modulus, or location"});
    return {};
}

/// The smallest and the largest sample of each key must be admissible.
void check_samples(const Uncertainty& uncertainty, const models::BeamCollision& nominal,
                   const std::vector<statistics::Marginal>& marginals,
                   const std::vector<std::string>& units, Violations& violations) {
    const std::size_t count = marginals.size();
    const auto samples = static_cast<std::size_t>(uncertainty.samples);
    const auto points =
        statistics::sobol_points(samples, 2 * count, static_cast<std::uint64_t>(uncertainty.seed));
    for (std::size_t i = 0; i < count; ++i) {
        const std::string& key = uncertainty.keys[i].key;
        if (key == location_key) continue;
        double least = 1.0, greatest = 0.0;
        for (std::size_t j = i; j < points.size(); j += count) {
            least = std::min(least, points[j]);
            greatest = std::max(greatest, points[j]);
        }
        for (const double share : {least, greatest}) {
            const double value = marginals[i].quantile(share);
            const Violations found = check_with(nominal, key, value);
            if (found.empty()) continue;
            violations.push_back(
                {path_of(i) + ".distribution", core::with_unit(value, units[i]),
                 fmt::format("is among the samples of {}, which {}", key, found.front().rule),
                 "use lognormal, uniform or truncated_normal, or less scatter"});
            break;
        }
    }
}

/// The distributions of all keys; they are whole only if there are no violations.
struct Prepared {
    std::vector<statistics::Marginal> marginals;
    std::vector<std::string> units;
};

Prepared prepare(const Uncertainty& uncertainty, const models::BeamCollision& nominal,
                 Violations& violations) {
    Prepared prepared;
    for (std::size_t i = 0; i < uncertainty.keys.size(); ++i) {
        const UncertainKey& uncertain = uncertainty.keys[i];
        for (std::size_t other = 0; other < i; ++other) {
            if (uncertainty.keys[other].key != uncertain.key) continue;
            violations.push_back({path_of(i) + ".key", uncertain.key, "is given twice", ""});
        }
        const auto number = find_number(uncertain.key, i, nominal, violations);
        if (!number) continue;
        prepared.marginals.push_back(read_marginal(uncertain.distribution, *number, violations));
        prepared.units.push_back(number->unit);
    }
    return prepared;
}

void check_counts(const Uncertainty& uncertainty, std::size_t places, Violations& violations) {
    if (uncertainty.keys.empty()) {
        violations.push_back({"uncertainty.keys", "[]", "must hold at least one key", ""});
    }
    const auto samples = static_cast<unsigned>(uncertainty.samples);
    if (!std::has_single_bit(samples)) {
        violations.push_back(
            {"uncertainty.samples", std::to_string(samples),
             "must be a power of 2: only then is Sobol's sequence balanced",
             fmt::format("use {} or {}", std::bit_floor(samples), std::bit_ceil(samples))});
    }
    const double all = static_cast<double>(samples) *
                       static_cast<double>(uncertainty.keys.size() + 2) *
                       static_cast<double>(places);
    if (all > most_collisions) {
        violations.push_back(
            {"uncertainty.samples", std::to_string(samples),
             fmt::format("{:.3g} collisions are too many", all),
             fmt::format("at most {:.0g} are possible; use fewer samples, keys or locations",
                         most_collisions)});
    }
}

/// True if the modes of the beam depend on the key.
bool is_of_beam(const std::string& key) {
    return key.starts_with("beam.") || key.starts_with("mesh.");
}

bool is_known(const std::optional<statistics::SobolIndex>& index) {
    return index && !std::isnan(index->first_order) && !std::isnan(index->total);
}

/// Indices of a key for the whole beam: those of each place, weighted with the variance there. None
/// if no place has any.
std::optional<statistics::SobolIndex> index_of_all(
    const std::vector<UncertaintyStudy::Place>& places, std::size_t key) {
    statistics::SobolIndex sum{0.0, 0.0};
    double variances = 0.0;
    for (const UncertaintyStudy::Place& place : places) {
        const auto& index = place.indices[key];
        if (!is_known(index)) continue;
        const double variance = *place.spread.deviation * *place.spread.deviation;
        sum.first_order += variance * index->first_order;
        sum.total += variance * index->total;
        variances += variance;
    }
    if (variances == 0.0) return std::nullopt;
    return statistics::SobolIndex{sum.first_order / variances, sum.total / variances};
}

/// e at one place: of A, of B, and of A with one key from B.
struct IndexSamples {
    std::vector<double> a, b, mixed;
    double mean;
};

/// Standard errors of the indices of a key for the whole beam. Samples are taken as independent;
/// that Sobol's sequence is spread evenly makes the true errors smaller.
statistics::SobolIndex errors_of_index(const std::vector<IndexSamples>& places) {
    const std::size_t count = places.empty() ? 0 : places.front().a.size();
    std::vector<double> from_b(count), from_a(count), variance(count);
    const auto half_square = [](double x) { return 0.5 * x * x; };
    for (const auto& [a, b, mixed, mean] : places) {
        for (std::size_t k = 0; k < count; ++k) {
            from_b[k] += half_square(b[k] - mixed[k]);
            from_a[k] += half_square(a[k] - mixed[k]);
            variance[k] += half_square(a[k] - mean) + half_square(b[k] - mean);
        }
    }
    return {statistics::ratio_of_means(from_b, variance).standard_error,
            statistics::ratio_of_means(from_a, variance).standard_error};
}

/// `all`: samples of a place.
void warn_of_missing_samples(const std::vector<UncertaintyStudy::Place>& places, std::size_t all,
                             std::vector<std::string>& warnings) {
    const auto partly = std::ranges::count_if(
        places, [&](const UncertaintyStudy::Place& place) { return place.spread.count < all; });
    if (partly == 0) return;
    warnings.push_back(
        fmt::format("uncertainty: at {} of {} places some samples miss the beam or do not "
                    "approach it; mean and band are those of the others, and there are no "
                    "Sobol indices",
                    partly, places.size()));
}

}  // namespace

std::vector<std::string> Uncertainty::key_names() const {
    std::vector<std::string> names;
    for (const UncertainKey& each : keys) names.push_back(each.key);
    return names;
}

Violations check_uncertainty(const Uncertainty& uncertainty, const models::BeamCollision& nominal,
                             std::size_t places) {
    Violations violations;
    check_counts(uncertainty, places, violations);
    const Prepared prepared = prepare(uncertainty, nominal, violations);
    if (violations.empty()) {
        check_samples(uncertainty, nominal, prepared.marginals, prepared.units, violations);
    }
    if (violations.empty() && uncertainty.is_linear())
        return LinearUncertainty::check(nominal, uncertainty.key_names(), prepared.marginals);
    return violations;
}

UncertaintyStudy::UncertaintyStudy(const io::Document& document, const Uncertainty& uncertainty,
                                   const models::BeamCollision& nominal, const Locations& locations)
    : document_(document),
      uncertainty_(uncertainty),
      nominal_(nominal),
      locations_(locations),
      resolution_(0.0) {
    refuse(document, check_uncertainty(uncertainty, nominal, locations.count()));
    Violations none;
    Prepared prepared = prepare(uncertainty, nominal, none);
    marginals_ = std::move(prepared.marginals);
    units_ = std::move(prepared.units);
    for (const UncertainKey& each : uncertainty.keys) {
        changes_beam_.push_back(is_of_beam(each.key));
    }
    if (const auto* const splitting = std::get_if<time::Splitting>(&nominal.integration.scheme)) {
        resolution_ = splitting->tolerance;
    }
    points_ = statistics::sobol_points(static_cast<std::size_t>(uncertainty.samples), 2 * keys(),
                                       static_cast<std::uint64_t>(uncertainty.seed));
    rows_.resize(static_cast<std::size_t>(uncertainty.samples));
}

double UncertaintyStudy::value(std::size_t sample, bool of_b, std::size_t key) const {
    return marginals_[key].quantile(points_[(2 * sample + (of_b ? 1 : 0)) * keys() + key]);
}

models::BeamModel UncertaintyStudy::model(const models::BeamModel& same_beam,
                                          const std::vector<double>& values,
                                          bool beam_differs) const {
    models::BeamCollision collision = nominal_;
    for (std::size_t i = 0; i < keys(); ++i) {
        if (uncertainty_.keys[i].key == location_key) continue;
        number_at(collision, uncertainty_.keys[i].key).set(values[i]);
    }
    refuse(document_, models::check(collision));
    return beam_differs ? models::BeamModel(collision) : models::BeamModel(collision, same_beam);
}

/// Appends e at every place; NaN where the beam is not struck or the collision has no end.
void UncertaintyStudy::strike(const models::BeamModel& model, double shift, Row& row) const {
    const std::size_t first = row.size();
    row.resize(first + points(), io::no_number);
    std::size_t begun = 0;
    const auto next = [&](models::BeamModel::CollisionRequest& request) {
        while (begun < points()) {
            const std::size_t i = begun++;
            const double length = model.scales().length;
            const double xi = locations_.xi(i, length) + shift / length;
            if (!(xi >= 0.0 && xi <= 1.0)) continue;
            request = {i, &model, xi};
            return true;
        }
        return false;
    };
    models::BeamModel::collide_all(next, [&](std::size_t i, const impact::CollisionResult& result) {
        row[first + i] = known_restitution(result, model.time_limit());
        const bool is_known = !std::isnan(row[first + i]);
        if (!is_known && result.status != impact::Status::no_approach) row[0] += 1.0;
        if (result.status == impact::Status::separated)
            row[1] = std::fmax(row[1], result.cor_error.value_or(io::no_number));
    });
}

UncertaintyStudy::Row UncertaintyStudy::compute_row(const models::BeamModel& nominal,
                                                    std::size_t sample) const {
    Row row{0.0, io::no_number};
    row.reserve(head + (keys() + 2) * points());
    const bool beam_differs = std::ranges::find(changes_beam_, true) != changes_beam_.end();
    std::vector<double> a, b;
    double shift_a = 0.0, shift_b = 0.0;
    for (std::size_t i = 0; i < keys(); ++i) {
        a.push_back(value(sample, false, i));
        b.push_back(value(sample, true, i));
        if (uncertainty_.keys[i].key != location_key) continue;
        shift_a = a.back();
        shift_b = b.back();
    }
    const models::BeamModel model_a = model(nominal, a, beam_differs);
    strike(model_a, shift_a, row);
    strike(model(nominal, b, beam_differs), shift_b, row);
    for (std::size_t i = 0; i < keys(); ++i) {
        if (uncertainty_.keys[i].key == location_key) {
            strike(model_a, shift_b, row);
            continue;
        }
        std::vector<double> mixed = a;
        mixed[i] = b[i];
        strike(model(model_a, mixed, changes_beam_[i]), shift_a, row);
    }
    return row;
}

bool UncertaintyStudy::compute(const models::BeamModel& nominal, const RunOptions& options,
                               std::size_t first_row) {
    rows_ = compute_open_rows(rows_.size(),
                              {"uncertain collisions", (keys() + 2) * points(), first_row}, options,
                              [&](std::size_t k) { return compute_row(nominal, k); });
    return collisions_done() == collisions();
}

std::size_t UncertaintyStudy::collisions() const {
    return rows_.size() * (keys() + 2) * points();
}

std::size_t UncertaintyStudy::collisions_done() const {
    const auto done = std::ranges::count_if(rows_, [](const Row& row) { return !row.empty(); });
    return static_cast<std::size_t>(done) * (keys() + 2) * points();
}

/// e of all samples at one place; variant 0 is A, 1 is B, 2 + i is A with key i from B.
std::vector<double> UncertaintyStudy::results(std::size_t variant, std::size_t place) const {
    std::vector<double> values;
    values.reserve(rows_.size());
    for (const Row& row : rows_) values.push_back(row[head + variant * points() + place]);
    return values;
}

UncertaintyStudy::Place UncertaintyStudy::at(std::size_t place) const {
    const std::vector<double> a = results(0, place), b = results(1, place);
    std::vector<double> both = a;
    both.insert(both.end(), b.begin(), b.end());
    Place found{statistics::spread_of(both), {}};
    const double deviation = found.spread.deviation.value_or(0.0);
    const bool is_known = found.spread.count == both.size() && deviation > resolution_;
    found.indices.resize(keys());
    for (std::size_t i = 0; is_known && i < keys(); ++i) {
        found.indices[i] =
            statistics::sobol_index(a, b, results(2 + i, place), deviation * deviation);
    }
    return found;
}

std::vector<UncertaintyStudy::Place> UncertaintyStudy::places() const {
    std::vector<Place> all;
    for (std::size_t i = 0; i < points(); ++i) all.push_back(at(i));
    return all;
}

io::Table UncertaintyStudy::table(const std::vector<Place>& places) const {
    io::Table table;
    const auto add = [&](const std::string& name, const auto& value) {
        std::vector<double> values;
        for (std::size_t i = 0; i < places.size(); ++i)
            values.push_back(std::optional<double>(value(i)).value_or(io::no_number));
        table.add(name, std::move(values));
    };
    std::vector<std::int64_t> counts;
    for (const Place& place : places) {
        counts.push_back(static_cast<std::int64_t>(place.spread.count));
    }
    const double length = nominal_.beam.length;
    add("xi", [&](std::size_t i) { return locations_.xi(i, length); });
    add("x_m", [&](std::size_t i) { return locations_.xi(i, length) * length; });
    table.add("samples", std::move(counts));
    add("cor_mean", [&](std::size_t i) { return places[i].spread.mean; });
    add("cor_standard_deviation", [&](std::size_t i) { return places[i].spread.deviation; });
    add("cor_quantile_05", [&](std::size_t i) { return places[i].spread.low; });
    add("cor_quantile_50", [&](std::size_t i) { return places[i].spread.median; });
    add("cor_quantile_95", [&](std::size_t i) { return places[i].spread.high; });
    for (std::size_t key = 0; key < keys(); ++key) {
        const std::string& name = uncertainty_.keys[key].key;
        const auto add_index = [&](const std::string& kind, double statistics::SobolIndex::*share) {
            add(kind + name, [&](std::size_t i) {
                const auto& index = places[i].indices[key];
                return index ? (*index).*share : io::no_number;
            });
        };
        add_index("first_order_", &statistics::SobolIndex::first_order);
        add_index("total_", &statistics::SobolIndex::total);
    }
    return table;
}

statistics::SobolIndex UncertaintyStudy::index_errors(const std::vector<Place>& places,
                                                      std::size_t key) const {
    std::vector<IndexSamples> samples;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (is_known(places[i].indices[key]))
            samples.push_back(
                {results(0, i), results(1, i), results(2 + key, i), *places[i].spread.mean});
    }
    return errors_of_index(samples);
}

/// Adds how much e varies, along the beam and where most.
void UncertaintyStudy::add_deviations(const std::vector<Place>& places, io::Value& summary) const {
    double sum = 0.0, largest = 0.0;
    std::optional<double> xi;
    std::size_t known = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto deviation = places[i].spread.deviation;
        if (!deviation) continue;
        sum += *deviation;
        ++known;
        if (*deviation > largest) xi = locations_.xi(i, nominal_.beam.length);
        largest = std::max(largest, *deviation);
    }
    if (known == 0) return;
    summary.set("cor_standard_deviation_mean", sum / static_cast<double>(known));
    summary.set("cor_standard_deviation_max", largest);
    if (xi) summary.set("xi_of_max", *xi);
}

io::Value UncertaintyStudy::summary(const std::vector<Place>& places) const {
    io::Value summary = io::Value::object();
    summary.set("samples", uncertainty_.samples).set("seed", uncertainty_.seed);
    summary.set("collisions", collisions());
    add_deviations(places, summary);
    io::Value first_order = io::Value::object(), total = io::Value::object();
    io::Value first_order_error = io::Value::object(), total_error = io::Value::object();
    for (std::size_t i = 0; i < keys(); ++i) {
        const std::string& key = uncertainty_.keys[i].key;
        const auto index = index_of_all(places, i);
        if (!index) continue;
        const statistics::SobolIndex error = index_errors(places, i);
        first_order.set(key, index->first_order);
        total.set(key, index->total);
        first_order_error.set(key, error.first_order);
        total_error.set(key, error.total);
    }
    summary.set("keys", keys_summary());
    summary.set("first_order", std::move(first_order)).set("total", std::move(total));
    summary.set("first_order_standard_error", std::move(first_order_error));
    summary.set("total_standard_error", std::move(total_error));
    return summary;
}

io::Value UncertaintyStudy::keys_summary() const {
    io::Value all_keys = io::Value::array();
    for (std::size_t i = 0; i < keys(); ++i) {
        io::Value entry = io::Value::object();
        entry.set("key", uncertainty_.keys[i].key).set("unit", units_[i]);
        entry.set("quantile_05", marginals_[i].quantile(0.05));
        entry.set("quantile_95", marginals_[i].quantile(0.95));
        all_keys.append(std::move(entry));
    }
    return all_keys;
}

void UncertaintyStudy::judge(const std::vector<Place>& places, Outcome& outcome) const {
    double failed = 0.0, largest_error = 0.0;
    for (const Row& row : rows_) {
        failed += row[0];
        largest_error = std::fmax(largest_error, row[1]);
    }
    if (failed > 0.0) {
        outcome.warnings.push_back(
            fmt::format("uncertainty: {:.0f} of {} collisions did not end and are left out", failed,
                        collisions()));
        outcome.ending = Ending::numerical_failure;
    }
    if (resolution_ > 0.0 && largest_error > resolution_) {
        outcome.warnings.push_back(
            fmt::format("uncertainty: the restitution is known only to {:.2g} at worst, not to "
                        "integration.tolerance",
                        largest_error));
    }
    warn_of_missing_samples(places, 2 * rows_.size(), outcome.warnings);
}

}  // namespace stoss::solvers
