#include <gtest/gtest.h>

#include <cmath>

#include <stoss/impact/explicit_collision.hpp>

namespace {

using namespace stoss;

/// A free mass of 10 g that meets a wall at 1 m/s, as modal bodies.
struct MassAndWall {
    modal::ModalBody mass = modal::point_mass(0.01);
    modal::ModalBody wall = modal::point_mass(core::infinity);

    /// The mass is the second body: its displacement closes the gap.
    impact::ExplicitResult collide(const contact::Law& law, impact::ExplicitScheme scheme,
                                   double step) const {
        return impact::collide_explicitly({wall, {}}, {mass, {std::sqrt(0.01) * 1.0}},
                                          {law, contact::Separation::zero_overlap}, scheme, step,
                                          0.1);
    }
};

contact::HuntCrossley damped() {
    contact::HuntCrossley law;
    law.stiffness = 1e9;
    law.damping_factor = 0.5;
    return law;
}

TEST(ExplicitCollision, OfAPointMassHasTheRestitutionOfItsLaw) {
    const MassAndWall bodies;
    for (const auto scheme : {impact::ExplicitScheme::verlet, impact::ExplicitScheme::rk4}) {
        const auto result = bodies.collide(damped(), scheme, 1e-8);
        EXPECT_EQ(result.status, impact::Status::separated);
        EXPECT_NEAR(result.cor_kinematic.value(), 0.748434931597, 1e-7);
        EXPECT_NEAR(result.energy_residual.value(), 0.0, 1e-6);
    }
}

TEST(ExplicitCollision, ErrorsFallWithTheSecondAndNearlyTheFourthPowerOfTheStep) {
    // Release lies within a step and the force begins like x^(3/2): order 4 is not kept.
    const MassAndWall bodies;
    const auto error = [&](impact::ExplicitScheme scheme, double step) {
        return std::abs(bodies.collide(damped(), scheme, step).cor_kinematic.value() -
                        0.748434931597);
    };
    EXPECT_LT(error(impact::ExplicitScheme::verlet, 1e-7),
              0.02 * error(impact::ExplicitScheme::verlet, 1e-6));
    EXPECT_LT(error(impact::ExplicitScheme::rk4, 1e-7),
              0.01 * error(impact::ExplicitScheme::rk4, 1e-6));
}

TEST(ExplicitCollision, BodiesThatDoNotCloseDoNotCollide) {
    const MassAndWall bodies;
    const auto result =
        impact::collide_explicitly({bodies.wall, {}}, {bodies.mass, {-0.1}}, {damped()},
                                   impact::ExplicitScheme::rk4, 1e-6, 0.1);
    EXPECT_EQ(result.status, impact::Status::no_approach);
}

TEST(ExplicitCollision, TimeLimitAndBlowUpAreStatuses) {
    const MassAndWall bodies;
    const auto cut = impact::collide_explicitly({bodies.wall, {}}, {bodies.mass, {0.1}}, {damped()},
                                                impact::ExplicitScheme::rk4, 1e-7, 1e-5);
    EXPECT_EQ(cut.status, impact::Status::not_separated);
    contact::Hertz stiff;
    stiff.stiffness = 1e308;
    const auto lost = impact::collide_explicitly({bodies.wall, {}}, {bodies.mass, {0.1}}, {stiff},
                                                 impact::ExplicitScheme::rk4, 1.0, 100.0);
    EXPECT_EQ(lost.status, impact::Status::not_finite);
}

}  // namespace
