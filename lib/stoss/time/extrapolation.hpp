#pragma once
/// Gragg's extrapolated midpoint rule: one step of order 16 for a small smooth system.

#include <array>
#include <cstddef>

namespace stoss::time {

/// A step of y' = f(y) by the midpoint rule with 2, 4, ..., 16 substeps, extrapolated in the
/// squared substep (Gragg 1965; Bulirsch and Stoer 1966). The eight sequences advance in lock step:
/// they do not depend on each other, so the processor works on all of them at once.
template <std::size_t N>
class ExtrapolatedStep {
  public:
    using State = std::array<double, N>;
    static constexpr int columns = 8;
    static constexpr double order_of_estimate = 2.0 * columns - 1.0;

    /// One step from `y` over `h`; `slope` = f(y). 64 evaluations of `rate(y)`.
    template <class Rate>
    void advance(const Rate& rate, const State& y, const State& slope, double h) {
        std::array<State, columns> before, now;
        std::array<double, columns> full;
        for (int c = 0; c < columns; ++c) {
            full[index(c)] = h / (c + 1);
            before[index(c)] = y;
            now[index(c)] = plus(y, 0.5 * full[index(c)], slope);
        }
        for (int substep = 1; substep < 2 * columns; ++substep) {
            for (int c = substep / 2; c < columns; ++c) {
                const State next = plus(before[index(c)], full[index(c)], rate(now[index(c)]));
                before[index(c)] = now[index(c)];
                now[index(c)] = next;
            }
        }
        extrapolate(now);
    }

    const State& end() const { return end_; }  ///< y at the end of the step
    /// What the last extrapolation changed: an estimate that is rather too large.
    const State& error() const { return error_; }

  private:
    static constexpr std::size_t index(int column) { return static_cast<std::size_t>(column); }

    static State plus(const State& y, double factor, const State& slope) {
        State sum;
        for (std::size_t i = 0; i < N; ++i) sum[i] = y[i] + factor * slope[i];
        return sum;
    }

    /// Aitken and Neville, in place.
    void extrapolate(std::array<State, columns>& table) {
        for (int level = 1; level < columns; ++level) {
            for (int c = columns - 1; c >= level; --c) {
                const double ratio = static_cast<double>(c + 1) / (c + 1 - level);
                const double weight = 1.0 / (ratio * ratio - 1.0);
                for (std::size_t i = 0; i < N; ++i) {
                    error_[i] = weight * (table[index(c)][i] - table[index(c) - 1][i]);
                    table[index(c)][i] += error_[i];
                }
            }
        }
        end_ = table.back();
    }

    State end_{};
    State error_{};
};

}  // namespace stoss::time
