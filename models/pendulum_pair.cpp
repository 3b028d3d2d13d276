#include <models/pendulum_pair.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <stoss/contact/contact.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/text.hpp>
#include <stoss/core/trajectory.hpp>

namespace stoss::models {

namespace {

/// theta_1, theta_2, their rates, and the energy [J] that the contact has lost.
using State = std::array<double, 5>;

struct Vector {
    double x, y;
    friend Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y}; }
    friend double dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y; }
};

/// The tip of rod 2 against the side of rod 1 (theory/contact_laws.md 8.20), (8.21).
struct ContactPoint {
    double overlap;   ///< x [m]; negative: gap
    double rate;      ///< v = dx/dt [m/s]
    double place;     ///< s [m] along rod 1 from its pivot
    double arm_1;     ///< torque on rod 1 of one newton [m]
    double arm_2;     ///< torque on rod 2 of one newton [m]
    double mobility;  ///< 1/(effective mass) [1/kg]
    double coriolis;  ///< dv/dt [m/s^2] at constant angular velocities
};

/// The two rods as a mechanical system. Angles count from the downward vertical.
class Pair {
  public:
    explicit Pair(const PendulumPair& p)
        : m1_(p.rod_1.mass),
          m2_(p.rod_2.mass),
          l1_(p.rod_1.length),
          l2_(p.rod_2.length),
          g_(p.gravity),
          pivot_{p.pivot_2.right, p.pivot_2.up},
          inertia_1_(m1_ * l1_ * l1_ / 3.0),
          inertia_2_(m2_ * l2_ * l2_ / 3.0),
          zero_(p.angles_from == AngleReference::horizontal ? 0.5 * std::numbers::pi : 0.0) {
        start_ = {p.rod_1.angle + zero_, p.rod_2.angle + zero_, p.rod_1.angular_velocity,
                  p.rod_2.angular_velocity, 0.0};
        if (contact_point(start_).overlap > 0.0) side_ = -1.0;
    }

    const State& start() const { return start_; }
    double angle_zero() const { return zero_; }
    double length_of_side() const { return l1_; }

    /// Overlap is positive where the tip is beyond the line of rod 1, seen from where it started.
    ContactPoint contact_point(const State& y) const {
        const auto [theta_1, theta_2, rate_1, rate_2, lost] = y;
        const Vector along{std::sin(theta_1), -std::cos(theta_1)};
        const Vector across{std::cos(theta_1), std::sin(theta_1)};
        const Vector tip = pivot_ + Vector{l2_ * std::sin(theta_2), -l2_ * std::cos(theta_2)};
        const double phi = theta_2 - theta_1;
        const double s = dot(tip, along), d = dot(tip, across);
        const double place_rate = -l2_ * rate_2 * std::sin(phi) + d * rate_1;
        const double arm_2 = l2_ * std::cos(phi);
        ContactPoint point{};
        point.overlap = side_ * d;
        point.rate = side_ * (arm_2 * rate_2 - s * rate_1);
        point.place = s;
        point.arm_1 = side_ * s;
        point.arm_2 = -side_ * arm_2;
        point.mobility = s * s / inertia_1_ + arm_2 * arm_2 / inertia_2_;
        point.coriolis =
            side_ * (-l2_ * rate_2 * (rate_2 - rate_1) * std::sin(phi) - place_rate * rate_1);
        return point;
    }

    /// y' under the contact force [N] and the power [W] that it loses (8.22).
    State rates(const State& y, const ContactPoint& point, double force, double lost_power) const {
        const auto gravity = gravity_accelerations(y);
        return {y[2], y[3], gravity[0] + point.arm_1 * force / inertia_1_,
                gravity[1] + point.arm_2 * force / inertia_2_, lost_power};
    }

    /// d^2x/dt^2 [m/s^2] without contact force.
    double free_closing_acceleration(const State& y, const ContactPoint& point) const {
        const auto gravity = gravity_accelerations(y);
        return -point.arm_1 * gravity[0] - point.arm_2 * gravity[1] + point.coriolis;
    }

    /// The state after an impulse [N s].
    State pushed(State y, const ContactPoint& point, double impulse) const {
        y[2] += point.arm_1 * impulse / inertia_1_;
        y[3] += point.arm_2 * impulse / inertia_2_;
        return y;
    }

