#include <stoss/impact/bouncing_ball.hpp>

#include <algorithm>
#include <cmath>
#include <variant>

#include <stoss/core/field_checks.hpp>

namespace stoss::impact {

namespace {

constexpr double invisible_speed = 1e-9;  // of the first: with a constant e the rest is summed

/// `deepest`: the largest overlap of the impacts before [m].
Restitution rebound(const BouncingBall& ball, double speed, double deepest) {
    if (!ball.cor) {
        const double earlier = ball.spot == Spot::same ? deepest : 0.0;
        return restitution(ball.law,
                           {speed, ball.mass, ball.gravity, 0.0, ball.separation, earlier});
    }
    Restitution result;
    result.status = *ball.cor > 0.0 ? ImpactOutcome::rebounds : ImpactOutcome::sticks;
    result.cor = ball.cor;
    result.duration = 0.0;
    result.end_overlap = 0.0;
    result.rebound_overlap = 0.0;
    result.energy_lost = 0.5 * ball.mass * speed * speed * (1.0 - *ball.cor * *ball.cor);
    return result;
}

/// Free motion between two impacts.
struct FreeMotion {
    double duration;  ///< [s]
    double speed;     ///< at which it ends [m/s]
};

/// Free motion from where the contact force vanishes, which may be before the end of contact, to
/// the overlap at which the next contact begins [m]; none if the ball does not get there.
std::optional<FreeMotion> free_motion(const Restitution& impact, double speed, double gravity,
                                      double next) {
    const double rebound = *impact.cor * speed;  // at the end of contact
    const auto at = [&](double overlap) {
        const double rise = *impact.rebound_overlap - overlap;  // [m]
        return rebound * std::sqrt(1.0 - 2.0 * gravity * rise / (rebound * rebound));
    };
    const double first = at(*impact.end_overlap), last = at(next);
    if (!(last > 0.0)) return std::nullopt;
    return FreeMotion{(first + last) / gravity, last};
}

/// Overlap at which the next contact begins [m]. `deepest`: the largest overlap so far [m].
double next_begin(const BouncingBall& ball, double speed, double deepest) {
    if (ball.spot == Spot::fresh) return 0.0;
    return begin_overlap(ball.law, {speed, ball.mass, ball.gravity, 0.0, ball.separation, deepest});
}

}  // namespace

bool leaves_dents(const contact::Law& law) {
    return std::visit([]<class L>(const L&) { return contact::Hysteretic<L>; }, law);
}

std::string_view to_string(FallEnd end) {
    switch (end) {
        case FallEnd::rests:
            return "rests";
        case FallEnd::bounces:
            return "bounces";
        case FallEnd::failed:
            break;
    }
    return "failed";
}

std::vector<core::Violation> check(const BouncingBall& ball) {
    std::vector<core::Violation> all;
    const auto add = [&](const char* key, const core::Required& value, const core::Range& range,
                         const char* unit) {
        core::append(core::check_number(key, value, range, unit, ""), all);
    };
    add("mass", ball.mass, core::positive, "kg");
    add("height", ball.height, core::positive, "m");
    add("gravity", ball.gravity, core::positive, "m/s^2");
    if (ball.cor) add("cor", *ball.cor, core::Range{0.0, 1.0, false, true}, "");
    core::append(check_spot(ball.spot, ball.cor ? nullptr : &ball.law), all);
    return all;
}

std::vector<core::Violation> check_spot(Spot spot, const contact::Law* law) {
    if (spot == Spot::fresh || (law && leaves_dents(*law))) return {};
    return {{"spot", "same", "needs a law that leaves a dent",
             "use walton_braun, thornton_ning, thornton_ning_adhesive, jackson_green, or tabulated "
             "with unloading_force; or write `spot: fresh`"}};
}

Fall follow(const BouncingBall& ball, const std::function<bool(const Bounce&)>& go_on) {
    core::throw_if_any(check(ball));
    Fall fall{.speed = std::sqrt(2.0 * ball.gravity * ball.height),
              .duration = std::sqrt(2.0 * ball.height / ball.gravity)};
    double time = fall.duration, speed = fall.speed, deepest = 0.0;
    for (std::size_t count = 0; count < ball.most_bounces; ++count) {
        Bounce bounce{.time = time, .speed = speed, .impact = rebound(ball, speed, deepest)};
        deepest = std::max(deepest, bounce.impact.peak_overlap.value_or(0.0));
        if (bounce.impact.status != ImpactOutcome::rebounds) {
            const bool rests = bounce.impact.status == ImpactOutcome::sticks;
            fall.end = rests ? FallEnd::rests : FallEnd::failed;
            if (rests) fall.rest = time;
            fall.bounces.push_back(bounce);
            return fall;
        }
        const double rebound_speed = *bounce.impact.cor * speed;
        bounce.apex =
            0.5 * rebound_speed * rebound_speed / ball.gravity - *bounce.impact.rebound_overlap;
        const auto motion =
            free_motion(bounce.impact, speed, ball.gravity, next_begin(ball, speed, deepest));
        if (motion) bounce.flight = motion->duration;
        fall.bounces.push_back(bounce);
        if (!motion) {
            fall.end = FallEnd::rests;
            fall.rest = time;
            return fall;
        }
        if (go_on && !go_on(bounce)) return fall;
        time += *bounce.impact.duration + bounce.flight;
        speed = motion->speed;
        if (ball.cor && speed < invisible_speed * fall.speed) {
            fall.end = FallEnd::rests;
            fall.rest = time + 2.0 * speed / ball.gravity * *ball.cor / (1.0 - *ball.cor);
            return fall;
        }
    }
    return fall;
}

}  // namespace stoss::impact
