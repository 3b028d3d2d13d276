#include <stoss/modal/modal_kernels.hpp>

#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stoss/modal/modal_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace stoss::modal {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// At most eight lanes: eight sums in all, kept in one to eight registers.
using Lanes = hn::CappedTag<double, FlowLadder::lanes>;
using Vector = hn::Vec<Lanes>;
constexpr Lanes lanes;
#if HWY_HAVE_SCALABLE
#error "vectors of unknown length are not supported"
#endif
constexpr std::size_t width = HWY_MIN(HWY_LANES(double), FlowLadder::lanes);
constexpr std::size_t registers = FlowLadder::lanes / width;

HWY_INLINE Vector load(const double* from) {
    return hn::Load(lanes, from);
}

/// Sum of all lanes: the upper half is added to the lower, and so on. (The names without `hn::` are
/// not known where a register has one lane.)
template <class Tag>
HWY_INLINE double fold([[maybe_unused]] Tag tag, hn::Vec<Tag> sums) {
    if constexpr (hn::MaxLanes(Tag()) == 1) {
        return hn::GetLane(sums);
    } else {
        const hn::Half<Tag> half;
        return fold(half, hn::Add(LowerHalf(half, sums), UpperHalf(half, sums)));
    }
}

/// Eight sums.
struct Sum {
    Vector part[registers];

    HWY_INLINE Sum() {
        for (Vector& each : part) each = hn::Zero(lanes);
    }
    HWY_INLINE void add(std::size_t block, Vector value) {
        part[block] = hn::Add(part[block], value);
    }
    HWY_INLINE double total() const {
        Vector sum[registers];
        for (std::size_t block = 0; block < registers; ++block) sum[block] = part[block];
        for (std::size_t half = registers / 2; half > 0; half /= 2) {
            for (std::size_t i = 0; i < half; ++i) sum[i] = hn::Add(sum[i], sum[i + half]);
        }
        return fold(lanes, sum[0]);
    }
};

/// Calls body(j, block) for every register full of modes: j its first mode, block the sums it is
/// for.
template <class Body>
HWY_INLINE void for_modes(std::size_t n, Body body) {
    for (std::size_t begin = 0; begin < n; begin += FlowLadder::lanes) {
        for (std::size_t block = 0; block < registers; ++block) body(begin + block * width, block);
    }
}

/// The states of a register full of modes or blocks, and what they do to the contact.
template <Motions motions>
struct Seen {
    const ContactShape& shape;
    const double *eigenvalues, *dampings;

    HWY_INLINE Vector overlap(std::size_t j, Vector q, Vector v) const {
        const Vector of_q = hn::Mul(load(shape.out_q + j), q);
        if constexpr (motions == Motions::modes) return of_q;
        return hn::Add(of_q, hn::Mul(load(shape.out_v + j), v));
    }
    HWY_INLINE Vector rate(std::size_t j, Vector q, Vector v) const {
        const Vector of_q = hn::Mul(load(shape.out_q + j), v);
        if constexpr (motions == Motions::modes) return of_q;
        return hn::Sub(of_q, hn::Mul(load(shape.out_v + j), restoring(j, q, v)));
    }
    /// What a force adds to q, if it adds (response_q, response_v) to a mode with phi = 1.
    HWY_INLINE Vector to_q(std::size_t j, Vector response_q, Vector response_v) const {
        const Vector by_v = hn::Mul(load(shape.in_v + j), response_q);
        if constexpr (motions == Motions::modes) return by_v;
        const Vector d = load(dampings + j);
        return hn::Add(by_v,
                       hn::Mul(load(shape.in_q + j), hn::Add(response_v, hn::Mul(d, response_q))));
    }
    HWY_INLINE Vector to_v(std::size_t j, Vector response_q, Vector response_v) const {
        const Vector by_v = hn::Mul(load(shape.in_v + j), response_v);
        if constexpr (motions == Motions::modes) return by_v;
        const Vector lambda = load(eigenvalues + j);
        return hn::Sub(by_v, hn::Mul(load(shape.in_q + j), hn::Mul(lambda, response_q)));
    }

  private:
    HWY_INLINE Vector restoring(std::size_t j, Vector q, Vector v) const {
        return hn::Add(hn::Mul(load(eigenvalues + j), q), hn::Mul(load(dampings + j), v));
    }
};

