// What is refused because this machine cannot hold it.

#include <gtest/gtest.h>

#include <solvers/case/memory.hpp>

namespace {

using namespace stoss::solvers;

TEST(SphereMemory, IsThatOfTheSpheresAndOfTheirPictures) {
    const double memory = machine_memory();
    const auto is_refused = [](double spheres, double frames, double bytes) {
        return !check_sphere_memory("lattice.count", "", spheres, frames, bytes).empty();
    };
    for (const double bytes :
         {bytes_per_free_sphere, bytes_per_clump_sphere, bytes_per_compliant_sphere}) {
        EXPECT_FALSE(is_refused(0.99 * memory / bytes, 0.0, bytes));
        EXPECT_TRUE(is_refused(1.01 * memory / bytes, 0.0, bytes));
    }
    // 2,000 spheres in 1,000 pictures took 0.95 GB beyond what they took without.
    EXPECT_NEAR(1000.0 * bytes_per_pictured_sphere, 948e6 / 2000.0, 5e3);
    const double pictured = memory / (bytes_per_free_sphere + 1000.0 * bytes_per_pictured_sphere);
    EXPECT_FALSE(is_refused(0.99 * pictured, 1000.0, bytes_per_free_sphere));
    EXPECT_TRUE(is_refused(1.01 * pictured, 1000.0, bytes_per_free_sphere));
}

}  // namespace
