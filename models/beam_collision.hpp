#pragma once
/// A beam meets a striker, which may be another beam: parameters -> bodies, contact and motion for
/// impact::collide.

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <numbers>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <models/beam.hpp>
#include <models/contact_parameters.hpp>
#include <models/striker.hpp>
#include <stoss/contact/contact.hpp>
#include <stoss/contact/geometry.hpp>
#include <stoss/contact/laws.hpp>
#include <stoss/core/error.hpp>
#include <stoss/fem/beam_mesh.hpp>
#include <stoss/fem/constraints.hpp>
#include <stoss/fem/static_compliance.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/modal/modal_basis.hpp>

namespace stoss::models {

/// Discretisation of the beam.
struct Mesh {
    int elements = 80;
    core::OrAuto<int> modes = {};
    double tolerance = 1e-4;
    bool residual_flexibility = true;
    fem::ConstraintMethod constraints = fem::ConstraintMethod::elimination;
    double penalty_factor = 1e3;

    static constexpr auto fields() {
        return std::tuple{
            core::field("elements", &Mesh::elements, "", core::closed(2, 5000),
                        "number of equal elements; a few more where supports, springs, masses or "
                        "stations lie between nodes; with modes: auto a multiple of it where p "
                        "needs that"),
            core::field("modes", &Mesh::modes, "", core::at_least(1),
                        "p, lowest modes kept, rigid ones included; auto: as many as e needs at "
                        "nine of ten "
                        "places"),
            core::field(
                "tolerance", &Mesh::tolerance, "", core::positive,
                "change of e by further modes beyond which e counts as not predictable; modes: "
                "auto goes below it where it can"),
            core::field("residual_flexibility", &Mesh::residual_flexibility,
                        "the modes that are left out follow the contact force as one spring: e "
                        "converges with p to the power -7 instead of -3"),
            core::field("constraints", &Mesh::constraints, "how supports enter the equations"),
            core::field("penalty_factor", &Mesh::penalty_factor, "", core::closed(1.0, 1e9),
                        "gamma / tr(K) of the penalty")};
    }
};

/// Standard acceleration of free fall [m/s^2]: 3rd CGPM (1901).
inline constexpr double standard_gravity = 9.80665;

/// Motion of the beam at the instant of first contact, a rigid one and what vibrates already; and
/// what drives it from then on.
struct Motion {
    std::optional<double> velocity = {};
    double angular_velocity = 0.0;
    std::optional<double> approach_speed = {};
    double inclination = 0.0;
    std::vector<ModeMotion> vibration = {};
    double gravity = 0.0;
    std::vector<PointLoad> loads = {};
    std::optional<double> drop_height = {};

    /// Speed [m/s] at which the contact points are to close; none: that of the velocities as given.
    std::optional<double> closing_speed() const;

    static constexpr auto fields() {
        return std::tuple{
            core::field("velocity", &Motion::velocity, "m/s", core::finite,
                        "V_0 of the centre of mass, along the normal of the surfaces; a pinned "
                        "beam has none of its own"),
            core::field("angular_velocity", &Motion::angular_velocity, "rad/s", core::finite,
                        "Omega_0; about the pin of a pinned beam"),
            core::field("approach_speed", &Motion::approach_speed, "m/s", core::positive,
                        "scales all rigid velocities so that the contact points close at this "
                        "speed; where none is given the striker moves, or a free beam if the "
                        "striker is fixed"),
            core::field("drop_height", &Motion::drop_height, "m", core::positive,
                        "h of a free fall, in place of approach_speed = sqrt(2 g h); g is the "
                        "magnitude of `gravity` or, if that is 0, 9.80665 m/s^2"),
            core::field("inclination", &Motion::inclination, "rad",
                        core::closed(0.0, 0.5 * std::numbers::pi),
                        "between the axis of the beam and the surface that it meets; an inclined "
                        "beam moves and rings along its axis, too: it must be free and uniform"),
            core::field("vibration", &Motion::vibration,
                        "modes of the beam that vibrate already, any number"),
            core::field("gravity", &Motion::gravity, "m/s^2", core::finite,
                        "acceleration of free fall during contact, of beam and striker, along the "
                        "axis of w as the velocities: negative pulls the beam down onto the "
                        "striker"),
            core::field("loads", &Motion::loads,
                        "constant forces on a beam that can move rigidly, any number")};
    }
};

/// How the gap between the surfaces is seen where the stiffness follows from it.
enum class ContactArea {
    circle,  ///< of the gap's Gaussian radius of curvature, as published
    ellipse  ///< exact
};

constexpr auto enum_names(ContactArea) {
    return std::array{
        core::EnumName{ContactArea::circle, "circle",
                       "circle of the same Gaussian curvature, as published"},
        core::EnumName{ContactArea::ellipse, "ellipse", "exact: elliptical Hertz contact"}};
}

/// Contact of beam and striker.
struct BeamContact : ContactParameters {
    ContactArea area = ContactArea::circle;

