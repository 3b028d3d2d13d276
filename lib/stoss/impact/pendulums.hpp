#pragma once
/// Two pendulums in a plane that hit each other: the tip of rod 2 meets the side of rod 1, without
/// friction ((8.20) to (8.22) of docs/theory/contact_laws.md; Poursina and Nikravesh 2020,
/// section 6).

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include <stoss/impact/collide.hpp>

namespace stoss::impact {

/// A thin uniform rod that hangs from a pivot at its upper end.
struct Pendulum {
    double mass = 0.0;              ///< m [kg], > 0
    double length = 0.0;            ///< L [m], > 0
    double angle = 0.0;             ///< theta at the start [rad], from the downward vertical
    double angular_velocity = 0.0;  ///< at the start [rad/s]
};

/// Both rods and their pivots.
struct PendulumSystem {
    Pendulum rod_1;                   ///< its side is hit
    Pendulum rod_2;                   ///< its tip hits
    std::array<double, 2> pivot_2{};  ///< from the pivot of rod 1: to the right and up [m]
    double gravity = 0.0;             ///< [m/s^2], >= 0
};

/// Distance [m] of the tip of rod 2 from the line of rod 1 at the start; 0: it is not known from
/// which side the tip comes.
double initial_gap(const PendulumSystem& system);

/// An impact without duration: the contact points separate at e times their approach speed.
struct InstantaneousImpact {
    double restitution = 1.0;  ///< e [-], in [0, 1]
};

/// An impact without duration, or a contact law that acts while the rods overlap.
using PendulumImpactModel = std::variant<InstantaneousImpact, ContactSetup>;

/// How the motion ended.
enum class PendulumStatus {
    complete,     ///< followed for the whole duration
    tip_missed,   ///< the tip of rod 2 went past an end of rod 1: a contact that is not modelled
    interrupted,  ///< it was stopped
    not_finite    ///< the integration failed
};
/// Word for tables and messages.
std::string_view to_string(PendulumStatus status);

/// One impact: from the begin of contact to the last force. Speeds are those of the contact points.
struct PendulumImpact {
    double start = 0.0, end = 0.0;         ///< [s]
    double approach_speed = 0.0;           ///< [m/s]
    double rebound_speed = 0.0;            ///< [m/s]
    double effective_mass = 0.0;           ///< [kg] (8.21)
    double impulse = 0.0;                  ///< [N s]
    std::optional<double> peak_force;      ///< [N]; none if the impact takes no time
    double peak_overlap = 0.0;             ///< [m]
    double energy_lost = 0.0;              ///< [J]
    std::array<double, 2> rates_before{};  ///< angular velocities [rad/s]
    std::array<double, 2> rates_after{};   ///< [rad/s]
};

/// The motion at one time.
struct PendulumSample {
    double time = 0.0;               ///< [s]
    std::array<double, 2> angles{};  ///< [rad], from the downward vertical
    std::array<double, 2> rates{};   ///< [rad/s]
    double gap = 0.0;                ///< of the tip of rod 2 from the line of rod 1 [m]
    double force = 0.0;              ///< [N]
    double energy = 0.0;             ///< kinetic and potential [J], 0 hanging at rest
    double lost = 0.0;               ///< by impacts so far [J]
};

/// A contact at one time.
struct PendulumContactSample {
    std::size_t impact = 0;  ///< number of the impact, from 0
    double time = 0.0;       ///< [s]
    double overlap = 0.0;    ///< [m]
    double rate = 0.0;       ///< [m/s]
    double force = 0.0;      ///< [N]
};

/// What comes of two pendulums.
struct PendulumMotion {
    PendulumStatus status = PendulumStatus::not_finite;  ///< how the motion ended
    double end = 0.0;                                    ///< time that was followed to [s]
    std::vector<PendulumImpact> impacts;                 ///< in order of time
    std::vector<PendulumSample> history;                 ///< evenly spaced in time
    std::vector<PendulumContactSample> contacts;  ///< of the first ten impacts, if they take time
    double energy_residual = 0.0;  ///< (energy + losses - initial energy)/largest kinetic energy
};

/// Integrates the motion over `duration` [s] by Fehlberg's Runge-Kutta pair (core/trajectory.hpp).
/// `samples` evenly spaced samples go into the history; `stop()` is asked between steps.
/// Preconditions: ranges as above; `initial_gap` > 0; the law checks without violations and has its
/// stiffness.
PendulumMotion swing(const PendulumSystem& system, const PendulumImpactModel& model,
                     double duration, std::size_t samples, const std::function<bool()>& stop);

}  // namespace stoss::impact
