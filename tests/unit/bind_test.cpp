#include "small_case.hpp"

#include <stoss/io/bind.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace {

using namespace stoss;
using namespace stoss::small_case;

template <class T = Impact>
T read_text(std::string_view text) {
    return io::read<T>(io::parse_yaml(text, "case.yaml"));
}

// The message that a user reads; "" if the case is accepted.
template <class T = Impact>
std::string message_of(std::string_view text) {
    try {
        read_text<T>(text);
    } catch (const core::InputError& error) {
        return error.what();
    }
    return "";
}

// Message about one more line of an otherwise good case; that line is the second.
std::string message_with(const std::string& line) {
    return message_of("beam: {length: 1}\n" + line + "\n");
}

TEST(Bind, FillsEveryKindOfMember) {
    const Impact impact = read_text(
        "beam:\n"
        "  length: 508 mm\n"
        "  elements: 1e2\n"
        "  pins: [{x: 1.905 cm, force: implicit}, {x: 0}]\n"
        "  places: [12.7 mm, 0.5]\n"
        "law: kelvin_voigt\n"
        "damping: 2 N s/mm\n"
        "mount: spring\n"
        "spring_stiffness: 3 kN/m\n"
        "force: lagged\n"
        "mass: 25 g\n"
        "angular_speed: 7\n"
        "map: true\n"
        "lanes: 255\n"
        "striker_mass: 3\n");
    EXPECT_EQ(impact.beam.length, 0.508);
    EXPECT_EQ(impact.beam.radius, 6.35e-3);
    EXPECT_EQ(impact.beam.elements, 100);
    ASSERT_EQ(impact.beam.pins.size(), 2u);
    EXPECT_EQ(impact.beam.pins[0].x, 0.01905);
    EXPECT_EQ(impact.beam.pins[0].force, Force::implicit);
    EXPECT_EQ(impact.beam.pins[1].force, Force::lagged);
    EXPECT_EQ(impact.beam.places, (std::vector<double>{0.0127, 0.5}));
    EXPECT_EQ(std::get<KelvinVoigt>(impact.law).damping, 2000.0);
    EXPECT_EQ(std::get<Spring>(impact.mount.value()).spring_stiffness, 3000.0);
    EXPECT_EQ(impact.force, Force::lagged);
    EXPECT_EQ(impact.mass, 0.025);
    EXPECT_EQ(impact.angular_speed, 7.0);
    EXPECT_TRUE(impact.map);
    EXPECT_EQ(impact.lanes, 255);
    EXPECT_EQ(impact.striker_mass, 3.0);
}

TEST(Bind, WhatIsLeftOutKeepsItsDefault) {
    const Impact impact = read_text("beam: {length: 1}\n");
    EXPECT_EQ(impact.beam.elements, 80);
    EXPECT_EQ(impact.beam.places, std::vector<double>{0.1});
    EXPECT_FALSE(std::get<Hertz>(impact.law).stiffness);
    EXPECT_FALSE(impact.mount.has_value());
    EXPECT_FALSE(impact.mass.has_value());
    EXPECT_EQ(impact.striker_mass, core::infinity);
}

TEST(Bind, TheDefaultAlternativeTakesItsKeysWithoutItsName) {
    const Impact impact = read_text("beam: {length: 1}\nstiffness: 1e9\n");
    EXPECT_EQ(std::get<Hertz>(impact.law).stiffness, 1e9);
}

TEST(Bind, AStiffnessWithAUnitHasThatOfTheExponentBesideIt) {
    const Impact linear = read_text("beam: {length: 1}\nstiffness: 5 N/mm\nexponent: 1\n");
    EXPECT_EQ(std::get<Hertz>(linear.law).stiffness, 5e3);
    EXPECT_NE(message_with("stiffness: 5 N/mm^1.5\nexponent: 1")
                  .find("case.yaml:2:12: error: stiffness: 5 N/mm^1.5: is in N/m^1.5, but the "
                        "exponent n of this law is 1"),
              std::string::npos);
    EXPECT_NE(message_with("stiffness: 5 N/mm").find("the exponent n of this law is 1.5"),
              std::string::npos);
    EXPECT_EQ(message_with("stiffness: 5 N/mm\nexponent: 0.5").find("of this law"),
              std::string::npos);
}

TEST(Bind, NoneEmptiesAnOptional) {
    const Impact impact = read_text("beam: {length: 1}\nmass: none\nmount: none\n");
    EXPECT_FALSE(impact.mass.has_value());
    EXPECT_FALSE(impact.mount.has_value());
}

