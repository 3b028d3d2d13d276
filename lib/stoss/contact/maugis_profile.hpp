#pragma once
/// Adhesive elastic spheres whose surfaces attract each other with one stress over a finite range
/// (Maugis 1992).

#include <stoss/core/dual.hpp>

namespace stoss::contact {

/// The stable branch of the theory of Maugis for one parameter lambda
/// (docs/theory/contact_laws.md 8.29, 8.30). Dimensionless: forces in pi w R*, lengths along the
/// normal in x_0 = (pi^2 w^2 R*/K^2)^(1/3), radii in (pi w R*^2/K)^(1/3), K = (4/3) E*.
class MaugisProfile {
  public:
    MaugisProfile() = default;
    /// Precondition: 1e-3 <= lambda <= 1e3.
    explicit MaugisProfile(double lambda);

    /// h_0 = 2/(pi lambda): the distance of the surfaces up to which they attract each other.
    double range() const { return range_; }
    /// Overlap at which the branch ends, below -h_0 or below 0.
    double pull_off() const { return pull_off_; }
    /// The largest pull: 2 for small lambda, 3/2 for large ones.
    double largest_pull() const { return largest_pull_; }

    /// Overlap at which surfaces that attract each other touch too; or the pull-off, if they touch
    /// on the whole branch.
    double touching() const { return parting_; }

    /// Force at overlap d, with its derivative along d; at the pull-off and beyond its value there.
    core::Dual force(double d) const;
    /// Integral of the force from d = -h_0.
    double energy(double d) const;

  private:
    /// A contact by the tangent t of the angle arccos(a/c), with the derivatives by t.
    struct Contact {
        core::Dual a, overlap, force;
    };
    Contact contact(double t) const;
    double tangent_at(double d) const;
    bool touches(double d) const { return d > parting_; }
    double zone_without_contact(double d) const;
    double energy_with_contact(double t) const;
    double energy_without_contact(double d) const;
    void find_end();

    double lambda_ = 1.0;
    double range_ = 0.0;         // h_0
    double parting_ = 0.0;       // d at which the last contact, a = 0, is lost; or the pull-off
    double last_tangent_ = 0.0;  // t there
    double pull_off_ = 0.0;
    double largest_pull_ = 0.0;
    double at_range_ = 0.0;  // energy at d = -h_0
};

}  // namespace stoss::contact
