#pragma once
/// The keys of a contact are read, written and described by code that is made once, in
/// contact_binding.cpp: every contact law has its own, and most problems need all of them.

#include <optional>
#include <string_view>
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
// The law in another mapping, beside other keys.
extern template void bind_variant(const Source&, std::string_view, const Node::Entry*, bool,
                                  contact::Law&, KnownKeys&);
extern template void write_variant(std::string_view, const contact::Law&, Node&);
extern template ValueDescription describe_value(const contact::Law&, std::string_view,
                                                const core::Range&);

}  // namespace stoss::io::detail
