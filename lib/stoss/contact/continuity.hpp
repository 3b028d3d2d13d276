#pragma once
/// How the damping of a contact law begins, and whether its force is continuous.

#include <stoss/contact/contact.hpp>
#include <stoss/contact/laws.hpp>
#include <stoss/core/dual.hpp>

namespace stoss::contact {

/// Overlap [m] that is small against every length of a law, in any units.
inline constexpr double onset_overlap = 1e-40;

/// dF/dv [N s/m] of a contact that has begun, at an overlap [m].
template <ContactLaw L>
double damping_at(const Contact<L>& contact, double overlap) {
    return contact.force(core::Dual(overlap), core::Dual::variable(1.0)).derivative;
}

/// True for a law whose damping dF/dv, as the overlap begins, grows more slowly than the overlap: a
/// spring in series with it would be loaded in a time that no step resolves. A law of pieces counts
/// as one: its damping may grow on a ramp, and the ramp may be short.
template <ContactLaw L>
bool damps_from_onset(const L& law) {
    if constexpr (!L::is_elastic && Piecewise<L>) return true;
    Contact<L> contact(law, Separation::zero_overlap, 1.0);
    contact.accept(0.0, 1.0);
    return damping_at(contact, 2.0 * onset_overlap) < 1.999 * damping_at(contact, onset_overlap);
}

/// The same of a law of any kind.
bool damps_from_onset(const Law& law);

/// True for a law with rates whose force rises from zero where the overlap begins: then nothing
/// jumps where contact begins, where the law would pull and where contact ends.
///
/// The damping of such a law vanishes with the overlap, as is seen at two small ones.
template <ContactLaw L>
bool is_continuous(const Contact<L>& law) {
    Contact<L> begun = law;
    begun.accept(0.0, 1.0);
    return damping_at(begun, 1e-6 * onset_overlap) <= 0.5 * damping_at(begun, onset_overlap);
}

/// True for a law with rates whose force jumps where the overlap begins, and is smooth beyond: its
/// damping begins with a number above zero, and does not change at small overlaps.
template <ContactLaw L>
bool jumps_at_onset(const Contact<L>& law) {
    Contact<L> begun = law;
    begun.accept(0.0, 1.0);
    const double damping = damping_at(begun, onset_overlap);
    return damping > 0.0 && damping_at(begun, 1e-6 * onset_overlap) == damping;
}

/// True for a law that remembers the speed at which an impact began, as one does whose damping
/// follows from a wanted restitution.
template <ContactLaw L>
bool remembers_approach(const Contact<L>& law) {
    Contact<L> slow = law, fast = law;
    slow.accept(0.0, 1.0);
    fast.accept(0.0, 2.0);
    // A damping that vanishes faster than the elastic force is lost in the sum of the two.
    const core::Dual overlap(onset_overlap), rate = core::Dual::variable(1.0);
    const core::Dual of_slow = slow.force(overlap, rate), of_fast = fast.force(overlap, rate);
    return of_slow.value != of_fast.value || of_slow.derivative != of_fast.derivative;
}

}  // namespace stoss::contact
