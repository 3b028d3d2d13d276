#pragma once
/// Parameters of a beam, as a case gives them.

#include <array>
#include <optional>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <models/presets.hpp>
#include <models/section.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::models {

/// Isotropic elastic solid with mass.
struct Material {
    core::Required youngs_modulus = {};
    core::Required poisson_ratio = {};
    core::Required density = {};
    core::OrNone<double> yield_stress = {};
    core::OrNone<double> surface_energy = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("youngs_modulus", &Material::youngs_modulus, "Pa", core::positive,
                        "Young's modulus E")
                .required(),
            core::field("poisson_ratio", &Material::poisson_ratio, "",
                        core::Range{-1.0, 0.5, true, false}, "Poisson's ratio nu")
                .required(),
            core::field("density", &Material::density, "kg/m^3", core::positive, "density rho")
                .required(),
            core::field("yield_stress", &Material::yield_stress, "Pa", core::positive,
                        "yield stress Y in simple tension; beam_impact and beam_impact_map warn "
                        "where the peak pressure of the contact is too high for it"),
            core::field(
                "surface_energy", &Material::surface_energy, "J/m^2", core::positive,
                "surface energy gamma, for the work of adhesion of a law that gives neither "
                "that work nor a pull-off force: w = 2 sqrt(gamma_1 gamma_2)")};
    }
    static std::string_view presets() { return material_presets(); }
};

/// A material that a beam is of from some place on.
struct MaterialFrom {
    core::Required xi = {};
    Material material = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("xi", &MaterialFrom::xi, "", core::Range{0.0, 1.0, true, true},
                        "place x/l along the beam where this material begins")
                .required(),
            core::field("material", &MaterialFrom::material, "material from there on").required()};
    }
};

/// What a support does to the beam.
enum class SupportType { pin, clamp, slider, free };

constexpr auto enum_names(SupportType) {
    return std::array{
        core::EnumName{SupportType::pin, "pin", "no displacement, free rotation"},
        core::EnumName{SupportType::clamp, "clamp", "neither displacement nor rotation"},
        core::EnumName{SupportType::slider, "slider", "no rotation, free displacement"},
        core::EnumName{SupportType::free, "free", "no constraint; marks a free end"}};
}

/// A support at one point of the beam.
struct Support {
    SupportType type = SupportType::pin;
    core::Required xi = {};
    double offset = 0.0;

    static constexpr auto fields() {
        return std::tuple{
            core::field("type", &Support::type, "kind of support").required(),
            core::field("xi", &Support::xi, "", core::closed(0.0, 1.0), "place x/l along the beam")
                .required(),
            core::field("offset", &Support::offset, "m", core::finite,
                        "distance of the pin's centre from the axis of the beam, across the beam; "
                        "such a pin also holds the beam along its axis")};
    }
};

/// A mass that is fixed to the beam at one point and moves with it.
struct PointMass {
    core::Required xi = {};
    core::Required mass = {};
    double inertia = 0.0;

    static constexpr auto fields() {
        return std::tuple{
            core::field("xi", &PointMass::xi, "", core::closed(0.0, 1.0),
                        "place x/l along the beam")
                .required(),
            core::field("mass", &PointMass::mass, "kg", core::non_negative, "mass m").required(),
            core::field("inertia", &PointMass::inertia, "kg m^2", core::non_negative,
                        "moment of inertia about this place")};
    }
};

/// Springs between one point of the beam and the ground.
struct SpringSupport {
    core::Required xi = {};
    double translation = 0.0;
    double rotation = 0.0;

    static constexpr auto fields() {
        return std::tuple{core::field("xi", &SpringSupport::xi, "", core::closed(0.0, 1.0),
                                      "place x/l along the beam")
                              .required(),
                          core::field("translation", &SpringSupport::translation, "N/m",
                                      core::non_negative, "stiffness against displacement"),
                          core::field("rotation", &SpringSupport::rotation, "N m/rad",
                                      core::non_negative, "stiffness against rotation")};
    }
};

/// Dashpots between one point of the beam and the ground.
struct Dashpot {
    core::Required xi = {};
    double translation = 0.0;
    double rotation = 0.0;

    static constexpr auto fields() {
        return std::tuple{
            core::field("xi", &Dashpot::xi, "", core::closed(0.0, 1.0), "place x/l along the beam")
                .required(),
            core::field("translation", &Dashpot::translation, "N s/m", core::non_negative,
                        "damping force per velocity"),
            core::field("rotation", &Dashpot::rotation, "N m s/rad", core::non_negative,
                        "damping moment per angular velocity")};
    }
};

/// A force that does not change, on one point of the beam.
struct PointLoad {
    core::Required xi = {};
    core::Required force = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("xi", &PointLoad::xi, "", core::closed(0.0, 1.0),
                        "place x/l along the beam")
                .required(),
            core::field("force", &PointLoad::force, "N", core::finite,
                        "force along the normal of the surfaces, positive as velocities are")
                .required()};
    }
};

