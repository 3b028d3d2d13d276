#include <stoss/impact/restitution.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <stoss/contact/damping.hpp>
#include <stoss/contact/physical_input.hpp>
#include <stoss/core/bisection.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/core/text.hpp>
#include <stoss/time/extrapolation.hpp>

namespace stoss::impact {

namespace {

using core::Dual;

constexpr double tolerance = 1e-13;  // of the error estimate of a step, relative
constexpr double finest_tolerance = 4e-15;
constexpr double creeping = 1e-8;   // of v0: slower and slowing down is at rest
constexpr double slow = 1e-4;       // of v0: from there the law is what it is at small overlap
constexpr double near = 1e-6;       // of a step: from there an event is found by Taylor
constexpr double beside = 1e-9;     // of the overlap: a joint so near is behind the body
constexpr double unsure = 1e-9;     // of an elastic force: a weaker pull is an error of the rate
constexpr double amplified = 1e3;   // errors of e by the load: from there (13.8) gives e
constexpr double hopeless = 1e9;    // likewise: from there no dent is known well enough
constexpr int patience = 300;       // steps in which a body that is not overdamped turns or stops
constexpr int most_steps = 200000;  // a body that creeps out against strong damping takes many
constexpr int strongest_smoothing = 8;  // x = s^8 where no exponent is a whole multiple

/// A point of the motion. Its clock sigma runs with d(time) = q s^(q-1) d(sigma); primes are
/// derivatives by sigma.
struct Point {
    double s = 0.0;       // overlap = end + s^q
    double v = 0.0;       // rate of the overlap [m/s]; s' = v
    double time = 0.0;    // [s]
    double dv = 0.0;      // v'
    double ddv = 0.0;     // v''
    double dtime = 0.0;   // time'
    double ddtime = 0.0;  // time''
    double lost = 0.0;    // energy that damping took, by mass [m^2/s^2], where it is followed
    double dlost = 0.0;   // lost'
};

/// A point and the sigma that the way to it took.
struct Stage {
    Point point;
    double step;
};

using Stepper = time::ExtrapolatedStep<4>;
using State = Stepper::State;  // s, v, time, lost

State state(const Point& p) {
    return {p.s, p.v, p.time, p.lost};
}
State slope(const Point& p) {
    return {p.v, p.dv, p.dtime, p.dlost};
}

/// Hermite's quintic and its derivative at the fraction theta of a step.
std::pair<double, double> quintic(double theta, double step, const std::array<double, 3>& a,
                                  const std::array<double, 3>& b) {
    const double a1 = step * a[1], a2 = 0.5 * step * step * a[2];
    const double b1 = step * b[1], b2 = 0.5 * step * step * b[2];
    const double rise = b[0] - a[0] - a1 - a2, slope = b1 - a1 - 2.0 * a2, bend = b2 - a2;
    const double c3 = 10.0 * rise - 4.0 * slope + bend;
    const double c4 = -15.0 * rise + 7.0 * slope - 2.0 * bend;
    const double c5 = 6.0 * rise - 3.0 * slope + bend;
    const double t = theta;
    return {a[0] + t * (a1 + t * (a2 + t * (c3 + t * (c4 + t * c5)))),
            (a1 + t * (2.0 * a2 + t * (3.0 * c3 + t * (4.0 * c4 + t * 5.0 * c5)))) / step};
}

/// The motion inside a step: the quintics through values and two derivatives at both ends.
Point between(const Point& from, const Point& to, double step, double theta) {
    const auto [s, ds] = quintic(theta, step, {from.s, from.v, from.dv}, {to.s, to.v, to.dv});
    const auto [v, dv] = quintic(theta, step, {from.v, from.dv, from.ddv}, {to.v, to.dv, to.ddv});
    return {std::max(s, 0.0), v, 0.0, dv};
}

/// s^(q-1) for q = 1, 2, 4, 8.
template <class T>
T stretch_of(int q, const T& s) {
    if (q == 1) return T(1.0);
    if (q == 2) return s;
    const T cube = s * s * s;
    return q == 4 ? cube : cube * cube * s;
}

/// (1 - e^2) m v0^2/2 [J], and the work of the load on the way [m] that the impact leaves behind.
double energy_lost(const Impact& impact, double e, double way) {
    return 0.5 * impact.mass * impact.speed * impact.speed * (1.0 - e) * (1.0 + e) +
           impact.total_load() * way;
}

/// The part of the force that damps [N] (13.8): a force is affine in the rate. The force less its
/// elastic part would lose digits where little is damped.
template <contact::ContactLaw L>
double damping_force(const L& law, double x, double v, const typename L::Memory& memory) {
    return law.force(Dual(x), Dual::variable(v), memory).derivative * v;
}

/// The first overlap on the way from x to `end` that is not on the piece of x.
template <contact::ContactLaw L>
double joint_of_pieces(const L& law, const typename L::Memory& memory, double x, double end) {
    const int own_piece = law.piece(x, memory);
    double own = x, other = end;
    for (double middle = 0.5 * (own + other); middle != own && middle != other;
         middle = 0.5 * (own + other)) {
        (law.piece(middle, memory) == own_piece ? own : other) = middle;
    }
    return other;
}

/// The overlap [m] at which a way from `begin` to `end` first leaves a smooth curve of the force:
/// the kink of the loading curve, or the joint of two pieces. `edge`: where contact ends.
template <contact::ContactLaw L>
std::optional<double> joint_ahead(const L& law, const typename L::Memory& memory, double edge,
                                  double begin, double end) {
    const double sign = end > begin ? 1.0 : -1.0;
    // By roundoff a piece that ends with the contact may seem to end before.
    end = std::max(end, edge * (1.0 + 1e-15));
    std::optional<double> joint;
    if constexpr (contact::Hysteretic<L>) {
        const double kink = law.kink_overlap(memory);
        if (begin + beside * (begin - edge) < kink && kink < end) {
            joint = kink;
            end = std::nextafter(kink, 0.0);
        }
    }
    if constexpr (contact::Piecewise<L>) {
        const double ahead = std::nextafter(begin + sign * beside * (begin - edge), end);
        if (sign * (end - ahead) > 0.0 && law.piece(ahead, memory) != law.piece(end, memory))
            joint = joint_of_pieces(law, memory, ahead, end);
    }
    return joint;
}

/// Size of the overlap beyond its beginning [m]: where the law's elastic part has taken up the
/// energy of the motion [J] and the work of the load [N].
template <contact::ContactLaw L>
double overlap_scale(const L& law, const typename L::Memory& memory, double energy, double load) {
    const double begin = contact::begin_overlap(law, memory);
    double x = 1e-3;
    for (int iteration = 0; iteration < 100; ++iteration) {
        const double wanted = energy + load * x;
        const Dual stored = law.stored_energy(Dual::variable(begin + x), memory);
        if (!(stored.value > 0.0)) {
            x *= 4.0;
            continue;
        }
        const double power = std::clamp(x * stored.derivative / stored.value, 1.1, 10.0);
        const double factor = core::pow(wanted / stored.value, 1.0 / power);
        x *= factor;
        if (factor > 0.5 && factor < 2.0) break;
    }
    return x;
}

/// Sizes of the numbers of an impact.
struct Scales {
    Scales() = default;
    /// `x`: size of the overlap [m].
    Scales(double x, double speed, double load, double inverse_mass)
        : overlap(x),
          fastest_speed(std::sqrt(speed * speed + 2.0 * load * x * inverse_mass)),
          loaded_speed(std::sqrt(load * x * inverse_mass)),
          stretch(1.0 + 2.0 * load * x * inverse_mass / (speed * speed)) {}

