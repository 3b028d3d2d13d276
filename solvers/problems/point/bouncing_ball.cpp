#include <solvers/problems/point/bouncing_ball.hpp>

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <models/single_impact.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/contact_binding.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/point/impact_figures.hpp>
#include <stoss/core/progress.hpp>
#include <stoss/impact/bouncing_ball.hpp>
#include <stoss/io/bind.hpp>

namespace stoss::solvers {

namespace {

using Case = std::tuple<CaseHeader, BouncingBall, CaseExpectations>;

Case read_case(const io::Document& document) {
    Case all = io::read<CaseHeader, BouncingBall, CaseExpectations>(document);
    const BouncingBall& ball = std::get<1>(all);
    std::vector<core::Violation> violations;
    if (ball.cor.has_value() == ball.contact.has_value()) {
        violations.push_back(
            {ball.cor ? "cor" : "contact", "",
             ball.cor ? "cannot be given together with `contact`: each of them gives the rebound"
                      : "is missing",
             "give either `cor` or `contact`"});
    } else if (ball.contact) {
        violations =
            models::check(models::SingleImpact{ball.mass, 1.0, ball.gravity, 0.0, *ball.contact});
    }
    core::append(impact::check_spot(ball.spot, ball.contact ? &ball.contact->law : nullptr),
                 violations);
    refuse(document, violations);
    return all;
}

io::Choice describe() {
    return io::describe_choice<BouncingBall>();
}
io::Node resolve(const Case& given) {
    const auto& [header, ball, expectations] = given;
    return io::to_node(header, ball, expectations);
}

impact::Fall follow(const BouncingBall& keys, const RunOptions& options) {
    impact::BouncingBall ball{.mass = keys.mass,
                              .height = keys.height,
                              .gravity = keys.gravity,
                              .cor = keys.cor,
                              .most_bounces = static_cast<std::size_t>(keys.most_bounces),
                              .spot = keys.spot};
    if (keys.contact) {
        ball.law = keys.contact->law;
        ball.separation = keys.contact->separation;
    }
    core::Progress progress("bounces", ball.most_bounces, options.quiet);
    return impact::follow(ball, [&](const impact::Bounce&) {
        progress.advance();
        return !options.stop();
    });
}

io::Table bounce_table(const std::vector<impact::Bounce>& bounces) {
    std::vector<std::int64_t> number;
    std::vector<double> time, speed, cor, rebound, duration, flight, apex, force, lost;
    for (const impact::Bounce& bounce : bounces) {
        number.push_back(static_cast<std::int64_t>(number.size()) + 1);
        time.push_back(bounce.time);
        speed.push_back(bounce.speed);
        cor.push_back(bounce.impact.cor.value_or(io::no_number));
        rebound.push_back(cor.back() * bounce.speed);
        duration.push_back(bounce.impact.duration.value_or(io::no_number));
        flight.push_back(bounce.flight);
        apex.push_back(bounce.apex);
        force.push_back(bounce.impact.peak_force.value_or(io::no_number));
        lost.push_back(bounce.impact.energy_lost.value_or(io::no_number));
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

Outcome solve(const Case& given, const RunOptions& options) {
    const auto& [header, ball, expectations] = given;
    const impact::Fall fall = follow(ball, options);
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
    outcome.summary.set("status", impact::to_string(fall.end))
        .set("bounces", fall.bounces.size())
        .set("rest_s", fall.rest)
        .set("drop_height_m", double(ball.height))
        .set("fall_s", fall.duration)
        .set("first_speed_m_per_s", fall.speed)
        .set("place", "bounce");
    outcome.headlines = {"status", "bounces", "rest_s"};
    outcome.tables.emplace_back("map.csv", bounce_table(fall.bounces));
    outcome.curves = {"map.csv", "bounce", std::vector<std::string>(fall.bounces.size())};
    if (fall.end == impact::FallEnd::failed) {
        outcome.ending = Ending::numerical_failure;
        outcome.warnings.emplace_back("an impact cannot be computed");
    } else if (fall.end == impact::FallEnd::bounces) {
        outcome.warnings.push_back(fmt::format(
            "the ball still bounces after {} impacts; raise most_bounces", ball.most_bounces));
    }
    return outcome;
}

}  // namespace

const Problem bouncing_ball_problem{
    .name = BouncingBall::name,
    .meaning = BouncingBall::meaning,
    .describe = describe,
    .read = typed_case<read_case, resolve, solve>,
    .report = {postproc::bouncing_ball_figures, postproc::bouncing_ball_report}};

}  // namespace stoss::solvers
