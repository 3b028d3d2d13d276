#include <stoss/motion/detail/motion_state.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <stoss/core/elementary.hpp>

namespace stoss::motion {

namespace {

/// The longest step of the tables [s]: many times the time scale of the slowest vibration and
/// drive, so that no unit of time matters; free rigid bodies have no such scale.
double longest_step(const System& system) {
    double slowest = core::infinity;
    for (const double eigenvalue : system.eigenvalues)
        if (eigenvalue > 0.0) slowest = std::min(slowest, std::sqrt(eigenvalue));
    for (const Drive& drive : system.drives)
        if (drive.frequency > 0.0) slowest = std::min(slowest, drive.frequency);
    constexpr double many = 64.0;  // where the gap is wide
    return slowest < core::infinity ? many / slowest : many;
}

}  // namespace

MotionState::MotionState(System system, double tolerance)
    : system_(std::move(system)),
      accuracy_(std::max(1e-4 * tolerance, 1e-13)),
      tables_(system_, longest_step(system_)),
      series_(system_) {
    now_ = {0.0, system_.coordinates, system_.rates};
    next_ = point_ = now_;
    for (std::size_t j = 0; j < system_.modes(); ++j)
        fastest_ = std::max(fastest_, std::sqrt(system_.eigenvalues[j]) + system_.dampings[j]);
    for (const Drive& drive : system_.drives) fastest_ = std::max(fastest_, drive.frequency);
    for (const double d : system_.dampings) is_damped_ = is_damped_ || d > 0.0;
    for (const Drive& drive : system_.drives) {
        const bool is_constant = drive.frequency == 0.0;
        is_driven_ = is_driven_ || !is_constant;
        is_loaded_ = is_loaded_ || is_constant;
    }
    make_contacts();
    energy_.initial = energy_.modes = energy_of(now_);
    look();
}

bool MotionState::is_touching() const {
    return std::ranges::any_of(
        contacts_, [](const ContactCourse& contact) { return contact.phase != Phase::apart; });
}
MotionEnergy MotionState::energy() const {
    MotionEnergy energy = energy_;
    energy.modes = energy_of(now_);
    energy.contacts = 0.0;
    for (const ContactCourse& contact : contacts_)
        if (contact.phase == Phase::touching)
            energy.contacts += contact.law->stored_energy(contact.x) +
                               (contact.friction ? contact.friction->stored_energy() : 0.0);
    if (series_.is_present()) energy.contacts += series_.energy(contacts_);
    return energy;
}

void MotionState::make_contacts() {
    const std::size_t modes = system_.modes();  // more than any mode: several
    for (const Contact& each : system_.contacts) {
        ContactCourse& contact = contacts_.emplace_back();
        contact.impact.contact = contacts_.size() - 1;
        double rigid = 0.0;
        for (std::size_t j = 0; j < each.phi.size(); ++j) {
            const double square = each.phi[j] * each.phi[j];
            contact.mobility += square;
            if (system_.eigenvalues[j] == 0.0) rigid += square;
            if (square > 0.0) contact.only_mode = contact.only_mode ? modes : j;
        }
        if (contact.only_mode == modes) contact.only_mode.reset();
        if (const auto* compliant = std::get_if<CompliantContact>(&each.law)) {
            contact.law.emplace(*compliant, rigid > 0.0 ? 1.0 / rigid : core::infinity);
            contact.is_smooth = motion::is_smooth(compliant->law);
            contact.remembers = motion::has_memory(compliant->law);
            contact.has_rates = motion::has_rates(compliant->law);
            if (each.friction && each.friction->mu > 0.0) {
                contact.friction.emplace(*each.friction);
                double coupling = 0.0;
                for (std::size_t j = 0; j < modes; ++j) {
                    contact.tangential_mobility += each.friction->phi[j] * each.friction->phi[j];
                    coupling += each.friction->phi[j] * each.phi[j];
                }
                contact.tangential_mobility += std::abs(coupling);
                for (const double phi : each.friction->lateral_phi)
                    contact.tangential_mobility += phi * phi;
            }
        }
    }
}

double MotionState::energy_of(const State& state) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < system_.modes(); ++j)
        sum += state.v[j] * state.v[j] + system_.eigenvalues[j] * state.q[j] * state.q[j];
    return 0.5 * sum;
}

void MotionState::look() {
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
        const ContactMotion motion = contact_motion(system_, c, now_);
        contacts_[c].x = motion.x;
        contacts_[c].v = motion.v;
    }
}
void MotionState::look_ahead() {
    for (std::size_t c = 0; c < contacts_.size(); ++c)
        contacts_[c].next = contact_motion(system_, c, next_);
}

double MotionState::roundoff_of_overlap(std::size_t c) const {
    constexpr double roundoff = 16.0 * epsilon;
    const Contact& contact = system_.contacts[c];
    double sum = std::abs(contact.gap);
    for (std::size_t j = 0; j < system_.modes(); ++j) sum += std::abs(contact.phi[j] * now_.q[j]);
    for (const Drive& drive : system_.drives)
        if (!drive.surfaces.empty())
            sum += std::abs(drive.surfaces[c]) * (1.0 + drive.frequency * now_.time);
    return roundoff * sum;
}
double MotionState::roundoff_of_rate(std::size_t c) const {
    constexpr double roundoff = 16.0 * epsilon;
    const Contact& contact = system_.contacts[c];
    double sum = 0.0;
    for (std::size_t j = 0; j < system_.modes(); ++j) sum += std::abs(contact.phi[j] * now_.v[j]);
    return roundoff * sum;
}
bool MotionState::just_touches(std::size_t c) const {
    const ContactCourse& contact = contacts_[c];
    return contact.phase == Phase::apart &&
           std::abs(contact.x - contact.begin_overlap()) <= roundoff_of_overlap(c) &&
           std::abs(contact.v) <= roundoff_of_rate(c);
}

double MotionState::load_work() const {
    double work = 0.0;
    if (!is_loaded_) return work;
    for (const Drive& drive : system_.drives) {
        if (drive.frequency != 0.0 || drive.forces.empty()) continue;
        const double scale = core::cos(drive.phase);
        for (std::size_t j = 0; j < system_.modes(); ++j)
            work += scale * drive.forces[j] * (next_.q[j] - now_.q[j]);
    }
    return work;
}

double MotionState::drive_power(const State& state) const {
    double power = 0.0;
    for (const Drive& drive : system_.drives) {
        if (drive.frequency == 0.0 || drive.forces.empty()) continue;
        const double scale = core::cos(drive.frequency * state.time + drive.phase);
        for (std::size_t j = 0; j < system_.modes(); ++j)
            power += scale * drive.forces[j] * state.v[j];
    }
    return power;
}
}  // namespace stoss::motion
