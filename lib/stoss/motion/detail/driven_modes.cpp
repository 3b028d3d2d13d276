#include <stoss/motion/detail/driven_modes.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include <stoss/core/elementary.hpp>
#include <stoss/core/gauss3.hpp>
#include <stoss/modal/modal_flow.hpp>
#include <stoss/modal/modal_kernels.hpp>
#include <stoss/modal/modal_response.hpp>
#include <stoss/modal/propagators.hpp>
#include <stoss/modal/step_propagator.hpp>
#include <stoss/motion/detail/lane_sum.hpp>
#include <stoss/time/detail/node_interpolation.hpp>

namespace stoss::motion {

namespace {

using Column = modal::FlowColumn;
constexpr std::size_t lanes = core::lanes;

const modal::ModalKernels& kernels() {
    static const modal::ModalKernels& chosen = modal::modal_kernels();
    return chosen;
}

/// What the kernels read and do not write.
modal::ModalState read_only(const State& state, std::size_t first = 0) {
    return {const_cast<double*>(state.q.data()) + first,
            const_cast<double*>(state.v.data()) + first};
}

/// The columns of the modes from `first` on.
modal::Propagator from_mode(const modal::Propagator& level, std::size_t first) {
    return {level.step, level.eigenvalues + first, level.dampings + first,
            level.table + modal::Propagator::place(first)};
}

const double* column(const modal::Propagator& level, std::size_t j, std::size_t c) {
    return level.table + modal::Propagator::place(j) + c * lanes;
}

}  // namespace

State::State(const System& system)
    : q(system.coordinates.begin(), system.coordinates.end()),
      v(system.rates.begin(), system.rates.end()) {
    q.resize(padded_modes(system), 0.0);
    v.resize(padded_modes(system), 0.0);
}

const DrivePhases& DrivePhases::at(const System& system, double time) {
    if (time_ == time) return *this;
    time_ = time;
    cosines_.resize(system.drives.size());
    sines_.resize(system.drives.size());
    for (std::size_t k = 0; k < system.drives.size(); ++k) {
        const double angle = system.drives[k].frequency * time + system.drives[k].phase;
        cosines_[k] = core::cos(angle);
        sines_[k] = core::sin(angle);
    }
    return *this;
}

ModeTables::ModeTables(const System& of, double longest)
    : system(of), directions(of), propagators(of.eigenvalues, of.dampings, longest) {
    for (const Drive& drive : of.drives)
        has_driven_modes = has_driven_modes || !drive.forces.empty();
}

StepTable::StepTable(const ModeTables& modes)
    : modes_(modes),
      turns_(points * modes.system.drives.size()),
      compliances_(modes.directions.pairs()),
      has_compliance_(modes.directions.pairs()) {
    if (!modes.has_driven_modes) return;
    const std::size_t places = points * modes.system.drives.size();
    driven_.assign(4 * places * modes.directions.padded(), 0.0);
    drive_responses_.resize(places * modes.directions.size());
    has_drive_response_.resize(modes.directions.size());
}

void StepTable::set(double step) {
    is_whole_ = true;
    level_ = modal::step_propagator(modes_.propagators, modes_.system.modes(), step, numbers_);
    forget();
}

void StepTable::set_free(double step) {
    is_whole_ = false;
    level_ = modal::free_propagator(modes_.propagators, modes_.system.modes(), step, numbers_);
    forget();
}

/// Nothing is known yet of the present step.
void StepTable::forget() {
    std::ranges::fill(has_compliance_, 0);
    std::ranges::fill(has_drive_response_, 0);
    for (std::size_t k = 0; k < modes_.system.drives.size(); ++k) {
        for (std::size_t p = first_point(); p < points; ++p) {
            const double angle = modes_.system.drives[k].frequency * time_to(p);
            const core::SineCosine turn = core::sine_cosine(angle);
            turns_[points * k + p] = {turn.cosine, turn.sine};
        }
    }
    fill_drives();
}

void StepTable::fill_drives() {
    const System& system = modes_.system;
    const std::size_t padded = modes_.directions.padded();
    for (std::size_t k = 0; k < system.drives.size(); ++k) {
        const Drive& drive = system.drives[k];
        if (drive.forces.empty()) continue;
        for (std::size_t p = first_point(); p < points; ++p) {
            double* const to = driven_.data() + 4 * (points * k + p) * padded;
            for (std::size_t j = 0; j < system.modes(); ++j) {
                const double force = drive.forces[j];
                if (force == 0.0) continue;
                const modal::HarmonicResponse response = modal::harmonic_response(
                    system.eigenvalues[j], system.dampings[j], drive.frequency, time_to(p));
                to[j] = force * response.cos_q;
                to[padded + j] = force * response.sin_q;
                to[2 * padded + j] = force * response.cos_v;
                to[3 * padded + j] = force * response.sin_v;
            }
        }
    }
}

double StepTable::time_to(std::size_t point) const {
    return point == 3 ? step() : step() * core::Gauss3::node[point];
}

/// Sums over the modes of phi_j times the response of mode j to drive k.
const StepTable::DriveResponse& StepTable::drive_response(std::size_t d, std::size_t k,
                                                          std::size_t point) const {
    const std::size_t count = modes_.directions.size();
    if (has_drive_response_[d] == 0) {
        has_drive_response_[d] = 1;
        for (std::size_t each = 0; each < modes_.system.drives.size(); ++each) {
            for (std::size_t p = 0; p < points; ++p) {
                const auto of = [&](std::size_t column) {
                    return modes_.directions.sum(d, drive_column(each, p, column));
                };
                drive_responses_[(points * each + p) * count + d] = {of(0), of(1), of(2), of(3)};
            }
        }
    }
    return drive_responses_[(points * k + point) * count + d];
}

void StepTable::free_nodes(std::size_t d, const State& from, const DrivePhases& phases,
                           NodeMotion& nodes) const {
    nodes.x = nodes.v = {};
    modal::NodeOverlaps part;
    for (const auto& [begin, end] : modes_.directions.ranges(d)) {
        kernels().free_overlaps(from_mode(level_, begin), end - begin,
                                modes_.directions.phi(d) + begin, read_only(from, begin),
                                modal::Rates::at_nodes, nullptr, part);
        for (std::size_t i = 0; i < 3; ++i) {
            nodes.x[i] += part.x[i];
            nodes.v[i] += part.v[i];
        }
    }
    if (!modes_.has_driven_modes) return;
    for (std::size_t k = 0; k < modes_.system.drives.size(); ++k) {
        if (modes_.system.drives[k].forces.empty()) continue;
        const double c = phases.cosine(k), s = phases.sine(k);
        for (std::size_t i = 0; i < 3; ++i) {
            const DriveResponse& response = drive_response(d, k, i);
            nodes.x[i] -= c * response.cos_q - s * response.sin_q;
            nodes.v[i] -= c * response.cos_v - s * response.sin_v;
        }
    }
}

ContactMotion StepTable::surface(std::size_t contact, const DrivePhases& phases,
                                 std::size_t point) const {
    ContactMotion motion;
    for (std::size_t k = 0; k < modes_.system.drives.size(); ++k) {
        const Drive& drive = modes_.system.drives[k];
        if (drive.surfaces.empty() || drive.surfaces[contact] == 0.0) continue;
        const Turn& turn = turns_[points * k + point];
        const double c = phases.cosine(k), s = phases.sine(k);
        motion.x += drive.surfaces[contact] * (c * turn.cosine - s * turn.sine);
        motion.v -= drive.surfaces[contact] * drive.frequency * (s * turn.cosine + c * turn.sine);
    }
    return motion;
}

void StepTable::add_drives(const DrivePhases& phases, std::size_t point, bool of_coordinates,
                           State& to) const {
    if (!modes_.has_driven_modes) return;
    for (std::size_t k = 0; k < modes_.system.drives.size(); ++k) {
        if (modes_.system.drives[k].forces.empty()) continue;
        const double c = phases.cosine(k), s = phases.sine(k);
        const double *const cos_q = drive_column(k, point, 0),
                            *const sin_q = drive_column(k, point, 1),
                            *const cos_v = drive_column(k, point, 2),
                            *const sin_v = drive_column(k, point, 3);
        double *const q = to.q.data(), *const v = to.v.data();
        const std::size_t padded = modes_.directions.padded();
        for (std::size_t j = 0; of_coordinates && j < padded; ++j)
            q[j] += c * cos_q[j] - s * sin_q[j];
        for (std::size_t j = 0; j < padded; ++j) v[j] += c * cos_v[j] - s * sin_v[j];
    }
}

void StepTable::move_freely(const State& from, const DrivePhases& phases, State& to) const {
    kernels().move_freely(level_, modes_.directions.padded(), modes_.directions.phi(0),
                          read_only(from), {to.q.data(), to.v.data()}, nullptr);
    to.time = from.time + step();
    add_drives(phases, 3, true, to);
}

void StepTable::move(const State& from, const DrivePhases& phases, const NodeForce& force,
                     State& to) const {
    kernels().apply_forces(level_, modes_.directions.padded(),
                           modes_.directions.phi(force.direction), read_only(from), force.force,
                           {to.q.data(), to.v.data()}, nullptr);
    to.time = from.time + step();
    add_drives(phases, 3, true, to);
}

void StepTable::add_force(const NodeForce& force, State& to) const {
    const double* const phi = modes_.directions.phi(force.direction);
    double *const q = to.q.data(), *const v = to.v.data();
    modes_.directions.for_registers(force.direction, [&](std::size_t j) {
        for (std::size_t k = 0; k < 3; ++k) {
            const double *const of_q = column(level_, j, Column::end_response_q[k]),
                                *const of_v = column(level_, j, Column::end_response_v[k]);
            for (std::size_t l = 0; l < lanes; ++l) {
                q[j + l] += phi[j + l] * force.force[k] * of_q[l];
                v[j + l] += phi[j + l] * force.force[k] * of_v[l];
            }
        }
    });
}

void StepTable::free_rates(const State& from, const DrivePhases& phases, std::size_t node,
                           State& to) const {
    const double *const q = from.q.data(), *const v = from.v.data();
    double* const rate = to.v.data();
    for (std::size_t j = 0; j < modes_.directions.padded(); j += lanes) {
        const double *const vq = column(level_, j, Column::node_vq[node]),
                            *const vv = column(level_, j, Column::node_vv[node]);
        for (std::size_t l = 0; l < lanes; ++l) rate[j + l] = vq[l] * q[j + l] + vv[l] * v[j + l];
    }
    to.time = from.time + time_to(node);
    add_drives(phases, node, false, to);
}

void StepTable::add_force_to_rates(const NodeForce& force, std::size_t node, State& to) const {
    const double* const phi = modes_.directions.phi(force.direction);
    double* const rate = to.v.data();
    modes_.directions.for_registers(force.direction, [&](std::size_t j) {
        for (std::size_t k = 0; k < 3; ++k) {
            const double* const response = column(level_, j, Column::response_v[3 * node + k]);
            for (std::size_t l = 0; l < lanes; ++l)
                rate[j + l] += phi[j + l] * force.force[k] * response[l];
        }
    });
}

const StepTable::Compliance* StepTable::compliance(std::size_t c, std::size_t d) const {
    const std::optional<std::size_t> pair = modes_.directions.pair(c, d);
    if (!pair) return nullptr;
    Compliance& found = compliances_[*pair];
    if (has_compliance_[*pair] == 0) {
        has_compliance_[*pair] = 1;
        make(found, c, d);
    }
    return &found;
}

void StepTable::make(Compliance& compliance, std::size_t c, std::size_t d) const {
    const double *const phi = modes_.directions.phi(c), *const other = modes_.directions.phi(d);
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            LaneSum x, v;
            modes_.directions.for_registers(c, [&](std::size_t j) {
                const double *const q = column(level_, j, Column::response_q[3 * i + k]),
                                    *const rate = column(level_, j, Column::response_v[3 * i + k]);
                for (std::size_t l = 0; l < lanes; ++l) {
                    const double product = phi[j + l] * other[j + l];
                    x.lane[l] += product * q[l];
                    v.lane[l] += product * rate[l];
                }
            });
            compliance.x[i][k] = x.total();
            compliance.v[i][k] = v.total();
        }
    }
    const System& system = modes_.system;
    const std::size_t contacts = system.contacts.size();
    if (system.residual_flexibility.empty() || c >= contacts || d >= contacts) return;
    const double residual = system.residual_flexibility[c * contacts + d];
    for (std::size_t i = 0; i < 3; ++i) {
        compliance.x[i][i] += residual;
        for (std::size_t k = 0; k < 3; ++k)
            compliance.v[i][k] += residual * time::rate_weights[i][k + 1] / step();
    }
}

