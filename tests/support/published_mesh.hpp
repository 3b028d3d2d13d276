#pragma once
/// The mesh of the published beam: 25 modes, nothing of the others, supports by a penalty.

#include <models/beam_collision.hpp>

namespace stoss::tests {

inline models::Mesh published_mesh() {
    return {
        .modes = 25, .residual_flexibility = false, .constraints = fem::ConstraintMethod::penalty};
}

}  // namespace stoss::tests
