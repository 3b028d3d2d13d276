#include <vector>

#include <gtest/gtest.h>
#include <stoss/core/arrays.hpp>

namespace stoss::core {
namespace {

using Indices = std::vector<std::size_t>;

TEST(SpreadIndices, AreEvenlySpacedWithTheFirstAndTheLast) {
    EXPECT_EQ(spread_indices(3, 7), (Indices{0, 3, 6}));
    EXPECT_EQ(spread_indices(4, 11), (Indices{0, 3, 6, 10}));
    EXPECT_EQ(spread_indices(2, 100), (Indices{0, 99}));
}

TEST(SpreadIndices, AreAllIfThereAreNoMore) {
    EXPECT_EQ(spread_indices(9, 3), (Indices{0, 1, 2}));
    EXPECT_EQ(spread_indices(3, 3), (Indices{0, 1, 2}));
    EXPECT_EQ(spread_indices(5, 0), Indices{});
}

TEST(SpreadIndices, OnlyOneIsTheMiddle) {
    EXPECT_EQ(spread_indices(1, 5), Indices{2});
    EXPECT_EQ(spread_indices(5, 1), Indices{0});
}

}  // namespace
}  // namespace stoss::core
