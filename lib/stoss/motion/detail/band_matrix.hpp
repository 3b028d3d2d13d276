#pragma once
/// Systems of linear equations whose matrix has a band: the contacts of a long row.

#include <cstddef>
#include <vector>

namespace stoss::motion {

/// A square matrix with the entries (i, j), |i - j| <= half the band. Keeps its memory.
class BandMatrix {
  public:
    /// All entries become 0. `half`: largest |i - j|; may exceed the size.
    void reset(std::size_t size, std::size_t half);

    /// The same shape with zeros.
    void clear();

    std::size_t size() const { return size_; }
    /// The columns of row i: from first(i) to before last(i).
    std::size_t first(std::size_t i) const { return i > half_ ? i - half_ : 0; }
    std::size_t last(std::size_t i) const { return i + half_ < size_ ? i + half_ + 1 : size_; }
    /// Precondition: (i, j) is in the band.
    double& operator()(std::size_t i, std::size_t j) { return row(i)[j]; }
    double operator()(std::size_t i, std::size_t j) const { return row(i)[j]; }
    /// Row i; its entry of column j is [j].
    double* row(std::size_t i) { return entries_.data() + i * stride_ + half_ - i; }
    const double* row(std::size_t i) const { return entries_.data() + i * stride_ + half_ - i; }

    /// Row i times a vector.
    double product(std::size_t i, const std::vector<double>& vector) const;
    /// Solves for the right side, in place: Gaussian elimination with row pivots. The matrix is
    /// lost. Not finite: the matrix is singular.
    void solve(std::vector<double>& right);

  private:
    std::size_t size_ = 0, half_ = 0, stride_ = 0;
    std::vector<double> entries_;  // rows; pivots widen the band to the right
};

}  // namespace stoss::motion
