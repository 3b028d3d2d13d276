// Contact geometry against closed forms and published tables.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <stoss/contact/geometry.hpp>

namespace {

using namespace stoss::contact;
constexpr double right_angle = 0.5 * std::numbers::pi;

TEST(Gap, OfTwoSpheresIsRoundAtAnyAngle) {
    for (const double angle : {0.0, 0.4, right_angle}) {
        const Gap gap = gap_between(sphere(0.02), sphere(0.03), angle);
        EXPECT_DOUBLE_EQ(gap.smaller, 1.0 / 0.02 + 1.0 / 0.03);
        EXPECT_DOUBLE_EQ(gap.larger, gap.smaller);
        EXPECT_NEAR(gaussian_radius(gap), 0.012, 1e-17);
    }
}

TEST(Gap, OfASphereOnAPlaneHasTheRadiusOfTheSphere) {
    EXPECT_DOUBLE_EQ(gaussian_radius(gap_between(sphere(0.02), plane(), 0.0)), 0.02);
}

TEST(Gap, OfASphereOnACylinderIsThatOfTheoryForAnyOrientation) {
    const double r_s = 0.01, r = 0.03;
    const double across = 1.0 / (1.0 / r_s + 1.0 / r);
    for (const double angle : {0.0, 1.0, right_angle}) {
        const Gap gap = gap_between(sphere(r_s), cylinder(r), angle);
        EXPECT_NEAR(gaussian_radius(gap), std::sqrt(across * r_s), 1e-17);
    }
}

TEST(Gap, OfCrossedCylindersFollowsTheirAngle) {
    const Gap crossed = gap_between(cylinder(0.01), cylinder(0.04), right_angle);
    EXPECT_NEAR(gaussian_radius(crossed), 0.02, 1e-17);
    EXPECT_NEAR(crossed.larger, 100.0, 1e-12);
    EXPECT_NEAR(crossed.smaller, 25.0, 1e-12);
    // Equal cylinders at the angle w: R_x, R_y = r/(1 - cos w), r/(1 + cos w).
    for (const double angle : {0.3, 1.0, 1.5}) {
        const Gap gap = gap_between(cylinder(0.01), cylinder(0.01), angle);
        EXPECT_NEAR(gap.larger * 0.01, 1.0 + std::cos(angle), 1e-14);
        EXPECT_NEAR(gap.smaller * 0.01, 1.0 - std::cos(angle), 1e-14);
        EXPECT_NEAR(gaussian_radius(gap), 0.01 / std::sin(angle), 1e-14);
    }
    EXPECT_EQ(gap_between(cylinder(0.01), cylinder(0.02), 0.0).smaller, 0.0);
}

/// At some angles the difference of the curvatures rounds to less than their sum.
TEST(Gap, OfACylinderOnAPlaneIsALineAtAnyAngle) {
    for (int i = 0; i <= 900; ++i) {
        const double angle = 0.1 * i * std::numbers::pi / 180.0;
        EXPECT_EQ(gap_between(plane(), cylinder(0.006), angle).smaller, 0.0) << angle;
    }
}

TEST(EllipticalContact, OfARoundGapIsTheCircularOne) {
    const Gap round{25.0, 25.0};
    EXPECT_DOUBLE_EQ(axis_ratio(round), 1.0);
    EXPECT_DOUBLE_EQ(elliptical_stiffness(7e10, round),
                     hertz_stiffness(7e10, gaussian_radius(round)));
    const Gap nearly{25.0 * (1.0 - 1e-9), 25.0};
    EXPECT_NEAR(elliptical_stiffness(7e10, nearly) / elliptical_stiffness(7e10, round), 1.0, 1e-9);
}

TEST(EllipticalContact, IsThatOfTheTablesOfRollingBearings) {
    // Harris, Rolling Bearing Analysis, table 6.1: difference of curvature (B - A)/(B + A), and the
    // dimensionless approach delta* and half axes a*, b*.
    constexpr double table[][4] = {
        {0.1075, 0.9974, 1.0760, 0.9318},  {0.3204, 0.9761, 1.2623, 0.8114},
        {0.5916, 0.9077, 1.6440, 0.6687},  {0.7948, 0.7961, 2.2650, 0.5480},
        {0.90999, 0.6636, 3.2330, 0.4499}, {0.97290, 0.4960, 5.2670, 0.3490}};
    for (const auto& [difference, approach, a, b] : table) {
        const Gap gap{0.5 * (1.0 - difference), 0.5 * (1.0 + difference)};  // their sum is 1
        const double stiffness = elliptical_stiffness(1.0, gap);
        EXPECT_NEAR(2.0 * std::pow(2.0 / (3.0 * stiffness), 2.0 / 3.0), approach, 2e-4);
        EXPECT_NEAR(axis_ratio(gap), b / a, 3e-4);
        const ContactEllipse ellipse = unit_contact_ellipse(1.0, gap);
        EXPECT_NEAR(ellipse.a / std::cbrt(1.5), a, 3e-4 * a);
        EXPECT_NEAR(ellipse.b / std::cbrt(1.5), b, 3e-4 * b);
    }
}

TEST(ContactEllipse, OfEqualCurvaturesIsHertzsCircle) {
    const double modulus = 7e10, force = 350.0;
    const ContactEllipse circle =
        unit_contact_ellipse(modulus, gap_between(sphere(0.02), plane(), 0.0)).under(force);
    EXPECT_NEAR(circle.radius() / std::cbrt(0.75 * force * 0.02 / modulus), 1.0, 1e-14);
    EXPECT_NEAR(circle.a / circle.b, 1.0, 1e-14);
    EXPECT_NEAR(circle.pressure,
                1.5 * force / (std::numbers::pi * circle.radius() * circle.radius()),
                1e-14 * circle.pressure);
}

TEST(ContactEllipse, CarriesTheForceWithAHalfEllipsoidOfPressure) {
    for (const double ratio : {1.0, 3.0, 50.0}) {
        const ContactEllipse ellipse =
            unit_contact_ellipse(2e11, Gap{1.0 / (0.01 * ratio), 100.0}).under(40.0);
        const double carried =
            2.0 / 3.0 * std::numbers::pi * ellipse.a * ellipse.b * ellipse.pressure;
        EXPECT_NEAR(carried, 40.0, 1e-12) << ratio;
    }
}

TEST(EllipticalContact, IsStifferThanItsGaussianRadiusSays) {
    // What the circle of the same Gaussian curvature lacks, as in docs/theory/contact.md.
    constexpr double table[][2] = {
        {1.5, 1.003423}, {2.0, 1.009993}, {3.0, 1.025048}, {10.0, 1.109040}, {100.0, 1.435057}};
    for (const auto& [ratio, factor] : table) {
        const Gap gap{1.0 / ratio, 1.0};
        EXPECT_NEAR(elliptical_stiffness(1.0, gap) / hertz_stiffness(1.0, gaussian_radius(gap)),
                    factor, 1e-6);
    }
}

}  // namespace
