#pragma once
/// Comparison of a result with what its case expects.

#include <optional>
#include <string>
#include <vector>

#include <solvers/case/case_header.hpp>
#include <solvers/case/outcome.hpp>
#include <stoss/core/error.hpp>
#include <stoss/io/document.hpp>
#include <stoss/io/json.hpp>

namespace stoss::solvers {

/// An expectation compared with a result.
struct Verdict {
    Expectation expectation;
    std::optional<double> computed = {};
    std::optional<double> difference = {};
    bool passed = false;
    std::string reason;  ///< why there is no number, if there is none
    std::string place;   ///< what `at`, `from` and `to` are: a column's name, e.g. xi
};

/// The expectations of a case, `resolved`, that name a swept value which its `sweep` does not have.
/// A problem without the key `sweep` names its curves itself: nothing is said of these.
std::vector<core::Violation> check_expectations(const io::Node& resolved);

/// Holds every expectation of the case against its outcome.
std::vector<Verdict> hold_against(const Outcome& outcome);

bool all_passed(const std::vector<Verdict>& verdicts);

/// The verdicts as written to summary.json.
io::Value to_value(const std::vector<Verdict>& verdicts);

/// "cor_kinematic at xi = 0.3 (sweep -6 rad/s)": what the expectation is about, in words.
std::string subject(const Verdict& verdict);

}  // namespace stoss::solvers