int StepTables::level_within(double time) const {
    if (!(time < longest())) return 0;
    int level = modes_.propagators.level_within(time);
    while (level > 0 && step(level - 1) <= time) --level;
    while (level < levels - 1 && step(level) > time) ++level;
    return level;
}

const StepTable& StepTables::at(int level) {
    std::unique_ptr<StepTable>& table = slot(level);
    if (!table) table = std::make_unique<StepTable>(modes_);
    if (!table->is_whole() || table->step() == 0.0) table->set(step(level));
    return *table;
}

const StepTable& StepTables::free_at(int level) {
    std::unique_ptr<StepTable>& table = slot(level);
    if (!table) {
        table = std::make_unique<StepTable>(modes_);
        table->set_free(step(level));
    }
    return *table;
}

void move_freely(const ModeTables& modes, const State& from, const DrivePhases& phases, double time,
                 State& to) {
    const System& system = modes.system;
    modal::ModalFlow flow;
    for (std::size_t j = 0; j < system.modes(); ++j) {
        const bool is_as_before = j > 0 && system.eigenvalues[j] == system.eigenvalues[j - 1] &&
                                  system.dampings[j] == system.dampings[j - 1];
        if (!is_as_before)
            flow = modal::modal_flow(system.eigenvalues[j], system.dampings[j], time);
        to.q[j] = flow.qq * from.q[j] + flow.qv * from.v[j];
        to.v[j] = flow.vq * from.q[j] + flow.vv * from.v[j];
    }
    for (std::size_t k = 0; k < system.drives.size(); ++k) {
        const Drive& drive = system.drives[k];
        if (drive.forces.empty()) continue;
        const double c = phases.cosine(k), s = phases.sine(k);
        for (std::size_t j = 0; j < system.modes(); ++j) {
            const double force = drive.forces[j];
            if (force == 0.0) continue;
            const modal::HarmonicResponse response = modal::harmonic_response(
                system.eigenvalues[j], system.dampings[j], drive.frequency, time);
            to.q[j] += force * (c * response.cos_q - s * response.sin_q);
            to.v[j] += force * (c * response.cos_v - s * response.sin_v);
        }
    }
    to.time = from.time + time;
}

