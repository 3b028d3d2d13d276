#include <solvers/problems/motion/motion_ending.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <models/beam_matrices.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/text.hpp>

namespace stoss::solvers {

namespace {

using models::MotionModel;

/// True if a law has a restitution that is to come of every impact.
bool wants_restitution(const contact::Law& law) {
    return std::visit(
        [](const auto& each) {
            if constexpr (requires { each.restitution.has_value(); })
                return each.restitution.has_value();
            return false;
        },
        law);
}

/// Warns of those contacts of the model for which `which` says so.
void warn_of_contacts(Outcome& outcome, const MotionModel& model, const std::vector<bool>& which,
                      std::string_view words) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < which.size(); ++i)
        if (which[i]) names.push_back("`" + model.contacts[i].name + "`");
    if (names.empty()) return;
    warn_once(outcome, fmt::format("{} {}: {}", names.size() == 1 ? "contact" : "contacts",
                                   core::listed(names, "and"), words));
}

/// True if modes that are left out of a body yield to the contact forces.
bool has_residual_flexibility(const MotionModel& model) {
    return std::ranges::any_of(model.bodies, [](const models::Body& body) {
        const auto* const beam = std::get_if<models::BeamInMotion>(&body.kind);
        return beam && beam->residual_flexibility;
    });
}

/// How the damping of body `i` couples its modes, if it does.
std::optional<core::Violation> coupling_of(const MotionModel& model, std::size_t i) {
    const auto* const given = std::get_if<models::BeamInMotion>(&model.bodies[i].kind);
    if (!given) return std::nullopt;
    return models::coupling_damping(given->beam, fmt::format("bodies[{}].beam.", i));
}

}  // namespace

std::string_view word_of(motion::MotionStatus status) {
    return status == motion::MotionStatus::running ? "complete" : motion::to_string(status);
}

MissedRestitution missed_restitution(const MotionModel& model, const models::MotionSystem& made,
                                     const motion::ImpactMotion& moving) {
    MissedRestitution missed(model.contacts.size());
    for (std::size_t i = 0; i < model.contacts.size(); ++i) {
        const auto& parameters = model.contacts[i].contact;
        if (!parameters || !wants_restitution(parameters->law)) continue;
        missed.undamped[i] = moving.lacked_damping(made.order[i]);
        missed.dented[i] = moving.met_dent(made.order[i]);
    }
    return missed;
}

std::vector<bool> unsolved_contacts(const models::MotionSystem& made,
                                    const motion::ImpactMotion& moving) {
    std::vector<bool> unsolved(made.order.size());
    if (moving.status() != motion::MotionStatus::unsolved) return unsolved;
    for (std::size_t i = 0; i < unsolved.size(); ++i)
        unsolved[i] = moving.overlap(made.order[i]) >= 0.0;
    if (std::ranges::find(unsolved, true) == unsolved.end()) unsolved.flip();
    return unsolved;
}

double relative_residual(const motion::MotionEnergy& energy) {
    const double scale = energy.initial + std::abs(energy.drive_work) + energy.contact_loss +
                         energy.friction_loss + energy.structural_loss + std::abs(energy.load_work);
    return scale == 0.0 ? 0.0 : energy.residual() / scale;
}

bool has_friction(const MotionModel& model) {
    return std::ranges::any_of(model.contacts, [](const models::MotionContact& contact) {
        return contact.friction.has_value();
    });
}

void add_energies(io::Value& summary, const motion::MotionEnergy& energy, bool has_friction) {
    summary.set("energy_initial_J", energy.initial)
        .set("energy_modes_J", energy.modes)
        .set("energy_contacts_J", energy.contacts)
        .set("contact_loss_J", energy.contact_loss);
    if (has_friction) summary.set("friction_loss_J", energy.friction_loss);
    summary.set("structural_loss_J", energy.structural_loss)
        .set("load_work_J", energy.load_work)
        .set("drive_work_J", energy.drive_work);
}

void warn_once(Outcome& outcome, std::string words) {
    if (std::ranges::find(outcome.warnings, words) == outcome.warnings.end())
        outcome.warnings.push_back(std::move(words));
}

