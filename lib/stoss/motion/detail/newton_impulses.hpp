#pragma once
/// Newton's law of impact for contacts that close at the same instant.

#include <cstddef>
#include <span>
#include <vector>

#include <stoss/motion/system.hpp>

namespace stoss::motion {

/// Finds the impulses of contacts, and keeps the room for that.
class NewtonImpulses {
  public:
    /// Impulses P_c >= 0 [N s] of contacts whose overlap is 0, with the rates v_c and e_c of each
    /// (theory/impact_motion.md 27.8): w_c = -(v_c' + e_c max(v_c, 0)) >= 0, P_c >= 0, P_c w_c = 0,
    /// where v' = v - G P and G_cd = sum_j phi_cj phi_dj (Moreau 1988). They stay until the next
    /// call. Errors: throws core::NumericalError if there are none, as where a body cannot leave
    /// one contact without closing another one that it touches.
    const std::vector<double>& of(const System& system, std::span<const std::size_t> closed,
                                  std::span<const double> rates);

  private:
    double mobility(std::size_t a, std::size_t b) const { return mobility_[a * size() + b]; }
    std::size_t size() const { return wanted_.size(); }
    double rest(std::size_t a) const;
    double roundoff() const;
    bool sweep(double largest);
    bool are_found(double error) const;
    std::vector<double> alone(std::span<const std::size_t> contacts) const;
    bool solve_directly();

    std::vector<double> mobility_;  // G by rows [1/kg]
    std::vector<double> wanted_;    // v + e max(v, 0) [m/s]
    std::vector<double> impulses_;  // [N s]
};

}  // namespace stoss::motion
