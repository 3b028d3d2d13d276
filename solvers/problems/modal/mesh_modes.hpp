#pragma once
/// Problem `mesh_modes`: modes of a body that another program has meshed, as a table for
/// `modal_impact`.

#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <models/beam.hpp>
#include <solvers/case/problem.hpp>

namespace stoss::solvers {

/// The section of the lines with one material id.
struct LineSection {
    int material_id = 0;
    decltype(models::Station::shape) shape;

    static constexpr auto fields() {
        return std::tuple{
            core::field("material_id", &LineSection::material_id, "", core::at_least(0),
                        "physical group of the lines in the mesh")
                .required(),
            core::field("shape", &LineSection::shape, "shape of the section of these lines")
                .required()};
    }
};

/// Lines that become a free beam.
struct LineBody {
    static constexpr std::string_view name = "line";
    static constexpr std::string_view meaning = "free beam, meshed by lines one behind the other";

    std::vector<LineSection> sections;
    std::variant<models::EulerBernoulli, models::Timoshenko> theory;

    static constexpr auto fields() {
        return std::tuple{
            core::field("sections", &LineBody::sections, "one section for each material id")
                .required(),
            core::field("theory", &LineBody::theory, "beam theory")};
    }
};

/// Hexahedra or tetrahedra.
struct SolidBody {
    static constexpr std::string_view name = "solid";
    static constexpr std::string_view meaning =
        "free elastic solid, meshed by hexahedra or tetrahedra";

    static constexpr auto fields() { return std::tuple{}; }
};

/// A point whose displacement goes into the table.
struct MeshPoint {
    std::string name;
    std::vector<double> place;
    std::vector<double> direction;

    static constexpr auto fields() {
        return std::tuple{
            core::field("name", &MeshPoint::name, "name of the column of this point in basis.csv")
                .required(),
            core::field(
                "place", &MeshPoint::place, "m", core::finite,
                "coordinates x, y, z of a node of a solid; on a line the nearest place is taken")
                .required(),
            core::field(
                "direction", &MeshPoint::direction, "", core::finite,
                "direction of the normal of the surface there, of any length; of a line it is w")};
    }
};

struct MeshModes {
    static constexpr std::string_view name = "mesh_modes";
    static constexpr std::string_view meaning =
        "modes of a body meshed in another program, as a table for modal_impact; needs deal.II";

    std::string file;
    double unit = 1.0;
    std::variant<LineBody, SolidBody> body;
    models::Material material;
    int modes = 0;
    std::vector<MeshPoint> points;

    static constexpr auto fields() {
        return std::tuple{
            core::field("file", &MeshModes::file,
                        "mesh file, relative to the case: .msh, .vtk, .ucd (lines, hexahedra) or "
                        ".inp (hexahedra)")
                .required(),
            core::field("unit", &MeshModes::unit, "m", core::positive,
                        "length of one unit of the mesh"),
            core::field("body", &MeshModes::body, "kind of body that is meshed").required(),
            core::field("material", &MeshModes::material,
                        "material of the body; names: stoss list materials")
                .required(),
            core::field("modes", &MeshModes::modes, "", core::at_least(1),
                        "number of lowest modes, rigid ones included: 2 of a line, 6 of a solid")
                .required(),
            core::field("points", &MeshModes::points, "points where the body may be struck")
                .required()};
    }
};

extern const Problem mesh_modes_problem;

}  // namespace stoss::solvers
