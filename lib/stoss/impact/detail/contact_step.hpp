#pragma once
/// One step in contact of one collision, from what its modes take and give.

#include <stoss/modal/modal_kernels.hpp>
#include <stoss/time/detail/collocation.hpp>
#include <stoss/time/detail/contact_step.hpp>

namespace stoss::impact {

using time::DeviationForce, time::FreeStep, time::LawAlong, time::SeriesForce, time::StepLimits,
    time::StepOutcome, time::StepPrediction;
using time::governing_force, time::series_force, time::step_prediction,
    time::with_residual_displacement;

/// `time::kernel::law_along` of a contact whose law has no rates.
template <class Contact>
LawAlong law_along(const Contact& contact, const time::Triple& seen, const time::Triple& forces,
                   const modal::Compliances& compliance, double residual) {
    return time::kernel::law_along(time::kernel::ContactForce<Contact, false>{contact}, seen,
                                   forces, compliance.seen, residual);
}

/// `time::kernel::law_with_rates_along` of a contact whose law has rates; `start`: force at the
/// begin of the step [N].
template <class Contact>
LawAlong law_with_rates_along(const Contact& contact, const FreeStep& free, double start,
                              const time::Triple& forces, const modal::Compliances& compliance,
                              double residual, double step) {
    return time::kernel::law_with_rates_along(time::kernel::ContactForce<Contact, true>{contact},
                                              free, start, forces, compliance.seen,
                                              compliance.seen_v, residual, step);
}

inline DeviationForce deviation_force_with_rates(
    double start, const LawAlong& law, const time::NodeForces& run, const time::Triple& free,
    const time::Triple& free_v, const time::Triple& of_approach,
    const modal::Compliances& compliance, double residual, double step) {
    return time::kernel::deviation_force_with_rates(
        start, law, run, free, compliance.defect, compliance.seen_defect,
        time::DeviationRates{free_v, compliance.defect_v, compliance.seen_defect_v, of_approach,
                             step},
        residual);
}

inline DeviationForce deviation_force(double start, const LawAlong& law,
                                      const time::NodeForces& run, const time::Triple& free,
                                      const modal::Compliances& compliance, double residual) {
    return time::kernel::deviation_force(start, law, run, free, compliance.defect,
                                         compliance.seen_defect, residual);
}

inline StepOutcome outcome_of_step(double step, double rate, const modal::Overlap& end,
                                   const time::NodeForces& nodes, double force) {
    return time::kernel::outcome_of_step(step, rate, end.v, nodes.force, nodes.slope, force);
}

/// `time::kernel::seen_by_law_with_rates` of a contact.
template <class Contact>
modal::Overlap seen_by_law_with_rates(const Contact& contact, const modal::Overlap& of_modes,
                                      const time::Triple& forces, double residual, double step,
                                      double exact) {
    const auto [x, v] =
        time::kernel::seen_by_law_with_rates(time::kernel::ContactForce<Contact, true>{contact},
                                             of_modes.x, of_modes.v, forces, residual, step, exact);
    return {x, v};
}

/// `time::kernel::seen_by_law` of a contact whose law has no rates.
template <class Contact>
modal::Overlap seen_by_law(const Contact& contact, const modal::Overlap& of_modes, double guess,
                           double residual) {
    const auto [x, v] =
        time::kernel::seen_by_law(time::kernel::ContactForce<Contact, false>{contact}, of_modes.x,
                                  of_modes.v, guess, residual);
    return {x, v};
}

}  // namespace stoss::impact
