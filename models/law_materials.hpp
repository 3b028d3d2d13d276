#pragma once
/// What a contact law takes from the materials of two surfaces.

#include <models/striker.hpp>
#include <stoss/contact/laws.hpp>

namespace stoss::models {

/// The law with what follows from the two materials alone: work of adhesion, yield stress, and nu
/// of the body that yields first. What is given stays.
contact::Law with_materials(contact::Law law, const SurfaceMaterial& own,
                            const SurfaceMaterial& other);

}  // namespace stoss::models
