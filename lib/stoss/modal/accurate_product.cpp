#include <stoss/modal/accurate_product.hpp>

#include <stoss/core/double_double.hpp>

namespace stoss::modal {

Eigen::MatrixXd accurate_product(const Eigen::SparseMatrix<double>& a, const Eigen::MatrixXd& x) {
    using core::DoubleDouble;
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(a.rows(), x.cols());
    Eigen::VectorXd lost(a.rows());
    for (Eigen::Index column = 0; column < x.cols(); ++column) {
        lost.setZero();
        for (Eigen::Index j = 0; j < a.outerSize(); ++j) {
            for (Eigen::SparseMatrix<double>::InnerIterator entry(a, j); entry; ++entry) {
                const auto term = DoubleDouble::exact_product(entry.value(), x(j, column));
                double& high = sum(entry.row(), column);
                const auto total = DoubleDouble::exact_sum(high, term.high);
                high = total.high;
                lost[entry.row()] += term.low + total.low;
            }
        }
        sum.col(column) += lost;
    }
    return sum;
}

}  // namespace stoss::modal
