#include <stoss/core/text.hpp>
#include <stoss/io/stiffness_unit.hpp>
#include <stoss/io/units.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

using stoss::io::parse_quantity;
using stoss::io::QuantityError;

double value_of(std::string_view text, std::string_view unit) {
    const auto parsed = parse_quantity(text, unit);
    if (const auto* error = std::get_if<QuantityError>(&parsed)) {
        ADD_FAILURE() << text << " " << error->rule;
        return std::numeric_limits<double>::quiet_NaN();
    }
    return std::get<double>(parsed);
}

std::string rule_of(std::string_view text, std::string_view unit) {
    const auto parsed = parse_quantity(text, unit);
    const auto* error = std::get_if<QuantityError>(&parsed);
    return error == nullptr ? "accepted as " + std::to_string(std::get<double>(parsed))
                            : error->rule;
}

std::string suggestion_of(std::string_view text, std::string_view unit) {
    const auto parsed = parse_quantity(text, unit);
    const auto* error = std::get_if<QuantityError>(&parsed);
    return error == nullptr ? "accepted" : error->suggestion;
}

TEST(Quantity, DecimalPrefixesAreExact) {
    EXPECT_EQ(value_of("12.7 mm", "m"), 0.0127);
    EXPECT_EQ(value_of("508 mm", "m"), 0.508);
    EXPECT_EQ(value_of("6.35 mm", "m"), 0.00635);
    EXPECT_EQ(value_of("1.905 cm", "m"), 0.01905);
    EXPECT_EQ(value_of("68.3 GPa", "Pa"), 68.3e9);
    EXPECT_EQ(value_of("0.1 us", "s"), 1e-7);
    EXPECT_EQ(value_of("2.71 g/cm^3", "kg/m^3"), 2710.0);
    EXPECT_EQ(value_of("1.5e3 kN/mm", "N/m"), 1.5e9);
    EXPECT_EQ(value_of("3 %", ""), 0.03);
}

TEST(Quantity, ZeroIsZeroWithAnyExponent) {
    for (const char* const text :
         {"0e2147483647 km", "0.0e-2147483648 mm", "0e99999999999 km", "0e-99999999999 mm"})
        EXPECT_EQ(value_of(text, "m"), 0.0) << text;
    EXPECT_EQ(value_of("0e-2147483648 %", ""), 0.0);
    EXPECT_EQ(value_of("0e2147483647 %", ""), 0.0);
}

TEST(Quantity, APlainNumberIsSi) {
    EXPECT_EQ(value_of("0.508", "m"), 0.508);
    EXPECT_EQ(value_of("+1", "m"), 1.0);
    EXPECT_EQ(value_of("-6", "rad/s"), -6.0);
    EXPECT_EQ(value_of(" 1e-3 ", "s"), 1e-3);
    EXPECT_EQ(value_of(".5", ""), 0.5);
    EXPECT_EQ(value_of("1e9", "N/m^n"), 1e9);
}

TEST(Quantity, EverydaySpellingsAreRead) {
    EXPECT_EQ(value_of("12.7mm", "m"), 0.0127);
    EXPECT_EQ(value_of("5 \u00b5m", "m"), 5e-6);
    EXPECT_EQ(value_of("1e6 N s/m^2", "Pa s"), 1e6);
    EXPECT_EQ(value_of("1 N\u00b7s/m\u00b2", "Pa s"), 1.0);
    EXPECT_EQ(value_of("7 1/s", "rad/s"), 7.0);
    EXPECT_EQ(value_of("2.5 cm2", "m^2"), 2.5e-4);
    EXPECT_DOUBLE_EQ(value_of("1 in", "m"), 0.0254);
    EXPECT_DOUBLE_EQ(value_of("36 km/h", "m/s"), 10.0);
    EXPECT_NEAR(value_of("180 deg", "rad"), M_PI, 1e-15);
    EXPECT_NEAR(value_of("60 rpm", "rad/s"), 2.0 * M_PI, 1e-14);
    EXPECT_NEAR(value_of("90 deg/s", "rad/s"), M_PI / 2.0, 1e-15);
    EXPECT_DOUBLE_EQ(value_of("20 degC", "K"), 293.15);
}

TEST(Quantity, InfinityAndNanAreNumbers) {
    const double infinity = std::numeric_limits<double>::infinity();
    for (const char* text : {"inf", ".inf", "+inf", "Infinity", ".Inf", "inf kg"}) {
        EXPECT_EQ(value_of(text, "kg"), infinity) << text;
    }
    EXPECT_EQ(value_of("-.inf", "kg"), -infinity);
    EXPECT_TRUE(std::isnan(value_of(".nan", "kg")));
    EXPECT_TRUE(std::isnan(value_of("NaN", "")));
}

