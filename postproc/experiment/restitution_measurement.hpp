#pragma once
/// From the angle of a turning beam to the coefficient of restitution of its impact
/// (docs/theory/experiments.md).

#include <cstddef>
#include <span>
#include <string>
#include <variant>

namespace stoss::postproc {

/// A measured quantity with its standard error, both in the same unit.
struct Measured {
    double value = 0.0;
    double standard_error = 0.0;
};

/// The samples that a line was fitted to.
struct FitWindow {
    double from = 0.0;  ///< [s]
    double to = 0.0;    ///< [s]
    std::size_t samples = 0;
    double residual = 0.0;  ///< robust standard deviation of the angle from the fit [rad]
    double angle = 0.0;     ///< of the fitted motion, extrapolated to the impact [rad]

    double length() const { return to - from; }
};

/// An impact as the rigid rotation before and after it shows it.
struct RestitutionMeasurement {
    Measured instant;             ///< at which both fitted motions meet [s]
    Measured omega_before;        ///< angular velocity at that instant [rad/s]
    Measured omega_after;         ///< [rad/s]
    Measured cor;                 ///< -omega_after / omega_before
    double cor_systematic = 0.0;  ///< part of its standard error that all traces of a beam share:
                                  ///< whether friction is dry or viscous is not known
    Measured deceleration_before, deceleration_after;  ///< at that instant [rad/s^2]
    Measured friction;      ///< the part of deceleration_before that is friction [rad/s^2]
    Measured acceleration;  ///< by a constant torque [rad/s^2]; 0: the trace shows none
    double damping = 0.0;   ///< rate of the viscous part of friction [1/s]
    FitWindow before, after;
};

/// Why a trace gives no rebound.
struct NoMeasurement {
    std::size_t sample = 0;  ///< where in the trace
    std::string rule;        ///< reads on after the place
    std::string suggestion;
};

/// How the angle was measured.
struct Sampling {
    double resolution = 0.0;  ///< angle of one count [rad]; 0: continuous
    double window = 0.25;     ///< longest motion that is fitted, before and after the impact [s]
};

/// Angle [rad] that a free beam turns in `time` [s], which may be negative, from the angular
/// velocity `omega` [rad/s] on, while friction and a torque decelerate it [rad/s^2] and the viscous
/// part dies away at the rate `damping` [1/s] (theory/experiments.md 14.2).
/// Precondition: |damping * time| is at most a few.
double turned_angle(double omega, double deceleration, double damping, double time);

/// Finds the one impact of a trace and fits the rotation before and after it. A constant torque is
/// fitted too if it is significant.
/// `time` [s] is ascending, `angle` [rad] has one value a time; all are finite.
std::variant<RestitutionMeasurement, NoMeasurement> measure_restitution(
    std::span<const double> time, std::span<const double> angle, const Sampling& sampling);

}  // namespace stoss::postproc
