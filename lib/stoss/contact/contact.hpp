#pragma once
/// A contact law in action during one collision: where it acts, and when contact ends.

#include <algorithm>
#include <span>
#include <type_traits>
#include <vector>

#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/damped_powers.hpp>
#include <stoss/core/state_numbers.hpp>

namespace stoss::contact {

/// A law, its separation rule and its memory. Overlap x [m], rate v [m/s], force [N].
///
/// Contact begins at `begin_overlap()` and ends at `end_overlap()`. Both are 0 for most laws.
/// Contact by a law that attracts ends at a negative overlap; by a law that leaves a permanent
/// indentation it ends, and begins again, at a positive one.
template <ContactLaw L>
class Contact {
  public:
    static constexpr bool is_elastic = L::is_elastic;  ///< true: nothing is lost while bodies touch

    /// `effective_mass` [kg] of the relative motion, infinite if it is not known: only laws whose
    /// damping follows from a wanted restitution use it.
    /// Errors: those of `with_all_numbers` and of the law's `prepare`.
    Contact(const L& law, Separation separation, double effective_mass)
        : law_(with_all_numbers(law)),
          separation_(separation),
          memory_(law.prepare({effective_mass, separation})) {}

    /// Overlap [m] above which bodies that are apart come into contact.
    double begin_overlap() const { return contact::begin_overlap(law_, memory_); }

    /// Overlap [m] at which a touching contact ends; constant while it is unloaded.
    double end_overlap() const { return contact::end_overlap(law_, memory_); }

    /// Overlap [m] at which the loading curve has a kink; see `ContactLaw`.
    double kink_overlap() const requires Hysteretic<L> { return law_.kink_overlap(memory_); }

    /// Overlap [m] at which the force is singular inside the contact; see `ContactLaw`.
    double singular_overlap() const requires SingularInside<L> {
        return law_.singular_overlap(memory_);
    }

    /// True if the force curve is smooth between two overlaps [m]; see `ContactLaw`.
    bool is_of_one_piece(double x, double end) const requires Piecewise<L> {
        return law_.piece(x, memory_) == law_.piece(end, memory_);
    }

    /// Overlap [m] above which the law acts at present: where contact would begin, or end.
    double threshold() const { return state_ == State::apart ? begin_overlap() : end_overlap(); }

    /// Contact force at overlap x and rate v; zero apart. With `zero_force` it is zero where the
    /// law would pull. Bodies that touch while they close are in contact: a damper acts at once.
    template <class T>
    T force(const T& x, const T& v) const {
        if (!acts(core::value_of(x), core::value_of(v))) return T(0.0);
        const T raw = law_.force(x, v, memory_);
        return separation_ == Separation::zero_force && raw < T(0.0) ? T(0.0) : raw;
    }

    /// What the law alone says: negative where it would pull.
    double unlimited_force(double x, double v) const { return law_.force(x, v, memory_); }

    /// The law in numbers (contact/damped_powers.hpp).
    DampedPowers powers() const requires OfDampedPowers<L> { return law_.powers(memory_); }

    /// The force [N] below which `force` is zero.
    double least_force() const {
        return separation_ == Separation::zero_force ? 0.0 : -core::infinity;
    }

    /// True if the law would pull at overlap x and rate v, and may not by the separation rule.
    bool would_release(double x, double v) const {
        return separation_ == Separation::zero_force && v < 0.0 &&
               !(law_.force(x, v, memory_) > 0.0);
    }

    /// True while overlap remains after a release.
    bool released() const { return state_ == State::released; }

    /// Recoverable energy [J] in the contact.
    double stored_energy(double x) const {
        return state_ != State::released && acts(x, 0.0) ? law_.stored_energy(x, memory_) : 0.0;
    }

    /// The part of the force [N] that only stores energy: the derivative of `stored_energy`.
    double elastic_force(double x) const {
        if (state_ == State::released || !acts(x, 0.0)) return 0.0;
        return contact::elastic_force(law_, x, memory_);
    }

    /// Power [W] that the contact turns into heat at overlap x and rate v, both not yet accepted.
    double dissipated_power(double x, double v) const {
        if (L::is_elastic || !acts(x, v)) return 0.0;
        const double acting = force(x, v);
        if (state_ == State::released && acting == 0.0) return 0.0;
        const double elastic = contact::elastic_force(law_, x, memory_);
        return (acting - elastic) * v;
    }

    /// Moves on after an accepted step. Apart, the next impact begins at the present closing speed.
    ///
    /// Returns the stored energy [J] that the end of a contact leaves behind: it is lost. So is
    /// what bodies with a dent that attracts set free as they touch again. With `zero_force` a
    /// contact also ends where the law would pull, overlap or not; if the bodies come back before
    /// the overlap is gone, the stored energy is no longer lost: the energy returned is negative.
    double accept(double x, double v) {
        if (!(x > threshold())) {
            const double left_behind =
                state_ == State::touching ? law_.stored_energy(end_overlap(), memory_) : 0.0;
            state_ = State::apart;
            if (!(x > begin_overlap())) law_.onset(memory_, std::max(v, 0.0));
            return left_behind;
        }
        const State before = state_;
        const bool would_pull = would_release(x, v);
        state_ = would_pull ? State::released : State::touching;
        double left_behind = 0.0;
        if constexpr (BeginsAtDent<L>) {
            if (before == State::apart) left_behind = -law_.stored_energy(begin_overlap(), memory_);
        }
        if (would_pull != (before == State::released)) {
            const double stored = law_.stored_energy(x, memory_);
            left_behind = would_pull ? stored : -stored;
        }
        law_.accept(memory_, x, v);
        return left_behind;
    }

    /// Adds what it remembers to the numbers of a state. A memory of plain numbers has no padding,
    /// whose bytes would differ between equal states.
    void put(std::vector<double>& state) const {
        state.push_back(static_cast<double>(state_));
        if constexpr (is_of_numbers)
            core::put_bytes(state, memory_);
        else if constexpr (!std::is_empty_v<Memory>)  // beside a table that `prepare` makes
            state.push_back(memory_.largest_overlap);
    }
    /// Takes back from the front of `state` what `put` added.
    void take(std::span<const double>& state) {
        state_ = static_cast<State>(core::take(state));
        if constexpr (is_of_numbers)
            core::take_bytes(state, memory_);
        else if constexpr (!std::is_empty_v<Memory>)
            memory_.largest_overlap = core::take(state);
    }

  private:
    using Memory = typename L::Memory;
    static constexpr bool is_of_numbers =
        std::is_trivially_copyable_v<Memory> && !std::is_empty_v<Memory>;

    enum class State {
        apart,
        touching,
        released  ///< overlap remains, but the law would pull; what it stored is counted as lost
    };

    bool acts(double x, double v) const { return x > threshold() || (x == threshold() && v > 0.0); }

    L law_;
    Separation separation_;
    Memory memory_;
    State state_ = State::apart;
};

}  // namespace stoss::contact
