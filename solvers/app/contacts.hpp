#pragma once
/// `stoss contacts`: a table of rigid contacts in, a table of impulses out.

#include <cstddef>
#include <string>

namespace stoss::solvers {

/// The arguments on the command line.
struct ContactsRequest {
    std::string table;       ///< CSV, with the columns of the problem `rigid_contacts`
    std::string output;      ///< CSV; empty: <table>_solved.csv in the working directory
    std::string cor;         ///< coefficient of restitution as text; empty: no rebound
    std::string hypothesis;  ///< of restitution; empty: poisson
    int threads = 0;         ///< 0: all cores
    bool quiet = false;      ///< no progress
};

/// Solves every row, writes the output and says in one line what was done.
/// Errors: core::InputError, core::FileError, core::NumericalError, core::Stopped.
std::string contacts(const ContactsRequest& request);

}  // namespace stoss::solvers
