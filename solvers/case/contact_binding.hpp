#pragma once
/// The keys of a contact are read, written and described by code that is made once, in
/// contact_binding.cpp: every contact law has its own, and most problems need all of them.

#include <optional>
#include <vector>

#include <models/contact_parameters.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/describe.hpp>

namespace stoss::solvers {

/// Exponent n of a law whose stiffness is in N/m^n; none if it has none.
std::optional<double> exponent_of(const contact::Law& law);

}  // namespace stoss::solvers

namespace stoss::io::detail {

extern template void bind_fields(const Source&, models::ContactParameters&, KnownKeys&);
extern template void write_fields(const models::ContactParameters&, Node&);
extern template std::vector<KeyDescription> describe_keys(const models::ContactParameters&);

}  // namespace stoss::io::detail
