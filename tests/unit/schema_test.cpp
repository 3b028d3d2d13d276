#include "small_case.hpp"

#include <stoss/io/schema.hpp>

#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include <stoss/core/parallel.hpp>

namespace {

using namespace stoss;
using namespace stoss::small_case;
using io::Value;

const Value schema = io::json_schema<Impact>("Impact");

// The target of a `$ref` of the schema.
const Value& target(const Value& value, const Value& whole) {
    const Value* const reference = value.find("$ref");
    if (reference == nullptr) return value;
    const std::string name = reference->text()->substr(std::string("#/$defs/").size());
    return *whole.find("$defs")->find(name);
}

// The value at a path of keys and indices such as "allOf/0/then", through references into `whole`;
// fails the test if it is not there.
const Value& at(const Value& root, const std::string& path, const Value& whole = schema) {
    static const Value nothing;
    const Value* value = &root;
    for (std::size_t begin = 0; begin <= path.size();) {
        if (value->members() != nullptr &&
            value->find(path.substr(begin, std::min(path.find('/', begin), path.size()) - begin)) ==
                nullptr)
            value = &target(*value, whole);
        const std::size_t end = std::min(path.find('/', begin), path.size());
        const std::string step = path.substr(begin, end - begin);
        begin = end + 1;
        if (const auto* items = value->items()) {
            const std::size_t index = std::stoul(step);
            value = index < items->size() ? &(*items)[index] : nullptr;
        } else {
            value = value->find(step);
        }
        if (value == nullptr) {
            ADD_FAILURE() << "nothing at " << path;
            return nothing;
        }
    }
    return *value;
}

TEST(Schema, IsAClosedObjectOfDraft202012) {
    EXPECT_EQ(at(schema, "$schema"), Value("https://json-schema.org/draft/2020-12/schema"));
    EXPECT_EQ(at(schema, "title"), Value("Impact"));
    EXPECT_EQ(at(schema, "additionalProperties"), Value(false));
    EXPECT_EQ(at(schema, "required"), Value::array().append("beam"));
    EXPECT_EQ(at(schema, "properties/beam/additionalProperties"), Value(false));
    EXPECT_EQ(at(schema, "properties/beam/required"), Value::array().append("length"));
}

struct Struck {
    core::Place place;

    static constexpr auto fields() {
        return std::tuple{
            core::field("place", &Struck::place, "", core::closed(0.0, 1.0), "where")};
    }
};

TEST(Schema, APlaceIsAShareOrATextWithALength) {
    const Value place = at(io::json_schema<Struck>("Struck"), "properties/place");
    EXPECT_EQ(at(place, "anyOf/0/maximum"), Value(1.0));
    const std::regex pattern(*at(place, "anyOf/1/pattern").text());
    for (const char* good : {"0.5", "50 %", "10 mm", "1e-3 m"}) {
        EXPECT_TRUE(std::regex_match(good, pattern)) << good;
    }
    for (const char* bad : {"0,5", "10 - mm", "mm"}) {
        EXPECT_FALSE(std::regex_match(bad, pattern)) << bad;
    }
}

TEST(Schema, AQuantityIsANumberOrATextWithAUnit) {
    const Value& length = at(schema, "properties/beam/properties/length");
    EXPECT_EQ(at(length, "anyOf/0"),
              Value::object().set("type", "number").set("exclusiveMinimum", 0.0));
    EXPECT_EQ(at(length, "anyOf/1/type"), Value("string"));
    EXPECT_EQ(at(length, "description"), Value("length of the beam [m]"));
    EXPECT_EQ(length.find("default"), nullptr);
    EXPECT_EQ(at(schema, "properties/beam/properties/radius/default"), Value("0.00635 m"));
    EXPECT_EQ(at(schema, "properties/mass/anyOf/2"), Value::object().set("const", "none"));
    EXPECT_EQ(at(schema, "properties/modes/anyOf/0/type"), Value("integer"));
    EXPECT_EQ(at(schema, "properties/modes/anyOf/1"), Value::object().set("const", "auto"));
    EXPECT_EQ(at(schema, "properties/modes/default"), Value("auto"));
}

TEST(Schema, RangesAreBounds) {
    const Value& places = at(schema, "properties/beam/properties/places");
    EXPECT_EQ(at(places, "items/anyOf/0/minimum"), Value(0.0));
    EXPECT_EQ(at(places, "items/anyOf/0/maximum"), Value(2.0));
    const Value& elements = at(schema, "properties/beam/properties/elements");
    EXPECT_EQ(at(elements, "type"), Value("integer"));
    EXPECT_EQ(at(elements, "minimum"), Value(1));
    EXPECT_EQ(at(elements, "default"), Value(80));
    EXPECT_EQ(at(schema, "properties/angular_speed/anyOf/0"),
              Value::object().set("type", "number"));
}

// Two pins from the start: the default is a list of mappings.
struct Frame {
    std::vector<Pin> pins{Pin{0.5, Force::lagged}, Pin{1.0, Force::implicit}};