template <Motions motions, bool with_rates, bool with_between>
HWY_INLINE NodeOverlaps nodes_ahead(const FlowLevel& level, std::size_t n,
                                    const ContactShape& shape, ModalState from) {
    const Seen<motions> seen{shape, level.eigenvalues, level.dampings};
    Sum x[3], v[3], between[2];
    for_modes(n, [&](std::size_t j, std::size_t block) HWY_ATTR {
        if constexpr (motions == Motions::modes) {
            const Vector p = load(shape.out_q + j);
            const Vector q = hn::Mul(p, load(from.q + j)), r = hn::Mul(p, load(from.v + j));
            for (std::size_t i = 0; i < 3; ++i) {
                x[i].add(block, hn::Add(hn::Mul(load(level.node_qq[i] + j), q),
                                        hn::Mul(load(level.node_qv[i] + j), r)));
                if constexpr (with_rates) {
                    v[i].add(block, hn::Add(hn::Mul(load(level.node_vq[i] + j), q),
                                            hn::Mul(load(level.node_vv[i] + j), r)));
                }
            }
            for (std::size_t b = 0; with_between && b < 2; ++b) {
                between[b].add(block, hn::Add(hn::Mul(load(level.between_qq[b] + j), q),
                                              hn::Mul(load(level.between_qv[b] + j), r)));
            }
        } else {
            const Vector q = load(from.q + j), r = load(from.v + j);
            for (std::size_t i = 0; i < 3; ++i) {
                const Vector node_q = hn::Add(hn::Mul(load(level.node_qq[i] + j), q),
                                              hn::Mul(load(level.node_qv[i] + j), r));
                const Vector node_r = hn::Add(hn::Mul(load(level.node_vq[i] + j), q),
                                              hn::Mul(load(level.node_vv[i] + j), r));
                x[i].add(block, seen.overlap(j, node_q, node_r));
                if constexpr (with_rates) v[i].add(block, seen.rate(j, node_q, node_r));
            }
        }
    });
    NodeOverlaps nodes;
    for (std::size_t i = 0; i < 3; ++i) {
        nodes.x[i] = -x[i].total();
        if constexpr (with_rates) nodes.v[i] = -v[i].total();
    }
    for (std::size_t b = 0; with_between && b < 2; ++b) nodes.between[b] = -between[b].total();
    return nodes;
}

template <Motions motions>
NodeOverlaps look_ahead(const FlowLevel& level, std::size_t n, const ContactShape& shape,
                        ModalState from, bool with_rates, bool with_between) {
    const bool between = motions == Motions::modes && with_between;
    if (with_rates) {
        return between ? nodes_ahead<motions, true, true>(level, n, shape, from)
                       : nodes_ahead<motions, true, false>(level, n, shape, from);
    }
    return between ? nodes_ahead<motions, false, true>(level, n, shape, from)
                   : nodes_ahead<motions, false, false>(level, n, shape, from);
}

template <Motions motions>
Compliances compliances(const FlowLevel& level, std::size_t n, const ContactShape& shape) {
    const Seen<motions> seen{shape, level.eigenvalues, level.dampings};
    Sum x[3][3], v[3][3], between[2][3], defect[3][4], seen_defect[3][4];
    for_modes(n, [&](std::size_t j, std::size_t block) HWY_ATTR {
        if constexpr (motions == Motions::modes) {
            const Vector p = load(shape.in_v + j);
            const Vector square = hn::Mul(p, p);
            for (std::size_t i = 0; i < 3; ++i) {
                for (std::size_t k = 0; k < 3; ++k) {
                    x[i][k].add(block, hn::Mul(square, load(level.response_q[i][k] + j)));
                    v[i][k].add(block, hn::Mul(square, load(level.response_v[i][k] + j)));
                }
                for (std::size_t w = 0; w < 4; ++w) {
                    defect[i][w].add(block, hn::Mul(square, load(level.node_defect[i][w] + j)));
                }
            }
            for (std::size_t b = 0; b < 2; ++b) {
                for (std::size_t k = 0; k < 3; ++k) {
                    const Vector response = load(level.between_response[b][k] + j);
                    between[b][k].add(block, hn::Mul(square, response));
                }
            }
            const auto& [first, second] = level.between_defect;
            for (std::size_t w = 0; w < 4; ++w) {
                seen_defect[0][w].add(block, hn::Mul(square, load(first[w] + j)));
                seen_defect[1][w].add(block, hn::Mul(square, load(second[w] + j)));
                seen_defect[2][w].add(block, hn::Mul(square, load(level.defect_q[w] + j)));
            }
        } else {
            for (std::size_t i = 0; i < 3; ++i) {
                for (std::size_t k = 0; k < 3; ++k) {
                    const Vector response_q = load(level.response_q[i][k] + j);
                    const Vector response_v = load(level.response_v[i][k] + j);
                    const Vector q = seen.to_q(j, response_q, response_v);
                    const Vector r = seen.to_v(j, response_q, response_v);
                    x[i][k].add(block, seen.overlap(j, q, r));
                    v[i][k].add(block, seen.rate(j, q, r));
                }
            }
        }
    });
    Compliances result;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            result.x[i][k] = x[i][k].total();
            result.v[i][k] = v[i][k].total();
        }
        for (std::size_t w = 0; w < 4; ++w) {
            result.defect[i][w] = defect[i][w].total();
            result.seen_defect[i][w] = seen_defect[i][w].total();
        }
    }
    for (std::size_t b = 0; b < 2; ++b) {
        for (std::size_t k = 0; k < 3; ++k) result.between[b][k] = between[b][k].total();
    }
    return result;
}

