#pragma once
/// What mpirun and srun tell the programs that they start.

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

/// Number of processes that were started together, 0 without a launcher: of Open MPI, of MPICH and
/// its kin, and of PMIx, by which srun starts programs. PMIx gives the rank alone; Slurm gives the
/// number.
inline int launched_count() {
    const int count = launched({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 0);
    if (count > 0 || !std::getenv("PMIX_RANK")) return count;
    return launched({"SLURM_STEP_NUM_TASKS"}, 0);
}
inline int launched_rank() {
    return launched({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}, 0);
}

}  // namespace stoss::solvers