    static constexpr auto fields() {
        return std::tuple{core::field("pins", &Frame::pins, "pins of the frame")};
    }
};

TEST(Schema, ADefaultListOfMappingsIsWrittenOut) {
    const Value frame = io::json_schema<Frame>("frame");
    EXPECT_EQ(at(frame, "properties/pins/default/0"),
              Value::object().set("x", "0.5 m").set("force", "lagged"));
    EXPECT_EQ(at(frame, "properties/pins/default/1/force"), Value("implicit"));
}

TEST(Schema, AnEnumerationListsItsNames) {
    EXPECT_EQ(at(schema, "properties/force/oneOf/1"),
              Value::object().set("const", "implicit").set("description", "solved for"));
    EXPECT_EQ(at(schema, "properties/force/default"), Value("implicit"));
}

TEST(Schema, AnAlternativeBringsItsKeysAndForbidsTheOthers) {
    // The default alternative also holds where the key is absent; the other only where it is named.
    EXPECT_EQ(at(schema, "allOf/0/if").find("required"), nullptr);
    EXPECT_EQ(at(schema, "allOf/0/then/additionalProperties"), Value(false));
    EXPECT_EQ(at(schema, "allOf/0/then/properties").find("damping"), nullptr);
    EXPECT_EQ(at(schema, "allOf/0/then/properties/beam"), Value(true));
    EXPECT_EQ(at(schema, "allOf/0/then/properties/exponent/default"), Value(1.5));
    EXPECT_EQ(at(schema, "allOf/1/if/properties/law/const"), Value("kelvin_voigt"));
    EXPECT_EQ(at(schema, "allOf/1/if/required"), Value::array().append("law"));
    EXPECT_EQ(at(schema, "allOf/1/then/required"), Value::array().append("damping"));
    EXPECT_EQ(at(schema, "allOf/1/then/properties").find("stiffness"), nullptr);
    EXPECT_EQ(at(schema, "properties/stiffness"), Value(true));
    // `none` is the default of the mount, and brings no keys.
    EXPECT_EQ(at(schema, "allOf/3/if/properties/mount/const"), Value("none"));
    EXPECT_EQ(at(schema, "allOf/3/then/properties").find("spring_stiffness"), nullptr);
}

TEST(Schema, TheProblemOfACaseDecidesAboutItsKeys) {
    const Value whole = io::json_schema(
        io::case_keys(io::describe_keys<Header>(),
                      {io::describe_choice<Impact>(), io::describe_choice<Spring>()}),
        "case");
    EXPECT_EQ(at(whole, "required", whole), Value::array().append("problem"));
    EXPECT_EQ(at(whole, "properties/problem/oneOf/0", whole),
              Value::object().set("const", "impact").set("description", "a beam meets a mass"));
    EXPECT_EQ(at(whole, "properties/title/type/0", whole), Value("string"));
    EXPECT_EQ(at(whole, "properties/damping", whole), Value(true));
    EXPECT_EQ(at(whole, "allOf/0/then/required", whole), Value::array().append("beam"));
    EXPECT_EQ(at(whole, "allOf/0/then/allOf/1/then/required", whole),
              Value::array().append("damping"));
    EXPECT_EQ(at(whole, "allOf/1/then/properties", whole).find("beam"), nullptr);
    EXPECT_EQ(whole.find("properties")->members()->front().key, "problem");
}

TEST(Schema, AUnitOfAnotherDimensionIsRefused) {
    const std::regex pattern(
        *at(schema, "properties/beam/properties/length/anyOf/1/pattern").text());
    for (const char* good :
         {"508 mm", "0.5 m", "20 in", "1e-3 km", "2 m^2/m", "+3 cm", "5 TPa/Pa*m"})
        EXPECT_TRUE(std::regex_match(good, pattern)) << good;
    for (const char* bad : {"508 mmm", "3 kg", "3 m/s", "-1 mm", "0 mm", "0.0 m", "mm", "2 s"})
        EXPECT_FALSE(std::regex_match(bad, pattern)) << bad;
}

struct Twice {
    core::Required mu = {};