    double kinetic_energy(const State& y) const {
        return 0.5 * (inertia_1_ * y[2] * y[2] + inertia_2_ * y[3] * y[3]);
    }
    /// Kinetic and potential, 0 for both hanging at rest.
    double energy(const State& y) const {
        const double rise_1 = 1.0 - std::cos(y[0]), rise_2 = 1.0 - std::cos(y[1]);
        return kinetic_energy(y) + 0.5 * g_ * (m1_ * l1_ * rise_1 + m2_ * l2_ * rise_2);
    }

    /// A tenth of the shortest time in which anything turns by one radian.
    double longest_step(const State& y) const {
        return 0.1 / std::max({std::abs(y[2]), std::abs(y[3]), std::sqrt(1.5 * g_ / l1_),
                               std::sqrt(1.5 * g_ / l2_), 1e-3});
    }

  private:
    std::array<double, 2> gravity_accelerations(const State& y) const {
        return {-1.5 * g_ / l1_ * std::sin(y[0]), -1.5 * g_ / l2_ * std::sin(y[1])};
    }

    double m1_, m2_, l1_, l2_, g_;
    Vector pivot_;
    double inertia_1_, inertia_2_, zero_;
    State start_{};
    double side_ = 1.0;
};

constexpr double tolerance = 1e-13;            // of a step, rad and rad/s
constexpr double resting_fraction = 1e-9;      // of the fastest approach: slower rods stay together
constexpr std::size_t impacts_in_detail = 10;  // of which the contact is recorded
constexpr int samples_a_step = 8;              // of a contact

/// True if `distance` is positive at the start of the last step and no longer at its end.
template <class Path, class Distance>
bool crosses(const Path& path, const Distance& distance) {
    return distance(path.state_before()) > 0.0 && !(distance(path.state()) > 0.0);
}

/// The motion under way: free motion and impacts in turn.
class Swing {
  public:
    Swing(const PendulumPair& parameters, std::size_t samples, const std::function<bool()>& stop)
        : pair_(parameters),
          duration_(parameters.duration),
          interval_(duration_ / static_cast<double>(std::max<std::size_t>(samples, 2) - 1)),
          stop_(stop),
          state_(pair_.start()),
          initial_energy_(pair_.energy(state_)) {}

