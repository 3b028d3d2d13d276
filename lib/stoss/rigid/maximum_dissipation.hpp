#pragma once
/// The impact of maximum dissipation at one contact (Preclik, Eibl & Ruede 2017), solved exactly:
///     minimise x.A x/2 - x.b
///     subject to |x_to| <= mu x_n,  0 <= (A x - b)_n _|_ x_n >= 0,  (A x)_n >= 0.
/// Unique; equations (11.2) to (11.6) of docs/theory/rigid_impact.md. Over a million random
/// contacts of 14 hard kinds (tests/rigid_sweep.cpp) the median relative error of the impulse is
/// 1.4e-16, the largest 2.4e-7.

#include <array>
#include <cmath>

#include <stoss/rigid/contact_problem.hpp>

namespace stoss::rigid {

/// Solves one contact problem. Invalid input is Status::invalid (told by `violations`). Does not
/// throw, does not allocate.
ContactSolution maximum_dissipation(const ContactProblem& problem);

/// One contact whose A and mu stay while b changes: what does not depend on b is computed once.
class PreparedContact {
  public:
    /// No contact: `solve` returns Status::invalid.
    PreparedContact() = default;
    PreparedContact(const ContactMatrix& A, double mu);

    const ContactMatrix& matrix() const { return A_; }  ///< A

    /// maximum_dissipation({A, b, mu}), bit by bit.
    ContactSolution solve(const ContactVector& b) const;

  private:
    ContactMatrix A_;
    std::array<double, 12> prepared_{};  // fields of the kernel's Prepared
};

/// The contact of two spheres, or of a sphere and a wall: normal and tangent do not couple, and
/// both tangents are alike, so that the solution is a closed form and Coulomb's, too.
struct SphereContact {
    double normal_mass;      ///< 1/A_nn [kg]
    double tangential_mass;  ///< 1/A_tt = 1/A_oo [kg]
    double mu;               ///< [-]

    /// The impulse [N s] of maximum dissipation.
    ContactVector impulse(const ContactVector& b) const {
        const double n = b.n > 0.0 ? normal_mass * b.n : 0.0;
        const double stick = tangential_mass * std::sqrt(b.t * b.t + b.o * b.o);
        const double share = stick > mu * n ? mu * n / stick : 1.0;
        return {n, share * tangential_mass * b.t, share * tangential_mass * b.o};
    }
};

}  // namespace stoss::rigid
