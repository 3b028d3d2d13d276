// Materials by name.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include <fmt/format.h>
#include <models/beam.hpp>
#include <models/materials.hpp>
#include <models/striker.hpp>
#include <stoss/core/error.hpp>
#include <stoss/io/bind.hpp>

namespace {

using namespace stoss;

template <class T>
T bound(const std::string& text, io::Problems& problems) {
    const io::Document document = io::parse_yaml("material: " + text, "case.yaml");
    struct Holder {
        T material;
        static constexpr auto fields() {
            return std::tuple{core::field("material", &Holder::material, "material").required()};
        }
    };
    return io::bind<Holder>(document.root, "", problems).material;
}

TEST(Presets, SteelIsTheSteelOfTheEurocode) {
    io::Problems problems;
    const auto steel = bound<models::Material>("steel", problems);
    EXPECT_TRUE(problems.empty());
    EXPECT_EQ(steel.youngs_modulus, 210e9);
    EXPECT_EQ(steel.poisson_ratio, 0.3);
    EXPECT_EQ(steel.density, 7850.0);
}

TEST(Presets, EveryMaterialIsAdmissibleForBeamAndStriker) {
    const auto presets = io::read_presets(models::material_presets());
    EXPECT_GE(presets.size(), 8u);
    for (const io::Preset& preset : presets) {
        io::Problems problems;
        const auto beam = bound<models::Material>(preset.name, problems);
        const auto striker = bound<models::SurfaceMaterial>(preset.name, problems);
        EXPECT_TRUE(problems.empty()) << preset.name;
        EXPECT_TRUE(beam.density.has_value()) << preset.name;
        EXPECT_EQ(striker.youngs_modulus, beam.youngs_modulus) << preset.name;
    }
}

TEST(Presets, AStrikerOfANamedMaterialHasADensity) {
    io::Problems problems;
    EXPECT_EQ(bound<models::StrikerMaterial>("steel", problems).density, 7850.0);
    EXPECT_FALSE(
        bound<models::StrikerMaterial>("{youngs_modulus: 1 GPa, poisson_ratio: 0.3}", problems)
            .density);
    EXPECT_TRUE(problems.empty());
}

TEST(Presets, TheMaterialsOfProgramsAreThoseOfTheCases) {
    const std::map<std::string, models::Material> of_programs{
        {"steel", models::steel()},
        {"steel_s235", models::steel_s235()},
        {"steel_s355", models::steel_s355()},
        {"stainless_steel", models::stainless_steel()},
        {"aluminium", models::aluminium()},
        {"aluminium_6082_t6", models::aluminium_6082_t6()},
        {"copper", models::copper()},
        {"brass", models::brass()},
        {"glass", models::glass()},
        {"ptfe", models::ptfe()},
        {"polystyrene", models::polystyrene()},
        {"rubber", models::rubber()},
        {"ash", models::ash()}};
    const auto presets = io::read_presets(models::material_presets());
    EXPECT_EQ(presets.size(), of_programs.size());
    for (const io::Preset& preset : presets) {
        io::Problems problems;
        const auto of_case = bound<models::Material>(preset.name, problems);
        const models::Material& of_program = of_programs.at(preset.name);
        EXPECT_EQ(of_program.youngs_modulus, of_case.youngs_modulus) << preset.name;
        EXPECT_EQ(of_program.poisson_ratio, of_case.poisson_ratio) << preset.name;
        EXPECT_EQ(of_program.density, of_case.density) << preset.name;
        EXPECT_EQ(of_program.yield_stress.has_value(), of_case.yield_stress.has_value());
        EXPECT_EQ(of_program.yield_stress.value_or(0.0), of_case.yield_stress.value_or(0.0))
            << preset.name;
        EXPECT_EQ(of_program.surface_energy.value_or(0.0), of_case.surface_energy.value_or(0.0))
            << preset.name;
    }
}

TEST(Presets, EveryMaterialSaysWhereItsValuesComeFromAndWhatConfirmsThem) {
    for (const io::Preset& preset : io::read_presets(models::material_presets())) {
        for (const char* const key : {"source", "check"}) {
            const io::Node* const words = preset.value.find(key);
            ASSERT_NE(words, nullptr) << preset.name;
            EXPECT_FALSE(words->scalar.empty()) << preset.name;
        }
    }
}

TEST(Presets, ANameThatIsNotKnownIsRefusedAtItsPlaceWithTheNearest) {
    io::Problems problems;
    bound<models::Material>("stel", problems);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].violation.key, "material");
    EXPECT_EQ(problems[0].violation.suggestion, "did you mean `steel`?");
    EXPECT_EQ(problems[0].column, 11);
}

TEST(Presets, AMappingIsReadAsEver) {
    io::Problems problems;
    const auto given =
        bound<models::SurfaceMaterial>("{youngs_modulus: inf, poisson_ratio: 0.2}", problems);
    EXPECT_TRUE(problems.empty());
    EXPECT_TRUE(std::isinf(given.youngs_modulus));
}

}  // namespace
