#pragma once
/// One compliant contact among many: any contact law along the normal, springs with memory across
/// it (docs/theory/compliant_spheres.md).

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include <stoss/contact/contact.hpp>
#include <stoss/contact/ring_springs.hpp>
#include <stoss/granular/adhesive_region.hpp>
#include <stoss/granular/rolling_springs.hpp>
#include <stoss/granular/state.hpp>
#include <stoss/granular/tangential_spring.hpp>

namespace stoss::granular {

/// Two bodies that touch, or that wait for their dent to open.
template <contact::ContactLaw L>
struct CompliantContact {
    contact::Contact<L> normal;
    std::variant<TangentialSpring, contact::RingSprings> across = {};
    std::optional<RollingSprings> rolling = {};
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

    Eigen::Vector3d tangential_force() const {  ///< on the first body [N]
        return std::visit([](const auto& law) -> Eigen::Vector3d { return law.force(); }, across);
    }
    double stored_energy() const {  ///< recoverable [J]
        return normal.stored_energy(overlap) +
               std::visit([](const auto& law) { return law.stored_energy(); }, across) +
               (rolling ? rolling->stored_energy() : 0.0);
    }
    void turn(const Eigen::Vector3d& m, const Eigen::Vector3d& n, double twist) {
        std::visit([&](auto& law) { law.turn(m, n, twist); }, across);
        if (rolling) rolling->turn(m, n, twist);
    }

    /// How the bodies move across the normal in a step.
    struct Slide {
        Eigen::Vector3d slip;  ///< [m]
        Eigen::Vector3d roll;  ///< R* times the relative rotation across the normal [m]
        double twist = 0.0;    ///< the same about it [m]
    };
    /// Friction of the pair: k_t = share dF/dx, limit mu F, dashpot times the slip [N/m].
    struct Friction {
        double share = 0.0, mu = 0.0;
        double damping = 0.0;  ///< dashpot over the root of k_t, over the step [sqrt(N/m)]
    };

    /// A step across the normal to the overlap x [m], with the normal force [N]. Returns the energy
    /// [J] that is lost.
    double slide(const Slide& step, double x, double normal_force, const Friction& friction,
                 const AdhesiveRegion& region) {
        const Slopes slopes = go_to(x, region);
        const double rolled = rolling ? rolling->advance(step.roll, step.twist,
                                                         {slopes.mean, slopes.end, normal_force})
                                      : 0.0;
        if (auto* const rings = std::get_if<contact::RingSprings>(&across))
            return rolled + rings->advance(step.slip, {x, slopes.end, resting_force, normal_force},
                                           is_sliding);
        const double end = friction.share * slopes.end;
        return rolled + std::get<TangentialSpring>(across).advance(
                            step.slip,
                            {friction.share * slopes.mean, end,
                             region.sliding_force(friction.mu, normal_force),
                             friction.damping * std::sqrt(end)},
                            is_sliding);
    }

    void write(std::vector<double>& state) const {
        normal.put(state);
        std::visit([&](const auto& law) { law.write(state); }, across);
        if (rolling) rolling->write(state);
        put(state, n);
        state.insert(state.end(),
                     {reach, overlap, force, power, resting_force, slope, is_sliding ? 1.0 : 0.0});
    }
    void read(std::span<const double>& state) {
        normal.take(state);
        std::visit([&](auto& law) { law.read(state); }, across);
        if (rolling) rolling->read(state);
        take(state, n);
        for (double* number : {&reach, &overlap, &force, &power, &resting_force, &slope})
            *number = take(state);
        is_sliding = take(state) != 0.0;
    }
};

}  // namespace stoss::granular
