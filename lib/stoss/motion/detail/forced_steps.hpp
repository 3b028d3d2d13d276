#pragma once
/// Forces in steps of contact, and friction among them.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include <stoss/core/gauss3.hpp>
#include <stoss/motion/detail/free_steps.hpp>
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

    void activate(std::size_t c) {
        contacts_[c].acts = true;
        active_.push_back(c);
    }
    bool is_active(std::size_t c) const { return contacts_[c].acts; }

    /// Lists the forces of the contacts in `active_`: first the normal ones, one a contact.
    void list_forces() {
        acting_.clear();
        for (const std::size_t c : active_) acting_.push_back({c, c, &*contacts_[c].law});
        for (std::size_t a = 0; a < active_.size(); ++a) {
            const std::size_t c = active_[a];
            const ContactState& contact = contacts_[c];
            if (!contact.friction) continue;
            const std::size_t tangents = contact.friction->is_planar() ? 1 : 2;
            for (std::size_t d = 0; d < tangents; ++d)
                acting_.push_back(
                    {c, (d + 1) * contacts_.size() + c, &*contact.law, &*contact.friction, a, d});
        }
        nodes_.resize(acting_.size());
    }

    NodeForce node_force(std::size_t a) const { return {acting_[a].direction, nodes_[a].force}; }

    /// The state at the end of a step under the node forces.
    void move(const StepTable& table) {
        table.move(now_, phases(), node_force(0), next_);
        for (std::size_t a = 1; a < acting_.size(); ++a) table.add_force(node_force(a), next_);
    }
    /// The rates at a node under these forces, as point_.v.
    void find_rates(const StepTable& table, std::size_t node) {
        table.free_rates(now_, phases(), node, point_);
        for (std::size_t a = 0; a < acting_.size(); ++a)
            table.add_force_to_rates(node_force(a), node, point_);
        follow_surfaces(point_);
    }

    /// Motion of contact c at the nodes without the forces of the step.
    void free_nodes(const StepTable& table, std::size_t c, NodeMotion& nodes) {
        table.free_nodes(c, now_, phases(), nodes);
        const double gap = system_.contacts[c].gap;
        for (std::size_t i = 0; i < 3; ++i) {
            const ContactMotion surface = table.surface(c, phases(), i);
            nodes.x[i] += surface.x - gap;
            nodes.v[i] += surface.v;
        }
    }

    /// How far the gaps of the other contacts are off the cubic through their ends, at the nodes.
    void look_between(const StepTable& table) {
        NodeMotion nodes;
        for (std::size_t c = 0; c < contacts_.size(); ++c) {
            ContactState& contact = contacts_[c];
            contact.from_cubic = 0.0;
            if (contact.phase != Phase::apart || is_active(c)) continue;
            bool is_pushed = false;
            for (const ActingForce& each : acting_)
                is_pushed = is_pushed || modes_.directions.pair(c, each.direction).has_value();
            if (!is_pushed && bounds_.is_parabola(c)) continue;
            free_nodes(table, c, nodes);
            for (std::size_t a = 0; is_pushed && a < acting_.size(); ++a) {
                const StepTable::Compliance* const pair = table.compliance(c, acting_[a].direction);
                for (std::size_t i = 0; pair && i < 3; ++i)
                    for (std::size_t k = 0; k < 3; ++k)
                        nodes.x[i] -= pair->x[i][k] * nodes_[a].force[k];
            }
            const time::CubicStep cubic{contact.x, contact.next.x, table.step() * contact.v,
                                        table.step() * contact.next.v};
            for (std::size_t i = 0; i < 3; ++i)
                contact.from_cubic = std::max(contact.from_cubic,
                                              std::abs(nodes.x[i] - cubic(core::Gauss3::node[i])));
        }
    }

    /// The longest step [s] that resolves the vibration on the tangential spring.
    double tangential_resonance(const ContactState& contact) const {
        const double square = contact.tangential_mobility * contact.friction->stiffness();
        return contact.limits.contact_resonance / std::sqrt(square);
    }

    /// Prepares the friction of the contacts in `active_` for a step.
    void begin_friction() {
        for (const std::size_t c : active_) {
            ContactState& contact = contacts_[c];
            if (has_tangent(c)) contact.tangent = tangent_motions(c, now_);
            if (!contact.friction) continue;
            if (contact.phase == Phase::apart) contact.friction->begin(*contact.law, contact.x);
            contact.friction->begin_step(contact.tangent, {contact.x, contact.v});
        }
    }

    /// True of a contact without a tangential force as well, whose coefficient is 0: it slips.
    bool has_tangent(std::size_t c) const { return system_.contacts[c].friction.has_value(); }

    /// Precondition: has_tangent(c).
    TangentMotion tangent_motions(std::size_t c, const State& state) const {
        const std::size_t contacts = contacts_.size();
        TangentMotion motion{tangent_motion(modes_, contacts + c, state), {}};
        if (!system_.contacts[c].friction->lateral_phi.empty())
            motion[1] = tangent_motion(modes_, 2 * contacts + c, state);
        return motion;
    }

    /// `acting`: place of the force along the first tangent.
    FrictionStep friction_step(std::size_t acting, double h) const {
        const ContactState& contact = contacts_[acting_[acting].contact];
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
        ContactState& contact = contacts_[force.contact];
        const std::size_t d = force.component;
        double impulse = 0.0;
        for (std::size_t k = 0; k < 3; ++k)
            impulse += h * core::Gauss3::weight[k] * nodes_[acting].force[k];
        (d == 0 ? contact.impact.tangential_impulse : contact.impact.lateral_impulse) += impulse;
        if (d == 0) lose_by_friction(contact, contact.friction->accept(friction_step(acting, h)));
    }

    std::vector<std::size_t> active_;  // the contacts of the present step
    std::vector<ActingForce> acting_;  // their forces
    std::vector<NodeMotion> nodes_;    // of these forces
};

}  // namespace stoss::motion
