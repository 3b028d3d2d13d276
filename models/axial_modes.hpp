#pragma once
/// A beam as a body that moves and stretches along its axis (theory/impact_motion.md 27.24).

#include <vector>

#include <Eigen/Core>
#include <models/beam.hpp>
#include <models/beam_residual.hpp>
#include <models/mesh.hpp>
#include <stoss/fem/beam_mesh.hpp>
#include <stoss/modal/modal_basis.hpp>

namespace stoss::models {

/// True if no support holds the beam along its axis: clamps and pins do.
bool moves_along_its_axis(const Beam& beam);

/// The axial modes of a beam, and the replacement of those that are left out.
struct AxialModes {
    /// `places`: xi where forces act, in any order. All modes up to about the eigenvalue `highest`
    /// [1/s^2] are kept, and one vibration in any case. Precondition: `check` found nothing. Throws
    /// core::NumericalError if the modes cannot be computed.
    AxialModes(const Beam& beam, const Mesh& options, std::vector<double> places, double highest);

    fem::BeamMesh mesh;       ///< with a node at each of the places
    modal::ModalBasis basis;  ///< over all freedoms of fem::axial_bar
    BeamResidual residual;    ///< between the places, as modes; none without residual flexibility

    /// phi of all modes at xi [1/sqrt(kg)], without the replacement.
    Eigen::VectorXd shapes_at(double xi) const;
};

}  // namespace stoss::models
