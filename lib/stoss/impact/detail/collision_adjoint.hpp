#pragma once
/// A recorded collision backwards in time: the gradient of one quantity of the result
/// (docs/theory/gradients.md, docs/theory/splitting_scheme.md).

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <stoss/contact/contact.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/impact/detail/adjoint_sweep.hpp>
#include <stoss/impact/detail/collision_quantities.hpp>
#include <stoss/impact/detail/collision_record.hpp>
#include <stoss/impact/detail/contact_pair.hpp>
#include <stoss/impact/detail/contact_rest_adjoint.hpp>
#include <stoss/impact/detail/contact_step_adjoint.hpp>
#include <stoss/impact/detail/elastic_steps_adjoint.hpp>
#include <stoss/impact/detail/graze_search.hpp>
#include <stoss/impact/detail/law_slopes.hpp>
#include <stoss/impact/detail/modal_adjoint.hpp>
#include <stoss/impact/detail/splitting_law.hpp>
#include <stoss/impact/detail/splitting_memory.hpp>
#include <stoss/impact/gradient.hpp>

namespace stoss::impact {

template <contact::ContactLaw Law>
class CollisionAdjoint {
  public:
    /// `memory`: of the run; `work`: for this.
    CollisionAdjoint(const ContactPair& pair, const modal::Propagators& propagators,
                     const SplittingMemory& memory, const modal::PropagatorSlopes& slopes,
                     const Law& law, contact::Separation separation,
                     const CollisionRecord<Law>& record, const GradientRequest& wanted,
                     const ModeNumbers& by, AdjointMemory& work)
        : sweep_{.pair = pair,
                 .memory = memory,
                 .record = record,
                 .pieces = record.pieces(),
                 .modes = {pair, propagators, slopes, Sweep::has_rates, by, work},
                 .law = {law, {pair.effective_mass, separation}, wanted.law}},
          steps_(sweep_),
          elastic_steps_(sweep_, work),
          rests_(sweep_) {
        if (sweep_.law.has_zeros()) see_zeros();
        if (std::ranges::any_of(wanted.quantities, needs_sums)) sums_ = sums_of(pair, record);
        const std::span<const Piece> pieces = record.pieces_to_separation();
        sums_.approach_speed = pieces.front().approach_velocity;
        sums_.approach_velocity = pieces.back().approach_velocity;
    }

    CollisionAdjoint(const CollisionAdjoint&) = delete;  // its parts refer to the sweep
    CollisionAdjoint& operator=(const CollisionAdjoint&) = delete;

    /// Derivatives by the numbers of the pair; those by the law are in `law()`. Both hold until the
    /// next call.
    PairGradient& gradient(Quantity quantity) {
        if (quantity == Quantity::peak_force) sweep_.peak = peak_of(sweep_.record);
        sweep_.start(seeds_of(quantity, sums_));
        begin_at_separation();
        return back_to_start(sweep_.record.pieces_to_separation().size());
    }

    /// Those of the margin.
    PairGradient& gradient(const PlaceOfGraze& graze) {
        sweep_.start({});
        const Piece& piece = sweep_.pieces[graze.piece];
        const PastState now = sweep_.state(piece);
        if (piece.kind != Kind::step) {
            sweep_.modes.by_later_overlap(graze.sign, graze.place, now);
            return back_to_start(graze.piece);
        }
        // The cubic in which the graze was found, by its four numbers.
        const double u = graze.place, rest = 1.0 - u, by_slope = graze.sign * piece.length;
        sweep_.modes.by_overlap({graze.sign * u * u * (3.0 - 2.0 * u), -by_slope * u * u * rest},
                                sweep_.state(sweep_.pieces[graze.piece + 1]));
        back_over(graze.piece);
        sweep_.modes.by_overlap(
            {graze.sign * rest * rest * (1.0 + 2.0 * u), by_slope * u * rest * rest}, now);
        return back_to_start(graze.piece);
    }

    /// In order of the sub-impacts.
    std::vector<PlaceOfGraze> grazes() const {
        return GrazeSearch<Law>(sweep_.pair, sweep_.record).find();
    }

