#include <stoss/impact/compliant_impact.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <variant>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <stoss/contact/contact.hpp>
#include <stoss/core/bisection.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/time/cubic_event.hpp>

namespace stoss::impact {

namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double longest = 400.0;  // followed, in units of 1/omega of the slowest contact

/// A body in motion, or the rate of change of its state.
struct BodyState {
    Vector3d position;
    Eigen::Vector4d orientation;  // quaternion x, y, z, w
    Vector3d velocity;
    Vector3d spin;  // angular momentum about the centre of mass, in the inertial frame
};

/// Everything that is integrated.
struct State {
    std::array<BodyState, 2> bodies;
    double overlap;        // x [m]
    Vector2d spring;       // u, along t and o [m]
    Vector3d impulse;      // in the inertial frame [N s]
    double normal_loss;    // [J]
    double friction_work;  // taken from the bodies by the tangential force [J]
};

/// state + h rate.
BodyState moved(const BodyState& body, double h, const BodyState& rate) {
    return {body.position + h * rate.position, body.orientation + h * rate.orientation,
            body.velocity + h * rate.velocity, body.spin + h * rate.spin};
}
State moved(const State& state, double h, const State& rate) {
    return {{moved(state.bodies[0], h, rate.bodies[0]), moved(state.bodies[1], h, rate.bodies[1])},
            state.overlap + h * rate.overlap,
            state.spring + h * rate.spring,
            state.impulse + h * rate.impulse,
            state.normal_loss + h * rate.normal_loss,
            state.friction_work + h * rate.friction_work};
}

/// What stays of a body: masses, and the contact point or plane in its own axes.
struct Constants {
    bool is_fixed;
    double inverse_mass;
    Matrix3d inverse_inertia;  // in the axes of the body

    explicit Constants(const rigid::RigidBody& body)
        : is_fixed(std::isinf(body.mass)),
          inverse_mass(is_fixed ? 0.0 : 1.0 / body.mass),
          inverse_inertia(Matrix3d::Zero()) {
        if (!is_fixed) inverse_inertia = body.inertia.llt().solve(Matrix3d::Identity());
    }

    Vector3d angular_velocity(const BodyState& body) const {
        const Matrix3d R = Quaterniond(body.orientation).normalized().toRotationMatrix();
        return R * (inverse_inertia * (R.transpose() * body.spin));
    }

    double kinetic_energy(const BodyState& body) const {
        if (is_fixed) return 0.0;
        return 0.5 *
               (body.velocity.squaredNorm() / inverse_mass + body.spin.dot(angular_velocity(body)));
    }
};

BodyState state_of(const rigid::RigidBody& body) {
    BodyState state{body.position, body.orientation.coeffs(), body.velocity, Vector3d::Zero()};
    if (!std::isinf(body.mass)) {
        const Matrix3d R = body.orientation.toRotationMatrix();
        state.spin = R * (body.inertia * (R.transpose() * body.angular_velocity));
    }
    return state;
}

rigid::RigidBody body_of(rigid::RigidBody body, const BodyState& state,
                         const Constants& constants) {
    body.position = state.position;
    body.orientation = Quaterniond(state.orientation).normalized();
    body.velocity = state.velocity;
    if (!constants.is_fixed) body.angular_velocity = constants.angular_velocity(state);
    return body;
}

/// The components along t and o of a vector along n, t, o.
Vector2d tangential(const Vector3d& v) {
    return {v[1], v[2]};
}

/// The contact for the present positions and velocities of the bodies.
struct Touch {
    Vector3d point;     // of the first body, in the inertial frame [m]
    Matrix3d axes;      // n, t, o of the plane, a column each
    Vector3d velocity;  // relative, along n, t, o [m/s]

