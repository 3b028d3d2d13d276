#include <stoss/rigid/routh.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include <stoss/core/double_double.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/rigid/scalar_kernel.inl>

namespace stoss::rigid {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr int most_pieces = 100'000;
constexpr double stopped_share = 1e-15;  // of the first slip: as good as zero

/// A vector in the plane of contact.
struct Tangential {
    double t = 0.0, o = 0.0;
};
double dot(const Tangential& x, const Tangential& y) {
    return x.t * y.t + x.o * y.o;
}
double length(const Tangential& x) {
    return core::hypot(x.t, x.o);
}

/// a b - c d without cancellation (Kahan).
double difference_of_products(double a, double b, double c, double d) {
    const double cd = c * d;
    return std::fma(a, b, -cd) + std::fma(-c, d, cd);
}

/// What friction does in one direction of slip.
struct Direction {
    double growth;   ///< d|v_to|/dp
    double turning;  ///< |v_to| d(angle)/dp
    double reach;    ///< a lower bound of the order of the angle to where it does not turn
};

/// A straight piece of the path.
struct Straight {
    ContactVector impulse;     ///< per p
    ContactVector velocity;    ///< per p [1/kg]
    double length = infinite;  ///< p up to where the slip stops
    bool sticks = false;
};

/// The laws of one contact with friction.
class Friction {
  public:
    Friction(const ContactMatrix& A, double mu)
        : A_(A),
          mu_(mu),
          a_{A.nt, A.no},
          spread_(core::hypot(A.tt - A.oo, 2.0 * A.to)),
          steepest_(length(a_) + 4.0 * mu * spread_) {}

    const ContactMatrix& matrix() const { return A_; }
    double coefficient() const { return mu_; }

    /// The impulse per p while the contact slides along s.
    ContactVector sliding(const Tangential& s) const { return {1.0, -mu_ * s.t, -mu_ * s.o}; }

    Direction along(const Tangential& s) const {
        const Tangential Bs{A_.tt * s.t + A_.to * s.o, A_.to * s.t + A_.oo * s.o};
        const double across =  // of B s, across s
            (A_.oo - A_.tt) * (s.t * s.o) + A_.to * (s.t - s.o) * (s.t + s.o);
        const double trace = A_.tt + A_.oo, sBs = dot(s, Bs);
        const double a_along = dot(a_, s), a_across = a_.o * s.t - a_.t * s.o;
        const double f = a_along - mu_ * sBs, g = a_across - mu_ * across;
        const double g_1 = -a_along - mu_ * (trace - 2.0 * sBs);
        const double g_2 = -a_across + 4.0 * mu_ * across;
        const double size = std::abs(g);
        const double reach = std::min({size / std::abs(g_1), std::sqrt(2.0 * size / std::abs(g_2)),
                                       core::cbrt(6.0 * size / steepest_), size / std::abs(f)});
        return {f, g, reach};
    }

    /// True if the slip keeps its direction, up to the digits of an angle.
    bool is_straight(const Direction& direction) const {
        return direction.reach <= 1e-13 || direction.turning == 0.0 ||
               std::abs(direction.turning) <= 1e-15 * (length(a_) + mu_ * (A_.tt + A_.oo));
    }

    Straight sliding_straight(const Tangential& s, double speed, double growth) const {
        Straight piece;
        piece.impulse = sliding(s);
        piece.velocity = A_ * piece.impulse;
        if (growth < 0.0) piece.length = speed / -growth;
        return piece;
    }

    /// From zero slip: friction holds it, or it starts in the one direction in which it can grow.
    Straight from_rest() const {
        Tangential z = solve(1.0, 0.0, a_);  // friction -z per p would hold
        Straight piece;
        piece.sticks = length(z) <= mu_;
        if (piece.sticks) {
            piece.impulse = {1.0, -z.t, -z.o};
            piece.velocity = {rate_from_rest(0.0), 0.0, 0.0};
            return piece;
        }
        // Friction far below the last digit of a does not turn the slip. Its square would
        // underflow.
        if (const double size = length(a_); mu_ * (A_.tt + A_.oo) < 1e-30 * size)
            return starting({a_.t / size, a_.o / size}, size, A_.nn - mu_ * size);
        // (mu B + growth) s = a, |s| = 1: Newton's method on 1/|s|, monotonic from below.
        double growth = 0.0;
        for (int step = 0; step < 60; ++step) {
            z = solve(mu_, growth, a_);
            const double size = length(z), before = growth;
            growth += (size - 1.0) * size * size / dot(z, solve(mu_, growth, z));
            if (!(growth > before)) break;
        }
        const double size = length(z);
        return starting({z.t / size, z.o / size}, growth, rate_from_rest(growth / mu_));
    }

