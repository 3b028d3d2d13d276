// Distance and normal of walls.

#include <gtest/gtest.h>

#include <variant>
#include <vector>

#include <stoss/granular/walls.hpp>

namespace {

using namespace stoss::granular;
using Eigen::Vector3d;

void expect_near(const Wall& wall, const Vector3d& x, double distance, const Vector3d& normal) {
    const Nearness found = near(wall, x);
    EXPECT_NEAR(found.distance, distance, 1e-15) << x.transpose();
    EXPECT_LE((found.normal - normal).norm(), 1e-15) << found.normal.transpose();
}

TEST(Walls, PlaneCountsAlongItsNormal) {
    const Plane plane{{0, 0, 1}, Vector3d(0, 3, 4) / 5, {0, 0, 0}};
    expect_near(plane, {7, 0, 6}, 4.0, plane.normal);
    expect_near(plane, {7, 0, -4}, -4.0, plane.normal);
}

TEST(Walls, BlockHasFacesEdgesAndCorners) {
    const Block block{{0, 0, 0}, {1, 2, 3}};
    expect_near(block, {0.5, 1, 5}, 2.0, {0, 0, 1});
    expect_near(block, {4, 6, 1}, 5.0, Vector3d(3, 4, 0) / 5);
    expect_near(block, {-1, -2, -2}, 3.0, Vector3d(-1, -2, -2) / 3);
}

TEST(Walls, InsideABlockTheNearestFaceIsTheWayOut) {
    const Block block{{0, 0, 0}, {1, 2, 3}};
    expect_near(block, {0.25, 1, 1}, -0.25, {-1, 0, 0});
    expect_near(block, {0.5, 1.875, 1}, -0.125, {0, 1, 0});
    expect_near(block, {0.5, 1, 2.75}, -0.25, {0, 0, 1});
}

TEST(Walls, CylinderIsRoundAboutItsAxis) {
    const Cylinder cylinder{{1, 1, 0}, {0, 0, 1}, 2.0};
    expect_near(cylinder, {4, 5, 9}, 3.0, Vector3d(3, 4, 0) / 5);
    expect_near(cylinder, {1, 0, -3}, -1.0, {0, -1, 0});
    const Nearness on_axis = near(cylinder, {1, 1, 5});
    EXPECT_EQ(on_axis.distance, -2.0);
    EXPECT_NEAR(on_axis.normal.norm(), 1.0, 1e-15);
    EXPECT_NEAR(on_axis.normal.z(), 0.0, 1e-15);
}

TEST(Walls, OnlyPlanesMove) {
    EXPECT_EQ(velocity(Plane{{0, 0, 0}, {0, 0, 1}, {1, 2, 3}}), Vector3d(1, 2, 3));
    EXPECT_EQ(velocity(Block{}), Vector3d(0, 0, 0));
    EXPECT_EQ(velocity(Cylinder{}), Vector3d(0, 0, 0));
    std::vector<Wall> walls{Plane{{1, 0, 0}, {0, 0, 1}, {1, 2, 3}}, Cylinder{{1, 1, 0}}};
    move(walls, 2.0);
    EXPECT_EQ(std::get<Plane>(walls[0]).point, Vector3d(3, 4, 6));
    EXPECT_EQ(std::get<Cylinder>(walls[1]).point, Vector3d(1, 1, 0));
}

}  // namespace
