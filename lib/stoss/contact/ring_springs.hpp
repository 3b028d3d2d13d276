#pragma once
/// Tangential force of a compliant contact that slips from its edge inwards, with memory
/// (docs/theory/compliant_spheres.md 16.4).

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

namespace stoss::contact {

/// The normal contact as the springs across it see it.
struct NormalState {
    double overlap = 0.0;    ///< x [m]
    double stiffness = 0.0;  ///< dF/dx at rest [N/m]
    double at_rest = 0.0;    ///< F at rest [N]
    double force = 0.0;      ///< F with damping [N]
};

/// The contact as a bed of springs (Popov & Hess 2015, chapter 5). A ring is the part of the bed
/// that came in while dF/dx grew by its `stiffness`. Since then it is pressed by the change of the
/// overlap, and stretched across the normal by the slip, as far as friction allows.
class RingSprings {
  public:
    /// `share`: tangential over normal stiffness [-]; `most`: largest number of rings, >= 4.
    RingSprings(double share, double mu, std::size_t most) : share_(share), mu_(mu), most_(most) {
        rings_.reserve(most + 1);
    }

    const Eigen::Vector3d& force() const { return force_; }  ///< on the first body [N]
    double stored_energy() const;                            ///< recoverable [J]
    std::size_t size() const { return rings_.size(); }

    /// The contact plane turns: its normal from n to m, and itself about it by `twist` [rad].
    void turn(const Eigen::Vector3d& n, const Eigen::Vector3d& m, double twist);

    /// A step: the first body slips by `slip` [m] against the second, the normal contact becomes
    /// `normal`. Returns the energy [J] that is lost. `is_sliding` tells whether every ring slid.
    double advance(const Eigen::Vector3d& slip, const NormalState& normal, bool& is_sliding);

    /// The same, but what comes in stays a ring of its own: the force is continuous in all
    /// arguments, and the rings may become more than `most`.
    double follow(const Eigen::Vector3d& slip, const NormalState& normal);
    /// Neighbours become one until there are at most `most`. Returns the energy [J] that is lost.
    double gather();

    /// How the force changes with a bit more slip, overlap and normal force.
    struct Tangent {
        Eigen::Matrix3d by_slip;          ///< [N/m]
        Eigen::Vector3d by_overlap;       ///< at the same normal force [N/m]
        Eigen::Vector3d by_normal_force;  ///< [-]
    };
    /// `normal`: that of the last step.
    Tangent tangent(const NormalState& normal) const;
    /// Tangential stiffness [N/m] while no ring slides.
    double stiffness() const { return share_ * stiffness_; }

    void write(std::vector<double>& state) const;
    void read(std::span<const double>& state);
    /// Largest number of numbers that `write` appends if no ring came in since `gather`.
    std::size_t most_numbers() const { return 7 + 6 * (most_ + 1); }

  private:
    struct Ring {
        double stiffness = 0.0;  // along the normal [N/m]
        double overlap = 0.0;    // of the bodies as it came in, its mean [m]
        double inner = 0.0;      // the same at its inner edge [m]
        // Of the first body against the second [m].
        Eigen::Vector3d stretch = Eigen::Vector3d::Zero();
    };

    enum class Fresh { stays, merges };  // what comes in

    double move(const Eigen::Vector3d& slip, const NormalState& normal, Fresh fresh,
                bool& is_sliding);
    void grow(const Eigen::Vector3d& slip, const NormalState& normal);
    void merge_fresh();
    void shrink(double stiffness);
    void merge_narrow();
    double pressed(const NormalState& normal) const;
    void limit(const NormalState& normal, bool& is_sliding);

    double share_, mu_;
    std::size_t most_;
    std::vector<Ring> rings_;      // from the middle outwards
    double stiffness_ = 0.0;       // sum over the rings [N/m]
    double last_overlap_ = 0.0;    // after the last step [m]
    double overlap_moment_ = 0.0;  // sum of stiffness times overlap [N]
    Eigen::Vector3d force_ = Eigen::Vector3d::Zero();
};

}  // namespace stoss::contact