bool has_coupled_modes(const MotionModel& model) {
    for (std::size_t i = 0; i < model.bodies.size(); ++i)
        if (coupling_of(model, i)) return true;
    return false;
}

void warn_of_couplings(Outcome& outcome, const MotionModel& model,
                       const models::MotionSystem& made) {
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        const auto coupling = coupling_of(model, i);
        if (!coupling) continue;
        const models::BeamBody& beam = *made.bodies.at(model.bodies[i].name).beam;
        warn_once(outcome,
                  fmt::format("{} {} (damping_coupling {:.2g}), which a motion leaves out: its "
                              "damping is approximate; beam_impact takes it into account",
                              coupling->key, coupling->rule, beam.basis.damping_coupling));
    }
}

void warn_of_forces(Outcome& outcome, const MotionModel& model, const std::vector<bool>& which) {
    warn_of_contacts(
        outcome, model, which,
        fmt::format("the equations of the contact forces could not be solved, even in "
                    "the shortest step: the numbers are those of the step before; {}",
                    has_residual_flexibility(model) ? "give the beams `residual_flexibility: false`"
                                                    : "change integration.tolerance"));
}

void note_angles(const MotionModel& model, const models::MotionSystem& made,
                 const motion::ImpactMotion& moving, std::vector<double>& largest) {
    std::vector<double> coordinates;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        const auto* const bar = std::get_if<models::RigidBar>(&model.bodies[i].kind);
        if (!bar) continue;
        if (coordinates.empty()) coordinates = moving.coordinates();
        const double turned = coordinates[made.bodies.at(model.bodies[i].name).begin + 1];
        largest[i] = std::max(largest[i], std::abs(turned) / std::sqrt(bar->inertia()));
    }
}

void warn_of_angles(Outcome& outcome, const MotionModel& model,
                    const std::vector<double>& largest) {
    constexpr double limit = 0.1;  // [rad], that of slopes of beams
    for (std::size_t i = 0; i < largest.size(); ++i)
        if (largest[i] > limit)
            warn_once(outcome,
                      fmt::format("rigid bar `{}` turns by {:.2g} rad, more than {} rad: its gaps "
                                  "and impacts are computed for small angles and differ from those "
                                  "of a real bar; reduce the gaps or the angular velocities",
                                  model.bodies[i].name, largest[i], limit));
}

void judge(Outcome& outcome, motion::MotionStatus status, double energy_residual) {
    if (status == motion::MotionStatus::not_finite) {
        outcome.ending = Ending::numerical_failure;
        warn_once(outcome, "the motion diverged");
    } else if (status == motion::MotionStatus::unsolved) {
        outcome.ending = Ending::numerical_failure;
    } else if (status == motion::MotionStatus::rests) {
        warn_once(
            outcome,
            "the motion is computed up to the time at which impacts by Newton's law (`cor`) end in "
            "lasting contact, even if bodies still move; a contact law in place of `cor` goes on");
    } else if (status == motion::MotionStatus::pushed) {
        warn_once(outcome,
                  "a force law acts on a body that rests on a surface by Newton's law (`cor`): the "
                  "motion is computed up to there; give that surface a force law as well");
    }
    if (status != motion::MotionStatus::not_finite && !std::isfinite(energy_residual))
        warn_once(outcome,
                  "an energy is beyond the range of numbers (1.8e308 J), so that the balance of "
                  "the energies is not known; look for a mass, stiffness, force or speed of wrong "
                  "size");
}

void judge_restitution(Outcome& outcome, const MotionModel& model,
                       const MissedRestitution& missed) {
    warn_of_contacts(outcome, model, missed.undamped,
                     "an impact had no damping, because its damping follows from `restitution` and "
                     "the approach speed, and bodies that already touch have no approach speed; "
                     "give the damping itself (`damping_factor` or `damping`) in place of "
                     "`restitution`");
    warn_of_contacts(
        outcome, model, missed.dented,
        "only the first impact has the wanted `restitution`: its dent stays, and later impacts in "
        "the dent lose less energy or none; for one restitution of all impacts give a damped law "
        "with `restitution` or, for bodies without vibrations, `cor` in place of the law");
}

}  // namespace stoss::solvers
