#pragma once
/// The equations of motion of two pendulums and the kinematics of their contact.

#include <algorithm>
#include <array>
#include <cmath>

#include <stoss/core/elementary.hpp>
#include <stoss/impact/pendulums.hpp>

namespace stoss::impact::detail {

/// theta_1, theta_2, their rates, and the energy [J] that the contact has lost.
using PendulumState = std::array<double, 5>;

/// The tip of rod 2 against the side of rod 1 (theory/contact_laws.md 8.20), (8.21).
struct PendulumContactPoint {
    double overlap;   ///< x [m]; negative: gap
    double rate;      ///< v = dx/dt [m/s]
    double speeds;    ///< sum of the speeds of both contact points along the normal [m/s]
    double location;  ///< s [m] along rod 1 from its pivot
    double arm_1;     ///< torque on rod 1 of one newton [m]
    double arm_2;     ///< torque on rod 2 of one newton [m]
    double mobility;  ///< 1/(effective mass) [1/kg]
    double coriolis;  ///< dv/dt [m/s^2] at constant angular velocities
};

/// The two rods as a mechanical system.
class PendulumEquations {
  public:
    using State = PendulumState;
    using ContactPoint = PendulumContactPoint;

    explicit PendulumEquations(const PendulumSystem& p)
        : m1_(p.rod_1.mass),
          m2_(p.rod_2.mass),
          l1_(p.rod_1.length),
          l2_(p.rod_2.length),
          g_(p.gravity),
          pivot_{p.pivot_2[0], p.pivot_2[1]},
          inertia_1_(m1_ * l1_ * l1_ / 3.0),
          inertia_2_(m2_ * l2_ * l2_ / 3.0),
          start_{p.rod_1.angle, p.rod_2.angle, p.rod_1.angular_velocity, p.rod_2.angular_velocity,
                 0.0} {
        if (contact_point(start_).overlap > 0.0) side_ = -1.0;
        if (const double rate = fastest_rate(start_); rate > 0.0) slowest_rate_ = 1e-3 * rate;
    }

    const State& start() const { return start_; }
    double length_of_side() const { return l1_; }

    /// Overlap is positive where the tip is beyond the line of rod 1, seen from where it started.
    ContactPoint contact_point(const State& y) const {
        const auto [theta_1, theta_2, rate_1, rate_2, lost] = y;
        const Vector along{core::sin(theta_1), -core::cos(theta_1)};
        const Vector across{core::cos(theta_1), core::sin(theta_1)};
        const Vector tip = pivot_ + Vector{l2_ * core::sin(theta_2), -l2_ * core::cos(theta_2)};
        const double phi = theta_2 - theta_1;
        const double s = dot(tip, along), d = dot(tip, across);
        const double location_rate = -l2_ * rate_2 * core::sin(phi) + d * rate_1;
        const double arm_2 = l2_ * core::cos(phi);
        ContactPoint point{};
        point.overlap = side_ * d;
        point.rate = side_ * (arm_2 * rate_2 - s * rate_1);
        point.speeds = std::abs(arm_2 * rate_2) + std::abs(s * rate_1);
        point.location = s;
        point.arm_1 = side_ * s;
        point.arm_2 = -side_ * arm_2;
        point.mobility = s * s / inertia_1_ + arm_2 * arm_2 / inertia_2_;
        point.coriolis =
            side_ * (-l2_ * rate_2 * (rate_2 - rate_1) * core::sin(phi) - location_rate * rate_1);
        return point;
    }

    /// y' under the contact force [N] and the power [W] that it loses (8.22).
    State rates(const State& y, const ContactPoint& point, double force, double lost_power) const {
        const auto gravity = gravity_accelerations(y);
        return {y[2], y[3], gravity[0] + point.arm_1 * force / inertia_1_,
                gravity[1] + point.arm_2 * force / inertia_2_, lost_power};
    }

    /// d^2x/dt^2 [m/s^2] without contact force.
    double free_closing_acceleration(const State& y, const ContactPoint& point) const {
        const auto gravity = gravity_accelerations(y);
        return -point.arm_1 * gravity[0] - point.arm_2 * gravity[1] + point.coriolis;
    }

    /// The state after a contact impulse [N s].
    State after_impulse(State y, const ContactPoint& point, double impulse) const {
        y[2] += point.arm_1 * impulse / inertia_1_;
        y[3] += point.arm_2 * impulse / inertia_2_;
        return y;
    }

    double kinetic_energy(const State& y) const {
        return 0.5 * (inertia_1_ * y[2] * y[2] + inertia_2_ * y[3] * y[3]);
    }
    /// Kinetic and potential, 0 for both hanging at rest.
    double energy(const State& y) const {
        const double rise_1 = 1.0 - core::cos(y[0]), rise_2 = 1.0 - core::cos(y[1]);
        return kinetic_energy(y) + 0.5 * g_ * (m1_ * l1_ * rise_1 + m2_ * l2_ * rise_2);
    }

    /// A tenth of the shortest time in which a rod turns by one radian.
    double longest_step(const State& y) const {
        return 0.1 / std::max(fastest_rate(y), slowest_rate_);
    }

  private:
    /// Largest angular velocity of the rods now, or frequency of their small oscillations [rad/s].
    double fastest_rate(const State& y) const {
        return std::max(
            {std::abs(y[2]), std::abs(y[3]), std::sqrt(1.5 * g_ / l1_), std::sqrt(1.5 * g_ / l2_)});
    }

    struct Vector {
        double x, y;
        friend Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y}; }
        friend double dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y; }
    };

    std::array<double, 2> gravity_accelerations(const State& y) const {
        return {-1.5 * g_ / l1_ * core::sin(y[0]), -1.5 * g_ / l2_ * core::sin(y[1])};
    }

    double m1_, m2_, l1_, l2_, g_;
    Vector pivot_;
    double inertia_1_, inertia_2_;
    State start_;
    double side_ = 1.0;
    double slowest_rate_ = 1e-3;  // that limits steps [rad/s]
};

}  // namespace stoss::impact::detail
