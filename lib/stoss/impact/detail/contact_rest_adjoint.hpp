#pragma once
/// The last interval of a contact, whose impulse acts at once, backwards in time
/// (docs/theory/splitting_scheme.md 12.4, docs/theory/gradients.md 26.9).

#include <array>
#include <cmath>
#include <cstddef>

#include <stoss/contact/contact.hpp>
#include <stoss/core/dual.hpp>
#include <stoss/impact/detail/adjoint_sweep.hpp>
#include <stoss/impact/detail/collision_quantities.hpp>
#include <stoss/impact/detail/modal_adjoint.hpp>
#include <stoss/impact/detail/splitting_law.hpp>
#include <stoss/modal/modal_kernels.hpp>

namespace stoss::impact {

template <contact::ContactLaw Law>
class ContactRestAdjoint {
  public:
    /// `sweep` must live as long as this is used.
    explicit ContactRestAdjoint(AdjointSweep<Law>& sweep) : sweep_(sweep) {}

    /// Over piece i.
    void go_back(std::size_t i) {
        const Piece& piece = sweep_.pieces[i];
        const PastState begin = sweep_.state(piece), end = sweep_.state(sweep_.pieces[i + 1]);
        const double before = piece.approach_velocity,
                     after = sweep_.pieces[i + 1].approach_velocity;
        const modal::LateForce force = late_force(piece);
        // Where no free motion follows, the bodies part when the rest is over.
        const bool is_last = sweep_.pieces[i + 1].kind == Kind::separated;
        const double by_length = is_last ? sweep_.by_time + sweep_.modes.by_time(0.0, end) : 0.0;
        const double work =
            sweep_.seeds.work + (sweep_.is_compression ? sweep_.seeds.compression_work : 0.0);
        if (piece.ends_compression) sweep_.by_time += sweep_.seeds.compression_end;
        sweep_.modes.by_approach_velocity(0.5 * force.impulse * work, end);
        modal::LateForce by = sweep_.modes.by_late_force(force.rest);
        by.impulse += sweep_.by_impulse(before, after, sweep_.is_compression);
        sweep_.modes.back_over_late_force(force);
        sweep_.modes.by_approach_velocity(0.5 * force.impulse * work, begin);
        sweep_.by_force = 0.0;
        if (sweep_.residual() != 0.0 && (!Sweep::has_rates || edge_force(piece) != 0.0)) {
            go_back_behind_spring(i, by, by_length);
            return;
        }
        for (std::size_t k = 0; k < TowardsZero::points; ++k) {
            const double s = (1.0 - TowardsZero::node[k]) * force.rest;
            const double x = piece.seen.x + s * (piece.seen.v + 0.5 * s * piece.acceleration);
            const double v = piece.seen.v + s * piece.acceleration;
            sweep_.by_law(TowardsZero::weight[k] * force.rest *
                              (by.impulse + s * (by.first + 0.5 * s * by.second)),
                          sweep_.point(piece, x, v), x, v);
        }
        const auto along = [&](double dx, double dv, double da, double d_edge) {
            const core::Dual x{piece.seen.x, dx}, v{piece.seen.v, dv}, a{piece.acceleration, da};
            // The parabola meets the edge: x' + a rest is its slope there.
            const double slope = piece.seen.v + piece.acceleration * force.rest;
            const core::Dual rest{
                force.rest, -(dx - d_edge + force.rest * (dv + 0.5 * force.rest * da)) / slope};
            const Moments<core::Dual> sum = moments(piece, rest, x, v, a);
            return by.impulse * sum.impulse.derivative + by.first * sum.first.derivative +
                   by.second * sum.second.derivative + by_length * rest.derivative;
        };
        by_edge(piece, along(0.0, 0.0, 0.0, 1.0));
        sweep_.by_seen = {along(1.0, 0.0, 0.0, 0.0), along(0.0, 1.0, 0.0, 0.0)};
        sweep_.by_acceleration = along(0.0, 0.0, 1.0, 0.0);
    }

  private:
    using Sweep = AdjointSweep<Law>;
    using Piece = typename Sweep::Piece;
    using Kind = typename Sweep::Kind;

    /// The last force of a law that attracts [N].
    static double edge_force(const Piece& piece) { return last_force(piece.contact, piece.seen.v); }
    /// By the overlap of the modes at which the contact by such a law ends.
    void by_edge(const Piece& piece, double by) {
        if (edge_force(piece) == 0.0) return;
        sweep_.law.set(piece.onset_rate, piece.largest_overlap);
        sweep_.law.add_end_overlap(by, false, sweep_.residual());
    }