TEST(Quantity, AWrongDimensionIsNamed) {
    EXPECT_EQ(rule_of("12.7 s", "m"), "is a time; this key wants a length (m)");
    EXPECT_EQ(rule_of("3 kg", "m/s"), "is a mass; this key wants a speed (m/s)");
    EXPECT_EQ(rule_of("3 N", "N/m"), "is a force; this key wants a stiffness (N/m)");
    EXPECT_EQ(rule_of("30 deg", "rad/s"), "is an angle; this key wants an angular speed (rad/s)");
    EXPECT_EQ(rule_of("2 mol", "kg"), "is in `mol`; this key wants a mass (kg)");
    EXPECT_EQ(suggestion_of("12.7 s", "m"), "write it for example as \"12.7 mm\"");
}

// UDUNITS would convert all of these.
TEST(Quantity, WhatOnlyLooksConvertibleIsRefused) {
    EXPECT_EQ(rule_of("2 m/N", "N/m"), "is in `m/N`; this key wants a stiffness (N/m)");
    EXPECT_EQ(rule_of("2 s", "1/s"), "is a time; this key wants a frequency (1/s)");
    EXPECT_EQ(rule_of("10 Hz", "rad/s"),
              "is a frequency; this key wants an angular speed (1 Hz is 2 pi rad/s)");
    EXPECT_EQ(rule_of("10 rpm", "Hz"), "is an angle or angular speed; this key wants a frequency");
    for (const char* turning : {"30 rps", "30 cps", "30 rotations/s", "1800 circle/min", "30 krpm",
                                "30 urad/s", "30 microradians/s", "30 arcmin/s"}) {
        EXPECT_EQ(rule_of(turning, "Hz"),
                  "is an angle or angular speed; this key wants a frequency")
            << turning;
    }
    EXPECT_EQ(rule_of("12 5 mm", "m"), "is not one number with a unit; `5 mm` cannot be read");
    EXPECT_EQ(rule_of("3 m^1.5", "m"),
              "has the unit `m^1.5`, which is not known; this key wants a length");
    EXPECT_EQ(rule_of("3 mm 5", "m"),
              "has the unit `mm 5`, which is not known; this key wants a length");
    EXPECT_EQ(rule_of("3 K @ 20", "K"),
              "has the unit `K @ 20`, which is not known; this key wants a temperature");
}

TEST(Quantity, AnUnknownUnitIsQuoted) {
    EXPECT_EQ(rule_of("3 milimeter", "m"),
              "has the unit `milimeter`, which is not known; this key wants a length");
}

TEST(Quantity, TextIsNoNumber) {
    EXPECT_EQ(rule_of("long", "m"), "is not a number; this key wants a length");
    EXPECT_EQ(rule_of("mm", "m"), "is not a number; this key wants a length");
    EXPECT_EQ(rule_of("", "m"), "is not a number; this key wants a length");
    EXPECT_EQ(rule_of("+-1", "m"), "is not a number; this key wants a length");
    EXPECT_EQ(rule_of("1,5 mm", "m"), "has a comma");
    EXPECT_EQ(suggestion_of("1,5 mm", "m"), "write the decimal point: \"1.5 mm\"");
    EXPECT_EQ(rule_of("1_000", "m"), "is not one number with a unit; `_000` cannot be read");
    EXPECT_EQ(rule_of("2*3", "m"), "is not one number with a unit; `*3` cannot be read");
}

TEST(Quantity, ASignThatOnlyLooksLikeOneOfTheKeyboardIsNamed) {
    EXPECT_EQ(rule_of("412\u00a0mm", "m"), "holds a no-break space (U+00A0)");
    EXPECT_EQ(suggestion_of("412\u00a0mm", "m"), "type a blank in its place");
    EXPECT_EQ(rule_of("\u2212412 mm", "m"), "holds a minus sign (U+2212)");
    EXPECT_EQ(suggestion_of("\u2212412 mm", "m"), "type the hyphen `-` in its place");
    EXPECT_EQ(rule_of("\u201c412 mm\u201d", "m"), "holds a curved quote (U+201C)");
}

TEST(Quantity, APureNumberTakesNoUnit) {
    EXPECT_EQ(rule_of("3 mm", ""), "has a unit, but this key takes a pure number");
    EXPECT_EQ(suggestion_of("3 mm", ""), "leave out `mm`");
}

