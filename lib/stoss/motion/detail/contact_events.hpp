#pragma once
/// How contacts begin and end, and impacts without duration.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <stoss/core/elementary.hpp>
#include <stoss/motion/detail/motion_state.hpp>
#include <stoss/motion/detail/newton_impulses.hpp>

namespace stoss::motion {

/// Acceleration [m/s^2] at which the gap of contact c would close without a force.
inline double closing_acceleration(const System& system, std::size_t c, const State& state) {
    const std::vector<double>& phi = system.contacts[c].phi;
    double sum = 0.0;
    for (std::size_t j = 0; j < phi.size(); ++j)
        sum += phi[j] * (system.dampings[j] * state.v[j] + system.eigenvalues[j] * state.q[j]);
    for (const Drive& drive : system.drives) {
        const double scale = core::cos(drive.frequency * state.time + drive.phase);
        if (!drive.surfaces.empty())
            sum -= drive.surfaces[c] * drive.frequency * drive.frequency * scale;
        for (std::size_t j = 0; !drive.forces.empty() && j < phi.size(); ++j)
            sum -= phi[j] * drive.forces[j] * scale;
    }
    return sum;
}

/// Begin and end of contacts.
class ContactEvents : public MotionState {
  public:
    ContactEvents(System system, double tolerance)
        : MotionState(std::move(system), tolerance), brought_(modes_.directions.padded(), 0.0) {}

    template <class Archive>
    void visit(Archive& archive) {
        MotionState::visit(archive);
        archive(instant_, at_instant_);
    }

  protected:
    /// Contact `first` closes now, and all others that do so within roundoff.
    void begin_contacts(std::size_t first) {
        closed_.clear();
        for (std::size_t c = 0; c < contacts_.size(); ++c) {
            ContactCourse& contact = contacts_[c];
            if (contact.phase != Phase::apart) continue;
            const double late = 8.0 * epsilon * now_.time * std::abs(contact.v);
            const double gap = std::abs(contact.x - contact.begin_overlap());
            if (c != first && gap > roundoff_of_overlap(c) + late) continue;
            if (!contact.law)
                closed_.push_back(c);
            else if (contact.v > roundoff_of_rate(c))
                begin_contact(c, now_.time, contact.v);
        }
        if (!closed_.empty()) apply_newton_impulses();
    }

    void begin_contact(std::size_t c, double time, double rate) {
        ContactCourse& contact = contacts_[c];
        contact.x = std::max(contact.x, contact.end_overlap());  // by roundoff only
        energy_.contact_loss += contact.law->accept(contact.x, contact.v);
        contact.phase = Phase::touching;
        contact.impact = {.contact = c, .start = time, .approach_speed = rate};
        contact.acceleration = contact.slope = 0.0;
        contact.force = contact.law->force(contact.x, contact.v);
        if (contact.friction) contact.friction->begin(*contact.law, contact.x);
        feel(contact);
        set_limits(c);
    }

    void lose_by_friction(ContactCourse& contact, double energy) {
        energy_.friction_loss += energy;
        contact.impact.friction_loss += energy;
    }

    /// The end of the present impact at `time` with an opening speed.
    void end_impact(ContactCourse& contact, double time, double speed) {
        contact.impact.end = time;
        contact.impact.separation_speed = speed;
        if (contact.friction) lose_by_friction(contact, contact.friction->end());
        contact.force = 0.0;
        report(contact);
    }

    /// The present impact is over, and the next one has not been felt yet.
    void report(ContactCourse& contact) {
        if (contact.is_felt) ended_.push_back(contact.impact);
        contact.impact = {.contact = contact.impact.contact};
        contact.is_felt = false;
    }

    /// Counts the present impact once it is more than roundoff.
    void feel(ContactCourse& contact) {
        if (contact.is_felt || contact.is_roundoff()) return;
        contact.is_felt = true;
        ++impacts_;
    }

    /// The impact is over, though the bodies go on to touch: they may be pushed together again.
    void rest(ContactCourse& contact) {
        contact.impact.end = now_.time;
        contact.impact.separation_speed = -contact.v;
        report(contact);
        contact.impact.start = now_.time;
    }

    /// The force that is left is negligible.
    void leave(ContactCourse& contact, double ahead) {
        contact.phase = Phase::leaving;
        contact.ahead = ahead;
        end_impact(contact, now_.time + ahead, -contact.v);
    }

