#pragma once
/// What `units.cpp` asks of a database of units: by UDUNITS-2 in udunits.cpp; by a table of its own
/// where there is no UDUNITS, as in browsers (lab/engine/unit_table.cpp). One caller at a time.

#include <functional>
#include <memory>
#include <string>

namespace stoss::io {

/// A unit as its database sees it; null: no unit.
using Unit = std::shared_ptr<const void>;

/// A number in one unit as one in another; empty: there is no way.
using Conversion = std::function<double(double)>;

/// The unit of words such as "kN/mm" or "kg m^2"; null if the database does not know it.
Unit unit_of(const std::string& words);

/// The unit of pure numbers.
Unit unit_one();

/// True if both measure the same. Reciprocals (m/N and N/m) do not.
bool same_dimension(const Unit& a, const Unit& b);

/// Precondition: both have the same dimension.
Conversion conversion_of(const Unit& from, const Unit& to);

}  // namespace stoss::io