/// How a mode of a beam vibrates at the instant of first contact, where its shape is largest.
struct ModeMotion {
    int mode = 0;
    double displacement = 0.0;
    double velocity = 0.0;

    static constexpr auto fields() {
        return std::tuple{
            core::field(
                "mode", &ModeMotion::mode, "", core::at_least(1),
                "number of the vibration mode as in modal_analysis, which counts rigid modes too")
                .required(),
            core::field("displacement", &ModeMotion::displacement, "m", core::finite,
                        "displacement at the place where the mode moves most; times mode_j of "
                        "shapes.csv it is the deflection"),
            core::field("velocity", &ModeMotion::velocity, "m/s", core::finite,
                        "velocity at the same place")};
    }
};

/// The classical theory of slender beams.
struct EulerBernoulli {
    static constexpr std::string_view name = "euler_bernoulli";
    static constexpr std::string_view meaning =
        "bending without shear and without rotary inertia (Euler and Bernoulli)";

    static constexpr auto fields() { return std::tuple{}; }
};

/// The theory of stout beams.
struct Timoshenko {
    static constexpr std::string_view name = "timoshenko";
    static constexpr std::string_view meaning = "bending with shear and rotary inertia";

    core::OrAuto<double> shear_coefficient = {};

    static constexpr auto fields() {
        return std::tuple{core::field("shear_coefficient", &Timoshenko::shear_coefficient, "",
                                      core::Range{0.0, 1.0, true, false},
                                      "factor k of the shear stiffness k G A; auto: Cowper's "
                                      "(1966), from the shape of the section and Poisson's ratio")};
    }
};

/// A beam (docs/theory/beam.md).
struct Beam {
    core::Required length = {};
    Section section = {};
    Material material = {};
    std::vector<MaterialFrom> materials = {};
    std::variant<EulerBernoulli, Timoshenko> theory = {};
    std::vector<Support> supports = {};
    std::vector<SpringSupport> springs = {};
    std::vector<Dashpot> dashpots = {};
    std::vector<PointMass> masses = {};
    double external_damping = 0.0;
    double internal_damping = 0.0;

    static constexpr auto fields() {
        return std::tuple{
            core::field("length", &Beam::length, "m", core::positive, "length l").required(),
            core::field("section", &Beam::section, "cross-section").required(),
            core::field("material", &Beam::material,
                        "material of the beam; names: stoss list materials")
                .required(),
            core::field("materials", &Beam::materials,
                        "further materials along the beam, in the order of xi; `material` is that "
                        "of the beam up to the first"),
            core::field("theory", &Beam::theory, "beam theory"),
            core::field("supports", &Beam::supports, "supports, any number; none: a free beam"),
            core::field("springs", &Beam::springs, "springs to the ground, any number"),
            core::field("dashpots", &Beam::dashpots,
                        "dashpots to the ground, any number; not with scheme newmark"),
            core::field("masses", &Beam::masses, "masses fixed to the beam, any number"),
            core::field("external_damping", &Beam::external_damping, "N s/m^2", core::non_negative,
                        "external damping c_e: damping force per unit length and velocity"),
            core::field("internal_damping", &Beam::internal_damping, "Pa s", core::non_negative,
                        "internal damping c_i: Kelvin-Voigt damping of the material")};
    }

    /// True if section and material are the same everywhere.
    bool is_uniform() const { return section.is_uniform() && materials.empty(); }
    /// The material at xi; at a boundary between two materials the right one.
    const Material& material_at(double xi) const;
    double mass_per_length() const;    ///< mu = rho A [kg/m]; the mean of a beam that changes
    double bending_stiffness() const;  ///< EI [N m^2]; the mean of a beam that changes
    double mass() const;               ///< of beam and point masses [kg]
    double centre_of_mass() const;     ///< place x of it [m]
    double inertia(double x) const;    ///< moment of inertia about the place x [kg m^2]
    /// Moment of inertia [kg m^2] of the motion along the axis about a pin that lies off it.
    double axial_inertia(const Support& pin) const { return mass() * pin.offset * pin.offset; }
    /// The place xi at which a blow on the rigid beam leaves the place `pivot` at rest.
    double centre_of_percussion(double pivot) const;
    /// Place xi of the pin, if that is the only support.
    std::optional<double> only_pin() const;
    /// k of the shear stiffness k G A at xi; none if nothing gives it. Precondition: Timoshenko.
    std::optional<double> shear_coefficient(double xi) const;
    /// True for Timoshenko's theory.
    bool has_shear() const { return std::holds_alternative<Timoshenko>(theory); }
    /// T = l^2 sqrt(mu/(EI)) [s] (1.3).
    double time_scale() const;
};

}  // namespace stoss::models
