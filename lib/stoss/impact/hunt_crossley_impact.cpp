#include <stoss/impact/hunt_crossley_impact.hpp>

#include <boost/math/quadrature/tanh_sinh.hpp>
#include <cmath>
#include <limits>

#include <stoss/contact/damping.hpp>
#include <stoss/contact/power.hpp>
#include <stoss/core/elementary.hpp>

namespace stoss::impact {

namespace {

/// (z - log(1 + z))/z^2 for z > -1, without cancellation: with t = z/(2 + z),
/// log(1 + z) = 2 (t + t^3/3 + t^5/5 + ...).
double scaled_log_remainder(double z) {
    if (std::abs(z) > 0.5) return (z - core::log1p(z)) / (z * z);
    const double t = z / (2.0 + z);
    double sum = 0.0, power = t;
    for (int odd = 3; odd < 43; odd += 2) {
        sum += power / odd;
        power *= t * t;
    }
    return 1.0 / (2.0 + z) - 2.0 * sum / ((2.0 + z) * (2.0 + z));
}

}  // namespace

double fitted_hunt_crossley_restitution(double z) {
    if (z == 0.0) return 1.0;
    const double series = z * (1.0 + z * (2.0 / 3.0 + z * (2.0 / 9.0 + z * 14.0 / 135.0)));
    return -(core::expm1(-2.0 * z) + series * core::exp(-2.0 * z)) / z;
}

HuntCrossleyImpact::HuntCrossleyImpact(double mass, double stiffness, double exponent,
                                       double damping_factor, double approach_speed)
    : mass_(mass),
      stiffness_(stiffness),
      exponent_(exponent),
      damping_factor_(damping_factor),
      approach_speed_(approach_speed),
      rebound_velocity_(-approach_speed *
                        contact::hunt_crossley_restitution(damping_factor * approach_speed)) {}

double HuntCrossleyImpact::fitted_rebound_velocity() const {
    return -approach_speed_ * fitted_hunt_crossley_restitution(number());
}

/// [-mu (v - v_0) + log((1 + mu v)/(1 + mu v_0))]/mu^2, the bracket of
/// (theory/point_impact.md 10.1): the integral of -v dv/(1 + mu v) from v_0 to v. It vanishes at
/// both ends of the impact; from the nearer one, v = end - change, it is computed without
/// cancellation, v_0 being either.
double HuntCrossleyImpact::work(double end, double change) const {
    const double u = change / (1.0 + damping_factor_ * end);
    return u * end - u * u * scaled_log_remainder(-damping_factor_ * u);
}

double HuntCrossleyImpact::work(double velocity) const {
    const bool creeps = !(1.0 + damping_factor_ * rebound_velocity_ > 0.0);
    const double end = velocity >= 0.0 || creeps ? approach_speed_ : rebound_velocity_;
    return work(end, end - velocity);
}

double HuntCrossleyImpact::overlap_of(double work) const {
    const double power_of_overlap = mass_ * (exponent_ + 1.0) / stiffness_ * work;
    return std::copysign(core::pow(std::abs(power_of_overlap), 1.0 / (exponent_ + 1.0)),
                         power_of_overlap);
}

double HuntCrossleyImpact::overlap(double velocity) const {
    return overlap_of(work(velocity));
}

double HuntCrossleyImpact::energy(double velocity) const {
    return mass_ * (0.5 * velocity * velocity + work(velocity));
}

double HuntCrossleyImpact::energy_loss() const {
    return 0.5 * mass_ * (approach_speed_ - rebound_velocity_) *
           (approach_speed_ + rebound_velocity_);
}

double HuntCrossleyImpact::contact_time() const {
    if (!(1.0 + damping_factor_ * rebound_velocity_ > 0.0))
        return std::numeric_limits<double>::infinity();
    boost::math::quadrature::tanh_sinh<double> integrator;
    // From each end to v = 0. The integrand is infinite at the end, so distances count from there.
    const auto time_from = [&](double end) {
        const auto time_per_velocity = [&](double distance) {
            const double change = std::copysign(distance, end);
            const double force = stiffness_ *
                                 contact::power(overlap_of(work(end, change)), exponent_) *
                                 (1.0 + damping_factor_ * (end - change));
            // Very near the end the overlap underflows. That part of the time is below roundoff.
            return force > 0.0 ? mass_ / force : 0.0;
        };
        return integrator.integrate(time_per_velocity, 0.0, std::abs(end), 1e-13);
    };
    return time_from(approach_speed_) + time_from(rebound_velocity_);
}

}  // namespace stoss::impact
