/// Gradients by one key at a time, which may change all modes of a beam alike and then need no
/// derivatives by them (docs/theory/gradients.md 26.20, 26.21): inclined beams, whose axial modes
/// change otherwise than those of bending, beams that strike, and beams with springs, masses and
/// stations.

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
#include <stoss/impact/gradient.hpp>

namespace stoss {
namespace {

using impact::Quantity;
using models::BeamCollision;
using models::BeamGradients;
using models::BeamModel;
using tests::differences;
using Sample = tests::CollisionSample;

constexpr std::array quantities{Quantity::cor_kinematic, Quantity::impulse, Quantity::separation};
const models::Material steel{.youngs_modulus = 2.1e11, .poisson_ratio = 0.3, .density = 7800.0};
const models::Material aluminium{.youngs_modulus = 7e10, .poisson_ratio = 0.33, .density = 2700.0};
const std::string place(models::contact_place_key);

/// A section and all its numbers.
struct Section {
    models::Section::Shape shape;
    std::vector<std::string> keys;
};

std::vector<Section> sections() {
    const models::Profile taper{
        {{0.0, models::Rectangle{0.02, 0.012}}, {1.0, models::Rectangle{0.02, 0.009}}}, {}};
    return {
        {models::Circle{.radius = 0.006}, {"radius"}},
        {models::Tube{.outer_radius = 0.008, .inner_radius = 0.005},
         {"outer_radius", "inner_radius"}},
        {models::Rectangle{.width = 0.02, .height = 0.01}, {"width", "height"}},
        {models::Ellipse{.width = 0.02, .height = 0.012}, {"width", "height"}},
        {models::ISection{.width = 0.02, .height = 0.015, .flange = 0.003, .web = 0.004},
         {"width", "height", "flange", "web"}},
        {models::GeneralSection{.area = 2e-4, .second_moment = 1.7e-9}, {"area", "second_moment"}},
        {taper, {"stations[0].height", "stations[1].height"}}};
}

/// A beam of each section in turn. Only a free one without more on it can be inclined.
class Samples {
  public:
    Sample next(bool is_inclined) {
        Sample sample;
        BeamCollision& c = sample.collision;
        sample.xi = between(0.15, 0.95);
        auto all = sections();
        if (is_inclined) all.pop_back();
        const Section section = all[count_++ % all.size()];
        c.beam.length = between(0.3, 0.5);
        c.beam.section.shape = section.shape;
        c.beam.material = aluminium;
        sample.keys = {"beam.length", "beam.material.youngs_modulus", "beam.material.density"};
        for (const std::string& key : section.keys) sample.keys.push_back("beam.section." + key);
        c.mesh.elements = 16;
        c.mesh.modes.emplace(7);
        c.mesh.residual_flexibility = chance(0.7);
        c.integration.scheme = time::Splitting{1e-12};
        if (chance(0.3)) c.contact.law = contact::HuntCrossley{.damping_factor = 0.2};
        add_striker(sample);
        is_inclined ? incline(sample) : hold(sample);
        sample.keys.push_back(place);
        return sample;
    }

  private:
    double between(double low, double high) {
        return std::uniform_real_distribution(low, high)(random_);
    }
    bool chance(double share) { return between(0.0, 1.0) < share; }

    /// A sphere, or another beam.
    void add_striker(Sample& sample) {
        models::Striker& striker = sample.collision.striker;
        striker = models::solid_sphere(0.012, steel, 0.5);
        if (chance(0.75)) return;
        models::StrikingBeam other;
        other.beam.length = 0.3;
        other.beam.section.shape = models::Circle{.radius = 0.005};
        other.beam.material = steel;
        other.xi = 0.4;
        striker = {};
        striker.shape = other;
        striker.velocity = 0.5;
        sample.keys.insert(sample.keys.end(),
                           {"striker.beam.length", "striker.beam.section.radius"});
    }

    void incline(Sample& sample) {
        sample.collision.motion.inclination = between(0.2, 1.4);
        sample.keys.emplace_back("motion.inclination");
        if (chance(0.5)) return;
        sample.collision.motion.velocity = -0.5;
        sample.collision.motion.angular_velocity = between(-1.0, 1.0);
    }

