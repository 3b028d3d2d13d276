#include <solvers/problem.hpp>

#include <algorithm>
#include <array>

#include <solvers/bead.hpp>
#include <solvers/beam_fit.hpp>
#include <solvers/beam_impact.hpp>
#include <solvers/bouncing_ball.hpp>
#include <solvers/box_settle.hpp>
#include <solvers/calibrate.hpp>
#include <solvers/channel_flow.hpp>
#include <solvers/compliant_impact.hpp>
#include <solvers/mesh_modes.hpp>
#include <solvers/modal_analysis.hpp>
#include <solvers/modal_impact.hpp>
#include <solvers/pendulum_pair.hpp>
#include <solvers/restitution.hpp>
#include <solvers/rigid_contact.hpp>
#include <solvers/rigid_impact_map.hpp>
#include <solvers/scheme_comparison.hpp>
#include <solvers/sliding_rod.hpp>
#include <solvers/sphere_impact.hpp>
#include <solvers/virtual_experiment.hpp>
#include <stoss/core/text.hpp>

namespace stoss::solvers {

std::span<const Problem> problems() {
    static const std::array all{
        bead_problem,
        beam_fit_problem,
        beam_impact_problem,
        beam_impact_map_problem,
        bouncing_ball_problem,
        box_settle_problem,
        calibrate_problem,
        channel_flow_problem,
        compliant_impact_problem,
        mesh_modes_problem,
        modal_analysis_problem,
        modal_impact_problem,
        pendulum_pair_problem,
        restitution_problem,
        rigid_contact_problem,
        rigid_impact_map_problem,
        scheme_comparison_problem,
        six_mass_body_problem,
        sliding_rod_problem,
        sphere_impact_problem,
        virtual_experiment_problem,
    };
    return all;
}

const Problem& problem_of(const io::Document& document) {
    const io::Node* const name = document.root.find("problem");
    std::vector<std::string> names;
    for (const Problem& problem : problems()) {
        if (name && name->kind == io::Node::Kind::scalar && name->scalar == problem.name)
            return problem;
        names.emplace_back(problem.name);
    }
    if (!name) {
        throw core::InputError(
            {document.locate({"problem", "", "is missing",
                              "add `problem` (what is computed): " + core::listed(names)})});
    }
    const auto nearest = core::nearest_word(name->scalar, names);
    throw core::InputError(
        {document.locate({"problem", name->scalar, "must be " + core::listed(names),
                          nearest ? "did you mean `" + *nearest + "`?" : ""})});
}

}  // namespace stoss::solvers
