#pragma once
/// A collision by Newmark's scheme, one fixed step after the other (docs/theory/newmark.md).

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include <stoss/contact/contact.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/impact/detail/collision_outcome.hpp>
#include <stoss/impact/detail/contact_pair.hpp>
#include <stoss/impact/detail/free_motion.hpp>
#include <stoss/time/cubic_event.hpp>
#include <stoss/time/newmark.hpp>
#include <stoss/time/scalar_contact.hpp>

namespace stoss::impact {

/// Everything that an end of a step knows about the contact.
struct NewmarkInstant {
    double overlap = 0.0;       // x [m]
    double overlap_rate = 0.0;  // x' [m/s]
    double seen_overlap = 0.0;  // x at which the law was evaluated: x itself, or x one step earlier
    double seen_rate = 0.0;
    double force = 0.0;                  // P [N]
    double approach_velocity = 0.0;      // V_rel [m/s]
    double approach_acceleration = 0.0;  // dV_rel/dt [m/s^2]
    double impulse = 0.0;                // [N s] since the start
    double work = 0.0;                   // of P on V_rel [J] since the start
};

/// A collision under way with Newmark's scheme. One object a collision; all memory is taken before
/// the first step.
template <contact::ContactLaw Law>
class NewmarkCollision {
  public:
    NewmarkCollision(const ContactPair& pair, const Law& law, contact::Separation separation,
                     const time::Newmark& scheme)
        : pair_(pair),
          contact_(law, separation, pair.effective_mass),
          modes_(pair.eigenvalues, pair.dampings, pair.phi, scheme.step),
          free_motion_(pair),
          dt_(scheme.step),
          lagged_(scheme.force == time::ForceEvaluation::lagged),
          residual_(pair.residual_flexibility),
          q_(pair.initial_coordinates),
          rate_(pair.initial_rates),
          q_before_(pair.damped ? modes_.size() : 0, 0.0) {
        now_.overlap_rate = now_.seen_rate = pair_.overlap(rate_);
        q_.resize(modes_.size(), 0.0);
        rate_.resize(modes_.size(), 0.0);
        now_.approach_velocity = pair_.approach_velocity(rate_);
        contact_.accept(0.0, now_.overlap_rate);
        now_.force = contact_.force(0.0, now_.overlap_rate);
        now_.approach_acceleration = pair_.approach_acceleration(rate_, now_.force);
        dissipated_power_ = contact_.dissipated_power(0.0, now_.overlap_rate);
        initial_energy_ = pair_.energy(0, pair_.modes(), q_, rate_);
    }

    CollisionResult run(double time_limit, History* history) {
        CollisionResult result;
        result.approach_speed = now_.approach_velocity;
        result.initial_energy = initial_energy_;
        if (!(now_.approach_velocity > 0.0 && now_.overlap_rate > 0.0)) {
            result.status = Status::no_approach;
            return result;
        }
        const auto last_step =
            static_cast<std::size_t>(std::min(std::ceil(time_limit / dt_), 1e15));
        result.status = Status::not_separated;
        if (history) history->add(sample());
        core::StopCheck check_stop;
        while (step_ < last_step) {
            check_stop();
            step();
            if (!std::isfinite(now_.overlap) || !std::isfinite(now_.force)) {
                result.status = Status::not_finite;
                break;
            }
            find_compression_end();
            follow_sub_impacts(result);
            if (history && history->wants(step_)) history->add(sample());
            if (result.status == Status::separated || apart_for_ever(time_limit)) {
                result.status = Status::separated;
                if (!history || time_at(1.0) > aftermath * result.separation) break;
            }
        }
        conclude(result);
        return result;
    }

