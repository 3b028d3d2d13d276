#include <stoss/impact/detail/step_lanes.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include <stoss/core/fields.hpp>
#include <stoss/impact/detail/residual_flexibility.hpp>
#include <stoss/modal/propagators.hpp>
#include <stoss/time/collocation.hpp>
#include <stoss/time/defect.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stoss/impact/detail/step_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace stoss::impact {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<double, StepLanes::count>;
using Vector = hn::Vec<Lanes>;
using Mask = hn::Mask<Lanes>;
using Levels = hn::Rebind<std::int64_t, Lanes>;
constexpr Lanes lanes;
constexpr std::size_t width = HWY_MIN(HWY_LANES(double), StepLanes::count);

using Vector3 = std::array<Vector, 3>;
using Vector4 = std::array<Vector, 4>;
using Vector3x3 = std::array<Vector3, 3>;

// A register full of lanes, from `begin` on.
HWY_INLINE Vector number(double value) {
    return hn::Set(lanes, value);
}
HWY_INLINE Vector load(const StepLanes::Row& row, std::size_t begin) {
    return hn::Load(lanes, row.lane.data() + begin);
}
HWY_INLINE void store(Vector value, StepLanes::Row& row, std::size_t begin) {
    hn::Store(value, lanes, row.lane.data() + begin);
}
template <std::size_t n>
HWY_INLINE std::array<Vector, n> load(const StepLanes::Rows<n>& rows, std::size_t begin) {
    std::array<Vector, n> values;
    for (std::size_t i = 0; i < n; ++i) values[i] = load(rows[i], begin);
    return values;
}
template <std::size_t n>
HWY_INLINE void store(const std::array<Vector, n>& values, StepLanes::Rows<n>& rows,
                      std::size_t begin) {
    for (std::size_t i = 0; i < n; ++i) store(values[i], rows[i], begin);
}
template <std::size_t n>
HWY_INLINE Vector dot(const std::array<Vector, n>& a, const std::array<Vector, n>& b) {
    Vector result = hn::Mul(a[0], b[0]);
    for (std::size_t i = 1; i < n; ++i) result = hn::Add(result, hn::Mul(a[i], b[i]));
    return result;
}

/// Hertz's law and its slope.
struct Force {
    Vector value, slope;
};
HWY_INLINE Force law(Vector stiffness, Vector x) {
    const Vector root = hn::Sqrt(x);
    const Mask acts = hn::Gt(x, hn::Zero(lanes));
    return {hn::IfThenElseZero(acts, hn::Mul(stiffness, hn::Mul(x, root))),
            hn::IfThenElseZero(acts, hn::Mul(stiffness, hn::Mul(number(1.5), root)))};
}

HWY_INLINE Vector3 cross(const Vector3& u, const Vector3& w) {
    return {hn::Sub(hn::Mul(u[1], w[2]), hn::Mul(u[2], w[1])),
            hn::Sub(hn::Mul(u[2], w[0]), hn::Mul(u[0], w[2])),
            hn::Sub(hn::Mul(u[0], w[1]), hn::Mul(u[1], w[0]))};
}

/// As time::inverse3.
HWY_INLINE Vector3x3 inverse3(const Vector3x3& m) {
    const Vector3 r0 = cross(m[1], m[2]), r1 = cross(m[2], m[0]), r2 = cross(m[0], m[1]);
    const Vector scale = hn::Div(number(1.0), dot(m[0], r0));
    Vector3x3 inverse;
    for (std::size_t k = 0; k < 3; ++k) {
        inverse[k] = {hn::Mul(scale, r0[k]), hn::Mul(scale, r1[k]), hn::Mul(scale, r2[k])};
    }
    return inverse;
}

HWY_INLINE Vector larger(Vector a, Vector b) {
    return hn::IfThenElse(hn::Lt(a, b), b, a);
}

/// Forces and slopes at the nodes, and the matrix of Newton's method.
struct Nodes {
    Vector3 force, slope;
    Vector3x3 inverse;
};

