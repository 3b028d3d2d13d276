#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <stoss/core/error.hpp>
#include <stoss/io/json.hpp>

namespace {

using stoss::core::InputError;
using stoss::io::parse_json;
using stoss::io::to_json;
using stoss::io::Value;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Line and column of the only diagnostic of a text that must be refused.
std::pair<int, int> place_of_error(const std::string& text) {
    try {
        parse_json(text, "summary.json");
    } catch (const InputError& error) {
        EXPECT_EQ(error.diagnostics().size(), 1u);
        EXPECT_EQ(error.diagnostics().front().file, "summary.json");
        EXPECT_FALSE(error.diagnostics().front().violation.rule.empty());
        return {error.diagnostics().front().line, error.diagnostics().front().column};
    }
    ADD_FAILURE() << "accepted: " << text;
    return {0, 0};
}

std::string rule_of_error(const std::string& text) {
    try {
        parse_json(text, "summary.json");
    } catch (const InputError& error) {
        return error.diagnostics().front().violation.rule;
    }
    ADD_FAILURE() << "accepted: " << text;
    return {};
}

TEST(Json, KeysKeepTheOrderInWhichTheyWereSet) {
    Value value;
    value.set("zeta", 1).set("alpha", 2).set("mu", 3).set("zeta", 4);
    EXPECT_EQ(to_json(value), "{\n  \"zeta\": 4,\n  \"alpha\": 2,\n  \"mu\": 3\n}\n");
    EXPECT_EQ(parse_json(to_json(value), "x"), value);
}

TEST(Json, EveryKindReadsBackAsTheSameTree) {
    Value value;
    value.set("nothing", Value());
    value.set("flag", true);
    value.set("count", std::size_t{5});
    value.set("least", std::numeric_limits<std::int64_t>::min());
    value.set("greatest", std::numeric_limits<std::int64_t>::max());
    value.set("speed", -0.25);
    value.set("text", "quotes \" \\ newline \n tab \t control \x01 Gr\u00fc\u00dfe");
    value.set("empty_object", Value::object());
    value.set("empty_array", Value::array());
    value.set("rows", Value::Array{Value::Array{1, 2.5}, Value::Array{}, Value::object()});
    EXPECT_EQ(parse_json(to_json(value), "x"), value);
    EXPECT_EQ(parse_json(to_json(value, 0), "x"), value);
}

TEST(Json, ArraysOfScalarsStandOnOneLine) {
    Value::Array rows;  // not as a list in braces: compilers differ on a list of one
    rows.push_back(Value::Array{1});
    Value value;
    value.set("a", Value::Array{1, 2.0, "x"}).set("b", rows);
    EXPECT_EQ(to_json(value, 1), "{\n \"a\": [1, 2.0, \"x\"],\n \"b\": [\n  [1]\n ]\n}\n");
}

TEST(Json, DoublesAreTheShortestTextThatReadsBack) {
    EXPECT_EQ(to_json(0.1), "0.1\n");
    EXPECT_EQ(to_json(5e-324), "5e-324\n");
    EXPECT_EQ(to_json(9007199254740993.0), "9007199254740992.0\n");
    std::mt19937_64 random(1);
    for (int i = 0; i < 20000; ++i) {
        const double number = std::bit_cast<double>(random());
        if (!std::isfinite(number)) continue;
        const Value back = parse_json(to_json(number), "x");
        ASSERT_TRUE(std::holds_alternative<double>(back.data)) << to_json(number);
        ASSERT_EQ(std::bit_cast<std::uint64_t>(std::get<double>(back.data)),
                  std::bit_cast<std::uint64_t>(number));
    }
}

TEST(Json, WholeDoublesStayDoubles) {
    EXPECT_EQ(to_json(2.0), "2.0\n");
    EXPECT_EQ(to_json(2), "2\n");
    EXPECT_EQ(to_json(-0.0), "-0.0\n");
    EXPECT_FALSE(Value(2) == Value(2.0));
}

TEST(Json, InfinityAndNanAreWrittenAsStringsAndReadAsNumbers) {
    const Value value = Value::Array{infinity, -infinity, not_a_number};
    EXPECT_EQ(to_json(value), "[\"inf\", \"-inf\", \"nan\"]\n");
    const Value back = parse_json(to_json(value), "x");
    EXPECT_EQ((*back.items())[0].number(), infinity);
    EXPECT_EQ((*back.items())[1].number(), -infinity);
    EXPECT_TRUE(std::isnan((*back.items())[2].number().value()));
    EXPECT_FALSE(Value("fast").number().has_value());
    EXPECT_THROW(parse_json("NaN", "x"), InputError);
}

TEST(Json, BytesThatAreNotUtf8AreReplaced) {
    EXPECT_EQ(to_json("\xff"
                      "a"),
              "\"\uFFFDa\"\n");
}

TEST(Json, LookupFindsOnlyWhatIsThere) {
    Value value;
    value.set("e", 0.6362);
    ASSERT_NE(value.find("e"), nullptr);
    EXPECT_EQ(value.find("e")->number(), 0.6362);
    EXPECT_EQ(value.find("f"), nullptr);
    EXPECT_EQ(Value(1.0).find("e"), nullptr);
    EXPECT_FALSE(Value(1).flag().has_value());
    EXPECT_THROW(Value(1.0).set("e", 1), std::bad_variant_access);
    EXPECT_THROW(Value("e").append(1), std::bad_variant_access);
}

TEST(Json, IntegersBeyond64SignedBitsAreRefused) {
    EXPECT_THROW(Value{std::numeric_limits<std::uint64_t>::max()}, std::out_of_range);
    EXPECT_THROW(parse_json("9223372036854775808", "x"), InputError);
    EXPECT_EQ(parse_json("9223372036854775807", "x"),
              Value(std::numeric_limits<std::int64_t>::max()));
}

TEST(Json, ErrorsHaveLineAndColumn) {
    EXPECT_EQ(place_of_error("{\n  \"a\": oops\n}"), (std::pair{2, 8}));
    EXPECT_EQ(place_of_error("{\"a\": 1,\n \"a\": 2}").first, 2);
    EXPECT_EQ(place_of_error("").first, 1);
    EXPECT_EQ(place_of_error("[1, 2").first, 1);
    EXPECT_EQ(place_of_error("[1] 2").first, 1);
    EXPECT_EQ(place_of_error("[\n\n1e400]").first, 3);
    EXPECT_EQ(place_of_error("\"\xff\"").first, 1);
}

TEST(Json, AKeyGivenTwiceIsNamed) {
    EXPECT_EQ(rule_of_error("{\"mass_kg\": 1, \"mass_kg\": 2}"),
              "the key \"mass_kg\" is given twice");
}

TEST(Json, ErrorWordsCarryNoNumbersOfTheParser) {
    EXPECT_EQ(rule_of_error("[1e400]").find("json.exception"), std::string::npos);
    EXPECT_EQ(rule_of_error("[1,]").find("json.exception"), std::string::npos);
    EXPECT_EQ(rule_of_error("[1,]").find("line 1"), std::string::npos);
}

TEST(Json, NestingIsBounded) {
    const auto nested = [](std::size_t levels) {
        return std::string(levels, '[') + std::string(levels, ']');
    };
    EXPECT_NO_THROW(parse_json(nested(64), "x"));
    EXPECT_THROW(parse_json(nested(65), "x"), InputError);
    EXPECT_THROW(parse_json(std::string(1000000, '['), "x"), InputError);
}

TEST(Json, AnObjectMayHaveManyKeys) {
    std::string text = "{\"k0\": 0";
    for (int i = 1; i < 300'000; ++i) text += ", \"k" + std::to_string(i) + "\": 0";
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(parse_json(text + "}", "x").members()->size(), 300'000u);
    EXPECT_THROW(parse_json(text + ", \"k0\": 0}", "x"), InputError);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace
