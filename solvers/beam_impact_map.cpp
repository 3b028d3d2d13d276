#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <models/beam_collision.hpp>
#include <solvers/beam_case.hpp>
#include <solvers/beam_impact.hpp>
#include <solvers/case_header.hpp>
#include <solvers/collision_columns.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/core/progress.hpp>
#include <stoss/core/text.hpp>
#include <stoss/core/units.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/checkpoint.hpp>

namespace stoss::solvers {

double Locations::xi(std::size_t index) const {
    if (points == 1) return from;
    // Weights that are whole numbers: 0.5 stays 0.5, and both ends are exact.
    const auto end = static_cast<double>(points - 1), to_weight = static_cast<double>(index);
    return (from * (end - to_weight) + to * to_weight) / end;
}

namespace {

/// The description of a key of the collision by its path; nullptr if there is none or if it is not
/// a single value.
const io::KeyDescription* find_key(const std::vector<io::KeyDescription>& keys,
                                   std::string_view path) {
    const std::size_t end = path.find_first_of(".[");
    const std::string_view name = path.substr(0, end);
    for (const io::KeyDescription& key : keys) {
        const io::ValueDescription* value = &key.value;
        if (key.key == name) {
            std::string_view rest = end == path.npos ? "" : path.substr(end);
            if (rest.starts_with('[') && !value->items.empty() && rest.find(']') != rest.npos) {
                rest.remove_prefix(rest.find(']') + 1);
                value = &value->items.front();
            }
            if (rest.starts_with('.')) return find_key(value->keys, rest.substr(1));
            const bool single = rest.empty() &&
                                value->kind != io::ValueDescription::Kind::mapping &&
                                value->kind != io::ValueDescription::Kind::sequence;
            return single ? &key : nullptr;
        }
        // Keys of the alternatives of a choice stand beside it.
        for (const io::Choice& choice : value->choices) {
            if (const io::KeyDescription* found = find_key(choice.keys, path)) return found;
        }
    }
    return nullptr;
}

/// Paths of all keys that have a single value, as `find_key` knows them.
std::vector<std::string> single_keys(const std::vector<io::KeyDescription>& keys,
                                     const std::string& prefix) {
    std::vector<std::string> paths;
    const auto append = [&](const std::vector<io::KeyDescription>& inner, const std::string& path) {
        const auto more = single_keys(inner, path);
        paths.insert(paths.end(), more.begin(), more.end());
    };
    for (const io::KeyDescription& key : keys) {
        const std::string path = prefix + key.key;
        for (const io::Choice& choice : key.value.choices) append(choice.keys, prefix);
        if (key.value.kind == io::ValueDescription::Kind::mapping) {
            append(key.value.keys, path + ".");
        } else if (key.value.kind == io::ValueDescription::Kind::sequence) {
            append(key.value.items.front().keys, path + "[0].");
        } else {
            paths.push_back(path);
        }
    }
    return paths;
}

core::Violation no_such_key(const std::string& key) {
    const auto keys = io::describe_keys<models::BeamCollision>();
    const auto nearest = core::nearest_word(key, single_keys(keys, ""));
    return {"sweep.key", key, "is not a key with a single value",
            nearest ? "did you mean `" + *nearest + "`?"
                    : "give the path of a key as `stoss describe beam_impact_map` lists them, "
                      "for example motion.angular_velocity"};
}

std::vector<core::Violation> check_places(const BeamImpactMap& map) {
    std::vector<core::Violation> violations;
    const Locations& locations = map.locations;
    if (locations.points > 1 && !(locations.to > locations.from)) {
        violations.push_back({"locations.to", core::to_text(locations.to),
                              "must be > locations.from = " + core::to_text(locations.from), ""});
    }
    if (map.sweep && map.sweep->values.empty()) {
        violations.push_back({"sweep.values", "[]", "must hold at least one value", ""});
    }
    if (map.sweep && !find_key(io::describe_keys<models::BeamCollision>(), map.sweep->key)) {
        violations.push_back(no_such_key(map.sweep->key));
    }
    return violations;
}

/// What is wrong with one curve.
std::vector<core::Violation> check_curve(const models::BeamCollision& collision,
                                         const Locations& locations) {
    auto violations = models::check(collision);
    if (!violations.empty()) return violations;
    const double first = models::rigid_approach_speed(collision, locations.from);
    const double last = models::rigid_approach_speed(
        collision, locations.xi(static_cast<std::size_t>(locations.points) - 1));
    if (first > 0.0 || last > 0.0) return {};  // V_rel is linear in xi
    return {{"locations", "",
             fmt::format("the bodies approach each other nowhere there: V_rel = {:.4g} m/s at the "
                         "first place and {:.4g} m/s at the last, must be > 0",
                         first, last),
             how_to_approach}};
}

/// One curve of the map: the case with the swept key set.
struct Branch {
    std::string label;  ///< the swept value as written; empty without a sweep
    models::BeamCollision collision;
};

/// Adds what is wrong with the case once it takes the swept value number `index`. `own` is what is
/// wrong with it as it stands: that is told once, at its own place.
void add_problems(const io::Document& document, const Sweep& sweep, std::size_t index,
                  const std::vector<core::Violation>& own,
                  const std::vector<core::Violation>& violations, io::Problems& problems) {
    const core::Diagnostic place =
        document.locate({fmt::format("sweep.values[{}]", index), "", "", ""});
    for (core::Violation violation : violations) {
        if (std::find(own.begin(), own.end(), violation) == own.end()) {
            if (violation.key != sweep.key) {
                violation.rule += fmt::format(" (with {}: {})", sweep.key, sweep.values[index]);
            }
            problems.push_back({document.file, place.line, place.column, std::move(violation)});
        } else if (std::none_of(problems.begin(), problems.end(), [&](const auto& problem) {
                       return problem.violation == violation;
                   })) {
            problems.push_back(document.locate(std::move(violation)));
        }
    }
}

/// The case with `sweep.key` set to its value number `index`.
Branch read_branch(const io::Document& document, const Sweep& sweep, std::size_t index,
                   const std::vector<core::Violation>& own, io::Problems& problems) {
    std::vector<core::Violation> violations;
    Branch branch{sweep.values[index], {}};
    try {
        io::Document changed = document;
        changed.root.set(sweep.key, io::Node::text(branch.label));
        const auto [header, collision, map, expectations] =
            io::read<CaseHeader, models::BeamCollision, BeamImpactMap, CaseExpectations>(changed);
        violations = check_curve(collision, map.locations);
        branch.collision = collision;
    } catch (const core::InputError& error) {
        for (const core::Diagnostic& problem : error.diagnostics()) {
            violations.push_back(problem.violation);
        }
    }
    add_problems(document, sweep, index, own, violations, problems);
    return branch;
}

struct MapCase {
    CaseHeader header;
    CaseExpectations expectations;
    models::BeamCollision collision;
    BeamImpactMap parameters;
    std::vector<Branch> branches;

