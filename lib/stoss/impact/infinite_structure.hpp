#pragma once
/// A Hertz contact on a plate or beam so large that no wave returns during the contact
/// (docs/theory/infinite_structures.md).

#include <cmath>

namespace stoss::impact {

/// What is struck, far from its edges.
enum class InfiniteStructure {
    plate,  ///< its velocity follows the force (Zener 1941)
    beam    ///< its velocity is half an integral of the force
};

/// The impact in the scales of the elastic one: time T = (m/(k sqrt(v0)))^(2/5), overlap v0 T,
/// force m v0/T.
struct InfiniteImpact {
    double cor = 0.0;           ///< e: velocity of the striker after over before; < 0: it follows
    double duration = 0.0;      ///< of the contact force
    double peak_force = 0.0;    ///< largest contact force
    double peak_overlap = 0.0;  ///< largest overlap
    double cor_error = 0.0;     ///< estimated error of e

    /// False: the striker stays in contact, so cor, duration and cor_error are NaN.
    bool ends() const { return !std::isnan(cor); }
};

/// The impact by (17.3). `parameter` >= 0: lambda (17.1) of a plate, eta (17.2) of a beam. A
/// contact with a beam of an eta above 2.85 does not end; nor is the end found with a plate of a
/// lambda above 2500, after more than 1e5 T. Steps that grow with time, extrapolated from three
/// sizes: some ms.
InfiniteImpact infinite_impact(InfiniteStructure structure, double parameter);

/// lambda = m Z/T, Z = 1/(8 sqrt(rho h D)) [s/kg] (17.1). mass [kg], time scale T [s], rho h
/// [kg/m^2], D [N m].
double plate_parameter(double mass, double time_scale, double mass_per_area,
                       double bending_stiffness);

/// eta = m/(mu sqrt(2 pi a T)), a = sqrt(EI/mu) [m^2/s] (17.2). mu [kg/m], EI [N m^2].
double beam_parameter(double mass, double time_scale, double mass_per_length,
                      double bending_stiffness);

/// T = (m/(k sqrt(v0)))^(2/5) [s]; k [N/m^(3/2)], v0 [m/s].
double hertz_time_scale(double mass, double stiffness, double speed);

}  // namespace stoss::impact
