#include <models/compliant_spheres.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>
#include <models/law_materials.hpp>
#include <stoss/contact/geometry.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/text.hpp>
#include <stoss/impact/restitution.hpp>

namespace stoss::models {

double effective_modulus(const SurfaceMaterial& own, const std::optional<SurfaceMaterial>& other) {
    const SurfaceMaterial second = other.value_or(rigid_surface());
    return contact::effective_modulus(own.youngs_modulus, own.poisson_ratio, second.youngs_modulus,
                                      second.poisson_ratio);
}

/// 1/G* = sum (2 - nu)/G, G = E/(2 (1 + nu)); k_t = 8 G* a and dF/dx = 2 E* a
/// (theory/compliant_spheres.md 16.3).
double shear_ratio(const SurfaceMaterial& own, const std::optional<SurfaceMaterial>& other) {
    const auto compliance = [](const SurfaceMaterial& of) {
        return 2.0 * (2.0 - of.poisson_ratio) * (1.0 + of.poisson_ratio) / of.youngs_modulus;
    };
    const double sum = compliance(own) + (other ? compliance(*other) : 0.0);
    return 4.0 / (sum * effective_modulus(own, other));
}

std::vector<core::Violation> check_geometric_stiffness(const contact::Law& law,
                                                       const std::string& path) {
    std::vector<core::Violation> found;
    std::visit(
        [&](const auto& each) {
            if constexpr (requires {
                              each.stiffness;
                              each.exponent;
                          }) {
                if (each.stiffness || each.exponent == 1.5) return;
                found.push_back(
                    {path + ".stiffness", "",
                     fmt::format("is missing; it is computed for exponent 1.5 only, not {}",
                                 core::to_text(each.exponent)),
                     fmt::format("give {}.stiffness, a plain number in N/m^{}", path,
                                 core::to_text(each.exponent))});
            }
        },
        law);
    return found;
}

std::vector<core::Violation> check_acts_between_spheres(const contact::Law& law,
                                                        const std::string& path) {
    return std::visit(
        [&]<class L>(const L&) -> std::vector<core::Violation> {
            if constexpr (std::is_trivially_copyable_v<L>) return {};
            return {{path + ".law", std::string(L::name),
                     "cannot be used between spheres: they take laws with a formula for the force, "
                     "not a table",
                     "use a law with the exponent of the curve, such as `hunt_crossley` with "
                     "`stiffness` and `exponent`; `restitution` takes a table"}};
        },
        law);
}

namespace {

/// The law between a sphere and a surface of another material; none: a rigid one.
contact::Law law_against(const CompliantContacts& compliant,
                         const std::optional<SurfaceMaterial>& other) {
    return with_materials(compliant.contact.law, compliant.material,
                          other.value_or(rigid_surface()));
}

/// The law between two spheres of the same radius [m].
contact::Law law_between(const CompliantContacts& compliant, double radius) {
    return granular::law_of_pair(law_against(compliant, compliant.material),
                                 effective_modulus(compliant.material, compliant.material),
                                 0.5 * radius);
}

/// The law between a sphere of that radius [m] and a plane wall.
contact::Law law_at_wall(const CompliantContacts& compliant, double radius) {
    return granular::law_of_pair(law_against(compliant, compliant.wall_material),
                                 effective_modulus(compliant.material, compliant.wall_material),
                                 radius);
}

/// What the law lacks between two spheres, and then at a wall.
std::vector<core::Violation> check_law(const CompliantContacts& compliant,
                                       const std::string& path) {
    const auto check_against = [&](const std::optional<SurfaceMaterial>& other) {
        return check({law_against(compliant, other), compliant.contact.separation}, path);
    };
    std::vector<core::Violation> found = check_against(compliant.material);
    if (!found.empty()) return found;
    found = check_against(compliant.wall_material);
    for (core::Violation& each : found) {
        each.rule += ": the material of the walls does not give it";
        each.suggestion = "give one of the two, or the walls such a material";
    }
    return found;
}

}  // namespace

std::vector<core::Violation> check(const CompliantContacts& compliant, const std::string& path) {
    std::vector<core::Violation> found = check_law(compliant, path + ".contact");
    core::append(check_acts_between_spheres(compliant.contact.law, path + ".contact"), found);
    core::append(check_geometric_stiffness(compliant.contact.law, path + ".contact"), found);
    if (std::isinf(compliant.material.youngs_modulus)) {
        found.push_back({path + ".material.youngs_modulus", "inf",
                         "must be finite: rigid spheres have no compliant contacts",
                         "leave out `compliant`"});
    }
    return found;
}

granular::CompliantStepping stepping(const CompliantContacts& compliant,
                                     const SphereFriction& friction,
                                     const SphereStepping& parameters,
                                     const Eigen::Vector3d& gravity, double smallest_radius) {
    const auto between = [&](const std::optional<SurfaceMaterial>& other, double mu) {
        const double share = compliant.tangential_ratio ? *compliant.tangential_ratio
                                                        : shear_ratio(compliant.material, other);
        const bool slips = friction.model == granular::Friction::frictionless;
        return granular::Compliance{effective_modulus(compliant.material, other), share,
                                    slips ? 0.0 : mu, compliant.resistance()};
    };
    granular::CompliantStepping result;
    result.step = parameters.step;
    result.gravity = gravity;
    result.law = law_against(compliant, compliant.material);
    result.wall_law = law_against(compliant, compliant.wall_material);
    result.separation = compliant.contact.separation;
    result.spheres = between(compliant.material, friction.friction);
    result.walls =
        between(compliant.wall_material, friction.wall_friction.value_or(friction.friction));
    result.skin = parameters.skin_of(smallest_radius);
    result.tangential = compliant.tangential;
    return result;
}

std::vector<core::Violation> check_pairs(const CompliantContacts& compliant, double radius,
                                         const std::string& path) {
    std::vector<core::Violation> found;
    const auto check_pair = [&](const contact::Law& law, const std::string& words) {
        if (!found.empty()) return;  // a wall lacks the same
        const std::string key = path + ".contact";
        found = check_with_bodies(law, key);
        for (core::Violation& each : found) {
            if (each.value.empty()) continue;  // a number is missing
            each.rule = fmt::format("cannot act {} of radius {:.3g} m: {} of {} {}", words, radius,
                                    each.key.substr(key.size() + 1), each.value, each.rule);
            each.key = key;
            each.value.clear();
        }
    };
    check_pair(law_between(compliant, radius), "between spheres");
    check_pair(law_at_wall(compliant, radius), "between a wall and a sphere");
    return found;
}

double reach_of_attraction(const CompliantContacts& compliant, double radius) {
    const auto reach_of = [&](const contact::Law& law) {
        return std::visit(
            [&](const auto& each) {
                const auto memory =
                    contact::with_all_numbers(each).prepare({1.0, compliant.contact.separation});
                return std::max(0.0, -contact::end_overlap(each, memory));
            },
            law);
    };
    return std::max(reach_of(law_between(compliant, radius)),
                    reach_of(law_at_wall(compliant, radius)));
}

std::optional<double> shortest_contact(const CompliantContacts& compliant,
                                       const std::vector<granular::Sphere>& spheres, double speed) {
    const granular::Sphere& lightest =
        *std::min_element(spheres.begin(), spheres.end(),
                          [](const auto& a, const auto& b) { return a.mass < b.mass; });
    const contact::Law law = law_between(compliant, lightest.radius);
    const impact::Impact impact{2.0 * speed, 0.5 * lightest.mass, 0.0, 0.0,
                                compliant.contact.separation};
    if (!impact::check(impact).empty()) return std::nullopt;
    return impact::restitution(law, impact).duration;
}

}  // namespace stoss::models
