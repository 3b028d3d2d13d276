#pragma once
/// A sphere meets a plane or another sphere, with spin and friction, as a soft-sphere code computes
/// it.

#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <models/beam.hpp>
#include <models/contact_parameters.hpp>
#include <models/rolling_keys.hpp>
#include <models/striker.hpp>
#include <stoss/contact/tangential_law.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/granular/sphere_collision.hpp>
#include <stoss/impact/restitution.hpp>

namespace stoss::models {

/// The sphere that comes.
struct ImpactSphere {
    core::Required radius = {};
    Material material;

    static constexpr auto fields() {
        return std::tuple{
            core::field("radius", &ImpactSphere::radius, "m", core::positive, "radius r")
                .required(),
            core::field("material", &ImpactSphere::material,
                        "material of the sphere; names: stoss list materials")
                .required()};
    }
    SurfaceMaterial surface() const { return surface_of(material); }
};

/// A plane at rest.
struct TargetPlane {
    static constexpr std::string_view name = "plane";
    static constexpr std::string_view meaning = "plane at rest";
    static constexpr auto fields() { return std::tuple{}; }
};

/// A second sphere, its centre at rest.
struct TargetSphere {
    static constexpr std::string_view name = "sphere";
    static constexpr std::string_view meaning = "second sphere, its centre at rest";

    core::Required radius = {};
    core::Required density = {};
    double angular_velocity = 0.0;

    static constexpr auto fields() {
        return std::tuple{
            core::field("radius", &TargetSphere::radius, "m", core::positive, "radius R")
                .required(),
            core::field("density", &TargetSphere::density, "kg/m^3", core::positive, "density rho")
                .required(),
            core::field(
                "angular_velocity", &TargetSphere::angular_velocity, "rad/s", core::finite,
                "angular velocity of the second sphere, about the same axis as that of the first")};
    }
};

/// What the sphere meets.
struct ImpactTarget {
    std::variant<TargetPlane, TargetSphere> shape;
    core::OrNone<SurfaceMaterial> material;

    static constexpr auto fields() {
        return std::tuple{core::field("shape", &ImpactTarget::shape, "shape of the target"),
                          core::field("material", &ImpactTarget::material,
                                      "material of its surface; none: rigid")};
    }
};

/// Velocity by its size and direction.
struct SpeedAndAngle {
    static constexpr std::string_view name = "speed_and_angle";
    static constexpr std::string_view meaning =
        "magnitude of the velocity and its angle to the normal";

    core::Required speed = {};
    double angle = 0.0;

    static constexpr auto fields() {
        return std::tuple{core::field("speed", &SpeedAndAngle::speed, "m/s", core::positive,
                                      "speed of the centre")
                              .required(),
                          core::field("angle", &SpeedAndAngle::angle, "rad",
                                      core::Range{0.0, 0.5 * std::numbers::pi, false, true},
                                      "angle of incidence between velocity and normal")};
    }
    double normal() const { return speed * core::cos(angle); }
    double tangential() const { return speed * core::sin(angle); }
};

/// Velocity by its components.
struct SpeedComponents {
    static constexpr std::string_view name = "components";
    static constexpr std::string_view meaning = "velocity along the normal and across it";

    core::Required normal_speed = {};
    double tangential_speed = 0.0;

    static constexpr auto fields() {
        return std::tuple{core::field("normal_speed", &SpeedComponents::normal_speed, "m/s",
                                      core::positive, "speed of the centre towards the target")
                              .required(),
                          core::field("tangential_speed", &SpeedComponents::tangential_speed, "m/s",
                                      core::finite, "speed of the centre across the normal")};
    }
    double normal() const { return normal_speed; }
    double tangential() const { return tangential_speed; }
};

/// How the sphere comes. A sphere that rolls without slip on the plane has omega = v/r.
struct SphereMotion {
    std::variant<SpeedComponents, SpeedAndAngle> given;
    double angular_velocity = 0.0;

