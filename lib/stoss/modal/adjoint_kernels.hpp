#pragma once
/// A step in contact backwards, for the widest vector registers of the machine
/// (docs/theory/gradients.md). Arrays, order of sums and bits as in modal/modal_kernels.hpp.

#include <array>
#include <cstddef>
#include <vector>

#include <stoss/modal/propagator_slopes.hpp>
#include <stoss/modal/propagators.hpp>

namespace stoss::modal {

/// A state that is only read: coordinates [sqrt(kg) m] and rates [sqrt(kg) m/s] of all modes.
struct ConstModalState {
    const double *q, *v;
};

/// A step that is gone through backwards (26.3, 26.4): what its end is worth becomes what its begin
/// is worth, and what the numbers of the modes are worth is added up. Each array has
/// `Propagators::padded()` entries.
struct StepBackwards {
    const double *phi, *loads;  ///< of the modes [1/sqrt(kg)], [sqrt(kg) m/s^2]
    ConstModalState begin;
    std::array<double, 3> force{};         ///< at the nodes [N]
    std::array<double, 3> by_x{}, by_v{};  ///< by overlap and rate of the modes there
    bool with_rates = false;               ///< else `by_v` is 0
    const double* slopes;                  ///< PropagatorSlopes::level of the step
    double *q, *v;                         ///< by the state
    double *by_phi, *by_loads, *by_eigenvalue, *by_damping;
};

/// What goes backwards over a step.
using BackOverStep = void (*)(const Propagator& level, std::size_t n, const StepBackwards& step);

/// The one for this machine.
BackOverStep back_over_step();

/// Those for each instruction set of this machine. All give the same bits, which a test checks. Not
/// safe while another thread calls either function.
std::vector<BackOverStep> all_back_over_step();

}  // namespace stoss::modal
