#include <stoss/core/elementary.hpp>
#include <stoss/granular/plane_profile.hpp>

#include <array>
#include <cmath>
#include <numbers>

namespace stoss::granular {

namespace {

constexpr std::size_t quantities = 7;  // spheres, volume, velocity (3), speed, angular speed

}  // namespace

PlaneProfile::PlaneProfile(const Region& region, std::size_t along, std::size_t across)
    : region_(region), along_(along), across_(across), sums_(1 + quantities * along * across) {}

void PlaneProfile::sample(const Spheres& spheres) {
    sums_[0] += 1.0;
    const Eigen::Vector3d size = region_.high - region_.low;
    const auto cells = Eigen::Vector2d(static_cast<double>(along_), static_cast<double>(across_));
    for (std::size_t s = 0; s < spheres.size(); ++s) {
        const Eigen::Vector3d x = spheres.position[s] - region_.low;
        const double i = std::floor(x.x() / size.x() * cells.x());
        const double k = std::floor(x.y() / size.y() * cells.y());
        if (!(i >= 0.0 && i < cells.x() && k >= 0.0 && k < cells.y())) continue;
        const Motion& motion = spheres.motion[s];
        const std::array<double, quantities> values{
            1.0,
            4.0 / 3.0 * std::numbers::pi * core::pow(motion.radius, 3),
            motion.v.x(),
            motion.v.y(),
            motion.v.z(),
            motion.v.norm(),
            motion.u.norm() / motion.radius};
        double* const sums =
            sums_.data() + 1 + quantities * static_cast<std::size_t>(i * cells.y() + k);
        for (std::size_t q = 0; q < quantities; ++q) sums[q] += values[q];
    }
}

/// Of the columns [first, last).
PlaneProfile::Means PlaneProfile::means(std::size_t first, std::size_t last) const {
    std::array<double, quantities> sums{};
    for (std::size_t column = first; column < last; ++column) {
        for (std::size_t q = 0; q < quantities; ++q) sums[q] += sums_[1 + quantities * column + q];
    }
    const double samples = sums_[0], count = sums[0];
    return {count / samples, sums[1] / samples, Eigen::Vector3d(sums[2], sums[3], sums[4]) / count,
            sums[5] / count, sums[6] / count};
}

PlaneProfile::Means PlaneProfile::column(std::size_t i, std::size_t k) const {
    return means(i * across_ + k, i * across_ + k + 1);
}

PlaneProfile::Means PlaneProfile::slice(std::size_t i) const {
    return means(i * across_, (i + 1) * across_);
}

}  // namespace stoss::granular
