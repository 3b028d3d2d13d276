#include <stoss/impact/pendulums.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <stoss/contact/contact.hpp>
#include <stoss/core/trajectory.hpp>
#include <stoss/impact/detail/pendulum_system.hpp>

namespace stoss::impact {

namespace {

using State = detail::PendulumState;
using ContactPoint = detail::PendulumContactPoint;

constexpr double tolerance = 1e-13;            // of a step, rad and rad/s
constexpr double resting_fraction = 1e-9;      // of the fastest approach: slower rods stay together
constexpr double roundoff = 1e-12;             // of the speeds of the contact points: no approach
constexpr double end_of_rod = 1e-9;            // of the length of rod 1: still at its end
constexpr std::size_t impacts_in_detail = 10;  // of which the contact is recorded
constexpr int samples_a_step = 8;              // of a contact, even for Simpson's rule

/// True if `distance` is positive at the start of the last step and no longer at its end.
template <class Path, class Distance>
bool crosses(const Path& path, const Distance& distance) {
    return distance(path.state_before()) > 0.0 && !(distance(path.state()) > 0.0);
}

/// The motion of one system: free motion and impacts alternate.
class PendulumIntegration {
  public:
    PendulumIntegration(const PendulumSystem& system, double duration, std::size_t samples,
                        const std::function<bool()>& stop)
        : pair_(system),
          duration_(duration),
          interval_(duration_ / static_cast<double>(std::max<std::size_t>(samples, 2) - 1)),
          stop_(stop),
          state_(pair_.start()),
          initial_energy_(pair_.energy(state_)) {}

    PendulumMotion run(const PendulumImpactModel& model) {
        while (!ended_) {
            move_freely();
            if (!ended_) std::visit([this](const auto& each) { collide(each); }, model);
        }
        motion_.status = *ended_;
        motion_.end = time_;
        const double gained = pair_.energy(state_) + state_[4] - initial_energy_;
        motion_.energy_residual = largest_kinetic_ > 0.0 ? gained / largest_kinetic_ : gained;
        return std::move(motion_);
    }

  private:
    ContactPoint point(const State& y) const { return pair_.contact_point(y); }

    /// One step of the path, which began at `time_`. False if the motion ends before it.
    template <class Path>
    bool advance(Path& path) {
        if (stop_()) ended_ = PendulumStatus::interrupted;
        const double longest = path.time() + pair_.longest_step(path.state());
        if (!ended_ && !path.advance(std::min(duration_ - time_, longest))) {
            ended_ = PendulumStatus::not_finite;
        }
        return !ended_;
    }

    /// Ends the path at `at`, a time in its last step.
    template <class Path, class Force>
    void leave(const Path& path, double at, const Force& force) {
        record(path, at, force);
        state_ = at == path.time() ? path.state() : path.at(at);
        time_ += at;
        if (time_ >= duration_ * (1.0 - 1e-15)) ended_ = PendulumStatus::complete;
    }

    /// The evenly spaced samples of the last step up to `end`. `force(state)` is the contact force.
    template <class Path, class Force>
    void record(const Path& path, double end, const Force& force) {
        largest_kinetic_ = std::max(largest_kinetic_, pair_.kinetic_energy(path.state()));
        for (;; ++next_sample_) {
            const double at = interval_ * static_cast<double>(next_sample_) - time_;
            if (at > end + 1e-12 * interval_) return;
            const State y = at >= path.time() ? path.state() : path.at(std::max(at, 0.0));
            motion_.history.push_back({time_ + at,
                                       {y[0], y[1]},
                                       {y[2], y[3]},
                                       -point(y).overlap,
                                       force(y),
                                       pair_.energy(y),
                                       y[4]});
        }
    }

    /// Free motion until the tip reaches the line of rod 1.
    void move_freely() {
        const auto rates = [this](const State& y) { return pair_.rates(y, point(y), 0.0, 0.0); };
        const auto no_force = [](const State&) { return 0.0; };
        core::Trajectory<5, decltype(rates)> path(rates, state_, 1e-3, tolerance);
        bool parts = std::exchange(parts_, false);
        while (advance(path)) {
            const std::optional<double> begin = parts ? std::nullopt : contact_begin(path);
            parts = false;
            const bool is_over = begin || path.time() >= duration_ - time_;
            if (!is_over) {
                record(path, path.time(), no_force);
                continue;
            }
            leave(path, begin.value_or(path.time()), no_force);
            if (begin && !ended_) check_location();
            return;
        }
    }

    /// The time in the last step at which the tip reaches the line of rod 1, if it does. Steps
    /// are so short that the closing rate changes its sign at most once.
    template <class Path>
    std::optional<double> contact_begin(const Path& path) const {
        const auto closing = [this](const State& y) { return point(y).rate; };
        const auto opening = [this](const State& y) { return -point(y).rate; };
        const auto gap = [this](const State& y) { return -point(y).overlap; };
        const ContactPoint before = point(path.state_before());
        double low = path.time_before(), high = path.time();
        if (crosses(path, opening))
            low = path.time_of(opening);
        else if (before.rate < 0.0 || (before.rate == 0.0 && before.overlap >= 0.0))
            return std::nullopt;
        if (crosses(path, closing)) high = path.time_of(closing);
        if (gap(path.at(high)) > 0.0) return std::nullopt;
        if (!(gap(path.at(low)) > 0.0)) return low;
        return path.time_of(gap, low, high);
    }

