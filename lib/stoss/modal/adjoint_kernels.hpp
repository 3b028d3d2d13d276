#pragma once
/// Steps in contact backwards, for the widest vector registers of the machine
/// (docs/theory/gradients.md). Arrays, order of sums and bits as in modal/modal_kernels.hpp.

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <stoss/modal/modal_kernels.hpp>
#include <stoss/modal/propagator_slopes.hpp>
#include <stoss/modal/propagators.hpp>

namespace stoss::modal {

/// A step that is gone through backwards (26.3, 26.4). Each array has `Propagators::padded()`
/// entries.
struct StepBackwards {
    const Propagator* level;
    ConstModalState begin;                 ///< of the motion
    ConstModalState by_end;                ///< adjoints of its end: of coordinates and rates
    std::array<double, 3> force{};         ///< at the nodes [N]
    std::array<double, 3> by_x{}, by_v{};  ///< by overlap and rate of the modes there
};

/// A step of whose end only the modes have adjoints, under a force without rates: the adjoints of
/// its overlaps follow from those of its forces through the end.
struct ElasticStepBackwards {
    StepBackwards step;  ///< `by_x` is to be found
    const Compliances* compliances = nullptr;
    std::array<double, 3> slope{};                            ///< of the law at the nodes [N/m]
    std::array<std::array<double, 3>, 3> overlap_by_force{};  ///< to be found: by_x[i] by by_force
    std::array<double, 3> by_force{};                         ///< to be found
    double along = 0.0;     ///< likewise: AdjointKernels::forces_along
    ModalState by_begin{};  ///< likewise
};

/// The modes of a motion that is gone through backwards.
struct ModesBackwards {
    std::size_t n;                         ///< Propagators::padded()
    const double *phi, *loads;             ///< [1/sqrt(kg)], [sqrt(kg) m/s^2]
    bool with_rates;                       ///< else each `by_v` is 0
    const double* along_by_phi = nullptr;  ///< other mode values than phi, by phi; or null
};

/// Adjoints of the numbers of the modes. Null: not wanted.
struct ByModes {
    double *phi, *loads;
    double *eigenvalue = nullptr, *damping = nullptr;
};

struct AdjointKernels {
    /// By the node forces of a step, through the state at its end.
    std::array<double, 3> (*by_forces)(const Propagator& level, const ModesBackwards& modes,
                                       ConstModalState by_end);
    /// Derivative of the forces of a step, through the state at its end, by other mode values.
    double (*forces_along)(const ModesBackwards& modes, const StepBackwards& step);
    /// Adjoints of the begin of a step.
    void (*to_begin)(const ModesBackwards& modes, const StepBackwards& step, ModalState by_begin);
    /// Steps one after the other, the last one of the motion first. Each ends where the one before
    /// it in the list begins.
    void (*back_over_steps)(const ModesBackwards& modes, std::span<ElasticStepBackwards> steps);
    /// sum_j phi_j along_j times what the force at node k adds to a mode at node i: [i][k].
    std::array<std::array<double, 3>, 3> (*responses_along)(const Propagator& level,
                                                            const ModesBackwards& modes,
                                                            const double* along);
    /// Adds the adjoints of the numbers of the modes in steps of one level; `slopes`:
    /// PropagatorSlopes::level of it, or null if neither eigenvalues nor dampings are wanted. The
    /// steps are summed up first, and meet the tables once.
    void (*add_numbers)(const ModesBackwards& modes, std::span<const StepBackwards> steps,
                        const double* slopes, const ByModes& by);
};

/// The kernels for this machine.
const AdjointKernels& adjoint_kernels();

/// Those for each instruction set of this machine. All give the same bits, which a test checks. Not
/// safe while another thread calls either function.
std::vector<const AdjointKernels*> all_adjoint_kernels();

}  // namespace stoss::modal
