#pragma once
/// Cross-sections of a beam. It bends in the plane of its height; `height` is along w.

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::models {

/// What a beam needs to know of its section at one place.
struct SectionProperties {
    double area = 0.0;               ///< A [m^2]
    double second_moment = 0.0;      ///< I [m^4] about the axis that it bends around
    double contact_curvature = 0.0;  ///< of the surface that is struck, around the beam [1/m]
    double height = 0.0;             ///< along the motion [m]
    double thickness = 0.0;          ///< least dimension of what is struck: of a tube its wall [m]
};

/// Solid circular section.
struct Circle {
    static constexpr std::string_view name = "circle";
    static constexpr std::string_view meaning = "solid circular section";

    core::Required radius = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("radius", &Circle::radius, "m", core::positive, "radius r of the section")
                .required()};
    }

    /// Area, second moment and what else follows from the shape.
    SectionProperties properties() const;
    /// k [-] (theory/beam.md 1.8); none if the shape gives none.
    std::optional<double> shear_coefficient(double poisson_ratio) const;
};

/// Circular section with a hole. The wall is taken as rigid where it is struck.
struct Tube {
    static constexpr std::string_view name = "tube";
    static constexpr std::string_view meaning = "circular section with a concentric hole";

    core::Required outer_radius = {};
    core::Required inner_radius = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("outer_radius", &Tube::outer_radius, "m", core::positive, "outer radius")
                .required(),
            core::field("inner_radius", &Tube::inner_radius, "m", core::non_negative,
                        "radius of the hole; less than outer_radius")
                .required()};
    }

    /// Area, second moment and what else follows from the shape.
    SectionProperties properties() const;
    /// k [-] (theory/beam.md 1.8); none if the shape gives none.
    std::optional<double> shear_coefficient(double poisson_ratio) const;
};

/// Rectangle; its struck face is flat.
struct Rectangle {
    static constexpr std::string_view name = "rectangle";
    static constexpr std::string_view meaning = "solid rectangle, struck on a flat face";

    core::Required width = {};
    core::Required height = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("width", &Rectangle::width, "m", core::positive, "width across the motion")
                .required(),
            core::field("height", &Rectangle::height, "m", core::positive,
                        "height along the motion")
                .required()};
    }

    /// Area, second moment and what else follows from the shape.
    SectionProperties properties() const;
    /// k [-] (theory/beam.md 1.8); none if the shape gives none.
    std::optional<double> shear_coefficient(double poisson_ratio) const;
};

/// Ellipse, struck at the end of its height.
struct Ellipse {
    static constexpr std::string_view name = "ellipse";
    static constexpr std::string_view meaning = "solid ellipse, struck at the end of its height";

    core::Required width = {};
    core::Required height = {};

    static constexpr auto fields() {
        return std::tuple{core::field("width", &Ellipse::width, "m", core::positive,
                                      "full width across the motion")
                              .required(),
                          core::field("height", &Ellipse::height, "m", core::positive,
                                      "full height along the motion")
                              .required()};
    }

    /// Area, second moment and what else follows from the shape.
    SectionProperties properties() const;
    /// k [-] (theory/beam.md 1.8); none if the shape gives none.
    std::optional<double> shear_coefficient(double poisson_ratio) const;
};

/// Doubly symmetric I, struck on a flange.
struct ISection {
    static constexpr std::string_view name = "i_section";
    static constexpr std::string_view meaning = "doubly symmetric I, struck on a flange";

    core::Required width = {};
    core::Required height = {};
    core::Required flange = {};
    core::Required web = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("width", &ISection::width, "m", core::positive, "width of the flanges")
                .required(),
            core::field("height", &ISection::height, "m", core::positive,
                        "height over both flanges, along the motion")
                .required(),
            core::field("flange", &ISection::flange, "m", core::positive,
                        "thickness of a flange; less than height/2")
                .required(),
            core::field("web", &ISection::web, "m", core::positive,
                        "thickness of the web; at most width")
                .required()};
    }

    /// Area, second moment and what else follows from the shape.
    SectionProperties properties() const;
    /// k [-] (theory/beam.md 1.8); none if the shape gives none.
    std::optional<double> shear_coefficient(double poisson_ratio) const;
};

