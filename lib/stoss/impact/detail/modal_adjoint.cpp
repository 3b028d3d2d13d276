#include <stoss/impact/detail/modal_adjoint.hpp>

#include <algorithm>
#include <numeric>

#include <stoss/core/elementary.hpp>
#include <stoss/modal/modal_flow.hpp>

namespace stoss::impact {

namespace {

struct ModeState {
    double q, v;
};

/// The flow that took a mode from one state to another one over a time [s].
modal::ModalFlow flow_between(double lambda, double d, double time, ModeState begin,
                              ModeState end) {
    const double a = 0.5 * d;
    const double bent = lambda * begin.q + a * begin.v, rate = a * begin.q + begin.v;
    const double square = begin.q * bent + begin.v * rate;  // of the amplitude
    constexpr double least = 1e-200;
    // Of a mode that hardly vibrates, or does not move, the states do not say.
    if (!(2.0 * a * a < lambda && square > least)) return modal::modal_flow(lambda, d, time);
    const double s = (begin.v * end.q - begin.q * end.v) / square;
    const double c = (end.q * bent + end.v * rate) / square;
    return {c + a * s, s, -lambda * s, c - a * s};
}

/// True if the mode hardly moves on in that time.
bool is_slow(const ContactPair& pair, std::size_t j, double rest) {
    return (pair.eigenvalues[j] + pair.dampings[j] * pair.dampings[j]) * rest * rest < 1.0;
}

double load(const ContactPair& pair, std::size_t j) {
    return j < pair.rigid ? pair.loads[j] : 0.0;
}

/// By the numbers of mode j in a free motion over a time [s]; `by`: by its state at the end.
void add_numbers_of_free_motion(const ContactPair& pair, const ModeNumbers& wanted, double time,
                                std::size_t j, ModeState begin, ModeState by,
                                const modal::ModalFlow& flow, PairGradient& gradient) {
    const double lambda = pair.eigenvalues[j], d = pair.dampings[j];
    if (wanted.eigenvalues || wanted.dampings) {
        const modal::FlowSlopes slopes = modal::flow_slopes(flow, lambda, d, time);
        const auto taken = [&](const modal::ModalFlow& slope) {
            return by.q * (slope.qq * begin.q + slope.qv * begin.v) +
                   by.v * (slope.vq * begin.q + slope.vv * begin.v);
        };
        gradient.eigenvalues[j] += taken(slopes.by_eigenvalue);
        gradient.dampings[j] += taken(slopes.by_damping);
    }
    if (j < pair.rigid) {
        const modal::SteadyResponse response = modal::steady_response(d, time);
        gradient.loads[j] += by.q * response.q + by.v * response.v;
    }
    if (wanted.dampings && load(pair, j) != 0.0) {
        const modal::ResponseSlopes slopes = modal::response_slopes(0.0, d, time);
        gradient.dampings[j] +=
            load(pair, j) * (by.q * slopes.q_by_damping[0] + by.v * slopes.v_by_damping[0]);
    }
}

/// The first modes of the pair: those whose numbers are wanted, or followed.
std::size_t numbered_modes(const ContactPair& pair, const ModeNumbers& wanted, bool follows) {
    if (wanted.of_all_modes() || follows) return pair.modes();
    return wanted.rigid_shapes ? pair.rigid : 0;
}

/// By the begin of a collision; `by`: by its state.
void add_start(const ContactPair& pair, modal::ModalState by, PairGradient& gradient) {
    double by_mass = gradient.effective_mass;
    const double m = pair.effective_mass;
    std::copy_n(by.v, pair.modes(), gradient.initial_rates.begin());
    std::copy_n(by.q, pair.modes(), gradient.initial_coordinates.begin());
    // The rigid coordinates make the surfaces touch: phi_r m times the overlap of the vibrations.
    double excess = 0.0, by_excess = 0.0;
    for (std::size_t j = pair.rigid; j < pair.modes(); ++j)
        excess -= pair.phi[j] * pair.initial_coordinates[j];
    for (std::size_t j = 0; j < pair.rigid; ++j) {
        by_excess += by.q[j] * pair.phi[j] * m;
        by_mass += by.q[j] * pair.phi[j] * excess;
        gradient.phi[j] += by.q[j] * excess * m;
        gradient.initial_coordinates[j] = 0.0;
    }
    for (std::size_t j = pair.rigid; j < pair.modes(); ++j) {
        gradient.initial_coordinates[j] -= pair.phi[j] * by_excess;
        gradient.phi[j] -= pair.initial_coordinates[j] * by_excess;
    }
    for (std::size_t j = 0; j < pair.rigid; ++j)
        gradient.phi[j] -= by_mass * 2.0 * pair.phi[j] * m * m;
}

/// By the numbers of the modes that a late force pushed; `by`: by the state after it.
void add_numbers_of_late_force(const ContactPair& pair, const modal::LateForce& force,
                               modal::ModalState by, PairGradient& gradient) {
    for (std::size_t j = 0; j < pair.modes(); ++j) {
        const double phi = pair.phi[j], d = pair.dampings[j];
        gradient.phi[j] += force.impulse * by.v[j];
        if (!is_slow(pair, j, force.rest)) continue;
        gradient.phi[j] +=
            (d * force.first + (d * d - pair.eigenvalues[j]) * force.second) * by.v[j] -
            (force.first + d * force.second) * by.q[j];
        gradient.eigenvalues[j] -= phi * force.second * by.v[j];
        gradient.dampings[j] +=
            phi * ((force.first + 2.0 * d * force.second) * by.v[j] - force.second * by.q[j]);
    }
}

}  // namespace

modal::Overlap later_overlap(const ContactPair& pair, double time, PastState now) {
    modal::Overlap overlap = pair.load_response(time);
    for (std::size_t j = 0; j < pair.modes(); ++j) {
        const modal::ModalFlow flow =
            modal::modal_flow(pair.eigenvalues[j], pair.dampings[j], time);
        overlap.x -= pair.phi[j] * (flow.qq * now.q[j] + flow.qv * now.v[j]);
        overlap.v -= pair.phi[j] * (flow.vq * now.q[j] + flow.vv * now.v[j]);
    }
    return overlap;
}

void PairGradient::clear(const ContactPair& pair, std::size_t padded) {
    for (core::AlignedVector* each : {&eigenvalues, &dampings, &phi, &loads})
        each->assign(padded, 0.0);
    for (std::vector<double>* each : {&initial_coordinates, &initial_rates})
        each->assign(pair.modes(), 0.0);
    residual_flexibility = effective_mass = 0.0;
}

ModalAdjoint::ModalAdjoint(const ContactPair& pair, const modal::Propagators& propagators,
                           const modal::PropagatorSlopes& slopes, bool with_rates,
                           const ModeNumbers& wanted, AdjointMemory& memory)
    : pair_(pair),
      slopes_(slopes),
      kernels_(modal::adjoint_kernels()),
      memory_(memory),
      wanted_(wanted),
      numbered_(numbered_modes(pair, wanted, memory.change.follows)),
      gradient_(memory.gradient),
      change_(pair, memory.change) {
    const std::size_t n = propagators.padded();
    memory.phi.assign(n, 0.0);
    memory.loads.assign(n, 0.0);
    std::copy(pair.phi.begin(), pair.phi.end(), memory.phi.begin());
    std::copy(pair.loads.begin(), pair.loads.end(), memory.loads.begin());
    memory.states.resize(2 * n * (AdjointMemory::most_steps + 1));
    modes_ = {n, memory.phi.data(), memory.loads.data(), with_rates, change_.by_phi()};
}

void ModalAdjoint::start() {
    for (auto& steps : memory_.steps) steps.clear();
    waiting_ = 0;
    change_.start();
    q_ = memory_.states.data();
    v_ = q_ + modes_.n;
    std::fill(q_, v_ + modes_.n, 0.0);
    gradient_.clear(pair_, modes_.n);
}

void ModalAdjoint::by_overlap(const modal::Overlap& by, PastState now) {
    if (by.x == 0.0 && by.v == 0.0) return;
    for (std::size_t j = 0; j < pair_.modes(); ++j) {
        q_[j] -= pair_.phi[j] * by.x;
        v_[j] -= pair_.phi[j] * by.v;
    }
    const std::size_t modes = change_.is_in_steps() ? pair_.rigid : numbered_;
    for (std::size_t j = 0; j < modes; ++j) gradient_.phi[j] -= now.q[j] * by.x + now.v[j] * by.v;
}

void ModalAdjoint::by_approach_velocity(double by, PastState now) {
    if (by == 0.0) return;  // as in most steps
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
        gradient_.phi[j] -= by * (2.0 * phi * force + load(pair_, j) - d * now.v[j]);
        gradient_.loads[j] -= by * phi;
        gradient_.dampings[j] += by * phi * now.v[j];
        v_[j] += by * phi * d;
    }
    return of_force;
}

