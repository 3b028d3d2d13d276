#include <postproc/experiment/restitution_measurement.hpp>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <stoss/core/elementary.hpp>
#include <stoss/core/robust.hpp>

namespace stoss::postproc {

namespace {

// An impact is an abrupt change of the angular velocity: of at least this part of the largest one,
// so many standard errors above noise, and better explained by a kink than by a parabola.
constexpr double least_change = 0.2, least_signal = 6.0, least_gain = 1.5;
constexpr double still = 0.1;              // of the speed on the other side: the beam is at rest
constexpr std::size_t least_samples = 10;  // on either side of an impact
// Free rotation ends at a kink that halves the squares and changes the velocity by this part.
// Viscous friction is no such kink: an exponential deviates from a parabola like a kink of 0.11 of
// the square of the part of the velocity that is lost, from a cubic like one of 0.02.
constexpr double end_gain = 2.0, end_change = 0.02;
constexpr double bend_of_parabola = 0.13, bend_of_cubic = 0.02;
// Lost counts: a step of more than so many, which explains more of the squares than a vibration.
constexpr double slip_gain = 2.2, slip_counts = 1.5;
constexpr double least_torque = 3.0;  // standard errors of the acceleration by it
constexpr double most_hidden = 0.05;  // of a window: contact that the angle does not show
constexpr std::size_t most_candidates = 1000;
constexpr std::size_t most_blocks = 2000;  // whose products are summed

using Samples = std::span<const double>;

/// Median of each sample and its neighbours, two on either side: a lone wrong count disappears.
std::vector<double> without_spikes(Samples angle) {
    std::vector<double> result(angle.begin(), angle.end());
    for (std::size_t i = 2; i + 2 < angle.size(); ++i) {
        std::array<double, 5> near{};
        std::copy_n(angle.begin() + static_cast<std::ptrdiff_t>(i) - 2, 5, near.begin());
        std::nth_element(near.begin(), near.begin() + 2, near.end());
        result[i] = near[2];
    }
    return result;
}

/// Index of the first sample at or after `instant`.
std::size_t index_at(Samples time, double instant) {
    return static_cast<std::size_t>(std::ranges::lower_bound(time, instant) - time.begin());
}

// ---- Finding impacts

/// A straight line through samples, weighted with 1 - u^2, u in [-1, 1] over their span: vibrations
/// that are short against the span do not turn it.
struct Slope {
    double value = 0.0;     // [rad/s]
    double variance = 0.0;  // [rad^2/s^2]
};

/// Takes every so many of the samples [begin, end) that there are at most 200.
Slope local_slope(Samples time, Samples angle, std::size_t begin, std::size_t end) {
    const std::size_t stride = (end - begin) / 200 + 1;
    const double middle = 0.5 * (time[begin] + time[end - 1]);
    const double half = 0.5 * (time[end - 1] - time[begin]) * (1.0 + 1e-9);
    const auto place = [&](std::size_t i) { return (time[i] - middle) / half; };
    double w = 0.0, ws = 0.0, wss = 0.0, wy = 0.0, wsy = 0.0;
    for (std::size_t i = begin; i < end; i += stride) {
        const double s = place(i), weight = 1.0 - s * s, y = weight * (angle[i] - angle[begin]);
        w += weight, ws += weight * s, wss += weight * s * s, wy += y, wsy += s * y;
    }
    const double spread = wss - ws * ws / w;
    const double slope = (wsy - ws * wy / w) / spread, offset = (wy - slope * ws) / w;
    double squares = 0.0, leverage = 0.0;
    for (std::size_t i = begin; i < end; i += stride) {
        const double s = place(i), weight = 1.0 - s * s;
        const double residual = angle[i] - angle[begin] - offset - slope * s;
        squares += weight * residual * residual;
        leverage += weight * weight * (s - ws / w) * (s - ws / w);
    }
    return {slope / half, squares / w * leverage / (spread * spread * half * half)};
}

/// The angular velocity on either side of an instant.
struct Change {
    double instant = 0.0;              // [s]
    double before = 0.0, after = 0.0;  // [rad/s]
    double noise = 0.0;                // standard error of their difference [rad/s]

