#include <stoss/rigid/restitution.hpp>

#include <cmath>
#include <limits>

#include <stoss/rigid/maximum_dissipation.hpp>

namespace stoss::rigid {

namespace {

Impact unsolved(ImpactStatus status) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    Impact impact;
    impact.status = status;
    impact.impulse = impact.velocity = {nan, nan, nan};
    impact.dissipated_energy = nan;
    return impact;
}

/// The second phase: it begins with the relative velocity that the compression leaves.
struct RestitutionPhase {
    const ContactProblem& problem;
    const ContactVector& begin;

    /// The friction of maximum dissipation under the normal impulse p [N s]: the tangential impulse
    /// |y| <= mu p that minimises the kinetic energy. That is a contact problem without coupling of
    /// normal and tangent.
    ContactVector impulse(double p) const {
        const ContactMatrix& A = problem.A;
        const double nn = A.tt + A.oo;  // any
        const ContactSolution friction =
            maximum_dissipation({{nn, 0.0, 0.0, A.tt, A.to, A.oo},
                                 {nn * p, -begin.t - A.nt * p, -begin.o - A.no * p},
                                 problem.mu});
        return {p, friction.impulse.t, friction.impulse.o};
    }

    /// Work [J] of the normal impulse along the straight way to its end, where v_n rises from 0.
    double normal_work(double p) const {
        const ContactVector x = impulse(p);
        return 0.5 * p * (problem.A * x).n;
    }

    /// The normal impulse [N s] with that work > 0; NaN if there is none. `scale` [N s] > 0 is its
    /// order of magnitude.
    double normal_impulse_of(double work, double scale) const {
        double low = 0.0, high = scale / 8.0;
        double at_low = -work, at_high = normal_work(high) - work;
        for (int doubling = 0; at_high < 0.0; ++doubling) {
            if (doubling == 60) return std::numeric_limits<double>::quiet_NaN();
            low = high;
            at_low = at_high;
            high *= 2.0;
            at_high = normal_work(high) - work;
        }
        // Regula falsi of Illinois (Dowell & Jarratt 1971).
        int kept = 0;
        for (int step = 0; step < 100 && at_high != 0.0; ++step) {
            const double p = high - at_high * (high - low) / (at_high - at_low);
            const double at_p = normal_work(p) - work;
            if (!(p > low && p < high)) return p;
            if (high - low <= 4.0 * std::numeric_limits<double>::epsilon() * high) return p;
            if (at_p < 0.0) {
                low = p;
                at_low = at_p;
                if (kept == 1) at_high *= 0.5;
                kept = 1;
            } else {
                high = p;
                at_high = at_p;
                if (kept == -1) at_low *= 0.5;
                kept = -1;
            }
        }
        return high;
    }
};

/// The impulse and the velocity after it, by the hypothesis. Precondition: e > 0 and the
/// compression presses.
void restitute(Impact& impact, const ContactProblem& problem, double e, Restitution hypothesis) {
    const ContactSolution& compression = impact.compression;
    if (hypothesis == Restitution::newton) {
        const ContactVector b{(1.0 + e) * problem.b.n, problem.b.t, problem.b.o};
        const ContactSolution whole = maximum_dissipation({problem.A, b, problem.mu});
        impact.impulse = whole.impulse;
        impact.velocity = {e * problem.b.n, whole.velocity.t, whole.velocity.o};
        return;
    }
    const RestitutionPhase phase{problem, compression.velocity};
    const double p_c = compression.impulse.n;
    const double work = 0.5 * problem.b.n * p_c;  // of compression, along the straight way
    const double p = hypothesis == Restitution::poisson ? e * p_c
                     : work > 0.0 ? phase.normal_impulse_of(e * e * work, e * p_c)
                                  : 0.0;
    const ContactVector x = phase.impulse(p);
    impact.impulse = compression.impulse + x;
    impact.velocity = compression.velocity + problem.A * x;
}

}  // namespace

std::string_view to_string(ImpactStatus status) {
    switch (status) {
        case ImpactStatus::solved:
            return "solved";
        case ImpactStatus::invalid:
            return "invalid: no contact problem, or e outside [0, 1]";
        case ImpactStatus::failed:
            return "failed: the compression could not be solved";
        case ImpactStatus::gains_energy:
            return "refused: with this friction the hypothesis would create kinetic energy";
        case ImpactStatus::penetrates:
            return "refused: the bodies would still approach after the restitution";
    }
    return "";
}

Impact impact(const ContactProblem& problem, double e, Restitution hypothesis) {
    if (!(e >= 0.0 && e <= 1.0)) return unsolved(ImpactStatus::invalid);
    const ContactSolution compression = maximum_dissipation(problem);
    if (compression.status != Status::solved) {
        return unsolved(compression.status == Status::invalid ? ImpactStatus::invalid
                                                              : ImpactStatus::failed);
    }
    Impact result{ImpactStatus::solved, compression, compression.impulse, compression.velocity,
                  compression.dissipated_energy};
    if (e == 0.0 || compression.branch == Branch::separate) return result;
    restitute(result, problem, e, hypothesis);
    const ContactMatrix& A = problem.A;
    const ContactVector& x = result.impulse;
    const double pull = dot(problem.b, x), inertia = 0.5 * dot(x, A * x);
    result.dissipated_energy = pull - inertia;
    const double speeds = std::abs(A.nn * x.n) + std::abs(A.nt * x.t) + std::abs(A.no * x.o);
    if (!(result.velocity.n >= -1e-12 * speeds)) {
        result.status = ImpactStatus::penetrates;
    } else if (result.dissipated_energy < -1e-12 * (std::abs(pull) + inertia)) {
        result.status = ImpactStatus::gains_energy;
    }
    return result;
}

}  // namespace stoss::rigid