    std::size_t points() const { return static_cast<std::size_t>(parameters.locations.points); }
    std::size_t rows() const { return branches.size() * points(); }
};

MapCase read_case(const io::Document& document) {
    auto [header, collision, map, expectations] =
        io::read<CaseHeader, models::BeamCollision, BeamImpactMap, CaseExpectations>(document);
    refuse(document, check_places(map));
    MapCase result{header, expectations, collision, map, {}};
    const auto own = check_curve(collision, map.locations);
    if (!map.sweep) {
        refuse(document, own);
        result.branches.push_back({"", collision});
        return result;
    }
    io::Problems problems;
    for (std::size_t i = 0; i < map.sweep->values.size(); ++i) {
        result.branches.push_back(read_branch(document, *map.sweep, i, own, problems));
    }
    io::throw_if_any(document, std::move(problems));
    return result;
}

io::Choice describe() {
    return describe_beam_problem<BeamImpactMap>();
}
void check(const io::Document& document) {
    read_case(document);
}
io::Node resolve(const io::Document& document) {
    const MapCase map = read_case(document);
    return io::to_node(map.header, map.collision, map.parameters, map.expectations);
}

/// A row of the map while it is computed: the columns, then the status.
using Row = std::vector<double>;

Row compute_row(const models::BeamModel& model, double xi) {
    const impact::CollisionResult result = model.collide(xi);
    Row row = collision_values(model, xi, result);
    row.push_back(static_cast<double>(result.status));
    return row;
}

impact::Status status_of(const Row& row) {
    return static_cast<impact::Status>(static_cast<int>(row.back()));
}

std::size_t column_index(std::string_view name) {
    const auto names = collision_columns();
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// Computes the rows that the checkpoint does not hold yet. Rows left empty were interrupted.
std::vector<Row> compute_rows(const MapCase& map, const std::vector<models::BeamModel>& models,
                              const RunOptions& options) {
    std::vector<Row> rows(map.rows());
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (options.checkpoint) rows[i] = options.checkpoint->row(i);
        if (rows[i].empty()) open.push_back(i);
    }
    core::Progress progress("collisions", open.size(), options.quiet);
    core::parallel_for(
        open.size(), options.threads,
        [&](std::size_t item) {
            const std::size_t i = open[item];
            rows[i] = compute_row(models[i / map.points()],
                                  map.parameters.locations.xi(i % map.points()));
            if (options.checkpoint) options.checkpoint->add(i, rows[i]);
            progress.advance();
        },
        options.stop);
    return rows;
}

/// The swept key as a column: numbers in SI with the unit in the name, or the words as written.
void add_sweep_column(io::Table& table, const MapCase& map) {
    const Sweep& sweep = *map.parameters.sweep;
    const auto keys = io::describe_keys<models::BeamCollision>();
    const io::ValueDescription& value = find_key(keys, sweep.key)->value;
    const bool is_number = value.kind == io::ValueDescription::Kind::number ||
                           value.kind == io::ValueDescription::Kind::integer;
    std::vector<double> numbers;
    std::vector<std::string> words;
    for (const Branch& branch : map.branches) {
        const auto parsed = core::parse_quantity(branch.label, value.unit);
        const double number =
            std::holds_alternative<double>(parsed) ? std::get<double>(parsed) : core::not_given;
        numbers.insert(numbers.end(), map.points(), number);
        words.insert(words.end(), map.points(), branch.label);
    }
    const std::string suffix = core::unit_suffix(value.unit);
    if (is_number) {
        table.add(suffix.empty() ? sweep.key : sweep.key + "_" + suffix, std::move(numbers));
    } else {
        table.add(sweep.key, std::move(words));
    }
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
    if (map.parameters.sweep) add_sweep_column(table, map);
    return table;
}

std::size_t count(const std::vector<Row>& rows, impact::Status status) {
    return static_cast<std::size_t>(std::count_if(
        rows.begin(), rows.end(), [&](const Row& row) { return status_of(row) == status; }));
}

/// Largest |value(row)| of the collisions that ended with the bodies apart.
template <class Value>
double largest_magnitude(const std::vector<Row>& rows, Value value) {
    double largest = 0.0;
    for (const Row& row : rows) {
        if (status_of(row) == impact::Status::separated)
            largest = std::max(largest, std::abs(value(row)));
    }
    return largest;
}

/// What one curve shows: its range, and where its lowest point lies.
io::Value curve_summary(const MapCase& map, const std::vector<models::BeamModel>& models,
                        const std::vector<Row>& rows, std::size_t branch) {
    io::Value curve = io::Value::object();
    if (map.parameters.sweep) curve.set(map.parameters.sweep->key, map.branches[branch].label);
    add_model_scales(curve, models[branch]);
    const std::size_t cor = column_index("cor_kinematic"), xi = column_index("xi");
    double least = core::infinity, greatest = -core::infinity, place = core::not_given;
    for (std::size_t i = branch * map.points(); i < (branch + 1) * map.points(); ++i) {
        if (status_of(rows[i]) != impact::Status::separated) continue;
        if (rows[i][cor] < least) place = rows[i][xi];
        least = std::min(least, rows[i][cor]);
        greatest = std::max(greatest, rows[i][cor]);
    }
    if (core::is_given(place)) {
        curve.set("cor_kinematic_min", least)
            .set("xi_of_min", place)
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
    summary.set("collisions_failed", count(rows, impact::Status::not_separated) +
                                         count(rows, impact::Status::not_finite));
    summary.set("cor_difference_max", largest_magnitude(rows, [&](const Row& row) {
                    return row[newton] - row[poisson];
                }));
    summary.set("energy_residual_max",
                largest_magnitude(rows, [&](const Row& row) { return row[residual]; }));
    io::Value curves = io::Value::array();
    for (std::size_t branch = 0; branch < map.branches.size(); ++branch) {
        curves.append(curve_summary(map, models, rows, branch));
    }
    summary.set("curves", std::move(curves));
    return summary;
}

Outcome solve(const io::Document& document, const RunOptions& options) {
    const MapCase map = read_case(document);
    std::vector<models::BeamModel> models;
    for (const Branch& branch : map.branches) models.emplace_back(branch.collision);

    Outcome outcome;
    outcome.header = map.header;
    outcome.expect = map.expectations.expect;
    const std::vector<Row> rows = compute_rows(map, models, options);
    outcome.rows_done = static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [](const Row& row) { return !row.empty(); }));
    outcome.rows = rows.size();
    if (outcome.rows_done < outcome.rows) {
        outcome.ending = Ending::interrupted;
        return outcome;
    }
    outcome.summary = summary_of(map, models, rows);
    outcome.tables.emplace_back("map.csv", map_table(map, rows));
    for (const Branch& branch : map.branches) {
        outcome.row_labels.insert(outcome.row_labels.end(), map.points(), branch.label);
    }
    std::vector<Ended> ended;
    for (const Row& row : rows)
        ended.push_back({status_of(row), row[column_index("energy_residual")]});
    judge(outcome, ended);
    return outcome;
}

}  // namespace

const Problem beam_impact_map_problem{
    BeamImpactMap::name, BeamImpactMap::meaning, describe, check, resolve, solve};

}  // namespace stoss::solvers
