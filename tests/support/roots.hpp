#pragma once
/// Roots of a function of one variable, for closed forms that are transcendental equations.

#include <boost/math/tools/roots.hpp>

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

namespace stoss {

/// The first roots of f above `from`, looked for in steps of `step`.
inline std::vector<double> roots(const std::function<double(double)>& f, double from, double step,
                                 std::size_t count) {
    std::vector<double> found;
    for (double x = from; found.size() < count; x += step) {
        if (std::signbit(f(x)) == std::signbit(f(x + step))) continue;
        std::uintmax_t most = 200;
        const auto bracket = boost::math::tools::toms748_solve(
            f, x, x + step, boost::math::tools::eps_tolerance<double>(50), most);
        found.push_back(0.5 * (bracket.first + bracket.second));
    }
    return found;
}

}  // namespace stoss
