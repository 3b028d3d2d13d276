#pragma once
/// The largest contact force inside a step (theory/splitting_scheme.md 12.13).

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include <stoss/modal/propagators.hpp>
#include <stoss/time/collocation.hpp>

namespace stoss::impact {

/// A polynomial of u in [0, 1] through values at places, by divided differences; two equal places
/// give value and derivative.
template <std::size_t n>
class Interpolation {
  public:
    /// `slopes`: derivative at the second of two equal places.
    constexpr Interpolation(const std::array<double, n>& places, std::array<double, n> values,
                            const std::array<double, n>& slopes = {})
        : places_(places), coefficients_(values) {
        for (std::size_t order = 1; order < n; ++order) {
            for (std::size_t i = n - 1; i >= order; --i) {
                const double distance = places[i] - places[i - order];
                coefficients_[i] = distance == 0.0
                                       ? slopes[i]
                                       : (coefficients_[i] - coefficients_[i - 1]) / distance;
            }
        }
    }

    /// Value and derivative.
    struct Point {
        double value, slope;
    };
    constexpr Point operator()(double u) const {
        Point point{coefficients_[n - 1], 0.0};
        for (std::size_t i = n - 1; i-- > 0;) {
            point.slope = point.slope * (u - places_[i]) + point.value;
            point.value = point.value * (u - places_[i]) + coefficients_[i];
        }
        return point;
    }

    /// Largest value inside [0, 1], if the polynomial rises at 0 and falls at 1.
    constexpr double maximum() const {
        double low = 0.0, high = 1.0;
        for (int halving = 0; halving < 50; ++halving) {
            const double middle = 0.5 * (low + high);
            ((*this)(middle).slope > 0.0 ? low : high) = middle;
        }
        return (*this)(low).value;
    }

  private:
    std::array<double, n> places_, coefficients_;
};

/// A largest value, and how far it may be wrong.
struct Largest {
    double value = 0.0, error = 0.0;
};

/// The largest overlap [m] inside a step of length h [s] in which the bodies stop approaching, from
/// overlap and rate at both ends and the overlaps at the Gauss nodes. The error is the difference
/// between the interpolations with and without the rates.
inline Largest largest_overlap(double h, double x0, double v0, const time::Triple& nodes, double x1,
                               double v1) {
    const auto& [a, b, c] = modal::Gauss3::node;
    const auto& [xa, xb, xc] = nodes;
    const Interpolation<7> fine({0.0, 0.0, a, b, c, 1.0, 1.0}, {x0, x0, xa, xb, xc, x1, x1},
                                {0.0, h * v0, 0.0, 0.0, 0.0, 0.0, h * v1});
    const Interpolation<5> coarse({0.0, a, b, c, 1.0}, {x0, xa, xb, xc, x1});
    const double largest = fine.maximum();
    return {largest, std::abs(largest - coarse.maximum())};
}

/// The largest force [N] inside a step, from the forces at both ends and at the Gauss nodes, if a
/// force inside exceeds those at the ends; else the larger of those. The error is the difference to
/// the parabola through the node forces.
inline Largest largest_force(double begin, const time::Triple& nodes, double end) {
    const auto& [a, b, c] = modal::Gauss3::node;
    const auto& [first, middle, last] = nodes;
    Largest largest{std::max(begin, end), 0.0};
    const Interpolation<5> fine({0.0, a, b, c, 1.0}, {begin, first, middle, last, end});
    if (!(fine(0.0).slope > 0.0 && fine(1.0).slope < 0.0)) {
        largest.value = std::max({largest.value, first, middle, last});
        return largest;
    }
    largest.value = std::max(largest.value, fine.maximum());
    const Interpolation<3> parabola({a, b, c}, nodes);
    const double rough = parabola(0.0).slope > 0.0 && parabola(1.0).slope < 0.0
                             ? parabola.maximum()
                             : std::max({first, middle, last});
    largest.error = std::abs(largest.value - rough);
    return largest;
}

}  // namespace stoss::impact
