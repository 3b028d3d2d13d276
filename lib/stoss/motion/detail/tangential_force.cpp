#include <stoss/motion/detail/tangential_force.hpp>

#include <algorithm>
#include <cmath>

#include <stoss/core/elementary.hpp>
#include <stoss/core/gauss3.hpp>
#include <stoss/modal/propagators.hpp>
#include <stoss/motion/detail/slip_direction.hpp>

namespace stoss::motion {

namespace {

using core::Gauss3;

double integral_to_node(std::size_t i, std::size_t k) {
    return integrals_to_nodes()(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k));
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

std::array<double, 3> stiffnesses(const TangentialSpring& spring, const TangentialStep& step) {
    std::array<double, 3> at{};
    for (std::size_t k = 0; k < 3; ++k) at[k] = spring.at(step.law, step.normal.x[k]);
    return at;
}

}  // namespace

double size_of(const Tangential& force) {
    return force[1] == 0.0 ? std::abs(force[0]) : core::hypot(force[0], force[1]);
}

double TangentialSpring::at(const AnyContact& law, double x) const {
    if (!follows()) return constant_;
    return ratio_ * std::max(0.0, law.point(x, 0.0).by_x);
}

double TangentialSpring::slope_at(const AnyContact& law, double x) const {
    const double way = 1e-4 * std::abs(x);
    if (!follows() || way == 0.0) return 0.0;
    return (at(law, x + way) - at(law, x - way)) / (2.0 * way);
}

TangentialForces sticking_forces(const TangentialSpring& spring, const TangentialStart& start,
                                 const TangentialStep& step) {
    TangentialForces all;
    std::array<double, 3> stiffness, stiffening;
    for (std::size_t k = 0; k < 3; ++k) {
        stiffness[k] = spring.at(step.law, step.normal.x[k]);
        stiffening[k] = spring.slope_at(step.law, step.normal.x[k]);
    }
    for (std::size_t d = 0; d < 2; ++d) {
        const NodeMotion& y = step.tangent[d];
        for (std::size_t i = 0; i < 3; ++i) {
            const double way = y.x[i] - start.y[d].x;
            if (!spring.follows()) {
                all.by_y[d][d][i] = spring.constant();
                all.force[d][i] = start.force[d] + spring.constant() * way;
            } else if (start.softens) {
                all.by_y[d][d][i] = stiffness[i];
                all.by_x[d][i][i] = stiffening[i] * (start.stretch(d) + way);
                all.force[d][i] = stiffness[i] * (start.stretch(d) + way);
            } else {
                all.force[d][i] = start.force[d];
                for (std::size_t k = 0; k < 3; ++k) {
                    const double weight = step.length * integral_to_node(i, k);
                    all.by_rate[d][i][d][k] = weight * stiffness[k];
                    all.by_x[d][i][k] = weight * stiffening[k] * y.v[k];
                    all.force[d][i] += weight * stiffness[k] * y.v[k];
                }
            }
        }
    }
    return all;
}

Tangential sticking_end(const TangentialSpring& spring, const TangentialStart& start,
                        const TangentialStep& step, double x, const TangentMotion& end) {
    Tangential force{};
    for (std::size_t d = 0; d < 2; ++d) {
        const double way = end[d].x - start.y[d].x;
        if (!spring.follows()) {
            force[d] = start.force[d] + spring.constant() * way;
        } else if (start.softens) {
            force[d] = spring.at(step.law, x) * (start.stretch(d) + way);
        } else {
            force[d] = start.force[d];
            for (std::size_t k = 0; k < 3; ++k)
                force[d] += step.length * Gauss3::weight[k] *
                            spring.at(step.law, step.normal.x[k]) * step.tangent[d].v[k];
        }
    }
    return force;
}

TangentialForces slipping_forces(double mu, const TangentialSpring& spring,
                                 const TangentialStart& start, const TangentialStep& step) {
    TangentialForces all;
    if (start.is_planar) {
        for (std::size_t i = 0; i < 3; ++i) {
            all.by_force[0][i][i] = start.direction[0] * mu;
            all.force[0][i] = all.by_force[0][i][i] * step.normal.force[i];
        }
        return all;
    }
    std::array<double, 3> stiffness;
    for (std::size_t k = 0; k < 3; ++k) stiffness[k] = spring.at(step.law, step.normal.x[k]);
    const SlipTurn turn = slip_turn(
        step.length, slip_pull(start.direction, mu, stiffness, step.normal, step.tangent));
    for (std::size_t i = 0; i < 3; ++i) {
        const Tangential e = turned(start.direction, turn.angle[i]), left = left_of(e);
        for (std::size_t d = 0; d < 2; ++d) {
            all.force[d][i] = mu * step.normal.force[i] * e[d];
            all.by_force[d][i][i] += mu * e[d];
            for (std::size_t k = 0; k < 3; ++k) {
                const double limit = mu * step.normal.force[k];
                if (!(limit > 0.0)) continue;
                const Tangential across = left_of(turned(start.direction, turn.angle[k]));
                const double gain =
                    mu * step.normal.force[i] * left[d] *
                    turn.by_rate(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) /
                    limit;
                double pull = 0.0;  // limit d'
                for (std::size_t c = 0; c < 2; ++c) {
                    all.by_rate[d][i][c][k] = gain * stiffness[k] * across[c];
                    pull += stiffness[k] * step.tangent[c].v[k] * across[c];
                }
                all.by_force[d][i][k] -= gain * pull / step.normal.force[k];
                if (stiffness[k] > 0.0)
                    all.by_x[d][i][k] =
                        gain * pull * spring.slope_at(step.law, step.normal.x[k]) / stiffness[k];
            }
        }
    }
    return all;
}

Tangential slipping_end(double mu, const TangentialSpring& spring, const TangentialStart& start,
                        const TangentialStep& step, double normal_force) {
    Tangential e = start.direction;
    if (!start.is_planar) {
        const SlipPull pull =
            slip_pull(e, mu, stiffnesses(spring, step), step.normal, step.tangent);
        e = turned(e, slip_turn(step.length, pull).end);
    }
    return {e[0] * mu * normal_force, e[1] * mu * normal_force};
}

}  // namespace stoss::motion
