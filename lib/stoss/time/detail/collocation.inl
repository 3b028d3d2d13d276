// The contact forces at the Gauss nodes of one step, and the defect of their parabola, for any
// number type Real: double, or a vector of doubles (one step a lane). Not a header: included where
// Real's operators, abs, select, both, either, but, any, larger and smaller are known
// (core/number.hpp, core/vector.inl).

#include <stoss/core/detail/matrix3.inl>

/// Force [N] of a law, and its derivatives by the overlap [N/m] and by its rate [N s/m].
template <class Real>
struct LawPoint {
    Real force, by_x, by_v;
};

/// Overlaps, rates and forces at the nodes of a step.
template <class Real>
struct NodeForces {
    Triple<Real> x{}, v{}, force{};
    core::Condition<Real> solved{};
    Triple<Real> slope{};     ///< dF/dx [N/m] of the last matrix
    Triple<Real> damping{};   ///< dF/dv [N s/m] likewise, if the law has rates
    Matrix3<Real> inverse{};  ///< of the last matrix, 1 + dF/dP
};

/// 1 + dF/dP at the nodes; `slope` takes dF/dx there.
template <class Law, class Real>
STOSS_INLINE Matrix3<Real> node_jacobian(const Triple<LawPoint<Real>>& law,
                                         const Matrix3<Real>& compliance_x,
                                         [[maybe_unused]] const Matrix3<Real>& compliance_v) {
    Matrix3<Real> jacobian;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            jacobian[i][k] = law[i].by_x * compliance_x[i][k];
            if constexpr (Law::has_rates)
                jacobian[i][k] = jacobian[i][k] + law[i].by_v * compliance_v[i][k];
        }
        jacobian[i][i] = jacobian[i][i] + Real(1.0);
    }
    return jacobian;
}

/// The derivatives of the law, where its matrix is taken again.
template <class Real>
STOSS_INLINE void take_slopes(core::Condition<Real> renew, const Triple<LawPoint<Real>>& points,
                              NodeForces<Real>& nodes) {
    for (std::size_t i = 0; i < 3; ++i) {
        nodes.slope[i] = select(renew, points[i].by_x, nodes.slope[i]);
        nodes.damping[i] = select(renew, points[i].by_v, nodes.damping[i]);
    }
}

