#include <stoss/fem/hermite.hpp>

#include <gtest/gtest.h>
#include <boost/math/quadrature/gauss.hpp>

namespace {

using stoss::fem::hermite_curvature;
using stoss::fem::hermite_mass;
using stoss::fem::hermite_shape;
using stoss::fem::hermite_slope;
using stoss::fem::hermite_stiffness;

constexpr double h = 0.37;

/// Integral of f f^T over the element; seven Gauss points are exact for these polynomials.
template <class F>
Eigen::Matrix4d integral_of_square(F f) {
    Eigen::Matrix4d sum;
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            sum(i, j) = boost::math::quadrature::gauss<double, 7>::integrate(
                [&](double s) { return h * f(s)[i] * f(s)[j]; }, 0.0, 1.0);
        }
    }
    return sum;
}

double difference(const Eigen::Matrix4d& a, const Eigen::Matrix4d& b) {
    return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
}

TEST(HermiteElement, MassIsTheIntegralOfTheShapes) {
    const auto shape = [](double s) { return hermite_shape(s, h); };
    EXPECT_LT(difference(hermite_mass(2.5, h), 2.5 * integral_of_square(shape)), 1e-14);
}

TEST(HermiteElement, StiffnessIsTheIntegralOfTheCurvatures) {
    const auto curvature = [](double s) { return hermite_curvature(s, h); };
    EXPECT_LT(difference(hermite_stiffness(2.5, h), 2.5 * integral_of_square(curvature)), 1e-14);
}

TEST(HermiteElement, ShapesTakeTheFreedomsAtTheEnds) {
    const Eigen::Vector4d freedoms(0.3, -1.2, 0.7, 2.1);
    EXPECT_DOUBLE_EQ(hermite_shape(0.0, h).dot(freedoms), 0.3);
    EXPECT_DOUBLE_EQ(hermite_slope(0.0, h).dot(freedoms), -1.2);
    EXPECT_DOUBLE_EQ(hermite_shape(1.0, h).dot(freedoms), 0.7);
    EXPECT_DOUBLE_EQ(hermite_slope(1.0, h).dot(freedoms), 2.1);
}

TEST(HermiteElement, DerivativesAreThoseOfTheShapes) {
    constexpr double ds = 1e-5;
    for (const double s : {0.1, 0.35, 0.8}) {
        const Eigen::Vector4d slope =
            (hermite_shape(s + ds, h) - hermite_shape(s - ds, h)) / (2.0 * ds * h);
        const Eigen::Vector4d curvature =
            (hermite_slope(s + ds, h) - hermite_slope(s - ds, h)) / (2.0 * ds * h);
        EXPECT_LT((slope - hermite_slope(s, h)).cwiseAbs().maxCoeff(), 1e-8);
        EXPECT_LT((curvature - hermite_curvature(s, h)).cwiseAbs().maxCoeff(), 1e-8);
    }
}

TEST(HermiteElement, InterpolatesCubicsExactly) {
    const auto w = [](double x) { return 1.0 - 2.0 * x + 3.0 * x * x - 5.0 * x * x * x; };
    const auto theta = [](double x) { return -2.0 + 6.0 * x - 15.0 * x * x; };
    const Eigen::Vector4d freedoms(w(0.0), theta(0.0), w(h), theta(h));
    for (const double s : {0.0, 0.2, 0.5, 0.9, 1.0}) {
        EXPECT_NEAR(hermite_shape(s, h).dot(freedoms), w(s * h), 1e-14);
    }
}

TEST(HermiteElement, RigidTranslationStoresNoEnergy) {
    const Eigen::Vector4d translation(1.0, 0.0, 1.0, 0.0);
    EXPECT_EQ((hermite_stiffness(7.3, h) * translation).cwiseAbs().maxCoeff(), 0.0);
}

TEST(HermiteElement, RigidRotationStoresNoEnergy) {
    const Eigen::Vector4d rotation(-0.4 * h, 1.0, 0.6 * h, 1.0);
    const Eigen::Matrix4d stiffness = hermite_stiffness(7.3, h);
    EXPECT_LT((stiffness * rotation).cwiseAbs().maxCoeff(), 1e-15 * stiffness(0, 0));
}

}  // namespace
