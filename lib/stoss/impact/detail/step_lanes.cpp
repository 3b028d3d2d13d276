#include <stoss/impact/detail/step_lanes.hpp>

#include <array>
#include <limits>
#include <type_traits>

#include <stoss/core/detail/each_target.hpp>
#include <stoss/core/detail/vector_targets.hpp>
#include <stoss/core/gauss3.hpp>
#include <stoss/core/number.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stoss/impact/detail/step_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace stoss::impact {
namespace HWY_NAMESPACE {
namespace {

#include <stoss/core/vector.inl>
#include <stoss/time/detail/collocation.inl>

#include <stoss/contact/detail/power_by_roots.inl>

#include <stoss/contact/detail/damped_powers.inl>

#include <stoss/time/detail/contact_step.inl>

// A register full of lanes, from `begin` on.
HWY_INLINE Vector load(const StepLanes::Row& row, std::size_t begin) {
    return load(row.lane.data() + begin);
}
HWY_INLINE void store(Vector value, StepLanes::Row& row, std::size_t begin) {
    store(value, row.lane.data() + begin);
}
HWY_INLINE void store(Mask condition, StepLanes::Row& row, std::size_t begin) {
    store(select(condition, Vector(1.0), Vector(0.0)), row, begin);
}
template <std::size_t n>
HWY_INLINE std::array<Vector, n> load(const StepLanes::Rows<n>& rows, std::size_t begin) {
    std::array<Vector, n> values;
    for (std::size_t i = 0; i < n; ++i) values[i] = load(rows[i], begin);
    return values;
}
template <std::size_t n>
HWY_INLINE std::array<std::array<Vector, n>, 3> load(const std::array<StepLanes::Rows<n>, 3>& rows,
                                                     std::size_t begin) {
    return {load(rows[0], begin), load(rows[1], begin), load(rows[2], begin)};
}
template <std::size_t n>
HWY_INLINE void store(const std::array<Vector, n>& values, StepLanes::Rows<n>& rows,
                      std::size_t begin) {
    for (std::size_t i = 0; i < n; ++i) store(values[i], rows[i], begin);
}

/// Hertz's law, F = k x^(3/2).
struct Hertz {
    static constexpr bool has_rates = false;
    Vector stiffness;

    HWY_INLINE Vector force(Vector x, Vector /*v*/) const {
        return select(x > Vector(0.0), stiffness * (x * sqrt(x)), Vector(0.0));
    }
    HWY_INLINE LawPoint<Vector> point(Vector x, Vector /*v*/) const {
        const Vector zero = 0.0, root = sqrt(x);
        const Mask acts = x > zero;
        return {select(acts, stiffness * (x * root), zero),
                select(acts, stiffness * (Vector(1.5) * root), zero), zero};
    }
};

/// A number of the law that is found lane by lane.
Vector of_each_lane(const StepLanes& all, std::size_t begin, StepLanes::OfLaw number, Vector x,
                    Vector v) {
    StepLanes::Row overlap, rate, value;
    store(x, overlap, 0);
    store(v, rate, 0);
    number(all, begin, width, overlap.lane.data(), rate.lane.data(), value.lane.data());
    return load(value, 0);
}

/// A law that is evaluated lane by lane.
template <bool with_rates>
struct EachLane {
    static constexpr bool has_rates = with_rates;
    const StepLanes& all;
    std::size_t begin;

