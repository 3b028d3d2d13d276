#pragma once
/// Impacts without duration by Newton's law.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include <stoss/core/error.hpp>
#include <stoss/motion/detail/newton_impulses.hpp>
#include <stoss/motion/detail/resting_bodies.hpp>

namespace stoss::motion {

/// Begin of contacts, and what follows at once by Newton's law of impact.
class InstantImpacts : public RestingBodies {
  public:
    using RestingBodies::RestingBodies;

    template <class Archive>
    void visit(Archive& archive) {
        RestingBodies::visit(archive);
        archive(instant_, at_instant_);
    }

  protected:
    /// Contact `first` closes now, and all others that do so within roundoff.
    void begin_contacts(std::size_t first) {
        meeting_.clear();
        bool is_impact = false;
        for (std::size_t c = 0; c < contacts_.size(); ++c) {
            ContactState& contact = contacts_[c];
            if (contact.phase == Phase::resting) meeting_.push_back(c);
            if (contact.phase != Phase::apart) continue;
            const double late = 8.0 * epsilon * now_.time * std::abs(contact.v);
            const double gap = std::abs(contact.x - contact.begin_overlap());
            if (c != first && gap > roundoff_of_overlap(c) + late) continue;
            if (!contact.law) {
                meeting_.push_back(c);
                is_impact = true;
            } else if (contact.v > roundoff_of_rate(c)) {
                begin_contact(c, now_.time, contact.v);
            }
        }
        if (!is_impact) return;
        if (is_without_end())
            status_ = MotionStatus::rests;
        else
            follow_impacts();
    }

    /// Surfaces that touch may close by roundoff, so slowly that no step could show it.
    void end_closing_by_roundoff() {
        const auto first = std::ranges::find_if(contacts_, [](const ContactState& contact) {
            return !contact.law && contact.closes_now() && contact.v <= contact.roundoff_of_rest();
        });
        if (first != contacts_.end())
            begin_contacts(static_cast<std::size_t>(first - contacts_.begin()));
    }

  private:
    /// Impacts of the contacts in `meeting_`, one after the other, until none of them closes. If
    /// they follow each other without end, the last ones are those of e = 0: the limit.
    void follow_impacts() {
        const std::size_t most = many * meeting_.size();
        std::size_t count = 0;
        do {
            const bool rebounds = ++count <= most || !has_limit();
            if (count > (rebounds ? most : 2 * most)) status_ = MotionStatus::rests;
            if (status_ != MotionStatus::running) return;
            closed_.clear();
            for (const std::size_t c : meeting_)
                if (!separates(contacts_[c])) closed_.push_back(c);
            apply_newton_impulses(rebounds);
        } while (closes_once_more());
        for (const std::size_t c : meeting_) part_by_roundoff(c);
        for (const std::size_t c : meeting_) {
            ContactState& contact = contacts_[c];
            if (contact.phase == Phase::resting) {
                if (separates(contact)) contact.phase = Phase::apart;
            } else if (const std::optional<double> rest = rest_of_free_motions(c)) {
                come_to_rest(c, *rest);
                if (status_ != MotionStatus::running) return;
            }
        }
    }

    /// Bodies that go on to touch would drift into each other by the roundoff of their places, and
    /// meet there without end: moves them apart by it.
    void part_by_roundoff(std::size_t c) {
        const ContactState& contact = contacts_[c];
        const bool stay = std::abs(contact.v) <= contact.roundoff_of_rest();
        if (contact.phase == Phase::resting || !stay || 2.0 * contact.x <= contact.touching) return;
        std::vector<double> way = system_.contacts[c].phi;
        for (double& each : way) each *= contact.x / contact.mobility;
        displace(way, std::vector<double>(way.size(), 0.0));
    }

    /// True if many impacts at one instant have a limit, which is that of bodies that stick: of a
    /// row, their speeds fall to 0 with the power e/2 of their number, or the bodies become one
    /// (theory/impact_motion.md). They may be too many to be followed where e is almost 1.
    bool has_limit() const {
        constexpr double almost_elastic = 0.99;
        return std::ranges::all_of(meeting_, [&](std::size_t c) {
            return std::get<NewtonImpact>(system_.contacts[c].law).cor < almost_elastic;
        });
    }

    /// True if surfaces that touch part by more than roundoff.
    static bool separates(const ContactState& contact) {
        return contact.v < -contact.roundoff_of_rest();
    }

    /// True if the last impulses have closed a contact that was not among them.
    bool closes_once_more() const {
        return std::ranges::any_of(meeting_, [&](std::size_t c) {
            return contacts_[c].v > contacts_[c].roundoff_of_rest() &&
                   !std::ranges::binary_search(closed_, c);
        });
    }

