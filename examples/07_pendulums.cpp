// 7. Two pendulums hit each other.
//
// The tip of a short rod meets the side of a long one (Poursina and Nikravesh 2020, section 6).
// Both swing under gravity; where they overlap, the law of Hunt and Crossley pushes them apart, F =
// k x^(3/2) (1 + mu v), with the factor mu that gives e = 0.3 exactly at each impact.
//
// To expect: three impacts in eight seconds, at 1.1424, 3.7636 and 6.6950 s.
#include <cstdio>
#include <numbers>

#include <stoss/stoss.hpp>

int main() {
    const double degree = std::numbers::pi / 180.0;
    stoss::models::ContinuousContact contact;
    contact.law = stoss::contact::HuntCrossley{.stiffness = 1e8, .restitution = 0.3};
    const stoss::PendulumMotion motion =
        stoss::swing({.rod_1 = {.mass = 1.0, .length = 6.0, .angle = 15.0 * degree},
                      .rod_2 = {.mass = 0.2, .length = 4.0, .angle = -90.0 * degree},
                      .pivot_2 = {.right = -2.0},
                      .impact = {.model = contact},
                      .duration = 8.0});
    for (const auto& impact : motion.impacts) {
        std::printf("impact at %.6f s: %.5f m/s before, %.5f m/s after\n", impact.start,
                    impact.approach_speed, impact.rebound_speed);
    }
    std::printf("%zu impacts\n", motion.impacts.size());
}
