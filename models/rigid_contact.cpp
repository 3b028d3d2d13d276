#include <models/rigid_contact.hpp>

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <Eigen/Core>
#include <stoss/core/elementary.hpp>
#include <stoss/core/field_checks.hpp>

namespace stoss::models {

namespace {

using Violations = std::vector<core::Violation>;

Eigen::Vector3d vector3(const std::vector<double>& v) {
    return {v[0], v[1], v[2]};
}

std::string text(const std::vector<double>& values) {
    return fmt::format("[{}]", fmt::join(values, ", "));
}

/// A violation if `values` are not `count` numbers.
void check_count(const std::vector<double>& values, std::size_t count, const std::string& key,
                 const char* what, Violations& found) {
    if (values.size() == count) return;
    found.push_back({key, text(values), fmt::format("must hold {} numbers", count),
                     fmt::format("give {}", what)});
}

bool is_infinite(const BodyKeys& keys) {
    return std::isinf(keys.mass);
}

/// Turned about x, then y, then z: axes fixed in space.
Eigen::Quaterniond orientation_of(const BodyKeys& keys) {
    if (!keys.rotation) {
        const auto& q = keys.orientation;
        return {q[0], q[1], q[2], q[3]};
    }
    const auto about = [&](std::size_t axis) {
        const double half = 0.5 * (*keys.rotation)[axis];
        Eigen::Vector3d u = Eigen::Vector3d::Zero();
        u[static_cast<Eigen::Index>(axis)] = core::sin(half);
        return Eigen::Quaterniond(core::cos(half), u[0], u[1], u[2]);
    };
    return about(2) * about(1) * about(0);
}

Eigen::Matrix3d inertia_of(const BodyKeys& keys) {
    Eigen::Matrix3d inertia;
    if (keys.inertia) {
        for (std::size_t row = 0; row < 3; ++row)
            inertia.row(static_cast<Eigen::Index>(row)) = vector3((*keys.inertia)[row]);
        return inertia;
    }
    const auto& I = keys.moments;
    const auto& P = keys.products;
    inertia << I[0], P[0], P[1], P[0], I[1], P[2], P[1], P[2], I[2];
    return inertia;
}

rigid::RigidBody body_of(const BodyKeys& keys) {
    rigid::RigidBody body;
    body.mass = keys.mass;
    if (!is_infinite(keys)) body.inertia = inertia_of(keys);
    body.orientation = orientation_of(keys);
    body.position = vector3(keys.position);
    body.velocity = vector3(keys.velocity);
    body.angular_velocity = vector3(keys.angular_velocity);
    return body;
}

void refuse_beside(const std::string& other, const std::vector<double>& values,
                   const std::string& key, Violations& found) {
    found.push_back({key, text(values), fmt::format("cannot be given together with `{}`", other),
                     "keep one of the two"});
}

/// What is wrong with the numbers that give the inertia of a body.
void check_inertia_keys(const BodyKeys& keys, const std::string& path, Violations& found) {
    if (!keys.inertia) {
        if (keys.moments.empty()) {
            found.push_back({path + ".moments", "", "is missing",
                             "add `moments`: I_xx, I_yy, I_zz about the centre of mass, or "
                             "`inertia`: the tensor as three rows of three"});
        } else {
            check_count(keys.moments, 3, path + ".moments", "I_xx, I_yy, I_zz", found);
        }
        check_count(keys.products, 3, path + ".products", "I_xy, I_xz, I_yz", found);
        return;
    }
    if (!keys.moments.empty()) refuse_beside("inertia", keys.moments, path + ".moments", found);
    if (keys.products != BodyKeys{}.products)
        refuse_beside("inertia", keys.products, path + ".products", found);
    const auto& rows = *keys.inertia;
    if (rows.size() != 3) {
        found.push_back({path + ".inertia", fmt::format("{} rows", rows.size()),
                         "must hold 3 rows of 3 numbers", ""});
        return;
    }
    for (std::size_t i = 0; i < 3; ++i)
        check_count(rows[i], 3, fmt::format("{}.inertia[{}]", path, i), "a row", found);
}

Violations check_body(const BodyKeys& keys, const std::string& path) {
    Violations found;
    if (!is_infinite(keys)) check_inertia_keys(keys, path, found);
    check_count(keys.orientation, 4, path + ".orientation", "w, x, y, z", found);
    if (keys.rotation) {
        check_count(*keys.rotation, 3, path + ".rotation", "x, y, z", found);
        if (keys.orientation != BodyKeys{}.orientation)
            refuse_beside("rotation", keys.orientation, path + ".orientation", found);
    }
    check_count(keys.position, 3, path + ".position", "x, y, z", found);
    check_count(keys.velocity, 3, path + ".velocity", "x, y, z", found);
    check_count(keys.angular_velocity, 3, path + ".angular_velocity", "x, y, z", found);
    if (!found.empty()) return found;
    found = rigid::violations(body_of(keys), path);
    for (core::Violation& violation : found) {
        if (violation.key.ends_with(".inertia") && !keys.inertia) violation.key = path + ".moments";
    }
    return found;
}

rigid::ContactFrame frame_of(const FrameKeys& keys) {
    const Eigen::Vector3d point = vector3(keys.point), n = vector3(keys.normal);
    if (!keys.tangent) return rigid::ContactFrame::of_normal(point, n);
    const Eigen::Vector3d t = vector3(*keys.tangent);
    return {point, n, t, keys.second_tangent ? vector3(*keys.second_tangent) : n.cross(t)};
}

Violations check_frame(const FrameKeys& keys) {
    Violations found;
    check_count(keys.point, 3, "frame.point", "x, y, z", found);
    check_count(keys.normal, 3, "frame.normal", "x, y, z", found);
    if (keys.tangent) check_count(*keys.tangent, 3, "frame.tangent", "x, y, z", found);
    if (keys.second_tangent) {
        check_count(*keys.second_tangent, 3, "frame.second_tangent", "x, y, z", found);
        if (!keys.tangent) {
            found.push_back({"frame.second_tangent", text(*keys.second_tangent),
                             "needs `tangent` as well", ""});
        }
    }
    if (!found.empty()) return found;
    if (vector3(keys.normal).isZero(0.0)) {
        return {{"frame.normal", text(keys.normal), "must not be zero", ""}};
    }
    const rigid::ContactFrame frame = frame_of(keys);
    found = rigid::violations(frame, rigid::FrameRule::any_independent, "frame");
    if (found.empty()) found = rigid::violations(frame, keys.rule, "frame");
    if (!found.empty() && keys.rule == rigid::FrameRule::orthonormal) {
        found.front().suggestion =
            "leave out `tangent` and `second_tangent`, which then follow from the normal; `rule: "
            "any_independent` accepts other frames as well";
    }
    return found;
}

rigid::ContactProblem problem_of(const GivenOperator& given, double mu) {
    const OperatorEntries& A = given.A;
    return {{A.nn, A.nt, A.no, A.tt, A.to, A.oo}, given.b.components(), mu};
}

Violations check_given(const GivenOperator& given, double mu) {
    Violations found = check(given.b, "b");
    return found.empty() ? rigid::violations(problem_of(given, mu)) : found;
}

Violations check_given(const GivenBodies& given, double /*mu*/) {
    return check(given);
}

rigid::ContactProblem problem_of(const GivenBodies& given, double mu) {
    return contact_problem(given.first_body(), given.second_body(), given.contact_frame(), mu);
}

/// Bodies whose numbers are far apart give a problem that doubles cannot hold. `key`: of a body.
Violations check_contact(const rigid::ContactProblem& problem, std::string_view key) {
    if (is_valid(problem)) return {};
    return {{std::string(key), "",
             "gives a contact whose inverse mass or velocity is no finite number, or whose inverse "
             "mass is not positive definite in double precision",
             "bring masses, moments of inertia, distances and velocities closer together"}};
}

/// Cosine and sine of an angle [rad], exact where a double is nearest to a multiple of pi/2.
struct Direction {
    double cosine, sine;

