#include <solvers/problems/beam/beam_fit.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include <fmt/format.h>
#include <Eigen/SVD>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <models/beam_model.hpp>
#include <postproc/experiment/comparison.hpp>
#include <postproc/experiment/experiment.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/collision_ending.hpp>
#include <solvers/case/input_echo.hpp>
#include <solvers/case/open_rows.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/case/sweep.hpp>
#include <solvers/problems/beam/beam_case.hpp>
#include <solvers/problems/beam/beam_fit_figures.hpp>
#include <solvers/problems/beam/sought_keys.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/progress.hpp>
#include <stoss/core/robust.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/checkpoint.hpp>

namespace stoss::solvers {

namespace {

using Violations = std::vector<core::Violation>;

constexpr double collinear = 30.0;     // condition number (Belsley, Kuh and Welsch 1980)
constexpr double hardly_known = 0.25;  // standard error over the range that was admitted
constexpr double small_part = 0.01;    // of a direction, not worth a word
constexpr int reweightings = 3;        // of the robust scale
constexpr double enough_repeats = 20;  // for weights by their scatter (docs/reliability.md)
constexpr int more_searches = 4;       // times as many where the first ones are in doubt
constexpr double improbable = 1e-3;    // of residuals
constexpr double negligible = 1e-5;    // RMS of differences of e: less than a measurement shows
constexpr std::size_t curve_points = 101;
constexpr const char* experiment_name = "experiment.csv";

struct Case {
    CaseHeader header;
    models::BeamCollision collision;
    BeamFit parameters;
    CaseExpectations expectations;
    postproc::Experiment experiment;
    Places places;  // distances if they are given and the length of the beam is sought
    std::vector<Sought> sought;

