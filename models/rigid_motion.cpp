#include <models/rigid_motion.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <models/beam_body.hpp>

#include <stoss/core/elementary.hpp>

namespace stoss::models {

namespace {

bool may_translate(const Striker& striker) {
    const StrikingBeam* const other = striker.striking_beam();
    return other ? rigid_freedoms(other->beam).translation : std::isfinite(striker.total_mass());
}

}  // namespace

RigidMotion motion_of_striker(const Striker& striker) {
    const StrikingBeam* const other = striker.striking_beam();
    return {striker.velocity, other ? other->angular_velocity : 0.0};
}

RigidFreedoms rigid_freedoms(const Beam& beam) {
    std::vector<double> still;  // places that cannot move
    bool turns = true;
    const auto add = [&](double x) {
        if (std::find(still.begin(), still.end(), x) == still.end()) still.push_back(x);
    };
    for (const fem::Support& support : fem_supports(beam)) {
        if (support.kind != fem::SupportKind::slider) add(support.x);
        if (support.kind != fem::SupportKind::pin) turns = false;
    }
    for (const SpringSupport& spring : beam.springs) {
        if (spring.translation > 0.0) add(spring.xi * beam.length);
        if (spring.rotation > 0.0) turns = false;
    }
    return {still.empty(), turns && still.size() < 2,
            still.empty() ? beam.centre_of_mass() : still.front()};
}

RigidMotion motion_of_beam(const BeamCollision& parameters) {
    return {parameters.motion.velocity.value_or(0.0), parameters.motion.angular_velocity};
}
RigidMotionPair motions_of(const BeamCollision& parameters) {
    RigidMotionPair motions{motion_of_beam(parameters), motion_of_striker(parameters.striker)};
    if (!motions.is_rest() || !parameters.motion.closing_speed()) return motions;
    if (may_translate(parameters.striker)) {
        motions.striker.velocity = 1.0;
    } else if (rigid_freedoms(parameters.beam).translation) {
        motions.beam.velocity = -1.0;
    }
    return motions;
}

double rigid_velocity(const Beam& beam, const RigidMotion& motion, double xi, double inclination) {
    const RigidFreedoms allowed = rigid_freedoms(beam);
    double velocity = allowed.translation ? motion.velocity : 0.0;
    if (allowed.rotation) {
        const double lever = core::cos(inclination) * (xi * beam.length - allowed.pivot);
        velocity += motion.angular_velocity * lever;
    }
    return velocity;
}

double rigid_mobility(const Beam& beam, double xi, double inclination) {
    const RigidFreedoms allowed = rigid_freedoms(beam);
    double mobility = allowed.translation ? 1.0 / beam.mass() : 0.0;
    if (allowed.rotation) {
        double inertia = beam.inertia(allowed.pivot);
        for (const Support& support : beam.supports) inertia += beam.axial_inertia(support);
        const double lever = core::cos(inclination) * (xi * beam.length - allowed.pivot);
        mobility += lever * lever / inertia;
    }
    return mobility;
}

std::vector<double> rigid_rates(const Beam& beam, const RigidMotion& motion,
                                const Eigen::MatrixXd& momenta) {
    const RigidFreedoms allowed = rigid_freedoms(beam);
    Eigen::VectorXd rates = Eigen::VectorXd::Zero(momenta.cols());
    if (allowed.translation && allowed.rotation) {
        const double offset = beam.centre_of_mass() - 0.5 * beam.length;
        rates += (motion.velocity - motion.angular_velocity * offset) * momenta.col(0);
    } else if (allowed.translation) {
        rates += motion.velocity * momenta.col(0);
    }
    if (allowed.rotation) rates += motion.angular_velocity * momenta.col(momenta.cols() - 1);
    return {rates.begin(), rates.end()};
}

}  // namespace stoss::models