    static constexpr auto fields() {
        return std::tuple_cat(
            ContactParameters::fields(),
            std::tuple{core::field("area", &BeamContact::area,
                                   "how the stiffness follows from the shapes, if left out")});
    }
};

/// Time integration.
struct Integration {
    impact::Scheme scheme = {};
    std::optional<double> time_limit = {};

    /// True if the scheme says how well it knows the restitution.
    bool estimates_error() const { return std::holds_alternative<time::Splitting>(scheme); }

    static constexpr auto fields() {
        return std::tuple{
            core::field("scheme", &Integration::scheme, "time scheme"),
            core::field("time_limit", &Integration::time_limit, "s", core::positive,
                        "longest motion to follow; none: 100 T, T = l^2 sqrt(mu/(EI))")};
    }
};

/// Everything about a collision but its place on the beam.
struct BeamCollision {
    Beam beam = {};
    Striker striker = {};
    Motion motion = {};
    BeamContact contact = {};
    Mesh mesh = {};
    Integration integration = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("beam", &BeamCollision::beam, "the beam").required(),
            core::field("striker", &BeamCollision::striker, "the body that it meets").required(),
            core::field("motion", &BeamCollision::motion, "motion at first contact"),
            core::field("contact", &BeamCollision::contact, "contact law"),
            core::field("mesh", &BeamCollision::mesh,
                        "discretisation of the beam, and of a striking one"),
            core::field("integration", &BeamCollision::integration, "time integration")};
    }
};

/// What a field's own range cannot say of a beam and its mesh: sections that make sense, supports,
/// springs, masses and stations apart, modes against freedoms. Empty if all is well.
std::vector<core::Violation> check(const Beam& beam, const Mesh& mesh);

/// The mesh of a beam: nodes at supports, springs, dashpots, masses, stations.
fem::BeamMesh mesh_of(const Beam& beam, const Mesh& mesh);

/// Matrices and rigid shapes of a beam under its supports. Precondition: `check` found nothing.
fem::SupportedBeam supported_beam(const Beam& beam, const Mesh& mesh);

/// The modes of such a beam over all freedoms of the mesh. Precondition: their number is given.
/// Throws core::NumericalError if they cannot be computed.
modal::ModalBasis modes_of(const fem::SupportedBeam& supported, const Beam& beam, int modes);

/// What the dashpots of a beam do to its modes, `modal::ModalBody::dashpots`. `basis`: over all
/// freedoms of the mesh.
Eigen::MatrixXd dashpot_damping(const Beam& beam, const fem::BeamMesh& mesh,
                                const modal::ModalBasis& basis);

/// Places xi, in rising order, where the shape of a mode over all freedoms of the mesh changes its
/// sign: between supports and beyond them.
std::vector<double> nodes_of(const fem::BeamMesh& mesh, const modal::ModalBasis& basis,
                             Eigen::Index mode);

/// The same for all of a collision, and besides: motion that the
/// supports allow, a stiffness that nothing gives. Empty if all is well.
std::vector<core::Violation> check(const BeamCollision& parameters);

/// The gap between the surfaces of beam and striker at xi in [0, 1] (theory/contact.md 5.3).
contact::Gap gap_at(const BeamCollision& parameters, double xi);

/// E* [Pa] of beam and striker at xi (theory/contact.md 5.2).
double contact_modulus(const BeamCollision& parameters, double xi);

/// True if gravity or a constant force acts on one of the bodies.
bool is_loaded(const BeamCollision& parameters);

/// Segments between the places at which the largest displacement of a shape is looked for.
inline constexpr int shape_segments = 400;

/// V_rel(0) [m/s] at xi in [0, 1] of the motion as given, before `motion.approach_speed` scales it:
/// velocity of the rigid striker minus that of the rigid beam. Linear in xi. Computes no modes.
/// Precondition: `check(parameters)` found nothing.
double rigid_approach_speed(const BeamCollision& parameters, double xi);

