#pragma once
/// What spheres do on average in columns over a plane.

#include <cstddef>
#include <span>
#include <vector>

#include <stoss/granular/spheres.hpp>
#include <stoss/granular/statistics.hpp>

namespace stoss::granular {

/// Means over samples and spheres in `along` x `across` equal columns of a region, by their
/// centres; means are over all z.
class PlaneProfile {
  public:
    /// Means of a column, or of several.
    struct Means {
        double spheres = 0.0;        ///< at a time
        double volume = 0.0;         ///< of these spheres [m^3]
        Eigen::Vector3d velocity;    ///< [m/s]; NaN without spheres, as the next two
        double speed = 0.0;          ///< mean of |v| [m/s]
        double angular_speed = 0.0;  ///< mean of |omega| [rad/s]
    };

    PlaneProfile(const Region& region, std::size_t along, std::size_t across);

    /// Takes the spheres as they are now into the means. Does not allocate.
    void sample(const Spheres& spheres);

    std::size_t along() const { return along_; }
    std::size_t across() const { return across_; }

    /// Means of the column i along x, k along y.
    Means column(std::size_t i, std::size_t k) const;
    /// Means of all columns at i along x.
    Means slice(std::size_t i) const;

    /// Everything sampled so far as numbers, and back.
    std::span<const double> sums() const { return sums_; }
    std::span<double> sums() { return sums_; }

  private:
    Means means(std::size_t first, std::size_t last) const;

    Region region_;
    std::size_t along_, across_;
    std::vector<double> sums_;  // number of samples, then those of each column
};

}  // namespace stoss::granular
