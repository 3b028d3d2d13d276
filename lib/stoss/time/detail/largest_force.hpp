#pragma once
/// The largest contact force inside a step (theory/splitting_scheme.md 12.13).

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include <stoss/core/gauss3.hpp>
#include <stoss/time/detail/collocation.hpp>
#include <stoss/time/detail/node_interpolation.hpp>

namespace stoss::time {

/// Where a polynomial is given, and one over the distance of any two of these places; 0 if they are
/// equal.
template <std::size_t n>
struct Places {
    std::array<double, n> at;
    std::array<std::array<double, n>, n> inverse_distance{};

    constexpr explicit Places(const std::array<double, n>& places) : at(places) {
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (at[i] != at[j]) inverse_distance[i][j] = 1.0 / (at[i] - at[j]);
            }
        }
    }
};

/// A polynomial of u in [0, 1] through values at places, by divided differences; two equal places
/// give value and derivative.
template <std::size_t n>
class Interpolation {
  public:
    /// `slopes`: derivative at the second of two equal places. Keeps a reference to `places`.
    constexpr Interpolation(const Places<n>& places, const std::array<double, n>& values,
                            const std::array<double, n>& slopes = {})
        : places_(places), coefficients_(values) {
        for (std::size_t order = 1; order < n; ++order) {
            for (std::size_t i = n - 1; i >= order; --i) {
                const double inverse = places.inverse_distance[i][i - order];
                coefficients_[i] = inverse == 0.0
                                       ? slopes[i]
                                       : (coefficients_[i] - coefficients_[i - 1]) * inverse;
            }
        }
    }

    /// Value, first and second derivative.
    struct Point {
        double value, slope, curvature;
    };
    constexpr Point operator()(double u) const {
        Point point{coefficients_[n - 1], 0.0, 0.0};
        for (std::size_t i = n - 1; i-- > 0;) {
            const double distance = u - places_.at[i];
            point.curvature = point.curvature * distance + 2.0 * point.slope;
            point.slope = point.slope * distance + point.value;
            point.value = point.value * distance + coefficients_[i];
        }
        return point;
    }

    struct Maximum {
        double place, value;
    };
    /// Largest value between two places, if the polynomial rises at the first and falls at the
    /// second, by Newton's method for the zero of the slope from a place between them; by bisection
    /// where Newton's step leaves the bracket. What is left of the value is of the third order in
    /// the last step.
    constexpr Maximum maximum(double place, double low = 0.0, double high = 1.0) const {
        constexpr double last_step = 1e-5;
        constexpr int most_steps = 60;  // of them 17 bisections come to the last step
        for (int count = 0;; ++count) {
            const Point point = (*this)(place);
            (point.slope > 0.0 ? low : high) = place;
            double next = place - point.slope / point.curvature;
            const bool is_inside = point.curvature < 0.0 && next > low && next < high;
            if (!is_inside) next = 0.5 * (low + high);
            const double step = next - place;
            if (std::abs(step) < last_step || count == most_steps)
                return {next, point.value + (is_inside ? 0.5 * point.slope * step : 0.0)};
            place = next;
        }
    }

  private:
    const Places<n>& places_;
    std::array<double, n> coefficients_;
};

/// The ends of a step and its Gauss nodes; the ends twice, for rates; the nodes alone.
inline constexpr Places<5> ends_and_nodes(step_places);
inline constexpr Places<7> double_ends_and_nodes({0.0, 0.0, core::Gauss3::node[0],
                                                  core::Gauss3::node[1], core::Gauss3::node[2], 1.0,
                                                  1.0});
inline constexpr Places<3> nodes_alone(core::Gauss3::node);
/// Each Gauss node between its neighbours.
inline constexpr std::array<Places<3>, 3> nodes_and_neighbours{
    Places<3>({0.0, core::Gauss3::node[0], core::Gauss3::node[1]}),
    Places<3>({core::Gauss3::node[0], core::Gauss3::node[1], core::Gauss3::node[2]}),
    Places<3>({core::Gauss3::node[1], core::Gauss3::node[2], 1.0})};

/// Slope of the polynomial through values at the ends and the nodes, at either end.
inline constexpr std::array<double, 5> slope_weights_at_begin =
    lagrange_slopes(ends_and_nodes.at, 0.0);
