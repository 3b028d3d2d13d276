#pragma once
/// Random contact problems that single-contact solvers find hard, in 14 kinds.

#include <array>
#include <cmath>
#include <random>
#include <string_view>

#include <Eigen/Core>
#include <Eigen/QR>

#include <stoss/rigid/bodies.hpp>
#include <stoss/rigid/contact_problem.hpp>

namespace stoss::tests {

enum class ContactKind {
    spheres,
    sphere_on_wall,
    two_bodies,
    slender_bodies,
    random_matrix,
    condition_1e10,
    near_parabola,
    grazing_hyperbola,
    grazing_ellipse,
    tiny_friction,
    large_friction,
    stick_boundary,
    not_closing,
    planar
};

inline constexpr std::array<std::string_view, 14> contact_kinds{
    "spheres",        "sphere on wall", "two bodies",        "slender bodies",  "random matrix",
    "condition 1e10", "near parabola",  "grazing hyperbola", "grazing ellipse", "tiny friction",
    "large friction", "stick boundary", "not closing",       "planar"};

/// The same numbers on every system: Mersenne twister and our own transformations of its words.
class RandomContacts {
  public:
    explicit RandomContacts(std::uint64_t seed) : words_(seed) {}

    rigid::ContactProblem operator()(ContactKind kind) {
        rigid::ContactProblem problem = draw(kind);
        const double A_unit = logarithmic(1e-6, 1e12), b_unit = logarithmic(1e-9, 1e3);
        rigid::ContactMatrix& A = problem.A;
        for (double* entry : {&A.nn, &A.nt, &A.no, &A.tt, &A.to, &A.oo}) *entry *= A_unit;
        problem.b = b_unit * problem.b;
        return problem;
    }