    Vector force(Vector x, Vector v) const {
        StepLanes::Row overlap, rate, force;
        store(x, overlap, 0);
        if constexpr (has_rates) store(v, rate, 0);
        all.law(all, begin, width, overlap.lane.data(), rate.lane.data(), force.lane.data(),
                nullptr, nullptr);
        return load(force, 0);
    }
    LawPoint<Vector> point(Vector x, Vector v) const {
        StepLanes::Row overlap, rate, force, by_overlap, by_rate;
        store(x, overlap, 0);
        if constexpr (has_rates) store(v, rate, 0);
        all.law(all, begin, width, overlap.lane.data(), rate.lane.data(), force.lane.data(),
                by_overlap.lane.data(), has_rates ? by_rate.lane.data() : nullptr);
        return {load(force, 0), load(by_overlap, 0), has_rates ? load(by_rate, 0) : Vector(0.0)};
    }
    Vector dissipated_power(Vector x, Vector v) const {
        return of_each_lane(all, begin, all.dissipated_power, x, v);
    }
};

/// The forces if the overlap went on as a parabola.
template <class Law>
HWY_INLINE Triple<Vector> forces_ahead(const StepLanes& all, std::size_t begin, const Law& law) {
    const Vector overlap = load(all.overlap, begin), rate = load(all.rate, begin);
    const Vector acceleration = load(all.acceleration, begin), h = load(all.step, begin);
    Triple<Vector> force;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vector s = h * Vector(core::Gauss3::node[i]);
        const Vector mean_rate = rate + Vector(0.5) * s * acceleration;
        force[i] = law.force(overlap + s * mean_rate, rate + s * acceleration);
    }
    return force;
}

/// Where no node forces act.
HWY_INLINE FreeStep<Vector> free_step(const StepLanes& all, std::size_t begin) {
    return {load(all.free_v, begin), load(all.free_seen, begin), load(all.free_seen_v, begin),
            load(all.free_deviation_v, begin)};
}

template <bool with_rates, class Law>
HWY_INLINE NodeForces<Vector> solve_nodes(StepLanes& all, std::size_t begin, const Law& law,
                                          const Triple<Vector>& free_v) {
    const auto nodes = solve_nodes<with_rates>(
        law, load(all.free_x, begin), free_v, load(all.compliance_x, begin),
        load(all.compliance_v, begin), forces_ahead(all, begin, law), load(all.exactness, begin));
    store(nodes.force, all.force, begin);
    store(nodes.slope, all.slope, begin);
    store(nodes.x, all.x, begin);
    if constexpr (with_rates) store(nodes.v, all.v, begin);
    StepLanes::Row bits;
    store(nodes.solved, bits, 0);
    for (std::size_t i = 0; i < width; ++i) all.solved[begin + i] = bits[i] != 0.0;
    return nodes;
}

HWY_INLINE void store(const DeviationForce<Vector>& deviation, StepLanes& all, std::size_t begin) {
    store(deviation.nodes, all.deviation_force, begin);
    store(deviation.defect, all.defect, begin);
}

template <class Law>
HWY_INLINE void drive_deviation(StepLanes& all, std::size_t begin, const Law& law,
                                const NodeForces<Vector>& nodes) {
    const Vector residual = load(all.residual, begin);
    const LawAlong<Vector> along = law_along(law, load(all.free_seen, begin), nodes.force,
                                             load(all.compliance_seen, begin), residual);
    const DeviationForce<Vector> deviation = deviation_force(
        load(all.force_before, begin), along, nodes, load(all.free_deviation, begin),
        load(all.defect_taken, begin), load(all.defect_seen, begin), residual);
    store(deviation, all, begin);
}

template <class Law>
HWY_INLINE void solve_step(StepLanes& all, std::size_t begin, const Law& law, bool with_rates) {
    const Triple<Vector> free_v = load(all.free_v, begin);
    const NodeForces<Vector> nodes = with_rates ? solve_nodes<true>(all, begin, law, free_v)
                                                : solve_nodes<false>(all, begin, law, free_v);
    drive_deviation(all, begin, law, nodes);
}

/// What the deviation of the approach speed adds to the forces at the nodes.
Triple<Vector> force_of_approach(const StepLanes& all, std::size_t begin,
                                 const NodeForces<Vector>& nodes) {
    const Vector zero = 0.0;
    Triple<Vector> force{zero, zero, zero};
    for (std::size_t i = 0; all.force_of_approach && i < 3; ++i)
        force[i] = of_each_lane(all, begin, all.force_of_approach, nodes.x[i], nodes.v[i]);
    return force;
}

/// The same for a law with rates.
template <class Law>
HWY_INLINE void solve_step_with_rates(StepLanes& all, std::size_t begin, const Law& law) {
    const Vector start = load(all.force_before, begin), residual = load(all.residual, begin),
                 step = load(all.step, begin);
    const FreeStep<Vector> free = with_residual_displacement(
        free_step(all, begin), start, load(all.deviation_before, begin), residual, step);
    const NodeForces<Vector> nodes = solve_nodes<true>(all, begin, law, free.v);
    const LawAlong<Vector> along =
        law_with_rates_along(law, free, start, nodes.force, load(all.compliance_seen, begin),
                             load(all.compliance_seen_v, begin), residual, step);
    const DeviationRates<Vector> rates{free.deviation_v, load(all.defect_taken_v, begin),
                                       load(all.defect_seen_v, begin),
                                       force_of_approach(all, begin, nodes), step};
    store(deviation_force_with_rates(start, along, nodes, load(all.free_deviation, begin),
                                     load(all.defect_taken, begin), load(all.defect_seen, begin),
                                     rates, residual),
          all, begin);
}

/// Calls `compute(law)` with the law of the lanes.
template <class Compute>
HWY_INLINE void with_law(const StepLanes& all, std::size_t begin, const Compute& compute) {
    if (all.law_has_rates && all.law) {
        compute(EachLane<true>{all, begin});
    } else if (all.law_has_rates) {
        compute(DampedPowersForce<Vector>{all.powers, load(all.stiffness, begin),
                                          load(all.damping, begin), load(all.least_force, begin)});
    } else if (all.law) {
        compute(EachLane<false>{all, begin});
    } else {
        compute(Hertz{load(all.stiffness, begin)});
    }
}

void solve(StepLanes& all, bool with_rates) {
    for (std::size_t begin = 0; begin < StepLanes::count; begin += width) {
        with_law(all, begin, [&](const auto& law) HWY_ATTR {
            if constexpr (std::decay_t<decltype(law)>::has_rates)
                solve_step_with_rates(all, begin, law);
            else
                solve_step(all, begin, law, with_rates);
        });
    }
}

HWY_INLINE StepLimits<Vector> limits(const StepLanes& all, std::size_t begin) {
    return {
        load(all.growth, begin),  load(all.closing, begin),    load(all.contact_resonance, begin),
        load(all.epsilon, begin), load(all.exactness, begin),  load(all.compliance, begin),
        load(all.onset, begin),   load(all.resolution, begin), load(all.longest, begin)};
}

/// The overlap that the law sees at the end of the step.
template <class Law>
HWY_INLINE Overlap<Vector> seen_at_end(const StepLanes& all, std::size_t begin, const Law& law,
                                       const Triple<Vector>& forces) {
    const Vector x = load(all.end_x, begin), v = load(all.end_v, begin),
                 residual = load(all.residual, begin);
    if constexpr (Law::has_rates) {
        return seen_by_law_with_rates(law, x, v, forces, residual, load(all.step, begin),
                                      load(all.exactness, begin));
    } else {
        return seen_by_law(law, x, v, dot(time::parabola_weights[2], forces), residual);
    }
}

template <class Law>
HWY_INLINE StepOutcome<Vector> outcome_of_step(const StepLanes& all, std::size_t begin,
                                               const Law& law, const Triple<Vector>& forces,
                                               const Overlap<Vector>& end) {
    StepOutcome<Vector> outcome =
        outcome_of_step(load(all.step, begin), load(all.rate, begin), end.v, forces,
                        load(all.slope, begin), law.force(end.x, end.v));
    if constexpr (Law::has_rates) {
        for (std::size_t i = 0; i < 3; ++i)
            outcome.dissipated[i] =
                law.dissipated_power(load(all.x[i], begin), load(all.v[i], begin));
    }
    return outcome;
}

HWY_INLINE void store(const StepOutcome<Vector>& outcome, StepLanes& all, std::size_t begin) {
    store(outcome.impulse, all.impulse, begin);
    store(outcome.moment, all.moment, begin);
    store(outcome.slope, all.largest_slope, begin);
    store(outcome.force, all.force_after, begin);
    store(outcome.acceleration, all.acceleration_after, begin);
    store(outcome.peak, all.peak, begin);
}

template <class Law>
HWY_INLINE void conclude_step(StepLanes& all, std::size_t begin, const Law& law) {
    const Triple<Vector> forces = load(all.force, begin);
    const Overlap<Vector> end = seen_at_end(all, begin, law, forces);
    const StepOutcome<Vector> outcome = outcome_of_step(all, begin, law, forces, end);
    const StepPrediction<Vector> next = step_prediction(end.x, end.v, outcome.acceleration,
                                                        governing_force(law, end.x, outcome.force),
                                                        outcome.slope, limits(all, begin));
    store(end.x, all.seen_x, begin);
    store(end.v, all.seen_v, begin);
    store(outcome, all, begin);
    if constexpr (Law::has_rates) store(outcome.dissipated, all.dissipated, begin);
    store(next.step, all.next_step, begin);
    store(next.ahead, all.ahead, begin);
    store(next.nearly_over, all.nearly_over, begin);
}

void conclude(StepLanes& all) {
    for (std::size_t begin = 0; begin < StepLanes::count; begin += width) {
        with_law(all, begin, [&](const auto& law) HWY_ATTR { conclude_step(all, begin, law); });
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
    return core::of_each_target([] { return HWY_DYNAMIC_DISPATCH(kernels)(); });
}

void StepLanes::set_compliances(std::size_t lane, const modal::Compliances& compliances,
                                modal::Rates rates) {
    const auto set = [lane](auto& rows, const auto& numbers) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            for (std::size_t k = 0; k < rows[i].size(); ++k) rows[i][k][lane] = numbers[i][k];
        }
    };
    set(compliance_x, compliances.x);
    set(compliance_seen, compliances.seen);
    set(defect_taken, compliances.defect);
    set(defect_seen, compliances.seen_defect);
    if (rates != modal::Rates::none) set(compliance_v, compliances.v);
    if (rates != modal::Rates::everywhere) return;
    set(compliance_seen_v, compliances.seen_v);
    set(defect_taken_v, compliances.defect_v);
    set(defect_seen_v, compliances.seen_defect_v);
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
    longest[lane] = limits.longest;
}

StepOutcome StepLanes::outcome(std::size_t lane) const {
    return {impulse[lane],
            moment[lane],
            largest_slope[lane],
            force_after[lane],
            acceleration_after[lane],
            peak[lane],
            {dissipated[0][lane], dissipated[1][lane], dissipated[2][lane]}};
}

StepPrediction StepLanes::step_prediction(std::size_t lane) const {
    return {next_step[lane], ahead[lane], nearly_over[lane] != 0.0};
}

}  // namespace stoss::impact
#endif
