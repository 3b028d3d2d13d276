#include <stoss/rigid/contacts.hpp>
#include <stoss/rigid/coulomb.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <random_contacts.hpp>

namespace {

using namespace stoss::rigid;

/// The six-mass body of Preclik, Eibl & Ruede (2017), section 4.1, in the frame as printed.
const ContactProblem six_masses{{.861990700792433, .0672837872875397, .214186224566843,
                                 .720423648535947, .0168033125967712, .0575660138703038},
                                {.0599370990516747, -.712052736733896, -.0450314339886239},
                                3.7};

void expect_near(const ContactVector& x, const ContactVector& y, double tolerance) {
    const double scale = std::sqrt(dot(y, y));
    EXPECT_NEAR(x.n, y.n, tolerance * scale);
    EXPECT_NEAR(x.t, y.t, tolerance * scale);
    EXPECT_NEAR(x.o, y.o, tolerance * scale);
}

TEST(MaximumDissipation, OfTheSixMassBodyIsThePublishedOne) {
    const ContactSolution solution = maximum_dissipation(six_masses);
    EXPECT_EQ(solution.status, Status::solved);
    EXPECT_EQ(solution.branch, Branch::slide);
    EXPECT_EQ(solution.conic, Conic::ellipse);
    expect_near(solution.impulse, {1.60309776369, -1.08186134514, -5.83196486894}, 1e-11);
    EXPECT_NEAR(solution.dissipated_energy, .634007416674, 1e-12);
    EXPECT_NEAR(dissipated_energy(six_masses, solution.impulse), solution.dissipated_energy, 1e-14);
}

TEST(Coulomb, HasThreeSolutionsForTheSixMassBody) {
    const CoulombSolutions found = coulomb_solutions(six_masses);
    ASSERT_EQ(found.status, Status::solved);
    ASSERT_EQ(found.count, 3u);
    expect_near(found.all()[0].impulse, {1.55812457394, -.992911088998, -5.67891319022}, 1e-11);
    expect_near(found.all()[1].impulse, {.291972786535, -.887089126755, -.616538304383}, 1e-11);
    expect_near(found.all()[2].impulse, {.119945381215, -.439016255809, -.0649716283804}, 1e-11);
    EXPECT_NEAR(found.all()[0].dissipated_energy, .630960006139, 1e-12);
    EXPECT_NEAR(found.all()[1].dissipated_energy, .392567805819, 1e-12);
    EXPECT_NEAR(found.all()[2].dissipated_energy, .251702859349, 1e-12);
}

TEST(MaximumDissipation, TakesTheRayWithTheLowerObjectiveIfTheContactDoesNotClose) {
    const ContactProblem grazing{{1, -.6, 0, 1, .5, 1}, {0, -1, -.5}, 5};
    const ContactSolution solution = maximum_dissipation(grazing);
    EXPECT_EQ(solution.branch, Branch::slide);
    EXPECT_EQ(solution.conic, Conic::hyperbola);
    expect_near(solution.impulse, {.0427643501611, .0712739169351, -.201593079946}, 1e-12);
    EXPECT_NEAR(solution.dissipated_energy, .014761311519, 1e-13);
}

TEST(MaximumDissipation, RefusesWhatIsNoContactProblem) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    ContactProblem problem = six_masses;
    problem.mu = -0.1;
    EXPECT_EQ(maximum_dissipation(problem).status, Status::invalid);
    EXPECT_EQ(violations(problem).front().rule, "must be >= 0");
    problem = six_masses;
    problem.A.oo = 0.05;
    EXPECT_EQ(maximum_dissipation(problem).status, Status::invalid);
    EXPECT_EQ(violations(problem).front().rule, "must be positive definite");
    problem = six_masses;
    problem.b.t = nan;
    EXPECT_EQ(maximum_dissipation(problem).status, Status::invalid);
    EXPECT_EQ(coulomb_solutions(problem).status, Status::invalid);
    EXPECT_TRUE(std::isnan(maximum_dissipation(problem).impulse.n));
    EXPECT_EQ(violations(problem).front().rule, "must be a finite number");
}

TEST(MaximumDissipation, RefusesAnIndefiniteMatrixWithANegativeDiagonalEntry) {
    const ContactProblem problem{{1, 0, -.5, 1, 0, -1}, {1, 0, -.5}, .5};
    EXPECT_EQ(maximum_dissipation(problem).status, Status::invalid);
    EXPECT_EQ(PreparedContact(problem.A, problem.mu).solve(problem.b).status, Status::invalid);
    EXPECT_TRUE(std::isnan(maximum_dissipation(problem).impulse.n));
}

