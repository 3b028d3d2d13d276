#pragma once
/// What the parts of a sweep backwards over a recorded collision have in common
/// (docs/theory/gradients.md).

#include <span>
#include <type_traits>
#include <vector>

#include <stoss/contact/contact.hpp>
#include <stoss/core/dual.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/impact/detail/collision_quantities.hpp>
#include <stoss/impact/detail/collision_record.hpp>
#include <stoss/impact/detail/contact_pair.hpp>
#include <stoss/impact/detail/law_slopes.hpp>
#include <stoss/impact/detail/modal_adjoint.hpp>
#include <stoss/impact/detail/splitting_law.hpp>
#include <stoss/impact/detail/splitting_memory.hpp>
#include <stoss/modal/modal_kernels.hpp>
#include <stoss/modal/propagators.hpp>

namespace stoss::impact {

/// A law with its derivatives by the motion: [N], [N/m], [N s/m].
struct LawWithSlopes {
    double force, by_x, by_v;
};

template <contact::ContactLaw Law>
struct AdjointSweep {
    using Piece = typename CollisionRecord<Law>::Piece;
    using Kind = typename CollisionRecord<Law>::Kind;
    static constexpr bool has_rates = SplittingLaw<Law>::has_rates;
    static constexpr bool remembers_overlap = contact::Hysteretic<Law>;

    const ContactPair& pair;
    const SplittingMemory& memory;  ///< of the run
    const CollisionRecord<Law>& record;
    const std::span<const Piece> pieces;  ///< of the record
    ModalAdjoint modes;
    LawSlopes<Law> law;
    PeakForce peak{};
    QuantitySeeds seeds{};
    bool is_compression = false;          ///< the present piece lies before the end of compression
    modal::Overlap by_seen{};             ///< by what the law sees at the present instant
    double by_force = 0.0;                ///< by the force there
    double by_acceleration = 0.0;         ///< by the mean acceleration of the step before
    double by_rate_before = 0.0;          ///< by the overlap's rate of the modes at its begin
    double by_time = 0.0;                 ///< by the instant itself
    std::vector<double> by_remembered{};  ///< by the overlap that the law remembers, of each step
    core::StopCheck check_stop{};

    /// For one more sweep.
    void start(const QuantitySeeds& of_quantity) {
        seeds = of_quantity;
        modes.start();
        law.start();
        if constexpr (remembers_overlap) by_remembered.assign(pieces.size(), 0.0);
        by_seen = {};
        by_force = by_acceleration = by_rate_before = by_time = 0.0;
        is_compression = false;
    }

    /// The modes at the begin of a piece.
    PastState state(const Piece& piece) const { return record.state(piece); }
    double residual() const { return pair.residual_flexibility; }  ///< R [m/N]
    /// What the forces at the nodes take from overlap and rate there, as the run counts it.
    const modal::Compliances& compliance(const modal::Propagator& flow) const {
        return memory.compliances[flow.number];
    }

    /// The law as the piece finds it, at overlap x [m] and rate v [m/s].
    LawWithSlopes point(const Piece& piece, double x, double v) {
        if constexpr (std::is_same_v<Law, contact::Hertz>) {
            const double force = piece.contact.force(x, v);
            return {force, force > 0.0 ? law.law().exponent * force / x : 0.0, 0.0};
        }
        law.set(piece.onset_rate, piece.largest_overlap);
        const core::Dual by_x = piece.contact.force(core::Dual::variable(x), core::Dual(v));
        if constexpr (!has_rates) return {by_x.value, by_x.derivative, 0.0};
        const core::Dual by_v = piece.contact.force(core::Dual(x), core::Dual::variable(v));
        return {by_x.value, by_x.derivative, by_v.derivative};
    }
    /// By the force of the law there, through all but the motion; none where it does not act.
    void by_law(double by, const LawWithSlopes& at, double x, double v) {
        if (at.force != 0.0) law.add(by, at.force, x, v);
    }

    /// By the impulse of a piece over which V_rel goes from `before` to `after`, less what is
    /// particular to the piece in which compression ends.
    double by_impulse(double before, double after, bool with_compression) const {
        double by = seeds.impulse + 0.5 * (before + after) * seeds.work;
        if (with_compression)
            by += seeds.compression_impulse + 0.5 * (before + after) * seeds.compression_work;
        return by;
    }
};

}  // namespace stoss::impact
