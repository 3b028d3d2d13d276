#pragma once
/// One-step schemes for one freedom against a contact, m x'' = f_e - F(x, x') (10.5): equations
/// (10.6) to (10.17) of docs/theory/point_impact.md. A scheme is a struct with one function,
/// `step`.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <tuple>

#include <stoss/core/dual.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/time/newmark.hpp>
#include <stoss/time/scalar_contact.hpp>

namespace stoss::time {

/// Overlap [m], velocity [m/s], and the acceleration [m/s^2] that a scheme hands to its next step.
struct PointState {
    double x = 0.0;
    double v = 0.0;
    double a = 0.0;
};

/// A point mass m [kg] under a constant force f_e [N] and a contact (contact/contact.hpp). The
/// overlap grows with x: f_e > 0 presses.
template <class Contact>
struct PointBody {
    const Contact& contact;
    double mass;
    double external_force;

    double acceleration(double x, double v) const {
        return (external_force - contact.force(x, v)) / mass;
    }
};

// clang 14 does not deduce the arguments of an aggregate by itself.
template <class Contact>
PointBody(const Contact&, double, double) -> PointBody<Contact>;

/// Newmark's family (10.7) (Newmark 1959), solved for the contact force at the end of the step; a
/// lagged force is that of the state at its start.
template <class Contact>
PointState newmark_step(const PointBody<Contact>& body, const PointState& s, double h, double beta,
                        double gamma, ForceEvaluation evaluation) {
    const double x_per_force = beta * h * h / body.mass, v_per_force = gamma * h / body.mass;
    const double x = s.x + h * s.v + (0.5 - beta) * h * h * s.a + x_per_force * body.external_force;
    const double v = s.v + (1.0 - gamma) * h * s.a + v_per_force * body.external_force;
    double force;
    if (evaluation == ForceEvaluation::lagged) {
        force = body.contact.force(s.x, s.v);
    } else if (beta > 0.0) {
        force = solve_contact_force(body.contact, x, v, x_per_force, v_per_force);
    } else {  // x is known, and the force is affine in v
        const core::Dual f = body.contact.force(core::Dual(x), core::Dual::variable(v));
        force = f.value / (1.0 + v_per_force * f.derivative);
    }
    return {x - x_per_force * force, v - v_per_force * force,
            (body.external_force - force) / body.mass};
}

/// (10.6): the trapezoidal rule, Newmark's scheme with beta = 1/4 and gamma = 1/2.
struct Trapezoid {
    static constexpr std::string_view name = "trapezoid";
    static constexpr std::string_view meaning =
        "trapezoidal rule (one-step Adams-Moulton), implicit, order 2";
    static constexpr auto fields() { return std::tuple{}; }

    template <class Contact>
    PointState step(const PointBody<Contact>& body, const PointState& s, double h) const {
        return newmark_step(body, s, h, 0.25, 0.5, ForceEvaluation::implicit);
    }
};

/// (10.7).
struct NewmarkBeta {
    static constexpr std::string_view name = "newmark_beta";
    static constexpr std::string_view meaning =
        "Newmark's family; order 2 for gamma = 1/2 and an implicit force, else 1";

    double beta = 0.25;
    double gamma = 0.5;
    ForceEvaluation force = ForceEvaluation::implicit;

    static constexpr auto fields() {
        return std::tuple{
            core::field("beta", &NewmarkBeta::beta, "", core::closed(0.0, 1.0),
                        "weight beta of the last acceleration in x; 0: explicit in x"),
            core::field("gamma", &NewmarkBeta::gamma, "", core::closed(0.0, 1.0),
                        "weight gamma of the last acceleration in v"),
            core::field("force", &NewmarkBeta::force,
                        "instant at which the contact force is evaluated")};
    }

    template <class Contact>
    PointState step(const PointBody<Contact>& body, const PointState& s, double h) const {
        return newmark_step(body, s, h, beta, gamma, force);
    }
};

/// What an explicit scheme takes for the force at the start of a step.
enum class StartForce {
    evaluated,  ///< that of the state at the start
    kept        ///< that of the last step's end, at its predicted velocity
};

constexpr auto enum_names(StartForce) {
    return std::array{core::EnumName{StartForce::evaluated, "evaluated",
                                     "evaluated at the start of each step, as in textbooks"},
                      core::EnumName{StartForce::kept, "kept",
                                     "kept from the last step, at its predicted velocity: one "
                                     "evaluation a step, as Papetti et al. 2011 (24), (25) print"}};
}

/// (10.8), (10.9): velocity Verlet (Swope et al. 1982). The force at the end of the step needs a
/// velocity: the textbook's scheme predicts it for the whole step, the printed one for half of it.
struct Verlet {
    static constexpr std::string_view name = "verlet";
    static constexpr std::string_view meaning =
        "velocity Verlet, explicit; order 2 (start_force: kept: 1 if the law damps)";

