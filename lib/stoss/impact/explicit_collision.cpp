#include <stoss/contact/continuity.hpp>
#include <stoss/impact/explicit_collision.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <stoss/core/error.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/impact/detail/contact_pair.hpp>
#include <stoss/impact/detail/free_motion.hpp>
#include <stoss/time/scalar_contact.hpp>

namespace stoss::impact {

namespace {

/// All coordinates, or all rates, of the pair.
using Vector = std::vector<double>;

/// A collision under way. All memory is taken before the first step.
template <contact::ContactLaw Law>
class ExplicitCollision {
  public:
    ExplicitCollision(const ContactPair& pair, const Law& law, contact::Separation separation,
                      double step)
        : pair_(pair),
          contact_(law, separation, pair.effective_mass),
          free_motion_(pair),
          h_(step),
          q_(pair.initial_coordinates),
          rate_(pair.initial_rates) {
        for (Vector* each : {&a1_, &a2_, &a3_, &a4_, &v2_, &v3_, &v4_, &stage_}) {
            each->resize(pair.modes());
        }
    }

    ExplicitResult run(ExplicitScheme scheme, double time_limit) {
        const double approach = pair_.approach_velocity(rate_);
        const double initial_energy = energy();
        ExplicitResult result;
        const double closing = pair_.overlap(rate_);
        if (!(approach > 0.0 && closing > 0.0)) {
            result.status = Status::no_approach;
            return result;
        }
        contact_.accept(0.0, closing);
        result.status = Status::not_separated;
        const auto last = static_cast<std::size_t>(std::min(std::ceil(time_limit / h_), 1e9));
        double power = lost_power(0.0, closing), lost = 0.0;
        bool in_contact = false;
        std::size_t look_again = 0;
        core::StopCheck check_stop;
        while (result.steps < last) {
            check_stop();
            scheme == ExplicitScheme::rk4 ? rk4() : verlet();
            ++result.steps;
            const auto [x, v, force] = seen_by_law(pair_.overlap(q_), pair_.overlap(rate_));
            if (!std::isfinite(x) || !std::isfinite(v)) {
                result.status = Status::not_finite;
                break;
            }
            const double power_now = lost_power(x, v);
            lost += 0.5 * h_ * (power + power_now);
            power = power_now;
            const bool was_in_contact = in_contact;
            in_contact = x > contact_.threshold();
            lost += contact_.accept(x, v);
            if (was_in_contact && !in_contact) {
                result.cor_kinematic = -pair_.approach_velocity(rate_) / approach;
                result.energy_residual = (energy() + lost) / initial_energy - 1.0;
                look_again = result.steps;
            }
            if (in_contact || x > 0.0 || result.steps < look_again || look_again == 0) continue;
            const double wait = free_motion_.time_to_contact(q_, rate_, h_, time_limit);
            if (std::isinf(wait)) {
                result.status = Status::separated;
                break;
            }
            look_again = result.steps + 1 + static_cast<std::size_t>(wait / h_);
        }
        return result;
    }

  private:
    double energy() const {
        const Seen seen = seen_by_law(pair_.overlap(q_), pair_.overlap(rate_));
        double sum = contact_.stored_energy(seen.x) +
                     0.5 * pair_.residual_flexibility * seen.force * seen.force;
        for (std::size_t j = 0; j < q_.size(); ++j) sum += pair_.mode_energy(j, q_, rate_);
        return sum;
    }

    /// Power [W] that damping of the bodies and the contact take.
    double lost_power(double x, double v) const {
        double power = contact_.dissipated_power(x, v);
        for (std::size_t j = 0; j < rate_.size(); ++j) {
            power += pair_.dampings[j] * rate_[j] * rate_[j];
        }
        return power;
    }