TEST(Bind, ANumberThatMayBeLeftOutHasNoWordForItsAbsence) {
    EXPECT_NE(message_with("stiffness: none").find("case.yaml:2:12: error: stiffness: none"),
              std::string::npos);
    EXPECT_EQ(io::to_yaml(io::to_node(Hertz{})), "exponent: 1.5\n");
}

TEST(Bind, ANumberThatIsWrongIsNotTakenForOneThatIsGiven) {
    io::Problems problems;
    const Hertz law = io::bind<Hertz>(io::parse_yaml("stiffness: -1\n", "").root, "", problems);
    EXPECT_EQ(problems.size(), 1u);
    EXPECT_FALSE(law.stiffness);
}

TEST(Fields, NameEachRequiredNumberThatIsMissing) {
    Impact impact;
    impact.law = KelvinVoigt{};
    std::vector<std::string> missing;
    for (const core::Violation& each : core::check_fields(impact, "")) {
        EXPECT_EQ(each.rule, "is missing");
        missing.push_back(each.key);
    }
    EXPECT_EQ(missing, (std::vector<std::string>{"beam.length", "damping"}));
    impact.beam.length = 0.5;
    std::get<KelvinVoigt>(impact.law).damping = 0.0;
    EXPECT_TRUE(core::check_fields(impact, "").empty());
}

TEST(Fields, ANumberThatMayBeLeftOutIsCheckedWhereItIsGiven) {
    EXPECT_TRUE(core::check_fields(Hertz{}, "").empty());
    EXPECT_EQ(core::check_fields(Hertz{.stiffness = -1.0}, "contact").at(0).key,
              "contact.stiffness");
}

TEST(Fields, AnInfiniteNumberMustBeFiniteOnlyWhereNoInfiniteOneMayStand) {
    const auto rule = [](const core::Range& range) {
        return core::check_number("mass", -core::infinity, range, "kg").at(0).rule;
    };
    EXPECT_EQ(rule(core::positive_or_infinite), "must be > 0 kg (inf allowed)");
    EXPECT_EQ(rule(core::positive), "must be finite and > 0 kg");
    EXPECT_EQ(rule(core::finite), "must be finite");
}

TEST(Required, HoldsNoNumberUntilOneIsAssigned) {
    core::Required number;
    EXPECT_FALSE(number.has_value());
    EXPECT_THROW(static_cast<void>(2.0 * number), std::bad_optional_access);
    number = 0.0;
    EXPECT_TRUE(number.has_value());
    EXPECT_EQ(2.0 * number, 0.0);
}

TEST(Bind, AutoLeavesANumberToTheModel) {
    EXPECT_EQ(read_text("beam: {length: 1}\nmodes: 7\n").modes, 7);
    EXPECT_FALSE(read_text("beam: {length: 1}\nmodes: auto\n").modes.has_value());
    EXPECT_EQ(message_with("modes: automatic"),
              "case.yaml:2:8: error: modes: automatic: is not a whole number\n"
              "    hint: `auto` is accepted as well");
    EXPECT_EQ(message_with("modes: 101"),
              "case.yaml:2:8: error: modes: 101: must be between 1 and 100\n"
              "    hint: `auto` is accepted as well");
    EXPECT_EQ(message_with("mass: auto").find("`auto`"), std::string::npos);
}

TEST(Bind, InfinityIsReadWhereItMayStand) {
    EXPECT_EQ(read_text("beam: {length: 1}\nstriker_mass: inf\n").striker_mass, core::infinity);
    EXPECT_EQ(message_with("angular_speed: .inf"),
              "case.yaml:2:16: error: angular_speed: .inf: must be finite");
    EXPECT_EQ(message_with("mass: inf kg"),
              "case.yaml:2:7: error: mass: inf kg: must be finite and > 0 kg");
}

/// A place on a body of 0.3 m.
struct Struck {
    core::Place place;

    static constexpr auto fields() {
        return std::tuple{
            core::field("place", &Struck::place, "", core::closed(0.0, 1.0), "where").required()};
    }
};

TEST(Bind, APlaceIsAShareOrADistance) {
    EXPECT_EQ(read_text<Struck>("place: 0.25\n").place.share(0.3), 0.25);
    EXPECT_EQ(read_text<Struck>("place: 25 %\n").place.share(0.3), 0.25);
    const core::Place distance = read_text<Struck>("place: 30 mm\n").place;
    EXPECT_TRUE(distance.is_distance);
    EXPECT_EQ(distance.value, 0.03);
    EXPECT_NEAR(distance.share(0.3), 0.1, 1e-16);
}

