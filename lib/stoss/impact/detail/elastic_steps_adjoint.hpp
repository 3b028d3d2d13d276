#pragma once
/// Simple steps in contact backwards in time: those that act on what follows through the modes at
/// their end alone. Most steps of elastic laws are simple. Many of them are done at once.

#include <array>
#include <cstddef>

#include <stoss/contact/contact.hpp>
#include <stoss/impact/detail/adjoint_sweep.hpp>
#include <stoss/impact/detail/modal_adjoint.hpp>
#include <stoss/impact/detail/splitting_law.hpp>
#include <stoss/modal/adjoint_kernels.hpp>
#include <stoss/time/detail/collocation.hpp>

namespace stoss::impact {

template <contact::ContactLaw Law>
class ElasticStepsAdjoint {
  public:
    /// Both must live as long as this is used.
    ElasticStepsAdjoint(AdjointSweep<Law>& sweep, AdjointMemory& memory)
        : sweep_(sweep), elastic_steps_(memory.elastic_steps) {}

    /// Back over all such steps before piece `end`. Returns the piece that comes after them.
    std::size_t go_back(std::size_t end) {
        if (!has_simple_steps() || !depends_on_modes_alone()) return end;
        if (end > 0 && is_simple(end - 1))
            sweep_.modes.enter_steps(sweep_.state(sweep_.pieces[end]));
        while (end > 0 && is_simple(end - 1)) {
            sweep_.check_stop();
            std::size_t begin = end, count = 0;
            for (; count < AdjointMemory::most_steps && is_simple(begin - 1); ++count)
                set_elastic_step(elastic_steps_[count], sweep_.pieces[--begin], node_laws_[count]);
            sweep_.modes.back_over_steps({elastic_steps_.data(), count});
            const bool has_more = sweep_.law.wants_any() || sweep_.residual() != 0.0;
            for (std::size_t n = 0; has_more && n < count; ++n)
                by_nodes(sweep_.pieces[end - 1 - n], node_laws_[n], elastic_steps_[n].step.by_x);
            end = begin;
        }
        return end;
    }

  private:
    using Sweep = AdjointSweep<Law>;
    using Piece = typename Sweep::Piece;
    using Kind = typename Sweep::Kind;

    /// True if this step is one of them, if all other adjoints of what comes later are zero.
    bool is_simple(std::size_t i) const {
        const Piece& piece = sweep_.pieces[i];
        return piece.kind == Kind::step && !piece.ends_compression && i != sweep_.peak.piece &&
               sweep_.pieces[i - 1].kind != Kind::onset;
    }

    bool has_simple_steps() const {
        return SplittingLaw<Law>::depends_on_overlap_alone && sweep_.seeds.impulse == 0.0 &&
               sweep_.seeds.work == 0.0 && sweep_.seeds.compression_impulse == 0.0 &&
               sweep_.seeds.compression_work == 0.0;
    }

    bool depends_on_modes_alone() const {
        return sweep_.by_force == 0.0 && sweep_.by_acceleration == 0.0 && sweep_.by_seen.x == 0.0 &&
               sweep_.by_seen.v == 0.0 && sweep_.by_rate_before == 0.0;
    }

    void set_elastic_step(modal::ElasticStepBackwards& elastic, const Piece& piece,
                          std::array<LawWithSlopes, 3>& law) {
        elastic.step.level = piece.flow;
        elastic.step.begin = sweep_.state(piece);
        elastic.step.force = piece.nodes;
        elastic.compliances = &sweep_.compliance(*piece.flow);
        for (std::size_t i = 0; i < 3; ++i) {
            law[i] = sweep_.point(piece, piece.node_x[i], piece.node_v[i]);
            elastic.slope[i] = law[i].by_x;
        }
    }

    /// By the law and the residual flexibility at the nodes of such a step.
    void by_nodes(const Piece& piece, const std::array<LawWithSlopes, 3>& law,
                  const time::Triple& by_x) {
        for (std::size_t i = 0; i < 3; ++i) {
            if (law[i].by_x == 0.0) continue;  // no force
            sweep_.by_law(by_x[i] / law[i].by_x, law[i], piece.node_x[i], piece.node_v[i]);
            sweep_.modes.gradient().residual_flexibility -= by_x[i] * piece.nodes[i];
        }
    }

    AdjointSweep<Law>& sweep_;
    std::array<modal::ElasticStepBackwards, AdjointMemory::most_steps>& elastic_steps_;
    std::array<std::array<LawWithSlopes, 3>, AdjointMemory::most_steps> node_laws_;  // of these
};

}  // namespace stoss::impact
