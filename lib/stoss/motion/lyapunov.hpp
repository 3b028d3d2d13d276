#pragma once
/// How fast neighbouring motions part: the largest Lyapunov exponent
/// (theory/impact_motion.md 27.20).

#include <cstddef>
#include <optional>
#include <vector>

#include <stoss/motion/impact_motion.hpp>

namespace stoss::motion {

/// Follows a neighbour of a motion, interval by interval: at the begin of each the neighbour is
/// brought back to a small distance, in the direction in which it was (Benettin et al. 1980).
///
///     exponent.begin(moving);
///     moving.advance(next_section);
///     exponent.follow(moving);
class LyapunovExponent {
  public:
    /// `system` and `tolerance` as those of the motion. `rate` [1/s] > 0: the distance d of two
    /// motions is d^2 = sum (rate^2 + lambda_j) dq_j^2 + dq_j'^2.
    /// Errors: throws core::InputError as ImpactMotion does, or if the rate is not > 0.
    LyapunovExponent(const System& system, double tolerance, double rate);

    /// The next interval begins with this motion.
    void begin(const ImpactMotion& moving);
    /// The motion has come to the end of the interval. Precondition: `begin` was called.
    void follow(const ImpactMotion& moving);
    /// Counts from the next interval on, which begins with the next `begin`.
    void restart();

    /// Mean rate of growth of the distance [1/s]. None: no interval was followed, or the neighbour
    /// was lost: it has become the motion itself, or it has stopped (`MotionStatus`) where the
    /// motion goes on.
    std::optional<double> value() const;

    /// Shows an archive (core/state_numbers.hpp) what it is between two calls.
    template <class Archive>
    void visit(Archive& archive) {
        archive(begin_, begin_time_, direction_, largest_, sum_, time_, intervals_, has_begun_,
                is_lost_);
    }

  private:
    double distance(const std::vector<double>& q, const std::vector<double>& v) const;
    void choose_direction();

    ImpactMotion neighbour_;
    std::vector<double> weights_;    // rate^2 + lambda_j [1/s^2]
    std::vector<double> begin_;      // state of the motion where the interval begins
    double begin_time_ = 0.0;        // [s]
    std::vector<double> direction_;  // dq, then dq', of the distance 1
    double largest_ = 0.0;           // distance of a motion from rest [sqrt(kg) m/s]
    double sum_ = 0.0, time_ = 0.0;  // of ln(growth), and in how long [s]
    std::size_t intervals_ = 0;      // that the present one consists of
    bool has_begun_ = false, is_lost_ = false;
};

}  // namespace stoss::motion