    StartForce start_force = StartForce::evaluated;

    static constexpr auto fields() {
        return std::tuple{
            core::field("start_force", &Verlet::start_force, "force at the start of a step")};
    }

    template <class Contact>
    PointState step(const PointBody<Contact>& body, const PointState& s, double h) const {
        const bool kept = start_force == StartForce::kept;
        const double a = kept ? s.a : body.acceleration(s.x, s.v);
        const double x = s.x + h * s.v + 0.5 * h * h * a;
        const double half = s.v + 0.5 * h * a;
        const double end = body.acceleration(x, kept ? half : s.v + h * a);
        return {x, half + 0.5 * h * end, end};
    }
};

/// (10.10), (10.11): Heun (1900). The printed scheme takes the corrected x in the force, the
/// textbook's the predicted one.
struct Heun {
    static constexpr std::string_view name = "heun";
    static constexpr std::string_view meaning = "Heun's predictor and corrector, explicit, order 2";

    StartForce start_force = StartForce::evaluated;

    static constexpr auto fields() {
        return std::tuple{
            core::field("start_force", &Heun::start_force, "force at the start of a step")};
    }

    template <class Contact>
    PointState step(const PointBody<Contact>& body, const PointState& s, double h) const {
        const bool kept = start_force == StartForce::kept;
        const double a = kept ? s.a : body.acceleration(s.x, s.v);
        const double predicted = s.v + h * a;
        const double x = s.x + 0.5 * h * (s.v + predicted);
        const double end = body.acceleration(kept ? x : s.x + h * s.v, predicted);
        return {x, s.v + 0.5 * h * (a + end), end};
    }
};

/// (10.12): the classical Runge-Kutta scheme (Kutta 1901).
struct RungeKutta4 {
    static constexpr std::string_view name = "rk4";
    static constexpr std::string_view meaning = "classical Runge-Kutta, explicit, order 4";
    static constexpr auto fields() { return std::tuple{}; }

    template <class Contact>
    PointState step(const PointBody<Contact>& body, const PointState& s, double h) const {
        const double a1 = body.acceleration(s.x, s.v);
        const double v2 = s.v + 0.5 * h * a1;
        const double a2 = body.acceleration(s.x + 0.5 * h * s.v, v2);
        const double v3 = s.v + 0.5 * h * a2;
        const double a3 = body.acceleration(s.x + 0.5 * h * v2, v3);
        const double v4 = s.v + h * a3;
        const double a4 = body.acceleration(s.x + h * v3, v4);
        return {s.x + h / 6.0 * (s.v + 2.0 * v2 + 2.0 * v3 + v4),
                s.v + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4), a4};
    }
};

/// (10.13): Euler's scheme with the new velocity in the motion.
struct SemiImplicitEuler {
    static constexpr std::string_view name = "semi_implicit_euler";
    static constexpr std::string_view meaning =
        "velocity first, then position with it (symplectic Euler), explicit, order 1";
    static constexpr auto fields() { return std::tuple{}; }

    template <class Contact>
    PointState step(const PointBody<Contact>& body, const PointState& s, double h) const {
        const double a = body.acceleration(s.x, s.v);
        const double v = s.v + h * a;
        return {s.x + h * v, v, a};
    }
};

/// The flow of the free motion over h: a parabola.
template <class Contact>
void drift(const PointBody<Contact>& body, PointState& s, double h) {
    const double gain = h * body.external_force / body.mass;
    s.x += h * (s.v + 0.5 * gain);
    s.v += gain;
}

/// The flow of the contact force over h at fixed overlap. The force is affine in v, so it is exact:
/// F(v) = F_0 + B (v - v_0) gives v = v_0 - (F_0/B) (1 - exp(-B h/m)) (10.14).
template <class Contact>
void kick(const PointBody<Contact>& body, PointState& s, double h) {
    const core::Dual force = body.contact.force(core::Dual(s.x), core::Dual::variable(s.v));
    const double decay = force.derivative * h / body.mass;
    const double mean = decay == 0.0 ? 1.0 : -core::expm1(-decay) / decay;
    const double slowed = force.value / body.mass * mean;
    s.v -= h * slowed;
    s.a = body.external_force / body.mass - slowed;
}

/// Strang (1968): half a drift, a kick, half a drift.
template <class Contact>
void strang(const PointBody<Contact>& body, PointState& s, double h) {
    drift(body, s, 0.5 * h);
    kick(body, s, h);
    drift(body, s, 0.5 * h);
}

