#pragma once
/// Many rigid spheres, or clumps of spheres, among walls: the impulse-velocity time step of
/// Preclik, Eibl & Ruede (2017), section 3.1, with purely inelastic impacts
/// (docs/theory/many_contacts.md).

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <stoss/core/parallel.hpp>
#include <stoss/granular/bodies.hpp>
#include <stoss/granular/contact_solver.hpp>
#include <stoss/granular/energy.hpp>
#include <stoss/granular/spheres.hpp>
#include <stoss/granular/stepping.hpp>
#include <stoss/granular/walls.hpp>

namespace stoss::granular {

/// Spheres and walls in motion. A step is the same, bit by bit, on any number of threads.
///
/// Spheres are free, or all of them are members of clumps. Free spheres need neither orientation
/// nor tangents at their contacts and are many times as fast; a sphere among clumps is a clump of
/// one member.
class Assembly {
  public:
    /// Preconditions: ranges as at Stepping; walls fewer than 2^31. `threads` 0: all cores.
    Assembly(const Stepping& stepping, std::vector<Wall> walls, int threads);

    /// Adds a sphere; its number is the count of those added before.
    /// Preconditions: finite, radius and mass > 0; no clump was added.
    void add(const Sphere& sphere);

    /// Adds the spheres of a clump, which is one body.
    /// Preconditions: as at Clump; no free sphere was added.
    void add(const Clump& clump);

    /// Takes out the spheres at these places (ascending) with their contacts. Impulses of all
    /// others stay. Does not allocate. Precondition: they are free.
    void remove(std::span<const std::uint32_t> places);

    /// Puts the point of a plane elsewhere, in no time. Precondition: wall `wall` is a plane.
    void place(std::size_t wall, const Eigen::Vector3d& point);

    /// True if the next step lists the pairs anew: adding and removing spheres costs least now.
    bool is_pair_list_old() const;

    /// One step dt. Does not throw. Allocates only when pairs are listed that are more than ever
    /// before.
    StepReport step();

    double time() const { return static_cast<double>(steps_) * stepping_.step; }  ///< [s]
    std::size_t steps() const { return steps_; }                ///< since the start
    const Spheres& spheres() const { return system_.spheres; }  ///< as they are now
    const Bodies& bodies() const {
        return system_.clumps;
    }  ///< the clumps; empty if spheres are free
    const std::vector<Wall>& walls() const { return system_.walls; }  ///< as they are now
    /// Pairs near each other, with the impulses of the last step.
    std::span<const Pair> pairs() const { return system_.pair_list.pairs(); }

    /// Kinetic and potential energy [J].
    Energy energy() const { return energy_of(spheres(), bodies(), stepping_.gravity); }
    Eigen::Vector3d momentum() const { return momentum_of(spheres(), bodies()); }  ///< [N s]
    /// About the origin [N m s].
    Eigen::Vector3d angular_momentum() const { return angular_momentum_of(spheres(), bodies()); }

    /// Contact relaxations so far: sweeps x contacts.
    std::uint64_t relaxations() const { return relaxations_; }
    /// Bytes that spheres, pairs and contacts hold.
    std::size_t bytes() const;

    /// The complete state, and back: an assembly with the same stepping and walls continues with
    /// the same bits.
    std::vector<double> state() const;
    /// Continues from a state that `state` gave.
    void restore(std::span<const double> state);

  private:
    void list_pairs();
    void accelerate();
    bool advance();

    Stepping stepping_;
    BodySystem system_;
    ContactSolver contacts_;
    core::Workers workers_;
    std::vector<double> ways_;  // longest squared way in each chunk [m^2]
    bool is_listed_ = false;
    double moved_ = 0.0;        // farthest way of a sphere since the pairs were listed [m]
    double walls_moved_ = 0.0;  // the same of a wall [m]
    double wall_speed_ = 0.0;   // of the fastest wall [m/s]
    std::uint32_t next_number_ = 0;
    std::size_t steps_ = 0;
    std::uint64_t relaxations_ = 0;
};

}  // namespace stoss::granular
