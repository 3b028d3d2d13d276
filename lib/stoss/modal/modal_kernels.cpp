#include <stoss/modal/modal_kernels.hpp>

#include <type_traits>

#include <stoss/core/detail/each_target.hpp>
#include <stoss/core/detail/vector_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stoss/modal/modal_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace stoss::modal {
namespace HWY_NAMESPACE {
namespace {

#include <stoss/core/vector.inl>

#include <stoss/modal/detail/mode_loops.inl>

/// A register full of modes and the contact: overlap and rate by their states, and what a force
/// adds to them, if it adds (response_q, response_v) to a mode with phi = 1.
struct ModesAtContact {
    Vector phi;

    HWY_INLINE ModesAtContact(const ContactShape& shape, const double*, const double*,
                              std::size_t j)
        : phi(load(shape.in_v + j)) {}
    HWY_INLINE Vector overlap(Vector q, Vector) const { return phi * q; }
    HWY_INLINE Vector rate(Vector, Vector v) const { return phi * v; }
    HWY_INLINE Vector to_q(Vector response_q, Vector) const { return phi * response_q; }
    HWY_INLINE Vector to_v(Vector, Vector response_v) const { return phi * response_v; }
};

/// The same of blocks.
struct BlocksAtContact {
    Vector in_q, in_v, out_q, out_v, lambda, d;

