#pragma once
/// Which laws attract.

#include <variant>

#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/laws.hpp>

namespace stoss::contact {

/// True if the law pulls on bodies that just touch. `pair`: what the law is prepared for.
/// Precondition: the law has all its numbers.
inline bool attracts(const Law& law, const PairProperties& pair) {
    return std::visit(
        [&](const auto& each) { return each.force(0.0, 0.0, each.prepare(pair)) < 0.0; }, law);
}

}  // namespace stoss::contact
