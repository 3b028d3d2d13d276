#pragma once
/// The unit of the stiffness of F = k x^n: it depends on the exponent n, which is another key.

#include <optional>
#include <string_view>
#include <variant>

#include <stoss/io/units.hpp>

namespace stoss::io {

/// The unit of a key that holds such a stiffness.
constexpr std::string_view stiffness_unit = "N/m^n";

/// True if numbers for `si_unit` may carry a unit: the unit database knows it, or it has roots, as
/// N/m^n and N/m^(3/2).
bool takes_units(std::string_view si_unit);

/// Why a stiffness as a case gives it is none of a law with the exponent n: its unit is N/m^p with
/// p != n, as "5 N/mm^1.5" for n = 1. nullopt for n = p, for a plain number, which is in N/m^n, and
/// for a text that `parse_quantity` refuses.
std::optional<QuantityError> check_stiffness_exponent(std::string_view text, double exponent);

/// Reads a quantity of a law with that exponent, if it has one. Errors: those of both functions.
std::variant<double, QuantityError> parse_quantity(std::string_view text, std::string_view si_unit,
                                                   std::optional<double> exponent);

}  // namespace stoss::io
