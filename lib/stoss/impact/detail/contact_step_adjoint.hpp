#pragma once
/// A step in contact backwards in time (docs/theory/gradients.md 26.5, 26.8, 26.9, 26.12).

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include <stoss/contact/contact.hpp>
#include <stoss/core/gauss3.hpp>
#include <stoss/impact/detail/adjoint_sweep.hpp>
#include <stoss/impact/detail/collision_quantities.hpp>
#include <stoss/impact/detail/modal_adjoint.hpp>
#include <stoss/modal/modal_kernels.hpp>
#include <stoss/modal/propagators.hpp>
#include <stoss/time/cubic_event.hpp>
#include <stoss/time/detail/collocation.hpp>
#include <stoss/time/detail/node_interpolation.hpp>

namespace stoss::impact {

template <contact::ContactLaw Law>
class ContactStepAdjoint {
  public:
    /// `sweep` must live as long as this is used.
    explicit ContactStepAdjoint(AdjointSweep<Law>& sweep) : sweep_(sweep) {}

    /// Over step i.
    void go_back(std::size_t i) {
        const Piece& piece = sweep_.pieces[i];
        const PastState begin = sweep_.state(piece), end = sweep_.state(sweep_.pieces[i + 1]);
        const double before = piece.approach_velocity,
                     after = sweep_.pieces[i + 1].approach_velocity;
        const double h = piece.length, impulse = step_impulse(piece);
        const bool is_last = piece.ends_compression;
        const bool compressed = sweep_.is_compression && !is_last;
        const double work = sweep_.seeds.work + (compressed ? sweep_.seeds.compression_work : 0.0);
        sweep_.modes.enter_steps(end);
        StepAdjoint by{.impulse = sweep_.by_impulse(before, after, compressed),
                       .velocity_before = 0.5 * impulse * work,
                       .velocity_after = 0.5 * impulse * work};
        sweep_.by_seen.v += sweep_.by_acceleration / h;
        const double start_rate = -sweep_.by_acceleration / h;
        sweep_.by_acceleration = 0.0;
        if constexpr (Sweep::remembers_overlap) sweep_.by_seen.x += sweep_.by_remembered[i];
        if (is_last) go_back_over_compression(i, by);
        time::Triple by_nodes{};
        if (i == sweep_.peak.piece) {
            by.start_force += sweep_.seeds.peak_force * sweep_.peak.weights[0];
            for (std::size_t k = 0; k < 3; ++k)
                by_nodes[k] += sweep_.seeds.peak_force * sweep_.peak.weights[k + 1];
            sweep_.by_force += sweep_.seeds.peak_force * sweep_.peak.weights[4];
        }
        for (std::size_t k = 0; k < 3; ++k) {
            const double lever = h * (core::Gauss3::node[k] - 0.5);
            by_nodes[k] += h * core::Gauss3::weight[k] *
                           (by.impulse + work * sweep_.pair.load_acceleration * lever);
            by.load_acceleration += work * lever * h * core::Gauss3::weight[k] * piece.nodes[k];
        }
        sweep_.modes.by_approach_velocity(by.velocity_after, end);
        sweep_.modes.by_overlap(by_modes_at_end(piece, by_nodes), end);
        const time::Triple at_end = sweep_.modes.by_end_of_step(*piece.flow);
        for (std::size_t k = 0; k < 3; ++k) by_nodes[k] += at_end[k];
        const bool is_first = sweep_.pieces[i - 1].kind == Kind::onset;
        const auto [by_x, by_v] = by_node_motion(piece, by_nodes, is_first, by.start_force);
        sweep_.modes.back_over_step(*piece.flow, begin, piece.nodes, by_x, by_v);
        sweep_.modes.by_approach_velocity(by.velocity_before, begin);
        sweep_.modes.by_overlap({0.0, std::exchange(sweep_.by_rate_before, 0.0)}, begin);
        if (is_last) sweep_.modes.by_approach_acceleration(by.start_slope, piece.force, begin);
        if (by.load_acceleration != 0.0) sweep_.modes.by_load_acceleration(by.load_acceleration);
        sweep_.by_seen = {0.0, start_rate};
        sweep_.by_force = by.start_force;
    }

  private:
    using Sweep = AdjointSweep<Law>;
    using Piece = typename Sweep::Piece;
    using Kind = typename Sweep::Kind;

    /// Adjoints of what a step is made of.
    struct StepAdjoint {
        double impulse = 0.0;                                ///< by its impulse
        double velocity_before = 0.0, velocity_after = 0.0;  ///< by V_rel at its ends
        double load_acceleration = 0.0;
        double start_force = 0.0;  ///< by the force at its begin
        double start_slope = 0.0;  ///< by d V_rel/dt there
    };