    double overlap = 1.0;
    double fastest_speed = 0.0;
    double loaded_speed = 0.0;
    double stretch = 1.0;  // by how much the load amplifies relative errors of e
};

/// The motion of one body on one contact law. The variable s = (x - end)^(1/q) and its clock turn
/// the powers of the overlap into polynomials (theory/loaded_impact.md 13.2), so that a method of
/// high order keeps its order at onset and end.
template <contact::ContactLaw L>
class ContactMotion {
  public:
    ContactMotion(const L& law, const Impact& impact)
        : law_(contact::with_all_numbers(law)),
          speed_(impact.speed),
          mass_(impact.mass),
          load_(impact.total_load()),
          memory_(law.prepare({impact.mass, impact.separation})) {
        // A force that pulls the bodies in but may not hold them would give them energy.
        if (law_.force(0.0, 0.0, memory_) < 0.0)
            core::throw_if_any(contact::check_pulls(impact.separation));
        law_.onset(memory_, speed_);
        if constexpr (contact::Hysteretic<L>) law_.accept(memory_, impact.earlier_overlap, speed_);
        end_ = contact::end_overlap(law_, memory_);
        scales_ = Scales(overlap_scale(law_, memory_, 0.5 * mass_ * speed_ * speed_, load_), speed_,
                         load_, inverse_mass_);
        if constexpr (is_viscous) follows_loss_ = scales_.stretch > amplified;
        look_at_small_overlap();
    }

    Point start() const { return point({root(begin() - end_), speed_, 0.0, 0.0}); }
    /// Overlap at which contact ends [m].
    double end() const { return end_; }
    /// Overlap at which contact begins [m]: 0, or the dent of earlier impacts.
    double begin() const { return contact::begin_overlap(law_, memory_); }
    /// Energy [J] that the contact gives back.
    double stored_energy(double x) const { return law_.stored_energy(x, memory_); }
    const Scales& scales() const { return scales_; }

    double root(double depth) const { return depth > 0.0 ? core::pow(depth, 1.0 / q_) : 0.0; }
    double force(const Point& p) const { return law_.force(overlap(p.s), p.v, memory_); }
    /// The force [N] that errors of the rate can make of 0: a body that creeps out against a damper
    /// feels the difference of two large parts, which may tend to 0 from above.
    double least_pull(const Point& p) const {
        return -unsure * law_.force(overlap(p.s), 0.0, memory_);
    }
    template <class T>
    T overlap(const T& s) const {
        return end_ + stretch_of(q_, s) * s;
    }

    /// (13.2): derivatives by sigma.
    State rate(const State& y) const {
        const double stretch = stretch_of(q_, y[0]), x = end_ + stretch * y[0];
        const double acceleration = (load_ - law_.force(x, y[1], memory_)) * inverse_mass_;
        const double power =
            follows_loss_ ? damping_force(law_, x, y[1], memory_) * y[1] * inverse_mass_ : 0.0;
        return {y[1], q_ * stretch * acceleration, q_ * stretch, q_ * stretch * power};
    }

