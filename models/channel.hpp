#pragma once
/// A channel along x that spheres are pushed into at one end and leave at the other: the geometry
/// of Preclik, Eibl & Ruede (2017), section 4.3.

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <tuple>
#include <vector>

#include <models/granular.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/granular/assembly.hpp>

namespace stoss::models {

/// Inner lengths of a channel from the origin on: walls at y = 0, width and z = 0, height.
struct Channel {
    core::Required length = {};
    core::Required width = {};
    core::Required height = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field(
                "length", &Channel::length, "m", core::positive,
                "length along x; a sphere whose centre is beyond it has left through the outlet")
                .required(),
            core::field("width", &Channel::width, "m", core::positive,
                        "width along y, between the walls")
                .required(),
            core::field("height", &Channel::height, "m", core::positive,
                        "height along z, between the walls")
                .required()};
    }

    Eigen::Vector3d size() const { return {length, width, height}; }  ///< [m]
};

/// A half cylinder from floor to ceiling, round against the flow, and a box of the same width that
/// fills the other half.
struct ChannelObstacle {
    core::Required x = {};
    core::Required y = {};
    core::Required radius = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("x", &ChannelObstacle::x, "m", core::positive,
                        "x of the axis of the half cylinder")
                .required(),
            core::field("y", &ChannelObstacle::y, "m", core::positive,
                        "y of the axis of the half cylinder")
                .required(),
            core::field(
                "radius", &ChannelObstacle::radius, "m", core::positive,
                "radius of the half cylinder; behind its axis the obstacle is a box of this length")
                .required()};
    }

    /// Area [m^2] of the part of its cross section with low < (x, y) < high [m].
    double area_in(const Eigen::Vector2d& low, const Eigen::Vector2d& high) const;
};

/// How spheres come in.
struct ChannelInflow {
    core::Required radius = {};
    core::Required spacing = {};
    core::Required speed = {};
    double noise = 0.0;
    bool filled = true;
    int seed = 1;

    static constexpr auto fields() {
        return std::tuple{
            core::field("radius", &ChannelInflow::radius, "m", core::positive,
                        "radius of the spheres")
                .required(),
            core::field("spacing", &ChannelInflow::spacing, "m", core::positive,
                        "spacing of the square lattice in which a layer of spheres enters")
                .required(),
            core::field("speed", &ChannelInflow::speed, "m/s", core::positive,
                        "speed of the pushing plane and of new spheres, along x; after two radii "
                        "the plane returns and a new layer enters")
                .required(),
            core::field("noise", &ChannelInflow::noise, "m/s", core::non_negative,
                        "largest magnitude of the random y and z components of a new velocity"),
            core::field("filled", &ChannelInflow::filled,
                        "true: the channel is full of such layers at the start, `spacing` apart; "
                        "false: it holds the first layer only"),
            core::field("seed", &ChannelInflow::seed, "", core::closed(1, 2e9),
                        "seed of the random numbers: equal seeds give equal bytes")};
    }
};

/// How many planes bound the channel.
inline constexpr std::ptrdiff_t channel_walls = 5;

/// The walls: the planes of the channel, of which the first pushes, then those of the obstacle.
std::vector<granular::Wall> walls_of(const Channel& channel,
                                     const std::optional<ChannelObstacle>& obstacle,
                                     double inflow_speed);

/// Volume for spheres [m^3]: that of the channel without the obstacle.
double free_volume(const Channel& channel, const std::optional<ChannelObstacle>& obstacle);
/// The same of the part of the channel with low < (x, y) < high [m], over its whole height.
double free_volume(const Channel& channel, const std::optional<ChannelObstacle>& obstacle,
                   const Eigen::Vector2d& low, const Eigen::Vector2d& high);

/// Spheres of layer `number`, counted from the start of the run, with centres at x [m].
std::vector<granular::Sphere> layer_of(const ChannelInflow& inflow, const Channel& channel,
                                       double density, std::size_t number, double x);

/// What is wrong with the three together, beyond ranges.
std::vector<core::Violation> check(const Channel& channel,
                                   const std::optional<ChannelObstacle>& obstacle,
                                   const ChannelInflow& inflow);

}  // namespace stoss::models
