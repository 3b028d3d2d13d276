#include <stoss/granular/cell_grid.hpp>

#include <algorithm>
#include <cmath>

namespace stoss::granular {

void CellGrid::fit(const Spheres& spheres, double reach) {
    Eigen::Vector3d low = Eigen::Vector3d::Zero(), high = low;
    if (spheres.size() > 0) low = high = spheres.position[0];
    double radius = 0.0;
    for (std::size_t i = 0; i < spheres.size(); ++i) {
        low = low.cwiseMin(spheres.position[i]);
        high = high.cwiseMax(spheres.position[i]);
        radius = std::max(radius, spheres.motion[i].radius);
    }
    origin_ = low;
    cell_size_ = std::max(2.0 * radius + reach, 0.34 * spheres.extent);
    if (!(cell_size_ > 0.0)) cell_size_ = 1.0;  // without spheres there may be no size
    const double most = 4.0 * static_cast<double>(spheres.size()) + 64.0;
    const auto along = [&](int k) { return std::floor((high[k] - low[k]) / cell_size_) + 1.0; };
    const auto in_whole_blocks = [&](int k) {
        return block_edge * std::ceil(along(k) / static_cast<double>(block_edge));
    };
    while (in_whole_blocks(0) * in_whole_blocks(1) * in_whole_blocks(2) > most) cell_size_ *= 1.25;
    for (int k = 0; k < 3; ++k) {
        const auto axis = static_cast<std::size_t>(k);
        cells_[axis] = static_cast<std::uint32_t>(along(k));
        blocks_[axis] = (cells_[axis] + block_edge - 1) / block_edge;
    }
}

CellGrid::Cell CellGrid::cell_at(const Eigen::Vector3d& point) const {
    Cell cell;
    for (std::size_t k = 0; k < 3; ++k) {
        const auto axis = static_cast<Eigen::Index>(k);
        const double place = (point[axis] - origin_[axis]) / cell_size_;
        cell[k] = std::min(static_cast<std::uint32_t>(place), cells_[k] - 1);
    }
    return cell;
}

}  // namespace stoss::granular
