#include <stoss/impact/bouncing_ball.hpp>

#include <cmath>
#include <utility>

#include <stoss/core/field_checks.hpp>

namespace stoss::impact {

namespace {

constexpr double invisible_speed = 1e-9;  // of the first: with a constant e the rest is summed

Restitution rebound(const BouncingBall& ball, double speed) {
    if (!ball.cor) {
        return restitution(ball.law, {speed, ball.mass, ball.gravity, 0.0, ball.separation});
    }
    Restitution result;
    result.status = *ball.cor > 0.0 ? ImpactOutcome::rebounds : ImpactOutcome::sticks;
    result.cor = ball.cor;
    result.duration = 0.0;
    result.energy_lost = 0.5 * ball.mass * speed * speed * (1.0 - *ball.cor * *ball.cor);
    return result;
}

}  // namespace

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
    return all;
}

Fall follow(const BouncingBall& ball, const std::function<bool(const Bounce&)>& go_on) {
    core::throw_if_any(check(ball));
    Fall fall{.speed = std::sqrt(2.0 * ball.gravity * ball.height),
              .duration = std::sqrt(2.0 * ball.height / ball.gravity)};
    double time = fall.duration, speed = fall.speed;
    for (std::size_t count = 0; count < ball.most_bounces; ++count) {
        Bounce bounce{time, speed, rebound(ball, speed), 0.0};
        if (bounce.impact.status != ImpactOutcome::rebounds) {
            fall.end =
                bounce.impact.status == ImpactOutcome::sticks ? FallEnd::rests : FallEnd::failed;
            fall.rest = time;
            fall.bounces.push_back(bounce);
            return fall;
        }
        const double next = *bounce.impact.cor * speed;
        bounce.flight = 2.0 * next / ball.gravity;
        fall.bounces.push_back(bounce);
        if (go_on && !go_on(bounce)) return fall;
        time += *bounce.impact.duration + bounce.flight;
        speed = next;
        if (ball.cor && speed < invisible_speed * fall.speed) {
            fall.end = FallEnd::rests;
            fall.rest = time + 2.0 * speed / ball.gravity * *ball.cor / (1.0 - *ball.cor);
            return fall;
        }
    }
    return fall;
}

}  // namespace stoss::impact