  private:
    /// The slip that starts along s and grows at that rate, dv_n/dp being `rate`.
    Straight starting(const Tangential& s, double growth, double rate) const {
        Straight piece;
        piece.impulse = sliding(s);
        piece.velocity = {rate, growth * s.t, growth * s.o};
        return piece;
    }

    /// A_nn - a.(B + shift)^-1 a > 0 as a ratio of determinants: the digits of the difference
    /// cancel. It is dv_n/dp from zero slip on.
    double rate_from_rest(double shift) const {
        using core::difference_of_products;
        using core::DoubleDouble;
        const double tt = A_.tt + shift, oo = A_.oo + shift;
        const DoubleDouble B = difference_of_products(tt, oo, A_.to, A_.to);
        const DoubleDouble A =
            DoubleDouble(A_.nn) * B -
            DoubleDouble(A_.nt) * difference_of_products(A_.nt, oo, A_.to, A_.no) +
            DoubleDouble(A_.no) * difference_of_products(A_.nt, A_.to, tt, A_.no);
        return double(A / B);
    }

    /// (factor B + shift)^-1 x.
    Tangential solve(double factor, double shift, const Tangential& x) const {
        const double tt = factor * A_.tt + shift, oo = factor * A_.oo + shift, to = factor * A_.to;
        const double determinant = difference_of_products(tt, oo, to, to);
        return {difference_of_products(oo, x.t, to, x.o) / determinant,
                difference_of_products(tt, x.o, to, x.t) / determinant};
    }

    ContactMatrix A_;
    double mu_;
    Tangential a_;
    double spread_;    // of the eigenvalues of the tangential block
    double steepest_;  // bounds the third derivative of `turning`
};

/// Where the path is, and how it goes on.
struct State {
    PathPoint point;
    Tangential s;        // direction of slip
    double speed = 0.0;  // of slip
};

/// Gauss's formula with four nodes as Runge-Kutta scheme, of order 8 (Butcher 1964).
struct Gauss {
    static constexpr std::size_t count = 4;
    std::array<double, count> node{}, weight{};
    std::array<std::array<double, count>, count> inner{};

    Gauss() {
        const double near = std::sqrt(3.0 / 7.0 - 2.0 / 7.0 * std::sqrt(1.2));
        const double far = std::sqrt(3.0 / 7.0 + 2.0 / 7.0 * std::sqrt(1.2));
        node = {0.5 - 0.5 * far, 0.5 - 0.5 * near, 0.5 + 0.5 * near, 0.5 + 0.5 * far};
        for (std::size_t j = 0; j < count; ++j) {
            weight[j] = integral(j, 1.0);
            for (std::size_t i = 0; i < count; ++i) inner[i][j] = integral(j, node[i]);
        }
    }

