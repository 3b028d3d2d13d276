#include <stoss/granular/bodies.hpp>

#include <limits>

#include <Eigen/LU>
#include <stoss/granular/state.hpp>
#include <stoss/rigid/bodies.hpp>

namespace stoss::granular {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using rigid::cross_matrix;

constexpr int most_iterations = 20;

}  // namespace

Vector3d torque_free(const Vector3d& inertia, const Vector3d& w, double dt) {
    const auto I = inertia.asDiagonal();
    Vector3d middle = w;
    double error = 0.0;                          // of the last iteration, relative
    for (int i = 0; i < most_iterations; ++i) {  // Newton
        const Vector3d L = I * middle;
        const Vector3d rest = I * (middle - w) + 0.5 * dt * middle.cross(L);
        if (rest.norm() <= 1e-16 * L.norm()) return 2.0 * middle - w;
        const Matrix3d J = Matrix3d(I) + 0.5 * dt * (cross_matrix(middle) * I - cross_matrix(L));
        const Vector3d change = J.inverse() * rest;
        middle -= change;
        error = change.norm() / middle.norm();
        if (error <= 1e-15) break;
    }
    // Roundoff may keep the last digits moving. More than that is no solution.
    const bool has_converged = error <= 1e-9;
    return has_converged ? Vector3d(2.0 * middle - w)
                         : Vector3d::Constant(std::numeric_limits<double>::quiet_NaN());
}

void Bodies::add(const Clump& clump) {
    BodyMotion body;
    body.v = clump.velocity;
    body.omega = clump.angular_velocity;
    body.inverse_mass = 1.0 / clump.mass;
    motion.push_back(body);
    position.push_back(clump.position);
    orientation.push_back(clump.orientation.normalized());
    inertia.push_back(clump.inertia);
    turn_inertia(size() - 1);
}

void Bodies::turn_inertia(std::size_t i) {
    const Matrix3d R = orientation[i].toRotationMatrix();
    motion[i].inverse_inertia = R * inertia[i].cwiseInverse().asDiagonal() * R.transpose();
}

void Bodies::accelerate(std::size_t i, double dt, const Vector3d& gravity) {
    BodyMotion& body = motion[i];
    body.v += dt * gravity;
    const Vector3d w = orientation[i].conjugate() * body.omega;
    body.omega = orientation[i] * torque_free(inertia[i], w, dt);
}

/// q' = (q + dt Q(q) omega)/|...|, Preclik et al. (2017) above (4): a turn about omega, so that
/// omega stays the same along the principal axes.
void Bodies::advance(std::size_t i, double dt) {
    const BodyMotion& body = motion[i];
    position[i] += dt * body.v;
    const Vector3d half = 0.5 * dt * body.omega;
    const Eigen::Quaterniond change =
        Eigen::Quaterniond(0.0, half.x(), half.y(), half.z()) * orientation[i];
    orientation[i].coeffs() += change.coeffs();
    orientation[i].normalize();
    turn_inertia(i);
}

Vector3d Bodies::spin(std::size_t i) const {
    const Vector3d w = orientation[i].conjugate() * motion[i].omega;
    return orientation[i] * Vector3d(inertia[i].cwiseProduct(w));
}

double Bodies::rotation_energy(std::size_t i) const {
    return 0.5 * spin(i).dot(motion[i].omega);
}

void Bodies::write(std::vector<double>& state) const {
    state.push_back(static_cast<double>(size()));
    for (std::size_t i = 0; i < size(); ++i) {
        state.push_back(motion[i].inverse_mass);
        put(state, inertia[i]);
        put(state, position[i]);
        put(state, orientation[i].coeffs());
        put(state, motion[i].v);
        put(state, motion[i].omega);
    }
}

void Bodies::read(std::span<const double>& state) {
    const auto count = static_cast<std::size_t>(take(state));
    motion.resize(count);
    inertia.resize(count);
    position.resize(count);
    orientation.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        motion[i].inverse_mass = take(state);
        take(state, inertia[i]);
        take(state, position[i]);
        take(state, orientation[i].coeffs());
        take(state, motion[i].v);
        take(state, motion[i].omega);
        turn_inertia(i);
    }
}

std::size_t Bodies::bytes() const {
    return motion.capacity() * sizeof(BodyMotion) +
           (position.capacity() + inertia.capacity()) * sizeof(Vector3d) +
           orientation.capacity() * sizeof(Eigen::Quaterniond);
}

}  // namespace stoss::granular