    /// The length of the beam among the keys; null if it is not sought.
    const Sought* sought_length() const {
        const auto found = std::ranges::find(sought, "beam.length", &Sought::key);
        return found == sought.end() ? nullptr : &*found;
    }
    /// Length of the beam [m] at t.
    double length_at(const Unknowns& t) const {
        return collision_at(collision, sought, t).beam.length;
    }
};

/// Places of the experiment: as xi, unless they must stay where they are on a beam of any length.
Places places_of(const Case& given) {
    const double length = given.collision.beam.length;
    if (given.sought_length()) return postproc::places_of(given.experiment, length);
    return fractions(postproc::locations_of(given.experiment, length));
}

Violations check_fit(Case& given) {
    Violations violations = models::check(given.collision);
    if (!violations.empty()) return violations;
    given.sought = read_sought(given.collision, given.parameters.fit, "fit", violations);
    return violations;
}

Violations check_experiment(const Case& given) {
    Violations violations;
    const std::string& file = given.parameters.experiment;
    if (given.places.size() <= given.sought.size()) {
        violations.push_back({"experiment", file,
                              fmt::format("has {} places, too few for {} unknown keys",
                                          given.places.size(), given.sought.size()),
                              ""});
    }
    const Sought* const length = given.sought_length();
    for (const core::Place& place : given.places) {
        if (!length || !place.is_distance || place.value <= length->range.from) continue;
        violations.push_back(
            {"fit", "beam.length",
             fmt::format("may be shorter than the distance of a measured place, {} m",
                         core::to_text(place.value)),
             "raise `from`"});
        break;
    }
    for (const double xi : shares(given.places, given.collision.beam.length)) {
        const double speed = models::rigid_approach_speed(given.collision, xi);
        if (speed > 0.0) continue;
        violations.push_back(
            {"experiment", file,
             fmt::format("the bodies do not approach each other at xi = {}: V_rel = {:.4g} m/s",
                         core::to_text(xi), speed),
             how_to_approach});
        break;
    }
    const bool has_errors =
        std::ranges::all_of(given.experiment.points, [](const postproc::MeasuredPoint& point) {
            return point.standard_error().value_or(0.0) > 0.0;
        });
    if (given.parameters.weights == Weights::standard_error && !has_errors) {
        violations.push_back({"weights", "standard_error",
                              "needs a standard deviation > 0 at every place of the table",
                              "use `weights: equal`"});
    }
    return violations;
}

Case read_case(const io::Document& document) {
    auto [header, collision, parameters, expectations] =
        io::read<CaseHeader, models::BeamCollision, BeamFit, CaseExpectations>(document);
    Case result{header, collision, parameters, expectations, {}, {}, {}};
    const std::string& file = result.parameters.experiment;
    Violations violations = check_fit(result);
    core::append(check_file(document, "experiment", file), violations);
    refuse(document, violations);
    result.experiment = postproc::read_experiment(path_in_case(document, file), false);
    result.places = places_of(result);
    refuse(document, check_experiment(result));
    return result;
}

io::Choice describe() {
    return io::describe_choice<BeamFit, models::BeamCollision>();
}
/// The table is copied into the directory of the run.
io::Node resolve(Case given) {
    given.parameters.experiment = experiment_name;
    return io::to_node(given.header, given.collision, given.parameters, given.expectations);
}

InputEcho echo(const Case& given) {
    return echo_of(given.collision, given.sought,
                   shares(given.places, given.collision.beam.length));
}

/// Factor of each residual: 1, or one over the standard error.
std::vector<double> factors_of(const Case& given) {
    std::vector<double> factors;
    for (const postproc::MeasuredPoint& point : given.experiment.points) {
        factors.push_back(given.parameters.weights == Weights::equal
                              ? 1.0
                              : 1.0 / point.standard_error().value());
    }
    return factors;
}

/// (theory/experiments.md 14.16) as a function for the search.
LeastSquares equations(const Case& given, const SoughtResults& computation,
                       const std::vector<double>& factors) {
    LeastSquares problem;
    problem.unknowns = given.sought.size();
    problem.residuals = given.places.size();
    problem.always_with_jacobian = computation.has_gradients();
    problem.evaluate = [&](const Unknowns& t, double* residuals, double* jacobian) {
        std::vector<double> cor;
        Eigen::MatrixXd tangent;
        std::vector<std::vector<double>> curve;
        const bool is_done = jacobian ? computation.tangents(t, given.places, cor, tangent)
                                      : computation.curves({t}, given.places, curve);
        if (!is_done) return false;
        if (!jacobian) cor = std::move(curve.front());
        for (std::size_t i = 0; i < cor.size(); ++i) {
            residuals[i] = factors[i] * (cor[i] - given.experiment.points[i].cor);
            if (!std::isfinite(residuals[i])) return false;
            for (std::size_t j = 0; jacobian && j < t.size(); ++j) {
                const double slope =
                    tangent(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
                if (!std::isfinite(slope)) return false;
                jacobian[i * t.size() + j] = factors[i] * slope;
            }
        }
        return true;
    };
    return problem;
}

/// What came of the search.
struct Fit {
    std::vector<Unknowns> starts;
    std::vector<Minimum> ends;  // of each start, by squares
    std::vector<double> costs;  // of each start, where the search ended with the loss; at one scale
    bool loss_chose_another = false;  // minimum than the squares
    Minimum best;
    double scale = 1.0;
    std::vector<double> cor, residuals, weights;  // at the places; residuals are weighted
    Eigen::MatrixXd jacobian;                     // of cor
    std::vector<bool> is_held;        // keys that the measurements push against their bounds
    std::vector<bool> has_no_effect;  // keys on which nothing measured depends
    std::vector<bool> is_lost;        // keys that the measurements leave open, these among them
    Eigen::MatrixXd root;             // times its transpose: the covariance of the unknowns
    double condition = 1.0;           // of the jacobian with columns of length 1
    Eigen::MatrixXd directions;       // columns: nothing measured changes along them
    Eigen::MatrixXd exponents;        // columns: products of powers of the keys
    Eigen::VectorXd exponent_errors;  // relative standard errors of the products
    Places curve_places;
    std::vector<double> curve, curve_error;

    /// Number of keys that are not held at a bound: the others count as fixed.
    std::size_t free_keys() const {
        return static_cast<std::size_t>(std::ranges::count(is_held, false));
    }
    /// The keys of the covariance: free ones that have an effect.
    std::vector<Eigen::Index> estimated() const {
        std::vector<Eigen::Index> keys;
        for (std::size_t j = 0; j < is_held.size(); ++j)
            if (!is_held[j] && !has_no_effect[j]) keys.push_back(static_cast<Eigen::Index>(j));
        return keys;
    }
};

/// Where a search ended, as the numbers that a checkpoint keeps.
std::vector<double> to_row(const Minimum& end) {
    std::vector<double> row{end.cost, end.converged ? 1.0 : 0.0,
                            static_cast<double>(end.iterations)};
    row.insert(row.end(), end.x.begin(), end.x.end());
    return row;
}
Minimum from_row(const std::vector<double>& row) {
    return {{row.begin() + 3, row.end()}, row[0], row[1] == 1.0, static_cast<int>(row[2])};
}

/// The searches by squares, from start number `first` on, that the checkpoint does not hold yet, or
/// those of the shard. The number of searches that are done, with those before.
std::size_t search_from(std::size_t first, const LeastSquares& problem, const RunOptions& options,
                        Fit& fit) {
    std::size_t done = first;
    fit.ends.resize(fit.starts.size());
    core::Progress progress("searches", fit.starts.size() - first, options.quiet);
    for (std::size_t i = first; i < fit.starts.size(); ++i) {
        const auto row = kept_row(options, i);
        if (row.empty()) {
            if (!options.shard.takes(i)) continue;
            fit.ends[i] = minimise(problem, fit.starts[i]);
            if (options.stop()) break;
            if (options.checkpoint) options.checkpoint->add(i, to_row(fit.ends[i]));
        } else {
            fit.ends[i] = from_row(row);
        }
        ++done;
        progress.advance();
    }
    return done;
}

const Minimum& best_of(const Fit& fit) {
    return *std::ranges::min_element(fit.ends, {}, &Minimum::cost);
}

/// The cost of differences of e of which a measurement shows nothing.
double negligible_cost(const Case& given) {
    double cost = 0.0;
    for (const double factor : factors_of(given)) cost += 0.5 * core::pow(factor * negligible, 2);
    return cost;
}

/// The largest cost of a search that ended at the best of these minima: nearly the least one.
double cost_of_best(const Case& given, const std::vector<double>& costs) {
    return 1.01 * std::ranges::min(costs) + negligible_cost(given);
}

/// How many searches ended at the best minimum.
std::size_t searches_that_found_it(const Case& given, const std::vector<double>& costs) {
    const double most = cost_of_best(given, costs);
    return static_cast<std::size_t>(
        std::ranges::count_if(costs, [&](double cost) { return cost <= most; }));
}

/// Sum of the squares of the residuals, and its probability (theory/experiments.md 14.19).
struct ChiSquare {
    double sum, probability;
};

/// Only for points that count by their standard errors, for a sum of others has no known
/// distribution.
std::optional<ChiSquare> chi_square(const Case& given, const std::vector<double>& cor,
                                    std::size_t free_keys) {
    if (given.parameters.weights != Weights::standard_error) return std::nullopt;
    double sum = 0.0;
    for (std::size_t i = 0; i < given.places.size(); ++i) {
        const postproc::MeasuredPoint& point = given.experiment.points[i];
        sum += core::pow(postproc::normal_deviate(point, cor[i] - point.cor), 2);
    }
    if (!std::isfinite(sum)) return ChiSquare{sum, 0.0};
    const auto freedoms = static_cast<double>(given.places.size() - free_keys);
    return ChiSquare{
        sum, boost::math::cdf(boost::math::complement(boost::math::chi_squared(freedoms), sum))};
}

/// True if a better minimum may be left: the searches ended at several, or the best one is
/// improbable. Nothing is said of one search that was asked for.
bool may_have_missed(const Case& given, const SoughtResults& computation, const Fit& fit) {
    const Minimum& best = best_of(fit);
    if (fit.ends.size() == 1 || !std::isfinite(best.cost)) return false;
    std::vector<double> costs;
    for (const Minimum& end : fit.ends) costs.push_back(end.cost);
    const auto ended =
        std::ranges::count_if(costs, [](double cost) { return std::isfinite(cost); });
    if (searches_that_found_it(given, costs) < static_cast<std::size_t>(ended)) return true;
    std::vector<std::vector<double>> cor;
    if (!computation.curves({best.x}, given.places, cor)) return false;
    const auto test = chi_square(given, cor.front(), given.sought.size());
    return test && test->probability < improbable;
}

/// All searches. The further ones follow from the first, so that no shard takes a part of them.
void search_from_all(const Case& given, const SoughtResults& computation,
                     const LeastSquares& problem, RunOptions options, Fit& fit, Outcome& outcome) {
    const int asked = given.parameters.starts;
    fit.starts = starts_of(given.collision, given.sought, asked);
    outcome.items_done = search_from(0, problem, options, fit);
    if (outcome.items_done < fit.starts.size() || !may_have_missed(given, computation, fit)) return;
    fit.starts = starts_of(given.collision, given.sought, more_searches * asked);
    outcome.item_count = fit.starts.size();
    options.shard = {};
    outcome.items_done = search_from(static_cast<std::size_t>(asked), problem, options, fit);
}

/// Where a search ended, and what is left there.
struct End {
    Minimum at;
    double scale = 1.0;             // of the residuals, for the loss
    std::vector<double> residuals;  // weighted; empty: stopped, or no result there
};

End end_at(const LeastSquares& problem, Minimum at) {
    End end{std::move(at), problem.scale, std::vector<double>(problem.residuals)};
    if (!problem.evaluate(end.at.x, end.residuals.data(), nullptr)) end.residuals.clear();
    return end;
}

/// The ends by squares that differ by more than a measurement shows, the best one first. `end_of`:
/// which of them is that of each search; one beyond the last: none, the search has no result.
std::vector<End> distinct_ends(const Case& given, const LeastSquares& problem, const Fit& fit,
                               std::vector<std::size_t>& end_of) {
    std::vector<std::size_t> order(fit.ends.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return fit.ends[i].cost; });
    const double least = 2.0 * negligible_cost(given);  // a sum of squares
    std::vector<End> distinct;
    end_of.assign(fit.ends.size(), fit.ends.size());
    for (const std::size_t i : order) {
        if (!std::isfinite(fit.ends[i].cost)) break;
        End end = end_at(problem, fit.ends[i]);
        if (end.residuals.empty()) continue;
        const auto same = std::ranges::find_if(distinct, [&](const End& other) {
            const auto difference = [](double a, double b) { return core::pow(a - b, 2); };
            return std::transform_reduce(end.residuals.begin(), end.residuals.end(),
                                         other.residuals.begin(), 0.0, std::plus{},
                                         difference) <= least;
        });
        end_of[i] = static_cast<std::size_t>(same - distinct.begin());
        if (same == distinct.end()) distinct.push_back(std::move(end));
    }
    return distinct;
}

/// The search that goes on with the loss, whose scale follows from the residuals.
End with_loss(LeastSquares problem, Loss loss, End end) {
    problem.loss = loss;
    for (int i = 0; loss != Loss::none && i < reweightings && !end.residuals.empty(); ++i) {
        problem.scale = core::robust_scale(end.residuals);
        end.scale = problem.scale;
        if (!(problem.scale > 0.0)) break;  // an exact fit needs no loss
        end = end_at(problem, minimise(problem, end.at.x));
    }
    return end;
}

/// Goes on with the loss from every end by squares: an outlier may make the squares least in a
/// wrong minimum. The best end costs least with the least scale of all, that of the end at which
/// most points agree (Yohai 1987). False: stopped, or no result at any end.
bool search_with_loss(const Case& given, const SoughtResults& computation,
                      const LeastSquares& problem, const RunOptions& options, Fit& fit) {
    std::vector<std::size_t> end_of;
    std::vector<End> ends = distinct_ends(given, problem, fit, end_of);
    double least = core::infinity;
    for (End& end : ends) {
        end = with_loss(problem, given.parameters.loss, std::move(end));
        if (options.stop()) return false;
        if (!end.residuals.empty()) least = std::min(least, end.scale);
    }
    if (!std::isfinite(least)) return false;
    // An exact fit has the scale 0, with which no other end could be compared.
    const double scale = std::max(
        least, std::sqrt(2.0 * negligible_cost(given) / static_cast<double>(problem.residuals)));
    std::vector<double> costs;
    for (const End& end : ends)
        costs.push_back(end.residuals.empty()
                            ? core::infinity
                            : cost_of(given.parameters.loss, scale, end.residuals));
    for (const std::size_t which : end_of)
        fit.costs.push_back(which < costs.size() ? costs[which] : core::infinity);
    End& best = ends[static_cast<std::size_t>(std::ranges::min_element(costs) - costs.begin())];
    fit.loss_chose_another = costs.front() > cost_of_best(given, costs);
    fit.best = std::move(best.at);
    fit.residuals = std::move(best.residuals);
    fit.scale = best.scale;
    for (const double residual : fit.residuals)
        fit.weights.push_back(weight_of(given.parameters.loss, fit.scale, residual));
    return computation.tangents(fit.best.x, given.places, fit.cor, fit.jacobian);
}

/// Variance of one weighted residual in the covariance of the keys (14.17), after Huber.
double residual_variance(const Case& given, const Fit& fit) {
    const auto points = static_cast<double>(fit.residuals.size());
    const auto keys = static_cast<double>(fit.free_keys());
    double squares = 0.0, slope = 0.0, slope_squares = 0.0;
    for (std::size_t i = 0; i < fit.residuals.size(); ++i) {
        const double each = slope_of(given.parameters.loss, fit.scale, fit.residuals[i]);
        squares += core::pow(fit.weights[i] * fit.residuals[i], 2);
        slope += each / points;
        slope_squares += each * each / points;
    }
    const double correction =
        1.0 + keys / points * (slope_squares - slope * slope) / (slope * slope);
    return core::pow(correction / slope, 2) * squares / (points - keys);
}

/// Of the residuals as they are weighted, by the unknowns.
Eigen::MatrixXd weighted_jacobian(const Case& given, const Fit& fit) {
    const std::vector<double> factors = factors_of(given);
    Eigen::MatrixXd weighted = fit.jacobian;
    for (Eigen::Index i = 0; i < weighted.rows(); ++i)
        weighted.row(i) *= factors[static_cast<std::size_t>(i)];
    return weighted;
}

/// Singular values of keys that act as one are roundoff of the derivatives.
bool is_roundoff(const Eigen::VectorXd& singular_values, Eigen::Index which) {
    return !(singular_values[which] > 1e-9 * singular_values[0]);
}

/// 1/s of each; 0 for roundoff.
Eigen::VectorXd pseudo_inverse(const Eigen::VectorXd& singular_values) {
    Eigen::VectorXd inverse = singular_values.cwiseInverse();
    for (Eigen::Index k = 0; k < inverse.size(); ++k)
        if (is_roundoff(singular_values, k)) inverse[k] = 0.0;
    return inverse;
}

/// Keys that the measurements leave open: `null` has the directions along which nothing measured
/// changes, of the keys times `length`. A key is open if it moves along them by more than its
/// standard error while another one crosses its admitted range: its standard error alone would be
/// too small.
std::vector<bool> lost_keys(const Eigen::MatrixXd& null, const Eigen::VectorXd& length,
                            const Eigen::MatrixXd& root) {
    constexpr double least = 1e-6;  // of the range: an exact fit has no standard errors
    std::vector<bool> is_lost;
    for (Eigen::Index j = 0; j < null.rows(); ++j) {
        const Eigen::VectorXd along =
            length.cwiseInverse().asDiagonal() * (null * null.row(j).transpose());
        const double visible = std::clamp(root.row(j).norm(), least, hardly_known);
        is_lost.push_back(std::abs(along[j]) > visible * along.lpNorm<Eigen::Infinity>());
    }
    return is_lost;
}

/// Sorts out the keys that take no part in the covariance. A key counts as fixed at its bound if
/// the cost falls beyond it, and not if a valley of equal costs led the search there. A key has no
/// effect if a measurement would show nothing of its whole range, by the derivative.
void sort_out_keys(const Case& given, Fit& fit) {
    constexpr double flat = 1e-3;  // cosine of the residuals and their derivative at a minimum
    const Eigen::MatrixXd weighted = weighted_jacobian(given, fit);
    Eigen::VectorXd counted(weighted.rows());
    for (std::size_t i = 0; i < fit.residuals.size(); ++i)
        counted[static_cast<Eigen::Index>(i)] = fit.weights[i] * fit.residuals[i];
    const bool is_exact = 0.5 * counted.squaredNorm() <= negligible_cost(given);
    const double least = negligible * std::sqrt(static_cast<double>(weighted.rows()));
    for (std::size_t j = 0; j < given.sought.size(); ++j) {
        const auto column = static_cast<Eigen::Index>(j);
        fit.has_no_effect.push_back(fit.jacobian.col(column).norm() <= least);
        const std::string_view bound = bound_of(fit.best.x[j]);
        const double slope = weighted.col(column).dot(counted);
        const double outward = bound == "lower" ? slope : bound == "upper" ? -slope : 0.0;
        const double steep = flat * weighted.col(column).norm() * counted.norm();
        fit.is_held.push_back(!fit.has_no_effect[j] && !is_exact && outward > steep);
    }
}

/// Covariance (14.17) and the combinations that the data do not determine (14.18).
void judge_directions(const Case& given, Fit& fit) {
    const std::vector<Eigen::Index> keys = fit.estimated();
    const Eigen::Index all = fit.jacobian.cols(), columns = static_cast<Eigen::Index>(keys.size());
    fit.root.setZero(all, columns);
    fit.directions.setZero(all, 0);
    fit.is_lost = fit.has_no_effect;
    if (columns > 0) {
        const Eigen::MatrixXd weighted = weighted_jacobian(given, fit)(Eigen::all, keys);
        const Eigen::VectorXd length = weighted.colwise().norm().transpose();
        const Eigen::MatrixXd scaled = weighted * length.cwiseInverse().asDiagonal();
        const Eigen::JacobiSVD<Eigen::MatrixXd> svd(scaled, Eigen::ComputeThinV);
        const Eigen::VectorXd& values = svd.singularValues();
        const Eigen::MatrixXd vectors = length.cwiseInverse().asDiagonal() * svd.matrixV();
        const Eigen::MatrixXd root = std::sqrt(residual_variance(given, fit)) *
                                     (vectors * pseudo_inverse(values).asDiagonal());
        Eigen::Index poor = 0, null = 0;  // directions, the last of the singular vectors
        for (Eigen::Index k = 0; k < columns; ++k) {
            if (!(values[0] <= collinear * values[k])) ++poor;
            if (is_roundoff(values, k)) ++null;
        }
        fit.condition = values[0] / values[columns - 1];
        fit.root(keys, Eigen::all) = root;
        fit.directions.setZero(all, poor);
        fit.directions(keys, Eigen::all) = vectors.rightCols(poor);
        const std::vector<bool> is_lost = lost_keys(svd.matrixV().rightCols(null), length, root);
        for (std::size_t k = 0; k < keys.size(); ++k)
            fit.is_lost[static_cast<std::size_t>(keys[k])] = is_lost[k];
    }
    // Without the effect of one of its keys the jacobian is singular.
    if (std::ranges::count(fit.has_no_effect, true) > 0) fit.condition = core::infinity;
}

/// What changes of a key are relative to: its value, or its range if that may be 0.
double size_of(const Sought& sought, double value, double error) {
    return std::abs(value) > error ? value : sought.range.to - sought.range.from;
}

/// Products of powers of the keys whose errors do not depend on each other. The measurements may
/// determine one of them well and yet none of its keys. A key that is 0 has no relative error.
void find_combinations(const Case& given, Fit& fit) {
    const std::vector<Eigen::Index> keys = fit.estimated();
    const auto columns = static_cast<Eigen::Index>(keys.size());
    fit.exponents.setZero(fit.jacobian.cols(), columns);
    if (columns == 0) return;
    Eigen::MatrixXd by_logarithm = weighted_jacobian(given, fit)(Eigen::all, keys);
    for (Eigen::Index k = 0; k < columns; ++k) {
        const auto j = static_cast<std::size_t>(keys[static_cast<std::size_t>(k)]);
        const double t = fit.best.x[j];
        by_logarithm.col(k) *= given.sought[j].value(t) / given.sought[j].slope(t);
    }
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(by_logarithm, Eigen::ComputeThinV);
    Eigen::MatrixXd exponents = svd.matrixV();
    fit.exponent_errors =
        std::sqrt(residual_variance(given, fit)) * pseudo_inverse(svd.singularValues());
    for (Eigen::Index k = 0; k < columns; ++k) {
        Eigen::Index largest = 0;
        exponents.col(k).cwiseAbs().maxCoeff(&largest);
        exponents.col(k) /= exponents(largest, k);
        fit.exponent_errors[k] /= std::abs(svd.matrixV()(largest, k));
        if (is_roundoff(svd.singularValues(), k)) fit.exponent_errors[k] = io::no_number;
    }
    fit.exponents(keys, Eigen::all) = exponents;
}

/// No number for a key that the measurements leave open, or that counts as fixed.
double standard_error(const Fit& fit, std::size_t key) {
    if (fit.is_lost[key] || fit.is_held[key]) return io::no_number;
    return fit.root.row(static_cast<Eigen::Index>(key)).norm();
}

/// Half width of a 95 % interval in standard errors.
double confidence_factor(const Case& given, const Fit& fit) {
    const auto freedoms = static_cast<double>(given.places.size() - fit.free_keys());
    return boost::math::quantile(boost::math::students_t(freedoms), 0.975);
}

/// The fitted curve between the first and the last measured place, with its standard error.
bool compute_curve(const Case& given, const SoughtResults& computation, Fit& fit) {
    const core::Place &first = given.places.front(), &last = given.places.back();
    for (std::size_t i = 0; i < curve_points; ++i) {
        const double weight = static_cast<double>(i) / static_cast<double>(curve_points - 1);
        fit.curve_places.push_back(
            {first.value * (1.0 - weight) + last.value * weight, first.is_distance});
    }
    Eigen::MatrixXd tangent;
    if (!computation.tangents(fit.best.x, fit.curve_places, fit.curve, tangent)) return false;
    for (Eigen::Index i = 0; i < tangent.rows(); ++i) {
        fit.curve_error.push_back((tangent.row(i) * fit.root).norm());
    }
    return true;
}

/// "+1 % of beam.length with -2.1 % of striker.radius": a direction in relative changes of the
/// keys.
std::string direction_words(const Case& given, const Fit& fit, Eigen::Index direction) {
    Eigen::VectorXd relative = fit.directions.col(direction);
    std::vector<std::string> names;
    for (Eigen::Index j = 0; j < relative.size(); ++j) {
        const auto k = static_cast<std::size_t>(j);
        const Sought& sought = given.sought[k];
        const double t = fit.best.x[k], slope = sought.slope(t), value = sought.value(t);
        const double size = size_of(sought, value, slope * fit.root.row(j).norm());
        relative[j] *= slope / size;
        names.push_back(size == value ? sought.key : "the range of " + sought.key);
    }
    Eigen::Index largest = 0;
    const double size = relative.cwiseAbs().maxCoeff(&largest);
    if (!(size > 0.0)) return "";
    relative /= relative[largest];
    std::vector<std::string> parts;
    for (Eigen::Index j = 0; j < relative.size(); ++j) {
        const double part = std::abs(relative[j]);
        if (part == 0.0 || (part < small_part && relative.size() > 2)) continue;
        parts.push_back(
            fmt::format("{:+.2g} % of {}", relative[j], names[static_cast<std::size_t>(j)]));
    }
    return core::listed(parts, "with");
}

/// The doubt about weights that come from a few repeats at each place; empty if they do not.
std::string doubt_about_weights(const Case& given) {
    if (given.parameters.weights != Weights::standard_error) return {};
    double fewest = enough_repeats;
    for (const postproc::MeasuredPoint& point : given.experiment.points) {
        if (point.repeats > 1.0) fewest = std::min(fewest, point.repeats);  // 1: known otherwise
    }
    if (fewest >= enough_repeats) return {};
    return fmt::format(
        "the weights come from the standard errors of {:.0f} repeats, which are uncertain, so that "
        "the intervals are too narrow; use `weights: equal`",
        fewest);
}

/// Adds the doubts about one key.
void doubt_key(const Case& given, const Fit& fit, std::size_t j, std::vector<std::string>& words) {
    const Sought& sought = given.sought[j];
    if (auto doubt = sought.doubt_about_bound(fit.best.x[j]); !doubt.empty()) {
        if (fit.is_held[j])
            doubt +=
                ": it counts as fixed; it has no standard error, and those of the other keys hold "
                "for this value";
        words.push_back(std::move(doubt));
    }
    if (fit.has_no_effect[j]) {
        words.push_back(fmt::format(
            "not identified: {}: it has no effect on the restitution at the measured places",
            sought.key));
    } else if (fit.is_lost[j]) {
        words.push_back(fmt::format(
            "not identified: {}: another value within its bounds, with one of another key, "
            "gives the same results",
            sought.key));
    } else if (!fit.is_held[j] && !(standard_error(fit, j) < hardly_known)) {
        words.push_back(fmt::format(
            "poorly identified: {}: its standard error is a quarter of the admitted range or more",
            sought.key));
    }
}

/// Doubts about the result, one sentence each.
std::vector<std::string> doubts(const Case& given, const Fit& fit) {
    std::vector<std::string> words;
    if (auto doubt = doubt_about_weights(given); !doubt.empty()) words.push_back(std::move(doubt));
    if (!fit.best.converged) words.emplace_back("the search has not converged");
    if (fit.ends.size() > 1 && searches_that_found_it(given, fit.costs) == 1) {
        words.push_back(fmt::format(
            "one of {} searches found the best minimum, and a better one may be left; raise "
            "`starts`, or give narrower bounds",
            fit.ends.size()));
    }
    if (fit.loss_chose_another) {
        words.push_back(fmt::format(
            "the loss `{}` has its best minimum elsewhere than the squares of the differences: a "
            "few points decide; see their weights in points.csv",
            core::name_of(given.parameters.loss)));
    }
    if (const auto test = chi_square(given, fit.cor, fit.free_keys());
        test && test->probability < improbable) {
        words.push_back(fmt::format(
            "the differences have the probability {:.1g}: the model lacks something, a better "
            "minimum is left, or the standard errors are too small; the intervals mean little",
            test->probability));
    }
    for (std::size_t j = 0; j < given.sought.size(); ++j) doubt_key(given, fit, j, words);
    for (Eigen::Index k = 0; k < fit.directions.cols(); ++k) {
        words.push_back(fmt::format(
            "poorly identified together: a change by {} hardly changes what was measured "
            "(condition number {:.3g}); combinations.csv has what is known of them",
            direction_words(given, fit, k), fit.condition));
    }
    return words;
}

io::Table parameter_table(const Case& given, const Fit& fit) {
    const double factor = confidence_factor(given, fit);
    std::vector<std::string> keys, units;
    std::vector<double> values, errors, low, high, from, to;
    for (std::size_t j = 0; j < given.sought.size(); ++j) {
        const Sought& sought = given.sought[j];
        const double t = fit.best.x[j], error = standard_error(fit, j);
        keys.push_back(sought.key);
        units.push_back(sought.unit);
        values.push_back(sought.value(t));
        errors.push_back(sought.slope(t) * error);
        const double reach = fit.is_lost[j] ? 1.0 : factor * error;
        const auto end = [&](double at) {
            return fit.is_held[j] ? io::no_number : sought.value(std::clamp(at, 0.0, 1.0));
        };
        low.push_back(end(t - reach));
        high.push_back(end(t + reach));
        from.push_back(sought.range.from);
        to.push_back(sought.range.to);
    }
    io::Table table;
    table.add("key", std::move(keys));
    table.add("unit", std::move(units));
    table.add("value", std::move(values));
    table.add("standard_error", std::move(errors));
    table.add("low_95", std::move(low));
    table.add("high_95", std::move(high));
    table.add("from", std::move(from));
    table.add("to", std::move(to));
    return table;
}

io::Table start_table(const Case& given, const Fit& fit) {
    io::Table table;
    std::vector<double> rms;
    std::vector<std::int64_t> iterations;
    for (const Minimum& end : fit.ends) {
        rms.push_back(std::sqrt(2.0 * end.cost / static_cast<double>(given.places.size())));
        iterations.push_back(end.iterations);
    }
    for (std::size_t j = 0; j < given.sought.size(); ++j) {
        const Sought& sought = given.sought[j];
        std::vector<double> begin, end;
        for (std::size_t i = 0; i < fit.starts.size(); ++i) {
            begin.push_back(sought.value(fit.starts[i][j]));
            end.push_back(sought.value(fit.ends[i].x[j]));
        }
        table.add("start_" + column_of(sought.key, sought.unit), std::move(begin));
        table.add("end_" + column_of(sought.key, sought.unit), std::move(end));
    }
    table.add("residual_rms", std::move(rms));
    table.add("iterations", std::move(iterations));
    return table;
}

io::Table curve_table(const Case& given, const Fit& fit) {
    const double factor = confidence_factor(given, fit);
    std::vector<double> low, high;
    for (std::size_t i = 0; i < fit.curve.size(); ++i) {
        low.push_back(fit.curve[i] - factor * fit.curve_error[i]);
        high.push_back(fit.curve[i] + factor * fit.curve_error[i]);
    }
    io::Table table;
    table.add("xi", shares(fit.curve_places, given.length_at(fit.best.x)));
    table.add("cor_kinematic", fit.curve);
    table.add("cor_low_95", std::move(low));
    table.add("cor_high_95", std::move(high));
    return table;
}

io::Table combination_table(const Case& given, const Fit& fit) {
    const auto column = [](const auto& numbers) {
        return std::vector<double>(numbers.begin(), numbers.end());
    };
    io::Table table;
    table.add("relative_standard_error", column(fit.exponent_errors));
    for (std::size_t j = 0; j < given.sought.size(); ++j)
        table.add("exponent_" + given.sought[j].key,
                  column(fit.exponents.row(static_cast<Eigen::Index>(j))));
    return table;
}

/// Measured and fitted at each place, with standard errors, and how much the point counted.
io::Table point_table(const Case& given, const Fit& fit) {
    std::vector<double> measured, difference, measured_error, fitted_error;
    for (std::size_t i = 0; i < given.places.size(); ++i) {
        const postproc::MeasuredPoint& point = given.experiment.points[i];
        measured.push_back(point.cor);
        difference.push_back(fit.cor[i] - point.cor);
        measured_error.push_back(point.standard_error().value_or(io::no_number));
        fitted_error.push_back((fit.jacobian.row(static_cast<Eigen::Index>(i)) * fit.root).norm());
    }
    io::Table table;
    table.add("xi", shares(given.places, given.length_at(fit.best.x)));
    table.add("cor_measured", std::move(measured));
    table.add("cor_fitted", fit.cor);
    table.add("difference", std::move(difference));
    table.add("weight", fit.weights);
    table.add("cor_measured_standard_error", std::move(measured_error));
    table.add("cor_fitted_standard_error", std::move(fitted_error));
    return table;
}

io::Value summary_of(const Case& given, const Fit& fit) {
    io::Value summary = io::Value::object();
    double squares = 0.0;
    for (std::size_t i = 0; i < given.places.size(); ++i) {
        squares += core::pow(fit.cor[i] - given.experiment.points[i].cor, 2);
    }
    summary.set("synthetic", given.experiment.is_synthetic);
    summary.set("places", given.places.size());
    summary.set("weights", std::string(core::name_of(given.parameters.weights)));
    summary.set("loss", std::string(core::name_of(given.parameters.loss)));
    summary.set("rmse", std::sqrt(squares / static_cast<double>(given.places.size())));
    io::Value fitted = io::Value::object(), errors = io::Value::object();
    for (std::size_t j = 0; j < given.sought.size(); ++j) {
        const Sought& sought = given.sought[j];
        const std::string name = column_of(sought.key, sought.unit);
        fitted.set(name, sought.value(fit.best.x[j]));
        errors.set(name, sought.slope(fit.best.x[j]) * standard_error(fit, j));
    }
    summary.set("fitted", std::move(fitted)).set("standard_error", std::move(errors));
    if (const auto test = chi_square(given, fit.cor, fit.free_keys())) {
        summary.set("chi_square", test->sum);
        summary.set("degrees_of_freedom", given.places.size() - fit.free_keys());
        summary.set("probability", test->probability);
    }
    summary.set("condition_number", fit.condition);
    if (fit.exponent_errors.size() > 0)
        summary.set("best_known_combination", fit.exponent_errors[0]);
    summary.set("poorly_identified_directions",
                static_cast<std::int64_t>(fit.directions.cols() +
                                          std::ranges::count(fit.has_no_effect, true)));
    summary.set("starts", fit.starts.size());
    summary.set("starts_that_ended_there", searches_that_found_it(given, fit.costs));
    return summary;
}

Outcome solve(Case given, const RunOptions& options) {
    Outcome outcome;
    outcome.header = given.header;
    outcome.expect = given.expectations.expect;
    outcome.headlines = {"places", "rmse", "probability", "condition_number",
                         "starts_that_ended_there"};
    outcome.printed_table = "parameters.csv";
    outcome.items = "searches";
    outcome.item_count = static_cast<std::size_t>(given.parameters.starts);
    outcome.ending = Ending::interrupted;  // until all is done
    std::optional<models::ModeChoice> choice;
    const auto nominal_places = shares(given.places, given.collision.beam.length);
    if (!settle_modes(std::array{&given.collision}, nominal_places, options, choice))
        return outcome;
    const SoughtResults computation(given.collision, given.sought, impact::Quantity::cor_kinematic,
                                    options);
    const std::vector<double> factors = factors_of(given);
    const LeastSquares problem = equations(given, computation, factors);
    Fit fit;
    search_from_all(given, computation, problem, options, fit, outcome);
    if (outcome.items_done < outcome.item_count) return outcome;
    if (!search_with_loss(given, computation, problem, options, fit)) {
        if (options.stop()) return outcome;
        throw core::NumericalError(
            "at the best values some collisions have no result, so there is no fit; use narrower "
            "bounds");
    }
    sort_out_keys(given, fit);
    judge_directions(given, fit);
    find_combinations(given, fit);
    if (!compute_curve(given, computation, fit)) return outcome;
    outcome.ending = Ending::complete;
    outcome.summary = summary_of(given, fit);
    add_choice(outcome, choice, &given.collision);
    outcome.warnings = doubts(given, fit);
    if (given.experiment.is_synthetic) {
        outcome.warnings.push_back(given.parameters.experiment +
                                   ": synthetic: computed, not measured");
    }
    outcome.tables.emplace_back("parameters.csv", parameter_table(given, fit));
    outcome.tables.emplace_back("points.csv", point_table(given, fit));
    outcome.tables.emplace_back("curve.csv", curve_table(given, fit));
    outcome.tables.emplace_back("starts.csv", start_table(given, fit));
    outcome.tables.emplace_back("combinations.csv", combination_table(given, fit));
    outcome.tables.emplace_back(experiment_name, postproc::to_table(given.experiment));
    return outcome;
}

}  // namespace

const Problem beam_fit_problem{.name = BeamFit::name,
                               .meaning = BeamFit::meaning,
                               .describe = describe,
                               .read = typed_case<read_case, resolve, solve, echo>,
                               .report = {postproc::beam_fit_figures, postproc::beam_fit_report},
                               .has_shards = true};

}  // namespace stoss::solvers
