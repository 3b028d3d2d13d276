#include <stoss/modal/modal_response.hpp>

#include <gtest/gtest.h>
#include <Eigen/Core>
#include <unsupported/Eigen/MatrixFunctions>

#include <array>
#include <cmath>

namespace {

namespace modal = stoss::modal;
using stoss::modal::polynomial_response;
using stoss::modal::PolynomialResponse;

/// The state (q/t^2, q'/t, 1, s, ..., s^6) with s the time in units of t obeys one linear equation.
PolynomialResponse by_matrix_exponential(double eigenvalue, double damping, double t) {
    using Matrix = Eigen::Matrix<long double, 9, 9>;
    PolynomialResponse response{};
    for (int m = 0; m < 7; ++m) {
        Matrix a = Matrix::Zero();
        a(0, 1) = 1.0L;
        a(1, 0) = -eigenvalue * t * t;
        a(1, 1) = -damping * t;
        a(1, 2 + m) = 1.0L;
        for (int k = 1; k < 7; ++k) a(2 + k, 1 + k) = static_cast<long double>(k);
        const Matrix e = a.exp();
        response.q[static_cast<std::size_t>(m)] = static_cast<double>(e(0, 2)) * t * t;
        response.v[static_cast<std::size_t>(m)] = static_cast<double>(e(1, 2)) * t;
    }
    return response;
}

TEST(PolynomialResponse, IsTheMatrixExponentialForEveryKindOfMode) {
    const std::array<std::array<double, 2>, 9> modes{{{0.0, 0.0},
                                                      {0.0, 7.0},
                                                      {400.0, 0.0},
                                                      {400.0, 3.0},
                                                      {400.0, 40.0},
                                                      {400.0, 40.0 + 1e-9},
                                                      {400.0, 90.0},
                                                      {4.0, 4e3},
                                                      {1e8, 0.0}}};
    for (const auto& [eigenvalue, damping] : modes) {
        for (const double t : {1e-6, 1e-3, 0.03, 0.4}) {
            const auto response = polynomial_response(eigenvalue, damping, t);
            const auto expected = by_matrix_exponential(eigenvalue, damping, t);
            const double tolerance = 5e-14 * std::max(1.0, (std::sqrt(eigenvalue) + damping) * t);
            for (std::size_t m = 0; m < PolynomialResponse::powers; ++m) {
                EXPECT_NEAR(response.q[m] / expected.q[0], expected.q[m] / expected.q[0], tolerance)
                    << eigenvalue << ' ' << damping << ' ' << t << ' ' << m;
                const double scale =
                    std::abs(expected.v[0]) + std::sqrt(eigenvalue) * expected.q[0];
                EXPECT_NEAR(response.v[m] / scale, expected.v[m] / scale, tolerance)
                    << eigenvalue << ' ' << damping << ' ' << t << ' ' << m;
            }
        }
    }
}

TEST(PolynomialResponse, OverTwiceTheTimeHasTheBitsOfAComputationFromTheStart) {
    for (const double eigenvalue : {0.0, 3.0, 1e4, 1e8}) {
        for (const double damping : {0.0, 0.1, 300.0}) {
            double t = 1.3e-7;
            modal::ModalStep step = modal::modal_step(eigenvalue, damping, t);
            for (int doublings = 0; doublings < 20; ++doublings) {
                t *= 2.0;
                step = modal::modal_step(eigenvalue, damping, t, step);
                const auto response = polynomial_response(eigenvalue, damping, t);
                EXPECT_EQ(step.response.q, response.q) << eigenvalue << ' ' << damping << ' ' << t;
                EXPECT_EQ(step.response.v, response.v) << eigenvalue << ' ' << damping << ' ' << t;
                EXPECT_EQ(step.flow.qv, modal::modal_flow(eigenvalue, damping, t).qv);
            }
        }
    }
}

TEST(PolynomialResponse, OfAFreeMassIsTheIntegralOfThePower) {
    const auto response = polynomial_response(0.0, 0.0, 2.0);
    for (std::size_t m = 0; m < PolynomialResponse::powers; ++m) {
        const double n = static_cast<double>(m) + 1.0;
        EXPECT_DOUBLE_EQ(response.q[m], 4.0 / (n * (n + 1.0)));
        EXPECT_DOUBLE_EQ(response.v[m], 2.0 / n);
    }
}

}  // namespace