    double size() const { return std::abs(after - before); }
    double fastest() const { return std::max(std::abs(before), std::abs(after)); }
    bool starts_motion() const { return std::abs(before) < still * std::abs(after); }
    bool ends_motion() const { return std::abs(after) < still * std::abs(before); }
};

/// What breaks in a smooth motion at an instant: its velocity (a kink) or its angle (a step).
enum class Break { kink, step };

/// A break in a stretch of samples, and by which factor it lowers the sum of squares of a
/// polynomial.
struct FoundBreak {
    double instant = 0.0;
    double gain = 1.0;
    double size = 0.0;  // of a kink [rad/s], of a step [rad]
};

/// Least squares of a polynomial through a stretch, with a break at an instant or without.
template <int degree>
class Polynomial {
  public:
    /// Takes every so many samples that there are at most 400.
    Polynomial(Samples time, Samples angle, std::size_t begin, std::size_t end)
        : middle_(0.5 * (time[begin] + time[end - 1])), half_(0.5 * (time[end - 1] - time[begin])) {
        for (std::size_t i = begin; i < end; i += (end - begin) / 400 + 1) {
            time_.push_back((time[i] - middle_) / half_);
            angle_.push_back(angle[i] - angle[begin]);
        }
    }

    struct Fit {
        double squares = 0.0;
        double size = 0.0;  // of the break, as in FoundBreak
    };

    double squares() const {
        return fit<degree + 1>([](double) { return 0.0; }).squares;
    }
    Fit with(Break kind, double instant) const {
        const double start = (instant - middle_) / half_;
        if (kind == Break::step)
            return fit<degree + 2>([&](double s) { return s < start ? 0.0 : 1.0; });
        Fit found = fit<degree + 2>([&](double s) { return std::max(0.0, s - start); });
        found.size /= half_;
        return found;
    }
    std::size_t size() const { return time_.size(); }

  private:
    template <int terms, class Broken>
    Fit fit(Broken broken) const {
        using Terms = Eigen::Matrix<double, terms, 1>;
        const auto terms_at = [&](double s) {
            Terms row;
            row[terms - 1] = broken(s);
            row[0] = 1.0;
            for (int k = 1; k <= degree; ++k) row[k] = s * row[k - 1];
            return row;
        };
        Eigen::Matrix<double, terms, terms> normal = Eigen::Matrix<double, terms, terms>::Zero();
        Terms right = Terms::Zero();
        for (std::size_t i = 0; i < size(); ++i) {
            const Terms row = terms_at(time_[i]);
            normal += row * row.transpose();
            right += angle_[i] * row;
        }
        const Terms solution = normal.ldlt().solve(right);
        double sum = 0.0;
        for (std::size_t i = 0; i < size(); ++i) {
            const double residual = angle_[i] - terms_at(time_[i]).dot(solution);
            sum += residual * residual;
        }
        return {sum, solution[terms - 1]};
    }

    double middle_, half_;
    std::vector<double> time_, angle_;
};

/// The best break of the samples [begin, end), looked for between the times `from` and `to`.
/// `floor` [rad]: deviations below it count for nothing.
template <int degree>
FoundBreak best_break(Break kind, Samples time, Samples angle, std::size_t begin, std::size_t end,
                      double from, double to, double floor) {
    const Polynomial<degree> polynomial(time, angle, begin, end);
    const double without = polynomial.squares();
    double least = without;
    FoundBreak best{from, 1.0, 0.0};
    const auto look = [&](double low, double high, int steps) {
        for (int k = 0; k <= steps; ++k) {
            const double instant = low + (high - low) * k / steps;
            const auto fit = polynomial.with(kind, instant);
            if (fit.squares < least) {
                least = fit.squares;
                best.instant = instant;
                best.size = fit.size;
            }
        }
    };
    look(from, to, 40);
    const double step = (to - from) / 40.0;
    look(std::max(from, best.instant - step), std::min(to, best.instant + step), 20);
    const double smallest = floor * floor * static_cast<double>(polynomial.size());
    best.gain = (without + smallest) / (least + smallest);
    return best;
}

/// Samples [begin, end).
struct Stretch {
    std::size_t begin = 0, end = 0;

