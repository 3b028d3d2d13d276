#include <stoss/core/text.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace {

using stoss::core::listed;
using stoss::core::nearest_word;
using stoss::core::split_unit;
using stoss::core::to_real_text;
using stoss::core::unit_suffix;

const std::vector<std::string> keys{"length",        "radius",         "density",
                                    "poisson_ratio", "approach_speed", "xi"};

TEST(NearestWord, FindsSlipsOfThePen) {
    EXPECT_EQ(nearest_word("lenght", keys), "length");
    EXPECT_EQ(nearest_word("Radius", keys), "radius");
    EXPECT_EQ(nearest_word("densty", keys), "density");
    EXPECT_EQ(nearest_word("poisson-ratio", keys), "poisson_ratio");
    EXPECT_EQ(nearest_word("poison_ratoi", keys), "poisson_ratio");
}

TEST(NearestWord, FindsBeginningsAndParts) {
    EXPECT_EQ(nearest_word("poisson", keys), "poisson_ratio");
    EXPECT_EQ(nearest_word("speed", keys), "approach_speed");
    EXPECT_EQ(nearest_word("beam_length", keys), "length");
}

TEST(NearestWord, DoesNotGuessWildly) {
    EXPECT_EQ(nearest_word("temperature", keys), std::nullopt);
    EXPECT_EQ(nearest_word("k", keys), std::nullopt);
    EXPECT_EQ(nearest_word("", keys), std::nullopt);
    EXPECT_EQ(nearest_word("x", std::vector<std::string>{"y"}), std::nullopt);
    EXPECT_EQ(nearest_word("length", {}), std::nullopt);
    EXPECT_EQ(nearest_word(std::string(1'000'000, 'a'), keys), std::nullopt);
}

TEST(NearestWord, ASwapOfNeighboursIsOneSlip) {
    EXPECT_EQ(nearest_word("abcd", std::vector<std::string>{"badc"}), std::nullopt);
    EXPECT_EQ(nearest_word("abcd", std::vector<std::string>{"xbcy", "abdc"}), "abdc");
}

TEST(Listed, ReadsAsASentence) {
    EXPECT_EQ(listed(std::vector<std::string>{}), "");
    EXPECT_EQ(listed(std::vector<std::string>{"a"}), "a");
    EXPECT_EQ(listed(std::vector<std::string>{"a", "b"}), "a or b");
    EXPECT_EQ(listed(std::vector<std::string>{"a", "b", "c"}, "and"), "a, b and c");
}

TEST(UnitSuffix, IsAnIdentifier) {
    EXPECT_EQ(unit_suffix(""), "");
    EXPECT_EQ(unit_suffix("m"), "m");
    EXPECT_EQ(unit_suffix("m/s"), "m_per_s");
    EXPECT_EQ(unit_suffix("N s"), "N_s");
    EXPECT_EQ(unit_suffix("rad/s"), "rad_per_s");
    EXPECT_EQ(unit_suffix("kg/m^3"), "kg_per_m3");
    EXPECT_EQ(unit_suffix("N s/m^2"), "N_s_per_m2");
    EXPECT_EQ(unit_suffix("1/s"), "per_s");
    EXPECT_EQ(unit_suffix("%"), "percent");
    EXPECT_EQ(unit_suffix("W/(m K)"), "W_per_m_K");
    EXPECT_EQ(unit_suffix("N/m^n"), "N_per_m_to_n");
}

TEST(SplitUnit, IsTheInverseOfUnitSuffix) {
    EXPECT_EQ(split_unit("impulse_N_s").name, "impulse");
    EXPECT_EQ(split_unit("impulse_N_s").unit, "N s");
    EXPECT_EQ(split_unit("peak_force_N").name, "peak_force");
    EXPECT_EQ(split_unit("rebound_angle_deg").unit, "deg");
    EXPECT_EQ(split_unit("tau_separation").unit, "");
    for (const std::string unit : {"m", "m/s", "rad/s", "rad/s^2", "N m/rad", "kg/m^3", "Pa s",
                                   "J/m^2", "N s/m^2", "N/m^(3/2)"})
        EXPECT_EQ(split_unit("a_" + unit_suffix(unit)).unit, unit);
}

TEST(RealText, DoesNotReadAsAWholeNumber) {
    EXPECT_EQ(to_real_text(2.0), "2.0");
    EXPECT_EQ(to_real_text(-0.0), "-0.0");
    EXPECT_EQ(to_real_text(1e300), "1e+300");
    EXPECT_EQ(to_real_text(0.1), "0.1");
    EXPECT_EQ(to_real_text(std::numeric_limits<double>::infinity()), "inf");
}

}  // namespace
