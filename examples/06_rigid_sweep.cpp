// 6. A hundred thousand rigid impacts with friction.
//
// A rod meets a plane with its end at any angle. At the contact only the Delassus operator A and
// the approach velocity b count: an impulse x makes the relative velocity A x - b. Maximum
// dissipation (Preclik, Eibl and Ruede 2017) chooses the impulse that takes the most energy and
// satisfies |x_t| <= mu x_n; Coulomb's law asks for friction against the slip. Both answer arrays
// with arrays.
//
// To expect: no contact unsolved, and how many stick (friction below its limit) by either rule.
#include <cmath>
#include <cstdio>
#include <numbers>

#include <stoss/stoss.hpp>

int main() {
    // Uniform rod, mass m and length l: A = 1/m + r r^T/J with the lever r from its centre to its
    // end.
    const double mass = 1.0, length = 1.0, inertia = mass * length * length / 12.0, mu = 0.3;
    stoss::rigid::Contacts contacts;
    for (const double angle : stoss::linspace(0.01, 0.5 * std::numbers::pi - 0.01, 100'000)) {
        const double across = 0.5 * length * std::cos(angle), up = 0.5 * length * std::sin(angle);
        contacts.add({.A = {.nn = 1.0 / mass + across * across / inertia,
                            .nt = across * up / inertia,
                            .no = 0.0,
                            .tt = 1.0 / mass + up * up / inertia,
                            .to = 0.0,
                            .oo = 1.0 / mass + 0.25 * length * length / inertia},
                      .b = {.n = 1.0, .t = 0.2, .o = 0.1},
                      .mu = mu});
    }
    const auto dissipation = stoss::rigid::maximum_dissipation(contacts);
    const auto coulomb = stoss::rigid::coulomb(contacts);

    const auto sticking = [&](const stoss::rigid::Impulses& impulses) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < impulses.size(); ++i)
            count += std::hypot(impulses.t[i], impulses.o[i]) < mu * impulses.n[i] * (1.0 - 1e-9);
        return count;
    };
    std::printf("unsolved: %zu and %zu of %zu\n", dissipation.unsolved, coulomb.unsolved,
                contacts.size());
    std::printf("sticking: %zu and %zu\n", sticking(dissipation), sticking(coulomb));
    std::printf("impulse of contact 50000: %.6f %.6f %.6f N s\n", dissipation[50000].n,
                dissipation[50000].t, dissipation[50000].o);
}
