#pragma once
/// The contact forces at the nodes of one step, solved with the motion that they cause.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include <stoss/core/dual.hpp>

namespace stoss::time {

using Triple = std::array<double, 3>;
using Matrix3 = std::array<Triple, 3>;

/// Inverse of a 3x3 matrix; not finite if it is singular.
inline Matrix3 inverse3(const Matrix3& m) {
    const auto cross = [](const Triple& u, const Triple& w) {
        return Triple{u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2],
                      u[0] * w[1] - u[1] * w[0]};
    };
    const Triple r0 = cross(m[1], m[2]), r1 = cross(m[2], m[0]), r2 = cross(m[0], m[1]);
    const double scale = 1.0 / (m[0][0] * r0[0] + m[0][1] * r0[1] + m[0][2] * r0[2]);
    Matrix3 inverse;
    for (std::size_t k = 0; k < 3; ++k) {
        inverse[k] = {scale * r0[k], scale * r1[k], scale * r2[k]};
    }
    return inverse;
}

inline double dot(const Triple& a, const Triple& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Overlaps, rates and forces at the nodes of a step.
struct NodeForces {
    Triple x{}, v{}, force{};
    bool solved = false;
    Triple slope{};     ///< dF/dx [N/m] of the last matrix
    Matrix3 inverse{};  ///< of the last matrix, 1 + dF/dP
};

/// Of Newton's method in `solve_node_forces`.
inline constexpr int most_iterations = 40;
/// Its matrix is taken again after a change of more than so much of the forces, or of the change
/// before.
inline constexpr double far = 0.1, slow = 0.05;

/// Forces P_k [N] with P_i = law(x_i, v_i), x_i = free_x_i - sum_k c_ik P_k, v_i likewise
/// (theory/splitting_scheme.md 12.2): Newton's method; its matrix is taken again only while that
/// pays. `contact.force(x, v)` as in solve_contact_force. They are `exact` to so much of the
/// largest. The rates are only used if `with_rates`.
template <bool with_rates, class Contact>
NodeForces solve_node_forces(const Contact& contact, const Triple& free_x, const Triple& free_v,
                             const Matrix3& compliance_x, const Matrix3& compliance_v,
                             const Triple& guess, double exact) {
    NodeForces nodes;
    nodes.force = guess;
    double last_change = std::numeric_limits<double>::infinity();
    bool renew = true;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
        Triple residual;
        Matrix3 jacobian;
        for (std::size_t i = 0; i < 3; ++i) {
            nodes.x[i] = free_x[i] - dot(compliance_x[i], nodes.force);
            if constexpr (with_rates) nodes.v[i] = free_v[i] - dot(compliance_v[i], nodes.force);
            if (!renew) {
                residual[i] = contact.force(nodes.x[i], nodes.v[i]) - nodes.force[i];
                continue;
            }
            const core::Dual by_x =
                contact.force(core::Dual::variable(nodes.x[i]), core::Dual(nodes.v[i]));
            residual[i] = by_x.value - nodes.force[i];
            nodes.slope[i] = by_x.derivative;
            double slope_v = 0.0;
            if constexpr (with_rates) {
                slope_v = contact.force(core::Dual(nodes.x[i]), core::Dual::variable(nodes.v[i]))
                              .derivative;
            }
            for (std::size_t k = 0; k < 3; ++k) {
                jacobian[i][k] = by_x.derivative * compliance_x[i][k];
                if constexpr (with_rates) jacobian[i][k] += slope_v * compliance_v[i][k];
            }
            jacobian[i][i] += 1.0;
        }
        if (renew) nodes.inverse = inverse3(jacobian);
        double change = 0.0, scale = 0.0;
        for (std::size_t k = 0; k < 3; ++k) {
            const double step = dot(nodes.inverse[k], residual);
            nodes.force[k] += step;
            change = std::max(change, std::abs(step));
            scale = std::max(scale, std::abs(nodes.force[k]));
        }
        if (!(change < std::numeric_limits<double>::infinity())) return nodes;
        // What is left after this change, by the ratio of the last two.
        const double rate = iteration == 0 ? 1.0 : std::min(1.0, change / last_change);
        if (change * rate <= exact * scale) {
            // An infinite slope, of a damper where the overlap vanishes, makes them NaN.
            nodes.solved = std::isfinite(nodes.force[0] + nodes.force[1] + nodes.force[2]);
            return nodes;
        }
        renew = iteration == 0 ? change > far * scale : rate > slow;
        last_change = change;
    }
    return nodes;
}

}  // namespace stoss::time
