#include <stoss/motion/detail/gap_bounds.hpp>

#include <algorithm>
#include <cmath>

#include <stoss/core/elementary.hpp>

namespace stoss::motion {

GapBounds::GapBounds(const System& system)
    : system_(system),
      rigid_(system.contacts.size()),
      vibrations_(system.contacts.size()),
      omega_(system.modes()),
      force_(system.modes()),
      first_(system.modes()),
      second_(system.modes()),
      surface_(system.contacts.size()),
      surface_reach_(system.contacts.size()),
      speed_(system.modes()),
      acceleration_(system.contacts.size()),
      is_ballistic_(system.contacts.size(), true),
      vibrates_(system.contacts.size()) {
    for (std::size_t j = 0; j < system.modes(); ++j) omega_[j] = std::sqrt(system.eigenvalues[j]);
    for (const Drive& drive : system.drives) {
        const double square = drive.frequency * drive.frequency;
        for (std::size_t j = 0; j < drive.forces.size(); ++j) {
            const double force = std::abs(drive.forces[j]);
            force_[j] += force;
            first_[j] += drive.frequency * force;
            second_[j] += square * force;
        }
        for (std::size_t c = 0; c < drive.surfaces.size(); ++c) {
            surface_[c] += square * square * std::abs(drive.surfaces[c]);
            surface_reach_[c] += std::abs(drive.surfaces[c]);
        }
    }
    for (std::size_t c = 0; c < system.contacts.size(); ++c) {
        for (std::size_t j = 0; j < system.modes(); ++j) {
            const double phi = system.contacts[c].phi[j];
            if (phi == 0.0) continue;
            const bool is_rigid = omega_[j] == 0.0;
            (is_rigid ? rigid_ : vibrations_)[c].push_back(j);
            const bool is_driven = is_rigid ? first_[j] > 0.0 : force_[j] > 0.0;
            if (system.dampings[j] > 0.0 || is_driven) is_ballistic_[c] = false;
            for (const Drive& drive : system.drives)
                if (is_rigid && !drive.forces.empty())
                    acceleration_[c] += phi * drive.forces[j] * core::cos(drive.phase);
        }
        vibrates_[c] = !vibrations_[c].empty() || surface_[c] > 0.0;
    }
}

void GapBounds::begin(const State& now) {
    now_ = &now;
    const double *const q = now.q.data(), *const v = now.v.data();
    for (std::size_t j = 0; j < speed_.size(); ++j) {
        const double elastic = omega_[j] * q[j];
        speed_[j] = std::sqrt(elastic * elastic + v[j] * v[j]);
    }
}

void GapBounds::hold(const std::vector<ContactState>& contacts) {
    held_.clear();
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        if (contacts[c].phase != Phase::resting) continue;
        held_.resize(speed_.size());
        const std::size_t j = *contacts[c].only_mode;
        held_[j] = surface_[c] / std::abs(system_.contacts[c].phi[j]);
    }
}

bool GapBounds::has_held_mode(std::size_t c) const {
    for (std::size_t j = 0; j < held_.size(); ++j)
        if (held_[j] && system_.contacts[c].phi[j] != 0.0) return true;
    return false;
}

double GapBounds::fourth_derivative(std::size_t j, double h) const {
    if (is_held(j)) return *held_[j];
    const double lambda = system_.eigenvalues[j], d = system_.dampings[j];
    const double rate = speed_[j] + force_[j] * h;
    const double second = (omega_[j] + d) * rate + force_[j];
    const double third = lambda * rate + d * second + first_[j];
    return lambda * second + d * third + second_[j];
}

double GapBounds::reach(std::size_t j, double h) const {
    return (speed_[j] + force_[j] * h) / omega_[j];
}

/// The gap of the rigid motion, a parabola in time, is wider than vibrations and driven surfaces
/// reach. Nothing is said of driven vibrations and of dampings.
bool GapBounds::is_far(std::size_t c, double h) const {
    if (!is_ballistic_[c] || has_held_mode(c)) return false;
    const std::vector<double>& phi = system_.contacts[c].phi;
    double gap = system_.contacts[c].gap, rate = 0.0, reach = surface_reach_[c];
    for (const std::size_t j : vibrations_[c]) reach += std::abs(phi[j]) * speed_[j] / omega_[j];
    for (const std::size_t j : rigid_[c]) {
        gap += phi[j] * now_->q[j];
        rate += phi[j] * now_->v[j];
    }
    const double acceleration = acceleration_[c];
    const auto gap_at = [&](double t) { return gap + t * (rate + 0.5 * t * acceleration); };
    double least = std::min(gap, gap_at(h));
    if (acceleration > 0.0 && rate < 0.0 && -rate < acceleration * h)
        least = gap_at(-rate / acceleration);
    return least > reach;
}

bool GapBounds::stays_open(std::size_t c, const ContactState& contact, const State& next, double h,
                           double touching) const {
    if (is_far(c, h)) return true;
    constexpr double resolved = 4.0;  // angle of a mode in a step of which a cubic knows something
    const std::vector<double>& phi = system_.contacts[c].phi;
    const double part = h * h * h * h / 384.0;
    double slow_error = part * surface_[c], fast_error = 0.0, fast_reach = 0.0;
    const double edge = contact.begin_overlap();
    const ContactMotion begin{contact.x - edge, contact.v};
    const ContactMotion end{contact.next.x - edge, contact.next.v};
    ContactMotion slow_begin = begin, slow_end = end;  // without the fast modes
    for (const std::size_t j : rigid_[c])
        slow_error += part * std::abs(phi[j]) * fourth_derivative(j, h);
    for (const std::size_t j : vibrations_[c]) {
        const double size = std::abs(phi[j]), error = part * size * fourth_derivative(j, h);
        if (omega_[j] * h < resolved || is_held(j)) {
            slow_error += error;
            continue;
        }
        fast_error += error;
        fast_reach += size * reach(j, h);
        slow_begin.x += phi[j] * now_->q[j];
        slow_begin.v += phi[j] * now_->v[j];
        slow_end.x += phi[j] * next.q[j];
        slow_end.v += phi[j] * next.v[j];
    }
    if (motion::stays_open(begin, end, h, slow_error + fast_error, touching)) return true;
    if (fast_reach == 0.0) return false;
    // The cubic of the slow modes alone, with room for all that the fast ones can do.
    slow_begin.x += fast_reach;
    slow_end.x += fast_reach;
    return slow_begin.x < 0.0 && motion::stays_open(slow_begin, slow_end, h, slow_error, 0.0);
}

bool GapBounds::opens_for_good(std::size_t c, const State& now) const {
    const Contact& contact = system_.contacts[c];
    double overlap = -contact.gap, rate = 0.0;
    for (const std::size_t j : rigid_[c]) {
        if (system_.dampings[j] > 0.0) return false;
        overlap -= contact.phi[j] * now.q[j];
        rate -= contact.phi[j] * now.v[j];
    }
    if (rate > 0.0) return false;
    for (const std::size_t j : vibrations_[c]) {
        const double v = now.v[j] + 0.5 * system_.dampings[j] * now.q[j];
        const double stiffness =
            system_.eigenvalues[j] - 0.25 * system_.dampings[j] * system_.dampings[j];
        if (!(stiffness > 0.0)) return false;
        overlap += std::abs(contact.phi[j]) * std::sqrt(now.q[j] * now.q[j] + v * v / stiffness);
    }
    return overlap < 0.0;
}

}  // namespace stoss::motion
