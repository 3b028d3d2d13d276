#pragma once
/// Steps of the motion of one body on one contact law.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include <stoss/core/elementary.hpp>
#include <stoss/impact/detail/contact_motion.hpp>
#include <stoss/time/extrapolation.hpp>

namespace stoss::impact::detail {

/// A point and the sigma that the way to it took.
struct Stage {
    Point point;
    double step;
};

/// Steps of the motion, by extrapolation with an estimate of the error.
template <contact::ContactLaw L>
class MotionSteps {
  public:
    explicit MotionSteps(const ContactMotion<L>& motion)
        : motion_(motion),
          tolerance_(std::max(tolerance / motion.scales().stretch, finest_tolerance)) {}

    /// From here on e is known; only where the body comes to rest is still asked for. A rate near 0
    /// is then a difference of forces that cancel.
    void relax() {
        tolerance_ = tolerance;
        least_rate_ = 0.01 * motion_.scales().loaded_speed;
    }

    double first_step(const Point& start) const {
        const double fastest = motion_.scales().fastest_speed;
        const double s = start.s + 0.25 * motion_.root(motion_.scales().overlap);
        const double braking = std::abs(motion_.rate({s, start.v, 0.0, 0.0})[1]);
        return std::min(0.25 * motion_.root(motion_.scales().overlap) / fastest,
                        0.5 * start.v / braking);
    }

    /// One step; nullopt if it was too long. `growth` is what to multiply the step with.
    std::optional<Point> advance(const Point& from, double step, double& growth) {
        const Point::State y = from.state();
        stepper_.advance([this](const Point::State& at) { return motion_.rate(at); }, y,
                         from.slope(), step);
        const double error = relative_error(stepper_, y, 0);
        growth =
            std::clamp(0.9 * core::pow(error + 1e-12, -1.0 / Stepper::order_of_estimate), 0.1, 2.5);
        if (!(error <= 1.0)) {
            growth = std::isfinite(error) ? std::min(growth, 0.8) : 0.1;
            return std::nullopt;
        }
        return motion_.point(stepper_.end());
    }

    /// One step to s = `target` with s as independent variable: it ends exactly there and needs no
    /// force beyond, where contact is over or the force is another curve. nullopt if the motion is
    /// not smooth enough for one step.
    std::optional<Stage> land(const Point& from, double target) {
        const auto by_overlap = [this](const std::array<double, 5>& y) {
            const Point::State slope = motion_.rate({y[0], y[1], y[2], y[3]});
            return std::array{1.0, slope[1] / y[1], slope[2] / y[1], slope[3] / y[1], 1.0 / y[1]};
        };
        const std::array<double, 5> y{from.s, from.v, from.time, from.lost, 0.0};
        lander_.advance(by_overlap, y, by_overlap(y), target - from.s);
        const auto& [s, v, time, lost, sigma] = lander_.end();
        const bool is_smooth =
            relative_error(lander_, y, 1) <= 1.0 && v * from.v > 0.0 && std::isfinite(v);
        if (!is_smooth) return std::nullopt;
        return Stage{motion_.point({target, v, time, lost}), sigma};
    }

    /// The point a part of a step further.
    Point part(const Point& from, double step) {
        stepper_.advance([this](const Point::State& at) { return motion_.rate(at); }, from.state(),
                         from.slope(), step);
        return motion_.point(stepper_.end());
    }

  private:
    using Stepper = time::ExtrapolatedStep<4>;
    static constexpr double tolerance = 1e-13;  // of the error estimate of a step, relative
    static constexpr double finest_tolerance = 4e-15;

    /// Largest estimated error of s, v (from component `first` on) and time, each relative to its
    /// own size, in units of the tolerance.
    template <std::size_t N>
    double relative_error(const time::ExtrapolatedStep<N>& step, const std::array<double, N>& from,
                          std::size_t first) const {
        double error = 0.0;
        for (std::size_t i = first; i < 3; ++i) {
            const double size =
                std::max({std::abs(from[i]), std::abs(step.end()[i]), i == 1 ? least_rate_ : 0.0});
            const double relative = std::abs(step.error()[i]) / (tolerance_ * size);
            if (std::isnan(relative)) return relative;
            error = std::max(error, relative);
        }
        return error;
    }

    const ContactMotion<L>& motion_;
    double tolerance_;         // the load amplifies errors of e
    double least_rate_ = 0.0;  // errors of a smaller rate are relative to this one
    Stepper stepper_;
    time::ExtrapolatedStep<5> lander_;
};

}  // namespace stoss::impact::detail