    /// Step i, in which V_rel vanishes: (26.12).
    void go_back_over_compression(std::size_t i, StepAdjoint& by) {
        const Piece& piece = sweep_.pieces[i];
        const PastState begin = sweep_.state(piece), end = sweep_.state(sweep_.pieces[i + 1]);
        const double before = piece.approach_velocity,
                     after = sweep_.pieces[i + 1].approach_velocity;
        const double h = piece.length, u = piece.compression, impulse = step_impulse(piece);
        const CompressionShare part = compression_share(sweep_.pair, piece, before, after);
        const double per_impulse =
            sweep_.seeds.compression_impulse + 0.5 * before * sweep_.seeds.compression_work;
        by.impulse += part.value * per_impulse;
        by.velocity_before += 0.5 * part.value * impulse * sweep_.seeds.compression_work;
        const double by_share = impulse * per_impulse;
        by.velocity_before += by_share * (1.0 - part.value) / part.fall;
        by.velocity_after += by_share * part.value / part.fall;
        by.load_acceleration += by_share * h * (u - part.value) / part.fall;
        const double by_place =
            by_share * part.added / part.fall + sweep_.seeds.compression_end * h;
        sweep_.by_time += sweep_.seeds.compression_end;
        const double slope_before =
            sweep_.pair.approach_acceleration({begin.v, sweep_.pair.modes()}, piece.force);
        const double slope_after =
            sweep_.pair.approach_acceleration({end.v, sweep_.pair.modes()}, piece.end_force);
        const double slope =
            time::CubicStep{before, after, h * slope_before, h * slope_after}.slope(u);
        const double by_velocity = -by_place / slope, rest = 1.0 - u;
        by.velocity_before += by_velocity * rest * rest * (1.0 + 2.0 * u);
        by.velocity_after += by_velocity * u * u * (3.0 - 2.0 * u);
        sweep_.by_force += sweep_.modes.by_approach_acceleration(-by_velocity * h * u * u * rest,
                                                                 piece.end_force, end);
        by.start_slope = by_velocity * h * rest * rest * u;
        for (std::size_t j = 0; j < sweep_.pair.rigid; ++j)
            by.start_force -= by.start_slope * sweep_.pair.phi[j] * sweep_.pair.phi[j];
    }

    /// By the overlap of the modes at the end of a step, where the law sees less (26.8).
    modal::Overlap by_modes_at_end(const Piece& piece, time::Triple& by_nodes) {
        const double per_step = Sweep::has_rates ? sweep_.residual() / piece.length : 0.0;
        // In most steps all adjoints of the end but those of the modes are zero.
        if (per_step == 0.0 && sweep_.by_force == 0.0 && sweep_.by_seen.x == 0.0 &&
            sweep_.by_seen.v == 0.0)
            return {};
        const auto [x, v] = piece.end;
        const LawWithSlopes law = sweep_.point(piece, x, v);
        const double by_end = per_step * time::end_rate_weights[3];
        const double weight =
            sweep_.by_force - sweep_.residual() * sweep_.by_seen.x - by_end * sweep_.by_seen.v;
        const modal::Overlap by = by_modes(piece, law, x, v, weight, by_end);
        if (per_step == 0.0) return by;
        double forces = time::end_rate_weights[3] * law.force;
        for (std::size_t k = 0; k < 3; ++k) {
            by_nodes[k] -= per_step * time::end_rate_weights[k] * by.v;
            forces += time::end_rate_weights[k] * piece.nodes[k];
        }
        sweep_.modes.gradient().residual_flexibility -= forces / piece.length * by.v;
        return by;
    }

    /// The same from the adjoint of the force without the slope of the law.
    modal::Overlap by_modes(const Piece& piece, const LawWithSlopes& law, double x, double v,
                            double weight, double by_end) {
        const double softening = sweep_.residual() * law.by_x;
        const double by_force = weight / (1.0 + softening + by_end * law.by_v);
        sweep_.by_law(by_force, law, x, v);
        modal::Overlap by{sweep_.by_seen.x + law.by_x * by_force,
                          sweep_.by_seen.v + law.by_v * by_force};
        sweep_.modes.gradient().residual_flexibility -= law.force * by.x;
        if constexpr (!Sweep::has_rates) by.v = by_rate_behind_spring(piece, law, x, v, by.v, by.x);
        return by;
    }

