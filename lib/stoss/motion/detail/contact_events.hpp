#pragma once
/// How contacts with a force law begin and end.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <stoss/motion/detail/motion_state.hpp>

namespace stoss::motion {

/// Begin and end of contacts with a force law.
class ContactEvents : public MotionState {
  public:
    ContactEvents(System system, double tolerance)
        : MotionState(std::move(system), tolerance), brought_(modes_.directions.padded(), 0.0) {}

  protected:
    void begin_contact(std::size_t c, double time, double rate) {
        ContactState& contact = contacts_[c];
        contact.x = std::max(contact.x, contact.end_overlap());  // by roundoff only
        if (contact.phase == Phase::apart) begin_law(contact, rate);
        energy_.contact_loss += contact.law->accept(contact.x, contact.v);
        contact.phase = Phase::touching;
        contact.impact = {.contact = c, .start = time, .approach_speed = rate};
        contact.acceleration = contact.slope = 0.0;
        contact.force = contact.law->force(contact.x, contact.v);
        if (contact.friction) contact.friction->begin(*contact.law, contact.x);
        feel(contact);
        set_limits(c);
    }

    /// The law learns the approach speed of an impact. Its overlap is exactly that at which contact
    /// begins: the one that was found has roundoff, and may already lie beyond.
    void begin_law(ContactState& contact, double rate) {
        const bool approaches = is_approach(rate);
        contact.law->accept(contact.begin_overlap(), approaches ? rate : 0.0);
        contact.is_undamped = contact.needs_approach && !approaches;
        contact.is_in_dent = contact.begin_overlap() > 0.0;
    }

    /// False for bodies that touch, or that a wave has left at rest: they meet at no more than the
    /// roundoff of the rates that bodies have had.
    bool is_approach(double rate) const {
        return std::ranges::all_of(contacts_, [&](const ContactState& contact) {
            return rate > contact.roundoff_of_rest();
        });
    }

    void lose_by_friction(ContactState& contact, double energy) {
        energy_.friction_loss += energy;
        contact.impact.friction_loss += energy;
    }

    /// The end of the present impact at `time` with an opening speed.
    void end_impact(ContactState& contact, double time, double speed) {
        contact.impact.end = time;
        contact.impact.separation_speed = speed;
        if (contact.friction) lose_by_friction(contact, contact.friction->end());
        contact.force = 0.0;
        report(contact);
    }

    /// The present impact is over, and the next one has not been felt yet.
    void report(ContactState& contact) {
        if (contact.is_felt) ended_.push_back(contact.impact);
        contact.impact = {.contact = contact.impact.contact};
        contact.is_felt = false;
    }

    /// Counts the present impact once it is more than roundoff.
    void feel(ContactState& contact) {
        if (contact.is_roundoff()) return;
        contact.lacked_damping = contact.lacked_damping || contact.is_undamped;
        contact.met_dent = contact.met_dent || contact.is_in_dent;
        if (contact.is_felt) return;
        contact.is_felt = true;
        ++impacts_;
    }

    /// The impact is over, though the bodies go on to touch: they may be pushed together again.
    void rest(ContactState& contact) {
        contact.impact.end = now_.time;
        contact.impact.separation_speed = -contact.v;
        report(contact);
        contact.impact.start = now_.time;
    }

    /// The force that is left is negligible. What is stored where the overlap ends will be lost.
    void leave(ContactState& contact, double ahead) {
        contact.phase = Phase::leaving;
        contact.ahead = ahead;
        const double edge = std::nextafter(contact.end_overlap(), core::infinity);
        contact.impact.loss += contact.law->stored_energy(edge);
        const auto [slip, lateral_slip] = slip_rate(contact.impact.contact);
        contact.impact.slip += slip * ahead;
        contact.impact.lateral_slip += lateral_slip * ahead;
        end_impact(contact, now_.time + ahead, -contact.v);
    }

    /// True if a force [N] changes the rate of an overlap in a step of length h [s].
    bool is_felt(const ContactState& contact, double force, double h) const {
        const double rate = std::max(std::abs(contact.v), std::abs(contact.next.v));
        return contact.limits.compliance * force * h > 8.0 * accuracy_.rest * rate;
    }

    /// True if a force that has ended acts again on the way out of the overlap, in a step of length
    /// h [s]: a damper that grows with the overlap may vanish before the spring.
    bool acts_on_the_way(const ContactState& contact, double h) const {
        const double edge = contact.end_overlap(), depth = contact.x - edge;
        for (double part = 0.5; part * depth > contact.touching; part *= 0.5) {
            const double x = edge + part * depth;
            const double v = part * contact.v + (1.0 - part) * contact.next.v;
            if (!contact.law->would_release(x, v) &&
                is_felt(contact, std::abs(contact.law->force(x, v)), h))
                return true;
        }
        return false;
    }

    /// True if a contact whose force was negligible closes again in a step of length h [s], so far
    /// that its force would be felt.
    bool closes_again(const ContactState& contact, double h) const {
        if (contact.phase != Phase::leaving) return false;
        const AnyContact& law = *contact.law;
        if (!(contact.next.x > contact.end_overlap()))
            return law.released() && acts_on_the_way(contact, h);
        // A force that has ended while the bodies still overlap acts again where it would push.
        if (law.released() && law.would_release(contact.next.x, contact.next.v)) return false;
        const double force =
            std::abs(law.released() ? law.force(contact.next.x, contact.next.v)
                                    : law.force(std::max(contact.x, contact.next.x),
                                                std::max(contact.next.v, 0.0)));
        return is_felt(contact, force, h);
    }

    /// A contact whose force has ended: it is apart once the overlap has vanished; it acts again if
    /// the bodies turn before.
    void follow_leaving(ContactState& contact) {
        const double edge = contact.end_overlap();
        // An overlap of roundoff would last for steps without number.
        const bool is_roundoff = contact.v < 0.0 && contact.x - edge <= contact.touching;
        if (!(contact.x > edge) || is_roundoff) {
            energy_.contact_loss += contact.law->accept(std::min(contact.x, edge), contact.v);
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

    /// The limits of the steps of a contact that begins: its first step, and steps that resolve the
    /// vibrations as far as they matter (theory/splitting_scheme.md 12.4, 12.5).
    void set_limits(std::size_t c) {
        ContactState& contact = contacts_[c];
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
        // The overlap must grow beyond its roundoff, and beyond that of the instant of the begin.
        const double least = roundoff_of_overlap(c) / rate + 8.0 * epsilon * now_.time;
        double onset = tables_.longest();
        while (onset > least && !is_slight(onset, accuracy_.onset)) onset *= 0.5;
        double whole = onset;
        while (whole < tables_.longest() && is_slight(2.0 * whole, 1.0)) whole *= 2.0;
        contact.limits.onset = std::max({onset, 2.0 * least, 0x1p-70 * tables_.longest()});
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
    core::AlignedVector brought_;  // what each mode adds to the overlap [m]
};

}  // namespace stoss::motion
