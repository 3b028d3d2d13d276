// 1. Restitution along a beam, at 400 places.
//
// An aluminium beam turns about a pin near its left end and meets a fixed cylinder. Where it is
// struck decides how much energy stays in its vibrations, so that the coefficient of restitution e
// = -V_rel(t_f)/V_rel(0) changes from place to place. Modes, contact stiffness (Hertz) and time
// steps are found by the library; all cores compute the map.
//
// To expect: e of place 240 (xi = 0.6812), then the smallest e and where it is.
#include <algorithm>
#include <cstdio>

#include <stoss/stoss.hpp>

int main() {
    stoss::BeamCollision impact;
    impact.beam = stoss::beam({.length = 0.508,
                               .section = stoss::Circle{6.35e-3},
                               .material = stoss::aluminium(),
                               .supports = {stoss::pin(0.0375)}});
    impact.striker = stoss::fixed_cylinder(6.35e-3, stoss::aluminium());
    impact.motion.angular_velocity = -6.0;  // [rad/s], about the pin

    const auto map = stoss::BeamModel(impact).map(stoss::linspace(0.2, 1.0, 400));
    std::printf("e at xi = %.4f: %.6f\n", map.xi[240], map[240].cor_kinematic);

    const auto cor = map.values(&stoss::CollisionResult::cor_kinematic);
    const auto least = std::min_element(cor.begin(), cor.end());
    std::printf("smallest e: %.4f at xi = %.4f\n", *least,
                map.xi[static_cast<std::size_t>(least - cor.begin())]);
}
