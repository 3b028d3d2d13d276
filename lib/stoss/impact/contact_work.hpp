#pragma once
/// The work that a contact took and gave back in a collision.

#include <optional>

#include <stoss/impact/collide.hpp>

namespace stoss::impact {

/// Energetic coefficient of restitution of the contact itself, sqrt(W_out/W_in): W_in is the work
/// of the contact force while it takes energy, W_out what it gives back, summed over all
/// sub-impacts (theory/collision.md 6.16). The motion of the contact points counts, vibrations
/// included; so it is 1 for an elastic law, whatever goes into vibration. None if the bodies did
/// not separate or the contact took no work. `history`: of the whole collision. W_in is that of the
/// samples, its peaks those of parabolas through three of them.
std::optional<double> contact_restitution(const CollisionResult& result, const History& history);

}  // namespace stoss::impact
