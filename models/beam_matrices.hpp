#pragma once
/// Parameters of a beam -> its mesh and matrices.

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <models/beam.hpp>
#include <models/mesh.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/stencil.hpp>
#include <stoss/fem/beam_mesh.hpp>
#include <stoss/fem/constraints.hpp>

namespace stoss::models {

/// The supports that hold a freedom, at places x [m].
std::vector<fem::Support> fem_supports(const Beam& beam);

/// Keys and places xi of everything that must be on a node.
std::vector<std::pair<std::string, double>> points_on_nodes(const Beam& beam);

/// The mesh of a beam: nodes at supports, springs, dashpots, masses, stations, in steep sections.
fem::BeamMesh mesh_of(const Beam& beam, const Mesh& mesh);

/// Matrices and rigid shapes of a beam under its supports. Precondition: `check` found nothing.
fem::SupportedBeam supported_beam(const Beam& beam, const Mesh& mesh);

/// What bends, shears and moves at xi. A Kelvin-Voigt material has one time c_i/E for all strains.
fem::BeamProperties properties_of(const Beam& beam, double xi);

/// The distributed damping that couples the modes of a beam, for a message: key, value, and why.
/// None if the damping is a sum of multiples of mass and stiffness (theory/finite_elements.md 2.9).
/// `key`: of the beam, as "beam.".
std::optional<core::Violation> coupling_damping(const Beam& beam, const std::string& key);

/// The same; the dashpots, if there are any.
std::optional<core::Violation> what_couples_modes(const Beam& beam, const std::string& key);

/// Masses, springs and the axial inertia of pins off the axis, at their nodes.
std::vector<fem::NodeProperties> nodes_with_more(const Beam& beam, const fem::BeamMesh& mesh);

/// Matrices of a beam with masses and springs, before supports.
fem::BeamMatrices free_matrices(const Beam& beam, const fem::BeamMesh& mesh,
                                const std::vector<fem::NodeProperties>& nodes);

/// Freedoms that supports hold, as fem::StaticCompliance takes them with `free_matrices`; none with
/// a penalty, of which the matrices know.
std::vector<Eigen::Index> held_freedoms(const Beam& beam, const fem::BeamMesh& mesh,
                                        const Mesh& options);

/// The matrices that go with `held_freedoms`: over the whole mesh, with a penalty if there is one.
fem::BeamMatrices whole_matrices(const Beam& beam, const fem::BeamMesh& mesh, const Mesh& options);

/// Derivatives of the matrices of a beam by a parameter: `beams` are the beam at the points of the
/// stencil. Rotations and shear strains are scaled by the length: theta l/l_0, l_0 that of `mesh`,
/// so that the length, too, changes coefficients alone (theory/gradients.md 26.17). Sections and
/// materials are differentiated at each place; the matrices are linear in what follows from them.
fem::BeamMatrices matrix_slopes(const fem::BeamMesh& mesh, const core::Stencil& stencil,
                                std::span<const Beam> beams);

}  // namespace stoss::models
