#pragma once
/// Quantities with units, by UDUNITS-2. SI inside: everything is converted at the boundary.

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace stoss::core {

/// Why a text is not the wanted quantity.
struct QuantityError {
    std::string rule;        ///< e.g. `12.7 s is not a length; the unit must convert to m`
    std::string suggestion;  ///< may be empty
};

/// Reads "12.7 mm", "68.3 GPa", "1e-3", "inf", ".nan" as a number in `si_unit`.
/// A plain number is taken as SI. `si_unit` "" admits plain numbers only (and "%").
/// NaN is returned as NaN: the range check refuses it.
std::variant<double, QuantityError> parse_quantity(std::string_view text, std::string_view si_unit);

/// Shortest text that reads back as the same double ("0.0127", "inf", ".nan").
std::string to_text(double value);

/// `value` with its unit, for messages: "0.0127 m", "0.68".
std::string with_unit(double value, std::string_view si_unit);

/// Key or column suffix of a unit: "N s" -> "N_s", "m/s" -> "m_per_s", "" -> "".
std::string unit_suffix(std::string_view si_unit);

}  // namespace stoss::core
