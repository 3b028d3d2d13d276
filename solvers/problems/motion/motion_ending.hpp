#pragma once
/// How a motion ended: its energies and what a run warns of.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <models/impact_motion.hpp>
#include <solvers/case/outcome.hpp>
#include <stoss/motion/impact_motion.hpp>

namespace stoss::solvers {

/// A motion that could go on has been followed as far as the case asks.
std::string_view word_of(motion::MotionStatus status);

/// The energy that the numbers gained, relative to all energy that was there [-]; NaN where an
/// energy is beyond the range of numbers.
double relative_residual(const motion::MotionEnergy& energy);

/// True if friction acts in a contact of the model.
bool has_friction(const models::MotionModel& model);

void add_energies(io::Value& summary, const motion::MotionEnergy& energy, bool has_friction);

/// Contacts whose impacts did not have the restitution that their law asks for, in the order of
/// the case.
struct MissedRestitution {
    std::vector<bool> undamped;  ///< an impact lacked its damping
    std::vector<bool> dented;    ///< an impact began in the dent of an earlier one

    explicit MissedRestitution(std::size_t contacts = 0) : undamped(contacts), dented(contacts) {}
};
MissedRestitution missed_restitution(const models::MotionModel& model,
                                     const models::MotionSystem& made,
                                     const motion::ImpactMotion& moving);

/// The contacts that touch where the forces were not found; all, if those that are about to touch
/// have a gap of roundoff. In the order of the case.
std::vector<bool> unsolved_contacts(const models::MotionSystem& made,
                                    const motion::ImpactMotion& moving);

/// Adds a warning that is not there yet.
void warn_once(Outcome& outcome, std::string words);

/// True if the damping of a beam couples its modes.
bool has_coupled_modes(const models::MotionModel& model);

/// Warns of such beams: each mode moves on its own here. `made`: the system of the model.
void warn_of_couplings(Outcome& outcome, const models::MotionModel& model,
                       const models::MotionSystem& made);

/// Why the forces of the contacts `which` of the model could not be found.
void warn_of_forces(Outcome& outcome, const models::MotionModel& model,
                    const std::vector<bool>& which);

/// Raises `largest` to the angle [rad] that each rigid bar of the model has now. Between impacts a
/// bar turns uniformly if no load turns it, so call this at each impact and at the end. `largest`:
/// one number a body of the model; those of other bodies stay as they are.
void note_angles(const models::MotionModel& model, const models::MotionSystem& made,
                 const motion::ImpactMotion& moving, std::vector<double>& largest);

/// Warns of rigid bars that have turned by more than small angles. `largest`: angle [rad] of each
/// body of the model.
void warn_of_angles(Outcome& outcome, const models::MotionModel& model,
                    const std::vector<double>& largest);

/// What the status and the relative_residual mean for the run.
void judge(Outcome& outcome, motion::MotionStatus status, double energy_residual);

/// Warns of contacts whose impacts did not have the restitution that their law asks for.
void judge_restitution(Outcome& outcome, const models::MotionModel& model,
                       const MissedRestitution& missed);

}  // namespace stoss::solvers
