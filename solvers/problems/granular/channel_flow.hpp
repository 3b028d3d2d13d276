#pragma once
/// Problem `channel_flow`: rigid spheres are pushed through a channel, past an obstacle, and leave
/// at its end.

#include <optional>
#include <string_view>
#include <tuple>

#include <models/channel.hpp>
#include <models/granular.hpp>
#include <solvers/case/problem.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::solvers {

/// What is averaged, and when.
struct ChannelStatistics {
    int every = 100;
    double from = 0.0;
    int along = 75;
    int across = 33;

    static constexpr auto fields() {
        return std::tuple{
            core::field("every", &ChannelStatistics::every, "", core::closed(1, 1e9),
                        "number of steps between two samples"),
            core::field(
                "from", &ChannelStatistics::from, "s", core::non_negative,
                "time from which samples enter the means, and steps the deepest overlap of the "
                "summary; earlier ones are only in history.csv"),
            core::field("along", &ChannelStatistics::along, "", core::closed(1, 1e4),
                        "number of cells of the profiles along x"),
            core::field("across", &ChannelStatistics::across, "", core::closed(1, 1e4),
                        "number of cells of the profiles along y")};
    }
};

/// Keys of `channel_flow`.
struct ChannelFlow {
    static constexpr std::string_view name = "channel_flow";
    static constexpr std::string_view meaning =
        "rigid spheres pushed through a channel past an obstacle: profiles, packing, contacts";

    models::Channel channel;
    core::OrNone<models::ChannelObstacle> obstacle;
    core::Required density = {};
    models::ChannelInflow inflow;
    models::Triple gravity = {0.0, 0.0, -9.81};
    models::SphereFriction contact;
    models::SphereStepping stepping;
    core::Required duration = {};
    ChannelStatistics statistics;
    int frames = 10;

    static constexpr auto fields() {
        return std::tuple{
            core::field("channel", &ChannelFlow::channel,
                        "channel from the inflow at x = 0 to the outlet at x = length")
                .required(),
            core::field("obstacle", &ChannelFlow::obstacle, "obstacle in the channel"),
            core::field("density", &ChannelFlow::density, "kg/m^3", core::positive,
                        "density of the spheres")
                .required(),
            core::field("inflow", &ChannelFlow::inflow, "spheres that enter").required(),
            core::field("gravity", &ChannelFlow::gravity, "m/s^2", core::finite,
                        "acceleration of gravity: [x, y, z]"),
            core::field("contact", &ChannelFlow::contact, "friction of the contacts").required(),
            core::field("stepping", &ChannelFlow::stepping, "time steps").required(),
            core::field("duration", &ChannelFlow::duration, "s", core::positive,
                        "simulated time, rounded to the nearest whole number of steps")
                .required(),
            core::field("statistics", &ChannelFlow::statistics, "times and cells of the means"),
            core::field("frames", &ChannelFlow::frames, "", core::closed(0, 1e4),
                        "number of files for ParaView after that of the start; 0: no files at "
                        "all")};
    }
};

extern const Problem channel_flow_problem;

}  // namespace stoss::solvers
