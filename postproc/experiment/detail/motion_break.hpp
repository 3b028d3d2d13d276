#pragma once
/// Where a smooth motion breaks: at a kink or at a step of its angle.

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace stoss::postproc::detail {

using Samples = std::span<const double>;

inline constexpr std::size_t least_samples = 10;  // on either side of an impact

/// Samples [begin, end).
struct Stretch {
    std::size_t begin = 0, end = 0;

    std::size_t size() const { return end > begin ? end - begin : 0; }
};

/// Index of the first sample at or after `instant`.
inline std::size_t index_at(Samples time, double instant) {
    return static_cast<std::size_t>(std::ranges::lower_bound(time, instant) - time.begin());
}

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

}  // namespace stoss::postproc::detail
