#pragma once
/// The impact of two rigid bodies at one contact point, as a case gives it.

#include <array>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <models/friction_range.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/rigid/bodies.hpp>
#include <stoss/rigid/contact_problem.hpp>
#include <stoss/rigid/restitution.hpp>

namespace stoss::models {

/// The six entries of a Delassus operator.
struct OperatorEntries {
    core::Required nn = {}, nt = {}, no = {};
    core::Required tt = {}, to = {}, oo = {};

    static constexpr auto fields() {
        const auto entry = [](std::string_view name, core::Required OperatorEntries::*member) {
            return core::field(name, member, "1/kg", core::finite, "entry of that row and column")
                .required();
        };
        return std::tuple{entry("nn", &OperatorEntries::nn),
                          entry("nt", &OperatorEntries::nt),
                          entry("n_o", &OperatorEntries::no).also("no"),
                          entry("tt", &OperatorEntries::tt),
                          entry("to", &OperatorEntries::to),
                          entry("oo", &OperatorEntries::oo)};
    }
};

/// The velocity [m/s] of that magnitude, by its angle to the normal and the angle from t towards o
/// in the tangential plane [rad]. A component that vanishes at a multiple of a right angle is 0
/// there: for a contact it matters whether the bodies approach at all.
rigid::ContactVector velocity_of(double speed, double inclination, double azimuth);

/// A velocity in the contact frame: its components, or its magnitude and two angles.
struct VelocityEntries {
    std::optional<double> n = {}, t = {}, o = {};
    std::optional<double> speed = {}, inclination = {}, azimuth = {};

    static constexpr auto fields() {
        const auto entry = [](std::string_view name, std::optional<double> VelocityEntries::*member,
                              std::string_view meaning) {
            return core::field(name, member, "m/s", core::finite, meaning);
        };
        return std::tuple{
            entry("n", &VelocityEntries::n, "component along the normal"),
            entry("t", &VelocityEntries::t, "component along the tangent t"),
            entry("o", &VelocityEntries::o, "component along the tangent o"),
            core::field("speed", &VelocityEntries::speed, "m/s", core::non_negative,
                        "magnitude of the velocity, in place of the components; the angles give "
                        "its direction"),
            core::field("inclination", &VelocityEntries::inclination, "rad",
                        core::closed(0.0, std::numbers::pi), "angle of the velocity to the normal"),
            core::field("azimuth", &VelocityEntries::azimuth, "rad", core::finite,
                        "angle from t towards o, in the tangential plane; 0 if left out")};
    }

    /// True if it is given by its magnitude and angles.
    bool has_angles() const { return speed || inclination || azimuth; }

    /// The components. Precondition: `check` finds nothing.
    rigid::ContactVector components() const;
};

/// What is wrong with a velocity of which only some numbers are given, or too many; `path` is that
/// of its key.
std::vector<core::Violation> check(const VelocityEntries& velocity, const std::string& path);

/// A contact by its numbers.
struct GivenOperator {
    static constexpr std::string_view name = "operator";
    static constexpr std::string_view meaning = "the Delassus operator and the velocity";

    OperatorEntries A;
    VelocityEntries b;

    static constexpr auto fields() {
        return std::tuple{
            core::field("A", &GivenOperator::A,
                        "Delassus operator: relative velocity for a unit impulse; symmetric")
                .required(),
            core::field("b", &GivenOperator::b,
                        "minus the relative velocity before the impact; b.n > 0: closing")
                .required()};
    }
};

/// A rigid body. Vectors are sequences of three numbers along x, y, z.
struct BodyKeys {
    core::Required mass = {};
    std::vector<double> moments;
    std::vector<double> products{0.0, 0.0, 0.0};
    core::OrNone<std::vector<std::vector<double>>> inertia;
    std::vector<double> orientation{1.0, 0.0, 0.0, 0.0};
    core::OrNone<std::vector<double>> rotation;
    std::vector<double> position{0.0, 0.0, 0.0};
    std::vector<double> velocity{0.0, 0.0, 0.0};
    std::vector<double> angular_velocity{0.0, 0.0, 0.0};