    HWY_INLINE BlocksAtContact(const ContactShape& shape, const double* eigenvalues,
                               const double* dampings, std::size_t j)
        : in_q(load(shape.in_q + j)),
          in_v(load(shape.in_v + j)),
          out_q(load(shape.out_q + j)),
          out_v(load(shape.out_v + j)),
          lambda(load(eigenvalues + j)),
          d(load(dampings + j)) {}
    HWY_INLINE Vector overlap(Vector q, Vector v) const { return out_q * q + out_v * v; }
    HWY_INLINE Vector rate(Vector q, Vector v) const {
        return out_q * v - out_v * (lambda * q + d * v);
    }
    HWY_INLINE Vector to_q(Vector response_q, Vector response_v) const {
        return in_v * response_q + in_q * (response_v + d * response_q);
    }
    HWY_INLINE Vector to_v(Vector response_q, Vector response_v) const {
        return in_v * response_v - in_q * (lambda * response_q);
    }
};

template <Motions motions>
using AtContact = std::conditional_t<motions == Motions::modes, ModesAtContact, BlocksAtContact>;

template <Motions motions, Rates rates, bool with_deviation>
HWY_INLINE void nodes_ahead(const Propagator& level, std::size_t n, const ContactShape& shape,
                            ModalState from, [[maybe_unused]] ModalState off, NodeOverlaps& nodes) {
    constexpr bool with_rates = rates != Rates::none;
    constexpr bool everywhere = with_deviation && rates == Rates::everywhere;
    Sum x[3], v[3], at_seen[3], deviation[3], at_seen_v[3], deviation_v[3];
    for_modes(n, [&](std::size_t j, std::size_t block) HWY_ATTR {
        const Table table(level, j);
        if constexpr (motions == Motions::modes) {
            const Vector p = load(shape.out_q + j);
            const Vector q = p * load(from.q + j), r = p * load(from.v + j);
            const auto free = [&](std::size_t of_q, std::size_t of_r, Vector by_q, Vector by_r)
                                  HWY_ATTR { return table[of_q] * by_q + table[of_r] * by_r; };
            for (std::size_t i = 0; i < 3; ++i) {
                x[i].add(block, free(Column::node_qq[i], Column::node_qv[i], q, r));
                if constexpr (with_rates)
                    v[i].add(block, free(Column::node_vq[i], Column::node_vv[i], q, r));
            }
            if constexpr (with_deviation) {
                const Vector dq = p * load(off.q + j), dr = p * load(off.v + j);
                for (std::size_t i = 0; i < 3; ++i)
                    deviation[i].add(block, free(Column::node_qq[i], Column::node_qv[i], dq, dr));
                for (std::size_t b = 0; b < 2; ++b)
                    at_seen[b].add(block, free(Column::between_qq[b], Column::between_qv[b], q, r));
                at_seen[2].add(block, free(Column::qq, Column::qv, q, r));
                if constexpr (everywhere) {
                    for (std::size_t i = 0; i < 3; ++i)
                        deviation_v[i].add(block,
                                           free(Column::node_vq[i], Column::node_vv[i], dq, dr));
                    for (std::size_t b = 0; b < 2; ++b)
                        at_seen_v[b].add(block,
                                         free(Column::between_vq[b], Column::between_vv[b], q, r));
                    at_seen_v[2].add(block, free(Column::vq, Column::vv, q, r));
                }
            }
        } else {
            const BlocksAtContact contact(shape, level.eigenvalues, level.dampings, j);
            const Vector q = load(from.q + j), r = load(from.v + j);
            for (std::size_t i = 0; i < 3; ++i) {
                const Vector node_q = table[Column::node_qq[i]] * q + table[Column::node_qv[i]] * r;
                const Vector node_r = table[Column::node_vq[i]] * q + table[Column::node_vv[i]] * r;
                x[i].add(block, contact.overlap(node_q, node_r));
                if constexpr (with_rates) v[i].add(block, contact.rate(node_q, node_r));
            }
        }
    });
    for (std::size_t i = 0; i < 3; ++i) {
        nodes.x[i] = -x[i].total();
        if constexpr (with_rates) nodes.v[i] = -v[i].total();
        if constexpr (with_deviation) {
            nodes.seen[i] = -at_seen[i].total();
            nodes.deviation[i] = -deviation[i].total();
        }
        if constexpr (everywhere) {
            nodes.seen_v[i] = -at_seen_v[i].total();
            nodes.deviation_v[i] = -deviation_v[i].total();
        }
    }
}

template <Motions motions>
void free_overlaps(const Propagator& level, std::size_t n, const ContactShape& shape,
                   ModalState from, Rates rates, const ModalState* deviation, NodeOverlaps& nodes) {
    const auto look = [&]<Rates asked, bool carried>() {
        nodes_ahead<motions, asked, carried>(level, n, shape, from,
                                             carried ? *deviation : ModalState{}, nodes);
    };
    if constexpr (motions == Motions::modes) {
        if (deviation) {
            switch (rates) {
                case Rates::none:
                    return look.template operator()<Rates::none, true>();
                case Rates::at_nodes:
                    return look.template operator()<Rates::at_nodes, true>();
                case Rates::everywhere:
                    return look.template operator()<Rates::everywhere, true>();
            }
        }
    }
    if (rates == Rates::none) return look.template operator()<Rates::none, false>();
    look.template operator()<Rates::at_nodes, false>();
}

/// Sums of Compliances.
struct ComplianceSums {
    Sum x[3][3], v[3][3], seen[3][3], defect[3][4], seen_defect[3][4];

    HWY_INLINE ComplianceSums() {}
};

/// What forces take from the rate where only a law with rates is seen: of modes.
HWY_INLINE void find_rates_everywhere(const Propagator& level, std::size_t n,
                                      const ContactShape& shape, Compliances& result) {
    Sum seen[3][3], defect[3][4], seen_defect[3][4];
    for_modes(n, [&](std::size_t j, std::size_t block) HWY_ATTR {
        const Table table(level, j);
        const Vector p = load(shape.in_v + j);
        const Vector square = p * p;
        const auto see = [&](Sum& sum, std::size_t column)
                             HWY_ATTR { sum.add(block, square * table[column]); };
        for (std::size_t k = 0; k < 3; ++k) {
            for (std::size_t b = 0; b < 2; ++b)
                see(seen[b][k], Column::between_response_v[3 * b + k]);
            see(seen[2][k], Column::end_response_v[k]);
        }
        for (std::size_t w = 0; w < 4; ++w) {
            for (std::size_t i = 0; i < 3; ++i) see(defect[i][w], Column::node_defect_v[4 * i + w]);
            for (std::size_t b = 0; b < 2; ++b)
                see(seen_defect[b][w], Column::between_defect_v[4 * b + w]);
            see(seen_defect[2][w], Column::defect_v[w]);
        }
    });
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k) result.seen_v[i][k] = seen[i][k].total();
        for (std::size_t w = 0; w < 4; ++w) {
            result.defect_v[i][w] = defect[i][w].total();
            result.seen_defect_v[i][w] = seen_defect[i][w].total();
        }
    }
}

