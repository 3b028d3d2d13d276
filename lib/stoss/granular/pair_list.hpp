#pragma once
/// Which spheres and walls may touch soon: the list of pairs, and its parts that threads may work
/// on at once.

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <stoss/core/parallel.hpp>
#include <stoss/granular/cell_grid.hpp>
#include <stoss/granular/spheres.hpp>
#include <stoss/granular/walls.hpp>

namespace stoss::granular {

/// A sphere and what it may touch.
struct Pair {
    std::uint32_t first;
    std::uint32_t second;     ///< sphere, or `wall_bit` and the number of a wall
    Eigen::Vector3d impulse;  ///< of the last step on the first body [N s]: the warm start
};

inline constexpr std::uint32_t wall_bit = 1u << 31;

/// All pairs that are less than `reach` apart and not of one clump, by a grid of cells.
///
/// Pairs are stored in blocks: a pair of spheres belongs to the block of 4 x 4 x 4 cells at the
/// lower corner of the two blocks that they are in. So a block touches spheres of itself and of its
/// seven upper neighbours alone, and blocks whose three numbers are equally odd or even touch
/// different spheres, and different clumps. These are the eight colours: blocks of one colour may
/// be worked on in any order, or at once, with the same result.
class PairList {
  public:
    static constexpr std::size_t colours = 8;

    /// Lists the pairs of spheres and walls anew. Sorts the spheres by blocks and cells, sets
    /// `reference` to their positions, and takes the impulses of pairs along. Allocates only to
    /// hold more than ever before.
    void rebuild(Spheres& spheres, std::span<const Wall> walls, double reach,
                 core::Workers& workers);

    /// The spheres at these places (ascending) are gone and the later ones have moved up: their
    /// pairs are dropped, the others renamed. The next thing must be `rebuild`.
    void forget(std::span<const std::uint32_t> places);

    std::span<Pair> pairs() { return pairs_; }
    std::span<const Pair> pairs() const { return pairs_; }

    /// The blocks [0, blocks()), those of one colour together.
    std::size_t blocks() const { return block_begin_.size() - 1; }
    std::size_t colour_begin(std::size_t colour) const { return colour_begin_[colour]; }
    /// Pairs of a block: [begin(block), begin(block + 1)).
    std::size_t begin(std::size_t block) const { return block_begin_[block]; }

    /// Calls work(block) for all blocks: colour after colour, the blocks of a colour at once.
    template <class Work>
    void by_colours(core::Workers& workers, const Work& work) const {
        for (std::size_t colour = 0; colour < colours; ++colour) {
            const std::size_t begin = colour_begin(colour);
            const auto of_block = [&](std::size_t i) { work(begin + i); };
            workers.for_each(colour_begin(colour + 1) - begin, std::cref(of_block));
        }
    }

    /// The list as numbers, and back.
    void write(std::vector<double>& state) const;
    void read(std::span<const double>& state);

    /// Bytes that the arrays hold.
    std::size_t bytes() const;

  private:
    using Cell = CellGrid::Cell;

    /// A pair whose impulse is carried over.
    struct Kept {
        std::uint32_t second;
        Eigen::Vector3d impulse;
    };

    void sort(Spheres& spheres);
    void keep_impulses();
    void lay_blocks();
    template <class Work>
    void for_each_pair(const Cell& block, const Spheres& spheres, std::span<const Wall> walls,
                       double reach, const Work& work) const;
    void list_pairs(const Spheres& spheres, std::span<const Wall> walls, double reach,
                    core::Workers& workers);
    Eigen::Vector3d kept_impulse(std::uint32_t first, std::uint32_t second) const;

    CellGrid grid_;
    std::vector<std::uint32_t> cell_of_;     // of each sphere, before sorting
    std::vector<std::uint32_t> cell_begin_;  // spheres of each cell, after sorting
    std::vector<std::uint32_t> rank_;        // new place of each sphere
    std::vector<std::uint32_t> kept_begin_;  // of each first sphere
    std::vector<Kept> kept_;
    std::vector<Cell> block_;  // where each block is in the grid
    std::vector<std::size_t> block_begin_ = {0};
    std::array<std::size_t, colours + 1> colour_begin_{};
    std::vector<Pair> pairs_;
};

}  // namespace stoss::granular
