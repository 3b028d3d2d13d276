#pragma once
/// Inputs of other programs that ask them the questions of models/conformance.hpp.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <models/conformance.hpp>

namespace stoss::solvers {

/// A question with the parameters that the program gets for it.
struct PutQuestion {
    models::ConformanceQuestion question;
    std::vector<models::ProgramParameter> parameters;  ///< empty: its own coefficient is `cor`
};

/// A program that can be asked.
struct AskedProgram {
    std::string_view name;
    std::string_view title;
    std::string_view contact;        ///< its own coefficient of restitution: its place in the input
    models::ProgramName parameters;  ///< which of models::other_programs() has the calibrated ones
    models::ConformanceTarget target;
    std::string_view input;  ///< name of its input file
    std::string_view
        command;  ///< words between blanks; it prints lines "answer NUMBER GAP VELOCITY"
    std::string_view package;  ///< Debian package
    std::string (*script)(std::span<const PutQuestion>);
};

/// LAMMPS, LIGGGHTS and YADE, as Debian 12 has them.
std::span<const AskedProgram> asked_programs();

/// Time steps in the contact time of an elastic ball.
inline constexpr int conformance_steps = 2000;

}  // namespace stoss::solvers