/// The response to a drive from rest: with a_n the terms of q and f_n those of cos(W s + b),
/// (n + 2) (n + 1) a_{n+2} = f_n t^2 - (n + 1) d t a_{n+1} - lambda t^2 a_n.
void move_briefly(const ModeTables& modes, const State& from, const DrivePhases& phases,
                  double time, State& to) {
    constexpr int order = modal::roundoff_order;
    kernels().move_freely_briefly(modes.propagators, time, order, modes.directions.phi(0),
                                  read_only(from), {to.q.data(), to.v.data()});
    to.time = from.time + time;
    if (!modes.has_driven_modes || time == 0.0) return;
    const System& system = modes.system;
    for (std::size_t k = 0; k < system.drives.size(); ++k) {
        const Drive& drive = system.drives[k];
        if (drive.forces.empty()) continue;
        std::array<double, order> terms;
        const double angle = drive.frequency * time;
        const std::array<double, 4> derivatives{phases.cosine(k), -phases.sine(k),
                                                -phases.cosine(k), phases.sine(k)};
        double power = time * time;
        for (std::size_t n = 0; n < order; ++n) {
            terms[n] = power * derivatives[n % 4];
            power *= angle / (static_cast<double>(n) + 1.0);
        }
        for (std::size_t j = 0; j < system.modes(); ++j) {
            if (drive.forces[j] == 0.0) continue;
            const double l = system.eigenvalues[j] * time * time, d = system.dampings[j] * time;
            double a = 0.0, next = 0.0, q = 0.0, rate = 0.0;
            for (std::size_t n = 0; n < order; ++n) {
                const double m = static_cast<double>(n);
                const double after =
                    (terms[n] - (m + 1.0) * d * next - l * a) / ((m + 1.0) * (m + 2.0));
                a = next;
                next = after;
                q += after;
                rate += (m + 2.0) * after;
            }
            to.q[j] += drive.forces[j] * q;
            to.v[j] += drive.forces[j] * rate / time;
        }
    }
}

