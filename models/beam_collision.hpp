#pragma once
/// A beam meets a striker: parameters -> bodies, contact and motion for impact::collide.

#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <models/beam.hpp>
#include <models/striker.hpp>
#include <stoss/contact/contact.hpp>
#include <stoss/contact/laws.hpp>
#include <stoss/core/error.hpp>
#include <stoss/fem/beam_mesh.hpp>
#include <stoss/fem/constraints.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/modal/modal_basis.hpp>

namespace stoss::models {

/// Discretisation of the beam.
struct Mesh {
    int elements = 80;
    int modes = 25;
    fem::ConstraintMethod constraints = fem::ConstraintMethod::penalty;
    double penalty_factor = 1e3;

    static constexpr auto fields() {
        return std::tuple{
            core::field("elements", &Mesh::elements, "", core::closed(2, 5000),
                        "number of equal elements"),
            core::field("modes", &Mesh::modes, "", core::at_least(1),
                        "p, lowest modes kept, rigid ones included"),
            core::field("constraints", &Mesh::constraints, "how supports enter the equations"),
            core::field("penalty_factor", &Mesh::penalty_factor, "", core::closed(1.0, 1e9),
                        "gamma / tr(K) of the penalty")};
    }
};

/// Rigid motion of the beam at the instant of first contact.
struct Motion {
    std::optional<double> velocity;
    double angular_velocity = 0.0;
    std::optional<double> approach_speed;

    static constexpr auto fields() {
        return std::tuple{
            core::field("velocity", &Motion::velocity, "m/s", core::finite,
                        "V_0 of the centre of mass; a pinned beam has none of its own"),
            core::field("angular_velocity", &Motion::angular_velocity, "rad/s", core::finite,
                        "Omega_0; about the pin of a pinned beam"),
            core::field("approach_speed", &Motion::approach_speed, "m/s", core::positive,
                        "scales all velocities so that the contact points close at this speed")};
    }
};

/// Contact law and separation rule.
struct ContactParameters {
    contact::Law law;
    contact::Separation separation = contact::Separation::zero_force;

    static constexpr auto fields() {
        return std::tuple{
            core::field("law", &ContactParameters::law, "contact law"),
            core::field("separation", &ContactParameters::separation, "when contact ends")};
    }
};

/// Time integration.
struct Integration {
    impact::Scheme scheme;
    std::optional<double> time_limit;

    static constexpr auto fields() {
        return std::tuple{
            core::field("scheme", &Integration::scheme, "time scheme"),
            core::field("time_limit", &Integration::time_limit, "s", core::positive,
                        "longest motion to follow; none: 100 T, T = l^2 sqrt(mu/(EI))")};
    }
};

/// Everything about a collision but its place on the beam.
struct BeamCollision {
    Beam beam;
    Striker striker;
    Motion motion;
    ContactParameters contact;
    Mesh mesh;
    Integration integration;

    static constexpr auto fields() {
        return std::tuple{
            core::field("beam", &BeamCollision::beam, "the beam").required(),
            core::field("striker", &BeamCollision::striker, "the body that it meets").required(),
            core::field("motion", &BeamCollision::motion, "rigid motion at first contact"),
            core::field("contact", &BeamCollision::contact, "contact law"),
            core::field("mesh", &BeamCollision::mesh, "discretisation of the beam"),
            core::field("integration", &BeamCollision::integration, "time integration")};
    }
};

/// What a field's own range cannot say: supports on nodes, modes against freedoms, motion that the
/// supports allow, a stiffness that nothing gives. Empty if all is well.
std::vector<core::Violation> check(const BeamCollision& parameters);

/// V_rel(0) [m/s] at xi in [0, 1] of the motion as given, before `motion.approach_speed` scales it:
/// velocity of the striker minus that of the rigid beam. Linear in xi. Computes no modes.
/// Precondition: `check(parameters)` found nothing.
double rigid_approach_speed(const BeamCollision& parameters, double xi);

/// A beam ready to be struck anywhere: matrices and modes are computed once.
class BeamModel {
  public:
    /// Precondition: `check(parameters)` found nothing. Throws core::NumericalError if the modes
    /// cannot be computed.
    explicit BeamModel(const BeamCollision& parameters);

    /// The collision at xi in [0, 1]. Where the bodies do not close its status is `no_approach`.
    impact::CollisionResult collide(double xi, impact::History* history = nullptr) const;

    /// Displacement [m] at the place xi for the modal coordinates of a sample.
    double displacement(double xi, const std::vector<double>& modal_coordinates) const;

    const modal::ModalBasis& basis() const { return basis_; }
    double contact_stiffness() const;  ///< k of the law in use [N/m^n]; NaN if it has none
    double time_scale() const { return time_scale_; }              ///< T [s]
    double force_scale() const { return force_scale_; }            ///< EI/l^2 [N]
    double length() const { return parameters_.beam.length; }      ///< l [m]
    double speed_scale() const { return length() / time_scale_; }  ///< l/T [m/s]

  private:
    modal::ModalBody beam_at(double xi) const;

    BeamCollision parameters_;
    fem::BeamMesh mesh_;
    modal::ModalBasis basis_;
    std::vector<double> rigid_rates_;  // of the beam's rigid modes, before any scaling
    modal::ModalBody striker_;
    impact::ContactSetup contact_;
    double time_scale_;
    double force_scale_;
};

}  // namespace stoss::models
