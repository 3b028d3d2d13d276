#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <models/beam_model.hpp>
#include <models/collide_many.hpp>
#include <postproc/experiment/comparison.hpp>
#include <postproc/experiment/experiment.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/collision_columns.hpp>
#include <solvers/case/collision_ending.hpp>
#include <solvers/case/input_echo.hpp>
#include <solvers/case/limit_warnings.hpp>
#include <solvers/case/memory.hpp>
#include <solvers/case/open_rows.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/case/stopped_work.hpp>
#include <solvers/case/sweep.hpp>
#include <solvers/problems/beam/beam_case.hpp>
#include <solvers/problems/beam/beam_figures.hpp>
#include <solvers/problems/beam/beam_impact.hpp>
#include <solvers/problems/beam/beam_report.hpp>
#include <solvers/problems/beam/linear_uncertainty.hpp>
#include <stoss/core/arrays.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/core/progress.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/checkpoint.hpp>

namespace stoss::solvers {

namespace {

/// The keys that may be swept.
std::vector<io::KeyDescription> sweepable_keys() {
    return io::describe_keys<models::BeamCollision>();
}

/// Where the beam is struck, and the measurements that say so, if any do.
struct Places {
    Locations locations;
    std::optional<postproc::Experiment> experiment;
};

/// `length`: of the beam [m].
std::vector<core::Violation> check_keys(const BeamImpactMap& map, double length) {
    std::vector<core::Violation> violations;
    if (map.locations && map.locations_from) {
        violations.push_back({"locations_from", *map.locations_from,
                              "cannot be given together with `locations`", "keep one of them"});
    } else if (!map.locations && !map.locations_from) {
        violations.push_back({"locations", "", "is missing",
                              "add `locations` (where the beam is struck) or `locations_from` (a "
                              "table of measurements)"});
    } else if (map.locations) {
        violations = solvers::check(*map.locations, length);
    }
    if (map.sweep) {
        core::append(check_sweep(*map.sweep, sweepable_keys(), BeamImpactMap::name,
                                 "motion.angular_velocity"),
                     violations);
    }
    if (map.sweep && map.uncertainty) {
        violations.push_back({"uncertainty", "", "cannot be given together with `sweep`",
                              "run one case for each value: --set sweep=none --set key=value"});
    }
    return violations;
}

/// Precondition: `check_keys` found nothing.
Places find_places(const io::Document& document, const BeamImpactMap& map, double length) {
    if (map.locations) return {*map.locations, {}};
    refuse(document, check_file(document, "locations_from", *map.locations_from));
    const std::string file = path_in_case(document, *map.locations_from);
    Places places{{}, postproc::read_experiment(file, false)};
    places.locations.at = postproc::places_of(*places.experiment, length);
    return places;
}

/// What is wrong with one curve.
std::vector<core::Violation> check_curve(const models::BeamCollision& collision,
                                         const Locations& locations) {
    const double length = collision.beam.length;
    auto violations = models::check(collision);
    core::append(solvers::check(locations, length), violations);
    if (!violations.empty()) return violations;
    const auto [least, greatest] = std::ranges::minmax(locations.all(length));
    const double at_least = models::rigid_approach_speed(collision, least);
    const double at_greatest = models::rigid_approach_speed(collision, greatest);
    if (at_least > 0.0 || at_greatest > 0.0) return {};  // V_rel is linear in xi
    return {{"locations", "",
             fmt::format("the bodies do not approach each other at any place: V_rel = {:.4g} m/s "
                         "at xi = {} and {:.4g} m/s at xi = {}, must be > 0",
                         at_least, core::to_text(least), at_greatest, core::to_text(greatest)),
             how_to_approach}};
}

/// One curve of the map: the case with the swept key set.
struct Branch {
    std::string label;  ///< the swept value as written; empty without a sweep
    models::BeamCollision collision;
};

struct MapCase {
    CaseHeader header;
    CaseExpectations expectations;
    models::BeamCollision collision;
    BeamImpactMap parameters;  ///< with the places of an experiment in them
    Places places;
    io::Document document;  ///< from which the uncertain keys are read
    std::vector<Branch> branches;

