#pragma once
/// The figures of a struck beam, from the files of its run.

#include <vector>

#include <postproc/report/figure.hpp>
#include <postproc/report/run_data.hpp>

namespace stoss::postproc {

/// `collision`: gap, approach velocity, force and energies against time.
std::vector<Figure> beam_impact_figures(const Run& run);

/// `cor`, `impulse_duration` and `energy` against the place of contact; `comparison` if the places
/// are those of an experiment, `uncertainty` if keys are uncertain.
std::vector<Figure> beam_impact_map_figures(const Run& run);

}  // namespace stoss::postproc
