#pragma once
/// Values that a case may have but hardly means: a ball of 15 m on a strip of 300 mm.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <stoss/contact/laws.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::models {

struct BeamCollision;

/// A quantity of a case and the key that it follows from.
struct JudgedValue {
    std::string key;
    std::string written;    ///< value of the key with its unit
    double value;           ///< of the checked quantity
    std::string hint = {};  ///< what may be wrong if the value is above the range
};

/// One bound on plausible values.
struct PlausibilityRule {
    std::string_view quantity;  ///< the checked quantity
    std::string_view unit;      ///< SI; "" for a ratio
    core::Range range;          ///< of plausible values
    std::string_view reason;    ///< for the bounds
    bool needs_striker;         ///< false: it checks beams only
    /// All values of that quantity, with the keys from which they follow. `places`: xi of the
    /// contact.
    std::vector<JudgedValue> (*values)(const BeamCollision&, std::span<const double> places);
};

/// All rules; only the tests of the rules call it. Precondition of their `values`: `check` of the
/// collision found nothing. Without places only the beams are checked, so that no striker is
/// needed.
std::span<const PlausibilityRule> plausibility_rules();

/// Each key whose value lies outside of what its rule holds for plausible; a warning, no error.
/// Precondition: `check(parameters)` found nothing. `places`: xi of the contact.
std::vector<core::Violation> implausible(const BeamCollision& parameters,
                                         std::span<const double> places);

/// The doubt about a law of contact along a line between bodies that are no cylinders with parallel
/// axes, such as spheres; empty for any other law. `path`: the key that holds the law.
std::vector<core::Violation> implausible_line_contact(const contact::Law& law,
                                                      const std::string& path);

}  // namespace stoss::models
