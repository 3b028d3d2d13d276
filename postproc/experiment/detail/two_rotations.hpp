#pragma once
/// The motion of a beam before and after its impact, fitted to the samples of its angle.

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include <postproc/experiment/detail/motion_break.hpp>
#include <postproc/experiment/restitution_measurement.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/robust.hpp>

namespace stoss::postproc::detail {

inline constexpr std::size_t most_blocks = 2000;  // whose products are summed

enum Unknown {
    angle_before,
    speed_before,
    angle_after,
    speed_after,
    dry,
    viscous,
    driving,  // constant torque over moment of inertia: an angular acceleration
    unknowns
};
using Vector = Eigen::Matrix<double, unknowns, 1>;
using Matrix = Eigen::Matrix<double, unknowns, unknowns>;

/// (exp(z) - 1 - z) / z^2 and its derivative, for |z| up to a few.
struct Curvature {
    double value = 0.0, slope = 0.0;

    explicit Curvature(double z) {
        double power = 0.5;  // z^k / (k + 2)!
        for (int k = 0; k < 60 && std::abs(power) > 1e-18; ++k) {
            value += power;
            const double next = power / (k + 3);
            slope += (k + 1) * next;
            power = next * z;
        }
    }
};

/// Sums of as many neighbours as leave at most `most_blocks`.
inline std::vector<double> in_blocks(const std::vector<double>& parts) {
    const std::size_t length = 1 + (parts.size() - 1) / most_blocks;
    std::vector<double> blocks(1 + (parts.size() - 1) / length, 0.0);
    for (std::size_t i = 0; i < parts.size(); ++i) blocks[i / length] += parts[i];
    return blocks;
}

/// Bartlett's estimate of the variance of a sum of correlated parts (Newey and West 1987). In
/// blocks, for its cost grows with the square of their number.
inline double long_run_square(const std::vector<double>& samples) {
    const std::vector<double> parts = in_blocks(samples);
    const std::size_t lags = parts.size() / 10;
    double sum = 0.0;
    for (std::size_t lag = 0; lag <= lags; ++lag) {
        double product = 0.0;
        for (std::size_t i = lag; i < parts.size(); ++i) product += parts[i] * parts[i - lag];
        const double weight = 1.0 - static_cast<double>(lag) / static_cast<double>(lags + 1);
        sum += (lag == 0 ? 1.0 : 2.0) * weight * product;
    }
    return sum;
}

/// Mean square of the sum of influence times error of the angles if these are counted, over the
/// places within a count at which they may begin. Counts that repeat do not average out, and the
/// fit takes their error for motion: residuals do not show it (theory/experiments.md 14.6).
inline double square_by_counts(Samples influence, Samples angles, double resolution) {
    std::array<double, 16> errors{};  // one a place
    for (std::size_t i = 0; i < angles.size(); ++i) {
        double count = angles[i] / resolution;
        for (double& error : errors) {
            error += influence[i] * resolution * (std::floor(count) + 0.5 - count);
            count += 1.0 / static_cast<double>(errors.size());
        }
    }
    double sum = 0.0;
    for (const double error : errors) sum += error * error;
    return sum / static_cast<double>(errors.size());
}

/// The rotation on either side of the impact, slowed by friction that is partly dry and partly
/// viscous, and perhaps driven by a constant torque (theory/experiments.md 14.2), fitted together
/// by iteratively reweighted least squares (14.4). Time counts from the impact in windows, so that
/// the unknowns are alike in size.
class TwoRotations {
  public:
    TwoRotations(Samples time, Samples angle, const Sampling& sampling, double instant,
                 Stretch before, Stretch after, bool is_driven)
        : time_(time),
          angle_(angle),
          window_(sampling.window),
          resolution_(sampling.resolution),
          instant_(instant),
          offset_(angle[before.end - 1]),
          is_driven_(is_driven),
          sides_{before, after} {
        for (const std::size_t side : {0U, 1U}) {
            for (std::size_t i = 0; i < sides_[side].size(); ++i) {
                weights_[side].push_back(taper(side, i));
            }
        }
        for (int iteration = 0; iteration < most_iterations; ++iteration) {
            const Vector last = solution_;
            solve(iteration == 0);
            reweight();
            if ((solution_ - last).norm() <= 1e-10 * solution_.norm()) break;
        }
        normal_ = normal_matrix([&](std::size_t side, std::size_t i) {
            return is_clipped(side, i) ? 0.0 : taper(side, i) / (sigma_[side] * sigma_[side]);
        });
    }

