#pragma once
/// Numbers of a case without a unit although the key has one: they are read as SI.

#include <string>
#include <string_view>
#include <vector>

#include <stoss/io/describe.hpp>
#include <stoss/io/document.hpp>

namespace stoss::io {

/// A number that was read as SI.
struct PlainNumber {
    std::string key;  ///< path, e.g. `beam.supports[0].offset`
    double value;     ///< [unit]
    std::string unit;
};

/// Such numbers in a mapping, in the order of `keys`. Zero and infinity are left out: they are the
/// same in every unit.
std::vector<PlainNumber> plain_numbers(const Node& mapping,
                                       const std::vector<KeyDescription>& keys);

/// The same for one value that a key in `si_unit` would take; nothing to find adds nothing.
void add_plain_number(const Node& value, std::string_view si_unit, const std::string& path,
                      std::vector<PlainNumber>& numbers);

}  // namespace stoss::io