    static constexpr auto fields() {
        return std::tuple{core::field("mu", &Twice::mu, "", core::non_negative, "friction")
                              .required()
                              .also("friction")};
    }
};

TEST(Schema, AKeyOfTwoNamesIsRequiredUnderEither) {
    const Value twice = io::json_schema<Twice>("Twice");
    EXPECT_EQ(twice.find("required"), nullptr);
    EXPECT_EQ(at(twice, "allOf/0/anyOf/1/required", twice), Value::array().append("friction"));
    EXPECT_NE(at(twice, "properties", twice).find("friction"), nullptr);
}

TEST(Schema, WhatStandsThereTwiceIsShared) {
    EXPECT_NE(schema.find("$defs"), nullptr);
    EXPECT_EQ(io::to_json(schema, 0).find("$ref") == std::string::npos, false);
}

struct Rare {
    double pressure = 1.0, area_moment = 1.0, work = 1.0;

    static constexpr auto fields() {
        return std::tuple{
            core::field("pressure", &Rare::pressure, "Pa", core::positive, "pressure"),
            core::field("area_moment", &Rare::area_moment, "m^4", core::positive, "area moment"),
            core::field("work", &Rare::work, "J", core::positive, "work")};
    }
};

/// The patterns of units that no schema has had before are shared.
TEST(Schema, IsTheSameFromSeveralThreads) {
    std::vector<Value> made(4);
    core::parallel_for(made.size(), 4,
                       [&](std::size_t i) { made[i] = io::json_schema<Rare>("Rare"); }, {});
    for (const Value& each : made) EXPECT_EQ(each, made.front());
    EXPECT_NE(at(made.front(), "properties/work", made.front()).members(), nullptr);
}

TEST(Describe, NamesTheKindsOfValues) {
    using Kind = io::ValueDescription::Kind;
    EXPECT_EQ(io::to_string(Kind::number), "number");
    EXPECT_EQ(io::to_string(Kind::sequence), "sequence");
}

TEST(Describe, IsATableOfAllKeys) {
    EXPECT_EQ(io::to_table(io::describe_keys<Impact>()),
              R"(key                    kind or unit          range              default    meaning
beam                   mapping                                  required   the beam
  length               m                     > 0                required   length of the beam
  radius               m                     > 0                0.00635 m  radius of the section
  elements             whole number          >= 1               80         number of elements
  pins                 list of mappings                         []         pins
    x                  m                                        required   place
    force              choice                                   lagged     how the force is found
      force: lagged                                                        as in the paper
      force: implicit                                                      solved for
  places               list of m             between 0 and 2    [0.1 m]    where to look
law                    choice                                   hertz      contact law
  law: hertz                                                               elastic contact
    stiffness          N/m^n                 > 0                           contact stiffness
    exponent           number                between 1 and 5    1.5        exponent n
  law: kelvin_voigt
    damping            N s/m                 >= 0               required   damper
mount                  choice or none                           none       elastic mount
  mount: spring
    spring_stiffness   N/m                   > 0                1000 N/m   stiffness of the mount
force                  choice                                   implicit   how the force is found
  force: lagged                                                            as in the paper
  force: implicit                                                          solved for
mass                   kg or none            > 0                none       added mass
angular_speed          rad/s                                    -6 rad/s   spin
map                    true or false                            false      whether to map all places
lanes                  whole number          >= 0               8          collisions at once
striker_mass           kg                    > 0 (inf allowed)  inf kg     mass of the striker
modes                  whole number or auto  between 1 and 100  auto       modes kept
)");
}

}  // namespace
