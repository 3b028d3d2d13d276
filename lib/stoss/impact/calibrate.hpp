#pragma once
/// From a wanted restitution to the parameters of a law (section 13 of docs/theory.md).

#include <string_view>

#include <stoss/impact/restitution.hpp>

namespace stoss::impact {

/// What an impact is to show. NaN: not wanted.
struct Wanted {
    double cor = core::not_given;           ///< e in [1e-6, 1]
    double contact_time = core::not_given;  ///< duration of the contact force [s]
    double peak_overlap = core::not_given;  ///< [m]
};

/// A law with the parameters that give what is wanted, and what it then gives.
struct Calibration {
    contact::Law law;
    Restitution result;  ///< |result.cor - wanted.cor| < 1e-12
};

/// Name of the key that sets how much the law loses, "damping" or "damping_factor"; empty if it has
/// none.
std::string_view damping_key(const contact::Law& law);

/// Its value; NaN if there is none or if it is not given.
double damping_of(const contact::Law& law);

/// Sets it, and takes back a wanted restitution that the law may hold.
/// Precondition: the law has one.
void set_damping(contact::Law& law, double damping);

/// What is wrong with a wish, by the names of `Wanted` and "law": a law without damping, a
/// restitution outside (0, 1], a time and an overlap at once. Empty if nothing is.
std::vector<core::Violation> check(const contact::Law& law, const Wanted& wanted);

/// Sets the damping of a law so that the impact has the wanted restitution, for any law that has
/// one. With a wanted contact time or peak overlap its stiffness is set as well; else the stiffness
/// must be given. What the law says of damping and restitution beforehand does not matter.
/// 0.1 to 1 ms without a wanted time or overlap.
/// Errors: throws core::InputError with what the checks find, or if no damping gives that
/// restitution: it says what can be reached.
Calibration calibrate(const contact::Law& law, const Impact& impact, const Wanted& wanted);

/// The least total load m g + F [N] under which the body sticks (13.6); 0 if it sticks without
/// load, infinite if it never does. `impact.gravity` and `impact.load` do not count.
double critical_load(const contact::Law& law, Impact impact);

/// The least damping (`damping_key`) at which the body sticks under its load; infinite if it never
/// does. Precondition: the law has a damping.
double critical_damping(contact::Law law, const Impact& impact);

}  // namespace stoss::impact
