#include <stoss/modal/envelope_factors.hpp>
#include <stoss/modal/refined_shapes.hpp>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>
#include <Eigen/SparseCore>

#include <cmath>
#include <numbers>
#include <vector>

namespace {

using namespace stoss;
using Eigen::Index;
using modal::EnvelopeFactors;
using Sparse = Eigen::SparseMatrix<double>;

constexpr double any_width = 1e9;

/// A chain of equal masses on equal springs between two walls; freedom i is the mass at place
/// (7 i) mod n. Its eigenvalues are 4 sin^2(j pi/(2 n + 2)).
Sparse shuffled_chain(int n) {
    std::vector<Eigen::Triplet<double>> entries;
    std::vector<int> freedom_at(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) freedom_at[static_cast<std::size_t>(7 * i % n)] = i;
    for (int place = 0; place < n; ++place) {
        const int here = freedom_at[static_cast<std::size_t>(place)];
        entries.emplace_back(here, here, 2.0);
        if (place + 1 == n) continue;
        const int next = freedom_at[static_cast<std::size_t>(place + 1)];
        entries.emplace_back(here, next, -1.0);
        entries.emplace_back(next, here, -1.0);
    }
    Sparse matrix(n, n);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
}

Sparse identity(int n) {
    Sparse one(n, n);
    one.setIdentity();
    return one;
}

double eigenvalue(int n, int j) {
    const double sine = std::sin(0.5 * j * std::numbers::pi / (n + 1));
    return 4.0 * sine * sine;
}

TEST(EnvelopeFactors, SolveInTheNumberingOfTheMatrix) {
    const Sparse stiffness = shuffled_chain(40), mass = 2.0 * identity(40);
    auto factors = EnvelopeFactors::of(stiffness, mass, any_width).value();
    const Eigen::VectorXd known = Eigen::VectorXd::LinSpaced(40, -1.0, 3.0);
    for (const double shift : {-1.0, 0.0, 0.7}) {
        factors.factorise(shift);
        const Eigen::VectorXd load = (stiffness - shift * mass) * known;
        EXPECT_LT((factors.solve(load) - known).cwiseAbs().maxCoeff(), 1e-13) << shift;
    }
}

TEST(EnvelopeFactors, NegativePivotsCountTheEigenvaluesBelowTheShift) {
    const int n = 40;
    auto factors = EnvelopeFactors::of(shuffled_chain(n), identity(n), any_width).value();
    for (int j = 1; j < n; ++j) {
        factors.factorise(0.5 * (eigenvalue(n, j) + eigenvalue(n, j + 1)));
        EXPECT_EQ(factors.negative_pivots(), j);
        EXPECT_FALSE(factors.is_positive_definite());
    }
    factors.factorise(0.5 * eigenvalue(n, 1));
    EXPECT_TRUE(factors.is_positive_definite());
}

TEST(EnvelopeFactors, AnyNumberingOfAChainHasANarrowEnvelope) {
    EXPECT_TRUE(EnvelopeFactors::of(shuffled_chain(40), identity(40), 2.0).has_value());
    EXPECT_FALSE(EnvelopeFactors::of(shuffled_chain(40), identity(40), 1.9).has_value());
}

TEST(EnvelopeFactors, AShiftAtAnEigenvalueCanBeSolved) {
    const int n = 3;  // eigenvalue 2, whose first pivot is exactly 0
    auto factors = EnvelopeFactors::of(shuffled_chain(n), identity(n), any_width).value();
    factors.factorise(2.0);
    EXPECT_TRUE(factors.solve(Eigen::Vector3d(1.0, 2.0, 3.0)).allFinite());
}

TEST(RefineShapes, ThreeDigitsBecomeAll) {
    const int n = 40;
    const Sparse stiffness = shuffled_chain(n), mass = identity(n);
    auto factors = EnvelopeFactors::of(stiffness, mass, any_width).value();
    Eigen::MatrixXd exact(n, 5), shapes;
    for (int j = 0; j < 5; ++j) {
        for (int i = 0; i < n; ++i) {
            const int place = 7 * i % n + 1;
            exact(i, j) =
                std::sqrt(2.0 / (n + 1)) * std::sin((j + 1) * place * std::numbers::pi / (n + 1));
        }
    }
    shapes = exact;
    for (Index i = 0; i < n; ++i) shapes.row(i).array() += 1e-3 * std::sin(3.0 * double(i));
    modal::refine_shapes(stiffness, mass, factors, shapes);
    EXPECT_LT((shapes - exact).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(RefineShapes, EqualEigenvaluesKeepIndependentShapes) {
    // Two equal chains beside each other, their shapes mixed.
    const int n = 20;
    const Sparse one = shuffled_chain(n), mass = identity(2 * n);
    std::vector<Eigen::Triplet<double>> entries;
    for (Index j = 0; j < n; ++j) {
        for (Sparse::InnerIterator at(one, j); at; ++at) {
            entries.emplace_back(int(at.row()), int(j), at.value());
            entries.emplace_back(n + int(at.row()), n + int(j), at.value());
        }
    }
    Sparse stiffness(2 * n, 2 * n);
    stiffness.setFromTriplets(entries.begin(), entries.end());
    auto factors = EnvelopeFactors::of(stiffness, mass, any_width).value();
    Eigen::MatrixXd shapes(2 * n, 2);
    for (int i = 0; i < n; ++i) {
        const double shape = std::sin((7 * i % n + 1) * std::numbers::pi / (n + 1));
        shapes.row(i) << 0.6 * shape, 0.8 * shape;
        shapes.row(n + i) << 0.8 * shape, -0.6 * shape;
    }
    shapes.array() += 1e-4;
    modal::refine_shapes(stiffness, mass, factors, shapes);
    const Eigen::MatrixXd residual = stiffness * shapes - eigenvalue(n, 1) * shapes;
    EXPECT_LT(residual.cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LT((shapes.transpose() * shapes - Eigen::Matrix2d::Identity()).norm(), 1e-14);
}

}  // namespace
