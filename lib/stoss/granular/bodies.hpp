#pragma once
/// Rigid bodies with any inertia as a structure of arrays.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstddef>
#include <span>
#include <vector>

#include <stoss/granular/clump.hpp>

namespace stoss::granular {

/// What a relaxation of a contact reads and writes of a body: two cache lines.
struct alignas(64) BodyMotion {
    Eigen::Vector3d v = Eigen::Vector3d::Zero();                ///< of the centre of mass [m/s]
    Eigen::Vector3d omega = Eigen::Vector3d::Zero();            ///< in the inertial frame [rad/s]
    Eigen::Matrix3d inverse_inertia = Eigen::Matrix3d::Zero();  ///< in the inertial frame
                                                                ///< [1/(kg m^2)]; 0: a wall
    double inverse_mass = 0.0;                                  ///< [1/kg]; 0: a wall
};

/// Bodies in the order of `add`.
class Bodies {
  public:
    std::vector<BodyMotion> motion;
    std::vector<Eigen::Vector3d> position;        ///< of the centre of mass [m]
    std::vector<Eigen::Quaterniond> orientation;  ///< turns principal axes into the inertial frame
    std::vector<Eigen::Vector3d> inertia;         ///< principal moments [kg m^2]

    std::size_t size() const { return motion.size(); }
    bool empty() const { return motion.empty(); }

    /// Precondition: mass and moments are > 0 and finite.
    void add(const Clump& clump);

    /// Body i by dt under gravity and the gyroscopic torque, which keeps its energy and the size of
    /// its angular momentum.
    void accelerate(std::size_t i, double dt, const Eigen::Vector3d& gravity);

    /// Moves body i by its velocities over dt.
    void advance(std::size_t i, double dt);

    /// About the centre of mass of body i [kg m^2/s], in the inertial frame.
    Eigen::Vector3d spin(std::size_t i) const;
    /// Energy of turning [J].
    double rotation_energy(std::size_t i) const;

    /// Writes all numbers to `state`, or reads them back.
    void write(std::vector<double>& state) const;
    void read(std::span<const double>& state);

    /// Memory of the arrays in bytes.
    std::size_t bytes() const;

  private:
    void turn_inertia(std::size_t i);
};

/// The angular velocity [rad/s] in principal axes after a time dt [s] without torque, by the
/// implicit midpoint rule: I (w' - w) = -dt w_m x I w_m, w_m = (w + w')/2. NaN if that was not
/// solved, as for turns of many radians in a step.
Eigen::Vector3d torque_free(const Eigen::Vector3d& inertia, const Eigen::Vector3d& w, double dt);

}  // namespace stoss::granular
