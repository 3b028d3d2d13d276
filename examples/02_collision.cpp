// 2. One collision, with its history.
//
// A steel ball falls on the middle of a beam with two pins. The motion is followed until no contact
// is possible any more (docs/theory/collision.md). The beam comes back several times: one collision
// consists of sub-impacts. The history holds samples of force, overlap and energies.
//
// To expect: status, e, the sub-impacts one by one, and energies of the energy balance that add up
// to 1: `residual` is the energy that the numbers gained.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <stoss/stoss.hpp>

int main() {
    stoss::BeamCollision impact;
    impact.beam = stoss::beam({.length = 0.4,
                               .section = stoss::Rectangle{.width = 0.03, .height = 0.006},
                               .material = stoss::steel(),
                               .supports = {stoss::pin(0.0), stoss::pin(1.0)}});
    impact.striker = stoss::solid_sphere(0.02, stoss::steel());
    impact.motion.approach_speed = 1.0;  // [m/s]
    impact.mesh.modes = 40;

    const stoss::Collision collision = stoss::BeamModel(impact).collide(0.5, 2000);
    std::printf("separated: %d\n", collision.status == stoss::Status::separated);
    std::printf("e = %.5f, impulse %.6f N s, %zu sub-impacts\n", collision.cor_kinematic,
                collision.impulse, collision.sub_impacts.size());
    for (const auto& each : collision.sub_impacts) {
        std::printf("  %8.3f us to %8.3f us, %8.2f N\n", 1e6 * each.start, 1e6 * each.end,
                    each.peak_force);
    }
    const auto& energy = collision.energy;
    std::printf("energy: rigid %.4f, vibration %.4f, contact %.4f\n", energy.rigid,
                energy.vibration, energy.contact_loss);
    std::printf("energies add up to 1e-6: %d\n", std::abs(energy.residual) < 1e-6);

    double largest = 0.0;
    for (const auto& sample : collision.history) largest = std::max(largest, sample.force);
    std::printf("largest sampled force: %.0f N\n", largest);
}
