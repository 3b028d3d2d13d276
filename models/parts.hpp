#pragma once
/// Short ways to write the parts of a collision in a program. Each returns a plain struct whose
/// members may be changed afterwards. SI units.

#include <models/beam.hpp>
#include <models/striker.hpp>

namespace stoss::models {

/// The beam as given, checked: ranges of all numbers, supports, section.
/// Errors: core::InputError with everything that is wrong, keys as in a case file (`beam.length`).
Beam beam(Beam given);

/// No displacement at xi = x/l in [0, 1], free rotation.
Support pin(double xi);
/// Neither displacement nor rotation at xi.
Support clamp(double xi);
/// No rotation at xi, free displacement.
Support slider(double xi);

/// A cylinder that does not move, its axis at right angles to the beam's. `radius` [m].
Striker fixed_cylinder(double radius, const StrikerMaterial& material);
/// The same with a sphere. `radius` [m].
Striker fixed_sphere(double radius, const StrikerMaterial& material);

/// A solid sphere: its mass follows from `radius` [m] and density. `velocity` [m/s] is along the
/// axis of w, positive towards the beam.
Striker solid_sphere(double radius, const Material& material, double velocity = 0.0);
/// A solid cylinder of `radius` and `length` [m], its axis at right angles to the beam's.
Striker solid_cylinder(double radius, double length, const Material& material,
                       double velocity = 0.0);

}  // namespace stoss::models
