#pragma once
/// Which gaps stay open over a step of free motion.

#include <cstddef>
#include <optional>
#include <vector>

#include <stoss/motion/detail/contact_state.hpp>
#include <stoss/motion/detail/driven_modes.hpp>
#include <stoss/motion/system.hpp>

namespace stoss::motion {

/// Bounds of what the modes can do in a step (theory/impact_motion.md 27.5).
class GapBounds {
  public:
    /// Keeps a reference to `system`.
    explicit GapBounds(const System& system);

    /// The steps that follow begin at this state, which must live until the next call.
    void begin(const State& now);

    /// The bodies of the contacts that rest move with their surfaces in the steps that follow.
    void hold(const std::vector<ContactState>& contacts);

    /// True if the gap of an apart contact stays open over a step of length h [s] that ends at
    /// `next`. `touching`: overlap [m] within which surfaces just touch.
    bool stays_open(std::size_t c, const ContactState& contact, const State& next, double h,
                    double touching) const;

    /// True if the gap is a parabola in time while no contact force acts.
    bool is_parabola(std::size_t c) const {
        return is_ballistic_[c] && !vibrates_[c] && !has_held_mode(c);
    }

    /// (theory/collision.md 6.9) True if the rigid motion opens the gap of a contact, and the
    /// vibrations cannot bridge it. Of bodies that nothing drives or loads.
    bool opens_for_good(std::size_t c, const State& now) const;

  private:
    /// Of one mode in a step: its fourth derivative, and its coordinate.
    double fourth_derivative(std::size_t j, double h) const;
    double reach(std::size_t j, double h) const;
    bool is_far(std::size_t c, double h) const;
    bool is_held(std::size_t j) const { return !held_.empty() && held_[j].has_value(); }
    bool has_held_mode(std::size_t c) const;

    const System& system_;
    const State* now_ = nullptr;
    std::vector<std::vector<std::size_t>> rigid_, vibrations_;  // modes of each gap
    std::vector<double> omega_;                                 // sqrt(lambda) [1/s]
    std::vector<double> force_, first_, second_;  // of the drives and their derivatives, largest
    std::vector<double> surface_;                 // fourth derivative of each surface [m/s^4]
    std::vector<double> surface_reach_;           // [m]
    std::vector<double> speed_;                   // sqrt(lambda q^2 + q'^2) at the begin
    std::vector<double> acceleration_;            // of each gap by constant forces on rigid modes
    std::vector<bool> is_ballistic_;              // rigid modes by constant forces alone
    std::vector<bool> vibrates_;                  // a mode of the gap, or its surface
    // Fourth derivative of the modes that a surface holds, largest; empty: it holds none.
    std::vector<std::optional<double>> held_;
};

}  // namespace stoss::motion
