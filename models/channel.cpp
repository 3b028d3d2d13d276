#include <models/channel.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>
#include <boost/random/uniform_01.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/text.hpp>

namespace stoss::models {

namespace {

/// Places of the lattice between two walls `edge` apart.
double places(const ChannelInflow& inflow, double edge) {
    return places_between(edge, inflow.radius, inflow.spacing);
}

void check_obstacle(const Channel& channel, const ChannelObstacle& obstacle,
                    const ChannelInflow& inflow, std::vector<core::Violation>& violations) {
    const double first = 4.0 * inflow.radius + obstacle.radius;
    const double last = channel.length - obstacle.radius;
    if (first > last) {
        violations.push_back(
            {"obstacle", "",
             "does not fit between the path of the pushing plane, which is two spheres long, and "
             "the outlet",
             fmt::format("give `channel.length` of at least {:.6g} m, smaller spheres or a smaller "
                         "obstacle",
                         first + obstacle.radius)});
    } else if (obstacle.x < first || obstacle.x > last) {
        violations.push_back(
            {"obstacle.x", core::with_unit(obstacle.x, "m"),
             "must keep the obstacle between the outlet and the path of the pushing plane, which "
             "is two spheres long",
             fmt::format("give a value between {:.6g} m and {:.6g} m", first, last)});
    }
    if (obstacle.y >= channel.width) {
        violations.push_back({"obstacle.y", core::with_unit(obstacle.y, "m"),
                              "must be between the walls of the channel",
                              fmt::format("give a value below {:.6g} m", channel.width)});
        return;
    }
    const double below = obstacle.y - obstacle.radius;
    const double above = channel.width - obstacle.y - obstacle.radius;
    if (std::max(below, above) < 2.0 * inflow.radius) {
        violations.push_back({"obstacle.radius", core::with_unit(obstacle.radius, "m"),
                              "leaves a passage that is narrower than a sphere",
                              "use a smaller radius, or a wider channel"});
    }
}

/// Area between a diameter of a circle about 0 and its arc, from `begin` to `end` along it.
double area_under_arc(double radius, double begin, double end) {
    const auto integral = [&](double u) {
        const double squared = radius * radius;
        return 0.5 *
               (u * std::sqrt(std::max(0.0, squared - u * u)) + squared * core::asin(u / radius));
    };
    return integral(end) - integral(begin);
}

/// The same below a line at that height as well; -radius <= begin <= end <= 0 <= height <= radius.
double area_under_arc_and_line(double radius, double height, double begin, double end) {
    const double meeting = -std::sqrt(radius * radius - height * height);
    const double middle = std::clamp(meeting, begin, end);
    return area_under_arc(radius, begin, middle) + height * (end - middle);
}

}  // namespace

double ChannelObstacle::area_in(const Eigen::Vector2d& low, const Eigen::Vector2d& high) const {
    const double r = radius, axis_x = x, axis_y = y;
    const double bottom = std::clamp(low.y() - axis_y, -r, r);
    const double top = std::clamp(high.y() - axis_y, -r, r);
    const double front_begin = std::clamp(low.x() - axis_x, -r, 0.0);
    const double front_end = std::clamp(high.x() - axis_x, -r, 0.0);
    const auto front_up_to = [&](double height) {  // from the plane of the axis
        return std::copysign(area_under_arc_and_line(r, std::abs(height), front_begin, front_end),
                             height);
    };
    const double box_begin = std::clamp(low.x() - axis_x, 0.0, r);
    const double box_end = std::clamp(high.x() - axis_x, 0.0, r);
    return front_up_to(top) - front_up_to(bottom) + (box_end - box_begin) * (top - bottom);
}

std::vector<granular::Wall> walls_of(const Channel& channel,
                                     const std::optional<ChannelObstacle>& obstacle,
                                     double inflow_speed) {
    using granular::Plane;
    const Eigen::Vector3d still = Eigen::Vector3d::Zero(), far = channel.size();
    const std::array<Plane, channel_walls> planes{{{still, {1, 0, 0}, {inflow_speed, 0, 0}},
                                                   {still, {0, 1, 0}, still},
                                                   {far, {0, -1, 0}, still},
                                                   {still, {0, 0, 1}, still},
                                                   {far, {0, 0, -1}, still}}};
    std::vector<granular::Wall> walls(planes.begin(), planes.end());
    if (!obstacle) return walls;
    // Both reach beyond floor and ceiling, so that no sphere meets an edge there.
    const Eigen::Vector3d axis(obstacle->x, obstacle->y, 0.0);
    const double r = obstacle->radius, h = channel.height;
    walls.emplace_back(granular::Cylinder{axis, {0, 0, 1}, r});
    walls.emplace_back(
        granular::Block{axis + Eigen::Vector3d(0, -r, -h), axis + Eigen::Vector3d(r, r, 2.0 * h)});
    return walls;
}

double free_volume(const Channel& channel, const std::optional<ChannelObstacle>& obstacle) {
    return free_volume(channel, obstacle, Eigen::Vector2d::Zero(), {channel.length, channel.width});
}

double free_volume(const Channel& channel, const std::optional<ChannelObstacle>& obstacle,
                   const Eigen::Vector2d& low, const Eigen::Vector2d& high) {
    const double area = (high - low).prod();
    return (area - (obstacle ? obstacle->area_in(low, high) : 0.0)) * channel.height;
}

std::vector<granular::Sphere> layer_of(const ChannelInflow& inflow, const Channel& channel,
                                       double density, std::size_t number, double x) {
    // A layer has its own random numbers, so that a resumed run needs none of earlier layers.
    std::seed_seq seeds{static_cast<std::uint32_t>(inflow.seed), static_cast<std::uint32_t>(number),
                        static_cast<std::uint32_t>(number >> 32)};
    std::mt19937_64 engine(seeds);
    boost::random::uniform_01<double> uniform;
    const auto random = [&] { return inflow.noise * (2.0 * uniform(engine) - 1.0); };
    const auto across = static_cast<int>(places(inflow, channel.width));
    const auto up = static_cast<int>(places(inflow, channel.height));
    const Eigen::Vector2d corner = 0.5 * (Eigen::Vector2d(channel.width, channel.height) -
                                          inflow.spacing * Eigen::Vector2d(across - 1, up - 1));
    std::vector<granular::Sphere> spheres;
    for (int k = 0; k < up; ++k) {
        for (int i = 0; i < across; ++i) {
            granular::Sphere sphere;
            sphere.position = {x, corner.x() + i * inflow.spacing, corner.y() + k * inflow.spacing};
            const double v_y = random(), v_z = random();
            sphere.velocity = {inflow.speed, v_y, v_z};
            sphere.radius = inflow.radius;
            sphere.mass = mass_of(inflow.radius, density);
            spheres.push_back(sphere);
        }
    }
    return spheres;
}

std::vector<core::Violation> check(const Channel& channel,
                                   const std::optional<ChannelObstacle>& obstacle,
                                   const ChannelInflow& inflow) {
    std::vector<core::Violation> violations;
    if (inflow.spacing < 2.0 * inflow.radius) {
        violations.push_back({"inflow.spacing", core::with_unit(inflow.spacing, "m"),
                              "is less than two radii: the spheres would overlap",
                              fmt::format("give at least {:.6g} m", 2.0 * inflow.radius)});
    }
    const std::array edges{std::pair{"channel.width", channel.width},
                           std::pair{"channel.height", channel.height}};
    for (const auto& [key, edge] : edges) {
        if (places(inflow, edge) >= 1.0) continue;
        violations.push_back({key, core::with_unit(edge, "m"), "is narrower than a sphere",
                              fmt::format("give at least {:.6g} m", 2.0 * inflow.radius)});
    }
    if (channel.length < 4.0 * inflow.radius) {
        violations.push_back({"channel.length", core::with_unit(channel.length, "m"),
                              "must be longer than the path of the pushing plane",
                              fmt::format("give at least {:.6g} m", 4.0 * inflow.radius)});
    }
    if (obstacle) check_obstacle(channel, *obstacle, inflow, violations);
    return violations;
}

}  // namespace stoss::models
