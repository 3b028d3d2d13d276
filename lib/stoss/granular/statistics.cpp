#include <stoss/core/elementary.hpp>
#include <stoss/granular/statistics.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include <stoss/core/parallel.hpp>
#include <stoss/granular/pair_list.hpp>

namespace stoss::granular {

namespace {

/// Volume [m^3] of a sphere below a plane at height `h` above its lowest point: a cap.
double cap(double radius, double h) {
    const double depth = std::clamp(h, 0.0, 2.0 * radius);
    return std::numbers::pi * depth * depth * (radius - depth / 3.0);
}

double distance_to_border(const Region& region, const Eigen::Vector3d& x) {
    return std::min((x - region.low).minCoeff(), (region.high - x).minCoeff());
}

template <class Masses>
double height_of_centre(const Masses& bodies, const Upwards& up) {
    double moment = 0.0, mass = 0.0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        moment += up.height(bodies.position[i]) / bodies.motion[i].inverse_mass;
        mass += 1.0 / bodies.motion[i].inverse_mass;
    }
    return moment / mass;
}

/// Centres inside a region in equal cells, those of a row of cells along x one after the other, so
/// that the pairs within a reach are found in a time that grows as their number.
class CentreGrid {
  public:
    /// `reach` [m].
    CentreGrid(const std::vector<Eigen::Vector3d>& centres, const Region& region, double reach);

    const std::vector<Eigen::Vector3d>& centres() const { return centres_; }

    /// Calls work(i, k) once for every pair of centres that are nearer than the reach, and for a
    /// few that are not.
    template <class Work>
    void for_each_pair(const Work& work) const;

  private:
    using Cell = std::array<std::ptrdiff_t, 3>;

    void fit(const Eigen::Vector3d& size, double reach, std::size_t centres);
    Cell cell_at(const Eigen::Vector3d& point) const;
    std::size_t index(const Cell& cell) const {
        return static_cast<std::size_t>((cell[2] * cells_[1] + cell[1]) * cells_[0] + cell[0]);
    }

