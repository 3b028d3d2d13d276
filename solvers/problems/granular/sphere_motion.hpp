#pragma once
/// Many spheres in motion, rigid or compliant: what a problem needs of either.

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <stoss/granular/assembly.hpp>
#include <stoss/granular/compliant_assembly.hpp>

namespace stoss::solvers {

/// A contact of the last step that exerts a force.
struct ContactForce {
    std::uint32_t first;     ///< number of the sphere
    std::uint32_t second;    ///< the same, or granular::wall_bit and the number of the wall
    Eigen::Vector3d point;   ///< of contact [m]
    Eigen::Vector3d normal;  ///< from the second body to the first
    double normal_force;     ///< > 0 pushes apart [N]
    Eigen::Vector3d tangential_force;  ///< on the first body [N]

    Eigen::Vector3d force() const { return normal_force * normal + tangential_force; }  ///< [N]
};

/// An Assembly or a CompliantAssembly; the members do what theirs do. Rigid contacts store nothing
/// and their losses are not told; compliant ones are not relaxed, so that sweeps, residual and
/// works are zero.
class SphereMotion {
  public:
    SphereMotion(const granular::Stepping& stepping, std::vector<granular::Wall> walls,
                 int threads);
    SphereMotion(const granular::CompliantStepping& stepping, std::vector<granular::Wall> walls,
                 int threads);

    bool is_compliant() const { return compliant_ != nullptr; }
    void add(const granular::Sphere& sphere);
    void add(const granular::Clump& clump);  ///< precondition: rigid
    /// After the last `add`: the energy then has what the contacts of the start store.
    void begin();
    granular::StepReport step();
    double time() const;
    std::size_t steps() const;
    std::uint64_t relaxations() const;  ///< precondition: rigid
    const granular::Spheres& spheres() const;
    const granular::Bodies& bodies() const;  ///< the clumps
    /// Precondition: rigid.
    const std::vector<granular::Wall>& walls() const { return rigid_->walls(); }
    granular::CompliantEnergy energy() const;
    Eigen::Vector3d momentum() const;
    /// Those that exert a force, by the numbers of their bodies. The force of a rigid contact is
    /// its impulse in the last step over the length of the step, its normal and its point are those
    /// at the beginning of that step; all of a compliant one are as they are now.
    std::vector<ContactForce> contacts() const;
    std::vector<double> state() const;
    void restore(std::span<const double> state);

  private:
    Eigen::Vector3d position_before(std::uint32_t i) const;
    std::vector<ContactForce> rigid_contacts() const;
    std::vector<ContactForce> compliant_contacts() const;

    double step_;                                // [s]
    std::unique_ptr<granular::Assembly> rigid_;  // one of the two
    std::unique_ptr<granular::CompliantAssembly> compliant_;
    granular::Bodies no_clumps_;
};

}  // namespace stoss::solvers
