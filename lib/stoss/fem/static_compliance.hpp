#pragma once
/// Static compliance of a supported beam at any point: deflection under a unit force.

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <stoss/fem/beam_mesh.hpp>

namespace stoss::fem {

/// What loads inside an element add to the deflection under them beyond the shape functions of the
/// element: exact for a uniform beam. (With shear: of the force, not of the inertia.)
class ElementCompliance {
  public:
    /// Arguments: as of StaticCompliance.
    ElementCompliance(const BeamMesh& mesh, const BeamMatrices& matrices,
                      const Eigen::MatrixXd& rigid_shapes,
                      std::function<BeamProperties(double)> beam);

    /// Compliance of an element between fixed ends under a force at x [m], seen at another place,
    /// less that of its own inner freedoms [m/N]; 0 for places in different elements.
    double under_force(double x, double other) const;
    /// What the inertia of the rigid motions adds to the compliance inside the elements [m/N].
    double under_inertia(double x, double other) const;
    double length() const { return mesh_.length(); }  ///< of the mesh [m]

  private:
    /// Of a place inside an element: its rigid shapes, and the deflection there, between clamps,
    /// under the inertia of each rigid motion. One number a rigid motion.
    void see_rigid_motions(double x, Eigen::VectorXd& shape, Eigen::VectorXd& bow) const;
    /// Force per length on an element that follows each rigid motion: at its left node, and its
    /// slope. Columns: rigid motions.
    Eigen::Matrix<double, 2, Eigen::Dynamic> inertia_load(int element) const;
    BeamProperties middle_of(int element) const;
    void sum_inertia_work();

    BeamMesh mesh_;
    std::function<BeamProperties(double)> beam_;
    std::vector<Eigen::Matrix3d> inner_;  ///< inverse stiffness of the inner freedoms, with shear
    Eigen::MatrixXd rigid_shapes_;        ///< dofs x r
    Eigen::MatrixXd inertia_work_;        ///< r x r: work of the inertia inside all elements
};

/// The inverse stiffness of the whole beam on its vibration modes, factored.
class RelievedInverse;

/// Deflection of a supported beam at the place of a unit force, in any place
/// (theory/modal_reduction.md 4.13).
///
/// A beam with rigid motions is loaded by the force and by the inertia of the rigid motion that
/// follows (inertia relief): the deflection is that of the vibration modes alone.
///
/// Method: the blocks of the inverse stiffness matrix that belong to one element, by block
/// elimination along the beam, in double-double arithmetic. Cost: linear in the number of elements;
/// of one place: constant.
class StaticCompliance {
  public:
    /// `matrices`: of the whole mesh with masses and springs, without supports. `held`: freedoms
    /// that supports hold, in any order. `rigid_shapes`: dofs x r, r <= 2, mass-orthonormal motions
    /// that supports and springs allow without deformation. `beam`: properties at a place x [m].
    StaticCompliance(const BeamMesh& mesh, const BeamMatrices& matrices,
                     std::span<const Eigen::Index> held, const Eigen::MatrixXd& rigid_shapes,
                     std::function<BeamProperties(double)> beam);

    /// At 0 <= x <= length [m]: deflection for a unit force [m/N].
    double at(double x) const;
    /// Deflection at one place for a unit force at another one [m/N]; the same for the two
    /// exchanged. Cost: linear in the number of elements. Throws std::logic_error for a beam that
    /// `changed` made, unless both places are the same.
    double between(double x, double other) const;

    /// That of a beam nearby: `change` is added to the inverse over the freedoms of each element;
    /// `inside` are the elements of that beam. Their mesh may be longer or shorter; places keep
    /// their share of it.
    StaticCompliance changed(std::span<const Eigen::MatrixXd> change,
                             ElementCompliance inside) const;

  private:
    BeamMesh mesh_;
    std::shared_ptr<const RelievedInverse> whole_;
    std::vector<Eigen::MatrixXd> inverse_;  ///< of each element: freedoms x freedoms
    ElementCompliance inside_;
};

/// Derivatives of the inverse stiffness on the vibration modes, G (theory/gradients.md 26.16), by
/// parameters: for each parameter and each element, over its freedoms.
///
/// The first four arguments are those of StaticCompliance; `slopes`: derivatives of mass and
/// stiffness over the whole mesh, one a parameter. No parameter changes the space of the rigid
/// shapes. Cost: the square of the number of elements.
std::vector<std::vector<Eigen::MatrixXd>> compliance_slopes(const BeamMesh& mesh,
                                                            const BeamMatrices& matrices,
                                                            std::span<const Eigen::Index> held,
                                                            const Eigen::MatrixXd& rigid_shapes,
                                                            std::span<const BeamMatrices> slopes);

}  // namespace stoss::fem
