#pragma once
/// One step in contact of one collision: contact_step.inl in doubles.

#include <array>
#include <cmath>
#include <cstddef>

#include <stoss/core/fields.hpp>
#include <stoss/core/number.hpp>
#include <stoss/impact/detail/residual_flexibility.hpp>
#include <stoss/modal/modal_kernels.hpp>
#include <stoss/modal/propagators.hpp>
#include <stoss/time/detail/collocation.hpp>

namespace stoss::impact {

namespace kernel {

using namespace time::kernel;
using core::copysign;
using std::sqrt;

#include <stoss/impact/detail/contact_step.inl>

}  // namespace kernel

using DeviationForce = kernel::DeviationForce<double>;
using DeviationRates = kernel::DeviationRates<double>;
using FreeStep = kernel::FreeStep<double>;
using LawAlong = kernel::LawAlong<double>;
using SeriesForce = kernel::SeriesForce<double>;
using StepLimits = kernel::StepLimits<double>;
using StepOutcome = kernel::StepOutcome<double>;
using StepPrediction = kernel::StepPrediction<double>;
using kernel::series_force, kernel::step_prediction, kernel::yields_to_first_force;

/// `kernel::law_along` of a contact whose law has no rates.
template <class Contact>
LawAlong law_along(const Contact& contact, const time::Triple& seen, const time::Triple& forces,
                   const modal::Compliances& compliance, double residual) {
    return kernel::law_along(kernel::ContactForce<Contact, false>{contact}, seen, forces,
                             compliance.seen, residual);
}

/// `kernel::law_with_rates_along` of a contact whose law has rates; `start`: force at the begin of
/// the step [N].
template <class Contact>
LawAlong law_with_rates_along(const Contact& contact, const FreeStep& free, double start,
                              const time::Triple& forces, const modal::Compliances& compliance,
                              double residual, double step) {
    return kernel::law_with_rates_along(kernel::ContactForce<Contact, true>{contact}, free, start,
                                        forces, compliance.seen, compliance.seen_v, residual, step);
}

inline DeviationForce deviation_force_with_rates(
    double start, const LawAlong& law, const time::NodeForces& run, const time::Triple& free,
    const time::Triple& free_v, const time::Triple& of_approach,
    const modal::Compliances& compliance, double residual, double step) {
    return kernel::deviation_force_with_rates(
        start, law, run, free, compliance.defect, compliance.seen_defect,
        DeviationRates{free_v, compliance.defect_v, compliance.seen_defect_v, of_approach, step},
        residual);
}

inline DeviationForce deviation_force(double start, const LawAlong& law,
                                      const time::NodeForces& run, const time::Triple& free,
                                      const modal::Compliances& compliance, double residual) {
    return kernel::deviation_force(start, law, run, free, compliance.defect, compliance.seen_defect,
                                   residual);
}

inline StepOutcome outcome_of_step(double step, double rate, const modal::Overlap& end,
                                   const time::NodeForces& nodes, double force) {
    return kernel::outcome_of_step(step, rate, end.v, nodes.force, nodes.slope, force);
}

/// `kernel::seen_by_law_with_rates` of a contact.
template <class Contact>
modal::Overlap seen_by_law_with_rates(const Contact& contact, const modal::Overlap& of_modes,
                                      const time::Triple& forces, double residual, double step,
                                      double exact) {
    const auto [x, v] =
        kernel::seen_by_law_with_rates(kernel::ContactForce<Contact, true>{contact}, of_modes.x,
                                       of_modes.v, forces, residual, step, exact);
    return {x, v};
}

/// `kernel::governing_force` of a contact.
template <bool with_rates, class Contact>
double governing_force(const Contact& contact, double x, double force) {
    return kernel::governing_force(kernel::ContactForce<Contact, with_rates>{contact}, x, force);
}

/// `kernel::seen_by_law` of a contact whose law has no rates.
template <class Contact>
modal::Overlap seen_by_law(const Contact& contact, const modal::Overlap& of_modes, double guess,
                           double residual) {
    const auto [x, v] = kernel::seen_by_law(kernel::ContactForce<Contact, false>{contact},
                                            of_modes.x, of_modes.v, guess, residual);
    return {x, v};
}

}  // namespace stoss::impact