    Point point(const State& y) const {
        const State slope = rate(y);
        const Dual s(y[0], y[1]), v(y[1], slope[1]);
        const Dual acceleration = (load_ - law_.force(overlap(s), v, memory_)) * inverse_mass_;
        const double ddv = (q_ * stretch_of(q_, s) * acceleration).derivative;
        const double ddtime = (q_ * stretch_of(q_, s)).derivative;
        return {.s = y[0],
                .v = y[1],
                .time = y[2],
                .dv = slope[1],
                .ddv = std::isfinite(ddv) ? ddv : 0.0,
                .dtime = slope[2],
                .ddtime = ddtime,
                .lost = y[3],
                .dlost = slope[3]};
    }

    /// The point a tiny step further, by Taylor's polynomial.
    Point moved(const Point& p, double step) const {
        const double s = p.s + step * (p.v + step * (p.dv / 2.0 + step * p.ddv / 6.0));
        const double v = p.v + step * (p.dv + step * p.ddv / 2.0);
        return point(
            {s, v, p.time + step * (p.dtime + step * p.ddtime / 2.0), p.lost + step * p.dlost});
    }

    /// Contact force with its derivative along the motion.
    Dual force_along(const Point& p) const {
        return law_.force(overlap(Dual(p.s, p.v)), Dual(p.v, p.dv), memory_);
    }

    /// True if the contact gives back all that it took: e = 1, whatever roundoff makes of it.
    bool is_conservative() const { return L::is_elastic && end_ == 0.0; }

    /// True if a body on its way out never gets there (13.5).
    bool creeps(const Point& p) const {
        if (is_conservative() || !(p.dv > 0.0) || -p.v > slow * speed_) return false;
        const double x = overlap(p.s) - end_;
        const double deceleration = p.dv / p.dtime;
        return -p.v < creeping * speed_ || x * deceleration > trapped_above_ * p.v * p.v;
    }

    /// True if the energy left cannot lift the body off its contact against the load (13.5).
    /// Damping only takes from it.
    bool is_bound(const Point& p) const {
        if (is_conservative()) return false;
        if (follows_loss_) return p.lost > 0.5 * speed_ * speed_;
        const double x = overlap(p.s);
        const double stored = law_.stored_energy(x, memory_) - law_.stored_energy(end_, memory_);
        return 0.5 * mass_ * p.v * p.v + stored < load_ * (x - end_);
    }

    /// True if what damping takes is integrated beside the motion. Under a large load the energy
    /// that is left at the end is a small difference in the motion, but not in what was lost.
    bool follows_loss() const { return follows_loss_; }

    /// Speed [m/s] on the way out. Of an elastic law the energies give it to the last digit: the
    /// body has what it brought and what the load did, less what the contact holds.
    double speed_out(const Point& p) const {
        if (!L::is_elastic) return -p.v;
        const double x = overlap(p.s);
        const double change = 2.0 * inverse_mass_ * (load_ * x - law_.stored_energy(x, memory_));
        return speed_ * std::sqrt(std::max(0.0, 1.0 + change / (speed_ * speed_)));
    }

    /// Overlap at which the law carries the load; the body is at a smaller depth or above `p`.
    double balance(const Point& p) const {
        double low = end_, high = overlap(p.s);
        if (!(high > end_)) high = end_ + scales_.overlap;
        while (law_.force(high, 0.0, memory_) < load_) high += high - end_;
        for (int halving = 0; halving < 100; ++halving) {
            const double middle = 0.5 * (low + high);
            (law_.force(middle, 0.0, memory_) < load_ ? low : high) = middle;
        }
        return high;
    }
    /// Speed^2 [m^2/s^2] that is left at the end of overlap if only the load acts from `p` on.
    double free_speed_squared(const Point& p) const {
        const double x = overlap(p.s);
        if (follows_loss_) {  // what the load gave on the way in it takes on the way out
            const double stored = inverse_mass_ * law_.stored_energy(x, memory_);
            return speed_ * speed_ - 2.0 * (p.lost + stored);
        }
        const double speed = speed_out(p);
        return speed * speed - 2.0 * load_ * inverse_mass_ * (x - end_);
    }

    /// s where a way from s = `from` to s = `to` first leaves a smooth curve of the force, or just
    /// beyond it: the law is on the other side there.
    std::optional<double> joint_between(double from, double to) const {
        const auto joint = joint_ahead(law_, memory_, end_, overlap(from), overlap(to));
        if (!joint) return std::nullopt;
        const double sign = to > from ? 1.0 : -1.0;
        double s = root(*joint - end_);
        while (sign * (*joint - overlap(s)) > 0.0) s = std::nextafter(s, sign * core::infinity);
        return s;
    }

    /// The memory of the law moves on with a step.
    void accept(const Point& p) { law_.accept(memory_, overlap(p.s), p.v); }
    /// The largest overlap is reached at `p`; the motion starts anew from there.
    Point turn(const Point& p) {
        const double deepest = overlap(p.s);
        law_.accept(memory_, deepest, 0.0);
        end_ = contact::end_overlap(law_, memory_);
        return point({root(deepest - end_), 0.0, p.time, p.lost});
    }

