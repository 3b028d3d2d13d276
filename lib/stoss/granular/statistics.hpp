#pragma once
/// What an assembly of spheres looks like from afar.

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

#include <stoss/granular/bodies.hpp>
#include <stoss/granular/spheres.hpp>
#include <stoss/granular/walls.hpp>

namespace stoss::granular {

/// A box of space [m].
struct Region {
    Eigen::Vector3d low, high;
};

/// A radial distribution function in equal bins.
struct RadialDistribution {
    std::vector<double> g;        ///< NaN: unknown
    std::vector<double> spheres;  ///< number of those about which each bin counts
};

/// Radial distribution function g(r) of the N centres inside a region, in `bins` equal bins of [0,
/// range) [m]: the density of centres about a sphere over that of the region, N/V. A bin counts
/// about those spheres alone whose distance to the border of the region is at least r (minus
/// sampling; Ripley 1981), so that however small the region, g is about 1 - 1/N for points at
/// random: about each there are N - 1 others. A bin about which there is no such sphere is NaN.
RadialDistribution radial_distribution(const Spheres& spheres, const Region& region, double range,
                                       std::size_t bins);

/// What heights are measured along: an axis of space, from a plane across it.
struct Upwards {
    int axis = 2;        ///< 0, 1, 2: x, y, z
    double floor = 0.0;  ///< the plane [m]
    double sense = 1.0;  ///< -1: heights grow against the axis

    double height(const Eigen::Vector3d& x) const { return sense * (x[axis] - floor); }  ///< [m]
};

/// Volume of the spheres between two heights [m], as a fraction of `area` [m^2] times their
/// distance. Spheres are cut at these heights exactly.
double solid_fraction(const Spheres& spheres, double area, double low, double high,
                      const Upwards& up = {});

/// Height [m] of the centre of mass of free spheres, and of clumps.
double mean_height(const Spheres& spheres, const Upwards& up = {});
double mean_height(const Bodies& bodies, const Upwards& up = {});

/// Largest overlaps of two spheres that are not of one clump, or of a sphere and a wall.
struct DeepestOverlap {
    double depth = 0.0;  ///< [m]; 0 if none overlap
    double share = 0.0;  ///< over the smaller radius, which may be that of another pair
};
/// It lists all pairs anew, which costs about as much as a few steps.
DeepestOverlap deepest_overlap(Spheres spheres, std::span<const Wall> walls);

/// Height [m] of the highest point of all spheres. Precondition: there are spheres.
double highest_point(const Spheres& spheres, const Upwards& up = {});

}  // namespace stoss::granular
