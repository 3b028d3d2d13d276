#pragma once
/// Free rigid spheres that come and go: what a channel needs of them, on one machine or on many.

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <stoss/granular/assembly.hpp>
#include <stoss/granular/statistics.hpp>

namespace stoss::solvers {

/// What a step did, and what the spheres are like after it.
struct StreamStep {
    granular::StepReport report;
    double energy_before = 0.0;  ///< of all spheres but those let out, before the step [J]
    double energy = 0.0;         ///< of all spheres [J]
    double fastest = 0.0;        ///< largest speed of a sphere [m/s]
    std::size_t most = 0;        ///< spheres of the process that has most
};

/// Spheres and walls in motion. A sphere whose centre passes the outlet, a plane across x, is let
/// out when the pairs are next listed.
class SphereStream {
  public:
    SphereStream() = default;
    virtual ~SphereStream() = default;
    SphereStream(const SphereStream&) = delete;
    SphereStream& operator=(const SphereStream&) = delete;

    /// Preconditions as at Assembly::add; inside the region.
    virtual void add(std::span<const granular::Sphere> spheres) = 0;
    /// Puts the point of a plane elsewhere, in no time. Precondition: wall `wall` is a plane.
    virtual void place(std::size_t wall, const Eigen::Vector3d& point) = 0;
    virtual StreamStep step() = 0;

    virtual double time() const = 0;  ///< [s]
    virtual std::size_t steps() const = 0;
    virtual std::size_t size() const = 0;  ///< number of spheres
    virtual const std::vector<granular::Wall>& walls() const = 0;
    virtual granular::Energy energy() = 0;
    /// All of them as they are now. Valid until the next call of any function.
    virtual const granular::Spheres& spheres() = 0;

    /// Words for what computes: a state is taken up by the same alone.
    virtual bool is_distributed() const = 0;
    /// All that the further motion depends on, and back.
    virtual std::vector<double> state() = 0;
    virtual void restore(std::span<const double> state) = 0;
};

/// On this machine, in one process. `outlet` [m]; `threads` 0: all cores.
std::unique_ptr<SphereStream> local_stream(const granular::Stepping& stepping,
                                           std::vector<granular::Wall> walls, double outlet,
                                           int threads);

}  // namespace stoss::solvers
