#include <solvers/problems/schemes/beam_schemes.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <models/beam_matrices.hpp>
#include <models/beam_model.hpp>
#include <solvers/case/collision_ending.hpp>
#include <solvers/case/input_echo.hpp>
#include <solvers/case/long_table.hpp>
#include <solvers/case/open_rows.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/impact/explicit_collision.hpp>

namespace stoss::solvers {

namespace {

constexpr double admissible_residual = 0.1;  // of the initial energy, without a warning
constexpr double least_tolerance = 1e-11;    // of the splitting scheme
constexpr int finer_reference = 8;           // steps of the reference in the finest step compared

/// How a scheme of the list computes a collision of a beam; none if it cannot.
using BeamScheme = std::variant<time::ForceEvaluation, impact::ExplicitScheme, time::Splitting>;

std::optional<BeamScheme> beam_scheme(const ComparableScheme& scheme) {
    if (const auto* splitting = std::get_if<time::Splitting>(&scheme)) return *splitting;
    if (std::get_if<time::Trapezoid>(&scheme)) return time::ForceEvaluation::implicit;
    if (std::get_if<time::RungeKutta4>(&scheme)) return impact::ExplicitScheme::rk4;
    if (const auto* newmark = std::get_if<time::NewmarkBeta>(&scheme)) {
        if (newmark->beta == 0.25 && newmark->gamma == 0.5) return newmark->force;
    }
    if (const auto* verlet = std::get_if<time::Verlet>(&scheme)) {
        if (verlet->start_force == time::StartForce::evaluated)
            return impact::ExplicitScheme::verlet;
    }
    return std::nullopt;
}

models::BeamCollision collision_of(const SchemeComparison& comparison) {
    models::BeamCollision collision;
    collision.beam = *comparison.beam;
    collision.striker = *comparison.striker;
    collision.motion = comparison.motion;
    collision.contact = comparison.contact;
    collision.mesh = comparison.mesh;
    return collision;
}

/// One collision under one scheme with one step.
struct BeamResult {
    impact::Status status = impact::Status::not_finite;
    double step = 0.0, cor = 0.0, energy_residual = 0.0, steps = 0.0;
    bool is_done = false;  ///< false: the run was interrupted before
};

std::vector<double> to_row(const BeamResult& r) {
    return {static_cast<double>(r.status), r.step, r.cor, r.energy_residual, r.steps};
}

BeamResult to_result(const std::vector<double>& row) {
    const auto status = static_cast<impact::Status>(static_cast<int>(row[0]));
    return {status, row[1], row[2], row[3], row[4], true};
}

/// xi of the contact.
double place_of(const SchemeComparison& comparison) {
    return comparison.location->on(comparison.beam->length);
}

/// The collision of the case, ready to be computed again and again.
class BeamLaboratory {
  public:
    explicit BeamLaboratory(const SchemeComparison& comparison)
        : model_(collision_of(comparison)),
          bodies_(model_.bodies_at(place_of(comparison))),
          contact_(model_.contact_at(place_of(comparison))) {}

    /// With `step` or, of the splitting scheme, with its tolerance divided by ten `level` times.
    BeamResult collide(const BeamScheme& scheme, double step, std::size_t level) const {
        if (const auto* splitting = std::get_if<time::Splitting>(&scheme)) {
            const double tolerance =
                splitting->tolerance * core::pow(0.1, static_cast<double>(level));
            return of(run(time::Splitting{std::max(tolerance, least_tolerance)}));
        }
        if (const auto* force = std::get_if<time::ForceEvaluation>(&scheme)) {
            BeamResult result = of(run(time::Newmark{*force, step}));
            result.step = step;
            return result;
        }
        const impact::ExplicitResult r = impact::collide_explicitly(
            bodies_.first(), bodies_.second(), contact_, std::get<impact::ExplicitScheme>(scheme),
            step, model_.time_limit());
        return as_far_as_known({r.status, step, r.cor_kinematic.value_or(io::no_number),
                                r.energy_residual.value_or(io::no_number),
                                static_cast<double>(r.steps)});
    }

