#pragma once
/// A contact law in action during one collision: where it acts, and when contact ends.

#include <algorithm>
#include <array>

#include <stoss/contact/contact_law.hpp>

namespace stoss::contact {

/// When contact ends. The rule is written here once, for every law.
enum class Separation {
    zero_force,  ///< the force may not pull: contact ends when it vanishes, even if overlap remains
    zero_overlap  ///< contact ends when the overlap vanishes; the force may have pulled before
};

constexpr auto enum_names(Separation) {
    return std::array{
        core::EnumName{Separation::zero_force, "zero_force",
                       "contact ends when the force vanishes; overlap may remain"},
        core::EnumName{Separation::zero_overlap, "zero_overlap",
                       "contact ends when the overlap vanishes; the force may pull before"}};
}

/// A law, its separation rule and its memory. Overlap x [m], rate v [m/s], force [N].
template <ContactLaw L>
class Contact {
  public:
    Contact(const L& law, Separation separation) : law_(law), separation_(separation) {}

    /// Contact force at overlap x and rate v; zero apart and after release. Bodies that touch while
    /// they close are in contact: a damper acts at once.
    template <class T>
    T force(const T& x, const T& v) const {
        if (!touch(core::value_of(x), core::value_of(v)) || released_) return T(0.0);
        const T raw = law_.force(x, v, memory_);
        return separation_ == Separation::zero_force && raw < T(0.0) ? T(0.0) : raw;
    }

    /// What the law alone says at overlap x >= 0: negative where it would pull.
    double unlimited_force(double x, double v) const { return law_.force(x, v, memory_); }

    /// Recoverable energy [J] in the contact.
    double stored_energy(double x) const {
        return x > 0.0 && !released_ ? law_.stored_energy(x, memory_) : 0.0;
    }

    /// Power [W] that the contact turns into heat at overlap x and rate v.
    double dissipated_power(double x, double v) const {
        if (L::is_elastic || !touch(x, v) || released_) return 0.0;
        const double elastic = law_.stored_energy(core::Dual::variable(x), memory_).derivative;
        return (force(x, v) - elastic) * v;
    }

    /// Moves on after an accepted step. Apart, the next impact begins at the present closing speed;
    /// with `zero_force` the contact is released once the force would pull, until the overlap is
    /// gone. Returns the stored energy [J] that a release leaves behind in the overlap: it is lost.
    double accept(double x, double v) {
        if (!(x > 0.0)) {
            released_ = false;
            memory_ = law_.onset(std::max(v, 0.0));
            return 0.0;
        }
        if (released_) return 0.0;
        const double stored = stored_energy(x);
        released_ =
            separation_ == Separation::zero_force && v < 0.0 && !(law_.force(x, v, memory_) > 0.0);
        law_.accept(memory_, x, v);
        return released_ ? stored : 0.0;
    }

  private:
    static bool touch(double x, double v) { return x > 0.0 || (x == 0.0 && v > 0.0); }

    L law_;
    Separation separation_;
    typename L::Memory memory_{};
    bool released_ = false;
};

}  // namespace stoss::contact
