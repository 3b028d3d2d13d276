#pragma once

#include <models/beam_collision.hpp>

namespace stoss::tests {

/// A steel strip of 300 x 25 x 3 mm, clamped, and a steel ball of 10 mm at 2.43 m/s.
inline models::BeamCollision steel_strip() {
    models::BeamCollision collision;
    collision.beam.length = 0.3;
    collision.beam.section.shape = models::Rectangle{0.025, 0.003};
    collision.beam.material = {2.1e11, 0.3, 7850.0};
    collision.beam.supports = {{models::SupportType::clamp, 0.0}};
    collision.striker.shape = models::Sphere{0.01};
    collision.striker.material = models::StrikerMaterial(2.1e11, 0.3, 7850.0);
    collision.striker.velocity = 2.43;
    return collision;
}

}  // namespace stoss::tests