    const LawSlopes<Law>& law() const { return sweep_.law; }
    double along() const { return sweep_.modes.along(); }

  private:
    using Sweep = AdjointSweep<Law>;
    using Piece = typename Sweep::Piece;
    using Kind = typename Sweep::Kind;

    /// Shows the law the motion at the largest force of all nodes.
    void see_zeros() {
        double largest = 0.0, x = 0.0, v = 0.0;
        for (const Piece& piece : sweep_.record.pieces_to_separation()) {
            for (std::size_t k = 0; piece.kind == Kind::step && k < 3; ++k) {
                if (!(piece.nodes[k] > largest)) continue;
                largest = piece.nodes[k];
                x = piece.node_x[k];
                v = piece.node_v[k];
            }
        }
        if (largest > 0.0) sweep_.law.see_zeros(x, v);
    }

    void begin_at_separation() {
        const PastState end = sweep_.state(sweep_.record.pieces_to_separation().back());
        sweep_.modes.by_approach_velocity(sweep_.seeds.approach_velocity, end);
        sweep_.modes.by_energy(sweep_.seeds.energy_rigid, 0, sweep_.pair.rigid, end);
        sweep_.modes.by_energy(sweep_.seeds.energy_vibration, sweep_.pair.rigid,
                               sweep_.pair.modes(), end);
        sweep_.by_time = sweep_.seeds.separation;
    }

    /// Back over all pieces before number `end`.
    PairGradient& back_to_start(std::size_t end) {
        for (std::size_t i = end; i > 0;) {
            i = elastic_steps_.go_back(i);
            if (i > 0) back_over(--i);
        }
        const PastState start = sweep_.state(sweep_.pieces.front());
        sweep_.modes.by_approach_velocity(sweep_.seeds.approach_speed, start);
        sweep_.modes.by_energy(sweep_.seeds.initial_energy, 0, sweep_.pair.modes(), start);
        sweep_.modes.gradient().effective_mass = sweep_.law.by_mass();
        sweep_.modes.finish();
        return sweep_.modes.gradient();
    }

    void back_over(std::size_t i) {
        sweep_.check_stop();
        const Piece& piece = sweep_.pieces[i];
        sweep_.is_compression = sweep_.is_compression || piece.ends_compression;
        if (piece.kind != Kind::step) sweep_.modes.leave_steps(sweep_.state(piece));
        switch (piece.kind) {
            case Kind::step:
                steps_.go_back(i);
                break;
            case Kind::rest:
                rests_.go_back(i);
                break;
            case Kind::end:
                back_over_end(piece);
                break;
            case Kind::free:
                back_over_free_motion(i);
                break;
            case Kind::onset:
            case Kind::resumed:
                back_over_onset(piece);
                break;
            case Kind::separated:
                break;
        }
        if constexpr (Sweep::remembers_overlap)
            sweep_.by_remembered[piece.remembered] += std::exchange(sweep_.law.by_largest(), 0.0);
    }

    /// Contact ends with a step: where the overlap crosses its limit, or the force would pull
    /// (26.10).
    void back_over_end(const Piece& piece) {
        const PastState now = sweep_.state(piece);
        const auto [x, v] = piece.seen;
        const bool crosses = !piece.contact.released();
        const double last = crosses ? last_force(piece.contact, v) : 0.0;
        const double by_time = sweep_.by_time + sweep_.modes.by_time(last, now);
        if (crosses) {
            sweep_.law.set(piece.onset_rate, piece.largest_overlap);
            sweep_.law.add_end_overlap(by_time / v, false, sweep_.residual());
            sweep_.modes.gradient().residual_flexibility += last * by_time / v;
            sweep_.modes.by_overlap({-by_time / v, 0.0}, now);
            return;
        }
        // The law alone says when: its force vanishes.
        sweep_.law.set(piece.onset_rate, piece.largest_overlap);
        const LawWithSlopes law = unlimited(piece, x, v);
        double acceleration = 0.0;
        for (std::size_t j = 0; j < sweep_.pair.modes(); ++j) {
            const double load = j < sweep_.pair.rigid ? sweep_.pair.loads[j] : 0.0;
            acceleration -= sweep_.pair.phi[j] * (load - sweep_.pair.eigenvalues[j] * now.q[j] -
                                                  sweep_.pair.dampings[j] * now.v[j]);
        }
        const double by_force = -by_time / (law.by_x * v + law.by_v * acceleration);
        if (!std::isfinite(by_force)) return;
        sweep_.law.add(by_force, law.force, x, v);
        sweep_.modes.by_overlap({law.by_x * by_force, law.by_v * by_force}, now);
    }