    void hold(Sample& sample) {
        models::Beam& beam = sample.collision.beam;
        if (chance(0.6)) beam.supports = {models::pin(0.05), models::pin(0.9)};
        if (chance(0.3)) {
            beam.springs = {{.xi = 0.7, .translation = between(1e3, 1e5)}};
            sample.keys.emplace_back("beam.springs[0].translation");
        }
        if (chance(0.3)) {
            beam.masses = {{.xi = 0.8, .mass = between(0.01, 0.1)}};
            sample.keys.emplace_back("beam.masses[0].mass");
        }
    }

    std::mt19937 random_{27};
    std::size_t count_ = 0;
};

/// Of the derivatives by each key alone.
struct Agreement {
    std::size_t compared = 0, close = 0;
};

/// Every derivative agrees with a difference to 1e-6, in units of result over number, or the
/// difference itself is not known that well.
void compare(const Sample& sample, Agreement& agreement) {
    const BeamModel model(sample.collision);
    for (const std::string& key : sample.keys) {
        const BeamGradients gradients(model, {key});
        const auto slopes = gradients.at(sample.xi, quantities);
        if (slopes.by_key.size() == 0) return;
        const double number = gradients.value(0, sample.xi);
        const auto found =
            differences(sample, quantities, key, number, slopes.result.sub_impacts.size());
        for (std::size_t q = 0; q < quantities.size(); ++q) {
            const double size = std::abs(impact::value_of(slopes.result, quantities[q]) / number);
            const double slope = slopes.by_key(static_cast<Eigen::Index>(q), 0);
            const double error = std::abs(slope - found[q].slope) / std::max(size, std::abs(slope));
            ++agreement.compared;
            agreement.close += error < 1e-6 ? 1 : 0;
            if (!found[q].is_smooth) continue;
            EXPECT_LT(error, 1e-6 + 3.0 * std::abs(found[q].error) / size)
                << key << ", quantity " << q << ", inclination "
                << sample.collision.motion.inclination;
        }
    }
}

void compare_random(int count, bool is_inclined) {
    Samples samples;
    Agreement agreement;
    for (int i = 0; i < count; ++i) compare(samples.next(is_inclined), agreement);
    EXPECT_GT(agreement.compared, 150U);
    EXPECT_GE(static_cast<double>(agreement.close), 0.9 * static_cast<double>(agreement.compared));
}

TEST(GradientsByOneKey, OfInclinedBeamsAgreeWithDifferencesOfCollisions) {
    compare_random(12, true);
}

TEST(GradientsByOneKey, OfStraightBeamsAgreeWithDifferencesOfCollisions) {
    compare_random(14, false);
}

/// All modes change alike by modulus, density and width, axial ones too. Coarse steps know units:
/// so the derivatives of such steps show by which way they came.
TEST(GradientsByOneKey, OfAnInclinedBeamTakeDerivativesByModesOnlyIfItsAxialModesChangeOtherwise) {
    Sample sample;
    BeamCollision& c = sample.collision;
    c.beam.length = 0.4;
    c.beam.section.shape = models::Rectangle{.width = 0.02, .height = 0.01};
    c.beam.material = aluminium;
    c.striker = models::solid_sphere(0.012, steel, 0.5);
    c.motion.inclination = 0.6;
    c.mesh.elements = 16;
    c.mesh.modes.emplace(7);
    c.integration.scheme = time::Splitting{1e-3};
    const BeamModel model(c);
    const auto e_by = [&](const std::vector<std::string>& keys) {
        return BeamGradients(model, keys).at(0.33, quantities).by_key(0, 0);
    };
    // By its inclination all modes are differentiated.
    const auto is_by_modes = [&](const std::string& key) {
        const double among = e_by({key, "motion.inclination"});
        return std::abs(e_by({key}) - among) <= 1e-12 * std::abs(among);
    };
    EXPECT_FALSE(is_by_modes("beam.material.youngs_modulus"));
    EXPECT_FALSE(is_by_modes("beam.material.density"));
    EXPECT_FALSE(is_by_modes("beam.section.width"));
    EXPECT_TRUE(is_by_modes("beam.section.height"));
    EXPECT_TRUE(is_by_modes("beam.length"));
}

}  // namespace
}  // namespace stoss
