#include <stoss/modal/envelope_factors.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <stoss/core/cuthill_mckee.hpp>

namespace stoss::modal {

namespace {

using core::DoubleDouble;
using Sparse = Eigen::SparseMatrix<double>;
using Neighbours = std::vector<std::vector<std::size_t>>;

/// Freedoms that share an entry with each freedom.
Neighbours neighbours_of(const Sparse& stiffness, const Sparse& mass) {
    Neighbours neighbours(static_cast<std::size_t>(stiffness.rows()));
    for (const Sparse* matrix : {&stiffness, &mass}) {
        for (Eigen::Index j = 0; j < matrix->outerSize(); ++j) {
            for (Sparse::InnerIterator entry(*matrix, j); entry; ++entry) {
                if (entry.row() != j)
                    neighbours[static_cast<std::size_t>(j)].push_back(
                        static_cast<std::size_t>(entry.row()));
            }
        }
    }
    for (auto& each : neighbours) {
        std::sort(each.begin(), each.end());
        each.erase(std::unique(each.begin(), each.end()), each.end());
    }
    return neighbours;
}

}  // namespace

std::optional<EnvelopeFactors> EnvelopeFactors::of(const Sparse& stiffness, const Sparse& mass,
                                                   double most) {
    const Neighbours neighbours = neighbours_of(stiffness, mass);
    EnvelopeFactors factors;
    factors.freedom_ = core::cuthill_mckee(neighbours);
    std::reverse(factors.freedom_.begin(), factors.freedom_.end());
    const std::size_t n = factors.freedom_.size();
    std::vector<std::size_t> row_of(n);
    for (std::size_t row = 0; row < n; ++row) row_of[factors.freedom_[row]] = row;
    std::size_t entries = 0;
    for (std::size_t row = 0; row < n; ++row) {
        std::size_t first = row;
        for (const std::size_t freedom : neighbours[factors.freedom_[row]])
            first = std::min(first, row_of[freedom]);
        factors.first_.push_back(first);
        entries += row - first + 1;
        factors.diagonal_.push_back(entries - 1);
    }
    if (static_cast<double>(entries) > most * static_cast<double>(n)) return std::nullopt;
    factors.lower_.resize(entries);
    factors.pivot_.resize(n);
    factors.inverse_pivot_.resize(n);
    factors.scaled_.resize(n);
    factors.fill(stiffness, factors.stiffness_);
    factors.fill(mass, factors.mass_);
    return factors;
}

void EnvelopeFactors::fill(const Sparse& matrix, std::vector<double>& envelope) const {
    std::vector<std::size_t> row_of(freedom_.size());
    for (std::size_t row = 0; row < freedom_.size(); ++row) row_of[freedom_[row]] = row;
    envelope.assign(lower_.size(), 0.0);
    for (Eigen::Index j = 0; j < matrix.outerSize(); ++j) {
        const std::size_t column = row_of[static_cast<std::size_t>(j)];
        for (Sparse::InnerIterator entry(matrix, j); entry; ++entry) {
            const std::size_t row = row_of[static_cast<std::size_t>(entry.row())];
            if (column <= row) envelope[at(row, column)] = entry.value();
        }
    }
}

void EnvelopeFactors::factorise(double shift) {
    for (std::size_t row = 0; row < freedom_.size(); ++row) factorise_row(row, shift);
}

void EnvelopeFactors::factorise_row(std::size_t row, double shift) {
    const auto entry = [&](std::size_t column) {
        const std::size_t place = at(row, column);
        return DoubleDouble(stiffness_[place]) - DoubleDouble::exact_product(shift, mass_[place]);
    };
    const std::size_t first = first_[row];
    for (std::size_t column = first; column < row; ++column) {
        DoubleDouble sum = entry(column);
        for (std::size_t k = std::max(first, first_[column]); k < column; ++k)
            sum = sum - scaled_[k] * lower_[at(column, k)];
        scaled_[column] = sum;
    }
    DoubleDouble pivot = entry(row);
    for (std::size_t column = first; column < row; ++column) {
        const DoubleDouble factor = scaled_[column] * inverse_pivot_[column];
        lower_[at(row, column)] = factor;
        pivot = pivot - factor * scaled_[column];
    }
    if (pivot.high == 0.0) {
        constexpr double eps = std::numeric_limits<double>::epsilon();
        const std::size_t place = diagonal_[row];
        pivot = eps * eps * (std::abs(stiffness_[place]) + std::abs(shift * mass_[place]));
    }
    pivot_[row] = pivot;
    inverse_pivot_[row] = DoubleDouble(1.0) / pivot;
}

Eigen::Index EnvelopeFactors::negative_pivots() const {
    return std::count_if(pivot_.begin(), pivot_.end(), [](DoubleDouble d) { return d.high < 0.0; });
}

bool EnvelopeFactors::is_positive_definite() const {
    return std::all_of(pivot_.begin(), pivot_.end(),
                       [](DoubleDouble d) { return d.high > 0.0 && std::isfinite(d.high); });
}

Eigen::VectorXd EnvelopeFactors::solve(const Eigen::Ref<const Eigen::VectorXd>& load) const {
    const std::size_t n = freedom_.size();
    std::vector<DoubleDouble> x(n);
    for (std::size_t row = 0; row < n; ++row) {
        DoubleDouble sum = load[static_cast<Eigen::Index>(freedom_[row])];
        for (std::size_t k = first_[row]; k < row; ++k) sum = sum - lower_[at(row, k)] * x[k];
        x[row] = sum;
    }
    for (std::size_t row = 0; row < n; ++row) x[row] = x[row] * inverse_pivot_[row];
    Eigen::VectorXd result(load.size());
    for (std::size_t row = n; row-- > 0;) {
        for (std::size_t k = first_[row]; k < row; ++k) x[k] = x[k] - lower_[at(row, k)] * x[row];
        result[static_cast<Eigen::Index>(freedom_[row])] = x[row].high;
    }
    return result;
}

}  // namespace stoss::modal