    double uniform(double low, double high) {
        return low + (high - low) * double(words_() >> 11) * 0x1p-53;
    }
    double logarithmic(double low, double high) {
        return low * std::pow(high / low, uniform(0.0, 1.0));
    }
    double normal() {
        const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform(0.0, 1.0)));
        return radius * std::cos(uniform(0.0, 6.283185307179586));
    }

  private:
    rigid::ContactProblem draw(ContactKind kind) {
        switch (kind) {
            case ContactKind::spheres:
                return spheres(1.0 + uniform(0.0, 9.0));
            case ContactKind::sphere_on_wall:
                return spheres(1e300);
            case ContactKind::two_bodies:
                return two_bodies(0.2, uniform(0.05, 1.5));
            case ContactKind::slender_bodies:
                return two_bodies(logarithmic(1e-5, 1e-2), uniform(0.05, 1.5));
            case ContactKind::random_matrix:
                return {random_matrix(logarithmic(1.0, 1e3)), vector(), logarithmic(0.01, 30.0)};
            case ContactKind::condition_1e10:
                return {random_matrix(logarithmic(1e9, 1e10)), vector(), logarithmic(0.01, 30.0)};
            case ContactKind::near_parabola:
                return near_parabola();
            case ContactKind::grazing_hyperbola:
                return grazing(1.0 + logarithmic(1e-2, 1e2));
            case ContactKind::grazing_ellipse:
                return grazing(1.0 - logarithmic(1e-2, 1.0));
            case ContactKind::tiny_friction:
                return {random_matrix(1e2), vector(), logarithmic(1e-15, 1e-3)};
            case ContactKind::large_friction:
                return {random_matrix(1e2), vector(), logarithmic(30.0, 1e8)};
            case ContactKind::stick_boundary:
                return stick_boundary();
            case ContactKind::not_closing:
                return not_closing();
            case ContactKind::planar:
                return planar();
        }
        return {};
    }

    rigid::ContactVector vector() { return {std::abs(normal()), 3.0 * normal(), 3.0 * normal()}; }

    Eigen::Matrix3d rotation() {
        Eigen::Matrix3d gauss;
        for (double& entry : gauss.reshaped()) entry = normal();
        return Eigen::HouseholderQR<Eigen::Matrix3d>(gauss).householderQ();
    }

    static rigid::ContactMatrix entries(const Eigen::Matrix3d& A) {
        return {A(0, 0), A(0, 1), A(0, 2), A(1, 1), A(1, 2), A(2, 2)};
    }

    /// Eigenvalues 1, between, 1/condition in random directions.
    rigid::ContactMatrix random_matrix(double condition) {
        const Eigen::Matrix3d Q = rotation();
        const Eigen::Vector3d values(1.0, logarithmic(1.0 / condition, 1.0), 1.0 / condition);
        return entries(Q * values.asDiagonal() * Q.transpose());
    }

    rigid::ContactProblem spheres(double mass_ratio) {
        const double inverse = 1.0 + 1.0 / mass_ratio;
        return {
            {inverse, 0.0, 0.0, 3.5 * inverse, 0.0, 3.5 * inverse}, vector(), uniform(0.05, 1.5)};
    }

    rigid::RigidBody body(double thinness) {
        rigid::RigidBody body;
        body.mass = logarithmic(0.1, 10.0);
        const Eigen::Vector3d squares(uniform(0.5, 1.0), uniform(thinness, 1.0) * thinness,
                                      thinness * uniform(0.5, 1.0));
        const Eigen::Vector3d moments(squares[1] + squares[2], squares[2] + squares[0],
                                      squares[0] + squares[1]);
        body.inertia = (0.3 * body.mass * moments).asDiagonal();
        body.orientation = Eigen::Quaterniond(normal(), normal(), normal(), normal()).normalized();
        body.velocity = {normal(), normal(), normal()};
        body.angular_velocity = {normal(), normal(), normal()};
        const Eigen::Vector3d lever(uniform(-1.0, 1.0), thinness * normal(), thinness * normal());
        body.position = -(body.orientation * lever);
        return body;
    }

    rigid::ContactProblem two_bodies(double thinness, double mu) {
        const auto frame =
            rigid::ContactFrame::of_normal({0.0, 0.0, 0.0}, {normal(), normal(), normal()});
        const rigid::RigidBody first = body(thinness), second = body(thinness);
        rigid::ContactProblem problem = rigid::contact_problem(first, second, frame, mu);
        problem.b.n = std::abs(problem.b.n);
        return problem;
    }

    /// mu that makes the eccentricity of the section what is wanted.
    static double friction_of(const rigid::ContactMatrix& A, double eccentricity) {
        return eccentricity * A.nn / std::hypot(A.nt, A.no);
    }

    rigid::ContactProblem near_parabola() {
        const rigid::ContactMatrix A = random_matrix(30.0);
        const double off = (uniform(0.0, 1.0) < 0.5 ? -1.0 : 1.0) * logarithmic(1e-16, 1e-2);
        rigid::ContactVector b = vector();
        if (uniform(0.0, 1.0) < 0.5) b.n = logarithmic(1e-16, 1.0);
        return {A, b, friction_of(A, 1.0 + off)};
    }

    rigid::ContactProblem grazing(double eccentricity) {
        const rigid::ContactMatrix A = random_matrix(30.0);
        rigid::ContactVector b = vector();
        b.n = logarithmic(1e-18, 1e-3);
        return {A, b, friction_of(A, eccentricity)};
    }

    /// A x0 of an x0 next to the edge of the cone.
    rigid::ContactProblem stick_boundary() {
        rigid::ContactProblem problem{random_matrix(1e2), {}, logarithmic(0.05, 5.0)};
        for (;;) {
            const double angle = uniform(0.0, 6.283185307179586);
            const double off = (uniform(0.0, 1.0) < 0.3 ? -1.0 : 1.0) * logarithmic(1e-16, 1e-3);
            const double r = problem.mu * (1.0 + off);
            problem.b =
                problem.A * rigid::ContactVector{1.0, r * std::cos(angle), r * std::sin(angle)};
            if (problem.b.n > 0.0) return problem;
        }
    }

    rigid::ContactProblem not_closing() {
        const rigid::ContactMatrix A = random_matrix(30.0);
        rigid::ContactVector b = vector();
        b.n = 0.0;
        return {A, b, friction_of(A, logarithmic(0.5, 20.0))};
    }

    rigid::ContactProblem planar() {
        const double angle = uniform(0.0, 3.141592653589793), small = logarithmic(1e-3, 1.0);
        const double c = std::cos(angle), s = std::sin(angle);
        const double nt = (1.0 - small) * s * c;
        return {{c * c + small * s * s, nt, 0.0, s * s + small * c * c, 0.0, uniform(0.1, 2.0)},
                {std::abs(normal()), 3.0 * normal(), 0.0},
                logarithmic(0.05, 20.0)};
    }

    std::mt19937_64 words_;
};

}  // namespace stoss::tests
