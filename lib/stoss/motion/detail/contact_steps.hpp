#pragma once
/// Steps in which contact forces act.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <stoss/core/gauss3.hpp>
#include <stoss/modal/propagators.hpp>
#include <stoss/motion/detail/forced_steps.hpp>
#include <stoss/motion/detail/node_forces.hpp>
#include <stoss/time/cubic_event.hpp>
#include <stoss/time/detail/largest_force.hpp>

namespace stoss::motion {

/// Steps of the contacts that act, all together.
class ContactSteps : public ForcedSteps {
  public:
    ContactSteps(System system, double tolerance)
        : ForcedSteps(std::move(system), tolerance),
          node_forces_(modes_.directions),
          own_table_(modes_),
          closing_table_(modes_) {}

  protected:
    time::StepPrediction predict(const ContactState& contact) const {
        const double x = contact.x - contact.end_overlap();
        double force = std::abs(contact.law->force(contact.x, contact.v));
        if (!contact.is_smooth)
            force = std::max(force, std::abs(contact.law->force(contact.x, 0.0)));
        time::StepPrediction next = time::step_prediction(x, contact.v, contact.acceleration, force,
                                                          contact.slope, contact.limits);
        if (contact.friction)
            next.step = std::min(next.step, tangential_resonance(contact) / contact.limits.longest);
        return next;
    }

    void step_in_contact(double most, double left) {
        const double shortest =
            16.0 * epsilon * now_.time;  // a shorter step does not move the time
        most = std::max(most, shortest);
        bool is_own = !(most < left);  // a step that no level has
        if (is_own) own_table_.set(left);
        int level = is_own ? 0 : tables_.level_within(most);
        int halvings = 0, changes = 0;
        begin_friction();
        for (;;) {
            const StepTable& table = is_own ? own_table_ : tables_.at(level);
            const bool is_last = halvings >= to_release + 8 || table.step() <= shortest;
            const bool is_solved = try_step(table);
            if (is_last && !is_solved) {
                status_ = MotionStatus::unsolved;
                return;
            }
            const bool is_event = !is_solved || meets_event(table.step(), halvings);
            if (is_event && !is_last) {
                level = is_own ? tables_.level_within(0.5 * table.step())
                               : std::min(level + octave, StepTables::levels - 1);
                is_own = false;
                ++halvings;
                continue;
            }
            const bool may_change = changes < most_changes;
            if (const auto change = may_change ? friction_change(table.step()) : std::nullopt) {
                ++changes;
                is_own = follow_friction(*change, table.step()) || is_own;
                continue;
            }
            const auto crossing = first_crossing(table.step());
            if (!crossing) return accept_in_contact(table);
            const Closing closing = find_closing_in_contact(*crossing, table.step());
            if (status_ != MotionStatus::running) return;
            if (halvings < to_release && !others_stay_open(closing.time)) {
                level = tables_.level_within(0.5 * closing.time);
                is_own = false;
                ++halvings;
                continue;
            }
            accept_in_contact(closing_table_);
            begin_contacts(closing.contact);
            return;
        }
    }

    /// A slider slips or sticks from the begin of a step on, or at the end of a shorter one: then
    /// true, and `own_table_` is that of the shorter one.
    bool follow_friction(const FrictionChange& change, double h) {
        const double at_once = std::max(1e-9 * h, 8.0 * epsilon * now_.time);
        if (!(change.event.fraction * h > at_once)) {
            change_friction(change, h);
            return false;
        }
        own_table_.set(step_to_change(change, h, [&](double length) {
            closing_table_.set(length);
            return try_step(closing_table_);
        }));
        return true;
    }

    /// Motion and forces of a step of the contacts in `active_`. False: no forces were found.
    bool try_step(const StepTable& table) {
        list_forces();
        for (std::size_t a = 0; a < acting_.size(); ++a) {
            const ActingForce& acting = acting_[a];
            const ContactState& contact = contacts_[acting.contact];
            if (acting.friction) {
                table.free_nodes(acting.direction, now_, phases(), nodes_[a]);
                nodes_[a].force.fill(contact.friction->force()[acting.component]);
                continue;
            }
            free_nodes(table, acting.contact, nodes_[a]);
            for (std::size_t i = 0; i < 3; ++i)
                nodes_[a].force[i] = force_ahead(contact, table.time_to(i));
        }
        const std::span<NodeMotion> normals(nodes_.data(), active_.size());
        if (series_.is_present()) series_.begin(active_, contacts_, table.step(), normals);
        if (!node_forces_.solve(table, acting_, nodes_, accuracy_.exactness)) return false;
        move(table);
        if (table.step() == goal_ - now_.time) next_.time = goal_;
        follow_surfaces(next_);
        look_ahead();
        if (series_.is_present() &&
            !series_.finish(active_, normals, table.step(), accuracy_.exactness, contacts_))
            return false;
        for (const std::size_t c : active_)
            if (has_tangent(c)) contacts_[c].tangent_next = tangent_motions(c, next_);
        look_between(table);
        return std::ranges::all_of(contacts_, [](const ContactState& contact) {
            return std::isfinite(contact.next.x) && std::isfinite(contact.next.v);
        });
    }

