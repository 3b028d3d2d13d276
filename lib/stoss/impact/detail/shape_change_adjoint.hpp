#pragma once
/// Steps in contact backwards in time, differentiated along one change of phi alone
/// (docs/theory/gradients.md 26.19, 26.22).

#include <array>

#include <stoss/core/aligned.hpp>
#include <stoss/impact/detail/contact_pair.hpp>
#include <stoss/modal/adjoint_kernels.hpp>
#include <stoss/modal/modal_kernels.hpp>
#include <stoss/modal/propagators.hpp>
#include <stoss/time/detail/collocation.hpp>

namespace stoss::impact {

using PastState = modal::ConstModalState;

/// A change of phi, and memory for derivatives along it.
struct ShapeChangeMemory {
    core::AlignedVector along;  ///< the change of phi of the pair, padded
    bool follows = false;       ///< the steps are differentiated along it alone

    core::AlignedVector along_by_phi;  ///< a_j times the change by phi (26.19), padded
    std::array<time::Matrix3, modal::Propagators::levels> responses;  ///< along the change
    std::array<bool, modal::Propagators::levels> has_responses;
};

/// Does nothing unless the memory says that the steps follow the change.
class ShapeChangeAdjoint {
  public:
    /// Both must live as long as this is used.
    ShapeChangeAdjoint(const ContactPair& pair, ShapeChangeMemory& memory);

    /// For one more quantity.
    void start();

    bool follows() const { return memory_.follows; }
    /// ModesBackwards::along_by_phi
    const double* by_phi() const { return follows() ? memory_.along_by_phi.data() : nullptr; }
    bool is_in_steps() const { return is_in_steps_; }

    /// The piece that comes next is a step, and the present instant its end; if steps came before
    /// it, nothing happens. `by`: by the state.
    void enter_steps(PastState by, PastState now);
    /// The same of a piece that is not a step.
    void leave_steps(PastState by, PastState now);
    /// A step; `forces`: its first sum in (26.19).
    void add_step(const modal::ModesBackwards& modes, const modal::StepBackwards& step,
                  double forces);

    /// Derivative along the change, of the steps.
    double of_steps() const { return of_steps_; }

  private:
    /// What the vibrations add to (26.19) at the begin of the first step, and take from it at the
    /// end of the last one (26.22).
    double of_vibrations(PastState by, PastState now) const;

    const ContactPair& pair_;
    const modal::AdjointKernels& kernels_ = modal::adjoint_kernels();
    ShapeChangeMemory& memory_;
    double of_steps_ = 0.0;
    bool is_in_steps_ = false;
};

}  // namespace stoss::impact