    std::size_t points() const { return places.locations.count(); }
    std::size_t rows() const { return branches.size() * points(); }
};

/// Numbers of a row that the gradient brings: derivatives, distances to kinks, events there.
std::size_t count_of_slopes(const GradientKeys& wanted) {
    if (!wanted.has_gradient()) return 0;
    return wanted.gradient->size() * (wanted.quantities().size() + (wanted.gradient_kinks ? 2 : 0));
}

MapCase read_case(const io::Document& document) {
    auto [header, collision, map, expectations] =
        io::read<CaseHeader, models::BeamCollision, BeamImpactMap, CaseExpectations>(document);
    refuse(document, check_keys(map, collision.beam.length));
    MapCase result{header,
                   expectations,
                   collision,
                   map,
                   find_places(document, map, collision.beam.length),
                   document,
                   {}};
    const Locations& locations = result.places.locations;
    const std::size_t curves = map.sweep ? std::max<std::size_t>(1, map.sweep->values.size()) : 1;
    const double numbers = static_cast<double>(locations.count()) * static_cast<double>(curves) *
                           static_cast<double>(collision_columns().size() + count_of_slopes(map));
    refuse(document,
           check_memory(
               "locations.points", std::to_string(locations.count()), numbers * bytes_per_number,
               map.sweep ? "use fewer places, or fewer values of the sweep" : "use fewer places"));
    result.parameters.locations = locations;
    result.parameters.locations_from.reset();
    const auto own = check_curve(collision, locations);
    if (!map.sweep) {
        refuse(document, own);
        refuse(document, check_gradient_keys(map, collision));
        if (map.uncertainty) {
            refuse(document, check_uncertainty(*map.uncertainty, collision, locations.count()));
        }
        result.branches.push_back({"", collision});
        return result;
    }
    read_branches(document, *map.sweep, own, [&](const io::Document& changed, std::size_t i) {
        const auto [its_header, its_collision, its_map, its_expectations] =
            io::read<CaseHeader, models::BeamCollision, BeamImpactMap, CaseExpectations>(changed);
        result.branches.push_back({result.parameters.sweep->values[i], its_collision});
        auto violations = check_curve(its_collision, locations);
        core::append(check_gradient_keys(its_map, its_collision), violations);
        return violations;
    });
    return result;
}

io::Choice describe() {
    return io::describe_choice<BeamImpactMap, models::BeamCollision>();
}
io::Node resolve(const MapCase& map) {
    return io::to_node(map.header, map.collision, map.parameters, map.expectations);
}

/// Of all curves: the ranges of their figures.
InputEcho echo(const MapCase& map) {
    const auto& sweep = map.parameters.sweep;
    const bool sweeps_frequencies =
        sweep && (sweep->key.find("beam.") != sweep->key.npos || sweep->key.starts_with("mesh."));
    InputEcho echo;
    for (const Branch& branch : map.branches) {
        const bool is_first = echo.figures.empty();
        echo.add(branch.collision, map.places.locations.all(branch.collision.beam.length),
                 is_first || sweeps_frequencies);
    }
    return echo;
}

/// What is known of one curve beside its case.
struct CurveStudy : BeamStudy {
    std::optional<GradientStudy> gradient;

