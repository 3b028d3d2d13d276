#include <stoss/rigid/restitution.hpp>

#include <cmath>

#include <stoss/rigid/maximum_dissipation.hpp>
#include <stoss/rigid/routh.hpp>
#include <stoss/rigid/scalar_kernel.inl>

namespace stoss::rigid {

namespace {

/// `why`: of the phase that was not solved.
Impact unsolved(Status why) {
    const ContactSolution none = kernel::unsolved(why);
    return {why == Status::invalid ? ImpactStatus::invalid : ImpactStatus::failed, none,
            none.impulse, none.velocity, none.dissipated_energy};
}

/// The second phase: it begins with the relative velocity that the compression leaves.
struct RestitutionPhase {
    const ContactProblem& problem;
    const ContactVector& begin;

    /// The friction of maximum dissipation under the normal impulse p [N s]: the tangential impulse
    /// |y| <= mu p that minimises the kinetic energy. That is a contact problem without coupling of
    /// normal and tangent; only the tangential part of its solution means something here.
    ContactSolution friction(double p) const {
        const ContactMatrix& A = problem.A;
        const double nn = A.tt + A.oo;  // any
        return maximum_dissipation({{nn, 0.0, 0.0, A.tt, A.to, A.oo},
                                    {nn * p, -begin.t - A.nt * p, -begin.o - A.no * p},
                                    problem.mu});
    }
};

/// The impulse and the velocity after it, by Newton's or Poisson's hypothesis. False: they were not
/// found. Precondition: e > 0 and the compression presses.
bool restitute(Impact& impact, const ContactProblem& problem, double e, Restitution hypothesis) {
    const ContactSolution& compression = impact.compression;
    if (hypothesis == Restitution::newton) {
        const ContactVector b{(1.0 + e) * problem.b.n, problem.b.t, problem.b.o};
        const ContactSolution whole = maximum_dissipation({problem.A, b, problem.mu});
        impact.impulse = whole.impulse;
        impact.velocity = {e * problem.b.n, whole.velocity.t, whole.velocity.o};
        return whole.status == Status::solved;
    }
    const double p = e * compression.impulse.n;
    const ContactSolution friction = RestitutionPhase{problem, compression.velocity}.friction(p);
    const ContactVector x{p, friction.impulse.t, friction.impulse.o};
    impact.impulse = compression.impulse + x;
    impact.velocity = compression.velocity + problem.A * x;
    return friction.status == Status::solved;
}

/// The energy of an impact whose impulse and velocity are known; refused if it grows, or if the
/// bodies still approach.
void judge(Impact& impact, const ContactProblem& problem) {
    const ContactMatrix& A = problem.A;
    const ContactVector& x = impact.impulse;
    const double pull = dot(problem.b, x), inertia = 0.5 * dot(x, A * x);
    impact.dissipated_energy = pull - inertia;
    const double speeds = std::abs(A.nn * x.n) + std::abs(A.nt * x.t) + std::abs(A.no * x.o);
    if (!(impact.velocity.n >= -1e-12 * speeds)) {
        impact.status = ImpactStatus::penetrates;
    } else if (impact.dissipated_energy < -1e-12 * (std::abs(pull) + inertia)) {
        impact.status = ImpactStatus::gains_energy;
    }
}

}  // namespace

std::string_view to_string(ImpactStatus status) {
    switch (status) {
        case ImpactStatus::solved:
            return "solved";
        case ImpactStatus::invalid:
            return "invalid: no contact problem, or e outside [0, 1]";
        case ImpactStatus::failed:
            return "failed: the compression or the restitution could not be solved";
        case ImpactStatus::gains_energy:
            return "refused: with this friction the hypothesis would create kinetic energy";
        case ImpactStatus::penetrates:
            return "refused: the bodies would still approach after the restitution";
    }
    return "";
}

Impact impact(const ContactProblem& problem, double e, Restitution hypothesis) {
    if (hypothesis == Restitution::stronge) return routh_impact(problem, e, hypothesis).impact;
    if (!(e >= 0.0 && e <= 1.0)) return unsolved(Status::invalid);
    const ContactSolution compression = maximum_dissipation(problem);
    if (compression.status != Status::solved) return unsolved(compression.status);
    Impact result{ImpactStatus::solved, compression, compression.impulse, compression.velocity,
                  compression.dissipated_energy};
    if (e == 0.0 || compression.branch == Branch::separate) return result;
    if (!restitute(result, problem, e, hypothesis)) return unsolved(Status::failed);
    judge(result, problem);
    return result;
}

}  // namespace stoss::rigid
