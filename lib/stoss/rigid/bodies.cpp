#include <stoss/rigid/bodies.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>
#include <string>

#include <fmt/core.h>

namespace stoss::rigid {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Roundoff of numbers that a user computed elsewhere.
constexpr double tolerance = 1e-9;

bool is_fixed(const RigidBody& body) {
    return std::isinf(body.mass);
}

/// [1/kg]
double inverse_mass(const RigidBody& body) {
    return is_fixed(body) ? 0.0 : 1.0 / body.mass;
}

/// In the inertial frame [1/(kg m^2)].
Matrix3d inverse_inertia(const RigidBody& body) {
    if (is_fixed(body)) return Matrix3d::Zero();
    const Matrix3d R = body.orientation.toRotationMatrix();
    return R * body.inertia.llt().solve(Matrix3d::Identity()) * R.transpose();
}

/// Velocity [m/s] of the point of the body that is at `point`.
Vector3d velocity_at(const RigidBody& body, const Vector3d& point) {
    return body.velocity + body.angular_velocity.cross(point - body.position);
}

/// Velocity [m/s] at the point for a unit impulse there, a column each.
Matrix3d mobility(const RigidBody& body, const Vector3d& point) {
    const Matrix3d r = cross_matrix(point - body.position);
    return inverse_mass(body) * Matrix3d::Identity() - r * inverse_inertia(body) * r;
}

Matrix3d axes(const ContactFrame& frame) {
    Matrix3d Q;
    Q << frame.n, frame.t, frame.o;
    return Q;
}

std::string text(const Vector3d& v) {
    return fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z());
}

std::string text(const Matrix3d& m) {
    return fmt::format("[{}, {}, {}]", text(Vector3d(m.row(0))), text(Vector3d(m.row(1))),
                       text(Vector3d(m.row(2))));
}

/// The vector of length 1 along `v`, which may have any length but 0. Scaled by a power of two,
/// which rounds nothing, its square neither overflows nor underflows.
Vector3d unit_vector(const Vector3d& v) {
    int exponent = 0;
    std::frexp(v.cwiseAbs().maxCoeff(), &exponent);
    return v.unaryExpr([=](double x) { return std::ldexp(x, -exponent); }).normalized();
}

/// What is wrong with an inertia tensor, in words; empty if nothing is.
std::string_view inertia_rule(const Matrix3d& inertia) {
    if (!inertia.allFinite()) return "must be finite numbers";
    const double size = inertia.cwiseAbs().maxCoeff();
    if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > tolerance * size) {
        return "must be symmetric";
    }
    const Vector3d principal =
        Eigen::SelfAdjointEigenSolver<Matrix3d>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
    if (!(principal[0] > 0.0)) return "must be positive definite";
    if (principal[2] > (principal[0] + principal[1]) * (1.0 + tolerance)) {
        return "are not possible: the largest principal moment exceeds the sum of the two others";
    }
    return {};
}

}  // namespace

RigidBody RigidBody::fixed() {
    RigidBody body;
    body.mass = std::numeric_limits<double>::infinity();
    return body;
}

ContactFrame ContactFrame::of_normal(const Vector3d& point, const Vector3d& normal) {
    ContactFrame frame;
    frame.point = point;
    frame.n = unit_vector(normal);
    Eigen::Index smallest = 0;
    frame.n.cwiseAbs().minCoeff(&smallest);
    frame.t = frame.n.cross(Vector3d::Unit(smallest)).normalized();
    frame.o = frame.n.cross(frame.t);
    return frame;
}

std::vector<core::Violation> violations(const RigidBody& body, std::string_view key) {
    std::vector<core::Violation> found;
    const auto violated = [&](std::string_view name, std::string value, std::string_view rule) {
        found.push_back({fmt::format("{}.{}", key, name), std::move(value), std::string(rule), ""});
    };
    if (!(body.mass > 0.0)) {
        violated("mass", fmt::format("{} kg", body.mass),
                 "must be > 0 kg, or infinite for a fixed body");
    }
    if (!is_fixed(body)) {
        const std::string_view rule = inertia_rule(body.inertia);
        if (!rule.empty()) violated("inertia", fmt::format("{} kg m^2", text(body.inertia)), rule);
    }
    const Eigen::Vector4d q(body.orientation.w(), body.orientation.x(), body.orientation.y(),
                            body.orientation.z());
    if (!(std::abs(q.norm() - 1.0) <= tolerance)) {
        violated("orientation", fmt::format("[{}, {}, {}, {}]", q[0], q[1], q[2], q[3]),
                 "must be a quaternion of length 1");
    }
    const auto finite = [&](std::string_view name, const Vector3d& v, std::string_view unit) {
        if (!v.allFinite()) {
            violated(name, fmt::format("{} {}", text(v), unit), "must be finite numbers");
        }
    };
    finite("position", body.position, "m");
    finite("velocity", body.velocity, "m/s");
    finite("angular_velocity", body.angular_velocity, "rad/s");
    return found;
}

std::vector<core::Violation> violations(const ContactFrame& frame, FrameRule rule,
                                        std::string_view key) {
    std::vector<core::Violation> found;
    if (!frame.point.allFinite()) {
        found.push_back(
            {fmt::format("{}.point", key), text(frame.point), "must be finite numbers", ""});
    }
    const Matrix3d Q = axes(frame);
    const double error = (Q.transpose() * Q - Matrix3d::Identity()).cwiseAbs().maxCoeff();
    const bool orthonormal = error <= tolerance;
    const double volume = std::abs(Q.determinant());
    const bool independent =
        Q.allFinite() && volume > tolerance * Q.col(0).norm() * Q.col(1).norm() * Q.col(2).norm();
    const std::string value =
        fmt::format("n {}, t {}, o {}", text(frame.n), text(frame.t), text(frame.o));
    if (!independent) {
        found.push_back({std::string(key), value, "n, t, o must span space", ""});
    } else if (rule == FrameRule::orthonormal && !orthonormal) {
        found.push_back({std::string(key), value, "n, t, o must be orthonormal", ""});
    }
    return found;
}

ContactProblem contact_problem(const RigidBody& first, const RigidBody& second,
                               const ContactFrame& frame, double mu) {
    const Matrix3d Q = axes(frame);
    const Matrix3d A =
        Q.transpose() * (mobility(first, frame.point) + mobility(second, frame.point)) * Q;
    const Vector3d b =
        Q.transpose() * (velocity_at(second, frame.point) - velocity_at(first, frame.point));
    return {{A(0, 0), A(0, 1), A(0, 2), A(1, 1), A(1, 2), A(2, 2)}, {b[0], b[1], b[2]}, mu};
}

void apply_impulse(RigidBody& first, RigidBody& second, const ContactFrame& frame,
                   const ContactVector& x) {
    const Vector3d impulse = axes(frame) * Vector3d(x.n, x.t, x.o);
    const auto kick = [&](RigidBody& body, const Vector3d& p) {
        body.velocity += inverse_mass(body) * p;
        body.angular_velocity += inverse_inertia(body) * (frame.point - body.position).cross(p);
    };
    kick(first, impulse);
    kick(second, -impulse);
}

double kinetic_energy(const RigidBody& body) {
    if (is_fixed(body)) {
        const bool at_rest = body.velocity.isZero(0.0) && body.angular_velocity.isZero(0.0);
        return at_rest ? 0.0 : std::numeric_limits<double>::infinity();
    }
    const Vector3d w = body.orientation.conjugate() * body.angular_velocity;
    return 0.5 * (body.mass * body.velocity.squaredNorm() + w.dot(body.inertia * w));
}

}  // namespace stoss::rigid
