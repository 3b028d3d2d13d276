#pragma once
/// A beam as finite elements and modes: parameters -> mesh, matrices, modes, modal body.

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <models/beam.hpp>
#include <models/beam_matrices.hpp>
#include <models/mesh.hpp>
#include <stoss/fem/beam_mesh.hpp>
#include <stoss/fem/constraints.hpp>
#include <stoss/fem/static_compliance.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/modal/modal_basis.hpp>
#include <stoss/modal/modal_body.hpp>
#include <stoss/modal/modal_slopes.hpp>

namespace stoss::models {

/// The modes of such a beam over all freedoms of the mesh. Precondition: their number is given.
/// Throws core::NumericalError if they cannot be computed.
modal::ModalBasis modes_of(const fem::SupportedBeam& supported, const Beam& beam, int modes);

/// What the dashpots of a beam do to its modes, [1/s]; empty: there are none. `basis`: over all
/// freedoms of the mesh.
Eigen::MatrixXd dashpot_damping(const Beam& beam, const fem::BeamMesh& mesh,
                                const modal::ModalBasis& basis);

/// What couples the modes of a beam, `modal::ModalBody::coupled_damping`: its dashpots, and its
/// distributed damping unless that is a sum of multiples of mass and stiffness. `basis`: likewise.
Eigen::MatrixXd coupling_of(const Beam& beam, const fem::BeamMesh& mesh,
                            const modal::ModalBasis& basis);

/// Places xi, in rising order, where the shape of a mode over all freedoms of the mesh changes its
/// sign: between supports and beyond them.
std::vector<double> nodes_of(const fem::BeamMesh& mesh, const modal::ModalBasis& basis,
                             Eigen::Index mode);

/// Segments between the places at which the largest displacement of a shape is looked for.
inline constexpr int shape_segments = 400;

/// How the modes of a body move at first contact, and what acts on them, as impact::MovingBody has
/// it.
struct ModalMotion {
    std::vector<double> rigid_rates;
    std::vector<double> vibration, vibration_rates;  // empty: none
    std::vector<double> rigid_loads;                 // empty: none

    impact::MovingBody of(const modal::ModalBody& body) const {
        return {body, rigid_rates, vibration, vibration_rates, rigid_loads};
    }
    /// The motion with all rigid rates times `scale`.
    ModalMotion scaled(double scale) const;
};

/// The modes that are left out of a viscoelastic beam, as one mode with their flexibility.
struct ResidualMode {
    double eigenvalue = 0.0;  ///< [1/s^2]
    double damping = 0.0;     ///< [1/s]
};

struct BeamBody;

/// Slopes of ln(omega) and ln(phi) by a number that changes all modes alike.
struct ModeScaling {
    double log_frequencies = 0.0, log_shapes = 0.0;
};

/// Derivatives of a BeamBody by one parameter p, each in the order and per unit of BeamBody.
/// Rotations of the shapes are scaled by the length, as `matrix_slopes` has it.
struct BeamBodySlope {
    modal::ModalSlopes modes;                 ///< shapes over all freedoms of the mesh
    Eigen::MatrixXd rigid_momenta;            ///< as BeamBody has it
    std::vector<Eigen::MatrixXd> compliance;  ///< of each element, fem::compliance_slopes
    /// If all modes change alike, as by Young's modulus or the density of a beam without springs.
    std::optional<ModeScaling> scaling = {};

    /// Of a parameter that changes nothing.
    static BeamBodySlope none(const BeamBody& body);
};

/// The modes of a beam over all freedoms of its mesh, and the replacement of the omitted ones.
struct BeamBody {
    /// Precondition: `check(beam, options)` found nothing, and the number of modes is given. Throws
    /// core::NumericalError if the modes cannot be computed.
    BeamBody(const Beam& beam, const Mesh& options);

    /// The first modes of a body with more. Precondition: `options` are those of `richer` but for
    /// fewer modes and `residual_flexibility`; `beam` is the same. `basis.damping_coupling` stays
    /// that of all its modes.
    BeamBody(const BeamBody& richer, const Beam& beam, const Mesh& options);

    /// The body of a beam nearby to first order: that of `nominal` moved along its derivative by
    /// `step` of the parameter. `beam`: with that parameter. The mesh stays that of `nominal`.
    BeamBody(const BeamBody& nominal, const BeamBodySlope& slope, double step, const Beam& beam,
             const Mesh& options);

    fem::BeamMesh mesh;
    modal::ModalBasis basis;
    Eigen::MatrixXd
        shapes_by_freedom;            ///< its shapes transposed, for `shapes_at`: modes x freedoms
    Eigen::MatrixXd coupled_damping;  ///< as modal::ModalBody has it
    Eigen::MatrixXd rigid_momenta;    ///< of the rigid modes in unit rigid motions [sqrt(kg), ...]
    std::optional<fem::StaticCompliance> compliance;  ///< with `options.residual_flexibility`
    std::optional<ResidualMode> residual_mode;        ///< likewise, of a viscoelastic material
    /// True: the modes are subtracted already, element by element. Differences of places or of
    /// bodies nearby are then free of the roundoff of that subtraction.
    bool compliance_is_residual = false;

    /// What the modes that are left out yield per force at xi, whose mode values are phi [m/N].
    double residual_flexibility(double xi, const Eigen::VectorXd& phi) const;
    /// The same between places: what a force at one yields at another one, symmetric. [m/N]
    Eigen::MatrixXd residual_flexibility(std::span<const double> xi) const;
    /// The beam as a body given by its modes, struck at xi; a residual mode is the last one.
    modal::ModalBody at(double xi) const;
    /// The same without the replacement of the omitted modes.
    modal::ModalBody bending_at(double xi) const;
    /// phi of all modes at xi [1/sqrt(kg)].
    Eigen::VectorXd shapes_at(double xi) const;
    /// Writes into `motion` how its modes vibrate.
    void vibrate(const std::vector<ModeMotion>& given, ModalMotion& motion) const;

  private:
    void add_residual(const Beam& beam, const Mesh& options);
};

}  // namespace stoss::models
