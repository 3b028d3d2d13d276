#include <solvers/case/collision_ending.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <stoss/core/text.hpp>

namespace stoss::solvers {

namespace {

// Of the initial energy: beyond the first a run warns, beyond the second it has failed.
constexpr double tolerated_residual = 0.01, admissible_residual = 0.1;

}  // namespace

core::Violation bodies_do_not_approach(double xi, double approach_speed) {
    return {"location.xi", core::to_text(xi),
            fmt::format("the bodies do not approach each other there: V_rel = {:.4g} m/s, must be "
                        "> 0",
                        approach_speed),
            how_to_approach};
}

void judge(Outcome& outcome, std::span<const Ended> collisions, const impact::Scheme& scheme) {
    const auto* const splitting = std::get_if<time::Splitting>(&scheme);
    std::size_t parting = 0, resting = 0, unfinished = 0, lost = 0, unbalanced = 0, uncertain = 0;
    double largest = 0.0, largest_error = 0.0;
    for (const Ended& collision : collisions) {
        parting += collision.status == impact::Status::no_approach;
        if (collision.status == impact::Status::not_separated)
            ++(collision.at_rest ? resting : unfinished);
        lost += collision.status == impact::Status::not_finite;
        if (collision.status != impact::Status::separated) continue;
        unbalanced += std::abs(collision.energy_residual) > tolerated_residual;
        largest = std::max(largest, std::abs(collision.energy_residual));
        if (!splitting) continue;
        if (collision.cor_error.value_or(0.0) >
            collision.tolerance.value_or(splitting->tolerance)) {
            ++uncertain;
            largest_error = std::max(largest_error, *collision.cor_error);
        }
    }
    const auto warn = [&](std::size_t count, const std::string& words) {
        if (count == 0) return;
        const std::string who = collisions.size() == 1
                                    ? "the collision"
                                    : fmt::format("{} of {} collisions", count, collisions.size());
        outcome.warnings.push_back(who + words);
    };
    warn(parting,
         ": the contact points move apart at first contact, so the bodies do not collide; turn the "
         "sign of the motion or of the vibration, or raise the speed");
    warn(
        resting,
        ": damping brought the bodies to rest against each other; they do not separate, so e is 0");
    warn(unfinished,
         ": no end within the time limit; raise integration.time_limit, as a soft contact may last "
         "longer, or reduce gravity and loads if they hold the bodies together; damping may also "
         "have brought them to rest");
    warn(lost,
         splitting ? ": the motion diverged" : ": the motion diverged; reduce integration.step");
    const std::string known =
        largest_error < 1.0
            ? fmt::format("known only to {:.2g}, not to integration.tolerance", largest_error)
            : "not known: its error may exceed 1";
    warn(uncertain, ": the restitution is " + known +
                        "; where many sub-impacts follow each other, small errors grow from one to "
                        "the next");
    warn(unbalanced,
         fmt::format(": the error of the energy balance is up to {:.2g} of the initial energy; {}",
                     largest,
                     splitting ? "lower integration.tolerance"
                               : "reduce integration.step or use integration.force: implicit"));
    if (unfinished + lost > 0 || largest > admissible_residual)
        outcome.ending = Ending::numerical_failure;
}

}  // namespace stoss::solvers
