// Shapes of a case as clumps of the library.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <models/clumps.hpp>

namespace {

using namespace stoss;
using Eigen::Vector3d;

/// Two touching spheres along z, off the origin of the shape's frame.
std::vector<models::Shape> dumbbell() {
    models::Shape shape;
    shape.name = "dumbbell";
    shape.spheres = {{1e-3, {0.0, 0.0, 1e-3}}, {1e-3, {0.0, 0.0, 3e-3}}};
    return {shape};
}

TEST(ClumpModel, GrainsFillTheVolumeOfTheSpheresInTheirPlace) {
    const models::SolidShape solid = models::solid_of(dumbbell(), "dumbbell", 2500.0);
    EXPECT_NEAR(solid.bound(), 2e-3, 1e-15);
    EXPECT_NEAR(solid.equivalent_radius(), std::cbrt(2.0) * 1e-3, 1e-15);
    granular::Sphere bound;
    bound.radius = 1e-3;  // half the size
    bound.position = {1.0, 2.0, 3.0};
    const granular::Clump half = models::clumps_in({bound}, solid, 1)[0];
    EXPECT_NEAR(half.mass, solid.clump.mass / 8.0, 1e-15 * half.mass);
    EXPECT_LE((half.inertia - solid.clump.inertia / 32.0).norm(), 1e-15 * half.inertia.norm());
    EXPECT_NEAR(half.members[0].radius, 0.5e-3, 1e-18);
    EXPECT_NEAR((half.members[0].place - half.members[1].place).norm(), 1e-3, 1e-17);
    EXPECT_EQ(half.position, bound.position);
}

TEST(ClumpModel, OrientationsAreEvenlySpread) {
    const models::SolidShape solid = models::solid_of(dumbbell(), "dumbbell", 2500.0);
    granular::Sphere bound;
    bound.radius = 1e-3;
    const std::vector<granular::Sphere> bounds(2000, bound);
    Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
    for (const granular::Clump& clump : models::clumps_in(bounds, solid, 3)) {
        EXPECT_NEAR(clump.orientation.norm(), 1.0, 1e-14);
        const Vector3d axis = clump.orientation * Vector3d::UnitZ();
        spread += axis * axis.transpose() / 2000.0;
    }
    EXPECT_LE((spread - Eigen::Matrix3d::Identity() / 3.0).norm(), 0.03);
}

TEST(ClumpModel, GivenMassCentreAndInertiaReplaceThoseOfTheSpheres) {
    std::vector<models::Shape> shapes = dumbbell();
    shapes[0].mass = 1e-3;
    const models::SolidShape heavy = models::solid_of(shapes, "dumbbell", 2500.0);
    EXPECT_NEAR(heavy.clump.inertia.z(), 0.4 * 1e-3 * 1e-6, 1e-20);  // as solid as before
    shapes[0].inertia = models::Triple{3e-9, 2e-9, 1e-9};
    shapes[0].centre = models::Triple{0.0, 0.0, 0.0};
    const granular::Clump given = models::solid_of(shapes, "dumbbell", 2500.0).clump;
    EXPECT_EQ(given.inertia, Vector3d(3e-9, 2e-9, 1e-9));
    EXPECT_EQ(given.members[1].place, Vector3d(0.0, 0.0, 3e-3));
    EXPECT_EQ(given.mass, 1e-3);
}

TEST(ClumpModel, OrientationTurnsTheFrameOfTheShape) {
    models::GivenClump one;
    one.shape = "dumbbell";
    one.position = {0.0, 0.0, 0.0};
    one.orientation = {std::sqrt(0.5), 0.0, std::sqrt(0.5), 0.0};  // z to x
    const granular::Clump clump = models::clumps_of({one}, dumbbell(), 2500.0)[0];
    EXPECT_LE((clump.orientation * clump.members[1].place - Vector3d(1e-3, 0, 0)).norm(), 1e-17);
}

TEST(ClumpModel, PlacesThatNoSphereCouldReachAreRefused) {
    auto shapes = dumbbell();
    shapes[0].spheres[1].position[1] = 1e300;
    ASSERT_EQ(models::check(shapes).size(), 1u);
    EXPECT_EQ(models::check(shapes)[0].key, "shapes[0].spheres[1].position");
    shapes = dumbbell();
    shapes[0].inertia = models::Triple{1e-9, 1e-9, 1e-9};
    shapes[0].centre = models::Triple{0.0, 0.0, -1e9};
    ASSERT_EQ(models::check(shapes).size(), 1u);
    EXPECT_EQ(models::check(shapes)[0].key, "shapes[0].centre");
}

}  // namespace
