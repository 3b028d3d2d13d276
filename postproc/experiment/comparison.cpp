#include <postproc/experiment/comparison.hpp>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/statistics/bivariate_statistics.hpp>
#include <cmath>
#include <filesystem>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <postproc/report/beam_map.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/interpolation.hpp>

namespace stoss::postproc {

namespace {

constexpr double smallest_tail = 1e-300;

/// Points of a curve in ascending order.
void sort_by_place(ComparedCurve& curve) {
    std::vector<std::pair<double, double>> points;
    for (std::size_t i = 0; i < curve.place.size(); ++i) {
        points.emplace_back(curve.place[i], curve.cor[i]);
    }
    std::ranges::sort(points);
    for (std::size_t i = 0; i < points.size(); ++i) {
        std::tie(curve.place[i], curve.cor[i]) = points[i];
    }
}

std::string label_of(const Run& run, const Map& map, const MapSeries& series) {
    if (map.sweep.empty()) return run.title;
    return fmt::format("{}, {} {}", run.title, map.sweep_words, series.words);
}

/// Along the beam: one curve a swept value.
std::vector<ComparedCurve> curves_along(const Run& run, const Map& map, Abscissa abscissa) {
    std::vector<ComparedCurve> curves;
    for (const MapSeries& series : map.series) {
        curves.push_back({run.directory,
                          label_of(run, map, series),
                          series.numbers.column(column_name(abscissa)),
                          series.numbers.column("cor_kinematic"),
                          {},
                          {}});
    }
    return curves;
}

/// Refuses a run of a problem without a map of restitution along a beam.
void refuse_without_map(const Run& run) {
    if (run.problem == "beam_impact_map") return;
    const std::string file = run.file("map.csv");
    if (std::filesystem::exists(file)) {
        const io::Table table = io::read_csv(file);
        const auto has = [&](const char* name) { return table.find(name) != nullptr; };
        if (has("status") && has("xi") && has("cor_kinematic")) return;
    }
    throw core::InputError(
        {{run.directory,
          0,
          0,
          {"", "", fmt::format("is a run of `{}`, which has no map along a beam", run.problem),
           "only runs of beam_impact_map can be compared: over the places, or over a swept speed "
           "at one place; `sphere_impact` takes `measurements` over the speed in its case"}}});
}

/// Against speed: one curve of all swept values, at the only place of the map. Of several values
/// at one speed none would be the computed one.
ComparedCurve curve_over_speed(const Run& run, const Map& map, Abscissa abscissa) {
    std::set<double> places;
    ComparedCurve curve{run.directory, run.title, {}, {}, {}, {}};
    for (const MapSeries& series : map.series) {
        const auto& xi = series.numbers.column("xi");
        places.insert(xi.begin(), xi.end());
        for (std::size_t i = 0; i < xi.size(); ++i) {
            const double omega =
                abscissa == Abscissa::angular_velocity
                    ? std::abs(io::cell_number(series.label).value_or(io::no_number))
                    : series.numbers.column("approach_speed_m_per_s")[i];
            curve.place.push_back(omega);
            curve.cor.push_back(series.numbers.column("cor_kinematic")[i]);
        }
    }
    const std::set<double> speeds(curve.place.begin(), curve.place.end());
    const bool swept =
        speeds.size() == curve.place.size() &&
        (abscissa == Abscissa::approach_speed || map.sweep == "motion.angular_velocity_rad_per_s");
    if (places.size() != 1 || !swept) {
        throw core::InputError(
            {{run.file("map.csv"),
              0,
              0,
              {"", "",
               swept ? fmt::format(
                           "has {} places; measurements over the speed need a map at one place",
                           places.size())
                     : "has no sweep of the speed, but the measurements vary it",
               "run a case with `locations: {at: [0.68]}` and a `sweep` of "
               "motion.angular_velocity"}}});
    }
    return curve;
}

/// Ranks from 1; equal values share the mean of theirs.
std::vector<double> ranks(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    std::vector<double> result(values.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t last = first;
        while (last + 1 < order.size() && values[order[last + 1]] == values[order[first]]) ++last;
        for (std::size_t i = first; i <= last; ++i) {
            result[order[i]] = 0.5 * static_cast<double>(first + last) + 1.0;
        }
        first = last + 1;
    }
    return result;
}

/// The parts of an agreement that need deviations (theory/experiments.md 14.12, 14.13).
void add_deviations(Agreement& result, const std::vector<MeasuredPoint>& measured,
                    const std::vector<double>& differences) {
    double within_1 = 0.0, within_2 = 0.0, sum = 0.0, sum_of_means = 0.0;
    for (std::size_t i = 0; i < measured.size(); ++i) {
        const double error = measured[i].error_of_one().value_or(0.0);
        if (!(error > 0.0)) continue;
        ++result.points_with_deviation;
        const double size = std::abs(differences[i]) / error;
        within_1 += size <= 1.0;
        within_2 += size <= 2.0;
        sum += size * size;
        sum_of_means += core::pow(normal_deviate(measured[i], differences[i]), 2);
    }
    if (result.points_with_deviation == 0) return;
    const auto n = static_cast<double>(result.points_with_deviation);
    result.share_within_1 = within_1 / n;
    result.share_within_2 = within_2 / n;
    result.chi_square = sum;
    result.chi_square_reduced = sum / n;
    result.chi_square_of_means = sum_of_means;
    result.probability_of_means =
        std::isinf(sum_of_means)
            ? 0.0
            : boost::math::cdf(boost::math::complement(boost::math::chi_squared(n), sum_of_means));
}

}  // namespace

double normal_deviate(const MeasuredPoint& point, double difference) {
    namespace bm = boost::math;
    const double t = std::abs(difference) / point.standard_error().value();
    if (point.repeats < 2.0 || std::isinf(t)) return t;
    const double freedom = point.repeats - 1.0;
    const double tail = bm::cdf(bm::complement(bm::students_t(freedom), t));
    if (tail > smallest_tail) return bm::quantile(bm::complement(bm::normal(), tail));
    // No double holds the tail: what it tends to (Wallace 1959).
    return std::sqrt(freedom * core::log1p(t * t / freedom));
}

Agreement agreement(const std::vector<MeasuredPoint>& measured,
                    const std::vector<double>& computed) {
    std::vector<MeasuredPoint> points;
    std::vector<double> differences, of_measured, of_computed;
    for (std::size_t i = 0; i < measured.size(); ++i) {
        if (!std::isfinite(computed[i])) continue;
        points.push_back(measured[i]);
        of_measured.push_back(measured[i].cor);
        of_computed.push_back(computed[i]);
        differences.push_back(computed[i] - measured[i].cor);
    }
    Agreement result;
    result.points = points.size();
    result.left_out = measured.size() - points.size();
    if (points.empty()) return result;
    const auto n = static_cast<double>(points.size());
    double sum = 0.0, squares = 0.0, largest = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        sum += differences[i];
        squares += differences[i] * differences[i];
        if (std::abs(differences[i]) >= std::abs(largest)) {
            largest = differences[i];
            result.place_of_largest = points[i].place;
        }
    }
    const double rmse = std::sqrt(squares / n);
    result.bias = sum / n;
    result.rmse = rmse;
    result.largest = largest;
    const auto [least, greatest] = std::ranges::minmax(of_measured);
    if (greatest > least) result.rmse_normalised = rmse / (greatest - least);
    const auto [least_computed, greatest_computed] = std::ranges::minmax(of_computed);
    if (greatest > least && greatest_computed > least_computed) {
        result.rank_correlation = boost::math::statistics::correlation_coefficient(
            ranks(of_measured), ranks(of_computed));
    }
    add_deviations(result, points, differences);
    return result;
}

