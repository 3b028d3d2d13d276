#pragma once
/// What a time step does with its contacts, wherever the bodies are kept: on one machine (Assembly)
/// or on many (docs/theory/many_contacts.md).
///
/// `motion_of(i)` is the motion of what a pair names as its first or second, `position_of(i)` the
/// centre [m] of a sphere, `mu_of(pair)` the coefficient of friction between the two. A pair
/// without an impulse that does not approach costs a velocity alone.

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include <stoss/granular/contact.hpp>
#include <stoss/granular/pair_list.hpp>
#include <stoss/granular/stepping.hpp>
#include <stoss/granular/walls.hpp>

namespace stoss::granular {

/// Number of pairs or contacts by which their data is fetched from memory ahead of use.
inline constexpr std::size_t fetched_ahead = 12;

/// How far two bodies are apart.
struct Gap {
    Eigen::Vector3d n;   ///< normal, from the second body to the first
    double width = 0.0;  ///< [m]; < 0: they overlap
};

/// The gap between two spheres of radii r_1, r_2 about x_1, x_2; false if it is wider than
/// `margin`.
inline bool is_near(const Eigen::Vector3d& x_1, double r_1, const Eigen::Vector3d& x_2, double r_2,
                    double margin, Gap& gap) {
    gap.n = x_1 - x_2;
    const double reach = r_1 + r_2 + margin;
    const double squared = gap.n.squaredNorm();
    if (squared > reach * reach) return false;
    const double distance = std::sqrt(squared);
    gap.width = distance - r_1 - r_2;
    gap.n /= distance;
    return true;
}

/// The gap between a sphere and a wall.
inline bool is_near(const Eigen::Vector3d& x, double r, const Wall& wall, double margin, Gap& gap) {
    const Nearness nearness = near(wall, x);
    gap = {nearness.normal, nearness.distance - r};
    return !(gap.width > margin);
}

/// The gap of a pair.
template <class PositionOf, class MotionOf>
bool is_near(const Pair& pair, const PositionOf& position_of, const MotionOf& motion_of,
             std::span<const Wall> walls, double margin, Gap& gap) {
    const Eigen::Vector3d& x = position_of(pair.first);
    const double r = motion_of(pair.first).radius;
    if (pair.second & wall_bit) return is_near(x, r, walls[pair.second & ~wall_bit], margin, gap);
    return is_near(x, r, position_of(pair.second), motion_of(pair.second).radius, margin, gap);
}

/// Coefficient of friction of a pair [-].
inline double mu_of(const Stepping& stepping, const Pair& pair) {
    return pair.second & wall_bit ? stepping.wall_mu : stepping.mu;
}

/// Gap term [m/s]: eps min(0, xi/dt) + max(0, xi/dt), Preclik et al. (2017) below (4).
inline double gap_term(double xi, double error_reduction, double step) {
    return (xi < 0.0 ? error_reduction : 1.0) * xi / step;
}

/// What was found in the passes over some contacts.
struct Tally {
    std::size_t contacts = 0;      ///< gap below the margin
    std::size_t pressing = 0;      ///< of them with an impulse
    std::size_t overlapping = 0;   ///< of them without a gap
    double residual = 0.0;         ///< largest change of a velocity in the last sweep [m/s]
    double deepest = 0.0;          ///< overlap [m]
    double deepest_share = 0.0;    ///< overlap over the smaller radius
    double error_reduction = 0.0;  ///< energy that pushing overlaps apart brought in [J]
    double walls = 0.0;            ///< energy that moving walls brought in [J]
};

/// Begins with the impulses of the last step, turned into the cones of this one.
template <class Contacts, class MotionOf, class MuOf>
void warm_start(const Contacts& contacts, std::span<Pair> pairs, const MotionOf& motion_of,
                const MuOf& mu_of) {
    for (const auto& contact : contacts) {
        Pair& pair = pairs[contact.pair];
        if (pair.impulse.isZero(0.0)) continue;
        const double x_n = std::max(0.0, contact.n.dot(pair.impulse));
        pair.impulse = onto_cone(contact.n, mu_of(pair), x_n, pair.impulse);
        apply(contact, pair.impulse, motion_of(pair.first), 1.0);
        if (!(pair.second & wall_bit)) apply(contact, pair.impulse, motion_of(pair.second), -1.0);
    }
}

/// One sweep of nonlinear block Gauss-Seidel. `weight_of(pair, x)`, in (0, 1], is how much of the
/// change of its impulse to x is made. Returns the largest change of a velocity [m/s].
template <class Contacts, class MotionOf, class MuOf, class WeightOf>
double relax(const Contacts& contacts, std::span<Pair> pairs, const MotionOf& motion_of,
             const MuOf& mu_of, const WeightOf& weight_of) {
    double largest = 0.0;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        if (i + fetched_ahead < contacts.size()) {
            const Pair& later = pairs[contacts[i + fetched_ahead].pair];
            __builtin_prefetch(&motion_of(later.first));
            __builtin_prefetch(&motion_of(later.second));
        }
        const auto& contact = contacts[i];
        Pair& pair = pairs[contact.pair];
        auto& first = motion_of(pair.first);
        auto& second = motion_of(pair.second);
        const Eigen::Vector3d dv = relative_velocity(contact, first, second);
        const bool rests =
            pair.impulse.x() == 0.0 && pair.impulse.y() == 0.0 && pair.impulse.z() == 0.0;
        if (rests && contact.n.dot(dv) + contact.shift >= 0.0) continue;
        const Eigen::Vector3d x = relaxed(contact, mu_of(pair), pair.impulse, dv);
        const Eigen::Vector3d change = weight_of(pair, x) * (x - pair.impulse);
        pair.impulse += change;
        apply(contact, change, first, 1.0);
        if (!(pair.second & wall_bit)) apply(contact, change, second, -1.0);
        const double inverse = first.inverse_mass + second.inverse_mass;
        largest = std::max(largest, inverse * inverse * change.squaredNorm());
    }
    return std::sqrt(largest);
}

/// Counts and works of the impulses. `velocity_of(i)` is that of wall i [m/s].
template <class Contacts, class VelocityOf>
void count(const Contacts& contacts, std::span<const Pair> pairs, const VelocityOf& velocity_of,
           Tally& tally) {
    for (const auto& contact : contacts) {
        const Pair& pair = pairs[contact.pair];
        const double x_n = contact.n.dot(pair.impulse);
        if (x_n > 0.0) ++tally.pressing;
        if (contact.shift <= 0.0) ++tally.overlapping;
        if (contact.shift < 0.0) tally.error_reduction -= contact.shift * x_n;
        if (pair.second & wall_bit)
            tally.walls += pair.impulse.dot(velocity_of(pair.second & ~wall_bit));
    }
}

}  // namespace stoss::granular
