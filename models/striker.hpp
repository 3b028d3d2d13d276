#pragma once
/// Parameters of the body that meets the beam: a point mass with a curved elastic surface, or
/// another beam.

#include <numbers>
#include <optional>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <models/beam.hpp>
#include <models/presets.hpp>
#include <stoss/contact/geometry.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/core/sphere.hpp>

namespace stoss::models {

/// Surface of a cylinder whose axis crosses the beam's.
struct Cylinder {
    static constexpr std::string_view name = "cylinder";
    static constexpr std::string_view meaning = "cylinder that crosses the beam";

    core::Required radius = {};
    double crossing_angle = 0.5 * std::numbers::pi;
    std::optional<double> length = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("radius", &Cylinder::radius, "m", core::positive, "radius r_c").required(),
            core::field("crossing_angle", &Cylinder::crossing_angle, "rad",
                        core::Range{0.0, 0.5 * std::numbers::pi, true, false},
                        "angle between the axes of beam and cylinder"),
            core::field("length", &Cylinder::length, "m", core::positive,
                        "length of a solid cylinder, for mass: auto; none: the cylinder is "
                        "inertially fixed unless its mass is given")};
    }

    /// [m^3]; none without a length.
    std::optional<double> volume() const {
        if (!length) return std::nullopt;
        return std::numbers::pi * radius * radius * *length;
    }

    /// Curvatures [1/m] where it touches.
    contact::Surface surface() const { return contact::cylinder(radius); }
};

/// Surface of a sphere.
struct Sphere {
    static constexpr std::string_view name = "sphere";
    static constexpr std::string_view meaning = "sphere";

    core::Required radius = {};

    static constexpr double crossing_angle = 0.0;  ///< [rad]; the same from all sides

    static constexpr auto fields() {
        return std::tuple{
            core::field("radius", &Sphere::radius, "m", core::positive, "radius r_s").required()};
    }

    /// Volume of a solid sphere [m^3].
    double volume() const { return core::sphere_volume(radius); }

    /// Curvatures [1/m] where it touches.
    contact::Surface surface() const { return contact::sphere(radius); }
};

/// A beam that crosses the first. Its w is along the other's, it is struck on its upper side, and
/// it moves as `velocity` of the striker and its own angular velocity say.
struct StrikingBeam {
    static constexpr std::string_view name = "beam";
    static constexpr std::string_view meaning = "another flexible beam that crosses the beam";

    Beam beam = {};
    core::Required xi = {};
    double crossing_angle = 0.5 * std::numbers::pi;
    double angular_velocity = 0.0;
    std::vector<ModeMotion> vibration = {};
    std::vector<PointLoad> loads = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("beam", &StrikingBeam::beam, "the striking beam").required(),
            core::field("xi", &StrikingBeam::xi, "", core::closed(0.0, 1.0),
                        "place x/l along the striking beam that touches the other")
                .required(),
            core::field("crossing_angle", &StrikingBeam::crossing_angle, "rad",
                        core::Range{0.0, 0.5 * std::numbers::pi, true, false},
                        "angle between the axes of the two beams"),
            core::field("angular_velocity", &StrikingBeam::angular_velocity, "rad/s", core::finite,
                        "angular velocity of the striking beam; of a pinned one about its pin"),
            core::field("vibration", &StrikingBeam::vibration,
                        "modes of the striking beam that vibrate already, any number"),
            core::field("loads", &StrikingBeam::loads,
                        "constant forces on a striking beam that can move rigidly, any number")};
    }

    /// Curvatures [1/m] where it touches.
    contact::Surface surface() const {
        return {beam.section.properties(xi).contact_curvature, 0.0};
    }
};

/// Elastic constants at the contact; an infinite modulus is a rigid body.
struct SurfaceMaterial {
    core::Required youngs_modulus = {};
    core::Required poisson_ratio = {};
    core::OrNone<double> yield_stress = {};
    core::OrNone<double> surface_energy = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("youngs_modulus", &SurfaceMaterial::youngs_modulus, "Pa",
                        core::positive_or_infinite, "Young's modulus E_c; inf: rigid")
                .required(),
            core::field("poisson_ratio", &SurfaceMaterial::poisson_ratio, "",
                        core::Range{-1.0, 0.5, true, false}, "Poisson's ratio nu_c")
                .required(),
            core::field("yield_stress", &SurfaceMaterial::yield_stress, "Pa", core::positive,
                        "yield stress Y in simple tension; beam_impact and beam_impact_map warn "
                        "where the peak pressure of the contact is too high for it"),
            core::field("surface_energy", &SurfaceMaterial::surface_energy, "J/m^2", core::positive,
                        "surface energy gamma, for the work of adhesion of a law that gives "
                        "neither that work nor a pull-off force: w = 2 sqrt(gamma_1 gamma_2)")};
    }
    static std::string_view presets() { return material_presets(); }
};

