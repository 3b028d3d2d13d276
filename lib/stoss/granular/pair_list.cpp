#include <stoss/granular/pair_list.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

#include <stoss/core/state_numbers.hpp>
#include <stoss/granular/grow.hpp>

namespace stoss::granular {

namespace {

/// The cell itself and those of its 26 neighbours that come later.
constexpr std::array<std::array<int, 3>, 14> half_neighbourhood{{{0, 0, 0},
                                                                 {1, 0, 0},
                                                                 {-1, 1, 0},
                                                                 {0, 1, 0},
                                                                 {1, 1, 0},
                                                                 {-1, -1, 1},
                                                                 {0, -1, 1},
                                                                 {1, -1, 1},
                                                                 {-1, 0, 1},
                                                                 {0, 0, 1},
                                                                 {1, 0, 1},
                                                                 {-1, 1, 1},
                                                                 {0, 1, 1},
                                                                 {1, 1, 1}}};

}  // namespace

void PairList::rebuild(Spheres& spheres, std::span<const Wall> walls, double reach,
                       core::Workers& workers) {
    grid_.fit(spheres, reach);
    sort(spheres);
    lay_blocks();
    list_pairs(spheres, walls, reach, workers);
}

void PairList::forget(std::span<const std::uint32_t> places) {
    const auto is_gone = [&](std::uint32_t i) {
        return std::binary_search(places.begin(), places.end(), i);
    };
    const auto moved_up = [&](std::uint32_t i) {
        const auto before = std::lower_bound(places.begin(), places.end(), i) - places.begin();
        return i - static_cast<std::uint32_t>(before);
    };
    std::size_t kept = 0;
    for (Pair pair : pairs_) {
        const bool is_wall = (pair.second & wall_bit) != 0;
        if (is_gone(pair.first) || (!is_wall && is_gone(pair.second))) continue;
        pair.first = moved_up(pair.first);
        if (!is_wall) pair.second = moved_up(pair.second);
        pairs_[kept++] = pair;
    }
    pairs_.resize(kept);
    // One block of one colour until they are listed anew.
    block_begin_.assign({0, kept});
    colour_begin_.fill(1);
    colour_begin_[0] = 0;
}

/// Spheres of a cell are stored together, cells in the order of `CellGrid::index`, spheres of one
/// cell as they stood.
void PairList::sort(Spheres& spheres) {
    const std::size_t count = spheres.size();
    resize_with_spare(cell_of_, count);
    resize_with_spare(rank_, count);
    cell_begin_.assign(grid_.size() + 1, 0);
    for (std::size_t i = 0; i < count; ++i) {
        cell_of_[i] = grid_.index(grid_.cell_at(spheres.position[i]));
        ++cell_begin_[cell_of_[i] + 1];
    }
    for (std::size_t c = 1; c < cell_begin_.size(); ++c) cell_begin_[c] += cell_begin_[c - 1];
    for (std::size_t i = 0; i < count; ++i) rank_[i] = cell_begin_[cell_of_[i]]++;
    for (std::size_t c = cell_begin_.size() - 1; c > 0; --c) cell_begin_[c] = cell_begin_[c - 1];
    cell_begin_[0] = 0;
    keep_impulses();
    spheres.permute(rank_);
    spheres.reference = spheres.position;
}

/// The impulses of the old pairs under the new places of the spheres.
void PairList::keep_impulses() {
    const auto renamed = [&](Pair pair) {
        pair.first = rank_[pair.first];
        if (pair.second & wall_bit) return pair;
        pair.second = rank_[pair.second];
        if (pair.second > pair.first) return pair;
        return Pair{pair.second, pair.first, -pair.impulse};
    };
    kept_begin_.assign(rank_.size() + 1, 0);
    for (const Pair& pair : pairs_) {
        if (!pair.impulse.isZero(0.0)) ++kept_begin_[renamed(pair).first];
    }
    std::uint32_t sum = 0;
    for (std::uint32_t& begin : kept_begin_) {
        sum += begin;
        begin = sum;  // the end of this sphere, which counts down to its begin below
    }
    resize_with_spare(kept_, sum);
    for (const Pair& pair : pairs_) {
        if (pair.impulse.isZero(0.0)) continue;
        const Pair now = renamed(pair);
        kept_[--kept_begin_[now.first]] = {now.second, now.impulse};
    }
}

Eigen::Vector3d PairList::kept_impulse(std::uint32_t first, std::uint32_t second) const {
    for (std::uint32_t k = kept_begin_[first]; k < kept_begin_[first + 1]; ++k) {
        if (kept_[k].second == second) return kept_[k].impulse;
    }
    return Eigen::Vector3d::Zero();
}

/// Numbers the blocks of the grid colour by colour.
void PairList::lay_blocks() {
    const Cell& along = grid_.blocks();
    block_.clear();
    for (std::uint32_t colour = 0; colour < colours; ++colour) {
        colour_begin_[colour] = block_.size();
        for (std::uint32_t z = colour >> 2; z < along[2]; z += 2) {
            for (std::uint32_t y = (colour >> 1) & 1; y < along[1]; y += 2) {
                for (std::uint32_t x = colour & 1; x < along[0]; x += 2)
                    block_.push_back({x, y, z});
            }
        }
    }
    colour_begin_[colours] = block_.size();
}

/// Calls work(first, second) for every pair that belongs to a block, first < second. Its cells lie
/// in the block and one layer above it.
template <class Work>
void PairList::for_each_pair(const Cell& block, const Spheres& spheres, std::span<const Wall> walls,
                             double reach, const Work& work) const {
    const auto owns = [&](const Cell& one, const Cell& other) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (std::min(one[k], other[k]) / CellGrid::block_edge != block[k]) return false;
        }
        return true;
    };
    const auto close = [&](std::uint32_t i, std::uint32_t j) {
        const double range = spheres.motion[i].radius + spheres.motion[j].radius + reach;
        return (spheres.position[i] - spheres.position[j]).squaredNorm() < range * range &&
               !spheres.is_one_body(i, j);
    };
    const auto of_cells = [&](std::uint32_t a, std::uint32_t b) {
        for (std::uint32_t i = cell_begin_[a]; i < cell_begin_[a + 1]; ++i) {
            for (std::uint32_t j = a == b ? i + 1 : cell_begin_[b]; j < cell_begin_[b + 1]; ++j) {
                if (close(i, j)) work(std::min(i, j), std::max(i, j));
            }
        }
    };
    const auto of_walls = [&](std::uint32_t cell) {
        for (std::uint32_t i = cell_begin_[cell]; i < cell_begin_[cell + 1]; ++i) {
            for (std::uint32_t k = 0; k < walls.size(); ++k) {
                const double distance = near(walls[k], spheres.position[i]).distance;
                if (distance < spheres.motion[i].radius + reach) work(i, wall_bit | k);
            }
        }
    };
    Cell low, high;
    for (std::size_t k = 0; k < 3; ++k) {
        low[k] = block[k] * CellGrid::block_edge;
        high[k] = std::min(low[k] + CellGrid::block_edge, grid_.cells()[k] - 1);
    }
    Cell cell;
    for (cell[2] = low[2]; cell[2] <= high[2]; ++cell[2]) {
        for (cell[1] = low[1]; cell[1] <= high[1]; ++cell[1]) {
            for (cell[0] = low[0]; cell[0] <= high[0]; ++cell[0]) {
                const std::uint32_t at = grid_.index(cell);
                if (cell_begin_[at] == cell_begin_[at + 1]) continue;
                for (const auto& offset : half_neighbourhood) {
                    Cell other;
                    bool inside = true;
                    for (std::size_t k = 0; k < 3; ++k) {  // below zero wraps and is too large
                        other[k] = cell[k] + static_cast<std::uint32_t>(offset[k]);
                        inside = inside && other[k] < grid_.cells()[k];
                    }
                    if (inside && owns(cell, other)) of_cells(at, grid_.index(other));
                }
                if (owns(cell, cell)) of_walls(at);
            }
        }
    }
}

