// Coulomb's solutions and those of maximum dissipation at the ends of the range of their numbers.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <random_contacts.hpp>
#include <stoss/rigid/contacts.hpp>
#include <stoss/rigid/coulomb.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>

namespace {

using namespace stoss::rigid;

/// A contact that slides at any friction, for which the normal impulse falls as 1/mu.
ContactProblem jamming(double mu) {
    return {{3.765831017209177, 1.4788600988579155, 1.4408532046679525, 3.9999873864417586,
             2.5292893208406477, 3.6934784574463095},
            {0.2858338868414752, 0.6701642085510338, 1.2756045017784767},
            mu};
}

/// Coupled in a plane: critical friction 2.
ContactProblem planar(double b_n, double b_t, double mu) {
    return {{1.0, 0.5, 0.0, 2.0, 0.0, 2.5}, {b_n, b_t, 0.0}, mu};
}

TEST(Coulomb, KeepsItsDigitsForAnyFriction) {
    for (const double mu : {1e14, 1e15, 1e16, 1e20, 1e35, largest_friction}) {
        const CoulombSolutions found = coulomb_solutions(jamming(mu));
        ASSERT_EQ(found.count, 1u) << mu;
        const ContactVector x = found.solution[0].impulse;
        EXPECT_NEAR(mu * x.n, 0.16713402845629842, 5e-12) << mu;
        EXPECT_NEAR(x.t, 0.03380734618058917, 1e-14) << mu;
        EXPECT_NEAR(x.o, 0.16367909705352293, 1e-14) << mu;
        EXPECT_NEAR(mu * x.n, std::hypot(x.t, x.o), 1e-16) << mu;
    }
}

TEST(Coulomb, HasAnOddNumberOfSolutionsForAnyFrictionIfTheBodiesApproach) {
    stoss::tests::RandomContacts random(17);
    for (int i = 0; i < 3000; ++i) {
        ContactProblem problem = random(stoss::tests::ContactKind::random_matrix);
        problem.b.n = std::abs(problem.b.n);
        for (const double mu : {1e-20, 1.0, 1e8, 1e16, 1e20, largest_friction}) {
            problem.mu = mu;
            EXPECT_EQ(coulomb_solutions(problem).count % 2, 1u) << i << ' ' << mu;
        }
    }
}

TEST(Coulomb, HasASolutionForAnyClosingSpeed) {
    for (const double b_n : {1e-20, 1e-100, 1e-200, 1e-300}) {
        const CoulombSolutions found = coulomb_solutions(planar(b_n, -1.0, 1.98));
        ASSERT_EQ(found.count, 1u) << b_n;
        // |y| (1 - mu/2) = mu b_n: the slip hardly changes.
        EXPECT_NEAR(found.solution[0].impulse.n / b_n, 100.0, 1e-10) << b_n;
        EXPECT_NEAR(found.solution[0].impulse.t / b_n, -198.0, 2e-10) << b_n;
    }
}

TEST(Coulomb, HasAContinuumOnlyBetweenTwoSolutions) {
    const CoulombSolutions critical = coulomb_solutions(planar(0.0, -1.0, 2.0));
    EXPECT_EQ(critical.count, 2u);
    EXPECT_TRUE(critical.continuum);
    const CoulombSolutions below = coulomb_solutions(planar(0.0, -1.0, std::nextafter(2.0, 0.0)));
    EXPECT_EQ(below.count, 1u);
    EXPECT_FALSE(below.continuum);
}

TEST(ContactProblem, HasALargestFriction) {
    const double beyond = std::nextafter(largest_friction, 1e300);
    for (const double mu : {beyond, 1e99, 1e153}) {
        const ContactProblem problem = jamming(mu);
        EXPECT_EQ(violations(problem).front().rule, "must be <= 1e+50");
        EXPECT_EQ(maximum_dissipation(problem).status, Status::invalid);
        EXPECT_EQ(coulomb_solutions(problem).status, Status::invalid);
        EXPECT_TRUE(std::isnan(maximum_dissipation(problem).impulse.n));
    }
    Contacts many;
    for (int i = 0; i < 16; ++i) many.add(jamming(beyond));
    EXPECT_EQ(maximum_dissipation(many, 1).unsolved, 16u);
    EXPECT_EQ(coulomb(many, 1).unsolved, 16u);
    const ContactVector largest = maximum_dissipation(jamming(largest_friction)).impulse;
    const ContactVector large = maximum_dissipation(jamming(1e25)).impulse;
    EXPECT_NEAR(largest.t, large.t, 1e-14);
    EXPECT_NEAR(largest.o, large.o, 1e-14);
}

TEST(ContactProblem, WhoseImpulseOverflowsHasFailed) {
    ContactProblem problem = planar(1.0, -1.0, 0.4);
    for (double* entry : {&problem.A.nn, &problem.A.nt, &problem.A.tt, &problem.A.oo})
        *entry *= 1e-200;
    problem.b = 1e200 * problem.b;
    const ContactSolution solution = maximum_dissipation(problem);
    EXPECT_EQ(solution.status, Status::failed);
    EXPECT_TRUE(std::isnan(solution.impulse.n));
    EXPECT_TRUE(std::isnan(solution.impulse.t));
    const CoulombSolutions found = coulomb_solutions(problem);
    EXPECT_EQ(found.status, Status::failed);
    EXPECT_EQ(found.count, 0u);
    EXPECT_TRUE(std::isnan(coulomb_impulse(problem).n));
}

}  // namespace