  private:
    void step() {
        before_ = now_;
        if (pair_.damped) std::copy(q_.begin(), q_.end(), q_before_.begin());
        const time::OverlapState free = modes_.predict(q_, rate_, before_.force);
        // The residual displacement follows the force; its rate is the difference over
        // a step.
        const double compliance_rate = residual_ / dt_;
        const double released = compliance_rate * before_.force;
        if (lagged_) {
            now_.force = residual_ == 0.0
                             ? contact_.force(before_.overlap, before_.overlap_rate)
                             : time::solve_contact_force(contact_, before_.overlap,
                                                         before_.overlap_rate, residual_, 0.0);
        } else {
            now_.force = time::solve_contact_force(contact_, free.overlap, free.rate + released,
                                                   modes_.overlap_per_force() + residual_,
                                                   modes_.rate_per_force() + compliance_rate);
        }
        if (now_.force != 0.0) modes_.correct(q_, rate_, now_.force);
        now_.overlap = free.overlap - modes_.overlap_per_force() * now_.force;
        now_.overlap_rate = free.rate - modes_.rate_per_force() * now_.force;
        if (lagged_) {
            now_.seen_overlap = before_.overlap - residual_ * now_.force;
            now_.seen_rate = before_.overlap_rate;
        } else {
            now_.seen_overlap = now_.overlap - residual_ * now_.force;
            now_.seen_rate = now_.overlap_rate + released - compliance_rate * now_.force;
        }
        ++step_;
        account();
    }

    /// Trapezoidal sums over the step just taken: consistent with the scheme to the last bit of
    /// order.
    void account() {
        now_.approach_velocity = pair_.approach_velocity(rate_);
        now_.approach_acceleration = pair_.approach_acceleration(rate_, now_.force);
        now_.impulse += 0.5 * dt_ * (before_.force + now_.force);
        now_.work += 0.25 * dt_ * (before_.force + now_.force) *
                     (before_.approach_velocity + now_.approach_velocity);
        const double power = contact_.dissipated_power(now_.seen_overlap, now_.seen_rate);
        contact_loss_ += 0.5 * dt_ * (dissipated_power_ + power);
        dissipated_power_ = power;
        edge_ = contact_.threshold();
        contact_loss_ += contact_.accept(now_.seen_overlap, now_.seen_rate);
        if (!pair_.damped) return;
        for (std::size_t j = 0; j < pair_.modes(); ++j) {
            const double mean_rate = (q_[j] - q_before_[j]) / dt_;
            structural_loss_ += dt_ * pair_.dampings[j] * mean_rate * mean_rate;
        }
    }

    double time_at(double fraction) const {
        return dt_ * (static_cast<double>(step_ - 1) + fraction);
    }
    time::CubicStep approach_velocity_in_step() const {
        return {before_.approach_velocity, now_.approach_velocity,
                dt_ * before_.approach_acceleration, dt_ * now_.approach_acceleration};
    }
    time::CubicStep impulse_in_step() const {
        return {before_.impulse, now_.impulse, dt_ * before_.force, dt_ * now_.force};
    }
    time::CubicStep work_in_step() const {
        return {before_.work, now_.work, dt_ * before_.force * before_.approach_velocity,
                dt_ * now_.force * now_.approach_velocity};
    }
    time::CubicStep overlap_in_step() const {
        return {before_.seen_overlap - edge_, now_.seen_overlap - edge_, dt_ * before_.seen_rate,
                dt_ * now_.seen_rate};
    }

    void find_compression_end() {
        if (compression_end_ || now_.approach_velocity > 0.0) return;
        const double fraction = approach_velocity_in_step().root();
        compression_end_ = time_at(fraction);
        compression_impulse_ = impulse_in_step()(fraction);
        compression_work_ = work_in_step()(fraction);
    }

    void follow_sub_impacts(CollisionResult& result) {
        const bool pushes_or_pulls = now_.force != 0.0;
        if (pushes_or_pulls && !in_contact_) begin_sub_impact(result);
        if (pushes_or_pulls) {
            double& peak = result.sub_impacts.back().peak_force;
            peak = std::max({peak, before_.force, now_.force});
        }
        if (!pushes_or_pulls && in_contact_) end_sub_impact(result);
        in_contact_ = pushes_or_pulls;
    }

    void begin_sub_impact(CollisionResult& result) {
        const double fraction = before_.seen_overlap > edge_ ? 0.0 : overlap_in_step().root();
        result.sub_impacts.push_back({time_at(fraction), 0.0, 0.0, 0.0});
        impulse_at_onset_ = impulse_in_step()(fraction);
    }

