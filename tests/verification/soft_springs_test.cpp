// A beam on springs so soft that they do nothing during a collision, against a free beam.
#include <gtest/gtest.h>

#include <models/beam_model.hpp>

namespace {

using namespace stoss;

models::BeamCollision struck_beam(std::vector<models::SpringSupport> springs, double damping) {
    models::BeamCollision parameters;
    parameters.beam.length = 0.6;
    parameters.beam.section.shape = models::Rectangle{0.03, 0.008};
    parameters.beam.material = {200e9, 0.3, 7800.0};
    parameters.beam.springs = std::move(springs);
    parameters.beam.internal_damping = 2e5 * damping;
    parameters.beam.external_damping = 5.0 * damping;
    parameters.striker.shape = models::Sphere{0.012};
    parameters.striker.material = models::StrikerMaterial{200e9, 0.3, 7800.0};
    parameters.striker.velocity = 1.5;
    parameters.mesh.modes = 20;
    return parameters;
}

TEST(SoftSprings, LetTheBodiesPartAsAFreeBeamDoes) {
    for (const double damping : {0.0, 1.0}) {
        const auto springs = struck_beam({{0.0, 1e-3, 0.0}, {1.0, 1e-3, 0.0}}, damping);
        impact::History history(100);
        const auto held = models::BeamModel(springs).collide(0.37, &history);
        const auto free = models::BeamModel(struck_beam({}, damping)).collide(0.37);
        ASSERT_EQ(held.status, impact::Status::separated);
        // Both are within the tolerance of the scheme, 1e-6.
        EXPECT_NEAR(held.impulse, free.impulse, 1e-5 * free.impulse);
        EXPECT_NEAR(held.separation, free.separation, 1e-5 * free.separation);
        // The proof needs no part of a period of the springs, which is 2 minutes.
        EXPECT_LT(history.samples().back().time, 100.0 * held.separation);
    }
}

}  // namespace
