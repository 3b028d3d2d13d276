#include <stoss/impact/infinite_structure.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include <stoss/core/elementary.hpp>
#include <stoss/core/error.hpp>

namespace stoss::impact {

namespace {

constexpr double longest = 20.0;  // motion that is followed, in T
constexpr std::array steps_per_unit{100, 200, 400};

/// s(t) = t - integral of K(t - r) f(r) dr with K(u) = u + parameter u^p and f = s^(3/2), in steps
/// of size h with f linear in each.
class VolterraSteps {
  public:
    VolterraSteps(InfiniteStructure structure, double parameter, double h)
        : h_(h), parameter_(parameter), power_(structure == InfiniteStructure::plate ? 0.0 : 0.5) {}

    /// Steps until the overlap is gone.
    InfiniteImpact solve() {
        const auto most = static_cast<std::size_t>(longest / h_);
        add_weights();
        double last = 0.0;
        while (force_.size() < most) {
            const double overlap = step();
            if (!(overlap > 0.0)) return result(last, overlap);
            last = overlap;
        }
        throw core::NumericalError("the striker has not left the structure after 20 T");
    }

  private:
    /// Integrals of K times the falling and the rising half of a hat function, k steps before the
    /// end of the integral: of u^p (1 - (u/h - k)) and u^p (u/h - k) over k h < u < (k + 1) h.
    void add_weights() {
        const std::size_t k = falling_.size();
        const auto of_power = [&](double p) {
            const double a = static_cast<double>(k), b = a + 1.0;
            const double whole =
                (core::pow(b, p + 1.0) - (k == 0 ? 0.0 : core::pow(a, p + 1.0))) / (p + 1.0);
            const double moment =
                (core::pow(b, p + 2.0) - (k == 0 ? 0.0 : core::pow(a, p + 2.0))) / (p + 2.0);
            return std::array{b * whole - moment, moment - a * whole};
        };
        const auto inertia = of_power(1.0), waves = of_power(power_);
        const double inertia_scale = h_ * h_;
        const double wave_scale = parameter_ * core::pow(h_, power_ + 1.0);
        falling_.push_back(inertia_scale * inertia[0] + wave_scale * waves[0]);
        const double rising = inertia_scale * inertia[1] + wave_scale * waves[1];
        weight_.push_back(falling_[k] + (k == 0 ? 0.0 : rising_));
        rising_ = rising;
    }

    /// The overlap one step on; below 0 beyond the end of contact.
    double step() {
        const std::size_t n = force_.size();
        add_weights();
        double history = 0.0;
        for (std::size_t j = 1; j < n; ++j) history += force_[j] * weight_[n - j];
        const double free = static_cast<double>(n) * h_ - history;
        if (!(free > 0.0)) return free;
        const double overlap = with_own_force(free);
        force_.push_back(overlap * std::sqrt(overlap));
        before_ = {before_[1], before_[2], overlap};
        if (overlap > peak_) peak_ = overlap;
        if (before_[1] >= before_[0] && before_[1] > before_[2]) peak_ = vertex();
        return overlap;
    }

    /// x + w x^(3/2) = free, by Newton's method from above; the left side is convex in x.
    double with_own_force(double free) const {
        double x = free;
        for (int i = 0; i < 50; ++i) {
            const double root = std::sqrt(x);
            const double change =
                (x + weight_[0] * x * root - free) / (1.0 + 1.5 * weight_[0] * root);
            x -= change;
            if (!(std::abs(change) > 1e-16 * x)) break;
        }
        return x;
    }

    /// Largest value of the parabola through the last three overlaps.
    double vertex() const {
        const double slope = 0.5 * (before_[2] - before_[0]);
        const double curvature = before_[2] - 2.0 * before_[1] + before_[0];
        return before_[1] - 0.5 * slope * slope / curvature;
    }

    InfiniteImpact result(double last, double beyond) const {
        // Between the last two steps the overlap falls to 0 on a parabola through three of them.
        const double slope = 0.5 * (beyond - before_[1]);
        const double curvature = beyond - 2.0 * last + before_[1];
        const double root = std::sqrt(slope * slope - 2.0 * curvature * last);
        const double rest = 2.0 * last / (root - slope);
        double impulse = 0.0;
        for (const double force : force_) impulse += force;
        impulse -= 0.5 * force_.back();
        // The rest of s^(3/2) with s from `last` to 0 along a straight line.
        impulse += 0.4 * rest * force_.back();
        return {h_ * impulse - 1.0, h_ * (static_cast<double>(force_.size() - 1) + rest),
                peak_ * std::sqrt(peak_), peak_, 0.0};
    }

    double h_, parameter_, power_;
    std::vector<double> force_{0.0};  ///< f at each step
    std::vector<double> weight_;      ///< of the force k steps before
    std::vector<double> falling_;
    double rising_ = 0.0;
    std::array<double, 3> before_{};  ///< the last overlaps
    double peak_ = 0.0;
};

}  // namespace

InfiniteImpact infinite_impact(InfiniteStructure structure, double parameter) {
    std::array<InfiniteImpact, steps_per_unit.size()> runs;
    for (std::size_t i = 0; i < runs.size(); ++i)
        runs[i] = VolterraSteps(structure, parameter, 1.0 / steps_per_unit[i]).solve();
    // The error falls as h^2 (the force begins as t^(3/2) and ends so).
    const auto extrapolated = [&](double InfiniteImpact::*member, std::size_t fine) {
        return (4.0 * runs[fine].*member - runs[fine - 1].*member) / 3.0;
    };
    InfiniteImpact best;
    for (const auto member : {&InfiniteImpact::cor, &InfiniteImpact::duration,
                              &InfiniteImpact::peak_force, &InfiniteImpact::peak_overlap})
        best.*member = extrapolated(member, 2);
    best.cor_error = std::abs(best.cor - extrapolated(&InfiniteImpact::cor, 1));
    return best;
}

double plate_parameter(double mass, double time_scale, double mass_per_area,
                       double bending_stiffness) {
    return mass / (8.0 * std::sqrt(mass_per_area * bending_stiffness) * time_scale);
}

double beam_parameter(double mass, double time_scale, double mass_per_length,
                      double bending_stiffness) {
    const double diffusivity = std::sqrt(bending_stiffness / mass_per_length);
    return mass / (mass_per_length * std::sqrt(2.0 * std::numbers::pi * diffusivity * time_scale));
}

double hertz_time_scale(double mass, double stiffness, double speed) {
    return core::pow(mass / (stiffness * std::sqrt(speed)), 0.4);
}

}  // namespace stoss::impact