/// Of modes. In two rounds, for which there are registers enough.
template <bool with_rates>
HWY_INLINE void add_modes(const Propagator& level, std::size_t n, const ContactShape& shape,
                          ComplianceSums& sums) {
    const auto mobility = [&](std::size_t j) HWY_ATTR {
        const Vector p = load(shape.in_v + j);
        return p * p;
    };
    for_modes(n, [&](std::size_t j, std::size_t block) HWY_ATTR {
        const Table table(level, j);
        const Vector square = mobility(j);
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t k = 0; k < 3; ++k) {
                const std::size_t ik = 3 * i + k;
                sums.x[i][k].add(block, square * table[Column::response_q[ik]]);
                if constexpr (with_rates)
                    sums.v[i][k].add(block, square * table[Column::response_v[ik]]);
            }
            for (std::size_t w = 0; w < 4; ++w) {
                const Vector response = table[Column::node_defect[4 * i + w]];
                sums.defect[i][w].add(block, square * response);
            }
        }
    });
    for_modes(n, [&](std::size_t j, std::size_t block) HWY_ATTR {
        const Table table(level, j);
        const Vector square = mobility(j);
        const auto see = [&](Sum& sum, std::size_t column)
                             HWY_ATTR { sum.add(block, square * table[column]); };
        for (std::size_t k = 0; k < 3; ++k) {
            for (std::size_t b = 0; b < 2; ++b)
                see(sums.seen[b][k], Column::between_response[3 * b + k]);
            see(sums.seen[2][k], Column::end_response_q[k]);
        }
        for (std::size_t w = 0; w < 4; ++w) {
            for (std::size_t b = 0; b < 2; ++b)
                see(sums.seen_defect[b][w], Column::between_defect[4 * b + w]);
            see(sums.seen_defect[2][w], Column::defect_q[w]);
        }
    });
}

/// Of blocks.
HWY_INLINE void add_blocks(const Propagator& level, std::size_t n, const ContactShape& shape,
                           ComplianceSums& sums) {
    for_modes(n, [&](std::size_t j, std::size_t block) HWY_ATTR {
        const Table table(level, j);
        const BlocksAtContact contact(shape, level.eigenvalues, level.dampings, j);
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t k = 0; k < 3; ++k) {
                const Vector response_q = table[Column::response_q[3 * i + k]];
                const Vector response_v = table[Column::response_v[3 * i + k]];
                const Vector q = contact.to_q(response_q, response_v);
                const Vector r = contact.to_v(response_q, response_v);
                sums.x[i][k].add(block, contact.overlap(q, r));
                sums.v[i][k].add(block, contact.rate(q, r));
            }
        }
    });
}

