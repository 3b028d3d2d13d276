#pragma once
/// Numbers of a state, one after the other: how assemblies are kept and taken up again.

#include <stoss/core/state_numbers.hpp>

namespace stoss::granular {

using core::put;
using core::take;

}  // namespace stoss::granular
