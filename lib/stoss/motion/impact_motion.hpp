#pragma once
/// The motion of bodies that meet again and again, at any number of places
/// (docs/theory/impact_motion.md).

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <stoss/motion/system.hpp>

namespace stoss::motion {

/// One impact: a maximal interval in which a contact force acts, or an impulse.
struct Impact {
    std::size_t contact = 0;          ///< place in System::contacts
    double start = 0.0, end = 0.0;    ///< [s]
    double approach_speed = 0.0;      ///< closing speed of the contact points at the start [m/s]
    double separation_speed = 0.0;    ///< opening speed at the end [m/s]
    double impulse = 0.0;             ///< [N s]
    double peak_force = 0.0;          ///< [N]; infinite for an impulse
    double loss = 0.0;                ///< energy lost in the contact along the normal [J]
    double tangential_impulse = 0.0;  ///< on the first body along the first tangent [N s]
    double lateral_impulse = 0.0;     ///< along the second one [N s]
    double slip = 0.0;  ///< way of the first body's surface on the second one's, first tangent [m]
    double lateral_slip = 0.0;   ///< along the second one [m]
    double friction_loss = 0.0;  ///< energy lost by friction [J]
};

/// Energies of the bodies and contacts, losses, and work of loads since time 0 [J].
struct MotionEnergy {
    double initial = 0.0;        ///< of all modes at time 0
    double modes = 0.0;          ///< of all modes: kinetic, and elastic of vibrations
    double contacts = 0.0;       ///< stored in the contacts, tangential springs included
    double contact_loss = 0.0;   ///< lost in the contacts along their normals
    double friction_loss = 0.0;  ///< lost by friction, and by tangential springs whose contact ends
    double structural_loss = 0.0;  ///< taken by the modal dampings
    double load_work = 0.0;        ///< work of the constant forces
    double drive_work = 0.0;       ///< work of the harmonic forces and of the driven surfaces
    /// What the numbers gained: 0 for an exact computation. Free motion is exact; there the work of
    /// harmonic forces and the loss by dampings are told apart by quadrature.
    double residual() const {
        return modes + contacts + (contact_loss + friction_loss) + structural_loss - initial -
               load_work - drive_work;
    }
};

/// Why the motion does not go on.
enum class MotionStatus {
    running,     ///< it can go on
    separated,   ///< no contact is possible ever again
    rests,       ///< impacts by Newton's law follow each other without end (27.9)
    not_finite,  ///< the motion diverged
    pushed,      ///< a force law acts on a body that rests on a surface by Newton's law
    unsolved,  ///< no contact forces were found, even in the shortest step; that step is not taken
};

/// Word for tables and messages.
std::string_view to_string(MotionStatus status);

/// Follows a system in time: free motion is exact, contact forces are polynomials over short steps
/// found by collocation, and every begin of a contact is located on the exact motion.
///
/// Steps in contact are those of the splitting scheme (theory/splitting_scheme.md 12.2 to 12.5) for
/// the given tolerance.
class ImpactMotion {
  public:
    /// `tolerance`: relative error of the energy after 10,000 impacts that is aimed at, in
    /// (0, 1e-2]; one impact may add a ten thousandth of it. Keeps a copy of `system`.
    /// Errors: throws core::InputError with what `check` finds.
    ImpactMotion(System system, double tolerance);
    ~ImpactMotion();
    ImpactMotion(ImpactMotion&&) noexcept;
    ImpactMotion& operator=(ImpactMotion&&) noexcept;

    /// Goes on to `time` [s], exactly. `ended` gets each impact when it ends; if it answers false,
    /// the motion stops there: the next call goes on. Stops also where status() is no longer
    /// `running`. Nothing allocates once every step length has been used, but systems of equations
    /// of several contacts that act at once.
    /// Errors: throws core::NumericalError where Newton's law of impact gives no impulses.
    void advance(double time, const std::function<bool(const Impact&)>& ended = {});

    /// Moves the state aside: adds to q_j [sqrt(kg) m] and q_j' [sqrt(kg) m/s] of all modes. For
    /// small changes: contacts that act go on to act, and no energy is accounted for. Not inside of
    /// `ended`.
    /// Errors: throws core::InputError if the numbers are not as many as the modes.
    void displace(std::span<const double> coordinates, std::span<const double> rates);

    MotionStatus status() const;
    double time() const;  ///< [s]
    /// q_j [sqrt(kg) m] and q_j' [sqrt(kg) m/s].
    std::vector<double> coordinates() const;
    std::vector<double> rates() const;
    double overlap(std::size_t contact) const;       ///< [m]; negative: gap
    double overlap_rate(std::size_t contact) const;  ///< [m/s]
    double force(std::size_t contact) const;         ///< [N]
    /// Of friction on the first body along the first and the second tangent [N]; 0 without.
    std::array<double, 2> tangential_force(std::size_t contact) const;
    /// Velocity [m/s] of the first body's surface against the second one's along both tangents; 0
    /// without friction.
    std::array<double, 2> slip_rate(std::size_t contact) const;
    bool is_touching() const;  ///< true while any contact acts
    /// True if an impact of the contact has had no damping: the law takes it from a wanted
    /// restitution and the approach speed, and the bodies already touched without one.
    bool lacked_damping(std::size_t contact) const;
    /// True if an impact of the contact began in the dent that earlier ones had left.
    bool met_dent(std::size_t contact) const;
    MotionEnergy energy() const;
    std::size_t impacts() const;  ///< begun so far
    std::size_t steps() const;    ///< of the time scheme
    const System& system() const;

    /// The state as numbers: `take_up` of another motion of the same system and tolerance makes
    /// that one go on with the same bits. Not inside of `ended`.
    std::vector<double> state() const;
    /// Errors: throws core::InputError if the numbers are not as many as those of such a motion.
    void take_up(std::span<const double> state);

  private:
    class Integration;
    std::unique_ptr<Integration> integration_;
};

}  // namespace stoss::motion