TEST(Bind, APlaceThatIsNeitherIsTold) {
    EXPECT_NE(message_of<Struck>("place: 30\n")
                  .find("must be between 0 and 1\n    hint: a pure "
                        "number is a fraction of the length"),
              std::string::npos);
    EXPECT_NE(message_of<Struck>("place: -1 mm\n").find("must be >= 0 m"), std::string::npos);
    EXPECT_NE(message_of<Struck>("place: 3 s\n").find("wants a length (m), or a pure number"),
              std::string::npos);
    EXPECT_NE(message_of<Struck>("place: 0,5\n").find("has a comma\n"), std::string::npos);
    EXPECT_NE(message_of<Struck>("place: [0.5]\n").find("wants a pure number or a length"),
              std::string::npos);
    EXPECT_NE(message_of<Struck>("{}\n").find("is missing"), std::string::npos);
}

TEST(Bind, TellsEverythingAtOnceInTheOrderOfTheFile) {
    try {
        read_text("striker_mass: -1\nbeam:\n  lenght: 1\n  radius: 3 s\nlaw: herz\nmap: 1\n");
        ADD_FAILURE() << "accepted";
    } catch (const core::InputError& error) {
        std::vector<std::string> keys;
        for (const core::Diagnostic& diagnostic : error.diagnostics())
            keys.push_back(diagnostic.violation.key);
        EXPECT_EQ(keys, (std::vector<std::string>{"striker_mass", "beam.length", "beam.lenght",
                                                  "beam.radius", "law", "map"}));
    }
}

TEST(Bind, AnUnknownKeyComesWithTheKeyThatWasMeant) {
    EXPECT_EQ(message_with("angular_sped: 3"),
              "case.yaml:2:1: error: angular_sped: is not a key here\n    hint: did you mean "
              "`angular_speed`?");
    EXPECT_EQ(message_with("temperature: 3"),
              "case.yaml:2:1: error: temperature: is not a key here\n"
              "    hint: the keys here are beam, law, stiffness, exponent, mount, force, mass, "
              "angular_speed, map, "
              "lanes, striker_mass and modes");
    EXPECT_EQ(message_with("elements: 3"),
              "case.yaml:2:1: error: elements: is not a key here\n    hint: `elements` belongs "
              "under `beam:`");
    EXPECT_EQ(message_with("damping: 3"),
              "case.yaml:2:1: error: damping: is not a key here\n"
              "    hint: `damping` belongs to `law: kelvin_voigt`");
    EXPECT_EQ(message_with("spring_stiffness: 3"),
              "case.yaml:2:1: error: spring_stiffness: is not a key here\n"
              "    hint: `spring_stiffness` belongs to `mount: spring`");
}

TEST(Bind, AMissingKeyIsAskedForWithItsMeaning) {
    EXPECT_EQ(message_of("beam:\n  radius: 1\n"),
              "case.yaml:1:1: error: beam.length: is missing\n"
              "    hint: add `length` (length of the beam): a length such as \"12.7 mm\"");
    EXPECT_EQ(message_of("map: true\n"),
              "case.yaml:1:1: error: beam: is missing\n"
              "    hint: add `beam` (the beam): a mapping with the keys length, radius, elements, "
              "pins and places");
    EXPECT_EQ(message_with("law: kelvin_voigt"),
              "case.yaml:1:1: error: damping: is missing\n"
              "    hint: add `damping` (damper): a damping such as \"12 N s/m\"");
    EXPECT_EQ(message_of("beam: {length: 1, pins: [{x: 1}, {force: lagged}]}\n"),
              "case.yaml:1:34: error: beam.pins[1].x: is missing\n"
              "    hint: add `x` (place): a length such as \"12.7 mm\"");
}