    double angle(Unknown unknown) const { return solution_[unknown] + offset_; }  // [rad]
    double speed(Unknown unknown) const { return solution_[unknown] / window_; }  // [rad/s]
    double damping() const { return solution_[viscous] / window_; }               // [1/s]
    /// Deceleration at the impact [rad/s^2].
    double deceleration(Unknown speed) const { return slowing(speed) / (window_ * window_); }
    /// How the unknowns change it.
    Vector deceleration_gradient(Unknown speed) const {
        Vector gradient = Vector::Zero();
        gradient[driving] = -sense(speed);
        gradient[dry] = 1.0;
        gradient[viscous] = std::abs(solution_[speed]);
        gradient[speed] = sense(speed) * solution_[viscous];
        return gradient / (window_ * window_);
    }
    double acceleration() const { return solution_[driving] / (window_ * window_); }  // [rad/s^2]
    double sigma(std::size_t side) const { return sigma_[side]; }  // of the angle [rad]
    double cor() const { return -solution_[speed_after] / solution_[speed_before]; }

    /// Instant [s] at which both lines meet.
    double meeting() const {
        return instant_ - window_ * (solution_[angle_after] - solution_[angle_before]) /
                              (solution_[speed_after] - solution_[speed_before]);
    }

    /// Angle [rad] of the motion before the impact, carried on to any time.
    double motion_before(double time) const {
        return offset_ + motion(0, (time - instant_) / window_);
    }

    /// Variance of a linear combination of the unknowns by what is not known of friction (14.3).
    double tie_variance(const Vector& combination) const {
        return tie_weight_ * core::pow(normal_.ldlt().solve(combination).dot(tie_), 2);
    }

    /// Variance of a linear combination of the unknowns: by the residuals, correlated over up to a
    /// tenth of a window, or by the counts, and by what is not known of friction (14.5).
    double variance(const Vector& combination) const {
        const Vector leverage = normal_.ldlt().solve(combination);
        double by_residuals = 0.0, by_counts = 0.0;
        for (const std::size_t side : {0U, 1U}) {
            std::vector<double> influence, parts, angles;
            for (std::size_t i = 0; i < sides_[side].size(); ++i) {
                const double s = scaled_time(side, i);
                influence.push_back(weights_[side][i] * leverage.dot(row(side, s)));
                parts.push_back(influence.back() * residual(side, i));
                angles.push_back(motion(side, s));
            }
            by_residuals += bartlett_loss * student * long_run_square(parts);
            // Noise or vibrations that are larger than the counts keep these from repeating.
            if (sigma_[side] < 0.5 * resolution_)
                by_counts += square_by_counts(influence, angles, resolution_);
        }
        return std::max(by_residuals, by_counts) + tie_variance(combination);
    }

  private:
    double scaled_time(std::size_t side, std::size_t i) const {
        return (time_[sides_[side].begin + i] - instant_) / window_;
    }

    /// 1 - u^2, u in [-1, 1] over the stretch after the impact, where the beam vibrates (14.4).
    double taper(std::size_t side, std::size_t i) const {
        if (side == 0) return 1.0;
        const double from = time_[sides_[1].begin], to = time_[sides_[1].end - 1];
        const double now = time_[sides_[1].begin + i];
        const double u = (2.0 * now - from - to) / (to - from) / (1.0 + 1e-9);
        return 1.0 - u * u;
    }

    double sense(int speed) const { return solution_[speed] > 0.0 ? 1.0 : -1.0; }

    /// Deceleration of a side at the impact by friction, scaled.
    double friction(int speed) const {
        return solution_[dry] + solution_[viscous] * std::abs(solution_[speed]);
    }

    /// The same by friction and torque.
    double slowing(int speed) const { return friction(speed) - sense(speed) * solution_[driving]; }

    /// (14.2) at the scaled time s, less the offset.
    double motion(std::size_t side, double s) const {
        const int first = side == 0 ? angle_before : angle_after;
        return solution_[first] +
               turned_angle(solution_[first + 1], slowing(first + 1), solution_[viscous], s);
    }