    static constexpr auto fields() {
        return std::tuple{
            core::field("mass", &BodyKeys::mass, "kg", core::positive_or_infinite,
                        "mass m; infinite (`inf`): the velocity of the body does not change")
                .required(),
            core::field("moments", &BodyKeys::moments, "kg m^2", core::positive,
                        "moments of inertia I_xx, I_yy, I_zz about the centre of mass, along the "
                        "axes of the body"),
            core::field("products", &BodyKeys::products, "kg m^2", core::finite,
                        "products I_xy, I_xz, I_yz of the inertia tensor, with their sign"),
            core::field(
                "inertia", &BodyKeys::inertia, "kg m^2", core::finite,
                "inertia tensor as three rows of three numbers, in place of moments and products"),
            core::field("orientation", &BodyKeys::orientation, "", core::finite,
                        "quaternion w, x, y, z that turns the axes of the body into those of "
                        "space"),
            core::field("rotation", &BodyKeys::rotation, "rad", core::finite,
                        "angles about the axes x, y, z of space, applied in this order, in place "
                        "of orientation"),
            core::field("position", &BodyKeys::position, "m", core::finite,
                        "position of the centre of mass"),
            core::field("velocity", &BodyKeys::velocity, "m/s", core::finite,
                        "velocity of the centre of mass"),
            core::field("angular_velocity", &BodyKeys::angular_velocity, "rad/s", core::finite,
                        "angular velocity along the axes of space")};
    }
};

/// Contact point and axes of two bodies.
struct FrameKeys {
    std::vector<double> point;
    std::vector<double> normal;
    core::OrNone<std::vector<double>> tangent;
    core::OrNone<std::vector<double>> second_tangent;
    rigid::FrameRule rule = rigid::FrameRule::orthonormal;

    static constexpr auto fields() {
        return std::tuple{
            core::field("point", &FrameKeys::point, "m", core::finite,
                        "point where the bodies touch")
                .required(),
            core::field(
                "normal", &FrameKeys::normal, "", core::finite,
                "normal n, from the second body to the first; of any length if no tangent is given")
                .required(),
            core::field("tangent", &FrameKeys::tangent, "", core::finite,
                        "first tangent t; none: one perpendicular to n"),
            core::field("second_tangent", &FrameKeys::second_tangent, "", core::finite,
                        "second tangent o; none: n x t"),
            core::field("rule", &FrameKeys::rule, "rule for accepted frames")};
    }
};

/// A contact by its two bodies.
struct GivenBodies {
    static constexpr std::string_view name = "bodies";
    static constexpr std::string_view meaning = "two rigid bodies and where they touch";

    BodyKeys first;
    core::OrNone<BodyKeys> second;
    FrameKeys frame;

    static constexpr auto fields() {
        return std::tuple{
            core::field("first", &GivenBodies::first, "body that n points to").required(),
            core::field("second", &GivenBodies::second, "other body; none: a fixed body"),
            core::field("frame", &GivenBodies::frame, "contact point and axes").required()};
    }

    /// Preconditions: `check` finds nothing.
    rigid::RigidBody first_body() const;
    rigid::RigidBody second_body() const;
    rigid::ContactFrame contact_frame() const;
};

/// What is wrong with the bodies and their frame.
std::vector<core::Violation> check(const GivenBodies& bodies);

/// Restitution of an impact.
struct RestitutionKeys {
    core::Required coefficient = {};
    rigid::Restitution hypothesis = rigid::Restitution::poisson;
    rigid::ImpactLaw law = rigid::ImpactLaw::algebraic;

    static constexpr auto fields() {
        return std::tuple{
            core::field("coefficient", &RestitutionKeys::coefficient, "", core::closed(0.0, 1.0),
                        "coefficient of restitution e")
                .required(),
            core::field("hypothesis", &RestitutionKeys::hypothesis,
                        "hypothesis of restitution: the quantities that the coefficient relates"),
            core::field("law", &RestitutionKeys::law, "method that finds the impulse")};
    }
};

/// Keys of the problem `rigid_contact`.
struct RigidContact {
    static constexpr std::string_view name = "rigid_contact";
    static constexpr std::string_view meaning =
        "frictional impact of two rigid bodies: maximum dissipation, every Coulomb solution";

    std::variant<GivenOperator, GivenBodies> given;
    core::Required mu = {};
    core::OrNone<RestitutionKeys> restitution;

