#pragma once
/// Damping from a wanted restitution, and back: equations (8.6) to (8.15) of
/// docs/theory/contact_laws.md.
///
/// Every function works on one dimensionless number: what a law's damping is for unit mass, unit
/// stiffness and unit approach speed. The law scales it with those of the impact.
/// The restitution e = (rebound speed)/(approach speed) is that of two rigid bodies without load.

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include <stoss/contact/contact_law.hpp>

namespace stoss::contact {

/// Restitutions that damping can give: not 0, which takes infinite damping.
inline constexpr core::Range wanted_restitution{0.0, 1.0, true, false};

/// How a restitution becomes the damping factor of Hunt and Crossley's law.
enum class HuntCrossleyRule {
    exact,                     ///< (8.9): the restitution asked for is the one that comes out
    hunt_crossley_1975,        ///< z = 3/2 (1 - e)
    lankarani_nikravesh_1990,  ///< z = 3/4 (1 - e^2)
    hu_guo,                    ///< z = 3/2 (1 - e)/e
    flores                     ///< z = 8/5 (1 - e)/e
};

constexpr auto enum_names(HuntCrossleyRule) {
    return std::array{
        core::EnumName{HuntCrossleyRule::exact, "exact",
                       "damping that gives the wanted restitution exactly"},
        core::EnumName{HuntCrossleyRule::hunt_crossley_1975, "hunt_crossley_1975",
                       "mu v0 = 3/2 (1 - e); a wanted e of 0.5 gives 0.66"},
        core::EnumName{HuntCrossleyRule::lankarani_nikravesh_1990, "lankarani_nikravesh_1990",
                       "mu v0 = 3/4 (1 - e^2); a wanted e of 0.5 gives 0.73"},
        core::EnumName{HuntCrossleyRule::hu_guo, "hu_guo",
                       "mu v0 = 3/2 (1 - e)/e; a wanted e of 0.5 gives 0.49"},
        core::EnumName{HuntCrossleyRule::flores, "flores",
                       "mu v0 = 8/5 (1 - e)/e; a wanted e of 0.5 gives 0.47"}};
}

/// How a restitution becomes the damping coefficient of a linear damper.
enum class LinearDampingRule { exact, poursina_nikravesh_2020 };

constexpr auto enum_names(LinearDampingRule) {
    return std::array{
        core::EnumName{LinearDampingRule::exact, "exact",
                       "damping that gives the wanted restitution exactly"},
        core::EnumName{
            LinearDampingRule::poursina_nikravesh_2020, "poursina_nikravesh_2020",
            "fit for separation at zero force and 1 <= n <= 2; its error in e is at most 3.4e-3"}};
}

/// e of F = k x^n (1 + mu v) for z = mu v0 >= 0, any n >= 0 and either separation rule (8.8), by
/// Lambert's W.
double hunt_crossley_restitution(double z);

/// z = mu v0 that the rule gives for the wanted e in (0, 1] (8.9), (8.10).
double hunt_crossley_number(double e, HuntCrossleyRule rule);

/// Least e that the rule ever gives, wanted 0: 0 but for two of the published ones.
double least_restitution(HuntCrossleyRule rule);

/// e of F = k x + c v for the damping ratio xi = c/(2 sqrt(k m)) >= 0 (8.11), (8.12).
double oscillator_restitution(double xi, Separation separation);

/// xi that gives e in (0, 1].
double oscillator_damping_ratio(double e, Separation separation);

/// e of x'' + x^alpha + gamma d/dt x^beta = 0, x(0) = 0, x'(0) = 1 for gamma >= 0 (8.6); alpha,
/// beta >= 1. Exactly 0 where the bodies never part. Closed form for beta = alpha + 1 and
/// beta = (alpha + 1)/2; else integrated, with an error below 1e-12. NaN if that fails.
double viscoelastic_restitution(double gamma, double alpha, double beta, Separation separation);

/// gamma that gives e in (0, 1] (8.6); for beta = 1 and alpha = n it is C(e, n) of (8.14).
/// |e(gamma) - e| < 1e-12. NaN if e cannot be had with a gamma below 1e15.
double viscoelastic_number(double e, double alpha, double beta, Separation separation);

/// What is wrong if not exactly one of the two ways to say the damping is used: the factor under
/// `damping_key`, or `restitution`.
std::vector<core::Violation> check_one_given(std::string_view damping_key,
                                             std::optional<double> damping,
                                             std::optional<double> restitution);

/// The wanted restitution, from which the damping follows where its factor is not given.
/// Errors: throws core::InputError with what `check_one_given` says if neither is.
double required_restitution(std::string_view damping_key, std::optional<double> restitution);

/// What is wrong if the rule never gives a restitution as low as the wanted one.
std::vector<core::Violation> check_reachable(double restitution, HuntCrossleyRule rule);

/// What is wrong if `linear_damping_fit` does not hold for this exponent and this separation rule.
std::vector<core::Violation> check_fit(double exponent, Separation separation);

/// C(e, n) by the fit (8.15) of Poursina and Nikravesh 2020, (46), (47), (49): separation at zero
/// force, 1 <= n <= 2. The restitution it gives is off by at most 3.37e-3 (at n = 1, e = 0.65).
double linear_damping_fit(double e, double n);

}  // namespace stoss::contact
