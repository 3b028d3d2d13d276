#pragma once
/// What happens after a separation, on the exact motion of the modes.

#include <span>
#include <vector>

#include <stoss/impact/detail/contact_pair.hpp>

namespace stoss::impact {

/// Looks ahead from a state without contact. Takes its memory once.
class FreeMotion {
  public:
    explicit FreeMotion(const ContactPair& pair);

    /// Time [s] from the state (q, q') to the next contact; infinity if there is none ever after
    /// (theory/collision.md 6.9); `horizon` if none was found until then. Precondition: the overlap
    /// is not positive.
    ///
    /// Moves freely from one safe instant to the next: within the time that gap, opening rate and a
    /// bound of the acceleration guarantee, no contact is possible (6.10). Only where that time is
    /// below `resolution` does it take `resolution` instead: a shorter graze may be passed over.
    double time_to_contact(std::span<const double> q, std::span<const double> rate,
                           double resolution, double horizon);

  private:
    bool is_free_for_ever() const;
    double safe_time(double gap, double opening_rate) const;
    void advance(double time);

    const ContactPair& pair_;
    std::vector<double> q_, rate_;
};

}  // namespace stoss::impact
