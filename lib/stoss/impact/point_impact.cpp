#include <stoss/impact/point_impact.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <type_traits>

#include <stoss/core/bisection.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/trajectory.hpp>
#include <stoss/impact/hunt_crossley_impact.hpp>
#include <stoss/impact/restitution.hpp>

namespace stoss::impact {

namespace {

/// A contact of any law. One instance of a scheme serves all laws: instances of nine schemes for
/// each law would be most of the library.
class AnyContact {
  public:
    virtual ~AnyContact() = default;
    virtual double force(double x, double v) const = 0;
    virtual core::Dual force(const core::Dual& x, const core::Dual& v) const = 0;
    virtual double stored_energy(double x) const = 0;
    virtual double elastic_force(double x) const = 0;
    virtual double threshold() const = 0;
    virtual void accept(double x, double v) = 0;
    virtual bool is_elastic() const = 0;
};

template <class Law>
class ContactOf final : public AnyContact {
  public:
    ContactOf(const Law& law, const PointImpact& impact)
        : contact_(law, impact.separation, impact.mass) {}

    double force(double x, double v) const override { return contact_.force(x, v); }
    core::Dual force(const core::Dual& x, const core::Dual& v) const override {
        return contact_.force(x, v);
    }
    double stored_energy(double x) const override { return contact_.stored_energy(x); }
    double elastic_force(double x) const override { return contact_.elastic_force(x); }
    double threshold() const override { return contact_.threshold(); }
    void accept(double x, double v) override { contact_.accept(x, v); }
    bool is_elastic() const override { return contact::Contact<Law>::is_elastic; }

  private:
    contact::Contact<Law> contact_;
};

/// The contact of an impact that begins at `velocity` [m/s].
std::unique_ptr<AnyContact> contact_of(const PointImpact& impact, double velocity) {
    auto contact = std::visit(
        [&]<class Law>(const Law& law) -> std::unique_ptr<AnyContact> {
            return std::make_unique<ContactOf<Law>>(law, impact);
        },
        impact.law);
    contact->accept(0.0, velocity);
    return contact;
}

/// A contact that counts how often its law is asked.
template <bool elastic>
class CountedContact {
  public:
    static constexpr bool is_elastic = elastic;

    explicit CountedContact(const AnyContact& contact) : contact_(contact) {}

    template <class T>
    T force(const T& x, const T& v) const {
        ++evaluations_;
        return contact_.force(x, v);
    }
    double stored_energy(double x) const {
        ++evaluations_;
        return contact_.stored_energy(x);
    }
    double elastic_force(double x) const {
        ++evaluations_;
        return contact_.elastic_force(x);
    }

    double threshold() const { return contact_.threshold(); }
    std::size_t evaluations() const { return evaluations_; }

  private:
    const AnyContact& contact_;
    mutable std::size_t evaluations_ = 0;
};

template <class Law>
inline constexpr bool is_closed =
    std::is_same_v<Law, contact::Hertz> || std::is_same_v<Law, contact::HuntCrossley>;

template <class Scheme>
bool keeps_force(const Scheme& scheme) {
    if constexpr (requires { scheme.start_force; }) {
        return scheme.start_force == time::StartForce::kept;
    } else {
        return false;
    }
}

bool is_finite(const time::PointState& state) {
    return std::isfinite(state.x) && std::isfinite(state.v);
}

/// A scheme and its corrections: one step of the wrapped scheme, then the closed forms.
template <class Scheme>
struct Corrected {
    const Scheme& scheme;
    const Correction& correction;
    const std::optional<HuntCrossleyImpact>& closed;

    template <class Body>
    time::PointState step(const Body& body, const time::PointState& state, double h) const {
        time::PointState next = scheme.step(body, state, h);
        if (!correction.is_any()) return next;
        if (correction.phase_curve && next.x > 0.0 && next.v < closed->approach_speed()) {
            next.x = std::max(closed->overlap(next.v), 0.0);  // beyond the rebound contact ends
            if (!keeps_force(scheme)) next.a = body.acceleration(next.x, next.v);
        }
        if (!(next.x > 0.0) && sets_velocity()) next = {0.0, rebound(), 0.0};
        return next;
    }

    bool sets_velocity() const {
        if (correction.output_velocity == OutputVelocity::computed) return false;
        if (correction.output_velocity == OutputVelocity::exact) return true;
        const double error = closed->fitted_rebound_velocity() / closed->rebound_velocity() - 1.0;
        return std::abs(error) <= correction.error_bound;
    }

