#pragma once
/// Problem `modal_analysis`: frequencies, damping, shapes and nodes of a beam's modes.

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <models/beam_collision.hpp>
#include <solvers/case/problem.hpp>

namespace stoss::solvers {

/// A place with a name.
struct NamedPlace {
    std::string name;
    core::Required xi = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("name", &NamedPlace::name, "name of the column of this place in basis.csv")
                .required(),
            core::field("xi", &NamedPlace::xi, "", core::closed(0.0, 1.0),
                        "place x/l along the beam")
                .required()};
    }
};

struct ModalAnalysis {
    static constexpr std::string_view name = "modal_analysis";
    static constexpr std::string_view meaning =
        "modes of a beam: frequencies, damping, shapes, nodes; its centre of percussion";

    models::Beam beam;
    models::Mesh mesh{.modes = 25, .residual_flexibility = false};
    core::OrNone<double> pivot = {};
    std::vector<NamedPlace> points;

    static constexpr auto fields() {
        return std::tuple{core::field("beam", &ModalAnalysis::beam, "the beam").required(),
                          core::field("mesh", &ModalAnalysis::mesh, "discretisation of the beam"),
                          core::field("pivot", &ModalAnalysis::pivot, "", core::closed(0.0, 1.0),
                                      "place xi of the pivot whose centre of percussion is "
                                      "computed; none: the pin of a beam on one pin"),
                          core::field("points", &ModalAnalysis::points,
                                      "places whose mode shapes are written to basis.csv, for the "
                                      "problem modal_impact or another program")};
    }
};

extern const Problem modal_analysis_problem;

}  // namespace stoss::solvers
