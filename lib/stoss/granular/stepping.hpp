#pragma once
/// Parameters and report of a time step of rigid bodies (docs/theory/many_contacts.md).

#include <Eigen/Core>
#include <cstddef>

#include <stoss/granular/friction.hpp>

namespace stoss::granular {

/// How an assembly moves.
struct Stepping {
    double step = 0.0;                                  ///< dt [s], > 0
    Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  ///< [m/s^2]
    Friction friction = Friction::maximum_dissipation;
    double mu = 0.0;               ///< coefficient of friction between spheres [-], >= 0
    double wall_mu = 0.0;          ///< between sphere and wall [-], >= 0
    int sweeps = 10;               ///< most sweeps over all contacts in a step, >= 1
    double tolerance = 0.0;        ///< largest change of a velocity in the last sweep [m/s], >= 0
    double relaxation = 1.0;       ///< weight of a relaxed impulse [-], in (0, 1]
    double error_reduction = 0.2;  ///< share of an overlap that a step takes back [-], in [0, 1]
    double margin = 0.0;           ///< gap below which a contact is taken in [m], > 0
    double skin = 0.0;             ///< further gap of the pairs listed [m], > 0
};

/// What a step did.
struct StepReport {
    std::size_t contacts = 0;     ///< gap below the margin
    std::size_t pressing = 0;     ///< of them with an impulse
    std::size_t overlapping = 0;  ///< of them without a gap at the beginning of the step
    int sweeps = 0;
    double residual = 0.0;         ///< largest change of a velocity in the last sweep [m/s]
    double deepest_overlap = 0.0;  ///< at the beginning of the step [m]
    double deepest_share = 0.0;    ///< the largest over the smaller radius [-]; one process only
    double work_of_error_reduction = 0.0;  ///< energy that pushing overlaps apart brought in [J]
    double work_of_walls = 0.0;            ///< energy that moving walls brought in [J]
    bool is_finite = true;                 ///< false: the motion diverged; nothing is valid
};

}  // namespace stoss::granular
