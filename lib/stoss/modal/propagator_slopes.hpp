#pragma once
/// How the tables of modal/propagators.hpp change with the eigenvalues and dampings of the modes
/// (docs/theory/gradients.md).

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>

#include <stoss/core/aligned.hpp>
#include <stoss/modal/modal_flow.hpp>
#include <stoss/modal/propagators.hpp>

namespace stoss::modal {

/// Derivatives of a modal flow by the eigenvalue [s^2] and the damping [s] of its mode, each times
/// the unit of the entry of the flow.
struct FlowSlopes {
    ModalFlow by_eigenvalue{0.0, 0.0, 0.0, 0.0}, by_damping{0.0, 0.0, 0.0, 0.0};
};

/// Derivatives of `flow`, the `modal_flow` of these numbers (theory/gradients.md 26.6); every kind
/// of mode, t >= 0.
FlowSlopes flow_slopes(const ModalFlow& flow, double eigenvalue, double damping, double t);

/// Derivatives of the state at the end of [0, t] of q'' + d q' + lambda q = (s/t)^m, m = 0, 1, 2,
/// from rest.
struct ResponseSlopes {
    static constexpr std::size_t powers = 3;
    using Numbers = std::array<double, powers>;
    Numbers q_by_eigenvalue{}, v_by_eigenvalue{};  ///< [s^4], [s^3]
    Numbers q_by_damping{}, v_by_damping{};        ///< [s^3], [s^2]
};

/// Derivatives of `polynomial_response`; every kind of mode.
ResponseSlopes response_slopes(double eigenvalue, double damping, double t);

/// The columns of a table. What a step gives: coordinates and rates at the Gauss nodes, and at
/// the end; and what it takes: coordinate and rate at the begin, forces at the nodes.
struct StepColumn {
    static constexpr std::size_t node_q = 0, node_v = 3, end_q = 6, end_v = 7, outputs = 8;
    static constexpr std::size_t q = 0, v = 1, force = 2, inputs = 5;
    /// Derivatives by the eigenvalues, then by the dampings.
    static constexpr std::size_t by_eigenvalue = 0, by_damping = outputs * inputs;
    static constexpr std::size_t count = 2 * outputs * inputs;
    static constexpr std::size_t at(std::size_t output, std::size_t input) {
        return inputs * output + input;
    }
};

/// The derivatives of the tables of one level; a level is made when it is first asked for. Safe to
/// share between threads.
class PropagatorSlopes {
  public:
    /// Derivatives of these propagators, which must live as long.
    explicit PropagatorSlopes(const Propagators& propagators);

    /// `StepColumn::count` columns in blocks of `Propagator::lanes` modes, as in a Propagator.
    const double* level(const Propagator& flow) const;

    /// Index of mode j in the first column; column c is c `lanes` further.
    static constexpr std::size_t place(std::size_t j) {
        return j / Propagator::lanes * Propagator::lanes * StepColumn::count +
               j % Propagator::lanes;
    }

  private:
    struct Slot {
        std::once_flag made;
        core::AlignedVector numbers;
    };
    const Propagators& propagators_;
    std::unique_ptr<std::array<Slot, Propagators::levels>> slots_;
};

}  // namespace stoss::modal
