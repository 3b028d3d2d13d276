#include <stoss/motion/detail/slider_friction.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <stoss/core/bisection.hpp>
#include <stoss/core/gauss3.hpp>
#include <stoss/modal/propagators.hpp>
#include <stoss/time/detail/largest_force.hpp>

namespace stoss::motion {

namespace {

using time::ends_and_nodes;
using Interpolation = time::Interpolation<5>;
using core::Gauss3;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double precision = 1e-11;  // of a margin, relative to its terms

AlongStep along(double begin, const std::array<double, 3>& nodes, double end) {
    return {begin, nodes[0], nodes[1], nodes[2], end};
}

double largest(const AlongStep& values) {
    double size = 0.0;
    for (const double value : values) size = std::max(size, std::abs(value));
    return size;
}

/// The fraction between two places of a step at which the interpolation changes its sign.
double root_between(const Interpolation& curve, double low, double high) {
    const core::Bracket root = core::bisection(
        low, high, 40, [&](double fraction) { return curve(fraction).value > 0.0; });
    return 0.5 * (root.low + root.high);
}

}  // namespace

double SliderFriction::stored_energy() const {
    if (!(start_.stiffness > 0.0)) return 0.0;
    return 0.5 * (start_.force[0] * start_.force[0] + start_.force[1] * start_.force[1]) /
           start_.stiffness;
}

void SliderFriction::begin(const AnyContact& law, double x) {
    slider_ = Slider::sticks;
    start_.force = {};
    start_.stiffness = spring_.at(law, x);
}

double SliderFriction::end() {
    const double lost = stored_energy();
    start_.force = {};
    start_.stiffness = 0.0;
    return lost;
}

void SliderFriction::begin_step(const TangentMotion& y, double rate) {
    start_.y = y;
    turning_ = rate < 0.0 ? -1.0 : 1.0;
    start_.softens = spring_.follows() && turning_ < 0.0;
    const double size = size_of(start_.force);
    if (slider_ == Slider::slips && size > 0.0)
        start_.direction = {start_.force[0] / size, start_.force[1] / size};
}

TangentialForces SliderFriction::at_nodes(double h, const AnyContact& law, const NodeMotion& normal,
                                          const TangentNodes& tangent) const {
    if (slider_ == Slider::loose) return {};
    const TangentialStep step{h, law, normal, tangent};
    return slider_ == Slider::slips ? slipping_forces(mu_, spring_, start_, step)
                                    : sticking_forces(spring_, start_, step);
}

Tangential SliderFriction::end_force(const FrictionStep& step) const {
    if (slider_ == Slider::loose) return {};
    const TangentialStep along{step.length, step.law, step.normal, step.tangent};
    return slider_ == Slider::slips
               ? slipping_end(mu_, spring_, start_, along, step.force_end)
               : sticking_end(spring_, start_, along, step.end.x, step.tangent_end);
}

bool SliderFriction::applies(FrictionCondition condition) const {
    switch (condition) {
        case FrictionCondition::sticks:
            return slider_ == Slider::sticks;
        case FrictionCondition::slides_on:
        case FrictionCondition::pushes:
            return slider_ == Slider::slips;
        case FrictionCondition::pulls:
            return slider_ == Slider::loose;
        default:
            return spring_.follows();
    }
}

/// mu F - |T|.
SliderFriction::Margins SliderFriction::cone_margins(const FrictionStep& step) const {
    AlongStep values = along(step.force_begin, step.normal.force, step.force_end);
    std::array<Tangential, 5> forces;
    forces.front() = start_.force;
    forces.back() = end_force(step);
    for (std::size_t i = 0; i < 3; ++i)
        forces[i + 1] = {step.tangent[0].force[i], step.tangent[1].force[i]};
    double size = 0.0;
    for (std::size_t p = 0; p < values.size(); ++p) {
        size = std::max(size, size_of(forces[p]));
        values[p] = mu_ * values[p] - size_of(forces[p]);
    }
    const double of_place =
        spring_.constant() * (std::abs(start_.y[0].x) + std::abs(start_.y[1].x));
    return {values, precision * size + 16.0 * epsilon * of_place};
}

/// The rate at which the slider slips, times k_t: that of the spring's end less that at which the
/// spring is stretched.
SliderFriction::Margins SliderFriction::slider_margins(const FrictionStep& step) const {
    const AlongStep x = along(step.begin.x, step.normal.x, step.end.x);
    const AlongStep v = along(step.begin.v, step.normal.v, step.end.v);
    std::array<Tangential, 5> rates, directions;
    rates.front() = {start_.y[0].v, start_.y[1].v};
    rates.back() = {step.tangent_end[0].v, step.tangent_end[1].v};
    directions.fill(start_.direction);
    for (std::size_t i = 0; i < 3; ++i) rates[i + 1] = {step.tangent[0].v[i], step.tangent[1].v[i]};
    if (!start_.is_planar) {
        const auto set = [](const Tangential& force, Tangential& direction) {
            const double size = size_of(force);
            if (size > 0.0) direction = {force[0] / size, force[1] / size};
        };
        for (std::size_t i = 0; i < 3; ++i)
            set({step.tangent[0].force[i], step.tangent[1].force[i]}, directions[i + 1]);
        set(end_force(step), directions.back());
    }
    const Interpolation rate(ends_and_nodes, v);
    AlongStep values{};
    double size = 0.0;
    for (std::size_t p = 0; p < values.size(); ++p) {
        const ForcePoint force = step.law.point(x[p], v[p]);
        if (p > 0 && force.force == 0.0) {  // the force has ended: its slope says nothing
            values[p] = values[p - 1];
            continue;
        }
        const double acceleration = rate(ends_and_nodes.at[p]).slope / step.length;
        double growth = mu_ * (force.by_x * v[p] + force.by_v * acceleration);
        const double stiffness = spring_.at(step.law, x[p]);
        if (start_.softens && stiffness > 0.0)
            growth -= mu_ * force.force * spring_.slope_at(step.law, x[p]) * v[p] / stiffness;
        const double drag =
            stiffness * (directions[p][0] * rates[p][0] + directions[p][1] * rates[p][1]);
        values[p] = drag - growth;
        size = std::max(size, stiffness * size_of(rates[p]) + std::abs(growth));
    }
    return {values, precision * size};
}

SliderFriction::Margins SliderFriction::margins(FrictionCondition condition,
                                                const FrictionStep& step) const {
    if (condition == FrictionCondition::sticks) return cone_margins(step);
    if (condition == FrictionCondition::slides_on) return slider_margins(step);
    const bool is_rate = condition == FrictionCondition::keeps_turning;
    AlongStep values = is_rate ? along(step.begin.v, step.normal.v, step.end.v)
                               : along(step.force_begin, step.normal.force, step.force_end);
    const double sign = is_rate ? turning_ : condition == FrictionCondition::pulls ? -1.0 : 1.0;
    for (double& value : values) value *= sign;
    return {values, precision * largest(values)};
}

std::optional<FrictionEvent> SliderFriction::event(const FrictionStep& step) const {
    using enum FrictionCondition;
    std::optional<FrictionEvent> first;
    for (const FrictionCondition condition : {keeps_turning, sticks, slides_on, pushes, pulls}) {
        if (!applies(condition)) continue;
        const auto [values, roundoff] = margins(condition, step);
        std::size_t place = 1;
        while (place < values.size() && !(values[place] < -roundoff)) ++place;
        if (place == values.size()) continue;
        if (place == 1 && !(values[0] > roundoff)) return FrictionEvent{condition, 0.0, 0.0};
        const Interpolation curve(ends_and_nodes, values);
        const double fraction =
            root_between(curve, ends_and_nodes.at[place - 1], ends_and_nodes.at[place]);
        if (!first || fraction < first->fraction)
            first = FrictionEvent{condition, fraction, curve(fraction).slope};
    }
    return first;
}

double SliderFriction::end_margin(FrictionCondition condition, const FrictionStep& step) const {
    const auto [values, roundoff] = margins(condition, step);
    return std::abs(values.back()) < 0.5 * roundoff ? 0.0 : values.back();
}

void SliderFriction::change(FrictionCondition condition, const FrictionStep& step) {
    switch (condition) {
        case FrictionCondition::sticks: {
            slider_ = Slider::slips;
            Tangential pull = start_.force;
            if (size_of(pull) == 0.0) pull = {step.tangent[0].force[0], step.tangent[1].force[0]};
            const double size = size_of(pull);
            if (size > 0.0) start_.direction = {pull[0] / size, pull[1] / size};
            break;
        }
        case FrictionCondition::pushes:
            slider_ = Slider::loose;
            break;
        case FrictionCondition::keeps_turning:
            turning_ = -turning_;
            start_.softens = spring_.follows() && turning_ < 0.0;
            break;
        default:
            slider_ = Slider::sticks;
    }
}

double SliderFriction::accept(const FrictionStep& step) {
    const double before = stored_energy();
    double work = 0.0;
    for (const NodeMotion& tangent : step.tangent)
        for (std::size_t k = 0; k < 3; ++k)
            work += step.length * Gauss3::weight[k] * tangent.force[k] * tangent.v[k];
    start_.force = end_force(step);
    start_.stiffness = spring_.at(step.law, step.end.x);
    if (slider_ == Slider::sticks && !spring_.follows()) return 0.0;
    return work - (stored_energy() - before);
}

double SliderFriction::follow(const AnyContact& law, double x) {
    if (!spring_.follows()) return 0.0;
    const double before = stored_energy(), stiffness = spring_.at(law, x);
    if (stiffness < start_.stiffness)
        for (double& force : start_.force) force *= stiffness / start_.stiffness;
    start_.stiffness = stiffness;
    return before - stored_energy();
}

}  // namespace stoss::motion
