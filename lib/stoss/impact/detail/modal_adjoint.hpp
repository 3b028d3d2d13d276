#pragma once
/// The modes of a collision backwards in time: the adjoints of the state and of the numbers of the
/// modes for one quantity of the result (theory/gradients.md 26.3 to 26.10).
///
/// The adjoint of a number is the derivative of the quantity by it: a bar in the theory, `by_...`
/// here.

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <stoss/core/aligned.hpp>
#include <stoss/impact/detail/contact_pair.hpp>
#include <stoss/impact/detail/shape_change_adjoint.hpp>
#include <stoss/impact/gradient.hpp>
#include <stoss/modal/adjoint_kernels.hpp>
#include <stoss/modal/modal_kernels.hpp>
#include <stoss/modal/propagator_slopes.hpp>
#include <stoss/modal/propagators.hpp>
#include <stoss/time/detail/collocation.hpp>

namespace stoss::impact {

/// Derivatives of one quantity by the numbers of a pair, in the order of its modes, padded as a
/// Propagator is. Of the loads those of the rigid modes hold.
struct PairGradient {
    core::AlignedVector eigenvalues, dampings, phi, loads;
    std::vector<double> initial_coordinates, initial_rates;
    double residual_flexibility = 0.0;
    double effective_mass = 0.0;  ///< by way of the law alone; `finish` puts it into phi

    void clear(const ContactPair& pair, std::size_t padded);
};

/// So many modes, or the next multiple of Propagator::lanes.
constexpr std::size_t in_whole_registers(std::size_t modes) {
    return (modes + modal::Propagator::lanes - 1) / modal::Propagator::lanes *
           modal::Propagator::lanes;
}

/// Memory of a sweep backwards, kept from collision to collision.
struct AdjointMemory {
    /// Steps that wait until their numbers of the modes are added up: few enough that their states
    /// stay in the cache.
    static constexpr std::size_t most_steps = 32;

    core::AlignedVector phi, loads;  // of the pair, padded
    core::AlignedVector states;      // by the states at the ends of these steps, and at present
    std::array<std::vector<modal::StepBackwards>, modal::Propagators::levels> steps;
    PairGradient gradient;
    std::array<modal::ElasticStepBackwards, most_steps> elastic_steps;
    ShapeChangeMemory change;
};

/// The overlap after free motion over a time [s], and its rate.
modal::Overlap later_overlap(const ContactPair& pair, double time, PastState now);

class ModalAdjoint {
  public:
    /// `with_rates`: the force depends on the rates at the nodes of a step.
    ModalAdjoint(const ContactPair& pair, const modal::Propagators& propagators,
                 const modal::PropagatorSlopes& slopes, bool with_rates, const ModeNumbers& wanted,
                 AdjointMemory& memory);

    /// For one more quantity.
    void start();

    PairGradient& gradient() { return gradient_; }

    // What depends on the state at the present instant.

    void by_overlap(const modal::Overlap& by, PastState now);
    void by_approach_velocity(double by, PastState now);
    /// By d V_rel/dt under the force [N]. Returns what that makes of the force.
    double by_approach_acceleration(double by, double force, PastState now);
    /// By the load acceleration of the pair.
    void by_load_acceleration(double by);
    /// By the energy of modes `begin` to `end`.
    void by_energy(double by, std::size_t begin, std::size_t end, PastState now);

    /// The present instant is the one at which the overlap (or another number of rate `rate`, whose
    /// derivatives come next) reaches a limit: the derivative by that instant, under the force [N].
    double by_time(double force, PastState now) const;

    /// By the overlap of the modes after free motion over a time [s] from the present instant.
    void by_later_overlap(double by, double time, PastState now);

    // Back over a piece.

    /// The next piece, backwards in time, is a step, or is not. `now`: the present state.
    void enter_steps(PastState now) { change_.enter_steps({q_, v_}, now); }
    void leave_steps(PastState now) { change_.leave_steps({q_, v_}, now); }
    /// By the node forces of a step, through the state at its end.
    time::Triple by_end_of_step(const modal::Propagator& flow) const;
    /// `by_x`, `by_v`: by the overlaps and rates of the modes at the nodes of the step.
    void back_over_step(const modal::Propagator& flow, PastState begin, const time::Triple& nodes,
                        const time::Triple& by_x, const time::Triple& by_v);
    /// At most `AdjointMemory::most_steps` steps, the last one of the motion first.
    void back_over_steps(std::span<modal::ElasticStepBackwards> steps);
    /// Free motion over a time [s], of which both ends are known.
    void back_over_free_motion(double time, PastState begin, PastState end);
    /// By V_rel after free motion over a time [s] from the present instant.
    void by_later_approach_velocity(double by, double time, PastState now);
    /// By the moments of a late force. It only adds to the state, so the derivatives by the state
    /// are the same before it and after it.
    modal::LateForce by_late_force(double rest) const;
    /// By the numbers of the modes that a late force pushed.
    void back_over_late_force(const modal::LateForce& force);

    /// Derivative along the change of phi of the pair.
    double along() const;
    /// The begin of the collision is reached.
    void finish();

  private:
    /// The place of one more state, in a ring.
    modal::ModalState next_place();
    /// A step waits until its numbers of the modes are added up.
    void let_wait(const modal::StepBackwards& step);
    /// Adjoints of the numbers of the modes, from the steps that wait.
    void add_numbers();
    void back_over_free_motion(double time, PastState begin, std::size_t mode,
                               const modal::ModalFlow& flow);

    const ContactPair& pair_;
    const modal::PropagatorSlopes& slopes_;
    const modal::AdjointKernels& kernels_;
    AdjointMemory& memory_;
    ModeNumbers wanted_;
    std::size_t numbered_;  // modes
    modal::ModesBackwards modes_;
    PairGradient& gradient_;
    ShapeChangeAdjoint change_;
    double *q_ = nullptr, *v_ = nullptr;  // by the state at the present instant
    std::size_t waiting_ = 0;             // steps
};

}  // namespace stoss::impact