    Eigen::Vector3d low_;
    double edge_ = 0.0;               // of a cell [m]
    std::ptrdiff_t around_ = 0;       // cells that the reach spans
    Cell cells_{};                    // along each axis
    std::vector<std::size_t> begin_;  // of the centres of a cell
    std::vector<Eigen::Vector3d> centres_;
};

CentreGrid::CentreGrid(const std::vector<Eigen::Vector3d>& centres, const Region& region,
                       double reach)
    : low_(region.low) {
    fit(region.high - region.low, reach, centres.size());
    std::vector<std::size_t> cell_of(centres.size());
    begin_.assign(index({0, 0, cells_[2]}) + 1, 0);
    for (std::size_t i = 0; i < centres.size(); ++i) {
        cell_of[i] = index(cell_at(centres[i]));
        ++begin_[cell_of[i] + 1];
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<std::size_t> next = begin_;
    centres_.resize(centres.size());
    for (std::size_t i = 0; i < centres.size(); ++i) centres_[next[cell_of[i]]++] = centres[i];
}

/// Cells of a third of the reach, and wider ones where they would be many more than the centres.
void CentreGrid::fit(const Eigen::Vector3d& size, double reach, std::size_t centres) {
    // A little more, so that roundoff never puts two centres within the reach a cell too far apart.
    edge_ = reach / 3.0 * (1.0 + 1e-9);
    const double most = 4.0 * static_cast<double>(centres) + 64.0;
    const auto along = [&](int k) { return std::max(1.0, std::floor(size[k] / edge_) + 1.0); };
    while (along(0) * along(1) * along(2) > most) edge_ *= 1.25;
    for (int k = 0; k < 3; ++k)
        cells_[static_cast<std::size_t>(k)] = static_cast<std::ptrdiff_t>(along(k));
    around_ = static_cast<std::ptrdiff_t>(std::ceil(reach / edge_));
}

CentreGrid::Cell CentreGrid::cell_at(const Eigen::Vector3d& point) const {
    Cell cell;
    for (std::size_t k = 0; k < 3; ++k) {
        const auto axis = static_cast<Eigen::Index>(k);
        const double place = (point[axis] - low_[axis]) / edge_;
        cell[k] = std::min(static_cast<std::ptrdiff_t>(place), cells_[k] - 1);
    }
    return cell;
}

template <class Work>
void CentreGrid::for_each_pair(const Work& work) const {
    for (std::size_t i = 0; i < centres_.size(); ++i) {
        const auto [x, y, z] = cell_at(centres_[i]);
        const std::ptrdiff_t first = std::max<std::ptrdiff_t>(0, x - around_);
        const std::ptrdiff_t last = std::min(cells_[0] - 1, x + around_);
        for (std::ptrdiff_t up = z; up <= std::min(cells_[2] - 1, z + around_); ++up) {
            // Rows of cells before the own one have counted their pairs with it themselves.
            const std::ptrdiff_t from = up == z ? y : std::max<std::ptrdiff_t>(0, y - around_);
            for (std::ptrdiff_t row = from; row <= std::min(cells_[1] - 1, y + around_); ++row) {
                const bool is_own = up == z && row == y;
                const std::size_t begin = is_own ? i + 1 : begin_[index({first, row, up})];
                const std::size_t end = begin_[index({last, row, up}) + 1];
                for (std::size_t k = begin; k < end; ++k) work(i, k);
            }
        }
    }
}

}  // namespace

RadialDistribution radial_distribution(const Spheres& spheres, const Region& region, double range,
                                       std::size_t bins) {
    std::vector<Eigen::Vector3d> inside;
    for (const Eigen::Vector3d& x : spheres.position) {
        if (distance_to_border(region, x) >= 0.0) inside.push_back(x);
    }
    const CentreGrid grid(inside, region, range);
    const std::vector<Eigen::Vector3d>& centres = grid.centres();
    const double width = range / static_cast<double>(bins);
    const auto bin_of = [&](double r) { return static_cast<std::size_t>(r / width); };
    std::vector<double> pairs(bins, 0.0), about(bins, 0.0);
    std::vector<std::size_t> whole;  // bins within the border
    for (const Eigen::Vector3d& x : centres) {
        whole.push_back(std::min(bins, bin_of(distance_to_border(region, x))));
        for (std::size_t k = 0; k < whole.back(); ++k) about[k] += 1.0;
    }
    grid.for_each_pair([&](std::size_t i, std::size_t k) {
        const std::size_t bin = bin_of((centres[k] - centres[i]).norm());
        if (bin < whole[i]) pairs[bin] += 1.0;
        if (bin < whole[k]) pairs[bin] += 1.0;
    });
    const double density = static_cast<double>(centres.size()) / (region.high - region.low).prod();
    std::vector<double> g(bins, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t k = 0; k < bins; ++k) {
        const double inner = width * static_cast<double>(k), outer = inner + width;
        const double shell =
            4.0 / 3.0 * std::numbers::pi * (core::pow(outer, 3) - core::pow(inner, 3));
        if (about[k] > 0.0) g[k] = pairs[k] / (about[k] * density * shell);
    }
    return {std::move(g), std::move(about)};
}

double solid_fraction(const Spheres& spheres, double area, double low, double high,
                      const Upwards& up) {
    double volume = 0.0;
    for (std::size_t i = 0; i < spheres.size(); ++i) {
        const double radius = spheres.motion[i].radius;
        const double bottom = up.height(spheres.position[i]) - radius;
        volume += cap(radius, high - bottom) - cap(radius, low - bottom);
    }
    return volume / (area * (high - low));
}

double mean_height(const Spheres& spheres, const Upwards& up) {
    return height_of_centre(spheres, up);
}

double mean_height(const Bodies& bodies, const Upwards& up) {
    return height_of_centre(bodies, up);
}

DeepestOverlap deepest_overlap(Spheres spheres, std::span<const Wall> walls) {
    PairList list;
    core::Workers one_thread(1);
    list.rebuild(spheres, walls, 0.0, one_thread);
    DeepestOverlap deepest;
    const auto add = [&](double overlap, double radius) {
        deepest.depth = std::max(deepest.depth, overlap);
        deepest.share = std::max(deepest.share, overlap / radius);
    };
    for (const Pair& pair : list.pairs()) {
        const Eigen::Vector3d& x = spheres.position[pair.first];
        const double r = spheres.motion[pair.first].radius;
        if (pair.second & wall_bit) {
            add(r - near(walls[pair.second & ~wall_bit], x).distance, r);
        } else {
            const double other = spheres.motion[pair.second].radius;
            add(r + other - (x - spheres.position[pair.second]).norm(), std::min(r, other));
        }
    }
    return deepest;
}

double highest_point(const Spheres& spheres, const Upwards& up) {
    double highest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < spheres.size(); ++i)
        highest = std::max(highest, up.height(spheres.position[i]) + spheres.motion[i].radius);
    return highest;
}

}  // namespace stoss::granular