  private:
    /// Damping by the rate alone takes energy: no dent and no attraction does.
    static constexpr bool is_viscous =
        !L::is_elastic && !requires(const L law, typename L::Memory memory) {
        law.end_overlap(memory);
    };

    /// Exponents of the force at small overlap, elastic part x^n and damping part x^b v: decide on
    /// q, the least of 1, 2, 4, 8 that makes whole numbers of them or leaves seven derivatives, and
    /// on what creeps (13.5).
    void look_at_small_overlap() {
        const double small = begin() > 0.0 ? 1e-5 : 1e-12;  // beside a dent 1e-12 is lost
        const Dual at = Dual::variable(begin() + small * scales_.overlap);
        const double x = at.value - begin();
        const Dual elastic = law_.force(at, Dual(0.0), memory_);
        const Dual damping = law_.force(at, Dual(speed_), memory_) - elastic;
        const double n = elastic.derivative * x / elastic.value;
        const double b = damping.derivative * x / damping.value;
        // A force that pulls at the end of contact ends like a square root, or beside one.
        q_ = law_.force(end_, 0.0, memory_) < 0.0 ? 2 : 1;
        for (const double exponent : {n, damping.value == 0.0 ? 0.0 : b}) {
            const auto is_smooth = [&] {
                const bool is_whole = std::abs(q_ * exponent - std::round(q_ * exponent)) < 1e-6;
                return is_whole || q_ * (exponent + 1.0) >= 8.0;
            };
            while (q_ < strongest_smoothing && !is_smooth()) q_ *= 2;
        }
        if (2.0 * b <= n - 1.0 + 1e-9) trapped_above_ = 0.5 * (n + 1.0) * (1.0 - 1e-9);
    }

    const L& law_;
    double speed_, mass_, load_;
    double inverse_mass_ = 1.0 / mass_;
    typename L::Memory memory_;
    double end_ = 0.0;
    Scales scales_;
    int q_ = 1;
    double trapped_above_ = core::infinity;
    bool follows_loss_ = false;
};

/// Steps of the motion, by extrapolation with an estimate of the error.
template <contact::ContactLaw L>
class MotionSteps {
  public:
    explicit MotionSteps(const ContactMotion<L>& motion)
        : motion_(motion),
          tolerance_(std::max(tolerance / motion.scales().stretch, finest_tolerance)) {}

    /// From here on e is known; only where the body comes to rest is still asked for. A rate near 0
    /// is then a difference of forces that cancel.
    void relax() {
        tolerance_ = tolerance;
        least_rate_ = 0.01 * motion_.scales().loaded_speed;
    }

    double first_step(const Point& start) const {
        const double fastest = motion_.scales().fastest_speed;
        const double s = start.s + 0.25 * motion_.root(motion_.scales().overlap);
        const double braking = std::abs(motion_.rate({s, start.v, 0.0, 0.0})[1]);
        return std::min(0.25 * motion_.root(motion_.scales().overlap) / fastest,
                        0.5 * start.v / braking);
    }

    /// One step; nullopt if it was too long. `growth` is what to multiply the step with.
    std::optional<Point> advance(const Point& from, double step, double& growth) {
        const State y = state(from);
        stepper_.advance([this](const State& at) { return motion_.rate(at); }, y, slope(from),
                         step);
        const double error = relative_error(stepper_, y, 0);
        growth =
            std::clamp(0.9 * core::pow(error + 1e-12, -1.0 / Stepper::order_of_estimate), 0.1, 2.5);
        if (!(error <= 1.0)) {
            growth = std::isfinite(error) ? std::min(growth, 0.8) : 0.1;
            return std::nullopt;
        }
        return motion_.point(stepper_.end());
    }

    /// One step to s = `target` with s as independent variable: it ends exactly there and needs no
    /// force beyond, where contact is over or the force is another curve. nullopt if the motion is
    /// not smooth enough for one step.
    std::optional<Stage> land(const Point& from, double target) {
        const auto by_overlap = [this](const std::array<double, 5>& y) {
            const State slope = motion_.rate({y[0], y[1], y[2], y[3]});
            return std::array{1.0, slope[1] / y[1], slope[2] / y[1], slope[3] / y[1], 1.0 / y[1]};
        };
        const std::array<double, 5> y{from.s, from.v, from.time, from.lost, 0.0};
        lander_.advance(by_overlap, y, by_overlap(y), target - from.s);
        const auto& [s, v, time, lost, sigma] = lander_.end();
        const bool is_smooth =
            relative_error(lander_, y, 1) <= 1.0 && v * from.v > 0.0 && std::isfinite(v);
        if (!is_smooth) return std::nullopt;
        return Stage{motion_.point({target, v, time, lost}), sigma};
    }

    /// The point a part of a step further.
    Point part(const Point& from, double step) {
        stepper_.advance([this](const State& at) { return motion_.rate(at); }, state(from),
                         slope(from), step);
        return motion_.point(stepper_.end());
    }

  private:
    /// Largest estimated error of s, v (from component `first` on) and time, each relative to its
    /// own size, in units of the tolerance.
    template <std::size_t N>
    double relative_error(const time::ExtrapolatedStep<N>& step, const std::array<double, N>& from,
                          std::size_t first) const {
        double error = 0.0;
        for (std::size_t i = first; i < 3; ++i) {
            const double size =
                std::max({std::abs(from[i]), std::abs(step.end()[i]), i == 1 ? least_rate_ : 0.0});
            const double relative = std::abs(step.error()[i]) / (tolerance_ * size);
            if (std::isnan(relative)) return relative;
            error = std::max(error, relative);
        }
        return error;
    }

