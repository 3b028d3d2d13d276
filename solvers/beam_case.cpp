#include <solvers/beam_case.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <stoss/core/units.hpp>
#include <stoss/io/bind.hpp>

namespace stoss::solvers {

namespace {

// Of the initial energy: beyond the first a run warns, beyond the second it has failed.
constexpr double tolerated_residual = 0.01, admissible_residual = 0.1;

}  // namespace

void refuse(const io::Document& document, const std::vector<core::Violation>& violations) {
    io::Problems problems;
    for (const core::Violation& violation : violations) {
        problems.push_back(document.locate(violation));
    }
    io::throw_if_any(document, std::move(problems));
}

std::vector<core::Violation> check_with(const models::BeamCollision& collision,
                                        const std::string& key, double value) {
    try {
        io::Document changed{"", io::to_node(collision)};
        changed.root.set(key, io::Node::text(core::to_text(value)));
        return models::check(io::read<models::BeamCollision>(changed));
    } catch (const core::InputError& error) {
        std::vector<core::Violation> violations;
        for (const core::Diagnostic& each : error.diagnostics()) {
            violations.push_back(each.violation);
        }
        return violations;
    }
}

bool settle_modes(std::span<models::BeamCollision* const> beams, std::span<const double> places,
                  const RunOptions& options, std::optional<models::ModeChoice>& choice) {
    std::vector<models::BeamCollision> left_open;
    for (const models::BeamCollision* beam : beams) {
        if (!beam->mesh.modes) left_open.push_back(*beam);
    }
    if (left_open.empty()) return true;
    choice =
        models::choose_modes(left_open, places, {options.threads, options.quiet, options.stop});
    if (!choice) return false;
    for (models::BeamCollision* beam : beams) {
        if (!beam->mesh.modes) *beam = models::with_modes(*beam, choice->modes);
    }
    return true;
}

void add_choice(Outcome& outcome, const std::optional<models::ModeChoice>& choice,
                const models::BeamCollision* settled) {
    if (!choice) return;
    outcome.summary.set("modes_chosen", choice->modes);
    outcome.summary.set("modes_cor_change", choice->cor_change);
    outcome.summary.set("modes_cor_change_xi", choice->xi);
    outcome.headlines.insert(outcome.headlines.end(), {"modes_chosen", "modes_cor_change"});
    if (!settled) return;
    outcome.chosen = {{"mesh.modes", settled->mesh.modes.value()},
                      {"mesh.elements", settled->mesh.elements}};
}

core::Violation bodies_do_not_approach(double xi, double approach_speed) {
    return {"location.xi", core::to_text(xi),
            fmt::format("the bodies do not approach each other there: V_rel = {:.4g} m/s, must be "
                        "> 0",
                        approach_speed),
            how_to_approach};
}

void add_model_scales(io::Value& summary, const models::BeamModel& model,
                      std::optional<double> xi) {
    summary.set("time_scale_s", model.time_scale());
    summary.set("length_m", model.length());
    summary.set("force_scale_N", model.force_scale());
    if (xi || model.has_one_contact()) {
        summary.set("contact_stiffness_N_per_m_to_n", model.contact_stiffness(xi.value_or(0.0)));
    }
    io::Value frequencies = io::Value::array();
    for (const double eigenvalue : model.basis().eigenvalues) {
        frequencies.append(std::sqrt(eigenvalue) / (2.0 * std::numbers::pi));
    }
    summary.set("elements", model.elements());
    summary.set("modes", static_cast<std::int64_t>(model.basis().modes()));
    summary.set("rigid_modes", static_cast<std::int64_t>(model.basis().rigid));
    summary.set("frequencies_Hz", std::move(frequencies));
}

void judge(Outcome& outcome, std::span<const Ended> collisions, const impact::Scheme& scheme) {
    const auto* const splitting = std::get_if<time::Splitting>(&scheme);
    std::size_t unfinished = 0, lost = 0, unbalanced = 0, uncertain = 0;
    double largest = 0.0, largest_error = 0.0;
    for (const Ended& collision : collisions) {
        unfinished += collision.status == impact::Status::not_separated;
        lost += collision.status == impact::Status::not_finite;
        if (collision.status != impact::Status::separated) continue;
        unbalanced += std::abs(collision.energy_residual) > tolerated_residual;
        largest = std::max(largest, std::abs(collision.energy_residual));
        if (splitting && collision.cor_error > splitting->tolerance) {
            ++uncertain;
            largest_error = std::max(largest_error, collision.cor_error);
        }
    }
    const auto warn = [&](std::size_t count, const std::string& words) {
        if (count == 0) return;
        const std::string who = collisions.size() == 1
                                    ? "the collision"
                                    : fmt::format("{} of {} collisions", count, collisions.size());
        outcome.warnings.push_back(who + words);
    };
    warn(unfinished, ": no end within the time limit; raise integration.time_limit");
    warn(lost, splitting ? ": the motion left the finite numbers"
                         : ": the motion left the finite numbers; reduce integration.step");
    warn(uncertain,
         fmt::format(": restitution known to {:.2g} only, not to integration.tolerance; where many "
                     "sub-impacts follow each other, the smallest error grows from one to the next",
                     largest_error));
    warn(unbalanced,
         fmt::format(": the energies do not add up, by {:.2g} of the initial energy at worst; {}",
                     largest,
                     splitting ? "lower integration.tolerance"
                               : "reduce integration.step or use integration.force: implicit"));
    if (unfinished + lost > 0 || largest > admissible_residual)
        outcome.ending = Ending::numerical_failure;
}

}  // namespace stoss::solvers
