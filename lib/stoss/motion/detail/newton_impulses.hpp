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
    /// `still`: roundoff of the rates [m/s]. Bodies that close no faster do not rebound. If all are
    /// as slow and there are no impulses, as in a row that two walls hold, the bodies stick: then
    /// some impulses may pull. `rebounds`: false has e_c = 0 for all.
    const std::vector<double>& of(const System& system, std::span<const std::size_t> closed,
                                  std::span<const double> rates, double still = 0.0,
                                  bool rebounds = true);

    /// What to add [N s] to the impulses of the last call, which have left these rates [m/s]: a
    /// light body between heavy ones has the roundoff of their impulses.
    const std::vector<double>& corrections(std::span<const double> rates);

    /// The largest speed [m/s] in the sums of which contact a of the last call has its rate after
    /// the impulses: its roundoff is that of this speed.
    double largest_speed(std::size_t a) const;

  private:
    double mobility(std::size_t a, std::size_t b) const { return mobility_[a * size() + b]; }
    std::size_t size() const { return wanted_.size(); }
    double rest(std::size_t a) const;
    double roundoff() const;
    bool sweep(double exact, int most);
    bool are_found(double error) const;
    std::vector<double> alone(std::span<const std::size_t> contacts) const;
    bool solve_directly();

    std::vector<double> mobility_;                // G by rows [1/kg]
    std::vector<double> rebounds_;                // e max(v, 0) [m/s]
    std::vector<double> wanted_;                  // v + e max(v, 0) [m/s]
    std::vector<double> impulses_, corrections_;  // [N s]
};

}  // namespace stoss::motion
