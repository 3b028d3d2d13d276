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
#include <stoss/granular/body_contact.hpp>
#include <stoss/granular/contact.hpp>
#include <stoss/granular/friction.hpp>
#include <stoss/granular/pair_list.hpp>
#include <stoss/granular/spheres.hpp>
#include <stoss/granular/sweep.hpp>
#include <stoss/granular/walls.hpp>

namespace stoss::granular {

/// How an assembly moves.
struct Stepping {
    double step = 0.0;                                  ///< dt [s], > 0
    Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  ///< [m/s^2]
    Friction friction = Friction::maximum_dissipation;
    double mu = 0.0;               ///< coefficient of friction between spheres [-], >= 0
    double wall_mu = 0.0;          ///< between sphere and wall [-], >= 0
    int sweeps = 10;               ///< most sweeps over all contacts in a step, >= 1
    double tolerance = 0.0;        ///< largest change of a velocity in the last sweep [m/s], >= 0
    double relaxation = 1.0;       ///< weight of a relaxed impulse [-], in (0, 1]
    double error_reduction = 0.2;  ///< share of an overlap that a step takes back [-], in [0, 1]
    double margin = 0.0;           ///< gap below which a contact is taken in [m], > 0
    double skin = 0.0;             ///< further gap of the pairs listed [m], > 0
};

/// What a step did.
struct StepReport {
    std::size_t contacts = 0;     ///< gap below the margin
    std::size_t pressing = 0;     ///< of them with an impulse
    std::size_t overlapping = 0;  ///< of them without a gap at the beginning of the step
    int sweeps = 0;
    double residual = 0.0;                 ///< largest change of a velocity in the last sweep [m/s]
    double deepest_overlap = 0.0;          ///< at the beginning of the step [m]
    double work_of_error_reduction = 0.0;  ///< energy that pushing overlaps apart brought in [J]
    double work_of_walls = 0.0;            ///< energy that moving walls brought in [J]
    bool is_finite = true;  ///< false: the motion left the finite numbers; nothing is valid
};

/// Energies of all bodies.
struct Energy {
    double translation = 0.0;  ///< [J]
    double rotation = 0.0;     ///< [J]
    double potential = 0.0;    ///< of gravity, 0 at the origin [J]

    double total() const { return translation + rotation + potential; }
};

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
    std::size_t steps() const { return steps_; }
    const Spheres& spheres() const { return spheres_; }
    const Bodies& bodies() const { return bodies_; }  ///< the clumps; empty if spheres are free
    const std::vector<Wall>& walls() const { return walls_; }

    Energy energy() const;
    Eigen::Vector3d momentum() const;          ///< [N s]
    Eigen::Vector3d angular_momentum() const;  ///< about the origin [N m s]

    /// Contact relaxations so far: sweeps x contacts.
    std::uint64_t relaxations() const { return relaxations_; }
    /// How often the pairs were listed.
    std::size_t listings() const { return listings_; }
    /// Bytes that spheres, pairs and contacts hold.
    std::size_t bytes() const;

    /// All that the further motion depends on, and back: an assembly with the same stepping and
    /// walls goes on with the same bits.
    std::vector<double> state() const;
    void restore(std::span<const double> state);

  private:
    void list_pairs();
    void make_room();
    bool are_free() const { return bodies_.empty(); }
    void accelerate();
    void find_contacts(std::size_t block);
    void take_contact(const Pair& pair, std::uint32_t place, std::size_t block);
    void warm_start(std::size_t block);
    void relax(std::size_t block);
    void tally(std::size_t block);
    template <class Work>
    void by_colours(const Work& work);
    template <class Work>
    void by_kind(std::size_t block, const Work& work);
    BodyContact body_contact(const Pair& pair, const Eigen::Vector3d& n, double shift,
                             std::uint32_t place) const;
    void carry(std::size_t i);
    double mu_of(const Pair& pair) const;
    template <class Work>
    void by_chunks(std::size_t count, const Work& work);
    bool advance();

    Stepping stepping_;
    std::vector<Wall> walls_;
    std::vector<Motion> wall_motion_;
    std::vector<BodyMotion> wall_bodies_;  // the same, beside clumps
    core::Workers workers_;
    Spheres spheres_;
    Bodies bodies_;
    PairList list_;
    // Room for every pair; a block's stand at its first pair. One of the two is used.
    std::vector<Contact> contacts_;
    std::vector<BodyContact> body_contacts_;
    std::vector<Tally> tallies_;  // one a block
    std::vector<double> ways_;    // longest squared way in each chunk [m^2]
    bool is_listed_ = false;
    double moved_ = 0.0;        // farthest way of a sphere since the pairs were listed [m]
    double walls_moved_ = 0.0;  // the same of a wall [m]
    double wall_speed_ = 0.0;   // of the fastest wall [m/s]
    std::uint32_t next_number_ = 0;
    std::size_t steps_ = 0, listings_ = 0;
    std::uint64_t relaxations_ = 0;
};

}  // namespace stoss::granular
