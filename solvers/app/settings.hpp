#pragma once
/// `--set key.path=value`: keys of a case changed on the command line.

#include <string>
#include <vector>

#include <stoss/core/error.hpp>
#include <stoss/io/document.hpp>

namespace stoss::solvers {

/// Sets the keys in this order. Where a key names another alternative, as
/// `integration.scheme=verlet` does, keys of the case that belong to the former one only are left
/// out; returns a sentence about each. Errors: core::InputError for a setting that is none, or that
/// cannot be set.
std::vector<std::string> apply_settings(io::Document& document,
                                        const std::vector<std::string>& settings);

/// `error` with what is wrong with a key that a setting gave under the name of that setting, in
/// place of the case file `file` and a line of it.
core::InputError named_by_settings(const core::InputError& error, const std::string& file,
                                   const std::vector<std::string>& settings);

/// What `read` returns; its errors are told as `named_by_settings` does.
template <class Read>
auto under_settings(const std::string& file, const std::vector<std::string>& settings, Read read) {
    try {
        return read();
    } catch (const core::InputError& error) {
        throw named_by_settings(error, file, settings);
    }
}

}  // namespace stoss::solvers
