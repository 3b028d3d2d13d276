#include <solvers/problems/beam/beam_optimize.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <solvers/case/case_header.hpp>
#include <solvers/case/input_echo.hpp>
#include <solvers/case/open_rows.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/case/sweep.hpp>
#include <solvers/problems/beam/beam_case.hpp>
#include <solvers/problems/beam/beam_optimize_figures.hpp>
#include <solvers/problems/beam/box_minimum.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/progress.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/checkpoint.hpp>
#include <stoss/io/json.hpp>

namespace stoss::solvers {

namespace {

using Violations = std::vector<core::Violation>;

constexpr double same_design = 1e-3;  // of the range of each key
constexpr double as_good = 1e-5;      // of the rms: less than a measurement shows
constexpr double equal = 1e-9;        // of the rms: roundoff must not choose between designs
constexpr std::size_t curve_points = 201;

struct Case {
    CaseHeader header;
    models::BeamCollision collision;
    BeamOptimize parameters;
    CaseExpectations expectations;
    std::vector<double> places;  // xi
    std::vector<Sought> sought;
};

Violations check_goal(const BeamOptimize& given) {
    if (given.goal == Goal::given && !given.target)
        return {{"target", "", "is missing", "`goal: given` needs it, for example target: 0.5"}};
    if (given.goal != Goal::given && given.target)
        return {{"target", core::to_text(*given.target), "has no effect with this goal",
                 "goal: given"}};
    return {};
}

Violations check_places(const Case& given) {
    const std::size_t least = given.parameters.goal == Goal::flat ? 2 : 1;
    if (given.places.size() < least)
        return {{"locations", "", "must be two places or more for the goal `flat`", ""}};
    for (const double xi : given.places) {
        const double speed = models::rigid_approach_speed(given.collision, xi);
        if (!(speed > 0.0)) return {bodies_do_not_approach(xi, speed)};
    }
    return {};
}

Case read_case(const io::Document& document) {
    auto [header, collision, parameters, expectations] =
        io::read<CaseHeader, models::BeamCollision, BeamOptimize, CaseExpectations>(document);
    Case result{header, collision, parameters, expectations, {}, {}};
    Violations violations = models::check(collision);
    core::append(check_goal(parameters), violations);
    core::append(solvers::check(parameters.locations, collision.beam.length), violations);
    refuse(document, violations);
    result.sought = read_sought(collision, parameters.design, "design", violations);
    // A key that moves a place along the beam must not move it through the beam.
    result.places = parameters.locations.all(collision.beam.length);
    core::append(check_places(result), violations);
    refuse(document, violations);
    return result;
}

io::Choice describe() {
    return io::describe_choice<BeamOptimize, models::BeamCollision>();
}

io::Node resolve(const Case& given) {
    return io::to_node(given.header, given.collision, given.parameters, given.expectations);
}

InputEcho echo(const Case& given) {
    return echo_of(given.collision, given.sought, given.places);
}

impact::Quantity quantity_of(Goal goal) {
    return goal == Goal::least_vibration ? impact::Quantity::energy_vibration
                                         : impact::Quantity::cor_kinematic;
}

/// How far each place is from the goal, from the result at all of them; its derivatives from those
/// of the result.
void miss(const BeamOptimize& goal, Eigen::VectorXd& results, Eigen::MatrixXd& jacobian) {
    switch (goal.goal) {
        case Goal::flat: {
            const double mean = results.mean();
            results.array() -= mean;
            const Eigen::RowVectorXd slope = jacobian.colwise().mean();
            jacobian.rowwise() -= slope;
            break;
        }
        case Goal::given:
            results.array() -= *goal.target;
            break;
        case Goal::largest:
            results.array() -= 1.0;
            break;
        case Goal::least_vibration:
            break;
    }
}

/// Root mean square of how far results at all places are from the goal; NaN if one is missing.
double rms_of(const BeamOptimize& goal, const std::vector<double>& results) {
    Eigen::VectorXd misses = Eigen::Map<const Eigen::VectorXd>(
        results.data(), static_cast<Eigen::Index>(results.size()));
    Eigen::MatrixXd no_slopes(misses.size(), 0);
    miss(goal, misses, no_slopes);
    return std::sqrt(misses.squaredNorm() / static_cast<double>(misses.size()));
}

/// One search.
struct Search {
    Unknowns start, x;
    BoxMinimum end;
    double start_gradient = io::no_number, gradient = io::no_number;  // projected on the bounds
    /// Designs of falling cost; each with the rms in front.
    std::vector<std::vector<double>> path;

