#pragma once
/// Forces in steps of contact, and friction among them.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include <stoss/motion/detail/free_steps.hpp>
#include <stoss/motion/detail/friction_course.hpp>
#include <stoss/motion/detail/node_forces.hpp>
#include <stoss/time/cubic_event.hpp>

namespace stoss::motion {

/// The forces of a step, what they add to the motion, and where sliders slip or stick inside of
/// it.
class ForcedSteps : public FreeSteps {
  public:
    using FreeSteps::FreeSteps;

  protected:
    /// A condition of the friction of the force at `acting` that fails.
    struct FrictionChange {
        std::size_t acting;
        FrictionEvent event;
    };

    /// Lists the forces of the contacts in `active_`: first the normal ones, one a contact.
    void list_forces() {
        acting_.clear();
        for (const std::size_t c : active_) acting_.push_back({c, c, &*contacts_[c].law});
        for (std::size_t a = 0; a < active_.size(); ++a) {
            const std::size_t c = active_[a];
            const ContactCourse& contact = contacts_[c];
            if (!contact.friction) continue;
            const std::size_t tangents = contact.friction->is_planar() ? 1 : 2;
            for (std::size_t d = 0; d < tangents; ++d)
                acting_.push_back(
                    {c, (d + 1) * contacts_.size() + c, &*contact.law, &*contact.friction, a, d});
        }
        nodes_.resize(acting_.size());
    }

    /// What the node forces add to a state at a point of the step.
    void add_forces(const StepTable& table, std::size_t point, State& state) const {
        for (std::size_t k = 0; k < 3; ++k) {
            const double *const q = table.response_q(point, k), *const v =
                                                                    table.response_v(point, k);
            for (std::size_t a = 0; a < acting_.size(); ++a) {
                const double* const phi = direction(system_, acting_[a].direction).data();
                const double force = nodes_[a].force[k];
                for (std::size_t j = 0; j < system_.modes(); ++j) {
                    state.q[j] += phi[j] * force * q[j];
                    state.v[j] += phi[j] * force * v[j];
                }
            }
        }
    }

    /// How far the gaps of the other contacts are off the cubic through their ends, at the nodes.
    void look_between(const StepTable& table) {
        for (ContactCourse& contact : contacts_) contact.from_cubic = 0.0;
        const bool others = active_.size() < contacts_.size();
        if (!others) return;
        for (std::size_t i = 0; i < 3; ++i) {
            table.move_freely(system_, now_, phases(), i, point_);
            add_forces(table, i, point_);
            for (std::size_t c = 0; c < contacts_.size(); ++c) {
                ContactCourse& contact = contacts_[c];
                if (contact.phase != Phase::apart) continue;
                const time::CubicStep cubic{contact.x, contact.next.x, table.step() * contact.v,
                                            table.step() * contact.next.v};
                const double yield =
                    series_.is_present() ? series_.at_node(c, i, active_, nodes_) : 0.0;
                const double x = contact_motion(system_, c, point_).x - yield;
                contact.from_cubic =
                    std::max(contact.from_cubic, std::abs(x - cubic(modal::Gauss3::node[i])));
            }
        }
    }

    bool is_active(std::size_t c) const { return std::ranges::find(active_, c) != active_.end(); }

    /// The longest step [s] that resolves the vibration on the tangential spring.
    double tangential_resonance(const ContactCourse& contact) const {
        const double square = contact.tangential_mobility * contact.friction->stiffness();
        return contact.limits.contact_resonance / std::sqrt(square);
    }

    /// Prepares the friction of the contacts in `active_` for a step.
    void begin_friction() {
        for (const std::size_t c : active_) {
            ContactCourse& contact = contacts_[c];
            if (!contact.friction) continue;
            if (contact.phase == Phase::apart) contact.friction->begin(*contact.law, contact.x);
            contact.tangent = tangent_motions(c, now_);
            contact.friction->begin_step(contact.tangent, contact.v);
        }
    }

    TangentMotion tangent_motions(std::size_t c, const State& state) const {
        const ContactFriction& friction = *system_.contacts[c].friction;
        return {tangent_motion(friction.phi, state), tangent_motion(friction.lateral_phi, state)};
    }

    /// `acting`: place of the force along the first tangent.
    FrictionStep friction_step(std::size_t acting, double h) const {
        const ContactCourse& contact = contacts_[acting_[acting].contact];
        return {h,
                {contact.x, contact.v},
                contact.next,
                contact.law->force(contact.x, contact.v),
                contact.law->force(contact.next.x, contact.next.v),
                nodes_[acting_[acting].normal],
                tangent_nodes(acting_[acting], nodes_, acting),
                contact.tangent_next,
                *contact.law};
    }

    /// The first condition that fails in a step of length h [s].
    std::optional<FrictionChange> friction_change(double h) const {
        std::optional<FrictionChange> first;
        for (std::size_t a = 0; a < acting_.size(); ++a) {
            if (!acting_[a].friction || acting_[a].component > 0) continue;
            const auto event = acting_[a].friction->event(friction_step(a, h));
            if (event && (!first || event->fraction < first->event.fraction))
                first = FrictionChange{a, *event};
        }
        return first;
    }

    void change_friction(const FrictionChange& change, double h) {
        contacts_[acting_[change.acting].contact].friction->change(change.event.condition,
                                                                   friction_step(change.acting, h));
    }

    /// The length [s] of a step at whose end the condition just holds, in place of one of length h:
    /// Newton's method with the slope of the last two steps. `move(length)` tries a step.
    template <class Move>
    double step_to_change(const FrictionChange& change, double h, const Move& move) const {
        constexpr int most = 12;
        double time = change.event.fraction * h, slope = change.event.slope / h;
        double last_time = 0.0, last_margin = 0.0;
        for (int count = 0; count < most; ++count) {
            if (!move(time)) break;
            const double margin = acting_[change.acting].friction->end_margin(
                change.event.condition, friction_step(change.acting, time));
            if (margin == 0.0) break;
            if (count > 0 && margin != last_margin)
                slope = (margin - last_margin) / (time - last_time);
            last_time = time;
            last_margin = margin;
            const double next = time - margin / slope;
            time = next > 0.0 && next < h ? next : 0.5 * time;
        }
        return time;
    }

    void account_for_friction(std::size_t acting, double h) {
        const ActingForce& force = acting_[acting];
        ContactCourse& contact = contacts_[force.contact];
        const std::size_t d = force.component;
        double impulse = 0.0;
        for (std::size_t k = 0; k < 3; ++k)
            impulse += h * modal::Gauss3::weight[k] * nodes_[acting].force[k];
        (d == 0 ? contact.impact.tangential_impulse : contact.impact.lateral_impulse) += impulse;
        (d == 0 ? contact.impact.slip : contact.impact.lateral_slip) +=
            contact.tangent[d].x - contact.tangent_next[d].x;
        if (d == 0) lose_by_friction(contact, contact.friction->accept(friction_step(acting, h)));
    }

    std::vector<std::size_t> active_;  // the contacts of the present step
    std::vector<ActingForce> acting_;  // their forces
    std::vector<NodeMotion> nodes_;    // of these forces
};

}  // namespace stoss::motion
