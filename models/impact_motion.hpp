#pragma once
/// Bodies that meet again and again at many places, as a case gives them: parameters ->
/// motion::System.

#include <cstddef>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <models/axial_modes.hpp>
#include <models/beam.hpp>
#include <models/beam_body.hpp>
#include <models/contact_parameters.hpp>
#include <models/mesh.hpp>
#include <stoss/contact/tangential_law.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/motion/system.hpp>

namespace stoss::models {

/// A rigid body that only translates; a spring and a dashpot may hold it.
struct PointBody {
    static constexpr std::string_view name = "point_mass";
    static constexpr std::string_view meaning =
        "a rigid body that only translates, free or on a spring";

    core::Required mass = {};
    double stiffness = 0.0;
    double damping = 0.0;
    double displacement = 0.0;
    double velocity = 0.0;
    double tangential_velocity = 0.0;
    double lateral_velocity = 0.0;

    static constexpr auto fields() {
        return std::tuple{
            core::field("mass", &PointBody::mass, "kg", core::positive, "mass m").required(),
            core::field("stiffness", &PointBody::stiffness, "N/m", core::non_negative,
                        "stiffness of a spring to the ground; 0: the body is free"),
            core::field("damping", &PointBody::damping, "N s/m", core::non_negative,
                        "damping of a dashpot to the ground"),
            core::field("displacement", &PointBody::displacement, "m", core::finite,
                        "displacement at time 0, from the position at which the gaps of its "
                        "contacts are given"),
            core::field("velocity", &PointBody::velocity, "m/s", core::finite,
                        "velocity at time 0"),
            core::field("tangential_velocity", &PointBody::tangential_velocity, "m/s", core::finite,
                        "velocity across the axis at time 0; no spring acts in this direction"),
            core::field("lateral_velocity", &PointBody::lateral_velocity, "m/s", core::finite,
                        "velocity across the axis and across the tangential velocity at time 0; "
                        "not 0: friction acts in space")};
    }
};

/// A rigid sphere that moves and spins, in a plane or in space. It touches what is below it at its
/// lowest point, and what is above it at its highest one. Spin about the axis does not matter.
struct SphereBody {
    static constexpr std::string_view name = "sphere";
    static constexpr std::string_view meaning =
        "a rigid sphere that moves across the axis and spins; it touches others at its lowest or "
        "highest point";

    core::Required mass = {};
    core::Required radius = {};
    double inertia_factor = 0.4;
    double displacement = 0.0;
    double velocity = 0.0;
    double tangential_velocity = 0.0;
    double angular_velocity = 0.0;
    double lateral_velocity = 0.0;
    double lateral_angular_velocity = 0.0;

    static constexpr auto fields() {
        return std::tuple{
            core::field("mass", &SphereBody::mass, "kg", core::positive, "mass m").required(),
            core::field("radius", &SphereBody::radius, "m", core::positive, "radius r").required(),
            core::field(
                "inertia_factor", &SphereBody::inertia_factor, "", core::positive,
                "moment of inertia about the centre, divided by m r^2: 2/5 for a solid sphere"),
            core::field("displacement", &SphereBody::displacement, "m", core::finite,
                        "displacement of its centre at time 0"),
            core::field("velocity", &SphereBody::velocity, "m/s", core::finite,
                        "velocity of its centre at time 0"),
            core::field("tangential_velocity", &SphereBody::tangential_velocity, "m/s",
                        core::finite, "velocity of its centre across the axis at time 0"),
            core::field("angular_velocity", &SphereBody::angular_velocity, "rad/s", core::finite,
                        "angular velocity at time 0; positive: its lowest point moves along the "
                        "tangent"),
            core::field(
                "lateral_velocity", &SphereBody::lateral_velocity, "m/s", core::finite,
                "velocity of its centre along the second tangent at time 0; not 0: friction "
                "acts in space"),
            core::field("lateral_angular_velocity", &SphereBody::lateral_angular_velocity, "rad/s",
                        core::finite,
                        "angular velocity at time 0; positive: its lowest point moves along the "
                        "second tangent")};
    }
    double inertia() const { return inertia_factor * mass * radius * radius; }  ///< [kg m^2]
};

/// A rigid straight bar that translates and turns by small angles.
struct RigidBar {
    static constexpr std::string_view name = "rigid_bar";
    static constexpr std::string_view meaning =
        "a rigid uniform bar that translates and turns by small angles";

