// Numbers that are read as SI.
#include "small_case.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include <stoss/io/plain_numbers.hpp>

namespace {

using namespace stoss;

template <class Case = small_case::Impact>
std::vector<std::string> found_in(const std::string& text) {
    const io::Document document = io::parse_yaml(text, "case.yaml");
    std::vector<std::string> found;
    for (const io::PlainNumber& number :
         io::plain_numbers(document.root, io::describe_keys<Case>())) {
        found.push_back(number.key + " = " + core::with_unit(number.value, number.unit));
    }
    return found;
}

using Found = std::vector<std::string>;

TEST(PlainNumbers, AreThoseWithoutTheUnitThatCouldStandThere) {
    EXPECT_EQ(found_in("beam: {length: 0.3, radius: 6 mm}\nmass: 2\nangular_speed: -6 rad/s\n"),
              (Found{"beam.length = 0.3 m", "mass = 2 kg"}));
}

TEST(PlainNumbers, AreFoundInSequences) {
    EXPECT_EQ(found_in("beam: {length: 1 m, pins: [{x: 0.1}, {x: 20 mm}], places: [0.5, 1 cm]}\n"),
              (Found{"beam.pins[0].x = 0.1 m", "beam.places[0] = 0.5 m"}));
}

TEST(PlainNumbers, AreFoundBesideTheChoiceThatTheyBelongTo) {
    EXPECT_EQ(found_in("beam: {length: 1 m}\nlaw: kelvin_voigt\ndamping: 3\n"),
              Found{"damping = 3 N s/m"});
    EXPECT_EQ(found_in("beam: {length: 1 m}\nmount: spring\nspring_stiffness: 1e3\n"),
              Found{"spring_stiffness = 1000 N/m"});
}

/// An entry of a symmetric matrix.
struct Entry {
    double no = 0.0;

    static constexpr auto fields() {
        return std::tuple{core::field("on", &Entry::no, "1/kg", core::finite, "entry").also("no")};
    }
};

TEST(PlainNumbers, GoByTheNameThatTheCaseHas) {
    EXPECT_EQ(found_in<Entry>("no: 0.2\n"), Found{"no = 0.2 1/kg"});
    EXPECT_EQ(found_in<Entry>("on: 0.2\n"), Found{"on = 0.2 1/kg"});
}

TEST(PlainNumbers, ArePureOnesNot) {
    EXPECT_EQ(found_in("beam: {length: 1 m, elements: 40}\nexponent: 1.5\n"), Found{});
}

TEST(PlainNumbers, AreStiffnessesWhoseUnitHasAnExponentOfItsOwn) {
    EXPECT_EQ(found_in("beam: {length: 1 m}\nstiffness: 1e9\n"), Found{"stiffness = 1e+09 N/m^n"});
}

TEST(PlainNumbers, AreZeroAndInfinityNot) {
    EXPECT_EQ(found_in("beam: {length: 1 m}\nstriker_mass: inf\nangular_speed: 0\n"), Found{});
}

}  // namespace
