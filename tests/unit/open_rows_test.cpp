/// Rows that a run takes from its checkpoint, and those that it computes.

#include <solvers/case/open_rows.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <vector>

#include <stoss/io/checkpoint.hpp>

namespace {

using namespace stoss;
using Numbers = std::vector<std::size_t>;
using Rows = std::vector<std::vector<double>>;

/// A run whose checkpoint holds the rows 2 and 5.
class OpenRows : public testing::Test {
  protected:
    OpenRows() {
        io::Checkpoint before("case");
        before.add(2, {20.0});
        before.add(5, {50.0, 51.0});
        checkpoint_.take_text(before.text(), "before");
        options_.quiet = true;
        options_.checkpoint = &checkpoint_;
    }

    io::Checkpoint checkpoint_{"case"};
    solvers::RunOptions options_;
};

TEST_F(OpenRows, AreThoseThatTheCheckpointDoesNotHold) {
    Rows rows(4);
    EXPECT_EQ(solvers::open_rows(rows, options_), (Numbers{0, 1, 3}));
    EXPECT_EQ(rows, (Rows{{}, {}, {20.0}, {}}));
    EXPECT_EQ(solvers::open_rows(rows, options_, 2), (Numbers{1, 2}));
    EXPECT_EQ(rows, (Rows{{20.0}, {}, {}, {50.0, 51.0}}));
}

TEST_F(OpenRows, AreAllWithoutACheckpoint) {
    options_.checkpoint = nullptr;
    Rows rows(3);
    EXPECT_EQ(solvers::open_rows(rows, options_), (Numbers{0, 1, 2}));
}

TEST_F(OpenRows, OfAShardAreItsOwn) {
    options_.shard = {2, 2};
    Rows rows(6);
    EXPECT_EQ(solvers::open_rows(rows, options_), (Numbers{1, 3}));
}

TEST_F(OpenRows, AreComputedOnceAndKept) {
    std::atomic<int> computed{0};
    const auto compute = [&](std::size_t k) {
        ++computed;
        return std::vector<double>{static_cast<double>(k)};
    };
    const Rows rows = solvers::compute_open_rows(4, {"rows", 1, 2}, options_, compute);
    EXPECT_EQ(rows, (Rows{{20.0}, {1.0}, {2.0}, {50.0, 51.0}}));
    EXPECT_EQ(computed, 2);
    io::Checkpoint later("case");
    later.take_text(checkpoint_.text(), "later");
    EXPECT_EQ(later.row(3), std::vector{1.0});
    EXPECT_EQ(later.row(4), std::vector{2.0});
}

TEST_F(OpenRows, ThatAStopLeavesAreEmpty) {
    options_.stop = [] { return true; };
    const Rows rows = solvers::compute_open_rows(2, {"rows"}, options_,
                                                 [](std::size_t) { return std::vector{1.0}; });
    EXPECT_EQ(rows, Rows(2));
}

}  // namespace
