#pragma once
/// A beam that stretches along its axis (theory/impact_motion.md 27.24), on finite elements with a
/// node in their middle.

#include <functional>
#include <span>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <stoss/fem/beam_mesh.hpp>
#include <stoss/fem/constraints.hpp>

namespace stoss::fem {

/// What stretches and moves at one place of a beam.
struct AxialProperties {
    double stiffness = 0.0;         ///< EA > 0 [N]
    double mass_per_length = 0.0;   ///< mu > 0 [kg/m]
    double internal_damping = 0.0;  ///< c_i A >= 0, Kelvin-Voigt [N s]
};

/// A mass at a node of the mesh.
struct AxialMass {
    int node = 0;
    double mass = 0.0;  ///< [kg]
};

/// Matrices over the displacements u [m] along the axis, in the order of x: of the nodes of `mesh`
/// and of the middles of its elements. `bar(x)`: properties at 0 < x < length [m], smooth inside
/// each element. `held`: nodes that do not move; without them the beam has one rigid shape.
SupportedBeam axial_bar(const BeamMesh& mesh, const std::function<AxialProperties(double)>& bar,
                        std::span<const AxialMass> masses, std::span<const int> held);

/// N over all displacements of `axial_bar`: u(x) = N . u, for any x in [0, length].
Eigen::SparseVector<double> axial_interpolation(const BeamMesh& mesh, double x);

/// Displacements u_i of the vibration modes for a unit force at each of the freedoms `loaded`:
/// remaining x loaded [m/N]. A beam with a rigid motion is loaded by its inertia, too
/// (theory/modal_reduction.md 4.13). Throws core::NumericalError if the stiffness is singular.
Eigen::MatrixXd axial_deflections(const SupportedBeam& bar, std::span<const Eigen::Index> loaded);

}  // namespace stoss::fem