  private:
    /// Of the j-th polynomial of Lagrange, from 0 to `end`.
    double integral(std::size_t j, double end) const {
        std::array<double, count> polynomial{1.0};
        for (std::size_t k = 0, degree = 0; k < count; ++k) {
            if (k == j) continue;
            const double scale = 1.0 / (node[j] - node[k]);
            for (std::size_t m = ++degree; m > 0; --m)
                polynomial[m] = scale * (polynomial[m - 1] - node[k] * polynomial[m]);
            polynomial[0] *= -scale * node[k];
        }
        double sum = 0.0, power = 1.0;
        for (std::size_t m = 0; m < count; ++m) {
            power *= end;
            sum += polynomial[m] * power / double(m + 1);
        }
        return sum;
    }
};

Tangential rotated(const Tangential& s, double angle) {
    const double c = core::cos(angle), d = core::sin(angle);
    const Tangential turned{c * s.t - d * s.o, d * s.t + c * s.o};
    const double size = length(turned);
    return {turned.t / size, turned.o / size};
}

/// The state after the slip has turned by `angle`. The angle is the variable of integration: log
/// speed, p, the impulse and the work are then integrals one after the other.
State turned(const Friction& friction, const State& from, double angle) {
    static const Gauss gauss;
    constexpr std::size_t count = Gauss::count;
    std::array<double, count> slope{}, p_slope{}, speed{};
    std::array<ContactVector, count> x_slope{};
    double growth = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        const Tangential s = rotated(from.s, gauss.node[i] * angle);
        const Direction at = friction.along(s);
        slope[i] = at.growth / at.turning;
        p_slope[i] = 1.0 / at.turning;
        x_slope[i] = friction.sliding(s);
        growth += angle * gauss.weight[i] * slope[i];
    }
    for (std::size_t i = 0; i < count; ++i) {
        double log_speed = 0.0;
        for (std::size_t j = 0; j < count; ++j) log_speed += angle * gauss.inner[i][j] * slope[j];
        speed[i] = from.speed * core::exp(log_speed);
        p_slope[i] *= speed[i];
        x_slope[i] = p_slope[i] * x_slope[i];
    }
    ContactVector whole;
    double work = 0.0, slip_work = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        ContactVector x;
        for (std::size_t j = 0; j < count; ++j) x = x + angle * gauss.inner[i][j] * x_slope[j];
        const double v_n = from.point.velocity.n + (friction.matrix() * x).n;
        work += angle * gauss.weight[i] * p_slope[i] * v_n;
        slip_work -= angle * gauss.weight[i] * p_slope[i] * friction.coefficient() * speed[i];
        whole = whole + angle * gauss.weight[i] * x_slope[i];
    }
    State to;
    to.s = rotated(from.s, angle);
    to.speed = from.speed * core::exp(growth);
    to.point.impulse = from.point.impulse + whole;
    to.point.velocity = {from.point.velocity.n + (friction.matrix() * whole).n, to.speed * to.s.t,
                         to.speed * to.s.o};
    to.point.normal_work = from.point.normal_work + work;
    to.point.slip_work = from.point.slip_work + slip_work;
    return to;
}

/// What must rise to `target` for the path to go no further.
struct Goal {
    enum class Quantity { velocity, impulse, work };
    Quantity quantity;
    double target;

    double missing(const PathPoint& at) const {
        switch (quantity) {
            case Quantity::velocity:
                return target - at.velocity.n;
            case Quantity::impulse:
                return target - at.impulse.n;
            case Quantity::work:
                return target - at.normal_work;
        }
        return nan;
    }
};

/// The root of a function between two places where its signs differ: regula falsi of Illinois
/// (Dowell & Jarratt 1971).
template <class F>
double root_of(const F& function, double low, double at_low, double high, double at_high) {
    double best = high, least = std::abs(at_high);
    for (int step = 0, kept = 0; step < 200 && least > 0.0; ++step) {
        // From the nearer end: it may lie many orders of magnitude closer to the root.
        const double share = (high - low) / (at_high - at_low);
        const auto inside = [&](double x) {
            return x > std::min(low, high) && x < std::max(low, high);
        };
        double middle =
            std::abs(at_low) < std::abs(at_high) ? low - at_low * share : high - at_high * share;
        if (!inside(middle)) middle = 0.5 * (low + high);
        if (!inside(middle)) break;
        const double at_middle = function(middle);
        if (std::abs(at_middle) < least) {
            least = std::abs(at_middle);
            best = middle;
        }
        if ((at_middle < 0.0) == (at_low < 0.0)) {
            low = middle;
            at_low = at_middle;
            if (kept == 1) at_high *= 0.5;
            kept = 1;
        } else {
            high = middle;
            at_high = at_middle;
            if (kept == -1) at_low *= 0.5;
            kept = -1;
        }
    }
    return best;
}

/// A piece of the path from a state on: straight, or a step in which the slip turns.
class Piece {
  public:
    Piece(const Friction& friction, const State& from, const Straight& straight)
        : friction_(friction), from_(from), straight_(straight) {}
    Piece(const Friction& friction, const State& from, double angle)
        : friction_(friction), from_(from), angle_(angle), end_(turned(friction, from, angle)) {}

