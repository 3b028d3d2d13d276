#pragma once
/// One step in contact: contact_step.inl in doubles.

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include <stoss/core/fields.hpp>
#include <stoss/core/gauss3.hpp>
#include <stoss/core/number.hpp>
#include <stoss/time/detail/collocation.hpp>
#include <stoss/time/detail/node_interpolation.hpp>

namespace stoss::time {

namespace kernel {

using core::copysign;
using std::sqrt;

#include <stoss/time/detail/contact_step.inl>

}  // namespace kernel

using DeviationForce = kernel::DeviationForce<double>;
using DeviationRates = kernel::DeviationRates<double>;
using FreeStep = kernel::FreeStep<double>;
using LawAlong = kernel::LawAlong<double>;
using SeriesForce = kernel::SeriesForce<double>;
using StepLimits = kernel::StepLimits<double>;
using StepOutcome = kernel::StepOutcome<double>;
using StepPrediction = kernel::StepPrediction<double>;
using kernel::series_force, kernel::step_prediction, kernel::with_residual_displacement;

/// `kernel::governing_force` of a contact.
template <bool with_rates, class Contact>
double governing_force(const Contact& contact, double x, double force) {
    return kernel::governing_force(kernel::ContactForce<Contact, with_rates>{contact}, x, force);
}

}  // namespace stoss::time