std::vector<ComparedCurve> compare(const Experiment& experiment, const Run& run) {
    refuse_without_map(run);
    const Map map = read_map(run);
    std::vector<ComparedCurve> curves;
    if (experiment.abscissa == Abscissa::xi || experiment.abscissa == Abscissa::x) {
        curves = curves_along(run, map, experiment.abscissa);
    } else {
        curves.push_back(curve_over_speed(run, map, experiment.abscissa));
    }
    for (ComparedCurve& curve : curves) {
        sort_by_place(curve);
        for (const MeasuredPoint& point : experiment.points) {
            curve.at_points.push_back(core::interpolated(curve.place, curve.cor, point.place));
        }
        curve.agreement = agreement(experiment.points, curve.at_points);
        if (curve.agreement.points > 0) continue;
        if (std::ranges::all_of(curve.cor, [](double e) { return std::isnan(e); })) {
            throw core::FileError(run.directory + ": no collision of \"" + curve.label +
                                  "\" ended with the bodies apart: there is nothing to compare");
        }
        throw core::InputError(
            {{experiment.file,
              0,
              0,
              {"", "",
               fmt::format("has no place in the computed range of {}, {:.4g} to {:.4g}",
                           run.directory, curve.place.front(), curve.place.back()),
               unit_hint(experiment)}}});
    }
    return curves;
}

