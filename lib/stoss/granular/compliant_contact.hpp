#pragma once
/// One compliant contact among many: any contact law along the normal, springs with memory across
/// it (docs/theory/compliant_spheres.md).

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <span>
#include <variant>
#include <vector>

#include <stoss/contact/contact.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/granular/adhesive_region.hpp>
#include <stoss/granular/ring_springs.hpp>
#include <stoss/granular/state.hpp>

namespace stoss::granular {

/// The spring across the normal (16.3). Its stiffness follows the normal one: while that rises the
/// force stays, for what comes in is not stretched yet; as it falls, so does the force (Thornton,
/// Cummins & Cleary 2013). Neither brings energy in.
class TangentialSpring {
  public:
    const Eigen::Vector3d& force() const { return force_; }  ///< on the first body [N]

    /// Recoverable energy [J].
    double stored_energy() const {
        return stiffness_ > 0.0 ? 0.5 * force_.squaredNorm() / stiffness_ : 0.0;
    }

    /// The contact plane turns: its normal from n to m, and itself about it by `twist` [rad].
    void turn(const Eigen::Vector3d& n, const Eigen::Vector3d& m, double twist) {
        if (force_.isZero(0.0)) return;
        force_ -= m.dot(force_) / (1.0 + n.dot(m)) * (n + m);
        force_ = core::cos(twist) * force_ + core::sin(twist) * m.cross(force_);
    }

    /// A step: the first body slips by `slip` [m] against the second, the stiffness becomes
    /// `stiffness` [N/m] by way of `mean`, the end of the spring slides at the force `limit` [N].
    /// Returns the energy [J] that is lost. `is_sliding` tells whether the end slid.
    double advance(const Eigen::Vector3d& slip, double mean, double stiffness, double limit,
                   bool& is_sliding) {
        const double stored = stored_energy();
        const Eigen::Vector3d before = force_;
        if (stiffness < stiffness_) {
            force_ = stiffness * (force_ / stiffness_ - slip);
        } else {
            force_ -= mean * slip;
        }
        stiffness_ = stiffness;
        const double size = force_.norm();
        is_sliding = size > limit;
        if (is_sliding) force_ *= limit / size;
        return stored - stored_energy() - 0.5 * slip.dot(before + force_);
    }

    void write(std::vector<double>& state) const {
        put(state, force_);
        state.push_back(stiffness_);
    }
    void read(std::span<const double>& state) {
        take(state, force_);
        stiffness_ = take(state);
    }

  private:
    Eigen::Vector3d force_ = Eigen::Vector3d::Zero();
    double stiffness_ = 0.0;  // k_t [N/m]
};

/// Two bodies that touch, or that wait for their dent to open.
template <contact::ContactLaw L>
struct CompliantContact {
    contact::Contact<L> normal;
    std::variant<TangentialSpring, RingSprings> across = {};
    Eigen::Vector3d n = Eigen::Vector3d::Zero();  ///< from the second body to the first; 0: new
    double reach = 1.0;          ///< distance of the centres over the sum of the radii
    double overlap = 0.0;        ///< [m]
    double force = 0.0;          ///< along the normal [N]
    double power = 0.0;          ///< that the law turns into heat [W]
    double resting_force = 0.0;  ///< along the normal, were the bodies at rest [N]
    double slope = 0.0;          ///< its derivative by the overlap [N/m]
    bool is_sliding = false;

    /// The law at overlap x, the bodies at rest: slope there, or 2 E* a of an adhesive region, and
    /// on the way from the last overlap. The second is the quotient of differences, since the slope
    /// may begin as a root.
    struct Slopes {
        double mean, end;
    };
    Slopes go_to(double x, const AdhesiveRegion& region) {
        const core::Dual at_rest = normal.force(core::Dual::variable(x), core::Dual(0.0));
        const double before = slope, way = x - overlap;
        if (region.is_there()) {
            slope = region.slope(x, at_rest.value);
            resting_force = at_rest.value;
            overlap = x;
            return {before > 0.0 ? 0.5 * (before + slope) : slope, slope};
        }
        slope = std::max(0.0, at_rest.derivative);
        const double mean =
            way > 1e-6 * x ? (at_rest.value - resting_force) / way : 0.5 * (before + slope);
        resting_force = at_rest.value;
        overlap = x;
        return {std::max(0.0, mean), slope};
    }

    const Eigen::Vector3d& tangential_force() const {  ///< on the first body [N]
        return std::visit(
            [](const auto& law) -> const auto& { return law.force(); }, across);
    }
    double stored_energy() const {  ///< recoverable [J]
        return normal.stored_energy(overlap) +
               std::visit([](const auto& law) { return law.stored_energy(); }, across);
    }
    void turn(const Eigen::Vector3d& m, const Eigen::Vector3d& n, double twist) {
        std::visit([&](auto& law) { law.turn(m, n, twist); }, across);
    }

    /// A step across the normal: slip [m], new overlap [m], normal force [N]; `share` of the spring
    /// in the slope of the normal law. Returns the energy [J] that is lost.
    double slide(const Eigen::Vector3d& slip, double x, double normal_force, double share,
                 double mu, const AdhesiveRegion& region) {
        const Slopes slopes = go_to(x, region);
        if (auto* const rings = std::get_if<RingSprings>(&across))
            return rings->advance(slip, {x, slopes.end, resting_force, normal_force}, is_sliding);
        return std::get<TangentialSpring>(across).advance(
            slip, share * slopes.mean, share * slopes.end, region.sliding_force(mu, normal_force),
            is_sliding);
    }

    void write(std::vector<double>& state) const {
        put_bytes(state, normal);
        std::visit([&](const auto& law) { law.write(state); }, across);
        put(state, n);
        state.insert(state.end(),
                     {reach, overlap, force, power, resting_force, slope, is_sliding ? 1.0 : 0.0});
    }
    void read(std::span<const double>& state) {
        take_bytes(state, normal);
        std::visit([&](auto& law) { law.read(state); }, across);
        take(state, n);
        for (double* number : {&reach, &overlap, &force, &power, &resting_force, &slope})
            *number = take(state);
        is_sliding = take(state) != 0.0;
    }
};

}  // namespace stoss::granular
