#pragma once
/// A beam on finite elements: matrices, interpolation, rigid motions.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace stoss::fem {

/// What deforms in a beam.
enum class BeamTheory {
    euler_bernoulli,  ///< bending alone (theory/beam.md 1.1)
    timoshenko        ///< bending and shear, with rotary inertia (theory/beam.md 1.6)
};

/// A beam, uniform or at one place of it; SI units. The last three are read of a Timoshenko beam
/// only.
struct BeamProperties {
    double length = 0.0;             ///< l > 0 [m]
    double bending_stiffness = 0.0;  ///< EI > 0 [N m^2]
    double mass_per_length = 0.0;    ///< mu = rho A > 0 [kg/m]
    double external_damping = 0.0;   ///< c_e >= 0, per unit length [N s/m^2]
    double internal_damping = 0.0;   ///< c_i I >= 0, Kelvin-Voigt [N m^2 s]
    double rotary_inertia = 0.0;     ///< rho I > 0 [kg m]
    double shear_stiffness = 0.0;    ///< k G A > 0 [N]
    double shear_damping = 0.0;      ///< >= 0, Kelvin-Voigt, of k G A [N s]
};

/// Matrices over the freedoms of a mesh; both triangles are stored.
struct BeamMatrices {
    Eigen::SparseMatrix<double> mass;       ///< freedoms x freedoms: [kg], [kg m], [kg m^2]
    Eigen::SparseMatrix<double> stiffness;  ///< likewise: [N/m], [N], [N m]
    /// Terms whose sum is the damping matrix: external, internal. They stay apart because on a fine
    /// mesh the external term is smaller than the rounding of the internal one
    /// (theory/finite_elements.md 2.6).
    std::vector<Eigen::SparseMatrix<double>> damping;
};

/// A place counts as a node if it is within this fraction of the length.
inline constexpr double node_tolerance = 1e-9;

/// Elements along 0 <= x <= length. Freedoms: (w_0, theta_0, w_1, theta_1, ...) with deflection w
/// [m] and rotation theta [rad] of node i. On a Timoshenko beam the three coefficients of the shear
/// strain in an element (timoshenko.hpp) are between those of its nodes.
class BeamMesh {
  public:
    /// Equal elements. Precondition: length > 0 and finite, elements >= 1.
    BeamMesh(double length, int elements, BeamTheory theory = BeamTheory::euler_bernoulli);
    /// A mesh with a node at each of `places` in [0, length] [m]: equal elements if these have
    /// nodes there, else equal ones between one place and the next, none of them longer than length
    /// / elements (theory/supports.md 3.5). Places within `node_tolerance` are one.
    BeamMesh(double length, int elements, BeamTheory theory, std::vector<double> places);

    double length() const { return length_; }                           ///< [m]
    int elements() const { return static_cast<int>(lengths_.size()); }  ///< number of elements
    int nodes() const { return elements() + 1; }                        ///< number of nodes
    BeamTheory theory() const { return theory_; }                       ///< with or without shear
    /// Number of freedoms.
    Eigen::Index dofs() const { return theta(elements()) + 1; }
    /// Number of the freedom that is the deflection, or the rotation, of a node.
    Eigen::Index w(int node) const { return stride_ * node; }
    /// The same of its rotation.
    Eigen::Index theta(int node) const { return stride_ * node + 1; }
    /// Length of an element [m].
    double element_length(int element) const { return lengths_[static_cast<std::size_t>(element)]; }
    /// Place of a node [m].
    double node_position(int node) const { return nodes_[static_cast<std::size_t>(node)]; }
    /// The node at x, if there is one within `node_tolerance`.
    std::optional<int> node_at(double x) const;

    /// An element at x [m], and the place in it, 0 to 1. A node between two elements is in the
    /// right one.
    std::pair<int, double> element_at(double x) const;

    /// N over all freedoms: w(x) = N . dofs, for any x in [0, length], node or not
    /// (theory/finite_elements.md 2.2). Entries of deflections are pure numbers, entries of
    /// rotations are lengths [m].
    Eigen::SparseVector<double> interpolation(double x) const;

    /// The same for the rotation of the section, theta(x); without shear it is dw/dx = N' . dofs.
    /// Entries of deflections are 1/m, entries of rotations are pure numbers.
    Eigen::SparseVector<double> rotation(double x) const;

    /// dofs x 2: unit translation, and unit rotation about the middle of the beam
    /// (theory/supports.md 3.1).
    Eigen::MatrixXd rigid_body_shapes() const;

  private:
    /// The values of an element's freedoms among all.
    Eigen::SparseVector<double> spread(int element, const Eigen::VectorXd& values) const;

    /// `count` equal elements from the last node to `end`.
    void append(double end, int count);

    double length_;
    std::vector<double> nodes_;    // places [m]
    std::vector<double> lengths_;  // of the elements [m]
    BeamTheory theory_;
    Eigen::Index stride_;  // freedoms from one node to the next
};

/// Mass, stiffness and damping of a uniform beam on a mesh of the same length, without supports
/// (theory/finite_elements.md 2.6).
BeamMatrices assemble(const BeamMesh& mesh, const BeamProperties& beam);

/// The same for a beam whose properties change along it: `beam(x)` at 0 < x < length [m], smooth
/// inside each element. Gauss' quadrature with six points an element: exact for dimensions that
/// change linearly (theory/finite_elements.md 2.8).
BeamMatrices assemble(const BeamMesh& mesh, const std::function<BeamProperties(double)>& beam);

/// What sits at one node beside the beam itself.
struct NodeProperties {
    int node = 0;                        ///< its number
    double mass = 0.0;                   ///< [kg]
    double inertia = 0.0;                ///< [kg m^2]
    double translation_stiffness = 0.0;  ///< of a spring to the ground [N/m]
    double rotation_stiffness = 0.0;     ///< likewise [N m/rad]
};

/// Adds masses and springs at nodes to the matrices of a mesh (theory/finite_elements.md 2.9).
void add(const BeamMesh& mesh, BeamMatrices& matrices, std::span<const NodeProperties> nodes);

}  // namespace stoss::fem
