#include <stoss/impact/detail/modal_adjoint.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <stoss/core/elementary.hpp>
#include <stoss/modal/modal_flow.hpp>

namespace stoss::impact {

void PairGradient::clear(const ContactPair& pair, std::size_t padded) {
    for (core::AlignedVector* each : {&eigenvalues, &dampings, &phi, &loads})
        each->assign(padded, 0.0);
    for (std::vector<double>* each : {&initial_coordinates, &initial_rates})
        each->assign(pair.modes(), 0.0);
    residual_flexibility = effective_mass = 0.0;
}

ModalAdjoint::ModalAdjoint(const ContactPair& pair, const modal::Propagators& propagators,
                           const modal::PropagatorSlopes& slopes)
    : pair_(pair),
      propagators_(propagators),
      slopes_(slopes),
      over_step_(modal::back_over_step()),
      phi_(propagators.padded(), 0.0),
      loads_(propagators.padded(), 0.0) {
    std::copy(pair.phi.begin(), pair.phi.end(), phi_.begin());
    std::copy(pair.loads.begin(), pair.loads.end(), loads_.begin());
}

void ModalAdjoint::start() {
    q_.assign(propagators_.padded(), 0.0);
    v_.assign(propagators_.padded(), 0.0);
    gradient_.clear(pair_, propagators_.padded());
}

void ModalAdjoint::by_overlap(const modal::Overlap& by, PastState now) {
    if (by.x == 0.0 && by.v == 0.0) return;
    for (std::size_t j = 0; j < pair_.modes(); ++j) {
        q_[j] -= pair_.phi[j] * by.x;
        v_[j] -= pair_.phi[j] * by.v;
        gradient_.phi[j] -= now.q[j] * by.x + now.v[j] * by.v;
    }
}

void ModalAdjoint::by_approach_velocity(double by, PastState now) {
    for (std::size_t j = 0; j < pair_.rigid; ++j) {
        v_[j] -= pair_.phi[j] * by;
        gradient_.phi[j] -= now.v[j] * by;
    }
}

double ModalAdjoint::by_approach_acceleration(double by, double force, PastState now) {
    double of_force = 0.0;
    for (std::size_t j = 0; j < pair_.rigid; ++j) {
        const double phi = pair_.phi[j], d = pair_.dampings[j];
        of_force -= phi * phi * by;
        gradient_.phi[j] -= by * (2.0 * phi * force + load(j) - d * now.v[j]);
        gradient_.loads[j] -= by * phi;
        gradient_.dampings[j] += by * phi * now.v[j];
        v_[j] += by * phi * d;
    }
    return of_force;
}

void ModalAdjoint::by_load_acceleration(double by) {
    for (std::size_t j = 0; j < pair_.rigid; ++j) {
        gradient_.phi[j] -= by * load(j);
        gradient_.loads[j] -= by * pair_.phi[j];
    }
}

void ModalAdjoint::by_energy(double by, std::size_t begin, std::size_t end, PastState now) {
    for (std::size_t j = begin; j < end; ++j) {
        q_[j] += by * pair_.eigenvalues[j] * now.q[j];
        v_[j] += by * now.v[j];
        gradient_.eigenvalues[j] += 0.5 * by * now.q[j] * now.q[j];
    }
}

double ModalAdjoint::by_time(double force, PastState now) const {
    double by = 0.0;
    for (std::size_t j = 0; j < pair_.modes(); ++j) {
        const double acceleration = pair_.phi[j] * force + load(j) -
                                    pair_.eigenvalues[j] * now.q[j] - pair_.dampings[j] * now.v[j];
        by += q_[j] * now.v[j] + v_[j] * acceleration;
    }
    return by;
}

time::Triple ModalAdjoint::by_end_of_step(const modal::Propagator& flow) const {
    using Column = modal::FlowColumn;
    constexpr std::size_t lanes = modal::Propagator::lanes;
    std::array<std::array<double, lanes>, 3> by{};
    for (std::size_t block = 0; block < phi_.size(); block += lanes) {
        const double* const table = flow.table + modal::Propagator::place(block);
        for (std::size_t k = 0; k < 3; ++k) {
            const double* const of_q = table + Column::end_response_q[k] * lanes;
            const double* const of_v = table + Column::end_response_v[k] * lanes;
            for (std::size_t l = 0; l < lanes; ++l)
                by[k][l] += phi_[block + l] * (of_q[l] * q_[block + l] + of_v[l] * v_[block + l]);
        }
    }
    time::Triple sums{};
    for (std::size_t k = 0; k < 3; ++k)
        for (const double each : by[k]) sums[k] += each;
    return sums;
}

void ModalAdjoint::back_over_step(const modal::Propagator& flow, PastState begin,
                                  const time::Triple& nodes, const time::Triple& by_x,
                                  const time::Triple& by_v) {
    over_step_(flow, propagators_.padded(),
               {.phi = phi_.data(),
                .loads = loads_.data(),
                .begin = begin,
                .force = nodes,
                .by_x = by_x,
                .by_v = by_v,
                .with_rates = by_v != time::Triple{},
                .slopes = slopes_.level(flow),
                .q = q_.data(),
                .v = v_.data(),
                .by_phi = gradient_.phi.data(),
                .by_loads = gradient_.loads.data(),
                .by_eigenvalue = gradient_.eigenvalues.data(),
                .by_damping = gradient_.dampings.data()});
}

void ModalAdjoint::back_over_free_motion(double time, PastState begin) {
    for (std::size_t j = 0; j < pair_.modes(); ++j) {
        const double lambda = pair_.eigenvalues[j], d = pair_.dampings[j];
        const modal::ModalFlow flow = modal::modal_flow(lambda, d, time);
        const modal::FlowSlopes by = modal::flow_slopes(flow, lambda, d, time);
        const auto taken = [&](const modal::ModalFlow& slope) {
            return q_[j] * (slope.qq * begin.q[j] + slope.qv * begin.v[j]) +
                   v_[j] * (slope.vq * begin.q[j] + slope.vv * begin.v[j]);
        };
        gradient_.eigenvalues[j] += taken(by.by_eigenvalue);
        gradient_.dampings[j] += taken(by.by_damping);
        if (load(j) != 0.0) {
            const modal::SteadyResponse response = modal::steady_response(d, time);
            const modal::ResponseSlopes slopes = modal::response_slopes(0.0, d, time);
            gradient_.loads[j] += q_[j] * response.q + v_[j] * response.v;
            gradient_.dampings[j] +=
                load(j) * (q_[j] * slopes.q_by_damping[0] + v_[j] * slopes.v_by_damping[0]);
        }
        const double q = q_[j];
        q_[j] = flow.qq * q + flow.vq * v_[j];
        v_[j] = flow.qv * q + flow.vv * v_[j];
    }
}

modal::Overlap ModalAdjoint::later_overlap(double time, PastState now) const {
    modal::Overlap overlap = pair_.load_response(time);
    for (std::size_t j = 0; j < pair_.modes(); ++j) {
        const modal::ModalFlow flow =
            modal::modal_flow(pair_.eigenvalues[j], pair_.dampings[j], time);
        overlap.x -= pair_.phi[j] * (flow.qq * now.q[j] + flow.qv * now.v[j]);
        overlap.v -= pair_.phi[j] * (flow.vq * now.q[j] + flow.vv * now.v[j]);
    }
    return overlap;
}

void ModalAdjoint::by_later_overlap(double by, double time, PastState now) {
    for (std::size_t j = 0; j < pair_.modes(); ++j) {
        const double d = pair_.dampings[j];
        const modal::ModalFlow flow = modal::modal_flow(pair_.eigenvalues[j], d, time);
        const double response = load(j) == 0.0 ? 0.0 : modal::steady_response(d, time).q;
        q_[j] -= by * pair_.phi[j];
        gradient_.phi[j] -= by * (flow.qq * now.q[j] + flow.qv * now.v[j] + load(j) * response);
    }
    back_over_free_motion(time, now);
}

void ModalAdjoint::by_later_approach_velocity(double by, double time, PastState now) {
    for (std::size_t j = 0; j < pair_.rigid; ++j) {
        const double phi = pair_.phi[j], d = pair_.dampings[j];
        const double decay = core::exp(-d * time);
        const double response = modal::steady_response(d, time).v;
        v_[j] -= by * phi * decay;
        gradient_.phi[j] -= by * (decay * now.v[j] + load(j) * response);
        gradient_.loads[j] -= by * phi * response;
        gradient_.dampings[j] += by * phi *
                                 (time * decay * now.v[j] -
                                  load(j) * modal::response_slopes(0.0, d, time).v_by_damping[0]);
    }
}

modal::LateForce ModalAdjoint::by_late_force(double rest) const {
    modal::LateForce by{rest};
    for (std::size_t j = 0; j < pair_.modes(); ++j) {
        const double phi = pair_.phi[j], d = pair_.dampings[j];
        by.impulse += phi * v_[j];
        if (!is_slow(j, rest)) continue;
        by.first += phi * (d * v_[j] - q_[j]);
        by.second += phi * ((d * d - pair_.eigenvalues[j]) * v_[j] - d * q_[j]);
    }
    return by;
}

void ModalAdjoint::back_over_late_force(const modal::LateForce& force) {
    for (std::size_t j = 0; j < pair_.modes(); ++j) {
        const double phi = pair_.phi[j], d = pair_.dampings[j];
        gradient_.phi[j] += force.impulse * v_[j];
        if (!is_slow(j, force.rest)) continue;
        gradient_.phi[j] +=
            (d * force.first + (d * d - pair_.eigenvalues[j]) * force.second) * v_[j] -
            (force.first + d * force.second) * q_[j];
        gradient_.eigenvalues[j] -= phi * force.second * v_[j];
        gradient_.dampings[j] +=
            phi * ((force.first + 2.0 * d * force.second) * v_[j] - force.second * q_[j]);
    }
}

void ModalAdjoint::finish() {
    double by_mass = gradient_.effective_mass;
    const double m = pair_.effective_mass;
    std::copy_n(v_.begin(), pair_.modes(), gradient_.initial_rates.begin());
    std::copy_n(q_.begin(), pair_.modes(), gradient_.initial_coordinates.begin());
    // The rigid coordinates make the surfaces touch: phi_r m times the overlap of the vibrations.
    double excess = 0.0, by_excess = 0.0;
    for (std::size_t j = pair_.rigid; j < pair_.modes(); ++j)
        excess -= pair_.phi[j] * pair_.initial_coordinates[j];
    for (std::size_t j = 0; j < pair_.rigid; ++j) {
        by_excess += q_[j] * pair_.phi[j] * m;
        by_mass += q_[j] * pair_.phi[j] * excess;
        gradient_.phi[j] += q_[j] * excess * m;
        gradient_.initial_coordinates[j] = 0.0;
    }
    for (std::size_t j = pair_.rigid; j < pair_.modes(); ++j) {
        gradient_.initial_coordinates[j] -= pair_.phi[j] * by_excess;
        gradient_.phi[j] -= pair_.initial_coordinates[j] * by_excess;
    }
    for (std::size_t j = 0; j < pair_.rigid; ++j)
        gradient_.phi[j] -= by_mass * 2.0 * pair_.phi[j] * m * m;
}

}  // namespace stoss::impact