void ModalAdjoint::by_load_acceleration(double by) {
    for (std::size_t j = 0; j < pair_.rigid; ++j) {
        gradient_.phi[j] -= by * load(pair_, j);
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
        const double acceleration = pair_.phi[j] * force + load(pair_, j) -
                                    pair_.eigenvalues[j] * now.q[j] - pair_.dampings[j] * now.v[j];
        by += q_[j] * now.v[j] + v_[j] * acceleration;
    }
    return by;
}

time::Triple ModalAdjoint::by_end_of_step(const modal::Propagator& flow) const {
    return kernels_.by_forces(flow, modes_, {q_, v_});
}

void ModalAdjoint::back_over_step(const modal::Propagator& flow, PastState begin,
                                  const time::Triple& nodes, const time::Triple& by_x,
                                  const time::Triple& by_v) {
    const modal::StepBackwards step{&flow, begin, {q_, v_}, nodes, by_x, by_v};
    if (!wanted_.any()) {
        if (change_.follows()) change_.add_step(modes_, step, kernels_.forces_along(modes_, step));
        kernels_.to_begin(modes_, step, {q_, v_});
        return;
    }
    if (waiting_ == AdjointMemory::most_steps) add_numbers();
    const modal::ModalState begin_of_step = next_place();
    kernels_.to_begin(modes_, step, begin_of_step);
    let_wait(step);
    q_ = begin_of_step.q;
    v_ = begin_of_step.v;
}

