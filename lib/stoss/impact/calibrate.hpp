#pragma once
/// Parameters of a law from a wanted restitution (docs/theory/loaded_impact.md).

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <stoss/impact/restitution.hpp>

namespace stoss::impact {

/// What an impact is to show.
struct Wanted {
    core::Required cor = {};                  ///< e in [1e-6, 1]
    std::optional<double> contact_time = {};  ///< duration of the contact force [s]
    std::optional<double> peak_overlap = {};  ///< [m]
};

/// A law with the parameters that give what is wanted, and what it then gives.
struct Calibration {
    contact::Law law;    ///< with all parameters
    Restitution result;  ///< |result.cor - wanted.cor| < 1e-9; about 1e-13 without a load
};

/// Name of the key that sets how much the law loses, "damping" or "damping_factor"; empty if it has
/// none.
std::string_view damping_key(const contact::Law& law);

/// Its value; none if the law has no such key or it is not given.
std::optional<double> damping_of(const contact::Law& law);

/// Sets it, and takes back a wanted restitution that the law may hold.
/// Errors: throws core::InputError for a law without damping.
void set_damping(contact::Law& law, double damping);

/// What is wrong with a wish, by the names of `Wanted` and "law": a law without damping, a
/// restitution outside [1e-6, 1], a time and an overlap at once. Empty if nothing is.
std::vector<core::Violation> check(const contact::Law& law, const Wanted& wanted);

/// Sets the damping of a law so that the impact has the wanted restitution, for any law that has
/// one. With a wanted contact time or peak overlap its stiffness is set as well; else the stiffness
/// must be given. What the law says of damping and restitution beforehand does not matter.
/// A call takes 0.1 to 1 ms where neither a time nor an overlap is wanted.
/// Errors: throws core::InputError with what the checks find, or if no damping gives that
/// restitution: it says what can be reached. core::NumericalError if the law that was found misses
/// what was wanted, or if none was found although what can be reached does not exclude it.
Calibration calibrate(const contact::Law& law, const Impact& impact, const Wanted& wanted);

/// The least total load m g + F [N] under which the body sticks (13.6); 0 if it sticks without
/// load, infinite if it never does; NaN if an impact on the way cannot be computed.
/// `impact.gravity` and `impact.load` do not count. Errors: as of `restitution`.
double critical_load(const contact::Law& law, Impact impact);

/// The least damping (`damping_key`) at which the body sticks under its load; infinite if it never
/// does; NaN if an impact on the way cannot be computed, as with a very large damping.
/// Errors: as of `restitution` and `set_damping`.
double critical_damping(contact::Law law, const Impact& impact);

/// What a published rule makes of a wanted restitution; nothing if it does not hold.
struct RuleDamping {
    std::optional<double> damping = {};  ///< in the unit of the law's damping
    std::optional<double> cor = {};      ///< the restitution that it gives
};

/// Names of the published rules of all laws (but `exact`).
std::vector<std::string> damping_rules();

/// The damping by the rule of that name, and its restitution. Empty if the law has no such rule or
/// if the rule does not hold for the law as it is. Errors: as of `restitution`.
RuleDamping damping_by_rule(const contact::Law& law, const Impact& impact, double wanted,
                            std::string_view rule);

}  // namespace stoss::impact
