#pragma once
/// One collision of a compliant sphere with a plane or with another sphere, with spin and friction,
/// by the time steps of a CompliantAssembly (docs/theory/compliant_spheres.md).

#include <optional>
#include <string_view>
#include <vector>

#include <stoss/core/fields.hpp>
#include <stoss/granular/compliant_assembly.hpp>
#include <stoss/granular/spheres.hpp>

namespace stoss::granular {

/// How it ended.
enum class SphereCollisionStatus {
    separated,
    still_touching,  ///< after twenty contact times
    not_finite,      ///< the motion diverged
    sticks           ///< it never ends; not an answer of `collide`, which knows the steps only
};

/// Word for tables and messages.
std::string_view to_string(SphereCollisionStatus status);

/// Velocities of a body: of the centre along the normal and across it, and of spin.
struct SphereVelocities {
    double normal = 0.0;      ///< > 0: away from the target [m/s]
    double tangential = 0.0;  ///< [m/s]
    double angular = 0.0;     ///< [rad/s]
};

/// The collision at one time.
struct SphereCollisionSample {
    double time, overlap, normal_force, tangential_force;  ///< [s], [m], [N]; force on the sphere
    double slip;              ///< velocity of its surface across that of the target [m/s]
    double angular_velocity;  ///< of the sphere [rad/s]
    CompliantEnergy energy;   ///< at that time
};

/// Directions are those of the first contact.
struct SphereCollisionResult {
    SphereCollisionStatus status = SphereCollisionStatus::not_finite;  ///< how it ended
    SphereVelocities sphere, target;                                   ///< after
    double slip_before = 0.0, slip = 0.0;  ///< of the contact points [m/s]
    std::optional<double> cor = {};        ///< along the normal
    std::optional<double> duration = {};   ///< with force; to half a step [s]
    double peak_force = 0.0;               ///< along the normal [N]
    double peak_overlap = 0.0;             ///< [m]
    CompliantEnergy energy;                ///< after
    double energy_residual = 0.0;          ///< change of the sum of all energies, of the first [-]
    double momentum_residual = 0.0;        ///< largest change of what is conserved, of m v [-]
    bool slid = false;                     ///< in every step with force
};

/// The bodies at first contact, which is at the origin, its normal along z, the sphere above.
struct SphereCollision {
    std::vector<Sphere> bodies;  ///< the sphere, which moves in the plane of x and z; and its
                                 ///< target, whose centre rests, or none: the plane z = 0
    CompliantStepping stepping;  ///< step, law, friction
    int steps = 0;               ///< in a contact time, which is `steps` times `stepping.step`
};

/// `samples`, if given, gets a thousand samples in a contact time.
SphereCollisionResult collide(const SphereCollision& collision,
                              std::vector<SphereCollisionSample>* samples);

}  // namespace stoss::granular