/// Calls `check(problem)` for random problems of every kind.
template <class Check>
void for_random_contacts(int of_each_kind, Check&& check) {
    for (std::size_t kind = 0; kind < stoss::tests::contact_kinds.size(); ++kind) {
        SCOPED_TRACE(stoss::tests::contact_kinds[kind]);
        stoss::tests::RandomContacts random(kind);
        for (int i = 0; i < of_each_kind; ++i) check(random(stoss::tests::ContactKind(kind)));
    }
}

double length(double x, double y) {
    return std::sqrt(x * x + y * y);
}

/// A and mu alone decide on the direction. Large b and mu together overflow in the polynomials.
TEST(MaximumDissipation, ImpulseIsProportionalToTheVelocityForAnyFriction) {
    for (const auto& each : {std::pair{1e20, 1e100}, std::pair{1e30, 1e95}, std::pair{1e40, 1e80},
                             std::pair{largest_friction, 1e60}}) {
        const double mu = each.first, factor = each.second;
        Contacts many;
        std::vector<ContactVector> expected;
        for_random_contacts(100, [&](ContactProblem problem) {
            if (!(problem.b.n > 0.0)) return;
            problem.mu = mu;
            const ContactVector x = maximum_dissipation(problem).impulse;
            problem.b = factor * problem.b;
            const ContactVector scaled = maximum_dissipation(problem).impulse;
            const double size = length(x.t, x.o);
            EXPECT_NEAR(scaled.t / factor, x.t, 1e-7 * size) << mu;
            EXPECT_NEAR(scaled.o / factor, x.o, 1e-7 * size) << mu;
            many.add(problem);
            expected.push_back(scaled);
        });
        const Impulses batch = maximum_dissipation(many, 1);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(batch.n[i], expected[i].n) << mu << ' ' << i;
            EXPECT_EQ(batch.t[i], expected[i].t) << mu << ' ' << i;
        }
    }
}

TEST(MaximumDissipation, KeepsTheImpulseInTheConeAndTheBodiesApart) {
    for_random_contacts(2000, [](const ContactProblem& problem) {
        const ContactSolution solution = maximum_dissipation(problem);
        ASSERT_EQ(solution.status, Status::solved);
        const ContactVector& x = solution.impulse;
        EXPECT_LE(length(x.t, x.o), problem.mu * x.n * (1 + 1e-12));
        EXPECT_GE(solution.velocity.n, 0.0);
        EXPECT_GE(solution.dissipated_energy, 0.0);
        EXPECT_GE(solution.multiplier, 0.0);
        EXPECT_EQ(solution.multiplier > 0.0, solution.branch == Branch::slide);
    });
}

TEST(MaximumDissipation, TellsTheVelocityThatItsImpulseLeaves) {
    for (const auto kind :
         {stoss::tests::ContactKind::two_bodies, stoss::tests::ContactKind::planar,
          stoss::tests::ContactKind::large_friction}) {
        stoss::tests::RandomContacts random(7);
        for (int i = 0; i < 1000; ++i) {
            const ContactProblem problem = random(kind);
            const ContactSolution solution = maximum_dissipation(problem);
            const ContactVector v = problem.A * solution.impulse - problem.b;
            const double scale = 1e-9 * length(problem.b.n, length(problem.b.t, problem.b.o));
            EXPECT_NEAR(solution.velocity.n, v.n, scale);
            EXPECT_NEAR(solution.velocity.t, v.t, scale);
            EXPECT_NEAR(solution.velocity.o, v.o, scale);
        }
    }
}

TEST(MaximumDissipation, DoesNotDependOnTheUnits) {
    stoss::tests::RandomContacts random(3);
    for (const double unit : {0x1p-400, 0x1p-30, 0x1p30, 0x1p400}) {
        ContactProblem problem = random(stoss::tests::ContactKind::two_bodies);
        const ContactSolution plain = maximum_dissipation(problem);
        problem.b = unit * problem.b;
        const ContactSolution scaled = maximum_dissipation(problem);
        EXPECT_EQ(scaled.branch, plain.branch);
        expect_near((1 / unit) * scaled.impulse, plain.impulse, 1e-13);
    }
}

TEST(MaximumDissipation, IsCoulombFrictionForSpheres) {
    stoss::tests::RandomContacts random(5);
    for (int i = 0; i < 500; ++i) {
        const ContactProblem problem = random(stoss::tests::ContactKind::spheres);
        const CoulombSolutions coulomb = coulomb_solutions(problem);
        ASSERT_EQ(coulomb.count, 1u);
        expect_near(maximum_dissipation(problem).impulse, coulomb.all()[0].impulse, 1e-14);
    }
}