    double start_rms() const { return path.empty() ? io::no_number : path.front().front(); }
    double end_rms() const { return path.empty() ? io::no_number : path.back().front(); }
    bool has_result() const { return !path.empty(); }  // none where the start has none
};

/// A search as the numbers that a checkpoint keeps: cost, convergence, iterations, norms of the
/// gradient, where it ended and, if it has a result, the gradient there and the designs on the way.
std::vector<double> to_row(const Search& search) {
    std::vector<double> row{search.end.cost, search.end.converged ? 1.0 : 0.0,
                            static_cast<double>(search.end.iterations), search.start_gradient,
                            search.gradient};
    row.insert(row.end(), search.x.begin(), search.x.end());
    if (search.has_result())
        row.insert(row.end(), search.end.gradient.begin(), search.end.gradient.end());
    for (const std::vector<double>& design : search.path)
        row.insert(row.end(), design.begin(), design.end());
    return row;
}

Search from_row(const Unknowns& start, const std::vector<double>& row) {
    const std::size_t keys = start.size();
    auto next = row.begin() + 5;
    const auto take = [&](std::size_t count) {
        const auto first = std::exchange(next, next + static_cast<std::ptrdiff_t>(count));
        return std::vector<double>(first, next);
    };
    const auto vector = [](const std::vector<double>& numbers) {
        return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(
            numbers.data(), static_cast<Eigen::Index>(numbers.size())));
    };
    Search search;
    search.start = start;
    search.x = take(keys);
    search.end = {vector(search.x), row[0], {}, row[1] == 1.0, static_cast<int>(row[2])};
    search.start_gradient = row[3];
    search.gradient = row[4];
    if (next != row.end()) search.end.gradient = vector(take(keys));
    while (next != row.end()) search.path.push_back(take(keys + 1));
    return search;
}

class Optimization {
  public:
    Optimization(const Case& given, const RunOptions& options)
        : given_(given),
          options_(options),
          results_(given.collision, given.sought, quantity_of(given.parameters.goal), options) {}

    /// None: stopped.
    std::optional<Search> search(const Unknowns& start) const {
        Search found;
        found.start = start;
        const auto note = [&](const BoxMinimum& point) {
            const double gradient = projected(point.gradient, point.x).norm();
            if (found.path.empty()) found.start_gradient = gradient;
            found.gradient = gradient;
            found.path.push_back({std::sqrt(2.0 * point.cost)});
            found.path.back().insert(found.path.back().end(), point.x.begin(), point.x.end());
        };
        found.end = minimise_in_box(
            [&](const Eigen::VectorXd& x, Eigen::VectorXd& misses, Eigen::MatrixXd& slopes) {
                return evaluate({x.begin(), x.end()}, misses, slopes);
            },
            start, note);
        if (options_.stop()) return std::nullopt;
        found.x.assign(found.end.x.begin(), found.end.x.end());
        return found;
    }

    const SoughtResults& results() const { return results_; }

  private:
    bool evaluate(const Unknowns& t, Eigen::VectorXd& misses, Eigen::MatrixXd& slopes) const {
        std::vector<double> results;
        if (!results_.tangents(t, fractions(given_.places), results, slopes)) return false;
        misses = Eigen::Map<const Eigen::VectorXd>(results.data(), slopes.rows());
        if (!misses.allFinite() || !slopes.allFinite()) return false;
        miss(given_.parameters, misses, slopes);
        return true;
    }

