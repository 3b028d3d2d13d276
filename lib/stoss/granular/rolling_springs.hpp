#pragma once
/// Resistance of a compliant contact to rolling and to twisting (docs/theory/compliant_spheres.md
/// 16.12).

#include <Eigen/Core>
#include <algorithm>
#include <span>
#include <vector>

#include <stoss/granular/state.hpp>
#include <stoss/granular/tangential_spring.hpp>

namespace stoss::granular {

/// Coefficients of a pair: the largest torques are mu_r R* F and mu_t R* F.
struct RollingResistance {
    double rolling = 0.0;   ///< mu_r [-], >= 0
    double twisting = 0.0;  ///< mu_t [-], >= 0

    bool is_there() const { return rolling > 0.0 || twisting > 0.0; }
};

/// The elastic-plastic spring of Jiang, Yu and Harris (2005), type C of Ai, Chen, Rotter and Ooi
/// (2011): a torque proportional to the angle that the bodies rolled or twisted, up to its limit.
/// Angles are lengths here, times R*, and torques forces, over R*.
class RollingSprings {
  public:
    explicit RollingSprings(const RollingResistance& resistance) : resistance_(resistance) {}

    /// The slope dF/dx [N/m] of the normal law over the step and at its end, and its force F [N].
    struct Normal {
        double mean, end, force;
    };

    /// R* times the rotation of the first body against the second in a step: `roll` [m] across the
    /// normal, `twist` [m] about it. Returns the energy [J] that is lost.
    double advance(const Eigen::Vector3d& roll, double twist, const Normal& normal) {
        const double force = std::max(normal.force, 0.0);
        return advance(rolling_, roll, resistance_.rolling, normal, force) +
               advance(twisting_, twist * Eigen::Vector3d::UnitX(), resistance_.twisting, normal,
                       force);
    }

    /// Torque on the first body over R* [N]; n is the normal.
    Eigen::Vector3d torque(const Eigen::Vector3d& n) const {
        return rolling_.force() + twisting_.force().x() * n;
    }
    double stored_energy() const {  ///< [J]
        return rolling_.stored_energy() + twisting_.stored_energy();
    }
    void turn(const Eigen::Vector3d& n, const Eigen::Vector3d& m, double twist) {
        rolling_.turn(n, m, twist);
    }
    void write(std::vector<double>& state) const {
        rolling_.write(state);
        twisting_.write(state);
    }
    void read(std::span<const double>& state) {
        rolling_.read(state);
        twisting_.read(state);
    }

  private:
    /// k = 2.25 mu^2 dF/dx: the stiffness k_r = 2.25 k_n mu^2 R*^2 of Ai et al.
    static double advance(TangentialSpring& spring, const Eigen::Vector3d& angle, double mu,
                          const Normal& normal, double force) {
        if (!(mu > 0.0)) return 0.0;
        const double share = 2.25 * mu * mu;
        bool is_at_limit = false;
        return spring.advance(angle, {share * normal.mean, share * normal.end, mu * force, 0.0},
                              is_at_limit);
    }

    RollingResistance resistance_;
    TangentialSpring rolling_, twisting_;  // the second along its own axis
};

}  // namespace stoss::granular
