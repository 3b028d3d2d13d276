#pragma once
/// Numbers of a law that may be given as a property of the materials.

#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <stoss/contact/contact_law.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/text.hpp>

namespace stoss::contact {

/// A number of a law by the name of its key.
struct NamedNumber {
    std::string_view name;
    std::optional<double> value;
};

/// x_y = R* (pi p_y/(2 E*))^2 [m]: the overlap at which the pressure in the middle of a contact of
/// spheres is p_y [Pa].
inline double overlap_at_yield(double pressure, const ContactBodies& bodies) {
    const double strain = 0.5 * std::numbers::pi * pressure / bodies.modulus;
    return bodies.radius * strain * strain;
}

/// What is wrong if not exactly one of them is given: the number that the law works with, and the
/// property of the materials that it follows from.
inline std::vector<core::Violation> check_physical_input(const NamedNumber& number,
                                                         const NamedNumber& property) {
    const std::string own(number.name), other(property.name);
    if (number.value.has_value() != property.value.has_value()) return {};
    if (number.value)
        return {{other, core::to_text(*property.value),
                 "`" + own + "` is given as well, which follows from it", "leave one of them out"}};
    return {{own, "", "is missing, and so is `" + other + "`, from which it would follow",
             "give one of the two"}};
}

/// What is wrong with the separation rule of a law that attracts.
inline std::vector<core::Violation> check_pulls(Separation separation) {
    if (separation == Separation::zero_overlap) return {};
    return {{"separation", "zero_force", "admits no attractive force, but this law is adhesive",
             "write `separation: zero_overlap`; the contact then ends at the pull-off"}};
}

}  // namespace stoss::contact