    std::size_t size() const { return end > begin ? end - begin : 0; }
};

/// Finds the impacts of a trace: abrupt changes of the angular velocity of a beam that moves.
class ImpactSearch {
  public:
    ImpactSearch(Samples time, Samples angle, const Sampling& sampling)
        : time_(time), angle_(angle), window_(sampling.window), floor_(0.1 * sampling.resolution) {
        search({0, time.size()}, 0.5 * reach());
    }

    /// Instants [s], the largest change of all first.
    const std::vector<double>& impacts() const { return impacts_; }
    /// Least distance [s] of two changes that are distinguished.
    double reach() const { return 0.2 * window_; }

  private:
    double far() const { return 0.8 * window_; }

    /// The change at an instant, by up to `reach` [s] on either side within `stretch`.
    std::optional<Change> change_at(double instant, const Stretch& stretch, double reach,
                                    double least) const {
        const double from = std::max(time_[stretch.begin], instant - reach);
        const double to = std::min(time_[stretch.end - 1], instant + reach);
        if (instant - from < least || to - instant < least) return {};
        const std::size_t begin = index_at(time_, from), end = index_at(time_, to) + 1;
        const std::size_t middle = index_at(time_, instant);
        if (middle < begin + least_samples || end < middle + least_samples) return {};
        const Slope before = local_slope(time_, angle_, begin, middle);
        const Slope after = local_slope(time_, angle_, middle, end);
        return Change{instant, before.value, after.value,
                      std::sqrt(before.variance + after.variance)};
    }

    bool is_abrupt(const Change& change) const {
        return change.size() > least_change * fastest_ &&
               change.size() > least_signal * change.noise && !change.starts_motion() &&
               !(change.ends_motion() && !impacts_.empty());
    }

    /// The impact near a change, if there is one: a kink that leaves an abrupt change.
    std::optional<double> impact_near(double instant, const Stretch& stretch) const {
        const std::size_t begin = std::max(stretch.begin, index_at(time_, instant - 2.0 * reach()));
        const std::size_t end = std::min(stretch.end, index_at(time_, instant + 2.0 * reach()));
        const double from = std::max(time_[begin], instant - reach());
        const double to = std::min(time_[end - 1], instant + reach());
        const FoundBreak kink =
            best_break<2>(Break::kink, time_, angle_, begin, end, from, to, floor_);
        if (!(kink.gain > least_gain)) return {};
        // A slow change is a push or friction: it is small near by. A vibration is small from afar.
        const auto change = change_at(kink.instant, stretch, far(), 0.0);
        const auto near = change_at(kink.instant, stretch, 0.5 * reach(), 0.0);
        if (!change || !is_abrupt(*change)) return {};
        if (near && near->size() < least_change * fastest_) return {};
        return kink.instant;
    }

    /// Looks for the largest impact of a stretch with `least` [s] on either side of it, then on
    /// both sides of what it found.
    void search(const Stretch& stretch, double least) {
        std::vector<Change> open;
        const std::size_t stride = stretch.size() / most_candidates + 1;
        for (std::size_t i = stretch.begin; i < stretch.end; i += stride) {
            if (const auto change = change_at(time_[i], stretch, far(), least))
                open.push_back(*change);
        }
        if (impacts_.empty()) {
            for (const Change& each : open) fastest_ = std::max(fastest_, each.fastest());
        }
        std::erase_if(open, [&](const Change& each) { return !is_abrupt(each); });
        while (!open.empty()) {
            const Change largest = *std::ranges::max_element(open, {}, &Change::size);
            if (const auto impact = impact_near(largest.instant, stretch)) {
                impacts_.push_back(*impact);
                search({stretch.begin, index_at(time_, *impact - 0.2 * reach())}, reach());
                search({index_at(time_, *impact + 0.2 * reach()), stretch.end}, reach());
                return;
            }
            std::erase_if(open, [&](const Change& each) {
                return std::abs(each.instant - largest.instant) <= reach();
            });
        }
    }