    bool is_endless() const { return straight_ && straight_->length == infinite; }

    State end() const { return straight_ ? ahead(straight_->length) : end_; }

    /// True if v_n falls.
    bool presses() const {
        return straight_ ? straight_->velocity.n < 0.0
                         : end_.point.velocity.n < from_.point.velocity.n;
    }

    /// Where the goal is reached; nothing if that is not on this piece.
    std::optional<State> reached(const Goal& goal) const {
        const double missing = goal.missing(from_.point);
        if (straight_) {
            const bool falls =
                goal.quantity == Goal::Quantity::velocity && !(straight_->velocity.n > 0.0);
            if (missing <= 0.0 && !falls) return from_;
            const double q = straight_way(goal, missing);
            if (falls || !(q <= straight_->length && q < infinite)) return std::nullopt;
            return ahead(q);
        }
        const double at_end = goal.missing(end_.point);
        if (at_end > 0.0) return std::nullopt;
        if (missing <= 0.0) return from_;
        return located(goal, missing, at_end);
    }

    /// Where v_n >= 0 falls back to 0; nothing if it does not.
    std::optional<State> fallen() const {
        const Goal still{Goal::Quantity::velocity, 0.0};
        const double v_n = from_.point.velocity.n;
        if (straight_) {
            const double k = straight_->velocity.n;
            if (!(k < 0.0) || v_n / -k > straight_->length) return std::nullopt;
            return ahead(v_n / -k);
        }
        if (!(end_.point.velocity.n < 0.0)) return std::nullopt;
        if (v_n <= 0.0) return from_;
        return located(still, -v_n, -end_.point.velocity.n);
    }

  private:
    /// p from the begin of a straight piece to the goal; no finite number if there is none.
    double straight_way(const Goal& goal, double missing) const {
        const double k = straight_->velocity.n, v_n = from_.point.velocity.n;
        switch (goal.quantity) {
            case Goal::Quantity::velocity:
                return missing / k;
            case Goal::Quantity::impulse:
                return missing;
            case Goal::Quantity::work:
                return 2.0 * missing / (v_n + std::sqrt(v_n * v_n + 2.0 * k * missing));
        }
        return nan;
    }

    State ahead(double q) const {
        State to = from_;
        const PathPoint& p = from_.point;
        const double k = straight_->velocity.n;
        to.point.impulse = p.impulse + q * straight_->impulse;
        to.point.velocity = p.velocity + q * straight_->velocity;
        to.point.normal_work += q * (p.velocity.n + 0.5 * q * k);
        if (q == straight_->length) {
            to.point.velocity.t = to.point.velocity.o = 0.0;
        }
        to.speed = core::hypot(to.point.velocity.t, to.point.velocity.o);
        if (!straight_->sticks)
            to.point.slip_work -= 0.5 * q * friction_.coefficient() * (from_.speed + to.speed);
        return to;
    }

    State located(const Goal& goal, double at_begin, double at_end) const {
        const auto missing = [&](double angle) {
            return goal.missing(turned(friction_, from_, angle).point);
        };
        const State near =
            turned(friction_, from_, root_of(missing, 0.0, at_begin, angle_, at_end));
        // Close to a direction that the slip keeps, the angle has too few digits: the rest is
        // straight.
        const Direction direction = friction_.along(near.s);
        const Piece rest{friction_, near,
                         friction_.sliding_straight(near.s, near.speed, direction.growth)};
        const double q = rest.straight_way(goal, goal.missing(near.point));
        const double whole = end_.point.impulse.n - from_.point.impulse.n;
        return std::abs(q * angle_) <= 1e-12 * whole ? rest.ahead(q) : near;
    }

    const Friction& friction_;
    State from_;
    std::optional<Straight> straight_;
    double angle_ = 0.0;
    State end_;
};

/// The way along the path.
class Path {
  public:
    Path(const ContactProblem& problem, double share)
        : problem_(problem), friction_(problem.A, problem.mu), share_(share) {
        state_.point.velocity = -1.0 * problem.b;
        state_.speed = first_speed_ = core::hypot(problem.b.t, problem.b.o);
        if (first_speed_ > 0.0)
            state_.s = {-problem.b.t / first_speed_, -problem.b.o / first_speed_};
    }