    /// The same with a residual flexibility R in series. The overlap that the law sees, like
    /// x - R F(x), then has an infinite acceleration at its zero. So the parabola is that of the
    /// overlap of the modes, with its mean acceleration over the step before. It ends where the law
    /// sees the end of contact. A law that attracts there stretches R by its last force. The change
    /// of this force in the rest is neglected: the slope of the force may be infinite, and then the
    /// force of law and flexibility need not have a balance.
    void go_back_behind_spring(std::size_t i, const modal::LateForce& by, double by_length) {
        const Piece &piece = sweep_.pieces[i], &step = sweep_.pieces[i - 1];
        const PastState begin = sweep_.state(piece);
        const double x0 = sweep_.pair.overlap({begin.q, sweep_.pair.modes()});
        const double v0 = sweep_.pair.overlap({begin.v, sweep_.pair.modes()});
        const double a =
            (v0 - sweep_.pair.overlap({sweep_.state(step).v, sweep_.pair.modes()})) / step.length;
        const double last = edge_force(piece);
        const double left = x0 - (piece.contact.end_overlap() + sweep_.residual() * last);
        const double rest = 2.0 * left / (std::sqrt(v0 * v0 - 2.0 * a * left) - v0);
        struct Node {
            double s, x, v, weight, weight_slope, spring_force, ratio;
            LawWithSlopes law;
        };
        std::array<Node, TowardsZero::points> nodes;
        for (std::size_t k = 0; k < nodes.size(); ++k) {
            const double s = (1.0 - TowardsZero::node[k]) * rest, weight = TowardsZero::weight[k];
            const double of_modes = x0 + s * (v0 + 0.5 * s * a), v = v0 + s * a;
            const double x = last == 0.0 ? seen_behind_spring(piece, of_modes, v)
                                         : of_modes - sweep_.residual() * last;
            const LawWithSlopes law = sweep_.point(piece, x, v);
            nodes[k] = {s,
                        x,
                        v,
                        weight * (by.impulse + s * (by.first + 0.5 * s * by.second)),
                        weight * (by.first + s * by.second),
                        last == 0.0 ? law.force : last,
                        last == 0.0 ? 1.0 + sweep_.residual() * law.by_x : 1.0,
                        law};
            sweep_.by_law(rest * nodes[k].weight / nodes[k].ratio, law, x, v);
        }
        const auto along = [&](double dx, double dv, double da, double by_residual, double d_edge) {
            const double d_rest = -(dx - d_edge + rest * (dv + 0.5 * rest * da)) / (v0 + a * rest);
            double sum = by_length * d_rest;
            for (const Node& node : nodes) {
                const double ds = node.s / rest * d_rest;
                const double of_modes = dx + node.s * (dv + 0.5 * node.s * da) + ds * node.v;
                const double seen = (of_modes - by_residual * node.spring_force) / node.ratio;
                sum += (d_rest * node.weight + rest * ds * node.weight_slope) * node.law.force +
                       rest * node.weight * node.law.by_x * seen;
            }
            return sum;
        };
        sweep_.by_rate_before = -along(0.0, 0.0, 1.0, 0.0, 0.0) / step.length;
        sweep_.modes.by_overlap({along(1.0, 0.0, 0.0, 0.0, 0.0),
                                 along(0.0, 1.0, 0.0, 0.0, 0.0) - sweep_.by_rate_before},
                                begin);
        sweep_.modes.gradient().residual_flexibility += along(0.0, 0.0, 0.0, 1.0, last);
        by_edge(piece, along(0.0, 0.0, 0.0, 0.0, 1.0));
        sweep_.by_acceleration = 0.0;
        sweep_.by_seen = {};
    }

    /// x with x + R F(x) = the overlap of the modes, by Newton's method.
    double seen_behind_spring(const Piece& piece, double of_modes, double v) {
        constexpr double last_change = 1e-8;  // relative; then comes its square
        double x = of_modes, change = of_modes;
        for (int i = 0; i < 6 && std::abs(change) > last_change * std::abs(x); ++i) {
            const LawWithSlopes law = sweep_.point(piece, x, v);
            change = (x + sweep_.residual() * law.force - of_modes) /
                     (1.0 + sweep_.residual() * law.by_x);
            x -= change;
        }
        return x;
    }

    AdjointSweep<Law>& sweep_;
};

}  // namespace stoss::impact
