#pragma once
/// A problem on one line: `stoss cor --law hertz ...`, `stoss calibrate --cor 0.6 ...`.

#include <string>
#include <vector>

namespace stoss::solvers {

/// What a line gives: for standard output, and for standard error.
struct LineResult {
    std::string text;
    std::vector<std::string> warnings;
};

/// Solves `problem` with keys given as `--key value` and returns its scalar results, a line each
/// with its unit, its map.csv if that has several rows, or the summary as JSON. A key is named by
/// its path (`--contact.damping`) or, if that is clear, by its last parts (`--damping`). Several
/// values are set apart by commas: of a list, or of one key that then takes them in turn. Lists and
/// mappings may be written as in a case file, `[0, 1e-5]`. `command` is what messages name. Errors:
/// core::InputError for unknown keys and for what is wrong with the case; core::NumericalError if
/// it cannot be computed; core::Stopped after a signal (core/interrupt.hpp).
LineResult solve_line(const std::string& command, const std::string& problem,
                      const std::vector<std::string>& arguments, bool as_json);

}  // namespace stoss::solvers