    double rate() const { return -velocity[0]; }  // x' [m/s]
    Vector2d slip() const { return tangential(velocity); }
};

/// The contact of two bodies with one law: the equations of motion.
template <class L>
class Motion {
  public:
    Motion(const L& law, const CompliantImpact& impact, const rigid::ContactProblem& problem)
        : impact_(impact),
          constants_{Constants(impact.first), Constants(impact.second)},
          contact_(law, impact.separation, 1.0 / problem.A.nn),
          tip_(impact.first.orientation.conjugate() * (impact.frame.point - impact.first.position)),
          trace_(problem.A.nn + problem.A.tt + problem.A.oo),
          slowest_(sticking_mobility(problem.A)) {
        axes_ << impact.frame.n, impact.frame.t, impact.frame.o;
        axes_ = impact.second.orientation.toRotationMatrix().transpose() * axes_;
        contact_.accept(0.0, problem.b.n);  // the impact begins: laws learn its speed
        const rigid::ContactVector& b = problem.b;
        secant_stiffness_ = secant_stiffness(0.5 * b.n * b.n / problem.A.nn);
        if (const auto* regular = std::get_if<contact::RegularisedCoulomb>(&impact.friction))
            slip_speed_ = regular->slip_speed * std::sqrt(dot(b, b));
        if (const auto* spring = std::get_if<contact::TangentialSpring>(&impact.friction))
            spring_stiffness_ = spring->stiffness_ratio * secant_stiffness_;
    }

    CompliantResult run();

  private:
    /// F_n/x [N/m] at the overlap at which the stored energy is that of the approach [J].
    double secant_stiffness(double energy) const {
        const double x = core::geometric_bisection(
            1e-30, 1e30, [&](double each) { return contact_.stored_energy(each) < energy; });
        return contact_.unlimited_force(x, 0.0) / x;
    }

    /// Along the normal, while friction prevents all slip: 1/(A^-1)_nn [1/kg]. Roundoff must not
    /// make it smaller than that of the masses alone.
    double sticking_mobility(const rigid::ContactMatrix& A) const {
        Matrix3d full;
        full << A.nn, A.nt, A.no, A.nt, A.tt, A.to, A.no, A.to, A.oo;
        const double of_masses = constants_[0].inverse_mass + constants_[1].inverse_mass;
        return std::max(of_masses, 1.0 / full.llt().solve(Vector3d::UnitX())[0]);
    }

    Touch touch(const State& state) const {
        const BodyState &first = state.bodies[0], &second = state.bodies[1];
        Touch touch;
        touch.point = first.position + Quaterniond(first.orientation).normalized() * tip_;
        touch.axes = Quaterniond(second.orientation).normalized().toRotationMatrix() * axes_;
        const auto velocity = [&](std::size_t i) -> Vector3d {
            const BodyState& body = state.bodies[i];
            return body.velocity +
                   constants_[i].angular_velocity(body).cross(touch.point - body.position);
        };
        touch.velocity = touch.axes.transpose() * (velocity(0) - velocity(1));
        return touch;
    }

    /// Force on the first body along n, t, o [N].
    Vector3d force(const State& state, const Touch& touch) const {
        const double F = contact_.force(state.overlap, touch.rate());
        const double most = impact_.mu * std::max(F, 0.0);
        Vector2d friction = Vector2d::Zero();
        if (spring_stiffness_ > 0.0) {
            friction = -spring_stiffness_ * state.spring;
            const double size = friction.norm();
            if (size > most) friction *= most / size;
        } else if (most > 0.0) {
            friction = -most / std::max(touch.slip().norm(), slip_speed_) * touch.slip();
        }
        return {F, friction[0], friction[1]};
    }

    BodyState rate_of(std::size_t i, const State& state, const Vector3d& point,
                      const Vector3d& force) const {
        const BodyState& body = state.bodies[i];
        BodyState rate{Vector3d::Zero(), Eigen::Vector4d::Zero(),
                       constants_[i].inverse_mass * force,
                       constants_[i].is_fixed ? Vector3d::Zero()
                                              : Vector3d((point - body.position).cross(force))};
        if (impact_.at_one_instant) return rate;
        const Vector3d w = constants_[i].angular_velocity(body);
        rate.position = body.velocity;
        rate.orientation =
            0.5 * (Quaterniond(0.0, w[0], w[1], w[2]) * Quaterniond(body.orientation)).coeffs();
        return rate;
    }

    State rate(const State& state) const {
        const Touch at = touch(state);
        const Vector3d f = force(state, at);
        const Vector3d on_first = at.axes * f;
        return {{rate_of(0, state, at.point, on_first), rate_of(1, state, at.point, -on_first)},
                at.rate(),
                at.slip(),
                on_first,
                contact_.dissipated_power(state.overlap, at.rate()),
                -tangential(f).dot(at.slip())};
    }

