#pragma once
/// The contacts of a time step, and the sweeps of nonlinear block Gauss-Seidel over them
/// (docs/theory/many_contacts.md).

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <stoss/granular/bodies.hpp>
#include <stoss/granular/body_contact.hpp>
#include <stoss/granular/contact.hpp>
#include <stoss/granular/pair_list.hpp>
#include <stoss/granular/spheres.hpp>
#include <stoss/granular/stepping.hpp>
#include <stoss/granular/sweep.hpp>
#include <stoss/granular/walls.hpp>

namespace stoss::granular {

/// Spheres, clumps and walls, and the pairs of them that may touch.
struct BodySystem {
    Spheres spheres;
    Bodies clumps;  ///< empty if the spheres are free; else all spheres are members of clumps
    std::vector<Wall> walls;
    PairList pair_list;

    bool has_clumps() const { return !clumps.empty(); }
};

/// Finds the contacts of a system and relaxes their impulses, block by block of its list of pairs.
/// Blocks of one colour may be worked on at once. No function for a block allocates or throws.
class ContactSolver {
  public:
    /// Preconditions as at Assembly.
    ContactSolver(const Stepping& stepping, std::span<const Wall> walls);

    /// Makes room for the contacts of all pairs. Call it whenever pairs were listed.
    void make_room(const BodySystem& system);

    /// The contacts of a block at the present positions. A pair too far apart forgets its impulse.
    void find(BodySystem& system, std::size_t block);
    /// Applies the impulses of the last step, turned into the cones of this one.
    void warm_start(BodySystem& system, std::size_t block);
    /// One sweep over the contacts of a block.
    void relax(BodySystem& system, std::size_t block);
    /// Adds counts and works of the impulses of a block to its tally.
    void count(BodySystem& system, std::size_t block);

    std::span<const Tally> tallies() const { return tallies_; }  ///< one a block

    /// Bytes that the arrays hold.
    std::size_t bytes() const;

  private:
    void add_contact(const BodySystem& system, const Pair& pair, std::uint32_t place,
                     std::size_t block);
    BodyContact body_contact(const BodySystem& system, const Pair& pair, const Eigen::Vector3d& n,
                             double shift, std::uint32_t place) const;
    template <class Work>
    void by_kind(BodySystem& system, std::size_t block, const Work& work);

    Stepping stepping_;
    std::vector<Motion> wall_motion_;
    std::vector<BodyMotion> wall_bodies_;  // the same, beside clumps
    // Room for every pair; those of a block begin at its first pair. One of the two is used.
    std::vector<Contact> contacts_;
    std::vector<BodyContact> body_contacts_;
    std::vector<Tally> tallies_;
};

}  // namespace stoss::granular
