// What `mesh.modes: auto` stands for.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include <models/mode_choice.hpp>
#include <published_beam.hpp>
#include <stoss/core/error.hpp>

namespace {

using namespace stoss;

/// The published beam, its modes left open; coarse steps are enough to see what modes do.
models::BeamCollision open_beam(double tolerance) {
    models::BeamCollision parameters = published_beam(time::ForceEvaluation::implicit, 4e-7);
    parameters.mesh.modes.reset();
    parameters.mesh.tolerance = tolerance;
    return parameters;
}

models::ModeChoice choice(const models::BeamCollision& beam, std::vector<double> places) {
    return models::choose_modes(std::array{beam}, places, {}).value();
}

double restitution(const models::BeamCollision& beam, int modes, double xi) {
    return models::BeamModel(models::with_modes(beam, modes)).collide(xi).cor_kinematic;
}

TEST(ModeChoice, FurtherModesChangeTheRestitutionByLessThanTheTolerance) {
    const auto beam = open_beam(1e-3);
    for (const double xi : {0.45, 0.68}) {
        const models::ModeChoice chosen = choice(beam, {xi});
        EXPECT_LT(chosen.cor_change, 1e-3);
        EXPECT_EQ(chosen.xi, xi);
        const double many = restitution(beam, 70, xi);
        EXPECT_NEAR(restitution(beam, chosen.modes, xi), many, 2e-3) << xi;
        EXPECT_GT(std::abs(restitution(beam, chosen.modes / 2, xi) - many), 1e-3) << xi;
    }
}

TEST(ModeChoice, OneAgreementByChanceIsNotEnough) {
    // At the free end 22 and 28 modes agree by chance; both are 3e-3 off.
    const auto beam = open_beam(1e-3);
    EXPECT_LT(std::abs(restitution(beam, 22, 1.0) - restitution(beam, 28, 1.0)), 1e-3);
    const models::ModeChoice chosen = choice(beam, {1.0});
    EXPECT_GT(chosen.modes, 28);
    EXPECT_NEAR(restitution(beam, chosen.modes, 1.0), restitution(beam, 70, 1.0), 2e-3);
}

TEST(ModeChoice, AMapTakesWhatItsMostDemandingPlaceNeeds) {
    const auto beam = open_beam(2e-3);
    int most = 0;
    for (const double xi : {0.5, 0.68}) most = std::max(most, choice(beam, {xi}).modes);
    EXPECT_EQ(choice(beam, {0.5, 0.68}).modes, most);
}

TEST(ModeChoice, SeveralBeamsShareTheirModes) {
    auto tight = open_beam(1e-3);
    const auto loose = open_beam(1e-2);
    const std::array places{0.68};
    const auto shared = models::choose_modes(std::array{loose, tight}, places, {});
    EXPECT_EQ(shared->modes, choice(tight, {0.68}).modes);
    EXPECT_LT(choice(loose, {0.68}).modes, shared->modes);
}

TEST(ModeChoice, PlacesWhereTheBodiesDoNotCloseDoNotCount) {
    const auto beam = open_beam(1e-2);  // left of the pin it moves away
    EXPECT_EQ(choice(beam, {0.0, 0.68}).modes, choice(beam, {0.68}).modes);
}

TEST(ModeChoice, TheMeshGrowsInMultiplesSoThatSupportsStayOnNodes) {
    models::BeamCollision beam = open_beam(1e-3);
    EXPECT_EQ(models::with_modes(beam, 40).mesh.elements, 80);
    EXPECT_EQ(models::with_modes(beam, 41).mesh.elements, 160);
    EXPECT_EQ(models::with_modes(beam, 200).mesh.elements, 400);
    EXPECT_EQ(models::with_modes(beam, 200).mesh.modes, 200);
    EXPECT_TRUE(models::check(models::with_modes(beam, 200)).empty());
}

TEST(ModeChoice, TooTightAToleranceIsToldWithThePlace) {
    const auto beam = open_beam(1e-12);
    try {
        models::ModeSearch search;
        search.most_modes = 30;
        models::choose_modes(std::array{beam}, std::array{0.68}, search);
        ADD_FAILURE() << "accepted";
    } catch (const core::NumericalError& error) {
        const std::string words = error.what();
        EXPECT_NE(words.find("up to 28 modes are not enough: at xi = 0.68"), words.npos) << words;
        EXPECT_NE(words.find("mesh.tolerance = 1e-12"), words.npos) << words;
    }
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
    EXPECT_EQ(choice(beam, {0.68}).modes, 10);
}

}  // namespace