void ModalAdjoint::back_over_steps(std::span<modal::ElasticStepBackwards> steps) {
    const bool waits = wanted_.any();
    if (waits && waiting_ + steps.size() > AdjointMemory::most_steps) add_numbers();
    for (modal::ElasticStepBackwards& each : steps) {
        each.step.by_end = {q_, v_};
        each.by_begin = waits ? next_place() : modal::ModalState{q_, v_};
        q_ = each.by_begin.q;
        v_ = each.by_begin.v;
    }
    kernels_.back_over_steps(modes_, steps);
    for (std::size_t i = 0; waits && i < steps.size(); ++i) let_wait(steps[i].step);
    if (!change_.follows()) return;
    for (const modal::ElasticStepBackwards& each : steps)
        change_.add_step(modes_, each.step, each.along);
}

double ModalAdjoint::along() const {
    const core::AlignedVector& along = memory_.change.along;
    return std::inner_product(along.begin(), along.end(), gradient_.phi.begin(),
                              change_.of_steps());
}

modal::ModalState ModalAdjoint::next_place() {
    double* q = q_ + 2 * modes_.n;
    if (q == memory_.states.data() + memory_.states.size()) q = memory_.states.data();
    return {q, q + modes_.n};
}

void ModalAdjoint::let_wait(const modal::StepBackwards& step) {
    memory_.steps[step.level->number].push_back(step);
    ++waiting_;
}

