#pragma once
/// Accurate trajectories of small smooth systems, by Boost.Odeint. The only header that knows it.

#include <algorithm>
#include <array>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <cstddef>
#include <utility>

#include <stoss/core/fields.hpp>

namespace stoss::core {

/// The solution of y' = rate(y) from y(0), step by step, by Fehlberg's Runge-Kutta pair of orders 7
/// and 8 with a step that keeps the error below `tolerance` (absolute and relative, a step).
/// `rate(y)` returns y' as an array; it must be defined a little beyond the trajectory.
template <std::size_t N, class Rate>
class Trajectory {
  public:
    using State = std::array<double, N>;

    Trajectory(Rate rate, const State& start, double first_step, double tolerance)
        : rate_{std::move(rate)},
          stepper_(
              boost::numeric::odeint::make_controlled<Stepper>(tolerance, tolerance, prototype_)),
          state_(start),
          step_(first_step) {}

    double time() const { return time_; }
    const State& state() const { return state_; }
    double time_before() const { return time_before_; }  ///< at the start of the last step
    const State& state_before() const { return before_; }

    /// One step, not beyond `time_limit`. False if none is short enough, or the state is not
    /// finite.
    bool advance(double time_limit = infinity) {
        before_ = state_;
        time_before_ = time_;
        for (int attempt = 0; attempt < most_attempts; ++attempt) {
            const double wanted = step_;
            double tried = std::min(wanted, time_limit - time_);
            const bool is_cut = tried < wanted;
            if (stepper_.try_step(rate_, state_, time_, tried) == boost::numeric::odeint::success) {
                step_ = is_cut ? std::max(wanted, tried) : tried;
                return std::all_of(state_.begin(), state_.end(),
                                   [](double y) { return std::isfinite(y); });
            }
            step_ = tried;
        }
        return false;
    }

    /// The state at `time` in the last step: one step from its start.
    State at(double time) const {
        Stepper stepper;
        State y = before_;
        stepper.do_step(rate_, y, 0.0, time - time_before_);
        return y;
    }

    /// The time in the last step at which `event(y)` changes sign, to 1e-12 of the step. It is > 0
    /// at the start of the step and <= 0 at its end; the time returned is on the side of the end.
    template <class Event>
    double time_of(const Event& event) const {
        return time_of(event, time_before_, time_);
    }

    /// The same between two times of the last step.
    template <class Event>
    double time_of(const Event& event, double low, double high) const {
        double at_low = event(at(low)), at_high = event(at(high));
        const double resolution = 1e-12 * (high - low);
        // The secant inside a bracket; the value at the end that stays is halved (near Illinois).
        for (int iteration = 0; iteration < 100 && high - low > resolution; ++iteration) {
            const double secant = low + (high - low) * at_low / (at_low - at_high);
            const double middle =
                std::clamp(secant, low + 0.5 * resolution, high - 0.5 * resolution);
            const double at_middle = event(at(middle));
            if (at_middle > 0.0) {
                low = middle;
                at_low = at_middle;
                at_high *= 0.5;
            } else {
                high = middle;
                at_high = at_middle;
                at_low *= 0.5;
            }
        }
        return high;
    }

  private:
    using Stepper = boost::numeric::odeint::runge_kutta_fehlberg78<State>;
    static inline const Stepper prototype_{};  // a temporary's unset work arrays alarm g++ 12
    static constexpr int most_attempts = 200;

    /// The rate in the form that Odeint calls.
    struct System {
        Rate rate;
        void operator()(const State& y, State& slope, double /*time*/) const { slope = rate(y); }
    };

    System rate_;
    boost::numeric::odeint::controlled_runge_kutta<Stepper> stepper_;
    State state_, before_{};
    double time_ = 0.0, time_before_ = 0.0;
    double step_;
};

}  // namespace stoss::core
