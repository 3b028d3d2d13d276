#pragma once
/// How a problem says what is wrong with a case.

#include <vector>

#include <stoss/core/error.hpp>
#include <stoss/io/document.hpp>

namespace stoss::solvers {

/// Throws core::InputError with every violation at its place, in the order of the file; returns if
/// there is none.
void refuse(const io::Document& document, const std::vector<core::Violation>& violations);

}  // namespace stoss::solvers