    Samples time_, angle_;
    double window_, floor_, fastest_ = 0.0;
    std::vector<double> impacts_;
};

// ---- Fitting the motion

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
std::vector<double> in_blocks(const std::vector<double>& parts) {
    const std::size_t length = 1 + (parts.size() - 1) / most_blocks;
    std::vector<double> blocks(1 + (parts.size() - 1) / length, 0.0);
    for (std::size_t i = 0; i < parts.size(); ++i) blocks[i / length] += parts[i];
    return blocks;
}

/// Bartlett's estimate of the variance of a sum of correlated parts (Newey and West 1987). In
/// blocks, for its cost grows with the square of their number.
double long_run_square(const std::vector<double>& samples) {
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
double square_by_counts(Samples influence, Samples angles, double resolution) {
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

/// Chooses the windows and fits.
class ReboundFit {
  public:
    ReboundFit(Samples time, Samples angle, Samples clean, const Sampling& sampling, double reach)
        : time_(time), angle_(angle), clean_(clean), sampling_(sampling), reach_(reach) {}

    /// `found`: where the impact is, roughly. A torque that the trace does not show is left out: to
    /// fit it costs accuracy.
    std::variant<RestitutionMeasurement, NoMeasurement> fit(double found) {
        const auto result = fit(found, true);
        const auto* const driven = std::get_if<RestitutionMeasurement>(&result);
        const bool is_driven =
            driven != nullptr && std::abs(driven->acceleration.value) >
                                     least_torque * driven->acceleration.standard_error;
        return is_driven ? result : fit(found, false);
    }

  private:
    std::variant<RestitutionMeasurement, NoMeasurement> fit(double found, bool is_driven) {
        double instant = found;
        double contact = 0.0, seen = 0.0;  // before the lines meet: contact, and what shows of it
        std::optional<TwoRotations> lines;
        for (int pass = 0; pass < 4; ++pass) {
            const Stretch before = stretch_before(instant, contact);
            const Stretch after = stretch_after(instant, seen);
            if (auto trouble = too_short(instant, before, after)) return *trouble;
            lines.emplace(time_, angle_, sampling_, instant, before, after, is_driven);
            before_ = before;
            after_ = after;
            instant_ = instant;
            instant = std::clamp(lines->meeting(), found - reach_, found + reach_);
            seen = seen_before(*lines, instant);
            contact = contact_before(*lines, seen);
        }
        if (auto trouble = slip()) return *trouble;
        return conclude(*lines);
    }

    Stretch stretch_before(double instant, double contact) const {
        Stretch stretch{index_at(time_, instant - sampling_.window),
                        index_at(time_, instant - contact)};
        while (const auto kink = end_in(stretch)) {
            const double rest = time_[stretch.end - 1] - *kink;
            stretch.begin = index_at(time_, *kink + 0.1 * rest);
        }
        return stretch;
    }

    Stretch stretch_after(double instant, double seen) const {
        Stretch stretch{index_at(time_, instant + 3.0 * seen),
                        index_at(time_, instant + sampling_.window)};
        while (const auto kink = end_in(stretch)) {
            const double rest = *kink - time_[stretch.begin];
            stretch.end = index_at(time_, *kink - 0.1 * rest);
        }
        return stretch;
    }

    /// The best break inside a stretch.
    template <int degree>
    FoundBreak break_in(const Stretch& stretch, Break kind, double floor) const {
        const std::size_t margin = stretch.size() / 10;
        return best_break<degree>(kind, time_, clean_, stretch.begin, stretch.end,
                                  time_[stretch.begin + margin], time_[stretch.end - 1 - margin],
                                  floor);
    }

    /// Mean angular velocity [rad/s] between two samples.
    double mean_speed(std::size_t from, std::size_t to) const {
        return (clean_[to] - clean_[from]) / (time_[to] - time_[from]);
    }

    /// Where the rotation is not free any more, if it is not.
    std::optional<double> end_in(const Stretch& stretch) const {
        if (stretch.size() < 3 * least_samples) return {};
        const std::size_t first = stretch.begin, last = stretch.end - 1;
        const std::size_t middle = (first + last) / 2;
        const double speed = mean_speed(first, last);
        const double change = 2.0 * (mean_speed(middle, last) - mean_speed(first, middle));
        const double lost = std::min(1.0, std::abs(change / speed));  // friction takes no more
        const auto is_end = [&](const FoundBreak& kink, double bend) {
            const double least = (end_change + bend * lost * lost) * std::abs(speed);
            return kink.gain > end_gain && std::abs(kink.size) > least;
        };
        const double floor = sampling_.resolution;
        const FoundBreak of_parabola = break_in<2>(stretch, Break::kink, floor);
        if (is_end(of_parabola, bend_of_parabola)) return of_parabola.instant;
        const FoundBreak of_cubic = break_in<3>(stretch, Break::kink, floor);
        if (is_end(of_cubic, bend_of_cubic)) return of_cubic.instant;
        return {};
    }

    /// A step of the angle amid free rotation: the counter lost counts.
    std::optional<NoMeasurement> slip() const {
        if (sampling_.resolution == 0.0) return {};
        for (const Stretch& stretch : {before_, after_}) {
            if (stretch.size() < 3 * least_samples) continue;
            const FoundBreak step = break_in<3>(stretch, Break::step, 0.1 * sampling_.resolution);
            const double counts = std::abs(step.size) / sampling_.resolution;
            if (!(step.gain > slip_gain && counts > slip_counts)) continue;
            return NoMeasurement{
                index_at(time_, step.instant),
                fmt::format("the angle jumps by about {:.0f} counts at {:.4g} s: counts were lost "
                            "there",
                            counts, step.instant),
                "leave that part out with --from, --to or a shorter --window"};
        }
        return {};
    }

    std::optional<NoMeasurement> too_short(double instant, const Stretch& before,
                                           const Stretch& after) const {
        for (const auto& [stretch, words] : {std::pair{before, "before"}, {after, "after"}}) {
            if (stretch.size() >= least_samples) continue;
            return NoMeasurement{
                std::min(index_at(time_, instant), time_.size() - 1),
                fmt::format("the impact at {:.4g} s leaves {} samples of free rotation {} it, but "
                            "{} are needed",
                            instant, stretch.size(), words, least_samples),
                "record for longer, or sample faster"};
        }
        return {};
    }

    /// Deviation [rad] of a sample that noise and counts do not explain.
    double tolerance(const TwoRotations& lines) const {
        return std::max(3.0 * lines.sigma(0) + 0.5 * sampling_.resolution,
                        1e-6 * std::abs(lines.speed(speed_before)) * sampling_.window);
    }

    /// How long [s] the samples just before `instant` have visibly left the motion before the
    /// impact.
    double seen_before(const TwoRotations& lines, double instant) const {
        const double tolerance = this->tolerance(lines);
        std::size_t i = index_at(time_, instant);
        while (i > 0 && instant - time_[i - 1] < 0.5 * reach_ &&
               std::abs(clean_[i - 1] - lines.motion_before(time_[i - 1])) > tolerance) {
            --i;
        }
        // The lines may meet beyond the last sample.
        return i < time_.size() ? std::max(0.0, instant - time_[i]) : 0.0;
    }

    /// How long [s] the bodies may have touched before the lines meet, of which a part is `seen`:
    /// the angle leaves the motion before by the tolerance only after a while. It is h with
    /// h - 2 sqrt(blind h) = seen if the contact force is constant.
    double contact_before(const TwoRotations& lines, double seen) const {
        const double change = std::abs(lines.speed(speed_after) - lines.speed(speed_before));
        const double blind = tolerance(lines) / change;
        const double root = std::sqrt(blind) + std::sqrt(blind + seen);
        return std::min(root * root, std::max(seen, most_hidden * sampling_.window));
    }

    /// What the resolution allows at best: one place in each count that the beam passes (14.6).
    double resolution_variance(double speed, const FitWindow& window) const {
        if (sampling_.resolution == 0.0) return 0.0;
        const double counts = std::abs(speed) * window.length() / sampling_.resolution;
        const double places = std::clamp(counts, 1.0, static_cast<double>(window.samples));
        const double coarse = sampling_.resolution / window.length();
        return coarse * coarse / places;
    }

    FitWindow window_of(const TwoRotations& lines, const Stretch& stretch, std::size_t side) const {
        return {time_[stretch.begin], time_[stretch.end - 1], stretch.size(), lines.sigma(side),
                lines.angle(side == 0 ? angle_before : angle_after)};
    }

    RestitutionMeasurement conclude(const TwoRotations& lines) const {
        RestitutionMeasurement measurement;
        measurement.before = window_of(lines, before_, 0);
        measurement.after = window_of(lines, after_, 1);
        const double before = lines.speed(speed_before), after = lines.speed(speed_after);
        const double coarse_before = resolution_variance(before, measurement.before);
        const double coarse_after = resolution_variance(after, measurement.after);
        const double per_second = 1.0 / sampling_.window;
        const auto unit = [](Unknown unknown, double size) {
            Vector vector = Vector::Zero();
            vector[unknown] = size;
            return vector;
        };
        const auto measured = [&](double value, const Vector& combination, double coarse) {
            return Measured{value, std::sqrt(std::max(lines.variance(combination), coarse))};
        };
        const Vector of_before = unit(speed_before, per_second);
        const Vector of_after = unit(speed_after, per_second);
        measurement.omega_before = measured(before, of_before, coarse_before);
        measurement.omega_after = measured(after, of_after, coarse_after);
        measurement.deceleration_before = measured(lines.deceleration(speed_before),
                                                   lines.deceleration_gradient(speed_before), 0.0);
        measurement.deceleration_after = measured(lines.deceleration(speed_after),
                                                  lines.deceleration_gradient(speed_after), 0.0);
        const double torque = lines.acceleration();
        measurement.acceleration = measured(torque, unit(driving, per_second * per_second), 0.0);
        Vector of_friction = lines.deceleration_gradient(speed_before);
        of_friction[driving] = 0.0;
        measurement.friction = measured(
            lines.deceleration(speed_before) + (before > 0.0 ? torque : -torque), of_friction, 0.0);
        measurement.damping = lines.damping();
        const double cor = lines.cor();
        const Vector of_cor = (of_after + cor * of_before) / before;
        measurement.cor =
            measured(cor, of_cor, (coarse_after + cor * cor * coarse_before) / (before * before));
        measurement.cor_systematic = std::sqrt(lines.tie_variance(of_cor));
        measurement.instant =
            measured(lines.meeting(),
                     (unit(angle_before, 1.0) - unit(angle_after, 1.0)) / (after - before), 0.0);
        return measurement;
    }

    Samples time_, angle_, clean_;
    const Sampling& sampling_;
    double reach_;
    Stretch before_, after_;
    double instant_ = 0.0;
};

}  // namespace

double turned_angle(double omega, double deceleration, double damping, double time) {
    const double bent = deceleration * time * time * Curvature(-damping * time).value;
    return omega * time - (omega > 0.0 ? bent : -bent);
}

std::variant<RestitutionMeasurement, NoMeasurement> measure_restitution(Samples time, Samples angle,
                                                                        const Sampling& sampling) {
    if (time.size() < 2 * least_samples + 1) {
        return NoMeasurement{0,
                             fmt::format("the trace has {} samples, but at least {} are needed",
                                         time.size(), 2 * least_samples + 1),
                             ""};
    }
    const std::vector<double> clean = without_spikes(angle);
    Sampling within = sampling;  // the trace
    within.window = std::min(sampling.window, time.back() - time.front());
    const ImpactSearch search(time, clean, within);
    const std::vector<double>& impacts = search.impacts();
    if (impacts.empty()) {
        return NoMeasurement{
            0,
            fmt::format("no impact found: between {:.4g} s and {:.4g} s the angular "
                        "velocity never changes abruptly",
                        time.front(), time.back()),
            fmt::format("an impact within {:.3g} s of either end cannot be measured",
                        0.5 * search.reach())};
    }
    if (impacts.size() > 1) {
        const auto [first, second] = std::minmax(impacts[0], impacts[1]);
        return NoMeasurement{
            index_at(time, second),
            fmt::format("{} impacts found, at {:.4g} s and {:.4g} s{}; one is wanted",
                        impacts.size(), first, second, impacts.size() > 2 ? " and more" : ""),
            "cut the trace with --from and --to"};
    }
    return ReboundFit(time, angle, clean, within, search.reach()).fit(impacts.front());
}

}  // namespace stoss::postproc
