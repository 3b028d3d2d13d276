#include <postproc/presentation.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <postproc/beam_figures.hpp>
#include <postproc/beam_report.hpp>
#include <postproc/experiment_figures.hpp>
#include <postproc/granular_presentation.hpp>
#include <postproc/impact_figures.hpp>
#include <postproc/modal_presentation.hpp>
#include <postproc/pendulum_presentation.hpp>
#include <postproc/rigid_figures.hpp>
#include <postproc/scheme_comparison.hpp>
#include <stoss/core/error.hpp>

namespace stoss::postproc {

namespace {

constexpr std::array presentations{
    Presentation{"bead", bead_figures, bead_report},
    Presentation{"beam_fit", beam_fit_figures, beam_fit_report},
    Presentation{"beam_impact", beam_impact_figures, beam_impact_report},
    Presentation{"beam_impact_map", beam_impact_map_figures, beam_impact_map_report},
    Presentation{"bouncing_ball", bouncing_ball_figures, bouncing_ball_report},
    Presentation{"box_settle", box_settle_figures, box_settle_report},
    Presentation{"calibrate", calibrate_figures, calibrate_report},
    Presentation{"channel_flow", channel_flow_figures, channel_flow_report},
    Presentation{"mesh_modes", mesh_modes_figures, mesh_modes_report},
    Presentation{"modal_analysis", modal_analysis_figures, modal_analysis_report},
    Presentation{"modal_impact", modal_impact_figures, modal_impact_report},
    Presentation{"compliant_impact", compliant_impact_figures, compliant_impact_report},
    Presentation{"pendulum_pair", pendulum_pair_figures, pendulum_pair_report},
    Presentation{"restitution", restitution_figures, restitution_report},
    Presentation{"rigid_contact", rigid_contact_figures, rigid_contact_report},
    Presentation{"rigid_impact_map", rigid_impact_map_figures, rigid_impact_map_report},
    Presentation{"six_mass_body", rigid_contact_figures, rigid_contact_report},
    Presentation{"sliding_rod", sliding_rod_figures, sliding_rod_report},
    Presentation{"sphere_impact", sphere_impact_figures, sphere_impact_report},
    Presentation{"scheme_comparison", scheme_comparison_figures, scheme_comparison_report},
    Presentation{"comparison", comparison_figures, comparison_report},
    Presentation{"encoder", encoder_figures, encoder_report},
    Presentation{"encoder_trace", encoder_trace_figures, encoder_trace_report},
    Presentation{"virtual_experiment", virtual_experiment_figures, virtual_experiment_report},
};

}  // namespace

const Presentation& presentation_of(const Run& run) {
    const auto found =
        std::find_if(presentations.begin(), presentations.end(),
                     [&](const Presentation& each) { return each.problem == run.problem; });
    if (found == presentations.end()) {
        throw core::FileError(fmt::format("{}: there are no figures for the problem `{}`",
                                          run.file("summary.json"), run.problem));
    }
    return *found;
}

}  // namespace stoss::postproc