    /// True if a contact whose force was negligible closes again in a step of length h [s], so far
    /// that its force would be felt.
    bool closes_again(const ContactCourse& contact, double h) const {
        if (contact.phase != Phase::leaving || !(contact.next.x > contact.end_overlap()))
            return false;
        const AnyContact& law = *contact.law;
        // A force that has ended while the bodies still overlap acts again where it would push.
        if (law.released() && law.would_release(contact.next.x, contact.next.v)) return false;
        const double force =
            std::abs(law.released() ? law.force(contact.next.x, contact.next.v)
                                    : law.force(std::max(contact.x, contact.next.x),
                                                std::max(contact.next.v, 0.0)));
        const double rate = std::max(std::abs(contact.v), std::abs(contact.next.v));
        return contact.limits.compliance * force * h > 8.0 * accuracy_.rest * rate;
    }

    /// A contact whose force has ended: it is apart once the overlap has vanished; it acts again if
    /// the bodies turn before.
    void follow_leaving(ContactCourse& contact) {
        const double edge = contact.end_overlap();
        // An overlap of roundoff would last for steps without number.
        const bool is_roundoff = contact.v < 0.0 && contact.x - edge <= contact.touching;
        if (!(contact.x > edge) || is_roundoff) {
            energy_.contact_loss += contact.law->accept(contact.x, contact.v);
            contact.phase = Phase::apart;
            return;
        }
        const bool pushes = contact.law->released()
                                ? !contact.law->would_release(contact.x, contact.v)
                                : !(contact.v < 0.0);
        if (pushes) {
            begin_contact(contact.impact.contact, now_.time, contact.v);
        } else {
            contact.ahead = contact.v < 0.0 ? (contact.x - edge) / -contact.v : 0.5 * contact.ahead;
        }
    }

    /// Impulses of the contacts in `closed_` by Newton's law of impact.
    void apply_newton_impulses() {
        if (is_without_end()) {
            status_ = MotionStatus::rests;
            return;
        }
        rates_.clear();
        for (const std::size_t c : closed_) rates_.push_back(contacts_[c].v);
        const std::vector<double>& impulses = newton_impulses_.of(system_, closed_, rates_);
        const double before = energy_of(now_);
        double surface_work = 0.0;
        for (std::size_t a = 0; a < closed_.size(); ++a) {
            const std::vector<double>& phi = system_.contacts[closed_[a]].phi;
            for (std::size_t j = 0; j < phi.size(); ++j) now_.v[j] += phi[j] * impulses[a];
            surface_work += impulses[a] * surface_velocity(system_, closed_[a], now_.time);
        }
        look_after_jump();
        energy_.drive_work += surface_work;
        energy_.contact_loss += before + surface_work - energy_of(now_);
        for (std::size_t a = 0; a < closed_.size(); ++a) {
            ContactCourse& contact = contacts_[closed_[a]];
            if (impulses[a] > 0.0) {
                contact.impact = {.contact = closed_[a],
                                  .start = now_.time,
                                  .approach_speed = rates_[a],
                                  .impulse = impulses[a],
                                  .peak_force = core::infinity,
                                  .loss = impulses[a] * 0.5 * (rates_[a] + contact.v)};
                contact.is_felt = true;
                ++impacts_;
                end_impact(contact, now_.time, -contact.v);
            }
            if (const std::optional<double> rest = rest_of_flights(closed_[a])) {
                if (is_driven_ && !is_damped_ && contact.only_mode) {
                    contact.phase = Phase::resting;
                } else {
                    status_ = MotionStatus::rests;
                    now_.time += *rest;
                }
            }
        }
    }

    /// Time [s] of the flights that are left, if the acceleration stayed as it is: the limit of a
    /// geometric series (theory/impact_motion.md 27.9). None if they can still be told from
    /// roundoff.
    std::optional<double> rest_of_flights(std::size_t c) const {
        const double cor = std::get<NewtonImpact>(system_.contacts[c].law).cor;
        const double closing = closing_acceleration(system_, c, now_);
        const double speed = std::max(0.0, -contacts_[c].v);
        if (!(closing > 0.0)) return std::nullopt;
        const double least =
            cor < 1.0 ? 1e4 : 1.0;  // height of a free motion/roundoff of the overlap
        if (0.5 * speed * speed / closing > least * roundoff_of_overlap(c)) return std::nullopt;
        return cor < 1.0 ? 2.0 * speed / (closing * (1.0 - cor)) : 0.0;
    }

    /// Sets the coordinates of the bodies that rest to those of their surfaces.
    void follow_surfaces(State& state) const {
        for (std::size_t c = 0; c < contacts_.size(); ++c) {
            if (contacts_[c].phase != Phase::resting) continue;
            const std::size_t j = *contacts_[c].only_mode;
            state.q[j] = state.v[j] = 0.0;
            const ContactMotion surface = contact_motion(modes_, c, state);
            state.q[j] = surface.x / system_.contacts[c].phi[j];
            state.v[j] = surface.v / system_.contacts[c].phi[j];
        }
    }