template <Motions motions>
Compliances compliances(const Propagator& level, std::size_t n, const ContactShape& shape,
                        Rates rates) {
    const bool with_rates = rates != Rates::none;
    ComplianceSums sums;
    if constexpr (motions == Motions::blocks) {
        add_blocks(level, n, shape, sums);
    } else {
        with_rates ? add_modes<true>(level, n, shape, sums)
                   : add_modes<false>(level, n, shape, sums);
    }
    Compliances result;
    if constexpr (motions == Motions::modes) {
        if (rates == Rates::everywhere) find_rates_everywhere(level, n, shape, result);
    }
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            result.x[i][k] = sums.x[i][k].total();
            if (with_rates) result.v[i][k] = sums.v[i][k].total();
            result.seen[i][k] = sums.seen[i][k].total();
        }
        for (std::size_t w = 0; w < 4; ++w) {
            result.defect[i][w] = sums.defect[i][w].total();
            result.seen_defect[i][w] = sums.seen_defect[i][w].total();
        }
    }
    return result;
}

/// The arguments are copies: a store in the loop cannot change their pointers, so the compiler
/// keeps them in registers. The same holds below.
template <Motions motions, bool with_deviation>
HWY_INLINE Overlap under_forces(Propagator level, std::size_t n, ContactShape shape,
                                ModalState from, const std::array<double, 3>& force, ModalState to,
                                [[maybe_unused]] const DeviationStep* deviation) {
    DeviationStates off{};
    Vector f[3], df[3], defect[4];
    for (std::size_t k = 0; k < 3; ++k) {
        f[k] = Vector(force[k]);
        if constexpr (with_deviation) df[k] = Vector(deviation->force[k]);
    }
    for (std::size_t w = 0; with_deviation && w < 4; ++w) defect[w] = Vector(deviation->defect[w]);
    if constexpr (with_deviation) off = {deviation->from, deviation->to};
    Sum x, v;
    for_modes(n, [&](std::size_t j, std::size_t block) HWY_ATTR {
        const Table table(level, j);
        const AtContact<motions> contact(shape, level.eigenvalues, level.dampings, j);
        const Vector qq = table[Column::qq], qv = table[Column::qv];
        const Vector vq = table[Column::vq], vv = table[Column::vv];
        Vector end_response_q[3], end_response_v[3];
        for (std::size_t k = 0; k < 3; ++k) {
            end_response_q[k] = table[Column::end_response_q[k]];
            end_response_v[k] = table[Column::end_response_v[k]];
        }
        const auto response = [&](const Vector* by, const Vector* to_nodes) HWY_ATTR {
            return by[0] * to_nodes[0] + by[1] * to_nodes[1] + by[2] * to_nodes[2];
        };
        const Vector q = load(from.q + j), r = load(from.v + j);
        const Vector response_q = response(f, end_response_q),
                     response_v = response(f, end_response_v);
        const Vector next_q = qq * q + qv * r + contact.to_q(response_q, response_v);
        const Vector next_r = vq * q + vv * r + contact.to_v(response_q, response_v);
        store(next_q, to.q + j);
        store(next_r, to.v + j);
        x.add(block, contact.overlap(next_q, next_r));
        v.add(block, contact.rate(next_q, next_r));
        if constexpr (with_deviation) {
            const Vector dq = load(off.from.q + j), dr = load(off.from.v + j);
            Vector by_q = response(df, end_response_q), by_v = response(df, end_response_v);
            for (std::size_t w = 0; w < 4; ++w) {
                by_q = by_q + defect[w] * table[Column::defect_q[w]];
                by_v = by_v + defect[w] * table[Column::defect_v[w]];
            }
            store(qq * dq + qv * dr + contact.to_q(by_q, by_v), off.to.q + j);
            store(vq * dq + vv * dr + contact.to_v(by_q, by_v), off.to.v + j);
        }
    });
    return {-x.total(), -v.total()};
}

template <Motions motions>
Overlap apply_forces(const Propagator& level, std::size_t n, const ContactShape& shape,
                     ModalState from, const std::array<double, 3>& force, ModalState to,
                     const DeviationStep* deviation) {
    if constexpr (motions == Motions::modes) {
        if (deviation)
            return under_forces<motions, true>(level, n, shape, from, force, to, deviation);
    }
    return under_forces<motions, false>(level, n, shape, from, force, to, nullptr);
}

