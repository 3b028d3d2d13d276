/// Gradients of collisions of beams by the keys of their cases (docs/theory/gradients.md).

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <collision_differences.hpp>
#include <models/beam_gradients.hpp>
#include <models/parts.hpp>
#include <published_beam.hpp>
#include <stoss/core/number_key.hpp>
#include <stoss/impact/gradient.hpp>

namespace stoss {
namespace {

using impact::Quantity;
using models::BeamCollision;
using models::BeamGradients;
using models::BeamModel;
using models::CollisionSlopes;
using tests::differences;
using Sample = tests::CollisionSample;

constexpr std::array quantities{Quantity::cor_kinematic, Quantity::impulse, Quantity::peak_force,
                                Quantity::separation, Quantity::energy_vibration};

/// A steel sphere strikes a bar of aluminium.
Sample simple() {
    BeamCollision c;
    c.beam.length = 0.4;
    c.beam.section.shape = models::Rectangle{.width = 0.02, .height = 0.01};
    c.beam.material = {.youngs_modulus = 7e10, .poisson_ratio = 0.33, .density = 2700.0};
    c.striker = models::solid_sphere(
        0.012, {.youngs_modulus = 2.1e11, .poisson_ratio = 0.3, .density = 7800.0}, 0.5);
    c.mesh.elements = 20;
    c.mesh.modes.emplace(8);
    c.integration.scheme = time::Splitting{1e-12};
    return {c,
            0.37,
            {"beam.length", "beam.section.width", "beam.section.height",
             "beam.material.youngs_modulus", "beam.material.density", "striker.radius",
             "striker.material.youngs_modulus", "striker.material.density", "striker.velocity"}};
}

/// Random sections, supports, masses, dampings, laws and strikers.
class Samples {
  public:
    explicit Samples(unsigned seed) : random_(seed) {}

    Sample next() {
        Sample sample = simple();
        sample.xi = between(0.15, 0.95);
        BeamCollision& c = sample.collision;
        scale(sample);
        hold(c.beam, sample.keys);
        if (chance(0.5)) {
            c.beam.masses = {{.xi = 0.8, .mass = between(0.01, 0.1), .inertia = 1e-6}};
            sample.keys.insert(sample.keys.end(),
                               {"beam.masses[0].mass", "beam.masses[0].inertia"});
        }
        if (chance(0.3)) c.beam.theory = models::Timoshenko{};
        if (chance(0.3)) add_damping(sample, "beam.external_damping", between(1.0, 20.0));
        if (chance(0.3)) add_damping(sample, "beam.internal_damping", between(1e5, 2e6));
        if (chance(0.4)) {
            c.contact.law = contact::HuntCrossley{.damping_factor = between(0.05, 0.5)};
            sample.keys.emplace_back("contact.damping_factor");
        }
        if (chance(0.3)) add(sample, "striker.load", between(0.1, 3.0));
        sample.keys.emplace_back(models::contact_place_key);
        return sample;
    }

    bool chance(double share) { return between(0.0, 1.0) < share; }
    std::string pick(const std::vector<std::string>& from) {
        return from[std::uniform_int_distribution<std::size_t>(0, from.size() - 1)(random_)];
    }

  private:
    double between(double low, double high) {
        return std::uniform_real_distribution(low, high)(random_);
    }

    void add(Sample& sample, const std::string& key, double value) {
        core::number_at(sample.collision, key).set(value);
        sample.keys.push_back(key);
    }

    /// Unless it couples the modes, which have no derivatives then.
    void add_damping(Sample& sample, const std::string& key, double value) {
        Sample damped = sample;
        add(damped, key, value);
        if (!models::coupling_damping(damped.collision.beam, "")) sample = damped;
    }

    /// All dimensions by up to 20 %; or a bar that is round, or thinner to one end.
    void scale(Sample& sample) {
        for (const std::string& key : sample.keys) {
            const core::NumberKey number = core::number_at(sample.collision, key);
            number.set(*number.value() * between(0.8, 1.25));
        }
        auto& shape = sample.collision.beam.section.shape;
        auto& keys = sample.keys;
        if (chance(0.3)) {
            shape = models::Circle{.radius = between(0.005, 0.008)};
            keys.erase(keys.begin() + 1);
            keys[1] = "beam.section.radius";
        }
    }