    /// The tip must meet rod 1 itself, not the line beyond its ends.
    void check_location() {
        const double location = point(state_).location;
        if (location < 0.0 || location > pair_.length_of_side())
            ended_ = PendulumStatus::tip_missed;
    }

    PendulumImpact begun(const ContactPoint& here) const {
        PendulumImpact impact;
        impact.start = impact.end = time_;
        impact.approach_speed = here.rate;
        impact.effective_mass = 1.0 / here.mobility;
        impact.rates_before = {state_[2], state_[3]};
        impact.peak_force = impact.peak_overlap = 0.0;
        return impact;
    }

    /// The rods rebound at once. Rods that hardly rebound stay together if they are pressed after
    /// the impact: infinitely many impacts would follow in a finite time. Else their accelerations
    /// part them. Contact points that touch without an approach speed, but for roundoff, have no
    /// impact.
    void collide(const InstantaneousImpact& model) {
        const ContactPoint here = point(state_);
        PendulumImpact impact = begun(here);
        fastest_ = std::max(fastest_, here.rate);
        parts_ = model.restitution * here.rate <= resting_fraction * fastest_;
        const State together = pair_.after_impulse(state_, here, here.rate / here.mobility);
        const bool stays = parts_ && closing_acceleration(together) > 0.0;
        const double e = stays ? 0.0 : model.restitution;
        impact.impulse = (1.0 + e) * here.rate / here.mobility;
        impact.rebound_speed = e * here.rate;
        impact.energy_lost = 0.5 * (1.0 - e * e) * here.rate * here.rate / here.mobility;
        impact.peak_force.reset();
        state_ = pair_.after_impulse(state_, here, impact.impulse);
        state_[4] += impact.energy_lost;
        impact.rates_after = {state_[2], state_[3]};
        if (here.rate > roundoff * here.speeds) motion_.impacts.push_back(impact);
        if (stays) rest();
    }

    /// How fast [m/s^2] the rods would close without a contact force.
    double closing_acceleration(const State& y) const {
        return pair_.free_closing_acceleration(y, point(y));
    }

    /// The way [m] that the tip may still slide before it has left rod 1.
    double way_to_end(const State& y) const {
        const double location = point(y).location, length = pair_.length_of_side();
        return std::min(location, length - location) + end_of_rod * length;
    }

    /// Ends the motion if the tip leaves rod 1 in the last step, before `end`, while they touch.
    template <class Path, class Force>
    bool slides_off(const Path& path, double end, const Force& force) {
        const auto on_rod = [this](const State& y) { return way_to_end(y); };
        if (!crosses(path, on_rod)) return false;
        const double at = path.time_of(on_rod);
        if (at > end) return false;
        leave(path, at, force);
        ended_ = PendulumStatus::tip_missed;
        return true;
    }

    /// The rods move together, at constant overlap, until that would need a force that pulls.
    void rest() {
        const auto pressing = [this](const State& y) { return closing_acceleration(y); };
        const auto force = [this](const State& y) {
            const ContactPoint here = point(y);
            return pair_.free_closing_acceleration(y, here) / here.mobility;
        };
        const auto rates = [&](const State& y) { return pair_.rates(y, point(y), force(y), 0.0); };
        core::Trajectory<5, decltype(rates)> path(rates, state_, 1e-3, tolerance);
        while (advance(path)) {
            const bool ends = crosses(path, pressing);
            const double end = ends ? path.time_of(pressing) : path.time();
            if (slides_off(path, end, force)) return;
            if (ends || path.time() >= duration_ - time_) return leave(path, end, force);
            record(path, path.time(), force);
        }
    }

    void collide(const ContactSetup& model) {
        std::visit(
            [&](const auto& law) {
                contact::Contact contact(law, model.separation, 1.0 / point(state_).mobility);
                integrate_contact(contact, model.separation == contact::Separation::zero_force);
            },
            model.law);
    }

    /// The rods overlap until contact ends. Phases end where the closing rate changes its sign, or
    /// where the force of a law that may not pull becomes zero or positive again.
    template <class Contact>
    void integrate_contact(Contact& contact, bool may_not_pull) {
        PendulumImpact impact = begun(point(state_));
        const double lost_before = state_[4];
        contact.accept(0.0, impact.approach_speed);
        bool pushes = true;
        while (!ended_ && !has_separated(contact)) {
            integrate_phase(contact, may_not_pull, pushes, impact);
            if (ended_) break;
            const ContactPoint here = point(state_);
            state_[4] += contact.accept(here.overlap, here.rate);
            if (pushes) {
                impact.end = time_;
                impact.rebound_speed = -here.rate;
                impact.rates_after = {state_[2], state_[3]};
            }
            pushes = !may_not_pull || here.rate > 0.0 ||
                     contact.unlimited_force(here.overlap, here.rate) > 0.0;
        }
        impact.energy_lost = state_[4] - lost_before;
        motion_.impacts.push_back(impact);
    }

