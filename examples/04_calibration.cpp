// 4. From a measured restitution to the parameters of a law.
//
// A ball of 10 g was seen to rebound with e = 0.8 at 0.5 m/s, in contact for 0.1 ms. Which
// stiffness and which damping factor has the law of Hunt and Crossley, F = k x^(3/2) (1 + mu v),
// then? `calibrate` finds both, and says what the law shows with them. The restitution at other
// speeds follows from the same law.
//
// To expect: e of the calibrated law is the wanted one; e falls with the speed.
#include <cstdio>
#include <variant>
#include <vector>

#include <stoss/stoss.hpp>

int main() {
    const stoss::SingleImpact impact{
        .mass = 0.01, .speed = 0.5, .contact = {.law = stoss::contact::HuntCrossley{}}};
    const stoss::Calibration found = stoss::calibrate(impact, {.cor = 0.8, .contact_time = 1e-4});
    const auto& law = std::get<stoss::contact::HuntCrossley>(found.law);
    std::printf("k = %.5e N/m^1.5, mu = %.5f s/m\n", *law.stiffness, *law.damping_factor);
    std::printf("e = %.6f, contact time %.6f ms\n", *found.result.cor,
                1e3 * *found.result.duration);

    const std::vector<double> speeds{0.1, 0.5, 1.0, 2.0};
    const auto results = stoss::restitution(found.law, *impact.mass, speeds);
    for (std::size_t i = 0; i < speeds.size(); ++i)
        std::printf("v0 = %.1f m/s: e = %.6f\n", speeds[i], *results[i].cor);
}
