#pragma once
/// Whether a contact force is continuous in a whole collision.

#include <stoss/contact/contact.hpp>
#include <stoss/core/dual.hpp>

namespace stoss::contact {

/// True for a law with rates whose force rises from zero where the overlap begins, and does not
/// depend on the speed of approach but by the rate: then nothing jumps where contact begins, where
/// the law would pull and where contact ends.
///
/// The damping dF/dv of such a law vanishes with the overlap, as is seen at two small overlaps [m].
template <ContactLaw L>
bool is_continuous(const Contact<L>& law) {
    Contact<L> slow = law, fast = law;
    slow.accept(0.0, 1.0);
    fast.accept(0.0, 2.0);
    const auto damping = [&](double x) {
        return slow.force(core::Dual(x), core::Dual::variable(1.0)).derivative;
    };
    constexpr double small = 1e-6, smaller = 1e-12;
    return damping(smaller) <= 0.5 * damping(small) &&
           slow.force(small, 1.0) == fast.force(small, 1.0);
}

}  // namespace stoss::contact
