#pragma once
/// What mpirun tells the programs that it starts.

#include <charconv>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

namespace stoss::solvers {

/// The first of these environment variables that holds a number; `otherwise` if none does.
inline int launched(std::initializer_list<const char*> names, int otherwise) {
    for (const char* name : names) {
        const char* const text = std::getenv(name);
        if (!text) continue;
        const std::string_view digits(text);
        int number = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (error == std::errc() && end == digits.data() + digits.size()) return number;
    }
    return otherwise;
}

/// Of Open MPI, and of MPICH and its kin.
inline int launched_count() {
    return launched({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 0);
}
inline int launched_rank() {
    return launched({"OMPI_COMM_WORLD_RANK", "PMI_RANK"}, 0);
}

}  // namespace stoss::solvers
