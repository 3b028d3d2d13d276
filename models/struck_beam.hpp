#pragma once
/// The modes of a beam along the normal of a contact.

#include <Eigen/Core>
#include <memory>
#include <vector>

#include <models/beam.hpp>
#include <models/beam_body.hpp>
#include <stoss/modal/modal_basis.hpp>
#include <stoss/modal/modal_body.hpp>

namespace stoss::models {

/// A beam that may be struck at any xi in [0, 1], at an angle to its axis. Its modes are those of
/// bending, then the axial ones if it is inclined, then the modes that represent those omitted from
/// a viscoelastic beam: of bending and, if it is inclined, of the axis.
class StruckBeam {
  public:
    /// `inclination` [rad]: between the axis of the beam and the surface that it meets.
    StruckBeam(const Beam& beam, double inclination, std::shared_ptr<const BeamBody> body);

    /// The modes as a body struck at xi.
    modal::ModalBody at(double xi) const;

    /// Writes phi of all modes at xi [1/sqrt(kg)]. Returns the residual flexibility [m/N] that is
    /// not in them.
    double shapes_at(double xi, Eigen::VectorXd& phi) const;

    /// Deflection [m] at xi for the modal coordinates of a sample.
    double displacement(double xi, const std::vector<double>& modal_coordinates) const;

    /// Rotation [rad] of the section at xi for a unit of each coordinate of bending.
    Eigen::VectorXd rotations(double xi) const;

    /// Nodes xi of a mode of bending.
    std::vector<double> nodes(Eigen::Index mode) const;

    const modal::ModalBasis& basis() const { return body_->basis; }  ///< of bending
    int elements() const { return body_->mesh.elements(); }
    const std::shared_ptr<const BeamBody>& body() const { return body_; }

  private:
    double axial_residual_flexibility(double xi) const;

    Beam beam_;
    double inclination_;
    std::shared_ptr<const BeamBody> body_;
    std::vector<double> axial_frequencies_;     // if inclined [rad/s]
    std::vector<ResidualMode> residual_modes_;  // if viscoelastic
};

}  // namespace stoss::models