/// A rigid body without adhesion.
inline SurfaceMaterial rigid_surface() {
    return {core::infinity, 0.0};
}

/// What a solid is at its surface.
inline SurfaceMaterial surface_of(const Material& solid) {
    return {solid.youngs_modulus, solid.poisson_ratio, solid.yield_stress, solid.surface_energy};
}

/// Material of a striker: its density gives the mass of a solid one.
struct StrikerMaterial : SurfaceMaterial {
    std::optional<double> density = {};

    StrikerMaterial() = default;
    StrikerMaterial(const SurfaceMaterial& surface) : SurfaceMaterial(surface) {}
    StrikerMaterial(const Material& solid)
        : SurfaceMaterial(surface_of(solid)), density(solid.density) {}
    StrikerMaterial(double modulus, double ratio, std::optional<double> mass_density = {})
        : SurfaceMaterial{modulus, ratio}, density(mass_density) {}

    static constexpr auto fields() {
        return std::tuple_cat(
            SurfaceMaterial::fields(),
            std::tuple{core::field(
                "density", &StrikerMaterial::density, "kg/m^3", core::positive,
                "density rho_c, for mass: auto; a material given by its name has one")});
    }
};

/// A mass inside the striker, and the spring in front of it.
struct InnerMass {
    core::Required mass = {};
    core::Required stiffness = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("mass", &InnerMass::mass, "kg", core::positive,
                        "this part of the striker's mass")
                .required(),
            core::field("stiffness", &InnerMass::stiffness, "N/m", core::positive,
                        "stiffness of the spring between this mass and the one in front of it")
                .required()};
    }
};

/// The striker; an infinite mass keeps its velocity.
struct Striker {
    std::variant<Cylinder, Sphere, StrikingBeam> shape = {};
    core::OrNone<StrikerMaterial> material = {};
    core::OrAuto<double> mass = {};
    double velocity = 0.0;
    double load = 0.0;
    std::vector<InnerMass> inner = {};
    double inner_damping_time = 0.0;

    /// Mass m_c of a cylinder or sphere [kg]: as given; else that of a solid one, where shape and
    /// material give it; else infinite.
    double total_mass() const {
        if (mass) return *mass;
        const auto volume = std::visit(
            [](const auto& each) -> std::optional<double> {
                if constexpr (requires { each.volume(); }) return each.volume();
                return std::nullopt;
            },
            shape);
        const bool is_known = volume && material && material->density;
        return is_known ? *volume * *material->density : core::infinity;
    }
    /// The part of the mass that is touched: all but the inner masses [kg].
    double outer_mass() const {
        double rest = total_mass();
        for (const InnerMass& each : inner) rest -= each.mass;
        return rest;
    }
    /// The beam that strikes; nullptr: a point mass does.
    const StrikingBeam* striking_beam() const { return std::get_if<StrikingBeam>(&shape); }
    /// Material of its surface. Precondition: `check` found nothing.
    SurfaceMaterial surface_material() const {
        if (const StrikingBeam* const other = striking_beam())
            return surface_of(other->beam.material_at(other->xi));
        const SurfaceMaterial& surface = material.value();
        return surface;
    }

    static constexpr auto fields() {
        return std::tuple{
            core::field("shape", &Striker::shape, "shape of the surface that touches the beam")
                .required(),
            core::field("material", &Striker::material,
                        "material of a cylinder or sphere, which must have one; names: stoss list "
                        "materials"),
            core::field("mass", &Striker::mass, "kg", core::positive_or_infinite,
                        "mass m_c of a cylinder or sphere; inf: inertially fixed; auto: of a solid "
                        "one, from its radius (and length) and the density of its material, or inf "
                        "where one of these is not given"),
            core::field("velocity", &Striker::velocity, "m/s", core::finite,
                        "velocity S_0 along the axis of w, positive towards the beam; of a "
                        "striking beam that of its centre of mass"),
            core::field("load", &Striker::load, "N", core::finite,
                        "constant force on a cylinder or sphere during contact; a positive one "
                        "presses it on the beam"),
            core::field("inner", &Striker::inner,
                        "masses in a row behind the surface of a cylinder or sphere, each on a "
                        "spring: a ball that vibrates"),
            core::field("inner_damping_time", &Striker::inner_damping_time, "s", core::non_negative,
                        "ratio of damping to stiffness of those springs: a viscoelastic ball")};
    }
};

}  // namespace stoss::models
