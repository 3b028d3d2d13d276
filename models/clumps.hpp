#pragma once
/// Parameters of rigid clumps of spheres.

#include <Eigen/Core>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <models/granular.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/granular/clump.hpp>

namespace stoss::models {

/// A sphere of a shape.
struct ShapeSphere {
    core::Required radius = {};
    Triple position;

    static constexpr auto fields() {
        return std::tuple{core::field("radius", &ShapeSphere::radius, "m",
                                      core::closed(1e-12, 1e12), "radius of the sphere")
                              .required(),
                          core::field("position", &ShapeSphere::position, "m", core::finite,
                                      "position of its centre in the frame of the shape: [x, y, z]")
                              .required()};
    }
};

/// Spheres held together, under a name.
struct Shape {
    std::string name;
    std::vector<ShapeSphere> spheres;
    core::OrAuto<double> mass;
    core::OrAuto<Triple> centre;
    core::OrAuto<Triple> inertia;

    static constexpr auto fields() {
        return std::tuple{
            core::field("name", &Shape::name, "name of the shape, used in `grains` and `clumps`")
                .required(),
            core::field("spheres", &Shape::spheres,
                        "one or more spheres; space that they share counts once")
                .required(),
            core::field("mass", &Shape::mass, "kg", core::positive,
                        "mass; auto: of the space that the spheres fill, at `density`"),
            core::field("centre", &Shape::centre, "m", core::finite,
                        "centre of mass in the frame of the shape: [x, y, z]; auto: of that space"),
            core::field(
                "inertia", &Shape::inertia, "kg m^2", core::positive,
                "moments of inertia about the centre of mass along x, y, z of the shape, which "
                "must then be its principal axes; auto: principal moments and axes of that space")};
    }
};

/// A clump as a case gives it.
struct GivenClump {
    std::string shape;
    Triple position;
    std::vector<double> orientation = {1.0, 0.0, 0.0, 0.0};
    Triple velocity = {0.0, 0.0, 0.0};
    Triple angular_velocity = {0.0, 0.0, 0.0};

    static constexpr auto fields() {
        return std::tuple{
            core::field("shape", &GivenClump::shape, "name of a shape of `shapes`").required(),
            core::field("position", &GivenClump::position, "m", core::finite,
                        "position of its centre of mass: [x, y, z]")
                .required(),
            core::field("orientation", &GivenClump::orientation, "", core::finite,
                        "quaternion [w, x, y, z] that turns the frame of the shape into that of "
                        "the box"),
            core::field("velocity", &GivenClump::velocity, "m/s", core::finite,
                        "velocity of its centre of mass"),
            core::field("angular_velocity", &GivenClump::angular_velocity, "rad/s", core::finite,
                        "angular velocity along the axes of the box")};
    }
};

/// What is wrong with `shapes`, beyond ranges.
std::vector<core::Violation> check(const std::vector<Shape>& shapes);

/// What is wrong with a name under `key` that should be one of `shapes`.
std::vector<core::Violation> check_shape_name(const std::string& name, const std::string& key,
                                              const std::vector<Shape>& shapes);

/// What is wrong with a clump under `key`, beyond ranges and its shape.
std::vector<core::Violation> check(const GivenClump& clump, const std::string& key);

/// A shape whose mass is known.
struct SolidShape {
    granular::Clump clump;  ///< at rest at the origin, the frame of the shape along the axes
    double volume = 0.0;    ///< of the space that the spheres fill [m^3]

    double bound() const;              ///< of the sphere about the centre that holds all [m]
    double equivalent_radius() const;  ///< of the sphere of that volume [m]
    double volume_of_spheres() const;  ///< of all spheres, shared space counted by each [m^3]
};

/// Preconditions: no violations; `name` is one of `shapes`.
SolidShape solid_of(const std::vector<Shape>& shapes, const std::string& name, double density);

/// Clumps of one shape in place of spheres that hold them: each is scaled, mass and all, to the
/// radius of its sphere, moves like it and is turned at random.
std::vector<granular::Clump> clumps_in(const std::vector<granular::Sphere>& bounds,
                                       const SolidShape& shape, int seed);

std::vector<granular::Clump> clumps_of(const std::vector<GivenClump>& given,
                                       const std::vector<Shape>& shapes, double density);

/// A sphere among clumps.
granular::Clump clump_of(const granular::Sphere& sphere);

}  // namespace stoss::models
