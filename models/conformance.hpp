#pragma once
/// Restitution conformance: which coefficient of restitution does a program give for the one that
/// it is asked for (docs/conformance.md)?

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <models/other_programs.hpp>
#include <stoss/impact/restitution.hpp>

namespace stoss::models {

/// What the ball of the question meets. Both do not move and are of the material of the ball.
enum class ConformanceTarget { plane, equal_sphere };

/// Whose parameters a program is given.
enum class ConformanceParameters {
    own,        ///< the coefficient that the program takes, as it is asked for
    calibrated  ///< those of docs/calibration.md, calibrated to the question
};

constexpr auto enum_names(ConformanceParameters) {
    return std::array{
        core::EnumName{ConformanceParameters::own, "own",
                       "the program's own coefficient, set to the wanted restitution"},
        core::EnumName{ConformanceParameters::calibrated, "calibrated",
                       "parameters of docs/calibration.md, calibrated to each question"}};
}

/// The ball of all questions.
struct ConformanceBall {
    static constexpr double density = 2500.0;       ///< [kg/m^3]
    static constexpr double youngs_modulus = 50e6;  ///< [Pa]
    static constexpr double poisson_ratio = 0.25;
};

/// A ball falls on a fixed body: which e does it show?
struct ConformanceQuestion {
    std::size_t number = 0;  ///< from 1
    ConformanceParameters parameters = ConformanceParameters::own;
    double cor = 0.0;      ///< e asked for
    double speed = 0.0;    ///< at first contact [m/s]
    double radius = 0.0;   ///< of the ball [m]
    double gravity = 0.0;  ///< towards the target [m/s^2]

    double mass() const;                                      ///< of the ball [kg]
    double effective_radius(ConformanceTarget target) const;  ///< R* [m]
    double stiffness(ConformanceTarget target) const;         ///< Hertz, k [N/m^(3/2)]
    /// Time of contact of an elastic ball without gravity [s].
    double contact_time(ConformanceTarget target) const;
    impact::Impact impact(contact::Separation separation) const;
};

/// Every e of 0.1, 0.2, ... 0.9, 0.95 with both kinds of parameters, at two speeds, for two masses,
/// without and with gravity.
std::vector<ConformanceQuestion> conformance_questions();

/// The parameters of `program` that give what is asked for; none if the program cannot have them.
/// Precondition: the law of the program has Hertz's exponent.
std::optional<std::vector<ProgramParameter>> calibrated_parameters(
    const ConformanceQuestion& question, const OtherProgram& program, ConformanceTarget target);

/// e of Tsuji's law as computed here: with `restitution: e` (own), or calibrated.
double own_answer(const ConformanceQuestion& question);

/// e = (speed at the end of overlap)/(speed of the question) of a ball that a program left with
/// `velocity` [m/s], > 0 away from the target, and `gap` [m] to it; 0 while there is no gap: the
/// ball did not leave.
double restitution_seen(const ConformanceQuestion& question, double gap, double velocity);

}  // namespace stoss::models