    CurveStudy(const models::BeamModel& model, const GradientKeys& wanted) : BeamStudy(model) {
        if (wanted.has_gradient()) gradient.emplace(model, wanted);
    }
    std::size_t limit_count() const { return limits.limits().size(); }
};

/// A row of the map while it is computed: the columns, the numbers of the limits of the theory, the
/// derivatives, then the status.
using Row = std::vector<double>;

Row row_of(const CurveStudy& study, const Locations& places, std::size_t place,
           const impact::CollisionResult& result) {
    const double length = study.model.scales().length;
    const auto xi_on = [&](double of) { return places.xi(place, of); };
    const double xi = xi_on(length);
    Row row = collision_values(study, xi, result, std::nullopt);
    for (const auto& value : study.limits.values(xi, result))
        row.push_back(value.value_or(io::no_number));
    if (study.gradient) {
        const Row slopes = study.gradient->slopes(xi, xi_by_length(xi_on, length));
        row.insert(row.end(), slopes.begin(), slopes.end());
    }
    row.push_back(static_cast<double>(result.status));
    return row;
}

/// The row of a map with derivatives, which take longer than the collision, is empty after a stop.
/// Without them the collisions that have begun are kept.
Row row_unless_stopped(const CurveStudy& study, const Locations& places, std::size_t place,
                       const impact::CollisionResult& result, const RunOptions& options) {
    if (!study.gradient) return row_of(study, places, place, result);
    Row row;
    run_unless_stopped(options.stop, [&] {
        core::throw_if_stopped();
        row = row_of(study, places, place, result);
    });
    return row;
}

/// Those of TheoryLimits::values.
std::vector<std::optional<double>> limit_values(const CurveStudy& study, const Row& row) {
    std::vector<std::optional<double>> values;
    for (std::size_t i = 0; i < study.limit_count(); ++i)
        values.push_back(io::number_in(row[collision_columns().size() + i]));
    return values;
}

/// The derivatives in a row.
Row slopes_in(const CurveStudy& study, const Row& row) {
    const auto first =
        static_cast<std::ptrdiff_t>(collision_columns().size() + study.limit_count());
    return {row.begin() + first, row.end() - 1};
}

impact::Status status_of(const Row& row) {
    return static_cast<impact::Status>(static_cast<int>(row.back()));
}

/// Computes the rows that the checkpoint does not hold yet. Rows left empty were
/// interrupted, or are of another shard.
std::vector<Row> compute_rows(const MapCase& map, const std::vector<CurveStudy>& studies,
                              const RunOptions& options) {
    std::vector<Row> rows(map.rows());
    const std::vector<std::size_t> open = open_rows(rows, options);
    core::Progress progress("collisions", open.size(), options.quiet);
    const auto study = [&](std::size_t i) -> const CurveStudy& {
        return studies[open[i] / map.points()];
    };
    const models::CollisionList collisions{
        open.size(),
        [&](std::size_t i) -> models::CollisionList::Request {
            const models::BeamModel& model = study(i).model;
            const std::size_t place = open[i] % map.points();
            return {i, &model, map.places.locations.xi(place, model.scales().length)};
        },
        options.threads, options.stop};
    const auto take = [&](std::size_t i, const impact::CollisionResult& result) {
        rows[open[i]] = row_unless_stopped(study(i), map.places.locations, open[i] % map.points(),
                                           result, options);
    };
    const auto finish = [&](std::size_t i, std::optional<double> truncation) {
        Row& row = rows[open[i]];
        if (row.empty()) return;
        row[column_index(truncation_column)] = truncation.value_or(io::no_number);
        if (options.checkpoint) options.checkpoint->add(open[i], row);
        progress.advance();
    };
    models::collide_with_truncation(
        collisions, [&](std::size_t i) -> const models::Truncation& { return study(i).truncation; },
        take, finish);
    return rows;
}

io::Table map_table(const MapCase& map, const std::vector<Row>& rows) {
    io::Table table;
    const auto names = collision_columns();
    for (std::size_t column = 0; column < names.size(); ++column) {
        std::vector<double> values;
        for (const Row& row : rows) values.push_back(row[column]);
        if (names[column] == "sub_impacts") {
            table.add("sub_impacts", std::vector<std::int64_t>(values.begin(), values.end()));
        } else {
            table.add(std::string(names[column]), std::move(values));
        }
    }
    std::vector<std::string> statuses;
    for (const Row& row : rows) statuses.emplace_back(impact::to_string(status_of(row)));
    table.add("status", std::move(statuses));
    if (const auto& sweep = map.parameters.sweep) {
        add_sweep_column(table, *sweep, sweepable_keys(), map.points());
    }
    return table;
}

/// e of bodies that part, or come to rest against each other.
bool knows_restitution(const Row& row) {
    return !std::isnan(row[column_index("cor_kinematic")]);
}

bool came_to_rest(const Row& row) {
    return status_of(row) == impact::Status::not_separated && knows_restitution(row);
}

std::size_t count(const std::vector<Row>& rows, impact::Status status) {
    return static_cast<std::size_t>(std::count_if(
        rows.begin(), rows.end(), [&](const Row& row) { return status_of(row) == status; }));
}

/// Largest |value(row)| of the collisions that ended with the bodies apart; NaN if none did.
template <class Value>
double largest_magnitude(const std::vector<Row>& rows, Value value) {
    double largest = io::no_number;
    for (const Row& row : rows) {
        if (status_of(row) == impact::Status::separated)
            largest = std::fmax(largest, std::abs(value(row)));
    }
    return largest;
}

/// Number of the row with the smallest restitution; nothing if none is known.
std::optional<std::size_t> row_of_least(const std::vector<Row>& rows) {
    const std::size_t cor = column_index("cor_kinematic");
    std::optional<std::size_t> least;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!knows_restitution(rows[i])) continue;
        if (!least || rows[i][cor] < rows[*least][cor]) least = i;
    }
    return least;
}