    /// Nanoseconds and steps of one collision. What `collide` prepares once for two bodies is
    /// prepared before.
    std::pair<double, double> time(const BeamScheme& scheme, double step) const {
        using Clock = std::chrono::steady_clock;
        const auto measured = [](const auto& work) {
            const Clock::time_point start = Clock::now();
            const auto steps = static_cast<double>(work());
            const std::chrono::duration<double, std::nano> elapsed = Clock::now() - start;
            return std::pair{elapsed.count(), steps};
        };
        if (std::holds_alternative<impact::ExplicitScheme>(scheme)) {
            return measured([&] { return collide(scheme, step, 0).steps; });
        }
        const auto* force = std::get_if<time::ForceEvaluation>(&scheme);
        const impact::Scheme library = force ? impact::Scheme(time::Newmark{*force, step})
                                             : impact::Scheme(std::get<time::Splitting>(scheme));
        const impact::Collider collider(bodies_.beam, bodies_.striker, contact_, library);
        const impact::MovingBody first = bodies_.first(), second = bodies_.second();
        impact::Collider::Workspace workspace;
        impact::CollisionResult result;
        const auto collide_once = [&] {
            collider.collide(first.approach(), second.approach(), model_.time_limit(), workspace,
                             result);
            return result.steps;
        };
        collide_once();
        return measured(collide_once);
    }

    impact::CollisionResult run(const impact::Scheme& scheme) const {
        return impact::collide(bodies_.first(), bodies_.second(), contact_, scheme,
                               model_.time_limit());
    }

  private:
    /// The mean step, for the splitting scheme adapts its own.
    static BeamResult of(const impact::CollisionResult& r) {
        const auto steps = static_cast<double>(r.steps);
        return as_far_as_known(
            {r.status, r.separation / steps, r.cor_kinematic, r.energy.residual, steps});
    }

    /// A collision that did not end has no restitution and no balance of energy.
    static BeamResult as_far_as_known(BeamResult result) {
        if (result.status != impact::Status::separated)
            result.cor = result.energy_residual = io::no_number;
        return result;
    }

    models::BeamModel model_;
    models::BeamModel::Bodies bodies_;
    impact::ContactSetup contact_;
};

/// Step of scheme number `index`, halved `level` times [s].
double step_of(const SchemeComparison& comparison, std::size_t index, std::size_t level) {
    return comparison.step(index) / static_cast<double>(std::size_t{1} << level);
}

/// All schemes at all steps, scheme by scheme.
std::vector<BeamResult> collide_all(const SchemeComparison& comparison,
                                    const BeamLaboratory& laboratory, const RunOptions& options) {
    const auto levels = static_cast<std::size_t>(comparison.halvings) + 1;
    const auto rows = compute_open_rows(
        comparison.schemes.size() * levels, {"collisions"}, options, [&](std::size_t i) {
            const std::size_t index = i / levels, level = i % levels;
            return to_row(laboratory.collide(*beam_scheme(comparison.schemes[index].scheme),
                                             step_of(comparison, index, level), level));
        });
    std::vector<BeamResult> results;
    for (const std::vector<double>& row : rows)
        results.push_back(row.empty() ? BeamResult{} : to_result(row));
    return results;
}

/// The reference solution of all schemes: implicit Newmark with an eighth and a quarter of the
/// finest step, extrapolated. The uncertainty is what the extrapolation added.
struct ConvergedCollision {
    impact::CollisionResult result;
    double cor, uncertainty;