    /// Kutta's step; then the end of the spring slides, and laws with memory move on.
    void step(State& state, double h) {
        const State k_1 = rate(state);
        const State k_2 = rate(moved(state, 0.5 * h, k_1));
        const State k_3 = rate(moved(state, 0.5 * h, k_2));
        const State k_4 = rate(moved(state, h, k_3));
        state = moved(moved(moved(moved(state, h / 6.0, k_1), h / 3.0, k_2), h / 3.0, k_3), h / 6.0,
                      k_4);
        const Touch at = touch(state);
        if (spring_stiffness_ > 0.0) {
            state.spring = -tangential(force(state, at)) / spring_stiffness_;
        }
        state.normal_loss += contact_.accept(state.overlap, at.rate());
    }

    /// The step [s]: a share of the fastest vibration, or of the decay of slow slip.
    double step_length(const State& state, double F) const {
        const double secant = state.overlap > 0.0 ? std::max(secant_stiffness_, F / state.overlap)
                                                  : secant_stiffness_;
        const double stiffness = std::max(secant, spring_stiffness_);
        double h = 1.0 / (impact_.steps_per_radian * std::sqrt(trace_ * stiffness));
        if (slip_speed_ > 0.0 && F > 0.0)
            h = std::min(h, 0.5 * slip_speed_ / (impact_.mu * F * trace_));
        return h;
    }

    bool may_not_pull() const { return impact_.separation == contact::Separation::zero_force; }

    /// The share of a step of `h` [s] from x_0, v_0 to x_1, v_1 after which contact ends: where
    /// the overlap is gone, or before, where a law that may not pull would do so.
    double share_in_contact(double h, double x_0, double v_0, double x_1, double v_1) const {
        const double end = contact_.end_overlap();
        const time::CubicStep depth{x_0 - end, x_1 - end, h * v_0, h * v_1};
        const double with_overlap = x_0 > end && !(x_1 > end) ? depth.root() : 1.0;
        const auto pulls = [&](double share) {
            const double x = end + std::max(depth(share), 0.0);
            return contact_.unlimited_force(x, depth.slope(share) / h) < 0.0;
        };
        // Just before the end: without overlap the force of many laws is zero at any rate.
        const double last = with_overlap * (1.0 - 1e-6);
        if (!may_not_pull() || !pulls(last)) return with_overlap;
        return core::bisection(0.0, last, 50, [&](double share) { return !pulls(share); }).high;
    }

    State begin() const {
        return {{state_of(impact_.first), state_of(impact_.second)},
                0.0,
                Vector2d::Zero(),
                Vector3d::Zero(),
                0.0,
                0.0};
    }

    double kinetic_energy(const State& state) const {
        return constants_[0].kinetic_energy(state.bodies[0]) +
               constants_[1].kinetic_energy(state.bodies[1]);
    }

    rigid::ContactVector in_frame(const Vector3d& v) const {
        return {impact_.frame.n.dot(v), impact_.frame.t.dot(v), impact_.frame.o.dot(v)};
    }

    void finish(CompliantResult& result, State& state) const;

    /// What the energies lack [J]: an error of the steps.
    double missing_energy(const CompliantResult& result, const State& state) const {
        return result.initial_energy - kinetic_energy(state) -
               contact_.stored_energy(state.overlap) - state.normal_loss - state.friction_work;
    }
    double mobility(const State& state, const Touch& at) const;
    bool close_balance(State& state, double missing) const;

    const CompliantImpact& impact_;
    std::array<Constants, 2> constants_;
    contact::Contact<L> contact_;
    Vector3d tip_;    // contact point in the axes of the first body, from its centre [m]
    Matrix3d axes_;   // n, t, o in the axes of the second body
    double trace_;    // bounds the largest eigenvalue of A [1/kg]
    double slowest_;  // mobility along the normal [1/kg]
    double secant_stiffness_ = 0.0, spring_stiffness_ = 0.0;  // [N/m]
    double slip_speed_ = 0.0;                                 // [m/s]
};

/// Of the relative motion along the normal [1/kg].
template <class L>
double Motion<L>::mobility(const State& state, const Touch& at) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < 2; ++i) {
        const BodyState& body = state.bodies[i];
        BodyState turned = body;
        const Vector3d n = at.axes.col(0), arm = at.point - body.position;
        turned.spin = arm.cross(n);
        sum += constants_[i].inverse_mass + turned.spin.dot(constants_[i].angular_velocity(turned));
    }
    return sum;
}

