#pragma once
/// A sphere meets a plate or beam so large that no wave returns during the contact
/// (docs/theory/infinite_structures.md).

#include <cmath>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <models/beam.hpp>
#include <models/section.hpp>
#include <models/sphere_impact.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/impact/infinite_structure.hpp>

namespace stoss::models {

/// A plate that is struck far from its edges.
struct InfinitePlate {
    static constexpr std::string_view name = "plate";
    static constexpr std::string_view meaning = "plate, struck far from its edges (Zener 1941)";
    static constexpr impact::InfiniteStructure structure = impact::InfiniteStructure::plate;

    core::Required thickness = {};
    Material material;

    static constexpr auto fields() {
        return std::tuple{core::field("thickness", &InfinitePlate::thickness, "m", core::positive,
                                      "thickness h of the plate")
                              .required(),
                          core::field("material", &InfinitePlate::material,
                                      "material of the plate; names: stoss list materials")
                              .required()};
    }
    double height() const { return thickness; }                      ///< [m]
    double inertia() const { return material.density * thickness; }  ///< rho h [kg/m^2]
    double bending_stiffness() const;                                ///< D [N m]
    contact::Surface surface() const { return contact::plane(); }
};

/// A uniform beam that is struck far from its ends.
struct InfiniteBeam {
    static constexpr std::string_view name = "beam";
    static constexpr std::string_view meaning = "uniform beam, struck far from its ends";
    static constexpr impact::InfiniteStructure structure = impact::InfiniteStructure::beam;

    Section section;
    Material material;

    static constexpr auto fields() {
        return std::tuple{
            core::field("section", &InfiniteBeam::section, "section of the beam, constant along it")
                .required(),
            core::field("material", &InfiniteBeam::material,
                        "material of the beam; names: stoss list materials")
                .required()};
    }
    double height() const { return section.properties(0.0).height; }
    double inertia() const {  ///< mu [kg/m]
        return material.density * section.properties(0.0).area;
    }
    double bending_stiffness() const {  ///< EI [N m^2]
        return material.youngs_modulus * section.properties(0.0).second_moment;
    }
    contact::Surface surface() const { return {section.properties(0.0).contact_curvature, 0.0}; }
};

/// What the sphere meets.
struct StructureTarget {
    std::variant<InfinitePlate, InfiniteBeam> shape;

    static constexpr auto fields() {
        return std::tuple{
            core::field("shape", &StructureTarget::shape, "kind of structure").required()};
    }
};

/// Keys of the problem `structure_impact` beside those of its ranges.
struct StructureImpact {
    ImpactSphere sphere;
    core::OrAuto<double> mass = {};
    core::Required speed = {};
    StructureTarget target;
    core::OrAuto<double> stiffness = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("sphere", &StructureImpact::sphere, "striking sphere").required(),
            core::field("mass", &StructureImpact::mass, "kg", core::positive,
                        "mass m; auto: that of a solid sphere"),
            core::field("speed", &StructureImpact::speed, "m/s", core::positive,
                        "approach speed v0 at first contact")
                .required(),
            core::field("target", &StructureImpact::target, "structure that the sphere meets")
                .required(),
            core::field("stiffness", &StructureImpact::stiffness, "N/m^(3/2)", core::positive,
                        "stiffness k of Hertz's law; auto: from shapes and materials")};
    }

    double striker_mass() const;       ///< [kg]
    double contact_stiffness() const;  ///< k [N/m^(3/2)]
    double time_scale() const;         ///< T [s]
    double parameter() const;          ///< lambda (17.1) of a plate, eta (17.2) of a beam
};

/// What no range of a single key can say: a section that changes along the beam. Empty if all is
/// well.
std::vector<core::Violation> check(const StructureImpact& parameters);

/// The impact in SI, and how large the structure must be for it. A contact that does not end leaves
/// parameter, peak force and peak overlap; the rest is NaN.
struct StructureImpactResult {
    double parameter = 0.0;         ///< lambda or eta
    double cor = 0.0;               ///< e of the sphere; < 0: it follows the structure
    double cor_error = 0.0;         ///< estimated error of e by the time steps
    double duration = 0.0;          ///< [s]
    double peak_force = 0.0;        ///< [N]
    double peak_overlap = 0.0;      ///< [m]
    double duration_ratio = 0.0;    ///< duration over that on a rigid body
    double peak_force_ratio = 0.0;  ///< peak force over that on a rigid body
    double edge_distance = 0.0;     ///< least distance [m] to an edge: (17.5)
    double wavelength = 0.0;        ///< of the bending wave of the contact [m] (17.5)

    /// False: the sphere stays in contact (impact::InfiniteImpact).
    bool ends() const { return !std::isnan(cor); }
};

/// Computes the impact. Precondition: `check` finds nothing.
StructureImpactResult impact_on_structure(const StructureImpact& parameters);

/// The wave must be longer than this many heights of the structure for 5 % in its frequency by
/// shear and rotary inertia (docs/limits.md).
inline constexpr double shortest_wave_in_heights = 11.0;

}  // namespace stoss::models
