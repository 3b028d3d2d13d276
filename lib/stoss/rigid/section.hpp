#pragma once
/// The plane of maximum compression and the edge of the friction cone in it, for figures: equations
/// (11.3) and (11.4) of docs/theory/rigid_impact.md.

#include <array>
#include <optional>

#include <stoss/rigid/contact_problem.hpp>

namespace stoss::rigid {

/// Impulses that stop the approach: (A x)_n = b_n. Angles [rad] are those of x_to, from t to o.
class CompressionPlane {
  public:
    /// Precondition: `is_valid(problem)`.
    explicit CompressionPlane(const ContactProblem& problem);

    /// Eccentricity of the edge of the cone in the plane: below 1 an ellipse, above 1 a hyperbola.
    double eccentricity() const;

    /// f = A_nn + mu a.e [1/kg]; the edge exists in the directions in which it is > 0.
    double opening(double angle) const;

    /// x of the edge in a direction; where `opening` is negative, that of the other branch.
    ContactVector edge(double angle) const;

    /// The two directions in which the edge goes to infinity; none on an ellipse.
    std::optional<std::array<double, 2>> poles() const;

    /// The x of the plane with these tangential components [N s].
    ContactVector impulse(double t, double o) const;

    /// The x of the plane with the least objective: it stops the slip.
    ContactVector sticking() const;

    /// x.A x/2 - x.b [J].
    double objective(const ContactVector& x) const { return -dissipated_energy(problem_, x); }

    /// The point with parameter `phase` [rad] of the ellipse on which the objective is `level` [J].
    /// Precondition: `level` >= objective(sticking()).
    ContactVector contour(double level, double phase) const;

  private:
    ContactProblem problem_;
    double C_tt_, C_to_, C_oo_;  // A^ [1/kg]
};

}  // namespace stoss::rigid
