#include <stoss/contact/force_function.hpp>

#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>

namespace stoss::contact {

namespace {

// Steps of a central difference: the error of order step^2 is then about that of the roundoff,
// epsilon/step.
constexpr double part = 6e-6;        // of overlap or rate: the cube root of epsilon
constexpr double least_rate = 1e-5;  // [m/s]; a force is affine in so small a change of the rate
constexpr double from_zero = 1e-12;  // [m]; where there is no overlap, to one side

constexpr double accuracy = 1e-13;  // of the work, relative
constexpr unsigned most_halvings = 7;

}  // namespace

double ForceFunction::slope_by_overlap(double x, double v) const {
    if (!(x > 0.0)) return (force(from_zero, v) - force(0.0, v)) / from_zero;
    const double low = x * (1.0 - part), high = x * (1.0 + part);
    return (force(high, v) - force(low, v)) / (high - low);
}

double ForceFunction::slope_by_rate(double x, double v) const {
    const double step = std::max(part * std::abs(v), least_rate);
    const double low = v - step, high = v + step;
    return (force(x, high) - force(x, low)) / (high - low);
}

double ForceFunction::work(double x) const {
    if (!(x > 0.0)) return 0.0;
    // By the root of the overlap: a power like x^(3/2) becomes a polynomial.
    const auto by_root = [this](double root) { return 2.0 * root * force(root * root, 0.0); };
    return boost::math::quadrature::gauss_kronrod<double, 15>::integrate(by_root, 0.0, std::sqrt(x),
                                                                         most_halvings, accuracy);
}

}  // namespace stoss::contact