TEST(Bind, AValueOfTheWrongKindIsTold) {
    EXPECT_EQ(message_of("beam: 3\n"),
              "case.yaml:1:7: error: beam: 3: wants a mapping with the keys length, radius, "
              "elements, pins and "
              "places, got a single value\n"
              "    hint: write `key: value` lines below the key, or {key: value, ...}");
    EXPECT_EQ(message_with("angular_speed: [1]"),
              "case.yaml:2:1: error: angular_speed: wants an angular speed, got a sequence\n"
              "    hint: write it for example as \"-6 rad/s\"");
    EXPECT_EQ(message_with("law: {hertz: 1}"),
              "case.yaml:2:1: error: law: wants one of hertz or kelvin_voigt, got a mapping");
    EXPECT_EQ(message_with("map:"), "case.yaml:2:1: error: map: wants true or false, got nothing");
    EXPECT_EQ(message_with("mass: ~"),
              "case.yaml:2:1: error: mass: wants a mass, got nothing\n"
              "    hint: write it for example as \"25 g\"");
    EXPECT_EQ(message_of("beam: {length: 1, places: 12 mm}\n"),
              "case.yaml:1:27: error: beam.places: 12 mm: wants a sequence, each item a length, "
              "got a single value\n"
              "    hint: for one item write [12 mm]");
    EXPECT_EQ(message_of("beam: {length: 1, pins: [3]}\n"),
              "case.yaml:1:26: error: beam.pins[0]: 3: wants a mapping with the keys x and force, "
              "got a single value\n"
              "    hint: write `key: value` lines below the key, or {key: value, ...}");
    EXPECT_EQ(message_of("beam: null\n"),
              "case.yaml:1:1: error: beam: wants a mapping with the keys length, radius, "
              "elements, pins and "
              "places, got nothing\n"
              "    hint: leave the key out, or write `key: value` lines below the key, or {key: "
              "value, ...}");
    EXPECT_EQ(message_of<Header>("problem: [1]\n"),
              "case.yaml:1:1: error: problem: wants a text, got a sequence");
}

TEST(Bind, ANumberThatIsNoneIsTold) {
    EXPECT_EQ(message_with("angular_speed: fast"),
              "case.yaml:2:16: error: angular_speed: fast: is not a number; this key wants an "
              "angular speed\n"
              "    hint: write it for example as \"-6 rad/s\"");
    EXPECT_EQ(message_with("mass: .nan"),
              "case.yaml:2:7: error: mass: .nan: is not a number; must be > 0 kg");
    EXPECT_EQ(message_with("mass: 3 m"),
              "case.yaml:2:7: error: mass: 3 m: is a length; this key wants a mass (kg)\n"
              "    hint: write it for example as \"25 g\"");
}

TEST(Bind, ANumberOutOfRangeIsTold) {
    EXPECT_EQ(message_with("mass: 0"), "case.yaml:2:7: error: mass: 0: must be > 0 kg");
    EXPECT_EQ(message_with("striker_mass: -3 kg"),
              "case.yaml:2:15: error: striker_mass: -3 kg: must be > 0 kg (inf allowed)");
    EXPECT_EQ(message_with("striker_mass: -inf"),
              "case.yaml:2:15: error: striker_mass: -inf: must be > 0 kg (inf allowed)");
    EXPECT_EQ(message_with("exponent: inf"),
              "case.yaml:2:11: error: exponent: inf: must be finite and between 1 and 5");
    EXPECT_EQ(message_with("exponent: 7"),
              "case.yaml:2:11: error: exponent: 7: must be between 1 and 5");
    EXPECT_EQ(message_of("beam: {length: 1, places: [1, 2, 3]}\n"),
              "case.yaml:1:34: error: beam.places[2]: 3: must be between 0 and 2 m");
    EXPECT_EQ(message_with("exponent: 5"), "");
}

TEST(Bind, AWholeNumberIsWholeAndFits) {
    const auto message = [](const std::string& number) {
        return message_of("beam: {length: 1}\nlanes: " + number + "\n");
    };
    EXPECT_EQ(message("2.5"), "case.yaml:2:8: error: lanes: 2.5: is not a whole number");
    EXPECT_EQ(message("256"), "case.yaml:2:8: error: lanes: 256: must be between 0 and 255");
    EXPECT_EQ(message("-1"), "case.yaml:2:8: error: lanes: -1: must be >= 0");
    for (const std::string text :
         {"99999999999999999999", "-99999999999999999999", "1e30", "-1e300"}) {
        EXPECT_EQ(message(text),
                  "case.yaml:2:8: error: lanes: " + text + ": is too large in magnitude");
    }
    for (const char* text : {"inf", ".nan", "eight", "3 m", "''"}) {
        EXPECT_NE(message(text).find("is not a whole number"), std::string::npos) << text;
    }
    EXPECT_EQ(message("8.0"), "");
}

TEST(Bind, AnUnknownNameComesWithTheNameThatWasMeant) {
    EXPECT_EQ(message_with("force: implict"),
              "case.yaml:2:8: error: force: implict: is not known here; write lagged or implicit\n"
              "    hint: did you mean `implicit`?");
    EXPECT_EQ(message_with("law: plastic"),
              "case.yaml:2:6: error: law: plastic: is not known here; write hertz or kelvin_voigt");
}

