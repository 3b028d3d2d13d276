#include <stoss/impact/detail/collision_sums.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <stoss/impact/detail/collision_outcome.hpp>
#include <stoss/impact/detail/contact_pair.hpp>

namespace stoss::impact {

void CollisionSums::start(double approach_velocity, CollisionResult& result) {
    SplittingMemory& memory = motion_.memory;
    const ContactPair& pair = motion_.pair;
    result_ = &result;
    separated_ = {memory.separated_q.data(), memory.separated_v.data()};
    separated_deviation_ = {memory.separated_deviation_q.data(),
                            memory.separated_deviation_v.data()};
    has_separated_ = false;
    impulse_ = work_ = contact_work_ = contact_loss_ = 0.0;
    peak_force_ = 0.0;
    compression_end_.reset();
    compression_impulse_ = compression_work_ = separation_work_ = 0.0;
    const ModesView modes = motion_.bodies.modes(motion_.now());
    initial_energy_ = pair.energy(0, pair.modes(), modes.q, modes.v);
    result.peak_force_error = 0.0;
    result.sub_impacts.clear();
    result.status = Status::not_separated;
    result.approach_speed = approach_velocity;
    result.initial_energy = initial_energy_;
}

void CollisionSums::begin_sub_impact(double time) {
    result_->sub_impacts.push_back({time, 0.0, 0.0, 0.0});
    impulse_at_onset_ = impulse_;
    peak_ = peak_error_ = 0.0;
}

void CollisionSums::end_sub_impact(double time) {
    SubImpact& sub_impact = result_->sub_impacts.back();
    sub_impact.end = time;
    sub_impact.peak_force = peak_;
    if (peak_ > peak_force_) {
        peak_force_ = peak_;
        result_->peak_force_error = peak_error_ / peak_;
    }
    sub_impact.impulse = impulse_ - impulse_at_onset_;
}

void CollisionSums::separate(const RunInstant& at) {
    const auto copy = [&](const modal::ModalState& from, const modal::ModalState& to) {
        std::copy_n(from.q, motion_.padded, to.q);
        std::copy_n(from.v, motion_.padded, to.v);
    };
    result_->separation = at.time;
    result_->separation_speed = -at.approach_velocity;
    result_->impulse = impulse_;
    separation_work_ = work_;
    has_separated_ = true;
    copy(motion_.now(), separated_);
    if (motion_.carries_deviation) copy(motion_.deviation(), separated_deviation_);
}

void CollisionSums::conclude(std::size_t steps, bool corrected) {
    CollisionResult& result = *result_;
    if (has_separated_) {
        take_energies(result.energy,
                      corrected ? corrected_modes() : motion_.bodies.modes(separated_));
        if (motion_.carries_deviation) find_deviation();
    }
    result.steps = steps;
    result.peak_force = peak_force_;
    result.compression_end = compression_end_;
    take_restitution(result, compression_impulse_, compression_work_, separation_work_);
}

Sample CollisionSums::sample(const RunInstant& at, double stored) {
    const ContactPair& pair = motion_.pair;
    const ModesView modes = motion_.bodies.modes(motion_.now());
    EnergyBalance balance;
    take_energies(balance, modes);
    Sample sample{};
    sample.time = at.time;
    sample.overlap = at.x;
    sample.approach_velocity = at.approach_velocity;
    sample.force = at.force;
    sample.energy_rigid = balance.rigid;
    sample.energy_vibration = balance.vibration;
    sample.energy_contact =
        (stored + 0.5 * pair.residual_flexibility * at.force * at.force) / initial_energy_;
    sample.energy_structural_loss = balance.structural_loss;
    sample.energy_contact_loss = balance.contact_loss;
    sample.energy_load_work = balance.load_work;
    sample.energy_modes = std::move(balance.modes);
    take_first_body(sample, pair, modes.q, modes.v);
    return sample;
}

void CollisionSums::take_energies(EnergyBalance& balance, const ModesView& modes) const {
    const ContactPair& pair = motion_.pair;
    const double scale = 1.0 / initial_energy_;
    balance.rigid = scale * pair.energy(0, pair.rigid, modes.q, modes.v);
    balance.modes.resize(pair.modes() - pair.rigid);
    balance.vibration = 0.0;
    for (std::size_t j = pair.rigid; j < pair.modes(); ++j) {
        balance.modes[j - pair.rigid] = scale * pair.mode_energy(j, modes.q, modes.v);
        balance.vibration += balance.modes[j - pair.rigid];
    }
    balance.load_work = pair.loaded ? scale * pair.load_work(modes.q) : 0.0;
    balance.contact_loss = scale * contact_loss_;
    // Damping took what the modes were given at the begin and by the loads, less what the contact
    // took from them and what they still have.
    const double brought = 1.0 + balance.load_work;
    balance.structural_loss =
        pair.damped ? brought - scale * contact_work_ - balance.rigid - balance.vibration : 0.0;
    balance.residual = balance.rigid + balance.vibration + balance.structural_loss +
                       balance.contact_loss - brought;
}

/// The motion at the last separation as its deviation corrects it, written where the next state
/// would be.
ModesView CollisionSums::corrected_modes() {
    const modal::ModalState& to = motion_.next();
    const std::size_t modes = motion_.pair.modes();
    for (std::size_t j = 0; j < modes; ++j) {
        to.q[j] = separated_.q[j] + separated_deviation_.q[j];
        to.v[j] = separated_.v[j] + separated_deviation_.v[j];
    }
    return {{to.q, modes}, {to.v, modes}};
}

void CollisionSums::find_deviation() {
    const ContactPair& pair = motion_.pair;
    deviation_.cor =
        -motion_.bodies.approach_velocity(separated_deviation_) / result_->approach_speed;
    deviation_.impulse =
        deviation_.cor / (1.0 + result_->separation_speed / result_->approach_speed);
    double sum = 0.0;
    for (std::size_t j = pair.rigid; j < pair.modes(); ++j) {
        const double energy = separated_.v[j] * separated_deviation_.v[j] +
                              pair.eigenvalues[j] * separated_.q[j] * separated_deviation_.q[j];
        sum += energy * energy;
    }
    deviation_.modes = std::sqrt(sum) / initial_energy_;
}

}  // namespace stoss::impact
