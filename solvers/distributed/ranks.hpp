#pragma once
/// The processes that mpirun started: the first one leads, the others compute with it.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include <solvers/distributed/sphere_stream.hpp>

namespace stoss::solvers {

/// The processes of this run. One object a program, first thing in it.
class Ranks {
  public:
    Ranks();
    ~Ranks();  // NOLINT(performance-trivially-destructible): not so in builds with MPI
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    /// How many mpirun started; 0 if the program was started without it.
    int count() const { return count_; }
    bool is_first() const { return rank_ == 0; }
    int number() const { return rank_; }  ///< of this process, from 0

    /// The reason why they cannot be used; empty if they can.
    std::string refusal() const;

    /// On all but the first: computes with it until it has done. Precondition: no refusal.
    void follow() const;

  private:
    int count_, rank_;
};

/// Spheres and walls on all processes that mpirun started, from the first one. `walls` as at
/// Assembly. Spheres live between the corners `low` and `high` [m]; the outlet is at the upper end
/// along x. `largest_radius` [m] is that of all spheres to come.
/// Preconditions: Ranks::count() > 0, without a refusal; no other such stream lives.
std::unique_ptr<SphereStream> distributed_stream(const granular::Stepping& stepping,
                                                 const std::vector<granular::Wall>& walls,
                                                 const Eigen::Vector3d& low,
                                                 const Eigen::Vector3d& high,
                                                 double largest_radius);

}  // namespace stoss::solvers
