#pragma once
/// A calibrated contact in the parameters of other programs (docs/calibration.md).

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/laws.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::models {

/// What the parameters of a program follow from.
struct CalibratedContact {
    double stiffness = 0.0;             ///< k [N/m^n] of the law
    double damping = 0.0;               ///< c [N s/m], or gamma_0 of the law
    double mass = 0.0;                  ///< effective mass m [kg]
    std::optional<double> radius = {};  ///< effective radius R* [m]; none: not known
};

/// A parameter of a program.
struct ProgramParameter {
    std::string_view name;  ///< as the program writes it
    double value;
    std::string_view unit;  ///< SI
};

/// The programs, as `stoss calibrate --for` takes them.
enum class ProgramName {
    lammps,
    lammps_hooke,
    liggghts,
    yade,
    mujoco,
    chrono,
    chrono_material,
    mercurydpm
};

constexpr auto enum_names(ProgramName) {
    using enum ProgramName;
    return std::array{
        core::EnumName{lammps, "lammps", "LAMMPS, gran/hertz/history"},
        core::EnumName{lammps_hooke, "lammps_hooke", "LAMMPS, gran/hooke"},
        core::EnumName{liggghts, "liggghts", "LIGGGHTS, model hertz with limitForce on"},
        core::EnumName{yade, "yade", "YADE, Ip2_FrictMat_FrictMat_MindlinPhys"},
        core::EnumName{mujoco, "mujoco", "MuJoCo, solref"},
        core::EnumName{chrono, "chrono", "Chrono SMC, Hertz with own coefficients"},
        core::EnumName{chrono_material, "chrono_material",
                       "Chrono SMC, Hertz with material properties"},
        core::EnumName{mercurydpm, "mercurydpm", "MercuryDPM, HertzianViscoelastic"}};
}

/// A contact of another program.
struct OtherProgram {
    ProgramName name;
    std::string_view contact;  ///< the contact model by its name in the program
    std::string_view force;    ///< the contact force P
    std::string_view law;      ///< the same law here; names: stoss list laws
    contact::Separation separation;
    std::string_view formulas;  ///< of its parameters
    bool needs_radius = false;  ///< its parameters depend on R*
    /// Precondition: the radius is known if the program needs it.
    std::vector<ProgramParameter> (*parameters)(const CalibratedContact&);
    /// The lines to paste, with the values of `parameters` in their order.
    std::string (*lines)(std::span<const ProgramParameter>);
    /// Why the program refuses these parameters; empty if it does not.
    std::string (*refusal)(std::span<const ProgramParameter>);
};

/// All programs.
std::span<const OtherProgram> other_programs();

const OtherProgram& program_of(ProgramName name);

/// The contact of a law with all its numbers, for an effective mass [kg] and radius [m].
/// Precondition: the law has a stiffness and a damping, both given.
CalibratedContact contact_of(const contact::Law& law, double mass, std::optional<double> radius);

}  // namespace stoss::models