    const PathPoint& point() const { return state_.point; }
    const PathEvents& events() const { return events_; }
    bool sticks() const { return events_.sticks; }

    /// True if an impulse acts: the bodies approach, or slide and are pressed together by that.
    bool begins() const {
        if (problem_.b.n != 0.0) return problem_.b.n > 0.0;
        return state_.speed > 0.0 && (problem_.A * friction_.sliding(state_.s)).n < 0.0;
    }

    /// To the end of compression, and on to what the hypothesis says; false if it is not found.
    /// If the bodies approach again before, the compression ends later.
    bool follow(double e, Restitution hypothesis, PathPoint& compressed) {
        const Goal end_of_approach{Goal::Quantity::velocity, 0.0};
        Goal goal = end_of_approach;
        bool is_restoring = false;
        events_.compressions = 1;
        for (int count = 0; count < most_pieces; ++count) {
            const Piece piece = next();
            const std::optional<State> reached = piece.reached(goal);
            const std::optional<State> fallen = is_restoring ? piece.fallen() : std::nullopt;
            if (fallen && !(reached && reached->point.impulse.n <= fallen->point.impulse.n)) {
                settle(*fallen);
                is_restoring = false;
                goal = end_of_approach;
                ++events_.compressions;
            } else if (reached && is_restoring) {
                state_ = *reached;
                return true;
            } else if (reached) {
                settle(*reached);
                is_restoring = true;
                compressed = state_.point;
                goal = restitution_goal(e, hypothesis);
                if (e == 0.0) return true;
            } else if (piece.is_endless()) {
                return false;
            } else {
                if (!is_restoring && piece.presses()) events_.jams = true;
                pass(piece);
            }
        }
        return false;
    }

    /// To the normal impulse p.
    bool follow_to(double p) {
        const Goal goal{Goal::Quantity::impulse, p};
        for (int count = 0; count < most_pieces; ++count) {
            const Piece piece = next();
            if (const std::optional<State> reached = piece.reached(goal)) {
                state_ = *reached;
                return true;
            }
            if (piece.is_endless()) return false;
            pass(piece);
        }
        return false;
    }

  private:
    Goal restitution_goal(double e, Restitution hypothesis) const {
        const PathPoint& at = state_.point;
        switch (hypothesis) {
            case Restitution::newton:
                return {Goal::Quantity::velocity, e * problem_.b.n};
            case Restitution::poisson:
                return {Goal::Quantity::impulse, (1.0 + e) * at.impulse.n};
            case Restitution::stronge:
                return {Goal::Quantity::work, (1.0 - e * e) * at.normal_work};
        }
        return {Goal::Quantity::work, nan};
    }

    /// At a place where v_n = 0, to the last bit.
    void settle(const State& state) {
        state_ = state;
        state_.point.velocity.n = 0.0;
    }

    void pass(const Piece& piece) {
        state_ = piece.end();
        if (state_.speed <= stopped_share * first_speed_) {
            state_.speed = state_.point.velocity.t = state_.point.velocity.o = 0.0;
        }
    }

    Piece next() {
        if (problem_.mu == 0.0) {
            const ContactVector normal{1.0, 0.0, 0.0};
            return {friction_, state_, Straight{normal, problem_.A * normal, infinite, false}};
        }
        if (state_.speed == 0.0 || has_started_again_) {
            const Straight onward = friction_.from_rest();
            if (!events_.slip_stops) {
                events_.slip_stops = true;
                events_.stop_impulse = state_.point.impulse.n;
            }
            events_.sticks = onward.sticks;
            events_.slides_again = has_started_again_ = !onward.sticks;
            return {friction_, state_, onward};
        }
        const Direction direction = friction_.along(state_.s);
        if (friction_.is_straight(direction))
            return {friction_, state_,
                    friction_.sliding_straight(state_.s, state_.speed, direction.growth)};
        return {friction_, state_, std::copysign(share_ * direction.reach, direction.turning)};
    }