    static constexpr auto fields() {
        return std::tuple{
            core::field("given", &RigidContact::given, "form in which the contact is given")
                .required(),
            core::field("mu", &RigidContact::mu, "", friction_range, "coefficient of friction")
                .required()
                .also("friction"),
            core::field("restitution", &RigidContact::restitution,
                        "restitution after the compression; none: the bodies do not rebound")};
    }

    /// Preconditions: `check` finds nothing.
    rigid::ContactProblem problem() const;

    /// True if impulses and velocities are along orthonormal axes.
    bool is_orthonormal() const;
};

/// What no range of a single key can say: an operator that is not positive definite, moments that
/// no mass has, a frame that is not orthonormal, two bodies of which none can move.
std::vector<core::Violation> check(const RigidContact& contact);

/// Which axes the six-mass body's contact has.
enum class SixMassFrame {
    orthonormal,
    published  ///< t = n x e_x, o = n x t as they come out: shorter than 1
};

constexpr auto enum_names(SixMassFrame) {
    return std::array{core::EnumName{SixMassFrame::orthonormal, "orthonormal",
                                     "t = n x e_x of length 1, o = n x t"},
                      core::EnumName{SixMassFrame::published, "published",
                                     "t = n x e_x without normalisation, shorter than 1: with a "
                                     "circular cone in this frame, friction depends on direction"}};
}

/// One number for each axis.
template <class Tag>
struct PerAxis {
    core::Required x = {}, y = {}, z = {};

    static constexpr auto fields() {
        const auto entry = [](std::string_view name, core::Required PerAxis::*member) {
            return core::field(name, member, Tag::unit, core::positive, Tag::meaning).required();
        };
        return std::tuple{entry("x", &PerAxis::x), entry("y", &PerAxis::y),
                          entry("z", &PerAxis::z)};
    }
};
struct MassTag {
    static constexpr std::string_view unit = "kg",
                                      meaning = "mass of each of the two points on that axis";
};
struct DistanceTag {
    static constexpr std::string_view unit = "m",
                                      meaning = "distance of both points from the centre";
};

/// Keys of the problem `six_mass_body`: point masses at (+-d_x, 0, 0), (0, +-d_y, 0), (0, 0,
/// +-d_z), held together by massless rods; one on the x axis meets a fixed plane. Which of the two
/// does not matter, for the body is symmetric (Preclik, Eibl & Ruede 2017, section 4.1).
struct SixMassBody {
    static constexpr std::string_view name = "six_mass_body";
    static constexpr std::string_view meaning =
        "six masses on three rods, of which one on the x axis meets a plane: one impact with "
        "several Coulomb solutions";

    PerAxis<MassTag> masses;
    PerAxis<DistanceTag> distances;
    std::vector<double> normal;
    std::vector<double> velocity;
    core::Required mu = {};
    SixMassFrame frame = SixMassFrame::orthonormal;
    core::OrNone<RestitutionKeys> restitution;

    static constexpr auto fields() {
        return std::tuple{
            core::field("masses", &SixMassBody::masses, "masses m_x, m_y, m_z").required(),
            core::field("distances", &SixMassBody::distances, "distances d_x, d_y, d_z").required(),
            core::field("normal", &SixMassBody::normal, "", core::finite,
                        "normal n of the plane, towards the body, of any length; the plane touches "
                        "a mass on the x axis")
                .required(),
            core::field("velocity", &SixMassBody::velocity, "m/s", core::finite,
                        "velocity of the body before the impact; it does not rotate")
                .required(),
            core::field("mu", &SixMassBody::mu, "", friction_range, "coefficient of friction")
                .required()
                .also("friction"),
            core::field("frame", &SixMassBody::frame, "axes of the contact"),
            core::field("restitution", &SixMassBody::restitution,
                        "restitution after the compression; none: the body does not rebound")};
    }

    /// Preconditions: `check` finds nothing.
    rigid::RigidBody body() const;
    rigid::ContactFrame contact_frame() const;
    rigid::ContactProblem problem() const;
    /// How far the masses on the y and on the z axis lie beyond the plane [m]; negative: they do
    /// not reach it.
    std::array<double, 2> depths() const;
    bool is_orthonormal() const { return frame == SixMassFrame::orthonormal; }
};

/// A normal that is no direction, or along x, where the frame is not defined.
std::vector<core::Violation> check(const SixMassBody& body);

}  // namespace stoss::models