/// As time::solve_node_forces, with the guess of the run.
template <bool with_rates>
HWY_INLINE Nodes solve_nodes(StepLanes& all, std::size_t begin) {
    const Vector stiffness = load(all.stiffness, begin), overlap = load(all.overlap, begin);
    const Vector rate = load(all.rate, begin), acceleration = load(all.acceleration, begin);
    const Vector h = load(all.step, begin), exactness = load(all.exactness, begin);
    const Vector3 free_x = load(all.free_x, begin);
    Vector3x3 compliance;
    Vector3 force, slope, used;
    Vector3x3 inverse;
    for (std::size_t i = 0; i < 3; ++i) {
        compliance[i] = load(all.compliance_x[i], begin);
        const Vector s = hn::Mul(h, number(modal::Gauss3::node[i]));
        const Vector middle = hn::Add(rate, hn::Mul(hn::Mul(number(0.5), s), acceleration));
        force[i] = law(stiffness, hn::Add(overlap, hn::Mul(s, middle))).value;
        used[i] = slope[i] = hn::Zero(lanes);
        for (std::size_t k = 0; k < 3; ++k) inverse[i][k] = hn::Zero(lanes);
    }
    const Vector huge = number(std::numeric_limits<double>::infinity());
    Vector last_change = huge;
    Mask open = hn::Eq(h, h), renew = open, solved = hn::Ne(h, h);
    for (int iteration = 0; iteration < time::most_iterations; ++iteration) {
        Vector3 residual, new_slope;
        for (std::size_t i = 0; i < 3; ++i) {
            const Force at_node = law(stiffness, hn::Sub(free_x[i], dot(compliance[i], force)));
            residual[i] = hn::Sub(at_node.value, force[i]);
            new_slope[i] = at_node.slope;
        }
        if (!hn::AllFalse(lanes, renew)) {
            Vector3x3 jacobian;
            for (std::size_t i = 0; i < 3; ++i) {
                for (std::size_t k = 0; k < 3; ++k)
                    jacobian[i][k] = hn::Mul(new_slope[i], compliance[i][k]);
                jacobian[i][i] = hn::Add(jacobian[i][i], number(1.0));
                slope[i] = hn::IfThenElse(renew, new_slope[i], slope[i]);
            }
            const Vector3x3 renewed = inverse3(jacobian);
            for (std::size_t i = 0; i < 3; ++i) {
                for (std::size_t k = 0; k < 3; ++k)
                    inverse[i][k] = hn::IfThenElse(renew, renewed[i][k], inverse[i][k]);
            }
        }
        Vector change = hn::Zero(lanes), scale = hn::Zero(lanes);
        for (std::size_t k = 0; k < 3; ++k) {
            const Vector step = dot(inverse[k], residual);
            used[k] = hn::IfThenElse(open, force[k], used[k]);
            force[k] = hn::IfThenElse(open, hn::Add(force[k], step), force[k]);
            change = larger(change, hn::Abs(step));
            scale = larger(scale, hn::Abs(force[k]));
        }
        const Mask finite = hn::Lt(change, huge);
        const Vector ratio = hn::Div(change, last_change);
        const Vector one = number(1.0);
        const Vector contraction =
            iteration == 0 ? one : hn::IfThenElse(hn::Lt(ratio, one), ratio, one);
        const Mask ends = hn::Le(hn::Mul(change, contraction), hn::Mul(exactness, scale));
        solved = hn::Or(solved, hn::And(open, hn::And(finite, ends)));
        open = hn::And(open, hn::AndNot(ends, finite));
        if (hn::AllFalse(lanes, open)) break;
        renew = hn::And(open, iteration == 0 ? hn::Gt(change, hn::Mul(number(time::far), scale))
                                             : hn::Gt(contraction, number(time::slow)));
        last_change = change;
    }
    const Vector together = hn::Add(hn::Add(force[0], force[1]), force[2]);
    solved = hn::And(solved, hn::Lt(hn::Abs(together), huge));
    store(force, all.force, begin);
    store(slope, all.slope, begin);
    for (std::size_t i = 0; i < 3; ++i)
        store(hn::Sub(free_x[i], dot(compliance[i], used)), all.x[i], begin);
    for (std::size_t i = 0; with_rates && i < 3; ++i) {
        const Vector taken = dot(load(all.compliance_v[i], begin), used);
        store(hn::Sub(load(all.free_v[i], begin), taken), all.v[i], begin);
    }
    StepLanes::Row bits;
    store(hn::IfThenElse(solved, number(1.0), hn::Zero(lanes)), bits, 0);
    for (std::size_t i = 0; i < width; ++i) all.solved[begin + i] = bits[i] != 0.0;
    return {force, slope, inverse};
}

