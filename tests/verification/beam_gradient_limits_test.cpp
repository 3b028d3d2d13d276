/// Where a formula behind a gradient bends, jumps or has a number that is 0 (docs/gradients.md,
/// section 5): the gradient is that of differences of collisions, or there is none.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <models/beam_body_slopes.hpp>
#include <models/beam_gradients.hpp>
#include <models/parts.hpp>
#include <stoss/core/number_key.hpp>
#include <stoss/core/stencil.hpp>
#include <stoss/impact/gradient.hpp>

namespace stoss {
namespace {

using impact::Quantity;
using models::BeamCollision;
using models::BeamGradients;
using models::BeamModel;

const models::Material steel{.youngs_modulus = 2.1e11, .poisson_ratio = 0.3, .density = 7800.0};
const std::string place(models::contact_place_key);

/// A steel sphere strikes a round bar of aluminium on two pins, of few elements.
BeamCollision bar() {
    BeamCollision c;
    c.beam.length = 0.4;
    c.beam.section.shape = models::Circle{.radius = 0.006};
    c.beam.material = {.youngs_modulus = 7e10, .poisson_ratio = 0.33, .density = 2700.0};
    c.beam.supports = {models::pin(0.1), models::pin(0.9)};
    c.striker = models::solid_sphere(0.012, steel, 0.5);
    c.mesh.elements = 12;
    c.mesh.modes.emplace(8);
    c.integration.scheme = time::Splitting{1e-12};
    return c;
}

/// Thickest in the middle, where the taper turns.
template <class Shape>
models::Profile thickest_in_the_middle(const Shape& thin, const Shape& thick) {
    return {{{0.0, thin}, {0.5, thick}, {1.0, thin}}, {}};
}

/// The derivative of e.
double slope(const BeamCollision& collision, const std::string& key, double xi) {
    const BeamModel model(collision);
    const auto found = BeamGradients(model, {key}).at(xi, std::array{Quantity::cor_kinematic});
    EXPECT_EQ(found.result.status, impact::Status::separated);
    return found.by_key.size() == 0 ? 0.0 : found.by_key(0, 0);
}

/// Why there is none.
std::string reason(const BeamCollision& collision, const std::string& key) {
    const BeamModel model(collision);
    return BeamGradients(model, {key}).reason(0);
}

double e_with(BeamCollision collision, const std::string& key, double number, double xi) {
    if (key == place)
        return BeamModel(collision).collide(number / collision.beam.length).cor_kinematic;
    core::number_at(collision, key).set(number);
    return BeamModel(collision).collide(xi).cor_kinematic;
}

/// Of collisions at the points of the stencil.
double difference(const BeamCollision& collision, const std::string& key,
                  const core::Stencil& stencil, double xi) {
    double sum = 0.0;
    for (std::size_t i = 0; i < core::Stencil::points; ++i)
        sum += stencil.weight(i) * e_with(collision, key, stencil.number(i), xi);
    return sum;
}

/// 1 g m^2 would move the modes so far that their eigenvalues were negative.
TEST(BeamGradients, ByAnInertiaOfZeroAreTheLimitsOfDifferences) {
    const std::string key = "beam.masses[0].inertia";
    for (const double internal_damping : {0.0, 1e6}) {
        for (const int modes : {8, 14}) {
            BeamCollision c = bar();
            c.beam.masses = {{.xi = 0.75, .mass = 0.02, .inertia = 0.0}};
            c.beam.internal_damping = internal_damping;
            c.mesh.modes.emplace(modes);
            // Without damping e bends within 1e-9 kg m^2.
            const double length = internal_damping > 0.0 ? 2e-9 : 2e-12;
            const double expected = difference(c, key, {0.0, length, 0}, 0.7);
            EXPECT_NEAR(slope(c, key, 0.7), expected, 1e-5 * std::abs(expected))
                << internal_damping << ", " << modes;
        }
    }
}

/// The residual mode is no polynomial along an element, nor are the flexibility of a taper and its
/// contact stiffness.
TEST(BeamGradients, ByThePlaceOnACoarseMeshAreTheLimitsOfDifferences) {
    BeamCollision viscoelastic = bar(), tapered = bar(), stout = bar(), swinging = bar();
    viscoelastic.beam.supports = {};
    viscoelastic.beam.internal_damping = 1e6;
    tapered.beam.section.shape =
        thickest_in_the_middle(models::Circle{0.004}, models::Circle{0.009});
    stout.beam.theory = models::Timoshenko{};
    stout.beam.internal_damping = 1e6;
    swinging.beam.supports = {models::pin(0.1)};
    swinging.motion.approach_speed = 0.5;
    for (const BeamCollision& c : {viscoelastic, tapered, stout, swinging}) {
        for (const double xi : {0.31, 0.92}) {
            const double expected = difference(c, place, {0.4 * xi, 1e-5}, xi);
            EXPECT_NEAR(slope(c, place, xi), expected, 1e-6 * std::abs(expected) + 1e-7) << xi;
        }
    }
}

/// A shoulder of two elements, which has three if its radius is a little larger:
/// 12 log2(r)/40 = 2 of the places at which the stiffness is looked at.
BeamCollision shouldered_bar(double more) {
    BeamCollision c = bar();
    const double ratio = std::exp2(5.0 / 3.0), thin = 0.0028;
    const double thick = thin + 32.0 * thin * (ratio - 1.0) / (31.0 - ratio) + more;
    c.beam.section.shape = models::Profile{{{0.0, models::Circle{thin}},
                                            {0.5, models::Circle{thin}},
                                            {0.503, models::Circle{thick}},
                                            {1.0, models::Circle{thick}}},
                                           {}};
    return c;
}

TEST(BeamGradients, ByTheRadiusOfASteepShoulderAreTheLimitsOfDifferences) {
    BeamCollision c = shouldered_bar(0.0);
    const std::string key = "beam.section.stations[2].radius";
    const double radius = core::number_at(c, key).value().value();
    const double expected = difference(c, key, {radius, 1e-8, -6}, 0.55);
    EXPECT_NEAR(slope(c, key, 0.55), expected, 1e-3 * std::abs(expected));
}

TEST(BeamGradients, AreThoseOfABodyThatKeepsItsElements) {
    for (const bool has_shear : {false, true}) {
        BeamCollision one = shouldered_bar(0.0), other = shouldered_bar(1e-7);
        for (BeamCollision* c : {&one, &other}) {
            c->beam.supports = {};
            if (has_shear) c->beam.theory = models::Timoshenko{};
        }
        const models::BeamBody body(one.beam, one.mesh);
        ASSERT_NE(models::BeamBody(other.beam, other.mesh).mesh.elements(), body.mesh.elements());
        const models::BeamBody moved(body, models::BeamBodySlope::none(body), 0.0, other.beam,
                                     other.mesh);
        for (const double xi : {0.2, 0.5005, 0.5015, 0.55, 0.93}) {
            const double residual = body.residual_flexibility(xi, body.shapes_at(xi));
            EXPECT_NEAR(moved.residual_flexibility(xi, moved.shapes_at(xi)), residual,
                        1e-4 * residual)
                << xi << ", shear " << has_shear;
        }
    }
}

TEST(BeamGradients, ByThePlaceOnAStrikingBeamAreTheLimitsOfDifferences) {
    for (const double xi : {0.37, 0.5}) {  // inside an element; at a node
        BeamCollision c = bar();
        models::StrikingBeam other;
        other.beam = bar().beam;
        other.beam.supports = {};
        other.beam.theory = models::Timoshenko{};
        other.beam.internal_damping = 1e6;
        other.xi = xi;
        other.angular_velocity = 1.0;
        c.striker = {};
        c.striker.shape = other;
        c.striker.velocity = 0.5;
        const double expected = difference(c, "striker.xi", {xi, 1e-5}, 0.31);
        EXPECT_NEAR(slope(c, "striker.xi", 0.31), expected, 1e-6) << xi;
    }
}

/// At a node of a mesh with shear the elements have a kink that the beam has not. By symmetry the
/// derivative in the middle vanishes.
TEST(BeamGradients, ByThePlaceAtANodeWithShearAreTheMeanOfBothSides) {
    BeamCollision c = bar();
    c.beam.theory = models::Timoshenko{};
    EXPECT_LT(std::abs(slope(c, place, 0.5)), 1e-7 * std::abs(slope(c, place, 0.45)));
    const double xi = 0.34, x = 0.4 * xi;  // a node too
    const double left = difference(c, place, {x, 1e-6, -6}, xi);
    const double right = difference(c, place, {x, 1e-6, 0}, xi);
    EXPECT_GT(std::abs(right - left), 1e-5 * std::abs(right));
    EXPECT_NEAR(slope(c, place, xi), 0.5 * (left + right), 1e-5 * std::abs(right));
}

TEST(BeamGradients, ByThePlaceAreMissingWhereTheBeamHasAKinkOrAJump) {
    BeamCollision taper = bar(), other_material = bar(), spring = bar();
    taper.beam.section.shape = thickest_in_the_middle(models::Circle{0.005}, models::Circle{0.007});
    other_material.beam.materials = {{.xi = 0.5, .material = steel}};
    spring.beam.theory = models::Timoshenko{};
    spring.beam.springs = {{.xi = 0.5, .translation = 1e5}};
    for (const BeamCollision& c : {taper, other_material, spring}) {
        EXPECT_TRUE(std::isnan(slope(c, place, 0.5)));
        EXPECT_TRUE(std::isfinite(slope(c, place, 0.4999)));
    }
}

/// The surface stays flat, and deflections have no kink.
TEST(BeamGradients, ByThePlaceAtAStationOfAFlatTaperAreThere) {
    for (const bool has_shear : {false, true}) {
        BeamCollision c = bar();
        c.beam.section.shape =
            thickest_in_the_middle(models::Rectangle{0.02, 0.008}, models::Rectangle{0.02, 0.011});
        if (has_shear) c.beam.theory = models::Timoshenko{};
        EXPECT_LT(std::abs(slope(c, place, 0.5)), 1e-7 * std::abs(slope(c, place, 0.45)));
    }
}

/// With damping the residual flexibility becomes a mode, and e jumps.
TEST(BeamGradients, ByADampingThatMakesAModeOfTheResidualFlexibilityAreMissing) {
    contact::LinearDamping damper, elastic;
    damper.damping = 0.0;
    elastic.restitution = 1.0;
    const std::array<std::pair<contact::Law, std::string>, 2> cases{
        {{damper, "contact.damping"}, {elastic, "contact.restitution"}}};
    for (const auto& [law, key] : cases) {
        BeamCollision c = bar();
        c.contact.law = law;
        EXPECT_EQ(reason(c, key), "beside this value the model has other modes") << key;
        EXPECT_TRUE(std::isnan(slope(c, key, 0.31))) << key;
        EXPECT_TRUE(std::isfinite(slope(c, "striker.radius", 0.31))) << key;
        c.mesh.residual_flexibility = false;
        EXPECT_EQ(reason(c, key), "") << key;
        EXPECT_TRUE(std::isfinite(slope(c, key, 0.31))) << key;
        c.mesh.residual_flexibility = true;
        c.beam.internal_damping = 1e6;  // has a mode anyhow
        EXPECT_EQ(reason(c, key), "") << key;
    }
}

TEST(BeamGradients, ByPointsOfATableAreRefused) {
    BeamCollision c = bar();
    contact::Tabulated law;
    law.overlap = {0.0, 5e-6, 1e-5, 2e-5, 4e-5};
    law.force_points = {0.0, 40.0, 120.0, 350.0, 1000.0};
    c.contact.law = law;
    const std::vector<std::string> keys{"contact.force[2]", "contact.overlap[2]"};
    const auto found = models::check_gradient(c, keys, "gradient");
    ASSERT_EQ(found.size(), keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(found[i].value, keys[i]);
}

}  // namespace
}  // namespace stoss
