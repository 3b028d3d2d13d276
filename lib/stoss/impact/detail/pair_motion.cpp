#include <stoss/impact/detail/pair_motion.hpp>

#include <algorithm>
#include <cmath>

#include <stoss/core/bisection.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/modal/modal_flow.hpp>

namespace stoss::impact {

void PairMotion::prepare(const ContactPair& pair, const modal::Propagators& propagators) {
    pair_ = &pair;
    propagators_ = &propagators;
    const std::size_t count = pair.coupled ? pair.coupled->blocks() : pair.modes();
    mobility_.resize(count);
    if (pair.coupled) {
        see_blocks();
        return;
    }
    phi_.assign(propagators.padded(), 0.0);
    std::copy(pair.phi.begin(), pair.phi.end(), phi_.begin());
    shape_ = modal::ContactShape(phi_.data());
    for (std::size_t j = 0; j < count; ++j) mobility_[j] = phi_[j] * phi_[j];
}

void PairMotion::see_blocks() {
    const modal::CoupledModes& coupled = *pair_->coupled;
    coupled.see(pair_->phi, blocks_);
    reach_.assign(propagators_->padded(), 0.0);
    for (std::size_t j = 0; j < size(); ++j) {
        // Of q' the amplitude is that of q times omega; of a motion that only decays, d times.
        const double rate = omega(j) > 0.0 ? omega(j) : propagators_->dampings()[j];
        reach_[j] = std::abs(blocks_.out_q[j]) + rate * std::abs(blocks_.out_v[j]);
        mobility_[j] = reach_[j] * core::hypot(blocks_.in_v[j], rate * blocks_.in_q[j]);
    }
    shape_ = modal::ContactShape(blocks_.in_v.data());
    shape_.in_q = blocks_.in_q.data();
    shape_.out_q = blocks_.out_q.data();
    shape_.out_v = blocks_.out_v.data();
    shape_.reach = reach_.data();
    rigid_phi_.assign(pair_->modes(), 0.0);
    for (std::size_t j = 0; j < pair_->rigid; ++j) rigid_phi_[j] = -pair_->phi[j];
    approach_of_q_.resize(size());
    approach_of_v_.resize(size());
    coupled.rate_weights(rigid_phi_, approach_of_q_, approach_of_v_);
    modes_q_.resize(pair_->modes());
    modes_v_.resize(pair_->modes());
}

void PairMotion::start(modal::ModalState state) const {
    std::fill(state.q, state.q + propagators_->padded(), 0.0);
    std::fill(state.v, state.v + propagators_->padded(), 0.0);
    if (!pair_->coupled) {
        std::copy(pair_->initial_coordinates.begin(), pair_->initial_coordinates.end(), state.q);
        std::copy(pair_->initial_rates.begin(), pair_->initial_rates.end(), state.v);
        return;
    }
    pair_->coupled->to_blocks(pair_->initial_coordinates, pair_->initial_rates, {state.q, size()},
                              {state.v, size()});
}

ModesView PairMotion::modes(modal::ModalState state) {
    if (!pair_->coupled) return {{state.q, size()}, {state.v, size()}};
    pair_->coupled->to_modes({state.q, size()}, {state.v, size()}, modes_q_, modes_v_);
    return {modes_q_, modes_v_};
}

double PairMotion::approach_velocity_of_blocks(modal::ModalState state) const {
    double velocity = 0.0;
    for (std::size_t j = 0; j < size(); ++j) {
        velocity += approach_of_q_[j] * state.q[j] + approach_of_v_[j] * state.v[j];
    }
    return velocity;
}

double PairMotion::approach_acceleration(modal::ModalState state, double force) const {
    if (!pair_->coupled) return pair_->approach_acceleration({state.v, size()}, force);
    double acceleration = 0.0;
    for (std::size_t j = 0; j < size(); ++j) {
        const double rate = state.v[j] + blocks_.in_q[j] * force;
        const double rate_of_rate = blocks_.in_v[j] * force -
                                    propagators_->eigenvalues()[j] * state.q[j] -
                                    propagators_->dampings()[j] * state.v[j];
        acceleration += approach_of_q_[j] * rate + approach_of_v_[j] * rate_of_rate;
    }
    return acceleration;
}

double PairMotion::approach_end(modal::ModalState state, double h) const {
    const auto of_modes = [&](double time) {
        double sum = 0.0;
        for (std::size_t j = 0; j < pair_->rigid; ++j) {
            const double d = pair_->dampings[j];
            sum -= pair_->phi[j] * (state.v[j] * core::exp(-d * time) +
                                    pair_->loads[j] * modal::steady_response(d, time).v);
        }
        return sum;
    };
    const auto of_blocks = [&](double time) {
        double sum = 0.0;
        for (std::size_t j = 0; j < size(); ++j) {
            const modal::ModalFlow flow = modal::modal_flow(propagators_->eigenvalues()[j],
                                                            propagators_->dampings()[j], time);
            sum += approach_of_q_[j] * (flow.qq * state.q[j] + flow.qv * state.v[j]) +
                   approach_of_v_[j] * (flow.vq * state.q[j] + flow.vv * state.v[j]);
        }
        return sum;
    };
    const auto is_positive = [&](double time) {
        return (pair_->coupled ? of_blocks(time) : of_modes(time)) > 0.0;
    };
    return core::bisection(0.0, h, 60, is_positive).high;
}

double PairMotion::magnitude(modal::ModalState state) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < size(); ++j) {
        sum += std::abs(shape_.out_q[j] * state.q[j]);
        if (shape_.out_v) sum += std::abs(shape_.out_v[j] * state.v[j]);
    }
    return sum;
}

bool PairMotion::parts_for_good(modal::ModalState state, double approach_velocity,
                                double reach) const {
    if (!(approach_velocity < 0.0)) return false;
    if (!pair_->coupled) return pair_->parts_for_good({state.q, size()}, {state.v, size()}, reach);
    // Blocks that do not vibrate move on for good, or by v/d before they are at rest.
    constexpr double roundoff = 1e-13;
    double lasting = 0.0, highest = reach, speeds = 0.0;
    for (std::size_t j = 0; j < size(); ++j) {
        if (omega(j) > 0.0) continue;
        const double d = propagators_->dampings()[j];
        const double rate = -(blocks_.out_q[j] - d * blocks_.out_v[j]) * state.v[j];
        highest -= blocks_.out_q[j] * state.q[j] + blocks_.out_v[j] * state.v[j];
        speeds += std::abs(rate);
        if (d == 0.0) {
            lasting += rate;
        } else {
            highest += std::max(rate, 0.0) / d;
        }
    }
    return !(lasting > roundoff * speeds) && highest < 0.0;
}

}  // namespace stoss::impact
