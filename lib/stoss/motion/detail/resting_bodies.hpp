#pragma once
/// Bodies that rest on a surface by Newton's law of impact: held by it until it no longer pushes.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include <stoss/core/bisection.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/motion/detail/contact_events.hpp>

namespace stoss::motion {

class RestingBodies : public ContactEvents {
  public:
    using ContactEvents::ContactEvents;

  protected:
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
    double time_of_rest(ContactState& contact) {
        if (!is_driven_) return core::infinity;
        const std::size_t c = contact.impact.contact;
        const auto reaction_after = [&](double time) {
            point_ = now_;
            point_.time += time;
            follow_surfaces(point_);
            return reaction(c, point_);
        };
        const double h = shortly();
        const double at_end = reaction_after(h);
        const double least =
            h * least_on_parabola(reaction_after(0.0), reaction_after(0.5 * h), at_end);
        const bool pushes_at_least = reaction_after(least) > 0.0;
        if (pushes_at_least && at_end > 0.0) return h;
        const double end = core::bisection(0.0, pushes_at_least ? h : least, 60, [&](double time) {
                               return reaction_after(time) > 0.0;
                           }).low;
        if (end > 4.0 * epsilon * now_.time) return end;
        contact.phase = Phase::apart;
        return h;
    }

    /// Force [N] of a surface on the body that rests on it.
    double reaction(std::size_t c, const State& state) const {
        const ContactState& contact = contacts_[c];
        const std::size_t j = *contact.only_mode;
        const double phi = system_.contacts[c].phi[j];
        const double closing =
            surface_acceleration(c, state.time).sum - phi * acceleration(j, state).sum;
        return closing / contact.mobility;
    }

    /// True if the force of a contact, or its friction, moves a body that rests.
    bool acts_on_resting_body(std::size_t c) const {
        return std::ranges::any_of(contacts_, [&](const ContactState& contact) {
            return contact.phase == Phase::resting && acts_on(c, *contact.only_mode);
        });
    }

    /// Acceleration [m/s^2] at which the gap of contact c would close without a force in it. Where
    /// it vanishes, to roundoff, that shortly later.
    double closing_acceleration(std::size_t c) {
        constexpr double roundoff = 16.0 * epsilon;
        const Terms now = closing_acceleration(c, now_);
        const bool vanishes = std::abs(now.sum) <= roundoff * now.sizes;
        if (!vanishes || !(fastest_ > 0.0)) return now.sum;
        const double h = shortly();
        point_ = now_;
        point_.time += h;
        for (std::size_t j = 0; j < system_.modes(); ++j) {
            const double a = acceleration(j, now_).sum;
            point_.q[j] += h * (now_.v[j] + 0.5 * h * a);
            point_.v[j] += h * a;
        }
        return closing_acceleration(c, point_).sum;
    }

    /// The free motions of a contact end, after this time [s]: its body rests while others move on.
    /// The motion ends if none moves, or if no single surface holds the body, at the goal at the
    /// latest.
    void come_to_rest(std::size_t c, double time) {
        if (!can_hold(c) || nothing_moves_but(*contacts_[c].only_mode)) {
            status_ = MotionStatus::rests;
            now_.time = std::min(now_.time + time, goal_);
            return;
        }
        contacts_[c].phase = Phase::resting;
        const std::size_t j = *contacts_[c].only_mode;
        const double rate = now_.v[j], before = energy_of(now_);
        follow_surfaces(now_);
        look_after_jump();
        const double impulse = (now_.v[j] - rate) / system_.contacts[c].phi[j];
        const double work = impulse * surface_velocity(system_, c, now_.time);
        energy_.drive_work += work;
        energy_.contact_loss += before + work - energy_of(now_);
    }

  private:
    /// A sum and the sum of the sizes of its terms.
    struct Terms {
        double sum = 0.0, sizes = 0.0;

        void add(double term) {
            sum += term;
            sizes += std::abs(term);
        }
        void add(double factor, const Terms& terms) {
            sum += factor * terms.sum;
            sizes += std::abs(factor) * terms.sizes;
        }
        Terms divided_by(double divisor) const {
            return {sum / divisor, sizes / std::abs(divisor)};
        }
    };

