#include <stoss/modal/accurate_product.hpp>

#include <gtest/gtest.h>

namespace {

using stoss::modal::accurate_product;

TEST(AccurateProduct, KeepsWhatAPlainProductCancels) {
    // 1e16 + 1 - 1e16 and (1 + e)^2 - 1 - 2e = e^2.
    constexpr double e = 0x1p-40;
    Eigen::SparseMatrix<double> a(2, 3);
    a.insert(0, 0) = 1e16;
    a.insert(0, 1) = 1.0;
    a.insert(0, 2) = -1e16;
    a.insert(1, 0) = 1.0 + e;
    a.insert(1, 1) = -1.0;
    a.insert(1, 2) = -2.0 * e;
    const Eigen::MatrixXd x{{1.0, 1.0 + e}, {1.0, 1.0}, {1.0, 1.0}};
    const Eigen::MatrixXd product = accurate_product(a, x);
    EXPECT_EQ(product(0, 0), 1.0);
    EXPECT_EQ(product(1, 0), -e);
    EXPECT_EQ(product(1, 1), e * e);
}

TEST(AccurateProduct, IsTheProductWhereNothingCancels) {
    const Eigen::MatrixXd dense{{2.0, 0.0, 1.5}, {0.0, -3.0, 0.25}};
    const Eigen::MatrixXd x{{1.0}, {2.0}, {4.0}};
    EXPECT_EQ(accurate_product(dense.sparseView(), x), dense * x);
}

}  // namespace