TEST(Quantity, AUnitWithRootsIsConverted) {
    EXPECT_EQ(value_of("7.3e7 N/m^1.5", "N/m^(3/2)"), 7.3e7);
    EXPECT_EQ(value_of("7.3e7 N/m^(3/2)", "N/m^n"), 7.3e7);
    EXPECT_NEAR(value_of("2 N/mm^1.5", "N/m^n"), 2.0 * std::pow(1e3, 1.5), 1e-9);
    EXPECT_NEAR(value_of("3 kN/mm^(3/2)", "N/m^(3/2)"), 3e3 * std::pow(1e3, 1.5), 1e-6);
    EXPECT_NEAR(value_of("5 ms mm^0.25", "s m^(1/4)"), 5e-3 * std::pow(1e-3, 0.25), 1e-15);
}

TEST(Quantity, AStiffnessIsConvertedWithTheExponentOfItsUnit) {
    EXPECT_EQ(value_of("5 N/mm", "N/m^n"), 5e3);
    EXPECT_EQ(value_of("5 kN/mm", "N/m^n"), 5e6);
    EXPECT_EQ(value_of("5 N/m", "N/m^n"), 5.0);
    EXPECT_EQ(value_of("3 kg/s^2", "N/m^n"), 3.0);
    EXPECT_EQ(value_of("5 N/mm^2", "N/m^n"), 5e6);
    EXPECT_EQ(value_of("5 MPa", "N/m^n"), 5e6);
    EXPECT_EQ(value_of("2 N/m^1.3", "N/m^n"), 2.0);
    EXPECT_NEAR(value_of("2 N/mm^(10/9)", "N/m^n") / std::pow(1e3, 10.0 / 9.0), 2.0, 1e-14);
    EXPECT_NEAR(value_of("2 kN/cm^1.85", "N/m^n") / std::pow(1e2, 1.85), 2e3, 1e-11);
    EXPECT_EQ(rule_of("3 N", "N/m^n"), "has a unit, but this key takes a number in N/m^n");
    EXPECT_EQ(rule_of("3 N m", "N/m^n"), "has a unit, but this key takes a number in N/m^n");
    EXPECT_EQ(rule_of("3 s", "N/m^n"), "has a unit, but this key takes a number in N/m^n");
}

TEST(Quantity, AStiffnessHasTheUnitOfTheExponentOfItsLaw) {
    const auto rule = [](const char* text, double exponent) {
        const auto error = stoss::io::check_stiffness_exponent(text, exponent);
        return error ? error->rule + "; " + error->suggestion : "";
    };
    EXPECT_EQ(rule("5 N/mm^1.5", 1.0),
              "is in N/m^1.5, but the exponent n of this law is 1; give the stiffness in N/m, as "
              "\"5 N/mm\", or the exponent of its unit");
    EXPECT_EQ(rule("5 kN/mm", 1.5),
              "is in N/m, but the exponent n of this law is 1.5; give the stiffness in N/m^1.5, as "
              "\"5 N/mm^1.5\", or the exponent of its unit");
    EXPECT_EQ(rule("5 N/mm", 1.0), "");
    EXPECT_EQ(rule("5 N/mm^1.5", 1.5), "");
    EXPECT_EQ(rule("5 N/mm^(10/9)", 1.1111111111111112), "");
    for (const char* plain : {"5", "1e9 N/m^n", "inf", "", "5 s"}) EXPECT_EQ(rule(plain, 2.0), "");
}

TEST(Quantity, AUnitOfAnotherDimensionIsNoUnitWithRoots) {
    EXPECT_EQ(rule_of("3 N/m^2", "N/m^(3/2)"),
              "has a unit, but this key takes a number in N/m^(3/2)");
    EXPECT_EQ(rule_of("3 N/m^1.3", "N/m^(3/2)"),
              "has a unit, but this key takes a number in N/m^(3/2)");
    EXPECT_EQ(rule_of("3 s", "s m^(alpha-beta)"),
              "has a unit, but this key takes a number in s m^(alpha-beta)");
    EXPECT_EQ(suggestion_of("3 s", "s m^(alpha-beta)"),
              "convert it by hand and leave the unit out");
}

TEST(Quantity, AnAngleIsNoPartOfAUnitWithRoots) {
    for (const char* stiffness : {"1e10 N deg/m^1.5", "1e10 N rad/m^1.5", "1e10 N rpm s/m^1.5",
                                  "1e10 N Hz s/m^1.5", "1e10 N %/m^1.5"}) {
        EXPECT_EQ(rule_of(stiffness, "N/m^n"), "has a unit, but this key takes a number in N/m^n")
            << stiffness;
    }
}

