#pragma once
/// What collisions by every scheme conclude alike.

#include <span>

#include <stoss/impact/collide.hpp>
#include <stoss/impact/detail/contact_pair.hpp>

namespace stoss::impact {

/// How far a history goes on: to so many times the time of the last separation.
inline constexpr double aftermath = 1.15;

/// The three kinds of restitution (theory/collision.md 6.4 to 6.6) of a result that has its speeds
/// and its impulse. Impulse [N s] and work of the contact force on V_rel [J] at the end of
/// compression; work at the last separation.
void take_restitution(CollisionResult& result, double compression_impulse, double compression_work,
                      double separation_work);

/// Coordinates and rates of the modes of the first body, and the displacement of its contact point.
void take_first_body(Sample& sample, const ContactPair& pair, std::span<const double> q,
                     std::span<const double> rates);

}  // namespace stoss::impact
