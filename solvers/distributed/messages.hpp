#pragma once
/// Messages of any length between processes: MPI counts the numbers of one message in 32 bits.

#include <cstddef>
#include <span>
#include <vector>

namespace stoss::solvers {

/// Numbers in one message of MPI: 1 GiB, well below the 2^31 - 1 that its counts hold.
inline constexpr std::size_t largest_piece = std::size_t{1} << 27;

/// The numbers of the first process, to all: `numbers` has the same size everywhere. Sent in pieces
/// of `piece` numbers at most; all processes call it with the same `piece`.
void broadcast(std::span<double> numbers, std::size_t piece = largest_piece);

/// The numbers of all processes, one process after the other; for the first one, empty for the
/// others. Sizes may differ. Sent in pieces of `piece` numbers at most; all processes call it with
/// the same `piece`.
std::vector<double> gathered(std::span<const double> numbers, std::size_t piece = largest_piece);

}  // namespace stoss::solvers
