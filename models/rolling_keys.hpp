#pragma once
/// Resistance to rolling and twisting, as a case gives it.

#include <tuple>

#include <stoss/core/fields.hpp>
#include <stoss/granular/rolling_springs.hpp>

namespace stoss::models {

/// Torques of a contact.
struct RollingKeys {
    double rolling_resistance = 0.0;
    double twisting_resistance = 0.0;

    static constexpr auto rolling_fields() {
        using This = RollingKeys;
        return std::tuple{
            core::field("rolling_resistance", &This::rolling_resistance, "", core::non_negative,
                        "coefficient of rolling resistance mu_r: the torque is mu_r R* F at most"),
            core::field("twisting_resistance", &This::twisting_resistance, "", core::non_negative,
                        "coefficient of twisting resistance mu_t: the torque about the normal is "
                        "mu_t R* F at most")};
    }
    granular::RollingResistance resistance() const {
        return {rolling_resistance, twisting_resistance};
    }
};

}  // namespace stoss::models
