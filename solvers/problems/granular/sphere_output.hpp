#pragma once
/// What runs of many spheres write alike: their table, pictures for ParaView, the radial
/// distribution function.

#include <Eigen/Geometry>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <solvers/problems/granular/sphere_motion.hpp>
#include <stoss/granular/bodies.hpp>
#include <stoss/granular/spheres.hpp>
#include <stoss/granular/statistics.hpp>
#include <stoss/io/checkpoint.hpp>
#include <stoss/io/csv.hpp>

namespace stoss::solvers {

inline constexpr double rdf_range = 4.0;     ///< diameters
inline constexpr std::size_t rdf_bins = 80;  ///< of rdf.csv

/// Places of the spheres in the order of their numbers.
std::vector<std::size_t> by_number(const granular::Spheres& spheres);

/// spheres.csv: number, clump (unless all are free), radius, position, velocity and angular
/// velocity of each.
io::Table spheres_table(const granular::Spheres& spheres);

/// clumps.csv: number, mass, position, orientation, velocity and angular velocity of each.
/// `axes` of each turns its principal frame into that of its shape: the orientation is that of the
/// shape, as a case gives it.
io::Table clumps_table(const granular::Bodies& bodies, std::span<const Eigen::Quaterniond> axes);

/// contacts.csv: the two spheres of each contact, or the sphere and the name of the wall (the other
/// sphere is -1 then), where it is, its normal and its forces.
io::Table contacts_table(std::span<const ContactForce> contacts,
                         std::span<const std::string> wall_names);

/// Force on each wall along its normal, into the wall [N].
std::vector<double> wall_forces(std::span<const ContactForce> contacts, std::size_t walls);

/// The clump of each number of a sphere; empty if all are free.
std::vector<std::uint32_t> clump_of_number(const granular::Spheres& spheres);

/// rdf.csv of g in `rdf_bins` bins; `diameter` [m].
io::Table rdf_table(std::vector<double> g, double diameter);

/// Distance [diameters] at which g in `rdf_bins` bins is largest, of the bins that count about ten
/// spheres at least; NaN if there is none.
double peak_of(const granular::RadialDistribution& rdf);

/// All spheres at some moments of a run, kept in its checkpoint.
class SphereFrames {
  public:
    /// Time [s] and all spheres.
    void take(double time, const granular::Spheres& spheres, io::Checkpoint* checkpoint);
    std::size_t count() const { return frames_.size(); }
    /// Takes the first `count` frames from the checkpoint.
    void resume(std::size_t count, const io::Checkpoint& checkpoint);

    /// Appends vtk/spheres.pvd and a file a frame. `clump_of` has the clump of each number of a
    /// sphere; empty: all are free.
    void add_to(std::vector<std::pair<std::string, std::string>>& files,
                const std::vector<std::uint32_t>& clump_of = {}) const;

  private:
    std::vector<std::vector<double>> frames_;
};

}  // namespace stoss::solvers
