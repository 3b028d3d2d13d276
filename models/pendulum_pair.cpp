#include <models/pendulum_pair.hpp>

#include <numbers>
#include <utility>

#include <stoss/core/field_checks.hpp>
#include <stoss/core/text.hpp>

namespace stoss::models {

namespace {

/// The angle [rad] from the downward vertical of a rod whose angle is 0.
double zero_of(const PendulumPair& parameters) {
    return parameters.angles_from == AngleReference::horizontal ? 0.5 * std::numbers::pi : 0.0;
}

impact::PendulumSystem system_of(const PendulumPair& parameters) {
    const double zero = zero_of(parameters);
    const auto pendulum = [&](const PendulumRod& rod) {
        return impact::Pendulum{rod.mass, rod.length, rod.angle + zero, rod.angular_velocity};
    };
    return {pendulum(parameters.rod_1),
            pendulum(parameters.rod_2),
            {parameters.pivot_2.right, parameters.pivot_2.up},
            parameters.gravity};
}

impact::PendulumImpactModel model_of(const ImpulseMomentum& model) {
    return impact::InstantaneousImpact{model.restitution};
}
impact::PendulumImpactModel model_of(const ContinuousContact& model) {
    return impact::ContactSetup{model.law, model.separation};
}

/// The key `impact.stiffness`, if a law that needs one has none: nothing here gives it.
void check_stiffness(const ContinuousContact& contact, std::vector<core::Violation>& violations) {
    append_missing(check_without_bodies(contact.law, "impact",
                                        "is missing; it cannot be computed for thin rods",
                                        "add `stiffness` (k), a plain number in SI units"),
                   violations);
}

}  // namespace

std::vector<core::Violation> check(const PendulumPair& parameters) {
    std::vector<core::Violation> violations;
    if (!(impact::initial_gap(system_of(parameters)) > 0.0)) {
        violations.push_back({"rod_2.angle", core::with_unit(parameters.rod_2.angle, "rad"),
                              "puts the tip of rod 2 on the line of rod 1 at the start, so that "
                              "the side of the impact is not known",
                              "turn one of the rods slightly"});
    }
    if (const auto* contact = std::get_if<ContinuousContact>(&parameters.impact.model)) {
        core::append(check(*contact, "impact"), violations);
        check_stiffness(*contact, violations);
    }
    return violations;
}

PendulumMotion swing(const PendulumPair& parameters, std::size_t samples,
                     const std::function<bool()>& stop) {
    PendulumMotion motion = impact::swing(
        system_of(parameters),
        std::visit([](const auto& each) { return model_of(each); }, parameters.impact.model),
        parameters.duration, samples, stop);
    const double zero = zero_of(parameters);
    for (PendulumSample& sample : motion.history) {
        for (double& angle : sample.angles) angle -= zero;
    }
    return motion;
}

PendulumMotion swing(const PendulumPair& parameters, std::size_t samples) {
    core::throw_if_any(core::check_fields(parameters, ""));
    core::throw_if_any(check(parameters));
    return swing(parameters, samples, [] { return false; });
}

}  // namespace stoss::models
