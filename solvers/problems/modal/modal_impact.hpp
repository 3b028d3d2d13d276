#pragma once
/// Problem `modal_impact`: a body that is given by its modes is struck at named points.

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <models/beam_collision.hpp>
#include <models/contact_parameters.hpp>
#include <solvers/case/gradient_table.hpp>
#include <solvers/case/problem.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::solvers {

/// Motion of one point of a body that moves as a rigid one.
struct PointMotion {
    std::string point;
    core::Required velocity = {};
    double acceleration = 0.0;

    static constexpr auto fields() {
        return std::tuple{
            core::field("point", &PointMotion::point, "name of a point of the table of modes")
                .required(),
            core::field("velocity", &PointMotion::velocity, "m/s", core::finite,
                        "velocity along the axis of the shapes")
                .required(),
            core::field("acceleration", &PointMotion::acceleration, "m/s^2", core::finite,
                        "acceleration of this point that gravity and constant forces give to the "
                        "free rigid body")};
    }
};

/// How a mode vibrates at the instant of first contact, as seen at one point.
struct PointVibration {
    int mode = 0;
    std::string point;
    double displacement = 0.0;
    double velocity = 0.0;

    static constexpr auto fields() {
        return std::tuple{
            core::field("mode", &PointVibration::mode, "", core::at_least(1),
                        "row of the mode in the table, which counts rigid modes too")
                .required(),
            core::field("point", &PointVibration::point,
                        "name of a point of the table that the mode moves")
                .required(),
            core::field("displacement", &PointVibration::displacement, "m", core::finite,
                        "displacement of that point along the axis of the shapes"),
            core::field("velocity", &PointVibration::velocity, "m/s", core::finite,
                        "velocity of that point")};
    }
};

/// A body by its modes, and how it moves.
struct TabledBody {
    std::string modes;
    core::OrAuto<int> rigid_modes;
    core::OrNone<double> mass = {};
    std::vector<PointMotion> motion;
    std::vector<PointVibration> vibration;

    static constexpr auto fields() {
        return std::tuple{
            core::field("modes", &TabledBody::modes,
                        "table of its modes (CSV), relative to the case; its layout is in "
                        "docs/modal-basis.md")
                .required(),
            core::field("rigid_modes", &TabledBody::rigid_modes, "", core::at_least(0),
                        "number of rigid modes, which come first; auto: those of frequency 0"),
            core::field(
                "mass", &TabledBody::mass, "kg", core::positive,
                "mass of a body that can translate; its rigid modes must be normalised by it"),
            core::field(
                "motion", &TabledBody::motion,
                "velocities of as many points as there are rigid modes; none: the body is at rest"),
            core::field("vibration", &TabledBody::vibration,
                        "modes that vibrate already, any number")};
    }
};

/// A striker that is a point mass.
struct StrikingMass {
    static constexpr std::string_view name = "point_mass";
    static constexpr std::string_view meaning = "a rigid body that only translates";

    double mass = core::infinity;
    double velocity = 0.0;
    double acceleration = 0.0;

    static constexpr auto fields() {
        return std::tuple{
            core::field("mass", &StrikingMass::mass, "kg", core::positive_or_infinite,
                        "mass; inf: inertially fixed"),
            core::field("velocity", &StrikingMass::velocity, "m/s", core::finite,
                        "velocity, positive towards the body"),
            core::field("acceleration", &StrikingMass::acceleration, "m/s^2", core::finite,
                        "acceleration by gravity and constant forces, positive towards the body")};
    }
};

/// A striker that is given by its modes, too.
struct StrikingModes : TabledBody {
    static constexpr std::string_view name = "modes";
    static constexpr std::string_view meaning = "a flexible body, by its modes";

    std::string point;

    static constexpr auto fields() {
        return std::tuple_cat(TabledBody::fields(),
                              std::tuple{core::field("point", &StrikingModes::point,
                                                     "name of the point with which it strikes")
                                             .required()});
    }
};

struct ModalStriker {
    std::variant<StrikingMass, StrikingModes> kind;

    static constexpr auto fields() {
        return std::tuple{core::field("kind", &ModalStriker::kind, "kind of striker").required()};
    }
};

struct ModalImpact : GradientKeys {
    static constexpr std::string_view name = "modal_impact";
    static constexpr std::string_view meaning =
        "collision of a body that is given by a table of its modes, from any program";

    TabledBody body;
    ModalStriker striker;
    models::ContactParameters contact;
    models::Integration integration;
    std::vector<std::string> points;

    static constexpr auto fields() {
        return std::tuple_cat(
            std::tuple{
                core::field("body", &ModalImpact::body, "struck body").required(),
                core::field("striker", &ModalImpact::striker, "body that strikes").required(),
                core::field("contact", &ModalImpact::contact, "contact law").required(),
                core::field("integration", &ModalImpact::integration, "time integration"),
                core::field(
                    "points", &ModalImpact::points,
                    "points at which the body is struck; none given: every point of its table")},
            fields_for("keys by which the results are differentiated, such as striker.velocity; "
                       "also cells of the tables, such as body.modes[2].frequency_Hz"));
    }
};

extern const Problem modal_impact_problem;

}  // namespace stoss::solvers
