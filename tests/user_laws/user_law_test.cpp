// A law dropped into a user's folder joins the variant and works in collide() and between spheres.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <stoss/granular/compliant_assembly.hpp>
#include <stoss/impact/collide.hpp>

namespace {

using namespace stoss;

constexpr double mass = 0.5, stiffness = 1e6, speed = 0.8;

impact::CollisionResult drop(double damping_ratio, contact::Separation separation) {
    contact::DampedSpring law;
    law.stiffness = stiffness;
    law.damping = 2.0 * damping_ratio * std::sqrt(stiffness * mass);
    time::Newmark scheme;
    scheme.step = 2e-7;
    return impact::collide({modal::point_mass(mass), {-speed * std::sqrt(mass)}},
                           {modal::ModalBody{}, {}}, {law, separation}, scheme, 1.0);
}

TEST(UserLaw, ReboundsAsTheClosedFormSaysWhereContactEndsAtZeroOverlap) {
    for (const double zeta : {0.05, 0.2, 0.6}) {
        const auto result = drop(zeta, contact::Separation::zero_overlap);
        ASSERT_EQ(result.status, impact::Status::separated);
        const double expected = std::exp(-std::numbers::pi * zeta / std::sqrt(1.0 - zeta * zeta));
        // The force drops to zero inside the last step: there a fixed step is of order 1.
        EXPECT_NEAR(result.cor_kinematic, expected, 2e-4);
    }
}

TEST(UserLaw, ReboundsAsTheClosedFormSaysWhereContactEndsAtZeroForce) {
    for (const double zeta : {0.05, 0.2, 0.6}) {
        const auto result = drop(zeta, contact::Separation::zero_force);
        ASSERT_EQ(result.status, impact::Status::separated);
        const double root = std::sqrt(1.0 - zeta * zeta);
        const double angle = std::atan2(2.0 * zeta * root, 2.0 * zeta * zeta - 1.0);
        EXPECT_NEAR(result.cor_kinematic, std::exp(-zeta / root * angle), 1e-7);
    }
}

TEST(UserLaw, LosesInTheContactWhatTheReboundLacks) {
    for (const auto separation :
         {contact::Separation::zero_force, contact::Separation::zero_overlap}) {
        const auto result = drop(0.2, separation);
        EXPECT_NEAR(result.energy.contact_loss, 1.0 - result.cor_kinematic * result.cor_kinematic,
                    1e-4);
        EXPECT_LT(std::abs(result.energy.residual), 1e-4);
    }
}

TEST(UserLaw, PullsOnlyUnderTheZeroOverlapRule) {
    const auto free = drop(0.6, contact::Separation::zero_force);
    const auto held = drop(0.6, contact::Separation::zero_overlap);
    EXPECT_GT(free.impulse, held.impulse);
    EXPECT_LT(free.separation, held.separation);
}

TEST(UserLaw, ActsBetweenCompliantSpheres) {
    const double zeta = 0.2, period = 2.0 * std::numbers::pi * std::sqrt(mass / stiffness);
    contact::DampedSpring law;
    law.stiffness = stiffness;
    law.damping = 2.0 * zeta * std::sqrt(stiffness * mass);
    granular::CompliantStepping stepping;
    stepping.step = period / 4000.0;
    stepping.law = law;
    stepping.skin = 0.01;
    const auto assembly = granular::compliant_assembly(stepping, {granular::Plane{}}, 1);
    assembly->add({{0, 0, 0.1}, {0, 0, -speed}, {0, 0, 0}, 0.1, mass});
    for (int i = 0; i < 4000; ++i) ASSERT_TRUE(assembly->step());
    const double root = std::sqrt(1.0 - zeta * zeta);
    const double angle = std::atan2(2.0 * zeta * root, 2.0 * zeta * zeta - 1.0);
    EXPECT_NEAR(assembly->spheres()[0].velocity.z() / speed, std::exp(-zeta / root * angle), 1e-5);
}

}  // namespace