double unresolved(const ModeTables& modes, double h, const core::AlignedVector& reach) {
    return kernels().unresolved(modes.propagators, h, reach.data());
}

ContactMotion contact_motion(const ModeTables& modes, std::size_t c, const State& state) {
    ContactMotion motion = tangent_motion(modes, c, state);
    motion.x -= modes.system.contacts[c].gap;
    for (const Drive& drive : modes.system.drives) {
        if (drive.surfaces.empty() || drive.surfaces[c] == 0.0) continue;
        const double angle = drive.frequency * state.time + drive.phase;
        motion.x += drive.surfaces[c] * core::cos(angle);
        motion.v -= drive.surfaces[c] * drive.frequency * core::sin(angle);
    }
    return motion;
}

ContactMotion tangent_motion(const ModeTables& modes, std::size_t d, const State& state) {
    return {-modes.directions.sum(d, state.q.data()), -modes.directions.sum(d, state.v.data())};
}

double surface_velocity(const System& system, std::size_t c, double time) {
    double velocity = 0.0;
    for (const Drive& drive : system.drives) {
        if (drive.surfaces.empty() || drive.surfaces[c] == 0.0) continue;
        velocity -=
            drive.surfaces[c] * drive.frequency * core::sin(drive.frequency * time + drive.phase);
    }
    return velocity;
}

}  // namespace stoss::motion
