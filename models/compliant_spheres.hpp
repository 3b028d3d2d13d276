#pragma once
/// Spheres with compliant contacts: laws and materials, as a case gives them.

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <models/contact_parameters.hpp>
#include <models/granular.hpp>
#include <models/rolling_keys.hpp>
#include <models/striker.hpp>
#include <stoss/contact/tangential_law.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/granular/compliant_assembly.hpp>

namespace stoss::models {

/// E* [Pa] of two surfaces; `other` none: rigid.
double effective_modulus(const SurfaceMaterial& own, const std::optional<SurfaceMaterial>& other);

/// k_t over the slope of the normal law that elastic spheres have, 4 G*/E* (Mindlin 1949).
/// Precondition: not both surfaces are rigid.
double shear_ratio(const SurfaceMaterial& own, const std::optional<SurfaceMaterial>& other);

/// What is wrong with a law that gives neither its stiffness nor Hertz's exponent. Violations begin
/// with `path`.
std::vector<core::Violation> check_geometric_stiffness(const contact::Law& law,
                                                       const std::string& path);

/// What is wrong with a law that holds more than numbers, such as a table: none acts between the
/// spheres of `sphere_impact` and of a box. Violations begin with `path`.
std::vector<core::Violation> check_acts_between_spheres(const contact::Law& law,
                                                        const std::string& path);

/// Compliant contacts of many spheres, in place of rigid ones.
struct CompliantContacts : RollingKeys {
    ContactParameters contact;
    SurfaceMaterial material;
    core::OrNone<SurfaceMaterial> wall_material;
    contact::TangentialLaw tangential = {};
    core::OrAuto<double> tangential_ratio;

    static constexpr auto fields() {
        return std::tuple_cat(
            std::tuple{
                core::field("contact", &CompliantContacts::contact, "normal contact law")
                    .required(),
                core::field("material", &CompliantContacts::material,
                            "material of the spheres; names: stoss list materials")
                    .required(),
                core::field("wall_material", &CompliantContacts::wall_material,
                            "material of the walls; none: rigid"),
                core::field("tangential", &CompliantContacts::tangential, "tangential force law"),
                core::field(
                    "tangential_ratio", &CompliantContacts::tangential_ratio, "",
                    core::non_negative,
                    "ratio of the tangential stiffness to the slope of the normal law; auto: "
                    "4 G*/E* of the materials")},
            rolling_fields());
    }
};

/// What no range of a single key can say. Violations begin with `path`.
std::vector<core::Violation> check(const CompliantContacts& compliant, const std::string& path);

/// The stepping of spheres whose smallest radius [m] is that one.
granular::CompliantStepping stepping(const CompliantContacts& compliant,
                                     const SphereFriction& friction,
                                     const SphereStepping& parameters,
                                     const Eigen::Vector3d& gravity, double smallest_radius);

/// What is wrong with the law between two spheres of that radius [m], or one of them and a wall:
/// what follows from the radius is known only here. Violations begin with `path`.
std::vector<core::Violation> check_pairs(const CompliantContacts& compliant, double radius,
                                         const std::string& path);

/// Largest gap [m] over which the law holds two spheres of that radius [m], or one of them and a
/// wall; 0 if it does not attract. Precondition: `check_pairs` finds nothing.
double reach_of_attraction(const CompliantContacts& compliant, double radius);

/// Contact time [s] of the lightest of these spheres with another like it at twice that speed
/// [m/s]; infinite where they stick, none where there is no such impact or it cannot be computed.
std::optional<double> shortest_contact(const CompliantContacts& compliant,
                                       const std::vector<granular::Sphere>& spheres, double speed);

}  // namespace stoss::models
