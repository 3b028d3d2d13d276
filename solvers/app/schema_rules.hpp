#pragma once
/// Rules between keys that the schema of cases can say, and that the field lists do not.

#include <stoss/io/json.hpp>

namespace stoss::solvers {

/// `schema` with the rules in its `allOf`, and what they share in its `$defs`. Each rule repeats
/// what the checks of a problem refuse, so that an editor marks it; none refuses what they accept,
/// which the test of the schema holds against every case.
io::Value with_rules(io::Value schema);

}  // namespace stoss::solvers
