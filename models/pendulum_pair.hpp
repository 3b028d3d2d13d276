#pragma once
/// Two pendulums that hit each other: the tip of rod 2 meets the side of rod 1, without friction
/// ((8.20) to (8.22) of docs/theory/contact_laws.md; Poursina and Nikravesh 2020, section 6).

#include <array>
#include <cstddef>
#include <functional>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <models/contact_parameters.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::models {

/// A thin uniform rod that hangs from a pivot at its upper end.
struct PendulumRod {
    double mass = core::not_given;
    double length = core::not_given;
    double angle = core::not_given;
    double angular_velocity = 0.0;

    static constexpr auto fields() {
        return std::tuple{
            core::field("mass", &PendulumRod::mass, "kg", core::positive, "m").required(),
            core::field("length", &PendulumRod::length, "m", core::positive, "L").required(),
            core::field("angle", &PendulumRod::angle, "rad", core::finite,
                        "theta at the start, counter-clockwise from `angles_from`")
                .required(),
            core::field("angular_velocity", &PendulumRod::angular_velocity, "rad/s", core::finite,
                        "at the start")};
    }
};

/// Where the second pivot is, seen from the first.
struct PivotOffset {
    double right = core::not_given;
    double up = 0.0;

    static constexpr auto fields() {
        return std::tuple{core::field("right", &PivotOffset::right, "m", core::finite,
                                      "horizontal; negative: to the left")
                              .required(),
                          core::field("up", &PivotOffset::up, "m", core::finite, "vertical")};
    }
};

/// Direction of a rod whose angle is 0.
enum class AngleReference { vertical, horizontal };

constexpr auto enum_names(AngleReference) {
    return std::array{
        core::EnumName{AngleReference::vertical, "vertical", "angle 0 hangs straight down"},
        core::EnumName{AngleReference::horizontal, "horizontal", "angle 0 points to the right"}};
}

/// An impact takes no time: impulse and momentum (the piecewise model).
struct ImpulseMomentum {
    static constexpr std::string_view name = "impulse_momentum";
    static constexpr std::string_view meaning =
        "an impact takes no time; the contact points rebound at e times their approach speed";
    double restitution = core::not_given;

    static constexpr auto fields() {
        return std::tuple{core::field("restitution", &ImpulseMomentum::restitution, "",
                                      core::closed(0.0, 1.0), "e")
                              .required()};
    }
};

/// The rods overlap, and a contact law pushes them apart (the continuous model).
struct ContinuousContact : ContactParameters {
    static constexpr std::string_view name = "contact";
    static constexpr std::string_view meaning =
        "the rods overlap and a contact law pushes them apart while they swing on";
};

using ImpactModel = std::variant<ImpulseMomentum, ContinuousContact>;

/// How an impact is computed.
struct ImpactParameters {
    ImpactModel model = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("model", &ImpactParameters::model, "how an impact is computed").required()};
    }
};

/// Everything about the pair.
struct PendulumPair {
    PendulumRod rod_1 = {}, rod_2 = {};
    PivotOffset pivot_2 = {};
    AngleReference angles_from = AngleReference::vertical;
    double gravity = 9.81;
    ImpactParameters impact = {};
    double duration = core::not_given;

    static constexpr auto fields() {
        return std::tuple{
            core::field("rod_1", &PendulumPair::rod_1, "the rod whose side is hit").required(),
            core::field("rod_2", &PendulumPair::rod_2, "the rod that hits with its tip").required(),
            core::field("pivot_2", &PendulumPair::pivot_2,
                        "pivot of rod 2, seen from the pivot of rod 1")
                .required(),
            core::field("angles_from", &PendulumPair::angles_from, "what angles are measured from"),
            core::field("gravity", &PendulumPair::gravity, "m/s^2", core::non_negative, "g"),
            core::field("impact", &PendulumPair::impact, "what happens when the rods meet")
                .required(),
            core::field("duration", &PendulumPair::duration, "s", core::positive,
                        "time that is followed")
                .required()};
    }
};

/// What a field's own range cannot say: rods that touch at the start, a law without stiffness.
std::vector<core::Violation> check(const PendulumPair& parameters);

/// How the motion ended.
enum class PendulumStatus {
    complete,     ///< followed for the whole duration
    tip_missed,   ///< the tip of rod 2 went past an end of rod 1: a contact that is not modelled
    interrupted,  ///< somebody asked to stop
    not_finite    ///< the numbers failed
};
std::string_view to_string(PendulumStatus status);

/// One impact: from the first touch to the last force. Speeds are those of the contact points.
struct PendulumImpact {
    double start = 0.0, end = 0.0;         ///< [s]
    double approach_speed = 0.0;           ///< [m/s]
    double rebound_speed = 0.0;            ///< [m/s]
    double effective_mass = 0.0;           ///< [kg] (8.21)
    double impulse = 0.0;                  ///< [N s]
    double peak_force = 0.0;               ///< [N]; NaN if the impact takes no time
    double peak_overlap = 0.0;             ///< [m]
    double energy_lost = 0.0;              ///< [J]
    std::array<double, 2> rates_before{};  ///< angular velocities [rad/s]
    std::array<double, 2> rates_after{};   ///< [rad/s]
};

/// One instant.
struct PendulumSample {
    double time = 0.0;               ///< [s]
    std::array<double, 2> angles{};  ///< [rad], from `angles_from`
    std::array<double, 2> rates{};   ///< [rad/s]
    double gap = 0.0;                ///< of the tip of rod 2 from the line of rod 1 [m]
    double force = 0.0;              ///< [N]
    double energy = 0.0;             ///< kinetic and potential [J], 0 hanging at rest
    double lost = 0.0;               ///< by impacts so far [J]
};

/// An instant of a contact.
struct ContactSample {
    std::size_t impact = 0;  ///< number of the impact, from 0
    double time = 0.0;       ///< [s]
    double overlap = 0.0;    ///< [m]
    double rate = 0.0;       ///< [m/s]
    double force = 0.0;      ///< [N]
};

struct PendulumMotion {
    PendulumStatus status = PendulumStatus::not_finite;
    double end = 0.0;  ///< time that was followed to [s]
    std::vector<PendulumImpact> impacts;
    std::vector<PendulumSample> history;
    std::vector<ContactSample> contacts;
    double energy_residual = 0.0;  ///< (energy + losses - initial energy)/largest kinetic energy
};

/// Follows the pair. `samples` instants, evenly spaced, go into the history; `stop()` is asked
/// between steps. Precondition: `check(parameters)` found nothing.
PendulumMotion swing(const PendulumPair& parameters, std::size_t samples,
                     const std::function<bool()>& stop);

/// The same for programs: input is checked, nobody stops it.
/// Errors: core::InputError with everything that is wrong, keys as in a case file.
PendulumMotion swing(const PendulumPair& parameters, std::size_t samples = 0);

}  // namespace stoss::models
