#pragma once
/// Static compliance of a supported beam at any point: deflection under a unit force.

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <stoss/fem/beam_mesh.hpp>

namespace stoss::fem {

/// Deflection of a supported beam at the place of a unit force, in any place
/// (theory/modal_reduction.md 4.13).
///
/// A beam with rigid motions is loaded by the force and by the inertia of the rigid motion that
/// follows (inertia relief): the deflection is that of the vibration modes alone. The deflection is
/// exact for a uniform beam: what loads inside an element add beyond the shape functions of the
/// element is added. (With shear: of the force, not of the inertia.)
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

    /// Deflection for a unit force [m/N] at 0 <= x <= length [m].
    double at(double x) const;
    /// Deflection at one place for a unit force at another one [m/N]; the same for the two
    /// exchanged. Cost: linear in the number of elements.
    double between(double x, double other) const;

  private:
    /// The factored stiffness and the inertia relief, in double-double arithmetic.
    struct Solution;

    int element_of(double x) const;
    /// The row of the inverse for a force at x, at all freedoms [m/N].
    Eigen::VectorXd deflections(double x) const;
    /// Compliance of an element between fixed ends under a force at x, less that of its own inner
    /// freedoms [m/N].
    double inside_element(int element, double x) const { return inside_element(element, x, x); }
    /// The same, seen at another place of the element.
    double inside_element(int element, double x, double other) const;
    /// What the inertia of the rigid motions adds to the compliance inside the elements [m/N].
    double inertia_inside_elements(double x, double other) const;
    /// Of a place inside an element: its rigid shapes, and the deflection there, between clamps,
    /// under the inertia of each rigid motion. One number a rigid motion.
    void see_rigid_motions(double x, Eigen::VectorXd& shape, Eigen::VectorXd& bow) const;
    /// Force per length on an element that follows each rigid motion: at its left node, and its
    /// slope. Columns: rigid motions.
    Eigen::Matrix<double, 2, Eigen::Dynamic> inertia_load(int element) const;
    BeamProperties middle_of(int element) const;
    void sum_inertia_work();

    BeamMesh mesh_;
    std::shared_ptr<const Solution> solution_;
    std::function<BeamProperties(double)> beam_;
    std::vector<Eigen::MatrixXd> inverse_;  ///< of each element: freedoms x freedoms
    std::vector<Eigen::Matrix3d> inner_;    ///< inverse stiffness of the inner freedoms, with shear
    Eigen::MatrixXd rigid_shapes_;          ///< dofs x r
    Eigen::MatrixXd inertia_work_;          ///< r x r: work of the inertia inside all elements
};

}  // namespace stoss::fem
