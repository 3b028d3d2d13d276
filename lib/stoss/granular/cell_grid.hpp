#pragma once
/// The grid of cells by which pairs of near spheres are found.

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>

#include <stoss/granular/spheres.hpp>

namespace stoss::granular {

/// Equal cubic cells around all spheres, in blocks of 4 x 4 x 4 cells.
class CellGrid {
  public:
    using Cell = std::array<std::uint32_t, 3>;
    static constexpr std::uint32_t block_edge = 4;  ///< [cells]

    /// Cells at least as wide as two touching spheres and the reach [m], but not many more than
    /// spheres. Between the cells of two blocks of one colour (see PairList) lie three others, and
    /// no clump may have spheres in both.
    void fit(const Spheres& spheres, double reach);

    const Cell& cells() const { return cells_; }    ///< along each axis
    const Cell& blocks() const { return blocks_; }  ///< along each axis

    /// Number of cells in all blocks; some of the last blocks may lie outside of `cells()`.
    std::size_t size() const {
        return std::size_t{blocks_[0]} * blocks_[1] * blocks_[2] * block_volume;
    }

    /// The cell of a point [m] that was inside when the grid was fitted.
    Cell cell_at(const Eigen::Vector3d& point) const;

    /// Number of a cell, below `size()`. Cells of a block have consecutive numbers.
    std::uint32_t index(const Cell& cell) const {
        const auto place = [](const Cell& at, const Cell& of) {
            return (at[2] * of[1] + at[1]) * of[0] + at[0];
        };
        const Cell block{cell[0] / block_edge, cell[1] / block_edge, cell[2] / block_edge};
        const Cell within{cell[0] % block_edge, cell[1] % block_edge, cell[2] % block_edge};
        return place(block, blocks_) * block_volume +
               place(within, {block_edge, block_edge, block_edge});
    }

  private:
    static constexpr std::uint32_t block_volume = block_edge * block_edge * block_edge;

    Eigen::Vector3d origin_ = Eigen::Vector3d::Zero();
    double cell_size_ = 0.0;  // [m]
    Cell cells_{}, blocks_{};
};

}  // namespace stoss::granular
