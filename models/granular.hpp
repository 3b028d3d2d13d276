#pragma once
/// Parameters of many spheres in contact.

#include <Eigen/Core>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <models/friction_range.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/granular/assembly.hpp>

namespace stoss::models {

/// How spheres and walls act on each other.
struct SphereFriction {
    granular::Friction model = granular::Friction::maximum_dissipation;
    core::Required friction = {};
    core::OrNone<double> wall_friction = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("model", &SphereFriction::model, "force along the contact plane"),
            core::field("friction", &SphereFriction::friction, "", friction_range,
                        "coefficient of friction")
                .required(),
            core::field(
                "wall_friction", &SphereFriction::wall_friction, "", friction_range,
                "coefficient of friction between sphere and wall; none: as between spheres")};
    }
};

/// The time steps.
struct SphereStepping {
    static constexpr double margin_share = 0.4, skin_share = 0.2;  // of the smallest radius

    core::Required step = {};
    int sweeps = 10;
    double tolerance = 1e-6;
    double relaxation = 1.0;
    double error_reduction = 0.2;
    core::OrAuto<double> margin = {};
    core::OrAuto<double> skin = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("step", &SphereStepping::step, "s", core::positive, "time step dt")
                .required(),
            core::field("sweeps", &SphereStepping::sweeps, "", core::closed(1, 1e6),
                        "largest number of sweeps over all contacts in a step"),
            core::field("tolerance", &SphereStepping::tolerance, "m/s", core::non_negative,
                        "change of velocity below which the sweeps end"),
            core::field("relaxation", &SphereStepping::relaxation, "",
                        core::Range{0.0, 1.0, true, false},
                        "relaxation factor: weight of a new impulse"),
            core::field("error_reduction", &SphereStepping::error_reduction, "",
                        core::closed(0.0, 1.0), "fraction of an overlap that is removed in a step"),
            core::field(
                "margin", &SphereStepping::margin, "m", core::positive,
                "gap below which a pair becomes a contact; auto: 0.4 of the smallest radius"),
            core::field("skin", &SphereStepping::skin, "m", core::positive,
                        "further gap of the pairs that are stored; they are searched again when a "
                        "sphere has moved half of it; the motion depends on it only by the order "
                        "in which contacts are relaxed; auto: 0.2 of the smallest radius, more "
                        "where spheres stream")};
    }

    double margin_of(double smallest_radius) const {  ///< [m]
        return margin.value_or(margin_share * smallest_radius);
    }
    double skin_of(double smallest_radius) const {  ///< [m]
        return skin.value_or(skin_share * smallest_radius);
    }
};

/// A vector in space as a case gives it: three numbers.
using Triple = std::vector<double>;

inline Eigen::Vector3d vector_of(const Triple& triple) {
    return {triple[0], triple[1], triple[2]};
}

/// Mass [kg] of a sphere.
double mass_of(double radius, double density);

/// What is wrong with a mass [kg] of a sphere that follows from the value of that key: squares of
/// its impulses must be numbers, and not zero.
std::vector<core::Violation> check_mass(double mass, const std::string& key,
                                        const std::string& value);

/// What is wrong with `triple`, of unit `unit`, under `key`; empty if it has three numbers.
std::vector<core::Violation> check_triple(const Triple& triple, const std::string& key);

/// A step must fit into the time that is followed, and integers count the steps.
std::vector<core::Violation> check_step(const SphereStepping& stepping, double duration);

/// A sphere as a case gives it.
struct GivenSphere {
    core::Required radius = {};
    Triple position;
    Triple velocity = {0.0, 0.0, 0.0};
    Triple angular_velocity = {0.0, 0.0, 0.0};

    static constexpr auto fields() {
        return std::tuple{
            core::field("radius", &GivenSphere::radius, "m", core::positive, "radius of the sphere")
                .required(),
            core::field("position", &GivenSphere::position, "m", core::finite,
                        "position of its centre: [x, y, z]")
                .required(),
            core::field("velocity", &GivenSphere::velocity, "m/s", core::finite,
                        "velocity of its centre"),
            core::field("angular_velocity", &GivenSphere::angular_velocity, "rad/s", core::finite,
                        "angular velocity about its centre")};
    }
};

/// Spheres on a cubic lattice, layer by layer from the floor, in random motion.
struct SphereLattice {
    int count = 0;
    core::Required radius = {};
    double radius_spread = 0.0;
    core::OrAuto<double> spacing = {};
    double speed = 0.0;
    int seed = 1;

    static constexpr auto fields() {
        return std::tuple{
            core::field("count", &SphereLattice::count, "", core::closed(1, 1e8),
                        "number of spheres")
                .required(),
            core::field("radius", &SphereLattice::radius, "m", core::positive, "mean radius")
                .required(),
            core::field("radius_spread", &SphereLattice::radius_spread, "", core::closed(0.0, 0.5),
                        "largest deviation of a radius from the mean, as a fraction of the mean; "
                        "radii are uniformly distributed"),
            core::field("spacing", &SphereLattice::spacing, "m", core::positive,
                        "distance of neighbouring places; auto: 2.1 of the largest radius"),
            core::field("speed", &SphereLattice::speed, "m/s", core::non_negative,
                        "largest magnitude of each random component of a velocity"),
            core::field("seed", &SphereLattice::seed, "", core::closed(1, 2e9),
                        "seed of the random numbers: equal seeds give equal bytes")};
    }

    double largest_radius() const { return radius * (1.0 + radius_spread); }      ///< [m]
    double distance() const { return spacing.value_or(2.1 * largest_radius()); }  ///< [m]
    /// Places along an axis of a box of that edge [m].
    double places(double edge) const;
};

/// Places of spheres of that radius, `spacing` apart, between two walls `edge` apart [m].
double places_between(double edge, double radius, double spacing);

/// What is wrong with a lattice in a box of that size [m]: spheres that would overlap, an edge,
/// `edges`.x to `edges`.z, with more places than integers count, or too few places.
std::vector<core::Violation> check(const SphereLattice& lattice, const Eigen::Vector3d& size,
                                   const std::string& edges);

/// The six walls of a box [0, size], size [m]: planes at rest that face inwards.
std::vector<granular::Wall> walls_of_box(const Eigen::Vector3d& size);

/// The spheres of a lattice in a box [0, size]. Precondition: the box has places enough.
std::vector<granular::Sphere> spheres_of(const SphereLattice& lattice, const Eigen::Vector3d& size,
                                         double density);
std::vector<granular::Sphere> spheres_of(const std::vector<GivenSphere>& given, double density);

/// The deepest overlap of two spheres, as a fraction of the smaller radius, and which they are: the
/// numbers of two free spheres, or of their clumps.
struct Overlap {
    double share = 0.0;
    std::size_t first = 0, second = 0;
};
Overlap deepest_overlap(granular::Spheres spheres);

/// The stepping of spheres whose smallest radius [m] is that one.
granular::Stepping stepping(const SphereFriction& friction, const SphereStepping& parameters,
                            const Eigen::Vector3d& gravity, double smallest_radius);

}  // namespace stoss::models
