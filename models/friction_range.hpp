#pragma once
/// The coefficients of friction that a rigid contact may have.

#include <stoss/core/fields.hpp>
#include <stoss/rigid/contact_problem.hpp>

namespace stoss::models {

inline constexpr core::Range friction_range = core::closed(0.0, rigid::largest_friction);  // [-]

}  // namespace stoss::models