    PendulumMotion run(const ImpactModel& model) {
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

    /// The path is left at `at`, a time in its last step.
    template <class Path, class Force>
    void leave(const Path& path, double at, const Force& force) {
        record(path, at, force);
        state_ = at == path.time() ? path.state() : path.at(at);
        time_ += at;
        if (time_ >= duration_ * (1.0 - 1e-15)) ended_ = PendulumStatus::complete;
    }

    /// The evenly spaced samples of the last step up to `end`.
    template <class Path, class Force>
    void record(const Path& path, double end, const Force& force) {
        largest_kinetic_ = std::max(largest_kinetic_, pair_.kinetic_energy(path.state()));
        for (;; ++next_sample_) {
            const double at = interval_ * static_cast<double>(next_sample_) - time_;
            if (at > end + 1e-12 * interval_) return;
            const State y = at >= path.time() ? path.state() : path.at(std::max(at, 0.0));
            const ContactPoint here = point(y);
            motion_.history.push_back({time_ + at,
                                       {y[0] - pair_.angle_zero(), y[1] - pair_.angle_zero()},
                                       {y[2], y[3]},
                                       -here.overlap,
                                       force(here),
                                       pair_.energy(y),
                                       y[4]});
        }
    }

    /// Free motion until the tip reaches the line of rod 1.
    void move_freely() {
        const auto rates = [this](const State& y) { return pair_.rates(y, point(y), 0.0, 0.0); };
        const auto no_force = [](const ContactPoint&) { return 0.0; };
        core::Trajectory<5, decltype(rates)> path(rates, state_, 1e-3, tolerance);
        while (advance(path)) {
            const std::optional<double> touch = first_touch(path);
            const bool is_over = touch || path.time() >= duration_ - time_;
            if (!is_over) {
                record(path, path.time(), no_force);
                continue;
            }
            leave(path, touch.value_or(path.time()), no_force);
            if (touch && !ended_) check_place();
            return;
        }
    }

    /// When the tip comes to the line of rod 1 in the last step, if it does. Steps are so short
    /// that the closing rate changes its sign once at most.
    template <class Path>
    std::optional<double> first_touch(const Path& path) const {
        const auto closing = [this](const State& y) { return point(y).rate; };
        const auto opening = [this](const State& y) { return -point(y).rate; };
        const auto gap = [this](const State& y) { return -point(y).overlap; };
        double low = path.time_before(), high = path.time();
        if (crosses(path, opening))
            low = path.time_of(opening);
        else if (!(closing(path.state_before()) > 0.0))
            return std::nullopt;
        if (crosses(path, closing)) high = path.time_of(closing);
        if (gap(path.at(high)) > 0.0) return std::nullopt;
        if (!(gap(path.at(low)) > 0.0)) return low;
        return path.time_of(gap, low, high);
    }

    /// The tip must meet rod 1 itself, not the line beyond its ends.
    void check_place() {
        const double place = point(state_).place;
        if (place < 0.0 || place > pair_.length_of_side()) ended_ = PendulumStatus::tip_missed;
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

    /// The rods rebound at once. Rods that hardly rebound and are pressed on each other stay
    /// together: the impacts that would follow have a limit in time.
    void collide(const ImpulseMomentum& model) {
        const ContactPoint here = point(state_);
        PendulumImpact impact = begun(here);
        fastest_ = std::max(fastest_, here.rate);
        const bool is_pressed = pair_.free_closing_acceleration(state_, here) > 0.0;
        const bool stays =
            is_pressed && model.restitution * here.rate <= resting_fraction * fastest_;
        const double e = stays ? 0.0 : model.restitution;
        impact.impulse = (1.0 + e) * here.rate / here.mobility;
        impact.rebound_speed = e * here.rate;
        impact.energy_lost = 0.5 * (1.0 - e * e) * here.rate * here.rate / here.mobility;
        impact.peak_force = core::not_given;
        state_ = pair_.pushed(state_, here, impact.impulse);
        state_[4] += impact.energy_lost;
        impact.rates_after = {state_[2], state_[3]};
        motion_.impacts.push_back(impact);
        if (stays) rest();
    }

    /// The rods move together until the force that holds the overlap constant would pull.
    void rest() {
        const auto pressing = [this](const State& y) {
            return pair_.free_closing_acceleration(y, point(y));
        };
        const auto force = [this](const State& y) {
            const ContactPoint here = point(y);
            return pair_.free_closing_acceleration(y, here) / here.mobility;
        };
        const auto rates = [&](const State& y) { return pair_.rates(y, point(y), force(y), 0.0); };
        core::Trajectory<5, decltype(rates)> path(rates, state_, 1e-3, tolerance);
        while (advance(path)) {
            const auto recorded = [&](const ContactPoint&) { return force(path.state()); };
            const bool ends = crosses(path, pressing);
            if (ends || path.time() >= duration_ - time_) {
                return leave(path, ends ? path.time_of(pressing) : path.time(), recorded);
            }
            record(path, path.time(), recorded);
        }
    }

    void collide(const ContinuousContact& model) {
        std::visit(
            [&](const auto& law) {
                contact::Contact contact(law, model.separation, 1.0 / point(state_).mobility);
                press(contact, model.separation == contact::Separation::zero_force);
            },
            model.law);
    }

    /// The rods overlap, until the overlap is gone: legs that end where the closing rate changes
    /// its sign, or where a law that may not pull begins or ceases to push.
    template <class Contact>
    void press(Contact& contact, bool may_not_pull) {
        PendulumImpact impact = begun(point(state_));
        const double lost_before = state_[4];
        contact.accept(0.0, impact.approach_speed);
        bool pushes = true;
        while (!ended_ && !has_parted(contact)) {
            leg(contact, may_not_pull, pushes, impact);
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
    bool has_parted(const Contact& contact) const {
        const ContactPoint here = point(state_);
        return here.rate < 0.0 && !(here.overlap > contact.end_overlap());
    }

    template <class Contact>
    void leg(Contact& contact, bool may_not_pull, bool pushes, PendulumImpact& impact) {
        const bool closes = point(state_).rate > 0.0;
        const auto law_force = [&](const ContactPoint& here) {
            return contact.unlimited_force(std::max(here.overlap, contact.end_overlap()),
                                           here.rate);
        };
        const auto force = [&](const ContactPoint& here) { return pushes ? law_force(here) : 0.0; };
        const auto rates = [&](const State& y) {
            const ContactPoint here = point(y);
            const double lost_power =
                pushes ? contact.dissipated_power(here.overlap, here.rate) : 0.0;
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
            const auto look_for = [&](const auto& distance) {
                if (!crosses(path, distance)) return;
                end = std::min(end, path.time_of(distance));
                is_over = true;
            };
            look_for(turning);
            if (!closes) look_for(depth);
            if (!closes && may_not_pull) look_for(pushing);
            note(path, end, force, impact);
            if (is_over) return leave(path, end, force);
            record(path, end, force);
            const ContactPoint here = point(path.state());
            contact.accept(here.overlap, here.rate);
        }
    }

    /// Peaks and details of the contact in the last step.
    template <class Path, class Force>
    void note(const Path& path, double end, const Force& force, PendulumImpact& impact) {
        const double begin = path.time_before();
        double before = force(point(path.state_before()));
        for (int i = 0; i <= samples_a_step; ++i) {
            const double at = begin + (end - begin) * i / samples_a_step;
            const ContactPoint here = point(i == 0 ? path.state_before() : path.at(at));
            const double now = force(here);
            impact.peak_force = std::max(impact.peak_force, now);
            impact.peak_overlap = std::max(impact.peak_overlap, here.overlap);
            if (i > 0) impact.impulse += 0.5 * (before + now) * (end - begin) / samples_a_step;
            before = now;
            if (motion_.impacts.size() < impacts_in_detail) {
                motion_.contacts.push_back(
                    {motion_.impacts.size(), time_ + at, here.overlap, here.rate, now});
            }
        }
    }

    Pair pair_;
    double duration_, interval_;
    const std::function<bool()>& stop_;
    State state_;
    double time_ = 0.0;
    double initial_energy_, largest_kinetic_ = 0.0, fastest_ = 0.0;
    std::size_t next_sample_ = 0;
    std::optional<PendulumStatus> ended_;
    PendulumMotion motion_;
};

/// The key `impact.stiffness`, if a law that needs one has none: nothing here gives it.
void check_stiffness(const ContinuousContact& contact, std::vector<core::Violation>& violations) {
    std::visit(
        [&](const auto& law) {
            if constexpr (requires { law.stiffness; }) {
                if (core::is_given(law.stiffness)) return;
                violations.push_back({"impact.stiffness", "",
                                      "is missing; the shape of a thin rod does not give it",
                                      "add `stiffness` (k), a plain number in SI units"});
            }
        },
        contact.law);
}

}  // namespace

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

std::vector<core::Violation> check(const PendulumPair& parameters) {
    std::vector<core::Violation> violations;
    const Pair pair(parameters);
    const ContactPoint start = pair.contact_point(pair.start());
    if (!(start.overlap < 0.0)) {
        violations.push_back({"rod_2.angle", core::with_unit(parameters.rod_2.angle, "rad"),
                              "the tip of rod 2 lies on the line of rod 1 at the start, so that "
                              "it is not known from which side it comes",
                              "turn one of the rods a little"});
    }
    if (const auto* contact = std::get_if<ContinuousContact>(&parameters.impact.model)) {
        for (core::Violation& violation : check(*contact, "impact")) {
            violations.push_back(std::move(violation));
        }
        check_stiffness(*contact, violations);
    }
    return violations;
}

PendulumMotion swing(const PendulumPair& parameters, std::size_t samples,
                     const std::function<bool()>& stop) {
    return Swing(parameters, samples, stop).run(parameters.impact.model);
}

PendulumMotion swing(const PendulumPair& parameters, std::size_t samples) {
    core::throw_if_any(core::check_fields(parameters, ""));
    core::throw_if_any(check(parameters));
    return swing(parameters, samples, [] { return false; });
}

}  // namespace stoss::models
