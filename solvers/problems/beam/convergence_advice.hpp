#pragma once
/// Which finer settings a convergence study advises.

#include <string>

#include <models/beam_collision.hpp>
#include <solvers/problems/beam/convergence_study.hpp>

namespace stoss::solvers {

/// "take mesh.modes: 28 and mesh.elements: 120": settings of each contribution that is above its
/// share of `mesh.tolerance`, and of the largest; that another study is needed if no order was
/// measured; or that no admitted setting is enough.
///
/// `collision`: the first curve of the study. Precondition: the study is computed, and the change
/// of e is above the tolerance.
std::string finer_settings(const ConvergenceStudy& study, const models::BeamCollision& collision,
                           Refined largest);

}  // namespace stoss::solvers