/// Any section by its numbers.
struct GeneralSection {
    static constexpr std::string_view name = "general";
    static constexpr std::string_view meaning = "any section, by its area and second moment";

    core::Required area = {};
    core::Required second_moment = {};
    double contact_radius = core::infinity;

    static constexpr auto fields() {
        return std::tuple{
            core::field("area", &GeneralSection::area, "m^2", core::positive, "area A").required(),
            core::field("second_moment", &GeneralSection::second_moment, "m^4", core::positive,
                        "second moment of area I about the bending axis")
                .required(),
            core::field("contact_radius", &GeneralSection::contact_radius, "m",
                        core::positive_or_infinite, "radius of the struck surface; inf: flat")};
    }

    /// Area, second moment and what else follows from the shape.
    SectionProperties properties() const;
    /// k [-] (theory/beam.md 1.8); none if the shape gives none.
    std::optional<double> shear_coefficient(double poisson_ratio) const;
};

/// A section at one place of a beam.
struct Station {
    core::Required xi = {};
    std::variant<Circle, Tube, Rectangle, Ellipse, ISection, GeneralSection> shape = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("xi", &Station::xi, "", core::closed(0.0, 1.0), "place x/l along the beam")
                .required(),
            core::field("shape", &Station::shape, "shape of the section").required()};
    }
};

/// A section that changes along the beam: between two stations each dimension changes linearly,
/// and two stations at the same place are a step.
struct Profile {
    static constexpr std::string_view name = "profile";
    static constexpr std::string_view meaning =
        "section that changes along the beam: dimensions are linear between stations; two stations "
        "at one place are a step";

    std::vector<Station> stations = {};
    core::OrNone<std::string> table = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("stations", &Profile::stations, "sections in the order of xi, from 0 to 1"),
            core::field("table", &Profile::table,
                        "stations as a table (CSV) instead, relative to the case: columns x_m or "
                        "xi, shape, and dimensions with their unit, such as radius_mm")};
    }

    /// Properties at xi in [0, 1]; at a step those on the right.
    SectionProperties properties(double xi) const;
    /// k [-] at xi (theory/beam.md 1.8); none if the shape there gives none.
    std::optional<double> shear_coefficient(double xi, double poisson_ratio) const;

  private:
    /// `f` of the shape at xi.
    template <class F>
    auto at(double xi, F&& f) const;
};

/// Section of a beam: its shape, with the shape's own keys beside it.
struct Section {
    using Shape = std::variant<Circle, Tube, Rectangle, Ellipse, ISection, GeneralSection, Profile>;
    Shape shape = {};

    Section() = default;
    /// Properties of one of the shapes.
    template <class T>
    requires(std::is_constructible_v<Shape, T> && !std::is_same_v<T, Section>) Section(T of)
        : shape(std::move(of)) {}

    static constexpr auto fields() {
        return std::tuple{core::field("shape", &Section::shape, "shape of the section").required()};
    }

    /// True if it is no profile.
    bool is_uniform() const { return !std::holds_alternative<Profile>(shape); }
    /// Properties at xi in [0, 1]. Precondition: `check` found nothing.
    SectionProperties properties(double xi) const;
    /// k of a Timoshenko beam by Cowper (1966), theory/beam.md 1.8, at xi; none of a general
    /// section.
    std::optional<double> shear_coefficient(double xi, double poisson_ratio) const;
};

/// What is wrong with a section that the ranges of its fields cannot say; keys begin with `key`.
std::vector<core::Violation> check(const Section& section, const std::string& key);

}  // namespace stoss::models
