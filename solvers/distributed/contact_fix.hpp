#pragma once
/// The time step of Assembly inside LAMMPS: each process relaxes the contacts that it owns.

#include <solvers/distributed/lammps.hpp>

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include <stoss/granular/assembly.hpp>
#include <stoss/granular/sweep.hpp>

namespace stoss::solvers {

/// How much of a change of an impulse is made where the two bodies are of different processes,
/// which may correct a body at once (docs/theory/many_contacts.md).
inline constexpr double boundary_weight = 0.75;

/// `fix ID all stoss`: LAMMPS moves spheres between processes, keeps copies of those beyond the
/// border (ghosts), lists the pairs and calls this fix in every step of its own:
///
/// - pre_exchange: each sphere takes along the impulses of its contacts;
/// - post_neighbor: pairs from LAMMPS's list, which gives each pair to one process alone;
/// - post_force: the contacts of this step and the sweeps over them. After each the changes of
///   velocity of ghosts go back to the process that owns the sphere, so that momentum is kept;
/// - final_integrate: positions move with the new velocities.
class ContactFix : public LAMMPS_NS::Fix {
  public:
    ContactFix(LAMMPS_NS::LAMMPS* lammps, int argc, char** argv);
    ~ContactFix() override;

    /// Before the first step.
    void begin(const granular::Stepping& stepping, std::vector<granular::Wall> walls);

    /// Puts the point of a plane elsewhere, in no time. Precondition: wall `wall` is a plane.
    void place(std::size_t wall, const Eigen::Vector3d& point);

    /// Makes every sphere hold the impulses of its contacts, so that pairs may be listed anew.
    void keep_impulses();
    /// The impulses that the spheres hold were put there: they are to be taken along.
    void note_kept();
    /// The next step lists the pairs anew.
    void list_anew();

    /// An impulse of a contact, as one of its two bodies knows it.
    struct Partner {
        std::int64_t number;      ///< LAMMPS's of the other sphere; -1 - k: wall k
        Eigen::Vector3d impulse;  ///< on this body [N s]
    };
    /// Those of the own sphere i, if kept.
    std::vector<Partner>& partners(int i) { return partners_[static_cast<std::size_t>(i)]; }

    /// Of the own spheres.
    granular::Energy energy() const;

    /// What the last step found: in the own contacts, but for sweeps and residual, which are of
    /// all.
    const granular::Tally& tally() const { return tally_; }
    int sweeps() const { return sweeps_; }
    double residual() const { return residual_; }
    /// Before the last step, of spheres that were in the box.
    double energy_before() const { return energy_before_; }
    /// False if a sphere of this process moved out of the numbers, or out of the box elsewhere than
    /// at its upper end along x.
    bool is_valid() const { return is_valid_; }

    int setmask() override;
    void setup_post_neighbor() override { list_pairs(); }
    void pre_exchange() override;
    void post_neighbor() override { list_pairs(); }
    void post_force(int) override;
    void final_integrate() override;

    void grow_arrays(int count) override;
    void copy_arrays(int from, int to, int) override;
    void set_arrays(int i) override;
    int pack_exchange(int i, double* numbers) override;
    int unpack_exchange(int i, double* numbers) override;

    int pack_forward_comm(int count, int* list, double* numbers, int, int*) override;
    void unpack_forward_comm(int count, int first, double* numbers) override;
    int pack_reverse_comm_size(int count, int first) override;
    int pack_reverse_comm(int count, int first, double* numbers) override;
    void unpack_reverse_comm(int count, int* list, double* numbers) override;

  private:
    using Velocities = std::array<double, 6>;  // v and u of a Motion
    enum class Message { corrections, impulses };

    double reach() const { return stepping_.margin + stepping_.skin; }
    std::size_t owned() const;
    std::size_t all() const;  // with ghosts
    bool is_ghost(std::uint32_t i) const;
    granular::Motion& motion_of(std::uint32_t i);
    double weight_of(const granular::Pair& pair, const Eigen::Vector3d& x) const;
    int add_partners(int i, const double* numbers);
    Eigen::Vector3d kept_impulse(int i, std::int64_t partner) const;

    void list_pairs();
    void take_in();
    void find_contacts();
    void send_corrections();
    void give_back() const;

    granular::Stepping stepping_;
    std::vector<granular::Wall> walls_;
    std::vector<granular::Motion> wall_motion_;
    double wall_speed_ = 0.0;   // of the fastest wall [m/s]
    double walls_moved_ = 0.0;  // since the pairs were listed [m]

    std::vector<granular::Motion> motion_;  // own spheres, then ghosts
    std::vector<Velocities> received_;      // of ghosts, from their owners; then what changed
    std::vector<granular::Pair> pairs_;
    std::vector<granular::Contact> contacts_;
    std::vector<std::vector<Partner>> partners_;  // of each sphere, kept for a new list
    bool is_kept_ = false;
    Message message_ = Message::corrections;

    granular::Tally tally_;
    int sweeps_ = 0;
    double residual_ = 0.0, energy_before_ = 0.0;
    bool is_valid_ = true;
};

}  // namespace stoss::solvers
