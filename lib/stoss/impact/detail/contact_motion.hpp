#pragma once
/// The equations of motion of one body on one contact law (docs/theory/loaded_impact.md).

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/physical_input.hpp>
#include <stoss/core/bisection.hpp>
#include <stoss/core/dual.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/error.hpp>
#include <stoss/impact/restitution.hpp>

namespace stoss::impact::detail {

using core::Dual;

/// A point of the motion. Its clock sigma runs with d(time) = q s^(q-1) d(sigma); primes are
/// derivatives by sigma.
struct Point {
    using State = std::array<double, 4>;  ///< s, v, time, lost

    double s = 0.0;       // overlap = end + s^q
    double v = 0.0;       // rate of the overlap [m/s]; s' = v
    double time = 0.0;    // [s]
    double dv = 0.0;      // v'
    double ddv = 0.0;     // v''
    double dtime = 0.0;   // time'
    double ddtime = 0.0;  // time''
    double lost = 0.0;    // energy that damping took, by mass [m^2/s^2], where it is followed
    double dlost = 0.0;   // lost'

    State state() const { return {s, v, time, lost}; }
    State slope() const { return {v, dv, dtime, dlost}; }
};

/// s^(q-1) for q = 1, 2, 4, 8.
template <class T>
T stretch_of(int q, const T& s) {
    if (q == 1) return T(1.0);
    if (q == 2) return s;
    const T cube = s * s * s;
    return q == 4 ? cube : cube * cube * s;
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
    constexpr double beside = 1e-9;  // of the overlap: a joint so near is behind the body
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
/// energy of the motion [J] and the work of the load [N]; infinite if that is beyond doubles.
template <contact::ContactLaw L>
double overlap_scale(const L& law, const typename L::Memory& memory, double energy, double load) {
    const double begin = contact::begin_overlap(law, memory);
    double x = 1e-3, before = 1.0;
    // Beside a root of the energy its power of x is large, but on a short way only.
    double largest_power = 10.0;
    for (int iteration = 0; iteration < 100; ++iteration) {
        const double wanted = energy + load * x;
        if (!std::isfinite(wanted)) return core::infinity;
        const Dual stored = law.stored_energy(Dual::variable(begin + x), memory);
        const double ratio = wanted / stored.value;
        if (!(ratio > 0.0 && std::isfinite(ratio))) {
            x *= ratio == 0.0 ? 0.25 : 4.0;
            continue;
        }
        const double power = std::clamp(x * stored.derivative / stored.value, 1.1, largest_power);
        const double factor = core::pow(ratio, 1.0 / power);
        x *= factor;
        if (factor > 0.5 && factor < 2.0) break;
        if ((factor - 1.0) * (before - 1.0) < 0.0) largest_power = 1e3;  // x was passed
        before = factor;
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
    Point::State rate(const Point::State& y) const {
        const double stretch = stretch_of(q_, y[0]), x = end_ + stretch * y[0];
        const double acceleration = (load_ - law_.force(x, y[1], memory_)) * inverse_mass_;
        const double power =
            follows_loss_ ? damping_force(law_, x, y[1], memory_) * y[1] * inverse_mass_ : 0.0;
        return {y[1], q_ * stretch * acceleration, q_ * stretch, q_ * stretch * power};
    }

    Point point(const Point::State& y) const {
        const Point::State slope = rate(y);
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

    /// An overlap at which the law carries the load at rest, that of `p` or deeper; infinite if it
    /// nowhere does.
    double carrying_overlap(const Point& p) const {
        double x = overlap(p.s);
        if (!(x > end_)) x = end_ + scales_.overlap;
        while (law_.force(x, 0.0, memory_) < load_) {
            x += x - end_;
            if (!(x < deepest)) return core::infinity;
        }
        return x;
    }
    /// Overlap at which the law carries the load; the body is at a smaller depth or above `p`.
    /// Precondition: `carrying_overlap` is finite.
    double balance(const Point& p) const {
        const auto carries_less = [this](double x) { return law_.force(x, 0.0, memory_) < load_; };
        return core::bisection(end_, carrying_overlap(p), 100, carries_less).high;
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
        const double x = overlap(p.s);
        law_.accept(memory_, x, 0.0);
        end_ = contact::end_overlap(law_, memory_);
        return point({root(x - end_), 0.0, p.time, p.lost});
    }

  private:
    static constexpr double creeping = 1e-8;  // of v0: slower and slowing down is at rest
    static constexpr double slow = 1e-4;      // of v0: from there the law is as at small overlap
    static constexpr double unsure = 1e-9;    // of an elastic force: a weaker pull is an error of v
    static constexpr double amplified = 1e3;  // errors of e by the load: from there (13.8) gives e
    static constexpr double deepest = 1e200;  // m: what does not carry the load there never does
    static constexpr int strongest_smoothing = 8;  // x = s^8 where no exponent is a whole multiple

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

}  // namespace stoss::impact::detail