    double rebound() const {
        return correction.output_velocity == OutputVelocity::exact
                   ? closed->rebound_velocity()
                   : closed->fitted_rebound_velocity();
    }
};

/// Deviations of one sample from the phase curve.
void compare(const HuntCrossleyImpact& closed, const time::PointState& state, double energy,
             PointImpactResult& result) {
    const double overlap = closed.overlap(state.v);
    // Outside the impact the root in (theory/point_impact.md 10.1) is a complex number.
    const double turn = overlap < 0.0 ? std::numbers::pi / (closed.exponent() + 1.0) : 0.0;
    const double size = std::abs(overlap);
    const double distance = core::hypot(state.x - size * core::cos(turn), size * core::sin(turn));
    const auto raise = [](std::optional<double>& largest, double value) {
        largest = std::max(largest.value(), value);
    };
    raise(result.overlap_deviation, std::abs(state.x - std::max(overlap, 0.0)));
    raise(result.complex_deviation, distance);
    raise(result.energy_deviation, std::abs(energy - closed.energy(state.v)));
}

using Samples = std::vector<PointSample>;

template <bool elastic, class Scheme>
PointImpactResult run(AnyContact& contact, const Scheme& scheme, const PointImpact& impact,
                      const PointScheme& how, std::size_t most_steps, double velocity,
                      const std::optional<HuntCrossleyImpact>& closed, bool measure,
                      Samples* samples) {
    const CountedContact<elastic> counted(contact);
    const time::PointBody body{counted, impact.mass, impact.external_force};
    const Corrected<Scheme> corrected{scheme, how.correction, closed};

    PointImpactResult result;
    if (measure && closed) {
        result.overlap_deviation = result.complex_deviation = result.energy_deviation = 0.0;
    }
    time::PointState state{0.0, velocity, body.acceleration(0.0, velocity)};
    const auto energy = [&] {
        return 0.5 * impact.mass * state.v * state.v + contact.stored_energy(state.x);
    };
    if (samples) samples->push_back({0.0, state.x, state.v, energy()});
    result.status = Status::not_separated;
    while (result.steps < most_steps && result.status == Status::not_separated) {
        result.predicted_velocity = state.v + how.step * state.a;
        state = corrected.step(body, state, how.step);
        ++result.steps;
        const bool in_contact = state.x > contact.threshold();
        contact.accept(state.x, state.v);
        if (!is_finite(state)) {
            result.status = Status::not_finite;
        } else if (!in_contact) {
            result.status = Status::separated;
            result.output_velocity = state.v;
        } else {
            ++result.contact_samples;
            if (measure && closed) compare(*closed, state, energy(), result);
        }
        if (samples) {
            samples->push_back(
                {how.step * static_cast<double>(result.steps), state.x, state.v, energy()});
        }
    }
    result.force_evaluations = counted.evaluations();
    return result;
}

template <bool elastic, class Scheme>
time::PointState march(AnyContact& contact, const Scheme& scheme, const PointImpact& impact,
                       double step, time::PointState state, std::size_t steps) {
    contact.accept(state.x, state.v);
    const CountedContact<elastic> counted(contact);
    const time::PointBody body{counted, impact.mass, impact.external_force};
    state.a = body.acceleration(state.x, state.v);
    for (std::size_t i = 0; i < steps; ++i) {
        state = scheme.step(body, state, step);
        contact.accept(state.x, state.v);
    }
    return state;
}

/// The impact by Fehlberg's Runge-Kutta scheme. Unknowns are u, x = x_0 + u^3, v and the time in
/// the units of the impact, over sigma, dt = 3 u^2 d(sigma): smooth at onset, where x^n is not.
/// Begins anew where compression ends: there laws with memory turn over, and x_0 becomes the
/// overlap at which contact ends, where a force that pulls jumps to zero.
template <class Law>
class ReferenceMotion {
  public:
    ReferenceMotion(const Law& law, const PointImpact& impact, double velocity)
        : contact_(law, impact.separation, impact.mass), impact_(impact), velocity_(velocity) {
        contact_.accept(0.0, velocity);
        const double energy = 0.5 * impact.mass * velocity * velocity;
        length_ = core::geometric_bisection(
            1e-30, 1e30, [&](double x) { return contact_.stored_energy(x) < energy; });
    }

    PointReference run(const std::vector<double>& velocities) {
        PointReference reference{Status::not_separated, {}};
        State y{0.0, 1.0, 0.0};
        int steps = 0;
        for (const double sign : {1.0, -1.0}) {
            const Rates rates = [this](const State& at) { return slopes(at); };
            core::Trajectory<3, Rates> trajectory(rates, y, 1e-3, tolerance);
            const auto turning = [sign](const State& at) { return sign * at[1]; };
            const auto distance = [this](const State& at) {
                return overlap(at) - contact_.threshold();
            };
            do {
                if (!trajectory.advance()) return {};
                if (++steps > most_steps) return reference;
                const bool turns = !(turning(trajectory.state()) > 0.0);
                y = turns ? trajectory.at(trajectory.time_of(turning)) : trajectory.state();
                note(trajectory, y[1], velocities, reference.samples);
                if (!(distance(trajectory.state()) > 0.0)) {
                    reference.samples.push_back(
                        sample(trajectory.at(trajectory.time_of(distance))));
                    reference.status = Status::separated;
                    return reference;
                }
                contact_.accept(overlap(y), velocity_ * y[1]);
            } while (turning(trajectory.state()) > 0.0);
            const double x = overlap(y);
            origin_ = contact_.threshold();
            y[0] = core::cbrt((x - origin_) / length_);
        }
        return reference;  // on its way out the body turns back
    }

