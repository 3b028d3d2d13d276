#pragma once
/// Two bodies that meet: what their shapes and materials give a contact.

#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <models/beam.hpp>
#include <models/striker.hpp>
#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/geometry.hpp>
#include <stoss/contact/laws.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/core/sphere.hpp>

namespace stoss::models {

/// A solid sphere.
struct SolidSphere {
    static constexpr std::string_view name = "sphere";
    static constexpr std::string_view meaning = "solid sphere";

    core::Required radius = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("radius", &SolidSphere::radius, "m", core::positive, "radius r")
                .required()};
    }
    std::optional<double> volume() const {  ///< [m^3]
        return core::sphere_volume(radius);
    }
    contact::Surface surface() const { return contact::sphere(radius); }
};

/// A solid cylinder that touches with its side.
struct SolidCylinder {
    static constexpr std::string_view name = "cylinder";
    static constexpr std::string_view meaning = "solid cylinder that touches with its side";

    core::Required radius = {};
    std::optional<double> length = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("radius", &SolidCylinder::radius, "m", core::positive, "radius r")
                .required(),
            core::field("length", &SolidCylinder::length, "m", core::positive,
                        "length, from which the mass is computed; without it the cylinder does not "
                        "move, unless mass is given")};
    }
    std::optional<double> volume() const {  ///< [m^3]
        if (!length) return std::nullopt;
        return std::numbers::pi * radius * radius * *length;
    }
    contact::Surface surface() const { return contact::cylinder(radius); }
};

/// A plane that does not move.
struct FixedPlane {
    static constexpr std::string_view name = "plane";
    static constexpr std::string_view meaning = "plane that does not move";
    static constexpr auto fields() { return std::tuple{}; }
    std::optional<double> volume() const { return std::nullopt; }
    contact::Surface surface() const { return contact::plane(); }
};

/// A spherical hollow that does not move.
struct SphericalSocket {
    static constexpr std::string_view name = "socket";
    static constexpr std::string_view meaning = "spherical hollow that does not move";

    core::Required radius = {};

    static constexpr auto fields() {
        return std::tuple{core::field("radius", &SphericalSocket::radius, "m", core::positive,
                                      "radius of the hollow, larger than that of the body")
                              .required()};
    }
    std::optional<double> volume() const { return std::nullopt; }
    contact::Surface surface() const { return contact::socket(radius); }
};

/// A cylindrical groove that does not move.
struct CylindricalGroove {
    static constexpr std::string_view name = "groove";
    static constexpr std::string_view meaning = "cylindrical groove that does not move";

    core::Required radius = {};

    static constexpr auto fields() {
        return std::tuple{core::field("radius", &CylindricalGroove::radius, "m", core::positive,
                                      "radius of the groove, larger than that of the body")
                              .required()};
    }
    std::optional<double> volume() const { return std::nullopt; }
    contact::Surface surface() const { return contact::groove(radius); }
};

/// The body that comes.
struct ImpactBody {
    std::variant<SolidSphere, SolidCylinder> shape;
    Material material;

    static constexpr auto fields() {
        return std::tuple{core::field("shape", &ImpactBody::shape, "shape of the body"),
                          core::field("material", &ImpactBody::material,
                                      "material of the body; names: stoss list materials")
                              .required()};
    }
};

/// The body that it meets.
struct ImpactPartner {
    std::variant<FixedPlane, SolidSphere, SolidCylinder, SphericalSocket, CylindricalGroove> shape;
    core::OrAuto<StrikerMaterial> material;
    bool fixed = false;
    double crossing_angle = 0.5 * std::numbers::pi;

    static constexpr auto fields() {
        return std::tuple{
            core::field("shape", &ImpactPartner::shape, "shape of the target"),
            core::field("material", &ImpactPartner::material,
                        "material of the target; auto: that of the body; a target that moves needs "
                        "a density"),
            core::field("fixed", &ImpactPartner::fixed, "true: the target does not move"),
            core::field(
                "crossing_angle", &ImpactPartner::crossing_angle, "rad",
                core::closed(0.0, 0.5 * std::numbers::pi),
                "angle between the axes of two cylinders; 0: they touch along a line, for the "
                "law parallel_cylinders")};
    }
};

/// m_1 m_2/(m_1 + m_2) [kg]; none if neither body has a mass.
std::optional<double> effective_mass(const ImpactBody& body, const ImpactPartner& target);

/// E*, R* and k of the pair, or what they have along a line. Precondition: `check` found nothing.
contact::ContactBodies contact_bodies(const ImpactBody& body, const ImpactPartner& target);

/// The law with what follows from the materials of both (models/law_materials.hpp).
contact::Law with_materials(contact::Law law, const ImpactBody& body, const ImpactPartner& target);

/// What is wrong with the pair: bodies of which none has a mass; shapes for which the law does not
/// hold.
std::vector<core::Violation> check(const ImpactBody& body, const ImpactPartner& target,
                                   const contact::Law& law);

/// True for a socket or groove.
bool is_hollow(const ImpactPartner& target);

/// A contact in a hollow that is too wide for Hertz's theory under `force` [N]: where the parabolas
/// of the surfaces miss their gap by more than 5 % at its edge (theory/contact.md 5.10). Nothing
/// for bodies without a hollow.
std::vector<core::Violation> check_width(const ImpactBody& body, const ImpactPartner& target,
                                         double force);

}  // namespace stoss::models
