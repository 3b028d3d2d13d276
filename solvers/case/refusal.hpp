#pragma once
/// How a problem says what is wrong with a case.

#include <string>
#include <vector>

#include <stoss/core/error.hpp>
#include <stoss/io/document.hpp>

namespace stoss::solvers {

/// Throws core::InputError with every violation at its place, in the order of the file; returns if
/// there is none.
void refuse(const io::Document& document, const std::vector<core::Violation>& violations);

/// The path of a file that a case names: relative to the case.
std::string path_in_case(const io::Document& document, const std::string& name);

/// A violation of the key that names it if there is no such file.
std::vector<core::Violation> check_file(const io::Document& document, std::string key,
                                        const std::string& name);

}  // namespace stoss::solvers