    core::Required mass = {};
    core::Required length = {};
    double thickness = 0.0;
    double inclination = 0.0;
    double displacement = 0.0;
    double angle = 0.0;
    double velocity = 0.0;
    double tangential_velocity = 0.0;
    double angular_velocity = 0.0;

    static constexpr auto fields() {
        return std::tuple{
            core::field("mass", &RigidBar::mass, "kg", core::positive, "mass m").required(),
            core::field("length", &RigidBar::length, "m", core::positive, "length l").required(),
            core::field("thickness", &RigidBar::thickness, "m", core::non_negative,
                        "distance between its upper and lower surface, where contacts act"),
            core::field("inclination", &RigidBar::inclination, "rad",
                        core::closed(-0.5 * std::numbers::pi, 0.5 * std::numbers::pi),
                        "inclination of its axis to the tangent where `angle` is 0; positive: the "
                        "end xi = 1 "
                        "is the higher one"),
            core::field("displacement", &RigidBar::displacement, "m", core::finite,
                        "displacement of its middle at time 0"),
            core::field("angle", &RigidBar::angle, "rad", core::finite,
                        "small rotation from the inclination at time 0; positive: the end xi = 1 "
                        "moves up"),
            core::field("velocity", &RigidBar::velocity, "m/s", core::finite,
                        "velocity of its middle at time 0"),
            core::field("tangential_velocity", &RigidBar::tangential_velocity, "m/s", core::finite,
                        "velocity of its middle across the axis of displacements at time 0"),
            core::field("angular_velocity", &RigidBar::angular_velocity, "rad/s", core::finite,
                        "angular velocity at time 0")};
    }
    double inertia() const { return mass * length * length / 12.0; }  ///< about its middle [kg m^2]
};

/// An elastic beam by its lowest modes. Its axis lies along the tangent. Where friction acts on it,
/// it also moves and stretches along its axis.
struct BeamInMotion {
    static constexpr std::string_view name = "beam";
    static constexpr std::string_view meaning = "an elastic beam, by its lowest modes";

    Beam beam;
    int modes = 10;
    int elements = 80;
    bool residual_flexibility = true;
    double velocity = 0.0;
    double angular_velocity = 0.0;
    double tangential_velocity = 0.0;

    Mesh mesh() const;  ///< of the beam

    static constexpr auto fields() {
        return std::tuple{
            core::field("beam", &BeamInMotion::beam, "the beam").required(),
            core::field("modes", &BeamInMotion::modes, "", core::closed(1, 500),
                        "number p of lowest modes kept, rigid ones included"),
            core::field("elements", &BeamInMotion::elements, "", core::closed(2, 5000),
                        "number of equal elements"),
            core::field("residual_flexibility", &BeamInMotion::residual_flexibility,
                        "the modes that are left out follow the contact forces as springs"),
            core::field("velocity", &BeamInMotion::velocity, "m/s", core::finite,
                        "velocity of the centre of mass at time 0, of a beam that may translate"),
            core::field("angular_velocity", &BeamInMotion::angular_velocity, "rad/s", core::finite,
                        "angular velocity at time 0, of a beam that may turn"),
            core::field("tangential_velocity", &BeamInMotion::tangential_velocity, "m/s",
                        core::finite,
                        "velocity along its axis at time 0, of a beam that no clamp or pin "
                        "holds")};
    }
};

/// Displacement that follows a harmonic: amplitude cos(2 pi frequency t + phase).
struct HarmonicMotion {
    core::Required amplitude = {};
    core::Required frequency = {};
    double phase = 0.0;