    const Case& given_;
    const RunOptions& options_;
    SoughtResults results_;
};

/// Searches from all starts that the checkpoint does not hold yet. None: stopped.
std::optional<std::vector<Search>> search_all(const Case& given, const Optimization& optimization,
                                              const RunOptions& options, Outcome& outcome) {
    std::vector<Search> searches;
    core::Progress progress("searches", outcome.item_count, options.quiet);
    for (const Unknowns& start :
         starts_of(given.collision, given.sought, given.parameters.starts)) {
        const std::size_t number = searches.size();
        const std::vector<double> row = kept_row(options, number);
        if (row.empty()) {
            auto search = optimization.search(start);
            if (!search) return std::nullopt;
            if (options.checkpoint) options.checkpoint->add(number, to_row(*search));
            searches.push_back(*std::move(search));
        } else {
            searches.push_back(from_row(start, row));
        }
        ++outcome.items_done;
        progress.advance();
    }
    return searches;
}

double distance(const Unknowns& a, const Unknowns& b) {
    double largest = 0.0;
    for (std::size_t j = 0; j < a.size(); ++j) largest = std::max(largest, std::abs(a[j] - b[j]));
    return largest;
}

/// The first search that reached the least rms.
const Search& best_of(const std::vector<Search>& searches) {
    double least = core::infinity;
    for (const Search& search : searches)
        if (search.has_result()) least = std::min(least, search.end_rms());
    const auto best = std::ranges::find_if(
        searches, [&](const Search& search) { return search.end_rms() <= least + equal; });
    if (best == searches.end())
        throw core::NumericalError(
            "no search found a design whose collisions all have a result; use narrower bounds");
    return *best;
}

io::Table design_table(const Case& given, const Search& best) {
    std::vector<std::string> keys, units, bounds;
    std::vector<double> before, after, from, to, slopes;
    for (std::size_t j = 0; j < given.sought.size(); ++j) {
        const Sought& sought = given.sought[j];
        keys.push_back(sought.key);
        units.push_back(sought.unit);
        before.push_back(value_in(given.collision, sought).value_or(io::no_number));
        after.push_back(sought.value(best.x[j]));
        from.push_back(sought.range.from);
        to.push_back(sought.range.to);
        bounds.emplace_back(bound_of(best.x[j]));
        slopes.push_back(best.end.gradient[static_cast<Eigen::Index>(j)]);
    }
    io::Table table;
    table.add("key", std::move(keys));
    table.add("unit", std::move(units));
    table.add("before", std::move(before));
    table.add("after", std::move(after));
    table.add("from", std::move(from));
    table.add("to", std::move(to));
    table.add("at_bound", std::move(bounds));
    table.add("cost_gradient", std::move(slopes));
    return table;
}

io::Table start_table(const Case& given, const std::vector<Search>& searches) {
    io::Table table;
    const auto add = [&](const std::string& name, const auto& value) {
        std::vector<double> values;
        for (const Search& search : searches) values.push_back(value(search));
        table.add(name, std::move(values));
    };
    for (std::size_t j = 0; j < given.sought.size(); ++j) {
        const Sought& sought = given.sought[j];
        const std::string name = column_of(sought.key, sought.unit);
        add("start_" + name, [&](const Search& each) { return sought.value(each.start[j]); });
        add("end_" + name, [&](const Search& each) { return sought.value(each.x[j]); });
    }
    add("start_rms", [](const Search& each) { return each.start_rms(); });
    add("end_rms", [](const Search& each) { return each.end_rms(); });
    add("start_gradient_norm", [](const Search& each) { return each.start_gradient; });
    add("end_gradient_norm", [](const Search& each) { return each.gradient; });
    std::vector<std::int64_t> iterations;
    for (const Search& search : searches) iterations.push_back(search.end.iterations);
    table.add("iterations", std::move(iterations));
    return table;
}

io::Table path_table(const Case& given, const std::vector<Search>& searches) {
    std::vector<std::int64_t> start, step;
    std::vector<double> left;
    std::vector<std::vector<double>> values(given.sought.size());
    for (std::size_t i = 0; i < searches.size(); ++i) {
        for (std::size_t k = 0; k < searches[i].path.size(); ++k) {
            const std::vector<double>& row = searches[i].path[k];
            start.push_back(static_cast<std::int64_t>(i) + 1);
            step.push_back(static_cast<std::int64_t>(k));
            left.push_back(row.front());
            for (std::size_t j = 0; j < values.size(); ++j)
                values[j].push_back(given.sought[j].value(row[j + 1]));
        }
    }
    io::Table table;
    table.add("start", std::move(start));
    table.add("step", std::move(step));
    table.add("rms", std::move(left));
    for (std::size_t j = 0; j < values.size(); ++j)
        table.add(column_of(given.sought[j].key, given.sought[j].unit), std::move(values[j]));
    return table;
}

/// Places between the first and the last one, and half as far beyond.
std::vector<double> places_of_curve(const Case& given) {
    const auto [low, high] = std::ranges::minmax(given.places);
    const double room = std::max(0.5 * (high - low), 0.05);
    const double from = std::max(0.0, low - room), to = std::min(1.0, high + room);
    std::vector<double> xi;
    for (std::size_t i = 0; i < curve_points; ++i) {
        const double weight = static_cast<double>(i) / static_cast<double>(curve_points - 1);
        xi.push_back(from * (1.0 - weight) + to * weight);
    }
    return xi;
}

/// The result of the case and of the design. None: stopped.
std::optional<io::Table> before_and_after(const Optimization& optimization, const Search& best,
                                          const std::vector<double>& xi) {
    const Unknowns case_itself;
    std::vector<std::vector<double>> results;
    if (!optimization.results().curves({case_itself, best.x}, fractions(xi), results))
        return std::nullopt;
    io::Table table;
    table.add("xi", xi);
    table.add("before", std::move(results[0]));
    table.add("after", std::move(results[1]));
    return table;
}

/// True if the first search began at the case.
bool has_case_within_bounds(const Case& given) {
    return std::ranges::all_of(given.sought, [&](const Sought& sought) {
        const auto value = value_in(given.collision, sought);
        return value && sought.admits(*value);
    });
}

io::Value summary_of(const Case& given, const std::vector<Search>& searches, const Search& best,
                     double rms_before) {
    io::Value summary = io::Value::object(), design = io::Value::object(),
              bounds = io::Value::object();
    for (std::size_t j = 0; j < given.sought.size(); ++j) {
        const Sought& sought = given.sought[j];
        design.set(column_of(sought.key, sought.unit), sought.value(best.x[j]));
        bounds.set(sought.key, std::string(bound_of(best.x[j])));
    }
    double spread = 0.0;
    std::size_t same = 0;
    for (const Search& search : searches) {
        if (!search.has_result()) continue;
        spread = std::max(spread, distance(search.x, best.x));
        if (distance(search.x, best.x) < same_design) ++same;
    }
    summary.set("goal", std::string(core::name_of(given.parameters.goal)));
    summary.set("places", given.places.size());
    summary.set("rms_before", rms_before);
    summary.set("rms_after", best.end_rms());
    if (has_case_within_bounds(given))  // outside of them there is no projected gradient
        summary.set("gradient_norm_before", searches.front().start_gradient);
    summary.set("gradient_norm_after", best.gradient);
    summary.set("design", std::move(design)).set("at_bound", std::move(bounds));
    summary.set("starts", searches.size());
    summary.set("starts_with_this_design", same);
    summary.set("largest_distance_of_designs", spread);
    const models::BeamCollision found = collision_at(given.collision, given.sought, best.x);
    summary.set("key_figures_of_design", to_value(models::key_figures(found, given.places)));
    return summary;
}

std::vector<std::string> doubts(const Case& given, const std::vector<Search>& searches,
                                const Search& best) {
    std::vector<std::string> words;
    if (!best.end.converged) words.emplace_back("the best search has not converged");
    for (std::size_t j = 0; j < given.sought.size(); ++j) {
        if (auto doubt = given.sought[j].doubt_about_bound(best.x[j]); !doubt.empty())
            words.push_back(std::move(doubt));
    }
    const auto failed =
        std::ranges::count_if(searches, [](const Search& search) { return !search.has_result(); });
    if (failed > 0)
        words.push_back(fmt::format("{} of {} searches have no result where they start", failed,
                                    searches.size()));
    std::size_t worse = 0, others = 0;
    for (const Search& search : searches) {
        if (!search.has_result() || distance(search.x, best.x) < same_design) continue;
        ++(search.end_rms() > best.end_rms() + as_good ? worse : others);
    }
    if (worse > 0)
        words.push_back(
            fmt::format("{} of {} searches ended in another design, which is worse (starts.csv)",
                        worse, searches.size()));
    if (others > 0)
        words.push_back(fmt::format(
            "{} of {} searches ended in another design that is as good: the goal does not "
            "determine the keys (starts.csv)",
            others, searches.size()));
    return words;
}

Outcome solve(Case given, const RunOptions& options) {
    Outcome outcome;
    outcome.header = given.header;
    outcome.expect = given.expectations.expect;
    outcome.headlines = {"rms_before", "rms_after", "gradient_norm_before", "gradient_norm_after",
                         "starts_with_this_design"};
    outcome.printed_table = "design.csv";
    outcome.items = "searches";
    outcome.item_count = static_cast<std::size_t>(given.parameters.starts);
    outcome.ending = Ending::interrupted;  // until all is done
    std::optional<models::ModeChoice> choice;
    if (!settle_modes(std::array{&given.collision}, given.places, options, choice)) return outcome;
    const Optimization optimization(given, options);
    const auto found = search_all(given, optimization, options, outcome);
    if (!found) return outcome;
    const std::vector<Search>& searches = *found;
    const Search& best = best_of(searches);
    auto curve = before_and_after(optimization, best, places_of_curve(given));
    if (!curve) return outcome;
    auto places = before_and_after(optimization, best, given.places);
    if (!places) return outcome;
    outcome.ending = Ending::complete;
    outcome.summary =
        summary_of(given, searches, best, rms_of(given.parameters, places->numbers("before")));
    add_choice(outcome, choice, &given.collision);
    outcome.warnings = doubts(given, searches, best);
    outcome.tables.emplace_back("curve.csv", *std::move(curve));
    outcome.tables.emplace_back("places.csv", *std::move(places));
    outcome.tables.emplace_back("design.csv", design_table(given, best));
    outcome.tables.emplace_back("starts.csv", start_table(given, searches));
    outcome.tables.emplace_back("path.csv", path_table(given, searches));
    return outcome;
}

}  // namespace

const Problem beam_optimize_problem{
    .name = BeamOptimize::name,
    .meaning = BeamOptimize::meaning,
    .describe = describe,
    .read = typed_case<read_case, resolve, solve, echo>,
    .report = {postproc::beam_optimize_figures, postproc::beam_optimize_report}};

}  // namespace stoss::solvers