    /// Its derivatives with respect to the unknowns.
    Vector row(std::size_t side, double s) const {
        const int first = side == 0 ? angle_before : angle_after;
        const double speed = solution_[first + 1], sense = this->sense(first + 1);
        const Curvature curvature(-solution_[viscous] * s);
        const double bent = s * s * curvature.value;
        Vector terms = Vector::Zero();
        terms[first] = 1.0;
        terms[first + 1] = s - solution_[viscous] * bent;
        terms[dry] = -sense * bent;
        terms[viscous] = -speed * bent + sense * slowing(first + 1) * s * s * s * curvature.slope;
        if (is_driven_) terms[driving] = bent;
        return terms;
    }

    double residual(std::size_t side, std::size_t i) const {
        return angle_[sides_[side].begin + i] - offset_ - motion(side, scaled_time(side, i));
    }

    bool is_clipped(std::size_t side, std::size_t i) const {
        return std::abs(residual(side, i)) > core::huber_width * sigma_[side];
    }

    template <class Weight>
    Matrix normal_matrix(Weight weight) const {
        Matrix normal = tie_weight_ * tie_ * tie_.transpose();
        if (!is_driven_) normal(driving, driving) = 1.0;
        for (const std::size_t side : {0U, 1U}) {
            for (std::size_t i = 0; i < sides_[side].size(); ++i) {
                const Vector terms = row(side, scaled_time(side, i));
                normal += weight(side, i) * terms * terms.transpose();
            }
        }
        return normal;
    }

    /// A step of Gauss and Newton. The first one is without friction and torque, of which nothing
    /// is known yet.
    void solve(bool first) {
        Matrix normal =
            normal_matrix([&](std::size_t side, std::size_t i) { return weights_[side][i]; });
        Vector right = -tie_weight_ * tie_.dot(solution_) * tie_;
        for (const std::size_t side : {0U, 1U}) {
            for (std::size_t i = 0; i < sides_[side].size(); ++i) {
                right += weights_[side][i] * residual(side, i) * row(side, scaled_time(side, i));
            }
        }
        if (first) {
            for (const Unknown unknown : {dry, viscous, driving}) {
                normal.row(unknown).setZero();
                normal.col(unknown).setZero();
                normal(unknown, unknown) = 1.0;
                right[unknown] = 0.0;
            }
        }
        solution_ += normal.ldlt().solve(right);
        solution_[viscous] = std::clamp(solution_[viscous], -most_damping, most_damping);
        tie_frictions();
    }

    /// Friction before the impact is dry, viscous or both: an observation of the difference of its
    /// parts whose standard deviation reaches both limits (14.3).
    void tie_frictions() {
        const double speed = std::abs(solution_[speed_before]);
        tie_.setZero();
        tie_[dry] = 1.0;
        tie_[viscous] = -speed;
        const double sigma = std::max(std::abs(friction(speed_before)), 1e-6 * speed);
        tie_weight_ = 1.0 / (sigma * sigma);
    }

    void reweight() {
        const double least = 1e-9 * std::abs(solution_[speed_after] - solution_[speed_before]);
        for (const std::size_t side : {0U, 1U}) {
            std::vector<double> sizes(sides_[side].size());
            for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = std::abs(residual(side, i));
            sigma_[side] = std::max(core::robust_scale(sizes), least);
            for (std::size_t i = 0; i < sizes.size(); ++i) {
                const double trust = std::min(1.0, core::huber_width * sigma_[side] / sizes[i]);
                weights_[side][i] = taper(side, i) * trust / (sigma_[side] * sigma_[side]);
            }
        }
    }

    static constexpr int most_iterations = 30;
    static constexpr double most_damping = 4.0;  // in a window
    // Bartlett's sum holds two thirds of white noise, since the fit takes slow noise out, and has
    // ten degrees of freedom.
    static constexpr double bartlett_loss = 1.5, student = 10.0 / 8.0;

    Samples time_, angle_;
    double window_, resolution_, instant_, offset_;
    bool is_driven_;
    std::array<Stretch, 2> sides_;
    std::array<std::vector<double>, 2> weights_;
    std::array<double, 2> sigma_{};
    Vector solution_ = Vector::Zero(), tie_ = Vector::Zero();
    Matrix normal_ = Matrix::Identity();
    double tie_weight_ = 0.0;
};

}  // namespace stoss::postproc::detail
