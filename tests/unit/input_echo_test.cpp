// What is said of the input of a case.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include <published_beam.hpp>
#include <solvers/case/input_echo.hpp>
#include <stoss/core/text.hpp>

namespace {

using namespace stoss;

std::vector<std::string> read_as_si(const std::string& text) {
    const io::Document document = io::parse_yaml(text, "case.yaml");
    std::vector<std::string> found;
    for (const io::PlainNumber& number :
         solvers::numbers_read_as_si(document, io::describe_keys<models::BeamCollision>())) {
        found.push_back(number.key + " = " + core::with_unit(number.value, number.unit));
    }
    return found;
}

using Found = std::vector<std::string>;

TEST(NumbersReadAsSi, AreThoseOfASweepToo) {
    EXPECT_EQ(read_as_si("sweep: {key: striker.radius, values: [0.01, 20 mm]}\n"),
              Found{"sweep.values[0] = 0.01 m"});
    EXPECT_EQ(read_as_si("sweep: {key: mesh.elements, values: [20, 40]}\n"), Found{});
}

TEST(NumbersReadAsSi, AreThoseOfFitsAndDistributionsToo) {
    EXPECT_EQ(read_as_si("fit: [{key: beam.length, from: 0.2, to: 300 mm}]\n"),
              Found{"fit[0].from = 0.2 m"});
    EXPECT_EQ(read_as_si("uncertainty:\n"
                         "  keys:\n"
                         "    - {key: location, distribution: normal, sigma: 0.001}\n"
                         "    - {key: striker.mass, distribution: normal, relative_sigma: 0.1}\n"),
              Found{"uncertainty.keys[0].sigma = 0.001 m"});
}

TEST(InputEcho, NamesADoubtfulKeyOnceHoweverOftenItIsSwept) {
    solvers::InputEcho echo;
    models::BeamCollision beam = published_beam();
    for (const double omega : {-6.0, -6000.0, -7000.0}) {
        beam.motion.angular_velocity = omega;
        echo.add(beam, std::array{0.3, 1.0}, false);
    }
    ASSERT_EQ(echo.doubts.size(), 1u);
    EXPECT_TRUE(solvers::to_warning(echo.doubts[0])
                    .starts_with("motion.angular_velocity: -6000 rad/s: approach speed is "));
}

TEST(InputEcho, IsWrittenWithItsUnitAndAsText) {
    const io::Value list = solvers::to_value({{"mass of the beam", "kg", 0.1, 0.2}});
    EXPECT_EQ(io::to_json(list),
              io::to_json(io::Value::array().append(io::Value::object()
                                                        .set("quantity", "mass of the beam")
                                                        .set("unit", "kg")
                                                        .set("low", 0.1)
                                                        .set("high", 0.2)
                                                        .set("text", "100 g to 200 g"))));
}

}  // namespace
