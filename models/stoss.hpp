#pragma once
/// <stoss/stoss.hpp>: what a first program needs. SI units everywhere.
///
/// Everything here is a value: it refers to nothing outside, and may be copied, stored and shared
/// between threads. `SphereBox` is the exception: it may be moved, but not copied or shared. Wrong
/// input is core::InputError with key, value and rule of everything that is wrong; numerical
/// failure is a status of the result.

#include <models/beam.hpp>
#include <models/beam_collision.hpp>
#include <models/checked_beam_model.hpp>
#include <models/materials.hpp>
#include <models/modal_collision.hpp>
#include <models/parts.hpp>
#include <models/pendulum_pair.hpp>
#include <models/point_impacts.hpp>
#include <models/section.hpp>
#include <models/sphere_box.hpp>
#include <models/striker.hpp>
#include <stoss/contact/laws.hpp>
#include <stoss/core/arrays.hpp>
#include <stoss/core/error.hpp>
#include <stoss/impact/bouncing_ball.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/rigid/contacts.hpp>
#include <stoss/rigid/coulomb.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>

namespace stoss {

using core::InputError;
using core::linspace;
using core::NumericalError;

// The beam and its parts.
using models::Beam;
using models::Dashpot;
using models::EulerBernoulli;
using models::Material;
using models::PointMass;
using models::SpringSupport;
using models::Support;
using models::Timoshenko;

using models::Circle;
using models::Ellipse;
using models::GeneralSection;
using models::ISection;
using models::Profile;
using models::Rectangle;
using models::Section;
using models::Station;
using models::Tube;

using models::beam;
using models::clamp;
using models::pin;
using models::slider;

using models::aluminium;
using models::ash;
using models::brass;
using models::copper;
using models::glass;
using models::polystyrene;
using models::ptfe;
using models::rubber;
using models::stainless_steel;
using models::steel;

// The striker.
using models::Cylinder;
using models::fixed_cylinder;
using models::fixed_sphere;
using models::solid_cylinder;
using models::solid_sphere;
using models::Sphere;
using models::Striker;
using models::StrikingBeam;

// The collision.
using models::BeamCollision;
using models::Collision;
using models::CollisionMap;
using BeamModel = models::CheckedBeamModel;
using contact::Law;
using contact::Separation;
using impact::CollisionResult;
using impact::Status;
using time::Newmark;
using time::Splitting;

// Bodies whose modes come from elsewhere.
using impact::ContactSetup;
using modal::ModalBody;
using models::collide;
using models::ModalCollisionOptions;
using models::ModesInMotion;
using models::moving;
using models::moving_mass;

// Impacts of a point mass.
using impact::Calibration;
using impact::Fall;
using impact::Restitution;
using impact::Wanted;
using models::calibrate;
using models::restitution;
using models::SingleImpact;

// Two pendulums.
using models::PendulumMotion;
using models::PendulumPair;
using models::PendulumRod;
using models::swing;

// Spheres in a box. Rigid contacts are in namespace stoss::rigid.
using models::SphereBox;
using models::SphereBoxParameters;
using models::SphereFriction;
using models::SphereLattice;
using models::SphereStepping;

}  // namespace stoss
