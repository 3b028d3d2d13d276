#pragma once
/// The exact motion of all modes over steps of many lengths: tables made once, used in
/// every collision of the same two bodies.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numbers>
#include <span>

#include <stoss/core/aligned.hpp>
#include <stoss/core/lanes.hpp>

namespace stoss::modal {

/// Columns of a table from `first` on, one an index.
struct ColumnRange {
    std::size_t first, columns;
    constexpr std::size_t operator[](std::size_t i) const { return first + i; }
    constexpr std::size_t end() const { return first + columns; }
};

/// Columns of the table of a level, one number a mode. Indices i, k run over the Gauss nodes of the
/// step. The force is the parabola through its values P_k at the nodes. What a step in contact
/// reads comes first, in the order in which it is read. `node_polynomial`: Legendre's polynomial
/// (5 z^3 - 3 z)/2 of z = 2 u - 1, 0 <= u <= 1 along the step; its zeros are the Gauss nodes.
struct FlowColumn {
    static constexpr ColumnRange node_vq{0, 3}, node_vv{node_vq.end(), 3};  ///< flow over c_i h
    static constexpr ColumnRange node_qq{node_vv.end(), 3}, node_qv{node_qq.end(), 3};
    /// Flow over the times between the nodes.
    static constexpr ColumnRange between_qq{node_qv.end(), 2}, between_qv{between_qq.end(), 2};
    static constexpr std::size_t qq = between_qv.end();  ///< flow over h (modal_flow.hpp)
    static constexpr std::size_t qv = qq + 1, vq = qv + 1, vv = vq + 1;
    static constexpr ColumnRange end_response_q{vv + 1, 3},
        end_response_v{end_response_q.end(), 3};  ///< of P_k on q_j, q_j' at h
    /// Effect of the force `node_polynomial` z^w, w = 0 ... 3, on q_j and q_j' at h.
    static constexpr ColumnRange defect_q{end_response_v.end(), 4}, defect_v{defect_q.end(), 4};
    /// Effect of P_k on q_j and q_j' at c_i h, [3 i + k]; on q_j between the nodes.
    static constexpr ColumnRange response_q{defect_v.end(), 9}, response_v{response_q.end(), 9};
    static constexpr ColumnRange between_response{response_v.end(), 6};
    /// Effect of the force `node_polynomial` z^w on q_j at c_i h, [4 i + w]; between the nodes.
    static constexpr ColumnRange node_defect{between_response.end(), 12};
    static constexpr ColumnRange between_defect{node_defect.end(), 8};
    /// The same on q_j', for laws with rates: flow and effect of P_k between the nodes, effect of
    /// the force `node_polynomial` z^w at the nodes and between them.
    static constexpr ColumnRange between_vq{between_defect.end(), 2},
        between_vv{between_vq.end(), 2};
    static constexpr ColumnRange between_response_v{between_vv.end(), 6};
    static constexpr ColumnRange node_defect_v{between_response_v.end(), 12};
    static constexpr ColumnRange between_defect_v{node_defect_v.end(), 8};
    static constexpr std::size_t count = between_defect_v.end();
};

/// One step length: a table of numbers for phi_j = 1, padded with modes that do nothing to a
/// multiple of `lanes`. Column by column for the first `lanes` modes, then for the next.
struct Propagator {
    static constexpr std::size_t lanes = core::lanes;

    double step = 0.0;                                         ///< h [s]
    const double *eigenvalues = nullptr, *dampings = nullptr;  ///< lambda [1/s^2], d [1/s]
    const double* table = nullptr;
    std::size_t number = 0;  ///< of the level in its `Propagators`

    /// Index of mode j in the first column; column c is c `lanes` further.
    static constexpr std::size_t place(std::size_t j) {
        return j / lanes * lanes * FlowColumn::count + j % lanes;
    }
    /// The number of mode j in a column of the table, FlowColumn.
    double entry(std::size_t column, std::size_t j) const {
        return table[place(j) + column * lanes];
    }
};

/// Tables of all modes over steps of the lengths longest_step 2^(-l/2), l = 0 ... levels - 1; a
/// level is made when it is first asked for. Safe to share between threads.
class Propagators {
  public:
    static constexpr std::size_t lanes = Propagator::lanes;
    static constexpr int levels = 160;
    static constexpr int octave = 2;  ///< levels to a step half as long
    static constexpr double half_octave = 2.0 / std::numbers::sqrt2;  ///< of neighbouring steps

    /// Spans of equal length: eigenvalues [1/s^2], dampings [1/s].
    Propagators(std::span<const double> eigenvalues, std::span<const double> dampings,
                double longest_step);
    ~Propagators();

    std::size_t padded() const { return padded_; }
    const Propagator& level(int l) const;
    double step(int l) const { return steps_[static_cast<std::size_t>(l)]; }
    double longest() const { return steps_[0]; }
    /// The level of the longest step within `time` >= 0 [s]; the last one, if none is. To the last
    /// bit if the longest step is a power of two.
    int level_within(double time) const { return level_of(time / steps_[0]); }
    /// The same for a time in longest steps.
    static int level_of(double time) {
        constexpr int mantissa = std::numeric_limits<double>::digits - 1;
        // time = m 2^e, 1 <= m < 2: the step is 2^e, or 2^e sqrt(2) if m allows it.
        const auto bits = std::bit_cast<std::int64_t>(time);
        const std::int64_t e = (bits >> mantissa) - (std::numeric_limits<double>::max_exponent - 1);
        constexpr std::int64_t part = (std::int64_t{1} << mantissa) - 1;
        const bool is_odd = (bits & part) >= (std::bit_cast<std::int64_t>(half_octave) & part);
        return static_cast<int>(std::clamp<std::int64_t>(-2 * e - (is_odd ? 1 : 0), 0, levels - 1));
    }

    const double* eigenvalues() const { return eigenvalues_.data(); }
    const double* dampings() const { return dampings_.data(); }
    const double* omegas() const { return omegas_.data(); }  ///< sqrt(lambda) [1/s]
    /// 1/lambda; 0 for rigid modes.
    const double* inverse_eigenvalues() const { return inverse_.data(); }
    /// Bound of the rates of change [1/s]: the largest sqrt(lambda) + d.
    double fastest() const { return fastest_; }
    double highest_omega() const { return highest_omega_; }  ///< [1/s]

  private:
    class Tables;

    std::size_t modes_, padded_;
    core::AlignedVector eigenvalues_, dampings_, omegas_, inverse_;
    std::array<double, levels> steps_;
    double fastest_ = 0.0, highest_omega_ = 0.0;
    std::unique_ptr<Tables> tables_;  // of the levels that have been asked for
};

}  // namespace stoss::modal