TEST(Coulomb, AlwaysHasASolutionAndNoneThatDissipatesMoreIfTheBodiesApproach) {
    for_random_contacts(200, [](const ContactProblem& problem) {
        const CoulombSolutions found = coulomb_solutions(problem);
        ASSERT_EQ(found.status, Status::solved);
        ASSERT_GE(found.count, 1u);
        if (problem.b.n < 0.0) return;
        const double most = maximum_dissipation(problem).dissipated_energy;
        for (const ContactSolution& solution : found.all()) {
            EXPECT_LE(solution.dissipated_energy, most * (1 + 1e-12));
        }
    });
}

TEST(Coulomb, OpposesTheSlipWithFullFriction) {
    int sliding = 0;
    for_random_contacts(200, [&](const ContactProblem& problem) {
        const CoulombSolutions found = coulomb_solutions(problem);
        for (const ContactSolution& solution : found.all()) {
            if (solution.branch != Branch::slide) continue;
            ++sliding;
            const ContactVector &x = solution.impulse, &v = solution.velocity;
            const double friction = length(x.t, x.o), slip = length(v.t, v.o);
            EXPECT_NEAR(friction / (problem.mu * x.n), 1.0, 1e-12);
            EXPECT_NEAR((x.t * v.t + x.o * v.o) / (friction * slip), -1.0, 1e-12);
            EXPECT_NEAR(solution.multiplier / slip, 1.0, 1e-12);
        }
    });
    EXPECT_GT(sliding, 1000);
}

TEST(Coulomb, MaySlideOrStickWhereTheContactOpensByItself) {
    // The wedged rod (Painleve): a push along the surface would press it in.
    const ContactProblem wedged{{1, -.8, 0, 1, 0, 1}, {-.01, 1, 0}, 2};
    const CoulombSolutions found = coulomb_solutions(wedged);
    ASSERT_EQ(found.count, 3u);
    EXPECT_EQ(found.all()[0].branch, Branch::separate);
    EXPECT_EQ(found.all()[1].branch, Branch::stick);
    EXPECT_EQ(found.all()[2].branch, Branch::slide);
    EXPECT_EQ(maximum_dissipation(wedged).branch, Branch::separate);
}

/// Random problems in which the bodies would separate without an impulse, or would not.
template <class Check>
void for_contacts_of_sign(double sign, Check check) {
    stoss::tests::RandomContacts random(11);
    for (int i = 0; i < 20000; ++i) {
        using stoss::tests::ContactKind;
        const ContactKind kind = i % 2 == 0 ? ContactKind::random_matrix : ContactKind::two_bodies;
        ContactProblem problem = random(kind);
        problem.b.n = sign * std::abs(problem.b.n);
        check(problem);
    }
}

TEST(Coulomb, DissipatesNoMoreThanMaximumDissipationUnlessTheBodiesSeparateByThemselves) {
    int several = 0;
    for_contacts_of_sign(1.0, [&](const ContactProblem& problem) {
        const double most = maximum_dissipation(problem).dissipated_energy;
        const CoulombSolutions found = coulomb_solutions(problem);
        if (found.count > 1) ++several;
        for (const ContactSolution& solution : found.all())
            EXPECT_LE(solution.dissipated_energy, most * (1.0 + 1e-9));
    });
    EXPECT_GT(several, 10);
    int jammed = 0, more = 0;
    for_contacts_of_sign(-1.0, [&](const ContactProblem& problem) {
        EXPECT_EQ(maximum_dissipation(problem).dissipated_energy, 0.0);
        const CoulombSolutions found = coulomb_solutions(problem);
        for (const ContactSolution& solution : found.all()) {
            if (solution.branch == Branch::separate) continue;
            ++jammed;
            if (solution.dissipated_energy > 0.0) ++more;
        }
    });
    EXPECT_GT(jammed, 100);
    EXPECT_EQ(more, jammed);
}

TEST(Coulomb, OfSeparatingBodiesThatJamStopsTheirNormalMotion) {
    const ContactProblem problem{{1.6, -1.2, 0.0, 3.4, 0.0, 3.4}, {-0.01, 1.0, 0.0}, 1.5};
    const CoulombSolutions found = coulomb_solutions(problem);
    ASSERT_EQ(found.count, 3u);
    EXPECT_EQ(found.all()[0].velocity.n, 0.01);
    for (std::size_t k = 1; k < found.count; ++k) {
        const ContactSolution& jammed = found.all()[k];
        EXPECT_EQ(jammed.velocity.n, 0.0);
        const ContactVector& x = jammed.impulse;
        EXPECT_NEAR(1.6 * x.n - 1.2 * x.t + 0.01, jammed.velocity.n, 1e-15);
    }
    EXPECT_NEAR(found.all()[1].dissipated_energy, 0.197, 5e-4);
    EXPECT_NEAR(found.all()[2].dissipated_energy, 0.067, 5e-4);
}

}  // namespace
