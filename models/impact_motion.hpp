#pragma once
/// Bodies that meet again and again at many places, as a case gives them: parameters ->
/// motion::System.

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <models/beam.hpp>
#include <models/contact_parameters.hpp>
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

    static constexpr auto fields() {
        return std::tuple{
            core::field("mass", &PointBody::mass, "kg", core::positive, "m").required(),
            core::field("stiffness", &PointBody::stiffness, "N/m", core::non_negative,
                        "of a spring to the ground; 0: the body is free"),
            core::field("damping", &PointBody::damping, "N s/m", core::non_negative,
                        "of a dashpot to the ground"),
            core::field("displacement", &PointBody::displacement, "m", core::finite,
                        "at time 0, from the place that the gaps of its contacts count from"),
            core::field("velocity", &PointBody::velocity, "m/s", core::finite, "at time 0")};
    }
};

/// A rigid straight bar that translates and turns by small angles.
struct RigidBar {
    static constexpr std::string_view name = "rigid_bar";
    static constexpr std::string_view meaning =
        "a rigid uniform bar that translates and turns by small angles";

    core::Required mass = {};
    core::Required length = {};
    double displacement = 0.0;
    double angle = 0.0;
    double velocity = 0.0;
    double angular_velocity = 0.0;

    static constexpr auto fields() {
        return std::tuple{
            core::field("mass", &RigidBar::mass, "kg", core::positive, "m").required(),
            core::field("length", &RigidBar::length, "m", core::positive, "l").required(),
            core::field("displacement", &RigidBar::displacement, "m", core::finite,
                        "of its middle at time 0"),
            core::field("angle", &RigidBar::angle, "rad", core::finite,
                        "at time 0; positive: the end xi = 1 is the higher one"),
            core::field("velocity", &RigidBar::velocity, "m/s", core::finite,
                        "of its middle at time 0"),
            core::field("angular_velocity", &RigidBar::angular_velocity, "rad/s", core::finite,
                        "at time 0")};
    }
};

/// An elastic beam by its lowest modes.
struct BeamInMotion {
    static constexpr std::string_view name = "beam";
    static constexpr std::string_view meaning = "an elastic beam, by its lowest modes";

    Beam beam;
    int modes = 10;
    int elements = 80;
    bool residual_flexibility = true;
    double velocity = 0.0;
    double angular_velocity = 0.0;

    static constexpr auto fields() {
        return std::tuple{
            core::field("beam", &BeamInMotion::beam, "the beam").required(),
            core::field("modes", &BeamInMotion::modes, "", core::closed(1, 500),
                        "p, lowest modes kept, rigid ones included"),
            core::field("elements", &BeamInMotion::elements, "", core::closed(2, 5000),
                        "number of equal elements"),
            core::field("residual_flexibility", &BeamInMotion::residual_flexibility,
                        "the modes that are left out follow the contact forces as springs"),
            core::field("velocity", &BeamInMotion::velocity, "m/s", core::finite,
                        "of the centre of mass of a beam that may translate, at time 0"),
            core::field("angular_velocity", &BeamInMotion::angular_velocity, "rad/s", core::finite,
                        "of a beam that may turn, at time 0")};
    }
};

/// Displacement that follows a harmonic: amplitude cos(2 pi frequency t + phase).
struct HarmonicMotion {
    core::Required amplitude = {};
    core::Required frequency = {};
    double phase = 0.0;

    static constexpr auto fields() {
        return std::tuple{core::field("amplitude", &HarmonicMotion::amplitude, "m",
                                      core::non_negative, "of the displacement")
                              .required(),
                          core::field("frequency", &HarmonicMotion::frequency, "Hz", core::positive,
                                      "of the displacement")
                              .required(),
                          core::field("phase", &HarmonicMotion::phase, "rad", core::finite,
                                      "of the cosine at time 0")};
    }
};

/// A surface that nothing stops: at rest, or with a motion that is given.
struct Surface {
    static constexpr std::string_view name = "surface";
    static constexpr std::string_view meaning =
        "a surface that nothing stops, at rest or with a given motion";

    std::vector<HarmonicMotion> motion;

    static constexpr auto fields() {
        return std::tuple{core::field("motion", &Surface::motion,
                                      "harmonics of its displacement; none: it is at rest")};
    }
};

/// One body.
struct Body {
    std::string name;
    std::variant<PointBody, RigidBar, BeamInMotion, Surface> kind;

    static constexpr auto fields() {
        return std::tuple{
            core::field("name", &Body::name, "by which contacts and forces name it").required(),
            core::field("kind", &Body::kind, "what it is").required()};
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

/// One contact: the first body is on the positive side of the second one.
struct MotionContact {
    std::string name;
    BodyPlace first, second;
    double gap = 0.0;
    core::OrNone<double> cor = {};
    core::OrNone<ContactParameters> contact;

    static constexpr auto fields() {
        return std::tuple{
            core::field("name", &MotionContact::name, "in tables and figures").required(),
            core::field("first", &MotionContact::first, "on the positive side, above").required(),
            core::field("second", &MotionContact::second, "below").required(),
            core::field("gap", &MotionContact::gap, "m", core::finite,
                        "between the surfaces where all displacements are 0"),
            core::field("contact", &MotionContact::contact, "contact law"),
            core::field("cor", &MotionContact::cor, "", core::closed(0.0, 1.0),
                        "Newton's e of impacts that take no time, in place of a contact law; for "
                        "bodies without vibrations")};
    }
};

/// A harmonic force on one place: amplitude cos(2 pi frequency t + phase).
struct HarmonicForce {
    BodyPlace on;
    core::Required amplitude = {};
    double frequency = 0.0;
    double phase = 0.0;

    static constexpr auto fields() {
        return std::tuple{core::field("on", &HarmonicForce::on, "where it acts").required(),
                          core::field("amplitude", &HarmonicForce::amplitude, "N", core::finite,
                                      "positive along the axis")
                              .required(),
                          core::field("frequency", &HarmonicForce::frequency, "Hz",
                                      core::non_negative, "0: a constant force"),
                          core::field("phase", &HarmonicForce::phase, "rad", core::finite,
                                      "of the cosine at time 0")};
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
            core::field("contacts", &MotionModel::contacts, "where bodies may meet").required(),
            core::field("forces", &MotionModel::forces, "harmonic and constant forces"),
            core::field("gravity", &MotionModel::gravity, "m/s^2", core::finite,
                        "g, on bodies that are free; displacements of the others count from "
                        "their static equilibrium")};
    }
};

/// What is wrong between the keys of a model: names, places, laws, bodies that overlap at time 0.
std::vector<core::Violation> check(const MotionModel& model);

/// The modes of a model, and which of them belong to whom.
struct MotionSystem {
    motion::System system;
    std::vector<std::size_t> order;  ///< place in `system.contacts` of each contact of the model
};

/// Bodies and contacts enter in the order of their names, so that the order in a case does not
/// matter to the last bit. Precondition: `check` found nothing. Errors: core::NumericalError if the
/// modes of a beam cannot be computed.
MotionSystem motion_system(const MotionModel& model);

}  // namespace stoss::models
