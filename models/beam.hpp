#pragma once
/// Parameters of a beam, as a case gives them.

#include <array>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <models/presets.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::models {

/// Isotropic elastic solid with mass.
struct Material {
    double youngs_modulus = core::not_given;
    double poisson_ratio = core::not_given;
    double density = core::not_given;

    static constexpr auto fields() {
        return std::tuple{
            core::field("youngs_modulus", &Material::youngs_modulus, "Pa", core::positive, "E")
                .required(),
            core::field("poisson_ratio", &Material::poisson_ratio, "",
                        core::Range{-1.0, 0.5, true, false}, "nu")
                .required(),
            core::field("density", &Material::density, "kg/m^3", core::positive, "rho").required()};
    }
    static std::string_view presets() { return material_presets(); }
};

/// Solid circular section.
struct Circle {
    static constexpr std::string_view name = "circle";
    static constexpr std::string_view meaning = "solid circular section";

    double radius = core::not_given;

    static constexpr auto fields() {
        return std::tuple{
            core::field("radius", &Circle::radius, "m", core::positive, "radius r of the section")
                .required()};
    }

    double area() const;           ///< A [m^2]
    double second_moment() const;  ///< I [m^4]
};

/// Section of a beam: its shape, with the shape's own keys beside it.
struct Section {
    std::variant<Circle> shape;

    static constexpr auto fields() {
        return std::tuple{core::field("shape", &Section::shape, "shape of the section").required()};
    }
};

enum class SupportType { pin, clamp, free };

constexpr auto enum_names(SupportType) {
    return std::array{
        core::EnumName{SupportType::pin, "pin", "no displacement, free rotation"},
        core::EnumName{SupportType::clamp, "clamp", "neither displacement nor rotation"},
        core::EnumName{SupportType::free, "free", "no constraint; says that an end is free"}};
}

/// A support at one point of the beam.
struct Support {
    SupportType type = SupportType::pin;
    double xi = core::not_given;

    static constexpr auto fields() {
        return std::tuple{core::field("type", &Support::type, "kind of support").required(),
                          core::field("xi", &Support::xi, "", core::closed(0.0, 1.0),
                                      "place x/l along the beam; must fall on a node of the mesh")
                              .required()};
    }
};

/// A uniform Euler-Bernoulli beam (theory.md, section 1).
struct Beam {
    double length = core::not_given;
    Section section;
    Material material;
    std::vector<Support> supports;
    double external_damping = 0.0;
    double internal_damping = 0.0;

    static constexpr auto fields() {
        return std::tuple{
            core::field("length", &Beam::length, "m", core::positive, "length l").required(),
            core::field("section", &Beam::section, "cross-section").required(),
            core::field("material", &Beam::material,
                        "material of the beam; names: stoss list materials")
                .required(),
            core::field("supports", &Beam::supports, "supports, any number; none: a free beam"),
            core::field("external_damping", &Beam::external_damping, "N s/m^2", core::non_negative,
                        "c_e, damping force per unit length and velocity"),
            core::field("internal_damping", &Beam::internal_damping, "Pa s", core::non_negative,
                        "c_i, Kelvin-Voigt damping of the material")};
    }

    double mass_per_length() const;    ///< mu = rho A [kg/m]
    double bending_stiffness() const;  ///< EI [N m^2]
    double mass() const { return mass_per_length() * length; }
    double time_scale() const;      ///< T = l^2 sqrt(mu/(EI)) [s] (1.5)
    double contact_radius() const;  ///< radius of the surface that is struck [m]
};

}  // namespace stoss::models
