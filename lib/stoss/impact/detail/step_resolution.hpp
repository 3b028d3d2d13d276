#pragma once
/// How fine the steps of a run by the splitting scheme are for a tolerance
/// (theory/splitting_scheme.md 12.3 to 12.5).

#include <algorithm>
#include <numbers>

#include <stoss/core/elementary.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::impact {

/// Order of the error in kappa, as measured.
inline constexpr double error_order = 6.5;

/// How fine the steps of one run are (12.3) to (12.5).
struct StepResolution {
    double kappa = 1.0;               ///< length of the steps in contact, as a number
    double negligible = 0.0;          ///< part of the overlap that steps may leave unresolved
    double longest = core::infinity;  ///< [s]: no step is longer

    /// The one whose error is `ratio`^error_order times as large.
    StepResolution coarser(double ratio) const {
        return {ratio * kappa, core::pow(ratio, error_order) * negligible, longest};
    }

    /// epsilon: the relative change of velocity that may be left to the first step and to the rest
    /// of a contact. Of the same order in the step as the error of the scheme; below 1e-10 the
    /// overlap at the end of a first step would be roundoff.
    double epsilon() const { return std::clamp(2e-4 * core::pow(kappa, 6), 1e-10, 0.05); }
};

/// Step/time since a zero of the overlap, from the ellipse around the step that is free of
/// singularities (12.3).
inline double growth_by_ellipse(double kappa) {
    constexpr double ellipse = 3.0;  // rho kappa
    return 4.0 * ellipse * kappa / ((ellipse - kappa) * (ellipse - kappa));
}
/// The same where nothing is asked of the force but that it is singular there.
inline double growth_in_proportion(double kappa) {
    return 2.0 * kappa;
}

/// Step/time to the next zero: the ellipse again, but for the last part of the way.
inline double closing_by_ellipse(double kappa) {
    constexpr double spare = 0.6;
    const double growth = growth_by_ellipse(kappa);
    return growth / (spare + growth);
}
/// The same for runs that are compared. Were it to depend less on kappa, both runs would often take
/// the same steps here, and have the same error.
inline double closing_in_proportion(double kappa) {
    return 0.5 * kappa;
}
/// The same where derivatives are wanted: they gather the roundoff of each step.
inline double closing_for_derivatives(double kappa) {
    const double growth = growth_in_proportion(kappa);
    return growth / (1.0 + growth);
}

/// What runs may afford, as measured.
struct ToleranceFactors {
    double (*growth)(double kappa);   ///< step/time since a zero of the overlap
    double (*closing)(double kappa);  ///< step/time to the next zero, below 1
    double kappa;          ///< / tolerance^(1/6.5), with which most collisions reach the tolerance
    double largest_kappa;  ///< but no larger
    double negligible;     ///< vibrations left unresolved/(overlap tolerance)
    double exactness;      ///< of the forces of a step, relative/`negligible` of `StepResolution`
    double onset;          ///< epsilon of a first step/that of the rest of a contact
    double contact_resonance;  ///< angle of the contact resonance in a step of kappa 1
    double safety;             ///< by which an estimate of the error may be low
    double aim;                ///< error of the next run/tolerance, if one has to be repeated
    double refinement;         ///< kappa of a run/that of the next, at least
    double residual;           ///< weight of the residual of the energies: these add up better
};

/// A run that carries its deviation along knows what its first steps and the vibrations between its
/// nodes are wrong by. What the end of a contact is wrong by it does not know.
inline constexpr ToleranceFactors with_known_error{.growth = growth_by_ellipse,
                                                   .closing = closing_by_ellipse,
                                                   .kappa = 6.7,
                                                   .largest_kappa = 1.4,
                                                   .negligible = 5.0,
                                                   .exactness = 1e-7,
                                                   .onset = 10.0,
                                                   .contact_resonance = 0.88,
                                                   .safety = 1.2,
                                                   .aim = 0.45,
                                                   .refinement = 1.2,
                                                   .residual = 10.0};
/// What a law with rates takes from the energy is an integral over the nodes, which the deviation
/// does not correct: the residual is the error of this integral, not of the motion.
inline constexpr ToleranceFactors with_known_error_and_rates = [] {
    ToleranceFactors factors = with_known_error;
    factors.kappa = 6.0;
    factors.residual = 1.0;
    return factors;
}();
/// Two runs are to differ visibly. Laws that jump or remember amplify what forces are wrong by.
inline constexpr ToleranceFactors with_compared_runs{.growth = growth_in_proportion,
                                                     .closing = closing_in_proportion,
                                                     .kappa = 4.9,
                                                     .largest_kappa = 1.1,
                                                     .negligible = 1.0,
                                                     .exactness = 0.0,
                                                     .onset = 1.0,
                                                     .contact_resonance = 1.2,
                                                     .safety = 3.0,
                                                     .aim = 0.3,
                                                     .refinement = std::numbers::sqrt2,
                                                     .residual = 10.0};
/// The same for runs of which derivatives are wanted.
inline constexpr ToleranceFactors for_derivatives = [] {
    ToleranceFactors factors = with_compared_runs;
    factors.closing = closing_for_derivatives;
    return factors;
}();

}  // namespace stoss::impact
