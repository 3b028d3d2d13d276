#pragma once
/// The exact motion of all modes over steps of a ladder of lengths: tables made once, used in
/// every collision of the same two bodies.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

#include <stoss/core/aligned.hpp>

namespace stoss::modal {

/// Nodes and weights of Gauss' quadrature on [0, 1], three nodes (order 6).
struct Gauss3 {
    static constexpr std::size_t nodes = 3;
    static constexpr double root = 0.3872983346207417;  // sqrt(15)/10
    static constexpr std::array<double, nodes> node{0.5 - root, 0.5, 0.5 + root};
    static constexpr std::array<double, nodes> weight{5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0};
    /// Halfway between the nodes.
    static constexpr std::array<double, 2> between{0.5 - 0.5 * root, 0.5 + 0.5 * root};
};

/// Legendre's polynomial (5 z^3 - 3 z)/2 of z = 2 u - 1, whose zeros are the Gauss nodes.
constexpr double node_polynomial(double z) {
    return 0.5 * z * (5.0 * z * z - 3.0);
}

/// One step length. All arrays have one entry a mode and are padded with modes that do nothing to a
/// multiple of `FlowLadder::lanes`. Indices i, k run over the Gauss nodes of the step. The force
/// is the parabola through its values P_k at the nodes.
struct FlowLevel {
    double step = 0.0;                     ///< h [s]
    const double *eigenvalues, *dampings;  ///< lambda [1/s^2], d [1/s]
    const double *qq, *qv, *vq, *vv;       ///< flow over h (modal_flow.hpp)
    std::array<const double*, 3> node_qq, node_qv, node_vq, node_vv;  ///< flow over c_i h
    std::array<const double*, 3> push_q, push_v;  ///< of P_k phi_j on q_j and q_j' at h
    std::array<std::array<const double*, 3>, 3> response_q,
        response_v;                                       ///< of P_k at c_i h: [i][k]
    std::array<const double*, 2> between_qq, between_qv;  ///< flow over the times between the nodes
    std::array<std::array<const double*, 3>, 2> between_response;  ///< of P_k on q_j there
    /// Of the force `node_polynomial` z^w phi_j, w = 0 ... 3: on q_j and q_j' at h, and on q_j at
    /// c_i h: [w], [i][w].
    std::array<const double*, 4> defect_q, defect_v;
    std::array<std::array<const double*, 4>, 3> node_defect;
    std::array<std::array<const double*, 4>, 2> between_defect;  ///< on q_j between the nodes
    const double* smooth_bound;  ///< |q - cubic Hermite of q| <= 16 u^2 (1-u)^2 bound A
    const double* any_bound;     ///< |q - cubic Hermite of q| <= bound A, for steps of any length
};

/// Tables of all modes over steps of the lengths longest_step 2^(-l/2), l = 0 ... levels - 1; a
/// level is made when it is first asked for. Safe to share between threads.
class FlowLadder {
  public:
    static constexpr std::size_t lanes = 8;  ///< modes are padded to a multiple of this
    static constexpr int levels = 160;
    static constexpr int octave = 2;  ///< levels to a step half as long

    /// Spans of equal length: eigenvalues [1/s^2], dampings [1/s].
    FlowLadder(std::span<const double> eigenvalues, std::span<const double> dampings,
               double longest_step);

    std::size_t padded() const { return padded_; }
    const FlowLevel& level(int l) const;
    double step(int l) const { return steps_[static_cast<std::size_t>(l)]; }
    /// The first level whose step is not longer than h [s]; the last one if there is none.
    int level_within(double h) const;

    const double* eigenvalues() const { return eigenvalues_.data(); }
    const double* dampings() const { return dampings_.data(); }
    /// 1/lambda; 0 for rigid modes.
    const double* inverse_eigenvalues() const { return inverse_.data(); }
    /// Bound of the rates of change [1/s]: the largest sqrt(lambda) + d.
    double fastest() const { return fastest_; }

  private:
    struct Slot {
        std::once_flag made;
        core::AlignedVector numbers;
        FlowLevel level;
    };
    void make(Slot& slot, double step) const;

    std::size_t modes_, padded_;
    core::AlignedVector eigenvalues_, dampings_, inverse_;
    std::array<double, levels> steps_;
    double fastest_ = 0.0;
    std::unique_ptr<std::array<Slot, levels>> slots_;
};

inline int FlowLadder::level_within(double h) const {
    // h / longest_step is at least 2^exponent, and less than twice that.
    const auto bits = std::bit_cast<std::int64_t>(h / steps_[0]);
    const auto exponent = static_cast<int>(bits >> 52) - 1023;
    int l = std::clamp(-octave * exponent, 0, levels - 1);
    l -= l > 0 && step(l - 1) <= h ? 1 : 0;
    return l < levels - 1 && step(l) > h ? l + 1 : l;  // by roundoff
}

}  // namespace stoss::modal