template <Motions motions>
Overlap push(const FlowLevel& level, std::size_t n, const ContactShape& shape, ModalState from,
             const std::array<double, 3>& force, ModalState to) {
    const Seen<motions> seen{shape, level.eigenvalues, level.dampings};
    const Vector f0 = hn::Set(lanes, force[0]), f1 = hn::Set(lanes, force[1]),
                 f2 = hn::Set(lanes, force[2]);
    Sum x, v;
    for_modes(n, [&](std::size_t j, std::size_t block) HWY_ATTR {
        const Vector q = load(from.q + j), r = load(from.v + j);
        const auto response = [&](const std::array<const double*, 3>& by) HWY_ATTR {
            return hn::Add(hn::Add(hn::Mul(f0, load(by[0] + j)), hn::Mul(f1, load(by[1] + j))),
                           hn::Mul(f2, load(by[2] + j)));
        };
        const Vector response_q = response(level.push_q), response_v = response(level.push_v);
        const Vector next_q =
            hn::Add(hn::Add(hn::Mul(load(level.qq + j), q), hn::Mul(load(level.qv + j), r)),
                    seen.to_q(j, response_q, response_v));
        const Vector next_r =
            hn::Add(hn::Add(hn::Mul(load(level.vq + j), q), hn::Mul(load(level.vv + j), r)),
                    seen.to_v(j, response_q, response_v));
        hn::Store(next_q, lanes, to.q + j);
        hn::Store(next_r, lanes, to.v + j);
        x.add(block, seen.overlap(j, next_q, next_r));
        v.add(block, seen.rate(j, next_q, next_r));
    });
    return {-x.total(), -v.total()};
}

void deviate(const FlowLevel& level, std::size_t n, const ContactShape& shape,
             const std::array<double, 3>& force, const std::array<double, 4>& defect,
             ModalState deviation) {
    Vector f[3], d[4];
    for (std::size_t k = 0; k < 3; ++k) f[k] = hn::Set(lanes, force[k]);
    for (std::size_t w = 0; w < 4; ++w) d[w] = hn::Set(lanes, defect[w]);
    for (std::size_t j = 0; j < n; j += width) {
        const Vector p = load(shape.in_v + j);
        const Vector q = load(deviation.q + j), r = load(deviation.v + j);
        const auto pushed = [&](const std::array<const double*, 3>& by,
                                const std::array<const double*, 4>& besides) HWY_ATTR {
            Vector sum = hn::Mul(f[0], load(by[0] + j));
            for (std::size_t k = 1; k < 3; ++k) sum = hn::Add(sum, hn::Mul(f[k], load(by[k] + j)));
            for (std::size_t w = 0; w < 4; ++w) {
                sum = hn::Add(sum, hn::Mul(d[w], load(besides[w] + j)));
            }
            return hn::Mul(p, sum);
        };
        const Vector next_q =
            hn::Add(hn::Add(hn::Mul(load(level.qq + j), q), hn::Mul(load(level.qv + j), r)),
                    pushed(level.push_q, level.defect_q));
        const Vector next_r =
            hn::Add(hn::Add(hn::Mul(load(level.vq + j), q), hn::Mul(load(level.vv + j), r)),
                    pushed(level.push_v, level.defect_v));
        hn::Store(next_q, lanes, deviation.q + j);
        hn::Store(next_r, lanes, deviation.v + j);
    }
}

template <Motions motions>
Overlap fly(const FlowLevel& level, std::size_t n, const ContactShape& shape, ModalState from,
            ModalState to) {
    const Seen<motions> seen{shape, level.eigenvalues, level.dampings};
    Sum x, v;
    for_modes(n, [&](std::size_t j, std::size_t block) HWY_ATTR {
        const Vector q = load(from.q + j), r = load(from.v + j);
        const Vector next_q =
            hn::Add(hn::Mul(load(level.qq + j), q), hn::Mul(load(level.qv + j), r));
        const Vector next_r =
            hn::Add(hn::Mul(load(level.vq + j), q), hn::Mul(load(level.vv + j), r));
        hn::Store(next_q, lanes, to.q + j);
        hn::Store(next_r, lanes, to.v + j);
        x.add(block, seen.overlap(j, next_q, next_r));
        v.add(block, seen.rate(j, next_q, next_r));
    });
    return {-x.total(), -v.total()};
}

