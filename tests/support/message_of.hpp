#pragma once
/// The words of a refusal.

#include <string>

#include <stoss/core/error.hpp>

namespace stoss::tests {

/// The message of the core::NumericalError that f() throws; "no error" if it throws none.
template <class F>
std::string message_of(F f) {
    try {
        f();
    } catch (const core::NumericalError& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace stoss::tests
