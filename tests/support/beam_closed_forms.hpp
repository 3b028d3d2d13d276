#pragma once
/// Characteristic roots of uniform Euler-Bernoulli beams, from their equations.
/// Source: Blevins (1979), Formulas for Natural Frequency and Mode Shape, table 8-1.

#include <boost/math/tools/toms748_solve.hpp>

#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <vector>

namespace stoss::closed_forms {

enum class Ends {
    pinned_pinned,
    clamped_free,
    clamped_clamped,
    clamped_pinned,
    free_free,
    pinned_free
};

/// The characteristic function divided by cosh(x), so that it stays of the size of one.
inline double characteristic_function(Ends ends, double x) {
    switch (ends) {
        case Ends::pinned_pinned:
            return std::sin(x);
        case Ends::clamped_free:
            return std::cos(x) + 1.0 / std::cosh(x);
        case Ends::clamped_clamped:
        case Ends::free_free:
            return std::cos(x) - 1.0 / std::cosh(x);
        case Ends::clamped_pinned:
        case Ends::pinned_free:
            break;
    }
    return std::sin(x) - std::cos(x) * std::tanh(x);
}

/// The first `count` roots beta l > 0; the circular frequency of a vibration mode is
/// (beta l)^2 sqrt(EI/(mu l^4)). Roots lie further than 1.5 apart, the first one above 1.5.
inline std::vector<double> characteristic_roots(Ends ends, int count) {
    const auto f = [ends](double x) { return characteristic_function(ends, x); };
    std::vector<double> roots;
    constexpr double step = 0.1;
    for (int i = 15; static_cast<int>(roots.size()) < count; ++i) {
        const double left = step * i, right = step * (i + 1);
        if (f(left) * f(right) > 0.0) continue;
        std::uintmax_t iterations = 100;
        const auto bracket = boost::math::tools::toms748_solve(
            f, left, right, boost::math::tools::eps_tolerance<double>(52), iterations);
        roots.push_back(0.5 * (bracket.first + bracket.second));
    }
    return roots;
}

}  // namespace stoss::closed_forms