    ConvergedCollision(const SchemeComparison& comparison, const BeamLaboratory& laboratory) {
        double finest = core::infinity;
        for (std::size_t i = 0; i < comparison.schemes.size(); ++i) {
            finest = std::min(
                finest, step_of(comparison, i, static_cast<std::size_t>(comparison.halvings)));
        }
        const double step = finest / finer_reference;
        result = laboratory.run(time::Newmark{time::ForceEvaluation::implicit, step});
        const auto coarser =
            laboratory.run(time::Newmark{time::ForceEvaluation::implicit, 2.0 * step});
        // The error is of order 2: a third of the difference is left.
        const double left = (result.cor_kinematic - coarser.cor_kinematic) / 3.0;
        cor = result.cor_kinematic + left;
        uncertainty = std::abs(left);
        if (result.status != impact::Status::separated) {
            throw core::NumericalError(
                fmt::format("the converged collision ended as {}: there is nothing to compare",
                            impact::to_string(result.status)));
        }
    }
};

/// Mean slope of the error in e over the halvings, as far as it is above what the reference leaves
/// open; NaN if no two steps are.
double mean_order(std::span<const BeamResult> levels, const ConvergedCollision& converged) {
    const auto error = [&](std::size_t level) {
        return std::abs(levels[level].cor - converged.cor);
    };
    std::size_t last = 0;
    while (last + 1 < levels.size() && error(last + 1) > converged.uncertainty) ++last;
    if (last == 0) return io::no_number;
    return core::log2(error(0) / error(last)) / static_cast<double>(last);
}

/// Nanoseconds that a step and the whole collision take now, on this machine.
std::vector<double> times(const BeamLaboratory& laboratory, const BeamScheme& scheme, double step) {
    const auto [nanoseconds, steps] = laboratory.time(scheme, step);
    return {nanoseconds / steps, nanoseconds};
}

void add_results(Outcome& outcome, const SchemeComparison& comparison,
                 const std::vector<BeamResult>& results, const ConvergedCollision& converged) {
    const std::size_t levels = results.size() / comparison.schemes.size();
    const double cor = converged.cor;
    LongTable schemes("scheme",
                      {"cor_kinematic", "cor_error", "energy_residual", "steps", "order"});
    LongTable steps("scheme", {"step_s", "steps", "cor_error", "energy_residual"});
    io::Value entries = io::Value::object();
    std::vector<std::string> statuses;
    for (std::size_t i = 0; i < comparison.schemes.size(); ++i) {
        const std::string name = comparison.schemes[i].label();
        const std::span<const BeamResult> rows(results.data() + i * levels, levels);
        const BeamResult& first = rows.front();
        const double order = mean_order(rows, converged);
        schemes.add(name, {first.cor, first.cor - cor, first.energy_residual, first.steps, order});
        statuses.emplace_back(impact::to_string(first.status));
        for (const BeamResult& row : rows) {
            steps.add(name, {row.step, row.steps, std::abs(row.cor - cor), row.energy_residual});
        }
        entries.set(name, io::Value::object()
                              .set("status", statuses.back())
                              .set("cor_kinematic", first.cor)
                              .set("cor_error", first.cor - cor)
                              .set("energy_residual", first.energy_residual)
                              .set("steps", first.steps)
                              .set("order", order));
        if (first.status != impact::Status::separated) {
            outcome.warnings.push_back(fmt::format(
                "{}: the collision ended as {}; raise sample_rate", name, statuses.back()));
        } else if (std::abs(first.energy_residual) > admissible_residual) {
            outcome.warnings.push_back(
                fmt::format("{}: the error of the energy balance is {:.2g} of the initial energy: "
                            "the step exceeds the limit of stability; raise sample_rate",
                            name, first.energy_residual));
        }
    }
    io::Table table = schemes.table();
    table.add("status", std::move(statuses));
    outcome.summary.set("schemes", std::move(entries));
    outcome.tables.emplace_back("schemes.csv", std::move(table));
    outcome.tables.emplace_back("steps.csv", steps.table());
}

}  // namespace

std::vector<core::Violation> check_beam_comparison(const SchemeComparison& comparison) {
    std::vector<core::Violation> violations;
    const auto require = [&](bool given, const char* key, const char* what) {
        if (!given)
            violations.push_back({key, "", "is missing; a comparison on a beam needs it", what});
    };
    require(comparison.striker.has_value(), "striker", "add `striker` (body that the beam meets)");
    require(comparison.location.has_value(), "location",
            "add `location` (place at which the beam is struck)");
    for (std::size_t i = 0; i < comparison.schemes.size(); ++i) {
        const ComparedScheme& each = comparison.schemes[i];
        if (!beam_scheme(each.scheme)) {
            violations.push_back(
                {fmt::format("schemes[{}].scheme", i), std::string(each.scheme_name()),
                 "is not a scheme for a beam; write splitting, trapezoid, newmark_beta with beta "
                 "0.25 and gamma 0.5, verlet with start_force: evaluated, rk4",
                 ""});
        }
        if (each.correction.is_any()) {
            violations.push_back({fmt::format("schemes[{}].correction", i), "",
                                  "needs the closed forms of a point mass", ""});
        }
    }
    if (comparison.as_published) {
        violations.push_back(
            {"as_published", "true", "is for the impact of a point mass only", ""});
    }
    if (!comparison.mesh.modes) {
        violations.push_back(
            {"mesh.modes", "auto", "must be a number: all schemes use the same modes", ""});
    }
    if (auto coupling = models::what_couples_modes(*comparison.beam, "beam.")) {
        coupling->rule += ", which only the scheme splitting supports";
        coupling->suggestion =
            fmt::format("leave out {}, or use the problem beam_impact", coupling->key);
        violations.push_back(std::move(*coupling));
    }
    if (!violations.empty()) return violations;
    const models::BeamCollision collision = collision_of(comparison);
    violations = models::check(collision);
    core::append(solvers::check(*comparison.location, collision.beam.length), violations);
    if (!violations.empty()) return violations;
    if (models::is_loaded(collision)) {
        violations.push_back({"motion", "",
                              "gravity and loads are supported by the scheme splitting only",
                              "leave them out, or use the problem beam_impact"});
    }
    const double xi = place_of(comparison);
    const double speed = models::rigid_approach_speed(collision, xi);
    if (!(speed > 0.0)) violations.push_back(bodies_do_not_approach(xi, speed));
    return violations;
}

InputEcho echo_of_beam_comparison(const SchemeComparison& comparison) {
    return echo_of(collision_of(comparison), std::array{place_of(comparison)});
}

Outcome compare_on_beam(const SchemeComparison& comparison, const RunOptions& options) {
    const BeamLaboratory laboratory(comparison);
    Outcome outcome;
    const std::vector<BeamResult> results = collide_all(comparison, laboratory, options);
    outcome.items = "collisions";
    outcome.item_count = results.size();
    outcome.items_done = static_cast<std::size_t>(std::count_if(
        results.begin(), results.end(), [](const BeamResult& each) { return each.is_done; }));
    if (outcome.items_done < outcome.item_count) {
        outcome.ending = Ending::interrupted;
        return outcome;
    }
    const ConvergedCollision converged(comparison, laboratory);
    outcome.summary.set("cor_kinematic", converged.cor)
        .set("cor_uncertainty", converged.uncertainty)
        .set("approach_speed_m_per_s", converged.result.approach_speed)
        .set("separation_s", converged.result.separation)
        .set("sub_impacts", converged.result.sub_impacts.size());
    add_results(outcome, comparison, results, converged);
    outcome.headlines = {"cor_kinematic", "cor_uncertainty", "sub_impacts"};
    outcome.printed_table = "schemes.csv";
    LongTable timing("scheme", {"step_ns", "collision_ns"});
    for (std::size_t i = 0; i < comparison.schemes.size(); ++i) {
        const auto scheme = beam_scheme(comparison.schemes[i].scheme);
        timing.add(comparison.schemes[i].label(),
                   times(laboratory, *scheme, step_of(comparison, i, 0)));
    }
    outcome.tables.emplace_back("timing.csv", timing.table());
    return outcome;
}

}  // namespace stoss::solvers
