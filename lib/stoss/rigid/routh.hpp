#pragma once
/// Routh's path of a frictional impact: the normal impulse p grows from 0, and Coulomb's law holds
/// at every instant (Routh 1860; Keller 1986),
///     dv/dp = A (1, -mu v_to/|v_to|) while the contact slides.
/// Equations (11.12) to (11.15) of docs/theory/rigid_impact.md. The path is the same for all
/// hypotheses of restitution: these say where it ends.

#include <stoss/rigid/contact_problem.hpp>
#include <stoss/rigid/restitution.hpp>

namespace stoss::rigid {

/// A point of the path.
struct PathPoint {
    ContactVector impulse;     ///< up to here [N s]; impulse.n is p
    ContactVector velocity;    ///< relative [m/s]
    double normal_work = 0.0;  ///< of the normal impulse, the integral of v_n dp [J]
    double slip_work = 0.0;    ///< of friction, minus the integral of mu |v_to| dp [J]; <= 0

    /// Kinetic energy that is lost up to here [J].
    double dissipated_energy() const { return -(normal_work + slip_work) + 0.0; }
};

/// What happens on the path up to its end.
struct PathEvents {
    bool slip_stops = false;    ///< the slip comes to zero
    bool sticks = false;        ///< it stays there
    bool slides_again = false;  ///< friction cannot hold it: slip reversal, if the path is planar
    bool jams = false;          ///< sliding increases the speed of approach
    double stop_impulse = 0.0;  ///< p where the slip comes to zero [N s]; 0 if it does not
    int compressions = 0;       ///< phases in which the bodies approach
};

/// An impact along Routh's path.
struct RouthImpact {
    Impact impact;  ///< `compression` is the path up to its last end of approach
    PathEvents events;
};

/// A step in which the slip turns spans this share of the way to the nearest direction that it
/// keeps. The error falls with the eighth power of it.
inline constexpr double turning_share = 0.0625;

/// The impact with the coefficient of restitution `e` in [0, 1]. Separating bodies (b.n < 0, or
/// b.n = 0 where sliding does not press) get no impulse. Does not throw, does not allocate.
RouthImpact routh_impact(const ContactProblem& problem, double e, Restitution hypothesis,
                         double share = turning_share);

/// The point of the path where the normal impulse is p >= 0 [N s], whatever v_n is there. Numbers
/// are NaN if the problem is invalid.
PathPoint routh_point(const ContactProblem& problem, double p, double share = turning_share);

}  // namespace stoss::rigid