template <Motions motions, bool with_deviation>
HWY_INLINE Overlap after_free_motion(Propagator level, std::size_t n, ContactShape shape,
                                     ModalState from, ModalState to,
                                     [[maybe_unused]] DeviationStates off) {
    Sum x, v;
    for_modes(n, [&](std::size_t j, std::size_t block) HWY_ATTR {
        const Table table(level, j);
        const AtContact<motions> contact(shape, level.eigenvalues, level.dampings, j);
        const Vector qq = table[Column::qq], qv = table[Column::qv];
        const Vector vq = table[Column::vq], vv = table[Column::vv];
        const Vector q = load(from.q + j), r = load(from.v + j);
        const Vector next_q = qq * q + qv * r;
        const Vector next_r = vq * q + vv * r;
        store(next_q, to.q + j);
        store(next_r, to.v + j);
        x.add(block, contact.overlap(next_q, next_r));
        v.add(block, contact.rate(next_q, next_r));
        if constexpr (with_deviation) {
            const Vector dq = load(off.from.q + j), dr = load(off.from.v + j);
            store(qq * dq + qv * dr, off.to.q + j);
            store(vq * dq + vv * dr, off.to.v + j);
        }
    });
    return {-x.total(), -v.total()};
}

template <Motions motions>
Overlap move_freely(const Propagator& level, std::size_t n, const ContactShape& shape,
                    ModalState from, ModalState to, const DeviationStates* deviation) {
    if constexpr (motions == Motions::modes) {
        if (deviation)
            return after_free_motion<motions, true>(level, n, shape, from, to, *deviation);
    }
    return after_free_motion<motions, false>(level, n, shape, from, to, {});
}

/// -1/((n + 1) (n + 2)).
constexpr std::array<double, roundoff_order> taylor_factor = [] {
    std::array<double, roundoff_order> factors{};
    for (std::size_t n = 0; n < factors.size(); ++n) {
        const double next = static_cast<double>(n) + 1.0;
        factors[n] = -1.0 / (next * (next + 1.0));
    }
    return factors;
}();

/// Taylor series of order `order` + 1: with z = (q, t q'),
/// a_{n+2} = -((n+1) d t a_{n+1} + lambda t^2 a_n) / ((n+1) (n+2)).
template <Motions motions>
Overlap move_freely_briefly(const Propagators& propagators, double time, int order,
                            const ContactShape& shape, ModalState from, ModalState to) {
    const Vector t = Vector(time);
    const Vector inverse_t = Vector(time == 0.0 ? 0.0 : 1.0 / time);
    Sum x, v;
    for_modes(propagators.padded(), [&](std::size_t j, std::size_t block) HWY_ATTR {
        const AtContact<motions> contact(shape, propagators.eigenvalues(), propagators.dampings(),
                                         j);
        const Vector q = load(from.q + j), r = load(from.v + j);
        const Vector d = t * load(propagators.dampings() + j);
        const Vector l = t * t * load(propagators.eigenvalues() + j);
        Vector a = q, next = t * r;
        Vector change_q = next, change_r = Vector(0.0);
        for (int n = 0; n < order; ++n) {
            // The factors first: they wait for nothing.
            const Vector factor = Vector(taylor_factor[static_cast<std::size_t>(n)]);
            const Vector of_a = factor * l;
            const Vector of_next = factor * Vector(n + 1.0) * d;
            const Vector after = of_next * next + of_a * a;
            a = next;
            next = after;
            change_q = change_q + after;
            change_r = change_r + Vector(n + 2.0) * after;
        }
        const Vector next_q = q + change_q;
        const Vector next_r = r + change_r * inverse_t;
        store(next_q, to.q + j);
        store(next_r, to.v + j);
        x.add(block, contact.overlap(next_q, next_r));
        v.add(block, contact.rate(next_q, next_r));
    });
    return {-x.total(), -v.total()};
}

