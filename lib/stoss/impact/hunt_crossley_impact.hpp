#pragma once
/// Closed forms of one impact on Hunt and Crossley's law: equations (10.1) to (10.4) of
/// docs/theory/point_impact.md (Papetti, Avanzini and Rocchesso 2011).

namespace stoss::impact {

/// e of (10.4), the nonlocal fit of Papetti et al. 2011, (7) and (8), for z = mu v_0 >= 0. It is
/// off by at most 2.05 % (at z = 3.0), by less than 1 % for z < 1.65 or z > 5.01.
double fitted_hunt_crossley_restitution(double z);

/// A point mass m that meets F = k x^n (1 + mu v) at speed v_0 > 0, without any other force. With
/// mu = 0 it is Hertz's law. The velocity v falls from v_0 to that of the rebound, and everything
/// is a function of it. Nothing loses digits as mu goes to 0.
class HuntCrossleyImpact {
  public:
    /// Mass [kg] > 0, k [N/m^n] > 0, n >= 1, mu [s/m] >= 0, v_0 [m/s] > 0.
    HuntCrossleyImpact(double mass, double stiffness, double exponent, double damping_factor,
                       double approach_speed);

    double approach_speed() const { return approach_speed_; }
    double exponent() const { return exponent_; }

    /// z = mu v_0.
    double number() const { return damping_factor_ * approach_speed_; }

    /// Velocity [m/s] < 0 at which the overlap is zero again, by Lambert's W
    /// (theory/contact_laws.md 8.8).
    double rebound_velocity() const { return rebound_velocity_; }

    /// The same by the fit (10.4).
    double fitted_rebound_velocity() const;

    /// x(v) [m] (10.1). Where v is outside the impact, beyond v_0 or the rebound, (10.1) has a
    /// negative number below its root: then this is minus the root of its modulus.
    double overlap(double velocity) const;

    /// Largest overlap x(0) [m].
    double largest_overlap() const { return overlap(0.0); }

    /// H(v) [J], kinetic and stored energy (10.2).
    double energy(double velocity) const;

    /// Energy [J] that the impact takes away: H(v_0) - H(rebound).
    double energy_loss() const;

    /// Duration [s] of the contact (10.3); infinite where 1 + mu v of the rebound is below the
    /// least double (z > 700).
    double contact_time() const;

  private:
    double work(double end, double change) const;
    double work(double velocity) const;
    double overlap_of(double work) const;

    double mass_, stiffness_, exponent_, damping_factor_, approach_speed_, rebound_velocity_;
};

}  // namespace stoss::impact
