#include <models/truncation.hpp>

#include <algorithm>
#include <cmath>
#include <variant>

#include <stoss/contact/continuity.hpp>
#include <stoss/core/elementary.hpp>

namespace stoss::models {

std::optional<double> restitution_of(const impact::CollisionResult& result) {
    if (result.status != impact::Status::separated) return std::nullopt;
    return result.cor_kinematic;
}

bool converges_unevenly(const BeamCollision& parameters) {
    const StrikingBeam* const other = parameters.striker.striking_beam();
    const bool has_shear = parameters.beam.has_shear() || (other && other->beam.has_shear());
    const bool has_kinks =
        std::visit([]<class L>(const L&) { return contact::Piecewise<L>; }, parameters.contact.law);
    return has_shear || has_kinks || parameters.motion.inclination != 0.0;
}

int highest_vibrating_mode(const BeamCollision& parameters) {
    int highest = 0;
    const auto look_at = [&](const std::vector<ModeMotion>& vibration) {
        for (const ModeMotion& each : vibration) highest = std::max(highest, each.mode);
    };
    look_at(parameters.motion.vibration);
    if (const StrikingBeam* const other = parameters.striker.striking_beam())
        look_at(other->vibration);
    return highest;
}

namespace {

/// For an error that falls with p to the power -order. Many sub-impacts after each other slow it
/// down; the share for bending is the one that was right in the median of random beams. The error
/// of the elements falls with the power -4: it is a fifteenth of the change from half as many.
double share_by_order(double order) {
    return std::max(1.0 / (core::pow(truncation_ratio, order) - 1.0), truncation_share_of_bending);
}

/// For lambda ~ j^s the order is 2 s - 1: s is 4 for bending, 2 for waves of shear.
double share_with_shear(const modal::ModalBasis& basis) {
    const Eigen::Index modes = basis.modes();
    const auto fewer =
        static_cast<Eigen::Index>(std::lround(static_cast<double>(modes) / truncation_ratio));
    if (fewer <= basis.rigid || fewer == modes) return truncation_share_of_bending;
    const double ratio = static_cast<double>(modes) / static_cast<double>(fewer);
    const double rise =
        core::log(basis.eigenvalues[modes - 1] / basis.eigenvalues[fewer - 1]) / core::log(ratio);
    return share_by_order(2.0 * std::clamp(rise, 2.0, 4.0) - 1.0);
}

/// The residual flexibility does not hold what the omitted modes yield to a dashpot: the sum of
/// phi^2/lambda ~ p^-3 to its force, of phi'^2/lambda ~ p^-1 to its moment. Where the modulus jumps
/// internal damping brings in a moment, too.
double share_with_dampers(const Beam& beam) {
    const auto is_other = [&](const MaterialFrom& each) {
        return each.material.youngs_modulus != beam.material.youngs_modulus;
    };
    const bool jumps = beam.internal_damping > 0.0 && std::ranges::any_of(beam.materials, is_other);
    double share = jumps ? share_by_order(1.0) : truncation_share_of_bending;
    for (const Dashpot& each : beam.dashpots) {
        if (each.translation > 0.0) share = std::max(share, share_by_order(3.0));
        if (each.rotation > 0.0) share = std::max(share, share_by_order(1.0));
    }
    return share;
}

double share_of_beam(const Beam& beam, const modal::ModalBasis& basis) {
    const double share = share_with_dampers(beam);
    return beam.has_shear() ? std::max(share, share_with_shear(basis)) : share;
}

}  // namespace

// A damper feels the omitted modes as soon as the bodies touch, when these do not follow yet as a
// spring: the order is that of the modes alone. A damping that follows from the approach speed
// feels their rates, which fall with p more slowly than their displacements.
double truncation_share(const impact::ContactSetup& setup) {
    if (contact::damps_from_onset(setup.law)) return share_by_order(3.0);
    const auto remembers = [&](const auto& law) {
        return contact::remembers_approach(contact::Contact(law, setup.separation, 1.0));
    };
    return std::visit(remembers, setup.law) ? share_by_order(5.0) : truncation_share_of_bending;
}

double truncation_share(const BeamModel& model) {
    const BeamCollision& parameters = model.parameters();
    double share = share_of_beam(parameters.beam, model.beam().basis());
    if (const StrikingBeam* const other = parameters.striker.striking_beam())
        share = std::max(share, share_of_beam(other->beam, model.striking_beam()->basis));
    share = std::max(share, truncation_share(model.contact_at(0.5)));
    // Axial modes have lambda ~ k^2.
    return parameters.motion.inclination != 0.0 ? std::max(share, share_by_order(3.0)) : share;
}

double truncation_without_residual(double cor, double coarser_cor) {
    const double ratio = core::pow(truncation_ratio, 3);
    return std::abs(cor - coarser_cor) / (ratio - 1.0);
}

std::optional<BeamCollision> compared_basis(const BeamCollision& parameters) {
    BeamCollision other = parameters;
    if (!parameters.mesh.residual_flexibility) {
        other.mesh.residual_flexibility = true;
        return other;
    }
    const int modes = parameters.mesh.modes.value();
    const int fewer = std::max(static_cast<int>(std::lround(modes / truncation_ratio)),
                               highest_vibrating_mode(parameters));
    other.mesh.modes = fewer;
    other.mesh.elements = parameters.mesh.elements / 2;
    if (!check(other).empty()) other.mesh.elements = parameters.mesh.elements;
    if (fewer >= modes || !check(other).empty()) return std::nullopt;
    return other;
}

Truncation::Truncation(const BeamModel& model)
    : share_(model.parameters().mesh.residual_flexibility ? truncation_share(model) : 1.0) {
    const BeamCollision& parameters = model.parameters();
    std::optional<BeamCollision> other = compared_basis(parameters);
    if (!other) return;
    if (!parameters.integration.estimates_error()) {
        const impact::Scheme splitting = time::Splitting{};
        BeamCollision own = parameters;
        own.integration.scheme = other->integration.scheme = splitting;
        own_.emplace(model.reduced(own));
    }
    const auto model_of = [&](const BeamCollision& basis) {
        const bool has_own_mesh = basis.mesh.elements == parameters.mesh.elements;
        return has_own_mesh ? model.reduced(basis) : BeamModel(basis);
    };
    other_.emplace(model_of(*other));
    // Of an inclined beam the change from fewer modes says too little of that from more.
    if (!parameters.mesh.residual_flexibility || parameters.motion.inclination != 0.0 ||
        !converges_unevenly(parameters))
        return;
    if (const auto third = compared_basis(*other)) third_.emplace(model_of(*third));
}

std::optional<double> Truncation::of(double xi, const impact::CollisionResult& result) const {
    Restitutions cors;
    const auto models = compared(result, cors);
    for (std::size_t i = 0; i < models.size(); ++i) {
        if (models[i] != nullptr) cors[i] = restitution_of(models[i]->collide(xi));
    }
    return estimate(cors);
}

std::array<const BeamModel*, Truncation::most_compared> Truncation::compared(
    const impact::CollisionResult& result, Restitutions& known) const {
    if (!other_ || result.status != impact::Status::separated) return {};
    if (!own_) known[0] = restitution_of(result);
    return {own_ ? &*own_ : nullptr, &*other_, third_ ? &*third_ : nullptr};
}

std::optional<double> Truncation::estimate(const Restitutions& cors) const {
    const auto& [own, other, third] = cors;
    if (!own || !other) return std::nullopt;
    const double change = std::abs(*own - *other);
    if (!third) return share_ * change;
    // As much less as the order says that `share_` belongs to.
    const double expected = std::abs(*other - *third) / (1.0 + 1.0 / share_);
    return share_ * std::max(change, expected);
}

}  // namespace stoss::models
