// 9. Beads settle in a box.
//
// Four hundred glass beads of slightly different size fall into a small box and come to rest.
// Contacts are rigid and purely inelastic, with friction of maximum dissipation; a contact is taken
// in before it closes, so that the time step may be large (docs/theory/many_contacts.md). The same
// random seed gives the same bytes on any number of threads.
//
// To expect: a bed at rest that fills about 0.55 of its volume.
#include <algorithm>
#include <cstdio>

#include <stoss/stoss.hpp>

int main() {
    stoss::SphereBox box({.size = {7e-3, 7e-3, 20e-3},
                          .density = 2500.0,
                          .contact = {.friction = 0.4},
                          .stepping = {.step = 1e-4, .sweeps = 20}});
    box.fill({.count = 400, .radius = 0.5e-3, .radius_spread = 0.1, .speed = 0.1, .seed = 7});
    const bool is_finite = box.settle(0.12);

    double height = 0.0;
    for (const auto& position : box.positions()) height += position.z();
    height *= 2.0 / static_cast<double>(box.size());  // twice the mean: of a bed of even density
    const auto energy = box.energy();
    std::printf("%zu beads after %.2f s, finite: %d\n", box.size(), box.time(), is_finite);
    std::printf("at rest: %d\n", energy.translation + energy.rotation < 1e-8);
    std::printf("height of the bed: %.4f mm\n", 1e3 * height);
    std::printf("solid fraction: %.4f\n", box.solid_fraction(0.1 * height, 0.9 * height));
}
