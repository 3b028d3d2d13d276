#pragma once
/// The friction cone: one rigid frictional impact, and the rod of Painleve as such an impact.

#include <vector>

#include <stoss/io/describe.hpp>
#include <stoss/io/json.hpp>

namespace stoss::lab {

/// Keys of a contact: those of models::RigidContact but `restitution`.
std::vector<io::KeyDescription> cone_keys();

/// A, b and mu of a contact, its impulse of maximum dissipation, and every Coulomb solution.
/// Errors: core::InputError, keys as in the case.
io::Value answer_cone(const io::Value& parameters);

/// The contact of a sliding rod at its first angle and friction (models::SlidingRod), as a case of
/// `answer_cone`, and its critical coefficient of friction. Errors: as above.
io::Value answer_rod(const io::Value& parameters);

}  // namespace stoss::lab
