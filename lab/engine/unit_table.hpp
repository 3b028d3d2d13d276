#pragma once
/// The units that the laboratory knows.

#include <span>
#include <string_view>

namespace stoss::lab {

struct TableUnit {
    std::string_view name;
    double factor;  ///< of the SI unit
    int metre, kilogram, second, kelvin;
    bool takes_prefixes;
};

std::span<const TableUnit> table_units();

}  // namespace stoss::lab