/// The smallest restitution of all curves and where it is, in the summary and in words.
void add_least(Outcome& outcome, const MapCase& map, const std::vector<Row>& rows) {
    const auto least = row_of_least(rows);
    if (!least) return;
    const auto at = [&](const char* name) { return rows[*least][column_index(name)]; };
    const double cor = at("cor_kinematic"), xi = at("xi"), x = at("x_m");
    outcome.summary.set("cor_kinematic_min", cor).set("xi_of_min", xi).set("x_of_min_m", x);
    std::string words = fmt::format("{:.6g} at xi = {:.4g} (x = {:.5g} mm)", cor, xi, 1e3 * x);
    if (const auto& sweep = map.parameters.sweep) {
        words += fmt::format(", {} = {}", sweep->key, map.branches[*least / map.points()].label);
    }
    outcome.closing_lines.emplace_back("smallest e", std::move(words));
}

/// What one curve shows: its range, and where its lowest point lies.
io::Value curve_summary(const MapCase& map, const std::vector<models::BeamModel>& models,
                        const std::vector<Row>& rows, std::size_t branch) {
    io::Value curve = io::Value::object();
    if (map.parameters.sweep) curve.set(map.parameters.sweep->key, map.branches[branch].label);
    add_model_scales(curve, models[branch]);
    const std::size_t cor = column_index("cor_kinematic"), xi = column_index("xi");
    double least = core::infinity, greatest = -core::infinity;
    std::optional<double> place;
    for (std::size_t i = branch * map.points(); i < (branch + 1) * map.points(); ++i) {
        if (!knows_restitution(rows[i])) continue;
        if (rows[i][cor] < least) place = rows[i][xi];
        least = std::min(least, rows[i][cor]);
        greatest = std::max(greatest, rows[i][cor]);
    }
    if (place) {
        curve.set("cor_kinematic_min", least)
            .set("xi_of_min", *place)
            .set("cor_kinematic_max", greatest);
    }
    return curve;
}

io::Value summary_of(const MapCase& map, const std::vector<models::BeamModel>& models,
                     const std::vector<Row>& rows) {
    const std::size_t newton = column_index("cor_kinematic"), poisson = column_index("cor_kinetic");
    const std::size_t residual = column_index("energy_residual");
    io::Value summary = io::Value::object();
    summary.set("collisions", rows.size());
    summary.set("collisions_separated", count(rows, impact::Status::separated));
    summary.set("collisions_without_approach", count(rows, impact::Status::no_approach));
    const auto resting = static_cast<std::size_t>(std::ranges::count_if(rows, came_to_rest));
    summary.set("collisions_at_rest", resting);
    summary.set("collisions_failed", count(rows, impact::Status::not_separated) - resting +
                                         count(rows, impact::Status::not_finite));
    summary.set("cor_difference_max", largest_magnitude(rows, [&](const Row& row) {
                    return row[newton] - row[poisson];
                }));
    if (map.collision.integration.estimates_error()) {
        summary.set("cor_error_max", largest_magnitude(rows, [&](const Row& row) {
                        return row[column_index("cor_error")];
                    }));
    }
    summary.set("energy_residual_max",
                largest_magnitude(rows, [&](const Row& row) { return row[residual]; }));
    io::Value curves = io::Value::array();
    for (std::size_t branch = 0; branch < map.branches.size(); ++branch) {
        curves.append(curve_summary(map, models, rows, branch));
    }
    summary.set("curves", std::move(curves));
    return summary;
}

/// Where the nodes of the first modes are, and the centre of percussion: as the figures mark them.
void add_marks(io::Value& summary, const MapCase& map, const models::BeamModel& model) {
    const Marks& marks = map.parameters.marks;
    io::Value all = io::Value::object();
    const Eigen::Index rigid = model.beam().basis().rigid;
    for (int j = 0; j < marks.nodes && rigid + j < model.beam().basis().modes(); ++j) {
        int node = 0;
        for (const double xi : model.beam().nodes(rigid + j))
            all.set(fmt::format("mode_{}_node_{}", j + 1, ++node), xi);
    }
    if (marks.pivot) {
        all.set("percussion",
                map.branches.front().collision.beam.centre_of_percussion(*marks.pivot));
    }
    if (marks.nodes > 0 || marks.pivot) summary.set("marks", std::move(all));
}

