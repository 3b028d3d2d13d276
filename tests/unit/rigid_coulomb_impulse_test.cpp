// Coulomb's impulse in plain doubles against all solutions in twice the digits.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <random_contacts.hpp>
#include <stoss/rigid/coulomb.hpp>

namespace {

using namespace stoss::rigid;
using stoss::tests::ContactKind;

double norm(const ContactVector& x) {
    return std::sqrt(dot(x, x));
}

TEST(CoulombImpulse, IsThatOfTheFirstSolution) {
    stoss::tests::RandomContacts random(3);
    for (const ContactKind kind :
         {ContactKind::spheres, ContactKind::sphere_on_wall, ContactKind::two_bodies,
          ContactKind::slender_bodies, ContactKind::random_matrix, ContactKind::large_friction,
          ContactKind::tiny_friction, ContactKind::not_closing}) {
        std::vector<double> errors;
        for (int i = 0; i < 300; ++i) {
            const ContactProblem problem = random(kind);
            const CoulombSolutions all = coulomb_solutions(problem);
            if (all.count == 0) continue;
            const ContactVector x = coulomb_impulse(problem), first = all.solution[0].impulse;
            errors.push_back(norm(x - first) / std::max(norm(first), 1e-300));
        }
        std::sort(errors.begin(), errors.end());
        EXPECT_GE(errors.size(), 290u) << static_cast<int>(kind);
        EXPECT_LE(errors[errors.size() / 2], 1e-14) << static_cast<int>(kind);
        EXPECT_LE(errors.back(), 1e-6) << static_cast<int>(kind);
    }
}

TEST(CoulombImpulse, OfNoContactProblemIsNoNumber) {
    ContactProblem problem{{1.0, 0.0, 0.0, 1.0, 2.0, 1.0}, {1.0, 0.0, 0.0}, 0.3};
    EXPECT_TRUE(std::isnan(coulomb_impulse(problem).n));  // not positive definite
    problem = {
        {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}, {std::numeric_limits<double>::quiet_NaN(), 0, 0}, 0.3};
    EXPECT_TRUE(std::isnan(coulomb_impulse(problem).n));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const double closing : {0.0, 1.0}) {
        for (const double mu : {0.0, 0.3}) {
            problem = {{1.0, 0.0, 0.0, 1.0, 0.0, 1.0}, {closing, nan, 0.0}, mu};
            EXPECT_TRUE(std::isnan(coulomb_impulse(problem).n)) << closing << ' ' << mu;
        }
    }
}

TEST(CoulombImpulse, KeepsTheConeWhereSquaresOfVelocitiesUnderflowOrOverflow) {
    for (const double unit : {1e-170, 1.0, 1e160}) {
        const ContactProblem problem{{1.0, 0.0, 0.0, 3.5, 0.0, 3.5}, {unit, 0.0, unit}, 0.1};
        const ContactVector x = coulomb_impulse(problem);
        EXPECT_NEAR(x.n / unit, 1.0, 1e-14) << unit;
        EXPECT_NEAR(x.o / unit, 0.1, 1e-14) << unit;
    }
}

}  // namespace
