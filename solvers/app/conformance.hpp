#pragma once
/// `stoss conformance`: which restitution do programs give for the one that they are asked for?

#include <string>
#include <vector>

#include <solvers/app/experiments.hpp>

namespace stoss::solvers {

/// What `stoss conformance` was asked for.
struct ConformanceRequest {
    std::vector<std::string> programs;  ///< names of asked_programs(), or one of any other program
    std::string answers;    ///< table of the answers (CSV) of that other program; empty: none
    std::string directory;  ///< empty: runs/conformance
    bool quiet = false;     ///< no progress
};

/// Asks the programs, writes their inputs and answers, figures and report.
/// Errors: core::InputError for a program that is not known or not installed, for answers that
/// cannot be read, or a directory that holds a run; core::NumericalError if a program fails;
/// core::Stopped after Ctrl-C.
Done conformance(const ConformanceRequest& request);

}  // namespace stoss::solvers
