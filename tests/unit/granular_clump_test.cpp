// Mass, centre, principal axes of clumps of spheres; the pairs among them.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include <stoss/granular/clump.hpp>
#include <stoss/granular/pair_list.hpp>

namespace {

using namespace stoss::granular;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

/// Integral of a polynomial c_0 + c_1 z + ... from a to b.
double integral(std::initializer_list<double> c, double a, double b) {
    double sum = 0.0, power = 1.0;
    for (const double value : c)
        sum += value / power * (std::pow(b, power) - std::pow(a, power)), power += 1.0;
    return sum;
}

TEST(Clump, SpheresThatDoNotOverlapAreExact) {
    const MassProperties pair =
        mass_properties(std::vector<Member>{{{0, 0, 0}, 1.0}, {{3, 0, 0}, 2.0}});
    const double a = 4.0 / 3.0 * pi, b = 8.0 * a, reduced = a * b / (a + b);
    EXPECT_NEAR(pair.volume, a + b, 1e-13);
    EXPECT_LE((pair.centre - Vector3d(8.0 / 3.0, 0, 0)).norm(), 1e-14);
    const double own = 0.4 * (a + 4.0 * b);
    const Vector3d moments(own, own + 9.0 * reduced, own + 9.0 * reduced);
    EXPECT_LE((pair.inertia - Matrix3d(moments.asDiagonal())).norm(), 1e-12 * own);
}

TEST(Clump, SharedSpaceOfTwoSpheresCountsOnce) {
    constexpr double d = 1.0;  // of the centres, along (1, 2, 2)/3; radius 1
    const Vector3d axis = Vector3d(1, 2, 2) / 3.0;
    const MassProperties pair =
        mass_properties(std::vector<Member>{{0.5 * d * axis, 1.0}, {-0.5 * d * axis, 1.0}});
    // Each half: a sphere about d/2 cut at 0; z from its centre, from -d/2 to 1.
    const double volume = 2.0 * pi * integral({1.0, 0.0, -1.0}, -d / 2, 1.0);
    const double about_axis = pi * integral({1.0, 0.0, -2.0, 0.0, 1.0}, -d / 2, 1.0);
    // (z + d/2)^2 (1 - z^2)
    const double lengthwise =
        2.0 * pi * integral({d * d / 4, d, 1.0 - d * d / 4, -d, -1.0}, -d / 2, 1.0);
    EXPECT_NEAR(pair.volume, volume, 2e-6 * volume);
    EXPECT_LE(pair.centre.norm(), 1e-7);
    EXPECT_NEAR(axis.dot(pair.inertia * axis), about_axis, 2e-6 * about_axis);
    const Vector3d across = axis.unitOrthogonal();
    const double expected = 0.5 * about_axis + lengthwise;
    EXPECT_NEAR(across.dot(pair.inertia * across), expected, 2e-6 * expected);
}

TEST(Clump, SphereInsideAnotherAddsNothing) {
    const MassProperties both = mass_properties(
        std::vector<Member>{{{0, 0, 0}, 1.0}, {{0.2, 0.1, 0.3}, 0.5}, {{0, 0, 0}, 1.0}});
    const double volume = 4.0 / 3.0 * pi;
    EXPECT_NEAR(both.volume, volume, 1e-5 * volume);
    EXPECT_LE(both.centre.norm(), 1e-5);
    EXPECT_LE((both.inertia - 0.4 * volume * Matrix3d::Identity()).norm(), 1e-5 * volume);
}

TEST(Clump, PrincipalAxesRebuildTheTensor) {
    const Eigen::Quaterniond turned = Eigen::Quaterniond(0.3, 0.5, -0.2, 0.7).normalized();
    const Matrix3d R = turned.toRotationMatrix();
    const Matrix3d inertia = R * Vector3d(1.0, 2.0, 2.5).asDiagonal() * R.transpose();
    const PrincipalAxes found = principal_axes(inertia);
    const Matrix3d axes = found.axes.toRotationMatrix();
    EXPECT_LE((found.moments - Vector3d(1.0, 2.0, 2.5)).norm(), 1e-14);
    EXPECT_LE((axes * found.moments.asDiagonal() * axes.transpose() - inertia).norm(), 1e-14);
    const Vector3d diagonal(3.0, 1.0, 2.0);
    EXPECT_EQ(principal_axes(diagonal.asDiagonal()).moments, diagonal);  // stay in their order
}

TEST(Clump, BlocksOfOneColourShareNoClump) {
    stoss::core::Workers one_thread(1);
    for (const double extent : {1.5, 4.0, 12.0}) {
        std::mt19937 engine(5);
        std::uniform_real_distribution<double> place(0.0, 40.0), turn(-1.0, 1.0);
        Spheres spheres;
        spheres.extent = extent;
        for (std::uint32_t i = 0; i < 3000; ++i) {
            Vector3d x(place(engine), place(engine), place(engine));
            const Vector3d along = Vector3d(turn(engine), turn(engine), turn(engine)).normalized();
            for (const double where : {0.0, 0.3, 1.0}) {
                spheres.add(
                    {x + extent * where * along, Vector3d::Zero(), Vector3d::Zero(), 0.5, 1.0},
                    static_cast<std::uint32_t>(spheres.size()));
                spheres.attachment.push_back({i, Vector3d::Zero()});
            }
        }
        PairList list;
        list.rebuild(spheres, {}, 0.2, one_thread);
        std::size_t pairs = 0;
        for (std::size_t colour = 0; colour < PairList::colours; ++colour) {
            std::map<std::uint32_t, std::size_t> block_of;
            for (std::size_t b = list.colour_begin(colour); b < list.colour_begin(colour + 1);
                 ++b) {
                for (std::size_t p = list.begin(b); p < list.begin(b + 1); ++p, ++pairs) {
                    const Pair& pair = list.pairs()[p];
                    const std::uint32_t one = spheres.attachment[pair.first].body;
                    const std::uint32_t other = spheres.attachment[pair.second].body;
                    ASSERT_NE(one, other);
                    ASSERT_EQ(block_of.emplace(one, b).first->second, b);
                    ASSERT_EQ(block_of.emplace(other, b).first->second, b);
                }
            }
        }
        EXPECT_GT(pairs, 1000u);
    }
}

}  // namespace
