#pragma once
/// Bodies that another program has meshed, read by deal.II's GridIn. In a build without
/// STOSS_WITH_DEALII the functions throw a core::FileError that says how to get one with it; see
/// docs/decisions/0007-imported-meshes.md.
///
/// The kind of a file follows from the end of its name: .msh (Gmsh), .inp (Abaqus), .vtk, .ucd.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <string>
#include <vector>

#include <models/beam.hpp>

namespace stoss::models {

/// Segments along one line, in the order in which they follow each other.
struct LineMesh {
    std::vector<Eigen::Vector3d> nodes;  ///< [m]
    std::vector<int> material_ids;       ///< of the segment behind each node but the last
};

/// A solid body on quadratic elements. Node k has the freedoms 3k, 3k + 1, 3k + 2: displacements
/// along x, y, z.
struct SolidMesh {
    Eigen::SparseMatrix<double> mass, stiffness;  ///< without supports
    std::vector<Eigen::Vector3d> nodes;           ///< vertices, and more between them [m]
    Eigen::MatrixXd rigid_shapes;  ///< freedoms x 6: translations, rotations about the mean place

    /// The node nearest to a place.
    Eigen::Index nearest(const Eigen::Vector3d& place) const;
    /// A number of the size of the lowest vibration eigenvalue of a bar of that shape [1/s^2].
    double eigenvalue_scale(const Material& material) const;
};

/// Reads a mesh of lines; `unit` is the length [m] of 1 in the file.
/// Errors: core::FileError if it cannot be read, or the lines do not follow one another on one
/// straight line.
LineMesh read_line_mesh(const std::string& file, double unit);

/// Reads a mesh of hexahedra or of tetrahedra and assembles linear elasticity on it, with the
/// consistent mass matrix (theory/finite_elements.md 2.11).
/// Errors: core::FileError if it cannot be read or holds anything else.
SolidMesh read_solid_mesh(const std::string& file, double unit, const Material& material);

}  // namespace stoss::models
