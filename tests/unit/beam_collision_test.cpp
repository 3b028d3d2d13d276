#include <models/beam_collision.hpp>

#include <gtest/gtest.h>

#include <published_beam.hpp>

namespace {

using namespace stoss;
using models::BeamCollision;
using models::BeamModel;

BeamCollision supported(std::vector<models::Support> supports) {
    BeamCollision parameters = published_beam();
    parameters.beam.supports = std::move(supports);
    parameters.motion.angular_velocity = 0.0;
    parameters.striker.mass = 0.2;
    parameters.striker.velocity = 1.5;
    return parameters;
}

void expect_speed_of_modes(const BeamCollision& parameters) {
    ASSERT_TRUE(models::check(parameters).empty());
    const BeamModel model(parameters);
    for (const double xi : {0.0, 0.0375, 0.3, 0.68, 1.0}) {
        EXPECT_NEAR(models::rigid_approach_speed(parameters, xi), model.approach_speed(xi), 1e-9)
            << xi;
    }
}

TEST(RigidApproachSpeed, IsThatOfTheRigidModes) {
    expect_speed_of_modes(published_beam());  // one pin

    BeamCollision free_beam = supported({});
    free_beam.motion.velocity = -0.7;
    free_beam.motion.angular_velocity = 3.0;
    expect_speed_of_modes(free_beam);

    BeamCollision pinned_beam = supported({{models::SupportType::pin, 0.25}});
    pinned_beam.motion.angular_velocity = 3.0;
    expect_speed_of_modes(pinned_beam);

    expect_speed_of_modes(supported({{models::SupportType::clamp, 0.0}}));
}

TEST(RigidApproachSpeed, VanishesAtThePin) {
    EXPECT_EQ(models::rigid_approach_speed(published_beam(), 0.0375), 0.0);
}

TEST(BeamCollisionCheck, SupportsAtOnePlaceAreTheOnlyComplaint) {
    BeamCollision parameters = published_beam();
    parameters.beam.supports.push_back({models::SupportType::clamp, 0.0375});
    const auto violations = models::check(parameters);
    ASSERT_EQ(violations.size(), 1u);
    EXPECT_EQ(violations.front().key, "beam.supports[1].xi");
}

}  // namespace
