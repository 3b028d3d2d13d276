// The result of a step in contact, its error, and the length of the next step
// (theory/splitting_scheme.md 12.3 to 12.8). The number type Real is double, or a vector of doubles
// with one step in each lane. Not a header: it is included after time/detail/collocation.inl, where
// copysign and sqrt of Real are declared.

/// A contact law in series with the residual flexibility R: force [N], and its derivative [N/m] by
/// the overlap of the modes.
template <class Real>
struct SeriesForce {
    Real force, slope;
};

/// One step of Newton's method from the force `guess`; `law`: of the law alone at the overlap
/// x - R guess. Without R it is the law.
template <class Real>
STOSS_INLINE SeriesForce<Real> series_force(Real law, Real slope, Real guess, Real residual) {
    const Real yield = residual * slope, stiffness = Real(1.0) + yield;
    return {law - yield * (law - guess) / stiffness, slope / stiffness};
}

/// Overlap [m] and its rate [m/s].
template <class Real>
struct Overlap {
    Real x, v;
};

/// What the law sees where the modes have the overlap x and the rate v, for a law without rates.
/// `guess`: force there, as a parabola gives it [N]; `residual`: R [m/N].
template <class Law, class Real>
STOSS_INLINE Overlap<Real> seen_by_law(const Law& law, Real x, Real v, Real guess, Real residual) {
    const LawPoint<Real> alone = law.point(x - residual * guess, v);
    const SeriesForce<Real> series = series_force(alone.force, alone.by_x, guess, residual);
    return {x - residual * series.force, v / (Real(1.0) + residual * alone.by_x)};
}

/// The same for a law with rates: the rate at which R yields is that of the cubic through the node
/// forces [N] and the force at the end, which is found by Newton's method, relatively `exact`.
template <class Law, class Real>
STOSS_INLINE Overlap<Real> seen_by_law_with_rates(const Law& law, Real x, Real v,
                                                  const Triple<Real>& forces, Real residual,
                                                  Real step, Real exact) {
    const Real huge = std::numeric_limits<double>::infinity(), per_step = residual / step;
    const Real by_nodes = per_step * (Real(time::end_rate_weights[0]) * forces[0] +
                                      Real(time::end_rate_weights[1]) * forces[1] +
                                      Real(time::end_rate_weights[2]) * forces[2]);
    const Real by_end = per_step * Real(time::end_rate_weights[3]);
    Real force = dot(time::parabola_weights[2], forces);
    auto open = residual > Real(0.0);
    for (int iteration = 0; any(open) && iteration < time::most_iterations; ++iteration) {
        const LawPoint<Real> at = law.point(x - residual * force, v - by_nodes - by_end * force);
        const Real yield = residual * at.by_x + by_end * at.by_v;
        const Real change = (at.force - force) / (Real(1.0) + yield);
        open = both(open, abs(change) < huge);
        force = select(open, force + change, force);
        open = but(open, abs(change) <= exact * abs(force));
    }
    const auto yields = residual > Real(0.0);
    return {select(yields, x - residual * force, x),
            select(yields, v - by_nodes - by_end * force, v)};
}

/// The law along the computed motion, between the nodes and at the end of the step; in series with
/// the residual flexibility, x is the overlap of the modes.
template <class Real>
struct LawAlong {
    Triple<Real> force{};    ///< F [N]
    Triple<Real> slope{};    ///< dF/dx [N/m]
    Triple<Real> damping{};  ///< dF/dv [N s/m], of a law with rates that has no R in series
    Triple<Real> beyond{};   ///< force less the cubic of the run, likewise [N]
    Matrix3<Real> spring{};  ///< inverse of 1 + R F_x + R F_v d/dt for what is beyond a cubic
};

/// `seen`: overlap there without the node forces [m]; `compliance`: what these take from it.
template <class Law, class Real>
STOSS_INLINE LawAlong<Real> law_along(const Law& law, const Triple<Real>& seen,
                                      const Triple<Real>& forces, const Matrix3<Real>& compliance,
                                      Real residual) {
    LawAlong<Real> along;
    for (std::size_t b = 0; b < 3; ++b) {
        const Real x = seen[b] - dot(compliance[b], forces);
        const LawPoint<Real> alone = law.point(x, Real(0.0));
        const SeriesForce<Real> series =
            series_force(alone.force, alone.by_x, dot(time::parabola_weights[b], forces), residual);
        along.force[b] = series.force;
        along.slope[b] = series.slope;
    }
    return along;
}

