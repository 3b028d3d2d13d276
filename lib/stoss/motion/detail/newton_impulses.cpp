#include <stoss/motion/detail/newton_impulses.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stoss::motion {

namespace {

double mobility(const System& system, std::size_t c, std::size_t d) {
    const std::vector<double>&phi = system.contacts[c].phi, &other = system.contacts[d].phi;
    double sum = 0.0;
    for (std::size_t j = 0; j < phi.size(); ++j) sum += phi[j] * other[j];
    return sum;
}

}  // namespace

void newton_impulses(const System& system, std::span<const std::size_t> closed,
                     std::span<const double> rates, std::vector<double>& impulses) {
    impulses.assign(closed.size(), 0.0);
    double largest = 0.0;
    for (const double rate : rates) largest = std::max(largest, std::abs(rate));
    const double exact = 4.0 * std::numeric_limits<double>::epsilon() * largest;
    constexpr int most_sweeps = 10000;
    // Projected Gauss-Seidel: with one contact the first sweep is exact.
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
        double change = 0.0;
        for (std::size_t a = 0; a < closed.size(); ++a) {
            const double cor = std::get<NewtonImpact>(system.contacts[closed[a]].law).cor;
            double excess = rates[a] + cor * std::max(0.0, rates[a]);
            for (std::size_t b = 0; b < closed.size(); ++b)
                excess -= mobility(system, closed[a], closed[b]) * impulses[b];
            const double own = mobility(system, closed[a], closed[a]);
            const double impulse = std::max(0.0, impulses[a] + excess / own);
            change = std::max(change, own * std::abs(impulse - impulses[a]));
            impulses[a] = impulse;
        }
        if (change <= exact) return;
    }
}

}  // namespace stoss::motion
