#include <stoss/motion/detail/driven_modes.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <stoss/core/elementary.hpp>
#include <stoss/impact/detail/residual_flexibility.hpp>
#include <stoss/modal/modal_flow.hpp>
#include <stoss/modal/modal_response.hpp>
#include <stoss/modal/propagators.hpp>

namespace stoss::motion {

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

StepTable::StepTable(const System& system, double step)
    : step_(step),
      modes_(system.modes()),
      numbers_((driven + 4 * points * system.drives.size()) * system.modes()),
      directions_(motion::directions(system)),
      compliances_(directions_ * directions_) {
    fill_flow_and_responses(system);
    fill_drives(system);
}

void StepTable::fill_flow_and_responses(const System& system) {
    using Column = modal::FlowColumn;
    const modal::Propagators propagators(system.eigenvalues, system.dampings, step_);
    const modal::Propagator& table = propagators.level(0);
    for (std::size_t j = 0; j < modes_; ++j) {
        const double* const from = table.table + modal::Propagator::place(j);
        const auto at = [&](std::size_t c) { return from[c * modal::Propagator::lanes]; };
        for (std::size_t i = 0; i < 3; ++i) {
            column(flow + 4 * i)[j] = at(Column::node_qq[i]);
            column(flow + 4 * i + 1)[j] = at(Column::node_qv[i]);
            column(flow + 4 * i + 2)[j] = at(Column::node_vq[i]);
            column(flow + 4 * i + 3)[j] = at(Column::node_vv[i]);
            for (std::size_t k = 0; k < 3; ++k) {
                column(response + 2 * (3 * i + k))[j] = at(Column::response_q[3 * i + k]);
                column(response + 2 * (3 * i + k) + 1)[j] = at(Column::response_v[3 * i + k]);
            }
        }
        column(flow + 12)[j] = at(Column::qq);
        column(flow + 13)[j] = at(Column::qv);
        column(flow + 14)[j] = at(Column::vq);
        column(flow + 15)[j] = at(Column::vv);
        for (std::size_t k = 0; k < 3; ++k) {
            column(response + 2 * (9 + k))[j] = at(Column::end_response_q[k]);
            column(response + 2 * (9 + k) + 1)[j] = at(Column::end_response_v[k]);
        }
    }
}

void StepTable::fill_drives(const System& system) {
    for (std::size_t k = 0; k < system.drives.size(); ++k) {
        const Drive& drive = system.drives[k];
        if (drive.forces.empty()) continue;
        for (std::size_t p = 0; p < points; ++p) {
            const std::size_t first = driven + 4 * (points * k + p);
            for (std::size_t j = 0; j < modes_; ++j) {
                const double force = drive.forces[j];
                if (force == 0.0) continue;
                const modal::HarmonicResponse to = modal::harmonic_response(
                    system.eigenvalues[j], system.dampings[j], drive.frequency, time_to(p));
                column(first)[j] = force * to.cos_q;
                column(first + 1)[j] = force * to.sin_q;
                column(first + 2)[j] = force * to.cos_v;
                column(first + 3)[j] = force * to.sin_v;
            }
        }
    }
}

double StepTable::time_to(std::size_t point) const {
    return point == 3 ? step_ : step_ * modal::Gauss3::node[point];
}

void StepTable::move_freely(const System& system, const State& from, const DrivePhases& phases,
                            std::size_t point, State& to) const {
    const double *const qq = column(flow + 4 * point), *const qv = column(flow + 4 * point + 1),
                        *const vq = column(flow + 4 * point + 2),
                        *const vv = column(flow + 4 * point + 3);
    const double *const q = from.q.data(), *const v = from.v.data();
    double *const next_q = to.q.data(), *const next_v = to.v.data();
    for (std::size_t j = 0; j < modes_; ++j) {
        next_q[j] = qq[j] * q[j] + qv[j] * v[j];
        next_v[j] = vq[j] * q[j] + vv[j] * v[j];
    }
    to.time = from.time + time_to(point);
    for (std::size_t k = 0; k < system.drives.size(); ++k) {
        const Drive& drive = system.drives[k];
        if (drive.forces.empty()) continue;
        const double c = phases.cosine(k), s = phases.sine(k);
        const std::size_t first = driven + 4 * (points * k + point);
        const double *const cos_q = column(first), *const sin_q = column(first + 1),
                            *const cos_v = column(first + 2), *const sin_v = column(first + 3);
        for (std::size_t j = 0; j < modes_; ++j) {
            next_q[j] += c * cos_q[j] - s * sin_q[j];
            next_v[j] += c * cos_v[j] - s * sin_v[j];
        }
    }
}

const StepTable::Compliance& StepTable::compliance(const System& system, std::size_t c,
                                                   std::size_t d) const {
    std::unique_ptr<Compliance>& slot = compliances_[c * directions_ + d];
    if (slot) return *slot;
    slot = std::make_unique<Compliance>();
    const std::vector<double>&phi = direction(system, c), &other = direction(system, d);
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            const double *const q = response_q(i, k), *const v = response_v(i, k);
            double x = 0.0, rate = 0.0;
            for (std::size_t j = 0; j < modes_; ++j) {
                const double product = phi[j] * other[j];
                x += product * q[j];
                rate += product * v[j];
            }
            slot->x[i][k] = x;
            slot->v[i][k] = rate;
        }
    }
    const std::size_t contacts = system.contacts.size();
    if (system.residual_flexibility.empty() || c >= contacts || d >= contacts) return *slot;
    const double residual = system.residual_flexibility[c * contacts + d];
    for (std::size_t i = 0; i < 3; ++i) {
        slot->x[i][i] += residual;
        for (std::size_t k = 0; k < 3; ++k)
            slot->v[i][k] += residual * impact::rate_weights[i][k + 1] / step_;
    }
    return *slot;
}