/// What the motion without node forces gives a law with rates: rates of the overlap at the nodes
/// [m/s], overlap and rate where the law is seen, rates of the deviation at the nodes.
template <class Real>
struct FreeStep {
    Triple<Real> v, seen, seen_v, deviation_v;
};

/// The same with the residual displacement under the forces at the begin of the step, of the
/// run and of its deviation [N].
template <class Real>
STOSS_INLINE FreeStep<Real> with_residual_displacement(FreeStep<Real> free, Real force,
                                                       Real deviation, Real residual, Real step) {
    for (std::size_t i = 0; i < 3; ++i) {
        const Real at_node = residual * Real(time::rate_weights[i][0]) / step;
        free.v[i] = free.v[i] - at_node * force;
        free.deviation_v[i] = free.deviation_v[i] - at_node * deviation;
        free.seen[i] = free.seen[i] - residual * Real(time::cubic_weights[i][0]) * force;
        free.seen_v[i] = free.seen_v[i] - residual * Real(time::cubic_slopes[i][0]) * force / step;
    }
    return free;
}

/// Value of the cubic through the force at the begin of the step and those at the nodes [N], or
/// step times its rate, by `cubic_weights` or `cubic_slopes` of a place.
template <class Real>
STOSS_INLINE Real by_cubic(const std::array<double, 4>& weights, Real start,
                           const Triple<Real>& forces) {
    return Real(weights[0]) * start + Real(weights[1]) * forces[0] + Real(weights[2]) * forces[1] +
           Real(weights[3]) * forces[2];
}

/// The law along the computed motion if it has rates. `start`: force at the
/// begin of the step [N]. What the residual flexibility R yields is the cubic through the forces of
/// the run, with which `free` and the compliances count, and the rest s of the force:
/// (1 + R F_x) s + R F_v s' = F - cubic (12.15). `slope` and `damping` are those of the law alone.
template <class Law, class Real>
STOSS_INLINE LawAlong<Real> law_with_rates_along(const Law& law, const FreeStep<Real>& free,
                                                 Real start, const Triple<Real>& forces,
                                                 const Matrix3<Real>& compliance,
                                                 const Matrix3<Real>& compliance_v, Real residual,
                                                 Real step) {
    LawAlong<Real> along;
    Triple<Real> cubic;
    Matrix3<Real> spring;
    for (std::size_t p = 0; p < 3; ++p) {
        const LawPoint<Real> alone = law.point(free.seen[p] - dot(compliance[p], forces),
                                               free.seen_v[p] - dot(compliance_v[p], forces));
        cubic[p] = by_cubic(time::cubic_weights[p], start, forces);
        along.slope[p] = alone.by_x;
        along.damping[p] = alone.by_v;
        along.beyond[p] = alone.force - cubic[p];
        const Real drag = residual * alone.by_v / step;
        for (std::size_t q = 0; q < 3; ++q)
            spring[p][q] = drag * Real(time::beyond_cubic_at_places[p][q]);
        spring[p][p] = spring[p][p] + Real(1.0) + residual * alone.by_x;
    }
    if (any(residual > Real(0.0))) {
        along.spring = inverse3(spring);
        const Triple<Real> rest = along.beyond;
        for (std::size_t p = 0; p < 3; ++p) {
            along.beyond[p] = select(residual > Real(0.0), dot(along.spring[p], rest), rest[p]);
        }
    }
    for (std::size_t p = 0; p < 3; ++p) along.force[p] = cubic[p] + along.beyond[p];
    return along;
}

/// The force that drives the deviation: a parabola through values at the nodes, and the defect.
template <class Real>
struct DeviationForce {
    Triple<Real> nodes{};          ///< [N]
    std::array<Real, 4> defect{};  ///< coefficients of node_polynomial z^w [N]

