#pragma once
/// One impact of a body on one contact law, from the first touch to the event that ends it
/// (docs/theory/loaded_impact.md).

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <stoss/core/bisection.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/impact/detail/motion_steps.hpp>

namespace stoss::impact::detail {

/// Hermite's quintic and its derivative at the fraction theta of a step.
inline std::pair<double, double> quintic(double theta, double step, const std::array<double, 3>& a,
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
inline Point between(const Point& from, const Point& to, double step, double theta) {
    const auto [s, ds] = quintic(theta, step, {from.s, from.v, from.dv}, {to.s, to.v, to.dv});
    const auto [v, dv] = quintic(theta, step, {from.v, from.dv, from.ddv}, {to.v, to.dv, to.ddv});
    return {std::max(s, 0.0), v, 0.0, dv};
}

/// (1 - e^2) m v0^2/2 [J], and the work of the load on the way [m] that the impact leaves behind.
inline double energy_lost(const Impact& impact, double e, double way) {
    return 0.5 * impact.mass * impact.speed * impact.speed * (1.0 - e) * (1.0 + e) +
           impact.total_load() * way;
}

/// True if the law carries the load somewhere. Else no body comes to rest on it.
template <class Motion>
bool carries_load(const Motion& motion, const Point& p) {
    return std::isfinite(motion.carrying_overlap(p));
}

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
inline bool is_hidden(const Impact& impact, double way) {
    constexpr double hopeless = 1e9;
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
class ImpactIntegration {
  public:
    ImpactIntegration(const L& law, const Impact& impact) : impact_(impact), motion_(law, impact) {}

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
    static constexpr double near = 1e-6;  // of a step: from there an event is found by Taylor
    static constexpr int patience = 300;  // steps in which a body not overdamped turns or stops
    static constexpr int most_steps = 200000;  // a body that creeps out may take many
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
                if (!with_peaks_ || !carries_load(motion_, *next)) return stick(*next);
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
        const core::Bracket guess = core::bisection(0.0, 1.0, 40, [&](double share) {
            return value(between(from, to, step, share)).value > 0.0;
        });
        double theta = 0.5 * (guess.low + guess.high);
        double low = 0.0, high = 1.0;
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
        const auto compresses = [&](double share) {
            return between(from, to, step, share).v > 0.0;
        };
        const double last = to.v < 0.0 ? core::bisection(0.0, 1.0, 40, compresses).high : 1.0;
        return motion_.joint_between(from.s, between(from, to, step, last).s).has_value();
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
        const auto rises = [&](double share) {
            return motion_.force_along(between(from, to.point, step, share)).derivative > 0.0;
        };
        double done = core::bisection(low, high, 30, rises).low * step;
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

    /// The body never leaves. On a law that nowhere carries the load it never rests either.
    Restitution stick(const Point& p) const {
        if (!carries_load(motion_, p)) return {};
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

}  // namespace stoss::impact::detail
