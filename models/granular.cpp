#include <models/granular.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>

#include <fmt/format.h>
#include <boost/random/uniform_01.hpp>
#include <stoss/core/text.hpp>

namespace stoss::models {

double mass_of(double radius, double density) {
    // Not density times core::sphere_volume, which rounds otherwise: motions of many spheres would
    // change.
    return density * 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
}

std::vector<core::Violation> check_mass(double mass, const std::string& key,
                                        const std::string& value) {
    constexpr double least = 1e-100, largest = 1e100;
    if (mass >= least && mass <= largest) return {};
    return {{key, value,
             fmt::format("gives a sphere the mass {:.3g} kg, which is not between {:g} kg and {:g} "
                         "kg",
                         mass, least, largest),
             "check the units"}};
}

std::vector<core::Violation> check_triple(const Triple& triple, const std::string& key) {
    if (triple.size() == 3) return {};
    return {
        {key, fmt::format("{} numbers", triple.size()), "must have three numbers: [x, y, z]", ""}};
}

std::vector<core::Violation> check_step(const SphereStepping& stepping, double duration) {
    constexpr double most_steps = 1e12;
    const auto refused = [&](std::string rule, std::string hint) {
        return std::vector<core::Violation>{{"stepping.step", core::with_unit(stepping.step, "s"),
                                             std::move(rule), std::move(hint)}};
    };
    if (stepping.step > duration)
        return refused("is longer than `duration`", "give a step below `duration`");
    if (!(duration / stepping.step <= most_steps)) {
        return refused(
            fmt::format("is too short: `duration` would take more than {:g} steps", most_steps),
            "use a longer step");
    }
    return {};
}

double places_between(double edge, double radius, double spacing) {
    const double room = edge - 2.0 * radius;
    // Roundoff may make an edge of n distances a little shorter than n distances.
    return room < 0.0 ? 0.0 : std::floor(room / spacing + 1e-9) + 1.0;
}

double SphereLattice::places(double edge) const {
    return places_between(edge, largest_radius(), distance());
}

std::vector<core::Violation> check(const SphereLattice& lattice, const Eigen::Vector3d& size,
                                   const std::string& edges) {
    // Along an edge: doubles tell the spheres at both ends apart, and integers count them.
    constexpr double most_places = 1e9;
    if (lattice.distance() < 2.0 * lattice.largest_radius()) {
        return {{"lattice.spacing", core::with_unit(lattice.distance(), "m"),
                 "is less than two of the largest radius: the spheres would overlap",
                 fmt::format("give at least {:.6g} m", 2.0 * lattice.largest_radius())}};
    }
    double places = 1.0;
    for (int k = 0; k < 3; ++k) {
        const double along = lattice.places(size[k]);
        if (!(along <= most_places)) {
            return {{fmt::format("{}.{}", edges, "xyz"[k]), core::with_unit(size[k], "m"),
                     fmt::format("is wider than {:g} places of the lattice", most_places),
                     "use a smaller box"}};
        }
        places *= along;
    }
    if (places >= lattice.count) return {};
    return {{"lattice.count", std::to_string(lattice.count),
             fmt::format("are too many: the box has {:.0f} places", places),
             "use a larger box, or a smaller spacing"}};
}

std::vector<granular::Wall> walls_of_box(const Eigen::Vector3d& size) {
    std::vector<granular::Wall> walls;
    for (int k = 0; k < 3; ++k) {
        const Eigen::Vector3d axis = Eigen::Vector3d::Unit(k);
        walls.emplace_back(granular::Plane{Eigen::Vector3d::Zero(), axis, Eigen::Vector3d::Zero()});
        walls.emplace_back(granular::Plane{size, -axis, Eigen::Vector3d::Zero()});
    }
    return walls;
}

std::vector<granular::Sphere> spheres_of(const SphereLattice& lattice, const Eigen::Vector3d& size,
                                         double density) {
    std::mt19937_64 engine(static_cast<std::uint64_t>(lattice.seed));
    boost::random::uniform_01<double> uniform;
    const auto random = [&] { return 2.0 * uniform(engine) - 1.0; };
    const int across = static_cast<int>(lattice.places(size.x()));
    const int deep = static_cast<int>(lattice.places(size.y()));
    const Eigen::Vector3d used = lattice.distance() * Eigen::Vector3d(across - 1, deep - 1, 0);
    Eigen::Vector3d corner = 0.5 * (size - used);  // amid the box
    corner.z() = lattice.largest_radius();
    std::vector<granular::Sphere> spheres;
    for (int i = 0; i < lattice.count; ++i) {
        const int column = i % across, row = i / across % deep, layer = i / across / deep;
        const Eigen::Vector3d place(column, row, layer);
        granular::Sphere sphere;
        sphere.position = corner + lattice.distance() * place;
        sphere.radius = lattice.radius * (1.0 + lattice.radius_spread * random());
        sphere.mass = mass_of(sphere.radius, density);
        for (double& component : sphere.velocity) component = lattice.speed * random();
        spheres.push_back(sphere);
    }
    return spheres;
}

std::vector<granular::Sphere> spheres_of(const std::vector<GivenSphere>& given, double density) {
    std::vector<granular::Sphere> spheres;
    for (const GivenSphere& one : given) {
        spheres.push_back({vector_of(one.position), vector_of(one.velocity),
                           vector_of(one.angular_velocity), one.radius,
                           mass_of(one.radius, density)});
    }
    return spheres;
}

Overlap deepest_overlap(granular::Spheres spheres) {
    granular::PairList list;
    core::Workers one_thread(1);
    list.rebuild(spheres, {}, 0.0, one_thread);
    const auto body = [&](std::uint32_t i) {
        return spheres.attachment.empty() ? spheres.id[i] : spheres.attachment[i].body;
    };
    Overlap deepest;
    for (const granular::Pair& pair : list.pairs()) {
        const double r = spheres.motion[pair.first].radius,
                     other = spheres.motion[pair.second].radius;
        const double distance =
            (spheres.position[pair.first] - spheres.position[pair.second]).norm();
        const double share = (r + other - distance) / std::min(r, other);
        if (share <= deepest.share) continue;
        const std::uint32_t one = body(pair.first), two = body(pair.second);
        deepest = {share, std::min(one, two), std::max(one, two)};
    }
    return deepest;
}

granular::Stepping stepping(const SphereFriction& friction, const SphereStepping& parameters,
                            const Eigen::Vector3d& gravity, double smallest_radius) {
    granular::Stepping result;
    result.step = parameters.step;
    result.gravity = gravity;
    result.friction = friction.model;
    result.mu = friction.friction;
    result.wall_mu = friction.wall_friction.value_or(friction.friction);
    result.sweeps = parameters.sweeps;
    result.tolerance = parameters.tolerance;
    result.relaxation = parameters.relaxation;
    result.error_reduction = parameters.error_reduction;
    result.margin = parameters.margin_of(smallest_radius);
    result.skin = parameters.skin_of(smallest_radius);
    return result;
}

}  // namespace stoss::models
