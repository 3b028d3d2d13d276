#pragma once
/// What there is to choose from: `stoss list`, `stoss describe`, `stoss schema`.

#include <string>
#include <string_view>

namespace stoss::solvers {

/// Names and one-line meanings of "laws", "problems" or "schemes".
std::string list(std::string_view what);

/// The keys of a problem, law, scheme or of a file beside measurements as a table. Errors:
/// core::InputError for an unknown name.
std::string describe(const std::string& name);

/// JSON Schema of case files.
std::string schema();

}  // namespace stoss::solvers
