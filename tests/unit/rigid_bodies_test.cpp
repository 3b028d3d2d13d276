#include <stoss/rigid/bodies.hpp>
#include <stoss/rigid/coulomb.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using namespace stoss::rigid;
using Eigen::Vector3d;

/// The six masses of Preclik, Eibl & Ruede (2017), section 4.1, at rest.
RigidBody six_masses() {
    const double m_x = .03, m_y = 65, m_z = 50, d_x = 10, d_y = 1, d_z = 1;
    RigidBody body;
    body.mass = 2 * (m_x + m_y + m_z);
    body.inertia =
        (2 * Vector3d(m_y * d_y * d_y + m_z * d_z * d_z, m_x * d_x * d_x + m_z * d_z * d_z,
                      m_x * d_x * d_x + m_y * d_y * d_y))
            .asDiagonal();
    body.velocity = -Vector3d(.06, .7, .23);
    return body;
}

/// The frame of the same place: t = n x e_x, o = n x t, not normalised.
ContactFrame six_masses_frame() {
    ContactFrame frame;
    frame.point = {10, 0, 0};
    frame.n = Vector3d(.25, .36, -.9).normalized();
    frame.t = frame.n.cross(Vector3d::UnitX());
    frame.o = frame.n.cross(frame.t);
    return frame;
}

/// A rod that slides along a plane (their section 4.2): mass 2 kg, length 3 m, velocity 1 m/s.
ContactProblem sliding_rod(double theta, double mu) {
    RigidBody rod;
    rod.mass = 2;
    rod.inertia = (Vector3d(1e-2, 1, 1) * (2 * 3 * 3 / 12.)).asDiagonal();
    rod.orientation = Eigen::AngleAxisd(theta, Vector3d::UnitZ());
    rod.velocity = {-1, 0, 0};
    ContactFrame frame;
    frame.point = rod.orientation * Vector3d(-1.5, 0, 0);
    frame.n = Vector3d::UnitY();
    frame.t = Vector3d::UnitX();
    frame.o = Vector3d::UnitZ();
    return contact_problem(rod, RigidBody::fixed(), frame, mu);
}

double critical_friction(double theta) {
    return (3 * std::cos(theta) * std::cos(theta) + 1) / (3 * std::sin(theta) * std::cos(theta));
}

TEST(DelassusOperator, OfTheSixMassBodyIsThePublishedOne) {
    const ContactProblem problem =
        contact_problem(six_masses(), RigidBody::fixed(), six_masses_frame(), 3.7);
    EXPECT_NEAR(problem.A.nn, .861990700792433, 1e-14);
    EXPECT_NEAR(problem.A.nt, .0672837872875397, 1e-14);
    EXPECT_NEAR(problem.A.no, .214186224566843, 1e-14);
    EXPECT_NEAR(problem.A.tt, .720423648535947, 1e-14);
    EXPECT_NEAR(problem.A.to, .0168033125967712, 1e-14);
    EXPECT_NEAR(problem.A.oo, .0575660138703038, 1e-14);
    EXPECT_NEAR(problem.b.n, .0599370990516747, 1e-15);
    EXPECT_NEAR(problem.b.t, -.712052736733896, 1e-15);
    EXPECT_NEAR(problem.b.o, -.0450314339886239, 1e-15);
}

TEST(DelassusOperator, OfTheRodHasTheClosedForm) {
    const double theta = .6, m = 2, s = std::sin(theta), c = std::cos(theta);
    const ContactMatrix A = sliding_rod(theta, 1).A;
    EXPECT_NEAR(A.nn, (1 + 3 * c * c) / m, 1e-14);
    EXPECT_NEAR(A.nt, -3 * s * c / m, 1e-14);
    EXPECT_NEAR(A.tt, (1 + 3 * s * s) / m, 1e-14);
    EXPECT_NEAR(A.oo, 4 / m, 1e-14);
    EXPECT_NEAR(A.no, 0, 1e-14);
    EXPECT_NEAR(A.to, 0, 1e-14);
}

TEST(SlidingRod, SticksAtOnceFromTheCriticalFrictionOnAndSlidesFreelyBelow) {
    for (const double theta : {.3, .6, 1.2}) {
        const double critical = critical_friction(theta);
        const ContactSolution above = maximum_dissipation(sliding_rod(theta, critical * 1.001));
        EXPECT_EQ(above.branch, Branch::stick);
        EXPECT_NEAR(above.impulse.n, 2. / 8 * 3 * std::sin(2 * theta), 1e-12);
        EXPECT_NEAR(above.impulse.t, 2. / 8 * (5 + 3 * std::cos(2 * theta)), 1e-12);
        const ContactSolution below = maximum_dissipation(sliding_rod(theta, critical * .999));
        EXPECT_EQ(below.branch, Branch::separate);
        EXPECT_EQ(below.impulse, (ContactVector{0, 0, 0}));
    }
}

