#include <stoss/motion/detail/friction_course.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <stoss/core/elementary.hpp>
#include <stoss/impact/detail/largest_force.hpp>
#include <stoss/modal/propagators.hpp>
#include <stoss/motion/detail/slip_direction.hpp>

namespace stoss::motion {

namespace {

using impact::ends_and_nodes;
using Interpolation = impact::Interpolation<5>;
using modal::Gauss3;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double precision = 1e-11;  // of a margin, relative to its terms

double integral_to_node(std::size_t i, std::size_t k) {
    return integrals_to_nodes()(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k));
}

AlongStep along(double begin, const std::array<double, 3>& nodes, double end) {
    return {begin, nodes[0], nodes[1], nodes[2], end};
}

double largest(const AlongStep& values) {
    double size = 0.0;
    for (const double value : values) size = std::max(size, std::abs(value));
    return size;
}

/// Of a force in a plane the absolute value, exactly.
double size_of(const Tangential& force) {
    return force[1] == 0.0 ? std::abs(force[0]) : core::hypot(force[0], force[1]);
}

/// The direction at the angle `turn` [rad] against another one.
Tangential turned(const Tangential& direction, double turn) {
    const double c = core::cos(turn), s = core::sin(turn);
    return {c * direction[0] - s * direction[1], s * direction[0] + c * direction[1]};
}
Tangential left_of(const Tangential& direction) {
    return {-direction[1], direction[0]};
}

/// The pull on the direction of slip by k_t y'/(mu F); none where the law does not push.
SlipPull slip_pull(const Tangential& direction, double mu, const std::array<double, 3>& stiffness,
                   const NodeMotion& normal, const TangentNodes& tangent) {
    SlipPull pull;
    const Tangential left = left_of(direction);
    for (std::size_t k = 0; k < 3; ++k) {
        const double limit = mu * normal.force[k];
        if (!(limit > 0.0)) continue;
        const double scale = stiffness[k] / limit;
        for (std::size_t c = 0; c < 2; ++c) {
            pull.along[k] += scale * tangent[c].v[k] * direction[c];
            pull.across[k] += scale * tangent[c].v[k] * left[c];
        }
    }
    return pull;
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
    if (!follows()) return constant_;
    return ratio_ * std::max(0.0, law.point(x, 0.0).by_x);
}

double FrictionCourse::stiffening_at(const AnyContact& law, double x) const {
    const double way = 1e-4 * std::abs(x);
    if (!follows() || way == 0.0) return 0.0;
    return (stiffness_at(law, x + way) - stiffness_at(law, x - way)) / (2.0 * way);
}

double FrictionCourse::stored_energy() const {
    if (!(stiffness_ > 0.0)) return 0.0;
    return 0.5 * (force_[0] * force_[0] + force_[1] * force_[1]) / stiffness_;
}

double FrictionCourse::stretch(std::size_t component) const {
    return stiffness_ > 0.0 ? force_[component] / stiffness_ : 0.0;
}

void FrictionCourse::begin(const AnyContact& law, double x) {
    slider_ = Slider::sticks;
    force_ = {};
    stiffness_ = stiffness_at(law, x);
}

double FrictionCourse::end() {
    const double lost = stored_energy();
    force_ = {};
    stiffness_ = 0.0;
    return lost;
}

void FrictionCourse::begin_step(const TangentMotion& y, double rate) {
    y_ = y;
    turning_ = rate < 0.0 ? -1.0 : 1.0;
    const double size = size_of(force_);
    if (slider_ == Slider::slips && size > 0.0) direction_ = {force_[0] / size, force_[1] / size};
}

TangentialForces FrictionCourse::at_nodes(double h, const AnyContact& law, const NodeMotion& normal,
                                          const TangentNodes& tangent) const {
    if (slider_ == Slider::loose) return {};
    return slider_ == Slider::slips ? slipping(h, law, normal, tangent)
                                    : sticking(h, law, normal, tangent);
}

TangentialForces FrictionCourse::sticking(double h, const AnyContact& law, const NodeMotion& normal,
                                          const TangentNodes& tangent) const {
    TangentialForces all;
    std::array<double, 3> stiffness, stiffening;
    for (std::size_t k = 0; k < 3; ++k) {
        stiffness[k] = stiffness_at(law, normal.x[k]);
        stiffening[k] = stiffening_at(law, normal.x[k]);
    }
    for (std::size_t d = 0; d < 2; ++d) {
        const NodeMotion& y = tangent[d];
        for (std::size_t i = 0; i < 3; ++i) {
            const double way = y.x[i] - y_[d].x;
            if (!follows()) {
                all.by_y[d][i] = constant_;
                all.force[d][i] = force_[d] + constant_ * way;
            } else if (softens()) {
                all.by_y[d][i] = stiffness[i];
                all.by_x[d][i][i] = stiffening[i] * (stretch(d) + way);
                all.force[d][i] = stiffness[i] * (stretch(d) + way);
            } else {
                all.force[d][i] = force_[d];
                for (std::size_t k = 0; k < 3; ++k) {
                    const double weight = h * integral_to_node(i, k);
                    all.by_rate[d][i][d][k] = weight * stiffness[k];
                    all.by_x[d][i][k] = weight * stiffening[k] * y.v[k];
                    all.force[d][i] += weight * stiffness[k] * y.v[k];
                }
            }
        }
    }
    return all;
}

TangentialForces FrictionCourse::slipping(double h, const AnyContact& law, const NodeMotion& normal,
                                          const TangentNodes& tangent) const {
    TangentialForces all;
    if (is_planar_) {
        for (std::size_t i = 0; i < 3; ++i) {
            all.by_force[0][i][i] = direction_[0] * mu_;
            all.force[0][i] = all.by_force[0][i][i] * normal.force[i];
        }
        return all;
    }
    std::array<double, 3> stiffness;
    for (std::size_t k = 0; k < 3; ++k) stiffness[k] = stiffness_at(law, normal.x[k]);
    const SlipTurn turn = slip_turn(h, slip_pull(direction_, mu_, stiffness, normal, tangent));
    for (std::size_t i = 0; i < 3; ++i) {
        const Tangential e = turned(direction_, turn.angle[i]), left = left_of(e);
        for (std::size_t d = 0; d < 2; ++d) {
            all.force[d][i] = mu_ * normal.force[i] * e[d];
            all.by_force[d][i][i] += mu_ * e[d];
            for (std::size_t k = 0; k < 3; ++k) {
                const double limit = mu_ * normal.force[k];
                if (!(limit > 0.0)) continue;
                const Tangential across = left_of(turned(direction_, turn.angle[k]));
                const double gain =
                    mu_ * normal.force[i] * left[d] *
                    turn.by_rate(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) /
                    limit;
                double pull = 0.0;  // limit d'
                for (std::size_t c = 0; c < 2; ++c) {
                    all.by_rate[d][i][c][k] = gain * stiffness[k] * across[c];
                    pull += stiffness[k] * tangent[c].v[k] * across[c];
                }
                all.by_force[d][i][k] -= gain * pull / normal.force[k];
                if (stiffness[k] > 0.0)
                    all.by_x[d][i][k] =
                        gain * pull * stiffening_at(law, normal.x[k]) / stiffness[k];
            }
        }
    }
    return all;
}

Tangential FrictionCourse::end_force(const FrictionStep& step) const {
    if (slider_ == Slider::loose) return {};
    Tangential force{};
    if (slider_ == Slider::slips) {
        Tangential e = direction_;
        if (!is_planar_) {
            std::array<double, 3> stiffness;
            for (std::size_t k = 0; k < 3; ++k)
                stiffness[k] = stiffness_at(step.law, step.normal.x[k]);
            const SlipPull pull = slip_pull(direction_, mu_, stiffness, step.normal, step.tangent);
            e = turned(direction_, slip_turn(step.length, pull).end);
        }
        for (std::size_t d = 0; d < 2; ++d) force[d] = e[d] * mu_ * step.force_end;
        return force;
    }
    for (std::size_t d = 0; d < 2; ++d) {
        const double way = step.tangent_end[d].x - y_[d].x;
        if (!follows()) {
            force[d] = force_[d] + constant_ * way;
        } else if (softens()) {
            force[d] = stiffness_at(step.law, step.end.x) * (stretch(d) + way);
        } else {
            force[d] = force_[d];
            for (std::size_t k = 0; k < 3; ++k)
                force[d] += step.length * Gauss3::weight[k] *
                            stiffness_at(step.law, step.normal.x[k]) * step.tangent[d].v[k];
        }
    }
    return force;
}

bool FrictionCourse::applies(FrictionCondition condition) const {
    switch (condition) {
        case FrictionCondition::sticks:
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

/// mu F - |T|.
FrictionCourse::Margins FrictionCourse::cone_margins(const FrictionStep& step) const {
    AlongStep values = along(step.force_begin, step.normal.force, step.force_end);
    std::array<Tangential, 5> forces;
    forces.front() = force_;
    forces.back() = end_force(step);
    for (std::size_t i = 0; i < 3; ++i)
        forces[i + 1] = {step.tangent[0].force[i], step.tangent[1].force[i]};
    double size = 0.0;
    for (std::size_t p = 0; p < values.size(); ++p) {
        size = std::max(size, size_of(forces[p]));
        values[p] = mu_ * values[p] - size_of(forces[p]);
    }
    const double of_place = constant_ * (std::abs(y_[0].x) + std::abs(y_[1].x));
    return {values, precision * size + 16.0 * epsilon * of_place};
}

/// The rate at which the slider slips, times k_t: that of the spring's end less that at which the
/// spring is stretched.
FrictionCourse::Margins FrictionCourse::slider_margins(const FrictionStep& step) const {
    const AlongStep x = along(step.begin.x, step.normal.x, step.end.x);
    const AlongStep v = along(step.begin.v, step.normal.v, step.end.v);
    std::array<Tangential, 5> rates, directions;
    rates.front() = {y_[0].v, y_[1].v};
    rates.back() = {step.tangent_end[0].v, step.tangent_end[1].v};
    directions.fill(direction_);
    for (std::size_t i = 0; i < 3; ++i) rates[i + 1] = {step.tangent[0].v[i], step.tangent[1].v[i]};
    if (!is_planar_) {
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
        if (p > 0 && force.force == 0.0) {  // the law has let go: its slope says nothing
            values[p] = values[p - 1];
            continue;
        }
        const double acceleration = rate(ends_and_nodes.at[p]).slope / step.length;
        double growth = mu_ * (force.by_x * v[p] + force.by_v * acceleration);
        const double stiffness = stiffness_at(step.law, x[p]);
        if (softens() && stiffness > 0.0)
            growth -= mu_ * force.force * stiffening_at(step.law, x[p]) * v[p] / stiffness;
        const double drag =
            stiffness * (directions[p][0] * rates[p][0] + directions[p][1] * rates[p][1]);
        values[p] = drag - growth;
        size = std::max(size, stiffness * size_of(rates[p]) + std::abs(growth));
    }
    return {values, precision * size};
}

FrictionCourse::Margins FrictionCourse::margins(FrictionCondition condition,
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

std::optional<FrictionEvent> FrictionCourse::event(const FrictionStep& step) const {
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

double FrictionCourse::end_margin(FrictionCondition condition, const FrictionStep& step) const {
    const auto [values, roundoff] = margins(condition, step);
    return std::abs(values.back()) < 0.5 * roundoff ? 0.0 : values.back();
}

void FrictionCourse::change(FrictionCondition condition, const FrictionStep& step) {
    switch (condition) {
        case FrictionCondition::sticks: {
            slider_ = Slider::slips;
            Tangential pull = force_;
            if (size_of(pull) == 0.0) pull = {step.tangent[0].force[0], step.tangent[1].force[0]};
            const double size = size_of(pull);
            if (size > 0.0) direction_ = {pull[0] / size, pull[1] / size};
            break;
        }
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
    for (const NodeMotion& tangent : step.tangent)
        for (std::size_t k = 0; k < 3; ++k)
            work += step.length * Gauss3::weight[k] * tangent.force[k] * tangent.v[k];
    force_ = end_force(step);
    stiffness_ = stiffness_at(step.law, step.end.x);
    if (slider_ == Slider::sticks && !follows()) return 0.0;
    return work - (stored_energy() - before);
}

double FrictionCourse::follow(const AnyContact& law, double x) {
    if (!follows()) return 0.0;
    const double before = stored_energy(), stiffness = stiffness_at(law, x);
    if (stiffness < stiffness_)
        for (double& force : force_) force *= stiffness / stiffness_;
    stiffness_ = stiffness;
    return before - stored_energy();
}

}  // namespace stoss::motion
