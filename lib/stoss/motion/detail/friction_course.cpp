#include <stoss/motion/detail/friction_course.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <stoss/impact/detail/largest_force.hpp>
#include <stoss/modal/propagators.hpp>

namespace stoss::motion {

namespace {

using impact::ends_and_nodes;
using Interpolation = impact::Interpolation<5>;
using modal::Gauss3;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Integrals of the parabola through the node values, from the begin of the unit step to a node
/// (Butcher 1964: the Gauss method with three stages).
constexpr double root_15 = 10.0 * Gauss3::root;
constexpr std::array<std::array<double, 3>, 3> to_node{
    {{5.0 / 36.0, 2.0 / 9.0 - root_15 / 15.0, 5.0 / 36.0 - root_15 / 30.0},
     {5.0 / 36.0 + root_15 / 24.0, 2.0 / 9.0, 5.0 / 36.0 - root_15 / 24.0},
     {5.0 / 36.0 + root_15 / 30.0, 2.0 / 9.0 + root_15 / 15.0, 5.0 / 36.0}}};

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
    for (int bisection = 0; bisection < 40; ++bisection) {
        const double middle = 0.5 * (low + high);
        (curve(middle).value > 0.0 ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

}  // namespace

double FrictionCourse::stiffness_at(const AnyContact& law, double x) const {
    if (!follows()) return given_.stiffness;
    return given_.stiffness_ratio * std::max(0.0, law.point(x, 0.0).by_x);
}

double FrictionCourse::stiffening_at(const AnyContact& law, double x) const {
    const double way = 1e-4 * std::abs(x);
    if (way == 0.0) return 0.0;
    return (stiffness_at(law, x + way) - stiffness_at(law, x - way)) / (2.0 * way);
}

void FrictionCourse::begin(const AnyContact& law, double x) {
    slider_ = Slider::sticks;
    force_ = 0.0;
    stiffness_ = stiffness_at(law, x);
}

double FrictionCourse::end() {
    const double lost = stored_energy();
    force_ = stiffness_ = 0.0;
    return lost;
}

void FrictionCourse::begin_step(const ContactMotion& y, double rate) {
    y_ = y;
    turning_ = rate < 0.0 ? -1.0 : 1.0;
}

TangentialPoint FrictionCourse::at_node(std::size_t i, double h, const AnyContact& law,
                                        const NodeMotion& normal, const NodeMotion& tangent) const {
    TangentialPoint point;
    if (slider_ == Slider::loose) return point;
    if (slider_ == Slider::slips) {
        point.by_force = side_ * given_.mu;
        point.force = point.by_force * normal.force[i];
    } else if (!follows()) {
        point.by_y[i] = given_.stiffness;
        point.force = force_ + given_.stiffness * (tangent.x[i] - y_.x);
    } else if (softens()) {
        const double stretch = (stiffness_ > 0.0 ? force_ / stiffness_ : 0.0) + tangent.x[i] - y_.x;
        point.by_y[i] = stiffness_at(law, normal.x[i]);
        point.by_x[i] = stiffening_at(law, normal.x[i]) * stretch;
        point.force = point.by_y[i] * stretch;
    } else {
        point.force = force_;
        for (std::size_t k = 0; k < 3; ++k) {
            const double weight = h * to_node[i][k];
            point.by_rate[k] = weight * stiffness_at(law, normal.x[k]);
            point.by_x[k] = weight * stiffening_at(law, normal.x[k]) * tangent.v[k];
            point.force += point.by_rate[k] * tangent.v[k];
        }
    }
    return point;
}

double FrictionCourse::end_force(const FrictionStep& step) const {
    if (slider_ == Slider::loose) return 0.0;
    if (slider_ == Slider::slips) return side_ * given_.mu * step.force_end;
    const double way = step.tangent_end.x - y_.x;
    if (!follows()) return force_ + given_.stiffness * way;
    if (softens()) {
        const double stretch = (stiffness_ > 0.0 ? force_ / stiffness_ : 0.0) + way;
        return stiffness_at(step.law, step.end.x) * stretch;
    }
    double force = force_;
    for (std::size_t k = 0; k < 3; ++k)
        force += step.length * Gauss3::weight[k] * stiffness_at(step.law, step.normal.x[k]) *
                 step.tangent.v[k];
    return force;
}

bool FrictionCourse::applies(FrictionCondition condition) const {
    switch (condition) {
        case FrictionCondition::below_limit:
        case FrictionCondition::above_limit:
            return slider_ == Slider::sticks;
        case FrictionCondition::slides_on:
        case FrictionCondition::pushes:
            return slider_ == Slider::slips;
        case FrictionCondition::pulls:
            return slider_ == Slider::loose;
        default:
            return follows();
    }
}

/// mu F - side T.
FrictionCourse::Margins FrictionCourse::limit_margins(double side, const FrictionStep& step) const {
    AlongStep values = along(step.force_begin, step.normal.force, step.force_end);
    const AlongStep forces = along(force_, step.tangent.force, end_force(step));
    for (std::size_t p = 0; p < values.size(); ++p)
        values[p] = given_.mu * values[p] - side * forces[p];
    const double of_place = follows() ? 0.0 : given_.stiffness * std::abs(y_.x);
    return {values, 1e-11 * largest(forces) + 16.0 * epsilon * of_place};
}

/// The rate at which the slider slips, times k_t: that of the spring's end less that at which the
/// spring is stretched.
FrictionCourse::Margins FrictionCourse::slider_margins(const FrictionStep& step) const {
    const AlongStep x = along(step.begin.x, step.normal.x, step.end.x);
    const AlongStep v = along(step.begin.v, step.normal.v, step.end.v);
    const AlongStep rates = along(y_.v, step.tangent.v, step.tangent_end.v);
    const Interpolation rate(ends_and_nodes, v);
    AlongStep values{};
    double size = 0.0;
    for (std::size_t p = 0; p < values.size(); ++p) {
        const ForcePoint force = step.law.point(x[p], v[p]);
        if (p > 0 && force.force == 0.0) {  // the law has let go: its slope says nothing
            values[p] = values[p - 1];
            continue;
        }
        const double acceleration = rate(ends_and_nodes.at[p]).slope / step.length;
        double growth = given_.mu * (force.by_x * v[p] + force.by_v * acceleration);
        const double stiffness = stiffness_at(step.law, x[p]);
        if (softens() && stiffness > 0.0)
            growth -= given_.mu * force.force * stiffening_at(step.law, x[p]) * v[p] / stiffness;
        values[p] = side_ * stiffness * rates[p] - growth;
        size = std::max(size, std::abs(stiffness * rates[p]) + std::abs(growth));
    }
    return {values, 1e-11 * size};
}

FrictionCourse::Margins FrictionCourse::margins(FrictionCondition condition,
                                                const FrictionStep& step) const {
    if (condition == FrictionCondition::below_limit) return limit_margins(1.0, step);
    if (condition == FrictionCondition::above_limit) return limit_margins(-1.0, step);
    if (condition == FrictionCondition::slides_on) return slider_margins(step);
    const bool is_rate = condition == FrictionCondition::keeps_turning;
    AlongStep values = is_rate ? along(step.begin.v, step.normal.v, step.end.v)
                               : along(step.force_begin, step.normal.force, step.force_end);
    const double sign = is_rate ? turning_ : condition == FrictionCondition::pulls ? -1.0 : 1.0;
    for (double& value : values) value *= sign;
    return {values, 1e-11 * largest(values)};
}

std::optional<FrictionEvent> FrictionCourse::event(const FrictionStep& step) const {
    using enum FrictionCondition;
    std::optional<FrictionEvent> first;
    for (const FrictionCondition condition :
         {keeps_turning, below_limit, above_limit, slides_on, pushes, pulls}) {
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

double FrictionCourse::end_margin(FrictionCondition condition, const FrictionStep& step) const {
    const auto [values, roundoff] = margins(condition, step);
    return std::abs(values.back()) < 0.5 * roundoff ? 0.0 : values.back();
}

void FrictionCourse::change(FrictionCondition condition) {
    switch (condition) {
        case FrictionCondition::below_limit:
        case FrictionCondition::above_limit:
            slider_ = Slider::slips;
            side_ = condition == FrictionCondition::below_limit ? 1.0 : -1.0;
            break;
        case FrictionCondition::pushes:
            slider_ = Slider::loose;
            break;
        case FrictionCondition::keeps_turning:
            turning_ = -turning_;
            break;
        default:
            slider_ = Slider::sticks;
    }
}

double FrictionCourse::accept(const FrictionStep& step) {
    const double before = stored_energy();
    double work = 0.0;
    for (std::size_t k = 0; k < 3; ++k)
        work += step.length * Gauss3::weight[k] * step.tangent.force[k] * step.tangent.v[k];
    force_ = end_force(step);
    stiffness_ = stiffness_at(step.law, step.end.x);
    if (slider_ == Slider::sticks && !follows()) return 0.0;
    return work - (stored_energy() - before);
}

double FrictionCourse::follow(const AnyContact& law, double x) {
    if (!follows()) return 0.0;
    const double before = stored_energy(), stiffness = stiffness_at(law, x);
    if (stiffness < stiffness_) force_ *= stiffness / stiffness_;
    stiffness_ = stiffness;
    return before - stored_energy();
}

}  // namespace stoss::motion