/// `mesh.modes: auto`: one p for all curves and places. False if it was stopped.
bool settle_modes(MapCase& map, const RunOptions& options,
                  std::optional<models::ModeChoice>& choice) {
    std::vector<models::BeamCollision*> beams;
    for (Branch& branch : map.branches) beams.push_back(&branch.collision);
    // Distances are other xi where the length is swept.
    std::vector<double> places;
    double length = 0.0;  // of the last beam [m]
    for (const Branch& branch : map.branches) {
        if (branch.collision.beam.length == length) continue;
        length = branch.collision.beam.length;
        const std::vector<double> more = map.places.locations.all(length);
        places.insert(places.end(), more.begin(), more.end());
    }
    if (!settle_modes(beams, places, options, choice)) return false;
    if (choice) map.collision = models::with_modes(map.collision, choice->modes);
    return true;
}

/// Of each curve; those that the choice of modes has made already are not made again.
std::vector<models::BeamModel> models_of(const MapCase& map,
                                         std::optional<models::ModeChoice>& choice) {
    if (choice && choice->models.size() == map.branches.size()) return std::move(choice->models);
    std::vector<models::BeamModel> models;
    for (const Branch& branch : map.branches) models.emplace_back(branch.collision);
    return models;
}

/// How far each curve is from the measurements, and the worst of them.
void add_agreement(io::Value& summary, const MapCase& map, const std::vector<Row>& rows) {
    if (!map.places.experiment) return;
    const std::size_t cor = column_index("cor_kinematic");
    double worst = 0.0;  // NaN if a curve has none
    io::Value all = io::Value::array();
    for (std::size_t branch = 0; branch < map.branches.size(); ++branch) {
        std::vector<double> computed;
        for (std::size_t i = 0; i < map.points(); ++i) {
            computed.push_back(rows[branch * map.points() + i][cor]);
        }
        const double rmse = postproc::agreement(map.places.experiment->points, computed)
                                .rmse.value_or(io::no_number);
        all.append(rmse);
        worst = std::isnan(rmse) ? rmse : std::max(worst, rmse);
    }
    summary.set("measured_rmse", std::move(all));
    summary.set("measured_rmse_max", worst);
}

/// The swept value of a curve, for the end of a message; empty without a sweep.
std::string of_curve(const MapCase& map, std::size_t branch) {
    const auto& sweep = map.parameters.sweep;
    return sweep ? fmt::format(" ({} = {})", sweep->key, map.branches[branch].label) : "";
}

/// Warns of the collisions whose restitution further modes would change.
void add_truncation(Outcome& outcome, const MapCase& map, const std::vector<Row>& rows) {
    std::vector<TruncatedCollision> collisions;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        collisions.push_back({rows[i][column_index("xi")],
                              io::number_in(rows[i][column_index("cor_truncation")]),
                              of_curve(map, i / map.points())});
    }
    warn_of_truncation(outcome, map.collision.mesh, collisions);
    const double open = *outcome.summary.find("not_predictable")->number();
    if (!(open > 0.0)) return;
    // The number beside this name is not that of the warning: say of which places it is.
    std::erase(outcome.headlines, "cor_truncation_max");
    const double largest = *outcome.summary.find("cor_truncation_max")->number();
    if (std::isnan(largest)) return;
    outcome.closing_lines.emplace_back(
        "cor_truncation_max", fmt::format("{:.6g} (of the {} predictable collisions)", largest,
                                          rows.size() - static_cast<std::size_t>(open)));
}

/// Warns of the collisions that are beyond the limits of the theory.
void add_limit_warnings(Outcome& outcome, const MapCase& map,
                        const std::vector<CurveStudy>& studies, const std::vector<Row>& rows) {
    std::vector<LimitedCollision> collisions;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::size_t branch = i / map.points();
        collisions.push_back(
            {&studies[branch].limits,
             map.places.locations.xi(i % map.points(), map.branches[branch].collision.beam.length),
             limit_values(studies[branch], rows[i]),
             {}});
        if (const auto& sweep = map.parameters.sweep) {
            collisions.back().where =
                fmt::format(", {} = {}", sweep->key, map.branches[branch].label);
        }
    }
    warn_of_limits(outcome, collisions);
}

