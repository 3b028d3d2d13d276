#include <solvers/registry/registry.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <postproc/experiment/conformance_figures.hpp>
#include <postproc/experiment/experiment_figures.hpp>
#include <postproc/report/report.hpp>
#include <solvers/problems/beam/beam_fit.hpp>
#include <solvers/problems/beam/beam_impact.hpp>
#include <solvers/problems/beam/beam_optimize.hpp>
#include <solvers/problems/beam/convergence_figures.hpp>
#include <solvers/problems/beam/virtual_experiment.hpp>
#include <solvers/problems/granular/box_settle.hpp>
#include <solvers/problems/granular/channel_flow.hpp>
#include <solvers/problems/modal/mesh_modes.hpp>
#include <solvers/problems/modal/modal_analysis.hpp>
#include <solvers/problems/modal/modal_impact.hpp>
#include <solvers/problems/motion/impact_motion.hpp>
#include <solvers/problems/point/bead.hpp>
#include <solvers/problems/point/bouncing_ball.hpp>
#include <solvers/problems/point/calibrate.hpp>
#include <solvers/problems/point/restitution.hpp>
#include <solvers/problems/point/sphere_impact.hpp>
#include <solvers/problems/point/structure_impact.hpp>
#include <solvers/problems/rigid/compliant_impact.hpp>
#include <solvers/problems/rigid/impact_hypotheses.hpp>
#include <solvers/problems/rigid/pendulum_pair.hpp>
#include <solvers/problems/rigid/rigid_contact.hpp>
#include <solvers/problems/rigid/rigid_contacts.hpp>
#include <solvers/problems/rigid/rigid_impact_map.hpp>
#include <solvers/problems/rigid/sliding_rod.hpp>
#include <solvers/problems/schemes/scheme_comparison.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/run_directory.hpp>

namespace stoss::solvers {

namespace {

/// What a command that is no problem writes, and how it is shown.
struct Command {
    std::string_view name;  ///< `problem` in summary.json
    postproc::Report report;
};

constexpr std::array commands{
    Command{"comparison", {postproc::comparison_figures, postproc::comparison_report}},
    Command{"conformance", {postproc::conformance_figures, postproc::conformance_report}},
    Command{"convergence", {postproc::convergence_figures, postproc::convergence_report}},
    Command{"encoder", {postproc::encoder_figures, postproc::encoder_report}},
    Command{"encoder_trace", {postproc::encoder_trace_figures, postproc::encoder_trace_report}},
};

}  // namespace

std::span<const Problem> problems() {
    static const std::array all{
        bead_problem,
        beam_fit_problem,
        beam_impact_problem,
        beam_impact_map_problem,
        beam_optimize_problem,
        bouncing_ball_problem,
        box_settle_problem,
        calibrate_problem,
        channel_flow_problem,
        compliant_impact_problem,
        impact_hypotheses_problem,
        impact_motion_problem,
        mesh_modes_problem,
        modal_analysis_problem,
        modal_impact_problem,
        pendulum_pair_problem,
        restitution_problem,
        rigid_contact_problem,
        rigid_contacts_problem,
        rigid_impact_map_problem,
        scheme_comparison_problem,
        six_mass_body_problem,
        sliding_rod_problem,
        sphere_impact_problem,
        structure_impact_problem,
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
        throw core::InputError({document.locate(
            {"problem", "", "is missing",
             "add `problem` (kind of problem); `stoss list problems` shows all"})});
    }
    const auto nearest = core::nearest_word(name->scalar, names);
    throw core::InputError({document.locate(
        {"problem", name->scalar, "is not a problem",
         nearest ? "did you mean `" + *nearest + "`?" : "`stoss list problems` shows all"})});
}

const postproc::Report& report_of(const postproc::Run& run) {
    for (const Problem& problem : problems()) {
        if (problem.name == run.problem) return problem.report;
    }
    for (const Command& command : commands) {
        if (command.name == run.problem) return command.report;
    }
    throw core::FileError(fmt::format("{}: there are no figures for the problem `{}`",
                                      run.file(io::summary_name), run.problem));
}

void write_report(const std::string& run_dir, const postproc::FigureOptions& options) {
    postproc::Run run = postproc::read_run(run_dir);
    run.scaled_axes = options.scaled_axes;
    postproc::write_report(run, report_of(run), options);
}

}  // namespace stoss::solvers
