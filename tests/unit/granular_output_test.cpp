// What runs of many spheres write: the peak of g(r).

#include <gtest/gtest.h>

#include <cmath>

#include <solvers/problems/granular/sphere_output.hpp>

namespace {

using namespace stoss;

TEST(PeakOfRdf, IsOfBinsAboutTenSpheresAtLeast) {
    granular::RadialDistribution rdf{std::vector<double>(solvers::rdf_bins, 1.0),
                                     std::vector<double>(solvers::rdf_bins, 10.0)};
    rdf.g[20] = 3.0;  // from 1 to 1.05 diameters
    rdf.g[70] = 50.0;
    rdf.spheres[70] = 9.0;
    EXPECT_NEAR(solvers::peak_of(rdf), 1.025, 1e-12);
    rdf.spheres[70] = 10.0;
    EXPECT_NEAR(solvers::peak_of(rdf), 3.525, 1e-12);
}

TEST(PeakOfRdf, IsUnknownAboutFewSpheres) {
    const granular::RadialDistribution rdf{std::vector<double>(solvers::rdf_bins, 1.0),
                                           std::vector<double>(solvers::rdf_bins, 9.0)};
    EXPECT_TRUE(std::isnan(solvers::peak_of(rdf)));
}

}  // namespace
