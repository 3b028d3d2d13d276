#pragma once
/// Contact stiffness from shapes and materials: Hertz (1881), Johnson (1985), sections 4.1 and 4.2;
/// equations (5.2) to (5.9) of docs/theory/contact.md.

namespace stoss::contact {

/// E* [Pa] of two isotropic elastic bodies, 1/E* = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2 (5.2).
/// An infinite modulus is a rigid body.
double effective_modulus(double youngs_modulus_1, double poisson_ratio_1, double youngs_modulus_2,
                         double poisson_ratio_2);

/// A surface at the point of contact: its principal curvatures [1/m], > 0 where it is convex.
struct Surface {
    double curvature_1 = 0.0;  ///< [1/m]
    double curvature_2 = 0.0;  ///< [1/m]
};

/// Radii > 0 [m]. The first principal direction of a cylinder is around it, the second along it.
Surface sphere(double radius);
/// A cylinder of that radius [m].
Surface cylinder(double radius);
/// A plane.
Surface plane();
/// The inside of a sphere, and of a cylinder, of that radius [m].
Surface socket(double radius);  ///< concave
Surface groove(double radius);  ///< concave, along its axis straight; the radius in [m]

/// The gap of two surfaces that touch, x^2/(2 R_x) + y^2/(2 R_y): its principal curvatures [1/m],
/// 1/R_x <= 1/R_y. A curvature of 0: they touch along a line; below 0: not at this point alone.
struct Gap {
    double smaller = 0.0;  ///< 1/R_x
    double larger = 0.0;   ///< 1/R_y
};

/// (5.3). `angle` [rad] between the first principal directions of the two surfaces.
Gap gap_between(const Surface& first, const Surface& second, double angle);

/// R* = sqrt(R_x R_y) [m], the Gaussian radius of curvature of the gap (5.4). Infinite for a line
/// contact.
double gaussian_radius(const Gap& gap);

/// Hertz stiffness k [N/m^(3/2)] = (4/3) E* sqrt(R*) (5.5) of a circular contact of radius of
/// curvature R*.
double hertz_stiffness(double effective_modulus, double gaussian_radius);

/// Hertz stiffness k [N/m^(3/2)] of the elliptical contact that the gap gives (5.6) to (5.8).
/// Precondition: both curvatures of the gap > 0 (a line contact has no such stiffness).
double elliptical_stiffness(double effective_modulus, const Gap& gap);

/// Ratio b/a <= 1 of the half axes of the contact ellipse (5.6).
double axis_ratio(const Gap& gap);

/// The area of a Hertz contact and the pressure in its middle (5.9).
struct ContactEllipse {
    double a = 0.0;         ///< longer half axis [m]
    double b = 0.0;         ///< shorter half axis [m]
    double pressure = 0.0;  ///< p_0 = 3 F/(2 pi a b) [Pa]

    /// The ellipse under `force` >= 0 [N], scaled from this one under 1 N: all three numbers are
    /// proportional to F^(1/3).
    ContactEllipse under(double force) const;
    /// sqrt(a b) [m]: radius of the circle of the same area.
    double radius() const;
};

/// The ellipse under 1 N. Precondition: both curvatures of the gap > 0.
ContactEllipse unit_contact_ellipse(double effective_modulus, const Gap& gap);

}  // namespace stoss::contact