    static constexpr auto fields() {
        return std::tuple{core::field("amplitude", &HarmonicMotion::amplitude, "m",
                                      core::non_negative, "amplitude of the displacement")
                              .required(),
                          core::field("frequency", &HarmonicMotion::frequency, "Hz", core::positive,
                                      "frequency of the displacement")
                              .required(),
                          core::field("phase", &HarmonicMotion::phase, "rad", core::finite,
                                      "phase of the cosine at time 0")};
    }
};

/// A surface that nothing stops: at rest, or with a motion that is given.
struct Surface {
    static constexpr std::string_view name = "surface";
    static constexpr std::string_view meaning =
        "a surface of infinite mass, at rest or with a given motion";

    std::vector<HarmonicMotion> motion;

    static constexpr auto fields() {
        return std::tuple{
            core::field("motion", &Surface::motion,
                        "harmonics of its displacement; none: the surface is at rest")};
    }
};

/// One body.
struct Body {
    std::string name;
    std::variant<PointBody, RigidBar, SphereBody, BeamInMotion, Surface> kind;

    static constexpr auto fields() {
        return std::tuple{
            core::field("name", &Body::name, "name of the body, used in contacts and forces")
                .required(),
            core::field("kind", &Body::kind, "kind of body").required()};
    }
    template <class Kind>
    bool is() const {
        return std::holds_alternative<Kind>(kind);
    }
};

/// A place on a body.
struct BodyPlace {
    std::string body;
    double xi = 0.5;

    static constexpr auto fields() {
        return std::tuple{core::field("body", &BodyPlace::body, "name of the body").required(),
                          core::field("xi", &BodyPlace::xi, "", core::closed(0.0, 1.0),
                                      "place x/l along a bar or beam")};
    }
};

/// Friction of a contact, with tangential springs.
struct MotionFriction {
    core::Required mu = {};
    core::OrNone<double> tangential_stiffness = {};
    core::OrNone<double> tangential_ratio = {};
    contact::TangentialLaw tangential = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("mu", &MotionFriction::mu, "", core::non_negative,
                        "coefficient of friction")
                .required(),
            core::field("tangential_stiffness", &MotionFriction::tangential_stiffness, "N/m",
                        core::positive, "k_t of a spring in series with the slider, constant"),
            core::field("tangential_ratio", &MotionFriction::tangential_ratio, "", core::positive,
                        "in its place: k_t over the present slope of the normal law; for like "
                        "elastic bodies (Mindlin 1949) 2 (1 - nu)/(2 - nu)"),
            core::field("tangential", &MotionFriction::tangential,
                        "tangential force law; partial_slip needs tangential_ratio")};
    }
};

/// One contact: the first body is on the positive side of the second one.
struct MotionContact {
    std::string name;
    BodyPlace first, second;
    double gap = 0.0;
    core::OrNone<double> cor = {};
    core::OrNone<ContactParameters> contact;
    core::OrNone<MotionFriction> friction;

    static constexpr auto fields() {
        return std::tuple{
            core::field("name", &MotionContact::name, "name of the contact in tables and figures")
                .required(),
            core::field("first", &MotionContact::first,
                        "body and place on the positive (upper) side")
                .required(),
            core::field("second", &MotionContact::second, "body and place on the lower side")
                .required(),
            core::field("gap", &MotionContact::gap, "m", core::finite,
                        "gap between the surfaces where all displacements are 0"),
            core::field(
                "contact", &MotionContact::contact,
                "contact law; an elastic-plastic law keeps its dent for the whole motion, and "
                "has its `restitution` at the first impact only"),
            core::field("cor", &MotionContact::cor, "", core::closed(0.0, 1.0),
                        "Newton's coefficient of restitution of instantaneous impacts, in place of "
                        "a contact law; for bodies without vibrations"),
            core::field("friction", &MotionContact::friction,
                        "friction across the normal; needs a contact law")};
    }
};

