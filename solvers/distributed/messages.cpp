#include <solvers/distributed/lammps.hpp>
#include <solvers/distributed/messages.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace stoss::solvers {

namespace {

/// Calls `each(piece)` for consecutive parts of at most `size` numbers.
template <class Number, class Each>
void for_pieces(std::span<Number> numbers, std::size_t size, const Each& each) {
    while (!numbers.empty()) {
        const std::size_t taken = std::min(size, numbers.size());
        each(numbers.first(taken));
        numbers = numbers.subspan(taken);
    }
}

}  // namespace

void broadcast(std::span<double> numbers, std::size_t piece) {
    for_pieces(numbers, piece, [](std::span<double> part) {
        MPI_Bcast(part.data(), static_cast<int>(part.size()), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    });
}

std::vector<double> gathered(std::span<const double> numbers, std::size_t piece) {
    int ranks = 0, rank = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const auto size = static_cast<std::int64_t>(numbers.size());
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(ranks));
    MPI_Gather(&size, 1, MPI_INT64_T, sizes.data(), 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    if (rank != 0) {
        for_pieces(numbers, piece, [](std::span<const double> part) {
            MPI_Send(part.data(), static_cast<int>(part.size()), MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        });
        return {};
    }
    std::vector<double> result(
        static_cast<std::size_t>(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0})));
    std::copy(numbers.begin(), numbers.end(), result.begin());
    std::span<double> rest = std::span(result).subspan(numbers.size());
    for (int sender = 1; sender < ranks; ++sender) {
        const auto count = static_cast<std::size_t>(sizes[static_cast<std::size_t>(sender)]);
        for_pieces(rest.first(count), piece, [sender](std::span<double> part) {
            MPI_Recv(part.data(), static_cast<int>(part.size()), MPI_DOUBLE, sender, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        });
        rest = rest.subspan(count);
    }
    return result;
}

}  // namespace stoss::solvers