    /// Without rates the rate of the modes is (1 + R F') times that which the law sees.
    double by_rate_behind_spring(const Piece& piece, const LawWithSlopes& law, double x, double v,
                                 double by, double& by_x) {
        if (sweep_.residual() == 0.0 || by == 0.0 || law.force == 0.0) return by;
        const double ratio = 1.0 + sweep_.residual() * law.by_x, dx = 1e-5 * std::abs(x);
        const double curvature =
            dx > 0.0 ? (sweep_.point(piece, x + dx, v).by_x - sweep_.point(piece, x - dx, v).by_x) /
                           (2.0 * dx)
                     : 0.0;
        by_x -= by * v * sweep_.residual() * curvature / (ratio * ratio);
        sweep_.modes.gradient().residual_flexibility -= by * v * law.by_x / ratio;
        return by / ratio;
    }

    /// The law at the nodes of a step, and the inverse of the transposed matrix of the step,
    /// 1 + dF/dP.
    struct NodeLaws {
        std::array<LawWithSlopes, 3> law;
        time::Matrix3 inverse;
    };

    NodeLaws node_laws(const Piece& piece) {
        NodeLaws nodes;
        for (std::size_t i = 0; i < 3; ++i)
            nodes.law[i] = sweep_.point(piece, piece.node_x[i], piece.node_v[i]);
        const modal::Compliances& c = sweep_.compliance(*piece.flow);
        time::Matrix3 transposed;
        for (std::size_t i = 0; i < 3; ++i) {
            const LawWithSlopes& law = nodes.law[i];
            for (std::size_t k = 0; k < 3; ++k) {
                transposed[k][i] = (i == k ? 1.0 : 0.0) + law.by_x * c.x[i][k];
                if constexpr (Sweep::has_rates) transposed[k][i] += law.by_v * c.v[i][k];
            }
        }
        nodes.inverse = time::inverse3(transposed);
        return nodes;
    }

    /// By overlaps and rates of the modes at the nodes, from the adjoints of the forces
    /// there (26.5).
    std::pair<time::Triple, time::Triple> by_node_motion(const Piece& piece,
                                                         const time::Triple& by_nodes,
                                                         bool is_first, double& start_force) {
        const auto [law, inverse] = node_laws(piece);
        time::Triple by_x{}, by_v{}, by_forces{};
        const double per_step = Sweep::has_rates ? sweep_.residual() / piece.length : 0.0;
        for (std::size_t i = 0; i < 3; ++i) {
            const double by_force = by_forces[i] = time::dot(inverse[i], by_nodes);
            if (!is_first) sweep_.by_law(by_force, law[i], piece.node_x[i], piece.node_v[i]);
            by_x[i] = by_force * law[i].by_x;
            by_v[i] = by_force * law[i].by_v;
            double& by_residual = sweep_.modes.gradient().residual_flexibility;
            by_residual -= by_x[i] * piece.nodes[i];
            if (per_step == 0.0) continue;
            double forces = time::rate_weights[i][0] * piece.force;
            for (std::size_t k = 0; k < 3; ++k)
                forces += time::rate_weights[i][k + 1] * piece.nodes[k];
            by_residual -= by_v[i] * forces / piece.length;
            start_force -= by_v[i] * per_step * time::rate_weights[i][0];
        }
        if (is_first) by_law_after_onset(piece, by_forces);
        return {by_x, by_v};
    }

    /// By the numbers of the law in the first step of a contact. Its length is chosen for the
    /// force, and a derivative of the force may be more singular at the onset: that of a damping
    /// that is 0 is like the root of the overlap. So it is not left to the three Gauss nodes.
    void by_law_after_onset(const Piece& piece, const time::Triple& by_forces) {
        const std::array<double, 4> overlaps{piece.seen.x, piece.node_x[0], piece.node_x[1],
                                             piece.node_x[2]};
        for (std::size_t n = 0; n < TowardsZero::points; ++n) {
            const double s = TowardsZero::node[n];
            const std::array<double, 4> along = time::lagrange_values(time::begin_and_nodes, s);
            const std::array<double, 3> weight = time::lagrange_values(core::Gauss3::node, s);
            double x = 0.0, v = 0.0, by = 0.0;
            for (std::size_t k = 0; k < 4; ++k) x += along[k] * overlaps[k];
            for (std::size_t k = 0; k < 3; ++k) {
                v += weight[k] * piece.node_v[k];
                by += weight[k] * by_forces[k] / core::Gauss3::weight[k];
            }
            sweep_.by_law(TowardsZero::weight[n] * by, sweep_.point(piece, x, v), x, v);
        }
    }

    AdjointSweep<Law>& sweep_;
};

}  // namespace stoss::impact