    void end_sub_impact(CollisionResult& result) {
        // Contact ends at its edge, which is x = 0 for most laws, or before, where the force does.
        double fraction = 1.0;
        if (!(now_.seen_overlap > edge_)) {
            fraction = overlap_in_step().root();
        } else {
            const double pull = contact_.unlimited_force(now_.seen_overlap, now_.seen_rate);
            fraction = before_.force / (before_.force - std::min(pull, 0.0));
        }
        SubImpact& sub_impact = result.sub_impacts.back();
        sub_impact.end = time_at(fraction);
        const double impulse = impulse_in_step()(fraction);
        sub_impact.impulse = impulse - impulse_at_onset_;
        result.separation = sub_impact.end;
        result.separation_speed = -approach_velocity_in_step()(fraction);
        result.impulse = impulse;
        separation_work_ = work_in_step()(fraction);
        take_energies(result.energy);
        look_again_ = step_;
    }

    void take_energies(EnergyBalance& balance) const {
        balance.rigid = pair_.energy(0, pair_.rigid, q_, rate_) / initial_energy_;
        balance.modes.resize(pair_.modes() - pair_.rigid);
        balance.vibration = 0.0;
        for (std::size_t j = pair_.rigid; j < pair_.modes(); ++j) {
            balance.modes[j - pair_.rigid] = pair_.mode_energy(j, q_, rate_) / initial_energy_;
            balance.vibration += balance.modes[j - pair_.rigid];
        }
        balance.structural_loss = structural_loss_ / initial_energy_;
        balance.contact_loss = contact_loss_ / initial_energy_;
        balance.residual = balance.rigid + balance.vibration + balance.structural_loss +
                           balance.contact_loss - 1.0;
    }

    /// True once the exact free motion shows that no contact follows ever after. Asked at each
    /// separation, and again where a contact that it foretold did not come.
    bool apart_for_ever(double time_limit) {
        if (in_contact_ || now_.overlap > 0.0 || now_.seen_overlap > 0.0) return false;
        if (step_ < look_again_) return false;
        const double time_to_contact = free_motion_.time_to_contact(q_, rate_, dt_, time_limit);
        if (std::isinf(time_to_contact)) return true;
        look_again_ = step_ + 1 + static_cast<std::size_t>(time_to_contact / dt_);
        return false;
    }

    void conclude(CollisionResult& result) const {
        result.steps = step_;
        for (const SubImpact& sub_impact : result.sub_impacts) {
            result.peak_force = std::max(result.peak_force, sub_impact.peak_force);
        }
        result.compression_end = compression_end_;
        take_restitution(result, compression_impulse_, compression_work_, separation_work_);
    }

    Sample sample() const {
        EnergyBalance balance;
        take_energies(balance);
        Sample sample{};
        sample.time = dt_ * static_cast<double>(step_);
        sample.overlap = now_.overlap - residual_ * now_.force;
        sample.approach_velocity = now_.approach_velocity;
        sample.force = now_.force;
        sample.energy_rigid = balance.rigid;
        sample.energy_vibration = balance.vibration;
        sample.energy_contact = (contact_.stored_energy(now_.seen_overlap) +
                                 0.5 * residual_ * now_.force * now_.force) /
                                initial_energy_;
        sample.energy_structural_loss = balance.structural_loss;
        sample.energy_contact_loss = balance.contact_loss;
        sample.energy_modes = std::move(balance.modes);
        take_first_body(sample, pair_, q_, rate_);
        return sample;
    }

    const ContactPair& pair_;
    contact::Contact<Law> contact_;
    time::NewmarkModes modes_;
    FreeMotion free_motion_;
    double dt_;
    bool lagged_;
    double residual_;  // R [m/N]
    std::vector<double> q_, rate_, q_before_;
    NewmarkInstant now_, before_;
    std::size_t step_ = 0;
    double initial_energy_ = 0.0;
    double structural_loss_ = 0.0, contact_loss_ = 0.0, dissipated_power_ = 0.0;
    std::optional<double> compression_end_;
    double compression_impulse_ = 0.0, compression_work_ = 0.0, separation_work_ = 0.0;
    double edge_ = 0.0;  // overlap at which contact began or would end in the step just taken
    bool in_contact_ = false;
    double impulse_at_onset_ = 0.0;
    std::size_t look_again_ = 0;
};

}  // namespace stoss::impact
