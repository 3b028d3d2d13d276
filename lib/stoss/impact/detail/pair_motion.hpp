#pragma once
/// Two bodies as the splitting scheme moves them: mode by mode or, where damping couples the modes,
/// block by block (theory/modal_reduction.md 4.11).

#include <cstddef>
#include <span>
#include <vector>

#include <stoss/core/aligned.hpp>
#include <stoss/impact/detail/contact_pair.hpp>
#include <stoss/modal/coupled_modes.hpp>
#include <stoss/modal/modal_kernels.hpp>
#include <stoss/modal/propagators.hpp>

namespace stoss::impact {

/// Coordinates and rates of all modes.
struct ModesView {
    std::span<const double> q, v;
};

/// For one collision of a pair at a time; takes no memory after the first.
class PairMotion {
  public:
    /// For a collision of `pair`, whose modes or blocks `propagators` moves. Both must live as long
    /// as this is used.
    void prepare(const ContactPair& pair, const modal::Propagators& propagators);

    const modal::ContactShape& shape() const { return shape_; }
    const modal::ModalKernels& kernels() const {
        return modal::modal_kernels(pair_->coupled ? modal::Motions::blocks
                                                   : modal::Motions::modes);
    }
    std::size_t size() const { return mobility_.size(); }                    ///< modes or blocks
    double omega(std::size_t j) const { return propagators_->omegas()[j]; }  ///< sqrt(lambda) [1/s]
    /// The acceleration of the overlap [m/s^2] by a unit force on mode or block j, at most.
    double mobility(std::size_t j) const { return mobility_[j]; }

    /// The state at the begin.
    void start(modal::ModalState state) const;

    /// The modes of a state; the view ends with the next call.
    ModesView modes(modal::ModalState state);

    /// V_rel [m/s] (theory/collision.md 6.3), and its derivative under the force P [N].
    double approach_velocity(modal::ModalState state) const {
        return pair_->coupled ? approach_velocity_of_blocks(state)
                              : pair_->approach_velocity({state.v, size()});
    }
    double approach_acceleration(modal::ModalState state, double force) const;
    /// The time [s] in a free motion of length h [s] from `state` at which V_rel vanishes.
    /// Precondition: it is positive at the begin and not at the end.
    double approach_end(modal::ModalState state, double h) const;
    /// Overlap [m] of the rigid modes alone. Of modes, not of blocks.
    double rigid_overlap(modal::ModalState state) const {
        return pair_->rigid_overlap({state.q, size()});
    }

    /// The overlap [m], if all modes or blocks added to it.
    double magnitude(modal::ModalState state) const;

    /// (6.9): what does not vibrate opens the gap for good, and the vibrations cannot bridge it.
    /// `approach_velocity`: of the state; `reach`: bound of the vibrations' overlap [m].
    bool parts_for_good(modal::ModalState state, double approach_velocity, double reach) const;

  private:
    void see_blocks();
    double approach_velocity_of_blocks(modal::ModalState state) const;

    const ContactPair* pair_ = nullptr;
    const modal::Propagators* propagators_ = nullptr;
    modal::ContactShape shape_{nullptr};
    core::AlignedVector phi_;
    std::vector<double> mobility_;
    // Of blocks only.
    modal::BlockShape blocks_;
    core::AlignedVector reach_;
    std::vector<double> rigid_phi_, approach_of_q_, approach_of_v_;
    std::vector<double> modes_q_, modes_v_;
};

}  // namespace stoss::impact
