#include <models/beam_model.hpp>

#include <span>
#include <utility>
#include <variant>

#include <models/rigid_motion.hpp>
#include <stoss/contact/continuity.hpp>

namespace stoss::models {

BeamScales::BeamScales(const Beam& beam)
    : length(beam.length),
      time(beam.time_scale()),
      force(beam.bending_stiffness() / (beam.length * beam.length)),
      speed(length / time) {}

namespace {

/// The other beam of a collision; null if the striker is none.
std::shared_ptr<const BeamBody> striking_body(const BeamCollision& parameters) {
    const StrikingBeam* const other = parameters.striker.striking_beam();
    return other ? std::make_shared<const BeamBody>(other->beam, parameters.mesh) : nullptr;
}

const time::Splitting* splitting_of(const BeamCollision& parameters) {
    return std::get_if<time::Splitting>(&parameters.integration.scheme);
}

}  // namespace

BeamModel::BeamModel(const BeamCollision& parameters)
    : BeamModel(parameters, std::make_shared<const BeamBody>(parameters.beam, parameters.mesh),
                striking_body(parameters)) {}

BeamModel::BeamModel(const BeamCollision& parameters, const BeamModel& same_beam)
    : BeamModel(parameters, same_beam.beam().body(), striking_body(parameters)) {
    // What a collider knows of the steps of modes follows from these alone.
    const auto is_same = [](const modal::ModalBody& a, const modal::ModalBody& b) {
        return a.rigid == b.rigid && a.eigenvalues == b.eigenvalues && a.damping == b.damping &&
               a.coupled_damping.size() == 0 && b.coupled_damping.size() == 0;
    };
    const time::Splitting* const own = splitting_of(parameters);
    const time::Splitting* const known = splitting_of(same_beam.parameters());
    if (own && known && own->tolerance == known->tolerance &&
        contact_at(0.0).law.index() == same_beam.contact_at(0.0).law.index() &&
        contact::damps_from_onset(contact_at(0.0).law) ==
            contact::damps_from_onset(same_beam.contact_at(0.0).law) &&
        is_same(bodies_.beam().at(0.0), same_beam.bodies_.beam().at(0.0)) &&
        is_same(bodies_.striker(), same_beam.bodies_.striker()))
        collider_ = same_beam.collider_;
}

BeamModel::BeamModel(const BeamCollision& parameters, std::shared_ptr<const BeamBody> beam,
                     std::shared_ptr<const BeamBody> striking_beam)
    : scales_(parameters.beam), bodies_(parameters, std::move(beam), std::move(striking_beam)) {
    collider_.emplace(bodies_.beam().at(0.0), bodies_.striker(), contact_at(0.0),
                      parameters.integration.scheme);
}

BeamModel BeamModel::reduced(const BeamCollision& parameters) const {
    const Mesh& own = this->parameters().mesh;
    const Mesh& mesh = parameters.mesh;
    const bool is_same = mesh.modes.value() == own.modes.value() &&
                         mesh.residual_flexibility == own.residual_flexibility;
    if (is_same) return {parameters, beam().body(), bodies_.striking_beam()};
    const StrikingBeam* const other = parameters.striker.striking_beam();
    return {
        parameters, std::make_shared<const BeamBody>(*beam().body(), parameters.beam, mesh),
        other ? std::make_shared<const BeamBody>(*striking_beam(), other->beam, mesh) : nullptr};
}

/// Memory of the collisions of one thread.
struct BeamModel::Scratch {
    impact::Collider::Workspace workspace;
    Eigen::VectorXd phi;
    std::vector<double> beam_rates, striker_rates;
};

bool BeamModel::approaches(double xi, impact::CollisionResult& result) const {
    const double approach = rigid_approach_speed(parameters(), xi);
    if (approach > 0.0) return true;
    result = {};
    result.status = impact::Status::no_approach;
    result.approach_speed = approach;
    return false;
}

impact::CollisionStream::Collision BeamModel::approach(double xi, double speed,
                                                       Scratch& scratch) const {
    const double scale = speed * bodies_.motion_scale(xi);
    const double residual = beam().shapes_at(xi, scratch.phi);
    const ModalMotion& of_beam = bodies_.beam_motion();
    const ModalMotion& of_striker = bodies_.striker_motion();
    const modal::ModalBody& striker = bodies_.striker();
    scratch.beam_rates = of_beam.rigid_rates;
    scratch.striker_rates = of_striker.rigid_rates;
    for (double& rate : scratch.beam_rates) rate *= scale;
    for (double& rate : scratch.striker_rates) rate *= scale;
    const std::span<const double> phi(scratch.phi.data(),
                                      static_cast<std::size_t>(scratch.phi.size()));
    return {0,
            &*collider_,
            {phi, scratch.beam_rates, of_beam.vibration, of_beam.vibration_rates,
             of_beam.rigid_loads, residual},
            {striker.phi, scratch.striker_rates, of_striker.vibration, of_striker.vibration_rates,
             of_striker.rigid_loads, striker.residual_flexibility},
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

impact::CollisionWithGradients BeamModel::collide_with_gradients(
    double xi, const impact::GradientRequest& request) const {
    impact::CollisionWithGradients all;
    if (!approaches(xi, all.result)) return all;
    thread_local Scratch scratch;
    const auto collision = approach(xi, 1.0, scratch);
    collider_->collide_with_gradients(collision.first, collision.second, collision.contact,
                                      collision.time_limit, scratch.workspace, all.result, request,
                                      all.gradients);
    return all;
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

double BeamModel::time_limit() const {
    return parameters().integration.time_limit.value_or(100.0 * scales_.time);
}

double BeamModel::rebound_speed(double xi, const impact::CollisionResult& result) const {
    const modal::ModalBody& striker = bodies_.striker();
    const ModalMotion& motion = bodies_.striker_motion();
    double mobility = 0.0, velocity = 0.0, acceleration = 0.0;  // [1/kg], [m/s], [m/s^2]
    for (std::size_t j = 0; j < striker.rigid; ++j) {
        mobility += striker.phi[j] * striker.phi[j];
        velocity += striker.phi[j] * motion.rigid_rates[j];
        acceleration += striker.phi[j] * motion.rigid_loads[j];
    }
    return mobility * result.impulse - bodies_.motion_scale(xi) * velocity -
           acceleration * result.separation;
}

}  // namespace stoss::models