/// Counts the pairs of every block, then fills them in.
void PairList::list_pairs(const Spheres& spheres, std::span<const Wall> walls, double reach,
                          core::Workers& workers) {
    block_begin_.assign(block_.size() + 1, 0);
    const auto count = [&](std::size_t b) {
        std::size_t pairs = 0;
        for_each_pair(block_[b], spheres, walls, reach,
                      [&](std::uint32_t, std::uint32_t) { ++pairs; });
        block_begin_[b + 1] = pairs;
    };
    workers.for_each(block_.size(), std::cref(count));
    for (std::size_t b = 0; b < block_.size(); ++b) block_begin_[b + 1] += block_begin_[b];
    resize_with_spare(pairs_, block_begin_.back());
    const auto fill = [&](std::size_t b) {
        Pair* next = pairs_.data() + block_begin_[b];
        for_each_pair(block_[b], spheres, walls, reach,
                      [&](std::uint32_t first, std::uint32_t second) {
                          *next++ = {first, second, kept_impulse(first, second)};
                      });
    };
    workers.for_each(block_.size(), std::cref(fill));
}

void PairList::write(std::vector<double>& state) const {
    state.push_back(static_cast<double>(blocks()));
    for (const std::size_t begin : colour_begin_) state.push_back(static_cast<double>(begin));
    for (const std::size_t begin : block_begin_) state.push_back(static_cast<double>(begin));
    for (const Pair& pair : pairs_) {
        state.insert(state.end(),
                     {static_cast<double>(pair.first), static_cast<double>(pair.second),
                      pair.impulse.x(), pair.impulse.y(), pair.impulse.z()});
    }
}

void PairList::read(std::span<const double>& state) {
    block_begin_.resize(static_cast<std::size_t>(core::take(state)) + 1);
    for (std::size_t& begin : colour_begin_) begin = static_cast<std::size_t>(core::take(state));
    for (std::size_t& begin : block_begin_) begin = static_cast<std::size_t>(core::take(state));
    pairs_.resize(block_begin_.back());
    for (Pair& pair : pairs_) {
        pair.first = static_cast<std::uint32_t>(core::take(state));
        pair.second = static_cast<std::uint32_t>(core::take(state));
        core::take(state, pair.impulse);
    }
}

std::size_t PairList::bytes() const {
    return (cell_of_.capacity() + cell_begin_.capacity() + rank_.capacity() +
            kept_begin_.capacity()) *
               sizeof(std::uint32_t) +
           kept_.capacity() * sizeof(Kept) + pairs_.capacity() * sizeof(Pair) +
           block_.capacity() * sizeof(Cell) + block_begin_.capacity() * sizeof(std::size_t);
}

}  // namespace stoss::granular
