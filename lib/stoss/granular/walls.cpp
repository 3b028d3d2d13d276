#include <stoss/granular/walls.hpp>

#include <Eigen/Geometry>

namespace stoss::granular {

Nearness Plane::near(const Eigen::Vector3d& x) const {
    return {normal.dot(x - point), normal};
}

Nearness Block::near(const Eigen::Vector3d& x) const {
    const Eigen::Vector3d away = x - x.cwiseMax(low).cwiseMin(high);
    const double distance = away.norm();
    if (distance > 0.0) return {distance, away / distance};
    // Inside: out through the nearest face.
    Nearness nearest{-(high - low).maxCoeff(), Eigen::Vector3d::UnitX()};
    for (int k = 0; k < 3; ++k) {
        if (low[k] - x[k] > nearest.distance) nearest = {low[k] - x[k], -Eigen::Vector3d::Unit(k)};
        if (x[k] - high[k] > nearest.distance) nearest = {x[k] - high[k], Eigen::Vector3d::Unit(k)};
    }
    return nearest;
}

Nearness Cylinder::near(const Eigen::Vector3d& x) const {
    const Eigen::Vector3d away = (x - point) - axis.dot(x - point) * axis;
    const double distance = away.norm();
    if (distance > 0.0) return {distance - radius, away / distance};
    return {-radius, axis.unitOrthogonal()};  // on the axis every way out is as long
}

Nearness near(const Wall& wall, const Eigen::Vector3d& x) {
    return std::visit([&](const auto& shape) { return shape.near(x); }, wall);
}

Eigen::Vector3d velocity(const Wall& wall) {
    const auto* const plane = std::get_if<Plane>(&wall);
    return plane ? plane->velocity : Eigen::Vector3d::Zero();
}

void move(std::span<Wall> walls, double time) {
    for (Wall& wall : walls)
        if (auto* const plane = std::get_if<Plane>(&wall)) plane->point += time * plane->velocity;
}

}  // namespace stoss::granular
