// Where a beam is struck: shares of its length, or distances.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <solvers/case/locations.hpp>
#include <stoss/io/bind.hpp>

namespace {

using namespace stoss;
using solvers::Location;
using solvers::Locations;

constexpr double length = 0.3;  // [m]

Locations read(const std::string& text) {
    return io::read<Locations>(io::parse_yaml(text, "case.yaml"));
}

/// Keys of what is wrong.
template <class T>
std::vector<std::string> complaints(const T& where) {
    std::vector<std::string> keys;
    for (const core::Violation& each : solvers::check(where, length)) keys.push_back(each.key);
    return keys;
}

using Keys = std::vector<std::string>;

TEST(Locations, AreSharesOfTheLengthOrDistances) {
    const Locations shares = read("{from: 0.2, to: 1, points: 3}");
    const Locations distances = read("{from: 60 mm, to: 0.3 m, points: 3}");
    EXPECT_TRUE(complaints(shares).empty());
    EXPECT_TRUE(complaints(distances).empty());
    const std::vector<double> expected{0.2, 0.6, 1.0}, found = distances.all(length);
    EXPECT_EQ(shares.all(length), expected);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], expected[i], 1e-15) << i;
    EXPECT_EQ(found.back(), 1.0);
}

TEST(Locations, MayBeMixed) {
    const Locations mixed = read("{at: [0.5, 30 mm, 100 %]}");
    EXPECT_TRUE(complaints(mixed).empty());
    EXPECT_EQ(mixed.xi(0, length), 0.5);
    EXPECT_NEAR(mixed.xi(1, length), 0.1, 1e-16);
    EXPECT_EQ(mixed.xi(2, length), 1.0);
}

TEST(Locations, DistancesStayWhereTheLengthChanges) {
    const Locations distances = read("{from: 30 mm, to: 150 mm, points: 2}");
    EXPECT_NEAR(distances.xi(0, 0.3), 0.1, 1e-16);
    EXPECT_NEAR(distances.xi(0, 0.6), 0.05, 1e-16);
}

TEST(Locations, BeyondTheBeamAreRefused) {
    EXPECT_EQ(complaints(read("{from: 10 mm, to: 301 mm, points: 3}")), Keys{"locations.to"});
    EXPECT_EQ(complaints(read("{at: [0.5, 0.4 m]}")), Keys{"locations.at[1]"});
    EXPECT_EQ(complaints(read("{from: 0.5, to: 100 mm, points: 3}")), Keys{"locations.to"});
    EXPECT_EQ(complaints(Location{{}, 0.3}), Keys{});
    EXPECT_EQ(complaints(Location{{}, 0.3001}), Keys{"location.x"});
}

TEST(Locations, OnePlaceIsGivenOnce) {
    EXPECT_EQ(complaints(Location{0.5, 0.15}), Keys{"location.x"});
    EXPECT_EQ(complaints(Location{}), Keys{"location.xi"});
    EXPECT_EQ(Location({0.4}).on(length), 0.4);
    EXPECT_NEAR(Location({{}, 0.12}).on(length), 0.4, 1e-15);
}

TEST(Locations, AreWrittenAsTheyWereRead) {
    const Locations read_once = read("{from: 12.7 mm, to: 0.9, points: 7}");
    const io::Node node = io::to_node(read_once);
    EXPECT_EQ(node.find("from")->scalar, "0.0127 m");
    EXPECT_EQ(node.find("to")->scalar, "0.9");
    const Locations again = read(io::to_yaml(node));
    EXPECT_EQ(again.all(length), read_once.all(length));
}

}  // namespace