/// A force that acts late by s has, now, the effect of a force after a free motion by -s: of an
/// impulse on the rate (0, 1), on the coordinate (1, 0).
template <Motions motions>
Overlap apply_impulse_moments(const Propagators& propagators, const LateForce& force,
                              const ContactShape& shape, ModalState state) {
    const Vector rest = Vector(force.rest), impulse = Vector(force.impulse);
    const Vector first = Vector(force.first), second = Vector(force.second);
    Sum x, v;
    for_modes(propagators.padded(), [&](std::size_t j, std::size_t block) HWY_ATTR {
        const AtContact<motions> contact(shape, propagators.eigenvalues(), propagators.dampings(),
                                         j);
        const Vector d = load(propagators.dampings() + j),
                     lambda = load(propagators.eigenvalues() + j);
        const Vector square = d * d;
        const Vector fastness = (lambda + square) * (rest * rest);
        const auto converges = fastness < Vector(1.0);
        const Vector drag = first + d * second;
        const Vector q = select(converges, -drag, Vector(0.0));
        const Vector turn = d * first + (square - lambda) * second;
        const Vector r = impulse + select(converges, turn, Vector(0.0));
        Vector dq = load(shape.in_v + j) * q, dr = load(shape.in_v + j) * r;
        if constexpr (motions == Motions::blocks) {
            const Vector in_q = load(shape.in_q + j);
            const Vector lost = select(converges, lambda * second, Vector(0.0));
            const Vector gained = select(converges, lambda * drag, Vector(0.0));
            dq = dq + in_q * (impulse - lost);
            dr = dr + in_q * gained;
        }
        store(load(state.q + j) + dq, state.q + j);
        store(load(state.v + j) + dr, state.v + j);
        x.add(block, contact.overlap(dq, dr));
        v.add(block, contact.rate(dq, dr));
    });
    return {-x.total(), -v.total()};
}

double amplitudes(const Propagators& propagators, const ContactShape& shape, ModalState state,
                  double* to) {
    Sum vibration;
    for_modes(propagators.padded(), [&](std::size_t j, std::size_t block) HWY_ATTR {
        const Vector q = load(state.q + j), r = load(state.v + j);
        const Vector inverse = load(propagators.inverse_eigenvalues() + j);
        const Vector p = abs(load(shape.reach + j));
        const auto vibrates = inverse > Vector(0.0);
        const Vector amplitude = sqrt(q * q + r * r * inverse);
        const Vector reach = p * select(vibrates, amplitude, abs(r));
        store(reach, to + j);
        vibration.add(block, select(vibrates, reach, Vector(0.0)));
    });
    return vibration.total();
}

FreeMotionBounds free_motion_bounds(const Propagators& propagators, double step,
                                    const double* amplitudes) {
    const Vector h = Vector(step);
    Sum smooth, any;
    for_modes(propagators.padded(), [&](std::size_t j, std::size_t block) HWY_ATTR {
        const Vector reach = load(amplitudes + j), omega = load(propagators.omegas() + j);
        const auto vibrates = omega > Vector(0.0);
        const Vector phase = omega * h;
        const Vector angle = phase + load(propagators.dampings() + j) * h;
        const Vector cube = angle * angle * angle;
        // Of a vibration A is its amplitude, of a rigid mode its rate.
        const Vector fourth = cube * select(vibrates, angle, h);
        const Vector close = fourth * Vector(1.0 / 384.0);
        const Vector two = Vector(2.0);
        const Vector far = select(vibrates, two + phase * Vector(0.25), two * h);
        smooth.add(block, reach * close);
        any.add(block, reach * select(far < close, far, close));
    });
    return {smooth.total(), any.total()};
}

double unresolved(const Propagators& propagators, double step, const double* amplitudes) {
    constexpr double unseen = 11.2;  // angle of which nothing is resolved
    const Vector scale = Vector(step / unseen), one = Vector(1.0);
    Sum sum;
    for_modes(propagators.padded(), [&](std::size_t j, std::size_t block) HWY_ATTR {
        const Vector angle = scale * load(propagators.omegas() + j);
        const Vector square = angle * angle;
        const Vector part = square * square * square;
        sum.add(block, load(amplitudes + j) * select(part < one, part, one));
    });
    return sum.total();
}

