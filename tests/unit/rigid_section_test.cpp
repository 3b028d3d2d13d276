#include <stoss/rigid/coulomb.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>
#include <stoss/rigid/section.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

using namespace stoss::rigid;

/// A hyperbola at mu = 3, an ellipse at mu = 1.
ContactProblem contact(double mu) {
    return {{1.0, -0.6, 0.1, 1.0, 0.3, 1.2}, {0.3, -1.0, -0.5}, mu};
}

TEST(CompressionPlane, EdgeIsOnTheConeAndStopsTheApproach) {
    const ContactProblem problem = contact(1.0);
    const CompressionPlane plane(problem);
    ASSERT_LT(plane.eccentricity(), 1.0);
    EXPECT_FALSE(plane.poles());
    for (const double angle : {-3.0, -1.0, 0.0, 0.4, 2.5}) {
        const ContactVector x = plane.edge(angle);
        EXPECT_NEAR(std::hypot(x.t, x.o), problem.mu * x.n, 1e-15);
        EXPECT_NEAR(std::atan2(x.o, x.t), angle, 1e-15);
        EXPECT_NEAR((problem.A * x).n, problem.b.n, 1e-15);
    }
}

TEST(CompressionPlane, EdgeOfAHyperbolaEndsAtThePoles) {
    const CompressionPlane plane(contact(3.0));
    ASSERT_GT(plane.eccentricity(), 1.0);
    const auto poles = plane.poles();
    ASSERT_TRUE(poles);
    for (const double pole : *poles) EXPECT_NEAR(plane.opening(pole), 0.0, 1e-15);
    EXPECT_GT(plane.opening(3.0), 0.0);
    EXPECT_LT(plane.opening(0.0), 0.0);
}

TEST(CompressionPlane, NoPointOfTheEdgeDissipatesMoreThanTheSolution) {
    for (const double mu : {0.2, 1.0, 3.0}) {
        const CompressionPlane plane(contact(mu));
        const ContactSolution best = maximum_dissipation(contact(mu));
        ASSERT_EQ(best.branch, Branch::slide);
        double least = std::numeric_limits<double>::infinity();
        for (double angle = -3.2; angle < 3.2; angle += 1e-3) {
            if (plane.opening(angle) > 0.0)
                least = std::min(least, plane.objective(plane.edge(angle)));
        }
        EXPECT_GE(least, -best.dissipated_energy - 1e-15);
        EXPECT_NEAR(least, -best.dissipated_energy, 1e-5);
    }
}

TEST(CompressionPlane, StickingPointStopsTheSlip) {
    const ContactProblem problem = contact(1.0);
    const ContactVector x = CompressionPlane(problem).sticking();
    const ContactVector velocity = problem.A * x - problem.b;
    EXPECT_NEAR(velocity.n, 0.0, 1e-15);
    EXPECT_NEAR(velocity.t, 0.0, 1e-15);
    EXPECT_NEAR(velocity.o, 0.0, 1e-15);
}

TEST(CompressionPlane, ContourIsWhereTheObjectiveHasItsLevel) {
    const CompressionPlane plane(contact(1.0));
    const double least = plane.objective(plane.sticking());
    for (const double level : {0.9 * least, 0.0, 1.0}) {
        for (const double phase : {0.0, 1.0, 2.0, 4.0}) {
            EXPECT_NEAR(plane.objective(plane.contour(level, phase)), level, 1e-14);
        }
    }
}

}  // namespace