    /// Guess of the normal force [N] at the time s [s] from the begin of a step.
    static double force_ahead(const ContactState& contact, double s) {
        return contact.law->force(contact.x + s * (contact.v + 0.5 * s * contact.acceleration),
                                  contact.v + s * contact.acceleration);
    }

    /// True if a step meets something that must not lie inside a step of its length.
    bool meets_event(double h, int halvings) const {
        for (std::size_t a = 0; a < active_.size(); ++a) {
            const ContactState& contact = contacts_[active_[a]];
            if (contact.phase != Phase::touching) continue;
            const ContactMotion& end = contact.next;
            if (contact.parts_in_step() && halvings < to_release) return true;
            if (halvings < accuracy_.to_piece && contact.changes_piece(nodes_[a].x)) return true;
            if (contact.is_smooth) continue;
            const bool turns = contact.v > 0.0 && !(end.v > 0.0);
            const std::optional<double> kink = contact.law->kink_overlap();
            const bool meets_kink = kink && (turns || (contact.x < *kink && end.x > *kink));
            if (meets_kink && halvings < to_release) return true;
            if (contact.remembers && turns && halvings < to_turn) return true;
            if (halvings < to_release && contact.law->would_release(end.x, end.v)) return true;
        }
        if (halvings >= to_release) return false;
        const auto closes = [&](const ContactState& each) { return closes_again(each, h); };
        return std::ranges::any_of(contacts_, closes) || !others_stay_open(h, true);
    }

    /// True if the gaps of the contacts that are apart stay open over a step of length h.
    /// `some_close`: those that overlap at its end are left out.
    bool others_stay_open(double h, bool some_close = false) const {
        for (std::size_t c = 0; c < contacts_.size(); ++c) {
            const ContactState& contact = contacts_[c];
            if (contact.phase != Phase::apart || is_active(c)) continue;
            const double edge = contact.begin_overlap();
            if (some_close && overlaps_at_end(c)) continue;
            if (!stays_open({contact.x - edge, contact.v}, {contact.next.x - edge, contact.next.v},
                            h, 3.0 * contact.from_cubic, roundoff_of_overlap(c)))
                return false;
        }
        return true;
    }

    /// A step in contact, `closing_table_`, to the first instant in a step of length h at which
    /// another contact closes.
    Closing find_closing_in_contact(const Crossing& guess, double h) {
        return first_closing(guess, h, [&](double time) {
            closing_table_.set(time);
            if (try_step(closing_table_)) return true;
            status_ = MotionStatus::unsolved;
            return false;
        });
    }

    void accept_in_contact(const StepTable& table) {
        const double h = table.step();
        account_for_bodies(table);
        for (std::size_t a = active_.size(); a < acting_.size(); ++a) account_for_friction(a, h);
        for (std::size_t a = 0; a < active_.size(); ++a) account_for_contact(active_[a], a, h);
        const double begin = now_.time;
        std::swap(now_, next_);
        find_roundoff();
        ++steps_;
        try_free_step(2.0 * h);
        for (std::size_t a = 0; a < active_.size(); ++a) accept_contact(active_[a], a, h, begin);
        for (std::size_t c = 0; c < contacts_.size(); ++c) {
            ContactState& contact = contacts_[c];
            if (is_active(c)) continue;
            contact.x = contact.next.x;
            contact.v = contact.next.v;
            if (contact.phase == Phase::leaving) follow_leaving(contact);
        }
    }

