#pragma once
/// What adhesion changes across the normal of a contact of spheres
/// (docs/theory/compliant_spheres.md).

#include <algorithm>
#include <cmath>
#include <concepts>

#include <stoss/contact/jkr_profile.hpp>
#include <stoss/contact/laws/dmt.hpp>
#include <stoss/contact/laws/jkr.hpp>
#include <stoss/core/elementary.hpp>

namespace stoss::granular {

/// The contact region of adhesive spheres: it carries friction while the bodies pull. That of
/// Johnson, Kendall and Roberts follows from the force (16.9) and is wider than that of Hertz; that
/// of Derjaguin, Muller and Toporov is that of Hertz at the same overlap.
struct AdhesiveRegion {
    double stiffness = 0.0;       ///< k [N/m^(3/2)]
    double pull_off_force = 0.0;  ///< F_c [N]; 0: no adhesion
    bool is_jkr = true;           ///< false: of Derjaguin, Muller and Toporov

    bool is_there() const { return pull_off_force > 0.0; }

    /// 2 E* a [N/m] at overlap x [m] and force F [N] of the bodies at rest. Beyond the overlap of
    /// the largest pull the region is the smaller one of that force.
    double slope(double x, double force) const {
        if (!is_jkr) return 1.5 * stiffness * std::sqrt(std::max(0.0, x));
        const double q = contact::jkr_adhesion(pull_off_force, stiffness);
        const double root = std::sqrt(std::max(0.0, pull_off_force + force));
        const bool is_narrow = x < -0.25 * q * core::cbrt(0.75 * q);
        const double sum = std::sqrt(pull_off_force) + (is_narrow ? -root : root);
        const double size = core::cbrt(sum * sum / stiffness);  // sqrt(s) = a/sqrt(R*)
        return 1.5 * stiffness * size;
    }

    /// Friction at which the contact slides [N] (16.10) (Thornton 1991); without the wider region
    /// mu times the force between the surfaces, F + F_c.
    double sliding_force(double mu, double force) const {
        return mu * std::max(0.0, force + (is_jkr ? 2.0 : 1.0) * pull_off_force);
    }
};

/// Laws that have such a region. All others slide at mu F.
template <class L>
concept HasAdhesiveRegion = std::same_as<L, contact::Jkr> || std::same_as<L, contact::Dmt>;

/// The region of a law. Precondition: the law has its stiffness and its pull-off force.
template <HasAdhesiveRegion L>
AdhesiveRegion adhesive_region(const L& law) {
    return {*law.stiffness, *law.pull_off_force, std::same_as<L, contact::Jkr>};
}

}  // namespace stoss::granular
