#pragma once
/// Problem `modal_analysis`: frequencies, damping, shapes and nodes of a beam's modes.

#include <optional>
#include <string_view>
#include <tuple>

#include <models/beam_collision.hpp>
#include <solvers/problem.hpp>

namespace stoss::solvers {

struct ModalAnalysis {
    static constexpr std::string_view name = "modal_analysis";
    static constexpr std::string_view meaning =
        "modes of a beam: frequencies, damping, shapes, nodes; its centre of percussion";

    models::Beam beam;
    models::Mesh mesh;
    std::optional<double> pivot;

    static constexpr auto fields() {
        return std::tuple{
            core::field("beam", &ModalAnalysis::beam, "the beam").required(),
            core::field("mesh", &ModalAnalysis::mesh, "discretisation of the beam"),
            core::field("pivot", &ModalAnalysis::pivot, "", core::closed(0.0, 1.0),
                        "place xi whose centre of percussion is asked for; none: of a beam on one "
                        "pin the pin")};
    }
};

extern const Problem modal_analysis_problem;

}  // namespace stoss::solvers