    const ContactMotion<L>& motion_;
    double tolerance_;         // the load amplifies errors of e
    double least_rate_ = 0.0;  // errors of a smaller rate are relative to this one
    Stepper stepper_;
    time::ExtrapolatedStep<5> lander_;
};

/// True if a body that is bound comes to rest where the law carries the load, and has no way to
/// there worth following. It slows down like an exponential that ends there; or it does not turn
/// `at_last`, after many steps, and so is overdamped. Beyond that place a body turns.
template <class Motion>
bool comes_to_rest(const Motion& motion, const Point& p, bool at_last) {
    const double way = -p.v * p.v * p.dtime / p.dv;  // what an exponential has left
    const double x = motion.overlap(p.s);
    const bool fades = p.v * p.ddv > 0.5 * p.dv * p.dv;
    const bool is_short = fades && std::abs(way) < 1e-4 * (x - motion.end());
    if (!(p.v * p.dv < 0.0) || !(is_short || at_last)) return false;
    const double left = motion.balance(p) - x;
    return left * p.v > 0.0 && (at_last || std::abs(left - way) < 0.5 * std::abs(way));
}

/// True if the load does so much work on a way [m] that no dent is known well enough.
bool is_hidden(const Impact& impact, double way) {
    const double energy = 0.5 * impact.mass * impact.speed * impact.speed;
    return impact.total_load() * way > hopeless * energy;
}

/// The point on the way out of a released body at which the law pushes again
/// (theory/contact_laws.md 8.24); none if it does not. Until then the load alone acts.
template <class Motion>
std::optional<Point> next_push(const Motion& motion, const Impact& impact, const Point& released) {
    const double top = motion.overlap(released.s);
    const double deceleration = impact.total_load() / impact.mass;
    const auto at = [&](double s) {
        const double fallen = 2.0 * deceleration * (top - motion.overlap(s));
        return Point{.s = s, .v = -std::sqrt(std::max(0.0, released.v * released.v - fallen))};
    };
    const auto pushes = [&](double s) { return motion.force(at(s)) > 0.0; };
    constexpr double part = 0.8, smallest = 1e-6;
    double s = part * released.s;
    while (!pushes(s)) {
        s *= part;
        if (!(s > smallest * released.s)) return std::nullopt;
    }
    const Point again = at(core::geometric_bisection(s, s / part, pushes));
    const double x = motion.overlap(again.s);
    const double time = 2.0 * (top - x) / -(released.v + again.v);
    const double lost = motion.stored_energy(top) - motion.stored_energy(x);
    return motion.point(
        {again.s, again.v, released.time + time, released.lost + lost / impact.mass});
}

/// One impact on one law: compression, the turn, expansion, and the event that ends it.
template <contact::ContactLaw L>
class PointImpact {
  public:
    PointImpact(const L& law, const Impact& impact) : impact_(impact), motion_(law, impact) {}

    /// `path` gets points of the motion, if it is not null.
    Restitution run(bool with_peaks, std::vector<PathPoint>* path = nullptr) {
        core::throw_if_stopped();
        path_ = path;
        with_peaks_ = with_peaks;
        const Point start = motion_.start();
        if (!std::isfinite(start.dv)) return {};
        peak_ = motion_.force(start);
        if (path_) path_->push_back({0.0, begin_, impact_.speed, peak_});
        return follow(start, steps_.first_step(start), true);
    }

  private:
    static constexpr bool has_joints = contact::Hysteretic<L> || contact::Piecewise<L>;

    /// The motion from a point on, in compression or on the way out, to the end of the impact.
    Restitution follow(Point now, double step, bool compressing) {
        for (int count = 0; count < most_steps; ++count) {
            const auto target =
                compressing ? motion_.joint_between(now.s, now.s + step * now.v) : end_ahead(now);
            if (target && step * std::abs(now.v) > 0.5 * std::abs(*target - now.s)) {
                if (const auto landing = steps_.land(now, *target)) {
                    if (*target == 0.0) return leave(now, *landing);
                    if (compressing) {
                        if (with_peaks_) note_peaks(now, *landing);
                        step = std::max(step, steps_.first_step(landing->point));
                    } else if (const auto freed = release_in_step(now, *landing)) {
                        return *freed;
                    }
                    now = reach(now, *landing);
                    continue;
                }
                step = std::min(step, 0.5 * std::abs((*target - now.s) / now.v));
            }
            double growth = 1.0;
            const auto next = steps_.advance(now, step, growth);
            if (!next || passes(now, *next, step, compressing)) {
                step *= next ? 0.5 : growth;
                continue;
            }
            if (compressing) {
                if (!(next->v > 0.0)) {
                    now = turn(now, *next, step);
                    if (contact::Hysteretic<L> && is_hidden(impact_, deepest_ - begin_)) return {};
                    compressing = false;
                    continue;
                }
                if (with_peaks_) note_peaks(now, {*next, step});
            } else {
                if (next->v >= 0.0) return stop(now, *next, step);
                if (const auto freed = release_in_step(now, {*next, step})) return *freed;
                if (motion_.creeps(*next)) return stick(*next);
            }
            record(now, {*next, step});
            if (motion_.is_bound(*next)) {
                if (!with_peaks_) return stick(*next);
                if (comes_to_rest(motion_, *next, count > patience)) return rest(*next);
                steps_.relax();
            }
            now = *next;
            motion_.accept(now);
            step *= growth;
        }
        return {};
    }