    template <class Contact>
    bool has_separated(const Contact& contact) const {
        const ContactPoint here = point(state_);
        return here.rate < 0.0 && !(here.overlap > contact.end_overlap());
    }

    template <class Contact>
    void integrate_phase(Contact& contact, bool may_not_pull, bool pushes, PendulumImpact& impact) {
        const bool closes = point(state_).rate > 0.0;
        const auto law_force = [&](const ContactPoint& here) {
            return contact.unlimited_force(std::max(here.overlap, contact.end_overlap()),
                                           here.rate);
        };
        const auto force = [&](const ContactPoint& here) { return pushes ? law_force(here) : 0.0; };
        const auto force_at = [&](const State& y) { return force(point(y)); };
        // In a step beyond the end of contact the force goes on, and so must the loss of energy.
        const auto rates = [&](const State& y) {
            const ContactPoint here = point(y);
            const double inside = std::nextafter(contact.end_overlap(), core::infinity);
            const double x = std::max(here.overlap, inside);
            const double lost_power = pushes ? contact.dissipated_power(x, here.rate) : 0.0;
            return pair_.rates(y, here, force(here), lost_power);
        };
        const auto turning = [&](const State& y) {
            return closes ? point(y).rate : -point(y).rate;
        };
        const auto depth = [&](const State& y) { return point(y).overlap - contact.end_overlap(); };
        const auto pushing = [&](const State& y) {
            return pushes ? law_force(point(y)) : -law_force(point(y));
        };
        core::Trajectory<5, decltype(rates)> path(rates, state_, 1e-9, tolerance);
        while (advance(path)) {
            double end = path.time();
            bool is_over = path.time() >= duration_ - time_;
            const auto end_at = [&](const auto& distance) {
                if (!crosses(path, distance)) return;
                end = std::min(end, path.time_of(distance));
                is_over = true;
            };
            end_at(turning);
            if (!closes) end_at(depth);
            if (!closes && may_not_pull) end_at(pushing);
            if (slides_off(path, end, force_at)) return;
            record_contact(path, end, force, impact);
            if (is_over) return leave(path, end, force_at);
            record(path, end, force_at);
            const ContactPoint here = point(path.state());
            contact.accept(here.overlap, here.rate);
        }
    }

    /// Peak values and samples of the contact in the last step.
    template <class Path, class Force>
    void record_contact(const Path& path, double end, const Force& force, PendulumImpact& impact) {
        const double begin = path.time_before(), spacing = (end - begin) / samples_a_step;
        double sum = 0.0;  // of Simpson's rule
        for (int i = 0; i <= samples_a_step; ++i) {
            const double at = begin + spacing * i;
            const ContactPoint here = point(i == 0 ? path.state_before() : path.at(at));
            const double now = force(here);
            impact.peak_force = std::max(impact.peak_force.value_or(0.0), now);
            impact.peak_overlap = std::max(impact.peak_overlap, here.overlap);
            sum += now * (i == 0 || i == samples_a_step ? 1.0 : i % 2 == 1 ? 4.0 : 2.0);
            if (motion_.impacts.size() < impacts_in_detail) {
                motion_.contacts.push_back(
                    {motion_.impacts.size(), time_ + at, here.overlap, here.rate, now});
            }
        }
        impact.impulse += sum * spacing / 3.0;
    }

    detail::PendulumEquations pair_;
    double duration_, interval_;
    const std::function<bool()>& stop_;
    State state_;
    double time_ = 0.0;
    double initial_energy_, largest_kinetic_ = 0.0, fastest_ = 0.0;
    std::size_t next_sample_ = 0;
    bool parts_ = false;  // the free motion begins in contact, with hardly any speed of separation
    std::optional<PendulumStatus> ended_;
    PendulumMotion motion_;
};

}  // namespace

double initial_gap(const PendulumSystem& system) {
    const detail::PendulumEquations equations(system);
    return -equations.contact_point(equations.start()).overlap;
}

std::string_view to_string(PendulumStatus status) {
    switch (status) {
        case PendulumStatus::complete:
            return "complete";
        case PendulumStatus::tip_missed:
            return "tip_missed";
        case PendulumStatus::interrupted:
            return "interrupted";
        case PendulumStatus::not_finite:
            return "not_finite";
    }
    return "unknown";
}

PendulumMotion swing(const PendulumSystem& system, const PendulumImpactModel& model,
                     double duration, std::size_t samples, const std::function<bool()>& stop) {
    return PendulumIntegration(system, duration, samples, stop).run(model);
}

}  // namespace stoss::impact
