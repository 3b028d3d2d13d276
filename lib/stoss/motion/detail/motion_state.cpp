#include <stoss/motion/detail/motion_state.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <stoss/core/elementary.hpp>
#include <stoss/motion/detail/lane_sum.hpp>

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
      modes_(system_, longest_step(system_)),
      tables_(modes_),
      series_(system_),
      now_(system_),
      next_(now_),
      point_(now_) {
    for (std::size_t j = 0; j < system_.modes(); ++j)
        fastest_ = std::max(fastest_, std::sqrt(system_.eigenvalues[j]) + system_.dampings[j]);
    for (const Drive& drive : system_.drives) fastest_ = std::max(fastest_, drive.frequency);
    is_vibrating_ = modes_.propagators.fastest() > 0.0;
    for (const double d : system_.dampings) is_damped_ = is_damped_ || d > 0.0;
    for (const Drive& drive : system_.drives) {
        const bool is_constant = drive.frequency == 0.0;
        is_driven_ = is_driven_ || !is_constant;
        is_loaded_ = is_loaded_ || is_constant;
    }
    make_contacts();
    energy_.initial = energy_.modes = energy_of(now_);
    look();
    find_roundoff();
}

bool MotionState::is_touching() const {
    return std::ranges::any_of(
        contacts_, [](const ContactState& contact) { return contact.phase != Phase::apart; });
}
MotionEnergy MotionState::energy() const {
    MotionEnergy energy = energy_;
    energy.modes = energy_of(now_);
    energy.contacts = 0.0;
    for (const ContactState& contact : contacts_) {
        const bool touches = contact.phase == Phase::touching;
        if (touches || contact.phase == Phase::leaving)
            energy.contacts +=
                contact.law->stored_energy(contact.x) +
                (touches && contact.friction ? contact.friction->stored_energy() : 0.0);
    }
    if (series_.is_present()) energy.contacts += series_.energy(contacts_);
    return energy;
}

void MotionState::make_contacts() {
    const std::size_t modes = system_.modes();  // more than any mode: several
    for (const Contact& each : system_.contacts) {
        ContactState& contact = contacts_.emplace_back();
        contact.impact.contact = contacts_.size() - 1;
        for (std::size_t j = 0; j < each.phi.size(); ++j) {
            const double square = each.phi[j] * each.phi[j];
            contact.mobility += square;
            if (square > 0.0) contact.only_mode = contact.only_mode ? modes : j;
        }
        if (contact.only_mode == modes) contact.only_mode.reset();
        if (const auto* compliant = std::get_if<CompliantContact>(&each.law)) {
            contact.law.emplace(*compliant, effective_mass(system_, contact.impact.contact));
            // Bodies that touch at the start may be pushed together without an approach speed.
            contact.law->accept(contact.begin_overlap(), 0.0);
            contact.is_smooth = motion::is_smooth(compliant->law);
            contact.remembers = motion::has_memory(compliant->law);
            contact.has_rates = motion::has_rates(compliant->law);
            contact.needs_approach = motion::needs_approach(*compliant);
            if (each.friction && each.friction->mu > 0.0 &&
                !std::holds_alternative<contact::Smooth>(each.friction->tangential)) {
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
    const double *const q = state.q.data(), *const v = state.v.data(),
                        *const eigenvalues = modes_.propagators.eigenvalues();
    LaneSum sum;
    for (std::size_t j = 0; j < modes_.directions.padded(); j += core::lanes)
        for (std::size_t l = 0; l < core::lanes; ++l)
            sum.lane[l] += v[j + l] * v[j + l] + eigenvalues[j + l] * q[j + l] * q[j + l];
    return 0.5 * sum.total();
}

bool MotionState::overlaps_are_finite() const {
    return std::ranges::all_of(contacts_, [](const ContactState& contact) {
        return std::isfinite(contact.x) && std::isfinite(contact.v);
    });
}

std::array<double, 2> MotionState::slip_rate(std::size_t c) const {
    const std::optional<ContactFriction>& friction = system_.contacts[c].friction;
    if (!friction) return {};
    const std::size_t contacts = contacts_.size();
    std::array<double, 2> rate{-tangent_motion(modes_, contacts + c, now_).v, 0.0};
    if (!friction->lateral_phi.empty()) rate[1] = -tangent_motion(modes_, 2 * contacts + c, now_).v;
    return rate;
}

void MotionState::displace(std::span<const double> coordinates, std::span<const double> rates) {
    std::vector<ContactMotion> before(contacts_.size());
    for (std::size_t c = 0; c < contacts_.size(); ++c) before[c] = contact_motion(modes_, c, now_);
    for (std::size_t j = 0; j < system_.modes(); ++j) {
        now_.q[j] += coordinates[j];
        now_.v[j] += rates[j];
    }
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
        const ContactMotion after = contact_motion(modes_, c, now_);
        contacts_[c].x += after.x - before[c].x;
        contacts_[c].v += after.v - before[c].v;
    }
    find_roundoff();
}

void MotionState::look() {
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
        const ContactMotion motion = contact_motion(modes_, c, now_);
        contacts_[c].x = motion.x;
        contacts_[c].v = motion.v;
    }
}
void MotionState::look_after_jump() {
    if (!series_.is_present() || !is_touching()) {
        look();
        return;
    }
    for (std::size_t c = 0; c < contacts_.size(); ++c)
        contacts_[c].v = contact_motion(modes_, c, now_).v;
    series_.settle_rates(contacts_);
}
void MotionState::look_ahead() {
    for (std::size_t c = 0; c < contacts_.size(); ++c)
        contacts_[c].next = contact_motion(modes_, c, next_);
}

void MotionState::find_roundoff() {
    constexpr double roundoff = 16.0 * epsilon;
    // In a row of bodies at rest a push would be felt at once by all of them, as overlaps and rates
    // that end below the smallest numbers. So little beside the others is nothing.
    constexpr double nothing = epsilon * epsilon;
    double largest = 0.0, fastest = 0.0;
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
        double sum =
            std::abs(system_.contacts[c].gap) + modes_.directions.sum_of_sizes(c, now_.q.data());
        for (const Drive& drive : system_.drives)
            if (!drive.surfaces.empty())
                sum += std::abs(drive.surfaces[c]) * (1.0 + drive.frequency * now_.time);
        const double rates = modes_.directions.sum_of_sizes(c, now_.v.data());
        // An instant is known to its roundoff. Free motions between the last impacts are lower than
        // that.
        if (!contacts_[c].law) sum += std::abs(contact_motion(modes_, c, now_).v) * now_.time;
        contacts_[c].touching = roundoff * sum;
        contacts_[c].still = roundoff * rates;
        contacts_[c].fastest = std::max(contacts_[c].fastest, rates);
        largest = std::max(largest, contacts_[c].touching);
        fastest = std::max(fastest, contacts_[c].still);
    }
    for (ContactState& contact : contacts_) {
        // Without a force, an overlap of roundoff stays.
        const double part = contact.law ? nothing : 1.0;
        contact.touching = std::max(contact.touching, part * largest);
        contact.still = std::max(contact.still, nothing * fastest);
    }
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
    return drive_power(state, [&](std::size_t k) {
        const Drive& drive = system_.drives[k];
        return core::cos(drive.frequency * state.time + drive.phase);
    });
}

double MotionState::drive_power(const State& state, const StepTable& table, std::size_t point) {
    const DrivePhases& begin = phases();
    return drive_power(state, [&](std::size_t k) { return table.cosine(k, begin, point); });
}
}  // namespace stoss::motion
