#pragma once
/// How the gradients of collisions are shown, from gradient.csv.

#include <string>

#include <postproc/report/figure.hpp>
#include <postproc/report/run_data.hpp>

namespace stoss::postproc {

/// True if the run was computed with `gradient:`.
bool has_gradient(const Run& run);

/// `gradient`: what one per cent of each key changes of the restitution along the beam.
/// Errors: core::FileError or core::InputError if the table is missing or damaged.
Figure gradient_figure(const Run& run);

/// What one per cent of each key changes of the results of a single collision, as HTML.
/// Errors: as `gradient_figure`.
std::string gradient_section(const Run& run);

}  // namespace stoss::postproc