void ModalAdjoint::add_numbers() {
    const modal::ByModes by{gradient_.phi.data(), gradient_.loads.data(),
                            wanted_.eigenvalues ? gradient_.eigenvalues.data() : nullptr,
                            wanted_.dampings ? gradient_.dampings.data() : nullptr};
    const modal::ModesBackwards numbered{in_whole_registers(numbered_), modes_.phi, modes_.loads,
                                         modes_.with_rates};
    for (auto& steps : memory_.steps) {
        if (steps.empty()) continue;
        kernels_.add_numbers(
            numbered, steps,
            by.eigenvalue || by.damping ? slopes_.level(*steps.front().level) : nullptr, by);
        steps.clear();
    }
    waiting_ = 0;
}

void ModalAdjoint::back_over_free_motion(double time, PastState begin, std::size_t j,
                                         const modal::ModalFlow& flow) {
    if (wanted_.any() && j < numbered_)
        add_numbers_of_free_motion(pair_, wanted_, time, j, {begin.q[j], begin.v[j]},
                                   {q_[j], v_[j]}, flow, gradient_);
    const double q = q_[j];
    q_[j] = flow.qq * q + flow.vq * v_[j];
    v_[j] = flow.qv * q + flow.vv * v_[j];
}

void ModalAdjoint::back_over_free_motion(double time, PastState begin, PastState end) {
    for (std::size_t j = 0; j < pair_.modes(); ++j) {
        back_over_free_motion(time, begin, j,
                              flow_between(pair_.eigenvalues[j], pair_.dampings[j], time,
                                           {begin.q[j], begin.v[j]}, {end.q[j], end.v[j]}));
    }
}

void ModalAdjoint::by_later_overlap(double by, double time, PastState now) {
    for (std::size_t j = 0; j < pair_.modes(); ++j) {
        const double d = pair_.dampings[j];
        const modal::ModalFlow flow = modal::modal_flow(pair_.eigenvalues[j], d, time);
        const double response = load(pair_, j) == 0.0 ? 0.0 : modal::steady_response(d, time).q;
        q_[j] -= by * pair_.phi[j];
        gradient_.phi[j] -=
            by * (flow.qq * now.q[j] + flow.qv * now.v[j] + load(pair_, j) * response);
        back_over_free_motion(time, now, j, flow);
    }
}

void ModalAdjoint::by_later_approach_velocity(double by, double time, PastState now) {
    for (std::size_t j = 0; j < pair_.rigid; ++j) {
        const double phi = pair_.phi[j], d = pair_.dampings[j];
        const double decay = core::exp(-d * time);
        const double response = modal::steady_response(d, time).v;
        v_[j] -= by * phi * decay;
        gradient_.phi[j] -= by * (decay * now.v[j] + load(pair_, j) * response);
        gradient_.loads[j] -= by * phi * response;
        gradient_.dampings[j] +=
            by * phi *
            (time * decay * now.v[j] -
             load(pair_, j) * modal::response_slopes(0.0, d, time).v_by_damping[0]);
    }
}

modal::LateForce ModalAdjoint::by_late_force(double rest) const {
    modal::LateForce by{rest};
    for (std::size_t j = 0; j < pair_.modes(); ++j) {
        const double phi = pair_.phi[j], d = pair_.dampings[j];
        by.impulse += phi * v_[j];
        if (!is_slow(pair_, j, rest)) continue;
        by.first += phi * (d * v_[j] - q_[j]);
        by.second += phi * ((d * d - pair_.eigenvalues[j]) * v_[j] - d * q_[j]);
    }
    return by;
}

void ModalAdjoint::back_over_late_force(const modal::LateForce& force) {
    if (numbered_ > 0) add_numbers_of_late_force(pair_, force, {q_, v_}, gradient_);
}

void ModalAdjoint::finish() {
    add_numbers();
    add_start(pair_, {q_, v_}, gradient_);
}

}  // namespace stoss::impact