/// As time::step_defect.
HWY_INLINE Vector4 step_defect(const Vector4& law_along, const Vector3& node_force) {
    using time::halfway;
    const Vector mean = node_force[1];
    const Vector slope = hn::Div(hn::Sub(node_force[2], node_force[0]), number(4.0 * halfway));
    const Vector curvature =
        hn::Div(hn::Add(hn::Sub(node_force[2], hn::Mul(number(2.0), mean)), node_force[0]),
                number(8.0 * halfway * halfway));
    constexpr double there = 0.5 * halfway * (5.0 * halfway * halfway - 3.0);
    const auto lacks = [&](Vector force, double at) HWY_ATTR {
        const Vector z = number(at);
        const Vector rise = hn::Mul(z, hn::Add(slope, hn::Mul(z, curvature)));
        return hn::Sub(force, hn::Add(mean, rise));
    };
    const Vector d0 = hn::Neg(lacks(law_along[0], -1.0));
    const Vector d1 = hn::Div(hn::Neg(lacks(law_along[1], -halfway)), number(there));
    const Vector d2 = hn::Div(lacks(law_along[2], halfway), number(there));
    const Vector d3 = lacks(law_along[3], 1.0);
    constexpr double scale = 1.0 / (1.0 - halfway * halfway);
    const Vector half = number(0.5), outer = hn::Add(d0, d3), rise = hn::Sub(d3, d0);
    const Vector square = hn::Mul(number(0.5 * scale), hn::Sub(outer, hn::Add(d1, d2)));
    const Vector cube =
        hn::Mul(number(0.5 * scale), hn::Sub(rise, hn::Div(hn::Sub(d2, d1), number(halfway))));
    return {hn::Sub(hn::Mul(half, outer), square), hn::Sub(hn::Mul(half, rise), cube), square,
            cube};
}

/// As impact::parabola_weights.
template <std::size_t b>
HWY_INLINE Vector parabola_at(const Vector3& forces) {
    return dot({number(parabola_weights[b][0]), number(parabola_weights[b][1]),
                number(parabola_weights[b][2])},
               forces);
}

/// As impact::series_force.
HWY_INLINE Force in_series(const Force& law, Vector guess, Vector residual) {
    const Vector yield = hn::Mul(residual, law.slope);
    const Vector stiffness = hn::Add(number(1.0), yield);
    const Vector less = hn::Div(hn::Mul(yield, hn::Sub(law.value, guess)), stiffness);
    return {hn::Sub(law.value, less), hn::Div(law.slope, stiffness)};
}

/// As impact::deviation_force.
HWY_INLINE void drive_deviation(StepLanes& all, std::size_t begin, const Nodes& nodes) {
    const Vector stiffness = load(all.stiffness, begin), residual = load(all.residual, begin);
    const Vector3 parabola{parabola_at<0>(nodes.force), parabola_at<1>(nodes.force),
                           parabola_at<2>(nodes.force)};
    Vector4 along{load(all.force_before, begin)};
    Vector3 slope_along;
    for (std::size_t b = 0; b < 3; ++b) {
        const Vector taken = dot(load(all.compliance_seen[b], begin), nodes.force);
        const Force alone = law(stiffness, hn::Sub(load(all.free_seen[b], begin), taken));
        const Force there = in_series(alone, parabola[b], residual);
        along[b + 1] = there.value;
        slope_along[b] = there.slope;
    }
    Vector4 defect = step_defect(along, nodes.force);
    Vector3 seen, at_nodes, lacking;
    for (std::size_t i = 0; i < 3; ++i) {
        seen[i] = hn::Mul(hn::Neg(slope_along[i]), dot(load(all.defect_seen[i], begin), defect));
        const Force at_node =
            in_series({hn::Zero(lanes), nodes.slope[i]}, hn::Zero(lanes), residual);
        at_nodes[i] =
            hn::Mul(hn::Neg(at_node.slope), dot(load(all.defect_taken[i], begin), defect));
    }
    const Vector4 further = step_defect({hn::Zero(lanes), seen[0], seen[1], seen[2]}, at_nodes);
    for (std::size_t w = 0; w < 4; ++w) defect[w] = hn::Add(defect[w], further[w]);
    store(defect, all.defect, begin);
    for (std::size_t i = 0; i < 3; ++i) {
        const Vector taken = dot(load(all.defect_taken[i], begin), defect);
        lacking[i] = hn::Mul(nodes.slope[i], hn::Sub(load(all.free_deviation[i], begin), taken));
    }
    for (std::size_t k = 0; k < 3; ++k)
        store(dot(nodes.inverse[k], lacking), all.deviation_force[k], begin);
}

