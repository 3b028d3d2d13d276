#pragma once
/// Two pendulums that hit each other: the parameters of impact::swing.

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
#include <stoss/impact/pendulums.hpp>

namespace stoss::models {

/// A thin uniform rod that hangs from a pivot at its upper end.
struct PendulumRod {
    core::Required mass = {};
    core::Required length = {};
    core::Required angle = {};
    double angular_velocity = 0.0;

    static constexpr auto fields() {
        return std::tuple{
            core::field("mass", &PendulumRod::mass, "kg", core::positive, "mass m").required(),
            core::field("length", &PendulumRod::length, "m", core::positive, "length L").required(),
            core::field("angle", &PendulumRod::angle, "rad", core::finite,
                        "angle theta at the start, counter-clockwise from `angles_from`")
                .required(),
            core::field("angular_velocity", &PendulumRod::angular_velocity, "rad/s", core::finite,
                        "angular velocity at the start")};
    }
};

/// Position of the second pivot relative to the first.
struct PivotOffset {
    core::Required right = {};
    double up = 0.0;

    static constexpr auto fields() {
        return std::tuple{core::field("right", &PivotOffset::right, "m", core::finite,
                                      "horizontal distance; negative: to the left")
                              .required(),
                          core::field("up", &PivotOffset::up, "m", core::finite,
                                      "vertical distance; negative: downwards")};
    }
};

/// Direction of a rod whose angle is 0.
enum class AngleReference { vertical, horizontal };

constexpr auto enum_names(AngleReference) {
    return std::array{
        core::EnumName{AngleReference::vertical, "vertical", "angle 0 points downwards"},
        core::EnumName{AngleReference::horizontal, "horizontal", "angle 0 points to the right"}};
}

/// An impact takes no time: impulse and momentum (the piecewise model).
struct ImpulseMomentum {
    static constexpr std::string_view name = "impulse_momentum";
    static constexpr std::string_view meaning =
        "instantaneous impact; the contact points rebound at e times their approach speed";
    core::Required restitution = {};

    static constexpr auto fields() {
        return std::tuple{core::field("restitution", &ImpulseMomentum::restitution, "",
                                      core::closed(0.0, 1.0), "coefficient of restitution e")
                              .required()};
    }
};

/// The rods overlap, and a contact law pushes them apart (the continuous model).
struct ContinuousContact : ContactParameters {
    static constexpr std::string_view name = "contact";
    static constexpr std::string_view meaning =
        "compliant impact: the rods overlap, and a contact law gives the force between them while "
        "they move";
};

using ImpactModel = std::variant<ImpulseMomentum, ContinuousContact>;

/// How an impact is computed.
struct ImpactParameters {
    ImpactModel model = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("model", &ImpactParameters::model, "model of the impact").required()};
    }
};

/// Everything about the pair.
struct PendulumPair {
    PendulumRod rod_1 = {}, rod_2 = {};
    PivotOffset pivot_2 = {};
    AngleReference angles_from = AngleReference::vertical;
    double gravity = 9.81;
    ImpactParameters impact = {};
    core::Required duration = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("rod_1", &PendulumPair::rod_1, "rod whose side is hit").required(),
            core::field("rod_2", &PendulumPair::rod_2, "rod that hits with its tip").required(),
            core::field("pivot_2", &PendulumPair::pivot_2,
                        "position of the pivot of rod 2 relative to the pivot of rod 1")
                .required(),
            core::field("angles_from", &PendulumPair::angles_from, "direction of angle 0"),
            core::field("gravity", &PendulumPair::gravity, "m/s^2", core::non_negative,
                        "acceleration of gravity g"),
            core::field("impact", &PendulumPair::impact, "impact of the rods").required(),
            core::field("duration", &PendulumPair::duration, "s", core::positive, "simulated time")
                .required()};
    }
};

/// What a field's own range cannot say: rods that touch at the start, a law without stiffness.
std::vector<core::Violation> check(const PendulumPair& parameters);

using impact::PendulumImpact;
using impact::PendulumMotion;
using impact::PendulumSample;
using impact::PendulumStatus;

/// Follows the pair by impact::swing, with angles from `angles_from` in the history. `samples`
/// evenly spaced samples go into the history; `stop()` is asked between steps.
/// Precondition: `check(parameters)` found nothing.
PendulumMotion swing(const PendulumPair& parameters, std::size_t samples,
                     const std::function<bool()>& stop);

/// The same for programs: input is checked, and nothing stops it early.
/// Errors: core::InputError with everything that is wrong, keys as in a case file.
PendulumMotion swing(const PendulumPair& parameters, std::size_t samples = 0);

}  // namespace stoss::models
