// 3. A contact law of your own.
//
// A law is one struct in one header: its parameters as a list of fields, the force F(x, v) and the
// stored energy, x > 0 the overlap and v its rate. laws/exponential.hpp beside this file is one:
//     F = k d (exp(x/d) - 1),  stored energy k d (d (exp(x/d) - 1) - x).
// The law is checked here against what every law must obey, and a bead impacts on it: m x'' = -F.
// Without loss e is 1, and the largest overlap follows from the energy alone: stored energy = m
// v0^2/2.
//
// To use it everywhere (in cases, in `stoss::Law`), configure Stoss with -DSTOSS_USER_LAWS=the
// folder of the header.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <stoss/contact/contact.hpp>

#include "laws/exponential.hpp"

static_assert(stoss::contact::ContactLaw<stoss::contact::Exponential>);

int main() {
    stoss::contact::Exponential law;
    law.stiffness = 1e6;  // [N/m]
    law.depth = 1e-4;     // [m]
    const double mass = 0.01, speed = 1.0;

    stoss::contact::Contact contact(law, stoss::contact::Separation::zero_force, mass);
    contact.accept(0.0, speed);  // the bodies touch
    double x = 0.0, v = speed, deepest = 0.0, time = 0.0;
    const double step = 1e-9;
    do {  // velocity Verlet
        const double half = v - 0.5 * step * contact.force(x, v) / mass;
        x += step * half;
        v = half - 0.5 * step * contact.force(x, half) / mass;
        contact.accept(x, v);
        deepest = std::max(deepest, x);
        time += step;
    } while (x > 0.0);
    std::printf("e = %.5f\n", -v / speed);
    std::printf("contact time %.3f us\n", 1e6 * time);
    std::printf("largest overlap %.4f um\n", 1e6 * deepest);
    std::printf("stored there over m v0^2/2: %.5f\n",
                law.stored_energy(deepest, {}) / (0.5 * mass * speed * speed));
}