    /// At the end of the step.
    STOSS_INLINE Real at_end() const {
        return dot(time::parabola_weights[2], nodes) +
               (defect[0] + defect[1] + defect[2] + defect[3]);
    }
};

/// What defects [N] take from the overlap, by modal::Compliances::defect and seen_defect: [i][w].
template <class Real>
using DefectCompliance = std::array<std::array<Real, 4>, 3>;

template <class Real>
STOSS_INLINE Real taken_by_defect(const std::array<Real, 4>& by,
                                  const std::array<Real, 4>& defect) {
    return by[0] * defect[0] + by[1] * defect[1] + by[2] * defect[2] + by[3] * defect[3];
}

/// The forces of (12.8). `start`: F(x) at the begin of the step [N]; `free`: overlaps at the nodes
/// [m] to which the deviation would lead without forces; `at_nodes`, `between`: what the defect
/// takes from the overlap; `residual`: R [m/N], which is in the compliances too.
///
/// The defect causes an error dx of the motion within the step. The force F'(x) dx has an
/// interpolation defect of its own. This second defect is of higher order than the first. But most
/// of the first cancels over a step, and the second does not. So it is added to the first.
template <class Real>
STOSS_INLINE DeviationForce<Real> deviation_force(
    Real start, const LawAlong<Real>& law, const NodeForces<Real>& run, const Triple<Real>& free,
    const DefectCompliance<Real>& at_nodes, const DefectCompliance<Real>& between, Real residual) {
    DeviationForce<Real> force;
    force.defect = step_defect(std::array<Real, 4>{start, law.force[0], law.force[1], law.force[2]},
                               run.force);
    const Real zero = 0.0;
    Triple<Real> seen, node_force, lacking;
    for (std::size_t i = 0; i < 3; ++i) {
        seen[i] = -law.slope[i] * taken_by_defect(between[i], force.defect);
        node_force[i] = -series_force(zero, run.slope[i], zero, residual).slope *
                        taken_by_defect(at_nodes[i], force.defect);
    }
    const std::array<Real, 4> further =
        step_defect(std::array<Real, 4>{zero, seen[0], seen[1], seen[2]}, node_force);
    for (std::size_t w = 0; w < 4; ++w) force.defect[w] = force.defect[w] + further[w];
    for (std::size_t i = 0; i < 3; ++i)
        lacking[i] = run.slope[i] * (free[i] - taken_by_defect(at_nodes[i], force.defect));
    for (std::size_t k = 0; k < 3; ++k) force.nodes[k] = dot(run.inverse[k], lacking);
    return force;
}

/// What a law with rates has beside: free rates of the deviation at the nodes [m/s], what the
/// defect takes from the rate at the nodes and between them, and the force at the nodes that the
/// deviation of the approach speed causes, if the law remembers that (12.16) [N].
template <class Real>
struct DeviationRates {
    Triple<Real> free{};
    DefectCompliance<Real> at_nodes{}, between{};
    Triple<Real> of_approach{};
    Real step{};  ///< [s]
};

/// Forces of a spring-damper in series with R, at the nodes and where the law is seen [N], from
/// those that it has without R, which are replaced; zero at the begin of the step. Returns those
/// seen less the cubic.
template <class Real>
STOSS_INLINE Triple<Real> put_in_series(Triple<Real>& seen, Triple<Real>& nodes,
                                        const LawAlong<Real>& law, const NodeForces<Real>& run,
                                        Real residual, Real step) {
    const Real zero = 0.0, one = 1.0;
    Matrix3<Real> matrix;
    for (std::size_t i = 0; i < 3; ++i) {
        const Real drag = residual * run.damping[i] / step;
        for (std::size_t k = 0; k < 3; ++k)
            matrix[i][k] = drag * Real(time::rate_weights[i][k + 1]);
        matrix[i][i] = matrix[i][i] + one + residual * run.slope[i];
    }
    const Matrix3<Real> inverse = inverse3(matrix);
    const Triple<Real> alone = nodes;
    for (std::size_t i = 0; i < 3; ++i) nodes[i] = dot(inverse[i], alone);
    Triple<Real> cubic, rest, beyond;
    for (std::size_t p = 0; p < 3; ++p) {
        cubic[p] = by_cubic(time::cubic_weights[p], zero, nodes);
        const Real rate = by_cubic(time::cubic_slopes[p], zero, nodes) / step;
        rest[p] =
            seen[p] - (one + residual * law.slope[p]) * cubic[p] - residual * law.damping[p] * rate;
    }
    // A step without R keeps its bits beside one that has it.
    const auto yields = residual > zero;
    for (std::size_t p = 0; p < 3; ++p) {
        nodes[p] = select(yields, nodes[p], alone[p]);
        beyond[p] = select(yields, dot(law.spring[p], rest), zero);
        seen[p] = select(yields, cubic[p] + beyond[p], seen[p]);
    }
    return beyond;
}

