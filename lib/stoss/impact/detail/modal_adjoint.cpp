#include <stoss/impact/detail/modal_adjoint.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <stoss/core/elementary.hpp>
#include <stoss/modal/modal_flow.hpp>

namespace stoss::impact {

void PairGradient::clear(const ContactPair& pair) {
    for (std::vector<double>* each :
         {&eigenvalues, &dampings, &phi, &initial_coordinates, &initial_rates})
        each->assign(pair.modes(), 0.0);
    loads.assign(pair.rigid, 0.0);
    residual_flexibility = effective_mass = 0.0;
}

ModalAdjoint::ModalAdjoint(const ContactPair& pair, const modal::Propagators& propagators,
                           const modal::PropagatorSlopes& slopes)
    : pair_(pair), propagators_(propagators), slopes_(slopes) {}

void ModalAdjoint::start() {
    q_.assign(propagators_.padded(), 0.0);
    v_.assign(propagators_.padded(), 0.0);
    gradient_.clear(pair_);
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
    time::Triple by{};
    for (std::size_t j = 0; j < pair_.modes(); ++j) {
        const double* const table = flow.table + modal::Propagator::place(j);
        for (std::size_t k = 0; k < 3; ++k)
            by[k] += pair_.phi[j] * (table[Column::end_response_q[k] * lanes] * q_[j] +
                                     table[Column::end_response_v[k] * lanes] * v_[j]);
    }
    return by;
}

namespace {

constexpr std::size_t lanes = modal::Propagator::lanes;
constexpr std::size_t outputs = modal::StepColumn::outputs, inputs = modal::StepColumn::inputs;

/// The columns of a propagator that are the entries of the matrix of a step
/// (theory/gradients.md 26.4).
constexpr auto entries = [] {
    using Column = modal::FlowColumn;
    using Step = modal::StepColumn;
    std::array<std::array<std::size_t, inputs>, outputs> at{};
    for (std::size_t i = 0; i < 3; ++i) {
        at[Step::node_q + i][Step::q] = Column::node_qq[i];
        at[Step::node_q + i][Step::v] = Column::node_qv[i];
        at[Step::node_v + i][Step::q] = Column::node_vq[i];
        at[Step::node_v + i][Step::v] = Column::node_vv[i];
        at[Step::end_q][Step::force + i] = Column::end_response_q[i];
        at[Step::end_v][Step::force + i] = Column::end_response_v[i];
        for (std::size_t k = 0; k < 3; ++k) {
            at[Step::node_q + i][Step::force + k] = Column::response_q[3 * i + k];
            at[Step::node_v + i][Step::force + k] = Column::response_v[3 * i + k];
        }
    }
    at[Step::end_q][Step::q] = Column::qq;
    at[Step::end_q][Step::v] = Column::qv;
    at[Step::end_v][Step::q] = Column::vq;
    at[Step::end_v][Step::v] = Column::vv;
    return at;
}();

using Lanes = std::array<double, lanes>;

/// True for the rates at the nodes, which no law without rates sees.
constexpr bool is_rate(std::size_t output) {
    return output >= modal::StepColumn::node_v && output < modal::StepColumn::end_q;
}

/// Sum over outputs and inputs of by * entry * input.
Lanes bilinear(const double* table, const std::array<Lanes, outputs>& by,
               const std::array<Lanes, inputs>& input, bool with_rates) {
    Lanes sum{};
    for (std::size_t o = 0; o < outputs; ++o) {
        if (!with_rates && is_rate(o)) continue;
        Lanes row{};
        for (std::size_t i = 0; i < inputs; ++i) {
            const double* const entry = table + modal::StepColumn::at(o, i) * lanes;
            for (std::size_t l = 0; l < lanes; ++l) row[l] += entry[l] * input[i][l];
        }
        for (std::size_t l = 0; l < lanes; ++l) sum[l] += by[o][l] * row[l];
    }
    return sum;
}

}  // namespace

void ModalAdjoint::back_over_step(const modal::Propagator& flow, PastState begin,
                                  const time::Triple& nodes, const time::Triple& by_x,
                                  const time::Triple& by_v) {
    using Step = modal::StepColumn;
    const double* const slopes = slopes_.level(flow);
    const bool with_rates = by_v != time::Triple{};
    for (std::size_t block = 0; block < pair_.modes(); block += lanes) {
        const std::size_t count = std::min(lanes, pair_.modes() - block);
        std::array<Lanes, outputs> by{};
        std::array<Lanes, inputs> input{};
        for (std::size_t l = 0; l < count; ++l) {
            const std::size_t j = block + l;
            const double phi = pair_.phi[j];
            for (std::size_t i = 0; i < 3; ++i) {
                by[Step::node_q + i][l] = -phi * by_x[i];
                by[Step::node_v + i][l] = -phi * by_v[i];
                input[Step::force + i][l] = phi * nodes[i] + load(j);
            }
            by[Step::end_q][l] = q_[j];
            by[Step::end_v][l] = v_[j];
            input[Step::q][l] = begin.q[j];
            input[Step::v][l] = begin.v[j];
        }
        const double* const table = flow.table + modal::Propagator::place(block);
        std::array<Lanes, inputs> by_input{};
        Lanes seen{};
        for (std::size_t o = 0; o < outputs; ++o) {
            if (!with_rates && is_rate(o)) continue;
            Lanes output{};
            for (std::size_t i = 0; i < inputs; ++i) {
                const double* const entry = table + entries[o][i] * lanes;
                for (std::size_t l = 0; l < lanes; ++l) {
                    by_input[i][l] += entry[l] * by[o][l];
                    output[l] += entry[l] * input[i][l];
                }
            }
            if (o >= Step::end_q) continue;
            const double weight = o < Step::node_v ? by_x[o] : by_v[o - Step::node_v];
            for (std::size_t l = 0; l < lanes; ++l) seen[l] -= weight * output[l];
        }
        const double* const by_modes = slopes + modal::PropagatorSlopes::place(block);
        const Lanes by_eigenvalue =
            bilinear(by_modes + Step::by_eigenvalue * lanes, by, input, with_rates);
        const Lanes by_damping =
            bilinear(by_modes + Step::by_damping * lanes, by, input, with_rates);
        for (std::size_t l = 0; l < count; ++l) {
            const std::size_t j = block + l;
            q_[j] = by_input[Step::q][l];
            v_[j] = by_input[Step::v][l];
            gradient_.eigenvalues[j] += by_eigenvalue[l];
            gradient_.dampings[j] += by_damping[l];
            gradient_.phi[j] += seen[l];
            for (std::size_t k = 0; k < 3; ++k) {
                gradient_.phi[j] += nodes[k] * by_input[Step::force + k][l];
                if (j < pair_.rigid) gradient_.loads[j] += by_input[Step::force + k][l];
            }
        }
    }
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