    /// The instant between two points of a step at which an event that is positive before becomes
    /// zero (13.4): guessed on the interpolant, then by Newton's method on steps of its own.
    template <class Value>
    Stage find(const Point& from, const Point& to, double step, const Value& value) {
        double low = 0.0, high = 1.0;
        for (int halving = 0; halving < 40; ++halving) {
            const double middle = 0.5 * (low + high);
            (value(between(from, to, step, middle)).value > 0.0 ? low : high) = middle;
        }
        double theta = 0.5 * (low + high);
        low = 0.0, high = 1.0;
        Point at = from;
        for (int iteration = 0; iteration < 60; ++iteration) {
            at = steps_.part(from, theta * step);
            const Dual event = value(at);
            const double correction = -event.value / event.derivative;
            if (std::abs(correction) < near * step)
                return {motion_.moved(at, correction), theta * step + correction};
            (event.value > 0.0 ? low : high) = theta;
            theta += correction / step;
            if (!(theta > low && theta < high)) theta = 0.5 * (low + high);
        }
        return {at, theta * step};
    }

    /// s where contact ends, or of the first joint on the way out.
    std::optional<double> end_ahead(const Point& from) const {
        return motion_.joint_between(from.s, 0.0).value_or(0.0);
    }
    /// True if a step passes a joint or the end of contact. One that turns may pass a joint twice.
    bool passes(const Point& from, const Point& to, double step, bool compressing) const {
        if (!compressing) return !(to.s > *end_ahead(from));
        if (!(to.s > 0.0)) return true;
        if constexpr (!has_joints) return false;
        double low = 0.0, high = 1.0;
        for (int halving = 0; to.v < 0.0 && halving < 40; ++halving) {
            const double middle = 0.5 * (low + high);
            (between(from, to, step, middle).v > 0.0 ? low : high) = middle;
        }
        return motion_.joint_between(from.s, between(from, to, step, high).s).has_value();
    }

    /// Keeps the highest maximum of the force inside a step of compression.
    void note_peaks(const Point& from, const Stage& to) {
        peak_ = std::max(peak_, motion_.force(to.point));
        constexpr int parts = 8;
        double before = motion_.force_along(from).derivative;
        for (int i = 1; i <= parts; ++i) {
            const double theta = static_cast<double>(i) / parts;
            const Point at = between(from, to.point, to.step, theta);
            const double slope = motion_.force_along(at).derivative;
            if (before > 0.0 && slope <= 0.0) raise_peak(from, to, theta - 1.0 / parts, theta);
            before = slope;
        }
    }

    /// The maximum of the force between two fractions of a step: where its derivative vanishes on
    /// the interpolant; there its value is as good as the step's own. Outside of the step the force
    /// may be another curve.
    void raise_peak(const Point& from, const Stage& to, double low, double high) {
        const double step = to.step;
        for (int halving = 0; halving < 30; ++halving) {
            const double middle = 0.5 * (low + high);
            const Point at = between(from, to.point, step, middle);
            (motion_.force_along(at).derivative > 0.0 ? low : high) = middle;
        }
        double done = low * step;
        for (int iteration = 0; iteration < 4; ++iteration) {
            const Point at = steps_.part(from, done);
            // The derivative is known exactly, its own slope well enough from the interpolant.
            const double back = std::min(1e-3 * step, done);
            const double ahead = std::min(1e-3 * step, step - done);
            const double slope = motion_.force_along(at).derivative;
            const double bend = (motion_.force_along(motion_.moved(at, ahead)).derivative -
                                 motion_.force_along(motion_.moved(at, -back)).derivative) /
                                (ahead + back);
            const double correction = bend < 0.0 ? -slope / bend : 0.0;
            const bool is_near = std::abs(correction) < 1e-4 * step;
            peak_ = std::max(peak_, motion_.force(at) + (is_near ? 0.5 * slope * correction : 0.0));
            if (is_near) return;
            done = std::clamp(done + correction, 0.0, step);
        }
    }

    /// The way ends at a joint, which a step may not pass.
    Point reach(const Point& from, const Stage& joint) {
        record(from, joint);
        motion_.accept(joint.point);
        return joint.point;
    }

    Point turn(const Point& from, const Point& to, double step) {
        const Stage stage = find(from, to, step, [](const Point& p) { return Dual(p.v, p.dv); });
        record(from, stage);
        // Where there are joints the step may fall back to another curve beyond the turn.
        if (with_peaks_) note_peaks(from, has_joints ? stage : Stage{to, step});
        Point top = stage.point;
        top.v = 0.0;
        deepest_ = motion_.overlap(top.s);
        peak_ = std::max(peak_, motion_.force(top));
        return motion_.turn(top);
    }

