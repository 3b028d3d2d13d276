#include <stoss/core/elementary.hpp>
#include <stoss/impact/bead_approximation.hpp>

#include <algorithm>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <stdexcept>
#include <vector>

namespace stoss::impact {

namespace {

using boost::math::beta;

/// theta in (0, 1] of (b-47): u_M^(alpha+1)/(alpha+1) = 1/(2 theta). Solved for its logarithm, for
/// it falls like g^-(1+1/alpha).
double theta_of(double g, double alpha) {
    if (g == 0.0) return 1.0;
    const double power = 1.0 / (alpha + 1.0);
    const auto excess = [&](double logarithm) {
        const double theta = core::exp(logarithm);
        return core::pow(2.0 * theta * power, power) * -core::expm1(logarithm) / (2.0 * theta) - g;
    };
    double low = -1.0;
    while (excess(low) < 0.0) low *= 2.0;
    std::uintmax_t iterations = 200;
    const auto bracket = boost::math::tools::toms748_solve(
        excess, low, 0.0, boost::math::tools::eps_tolerance<double>(52), iterations);
    return core::exp(0.5 * (bracket.first + bracket.second));
}

/// I_0 and Q_0 from J and M (b-49), (b-50).
BeadIntegrals scaled(double theta, double alpha, double beta_exponent, double j, double m) {
    const double scale = core::pow((alpha + 1.0) / (2.0 * theta), beta_exponent / (alpha + 1.0));
    return {2.0 / std::sqrt(theta) * scale * j, std::sqrt(theta) * scale * m};
}

/// M_{alpha,beta}(theta) by Proposition 3.
class ChebyshevBeta {
  public:
    ChebyshevBeta(double alpha, double theta, int n) : alpha_(alpha), theta_(theta), n_(n) {
        for (int j = 0; j < n; j += 2) coefficients_.push_back(coefficient(j));
    }

    /// (b-53), (b-54).
    double m(double beta_exponent) const {
        std::vector<double> before(static_cast<std::size_t>(n_)), now, next;
        const double power = alpha_ + theta_;
        for (std::size_t k = 0; k < before.size(); ++k) {
            const double place = beta_exponent + static_cast<double>(k) - 0.5 + 0.5 * theta_;
            before[k] = beta(place / power, 0.5) / power;
        }
        for (std::size_t k = 0; k + 1 < before.size(); ++k)
            now.push_back(before[k + 1] - before[k]);
        double sum = 0.5 * coefficients_[0] * before[0];
        for (std::size_t j = 2; j < static_cast<std::size_t>(n_); ++j) {
            next.clear();
            for (std::size_t k = 0; k + 1 < now.size(); ++k)
                next.push_back(2.0 * (now[k + 1] - now[k]) - before[k]);
            before.swap(now);
            now.swap(next);
            if (j % 2 == 0) sum += coefficients_[j / 2] * now[0];
        }
        return sum;
    }

  private:
    /// (b-55).
    double coefficient(int j) const {
        double sum = 0.0;
        for (int k = (n_ + 1) / 2; k <= n_; ++k) {
            const double angle = std::numbers::pi * (2 * k + 1) / (2 * n_ + 2);
            sum += h(core::cos(angle) + 1.0) * core::cos(j * angle);
        }
        return 4.0 / (n_ + 1) * sum;
    }
    /// (b-56).
    double h(double x) const {
        const double top = core::pow(x, alpha_ + 1.0);
        return std::sqrt((core::pow(x, 1.0 - theta_) - top) / (theta_ + (1.0 - theta_) * x - top));
    }