    const ContactProblem& problem_;
    Friction friction_;
    double share_;
    State state_;
    double first_speed_ = 0.0;
    bool has_started_again_ = false;
    PathEvents events_;
};

RouthImpact unsolved(ImpactStatus status) {
    const ContactSolution none =
        kernel::unsolved(status == ImpactStatus::invalid ? Status::invalid : Status::failed);
    RouthImpact result;
    result.impact = {status, none, none.impulse, none.velocity, none.dissipated_energy};
    return result;
}

ContactSolution solution_at(const ContactProblem& problem, const PathPoint& point, bool sticks) {
    const double eccentricity = problem.mu * core::hypot(problem.A.nt, problem.A.no) / problem.A.nn;
    ContactSolution solution;
    solution.status = Status::solved;
    solution.branch = problem.mu == 0.0 ? Branch::frictionless
                      : sticks          ? Branch::stick
                                        : Branch::slide;
    solution.conic = eccentricity < 1.0    ? Conic::ellipse
                     : eccentricity == 1.0 ? Conic::parabola
                                           : Conic::hyperbola;
    solution.impulse = point.impulse;
    solution.velocity = point.velocity;
    solution.multiplier = core::hypot(point.velocity.t, point.velocity.o);
    solution.dissipated_energy = point.dissipated_energy();
    return solution;
}

/// The impact of a problem in its scales.
RouthImpact scaled_impact(const ContactProblem& problem, double e, Restitution hypothesis,
                          double share) {
    Path path(problem, share);
    RouthImpact result;
    Impact& impact = result.impact;
    impact.status = ImpactStatus::solved;
    if (!path.begins()) {
        impact.compression = solution_at(problem, path.point(), false);
        impact.compression.branch = Branch::separate;
        impact.velocity = path.point().velocity;
        return result;
    }
    PathPoint compressed;
    if (!path.follow(e, hypothesis, compressed)) return unsolved(ImpactStatus::failed);
    const bool sticks =
        path.sticks() && compressed.velocity.t == 0.0 && compressed.velocity.o == 0.0;
    impact.compression = solution_at(problem, compressed, sticks);
    impact.impulse = path.point().impulse;
    impact.velocity = path.point().velocity;
    impact.dissipated_energy = path.point().dissipated_energy();
    // The work of compression bounds what roundoff is of. Friction takes energy only.
    if (impact.dissipated_energy < 1e-12 * compressed.normal_work)
        impact.status = ImpactStatus::gains_energy;
    result.events = path.events();
    return result;
}

}  // namespace

RouthImpact routh_impact(const ContactProblem& problem, double e, Restitution hypothesis,
                         double share) {
    if (!(e >= 0.0 && e <= 1.0) || !(share > 0.0 && share <= 1.0) || !is_valid(problem))
        return unsolved(ImpactStatus::invalid);
    const kernel::Scales scales(problem);
    RouthImpact result = scaled_impact(scales.scaled(problem), e, hypothesis, share);
    Impact& impact = result.impact;
    impact.compression = scales.in_units(impact.compression);
    impact.impulse = scales.impulse(impact.impulse);
    impact.velocity = scales.velocity(impact.velocity);
    impact.dissipated_energy = scales.energy(impact.dissipated_energy);
    result.events.stop_impulse = scales.impulse({result.events.stop_impulse, 0.0, 0.0}).n;
    const bool is_in_range = scales.is_finite(impact.impulse) && scales.is_finite(impact.velocity);
    return is_in_range ? result : unsolved(ImpactStatus::failed);
}

PathPoint routh_point(const ContactProblem& problem, double p, double share) {
    const PathPoint none{{nan, nan, nan}, {nan, nan, nan}, nan, nan};
    if (!(p >= 0.0 && p < infinite) || !(share > 0.0 && share <= 1.0) || !is_valid(problem))
        return none;
    const kernel::Scales scales(problem);
    const ContactProblem scaled = scales.scaled(problem);
    Path path(scaled, share);
    if (!path.follow_to(std::ldexp(p, scales.A - scales.b))) return none;
    const PathPoint& point = path.point();
    return {scales.impulse(point.impulse), scales.velocity(point.velocity),
            scales.energy(point.normal_work), scales.energy(point.slip_work)};
}

}  // namespace stoss::rigid