  private:
    using State = std::array<double, 3>;
    using Rates = std::function<State(const State&)>;
    static constexpr double tolerance = 1e-14;
    static constexpr int most_steps = 100'000;

    double overlap(const State& y) const { return origin_ + length_ * y[0] * y[0] * y[0]; }

    State slopes(const State& y) const {
        const double stretch = 3.0 * y[0] * y[0];
        const double force = contact_.force(overlap(y), velocity_ * y[1]);
        const double per_force = length_ / (impact_.mass * velocity_ * velocity_);
        return {y[1], stretch * per_force * (impact_.external_force - force), stretch};
    }

    PointSample sample(const State& y) const {
        const double x = overlap(y), v = velocity_ * y[1];
        const double energy = 0.5 * impact_.mass * v * v + contact_.stored_energy(x);
        return {y[2] * length_ / velocity_, x, v, energy};
    }

    /// Adds the samples of the velocities passed in the last step, on which the velocity, in units
    /// of the first, is followed down to `last`.
    void note(const core::Trajectory<3, Rates>& trajectory, double last,
              const std::vector<double>& velocities, std::vector<PointSample>& samples) const {
        while (samples.size() < velocities.size()) {
            const double wanted = velocities[samples.size()] / velocity_;
            if (!(last <= wanted)) return;
            const auto above = [wanted](const State& at) { return at[1] - wanted; };
            samples.push_back(sample(trajectory.at(trajectory.time_of(above))));
        }
    }

    contact::Contact<Law> contact_;
    const PointImpact& impact_;
    double velocity_, length_ = 0.0, origin_ = 0.0;
};

}  // namespace

PointImpacts::PointImpacts(const PointImpact& impact, const PointScheme& scheme,
                           std::size_t most_steps)
    : impact_(impact), scheme_(scheme), most_steps_(most_steps) {}

PointImpactResult PointImpacts::run(double velocity, bool measure, Samples* samples) const {
    const auto contact = contact_of(impact_, velocity);
    std::optional<HuntCrossleyImpact> closed;
    if (has_closed_forms(impact_)) closed = closed_forms(impact_, velocity);
    return std::visit(
        [&](const auto& rule) {
            return contact->is_elastic()
                       ? impact::run<true>(*contact, rule, impact_, scheme_, most_steps_, velocity,
                                           closed, measure, samples)
                       : impact::run<false>(*contact, rule, impact_, scheme_, most_steps_, velocity,
                                            closed, measure, samples);
        },
        scheme_.scheme);
}

time::PointState PointImpacts::march(double velocity, time::PointState state,
                                     std::size_t steps) const {
    const auto contact = contact_of(impact_, velocity);
    return std::visit(
        [&](const auto& rule) {
            return contact->is_elastic()
                       ? impact::march<true>(*contact, rule, impact_, scheme_.step, state, steps)
                       : impact::march<false>(*contact, rule, impact_, scheme_.step, state, steps);
        },
        scheme_.scheme);
}

bool has_closed_forms(const PointImpact& impact) {
    return impact.external_force == 0.0 &&
           std::visit([]<class Law>(const Law&) { return is_closed<Law>; }, impact.law);
}

HuntCrossleyImpact closed_forms(const PointImpact& impact, double velocity) {
    std::optional<HuntCrossleyImpact> closed;
    std::visit(
        [&]<class Law>(const Law& law) {
            if constexpr (is_closed<Law>) {
                contact::Contact contact(law, impact.separation, impact.mass);
                contact.accept(0.0, velocity);
                // F = k x^n (1 + mu v): mu is read off the force itself, whoever has set it.
                const core::Dual force = contact.force(core::Dual(1.0), core::Dual::variable(0.0));
                closed.emplace(impact.mass, *law.stiffness, law.exponent,
                               force.derivative / force.value, velocity);
            }
        },
        impact.law);
    return closed.value();
}

PointReference reference_motion(const PointImpact& impact, double velocity,
                                const std::vector<double>& velocities) {
    return std::visit(
        [&]<class Law>(const Law& law) {
            return ReferenceMotion<Law>(law, impact, velocity).run(velocities);
        },
        impact.law);
}

std::optional<double> reference_velocity(const PointImpact& impact, double velocity) {
    if (has_closed_forms(impact)) return closed_forms(impact, velocity).rebound_velocity();
    if (impact.external_force >= 0.0) {
        const Restitution result = restitution(
            impact.law, {velocity, impact.mass, 0.0, impact.external_force, impact.separation});
        if (result.status != ImpactOutcome::rebounds) return std::nullopt;
        return -*result.cor * velocity;
    }
    const PointReference reference = reference_motion(impact, velocity, {});
    if (reference.status != Status::separated) return std::nullopt;
    return reference.samples.back().velocity;
}

}  // namespace stoss::impact
