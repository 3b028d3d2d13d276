#pragma once
/// Problem `bouncing_ball`: a ball falls on a plate until it stays there.

#include <optional>
#include <string_view>
#include <tuple>

#include <models/contact_parameters.hpp>
#include <solvers/case/problem.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/impact/bouncing_ball.hpp>

namespace stoss::solvers {

/// Keys of `bouncing_ball`.
struct BouncingBall {
    static constexpr std::string_view name = "bouncing_ball";
    static constexpr std::string_view meaning =
        "ball that falls on a plate: its impacts, one by one, until it comes to rest";

    core::Required mass = {};
    core::Required height = {};
    double gravity = 9.81;
    core::OrNone<double> cor = {};
    core::OrNone<models::ContactParameters> contact;
    impact::Spot spot = impact::Spot::fresh;
    int most_bounces = 10000;

    static constexpr auto fields() {
        return std::tuple{
            core::field("mass", &BouncingBall::mass, "kg", core::positive, "mass m").required(),
            core::field("height", &BouncingBall::height, "m", core::positive,
                        "height of the lowest point at rest, where the fall begins")
                .required(),
            core::field("gravity", &BouncingBall::gravity, "m/s^2", core::positive,
                        "acceleration of gravity g"),
            core::field(
                "cor", &BouncingBall::cor, "", core::Range{0.0, 1.0, false, true},
                "coefficient of restitution e < 1 of every impact, in place of a contact law"),
            core::field("contact", &BouncingBall::contact, "contact law, in place of cor"),
            core::field(
                "spot", &BouncingBall::spot,
                "place where the ball meets the plate; `same` needs a law that leaves a dent"),
            core::field("most_bounces", &BouncingBall::most_bounces, "", core::closed(1, 1e6),
                        "largest number of impacts that are computed")};
    }
};

extern const Problem bouncing_ball_problem;

}  // namespace stoss::solvers