io::Table comparison_table(const Experiment& experiment, const std::vector<ComparedCurve>& curves) {
    io::Table table = to_table(experiment);
    for (std::size_t k = 0; k < curves.size(); ++k) {
        std::vector<double> differences;
        for (std::size_t i = 0; i < experiment.points.size(); ++i) {
            differences.push_back(curves[k].at_points[i] - experiment.points[i].cor);
        }
        table.add(fmt::format("cor_computed_{}", k + 1), curves[k].at_points);
        table.add(fmt::format("difference_{}", k + 1), std::move(differences));
    }
    return table;
}

io::Table curve_table(const Experiment& experiment, const std::vector<ComparedCurve>& curves) {
    std::vector<std::int64_t> number;
    std::vector<double> place, cor;
    for (std::size_t k = 0; k < curves.size(); ++k) {
        number.insert(number.end(), curves[k].place.size(), static_cast<std::int64_t>(k) + 1);
        place.insert(place.end(), curves[k].place.begin(), curves[k].place.end());
        cor.insert(cor.end(), curves[k].cor.begin(), curves[k].cor.end());
    }
    io::Table table;
    table.add("curve", std::move(number));
    table.add(std::string(column_name(experiment.abscissa)), std::move(place));
    table.add("cor_computed", std::move(cor));
    return table;
}

io::Value to_value(const ComparedCurve& curve) {
    const Agreement& found = curve.agreement;
    io::Value value = io::Value::object();
    value.set("run", curve.run).set("label", curve.label);
    value.set("points", found.points).set("points_left_out", found.left_out);
    value.set("bias", found.bias.value_or(io::no_number))
        .set("rmse", found.rmse.value_or(io::no_number));
    value.set("rmse_normalised", found.rmse_normalised.value_or(io::no_number));
    value.set("largest_difference", found.largest.value_or(io::no_number));
    value.set("place_of_largest_difference", found.place_of_largest.value_or(io::no_number));
    value.set("rank_correlation", found.rank_correlation.value_or(io::no_number));
    value.set("points_with_deviation", found.points_with_deviation);
    value.set("share_within_1_deviation", found.share_within_1.value_or(io::no_number));
    value.set("share_within_2_deviations", found.share_within_2.value_or(io::no_number));
    value.set("chi_square", found.chi_square.value_or(io::no_number));
    value.set("chi_square_reduced", found.chi_square_reduced.value_or(io::no_number));
    value.set("chi_square_of_means", found.chi_square_of_means.value_or(io::no_number));
    value.set("probability_of_means", found.probability_of_means.value_or(io::no_number));
    return value;
}

}  // namespace stoss::postproc