/// sweet_spots.csv: where e is largest or least along each curve, if derivatives by the place of
/// contact are asked for.
void add_sweet_spots(Outcome& outcome, const MapCase& map,
                     const std::vector<std::vector<SweetSpot>>& curves) {
    const auto& keys = *map.parameters.gradient;
    if (std::ranges::find(keys, models::contact_place_key) == keys.end()) return;
    std::vector<double> xi, x, cor;
    std::vector<std::string> kinds, shapes, labels;
    io::Value places = io::Value::array();
    for (std::size_t branch = 0; branch < curves.size(); ++branch) {
        for (const SweetSpot& spot : curves[branch]) {
            xi.push_back(spot.xi);
            x.push_back(spot.xi * map.branches[branch].collision.beam.length);
            cor.push_back(spot.cor);
            kinds.emplace_back(spot.is_largest ? "maximum" : "minimum");
            shapes.emplace_back(spot.is_smooth ? "smooth" : "kink");
            labels.push_back(map.branches[branch].label);
            places.append(spot.xi);
        }
    }
    outcome.summary.set("sweet_spots", xi.size()).set("sweet_spots_xi", std::move(places));
    io::Table table;
    table.add("xi", std::move(xi));
    table.add("x_m", std::move(x));
    table.add("cor_kinematic", std::move(cor));
    table.add("kind", std::move(kinds));
    table.add("shape", std::move(shapes));
    if (map.parameters.sweep) table.add(map.parameters.sweep->key, std::move(labels));
    outcome.tables.emplace_back("sweet_spots.csv", std::move(table));
}

/// gradient.csv, sweet_spots.csv and what the summary says of them. Sweet spots take further
/// collisions. Errors: core::Stopped.
void add_gradient(Outcome& outcome, const MapCase& map, const std::vector<CurveStudy>& studies,
                  const std::vector<Row>& rows) {
    if (!map.parameters.has_gradient()) return;
    GradientTable all = beam_gradient_table(map.parameters);
    std::vector<std::vector<SweetSpot>> spots;
    for (std::size_t branch = 0; branch < studies.size(); ++branch) {
        const GradientStudy& study = *studies[branch].gradient;
        std::vector<GradientRow> own;
        for (std::size_t i = branch * map.points(); i < (branch + 1) * map.points(); ++i) {
            own.push_back(study.row(rows[i], slopes_in(studies[branch], rows[i])));
            all.add(study.keys(), own.back());
        }
        std::vector<std::string> warnings;
        warn_of_gradient(warnings, study.keys(), own);
        for (std::string& warning : warnings)
            outcome.warnings.push_back(std::move(warning) + of_curve(map, branch));
        spots.push_back(study.sweet_spots(own));
    }
    all.add_to(outcome.summary, true);
    io::Table table = all.table();
    if (const auto& sweep = map.parameters.sweep) {
        add_sweep_column(table, *sweep, sweepable_keys(),
                         map.points() * map.parameters.gradient->size());
    }
    outcome.tables.emplace_back("gradient.csv", std::move(table));
    add_sweet_spots(outcome, map, spots);
}

/// Computes the uncertain collisions after those of the map itself; false if it was stopped.
bool add_uncertainty(const MapCase& map, const models::BeamModel& nominal,
                     const RunOptions& options, Outcome& outcome) {
    const Uncertainty& wanted = *map.parameters.uncertainty;
    UncertaintyStudy study(map.document, wanted, map.branches.front().collision,
                           map.places.locations);
    io::Value summary = io::Value::object();
    std::vector<statistics::Spread> sampled;
    if (wanted.samples_e()) {
        const bool is_done = study.compute(nominal, options, map.rows());
        outcome.item_count += study.collisions();
        outcome.items_done += study.collisions_done();
        if (!is_done) return false;
        const auto places = study.places();
        outcome.seed = wanted.seed;
        outcome.tables.emplace_back("uncertainty.csv", study.table(places));
        summary = study.summary(places);
        study.judge(places, outcome);
        for (const auto& place : places) sampled.push_back(place.spread);
    }
    if (wanted.is_linear()) {
        const LinearUncertainty linear(nominal, map.places.locations, wanted.key_names(),
                                       study.marginals());
        if (!linear.add_to(outcome, options, sampled, summary)) return false;
        if (!wanted.samples_e()) summary.set("keys", study.keys_summary());
    }
    outcome.summary.set("uncertainty", std::move(summary));
    return true;
}