    /// Work of the loads and drives on the modes and what dampings take, in the step.
    void account_for_bodies(const StepTable& table) {
        energy_.load_work += load_work();
        if (!is_damped_ && !is_driven_) return;
        for (std::size_t i = 0; i < 3; ++i) {
            find_rates(table, i);
            const double weight = table.step() * core::Gauss3::weight[i];
            energy_.drive_work += weight * drive_power(point_, table, i);
            for (std::size_t j = 0; j < system_.modes(); ++j)
                energy_.structural_loss += weight * system_.dampings[j] * point_.v[j] * point_.v[j];
            for (std::size_t a = 0; a < active_.size(); ++a)
                energy_.drive_work += weight * nodes_[a].force[i] *
                                      surface_velocity(system_, active_[a], point_.time);
            for (std::size_t c = 0; c < contacts_.size(); ++c)
                if (contacts_[c].phase == Phase::resting)
                    energy_.drive_work +=
                        weight * reaction(c, point_) * surface_velocity(system_, c, point_.time);
        }
    }

    void account_for_contact(std::size_t c, std::size_t a, double h) {
        ContactState& contact = contacts_[c];
        const NodeMotion& nodes = nodes_[a];
        const double end = contact.law->force(contact.next.x, contact.next.v);
        for (std::size_t k = 0; k < 3; ++k) {
            const double weight = h * core::Gauss3::weight[k];
            contact.impact.impulse += weight * nodes.force[k];
            const double loss = weight * contact.law->dissipated_power(nodes.x[k], nodes.v[k]);
            contact.impact.loss += loss;
            energy_.contact_loss += loss;
        }
        contact.impact.slip += contact.tangent[0].x - contact.tangent_next[0].x;
        contact.impact.lateral_slip += contact.tangent[1].x - contact.tangent_next[1].x;
        feel(contact);
        const double largest = time::largest_force(contact.force, nodes.force, end).value;
        contact.impact.peak_force = std::max(contact.impact.peak_force, largest);
        contact.slope = std::max({nodes.slope[0], nodes.slope[1], nodes.slope[2]});
        contact.acceleration = (contact.next.v - contact.v) / h;
        contact.force = end;
    }

    void accept_contact(std::size_t c, std::size_t a, double h, double begin) {
        ContactState& contact = contacts_[c];
        const double before = contact.v;
        const bool parts = contact.parts_in_step();
        contact.x = contact.next.x;
        contact.v = contact.next.v;
        if (contact.phase == Phase::apart) {
            // It just touched, and may have been pushed together.
            if (!(contact.x > contact.begin_overlap() + roundoff_of_overlap(c))) return;
            Impact so_far = contact.impact;
            const std::optional<AnyFriction> friction = contact.friction;
            begin_contact(c, begin, std::max(0.0, before));
            so_far.start = contact.impact.start;
            so_far.approach_speed = contact.impact.approach_speed;
            contact.impact = so_far;
            contact.friction = friction;
            contact.limits.onset = h;
            contact.acceleration = (contact.v - before) / h;
            contact.slope = *std::ranges::max_element(nodes_[a].slope);
        }
        if (!parts) contact.x = std::max(contact.x, contact.end_overlap());  // by roundoff only
        const bool is_over = parts || ends_within_roundoff(c);
        const double left_behind =
            contact.law->accept(is_over ? contact.end_overlap() : contact.x, contact.v);
        energy_.contact_loss += left_behind;
        contact.impact.loss += left_behind;
        if (contact.friction)
            lose_by_friction(contact,
                             contact.friction->follow(*contact.law, contact.x, contact.force));
        if (!contact.law->released() && !is_over) {
            if (!contact.friction && contact.is_at_rest()) rest(contact);
            return;
        }
        end_impact(contact, now_.time, -contact.v);
        contact.phase = contact.law->released() ? Phase::leaving : Phase::apart;
        contact.ahead = contact.law->released() && contact.v < 0.0
                            ? (contact.x - contact.end_overlap()) / -contact.v
                            : h;
    }

    /// True if the overlap, but for its roundoff, vanishes: a force that does not vanish with it,
    /// as at a pull-off, would be followed in steps without number.
    bool ends_within_roundoff(std::size_t c) const {
        const ContactState& contact = contacts_[c];
        const double x = contact.x - contact.end_overlap(), v = contact.v;
        const bool comes_to_end = v < 0.0 && v * v > 2.0 * contact.acceleration * x;
        return comes_to_end && x <= roundoff_of_overlap(c);
    }

  private:
    static constexpr int octave = 2;         // levels of the tables to a step half as long
    static constexpr int to_release = 17;    // halvings of a step that meets the end of a force
    static constexpr int most_changes = 40;  // of friction in a step that is tried
    static constexpr int to_turn = 5;  // of one in which a law turns from loading to unloading

    NodeForces node_forces_;
    StepTable own_table_, closing_table_;
};

}  // namespace stoss::motion
