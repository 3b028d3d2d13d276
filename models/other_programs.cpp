#include <models/other_programs.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <type_traits>

#include <fmt/format.h>
#include <stoss/core/elementary.hpp>
#include <stoss/impact/calibrate.hpp>

namespace stoss::models {

namespace {

using Parameters = std::vector<ProgramParameter>;
using Given = std::span<const ProgramParameter>;
using contact::Separation;

std::string never(Given /*parameters*/) {
    return {};
}

// ---- Parameters; k, gamma_0, c, m and R* as the page writes them

Parameters lammps_hertz(const CalibratedContact& of) {
    const double root = std::sqrt(*of.radius);
    return {{"Kn", of.stiffness / root, "Pa"},
            {"gamma_n", 1.5 * of.stiffness * of.damping / (of.mass * root), "1/(m s)"}};
}

Parameters lammps_hooke(const CalibratedContact& of) {
    return {{"Kn", of.stiffness, "N/m"}, {"gamma_n", of.damping / of.mass, "1/s"}};
}

/// exp(-pi b/sqrt(1 - b^2)): the coefficient that gives the damping ratio b of the program,
/// below 1.
double coefficient_of_ratio(double b) {
    return core::exp(-std::numbers::pi * b / std::sqrt((1.0 - b) * (1.0 + b)));
}

/// b = (sqrt(5)/4) gamma_0 sqrt(k/m) of Tsuji's law.
double damping_ratio(const CalibratedContact& of) {
    return 0.25 * std::sqrt(5.0) * of.damping * std::sqrt(of.stiffness / of.mass);
}

Parameters liggghts(const CalibratedContact& of) {
    return {{"coefficientRestitution", coefficient_of_ratio(damping_ratio(of)), ""}};
}

Parameters yade(const CalibratedContact& of) {
    const double factor = 5.0 / (4.0 * std::sqrt(6.0));
    return {{"betan", factor * of.damping * std::sqrt(of.stiffness / of.mass), ""}};
}

Parameters mujoco(const CalibratedContact& of) {
    return {{"stiffness", of.stiffness / of.mass, "1/s^2"},
            {"damping", of.damping / of.mass, "1/s"}};
}

Parameters chrono_own(const CalibratedContact& of) {
    return {{"Kn", of.stiffness / *of.radius, "N/m^(5/2)"},
            {"Gn", 1.5 * of.stiffness * of.damping / (of.mass * *of.radius), "1/(m^(3/2) s)"}};
}

Parameters chrono_material(const CalibratedContact& of) {
    return {{"restitution", coefficient_of_ratio(damping_ratio(of)), ""}};
}

Parameters mercury(const CalibratedContact& of) {
    return {{"EffectiveElasticModulus", 0.75 * of.stiffness / std::sqrt(*of.radius), "Pa"},
            {"Dissipation", 1.25 * of.damping * std::sqrt(of.stiffness / of.mass), ""}};
}

// ---- Lines to paste

std::string pair_style(Given of, std::string_view style) {
    return fmt::format(
        "# units si; Kn Kt gamma_n gamma_t friction tangential-damping\n"
        "pair_style {0} {1:.10g} NULL {2:.10g} NULL 0.0 0\npair_coeff * *\n",
        style, of[0].value, of[1].value);
}
std::string lammps_hertz_lines(Given of) {
    return pair_style(of, "gran/hertz/history");
}
std::string lammps_hooke_lines(Given of) {
    return pair_style(of, "gran/hooke");
}
std::string liggghts_lines(Given of) {
    return fmt::format(
        "# units si; youngsModulus and poissonsRatio of your materials; above 1e9 Pa LIGGGHTS "
        "wants\n"
        "# `hard_particles yes` before\n"
        "fix restitution all property/global coefficientRestitution peratomtypepair 1 {:.10g}\n"
        "pair_style gran model hertz tangential off limitForce on\npair_coeff * *\n",
        of[0].value);
}
std::string yade_lines(Given of) {
    return fmt::format("Ip2_FrictMat_FrictMat_MindlinPhys(betan={:.10g}, betas=0)\n", of[0].value);
}
std::string mujoco_lines(Given of) {
    return fmt::format("solref=\"-{:.10g} -{:.10g}\" solimp=\"0.9999 0.9999 0.001\"\n", of[0].value,
                       of[1].value);
}
std::string chrono_own_lines(Given of) {
    return fmt::format(
        "system.UseMaterialProperties(false);\n"
        "system.SetContactForceModel(ChSystemSMC::Hertz);\n"
        "material->SetKn({:.10g});\nmaterial->SetGn({:.10g});\n",
        of[0].value, of[1].value);
}
std::string chrono_material_lines(Given of) {
    return fmt::format(
        "system.UseMaterialProperties(true);\n"
        "system.SetContactForceModel(ChSystemSMC::Hertz);\n"
        "material->SetRestitution({:.10g});\n",
        of[0].value);
}
std::string mercury_lines(Given of) {
    return fmt::format(
        "species->setEffectiveElasticModulus({:.10g});\nspecies->setDissipation({:.10g});\n",
        of[0].value, of[1].value);
}

// ---- Refusals

std::string liggghts_refusal(Given of) {
    if (std::isnan(of[0].value))
        return "the damping is above the largest that a coefficient of LIGGGHTS can give";
    if (of[0].value > 0.05) return {};
    return fmt::format("LIGGGHTS refuses coefficientRestitution = {:.4g}: it wants more than 0.05",
                       of[0].value);
}
std::string coefficient_refusal(Given of) {
    return std::isnan(of[0].value)
               ? "the damping is above the largest that a coefficient of restitution can give"
               : "";
}

constexpr std::array programs{
    OtherProgram{ProgramName::lammps, "LAMMPS `gran/hertz/history`",
                 "sqrt(R* x) (Kn x + m gamma_n v)", "kuwabara_kono", Separation::zero_overlap,
                 "Kn = k/sqrt(R*), gamma_n = 1.5 k gamma_0/(m sqrt(R*))", true, lammps_hertz,
                 lammps_hertz_lines, never},
    OtherProgram{ProgramName::lammps_hooke, "LAMMPS `gran/hooke`", "Kn x + m gamma_n v",
                 "kelvin_voigt", Separation::zero_overlap, "Kn = k, gamma_n = c/m", false,
                 lammps_hooke, lammps_hooke_lines, never},
    OtherProgram{
        ProgramName::liggghts, "LIGGGHTS `model hertz`, `limitForce on`",
        "k x^(3/2) - sqrt(5) B sqrt(k m) x^(1/4) v, B = ln e/sqrt(ln^2 e + pi^2), not below "
        "zero; with `limitForce off` calibrate with `zero_overlap`",
        "tsuji", Separation::zero_force,
        "coefficientRestitution = exp(-pi b/sqrt(1 - b^2)), b = (sqrt(5)/4) gamma_0 "
        "sqrt(k/m); above 0.05",
        false, liggghts, liggghts_lines, liggghts_refusal},
    OtherProgram{ProgramName::yade, "YADE `Ip2_FrictMat_FrictMat_MindlinPhys`",
                 "k x^(3/2) + 2 betan sqrt(3/2 k m) x^(1/4) v, not below zero", "tsuji",
                 Separation::zero_force, "betan = 5/(4 sqrt(6)) gamma_0 sqrt(k/m)", false, yade,
                 yade_lines, never},
    OtherProgram{ProgramName::mujoco, "MuJoCo `solref`",
                 "acceleration k_0 x + c_0 v of each contact, not below zero", "kelvin_voigt",
                 Separation::zero_force,
                 "solref = \"-k_0 -c_0\", k_0 = k/m, c_0 = c/m; solimp with dmin = dmax near 1",
                 false, mujoco, mujoco_lines, never},
    OtherProgram{ProgramName::chrono, "Chrono SMC, `Hertz`, own coefficients (1)",
                 "R* sqrt(x) (kn x + m gn v), not below zero", "kuwabara_kono",
                 Separation::zero_force, "SetKn(k/R*), SetGn(1.5 k gamma_0/(m R*))", true,
                 chrono_own, chrono_own_lines, never},
    OtherProgram{ProgramName::chrono_material, "Chrono SMC, `Hertz`, material properties (1)",
                 "as LIGGGHTS", "tsuji", Separation::zero_force,
                 "SetRestitution of the formula of LIGGGHTS", false, chrono_material,
                 chrono_material_lines, coefficient_refusal},
    OtherProgram{ProgramName::mercurydpm, "MercuryDPM `HertzianViscoelastic`",
                 "k x^(3/2) + D sqrt(k m) x^(1/4) v", "tsuji", Separation::zero_overlap,
                 "effective modulus = 3 k/(4 sqrt(R*)), D = (5/4) gamma_0 sqrt(k/m)", true, mercury,
                 mercury_lines, never},
};

}  // namespace

std::span<const OtherProgram> other_programs() {
    return programs;
}

const OtherProgram& program_of(ProgramName name) {
    return *std::find_if(programs.begin(), programs.end(),
                         [&](const OtherProgram& each) { return each.name == name; });
}

CalibratedContact contact_of(const contact::Law& law, double mass, std::optional<double> radius) {
    CalibratedContact found{0.0, impact::damping_of(law).value(), mass, radius};
    std::visit(
        [&](const auto& each) {
            if constexpr (requires { each.stiffness; }) found.stiffness = each.stiffness.value();
        },
        law);
    return found;
}

}  // namespace stoss::models
