#pragma once
/// Long work in rows of numbers: the checkpoint of the run keeps each row once it is computed.

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include <solvers/case/problem.hpp>

namespace stoss::solvers {

/// The row that the checkpoint holds; empty if it holds none.
std::vector<double> kept_row(const RunOptions& options, std::size_t index);

/// Fills `rows` with those that the checkpoint holds, row k with its row `first` + k. The numbers
/// k of those that are left to compute: all others of the shard.
std::vector<std::size_t> open_rows(std::vector<std::vector<double>>& rows,
                                   const RunOptions& options, std::size_t first = 0);

/// What a row is to the progress of the run, and to the checkpoint.
struct RowCount {
    std::string_view items;     ///< what is counted: "collisions"
    std::size_t in_a_row = 1;   ///< items
    std::size_t first_row = 0;  ///< in the checkpoint
};

/// `count` rows: those of the checkpoint, and `compute(k)` of the others of the shard, on the
/// threads of the run. A row of another shard stays empty, and one that was not computed before
/// the run was stopped.
std::vector<std::vector<double>> compute_open_rows(
    std::size_t count, const RowCount& counted, const RunOptions& options,
    const std::function<std::vector<double>(std::size_t)>& compute);

}  // namespace stoss::solvers