    /// Where in [0, 1] the parabola through numbers at 0, 1/2 and 1 is least; 1 if that is at an
    /// end.
    static double least_on_parabola(double begin, double middle, double end) {
        const double bend = 2.0 * (begin - 2.0 * middle + end);
        const double place = (3.0 * begin - 4.0 * middle + end) / (2.0 * bend);
        return bend > 0.0 && place > 0.0 && place < 1.0 ? place : 1.0;
    }

    /// A time [s] in which motions and driven loads change little.
    double shortly() const { return 0.1 / fastest_; }

    /// As above in any state.
    Terms closing_acceleration(std::size_t c, const State& state) const {
        const std::vector<double>& phi = system_.contacts[c].phi;
        Terms closing = surface_acceleration(c, state.time);
        for (std::size_t j = 0; j < phi.size(); ++j) {
            if (phi[j] == 0.0) continue;
            const std::optional<std::size_t> held = surface_of(j);
            closing.add(-phi[j], held ? surface_acceleration(*held, state.time)
                                            .divided_by(system_.contacts[*held].phi[j])
                                      : acceleration(j, state));
        }
        return closing;
    }

    /// q_j'' [sqrt(kg) m/s^2] of a mode that nothing holds. Forces are those of the last step.
    Terms acceleration(std::size_t j, const State& state) const {
        Terms terms;
        terms.add(-(system_.dampings[j] * state.v[j] + system_.eigenvalues[j] * state.q[j]));
        for (const Drive& drive : system_.drives)
            if (!drive.forces.empty()) terms.add(drive.forces[j], cosine_of(drive, state.time));
        for (std::size_t c = 0; c < contacts_.size(); ++c)
            if (contacts_[c].phase == Phase::touching)
                terms.add(system_.contacts[c].phi[j] * contacts_[c].force);
        return terms;
    }

    /// Acceleration [m/s^2] of the surface of a contact, if it is driven, towards the first body.
    Terms surface_acceleration(std::size_t c, double time) const {
        Terms terms;
        for (const Drive& drive : system_.drives)
            if (!drive.surfaces.empty())
                terms.add(-drive.surfaces[c] * drive.frequency * drive.frequency,
                          cosine_of(drive, time));
        return terms;
    }

    /// cos(W t + b): its sum and its largest size.
    static Terms cosine_of(const Drive& drive, double time) {
        return {core::cos(drive.frequency * time + drive.phase), 1.0};
    }

    /// The contact whose surface holds a mode.
    std::optional<std::size_t> surface_of(std::size_t j) const {
        for (std::size_t c = 0; c < contacts_.size(); ++c)
            if (contacts_[c].phase == Phase::resting && contacts_[c].only_mode == j) return c;
        return std::nullopt;
    }

    /// True if the surface of a contact can hold its body: a body of one mode, on which no force
    /// law acts. The work of drives and dampings together is found by quadrature of free motion.
    bool can_hold(std::size_t c) const {
        const std::optional<std::size_t> j = contacts_[c].only_mode;
        if (!j || surface_of(*j) || (is_driven_ && is_damped_)) return false;
        for (std::size_t d = 0; d < contacts_.size(); ++d)
            if (contacts_[d].phase == Phase::touching && acts_on(d, *j)) return false;
        return true;
    }

    /// True if all bodies but that of one mode rest and go on to rest.
    bool nothing_moves_but(std::size_t mode) const {
        if (is_driven_) return false;
        for (std::size_t j = 0; j < system_.modes(); ++j)
            if (j != mode && !surface_of(j) &&
                (now_.v[j] != 0.0 || acceleration(j, now_).sum != 0.0))
                return false;
        return true;
    }

    /// True if the force of a contact, or its friction, moves a mode.
    bool acts_on(std::size_t c, std::size_t j) const {
        const Contact& contact = system_.contacts[c];
        if (contact.phi[j] != 0.0) return true;
        if (!contact.friction) return false;
        const std::vector<double>& lateral = contact.friction->lateral_phi;
        return contact.friction->phi[j] != 0.0 || (!lateral.empty() && lateral[j] != 0.0);
    }
};

}  // namespace stoss::motion