/// The forces of (12.14) and (12.16) for a law with rates; see `deviation_force`.
template <class Real>
STOSS_INLINE DeviationForce<Real> deviation_force_with_rates(
    Real start, const LawAlong<Real>& law, const NodeForces<Real>& run, const Triple<Real>& free,
    const DefectCompliance<Real>& at_nodes, const DefectCompliance<Real>& between,
    const DeviationRates<Real>& rates, Real residual) {
    DeviationForce<Real> force;
    force.defect = step_defect(std::array<Real, 4>{start, law.force[0], law.force[1], law.force[2]},
                               run.force);
    const Real zero = 0.0;
    Triple<Real> seen, node_force, lacking;
    for (std::size_t i = 0; i < 3; ++i) {
        const Real by_x = taken_by_defect(between[i], force.defect),
                   by_v = taken_by_defect(rates.between[i], force.defect);
        seen[i] = -(law.slope[i] * by_x + law.damping[i] * by_v);
        const Real node_x = taken_by_defect(at_nodes[i], force.defect),
                   node_v = taken_by_defect(rates.at_nodes[i], force.defect);
        node_force[i] = -(run.slope[i] * node_x + run.damping[i] * node_v);
    }
    Triple<Real> beyond = law.beyond;
    if (any(residual > zero)) {
        const Triple<Real> more = put_in_series(seen, node_force, law, run, residual, rates.step);
        for (std::size_t p = 0; p < 3; ++p) beyond[p] = beyond[p] + more[p];
    }
    const std::array<Real, 4> further =
        step_defect(std::array<Real, 4>{zero, seen[0], seen[1], seen[2]}, node_force);
    for (std::size_t w = 0; w < 4; ++w) force.defect[w] = force.defect[w] + further[w];
    for (std::size_t i = 0; i < 3; ++i) {
        const Real yields = residual * dot(time::beyond_cubic_at_nodes[i], beyond) / rates.step;
        lacking[i] = run.slope[i] * (free[i] - taken_by_defect(at_nodes[i], force.defect)) +
                     run.damping[i] * (rates.free[i] -
                                       taken_by_defect(rates.at_nodes[i], force.defect) - yields) +
                     rates.of_approach[i];
    }
    for (std::size_t k = 0; k < 3; ++k) force.nodes[k] = dot(run.inverse[k], lacking);
    return force;
}

/// What a step in contact did.
template <class Real>
struct StepOutcome {
    Real impulse;             ///< of the force [N s]
    Real moment;              ///< of it about the begin of the step [N s^2]
    Real slope;               ///< largest dF/dx at the nodes [N/m]
    Real force;               ///< at the end [N]
    Real acceleration;        ///< of the overlap [m/s^2], mean
    Real peak;                ///< largest force at the nodes and at the end [N]
    Triple<Real> dissipated;  ///< power that a law with rates turns into heat at the nodes [W]
};