void solve(StepLanes& all, bool with_rates) {
    for (std::size_t begin = 0; begin < StepLanes::count; begin += width) {
        const Nodes nodes =
            with_rates ? solve_nodes<true>(all, begin) : solve_nodes<false>(all, begin);
        drive_deviation(all, begin, nodes);
    }
}

/// As impact::outcome_of_step; `force`: at the end.
HWY_INLINE void find_outcome(StepLanes& all, std::size_t begin, Vector force) {
    const Vector h = load(all.step, begin);
    const Vector3 forces = load(all.force, begin), slopes = load(all.slope, begin);
    Vector impulse = hn::Zero(lanes), moment = hn::Zero(lanes);
    for (std::size_t k = 0; k < 3; ++k) {
        const Vector push = hn::Mul(hn::Mul(h, number(modal::Gauss3::weight[k])), forces[k]);
        const Vector lever = hn::Mul(h, number(modal::Gauss3::node[k]));
        impulse = hn::Add(impulse, push);
        moment = hn::Add(moment, hn::Mul(lever, push));
    }
    store(impulse, all.impulse, begin);
    store(moment, all.moment, begin);
    store(larger(larger(slopes[0], slopes[1]), slopes[2]), all.largest_slope, begin);
    store(force, all.force_after, begin);
    const Vector change = hn::Sub(load(all.seen_v, begin), load(all.rate, begin));
    store(hn::Div(change, h), all.acceleration_after, begin);
    store(larger(larger(larger(forces[0], forces[1]), forces[2]), force), all.peak, begin);
}

/// As modal::Propagators::level_within, but for its bounds.
HWY_INLINE hn::Vec<Levels> level_within(Vector time, Vector longest) {
    constexpr int mantissa = std::numeric_limits<double>::digits - 1;
    constexpr std::int64_t part = (std::int64_t{1} << mantissa) - 1;
    constexpr auto odd = std::bit_cast<std::int64_t>(modal::Propagators::half_octave) & part;
    constexpr Levels levels;
    const auto bits = hn::BitCast(levels, hn::Div(time, longest));
    const auto exponent = hn::Sub(hn::ShiftRight<mantissa>(bits),
                                  hn::Set(levels, std::numeric_limits<double>::max_exponent - 1));
    const auto even = hn::Neg(hn::Add(exponent, exponent));
    const auto is_odd = hn::Gt(hn::And(bits, hn::Set(levels, part)), hn::Set(levels, odd - 1));
    return hn::IfThenElse(is_odd, hn::Sub(even, hn::Set(levels, 1)), even);
}

HWY_INLINE Vector smaller(Vector a, Vector b) {
    return hn::IfThenElse(hn::Lt(b, a), b, a);
}

/// As impact::step_prediction.
HWY_INLINE void find_outlook(StepLanes& all, std::size_t begin, Vector force) {
    const Vector zero = hn::Zero(lanes), one = number(1.0), two = number(2.0);
    const Vector nowhere = number(std::numeric_limits<double>::infinity());
    const Vector x = load(all.seen_x, begin), v = load(all.seen_v, begin);
    const Vector a = load(all.acceleration_after, begin);
    const Vector discriminant = hn::Sub(hn::Mul(v, v), hn::Mul(hn::Mul(two, a), x));
    const Mask is_complex = hn::Lt(discriminant, zero);
    const Vector modulus = hn::Sqrt(hn::Div(hn::Mul(two, x), a));
    const Vector w = hn::Add(v, hn::CopySign(hn::Sqrt(discriminant), v));
    const Vector first = hn::Div(hn::Mul(number(-2.0), x), w), second = hn::Div(hn::Neg(w), a);
    const auto before = [&](Vector place) HWY_ATTR {
        return hn::IfThenElse(hn::Le(place, zero), hn::Neg(place), nowhere);
    };
    const auto after = [&](Vector place)
                           HWY_ATTR { return hn::IfThenElse(hn::Gt(place, zero), place, nowhere); };
    const Vector behind =
        hn::IfThenElse(is_complex, modulus, smaller(before(first), before(second)));
    const Vector ahead = hn::IfThenElse(is_complex, modulus, smaller(after(first), after(second)));
    const Mask ends = hn::And(hn::AndNot(is_complex, hn::Lt(ahead, nowhere)), hn::Lt(v, zero));
    const Vector compliance = load(all.compliance, begin), growth = load(all.growth, begin);
    const Vector square = hn::Mul(compliance, load(all.largest_slope, begin));
    const Vector contact_resonance =
        hn::IfThenElse(hn::Gt(square, zero),
                       hn::Div(load(all.contact_resonance, begin), hn::Sqrt(square)), nowhere);
    Vector longest = larger(load(all.onset, begin), hn::Mul(growth, behind));
    longest = smaller(longest, hn::Mul(load(all.closing, begin), ahead));
    longest = smaller(smaller(longest, load(all.resolution, begin)), contact_resonance);
    store(ahead, all.ahead, begin);
    const Vector left = hn::Mul(hn::Mul(compliance, hn::Abs(force)), ahead);
    const Mask is_little = hn::Le(left, hn::Mul(load(all.epsilon, begin), hn::Neg(v)));
    store(hn::IfThenElseZero(hn::And(ends, is_little), one), all.nearly_over, begin);
    hn::Store(level_within(longest, load(all.longest_step, begin)), Levels(),
              all.level.data() + begin);
}

