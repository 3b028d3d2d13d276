#pragma once
/// Restitution with friction. An algebraic law knows the impulses of compression and restitution
/// as wholes; an incremental one follows the contact while the normal impulse grows
/// (docs/theory/rigid_impact.md).

#include <array>
#include <string_view>

#include <stoss/core/fields.hpp>
#include <stoss/rigid/contact_problem.hpp>

namespace stoss::rigid {

/// What the coefficient of restitution e relates.
enum class Restitution {
    newton,   ///< normal velocities: v_n after = e b_n
    poisson,  ///< normal impulses: that of restitution = e that of compression
    stronge   ///< work of the normal impulse: that of restitution = e^2 that of compression
};

constexpr auto enum_names(Restitution) {
    return std::array{
        core::EnumName{Restitution::newton, "newton", "kinematic: ratio of normal velocities"},
        core::EnumName{Restitution::poisson, "poisson", "kinetic: ratio of normal impulses"},
        core::EnumName{Restitution::stronge, "stronge",
                       "energetic: square root of the ratio of the works of the normal impulses"},
    };
}

/// How the impulse of an impact with restitution is found.
enum class ImpactLaw {
    algebraic,   ///< compression and restitution as wholes, by maximum dissipation
    incremental  ///< along Routh's path (stoss/rigid/routh.hpp)
};

constexpr auto enum_names(ImpactLaw) {
    return std::array{
        core::EnumName{
            ImpactLaw::algebraic, "algebraic",
            "whole impulses of compression and restitution, by maximum dissipation; Stronge's "
            "hypothesis needs the work along the path and is always incremental"},
        core::EnumName{ImpactLaw::incremental, "incremental",
                       "Routh's path: Coulomb's law at each increment of the normal impulse"},
    };
}

/// The law that an impact follows: there is no algebraic one by Stronge's hypothesis.
constexpr ImpactLaw law_of(Restitution hypothesis, ImpactLaw wanted) {
    return hypothesis == Restitution::stronge ? ImpactLaw::incremental : wanted;
}

/// How an impact with restitution came out.
enum class ImpactStatus {
    solved,
    invalid,       ///< no contact problem, or e outside [0, 1]; all numbers are NaN
    failed,        ///< a phase could not be solved; all numbers are NaN
    gains_energy,  ///< refused: the hypothesis would create kinetic energy here
    penetrates     ///< refused: the bodies would still approach after the restitution
};

/// A sentence for tables and messages.
std::string_view to_string(ImpactStatus status);

/// An impact with restitution. If it was refused, the numbers are those that the hypothesis
/// required.
struct Impact {
    ImpactStatus status = ImpactStatus::invalid;
    ContactSolution compression;     ///< the impact with e = 0
    ContactVector impulse;           ///< of both phases [N s]
    ContactVector velocity;          ///< relative velocity after [m/s]
    double dissipated_energy = 0.0;  ///< [J], from before to after
};

/// Solves one impact; `e` in [0, 1] is the coefficient of restitution. Newton's and Poisson's
/// hypotheses are taken algebraically, with the friction of maximum dissipation in both phases: e =
/// 0 is maximum_dissipation(problem) to the last bit. Stronge's needs the work along the way, and
/// is routh_impact of stoss/rigid/routh.hpp. Energy is refused to grow by more than the roundoff of
/// 1e-12 of the works that it is the sum of. Does not throw, does not allocate.
Impact impact(const ContactProblem& problem, double e, Restitution hypothesis);

}  // namespace stoss::rigid
