#pragma once
/// Energy and momenta of spheres and clumps.

#include <Eigen/Core>

#include <stoss/granular/bodies.hpp>
#include <stoss/granular/spheres.hpp>

namespace stoss::granular {

/// Energies of all bodies.
struct Energy {
    double translation = 0.0;  ///< [J]
    double rotation = 0.0;     ///< [J]
    double potential = 0.0;    ///< of gravity, 0 at the origin [J]

    double total() const { return translation + rotation + potential; }
};

/// Energies of all bodies under gravity [m/s^2]. `clumps` is empty if the spheres are free; else
/// the spheres are its members and do not count beside it. So below.
Energy energy_of(const Spheres& spheres, const Bodies& clumps, const Eigen::Vector3d& gravity);

/// [N s]
Eigen::Vector3d momentum_of(const Spheres& spheres, const Bodies& clumps);

/// About the origin [N m s].
Eigen::Vector3d angular_momentum_of(const Spheres& spheres, const Bodies& clumps);

}  // namespace stoss::granular
