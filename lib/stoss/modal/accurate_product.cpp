#include <stoss/modal/accurate_product.hpp>

#include <cmath>

namespace stoss::modal {

Eigen::MatrixXd accurate_product(const Eigen::SparseMatrix<double>& a, const Eigen::MatrixXd& x) {
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(a.rows(), x.cols());
    Eigen::VectorXd lost(a.rows());
    for (Eigen::Index column = 0; column < x.cols(); ++column) {
        lost.setZero();
        for (Eigen::Index j = 0; j < a.outerSize(); ++j) {
            for (Eigen::SparseMatrix<double>::InnerIterator entry(a, j); entry; ++entry) {
                const double factor = x(j, column);
                const double term = entry.value() * factor;
                const double term_error = std::fma(entry.value(), factor, -term);
                const double old = sum(entry.row(), column);
                const double total = old + term;
                const double kept = total - old;
                const double sum_error = (old - (total - kept)) + (term - kept);
                sum(entry.row(), column) = total;
                lost[entry.row()] += term_error + sum_error;
            }
        }
        sum.col(column) += lost;
    }
    return sum;
}

}  // namespace stoss::modal