    /// Impulses of the contacts in `closed_`.
    void apply_newton_impulses(bool rebounds) {
        rates_.clear();
        double still = 0.0;
        for (const std::size_t c : closed_) {
            rates_.push_back(contacts_[c].v);
            still = std::max(still, contacts_[c].roundoff_of_rest());
        }
        impulses_ = newton_impulses_.of(system_, closed_, rates_, still, rebounds);
        for (std::size_t a = 0; a < closed_.size(); ++a) {
            double& fastest = contacts_[closed_[a]].fastest;
            fastest = std::max(fastest, newton_impulses_.largest_speed(a));
        }
        const double before = energy_of(now_);
        double surface_work = jump(impulses_);
        if (closed_.size() > 1) {
            rates_after_.clear();
            for (const std::size_t c : closed_) rates_after_.push_back(contacts_[c].v);
            const std::vector<double>& corrections = newton_impulses_.corrections(rates_after_);
            surface_work += jump(corrections);
            for (std::size_t a = 0; a < closed_.size(); ++a)
                impulses_[a] = std::max(0.0, impulses_[a] + corrections[a]);
        }
        energy_.drive_work += surface_work;
        energy_.contact_loss += before + surface_work - energy_of(now_);
        refuse_gain();
        record_impacts();
    }

    void record_impacts() {
        for (std::size_t a = 0; a < closed_.size(); ++a) {
            ContactState& contact = contacts_[closed_[a]];
            if (!(impulses_[a] > 0.0)) continue;
            contact.impact = {.contact = closed_[a],
                              .start = now_.time,
                              .approach_speed = rates_[a],
                              .impulse = impulses_[a],
                              .peak_force = core::infinity,
                              .loss = impulses_[a] * 0.5 * (rates_[a] + contact.v)};
            feel(contact);
            end_impact(contact, now_.time, -contact.v);
        }
    }

    /// The rates jump by impulses of the contacts in `closed_`: the work [J] of their surfaces.
    double jump(const std::vector<double>& impulses) {
        double work = 0.0;
        for (std::size_t a = 0; a < closed_.size(); ++a) {
            const std::vector<double>& phi = system_.contacts[closed_[a]].phi;
            for (std::size_t j = 0; j < phi.size(); ++j) now_.v[j] += phi[j] * impulses[a];
            work += impulses[a] * surface_velocity(system_, closed_[a], now_.time);
        }
        look_after_jump();
        return work;
    }

    /// None of the contacts in `closed_` separated, so the impulses lose energy or keep it
    /// (theory/impact_motion.md 27.28). Errors: throws core::NumericalError if they do not.
    void refuse_gain() const {
        constexpr double relative = 1e-9;
        double loss = 0.0, sum = 0.0, fastest = 0.0, roundoff = 0.0;
        for (std::size_t a = 0; a < closed_.size(); ++a) {
            const ContactState& contact = contacts_[closed_[a]];
            loss += 0.5 * impulses_[a] * (rates_[a] + contact.v);
            sum += impulses_[a];
            fastest = std::max({fastest, std::abs(rates_[a]), std::abs(contact.v)});
            roundoff = std::max(roundoff, contact.roundoff_of_rest());
        }
        if (!(loss >= -sum * (relative * fastest + roundoff)))
            throw core::NumericalError("Newton's law of impact gives impulses that create energy");
    }

    /// Time [s] of the free motions that are left, if the acceleration stayed as it is: the limit
    /// of a geometric series (theory/impact_motion.md 27.9). None if they can still be told from
    /// roundoff.
    std::optional<double> rest_of_free_motions(std::size_t c) {
        const double cor = std::get<NewtonImpact>(system_.contacts[c].law).cor;
        const double closing = closing_acceleration(c);
        const double speed = std::max(0.0, -contacts_[c].v);
        if (!(closing > 0.0)) return std::nullopt;
        const double least =
            cor < 1.0 ? 1e4 : 1.0;  // height of a free motion/roundoff of the overlap
        if (0.5 * speed * speed / closing > least * roundoff_of_overlap(c)) return std::nullopt;
        return cor < 1.0 ? 2.0 * speed / (closing * (1.0 - cor)) : 0.0;
    }

    /// True after very many impulses at one instant, to roundoff: their intervals have a limit that
    /// has been reached, as those of a bar that clatters with a small e.
    bool is_without_end() {
        if (now_.time - instant_ > 64.0 * epsilon * now_.time) {
            instant_ = now_.time;
            at_instant_ = 0;
        }
        return ++at_instant_ > many * contacts_.size();
    }

    static constexpr std::size_t many = 1000;  // impulses a contact at one instant

    std::vector<std::size_t> meeting_;  // contacts of this law that touch at the instant
    std::vector<std::size_t> closed_;   // those of them that do not separate
    std::vector<double> rates_, rates_after_, impulses_;  // of those
    NewtonImpulses newton_impulses_;
    double instant_ = 0.0;        // [s]
    std::size_t at_instant_ = 0;  // impulses there
};

}  // namespace stoss::motion
