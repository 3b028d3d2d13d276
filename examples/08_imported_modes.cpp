// 8. Modes from another program.
//
// A collision sees a body as its modes at the contact point, q_j'' + d_j q_j' + omega_j^2 q_j =
// phi_j P, whoever computed them: frequencies, dampings and the mass-normalised mode values phi_j
// [1/sqrt(kg)] are all it needs. Here they are those of a free steel rod, 0.2 m long and 20 mm
// thick, struck at its end by a ball of 33 g. The closed forms of a free bar replace the table of
// another program:
//     omega_k = k pi/l sqrt(E/rho),  phi_0 = 1/sqrt(m),  phi_k = sqrt(2/m).
//
// To expect: most of the energy that is lost stays in the first modes; e settles as modes are
// added.
#include <cmath>
#include <cstdio>
#include <numbers>

#include <stoss/stoss.hpp>

int main() {
    const auto steel = stoss::steel();
    const double length = 0.2, radius = 0.01;
    const double mass = steel.density * std::numbers::pi * radius * radius * length;
    const double wave_speed = std::sqrt(steel.youngs_modulus / steel.density);
    const stoss::ContactSetup contact{stoss::contact::Hertz{{}, 1.5e10}};  // k [N/m^1.5]

    for (const int modes : {5, 20, 80}) {
        stoss::ModalBody rod{
            .eigenvalues = {0.0}, .damping = {0.0}, .phi = {1.0 / std::sqrt(mass)}, .rigid = 1};
        for (int k = 1; k <= modes; ++k) {
            const double omega = k * std::numbers::pi / length * wave_speed;
            rod.eigenvalues.push_back(omega * omega);
            rod.damping.push_back(0.0);
            rod.phi.push_back(std::sqrt(2.0 / mass));
        }
        // The ball comes along the positive axis of the rod's end: it closes at 1 m/s.
        const stoss::Collision collision =
            stoss::collide(stoss::moving(rod, 0.0), stoss::moving_mass(0.033, 1.0), contact);
        std::printf("%2d modes: e = %.5f, %.5f of the energy vibrates\n", modes,
                    collision.cor_kinematic, collision.energy.vibration);
    }
}
