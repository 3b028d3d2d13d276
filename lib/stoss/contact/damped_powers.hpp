#pragma once
/// A damped law of powers of the overlap, as numbers: for those who compute many contacts at once.

#include <concepts>

#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/power.hpp>
#include <stoss/core/number.hpp>

namespace stoss::contact {

/// What multiplies the rate v in the force of a DampedPowers.
enum class DampingTerm {
    spring,   ///< F = k x^p (1 + c v)
    power,    ///< F = k (x^p + c x^q v)
    constant  ///< F = k x^p + c v
};

struct DampedPowers {
    DampingTerm term = DampingTerm::spring;
    double exponent = 0.0;          ///< p
    double damping_exponent = 0.0;  ///< q of DampingTerm::power
    double stiffness = 0.0;         ///< k [N/m^p]
    double damping = 0.0;           ///< c [s/m], [s m^(p-q-1)], [N s/m]

    /// True if the powers take square roots alone.
    bool takes_roots() const {
        return contact::takes_roots(exponent) &&
               (term != DampingTerm::power || contact::takes_roots(damping_exponent));
    }
    /// True if the two laws differ in k and c alone.
    bool has_powers_of(const DampedPowers& other) const {
        return term == other.term && exponent == other.exponent &&
               damping_exponent == other.damping_exponent;
    }
};

/// A law that says its force in these numbers, by its memory, as `law.powers(memory)`.
template <class L>
concept OfDampedPowers = requires(const L law, typename L::Memory memory) {
    { law.powers(memory) } -> std::same_as<DampedPowers>;
};

}  // namespace stoss::contact