/// Speed [m/s] at which the contact points close at xi, as the bodies of a BeamModel do; not
/// positive where they do not. Precondition as above.
double closing_speed(const BeamCollision& parameters, double xi);

/// Sum of the inverse masses [1/kg] that beam and striker, both rigid, oppose to a force between
/// them at xi. Precondition as above.
double rigid_mobility(const BeamCollision& parameters, double xi);

/// k [N/m^n] of the law at xi, from the bodies if it is not given; NaN if the law has none.
/// Precondition as above.
double contact_stiffness(const BeamCollision& parameters, double xi);

/// How the modes of a body move at first contact, and what acts on them, as impact::MovingBody has
/// it.
struct ModalMotion {
    std::vector<double> rigid_rates;
    std::vector<double> vibration, vibration_rates;  // empty: none
    std::vector<double> rigid_loads;                 // empty: none

    impact::MovingBody of(const modal::ModalBody& body) const {
        return {body, rigid_rates, vibration, vibration_rates, rigid_loads};
    }
    /// With all rigid rates times `scale`.
    ModalMotion scaled(double scale) const;
};

/// The modes that are left out of a viscoelastic beam, as one mode with their flexibility.
struct ResidualMode {
    double eigenvalue = 0.0;  ///< [1/s^2]
    double damping = 0.0;     ///< [1/s]
};

/// The modes of a beam over all freedoms of its mesh, and what stands for those that are left out.
struct BeamBody {
    /// Precondition: `check(beam, options)` found nothing, and the number of modes is given. Throws
    /// core::NumericalError if the modes cannot be computed.
    BeamBody(const Beam& beam, const Mesh& options);

    /// The first modes of a body with more. Precondition: `options` are those of `richer` but for
    /// fewer modes and `residual_flexibility`; `beam` is the same. `basis.damping_coupling` stays
    /// that of all its modes.
    BeamBody(const BeamBody& richer, const Beam& beam, const Mesh& options);

    fem::BeamMesh mesh;
    modal::ModalBasis basis;
    Eigen::MatrixXd dashpots;       ///< as modal::ModalBody has it
    Eigen::MatrixXd rigid_momenta;  ///< of the rigid modes in unit rigid motions [sqrt(kg), ...]
    std::optional<fem::StaticCompliance> compliance;  ///< with `options.residual_flexibility`
    std::optional<ResidualMode> residual_mode;        ///< likewise, of a viscoelastic material

    /// What the modes that are left out yield per force at xi, whose mode values are phi [m/N].
    double residual_flexibility(double xi, const Eigen::VectorXd& phi) const;
    /// As a body of its modes, struck at xi; a residual mode is the last one.
    modal::ModalBody at(double xi) const;
    /// The same without what stands for the modes that are left out.
    modal::ModalBody bending_at(double xi) const;
    /// phi of all modes at xi [1/sqrt(kg)].
    Eigen::VectorXd shapes_at(double xi) const;
    /// Writes into `motion` how its modes vibrate.
    void vibrate(const std::vector<ModeMotion>& given, ModalMotion& motion) const;

  private:
    void add_residual(const Beam& beam, const Mesh& options);
};

/// A beam ready to be struck anywhere: matrices and modes are computed once.
class BeamModel {
  public:
    /// One of many collisions.
    struct CollisionRequest {
        std::size_t id = 0;  ///< comes back with the result
        const BeamModel* model = nullptr;
        double xi = 0.0;
        double speed = 1.0;  ///< factor of all rigid velocities
    };

    /// Precondition: `check(parameters)` found nothing, and the number of modes is given (`auto`:
    /// see models/mode_choice.hpp). Throws core::NumericalError if the modes
    /// cannot be computed.
    explicit BeamModel(const BeamCollision& parameters);

    /// The same, with the modes of a model whose `beam` and `mesh` are the same.
    BeamModel(const BeamCollision& parameters, const BeamModel& same_beam);

    /// A model with the first modes of this one: `parameters` are its own but for fewer modes,
    /// `mesh.residual_flexibility` and the scheme. Solves no eigenproblem.
    BeamModel reduced(const BeamCollision& parameters) const;

    /// The collision at xi in [0, 1]. Where the bodies do not close its status is `no_approach`.
    impact::CollisionResult collide(double xi, impact::History* history = nullptr) const {
        return collide(xi, 1.0, history);
    }