    /// Adds the way to a point to the path, the point itself included.
    void record(const Point& from, const Stage& to) {
        if (path_ == nullptr) return;
        constexpr int parts = 12;
        for (int i = 1; i <= parts; ++i) {
            const double theta = static_cast<double>(i) / parts;
            const Point p = between(from, to.point, to.step, theta);
            const double time = quintic(theta, to.step, {from.time, from.dtime, from.ddtime},
                                        {to.point.time, to.point.dtime, to.point.ddtime})
                                    .first;
            path_->push_back({time, motion_.overlap(p.s), p.v, motion_.force(p)});
        }
    }

    /// The end of overlap is reached; under `zero_force` the force may have vanished before.
    Restitution leave(const Point& from, const Stage& landing) {
        const Point& end = landing.point;
        if (impact_.separation == contact::Separation::zero_force) {
            Point just_before = end;
            just_before.s = 1e-5 * from.s;
            if (motion_.force(just_before) < motion_.least_pull(just_before))
                return release(from, end, landing.step);
            if (const auto freed = release_inside(from, landing)) return *freed;
        }
        record(from, landing);
        if (motion_.follows_loss()) return freed(end);
        const double speed = motion_.speed_out(end);
        return speed > 0.0 ? finished(speed, end) : stick(end);
    }

    bool is_released(const Point& p) const { return !(motion_.force(p) > motion_.least_pull(p)); }

    /// Where the force vanishes in a step, if it may not pull.
    std::optional<Restitution> release_in_step(const Point& from, const Stage& to) {
        if (impact_.separation != contact::Separation::zero_force) return std::nullopt;
        if (is_released(to.point)) return release(from, to.point, to.step);
        return release_inside(from, to);
    }
    /// A damper that grows over a depth may win inside a step and lose again before its end.
    std::optional<Restitution> release_inside(const Point& from, const Stage& to) {
        if constexpr (!contact::Piecewise<L>) return std::nullopt;
        constexpr int parts = 8;
        for (int i = 1; i < parts; ++i) {
            const double theta = static_cast<double>(i) / parts;
            if (!is_released(between(from, to.point, to.step, theta))) continue;
            const Point at = steps_.part(from, theta * to.step);
            if (is_released(at)) return release(from, at, theta * to.step);
        }
        return std::nullopt;
    }

    /// The force vanishes within a step. The load alone acts on what overlap is left, unless the
    /// law pushes again.
    Restitution release(const Point& from, const Point& to, double step) {
        const Stage stage =
            find(from, to, step, [this](const Point& at) { return motion_.force_along(at); });
        record(from, stage);
        if constexpr (contact::Piecewise<L>) {
            if (const auto again = next_push(motion_, impact_, stage.point)) {
                if (path_)
                    path_->push_back({again->time, motion_.overlap(again->s), again->v, 0.0});
                return follow(*again, 0.1 * again->s / -again->v, false);
            }
        }
        return freed(stage.point);
    }

    /// The body comes to rest where the law carries the load.
    Restitution rest(Point p) {
        const double x = motion_.balance(p);
        deepest_ = std::max(deepest_, x);
        p.s = motion_.root(x - motion_.end());
        return stick(p);
    }

    /// The body stops within a step: it stays in contact (13.3).
    Restitution stop(const Point& from, const Point& to, double step) {
        const Stage stage = find(from, to, step, [](const Point& p) { return Dual(-p.v, -p.dv); });
        record(from, stage);
        // Under a very large load the motion itself does not know the small speed that is left.
        if (motion_.is_conservative()) return finished(impact_.speed, stage.point);
        if (motion_.follows_loss() && !motion_.is_bound(stage.point)) return freed(stage.point);
        return stick(stage.point);
    }

    /// From `p` on the load alone acts, or the overlap is gone.
    Restitution freed(const Point& p) const {
        const double rest = motion_.free_speed_squared(p);
        return rest > 0.0 ? finished(std::sqrt(rest), p) : stick(p);
    }

    Restitution stick(const Point& p) const {
        Restitution result = finished(0.0, p);
        result.status = ImpactOutcome::sticks;
        result.duration = core::infinity;
        if (!with_peaks_) return result;
        const double rest = motion_.balance(p);
        result.energy_lost = energy_lost(impact_, 0.0, rest - begin_) - motion_.stored_energy(rest);
        return result;
    }

    Restitution finished(double rebound_speed, const Point& p) const {
        const double e = rebound_speed / impact_.speed;
        return {.status = ImpactOutcome::rebounds,
                .cor = e,
                .duration = p.time,
                .peak_force = peak_,
                .peak_overlap = deepest_,
                .end_overlap = motion_.overlap(p.s),
                .rebound_overlap = motion_.end(),
                .energy_lost = energy_lost(impact_, e, motion_.end() - begin_)};
    }

