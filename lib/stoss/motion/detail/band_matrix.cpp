#include <stoss/motion/detail/band_matrix.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace stoss::motion {

void BandMatrix::reset(std::size_t size, std::size_t half) {
    size_ = size;
    half_ = std::min(half, size > 0 ? size - 1 : 0);
    // A row holds columns i - half ... i + 2 half: pivots come from up to `half` rows below.
    stride_ = 3 * half_ + 1;
    entries_.assign(size_ * stride_, 0.0);
}

void BandMatrix::clear() {
    std::ranges::fill(entries_, 0.0);
}

double BandMatrix::product(std::size_t i, const std::vector<double>& vector) const {
    const double* const of_i = row(i);
    double sum = 0.0;
    for (std::size_t j = first(i); j < last(i); ++j) sum += of_i[j] * vector[j];
    return sum;
}

void BandMatrix::solve(std::vector<double>& right) {
    for (std::size_t k = 0; k < size_; ++k) {
        const std::size_t below = last(k), end = std::min(size_, k + 2 * half_ + 1);
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < below; ++i)
            if (std::abs(row(i)[k]) > std::abs(row(pivot)[k])) pivot = i;
        if (pivot != k) {
            std::swap_ranges(row(k) + k, row(k) + end, row(pivot) + k);
            std::swap(right[k], right[pivot]);
        }
        const double* const of_k = row(k);
        for (std::size_t i = k + 1; i < below; ++i) {
            double* const of_i = row(i);
            if (of_i[k] == 0.0) continue;
            const double factor = of_i[k] / of_k[k];
            for (std::size_t j = k + 1; j < end; ++j) of_i[j] -= factor * of_k[j];
            right[i] -= factor * right[k];
        }
    }
    for (std::size_t k = size_; k-- > 0;) {
        const std::size_t end = std::min(size_, k + 2 * half_ + 1);
        const double* const of_k = row(k);
        double sum = right[k];
        for (std::size_t j = k + 1; j < end; ++j) sum -= of_k[j] * right[j];
        right[k] = sum / of_k[k];
    }
}

}  // namespace stoss::motion