/// (10.15).
struct Splitting2 {
    static constexpr std::string_view name = "splitting_2";
    static constexpr std::string_view meaning =
        "Strang splitting of free motion and contact force, each exact, explicit, order 2";
    static constexpr auto fields() { return std::tuple{}; }

    template <class Contact>
    PointState step(const PointBody<Contact>& body, PointState s, double h) const {
        strang(body, s, h);
        return s;
    }
};

/// (10.16): for an elastic law Chin's scheme 4C with the gradient of the force (Chin 1997), all of
/// whose steps go forward; else Suzuki's (1990) composition of five Strang steps.
struct Splitting4 {
    static constexpr std::string_view name = "splitting_4";
    static constexpr std::string_view meaning =
        "splitting of order 4: Chin's 4C for an elastic law, else five Strang steps (Suzuki)";
    static constexpr auto fields() { return std::tuple{}; }

    template <class Contact>
    PointState step(const PointBody<Contact>& body, PointState s, double h) const {
        if constexpr (Contact::is_elastic) {
            chin(body, s, h);
        } else {
            const double outer = 1.0 / (4.0 - core::cbrt(4.0));
            for (const double part : {outer, outer, 1.0 - 4.0 * outer, outer, outer})
                strang(body, s, part * h);
        }
        return s;
    }

  private:
    template <class Contact>
    static void chin(const PointBody<Contact>& body, PointState& s, double h) {
        drift(body, s, h / 6.0);
        kick(body, s, 3.0 / 8.0 * h);
        drift(body, s, h / 3.0);
        const core::Dual force = body.contact.force(core::Dual::variable(s.x), core::Dual(s.v));
        const double gradient = 1.0 - h * h / 24.0 * force.derivative / body.mass;
        s.v -= h / 4.0 * force.value * gradient / body.mass;
        drift(body, s, h / 3.0);
        kick(body, s, 3.0 / 8.0 * h);
        drift(body, s, h / 6.0);
    }
};

/// (10.17): Gonzalez (1996). The elastic force is the quotient of the stored energy over the step,
/// the rest of the force is that of the midpoint. So the energy balance holds to roundoff: an
/// elastic contact gives back what it took, less what it holds at its end, also where it begins or
/// ends within a step.
struct DiscreteGradient {
    static constexpr std::string_view name = "discrete_gradient";
    static constexpr std::string_view meaning =
        "energy-conserving discrete gradient, implicit, order 2";
    static constexpr auto fields() { return std::tuple{}; }

    template <class Contact>
    PointState step(const PointBody<Contact>& body, const PointState& s, double h) const {
        // The secant's start: the free motion, and the motion under the force found there.
        double before = h * s.v, r_before = residual(body, s, h, before);
        double change = before - r_before;
        for (int iteration = 0; iteration < 60; ++iteration) {
            const double r = residual(body, s, h, change);
            if (r == r_before) break;
            const double next = change - r * (change - before) / (r - r_before);
            before = change;
            r_before = r;
            change = next;
            if (!(std::abs(change - before) > 4.0 * epsilon * std::abs(change))) break;
        }
        const double v = 2.0 * change / h - s.v;
        return {s.x + change, v, (v - s.v) / h};
    }

  private:
    static constexpr double epsilon = std::numeric_limits<double>::epsilon();

    /// h^2/(2 m) times the balance of forces over a step that moves by `change`.
    template <class Contact>
    static double residual(const PointBody<Contact>& body, const PointState& s, double h,
                           double change) {
        const double middle = s.x + 0.5 * change;
        double force = secant_force(body.contact, s.x, change);
        if constexpr (!Contact::is_elastic) {
            force += body.contact.force(middle, change / h) - body.contact.elastic_force(middle);
        }
        return change - h * s.v + 0.5 * h * h / body.mass * (force - body.external_force);
    }

    /// [U(x + change) - U(x)]/change; where that has no digits left, U' in the middle.
    template <class Contact>
    static double secant_force(const Contact& contact, double x, double change) {
        if (std::abs(change) <= 1e-6 * std::abs(x)) return contact.elastic_force(x + 0.5 * change);
        return (held_energy(contact, x + change) - held_energy(contact, x)) / change;
    }

    /// U [J]. Beyond the end of contact it is what it is there: that is lost, not given back.
    template <class Contact>
    static double held_energy(const Contact& contact, double x) {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        return contact.stored_energy(std::max(x, std::nextafter(contact.threshold(), infinity)));
    }
};

}  // namespace stoss::time
