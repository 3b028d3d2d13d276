#pragma once
/// Derivatives of the modes of a beam, and of the replacement of the omitted ones, by its
/// parameters.

#include <array>
#include <span>
#include <vector>

#include <models/beam.hpp>
#include <models/beam_body.hpp>
#include <models/mesh.hpp>
#include <stoss/core/stencil.hpp>

namespace stoss::models {

/// A beam while one of its parameters changes.
struct BeamFamily {
    core::Stencil stencil;    ///< values of the parameter
    std::vector<Beam> beams;  ///< at its points
};

/// The derivatives of `body`, the modes of `beam` on `mesh`, by each parameter
/// (theory/gradients.md 26.13 to 26.17).
///
/// No parameter may move a support, a spring, a mass or a station. Throws core::NumericalError as
/// modal::modal_slopes: of two equal eigenvalues, or of a spring that would hold a rigid motion.
std::vector<BeamBodySlope> beam_body_slopes(const BeamBody& body, const Beam& beam,
                                            const Mesh& mesh, std::span<const BeamFamily> families);

}  // namespace stoss::models