// The keys of a law whose name is misspelt are not complained about as well.
TEST(Bind, OneWrongNameIsOneProblem) {
    EXPECT_EQ(
        message_with("law: kelvin_voight\ndamping: 3"),
        "case.yaml:2:6: error: law: kelvin_voight: is not known here; write hertz or kelvin_voigt\n"
        "    hint: did you mean `kelvin_voigt`?");
}

TEST(Bind, ALongValueIsCutInTheMessage) {
    const std::string message = message_with("mass: " + std::string(10000, 'x'));
    EXPECT_LT(message.size(), 300u);
}

TEST(Bind, SeveralStructsShareOneMapping) {
    const auto document =
        io::parse_yaml("problem: impact\nbeam: {length: 1}\ntitle: 2024\n", "case.yaml");
    const auto [header, impact] = io::read<Header, Impact>(document);
    EXPECT_EQ(header.problem, "impact");
    EXPECT_EQ(header.title, "2024");
    EXPECT_EQ(impact.beam.length, 1.0);
    io::Problems problems;
    io::bind<Header>(document.root, "", problems);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].violation.key, "beam");
}

TEST(Bind, PathsBeginWhereTheMappingStands) {
    io::Problems problems;
    io::bind<Pin>(io::parse_yaml("x: 1 s\n", "f").root, "beam.pins[3]", problems);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].violation.key, "beam.pins[3].x");
}

TEST(ToNode, WritesAllDefaultsInSi) {
    Impact impact = read_text("beam: {length: 508 mm, pins: [{x: 0}]}\nangular_speed: 1e-7\n");
    EXPECT_EQ(io::to_yaml(io::to_node(Header{"impact", "a: b"}, impact)),
              "problem: impact\n"
              "title: \"a: b\"\n"
              "beam:\n"
              "  length: 0.508 m\n"
              "  radius: 0.00635 m\n"
              "  elements: 80\n"
              "  pins:\n"
              "    - x: 0 m\n"
              "      force: lagged\n"
              "  places: [0.1 m]\n"
              "law: hertz\n"
              "exponent: 1.5\n"
              "mount: none\n"
              "force: implicit\n"
              "mass: none\n"
              "angular_speed: 1e-07 rad/s\n"
              "map: false\n"
              "lanes: 8\n"
              "striker_mass: inf kg\n"
              "modes: auto\n");
}

TEST(ToNode, ReadsBackBitByBit) {
    Impact impact = read_text(
        "beam: {length: 20 in, pins: [{x: 1 ft}], places: []}\nlaw: kelvin_voigt\ndamping: 0.1\n"
        "mount: spring\nspring_stiffness: 1 lbf/in\nmass: 3 lb\nangular_speed: 33 "
        "rpm\nstriker_mass: 1e-300\n");
    const io::Node written = io::to_node(impact);
    const Impact again = io::read<Impact>(io::parse_yaml(io::to_yaml(written), "again"));
    EXPECT_TRUE(io::same_tree(io::to_node(again), written));
    EXPECT_EQ(again.angular_speed, impact.angular_speed);
    EXPECT_EQ(again.beam.length, impact.beam.length);
    EXPECT_EQ(again.mass.value(), impact.mass.value());
    EXPECT_EQ(std::get<Spring>(*again.mount).spring_stiffness,
              std::get<Spring>(*impact.mount).spring_stiffness);
    EXPECT_TRUE(again.beam.places.empty());
}

TEST(Bind, ADecimalCommaInBracesIsNamed) {
    EXPECT_NE(message_of("beam: {length: 6,5 mm}\n")
                  .find("beam.5 mm: is not a key here\n"
                        "    hint: a decimal comma? write length: 6.5 mm"),
              std::string::npos);
    EXPECT_EQ(message_of("beam: {length: 1, mass: 2}\n").find("decimal comma"), std::string::npos);
}

TEST(Bind, ADiameterIsToldToBeHalvedWhereARadiusIsWanted) {
    EXPECT_NE(message_of("beam: {length: 1, diameter: 20 mm}\n")
                  .find("hint: write `radius`, half of the diameter"),
              std::string::npos);
    EXPECT_EQ(message_of("beam: {length: 1}\ndiameter: 20 mm\n").find("half of the diameter"),
              std::string::npos);
}

}  // namespace
