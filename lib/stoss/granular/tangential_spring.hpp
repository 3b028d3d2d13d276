#pragma once
/// One spring across the normal of a compliant contact, whose end slides
/// (docs/theory/compliant_spheres.md 16.3).

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <span>
#include <vector>

#include <stoss/core/elementary.hpp>
#include <stoss/granular/state.hpp>

namespace stoss::granular {

/// The spring across the normal (16.3). Its stiffness follows the normal one: while that rises the
/// force stays, for what comes in is not stretched yet; as it falls, so does the force (Thornton,
/// Cummins & Cleary 2013). Neither brings energy in.
class TangentialSpring {
  public:
    Eigen::Vector3d force() const { return force_ + damping_; }  ///< on the first body [N]

    /// Recoverable energy [J].
    double stored_energy() const {
        return stiffness_ > 0.0 ? 0.5 * force_.squaredNorm() / stiffness_ : 0.0;
    }

    /// The contact plane turns: its normal from n to m, and itself about it by `twist` [rad].
    void turn(const Eigen::Vector3d& n, const Eigen::Vector3d& m, double twist) {
        for (Eigen::Vector3d* each : {&force_, &damping_}) {
            if (each->isZero(0.0)) continue;
            *each -= m.dot(*each) / (1.0 + n.dot(m)) * (n + m);
            *each = core::cos(twist) * *each + core::sin(twist) * m.cross(*each);
        }
    }

    /// What a step works with.
    struct Step {
        double mean, stiffness;  ///< k_t over the step, and at its end [N/m]
        double limit;            ///< of the force: there the end of the spring slides [N]
        double dashpot;          ///< force over the slip of the step [N/m]
    };

    /// A step: the first body slips by `slip` [m] against the second. Returns the energy [J] that
    /// is lost. `is_sliding` tells whether the limit was reached.
    double advance(const Eigen::Vector3d& slip, const Step& step, bool& is_sliding) {
        const double stored = stored_energy();
        const Eigen::Vector3d before = force();
        if (step.stiffness < stiffness_) {
            force_ = step.stiffness * (force_ / stiffness_ - slip);
        } else {
            force_ -= step.mean * slip;
        }
        stiffness_ = step.stiffness;
        damping_ = -step.dashpot * slip;
        const double size = force_.norm(), whole = force().norm();
        is_sliding = whole > step.limit;
        const Eigen::Vector3d sliding = is_sliding ? step.limit / whole * force() : force();
        if (size > step.limit) force_ *= step.limit / size;
        damping_ = sliding - force_;
        return stored - stored_energy() - 0.5 * slip.dot(before + force());
    }

    void write(std::vector<double>& state) const {
        put(state, force_);
        put(state, damping_);
        state.push_back(stiffness_);
    }
    void read(std::span<const double>& state) {
        take(state, force_);
        take(state, damping_);
        stiffness_ = take(state);
    }

  private:
    Eigen::Vector3d force_ = Eigen::Vector3d::Zero();    // of the spring [N]
    Eigen::Vector3d damping_ = Eigen::Vector3d::Zero();  // of the dashpot beside it [N]
    double stiffness_ = 0.0;                             // k_t [N/m]
};

}  // namespace stoss::granular
