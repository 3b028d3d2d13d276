#include <models/collision_bodies.hpp>

#include <utility>

#include <models/rigid_motion.hpp>

namespace stoss::models {

namespace {

/// A cylinder or sphere, with what rings in it.
modal::ModalBody body_of(const Striker& striker) {
    if (striker.inner.empty()) return modal::point_mass(striker.total_mass());
    std::vector<double> masses{striker.outer_mass()}, stiffnesses;
    for (const InnerMass& each : striker.inner) {
        masses.push_back(each.mass);
        stiffnesses.push_back(each.stiffness);
    }
    return modal::mass_chain(masses, stiffnesses, striker.inner_damping_time);
}

/// Constant forces on the rigid modes of a beam, phi_r F at the place of each force
/// (theory/collision.md 6.13); gravity is one at the centre of mass. `shapes`: phi of all modes at
/// xi.
template <class Shapes>
std::vector<double> rigid_loads(const Beam& beam, double gravity,
                                const std::vector<PointLoad>& loads, Eigen::Index rigid,
                                Shapes&& shapes) {
    Eigen::VectorXd forces =
        beam.mass() * gravity * shapes(beam.centre_of_mass() / beam.length).head(rigid);
    for (const PointLoad& load : loads) forces += load.force * shapes(load.xi).head(rigid);
    return {forces.begin(), forces.end()};
}

/// The striker as a body of its modes. `other`: the beam that strikes, if one does.
modal::ModalBody body_of(const Striker& striker, const BeamBody* other) {
    return other ? other->at(striker.striking_beam()->xi) : body_of(striker);
}

/// How the modes of the struck beam move, before any scaling, and what acts on them.
ModalMotion modal_motion_of_beam(const BeamCollision& parameters, const StruckBeam& struck) {
    const Beam& beam = parameters.beam;
    const BeamBody& body = *struck.body();
    ModalMotion motion;
    motion.rigid_rates = rigid_rates(beam, motions_of(parameters).beam, body.rigid_momenta);
    motion.rigid_loads = rigid_loads(beam, parameters.motion.gravity, parameters.motion.loads,
                                     body.basis.rigid, [&](double xi) {
                                         Eigen::VectorXd phi;
                                         struck.shapes_at(xi, phi);
                                         return phi;
                                     });
    body.vibrate(parameters.motion.vibration, motion);
    return motion;
}

/// The same for the striker, whose body is `body`.
ModalMotion modal_motion_of_striker(const BeamCollision& parameters, const modal::ModalBody& body,
                                    const BeamBody* other_body) {
    const Striker& striker = parameters.striker;
    const double gravity = parameters.motion.gravity;
    const RigidMotion rigid = motions_of(parameters).striker;
    ModalMotion motion;
    if (const StrikingBeam* const other = striker.striking_beam()) {
        motion.rigid_rates = rigid_rates(other->beam, rigid, other_body->rigid_momenta);
        motion.rigid_loads =
            rigid_loads(other->beam, gravity, other->loads, other_body->basis.rigid,
                        [&](double xi) { return other_body->shapes_at(xi); });
        other_body->vibrate(other->vibration, motion);
        return motion;
    }
    if (body.rigid == 0) return motion;
    const double phi = body.phi.front();  // 1/sqrt(mass)
    motion.rigid_rates = {rigid.velocity / phi};
    motion.rigid_loads = {gravity / phi + striker.load * phi};
    return motion;
}

}  // namespace

CollisionBodies::CollisionBodies(const BeamCollision& parameters,
                                 std::shared_ptr<const BeamBody> beam,
                                 std::shared_ptr<const BeamBody> striking_beam)
    : parameters_(parameters),
      beam_(parameters.beam, parameters.motion.inclination, std::move(beam)),
      striking_beam_(std::move(striking_beam)),
      beam_motion_(modal_motion_of_beam(parameters, beam_)),
      striker_(body_of(parameters.striker, striking_beam_.get())),
      striker_motion_(modal_motion_of_striker(parameters, striker_, striking_beam_.get())) {
    if (parameters.beam.is_uniform()) contact_ = contact_at(0.0);
}

CollisionBodies::At CollisionBodies::at(double xi) const {
    const double scale = motion_scale(xi);
    return {beam_.at(xi), striker_, beam_motion_.scaled(scale), striker_motion_.scaled(scale)};
}

impact::ContactSetup CollisionBodies::contact_at(double xi) const {
    if (contact_) return *contact_;
    return {law_at(parameters_, xi), parameters_.contact.separation};
}

double CollisionBodies::motion_scale(double xi) const {
    const double speed = rigid_approach_speed(parameters_, xi);
    return parameters_.motion.closing_speed().value_or(speed) / speed;
}

}  // namespace stoss::models