    Impact impact_;
    ContactMotion<L> motion_;
    double begin_ = motion_.begin();
    bool with_peaks_ = false;
    MotionSteps<L> steps_{motion_};
    double peak_ = 0.0, deepest_ = 0.0;
    std::vector<PathPoint>* path_ = nullptr;
};

/// e where a closed form is known: without load, by Lambert's W for Hunt and Crossley's law and by
/// the damped oscillation for Kelvin and Voigt's.
template <contact::ContactLaw L>
std::optional<double> closed_form(const L& law, const Impact& impact) {
    if (impact.total_load() != 0.0) return std::nullopt;
    auto memory = contact::with_all_numbers(law).prepare({impact.mass, impact.separation});
    law.onset(memory, impact.speed);
    if constexpr (std::is_same_v<L, contact::HuntCrossley>)
        return contact::hunt_crossley_restitution(memory.damping_factor * impact.speed);
    if constexpr (std::is_same_v<L, contact::KelvinVoigt>) {
        const double critical = 2.0 * std::sqrt(*law.stiffness * impact.mass);
        return contact::oscillator_restitution(memory.damping / critical, impact.separation);
    }
    return std::nullopt;
}

/// Walton and Braun's law on a fresh spot, under any load: two parts of oscillations, about F/k_1
/// and about x_p + F/k_2, each over the same angle; e^2 = k_1/k_2. Its motion loses e under a large
/// load.
template <contact::ContactLaw L>
std::optional<Restitution> closed_impact(const L& law, const Impact& impact) {
    if constexpr (std::is_same_v<L, contact::WaltonBraun>) {
        if (impact.earlier_overlap != 0.0) return std::nullopt;
        const contact::WaltonBraun& numbers = contact::with_all_numbers(law);
        const double m = impact.mass, v = impact.speed, load = impact.total_load();
        const double k = *numbers.stiffness;
        const double e = numbers.restitution ? *numbers.restitution
                                             : std::sqrt(k / *numbers.unloading_stiffness);
        const double unloaded = std::sqrt(k * m) * v;  // peak force without load [N]
        const double peak = load + core::hypot(unloaded, load);
        const double angle = std::numbers::pi - core::atan2(unloaded, load);
        if (!std::isfinite(peak / k) || !(e > 0.0)) return std::nullopt;
        const double dent = (1.0 - e) * (1.0 + e) * (peak / k);
        return Restitution{.status = ImpactOutcome::rebounds,
                           .cor = e,
                           .duration = angle * std::sqrt(m / k) * (1.0 + e),
                           .peak_force = peak,
                           .peak_overlap = peak / k,
                           .end_overlap = dent,
                           .rebound_overlap = dent,
                           .energy_lost = energy_lost(impact, e, dent)};
    }
    return std::nullopt;
}

/// What the motion found, with e and the energy lost of the closed form, where there is one.
template <contact::ContactLaw L>
Restitution with_closed_form(Restitution result, const L& law, const Impact& impact) {
    if (result.status != ImpactOutcome::rebounds) return result;
    if (const auto e = closed_form(law, impact)) {
        result.cor = *e;
        result.energy_lost = energy_lost(impact, *e, 0.0);
    }
    return result;
}

template <class Use>
auto with_impact(const contact::Law& law, const Impact& impact, const Use& use) {
    core::throw_if_any(check(impact));
    return std::visit([&](const auto& each) { return use(each); }, law);
}

}  // namespace

std::string_view to_string(ImpactOutcome outcome) {
    switch (outcome) {
        case ImpactOutcome::rebounds:
            return "rebounds";
        case ImpactOutcome::sticks:
            return "sticks";
        case ImpactOutcome::failed:
            break;
    }
    return "failed";
}

std::vector<core::Violation> check(const Impact& impact) {
    auto violations = core::check_number("speed", impact.speed, core::positive, "m/s", "");
    const auto add = [&](std::vector<core::Violation> more) {
        core::append(std::move(more), violations);
    };
    add(core::check_number("mass", impact.mass, core::positive, "kg", ""));
    add(core::check_number("gravity", impact.gravity, core::finite, "m/s^2"));
    add(core::check_number("load", impact.load, core::finite, "N"));
    add(core::check_number("earlier_overlap", impact.earlier_overlap, core::non_negative, "m"));
    if (!violations.empty()) return violations;
    if (const double total = impact.total_load(); total < 0.0) {
        const bool is_gravity = impact.mass * impact.gravity < impact.load;  // that pulls more
        violations.push_back(
            {is_gravity ? "gravity" : "load",
             is_gravity ? core::with_unit(impact.gravity, "m/s^2")
                        : core::with_unit(impact.load, "N"),
             fmt::format("pulls the body away from its contact: m g + F = {:.4g} N, must be >= 0",
                         total),
             fmt::format("{} towards the contact is positive", is_gravity ? "gravity" : "a load")});
    }
    return violations;
}

Restitution restitution(const contact::Law& law, const Impact& impact) {
    return with_impact(law, impact, [&]<class L>(const L& each) {
        if (const auto closed = closed_impact(each, impact)) return *closed;
        return with_closed_form(PointImpact<L>(each, impact).run(true), each, impact);
    });
}

double begin_overlap(const contact::Law& law, const Impact& impact) {
    return with_impact(law, impact, [&]<class L>(const L& each) {
        return ContactMotion<L>(each, impact).begin();
    });
}

Path path_of(const contact::Law& law, const Impact& impact) {
    return with_impact(law, impact, [&]<class L>(const L& each) {
        Path path;
        const Restitution found = PointImpact<L>(each, impact).run(true, &path.points);
        const auto closed = closed_impact(each, impact);
        path.restitution = closed ? *closed : with_closed_form(found, each, impact);
        return path;
    });
}

std::optional<double> coefficient_of_restitution(const contact::Law& law, const Impact& impact) {
    return with_impact(law, impact, [&]<class L>(const L& each) {
        if (const auto closed = closed_impact(each, impact)) return closed->cor;
        return with_closed_form(PointImpact<L>(each, impact).run(false), each, impact).cor;
    });
}

}  // namespace stoss::impact
