// Eigen's products and factorisations: the same bits on every processor.

#include <stoss/modal/detail/block_sizes.hpp>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <bit>
#include <cstdint>
#include <map>
#include <string>

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Digests = std::map<std::string, std::uint64_t>;

/// n x n numbers in [-0.5, 0.5), the same on every machine.
MatrixXd numbers(Eigen::Index n) {
    MatrixXd matrix(n, n);
    auto state = static_cast<std::uint64_t>(n);
    for (double& entry : matrix.reshaped()) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        entry = static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
    }
    return matrix;
}

/// The FNV-1a digest of the bits, word by word, column by column.
std::uint64_t digest(const MatrixXd& matrix) {
    std::uint64_t value = 14695981039346656037u;
    for (const double entry : matrix.reshaped()) {
        value = (value ^ std::bit_cast<std::uint64_t>(entry)) * 1099511628211u;
    }
    return value;
}

/// Results of the algorithms that the modes of a body are computed with, n x n.
Digests digests_of(Eigen::Index n) {
    const MatrixXd a = numbers(n);
    const VectorXd x = a.col(0);
    const MatrixXd dominant = a + static_cast<double>(n) * MatrixXd::Identity(n, n);
    const MatrixXd symmetric = dominant + dominant.transpose();
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(symmetric);
    return {{"product", digest(a * a)},
            {"product with a transpose", digest(a.transpose() * a)},
            {"product with a vector", digest(a * x)},
            {"triangular product", digest(a.triangularView<Eigen::Lower>() * a)},
            {"triangular solution", digest(dominant.triangularView<Eigen::Lower>().solve(a))},
            {"Cholesky factor", digest(symmetric.llt().matrixL())},
            {"solution by LDLT", digest(symmetric.ldlt().solve(x))},
            {"solution by LU", digest(dominant.partialPivLu().solve(x))},
            {"eigenvalues", digest(eigen.eigenvalues())},
            {"eigenvectors", digest(eigen.eigenvectors())}};
}

// Recorded on x86-64 without fused multiply-add (docs/platforms.md).
TEST(EigenBits, OfProductsAndFactorsAreThoseOfX86) {
    EXPECT_EQ(digests_of(25), (Digests{{"Cholesky factor", 0xd6f0b45fbb8c17bdu},
                                       {"eigenvalues", 0x94dc0e8c784e70beu},
                                       {"eigenvectors", 0x91ef91531a14159bu},
                                       {"product", 0x89f2cfc2c1d09620u},
                                       {"product with a transpose", 0x13aa7a9cd35ffb33u},
                                       {"product with a vector", 0x7112d53cbc16e2a6u},
                                       {"solution by LDLT", 0x59fb216812efb414u},
                                       {"solution by LU", 0xd7923653c996138cu},
                                       {"triangular product", 0xe8203a5cb7410ab3u},
                                       {"triangular solution", 0xe697745379b3e27bu}}));
    EXPECT_EQ(digests_of(60), (Digests{{"Cholesky factor", 0xaaa1f72abf7e531du},
                                       {"eigenvalues", 0x22169dce632d9966u},
                                       {"eigenvectors", 0xd29a135ea77caa79u},
                                       {"product", 0x302ee7dc4f3cd89au},
                                       {"product with a transpose", 0x535ef31fb27e6e1cu},
                                       {"product with a vector", 0x5446e3a53114ab11u},
                                       {"solution by LDLT", 0xa3a9a94f237a0b30u},
                                       {"solution by LU", 0x87176fb901dfce62u},
                                       {"triangular product", 0xdcd1e783e4d7362eu},
                                       {"triangular solution", 0xb62ba57f9c5f8971u}}));
}

// A sum of 420 terms is not cut on x86-64. With blocks of six rows it is.
TEST(EigenBits, OfALongSumAreThoseOfX86) {
    const MatrixXd a = numbers(420);
    EXPECT_EQ(digest(a.leftCols(8).transpose() * a), 0xdc10e5d452a14e59u);
    EXPECT_EQ(digest(a.topRows(8) * a), 0xc5a290eab7b30932u);
}

}  // namespace