inline constexpr std::array<double, 5> slope_weights_at_end =
    lagrange_slopes(ends_and_nodes.at, 1.0);

/// True if that polynomial may have a maximum inside: most steps have none. Roundoff counts as one.
inline bool may_have_maximum(const std::array<double, 5>& values) {
    constexpr double roundoff = 1e-12;
    double rise = 0.0, fall = 0.0, size = 0.0;
    for (std::size_t i = 0; i < 5; ++i) {
        rise += slope_weights_at_begin[i] * values[i];
        fall += slope_weights_at_end[i] * values[i];
        size = std::max(size, std::abs(values[i]));
    }
    return rise > -roundoff * size && fall < roundoff * size;
}

/// A largest value, how far it may be wrong, and where in the step [0, 1] it is.
struct Largest {
    double value = 0.0, error = 0.0, place = 0.0;
};

/// The largest overlap [m] inside a step of length h [s] in which the bodies stop approaching, from
/// overlap and rate at both ends and the overlaps at the Gauss nodes. The error is the difference
/// there between the interpolations with and without the rates.
inline Largest largest_overlap(double h, double x0, double v0, const Triple& nodes, double x1,
                               double v1) {
    const auto& [xa, xb, xc] = nodes;
    const Interpolation<7> fine(double_ends_and_nodes, {x0, x0, xa, xb, xc, x1, x1},
                                {0.0, h * v0, 0.0, 0.0, 0.0, 0.0, h * v1});
    const Interpolation<5> coarse(ends_and_nodes, {x0, xa, xb, xc, x1});
    const auto [place, largest] = fine.maximum(v0 / (v0 - v1));
    return {largest, std::abs(largest - coarse(place).value), place};
}

/// The largest force [N] near Gauss node `k`, whose force exceeds those of its neighbours among
/// `values`. The error is the difference to the parabola through these three.
inline Largest largest_force_near(std::size_t k, const std::array<double, 5>& values) {
    const Places<3>& places = nodes_and_neighbours[k];
    const auto maximum = [&](const auto& polynomial) {
        const auto found = polynomial.maximum(places.at[1], places.at[0], places.at[2]);
        return found.value > values[k + 1] ? found : decltype(found){places.at[1], values[k + 1]};
    };
    const auto fine = maximum(Interpolation<5>(ends_and_nodes, values));
    const auto coarse =
        maximum(Interpolation<3>(places, {values[k], values[k + 1], values[k + 2]}));
    return {fine.value, std::abs(fine.value - coarse.value), fine.place};
}

/// The largest force [N] inside a step, from the forces at both ends and at the Gauss nodes, if a
/// force inside exceeds those at the ends; else the larger of those. The error is the difference to
/// the parabola through the node forces.
inline Largest largest_force(double begin, const Triple& nodes, double end) {
    const auto& [first, middle, last] = nodes;
    const std::array<double, 5> values{begin, first, middle, last, end};
    // A force that vibrates within the step may be largest at a node without rising at its begin.
    const auto at_ends_or_nodes = [&]() -> Largest {
        const auto k = static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
        if (k == 0 || k == 4) return {values[k], 0.0, step_places[k]};
        return largest_force_near(k - 1, values);
    };
    if (!may_have_maximum(values)) return at_ends_or_nodes();
    const Interpolation<5> fine(ends_and_nodes, values);
    const double rise = fine(0.0).slope, fall = fine(1.0).slope;
    if (!(rise > 0.0 && fall < 0.0)) return at_ends_or_nodes();
    const auto [place, value] = fine.maximum(rise / (rise - fall));
    Largest largest{std::max({begin, end, value}), 0.0, place};
    if (std::max({begin, first, middle, last, end}) > (1.0 + 1e-9) * value)
        return at_ends_or_nodes();
    const Interpolation<3> parabola(nodes_alone, nodes);
    const double rough = parabola(0.0).slope > 0.0 && parabola(1.0).slope < 0.0
                             ? parabola.maximum(place).value
                             : std::max({first, middle, last});
    largest.error = std::abs(largest.value - rough);
    return largest;
}

}  // namespace stoss::time