TEST(SlidingRod, HasTheZeroSolutionAndAContinuumWithCoulombFriction) {
    const double theta = .6, critical = critical_friction(theta);
    const CoulombSolutions above = coulomb_solutions(sliding_rod(theta, critical * 1.001));
    ASSERT_GE(above.count, 2u);
    EXPECT_EQ(above.all()[0].branch, Branch::separate);
    EXPECT_EQ(above.all()[1].branch, Branch::stick);
    EXPECT_FALSE(above.continuum);
    EXPECT_EQ(coulomb_solutions(sliding_rod(theta, critical * .999)).count, 1u);
    const CoulombSolutions at = coulomb_solutions(sliding_rod(theta, critical * (1.0 + 1e-15)));
    EXPECT_EQ(at.count, 2u);
    EXPECT_TRUE(at.continuum);
}

TEST(Impulse, ChangesTheRelativeVelocityAsTheDelassusOperatorSays) {
    RigidBody first = six_masses(), second = six_masses();
    second.mass = 3;
    second.inertia = Vector3d(1, 2, 2.5).asDiagonal();
    second.orientation = Eigen::AngleAxisd(1.1, Vector3d(1, 2, -2).normalized());
    second.position = {9, 1, 2};
    second.velocity = {1, 2, 3};
    second.angular_velocity = {-.4, .5, .6};
    const ContactFrame frame = ContactFrame::of_normal({10, .1, -.2}, {1, -2, .5});
    const ContactProblem before = contact_problem(first, second, frame, .3);
    const ContactVector x{1, -2, .5};
    const double energy = kinetic_energy(first) + kinetic_energy(second);
    apply_impulse(first, second, frame, x);
    const ContactVector velocity = -1. * contact_problem(first, second, frame, .3).b;
    const ContactVector expected = before.A * x - before.b;
    EXPECT_NEAR(velocity.n, expected.n, 1e-13);
    EXPECT_NEAR(velocity.t, expected.t, 1e-13);
    EXPECT_NEAR(velocity.o, expected.o, 1e-13);
    EXPECT_NEAR(energy - kinetic_energy(first) - kinetic_energy(second),
                dissipated_energy(before, x), 1e-12);
}

TEST(RigidBodyCheck, TellsEverythingThatIsWrong) {
    RigidBody body = six_masses();
    EXPECT_TRUE(violations(body, "body").empty());
    EXPECT_TRUE(violations(RigidBody::fixed(), "body").empty());
    body.mass = 0;
    body.inertia(0, 0) = -1;
    body.orientation.w() = 2;
    body.velocity.x() = std::numeric_limits<double>::quiet_NaN();
    const auto found = violations(body, "body");
    ASSERT_EQ(found.size(), 4u);
    EXPECT_EQ(found[0].key, "body.mass");
    EXPECT_EQ(found[0].rule, "must be > 0 kg, or infinite for a fixed body");
    EXPECT_EQ(found[1].rule, "must be positive definite");
    EXPECT_EQ(found[2].rule, "must be a quaternion of length 1");
    EXPECT_EQ(found[3].value, "[nan, -0.7, -0.23] m/s");
}

TEST(RigidBodyCheck, RefusesMomentsThatNoMassHas) {
    RigidBody body = six_masses();
    body.inertia = Vector3d(1, 1, 2.1).asDiagonal();
    ASSERT_EQ(violations(body, "body").size(), 1u);
    body.inertia(0, 1) = 0.1;
    EXPECT_EQ(violations(body, "body").front().rule, "must be symmetric");
}

TEST(ContactFrameCheck, RefusesAFrameThatIsNotOrthonormalUnlessAllowed) {
    const ContactFrame published = six_masses_frame();
    ASSERT_EQ(violations(published, FrameRule::orthonormal, "frame").size(), 1u);
    EXPECT_TRUE(violations(published, FrameRule::any_independent, "frame").empty());
    const ContactFrame made = ContactFrame::of_normal({0, 0, 0}, {.25, .36, -.9});
    EXPECT_TRUE(violations(made, FrameRule::orthonormal, "frame").empty());
    ContactFrame flat = made;
    flat.o = flat.t;
    EXPECT_EQ(violations(flat, FrameRule::any_independent, "frame").front().rule,
              "n, t, o must span space");
}

TEST(ContactFrame, IsThatOfAUnitNormalForANormalOfAnyLength) {
    const double root = std::sqrt(0.5);
    for (const double length : {5e-324, 1e-300, 1e-200, 1.0, 1e200, 1.7e308}) {
        EXPECT_EQ(ContactFrame::of_normal({0, 0, 0}, {0, length, 0}).n, Vector3d::UnitY());
        const ContactFrame frame = ContactFrame::of_normal({0, 0, 0}, {length, length, 0});
        EXPECT_NEAR(frame.n.x(), root, 1e-15) << length;
        EXPECT_TRUE(violations(frame, FrameRule::orthonormal, "frame").empty()) << length;
    }
}

}  // namespace
