#pragma once
/// Many compliant spheres among fixed walls: the soft-sphere counterpart of Assembly,
/// stepped by velocity Verlet (docs/theory/compliant_spheres.md).

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <stoss/contact/laws.hpp>
#include <stoss/contact/tangential_law.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/granular/energy.hpp>
#include <stoss/granular/pair_list.hpp>
#include <stoss/granular/rolling_springs.hpp>
#include <stoss/granular/spheres.hpp>
#include <stoss/granular/walls.hpp>

namespace stoss::granular {

/// What acts between two kinds of bodies.
struct Compliance {
    std::optional<double> modulus = {};  ///< E* [Pa], for a law whose stiffness is not given
    double tangential_share = 0.0;       ///< k_t over the slope of the normal law [-], >= 0
    double mu = 0.0;                     ///< coefficient of friction [-], >= 0
    RollingResistance resistance = {};   ///< to rolling and twisting
};

/// How compliant spheres move.
struct CompliantStepping {
    double step = 0.0;                                  ///< dt [s], > 0
    Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  ///< [m/s^2]
    contact::Law law;  ///< a stiffness left out follows from the modulus and the radii of each pair
    std::optional<contact::Law> wall_law =
        std::nullopt;  ///< the same with other numbers; none: law
    contact::Separation separation = contact::Separation::zero_force;  ///< when contact ends
    Compliance spheres, walls;  ///< between two spheres, between a sphere and a wall
    double skin = 0.0;          ///< gap of the pairs listed [m], > 0; wider than a law attracts
    contact::TangentialLaw tangential = {};  ///< what acts across the normal
};

/// The law of a pair whose surfaces have the radius R* [m]: a stiffness left out is that of Hertz,
/// if the modulus is given.
contact::Law law_of_pair(contact::Law law, std::optional<double> modulus, double effective_radius);

/// Energies of all spheres and contacts, and what was lost. Their sum is constant but for the error
/// of the scheme.
struct CompliantEnergy {
    double translation = 0.0;    ///< [J]
    double rotation = 0.0;       ///< [J]
    double potential = 0.0;      ///< of gravity, 0 at the origin [J]
    double stored = 0.0;         ///< in the contacts [J]
    double normal_loss = 0.0;    ///< by the law, so far [J]
    double friction_loss = 0.0;  ///< by the tangential springs and their slip, so far [J]

    /// What is not lost [J].
    double mechanical() const { return translation + rotation + potential + stored; }
    /// Energy including the losses [J].
    double total() const { return mechanical() + normal_loss + friction_loss; }
};

/// A contact as it is now.
struct TouchingPair {
    std::uint32_t first;               ///< number of the sphere
    std::uint32_t second;              ///< the same, or `wall_bit` and the number of the wall
    double overlap;                    ///< [m]
    double force;                      ///< along the normal; > 0 pushes apart [N]
    Eigen::Vector3d normal;            ///< from the second body to the first
    Eigen::Vector3d tangential_force;  ///< on the first body [N]
    bool is_sliding;                   ///< the end of the spring slid in the last step
};

/// Compliant spheres in motion. A step is the same, bit by bit, on any number of threads.
class CompliantAssembly {
  public:
    virtual ~CompliantAssembly() = default;
    CompliantAssembly(const CompliantAssembly&) = delete;
    CompliantAssembly& operator=(const CompliantAssembly&) = delete;

    /// Adds a sphere before the first step; its number is the count of those added before.
    /// Precondition: finite, radius and mass > 0.
    void add(const Sphere& sphere);

    /// Finds the contacts of the start and their forces; the energy then has what they store. Call
    /// it after the last `add`; the first step does it otherwise.
    void begin();

    /// One step dt. False if the motion diverged; nothing is valid then. Does not
    /// throw. Allocates only when pairs are listed that are more than ever before and, with
    /// `PartialSlip`, as contacts begin.
    bool step();

    double time() const { return static_cast<double>(steps_) * stepping_.step; }  ///< [s]
    std::size_t steps() const { return steps_; }         ///< since the start
    const Spheres& spheres() const { return spheres_; }  ///< as they are now

    CompliantEnergy energy() const;                                         ///< now
    Eigen::Vector3d momentum() const { return momentum_of(spheres_, {}); }  ///< [N s]
    /// About the origin [N m s].
    Eigen::Vector3d angular_momentum() const { return angular_momentum_of(spheres_, {}); }
    double deepest_overlap() const { return deepest_overlap_; }  ///< after the last step [m]
    /// The largest overlap over the radius of the smaller sphere, after the last step [-].
    double deepest_share() const { return deepest_share_; }
    /// Contacts, in the order of the list of pairs, in place of what `to` holds. Allocates only if
    /// it has no room for them.
    virtual void contacts(std::vector<TouchingPair>& to) const = 0;
    /// The same in an array of their own.
    std::vector<TouchingPair> contacts() const {
        std::vector<TouchingPair> all;
        contacts(all);
        return all;
    }
    /// How many exert a force.
    virtual std::size_t pressing() const = 0;

    /// The complete state, and back: an assembly with the same stepping and walls continues with
    /// the same bits.
    std::vector<double> state() const;
    /// Continues from a state that `state` gave.
    void restore(std::span<const double> state);

  protected:
    /// Change of a sphere's velocity v and of u = r omega in time [m/s^2].
    struct Rate {
        Eigen::Vector3d v = Eigen::Vector3d::Zero(), u = Eigen::Vector3d::Zero();
    };
    /// What a block found in one pass over its pairs.
    struct Tally {
        double normal_loss = 0.0, friction_loss = 0.0, deepest = 0.0, deepest_share = 0.0;
    };

    CompliantAssembly(const CompliantStepping& stepping, std::vector<Wall> walls, int threads);

    /// Forces of the pairs of a block, after `dt` since the last time; 0: the start. Velocities of
    /// the spheres are those in the middle of the step.
    virtual void apply_forces(std::size_t block, double dt) = 0;
    virtual double stored_energy() const = 0;
    virtual void keep_contacts() = 0;  ///< before pairs are listed anew
    virtual void take_contacts() = 0;  ///< after
    virtual void write_contacts(std::vector<double>& state) const = 0;
    virtual void read_contacts(std::span<const double>& state) = 0;

    CompliantStepping stepping_;
    std::vector<Wall> walls_;
    Spheres spheres_;
    PairList list_;
    std::vector<Rate> rates_, next_rates_;  // at the begin and at the end of the step
    std::vector<Tally> tallies_;            // one a block

  private:
    void list_pairs();
    void evaluate(double dt);
    void kick();

    core::Workers workers_;
    double normal_loss_ = 0.0, friction_loss_ = 0.0, deepest_overlap_ = 0.0, deepest_share_ = 0.0;
    std::size_t steps_ = 0;
    bool has_begun_ = false;
};

/// Preconditions: ranges as at CompliantStepping; walls fewer than 2^31 and at rest; the law checks
/// without violations. `threads` 0: all cores. Errors: core::InputError for a law that holds more
/// than numbers (contact::FunctionLaw).
std::unique_ptr<CompliantAssembly> compliant_assembly(const CompliantStepping& stepping,
                                                      std::vector<Wall> walls, int threads);

}  // namespace stoss::granular
