#pragma once
/// `--set key.path=value`: keys of a case changed on the command line.

#include <string>
#include <vector>

#include <stoss/io/document.hpp>

namespace stoss::solvers {

/// Sets the keys in this order. Where a key names another alternative, as
/// `integration.scheme=verlet` does, keys of the case that belong to the former one only are left
/// out; returns a sentence about each. Errors: core::InputError for a setting that is none, or that
/// cannot be set.
std::vector<std::string> apply_settings(io::Document& document,
                                        const std::vector<std::string>& settings);

}  // namespace stoss::solvers