    /// The law with its slopes where it would pull.
    static LawWithSlopes unlimited(const Piece& piece, double x, double v) {
        const double dx = 1e-6 * std::abs(x), dv = 1e-6 * std::abs(v);
        const auto force = [&](double at, double rate) {
            return piece.contact.unlimited_force(at, rate);
        };
        const double by_x = (force(x + dx, v) - force(x - dx, v)) / (2.0 * dx);
        const double by_v = (force(x, v + dv) - force(x, v - dv)) / (2.0 * dv);
        return {force(x, v), by_x, by_v};
    }

    /// Free motion to the instant at which the overlap crosses its edge, or beyond all (26.10).
    void back_over_free_motion(std::size_t i) {
        const Piece& piece = sweep_.pieces[i];
        const PastState begin = sweep_.state(piece);
        if (piece.crosses) {
            const PastState end = sweep_.state(sweep_.pieces[i + 1]);
            double rate = 0.0;
            for (std::size_t j = 0; j < sweep_.pair.modes(); ++j)
                rate -= sweep_.pair.phi[j] * end.v[j];
            const double by = (sweep_.by_time + sweep_.modes.by_time(0.0, end)) / rate;
            sweep_.law.set(piece.onset_rate, piece.largest_overlap);
            sweep_.law.add_end_overlap(by, piece.edge > piece.seen.x);
            sweep_.modes.by_overlap({-by, 0.0}, end);
        }
        sweep_.modes.back_over_free_motion(piece.length, begin, sweep_.state(sweep_.pieces[i + 1]));
        if (!piece.ends_compression) return;
        sweep_.by_time += sweep_.seeds.compression_end;
        const std::span<const double> rate{begin.v, sweep_.pair.modes()};
        double slope = 0.0;
        for (std::size_t j = 0; j < sweep_.pair.rigid; ++j) {
            const double d = sweep_.pair.dampings[j], decay = core::exp(-d * piece.compression);
            slope -= sweep_.pair.phi[j] * decay * (sweep_.pair.loads[j] - d * rate[j]);
        }
        sweep_.modes.by_later_approach_velocity(-sweep_.seeds.compression_end / slope,
                                                piece.compression, begin);
    }

    /// What the law sees as a contact begins, or goes on after a short free motion.
    void back_over_onset(const Piece& piece) {
        const PastState now = sweep_.state(piece);
        const auto [x, v] = piece.seen;
        modal::Overlap by = sweep_.by_seen;
        if (sweep_.residual() == 0.0 && sweep_.by_force != 0.0) {
            const LawWithSlopes law = sweep_.point(piece, x, v);
            sweep_.by_law(sweep_.by_force, law, x, v);
            by.x += law.by_x * sweep_.by_force;
            by.v += law.by_v * sweep_.by_force;
        }
        if (piece.kind == Kind::onset) by.v += std::exchange(sweep_.law.by_onset(), 0.0);
        sweep_.modes.by_overlap(by, now);
        sweep_.by_seen = {};
        sweep_.by_force = sweep_.by_acceleration = 0.0;
    }

    AdjointSweep<Law> sweep_;
    ContactStepAdjoint<Law> steps_;
    ElasticStepsAdjoint<Law> elastic_steps_;
    ContactRestAdjoint<Law> rests_;
    RunSums sums_;
};

}  // namespace stoss::impact
