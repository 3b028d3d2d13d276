// The meaning of `mesh.modes: auto`.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>
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

/// Force at the end of a free rod that meets a wall with the speed v, by d'Alembert's waves, before
/// the second reflection is back: with the impedance Z = rho c A and the time T = 2 l/c there and
/// back, the overlap grows with the rate v - F(t)/Z - 2 F(t - T)/Z.
struct WallImpact {
    double peak_force, cor;
};

WallImpact wall_impact(const models::Beam& rod, double speed, const contact::Hertz& law) {
    const double mass = rod.mass();
    const double sound = std::sqrt(rod.material.youngs_modulus / rod.material.density);
    const double impedance = mass / rod.length * sound, there_and_back = 2.0 * rod.length / sound;
    constexpr std::size_t steps = 20000;
    const double h = there_and_back / steps;
    const auto force = [&](double overlap) {
        return *law.stiffness * std::pow(std::max(0.0, overlap), law.exponent);
    };
    std::vector<double> forces{0.0};
    double overlap = 0.0, impulse = 0.0;
    while (overlap >= 0.0 && forces.size() <= 2 * steps) {
        const std::size_t i = forces.size();
        const double reflected =
            i <= steps ? 0.0 : 0.5 * (forces[i - 1 - steps] + forces[i - steps]);
        const auto rate = [&](double x) {
            return speed - (force(x) + 2.0 * reflected) / impedance;
        };
        overlap += h * rate(overlap + 0.5 * h * rate(overlap));
        forces.push_back(force(overlap));
        impulse += 0.5 * h * (forces[i - 1] + forces[i]);
    }
    return {*std::ranges::max_element(forces), impulse / (mass * speed) - 1.0};
}

TEST(ModeChoice, AnUprightRodHasTheForceOfDAlembertsWaves) {
    models::BeamCollision rod;
    rod.beam.length = 1.0;
    rod.beam.section = {models::Circle{5e-3}};
    rod.beam.material = {2e11, 0.3, 8000.0};
    rod.striker.shape = models::Sphere{0.1};
    rod.striker.material = models::SurfaceMaterial{2e11, 0.3};
    rod.striker.mass = core::infinity;
    rod.motion.velocity = -1.0;
    rod.motion.inclination = 0.5 * std::numbers::pi;
    for (const auto& [stiffness, exponent] :
         {std::pair{1e11, 1.5}, std::pair{1e10, 1.5}, std::pair{1e9, 1.0}}) {
        contact::Hertz law;
        law.stiffness = stiffness;
        law.exponent = exponent;
        rod.contact.law = law;
        ASSERT_TRUE(models::check(rod).empty());
        const WallImpact exact = wall_impact(rod.beam, 1.0, law);
        const models::ModeChoice chosen = choice(rod, {1.0});
        ASSERT_EQ(chosen.models.size(), 1u);
        const auto result = chosen.models.front().collide(1.0);
        EXPECT_NEAR(result.cor_kinematic, exact.cor, rod.mesh.tolerance) << stiffness;
        EXPECT_NEAR(result.peak_force / exact.peak_force, 1.0, 0.05) << stiffness;
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
    EXPECT_EQ(choice(beam, {0.68}).modes, 16);
}

}  // namespace
