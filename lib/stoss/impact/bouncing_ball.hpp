#pragma once
/// A ball falls on a plate and bounces until it stays there (theory/loaded_impact.md 13.7).

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include <stoss/core/fields.hpp>
#include <stoss/impact/restitution.hpp>

namespace stoss::impact {

/// Place at which the ball meets the plate again.
enum class Spot { fresh, same };

constexpr auto enum_names(Spot) {
    return std::array{
        core::EnumName{Spot::fresh, "fresh", "each impact is on a fresh place without a dent"},
        core::EnumName{Spot::same, "same",
                       "every impact is on the same place, with the dent of all earlier impacts"}};
}

/// True for a law whose contact remembers the largest overlap: one that can leave a dent.
bool leaves_dents(const contact::Law& law);

/// The ball, its fall, and what it meets: the same restitution at every impact, or a law.
struct BouncingBall {
    core::Required mass = {};        ///< m > 0 [kg]
    core::Required height = {};      ///< of its lowest point where the fall begins, > 0 [m]
    double gravity = 9.81;           ///< g > 0 [m/s^2]
    std::optional<double> cor = {};  ///< e in [0, 1) of every impact; none: the law
    contact::Law law = {};           ///< of every impact, if `cor` is not given
    contact::Separation separation = contact::Separation::zero_force;  ///< when contact ends
    std::size_t most_bounces = 10000;  ///< impacts that are followed
    Spot spot = Spot::fresh;           ///< `same` needs a law that `leaves_dents`
};

/// One impact and the free fall after it.
struct Bounce {
    double time = 0.0;        ///< of first contact [s]
    double speed = 0.0;       ///< [m/s]
    Restitution impact = {};  ///< what the impact shows
    double flight = 0.0;      ///< until the next impact [s]; 0 if there is none
    double apex = 0.0;        ///< greatest height above the undented surface after the impact [m]
};

/// How the fall ends.
enum class FallEnd {
    rests,    ///< the ball stays on the plate, or in its dent
    bounces,  ///< `most_bounces` impacts were not enough, or somebody asked to stop
    failed    ///< an impact could not be computed
};

/// "rests", "bounces", "failed".
std::string_view to_string(FallEnd end);

/// What comes of a fall.
struct Fall {
    double speed = 0.0;                ///< of the first impact [m/s]
    double duration = 0.0;             ///< until the first impact [s]
    std::vector<Bounce> bounces = {};  ///< in order of time
    FallEnd end = FallEnd::bounces;    ///< how the fall ends
    /// Beginning of the contact that does not end, or with a constant e the time of rest [s];
    /// infinite if the ball still bounces or an impact failed.
    double rest = core::infinity;
};

/// What is wrong with the numbers, by the name of the member; empty if nothing is.
std::vector<core::Violation> check(const BouncingBall& ball);

/// What is wrong with the spot: `same` needs a law that `leaves_dents`. `law`: null if e is given.
std::vector<core::Violation> check_spot(Spot spot, const contact::Law* law);

/// From impact to impact: the free motion goes from where the contact force vanishes to where the
/// next contact begins (13.7). With a constant e all later free motions take
/// (2 v/g)/(1 - e) together, though there is no last one. `go_on`, if given, is asked after
/// each impact; false ends the motion.
/// Errors: throws core::InputError with what `check` finds, and as `restitution`.
Fall follow(const BouncingBall& ball, const std::function<bool(const Bounce&)>& go_on = {});

}  // namespace stoss::impact