/// Taylor series; of order 13 exact to roundoff, relative to the amplitude: with z = (q, t q'),
/// a_{n+2} = -((n+1) d t a_{n+1} + lambda t^2 a_n) / ((n+1) (n+2)).
template <Motions motions>
Overlap fly_briefly(const FlowLadder& ladder, double time, int order, const ContactShape& shape,
                    ModalState from, ModalState to) {
    const Seen<motions> seen{shape, ladder.eigenvalues(), ladder.dampings()};
    const Vector t = hn::Set(lanes, time);
    const Vector inverse_t = hn::Set(lanes, time == 0.0 ? 0.0 : 1.0 / time);
    Sum x, v;
    for_modes(ladder.padded(), [&](std::size_t j, std::size_t block) HWY_ATTR {
        const Vector q = load(from.q + j), r = load(from.v + j);
        const Vector d = hn::Mul(t, load(ladder.dampings() + j));
        const Vector l = hn::Mul(hn::Mul(t, t), load(ladder.eigenvalues() + j));
        Vector a = q, next = hn::Mul(t, r);
        Vector change_q = next, change_r = hn::Zero(lanes);
        for (int n = 0; n < order; ++n) {
            const Vector drag = hn::Mul(hn::Mul(hn::Set(lanes, n + 1.0), d), next);
            const Vector after = hn::Mul(hn::Set(lanes, -1.0 / ((n + 1.0) * (n + 2.0))),
                                         hn::Add(drag, hn::Mul(l, a)));
            a = next;
            next = after;
            change_q = hn::Add(change_q, after);
            change_r = hn::Add(change_r, hn::Mul(hn::Set(lanes, n + 2.0), after));
        }
        const Vector next_q = hn::Add(q, change_q);
        const Vector next_r = hn::Add(r, hn::Mul(change_r, inverse_t));
        hn::Store(next_q, lanes, to.q + j);
        hn::Store(next_r, lanes, to.v + j);
        x.add(block, seen.overlap(j, next_q, next_r));
        v.add(block, seen.rate(j, next_q, next_r));
    });
    return {-x.total(), -v.total()};
}

double amplitudes(const FlowLadder& ladder, const ContactShape& shape, ModalState state,
                  double* to) {
    Sum vibration;
    for_modes(ladder.padded(), [&](std::size_t j, std::size_t block) HWY_ATTR {
        const Vector q = load(state.q + j), r = load(state.v + j);
        const Vector inverse = load(ladder.inverse_eigenvalues() + j);
        const Vector p = hn::Abs(load(shape.reach + j));
        const auto vibrates = hn::Gt(inverse, hn::Zero(lanes));
        const Vector amplitude = hn::Sqrt(hn::Add(hn::Mul(q, q), hn::Mul(hn::Mul(r, r), inverse)));
        const Vector reach = hn::Mul(p, hn::IfThenElse(vibrates, amplitude, hn::Abs(r)));
        hn::Store(reach, lanes, to + j);
        vibration.add(block, hn::IfThenElseZero(vibrates, reach));
    });
    return vibration.total();
}

FlightBounds flight_bounds(const FlowLevel& level, std::size_t n, const double* amplitudes) {
    Sum smooth, any;
    for_modes(n, [&](std::size_t j, std::size_t block) HWY_ATTR {
        const Vector reach = load(amplitudes + j);
        smooth.add(block, hn::Mul(reach, load(level.smooth_bound + j)));
        any.add(block, hn::Mul(reach, load(level.any_bound + j)));
    });
    return {smooth.total(), any.total()};
}

}  // namespace

const ModalKernels* kernels(Motions motions) {
    static constexpr ModalKernels modes{look_ahead<Motions::modes>,
                                        compliances<Motions::modes>,
                                        push<Motions::modes>,
                                        deviate,
                                        fly<Motions::modes>,
                                        fly_briefly<Motions::modes>,
                                        amplitudes,
                                        flight_bounds};
    static constexpr ModalKernels blocks{look_ahead<Motions::blocks>,
                                         compliances<Motions::blocks>,
                                         push<Motions::blocks>,
                                         nullptr,
                                         fly<Motions::blocks>,
                                         fly_briefly<Motions::blocks>,
                                         amplitudes,
                                         flight_bounds};
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
    std::vector<const ModalKernels*> all;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        all.push_back(HWY_DYNAMIC_DISPATCH(kernels)(motions));
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return all;
}

}  // namespace stoss::modal
#endif
