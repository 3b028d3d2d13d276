#pragma once
/// Which force acts across the normal of a compliant contact (docs/theory/compliant_spheres.md,
/// docs/theory/impact_motion.md).

#include <string_view>
#include <tuple>
#include <variant>

#include <stoss/core/fields.hpp>

namespace stoss::contact {

/// One spring whose end slides at mu F (Mindlin's tangential stiffness).
struct SpringSlider {
    static constexpr std::string_view name = "spring_slider";
    static constexpr std::string_view meaning =
        "one spring of Mindlin's stiffness whose end slides at mu F";

    double tangential_damping = 0.0;

    static constexpr auto fields() {
        return std::tuple{core::field(
            "tangential_damping", &SpringSlider::tangential_damping, "", core::non_negative,
            "damping ratio of a dashpot beside the spring, c_t = 2 ratio sqrt(m k_t) with the "
            "effective mass m of the normal; friction limits both together")};
    }
};

/// Slip that begins at the edge of the contact: the method of dimensionality reduction (Popov &
/// Hess 2015, Method of Dimensionality Reduction in Contact Mechanics and Friction, chapter 5).
struct PartialSlip {
    static constexpr std::string_view name = "partial_slip";
    static constexpr std::string_view meaning =
        "slip that spreads from the edge of the contact inwards: many springs, by the method of "
        "dimensionality reduction";

    int rings = 50;

    static constexpr auto fields() {
        return std::tuple{core::field("rings", &PartialSlip::rings, "", core::closed(4, 10000),
                                      "largest number of springs of a contact; the error falls "
                                      "with the square of this number")};
    }
};

/// Nothing acts across the normal.
struct Smooth {
    static constexpr std::string_view name = "none";
    static constexpr std::string_view meaning = "no tangential force";
    static constexpr auto fields() { return std::tuple{}; }
};

using TangentialLaw = std::variant<SpringSlider, PartialSlip, Smooth>;

}  // namespace stoss::contact