    void hold(models::Beam& beam, std::vector<std::string>& keys) {
        const double which = between(0.0, 1.0);
        if (which < 0.25) return;
        if (which < 0.5) beam.supports = {models::pin(0.05)};
        if (which >= 0.5 && which < 0.7) beam.supports = {models::clamp(0.0)};
        if (which >= 0.7) beam.supports = {models::pin(0.1), models::pin(0.9)};
        if (!chance(0.4)) return;
        beam.springs = {{.xi = 0.7, .translation = between(1e3, 1e5), .rotation = between(1, 10)}};
        keys.insert(keys.end(), {"beam.springs[0].translation", "beam.springs[0].rotation"});
    }

    std::mt19937 random_;
};

/// Every derivative agrees with a difference to 1e-6, in units of result over number, or the
/// difference itself is not known that well: near a kink, or where e depends on small details.
/// 19 of 20 do agree.
TEST(BeamGradients, AgreeWithDifferencesOfCollisions) {
    Samples samples(26);
    std::size_t compared = 0, close = 0;
    for (int i = 0; i < 24; ++i) {
        const Sample sample = samples.next();
        const BeamModel model(sample.collision);
        const BeamGradients gradients(model, sample.keys);
        const CollisionSlopes slopes = gradients.at(sample.xi, quantities);
        if (slopes.by_key.size() == 0) continue;
        const std::string key = samples.pick(sample.keys);
        const std::size_t k =
            static_cast<std::size_t>(std::ranges::find(sample.keys, key) - sample.keys.begin());
        const double number = gradients.value(k, sample.xi);
        const auto found =
            differences(sample, quantities, key, number, slopes.result.sub_impacts.size());
        for (std::size_t q = 0; q < quantities.size(); ++q) {
            const double size = std::abs(impact::value_of(slopes.result, quantities[q]) / number);
            const double slope =
                slopes.by_key(static_cast<Eigen::Index>(q), static_cast<Eigen::Index>(k));
            const double error = std::abs(slope - found[q].slope) / std::max(size, std::abs(slope));
            ++compared;
            close += error < 1e-6 ? 1 : 0;
            if (!found[q].is_smooth) continue;
            EXPECT_LT(error, 1e-6 + 3.0 * std::abs(found[q].error) / size)
                << "sample " << i << ", " << key << ", quantity " << q;
        }
    }
    EXPECT_GT(compared, 80U);
    EXPECT_GE(static_cast<double>(close), 0.95 * static_cast<double>(compared));
}

/// e has no dimension: with the exponents of mass, length and time in the units of all keys the
/// logarithmic derivatives sum to zero, to the error of a collision at 1e-12. Nothing is compared
/// with a difference.
TEST(BeamGradients, KnowNoUnits) {
    for (const bool is_held : {false, true}) {
        Sample sample = simple();
        BeamCollision& c = sample.collision;
        std::vector<std::array<double, 3>> exponents{{0, 1, 0},   {0, 1, 0},  {0, 1, 0},
                                                     {1, -1, -2}, {1, -3, 0}, {0, 1, 0},
                                                     {1, -1, -2}, {1, -3, 0}, {0, 1, -1}};
        if (!is_held) {  // damping would couple the modes of the other beam
            c.beam.external_damping = 4.0;
            c.beam.internal_damping = 1e5;
            sample.keys.insert(sample.keys.end(),
                               {"beam.external_damping", "beam.internal_damping"});
            exponents.insert(exponents.end(), {{1, -1, -1}, {1, -1, -1}});
        }
        if (is_held) {
            c.beam.supports = {models::pin(0.1)};
            c.beam.springs = {{.xi = 0.7, .translation = 2e4, .rotation = 5.0}};
            c.beam.masses = {{.xi = 0.9, .mass = 0.05, .inertia = 2e-6}};
            c.beam.theory = models::Timoshenko{};
            sample.keys.insert(sample.keys.end(),
                               {"beam.springs[0].translation", "beam.springs[0].rotation",
                                "beam.masses[0].mass", "beam.masses[0].inertia"});
            exponents.insert(exponents.end(), {{1, 0, -2}, {1, 2, -2}, {1, 0, 0}, {1, 2, 0}});
        }
        const BeamModel model(c);
        const BeamGradients gradients(model, sample.keys);
        const CollisionSlopes slopes = gradients.at(sample.xi, std::array{Quantity::cor_kinematic});
        ASSERT_EQ(slopes.by_key.size(), static_cast<Eigen::Index>(sample.keys.size()));
        for (std::size_t unit = 0; unit < 3; ++unit) {
            double sum = 0.0, size = 0.0;
            for (std::size_t k = 0; k < sample.keys.size(); ++k) {
                const double part = exponents[k][unit] * gradients.value(k, sample.xi) *
                                    slopes.by_key(0, static_cast<Eigen::Index>(k));
                sum += part;
                size += std::abs(part);
            }
            EXPECT_LT(std::abs(sum), 1e-9 * size) << "held " << is_held << ", unit " << unit;
        }
    }
}

TEST(BeamGradients, ComeWithTheCollisionItself) {
    const Sample sample = simple();
    const BeamModel model(sample.collision);
    const BeamGradients gradients(model, sample.keys);
    const auto with = gradients.at(sample.xi, quantities).result;
    const auto without = model.collide(sample.xi);
    EXPECT_EQ(with.cor_kinematic, without.cor_kinematic);
    EXPECT_EQ(with.impulse, without.impulse);
    EXPECT_EQ(with.peak_force, without.peak_force);
}

constexpr std::array all_results{Quantity::cor_kinematic, Quantity::cor_kinetic,
                                 Quantity::cor_energetic, Quantity::impulse,
                                 Quantity::peak_force,    Quantity::compression_end,
                                 Quantity::separation,    Quantity::energy_vibration};

/// What a difference of derivatives is relative to: the derivative, or, where derivatives cancel,
/// quantity over number if that is larger.
enum class Relative { to_derivative, to_quantity };

/// The derivatives by the first keys, and their kinks, are the same to `tolerance`, relative.
void expect_same(const BeamGradients& alone, const BeamGradients& among, double xi,
                 double tolerance, Relative relative = Relative::to_derivative,
                 double xi_by_length = 0.0) {
    for (const bool with_kinks : {false, true}) {
        const CollisionSlopes one = alone.at(xi, all_results, xi_by_length, with_kinks);
        const CollisionSlopes other = among.at(xi, all_results, xi_by_length, with_kinks);
        ASSERT_EQ(one.by_key.rows(), static_cast<Eigen::Index>(all_results.size()));
        for (Eigen::Index q = 0; q < one.by_key.rows(); ++q) {
            for (Eigen::Index k = 0; k < one.by_key.cols(); ++k) {
                const double expected = other.by_key(q, k);
                double scale = std::abs(expected);
                if (relative == Relative::to_quantity) {
                    const Quantity quantity = all_results[static_cast<std::size_t>(q)];
                    const double number = alone.value(static_cast<std::size_t>(k), xi);
                    scale =
                        std::max(scale, std::abs(impact::value_of(one.result, quantity) / number));
                }
                EXPECT_NEAR(one.by_key(q, k), expected, tolerance * scale)
                    << xi << ", quantity " << q << ", key " << k;
            }
        }
        for (std::size_t k = 0; k < one.kinks.size(); ++k) {
            ASSERT_EQ(one.kinks[k].has_value(), other.kinks[k].has_value());
            if (!one.kinks[k]) continue;
            const double distance = other.kinks[k]->distance;
            EXPECT_NEAR(one.kinks[k]->distance, distance, 10.0 * tolerance * std::abs(distance));
        }
    }
}

/// Alone it takes no derivatives by all mode values. Elastic laws and others, every result, kinks.
TEST(BeamGradients, ByThePlaceAloneAreThoseByThePlaceAmongOtherKeys) {
    for (const contact::Law& law : {contact::Law(contact::Hertz{}),
                                    contact::Law(contact::HuntCrossley{.damping_factor = 0.2})}) {
        Sample sample = simple();
        sample.collision.contact.law = law;
        const BeamModel model(sample.collision);
        const std::string place(models::contact_place_key);
        const BeamGradients alone(model, {place, "striker.radius"});
        const BeamGradients among(model, {place, "striker.radius", "beam.length"});
        for (const double xi : {0.4, 0.83}) expect_same(alone, among, xi, 1e-10);
    }
}

/// Keys that change all mass of `uniform()` by one factor and all stiffness by one.
const std::vector<std::string> scaling_keys{"beam.length", "beam.section.width",
                                            "beam.section.height", "beam.material.youngs_modulus",
                                            "beam.material.density"};
/// Of this one all modes are differentiated.
const std::string other_key = "beam.masses[0].mass";

/// A slender beam; its point mass is zero.
Sample uniform() {
    Sample sample = simple();
    sample.collision.beam.masses = {{.xi = 0.7, .mass = 0.0}};
    return sample;
}

std::vector<std::string> joined(std::vector<std::string> keys, const std::string& more) {
    keys.push_back(more);
    return keys;
}

/// Such keys alone change the units of the modes; among other keys they are keys like any other.
/// They agree to the error of the steps, which knows units.
TEST(BeamGradients, ByKeysThatScaleAllModesAloneAreThoseByThemAmongOtherKeys) {
    contact::KuwabaraKono kuwabara_kono;
    kuwabara_kono.damping_factor = 1e-6;
    for (const contact::Law& law :
         {contact::Law(contact::Hertz{}),
          contact::Law(contact::HuntCrossley{.damping_factor = 0.2}),
          contact::Law(contact::HuntCrossley{.restitution = 0.7}), contact::Law(kuwabara_kono)}) {
        for (const bool is_held : {false, true}) {
            Sample sample = uniform();
            sample.collision.contact.law = law;
            if (is_held) sample.collision.beam.supports = {models::pin(0.1)};
            const BeamModel model(sample.collision);
            const auto keys = joined(scaling_keys, "striker.radius");
            const BeamGradients alone(model, keys), among(model, joined(keys, other_key));
            for (const double xi : {0.4, 0.83}) {
                expect_same(alone, among, xi, 2e-7, Relative::to_quantity);
                expect_same(alone, among, xi, 2e-7, Relative::to_quantity, -xi / 0.4);
                const std::string modulus = "beam.material.youngs_modulus";
                expect_same(BeamGradients(model, {modulus, "striker.radius"}),
                            BeamGradients(model, {modulus, "striker.radius", other_key}), xi, 2e-7);
            }
        }
    }
}

/// Coarse steps know units. So the derivatives of such steps show that they came by another way.
TEST(BeamGradients, ByKeysThatScaleAllModesTakeNoDerivativesByModes) {
    Sample sample = uniform();
    sample.collision.integration.scheme = time::Splitting{1e-3};
    const BeamModel model(sample.collision);
    for (const std::string& key : scaling_keys) {
        const std::vector<std::string> keys{key};
        const CollisionSlopes alone = BeamGradients(model, keys).at(0.83, all_results);
        const CollisionSlopes among =
            BeamGradients(model, joined(keys, other_key)).at(0.83, all_results);
        const double difference = std::abs(alone.by_key(0, 0) - among.by_key(0, 0));
        EXPECT_GT(difference, 1e-12 * std::abs(among.by_key(0, 0))) << key;
        EXPECT_LT(difference, 1e-2 * std::abs(among.by_key(0, 0))) << key;
    }
}

/// A spring, a point mass, a damping or a load of the beam does not go with its material; shear and
/// rotary inertia do not go with its height.
TEST(BeamGradients, ByAKeyThatScalesNotAllOfABeamAreThoseOfAllModes) {
    const std::array<std::string, 6> keys{
        "beam.material.youngs_modulus", "beam.material.youngs_modulus",
        "beam.material.youngs_modulus", "beam.material.youngs_modulus",
        "beam.material.density",        "beam.section.height"};
    for (std::size_t kind = 0; kind < keys.size(); ++kind) {
        Sample sample = uniform();
        BeamCollision& c = sample.collision;
        if (kind == 0) c.beam.springs = {{.xi = 0.7, .translation = 5.0}};
        if (kind == 1) c.beam.external_damping = 4.0;
        if (kind == 2) c.beam.internal_damping = 1e6;
        if (kind == 3) c.striker.load = 2.0;
        if (kind == 4) c.beam.masses[0].mass = 1e-3;
        if (kind == 5) c.beam.theory = models::Timoshenko{};
        const BeamModel model(c);
        const BeamGradients alone(model, {keys[kind]});
        const BeamGradients among(model, {keys[kind], other_key});
        expect_same(alone, among, 0.37, 1e-12);
    }
}

/// The mass of the striker changes a rigid mode alone, so that fewer derivatives are computed: the
/// same ones.
TEST(BeamGradients, ByTheMassOfTheStrikerAloneAreThoseByItAmongOtherKeys) {
    const std::string density = "striker.material.density";
    contact::KuwabaraKono damped;
    damped.damping_factor = 1e-6;
    for (const contact::Law& law : {contact::Law(contact::Hertz{}), contact::Law(damped)}) {
        for (const bool has_residual : {false, true}) {
            Sample sample = uniform();
            sample.collision.contact.law = law;
            sample.collision.mesh.residual_flexibility = has_residual;
            const BeamModel model(sample.collision);
            const BeamGradients alone(model, {density});
            const BeamGradients among(model, {density, other_key});
            for (const double xi : {0.4, 0.83}) expect_same(alone, among, xi, 1e-12);
        }
    }
}

/// Two equal cantilevers: the keys of the beam have no derivatives, those of the striker have.
TEST(BeamGradients, NameModesWithEqualEigenvalues) {
    Sample sample = simple();
    sample.collision.beam.supports = {models::clamp(0.5)};
    const BeamModel model(sample.collision);
    const BeamGradients gradients(model, sample.keys);
    const CollisionSlopes slopes = gradients.at(0.9, std::array{Quantity::cor_kinematic});
    EXPECT_NE(gradients.reason(0).find("have equal eigenvalues"), std::string::npos)
        << gradients.reason(0);
    EXPECT_TRUE(gradients.reason(8).empty());
    ASSERT_GT(slopes.by_key.size(), 0);
    EXPECT_TRUE(std::isnan(slopes.by_key(0, 0)));
    EXPECT_TRUE(std::isfinite(slopes.by_key(0, 8)));
}

/// A viscoelastic beam has a mode for those left out, which an elastic one has not.
TEST(BeamGradients, SayThatTheModelHasOtherModesBesideANumber) {
    const Sample sample = simple();
    const BeamModel model(sample.collision);
    const BeamGradients gradients(model, {std::string("beam.internal_damping")});
    EXPECT_EQ(gradients.reason(0), "beside this value the model has other modes");
}

/// Without gravity a height of fall means the standard one.
TEST(BeamGradients, AreMissingWhereTheModelJumps) {
    Sample sample = simple();
    sample.collision.motion.drop_height = 0.01;
    sample.collision.striker.velocity = 1.0;
    const BeamModel model(sample.collision);
    const BeamGradients gradients(
        model, {std::string("motion.gravity"), std::string("motion.drop_height")});
    const CollisionSlopes slopes = gradients.at(sample.xi, std::array{Quantity::cor_kinematic});
    ASSERT_EQ(slopes.by_key.size(), 2);
    EXPECT_TRUE(std::isnan(slopes.by_key(0, 0)));
    EXPECT_TRUE(std::isfinite(slopes.by_key(0, 1)));
}

/// A distance from the end stays: the share of a longer beam shrinks.
TEST(BeamGradients, OfAPlaceAtADistanceFollowTheLength) {
    const Sample sample = simple();
    const BeamModel model(sample.collision);
    const double l = sample.collision.beam.length;
    const BeamGradients gradients(
        model, {std::string("beam.length"), std::string(models::contact_place_key)});
    const std::array wanted{Quantity::cor_kinematic};
    const auto share = gradients.at(sample.xi, wanted).by_key;
    const auto distance = gradients.at(sample.xi, wanted, -sample.xi / l).by_key;
    EXPECT_NEAR(distance(0, 0), share(0, 0) - sample.xi * share(0, 1),
                1e-12 * std::abs(share(0, 0)));
}

/// Along the published beam the sequence of sub-impacts does change where the nearest kink is said
/// to be, and not before, if it is so near that the margin is straight (docs/theory/gradients.md).
/// At 0.30 and 0.61 a sub-impact splits.
TEST(BeamGradients, TellHowFarTheNextKinkIs) {
    BeamCollision collision = published_beam();
    collision.integration.scheme = time::Splitting{1e-10};
    const BeamModel model(collision);
    const double l = collision.beam.length;
    const BeamGradients gradients(model, {std::string(models::contact_place_key)});
    const auto sub_impacts = [&](double xi) { return model.collide(xi).sub_impacts.size(); };
    std::array<int, 4> events{};
    for (const double xi : {0.30, 0.61, 0.678, 0.6935, 0.695, 0.7105, 0.80, 0.85}) {
        const auto slopes = gradients.at(xi, std::array{Quantity::cor_kinematic}, 0.0, true);
        ASSERT_EQ(slopes.kinks.size(), 1U);
        ASSERT_TRUE(slopes.kinks[0].has_value()) << xi;
        const double distance = slopes.kinks[0]->distance / l;
        ++events[static_cast<std::size_t>(slopes.kinks[0]->event)];
        EXPECT_LT(std::abs(distance), 1e-3) << xi;
        for (const double before : {-0.7, -0.3, 0.3, 0.7})
            EXPECT_EQ(sub_impacts(xi + before * distance), sub_impacts(xi)) << xi << distance;
        EXPECT_NE(sub_impacts(xi + 1.3 * distance), sub_impacts(xi)) << xi << distance;
    }
    for (const int each : events) EXPECT_GT(each, 0);
}

/// A key that changes no mode needs no derivatives by eigenvalues and dampings.
TEST(BeamGradients, AreTheSameBesideKeysThatChangeModes) {
    const Sample sample = simple();
    const BeamModel model(sample.collision);
    const std::vector<std::string> alone{"striker.radius"}, both{"striker.radius", "beam.length"};
    const auto few = BeamGradients(model, alone).at(sample.xi, quantities).by_key;
    const auto many = BeamGradients(model, both).at(sample.xi, quantities).by_key;
    EXPECT_EQ(few.col(0), many.col(0));
}

/// Models of one beam share what is known of its steps; results are the same bits.
TEST(BeamGradients, OfAModelThatTakesTheModesOfAnotherOneAreTheSame) {
    Sample sample = simple();
    const BeamModel nominal(sample.collision);
    core::number_at(sample.collision, "striker.radius").set(7e-3);
    const BeamModel own(sample.collision), shared(sample.collision, nominal);
    const std::vector<std::string> keys{"beam.length", "striker.radius"};
    const auto a = BeamGradients(own, keys).at(sample.xi, quantities);
    const auto b = BeamGradients(shared, keys).at(sample.xi, quantities);
    EXPECT_EQ(a.result.cor_kinematic, b.result.cor_kinematic);
    EXPECT_EQ(a.by_key, b.by_key);
}

TEST(BeamGradients, RefuseKeysThatAreNoNumbersOfTheBodies) {
    Sample sample = simple();
    sample.collision.beam.supports = {models::pin(0.1)};
    const std::vector<std::string> keys{"beam.lenght",           "striker.mass",
                                        "mesh.elements",         "beam.supports[0].xi",
                                        "integration.tolerance", "contact.stiffness"};
    const auto found = models::check_gradient(sample.collision, keys, "gradient");
    ASSERT_EQ(found.size(), keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(found[i].value, keys[i]);
    sample.collision.beam.dashpots = {{.xi = 0.5, .translation = 1.0}};
    sample.collision.integration.scheme = time::Newmark{};
    EXPECT_EQ(models::check_gradient(sample.collision, {}, "gradient").size(), 2U);
}

/// Their derivatives are not known where damping couples the modes, or would beside the value.
TEST(BeamGradients, RefuseKeysBesideWhichDampingCouplesTheModes) {
    const std::string external = "beam.external_damping", internal = "beam.internal_damping",
                      mass = "beam.masses[0].mass";
    const std::vector<std::string> keys{"beam.length", external, internal, mass};
    const auto refused = [&](const BeamCollision& c) {
        std::vector<std::string> values;
        for (const core::Violation& each : models::check_gradient(c, keys, "gradient"))
            values.push_back(each.value);
        return values;
    };
    using Values = std::vector<std::string>;
    Sample sample = simple();
    models::Beam& beam = sample.collision.beam;
    beam.masses = {{.xi = 0.8, .mass = 0.0}};
    EXPECT_EQ(refused(sample.collision), Values{});
    beam.external_damping = 4.0;
    EXPECT_EQ(refused(sample.collision), Values{mass});
    beam.masses[0].mass = 0.1;
    EXPECT_EQ(refused(sample.collision), Values{""});  // none has a derivative
    beam.external_damping = 0.0;
    EXPECT_EQ(refused(sample.collision), Values{external});
    beam.springs = {{.xi = 0.5, .translation = 1e4}};
    EXPECT_EQ(refused(sample.collision), (Values{external, internal}));
}

}  // namespace
}  // namespace stoss