/// Forces P_k [N] with P_i = law(x_i, v_i), x_i = free_x_i - sum_k c_ik P_k, v_i likewise
/// (theory/splitting_scheme.md 12.2): Newton's method; its matrix is taken again only while that
/// pays. They are `exact` to so much of the largest. The rates are only used, and found, if
/// `with_rates`. `law.point(x, v)` gives a LawPoint, `law.force(x, v)` its force; `Law::has_rates`:
/// the force depends on the rate.
template <bool with_rates, class Law, class Real>
STOSS_INLINE NodeForces<Real> solve_nodes(const Law& law, const Triple<Real>& free_x,
                                          [[maybe_unused]] const Triple<Real>& free_v,
                                          const Matrix3<Real>& compliance_x,
                                          [[maybe_unused]] const Matrix3<Real>& compliance_v,
                                          const Triple<Real>& guess, Real exact) {
    const Real huge = std::numeric_limits<double>::infinity(), one = 1.0;
    // With braces no constructor is made: it would be one for processors without these lanes.
    NodeForces<Real> nodes{};
    nodes.force = guess;
    Real last_change = huge;
    core::Condition<Real> open = one < huge, renew = open;
    nodes.solved = but(open, open);
    for (int iteration = 0; iteration < time::most_iterations; ++iteration) {
        Triple<Real> x, v{}, residual;
        for (std::size_t i = 0; i < 3; ++i) {
            x[i] = free_x[i] - dot(compliance_x[i], nodes.force);
            if constexpr (with_rates) v[i] = free_v[i] - dot(compliance_v[i], nodes.force);
            nodes.x[i] = select(open, x[i], nodes.x[i]);
            if constexpr (with_rates) nodes.v[i] = select(open, v[i], nodes.v[i]);
        }
        if (any(renew)) {
            Triple<LawPoint<Real>> points;
            for (std::size_t i = 0; i < 3; ++i) {
                points[i] = law.point(x[i], v[i]);
                residual[i] = points[i].force - nodes.force[i];
            }
            take_slopes(renew, points, nodes);
            const Matrix3<Real> renewed =
                inverse3(node_jacobian<Law>(points, compliance_x, compliance_v));
            for (std::size_t i = 0; i < 3; ++i) {
                for (std::size_t k = 0; k < 3; ++k)
                    nodes.inverse[i][k] = select(renew, renewed[i][k], nodes.inverse[i][k]);
            }
        } else {
            for (std::size_t i = 0; i < 3; ++i)
                residual[i] = law.force(x[i], v[i]) - nodes.force[i];
        }
        Real change = 0.0, scale = 0.0;
        for (std::size_t k = 0; k < 3; ++k) {
            const Real step = dot(nodes.inverse[k], residual);
            nodes.force[k] = select(open, nodes.force[k] + step, nodes.force[k]);
            change = larger(change, abs(step));
            scale = larger(scale, abs(nodes.force[k]));
        }
        const auto finite = change < huge;
        // What is left after this change, by the ratio of the last two.
        const Real rate = iteration == 0 ? one : smaller(one, change / last_change);
        const auto ends = change * rate <= exact * scale;
        nodes.solved = either(nodes.solved, both(open, both(finite, ends)));
        open = both(open, but(finite, ends));
        if (!any(open)) break;
        renew =
            both(open, iteration == 0 ? change > Real(time::far) * scale : rate > Real(time::slow));
        last_change = change;
    }
    // An infinite slope, of a damper where the overlap vanishes, makes the forces NaN.
    nodes.solved = both(nodes.solved, abs(nodes.force[0] + nodes.force[1] + nodes.force[2]) < huge);
    return nodes;
}

/// The law less the parabola mean + z (slope + z curvature) at z [N].
template <class Real>
STOSS_INLINE Real force_defect(Real law, double z, Real mean, Real slope, Real curvature) {
    return law - (mean + Real(z) * (slope + Real(z) * curvature));
}

/// Coefficients of node_polynomial(z) z^w, w = 0 ... 3, in F(x(z)) - P(z)
/// (theory/splitting_scheme.md 12.7): law less parabola [N] along a step. `law`: the forces of the
/// law [N] at the ends of the step and, between them, halfway between its nodes; `node_force`: the
/// parabola at the Gauss nodes [N].
template <class Real>
STOSS_INLINE std::array<Real, 4> step_defect(const std::array<Real, 4>& law,
                                             const Triple<Real>& node_force) {
    // z = 2 u - 1 halfway between the nodes; at the nodes it is twice as much.
    constexpr double halfway = core::Gauss3::root;
    const Real mean = node_force[1];
    const Real slope = (node_force[2] - node_force[0]) / Real(4.0 * halfway);
    const Real curvature =
        (node_force[2] - Real(2.0) * mean + node_force[0]) / Real(8.0 * halfway * halfway);
    // Divided by the node polynomial: 1 at z = 1, and odd.
    const Real there = 0.5 * halfway * (5.0 * halfway * halfway - 3.0);
    const Real d0 = -force_defect(law[0], -1.0, mean, slope, curvature);
    const Real d1 = -force_defect(law[1], -halfway, mean, slope, curvature) / there;
    const Real d2 = force_defect(law[2], halfway, mean, slope, curvature) / there;
    const Real d3 = force_defect(law[3], 1.0, mean, slope, curvature);
    // The cubic in z through them.
    constexpr double scale = 1.0 / (1.0 - halfway * halfway);
    const Real half = 0.5, square = Real(0.5 * scale) * ((d0 + d3) - (d1 + d2));
    const Real cube = Real(0.5 * scale) * ((d3 - d0) - (d2 - d1) / Real(halfway));
    return {half * (d0 + d3) - square, half * (d3 - d0) - cube, square, cube};
}