double StepTables::step(int level) const {
    return std::ldexp(level % 2 == 0 ? longest_ : longest_ / std::numbers::sqrt2, -(level / 2));
}

int StepTables::level_within(double time) const {
    if (!(time < longest_)) return 0;
    const double halvings = std::ceil(2.0 * core::log2(longest_ / time));
    int level = static_cast<int>(std::min(halvings, static_cast<double>(levels - 1)));
    if (level > 0 && step(level - 1) <= time) --level;
    return level;
}

const StepTable& StepTables::at(int level) {
    std::unique_ptr<StepTable>& slot = tables_[static_cast<std::size_t>(level)];
    if (!slot) slot = std::make_unique<StepTable>(system_, step(level));
    return *slot;
}

void move_freely(const System& system, const State& from, const DrivePhases& phases, double time,
                 State& to) {
    for (std::size_t j = 0; j < system.modes(); ++j) {
        const modal::ModalFlow flow =
            modal::modal_flow(system.eigenvalues[j], system.dampings[j], time);
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

ContactMotion contact_motion(const System& system, std::size_t c, const State& state) {
    const Contact& contact = system.contacts[c];
    ContactMotion motion{-contact.gap, 0.0};
    for (std::size_t j = 0; j < system.modes(); ++j) {
        motion.x -= contact.phi[j] * state.q[j];
        motion.v -= contact.phi[j] * state.v[j];
    }
    for (const Drive& drive : system.drives) {
        if (drive.surfaces.empty() || drive.surfaces[c] == 0.0) continue;
        const double angle = drive.frequency * state.time + drive.phase;
        motion.x += drive.surfaces[c] * core::cos(angle);
        motion.v -= drive.surfaces[c] * drive.frequency * core::sin(angle);
    }
    return motion;
}

ContactMotion tangent_motion(const std::vector<double>& phi, const State& state) {
    ContactMotion motion;
    for (std::size_t j = 0; j < phi.size(); ++j) {
        motion.x -= phi[j] * state.q[j];
        motion.v -= phi[j] * state.v[j];
    }
    return motion;
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
