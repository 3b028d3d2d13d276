// What the parameters of a case amount to.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <models/key_figures.hpp>
#include <published_beam.hpp>
#include <published_mesh.hpp>
#include <steel_strip.hpp>

namespace {

using namespace stoss;
using models::KeyFigure;

const KeyFigure* find(const std::vector<KeyFigure>& figures, std::string_view quantity) {
    for (const KeyFigure& each : figures) {
        if (each.quantity == quantity) return &each;
    }
    return nullptr;
}

/// The strip with the mesh of the published beam.
models::BeamCollision strip() {
    models::BeamCollision collision = tests::steel_strip();
    collision.mesh = tests::published_mesh();
    return collision;
}

TEST(KeyFigures, OfAClampedStripAreItsClosedForms) {
    const auto figures = models::key_figures(strip(), std::array{0.33});
    const double mass = 7850.0 * 4.0 / 3.0 * std::numbers::pi * 1e-6;
    const double height = 0.003, length = 0.3;
    const double frequency = std::pow(1.8751040687, 2) / (2.0 * std::numbers::pi) *
                             std::sqrt(2.1e11 / (12.0 * 7850.0)) * height / (length * length);
    const auto expect = [&](const char* quantity, double value, double relative) {
        const KeyFigure* const figure = find(figures, quantity);
        ASSERT_NE(figure, nullptr) << quantity;
        EXPECT_NEAR(figure->low, value, relative * value) << quantity;
        EXPECT_EQ(figure->low, figure->high) << quantity;
    };
    expect("mass of the beam", 7850.0 * 0.025 * height * length, 1e-12);
    expect("mass of the striker", mass, 1e-12);
    expect("frequency 1 of the beam", frequency, 1e-3);  // the clamp is a penalty
    expect("approach speed", 2.43, 1e-15);
    expect("reduced mass at the contact", mass, 1e-12);  // a clamped beam does not move rigidly
    expect("energy of the approach", 0.5 * mass * 2.43 * 2.43, 1e-12);
}

TEST(KeyFigures, ReducedMassIsThatOfTheRigidModes) {
    models::BeamCollision free_beam = strip(), pinned = strip();
    free_beam.beam.supports.clear();
    free_beam.beam.masses = {{0.8, 0.05, 1e-6}};
    pinned.beam.supports = {{models::SupportType::pin, 0.2, 0.01}};
    for (const models::BeamCollision& collision : {free_beam, pinned}) {
        for (const double xi : {0.05, 0.5, 0.9}) {
            const modal::ModalBody beam = models::BeamModel(collision).beam().at(xi);
            double mobility = 1.0 / collision.striker.total_mass();
            for (std::size_t j = 0; j < beam.rigid; ++j) mobility += beam.phi[j] * beam.phi[j];
            EXPECT_NEAR(models::rigid_mobility(collision, xi), mobility, 1e-8 * mobility) << xi;
        }
    }
}

TEST(KeyFigures, RunOverThePlacesThatAreStruck) {
    const models::BeamCollision beam = published_beam();
    const auto figures = models::key_figures(beam, std::array{0.2, 0.6, 1.0});
    const KeyFigure* const speed = find(figures, "approach speed");
    ASSERT_NE(speed, nullptr);
    EXPECT_NEAR(speed->low, models::rigid_approach_speed(beam, 0.2), 1e-12);
    EXPECT_NEAR(speed->high, models::rigid_approach_speed(beam, 1.0), 1e-12);
    EXPECT_EQ(models::to_text(*find(figures, "mass of the striker")), "infinite: inertially fixed");
}

TEST(KeyFigures, WidenOverTheValuesOfASweep) {
    models::BeamCollision small = strip(), large = strip();
    large.striker.shape = models::Sphere{0.02};
    auto figures = models::key_figures(small, std::array{0.33});
    models::widen(figures, models::key_figures(large, std::array{0.33}, false));
    const KeyFigure* const mass = find(figures, "mass of the striker");
    EXPECT_NEAR(mass->high, 8.0 * mass->low, 1e-12);
    EXPECT_EQ(models::to_text(*mass), "32.88 g to 263.1 g");
    EXPECT_NE(find(figures, "frequency 3 of the beam"), nullptr);
}

TEST(KeyFigures, OfABeamAloneAreItsMassAndFrequencies) {
    models::BeamCollision alone;
    alone.mesh = tests::published_mesh();
    alone.beam = strip().beam;
    const auto figures = models::key_figures(alone, {});
    ASSERT_EQ(figures.size(), 4u);
    EXPECT_EQ(figures[0].quantity, "mass of the beam");
}

TEST(KeyFigures, AreWrittenInUnitsThatAreReadEasily) {
    const auto text = [](double value, const char* unit) {
        return models::to_text({"", unit, value, value});
    };
    EXPECT_EQ(text(0.1766, "kg"), "176.6 g");
    EXPECT_EQ(text(2.0, "kg"), "2 kg");
    EXPECT_EQ(text(3e-8, "kg"), "0.03 mg");
    EXPECT_EQ(text(0.43, "m/s"), "0.43 m/s");
    EXPECT_EQ(text(0.01, "m/s"), "10 mm/s");
    EXPECT_EQ(text(1234.0, "Hz"), "1.234 kHz");
    EXPECT_EQ(text(0.097, "J"), "97 mJ");
    EXPECT_EQ(text(7.21e9, "N/m^1.5"), "7.21e+09 N/m^1.5");
}

}  // namespace
