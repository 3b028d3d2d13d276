// The meaning of `mesh.modes: auto`.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include <models/mode_choice.hpp>
#include <published_beam.hpp>

namespace {

using namespace stoss;

/// The published beam, its modes left open.
models::BeamCollision open_beam(double tolerance, bool residual_flexibility = true) {
    models::BeamCollision parameters = published_beam();
    parameters.mesh = {};
    parameters.mesh.tolerance = tolerance;
    parameters.mesh.residual_flexibility = residual_flexibility;
    return parameters;
}

models::ModeChoice choice(const models::BeamCollision& beam, std::vector<double> places) {
    return models::choose_modes(std::array{beam}, places, {}).value();
}

TEST(ModeChoice, FurtherModesChangeTheRestitutionByLessThanTheTolerance) {
    for (const bool residual_flexibility : {true, false}) {
        const auto beam = open_beam(1e-4, residual_flexibility);
        for (const double xi : {0.45, 0.68, 1.0}) {
            const models::ModeChoice chosen = choice(beam, {xi});
            EXPECT_EQ(chosen.open, 0u);
            EXPECT_LT(chosen.cor_change, 1e-4);
            EXPECT_EQ(chosen.xi, xi);
            // On the same mesh.
            auto richer = models::with_modes(beam, chosen.modes);
            const double cor = models::BeamModel(richer).collide(xi).cor_kinematic;
            richer.mesh.modes = 2 * chosen.modes;
            EXPECT_NEAR(cor, models::BeamModel(richer).collide(xi).cor_kinematic, 2e-4) << xi;
        }
    }
}

TEST(ModeChoice, ResidualFlexibilityNeedsFewerModes) {
    EXPECT_LT(2 * choice(open_beam(1e-5), {0.68}).modes,
              choice(open_beam(1e-5, false), {0.68}).modes);
}

TEST(ModeChoice, NineOfTenPlacesOfAMapDecide) {
    const auto beam = open_beam(1e-5);
    std::vector<double> places;
    for (int i = 0; i < 100; ++i) places.push_back(0.2 + 0.008 * i);
    const models::ModeChoice chosen = choice(beam, places);
    EXPECT_EQ(chosen.places, 48u);
    EXPECT_GT(chosen.open, 0u);
    EXPECT_LE(10 * chosen.open, chosen.places);
}

TEST(ModeChoice, ModesThatVibrateAreKept) {
    auto beam = open_beam(1e-1);
    beam.motion.vibration = {{.mode = 40, .displacement = 1e-6}};
    EXPECT_TRUE(models::check(beam).empty());
    EXPECT_GE(choice(beam, {0.68}).modes, 40);
}

TEST(ModeChoice, PlacesWhereTheBodiesDoNotCloseDoNotCount) {
    const auto beam = open_beam(1e-2);  // left of the pin it moves away
    EXPECT_EQ(choice(beam, {0.0, 0.68}).modes, choice(beam, {0.68}).modes);
}

TEST(ModeChoice, TheMeshGrowsInMultiplesSoThatSupportsStayOnNodes) {
    models::BeamCollision beam = open_beam(1e-3);
    EXPECT_EQ(models::with_modes(beam, 20).mesh.elements, 80);
    EXPECT_EQ(models::with_modes(beam, 21).mesh.elements, 160);
    EXPECT_EQ(models::with_modes(beam, 200).mesh.elements, 800);
    EXPECT_EQ(models::with_modes(beam, 200).mesh.modes, 200);
    EXPECT_TRUE(models::check(models::with_modes(beam, 200)).empty());
}

TEST(ModeChoice, TooTightAToleranceTakesTheMostModesAndLeavesThePlaceOpen) {
    models::ModeSearch search;
    search.most_modes = 30;
    const auto chosen =
        models::choose_modes(std::array{open_beam(1e-12)}, std::array{0.68}, search);
    EXPECT_EQ(chosen->modes, 22);
    EXPECT_EQ(chosen->open, 1u);
    EXPECT_EQ(chosen->cor_change, 0.0);
}

TEST(ModeChoice, StopsWhenAsked) {
    models::ModeSearch search;
    search.stop = [] { return true; };
    EXPECT_FALSE(
        models::choose_modes(std::array{open_beam(1e-3)}, std::array{0.68}, search).has_value());
}

TEST(ModeChoice, ACollisionThatNeverEndsIsNoMatterOfTheModes) {
    auto beam = open_beam(1e-3);
    beam.integration.time_limit = 1e-5;  // within the first sub-impact
    EXPECT_EQ(choice(beam, {0.68}).modes, 16);
}

}  // namespace
