#include <solvers/bouncing_ball.hpp>

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <models/single_impact.hpp>
#include <solvers/beam_case.hpp>
#include <solvers/case_header.hpp>
#include <stoss/core/progress.hpp>
#include <stoss/io/bind.hpp>

namespace stoss::solvers {

namespace {

constexpr double invisible_speed = 1e-9;  // of the first: with a constant e the rest is summed

auto read_case(const io::Document& document) {
    auto all = io::read<CaseHeader, BouncingBall, CaseExpectations>(document);
    const BouncingBall& ball = std::get<1>(all);
    std::vector<core::Violation> violations;
    if (ball.cor.has_value() == ball.contact.has_value()) {
        violations.push_back(
            {ball.cor ? "cor" : "contact", "",
             ball.cor ? "is one of two ways to say the rebound: `contact` is there" : "is missing",
             "give either `cor` or `contact`"});
    } else if (ball.contact) {
        violations =
            models::check(models::SingleImpact{ball.mass, 1.0, ball.gravity, 0.0, *ball.contact});
    }
    refuse(document, violations);
    return all;
}

io::Choice describe() {
    return io::describe_choice<BouncingBall>();
}
void check(const io::Document& document) {
    read_case(document);
}
io::Node resolve(const io::Document& document) {
    const auto [header, ball, expectations] = read_case(document);
    return io::to_node(header, ball, expectations);
}

/// One impact and the flight after it.
struct Bounce {
    double time;   // of first contact [s]
    double speed;  // [m/s]
    impact::Restitution impact;
    double flight;  // until the next impact [s]; 0 if there is none
};

/// What comes of a fall.
struct Fall {
    double speed, duration;  // of the first impact, until then
    std::vector<Bounce> bounces;
    std::string status;            // rests, bounces
    double rest = core::infinity;  // [s]: beginning of the contact that does not end, or of rest
};

impact::Restitution rebound(const BouncingBall& ball, double speed) {
    if (!ball.cor) {
        return impact::restitution(ball.contact->law,
                                   {speed, ball.mass, ball.gravity, 0.0, ball.contact->separation});
    }
    impact::Restitution result;
    result.status = *ball.cor > 0.0 ? impact::Rebound::rebounds : impact::Rebound::sticks;
    result.cor = *ball.cor;
    result.duration = 0.0;
    result.energy_lost = 0.5 * ball.mass * speed * speed * (1.0 - result.cor * result.cor);
    return result;
}

/// From impact to impact: a flight takes 2 v/g. Ends where the ball sticks. With a constant e the
/// flights left take (2 v/g)/(1 - e) together, though there is no last one (13.7).
Fall follow(const BouncingBall& ball, const RunOptions& options) {
    Fall fall{std::sqrt(2.0 * ball.gravity * ball.height),
              std::sqrt(2.0 * ball.height / ball.gravity),
              {},
              "bounces"};
    double time = fall.duration, speed = fall.speed;
    core::Progress progress("bounces", static_cast<std::size_t>(ball.most_bounces), options.quiet);
    for (int count = 0; count < ball.most_bounces && !options.stop(); ++count) {
        Bounce bounce{time, speed, rebound(ball, speed), 0.0};
        progress.advance();
        if (bounce.impact.status != impact::Rebound::rebounds) {
            fall.status = bounce.impact.status == impact::Rebound::sticks ? "rests" : "failed";
            fall.rest = time;
            fall.bounces.push_back(bounce);
            return fall;
        }
        const double next = bounce.impact.cor * speed;
        bounce.flight = 2.0 * next / ball.gravity;
        fall.bounces.push_back(bounce);
        time += bounce.impact.duration + bounce.flight;
        speed = next;
        if (ball.cor && speed < invisible_speed * fall.speed) {
            fall.status = "rests";
            fall.rest = time + 2.0 * speed / ball.gravity * *ball.cor / (1.0 - *ball.cor);
            return fall;
        }
    }
    return fall;
}

io::Table bounce_table(const BouncingBall& ball, const std::vector<Bounce>& bounces) {
    std::vector<std::int64_t> number;
    std::vector<double> time, speed, cor, rebound, duration, flight, apex, force, lost;
    for (const Bounce& bounce : bounces) {
        number.push_back(static_cast<std::int64_t>(number.size()) + 1);
        time.push_back(bounce.time);
        speed.push_back(bounce.speed);
        cor.push_back(bounce.impact.cor);
        rebound.push_back(bounce.impact.cor * bounce.speed);
        duration.push_back(bounce.impact.duration);
        flight.push_back(bounce.flight);
        apex.push_back(0.5 * rebound.back() * rebound.back() / ball.gravity);
        force.push_back(bounce.impact.peak_force);
        lost.push_back(bounce.impact.energy_lost);
    }
    io::Table table;
    table.add("bounce", std::move(number));
    table.add("time_s", std::move(time));
    table.add("speed_m_per_s", std::move(speed));
    table.add("cor", std::move(cor));
    table.add("rebound_speed_m_per_s", std::move(rebound));
    table.add("duration_s", std::move(duration));
    table.add("flight_s", std::move(flight));
    table.add("apex_m", std::move(apex));
    table.add("peak_force_N", std::move(force));
    table.add("energy_lost_J", std::move(lost));
    return table;
}

Outcome solve(const io::Document& document, const RunOptions& options) {
    const auto [header, ball, expectations] = read_case(document);
    const Fall fall = follow(ball, options);
    Outcome outcome;
    outcome.header = header;
    outcome.expect = expectations.expect;
    outcome.items = "bounces";
    outcome.item_count = static_cast<std::size_t>(ball.most_bounces);
    outcome.items_done = fall.bounces.size();
    if (options.stop()) {
        outcome.ending = Ending::interrupted;
        return outcome;
    }
    outcome.summary = io::Value::object();
    outcome.summary.set("status", fall.status)
        .set("bounces", fall.bounces.size())
        .set("rest_s", fall.rest)
        .set("drop_height_m", ball.height)
        .set("fall_s", fall.duration)
        .set("first_speed_m_per_s", fall.speed)
        .set("place", "bounce");
    outcome.headlines = {"status", "bounces", "rest_s"};
    outcome.tables.emplace_back("map.csv", bounce_table(ball, fall.bounces));
    outcome.curves = {"map.csv", "bounce", std::vector<std::string>(fall.bounces.size())};
    if (fall.status == "failed") {
        outcome.ending = Ending::numerical_failure;
        outcome.warnings.emplace_back("an impact left the finite numbers");
    } else if (fall.status == "bounces") {
        outcome.warnings.push_back(fmt::format(
            "the ball still bounces after {} impacts: raise most_bounces", ball.most_bounces));
    }
    return outcome;
}

}  // namespace

const Problem bouncing_ball_problem{
    BouncingBall::name, BouncingBall::meaning, describe, check, resolve, solve};

}  // namespace stoss::solvers
