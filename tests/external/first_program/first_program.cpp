#include <cstdio>

#include <stoss/stoss.hpp>

int main() {
    stoss::BeamCollision impact;
    impact.beam = stoss::beam({.length = 0.508,
                               .section = stoss::Circle{6.35e-3},
                               .material = stoss::aluminium(),
                               .supports = {stoss::pin(0.0375)}});
    impact.striker = stoss::fixed_cylinder(6.35e-3, stoss::aluminium());
    impact.motion.angular_velocity = -6.0;
    const auto map = stoss::BeamModel(impact).map(stoss::linspace(0.2, 1.0, 400));
    std::printf("%.6f\n", map[240].cor_kinematic);
}
