#pragma once
/// Rigid spheres in a closed box for programs: fill it, let them settle, read where they are.
/// Input checked.

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <vector>

#include <models/granular.hpp>
#include <stoss/granular/assembly.hpp>

namespace stoss::models {

/// A closed box from the origin on, and how spheres move in it.
struct SphereBoxParameters {
    Eigen::Vector3d size = Eigen::Vector3d::Zero();  ///< inner edges [m], > 0
    core::Required density = {};                     ///< of the spheres [kg/m^3]
    SphereFriction contact = {};                     ///< coefficients of friction
    SphereStepping stepping = {};                    ///< time step and solver
    Eigen::Vector3d gravity{0.0, 0.0, -9.81};        ///< [m/s^2]
};

/// The box. Its motion is the same, bit by bit, on any number of threads, and the same as of the
/// problem `box_settle`. It may be moved, but not copied; threads may not share it while it
/// settles.
class SphereBox {
  public:
    /// `threads` 0: all cores. Errors: core::InputError with everything that is wrong.
    explicit SphereBox(const SphereBoxParameters& parameters, int threads = 0);

    /// Puts spheres on the places of a lattice, in random motion. Once a box.
    /// Errors: core::InputError if they do not fit, or if the box is filled already.
    void fill(const SphereLattice& lattice);

    /// Follows the motion for `duration` [s], rounded to the nearest whole number of steps. False:
    /// the motion has diverged; it stays where it is. Errors: core::InputError if the box is not
    /// filled, or if the step is longer than the duration.
    bool settle(double duration);

    std::size_t size() const;  ///< number of spheres
    double time() const;       ///< [s] since the box was filled

    /// One entry a sphere, in the order of the lattice.
    std::vector<Eigen::Vector3d> positions() const;   ///< of the centres [m]
    std::vector<Eigen::Vector3d> velocities() const;  ///< [m/s]
    std::vector<double> radii() const;                ///< [m]

    granular::Energy energy() const;  ///< of all spheres [J]
    /// Share of the volume between two heights [m] that spheres fill. Errors: core::InputError
    /// unless low < high.
    double solid_fraction(double low, double high) const;

  private:
    const granular::Assembly& assembly() const { return assembly_.value(); }

    SphereBoxParameters parameters_;
    int threads_;
    std::optional<granular::Assembly> assembly_;  // once the box is filled
    bool has_diverged_ = false;
};

}  // namespace stoss::models
