#pragma once
/// What acts along the contact plane.

#include <array>

#include <stoss/core/fields.hpp>

namespace stoss::granular {

enum class Friction { frictionless, coulomb, maximum_dissipation };

constexpr auto enum_names(Friction) {
    return std::array{
        core::EnumName{Friction::frictionless, "frictionless", "no force along the contact plane"},
        core::EnumName{
            Friction::coulomb, "coulomb",
            "friction opposite to the slip; for spheres the same as maximum_dissipation"},
        core::EnumName{Friction::maximum_dissipation, "maximum_dissipation",
                       "friction that dissipates the most energy"},
    };
}

}  // namespace stoss::granular
