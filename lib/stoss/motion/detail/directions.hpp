#pragma once
/// The directions in which contacts act, laid out for loops over whole vector registers.

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <stoss/core/aligned.hpp>
#include <stoss/core/lanes.hpp>
#include <stoss/motion/detail/lane_sum.hpp>
#include <stoss/motion/system.hpp>

namespace stoss::motion {

/// Modes from `begin` to before `end`: whole registers.
struct ModeRange {
    std::size_t begin = 0, end = 0;
};

/// Number of modes, rounded up to whole registers.
inline std::size_t padded_modes(const System& system) {
    return (system.modes() + core::lanes - 1) / core::lanes * core::lanes;
}

/// Mode values of all directions (`motion::direction`), and which of them move the same modes.
/// Bodies of a long row share no mode with most of the others: nothing is computed for these.
class Directions {
  public:
    /// Keeps a reference to `system`.
    explicit Directions(const System& system);

    /// Entries of a list of modes: their number, rounded up to whole registers.
    std::size_t padded() const { return padded_; }
    std::size_t size() const { return ranges_.size(); }
    /// Mode values [1/sqrt(kg)], padded with zeros.
    const double* phi(std::size_t d) const { return phi_.data() + d * padded_; }
    /// The modes that a force along direction d moves.
    std::span<const ModeRange> ranges(std::size_t d) const { return ranges_[d]; }

    /// Calls body(j) for the first mode of every register of direction d.
    template <class Body>
    void for_registers(std::size_t d, const Body& body) const {
        for (const ModeRange& range : ranges_[d])
            for (std::size_t j = range.begin; j < range.end; j += core::lanes) body(j);
    }
    /// Sum over the modes of phi_j times `values`, which has `padded` entries.
    double sum(std::size_t d, const double* values) const {
        LaneSum sum;
        const double* const of_d = phi(d);
        for_registers(d, [&](std::size_t j) {
            for (std::size_t l = 0; l < core::lanes; ++l)
                sum.lane[l] += of_d[j + l] * values[j + l];
        });
        return sum.total();
    }
    /// The same of |phi_j values_j|.
    double sum_of_sizes(std::size_t d, const double* values) const {
        LaneSum sum;
        const double* const of_d = phi(d);
        for_registers(d, [&](std::size_t j) {
            for (std::size_t l = 0; l < core::lanes; ++l)
                sum.lane[l] += std::abs(of_d[j + l] * values[j + l]);
        });
        return sum.total();
    }

    /// Two directions of which a force along one moves what the other one sees.
    struct Partner {
        std::size_t direction;  ///< the other one
        std::size_t pair;       ///< number of the two; (c, d) and (d, c) have one number
        double mobility;        ///< sum phi_c phi_d [1/kg]
    };
    /// Those of direction d, d itself included.
    std::span<const Partner> partners(std::size_t d) const { return partners_[d]; }
    std::size_t pairs() const { return pairs_; }
    /// Number of a pair; none if a force along one of them does nothing along the other.
    std::optional<std::size_t> pair(std::size_t c, std::size_t d) const {
        for (const Partner& each : partners_[c])
            if (each.direction == d) return each.pair;
        return std::nullopt;
    }

    /// Place of a contact in an order in which contacts of one body are near each other, that of
    /// Cuthill & McKee (1969).
    std::size_t rank(std::size_t contact) const { return ranks_[contact]; }

  private:
    void find_ranges(const System& system);
    void find_partners(const System& system);
    void order_contacts(std::size_t contacts);

    std::size_t padded_;
    core::AlignedVector phi_;
    std::vector<std::vector<ModeRange>> ranges_;
    std::vector<std::vector<Partner>> partners_;
    std::size_t pairs_ = 0;
    std::vector<std::size_t> ranks_;
};

}  // namespace stoss::motion
