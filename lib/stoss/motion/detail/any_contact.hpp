#pragma once
/// A contact of any law: contact::Contact behind one type.

#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <stoss/contact/contact.hpp>
#include <stoss/contact/continuity.hpp>
#include <stoss/contact/laws.hpp>
#include <stoss/core/dual.hpp>
#include <stoss/motion/detail/node_motion.hpp>
#include <stoss/motion/system.hpp>

namespace stoss::motion {

/// Contact force [N] and its derivatives by overlap [N/m] and rate [N s/m].
struct ForcePoint {
    double force = 0.0, by_x = 0.0, by_v = 0.0;
};

/// The members are those of contact::Contact.
class AnyContact {
  public:
    /// `effective_mass` [kg] of the relative motion: 1/sum phi_j^2 of the rigid modes, or infinite.
    AnyContact(const CompliantContact& contact, double effective_mass)
        : contact_(made(contact, effective_mass)) {}

    double force(double x, double v) const {
        return std::visit([&](const auto& contact) { return contact.force(x, v); }, contact_);
    }
    ForcePoint point(double x, double v) const {
        return std::visit(
            [&](const auto& contact) {
                const core::Dual by_x = contact.force(core::Dual::variable(x), core::Dual(v));
                ForcePoint point{by_x.value, by_x.derivative, 0.0};
                if constexpr (!std::decay_t<decltype(contact)>::is_elastic)
                    point.by_v = contact.force(core::Dual(x), core::Dual::variable(v)).derivative;
                return point;
            },
            contact_);
    }
    /// `point` for Newton's method where the force is `force` [N] so far, and a unit of it takes
    /// `by_x` [m/N] from the overlap and `by_v` [m/(N s)] from the rate. Where the law would pull
    /// and may not, the force is 0 without a slope, and the method would alternate: there the
    /// law goes on as if it could pull, as long as the force that this leads to pushes.
    ForcePoint newton_point(double x, double v, double force, double by_x, double by_v) const {
        if (!(x > end_overlap()) || !would_release(x, v)) return point(x, v);
        const ForcePoint still = point(x, 0.0);
        const double pull = unlimited_force(x, v), damping = (pull - still.force) / v;
        const double change = (pull - force) / (1.0 + still.by_x * by_x + damping * by_v);
        return force + change > 0.0 ? ForcePoint{pull, still.by_x, damping} : ForcePoint{};
    }
    /// Forces at the nodes of a step in which no other contact acts, by the method of one collision
    /// (time::solve_node_forces). `by_x`, `by_v`: what they take from overlaps and rates. `nodes`:
    /// has the free motion and a guess, takes the solution. False: none to the relative error
    /// `exact`; `nodes` is as it was.
    bool solve_alone(const NodeMatrix& by_x, const NodeMatrix& by_v, double exact,
                     NodeMotion& nodes) const;
    double stored_energy(double x) const {
        return std::visit([&](const auto& contact) { return contact.stored_energy(x); }, contact_);
    }
    double dissipated_power(double x, double v) const {
        return std::visit([&](const auto& contact) { return contact.dissipated_power(x, v); },
                          contact_);
    }
    double begin_overlap() const {
        return std::visit([](const auto& contact) { return contact.begin_overlap(); }, contact_);
    }
    double end_overlap() const {
        return std::visit([](const auto& contact) { return contact.end_overlap(); }, contact_);
    }
    bool released() const {
        return std::visit([](const auto& contact) { return contact.released(); }, contact_);
    }
    bool would_release(double x, double v) const {
        return std::visit([&](const auto& contact) { return contact.would_release(x, v); },
                          contact_);
    }
    double unlimited_force(double x, double v) const {
        return std::visit([&](const auto& contact) { return contact.unlimited_force(x, v); },
                          contact_);
    }
    double accept(double x, double v) {
        return std::visit([&](auto& contact) { return contact.accept(x, v); }, contact_);
    }
    /// Overlap [m] at which the loading curve has a kink; none for most laws.
    std::optional<double> kink_overlap() const {
        return std::visit(
            [](const auto& contact) -> std::optional<double> {
                if constexpr (requires { contact.kink_overlap(); }) return contact.kink_overlap();
                return std::nullopt;
            },
            contact_);
    }
    /// True if the force curve is smooth between two overlaps [m].
    bool is_of_one_piece(double x, double end) const {
        return std::visit(
            [&](const auto& contact) {
                if constexpr (requires { contact.is_of_one_piece(x, end); })
                    return contact.is_of_one_piece(x, end);
                return true;
            },
            contact_);
    }

    /// What it remembers, to the numbers of a state and back.
    void put(std::vector<double>& state) const {
        std::visit([&](const auto& contact) { contact.put(state); }, contact_);
    }
    void take(std::span<const double>& state) {
        std::visit([&](auto& contact) { contact.take(state); }, contact_);
    }

  private:
    template <class>
    struct Variant;
    template <class... Laws>
    struct Variant<std::variant<Laws...>> {
        using type = std::variant<contact::Contact<Laws>...>;
    };
    using Contacts = Variant<contact::Law>::type;

    static Contacts made(const CompliantContact& contact, double effective_mass) {
        return std::visit(
            [&](const auto& law) -> Contacts {
                return contact::Contact(law, contact.separation, effective_mass);
            },
            contact.law);
    }
    Contacts contact_;
};

/// True if the force is a function of the overlap alone that vanishes with it: nothing jumps where
/// contact begins or ends, and no memory has to be followed.
inline bool is_smooth(const contact::Law& law) {
    return std::visit(
        [](const auto& each) {
            using Law = std::decay_t<decltype(each)>;
            return Law::is_elastic && std::is_same_v<typename Law::Memory, contact::NoMemory> &&
                   !requires(const Law law, contact::NoMemory memory) {
                law.end_overlap(memory);
            };
        },
        law);
}

/// True if the force may depend on the rate of the overlap too: it is neither elastic, nor lost by
/// a permanent dent alone.
inline bool has_rates(const contact::Law& law) {
    return std::visit(
        [](const auto& each) {
            using Law = std::decay_t<decltype(each)>;
            return !Law::is_elastic && !contact::Hysteretic<Law>;
        },
        law);
}

/// True if the law damps an impact that begins at a speed, but none that begins without: its
/// damping follows from a wanted restitution and that speed. Precondition: the law has all its
/// numbers.
inline bool needs_approach(const CompliantContact& compliant) {
    return std::visit(
        [&](const auto& law) {
            if constexpr (requires { law.restitution; }) {
                const auto damping_after = [&](double speed) {
                    contact::Contact begun(law, compliant.separation, 1.0);
                    begun.accept(begun.begin_overlap(), speed);
                    return contact::damping_at(begun, 1.0);
                };
                return damping_after(1.0) > 0.0 && damping_after(0.0) == 0.0;
            }
            return false;
        },
        compliant.law);
}

/// True if the law remembers what has happened.
inline bool has_memory(const contact::Law& law) {
    return std::visit(
        [](const auto& each) {
            using Law = std::decay_t<decltype(each)>;
            return !std::is_same_v<typename Law::Memory, contact::NoMemory>;
        },
        law);
}

}  // namespace stoss::motion
