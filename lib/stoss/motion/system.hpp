#pragma once
/// Bodies that meet at many places: the model of `motion::ImpactMotion`.
///
/// All bodies are their modes, in one list of n modes (theory/impact_motion.md 27.1):
///     q_j'' + d_j q_j' + lambda_j q_j = sum_c phi_cj F_c + sum_k a_kj cos(W_k t + b_k),
/// and contact c has the overlap
///     x_c = -g_c - sum_j phi_cj q_j + sum_k s_kc cos(W_k t + b_k) - sum_d R_cd F_d,
/// with the force F_c >= 0 by its law. phi_cj is the mode value at the contact point of one body
/// and minus that of the other.

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/laws.hpp>
#include <stoss/contact/tangential_law.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::motion {

/// The contact force follows from overlap and rate.
struct CompliantContact {
    contact::Law law;                                                  ///< of the two bodies
    contact::Separation separation = contact::Separation::zero_force;  ///< when contact ends
    /// m [kg] of the relative motion, from which a law finds the damping of a wanted restitution;
    /// 0: that of the modes with lambda_j = 0 (theory/contact_laws.md 8.5).
    double effective_mass = 0.0;
};

/// Newton's law of impact: an impulse turns the closing speed v into the opening speed e v at once.
/// For bodies that the modes describe wholly (rigid bodies, masses on springs). With vibrations of
/// a flexible body the impulse would depend on the number of its modes.
struct NewtonImpact {
    double cor = 1.0;  ///< e in [0, 1]
};

/// Coulomb's friction with a tangential compliance, |T| <= mu F: a spring in series with a slider,
/// or a bed of such springs (theory/impact_motion.md 27.14, 27.26). T > 0 pushes the first body
/// along the tangent.
struct ContactFriction {
    /// n values [1/sqrt(kg)]: displacement along the tangent of the first body less that of the
    /// second one.
    std::vector<double> phi;
    double mu = 0.0;               ///< [-]
    double stiffness = 0.0;        ///< k_t of the spring [N/m]; 0: it follows the normal law
    double stiffness_ratio = 0.0;  ///< then k_t over the slope dF/dx of the law at rest [-]
    /// The same values of a second tangent, at a right angle to the first one; empty: the bodies
    /// move in a plane.
    std::vector<double> lateral_phi = {};
    /// A spring with a slider, without damping; a bed of springs, whose stiffness follows the
    /// normal law; or nothing.
    contact::TangentialLaw tangential = {};
};

/// One contact.
struct Contact {
    /// n values [1/sqrt(kg)]: those of one body positive, of the other negative. A force F > 0
    /// pushes the first body along its own positive axis.
    std::vector<double> phi;
    double gap = 0.0;  ///< g [m] where all coordinates are 0; may be negative
    std::variant<CompliantContact, NewtonImpact> law;
    std::optional<ContactFriction> friction = {};  ///< none: nothing acts across the normal
};

/// What drives the bodies at one frequency and phase: cos(W t + b). W = 0, b = 0: constant forces.
struct Drive {
    double frequency = 0.0;        ///< W >= 0 [rad/s]
    double phase = 0.0;            ///< b [rad]
    std::vector<double> forces;    ///< a_kj on the modes [sqrt(kg) m/s^2]; empty: none
    std::vector<double> surfaces;  ///< s_kc of the contacts [m]; empty: none
};

/// Bodies, contacts, drives, and the motion at time 0.
struct System {
    std::vector<double> eigenvalues;  ///< lambda_j >= 0 [1/s^2]
    std::vector<double> dampings;     ///< d_j >= 0 [1/s]
    std::vector<double> coordinates;  ///< q_j(0) [sqrt(kg) m]
    std::vector<double> rates;        ///< q_j'(0) [sqrt(kg) m/s]
    std::vector<Contact> contacts;
    std::vector<Drive> drives;
    /// R_cd [m/N] of the modes that are left out: what a force in contact d yields at contact c.
    /// Contacts x contacts by rows, symmetric; empty: none. For laws that `acts_in_series` admits.
    std::vector<double> residual_flexibility = {};

    std::size_t modes() const { return eigenvalues.size(); }
};

/// True if the law can act in series with a residual flexibility: its force begins and ends without
/// a jump, also a damping force. For other laws a mode must replace the omitted modes.
/// Errors: throws core::InputError if the law lacks a number.
bool acts_in_series(const contact::Law& law);

/// m [kg] of the relative motion at a contact with a force law; infinite if no mode with lambda_j =
/// 0 moves it and none is given. Precondition: `check` finds nothing wrong with its numbers.
double effective_mass(const System& system, std::size_t contact);

/// Number of the directions in which contacts act: their m normals and, if there is friction, their
/// m tangents; if there are second ones, those.
std::size_t directions(const System& system);

/// Mode values [1/sqrt(kg)] of a direction: normal of contact d for d < m, first tangent of contact
/// d - m for d < 2 m, second tangent of contact d - 2 m for others. Precondition: it has one.
const std::vector<double>& direction(const System& system, std::size_t d);

/// What is wrong with a system, by the name of the member: sizes, signs, numbers that are not
/// finite, bodies that overlap at time 0. Empty: nothing.
std::vector<core::Violation> check(const System& system);

}  // namespace stoss::motion
