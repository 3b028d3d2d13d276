#include <stoss/contact/geometry.hpp>
#include <stoss/core/elementary.hpp>

#include <boost/math/special_functions/ellint_rd.hpp>
#include <boost/math/special_functions/ellint_rf.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace stoss::contact {

namespace {

using boost::math::ellint_rd;
using boost::math::ellint_rf;

/// (theory/contact.md 5.7) F_1^3 for c = b/a.
double f1_cubed(double c) {
    const double square = c * c;
    return 4.0 / (3.0 * std::numbers::pi) * core::pow(c, 1.5) *
           std::sqrt(ellint_rd(0.0, 1.0, square) * ellint_rd(0.0, square, 1.0));
}

}  // namespace

double effective_modulus(double youngs_modulus_1, double poisson_ratio_1, double youngs_modulus_2,
                         double poisson_ratio_2) {
    return 1.0 / ((1.0 - poisson_ratio_1 * poisson_ratio_1) / youngs_modulus_1 +
                  (1.0 - poisson_ratio_2 * poisson_ratio_2) / youngs_modulus_2);
}

Surface sphere(double radius) {
    return {1.0 / radius, 1.0 / radius};
}
Surface cylinder(double radius) {
    return {1.0 / radius, 0.0};
}
Surface plane() {
    return {};
}
Surface socket(double radius) {
    return {-1.0 / radius, -1.0 / radius};
}
Surface groove(double radius) {
    return {-1.0 / radius, 0.0};
}

Gap gap_between(const Surface& first, const Surface& second, double angle) {
    const double sum =
        first.curvature_1 + first.curvature_2 + second.curvature_1 + second.curvature_2;
    const double d1 = first.curvature_1 - first.curvature_2;
    const double d2 = second.curvature_1 - second.curvature_2;
    // sqrt(d1^2 + d2^2 + 2 d1 d2 cos(2 angle)), without cancellation where the axes cross.
    const double difference =
        core::hypot((d1 + d2) * core::cos(angle), (d1 - d2) * core::sin(angle));
    const double larger = 0.5 * (sum + difference), smaller = 0.5 * (sum - difference);
    const double roundoff = 1e-15 * (std::abs(first.curvature_1) + std::abs(first.curvature_2) +
                                     std::abs(second.curvature_1) + std::abs(second.curvature_2));
    return {std::abs(smaller) < roundoff ? 0.0 : smaller, larger};
}

double gaussian_radius(const Gap& gap) {
    return 1.0 / std::sqrt(gap.smaller * gap.larger);
}

double hertz_stiffness(double effective_modulus, double gaussian_radius) {
    return 4.0 / 3.0 * effective_modulus * std::sqrt(gaussian_radius);
}

/// (5.6) R_x/R_y = R_D(0, 1, c^2)/R_D(0, c^2, 1) for c = b/a, in Carlson's integrals: Johnson's
/// ((a/b)^2 E - K)/(K - E) without its cancellation near the circle.
double axis_ratio(const Gap& gap) {
    const double ratio = gap.larger / gap.smaller;
    if (!(ratio > 1.0)) return 1.0;
    const auto excess = [ratio](double log_c) {
        const double square = core::exp(2.0 * log_c);
        return core::log(ellint_rd(0.0, 1.0, square) / ellint_rd(0.0, square, 1.0) / ratio);
    };
    std::uintmax_t iterations = 100;
    const auto [low, high] = boost::math::tools::toms748_solve(
        excess, -core::log(ratio) - 1e-3, 0.0, boost::math::tools::eps_tolerance<double>(50),
        iterations);
    return core::exp(0.5 * (low + high));
}

/// (5.7), (5.8): k = (4/3) E* sqrt(R*) F_2^(-3/2).
double elliptical_stiffness(double effective_modulus, const Gap& gap) {
    const double c = axis_ratio(gap);
    const double square = c * c;
    const double f2 = 2.0 / std::numbers::pi * std::sqrt(c) * ellint_rf(0.0, square, 1.0) /
                      core::cbrt(f1_cubed(c));
    return hertz_stiffness(effective_modulus, gaussian_radius(gap)) / (f2 * std::sqrt(f2));
}

ContactEllipse ContactEllipse::under(double force) const {
    const double growth = core::cbrt(force);
    return {a * growth, b * growth, pressure * growth};
}

double ContactEllipse::radius() const {
    return std::sqrt(a * b);
}

/// (5.9): a b = (3 F R*/(4 E*))^(2/3) F_1^2.
ContactEllipse unit_contact_ellipse(double effective_modulus, const Gap& gap) {
    const double c = axis_ratio(gap);
    const double radius = core::cbrt(0.75 * gaussian_radius(gap) / effective_modulus * f1_cubed(c));
    return {radius / std::sqrt(c), radius * std::sqrt(c),
            1.5 / (std::numbers::pi * radius * radius)};
}

}  // namespace stoss::contact
