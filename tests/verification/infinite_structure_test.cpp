/// Impact on a large plate and on a long beam (docs/theory/infinite_structures.md).

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include <models/materials.hpp>
#include <models/structure_impact.hpp>
#include <stoss/impact/infinite_structure.hpp>
#include <stoss/impact/restitution.hpp>

namespace stoss::impact {
namespace {

/// The equation of the plate is that of a bead with damping by the rate of its Hertz force.
Restitution bead_of_plate(double lambda) {
    contact::Viscoelastic law;
    law.stiffness = 1.0;
    law.exponent = law.damping_exponent = 1.5;
    law.damping_factor = lambda;
    return restitution(
        law, {.speed = 1.0, .mass = 1.0, .separation = contact::Separation::zero_overlap});
}

TEST(InfinitePlate, IsTheBeadOfZenersEquationWithinTheEstimatedError) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> lambda(0.0, 2.5);
    int within = 0;
    constexpr int impacts = 100;
    for (int i = 0; i < impacts; ++i) {
        const double parameter = lambda(random);
        const InfiniteImpact plate = infinite_impact(InfiniteStructure::plate, parameter);
        const Restitution bead = bead_of_plate(parameter);
        EXPECT_NEAR(plate.cor, *bead.cor, 1e-7) << parameter;
        EXPECT_NEAR(plate.duration, *bead.duration, 2e-6) << parameter;
        EXPECT_NEAR(plate.peak_overlap, *bead.peak_overlap, 1e-7) << parameter;
        within += std::abs(plate.cor - *bead.cor) <= plate.cor_error + 1e-10;
    }
    EXPECT_GE(within, 95);
}

/// Computed elsewhere to six digits.
TEST(InfiniteBeam, GivesTheKnownRestitutions) {
    for (const auto& [eta, cor] : {std::pair{0.1, 0.833988}, std::pair{0.3, 0.568299},
                                   std::pair{0.5, 0.365645}, std::pair{1.0, 0.023346}})
        EXPECT_NEAR(infinite_impact(InfiniteStructure::beam, eta).cor, cor, 6e-7) << eta;
}

TEST(InfiniteBeam, IsFollowedByTheSphereBeyondAnEtaOf1Point04) {
    EXPECT_GT(infinite_impact(InfiniteStructure::beam, 1.03).cor, 0.0);
    EXPECT_LT(infinite_impact(InfiniteStructure::beam, 1.05).cor, 0.0);
}

TEST(InfiniteStructure, OfInfiniteInertiaIsARigidBody) {
    contact::Hertz law;
    law.stiffness = 1.0;
    const Restitution rigid = restitution(law, {.speed = 1.0, .mass = 1.0});
    for (const auto structure : {InfiniteStructure::plate, InfiniteStructure::beam}) {
        const InfiniteImpact found = infinite_impact(structure, 0.0);
        EXPECT_NEAR(found.cor, 1.0, 1e-7);
        EXPECT_NEAR(found.duration, *rigid.duration, 1e-7);
        EXPECT_NEAR(found.peak_force, *rigid.peak_force, 1e-7);
    }
}

/// A steel ball on a glass plate; D and Z by hand.
TEST(StructureImpact, HasZenersParameter) {
    models::StructureImpact impact;
    impact.sphere = {5e-3, models::steel()};
    impact.speed = 1.0;
    impact.target.shape = models::InfinitePlate{10e-3, models::glass()};
    const double mass = 4.0 / 3.0 * std::numbers::pi * 125e-9 * 7850.0;
    const double bending = 70e9 * 1e-6 / (12.0 * (1.0 - 0.04));
    const double modulus = 1.0 / (0.91 / 210e9 + 0.96 / 70e9);
    const double stiffness = 4.0 / 3.0 * modulus * std::sqrt(5e-3);
    const double time = std::pow(mass / stiffness, 0.4);
    EXPECT_NEAR(impact.parameter(), mass / (8.0 * std::sqrt(25.0 * bending) * time), 1e-12);
    const auto result = models::impact_on_structure(impact);
    EXPECT_NEAR(result.peak_force, stiffness * std::pow(result.peak_overlap, 1.5),
                1e-6 * result.peak_force);
    EXPECT_NEAR(result.wavelength, 2.0 * result.edge_distance, 1e-15);
}

TEST(StructureImpact, ParameterOfAPlateFallsWithTheSquareOfItsThickness) {
    models::StructureImpact impact;
    impact.sphere = {5e-3, models::steel()};
    impact.speed = 1.0;
    impact.target.shape = models::InfinitePlate{2e-3, models::steel()};
    const double thin = impact.parameter();
    impact.target.shape = models::InfinitePlate{6e-3, models::steel()};
    EXPECT_NEAR(impact.parameter(), thin / 9.0, 1e-14);
}

TEST(StructureImpact, OnABeamThatChangesIsRefused) {
    models::StructureImpact impact;
    impact.sphere = {5e-3, models::steel()};
    impact.speed = 1.0;
    impact.target.shape = models::InfiniteBeam{models::Section(models::Profile{}), models::steel()};
    const auto found = check(impact);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found.front().key, "target.section");
}

}  // namespace
}  // namespace stoss::impact
