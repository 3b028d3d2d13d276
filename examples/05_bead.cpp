// 5. A bouncing ball.
//
// A steel ball of 10 g falls 0.3 m on a plate. Its contact is viscoelastic (Kuwabara and Kono): the
// slower an impact the less it loses, so that the ball would bounce forever were it not for
// gravity, which acts in contact as well and holds the ball at last (docs/theory/loaded_impact.md).
//
// To expect: e = 0.903 at the first impact, more at the next ones, and a last impact that sticks.
#include <cstdio>

#include <stoss/stoss.hpp>

int main() {
    stoss::contact::KuwabaraKono law;
    law.stiffness = 1e8;        // [N/m^1.5]
    law.damping_factor = 5e-6;  // [s]
    const stoss::Fall fall =
        stoss::impact::follow({.mass = 0.01, .height = 0.3, .gravity = 9.81, .law = law});

    for (std::size_t i = 0; i < 3; ++i) {
        const auto& bounce = fall.bounces[i];
        std::printf("impact %zu at %.5f s: v0 = %.5f m/s, e = %.5f\n", i + 1, bounce.time,
                    bounce.speed, *bounce.impact.cor);
    }
    std::printf("%zu impacts, at rest after %.4f s\n", fall.bounces.size(), fall.rest);
}