/// Gives the bodies the energy that is missing by an impulse along the normal. False if they have
/// not as much as is to be taken: they could not have parted.
template <class L>
bool Motion<L>::close_balance(State& state, double missing) const {
    const Touch at = touch(state);
    const double A = mobility(state, at), speed = at.velocity[0];
    const double square = speed * speed + 2.0 * A * missing;
    if (!(square > 0.0)) return false;
    const Vector3d impulse = (std::sqrt(square) - speed) / A * at.axes.col(0);
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
        BodyState& body = state.bodies[i];
        const Vector3d own = i == 0 ? impulse : Vector3d(-impulse);
        body.velocity += constants_[i].inverse_mass * own;
        if (!constants_[i].is_fixed) body.spin += (at.point - body.position).cross(own);
    }
    state.impulse += impulse;
    return true;
}

template <class L>
void Motion<L>::finish(CompliantResult& result, State& state) const {
    // A force that still pulls where contact ends ends with a jump, and may have an infinite slope:
    // no step resolves it. The energies know what it leaves (theory/contact_laws.md 8.19).
    const bool ends_with_pull = contact_.unlimited_force(contact_.end_overlap(), 0.0) < 0.0;
    if (ends_with_pull && result.status == CompliantStatus::separated &&
        !close_balance(state, missing_energy(result, state)))
        result.status = CompliantStatus::still_touching;
    const Touch end = touch(state);
    result.impulse = in_frame(state.impulse);
    result.velocity = in_frame(end.axes * end.velocity);
    result.normal_loss = state.normal_loss;
    result.friction_loss = state.friction_work;
    result.residual = missing_energy(result, state) / result.initial_energy;
    result.first = body_of(impact_.first, state.bodies[0], constants_[0]);
    result.second = body_of(impact_.second, state.bodies[1], constants_[1]);
    if (!std::isfinite(result.residual)) result.status = CompliantStatus::not_finite;
}

template <class L>
CompliantResult Motion<L>::run() {
    CompliantResult result;
    State state = begin();
    result.initial_energy = kinetic_energy(state);
    result.status = CompliantStatus::still_touching;
    const double end = longest / std::sqrt(secant_stiffness_ * slowest_);
    double time = 0.0, contact_end = 0.0;
    bool is_compressing = true;
    core::StopCheck check_stop;
    while (result.steps < impact_.most_steps && time < end) {
        check_stop();
        const Touch before = touch(state);
        const double F = contact_.force(state.overlap, before.rate());
        const double h = step_length(state, F);
        const double x_0 = state.overlap;
        const Vector3d impulse = state.impulse;
        step(state, h);
        ++result.steps;
        const double x_1 = state.overlap, v_0 = before.rate(), v_1 = touch(state).rate();
        if (is_compressing && v_1 <= 0.0) {
            is_compressing = false;
            const double share = v_0 / (v_0 - v_1);  // v is as good as linear over a step
            result.compression_impulse = in_frame(impulse + share * (state.impulse - impulse));
        }
        result.peak_force = std::max(result.peak_force, F);
        result.peak_overlap = std::max(result.peak_overlap, x_1);
        if (!(std::isfinite(x_1))) break;
        const bool parts = x_1 <= contact_.threshold() && v_1 <= 0.0;
        const bool releases = F > 0.0 && !(contact_.force(x_1, v_1) > 0.0);
        if (may_not_pull() ? releases : parts)  // the last release counts
            contact_end = time + h * share_in_contact(h, x_0, v_0, x_1, v_1);
        time += h;
        if (parts) {
            result.status = CompliantStatus::separated;
            break;
        }
    }
    result.out_of_steps =
        result.status == CompliantStatus::still_touching && result.steps >= impact_.most_steps;
    finish(result, state);
    if (result.status == CompliantStatus::separated) result.duration = contact_end;
    return result;
}

}  // namespace

std::string_view to_string(CompliantStatus status) {
    switch (status) {
        case CompliantStatus::separated:
            return "separated";
        case CompliantStatus::still_touching:
            return "still_touching";
        case CompliantStatus::not_approaching:
            return "not_approaching";
        case CompliantStatus::not_finite:
            return "not_finite";
    }
    return "";
}

CompliantResult collide(const contact::Law& law, const CompliantImpact& impact) {
    const rigid::ContactProblem problem =
        contact_problem(impact.first, impact.second, impact.frame, impact.mu);
    if (!(problem.b.n > 0.0)) return {};
    return std::visit([&](const auto& each) { return Motion(each, impact, problem).run(); }, law);
}

}  // namespace stoss::impact
