#include <models/beam_model.hpp>

#include <span>
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

/// The other beam of a collision; null if the striker is none.
std::shared_ptr<const BeamBody> striking_body(const BeamCollision& parameters) {
    const StrikingBeam* const other = parameters.striker.striking_beam();
    return other ? std::make_shared<const BeamBody>(other->beam, parameters.mesh) : nullptr;
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

BeamScales::BeamScales(const Beam& beam)
    : length(beam.length),
      time(beam.time_scale()),
      force(beam.bending_stiffness() / (beam.length * beam.length)),
      speed(length / time) {}

BeamModel::BeamModel(const BeamCollision& parameters)
    : BeamModel(parameters, std::make_shared<const BeamBody>(parameters.beam, parameters.mesh),
                striking_body(parameters)) {}

BeamModel::BeamModel(const BeamCollision& parameters, const BeamModel& same_beam)
    : BeamModel(parameters, same_beam.beam_.body(), striking_body(parameters)) {}

BeamModel::BeamModel(const BeamCollision& parameters, std::shared_ptr<const BeamBody> beam,
                     std::shared_ptr<const BeamBody> striking_beam)
    : parameters_(parameters),
      scales_(parameters.beam),
      beam_(parameters.beam, parameters.motion.inclination, std::move(beam)),
      striking_beam_(std::move(striking_beam)),
      motion_(modal_motion_of_beam(parameters, beam_)),
      striker_(body_of(parameters.striker, striking_beam_.get())),
      striker_motion_(modal_motion_of_striker(parameters, striker_, striking_beam_.get())) {
    if (parameters.beam.is_uniform()) contact_ = contact_at(0.0);
    collider_.emplace(beam_.at(0.0), striker_, contact_at(0.0), parameters.integration.scheme);
}

BeamModel BeamModel::reduced(const BeamCollision& parameters) const {
    const Mesh& own = parameters_.mesh;
    const Mesh& mesh = parameters.mesh;
    const bool is_same = mesh.modes.value() == own.modes.value() &&
                         mesh.residual_flexibility == own.residual_flexibility;
    if (is_same) return {parameters, beam_.body(), striking_beam_};
    const StrikingBeam* const other = parameters.striker.striking_beam();
    return {parameters, std::make_shared<const BeamBody>(*beam_.body(), parameters.beam, mesh),
            other ? std::make_shared<const BeamBody>(*striking_beam_, other->beam, mesh) : nullptr};
}

impact::ContactSetup BeamModel::contact_at(double xi) const {
    if (contact_) return *contact_;
    return {law_at(parameters_, xi), parameters_.contact.separation};
}

/// Memory of the collisions of one thread.
struct BeamModel::Scratch {
    impact::Collider::Workspace workspace;
    Eigen::VectorXd phi;
    std::vector<double> beam_rates, striker_rates;
};

bool BeamModel::approaches(double xi, impact::CollisionResult& result) const {
    const double approach = rigid_approach_speed(parameters_, xi);
    if (approach > 0.0) return true;
    result = {};
    result.status = impact::Status::no_approach;
    result.approach_speed = approach;
    return false;
}

impact::CollisionStream::Collision BeamModel::approach(double xi, double speed,
                                                       Scratch& scratch) const {
    const double scale = speed * motion_scale(xi);
    const double residual = beam_.shapes_at(xi, scratch.phi);
    scratch.beam_rates = motion_.rigid_rates;
    scratch.striker_rates = striker_motion_.rigid_rates;
    for (double& rate : scratch.beam_rates) rate *= scale;
    for (double& rate : scratch.striker_rates) rate *= scale;
    const std::span<const double> phi(scratch.phi.data(),
                                      static_cast<std::size_t>(scratch.phi.size()));
    return {0,
            &*collider_,
            {phi, scratch.beam_rates, motion_.vibration, motion_.vibration_rates,
             motion_.rigid_loads, residual},
            {striker_.phi, scratch.striker_rates, striker_motion_.vibration,
             striker_motion_.vibration_rates, striker_motion_.rigid_loads,
             striker_.residual_flexibility},
            contact_at(xi),
            time_limit()};
}

impact::CollisionResult BeamModel::collide(double xi, double speed,
                                           impact::History* history) const {
    impact::CollisionResult result;
    if (!approaches(xi, result)) return result;
    thread_local Scratch scratch;
    const auto collision = approach(xi, speed, scratch);
    collider_->collide(collision.first, collision.second, collision.contact, collision.time_limit,
                       scratch.workspace, result, history);
    return result;
}

/// Requests as collisions of their bodies. Those whose bodies do not close are answered at once.
class BeamModel::RequestStream : public impact::CollisionStream {
  public:
    RequestStream(const std::function<bool(CollisionRequest&)>& next,
                  const std::function<void(std::size_t, const impact::CollisionResult&)>& take,
                  Scratch& scratch)
        : next_(next), take_(take), scratch_(scratch) {}

    bool next(Collision& collision) override {
        CollisionRequest request;
        while (next_(request)) {
            impact::CollisionResult apart;
            if (request.model->approaches(request.xi, apart)) {
                collision = request.model->approach(request.xi, request.speed, scratch_);
                collision.id = request.id;
                return true;
            }
            take_(request.id, apart);
        }
        return false;
    }

    void take(std::size_t id, const impact::CollisionResult& result) override { take_(id, result); }

  private:
    const std::function<bool(CollisionRequest&)>& next_;
    const std::function<void(std::size_t, const impact::CollisionResult&)>& take_;
    Scratch& scratch_;
};

void BeamModel::collide_all(
    const std::function<bool(CollisionRequest&)>& next,
    const std::function<void(std::size_t, const impact::CollisionResult&)>& take) {
    thread_local Scratch scratch;  // not that of `collide`, which `take` may call
    RequestStream requests(next, take, scratch);
    impact::Collider::collide_all(requests, scratch.workspace);
}

BeamModel::Bodies BeamModel::bodies_at(double xi) const {
    const double scale = motion_scale(xi);
    return {beam_.at(xi), striker_, motion_.scaled(scale), striker_motion_.scaled(scale)};
}

double BeamModel::time_limit() const {
    return parameters_.integration.time_limit.value_or(100.0 * scales_.time);
}

double BeamModel::motion_scale(double xi) const {
    const double speed = rigid_approach_speed(parameters_, xi);
    return parameters_.motion.closing_speed().value_or(speed) / speed;
}

double BeamModel::rebound_speed(double xi, const impact::CollisionResult& result) const {
    double mobility = 0.0, velocity = 0.0, acceleration = 0.0;  // [1/kg], [m/s], [m/s^2]
    for (std::size_t j = 0; j < striker_.rigid; ++j) {
        mobility += striker_.phi[j] * striker_.phi[j];
        velocity += striker_.phi[j] * striker_motion_.rigid_rates[j];
        acceleration += striker_.phi[j] * striker_motion_.rigid_loads[j];
    }
    return mobility * result.impulse - motion_scale(xi) * velocity -
           acceleration * result.separation;
}

}  // namespace stoss::models
