#pragma once
/// The measures of `scheme_comparison`: one scheme against the reference.

#include <cstddef>
#include <functional>
#include <vector>

#include <solvers/problems/schemes/scheme_comparison.hpp>
#include <stoss/impact/point_impact.hpp>

namespace stoss::solvers {

/// One impact of a sequence. Energy error: of the rebound's energy against that of the reference
/// sequence, relative.
struct SequenceImpact {
    double number, velocity, reference_velocity, energy_error;
};

/// A sequence of impacts under one scheme.
struct Sequence {
    bool is_complete = false;
    impact::Status status = impact::Status::separated;  ///< of the impact that ended it
    std::size_t count = 0;                              ///< rebounds that happened
    std::optional<double> energy_error = {};            ///< of the last rebound, relative
    /// Largest |H - H(v)| over all samples, that after the release included, relative to what the
    /// impact dissipates (to what it brings, if the law is elastic).
    std::optional<double> energy_deviation = {};
    std::vector<SequenceImpact> rebounds;  ///< the first hundred, then fewer and fewer
};

/// One step length: its error and its work. Errors are relative.
struct StepStudy {
    double steps;         ///< on the smooth part of the motion
    double motion_error;  ///< at its end: of x to the largest x, of v to v_0, the larger one
    double step;          ///< [s] of the whole impact
    double force_evaluations;
    double output_velocity_error;
};

/// The reference solution of all schemes.
struct Reference {
    double output_velocity;          ///< [m/s] of the first impact
    double largest_overlap;          ///< [m]
    double contact_time;             ///< [s]
    impact::PointSample start, end;  ///< the smooth part: from 0.8 v_0 to half the output velocity

    /// By closed forms where there are any, else by an integration to 1e-12.
    /// Throws core::NumericalError if the body does not come back.
    Reference(const impact::PointImpact& impact, double speed);
};

/// The sequence of the case under scheme number `index`. `predicted_restart`: each impact begins
/// with the velocity that the last step predicted, as Papetti et al. 2011 had it for Heun's scheme.
Sequence run_sequence(const SchemeComparison& comparison, std::size_t index, bool predicted_restart,
                      const std::function<bool()>& stop);

/// Errors for steps halved again and again.
std::vector<StepStudy> study_steps(const SchemeComparison& comparison, std::size_t index,
                                   const Reference& reference);

/// Order of convergence on the smooth part, from the finest pair of steps above roundoff.
double order_of(const std::vector<StepStudy>& study);

/// Nanoseconds that a step of the first impact takes now, on this machine.
double nanoseconds_per_step(const SchemeComparison& comparison, std::size_t index);

/// Steps after which an impact that has not ended is given up.
inline constexpr std::size_t most_steps = 1'000'000;

}  // namespace stoss::solvers