    /// The time [s] from now for which a contact goes on to push a body that rests, at most a part
    /// of the fastest drive's period; where it ends the contact is apart.
    double time_of_rest(ContactCourse& contact) {
        const std::size_t c = contact.impact.contact;
        const auto pushes = [&](double time) {
            point_ = now_;
            point_.time += time;
            follow_surfaces(point_);
            return closing_acceleration(system_, c, point_) > 0.0;
        };
        const double h = 0.1 / fastest_;
        if (pushes(h)) return h;
        double low = 0.0, high = h;
        for (int bisection = 0; bisection < 60; ++bisection) {
            const double middle = 0.5 * (low + high);
            (pushes(middle) ? low : high) = middle;
        }
        if (low > 4.0 * epsilon * now_.time) return low;
        contact.phase = Phase::apart;
        return h;
    }

    /// The limits of the steps of a contact that begins: its first step, and steps that resolve the
    /// vibrations as far as they matter (theory/splitting_scheme.md 12.4, 12.5).
    void set_limits(std::size_t c) {
        ContactCourse& contact = contacts_[c];
        // In series with a spring the rate of the force costs orders of accuracy.
        const bool has_spring = series_.is_present() && series_.of(c, c) > 0.0;
        const double part = has_spring && contact.has_rates ? 0.25 : 1.0;
        const double growth = part * accuracy_.growth;
        contact.limits = {.growth = growth,
                          .closing = growth / (1.0 + growth),
                          .contact_resonance = 1.2 * part * accuracy_.kappa,
                          .epsilon = accuracy_.rest,
                          .exactness = accuracy_.exactness,
                          .compliance = compliance_of(c),
                          .longest = tables_.longest()};
        const double rate = std::max(contact.v, roundoff_of_rate(c));
        const auto is_slight = [&](double h, double part) {
            const double force = std::abs(contact.law->force(contact.x + rate * h, rate));
            return contact.limits.compliance * force * h <= part * rate;
        };
        const double least = roundoff_of_overlap(c) / rate;
        double onset = tables_.longest();
        while (onset > least && !is_slight(onset, accuracy_.onset)) onset *= 0.5;
        double whole = onset;
        while (whole < tables_.longest() && is_slight(2.0 * whole, 1.0)) whole *= 2.0;
        contact.limits.onset = std::max(onset, 0x1p-70 * tables_.longest());
        contact.limits.resolution = resolution(c, rate, whole);
    }

    /// G [1/kg] of the contact with those that touch as well.
    double compliance_of(std::size_t c) const {
        double sum = contacts_[c].mobility;
        for (const Directions::Partner& each : modes_.directions.partners(c)) {
            const std::size_t d = each.direction;
            if (d == c || d >= contacts_.size() || contacts_[d].phase == Phase::apart) continue;
            sum += std::abs(each.mobility);
        }
        return sum;
    }

    /// The longest step [s] that resolves what the modes add to the overlap: what they bring, and
    /// what the onset of the force stirs up in them. `whole`: time of a contact, by order of
    /// magnitude [s].
    double resolution(std::size_t c, double rate, double whole) {
        const std::vector<double>& phi = system_.contacts[c].phi;
        const double x = contacts_[c].x;
        const double* const omegas = modes_.propagators.omegas();
        for (std::size_t j = 0; j < system_.modes(); ++j) {
            brought_[j] = 0.0;
            if (omegas[j] == 0.0 || phi[j] == 0.0) continue;
            const double turned = now_.v[j] / omegas[j];
            const double brought = std::sqrt(now_.q[j] * now_.q[j] + turned * turned);
            const double force = std::abs(contacts_[c].law->force(x + rate / omegas[j], rate));
            brought_[j] =
                std::abs(phi[j]) * (brought + std::abs(phi[j]) * force / system_.eigenvalues[j]);
        }
        const double admissible = accuracy_.negligible * rate * whole;
        double h = tables_.longest();
        const double all = fastest_ > 0.0 ? 6.0 * accuracy_.kappa / fastest_ : h;
        while (h > all && unresolved(modes_, h, brought_) > admissible) h *= 0.5;
        return h;
    }

  private:
    /// True after very many impulses at one instant, to roundoff: their intervals have a limit that
    /// has been reached, as those of a bar that clatters with a small e.
    bool is_without_end() {
        constexpr std::size_t many = 1000;  // impulses a contact
        if (now_.time - instant_ > 64.0 * epsilon * now_.time) {
            instant_ = now_.time;
            at_instant_ = 0;
        }
        return ++at_instant_ > many * contacts_.size();
    }

    std::vector<std::size_t> closed_;
    std::vector<double> rates_;
    NewtonImpulses newton_impulses_;
    core::AlignedVector brought_;  // what each mode adds to the overlap [m]
    double instant_ = 0.0;         // [s]
    std::size_t at_instant_ = 0;   // impulses there
};

}  // namespace stoss::motion
