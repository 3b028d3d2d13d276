/// Impact on a large plate and on a long beam (docs/theory/infinite_structures.md).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <models/materials.hpp>
#include <models/structure_impact.hpp>
#include <stoss/core/elementary.hpp>
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
        EXPECT_NEAR(plate.cor, *bead.cor, 2e-8) << parameter;
        EXPECT_NEAR(plate.duration, *bead.duration, 2e-6) << parameter;
        EXPECT_NEAR(plate.peak_overlap, *bead.peak_overlap, 1e-7) << parameter;
        within += std::abs(plate.cor - *bead.cor) <= plate.cor_error + 1e-10;
    }
    EXPECT_GE(within, 95);
}

/// The numbers by an integration of s' = 1 - P - lambda s^1.5, P' = s^1.5 elsewhere.
TEST(InfinitePlate, LetsTheSphereGoHoweverLongTheContactLasts) {
    struct Known {
        double lambda, cor, duration;
    };
    for (const Known& known : {Known{3.0, 0.0027954, 16.934}, Known{4.5, 0.000368, 33.357},
                               Known{9.0, 1.15e-5, 96.34}}) {
        const InfiniteImpact found = infinite_impact(InfiniteStructure::plate, known.lambda);
        EXPECT_NEAR(found.cor, known.cor, 1e-3 * known.cor) << known.lambda;
        EXPECT_NEAR(found.duration, known.duration, 1e-3) << known.lambda;
    }
}

/// At the end the speeds are so low that the waves take little: with the scales s^(1/4) = 1/lambda
/// of that motion e is in proportion to lambda^-5.
TEST(InfinitePlate, OfALargeParameterHasARestitutionThatFallsWithItsFifthPower) {
    const auto scaled = [](double lambda) {
        return infinite_impact(InfiniteStructure::plate, lambda).cor * core::pow(lambda, 5.0);
    };
    EXPECT_NEAR(scaled(100.0), 0.67929, 1e-5);
    EXPECT_NEAR(scaled(2500.0), 0.6793, 1e-4);
}

TEST(InfinitePlate, OfAParameterBeyond2500HasNoEndInTheTimeThatIsFollowed) {
    for (const double lambda : {2700.0, 1e6, 1e15}) {
        const InfiniteImpact found = infinite_impact(InfiniteStructure::plate, lambda);
        EXPECT_FALSE(found.ends()) << lambda;
        // The sphere sinks at its speed until the force is 1/lambda.
        EXPECT_NEAR(found.peak_force * lambda, 1.0, 1e-4) << lambda;
    }
}

TEST(InfiniteBeam, DoesNotLetTheSphereGoBeyondAnEtaOf2Point85) {
    EXPECT_TRUE(infinite_impact(InfiniteStructure::beam, 2.847).ends());
    EXPECT_LT(infinite_impact(InfiniteStructure::beam, 2.847).duration, 3.5);
    double last = infinite_impact(InfiniteStructure::beam, 2.8).peak_force;
    for (const double eta : {2.85, 2.9, 3.1, 3.2, 4.0, 10.0, 1e4, 1e12}) {
        const InfiniteImpact found = infinite_impact(InfiniteStructure::beam, eta);
        EXPECT_FALSE(found.ends()) << eta;
        EXPECT_TRUE(std::isnan(found.duration)) << eta;
        EXPECT_LT(found.peak_force, last) << eta;
        EXPECT_GT(found.peak_force, 0.0) << eta;
        last = found.peak_force;
    }
}

TEST(InfiniteStructure, KnowsItsRestitutionTo2e8) {
    for (int i = 0; i <= 100; ++i) {
        const double share = i / 100.0;
        for (const double lambda : {3.0 * share, 2500.0 * share * share * share}) {
            const InfiniteImpact plate = infinite_impact(InfiniteStructure::plate, lambda);
            EXPECT_LT(plate.cor_error, std::min(2e-8, 2e-4 * plate.cor)) << lambda;
        }
        const double eta = 2.847 * share;
        EXPECT_LT(infinite_impact(InfiniteStructure::beam, eta).cor_error, 2e-8) << eta;
    }
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