    double alpha_, theta_;
    int n_;
    std::vector<double> coefficients_;  // c_0, c_2, ...
};

}  // namespace

BeadTaylor bead_taylor(double a, double b) {
    const double half = 0.5 * (a + 1.0), power = 1.0 / (a + 1.0);
    const double complete = beta(b * power, 0.5);
    return {b * core::pow(half, (b - a - 1.0) * power) * beta(b * power, 1.5),
            b * core::pow(half, (b - a) * power) * beta((b + 1.0) * power, 0.5),
            -b * b * b * core::pow(a + 1.0, 2.0 * b * power - 1.0) /
                (core::pow(2.0, 2.0 * b * power - 2.0) * core::pow(a + 2.0 * b + 1.0, 2)) *
                complete * complete};
}

double taylor_cor(double gamma, double g, double alpha, double beta) {
    const auto [c0, c1, c2] = bead_taylor(alpha, beta);
    return std::max(1.0 - gamma * (c0 + g * c1 + gamma * c2), 0.0);
}

BeadIntegrals bead_integrals(double g, double alpha, double beta) {
    const double theta = theta_of(g, alpha);
    // x = u/u_M = 1 - t^2 takes the root out of (b-51): the bracket is t^2 times what is below.
    // `rest` is 1 - t where that is small, else negative or large.
    const auto integrand = [&](double power) {
        return [=](double t, double rest) {
            const bool is_near_end = rest > 0.0 && rest < 0.5;
            const double x = is_near_end ? rest * (2.0 - rest) : 1.0 - t * t;
            const double square = t * t;
            const double bracket =
                is_near_end ? theta + (1.0 - theta) * x - core::pow(x, alpha + 1.0)
                : t < 1e-8
                    ? (alpha + theta) * square
                    : -core::expm1((alpha + 1.0) * core::log1p(-square)) - (1.0 - theta) * square;
            if (!(bracket > 0.0)) return 0.0;
            return 2.0 * t * core::pow(x, beta - 1.0) * core::pow(bracket, power);
        };
    };
    static thread_local boost::math::quadrature::tanh_sinh<double> quadrature(12);
    const double j = quadrature.integrate(integrand(0.5), 0.0, 1.0, 1e-12);
    const double m = quadrature.integrate(integrand(-0.5), 0.0, 1.0, 1e-12);
    return scaled(theta, alpha, beta, j, m);
}

BeadIntegrals bead_integrals_by_beta_functions(double g, double alpha, double beta, int n) {
    if (n < 1 || n % 2 == 0) throw std::invalid_argument("the degree n must be odd and positive");
    const double theta = theta_of(g, alpha);
    const ChebyshevBeta approximation(alpha, theta, n);
    // (b-52)
    const double j = ((alpha + 1.0) * approximation.m(alpha + beta + 1.0) -
                      (1.0 - theta) * approximation.m(beta + 1.0)) /
                     (2.0 * beta);
    return scaled(theta, alpha, beta, j, approximation.m(beta));
}

double first_order_cor(double gamma, double beta, const BeadIntegrals& integrals) {
    return std::sqrt(std::max(1.0 - 2.0 * beta * integrals.i0 * gamma, 0.0));
}

double second_order_cor(double gamma, double beta, const BeadIntegrals& integrals) {
    const double first = beta * integrals.i0 * gamma, turn = beta * integrals.q0 * gamma;
    const double square = std::max(1.0 - 2.0 * first * (1.0 - turn), 0.0);
    const double expanded = std::max(1.0 - first * (1.0 - turn + 0.5 * first), 0.0);
    return std::min(std::sqrt(square), expanded);
}

LargeLoad large_load(double a, double b) {
    const double p = (2.0 * b + 1.0 + a) / (2.0 * a);
    const double c = 2.0 * std::numbers::sqrt2 * b / a * core::pow(a + 1.0, (b + 0.5) / a) *
                     beta((b + 0.5) / a, 1.5);
    return {c, p};
}

double large_load_cor(double gamma, double g, double alpha, double beta) {
    const auto [c, p] = large_load(alpha, beta);
    return std::sqrt(std::max(1.0 - 2.0 * gamma * c * core::pow(g, p), 0.0));
}

double large_load_critical_load(double gamma, double alpha, double beta) {
    const auto [c, p] = large_load(alpha, beta);
    return core::pow(2.0 * gamma * c, -1.0 / p);
}

double large_load_critical_damping(double g, double alpha, double beta) {
    const auto [c, p] = large_load(alpha, beta);
    return 1.0 / (2.0 * c * core::pow(g, p));
}

}  // namespace stoss::impact