/// `rate`, `end_rate`: of the overlap at the ends of the step [m/s]; `forces`, `slopes`: of the
/// nodes; `force`: at the end [N].
template <class Real>
STOSS_INLINE StepOutcome<Real> outcome_of_step(Real step, Real rate, Real end_rate,
                                               const Triple<Real>& forces,
                                               const Triple<Real>& slopes, Real force) {
    StepOutcome<Real> outcome{};
    outcome.impulse = outcome.moment = Real(0.0);
    for (std::size_t k = 0; k < 3; ++k) {
        const Real impulse = step * Real(core::Gauss3::weight[k]) * forces[k];
        outcome.impulse = outcome.impulse + impulse;
        outcome.moment = outcome.moment + step * Real(core::Gauss3::node[k]) * impulse;
    }
    outcome.slope = larger(larger(slopes[0], slopes[1]), slopes[2]);
    outcome.force = force;
    outcome.acceleration = (end_rate - rate) / step;
    outcome.peak = larger(larger(larger(forces[0], forces[1]), forces[2]), force);
    return outcome;
}

/// The force that governs the next step [N]: with damping the larger of that as it is and that
/// at rest. A damper that pulls back may cancel it for an instant. `force`: at the overlap x [m].
template <class Law, class Real>
STOSS_INLINE Real governing_force(const Law& law, Real x, Real force) {
    if constexpr (Law::has_rates) return larger(abs(force), abs(law.force(x, Real(0.0))));
    return abs(force);
}

/// What limits the steps of one sub-impact.
template <class Real>
struct StepLimits {
    Real growth{};             ///< step/time since the zero of the overlap behind
    Real closing{};            ///< step/time to the one ahead
    Real contact_resonance{};  ///< angle of the contact resonance in a step
    Real epsilon{};            ///< relative change of velocity that may be left to the rest
    Real exactness{};          ///< of the forces, relative
    Real compliance{};         ///< G [1/kg]
    Real onset{};              ///< the first step [s]
    Real resolution{};         ///< [s]: longer steps do not resolve the vibrations
    Real longest{};            ///< step of the propagators [s]
};

/// What comes next in contact.
template <class Real>
struct StepPrediction {
    Real step;                          ///< at most, in longest steps of the propagators
    Real ahead;                         ///< time to the next zero of the overlap [s]
    core::Condition<Real> nearly_over;  ///< what the force can still do is below epsilon
};

template <class Real>
STOSS_INLINE Real distance_behind(Real zero) {
    return select(zero <= Real(0.0), -zero, Real(core::infinity));
}
template <class Real>
STOSS_INLINE Real distance_ahead(Real zero) {
    return select(zero > Real(0.0), zero, Real(core::infinity));
}

/// From overlap x [m], counted from where contact ends, its rate v and acceleration a, the force
/// [N] and its slope dF/dx [N/m].
///
/// The parabola through x, v, a has its zeros at distances in time behind and ahead; complex ones
/// count by their modulus: there, too, a power of x is singular.
template <class Real>
STOSS_INLINE StepPrediction<Real> step_prediction(Real x, Real v, Real a, Real force, Real slope,
                                                  const StepLimits<Real>& limits) {
    const Real zero = 0.0, two = 2.0, nowhere = core::infinity;
    const Real discriminant = v * v - two * a * x;
    const auto is_complex = discriminant < zero;
    const Real modulus = sqrt(two * x / a);
    // Roots -v -+ root, the one that would cancel from their product 2 x / a; what is divided by
    // zero lies nowhere.
    const Real w = v + copysign(sqrt(discriminant), v);
    const Real first = -two * x / w, second = -w / a;
    const Real behind =
        select(is_complex, modulus, smaller(distance_behind(first), distance_behind(second)));
    const Real ahead =
        select(is_complex, modulus, smaller(distance_ahead(first), distance_ahead(second)));
    const auto ends = both(but(ahead < nowhere, is_complex), v < zero);
    // The contact resonance is at most as fast as if all modes were free to follow.
    const Real square = limits.compliance * slope;
    const Real resonance = select(square > zero, limits.contact_resonance / sqrt(square), nowhere);
    Real step = larger(limits.onset, limits.growth * behind);
    step = smaller(step, limits.closing * ahead);
    step = smaller(smaller(step, limits.resolution), resonance);
    const auto is_little = limits.compliance * force * ahead <= limits.epsilon * -v;
    return {step / limits.longest, ahead, both(ends, is_little)};
}