    /// What the law sees at overlap x [m] and rate v [m/s] of the modes, and its force [N]
    /// (theory/collision.md 6.15). Of the rate it sees the share that a spring in series leaves at
    /// this overlap.
    struct Seen {
        double x, v, force;
    };
    Seen seen_by_law(double x, double v) const {
        const double residual = pair_.residual_flexibility;
        if (residual == 0.0) return {x, v, contact_.force(x, v)};
        const auto force_at = [&](double rate) {
            return time::solve_contact_force(contact_, x, rate, residual, 0.0);
        };
        const double force = force_at(v);
        const double slope =
            contact_.force(core::Dual::variable(x - residual * force), core::Dual(v)).derivative;
        const double rate = v / (1.0 + residual * slope);
        const double settled = Law::is_elastic ? force : force_at(rate);
        return {x - residual * settled, rate, settled};
    }

    /// q'' of every mode (6.1).
    void accelerate(const Vector& q, const Vector& rate, Vector& acceleration) {
        const double force = seen_by_law(pair_.overlap(q), pair_.overlap(rate)).force;
        for (std::size_t j = 0; j < q.size(); ++j) {
            acceleration[j] =
                pair_.phi[j] * force - pair_.dampings[j] * rate[j] - pair_.eigenvalues[j] * q[j];
        }
    }

    /// y = y_0 + h slope.
    static void move(Vector& y, const Vector& y0, double h, const Vector& slope) {
        for (std::size_t j = 0; j < y.size(); ++j) y[j] = y0[j] + h * slope[j];
    }

    /// (theory/point_impact.md 10.8).
    void verlet() {
        accelerate(q_, rate_, a1_);
        for (std::size_t j = 0; j < q_.size(); ++j) {
            q_[j] += h_ * (rate_[j] + 0.5 * h_ * a1_[j]);
        }
        move(v2_, rate_, h_, a1_);
        accelerate(q_, v2_, a2_);
        for (std::size_t j = 0; j < q_.size(); ++j) rate_[j] += 0.5 * h_ * (a1_[j] + a2_[j]);
    }

    /// (10.12).
    void rk4() {
        accelerate(q_, rate_, a1_);
        move(v2_, rate_, 0.5 * h_, a1_);
        move(stage_, q_, 0.5 * h_, rate_);
        accelerate(stage_, v2_, a2_);
        move(v3_, rate_, 0.5 * h_, a2_);
        move(stage_, q_, 0.5 * h_, v2_);
        accelerate(stage_, v3_, a3_);
        move(v4_, rate_, h_, a3_);
        move(stage_, q_, h_, v3_);
        accelerate(stage_, v4_, a4_);
        for (std::size_t j = 0; j < q_.size(); ++j) {
            q_[j] += h_ / 6.0 * (rate_[j] + 2.0 * v2_[j] + 2.0 * v3_[j] + v4_[j]);
            rate_[j] += h_ / 6.0 * (a1_[j] + 2.0 * a2_[j] + 2.0 * a3_[j] + a4_[j]);
        }
    }

    const ContactPair& pair_;
    contact::Contact<Law> contact_;
    FreeMotion free_motion_;
    double h_;
    Vector q_, rate_;
    Vector a1_, a2_, a3_, a4_, v2_, v3_, v4_, stage_;
};

}  // namespace

ExplicitResult collide_explicitly(const MovingBody& first, const MovingBody& second,
                                  const ContactSetup& contact, ExplicitScheme scheme, double step,
                                  double time_limit) {
    ContactPair pair(first.body, second.body, contact::damps_from_onset(contact.law));
    if (pair.coupled) {
        throw core::NumericalError(
            "explicit schemes do not support damping that couples the modes");
    }
    pair.set(first.approach(), second.approach());
    if (pair.loaded) throw core::NumericalError("explicit schemes do not support constant forces");
    return std::visit(
        [&](const auto& law) {
            return ExplicitCollision(pair, law, contact.separation, step).run(scheme, time_limit);
        },
        contact.law);
}

}  // namespace stoss::impact
