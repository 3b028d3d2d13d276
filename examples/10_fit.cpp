// 10. A law from measured restitution: least squares.
//
// e was measured at eight speeds, each with a standard error of about 0.01. The viscoelastic law F
// = k (x^(3/2) + gamma_0 d/dt x^(3/2)) has one unknown that changes e, its damping factor gamma_0
// (k is known from the materials). Which gamma_0 leaves the least sum of squares, S = sum (e_i -
// e(v_i; gamma_0))^2? S is smooth in log gamma_0, so that Brent's method finds the minimum. The
// standard error follows from the slope of e: s / sqrt(sum (de/d gamma_0)^2).
//
// To expect: gamma_0 = 5e-6 s within its standard error; that is what the numbers below were made
// with, plus noise. Several unknowns at once, of a beam: the problem beam_fit of the command.
#include <cmath>
#include <cstdio>
#include <vector>

#include <boost/math/tools/minima.hpp>
#include <stoss/stoss.hpp>

int main() {
    const std::vector<double> speeds{0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0, 2.5};  // [m/s]
    const std::vector<double> measured{0.954, 0.934, 0.946, 0.924, 0.927, 0.906, 0.917, 0.897};
    const double mass = 0.01;

    const auto cor_of = [&](double gamma_0) {
        stoss::contact::KuwabaraKono law;
        law.stiffness = 1e8;
        law.damping_factor = gamma_0;
        std::vector<double> cor;
        for (const auto& each : stoss::restitution(law, mass, speeds)) cor.push_back(*each.cor);
        return cor;
    };
    const auto sum_of_squares = [&](double log_gamma_0) {
        const std::vector<double> cor = cor_of(std::exp(log_gamma_0));
        double sum = 0.0;
        for (std::size_t i = 0; i < cor.size(); ++i) sum += std::pow(measured[i] - cor[i], 2);
        return sum;
    };
    const auto [log_best, least] =
        boost::math::tools::brent_find_minima(sum_of_squares, std::log(1e-7), std::log(1e-4), 40);
    const double best = std::exp(log_best);

    const std::vector<double> above = cor_of(1.001 * best), below = cor_of(0.999 * best);
    double squares = 0.0;
    for (std::size_t i = 0; i < above.size(); ++i)
        squares += std::pow((above[i] - below[i]) / (0.002 * best), 2);
    const double scatter = std::sqrt(least / static_cast<double>(speeds.size() - 1));
    std::printf("gamma_0 = %.3f us, standard error %.3f us\n", 1e6 * best,
                1e6 * scatter / std::sqrt(squares));
    std::printf("scatter of e: %.4f\n", scatter);
}