    static constexpr auto fields() {
        return std::tuple{
            core::field("given", &SphereMotion::given, "form in which the velocity is given"),
            core::field("angular_velocity", &SphereMotion::angular_velocity, "rad/s", core::finite,
                        "angular velocity omega; positive as of a sphere that rolls along the "
                        "tangential speed (the opposite of a sphere of `impact_motion`)")};
    }
    double normal() const {  ///< [m/s]
        return std::visit([](const auto& each) { return each.normal(); }, given);
    }
    double tangential() const {  ///< [m/s]
        return std::visit([](const auto& each) { return each.tangential(); }, given);
    }
};

/// Keys of the problem `sphere_impact` beside those of its ranges.
struct SphereImpact : RollingKeys {
    ImpactSphere sphere;
    ImpactTarget target;
    SphereMotion motion;
    ContactParameters contact;
    core::OrNone<double> cor = {};
    double mu = 0.0;
    contact::TangentialLaw tangential = {};
    core::OrAuto<double> tangential_ratio;
    int steps = 1000;

    static constexpr auto fields() {
        return std::tuple_cat(
            std::tuple{
                core::field("sphere", &SphereImpact::sphere, "striking sphere").required(),
                core::field("target", &SphereImpact::target, "body that the sphere meets"),
                core::field("motion", &SphereImpact::motion,
                            "motion of the sphere before the impact")
                    .required(),
                core::field("contact", &SphereImpact::contact, "normal contact law").required(),
                core::field(
                    "cor", &SphereImpact::cor, "", core::closed(1e-6, 1.0),
                    "wanted coefficient of restitution: the damping of the law is calibrated "
                    "to this impact"),
                core::field("mu", &SphereImpact::mu, "", core::non_negative,
                            "coefficient of friction"),
                core::field("tangential", &SphereImpact::tangential, "tangential force law"),
                core::field(
                    "tangential_ratio", &SphereImpact::tangential_ratio, "", core::non_negative,
                    "ratio of the tangential stiffness to the slope of the normal law; auto: "
                    "4 G*/E* of the materials"),
                core::field(
                    "steps", &SphereImpact::steps, "", core::closed(10, 1e6),
                    "number of time steps in the contact time of the law, which counts as 10 times "
                    "the largest overlap over the normal speed if it is longer")},
            rolling_fields());
    }

    double sphere_mass() const;        ///< [kg]
    double smaller_radius() const;     ///< [m]; of the sphere if the target is a plane
    double effective_mass() const;     ///< m m'/(m + m') [kg]
    double effective_modulus() const;  ///< E* [Pa]
    double shear_ratio() const;        ///< k_t over dF/dx [-]
    /// True if the normal keeps its direction: the motion along it is then that of the law alone,
    /// whatever happens across it.
    bool keeps_its_normal() const;
    /// The normal impact alone.
    impact::Impact normal_impact() const;
    /// The law with its stiffness, calibrated if an e is wanted.
    /// Errors: core::InputError if that e cannot be reached.
    contact::Law law() const;
    /// What adhesion adds to the normal force in the limit of friction [N]
    /// (theory/compliant_spheres.md 16.10): 2 F_c for `jkr`, F_c for `dmt`, 0 for all other laws
    /// and with partial slip. Precondition: `check` finds nothing. Errors: as `law`.
    double friction_adhesion() const;
};

/// What no range of a single key can say: a law without stiffness or damping, an e that cannot be
/// had. Empty if all is well.
std::vector<core::Violation> check(const SphereImpact& parameters);

using granular::SphereVelocities;
using SphereImpactStatus = granular::SphereCollisionStatus;
using SphereImpactMoment = granular::SphereCollisionSample;

/// What an impact shows, and what its law alone gives.
struct SphereImpactResult : granular::SphereCollisionResult {
    std::optional<double> cor_of_law = {};  ///< of the normal impact, without the time steps
};

/// Computes one impact by granular::collide. `path`, if given, gets a thousand samples in the
/// contact time of the law. Where the law attracts and the normal keeps its direction (a plane; two
/// spheres without slip that meet head-on) the numbers along the normal are those of
/// impact::restitution. A contact that has not ended after twenty contact times `sticks` if that of
/// the law alone does, with e = 0 and an infinite duration; otherwise it is `still_touching`, with
/// neither. Velocities and losses are then those of the last step. `not_finite`, without samples,
/// where the law alone gives no impact.
/// Precondition: `check` finds nothing. Errors: as `SphereImpact::law`.
SphereImpactResult follow(const SphereImpact& parameters, std::vector<SphereImpactMoment>* path);

}  // namespace stoss::models
