#pragma once
/// Quantities with units, by UDUNITS-2. SI inside: everything is converted at the boundary.
/// Every function may be called from several threads at once. The unit database is read from disk
/// when it is needed first: for a number with another unit than that of its key.

#include <string>
#include <string_view>
#include <variant>

namespace stoss::io {

/// Why a text is not the wanted quantity. The rule reads on after the value.
struct QuantityError {
    std::string rule;        ///< e.g. `is a time; this key wants a length`
    std::string suggestion;  ///< what to write instead, e.g. `for example "12.7 mm"`; may be empty
};

/// Reads "12.7 mm", "68.3 GPa", "1e-3", "inf", ".nan" as a number in `si_unit`.
/// A plain number is taken as SI. `si_unit` "" admits plain numbers only (and "%").
/// Decimal prefixes are exact: "12.7 mm" is the same double as 0.0127.
/// Angles and frequencies are kept apart: no hertz where rad/s is wanted, and the reverse.
/// NaN is returned as NaN: the range check refuses it.
std::variant<double, QuantityError> parse_quantity(std::string_view text, std::string_view si_unit);

/// True if the unit database knows `si_unit`: numbers are then written with it. False for "" and
/// for roots and symbolic exponents, as in "N/m^n", although `parse_quantity` reads such units.
bool accepts_unit(std::string_view si_unit);

/// What a quantity in `si_unit` is called and how one is written: "a length", "12.7 mm".
struct QuantityWords {
    std::string noun;     ///< "a length"; "a number in N/m^n" if the dimension has no common name
    std::string example;  ///< "12.7 mm"
};
QuantityWords quantity_words(std::string_view si_unit);

}  // namespace stoss::io