TEST(Quantity, UnitsWithRootsAreTakenThoughTheDatabaseDoesNotKnowThem) {
    for (const char* unit : {"N/m^n", "N/m^1.5", "N/m^(3/2)", "s m^(1/4)"}) {
        EXPECT_FALSE(stoss::io::accepts_unit(unit)) << unit;
        EXPECT_TRUE(stoss::io::takes_units(unit)) << unit;
    }
    EXPECT_FALSE(stoss::io::takes_units("s m^(alpha-beta)"));
    EXPECT_FALSE(stoss::io::takes_units(""));
    EXPECT_TRUE(stoss::io::takes_units("kg"));
    EXPECT_FALSE(stoss::io::accepts_unit(""));
    EXPECT_TRUE(stoss::io::accepts_unit("N s/m^2"));
}

TEST(Quantity, BeyondDoublesIsRefusedAndNotInfinite) {
    const std::string rule = "is outside the range of double precision (1e-307 to 1e308)";
    EXPECT_EQ(rule_of("1e400", "m"), rule);
    EXPECT_EQ(rule_of("1e308 km", "m"), rule);
    EXPECT_EQ(rule_of("1e-400", "m"), rule);
    EXPECT_EQ(rule_of("1e308 h", "s"), rule);
}

TEST(Quantity, SubnormalNumbersAreRefused) {
    const std::string rule = "is outside the range of double precision (1e-307 to 1e308)";
    EXPECT_EQ(rule_of("4e-320", "kg"), rule);
    EXPECT_EQ(rule_of("-4e-320", "m"), rule);
    EXPECT_EQ(rule_of("4e-320 kg", "kg"), rule);
    EXPECT_EQ(rule_of("4e-317 g", "kg"), rule);
    EXPECT_EQ(rule_of("4e-320", ""), rule);
    EXPECT_EQ(rule_of("4e-318 %", ""), rule);
    EXPECT_EQ(rule_of("1e-310 inch", "m"), rule);
    EXPECT_EQ(rule_of("5e-324 inch", "m"), rule);  // no double holds so few metres
    EXPECT_EQ(value_of("2.2250738585072014e-308", "m"), 0x1p-1022);
    EXPECT_EQ(value_of("0", "m"), 0.0);
    EXPECT_EQ(value_of("0 inch", "m"), 0.0);
}

TEST(Quantity, ShortestTextReadsBackAsTheSameDouble) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 10000; ++i) {
        const std::uint64_t bits = random();
        double value = 0.0;
        std::memcpy(&value, &bits, sizeof value);
        if (!std::isnormal(value)) continue;
        ASSERT_EQ(value_of(stoss::core::to_text(value), "m"), value);
        ASSERT_EQ(value_of(stoss::core::with_unit(value, "N s/m^2"), "N s/m^2"), value);
    }
    EXPECT_EQ(stoss::core::to_text(0.0127), "0.0127");
    EXPECT_EQ(stoss::core::to_text(-std::numeric_limits<double>::infinity()), "-inf");
    EXPECT_EQ(stoss::core::to_text(std::numeric_limits<double>::quiet_NaN()), ".nan");
    EXPECT_EQ(stoss::core::with_unit(0.0127, "m"), "0.0127 m");
    EXPECT_EQ(stoss::core::with_unit(0.68, ""), "0.68");
}

TEST(Quantity, EveryExampleInAMessageIsItselfAccepted) {
    for (const char* unit : {"",      "m",       "s",       "kg",  "K",  "m/s",    "m/s^2", "m^2",
                             "m^3",   "m^4",     "Hz",      "N",   "Pa", "kg/m^3", "kg/m",  "N/m",
                             "N s/m", "N s/m^2", "N s",     "J",   "W",  "kg m^2", "N m^2", "1/m",
                             "rad",   "rad/s",   "rad/s^2", "s/m", "V",  "N/m^n"}) {
        const auto words = stoss::io::quantity_words(unit);
        EXPECT_TRUE(std::isfinite(value_of(words.example, unit))) << unit << ": " << words.example;
    }
}

TEST(Quantity, ThreadsReadTheSameNumbers) {
    std::vector<int> wrong(8, 0);
    std::vector<std::thread> threads;
    for (int& count : wrong) {
        threads.emplace_back([&count] {
            for (int i = 0; i < 500; ++i) {
                const auto length = parse_quantity("12.7 mm", "m");
                if (std::get_if<double>(&length) == nullptr || std::get<double>(length) != 0.0127)
                    ++count;
                if (std::get_if<double>(&length) != nullptr &&
                    std::holds_alternative<double>(parse_quantity("1 s", "m"))) {
                    ++count;
                }
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, std::vector<int>(8, 0));
}

}  // namespace