void free_overlaps_of_lanes(MotionLanes& all) {
    for (std::size_t i = 0; i < core::lanes; ++i) {
        const MotionLane& motion = all.motion[i];
        if (!motion.level) continue;
        NodeOverlaps nodes;
        free_overlaps<Motions::modes>(*motion.level, motion.n, motion.phi, motion.from,
                                      motion.rates, &motion.deviation_from, nodes);
        for (std::size_t k = 0; k < 3; ++k) {
            all.free_x[k][i] = nodes.x[k];
            all.free_v[k][i] = nodes.v[k];
            all.free_seen[k][i] = nodes.seen[k];
            all.free_deviation[k][i] = nodes.deviation[k];
            if (motion.rates != Rates::everywhere) continue;
            all.free_seen_v[k][i] = nodes.seen_v[k];
            all.free_deviation_v[k][i] = nodes.deviation_v[k];
        }
    }
}

void apply_forces_to_lanes(MotionLanes& all) {
    for (std::size_t i = 0; i < core::lanes; ++i) {
        const MotionLane& motion = all.motion[i];
        if (!motion.level) continue;
        std::array<double, 3> force, deviation_force;
        std::array<double, 4> defect;
        for (std::size_t k = 0; k < 3; ++k) {
            force[k] = all.force[k][i];
            deviation_force[k] = all.deviation_force[k][i];
        }
        for (std::size_t w = 0; w < 4; ++w) defect[w] = all.defect[w][i];
        const DeviationStep deviation{motion.deviation_from, motion.deviation_to, deviation_force,
                                      defect};
        const Overlap end = under_forces<Motions::modes, true>(
            *motion.level, motion.n, motion.phi, motion.from, force, motion.to, &deviation);
        all.end_x[i] = end.x;
        all.end_v[i] = end.v;
    }
}

}  // namespace

const ModalKernels* kernels(Motions motions) {
    static constexpr ModalKernels modes{free_overlaps<Motions::modes>,
                                        compliances<Motions::modes>,
                                        apply_forces<Motions::modes>,
                                        move_freely<Motions::modes>,
                                        move_freely_briefly<Motions::modes>,
                                        apply_impulse_moments<Motions::modes>,
                                        amplitudes,
                                        free_motion_bounds,
                                        unresolved,
                                        free_overlaps_of_lanes,
                                        apply_forces_to_lanes};
    static constexpr ModalKernels blocks{free_overlaps<Motions::blocks>,
                                         compliances<Motions::blocks>,
                                         apply_forces<Motions::blocks>,
                                         move_freely<Motions::blocks>,
                                         move_freely_briefly<Motions::blocks>,
                                         apply_impulse_moments<Motions::blocks>,
                                         amplitudes,
                                         free_motion_bounds,
                                         unresolved,
                                         nullptr,
                                         nullptr};
    return motions == Motions::modes ? &modes : &blocks;
}

}  // namespace HWY_NAMESPACE
}  // namespace stoss::modal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace stoss::modal {

HWY_EXPORT(kernels);

const ModalKernels& modal_kernels(Motions motions) {
    static const ModalKernels& modes = *HWY_DYNAMIC_DISPATCH(kernels)(Motions::modes);
    static const ModalKernels& blocks = *HWY_DYNAMIC_DISPATCH(kernels)(Motions::blocks);
    return motions == Motions::modes ? modes : blocks;
}

std::vector<const ModalKernels*> all_modal_kernels(Motions motions) {
    return core::of_each_target([&] { return HWY_DYNAMIC_DISPATCH(kernels)(motions); });
}

}  // namespace stoss::modal
#endif