std::vector<Ended> endings_of(const MapCase& map, const std::vector<Row>& rows) {
    std::vector<Ended> ended;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        const auto& branch = map.branches[i / map.points()];
        const auto* const splitting =
            std::get_if<time::Splitting>(&branch.collision.integration.scheme);
        ended.push_back({status_of(row), row[column_index("energy_residual")],
                         io::number_in(row[column_index("cor_error")]), came_to_rest(row),
                         splitting ? std::optional(splitting->tolerance) : std::nullopt});
    }
    return ended;
}

Outcome solve(MapCase map, const RunOptions& options) {
    Outcome outcome;
    outcome.header = map.header;
    outcome.expect = map.expectations.expect;
    outcome.items = "collisions";
    outcome.item_count = map.rows();
    std::optional<models::ModeChoice> choice;
    if (!settle_modes(map, options, choice)) {
        outcome.ending = Ending::interrupted;
        return outcome;
    }
    const std::vector<models::BeamModel> models = models_of(map, choice);
    std::vector<CurveStudy> studies;
    studies.reserve(models.size());
    for (const models::BeamModel& model : models) studies.emplace_back(model, map.parameters);
    const std::vector<Row> rows = compute_rows(map, studies, options);
    outcome.items_done = static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [](const Row& row) { return !row.empty(); }));
    if (outcome.items_done < outcome.item_count) {
        // A shard has its part of the uncertain collisions, too.
        if (!options.shard.is_whole() && map.parameters.uncertainty)
            add_uncertainty(map, models.front(), options, outcome);
        outcome.ending = Ending::interrupted;
        return outcome;
    }
    outcome.summary = summary_of(map, models, rows);
    add_least(outcome, map, rows);
    add_marks(outcome.summary, map, models.front());
    add_agreement(outcome.summary, map, rows);
    outcome.tables.emplace_back("map.csv", map_table(map, rows));
    if (!run_unless_stopped(options.stop, [&] { add_gradient(outcome, map, studies, rows); })) {
        outcome.ending = Ending::interrupted;
        return outcome;
    }
    if (map.places.experiment) {
        outcome.tables.emplace_back("experiment.csv", postproc::to_table(*map.places.experiment));
    }
    outcome.curves = {"map.csv", "xi", {}};
    for (const Branch& branch : map.branches) {
        auto& labels = outcome.curves->row_labels;
        labels.insert(labels.end(), map.points(), branch.label);
    }
    outcome.headlines = {"collisions", "cor_truncation_max", "not_predictable",
                         "cor_difference_max", "energy_residual_max"};
    const bool sweeps_the_mesh =
        map.parameters.sweep && map.parameters.sweep->key.starts_with("mesh.");
    add_choice(outcome, choice, sweeps_the_mesh ? nullptr : &map.collision);
    judge(outcome, endings_of(map, rows), map.collision.integration.scheme);
    add_truncation(outcome, map, rows);
    add_limit_warnings(outcome, map, studies, rows);
    if (map.parameters.uncertainty && !add_uncertainty(map, models.front(), options, outcome)) {
        outcome.ending = Ending::interrupted;
    }
    return outcome;
}

}  // namespace

std::vector<MapHistory> histories_of_map(const io::Document& document, std::size_t most) {
    constexpr std::size_t capacity = 4096;  // samples of one collision
    MapCase map = read_case(document);
    std::optional<models::ModeChoice> choice;
    if (!settle_modes(map, {.quiet = true}, choice)) return {};
    const std::vector<models::BeamModel> models = models_of(map, choice);
    const std::vector<std::size_t> curves = core::spread_indices(most, models.size());
    std::vector<MapHistory> histories;
    for (const std::size_t curve : curves) {
        for (const std::size_t place : core::spread_indices(most / curves.size(), map.points())) {
            const double length = models[curve].scales().length;
            histories.push_back(
                {curve, map.places.locations.xi(place, length), impact::History(capacity)});
        }
    }
    core::parallel_for(histories.size(), 0,
                       [&](std::size_t i) {
                           core::throw_if_stopped();
                           MapHistory& each = histories[i];
                           each.peak_force =
                               models[each.curve].collide(each.xi, &each.history).peak_force;
                       },
                       {});
    return histories;
}

const Problem beam_impact_map_problem{
    .name = BeamImpactMap::name,
    .meaning = BeamImpactMap::meaning,
    .describe = describe,
    .read = typed_case<read_case, resolve, solve, echo>,
    .report = {postproc::beam_impact_map_figures, postproc::beam_impact_map_report},
    .has_shards = true};

}  // namespace stoss::solvers
