#pragma once
/// A beam meets a striker, which may be another beam: the parameters of their collision, what is
/// wrong with them, and what follows from them without modes.

#include <array>
#include <numbers>
#include <optional>
#include <tuple>
#include <variant>
#include <vector>

#include <models/beam.hpp>
#include <models/contact_parameters.hpp>
#include <models/mesh.hpp>
#include <models/striker.hpp>
#include <stoss/contact/geometry.hpp>
#include <stoss/contact/laws.hpp>
#include <stoss/core/error.hpp>
#include <stoss/impact/collide.hpp>

namespace stoss::models {

/// Standard acceleration of free fall [m/s^2]: 3rd CGPM (1901).
inline constexpr double standard_gravity = 9.80665;

/// Motion of the beam at the instant of first contact, a rigid one and what vibrates already; and
/// what drives it from then on.
struct Motion {
    core::OrNone<double> velocity = {};
    double angular_velocity = 0.0;
    core::OrNone<double> approach_speed = {};
    double inclination = 0.0;
    std::vector<ModeMotion> vibration = {};
    double gravity = 0.0;
    std::vector<PointLoad> loads = {};
    core::OrNone<double> drop_height = {};

    /// Speed [m/s] at which the contact points are to close; none: that of the velocities as given.
    std::optional<double> closing_speed() const;

    static constexpr auto fields() {
        return std::tuple{
            core::field("velocity", &Motion::velocity, "m/s", core::finite,
                        "velocity V_0 of the centre of mass, along the normal of the surfaces; a "
                        "pinned beam has none"),
            core::field("angular_velocity", &Motion::angular_velocity, "rad/s", core::finite,
                        "angular velocity Omega_0; of a pinned beam about its pin"),
            core::field("approach_speed", &Motion::approach_speed, "m/s", core::positive,
                        "speed to which all rigid velocities are scaled, so that the contact "
                        "points approach with it; if none is given, the striker moves, or a free "
                        "beam if the striker is fixed"),
            core::field("drop_height", &Motion::drop_height, "m", core::positive,
                        "height h of a free fall, in place of approach_speed = sqrt(2 g h); g is "
                        "the magnitude of `gravity` or, if that is 0, 9.80665 m/s^2"),
            core::field(
                "inclination", &Motion::inclination, "rad",
                core::closed(0.0, 0.5 * std::numbers::pi),
                "angle between the axis of the beam and the surface that it meets; an inclined "
                "beam also moves and vibrates along its axis and must be free and uniform"),
            core::field("vibration", &Motion::vibration,
                        "modes of the beam that vibrate already, any number"),
            core::field("gravity", &Motion::gravity, "m/s^2", core::finite,
                        "acceleration of gravity of beam and striker during the contact, along the "
                        "normal of the surfaces, positive as velocities are: a negative one pulls "
                        "the beam down onto the striker"),
            core::field("loads", &Motion::loads,
                        "constant forces on a beam that can move rigidly, any number")};
    }
};

/// How the gap between the surfaces is seen where the stiffness follows from it.
enum class ContactArea {
    ellipse,  ///< exact
    circle    ///< of the gap's Gaussian radius of curvature, as published
};

constexpr auto enum_names(ContactArea) {
    return std::array{
        core::EnumName{ContactArea::ellipse, "ellipse", "exact: elliptical Hertz contact"},
        core::EnumName{ContactArea::circle, "circle",
                       "circle of the same Gaussian curvature, as published"}};
}

/// Contact of beam and striker.
struct BeamContact : ContactParameters {
    ContactArea area = ContactArea::ellipse;

    static constexpr auto fields() {
        return std::tuple_cat(ContactParameters::fields(),
                              std::tuple{core::field("area", &BeamContact::area,
                                                     "shape of the contact area from which the "
                                                     "stiffness is computed, if it is left out")});
    }
};

/// Time integration.
struct Integration {
    impact::Scheme scheme = {};
    core::OrNone<double> time_limit = {};

    /// True if the scheme estimates the error of the restitution.
    bool estimates_error() const { return std::holds_alternative<time::Splitting>(scheme); }

    static constexpr auto fields() {
        return std::tuple{
            core::field("scheme", &Integration::scheme, "time scheme"),
            core::field("time_limit", &Integration::time_limit, "s", core::positive,
                        "longest motion that is computed; none: 100 T, T = l^2 sqrt(mu/(EI))")};
    }
};

/// Everything about a collision but its place on the beam.
struct BeamCollision {
    Beam beam = {};
    Striker striker = {};
    Motion motion = {};
    BeamContact contact = {};
    Mesh mesh = {};
    Integration integration = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("beam", &BeamCollision::beam, "the beam").required(),
            core::field("striker", &BeamCollision::striker, "body that the beam meets").required(),
            core::field("motion", &BeamCollision::motion, "motion at first contact"),
            core::field("contact", &BeamCollision::contact, "contact law"),
            core::field("mesh", &BeamCollision::mesh,
                        "discretisation of the beam and of a striking beam"),
            core::field("integration", &BeamCollision::integration, "time integration")};
    }
};

/// What a field's own range cannot say of a beam and its mesh: sections that make sense, supports,
/// springs, masses and stations apart, modes against freedoms. Empty if all is well.
std::vector<core::Violation> check(const Beam& beam, const Mesh& mesh);

/// The same for all of a collision, and besides: motion that the
/// supports allow, a stiffness that nothing gives. `struck`: the places xi at which the bodies may
/// meet; the contact is checked there only. Empty if all is well.
std::vector<core::Violation> check(const BeamCollision& parameters,
                                   const core::Range& struck = core::closed(0.0, 1.0));

/// The gap between the surfaces of beam and striker at xi in [0, 1] (theory/contact.md 5.3).
contact::Gap gap_at(const BeamCollision& parameters, double xi);

/// E* [Pa] of beam and striker at xi (theory/contact.md 5.2).
double contact_modulus(const BeamCollision& parameters, double xi);

/// True if gravity or a constant force acts on one of the bodies.
bool is_loaded(const BeamCollision& parameters);

/// V_rel(0) [m/s] at xi in [0, 1] of the motion as given, before `motion.approach_speed` scales it:
/// velocity of the rigid striker minus that of the rigid beam. Linear in xi. Computes no modes.
/// Precondition: `check(parameters)` found nothing.
double rigid_approach_speed(const BeamCollision& parameters, double xi);

/// Speed [m/s] at which the contact points close at xi, as the bodies of a BeamModel do; not
/// positive where they do not. Precondition as above.
double closing_speed(const BeamCollision& parameters, double xi);

/// Sum of the inverse masses [1/kg] that beam and striker, both rigid, oppose to a force between
/// them at xi. Precondition as above.
double rigid_mobility(const BeamCollision& parameters, double xi);

/// The law with what follows from the materials of both bodies at xi (models/law_materials.hpp).
contact::Law with_materials(contact::Law law, const BeamCollision& parameters, double xi);

/// The law of the contact at xi; a number that is not given follows from the bodies.
contact::Law law_at(const BeamCollision& parameters, double xi);

/// k [N/m^n] of the law at xi, from the bodies if it is not given; none if the law has none.
/// Precondition as above.
std::optional<double> contact_stiffness(const BeamCollision& parameters, double xi);

}  // namespace stoss::models