/// As the overlap that SplittingCollision finds for the law at the end of a step. Returns the force
/// there.
HWY_INLINE Vector see_end(StepLanes& all, std::size_t begin) {
    const Vector stiffness = load(all.stiffness, begin), residual = load(all.residual, begin);
    const Vector guess = parabola_at<2>(load(all.force, begin));
    const Vector x = load(all.end_x, begin);
    const Force alone = law(stiffness, hn::Sub(x, hn::Mul(residual, guess)));
    const Force series = in_series(alone, guess, residual);
    const Vector seen = hn::Sub(x, hn::Mul(residual, series.value));
    const Vector one = number(1.0);
    store(seen, all.seen_x, begin);
    store(hn::Div(load(all.end_v, begin), hn::Add(one, hn::Mul(residual, alone.slope))), all.seen_v,
          begin);
    return law(stiffness, seen).value;
}

void conclude(StepLanes& all) {
    for (std::size_t begin = 0; begin < StepLanes::count; begin += width) {
        const Vector force = see_end(all, begin);
        find_outcome(all, begin, force);
        find_outlook(all, begin, force);
    }
}

}  // namespace

const StepKernels* kernels() {
    static constexpr StepKernels all{solve, conclude};
    return &all;
}

}  // namespace HWY_NAMESPACE
}  // namespace stoss::impact
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace stoss::impact {

HWY_EXPORT(kernels);

const StepKernels& step_kernels() {
    static const StepKernels& best = *HWY_DYNAMIC_DISPATCH(kernels)();
    return best;
}

std::vector<const StepKernels*> all_step_kernels() {
    std::vector<const StepKernels*> all;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        all.push_back(HWY_DYNAMIC_DISPATCH(kernels)());
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return all;
}

void StepLanes::set_compliances(std::size_t lane, const modal::Compliances& compliances,
                                bool with_rates) {
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            compliance_x[i][k][lane] = compliances.x[i][k];
            if (with_rates) compliance_v[i][k][lane] = compliances.v[i][k];
            compliance_seen[i][k][lane] = compliances.seen[i][k];
        }
        for (std::size_t w = 0; w < 4; ++w) {
            defect_taken[i][w][lane] = compliances.defect[i][w];
            defect_seen[i][w][lane] = compliances.seen_defect[i][w];
        }
    }
}

void StepLanes::set_limits(std::size_t lane, const StepLimits& limits) {
    growth[lane] = limits.growth;
    closing[lane] = limits.closing;
    contact_resonance[lane] = limits.contact_resonance;
    epsilon[lane] = limits.epsilon;
    exactness[lane] = limits.exactness;
    compliance[lane] = limits.compliance;
    onset[lane] = limits.onset;
    resolution[lane] = limits.resolution;
    longest_step[lane] = limits.propagators->longest();
}

StepOutcome StepLanes::outcome(std::size_t lane) const {
    return {impulse[lane],
            moment[lane],
            largest_slope[lane],
            force_after[lane],
            acceleration_after[lane],
            peak[lane]};
}

StepPrediction StepLanes::step_prediction(std::size_t lane, const StepLimits& limits) const {
    constexpr std::int64_t last = modal::Propagators::levels - 1;
    return {static_cast<int>(std::clamp<std::int64_t>(level[lane], limits.coarsest, last)),
            ahead[lane], nearly_over[lane] != 0.0};
}

}  // namespace stoss::impact
#endif