/// A harmonic force on one place: amplitude cos(2 pi frequency t + phase).
struct HarmonicForce {
    BodyPlace on;
    core::Required amplitude = {};
    double frequency = 0.0;
    double phase = 0.0;

    static constexpr auto fields() {
        return std::tuple{
            core::field("on", &HarmonicForce::on, "body and place where the force acts").required(),
            core::field("amplitude", &HarmonicForce::amplitude, "N", core::finite,
                        "amplitude, positive along the axis")
                .required(),
            core::field("frequency", &HarmonicForce::frequency, "Hz", core::non_negative,
                        "frequency; 0: a constant force"),
            core::field("phase", &HarmonicForce::phase, "rad", core::finite,
                        "phase of the cosine at time 0")};
    }
};

/// Bodies, contacts and what drives them. The axis of all displacements is the same; gravity acts
/// against it.
struct MotionModel {
    std::vector<Body> bodies;
    std::vector<MotionContact> contacts;
    std::vector<HarmonicForce> forces;
    double gravity = 0.0;

    static constexpr auto fields() {
        return std::tuple{
            core::field("bodies", &MotionModel::bodies, "the bodies").required(),
            core::field("contacts", &MotionModel::contacts, "places where two bodies may meet")
                .required(),
            core::field("forces", &MotionModel::forces, "harmonic and constant forces"),
            core::field("gravity", &MotionModel::gravity, "m/s^2", core::finite,
                        "acceleration of gravity g of free bodies; displacements of all others are "
                        "measured from their static equilibrium")};
    }

    /// The body of that name; nullptr if there is none.
    const Body* find(const std::string& name) const;
    /// True if a body moves along the tangent: with such a velocity at time 0, or if friction acts
    /// on it.
    bool moves_along_tangent(const std::string& body, double velocity) const;
};

/// True if a body of the model moves along the second tangent: friction acts in space then.
bool is_spatial(const MotionModel& model);

/// What is wrong between the keys of a model: names, places, laws. (`motion::check` finds bodies
/// that overlap at time 0.)
std::vector<core::Violation> check(const MotionModel& model);

/// Which surface of a body touches: its lower or its upper one; or its axis.
inline constexpr double lower_side = -1.0, upper_side = 1.0, on_axis = 0.0;

/// From the centre of a rigid body to a place: along the tangent and along the axis [m].
struct Lever {
    double along = 0.0, up = 0.0;
};
/// The same times `scale`, at the place xi of that `side`.
Lever lever(const RigidBar& bar, double xi, double side, double scale);
Lever lever(const SphereBody& sphere, double xi, double side, double scale);

/// The modes of one body in a system: displacement first, then turning, then the others.
struct BodyInSystem {
    std::size_t begin = 0;                  ///< place of the first one
    std::optional<std::size_t> tangential;  ///< place of the motion along the tangent, if any
    std::optional<std::size_t> lateral;     ///< along the second tangent; of a sphere its turning
                                            ///< follows
    std::optional<BeamBody> beam;           ///< of a beam, whose modes begin at `begin`
    std::optional<AxialModes> axial;        ///< of a beam, whose modes begin at `tangential`
};

/// The modes of a model, and which of them belong to whom.
struct MotionSystem {
    motion::System system;
    std::vector<std::size_t> order;  ///< place in `system.contacts` of each contact of the model
    std::map<std::string, BodyInSystem> bodies;  ///< by name
};

/// Bodies and contacts enter in the order of their names, so that the order in a case does not
/// matter to the last bit. Precondition: `check` found nothing. Errors: core::NumericalError if the
/// modes of a beam cannot be computed.
MotionSystem motion_system(const MotionModel& model);

}  // namespace stoss::models