    explicit Direction(double angle) : cosine(core::cos(angle)), sine(core::sin(angle)) {
        const double turns = angle / (0.5 * std::numbers::pi), whole = std::nearbyint(turns);
        if (std::abs(turns - whole) > 2e-16 * std::abs(turns)) return;
        cosine = std::nearbyint(cosine) + 0.0;  // no "-0"
        sine = std::nearbyint(sine) + 0.0;
    }
};

}  // namespace

rigid::ContactVector velocity_of(double speed, double inclination, double azimuth) {
    const Direction from_normal(inclination), from_t(azimuth);
    const double tangential = speed * from_normal.sine;
    return {speed * from_normal.cosine, tangential * from_t.cosine, tangential * from_t.sine};
}

rigid::ContactVector VelocityEntries::components() const {
    if (!has_angles()) return {*n, *t, *o};
    return velocity_of(*speed, *inclination, azimuth.value_or(0.0));
}

std::vector<core::Violation> check(const VelocityEntries& velocity, const std::string& path) {
    Violations found;
    const auto want = [&](const std::optional<double>& number, const char* name,
                          const char* meaning) {
        if (!number) found.push_back(core::missing(path + '.' + name, meaning));
    };
    if (!velocity.has_angles()) {
        want(velocity.n, "n", "component along the normal");
        want(velocity.t, "t", "component along the tangent t");
        want(velocity.o, "o", "component along the tangent o");
        return found;
    }
    want(velocity.speed, "speed", "magnitude of the velocity");
    want(velocity.inclination, "inclination", "angle to the normal");
    if (velocity.n || velocity.t || velocity.o) {
        found.push_back({path, "", "is given twice, by components and by angles",
                         "write n, t and o, or speed, inclination and azimuth"});
    }
    return found;
}

rigid::RigidBody GivenBodies::first_body() const {
    return body_of(first);
}
rigid::RigidBody GivenBodies::second_body() const {
    return second ? body_of(*second) : rigid::RigidBody::fixed();
}
rigid::ContactFrame GivenBodies::contact_frame() const {
    return frame_of(frame);
}

std::vector<core::Violation> check(const GivenBodies& bodies) {
    Violations found = check_body(bodies.first, "first");
    if (bodies.second) core::append(check_body(*bodies.second, "second"), found);
    core::append(check_frame(bodies.frame), found);
    if (is_infinite(bodies.first) && (!bodies.second || is_infinite(*bodies.second))) {
        found.push_back({"first.mass", fmt::format("{} kg", bodies.first.mass),
                         "must be finite if the second body cannot move either", ""});
    }
    return found.empty() ? check_contact(problem_of(bodies, 0.0), "first") : found;
}

rigid::ContactProblem RigidContact::problem() const {
    return std::visit([&](const auto& each) { return problem_of(each, mu); }, given);
}

bool RigidContact::is_orthonormal() const {
    const auto* bodies = std::get_if<GivenBodies>(&given);
    return !bodies ||
           rigid::violations(frame_of(bodies->frame), rigid::FrameRule::orthonormal, "").empty();
}

std::vector<core::Violation> check(const RigidContact& contact) {
    return std::visit([&](const auto& given) { return check_given(given, contact.mu); },
                      contact.given);
}

rigid::RigidBody SixMassBody::body() const {
    const double xx = masses.x * distances.x * distances.x;
    const double yy = masses.y * distances.y * distances.y;
    const double zz = masses.z * distances.z * distances.z;
    rigid::RigidBody body;
    body.mass = 2.0 * (masses.x + masses.y + masses.z);
    body.inertia = (2.0 * Eigen::Vector3d(yy + zz, xx + zz, xx + yy)).asDiagonal();
    body.velocity = vector3(velocity);
    return body;
}

rigid::ContactFrame SixMassBody::contact_frame() const {
    auto axes = rigid::ContactFrame::of_normal({distances.x, 0.0, 0.0}, vector3(normal));
    axes.t = axes.n.cross(Eigen::Vector3d::UnitX());
    if (frame == SixMassFrame::orthonormal) axes.t.normalize();
    axes.o = axes.n.cross(axes.t);
    return axes;
}

std::array<double, 2> SixMassBody::depths() const {
    const Eigen::Vector3d n = contact_frame().n.cwiseAbs();
    const double touching = n[0] * distances.x;
    return {n[1] * distances.y - touching, n[2] * distances.z - touching};
}

rigid::ContactProblem SixMassBody::problem() const {
    return contact_problem(body(), rigid::RigidBody::fixed(), contact_frame(), mu);
}

std::vector<core::Violation> check(const SixMassBody& body) {
    Violations found;
    check_count(body.normal, 3, "normal", "x, y, z", found);
    check_count(body.velocity, 3, "velocity", "x, y, z", found);
    if (!found.empty()) return found;
    if (vector3(body.normal).isZero(0.0)) {
        found.push_back({"normal", text(body.normal), "must not be zero", ""});
    } else if (body.contact_frame().n.cross(Eigen::Vector3d::UnitX()).norm() <= 1e-9) {
        found.push_back({"normal", text(body.normal), "must not be along x",
                         "the tangent t = n x e_x has no direction then"});
    }
    return found.empty() ? check_contact(body.problem(), "masses") : found;
}

}  // namespace stoss::models