    /// The same with all rigid velocities times `speed` > 0.
    impact::CollisionResult collide(double xi, double speed, impact::History* history) const;

    /// Many collisions, of one or more models, side by side (impact::Collider::collide_all): `next`
    /// writes the next one, or answers false if there are no more; `take` gets each result as soon
    /// as it is there, in no particular order. The same numbers as by `collide`. Threads may share
    /// the two functions if these are safe to share.
    static void collide_all(
        const std::function<bool(CollisionRequest&)>& next,
        const std::function<void(std::size_t id, const impact::CollisionResult&)>& take);

    /// Both bodies at the instant of first contact, for impact::collide. Only while the model
    /// lives.
    struct Bodies {
        modal::ModalBody beam;
        const modal::ModalBody& striker;
        ModalMotion beam_motion, striker_motion;

        impact::MovingBody first() const { return beam_motion.of(beam); }
        impact::MovingBody second() const { return striker_motion.of(striker); }
    };
    Bodies bodies_at(double xi) const;

    /// True if the contact is the same all along the beam.
    bool has_one_contact() const { return contact_.has_value(); }
    /// The contact at xi; its stiffness follows the surface of the beam.
    impact::ContactSetup contact_at(double xi) const;
    double time_limit() const;  ///< longest motion to follow [s]

    /// The modes of the beam as a body struck at xi sees them.
    modal::ModalBody beam_at(double xi) const;

    /// Displacement [m] at the place xi for the modal coordinates of a sample.
    double displacement(double xi, const std::vector<double>& modal_coordinates) const;

    /// Rotation [rad] of the section at xi for a unit of each modal coordinate.
    Eigen::VectorXd rotations(double xi) const;

    /// Nodes xi of a mode of the beam.
    std::vector<double> nodes(Eigen::Index mode) const { return nodes_of(mesh(), basis(), mode); }

    /// Speed [m/s] at which the rigid striker leaves, against its axis, after that collision.
    double rebound_speed(double xi, const impact::CollisionResult& result) const;

    const BeamCollision& parameters() const { return parameters_; }
    const modal::ModalBasis& basis() const { return beam_->basis; }
    /// The other beam, if one is the striker; else null.
    const BeamBody* striking_beam() const { return striking_beam_.get(); }
    int elements() const { return mesh().elements(); }
    /// k [N/m^n] of the law in use at xi; NaN if it has none.
    double contact_stiffness(double xi) const { return models::contact_stiffness(parameters_, xi); }
    double time_scale() const { return time_scale_; }              ///< T [s]
    double force_scale() const { return force_scale_; }            ///< EI/l^2 [N]
    double length() const { return parameters_.beam.length; }      ///< l [m]
    double speed_scale() const { return length() / time_scale_; }  ///< l/T [m/s]

  private:
    struct Scratch;
    class Strikes;

    BeamModel(const BeamCollision& parameters, std::shared_ptr<const BeamBody> beam,
              std::shared_ptr<const BeamBody> striking_beam);

    /// True if the bodies close there; else `result` says so.
    bool approaches(double xi, impact::CollisionResult& result) const;
    /// What they bring to a collision; it refers to the model and to the scratch.
    impact::CollisionStream::Collision approach(double xi, double speed, Scratch& scratch) const;

    void prepare();  // what follows from the modes
    void prepare_striker();
    void prepare_axial_modes();
    /// phi of all modes at xi [1/sqrt(kg)]: bending, axial, residual. Returns R [m/N], which is not
    /// in them.
    double shapes_at(double xi, Eigen::VectorXd& phi) const;
    /// R [m/N] of bending and axial modes that are left out, seen along the normal of the contact.
    double residual_flexibility(double xi, const Eigen::VectorXd& bending) const;
    double motion_scale(double xi) const;  // of all velocities: motion.approach_speed
    const fem::BeamMesh& mesh() const { return beam_->mesh; }

    BeamCollision parameters_;
    std::shared_ptr<const BeamBody> beam_, striking_beam_;
    ModalMotion motion_;                     // of the beam, before any scaling
    std::vector<double> axial_frequencies_;  // of an inclined beam [rad/s]; behind its bending
    modal::ModalBody striker_;
    ModalMotion striker_motion_;                   // likewise
    std::optional<impact::ContactSetup> contact_;  // if it is the same everywhere
    std::optional<impact::Collider> collider_;     // made once the modes are known
    double time_scale_;
    double force_scale_;
};

}  // namespace stoss::models
