#include <stoss/impact/gradient.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include <stoss/core/error.hpp>
#include <stoss/impact/detail/collider_memory.hpp>
#include <stoss/impact/detail/collision_adjoint.hpp>
#include <stoss/impact/detail/splitting_law.hpp>

namespace stoss::impact {

double value_of(const CollisionResult& result, Quantity quantity) {
    switch (quantity) {
        case Quantity::cor_kinematic:
            return result.cor_kinematic;
        case Quantity::cor_kinetic:
            return result.cor_kinetic;
        case Quantity::cor_energetic:
            return result.cor_energetic;
        case Quantity::impulse:
            return result.impulse;
        case Quantity::peak_force:
            return result.peak_force;
        case Quantity::compression_end:
            return result.compression_end.value_or(std::numeric_limits<double>::quiet_NaN());
        case Quantity::separation:
            return result.separation;
        case Quantity::energy_rigid:
            return result.energy.rigid;
        case Quantity::energy_vibration:
            return result.energy.vibration;
        case Quantity::margins:
            break;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

std::optional<double> CollisionGradient::by_law(std::string_view name) const {
    for (const LawSlope& each : law)
        if (each.name == name) return each.slope;
    return std::nullopt;
}

namespace {

/// The part of one body but for its residual flexibility; `places`: of its modes in the pair, on
/// which the force acts by `sign` phi.
BodyGradient of_body(const PairGradient& pair, const std::vector<std::size_t>& places,
                     std::size_t rigid_modes, double sign, const ModeNumbers& by) {
    BodyGradient body;
    const std::span all(places), rigid = all.first(rigid_modes), others = all.subspan(rigid_modes);
    const auto take = [](std::vector<double>& to, std::span<const std::size_t> modes,
                         const auto& from) {
        to.resize(modes.size());
        for (std::size_t i = 0; i < modes.size(); ++i) to[i] = from[modes[i]];
    };
    take(body.rigid_rates, rigid, pair.initial_rates);
    take(body.vibration, others, pair.initial_coordinates);
    take(body.vibration_rates, others, pair.initial_rates);
    if (by.shapes || by.rigid_shapes) {
        take(body.rigid_loads, rigid, pair.loads);
        take(body.phi, by.shapes ? all : rigid, pair.phi);
        body.phi.resize(all.size(), std::numeric_limits<double>::quiet_NaN());
        for (double& each : body.phi) each *= sign;
    }
    if (by.dampings) take(body.damping, all, pair.dampings);
    if (by.eigenvalues) {
        take(body.eigenvalues, all, pair.eigenvalues);
        std::fill_n(body.eigenvalues.begin(), rigid_modes, 0.0);
    }
    return body;
}

/// A residual mode follows from the highest mode of its body and the residual flexibility
/// (theory/modal_reduction.md 4.14). Adds to the derivatives by the former; returns that by the
/// latter [N/m].
double take_residual_mode_apart(const ContactPair& pair, const ContactPair::ResidualMode& mode,
                                PairGradient& gradient) {
    constexpr double ratio = modal::residual_eigenvalue_of_bending;
    const double lambda = pair.eigenvalues[mode.place], phi = pair.phi[mode.place];
    const double by_phi = gradient.phi[mode.place];
    gradient.eigenvalues[mode.highest] +=
        ratio * (gradient.eigenvalues[mode.place] + by_phi * 0.5 * phi / lambda);
    gradient.dampings[mode.highest] += ratio * gradient.dampings[mode.place];
    // phi = sqrt(R lambda), which has no derivative at R = 0.
    return phi > 0.0 ? by_phi * 0.5 * lambda / phi : std::numeric_limits<double>::quiet_NaN();
}

/// The derivatives by the residual flexibility of the first body and of the second [N/m].
std::array<double, 2> by_residual_flexibility(const ContactPair& pair, PairGradient& gradient) {
    if (!pair.first_residual) return {gradient.residual_flexibility, gradient.residual_flexibility};
    const double of_first = take_residual_mode_apart(pair, *pair.first_residual, gradient);
    if (pair.first_residual->place == pair.second_residual->place) return {of_first, of_first};
    return {of_first, take_residual_mode_apart(pair, *pair.second_residual, gradient)};
}

/// The derivatives by the pair and the law as those by bodies and law.
template <class Law>
void write_gradient(PairGradient& of_pair, const ContactPair& pair, const Law& law,
                    const LawSlopes<Law>& of_law, const ModeNumbers& by,
                    CollisionGradient& gradient) {
    const auto [by_first_residual, by_second_residual] = by_residual_flexibility(pair, of_pair);
    std::size_t first_rigid = 0, second_rigid = 0;
    for (const std::size_t j : pair.first_body_modes) first_rigid += j < pair.rigid ? 1 : 0;
    second_rigid = pair.rigid - first_rigid;
    gradient.first = of_body(of_pair, pair.first_body_modes, first_rigid, 1.0, by);
    gradient.second = of_body(of_pair, pair.second_body_modes, second_rigid, -1.0, by);
    gradient.first.residual_flexibility = by_first_residual;
    gradient.second.residual_flexibility = by_second_residual;
    std::size_t p = 0;
    for_each_number(law, [&](std::string_view name, const core::Range&, double number) {
        gradient.law.push_back({name, number, of_law.by_parameter(p++)});
    });
}

/// The change of phi of the bodies as one of the pair.
void set_along(const ContactPair& pair, const ShapeChange& change, std::size_t padded,
               ShapeChangeMemory& memory) {
    memory.along.assign(padded, 0.0);
    for (std::size_t j = 0; j < change.first.size(); ++j)
        memory.along[pair.first_body_modes[j]] = change.first[j];
    for (std::size_t j = 0; j < change.second.size(); ++j)
        memory.along[pair.second_body_modes[j]] = -change.second[j];
}

/// True if the steps can be differentiated along one change of phi alone
/// (docs/theory/gradients.md 26.19).
bool can_follow(const ContactPair& pair) {
    const auto has = [](std::span<const double> numbers, auto condition) {
        return std::ranges::any_of(numbers, condition);
    };
    const auto is_zero = [](double number) { return number == 0.0; };
    const auto is_not_zero = [](double number) { return number != 0.0; };
    const auto vibrations = [&](const std::vector<double>& numbers) {
        return std::span(numbers).subspan(pair.rigid);
    };
    return !pair.loaded && !has(std::span(pair.phi).first(pair.rigid), is_zero) &&
           !has(vibrations(pair.initial_coordinates), is_not_zero) &&
           !has(vibrations(pair.initial_rates), is_not_zero);
}

/// The record keeps the modes that the gradients need at the begin of each step.
template <class Law>
void keep_modes(const ContactPair& pair, const GradientRequest& request, const ModeNumbers& by,
                CollisionRecord<Law>& record) {
    std::size_t modes = by.rigid_shapes ? in_whole_registers(pair.rigid) : pair.rigid;
    if (by.of_all_modes() || std::ranges::count(request.quantities, Quantity::margins) > 0)
        modes = std::numeric_limits<std::size_t>::max();
    record.keep_modes(modes, pair.residual_flexibility != 0.0);
}

}  // namespace

void Collider::collide_with_gradients(const Approach& first, const Approach& second,
                                      const ContactSetup& setup, double time_limit,
                                      Workspace& workspace, CollisionResult& result,
                                      const GradientRequest& request,
                                      std::vector<CollisionGradient>& gradients) const {
    const auto* scheme = std::get_if<time::Splitting>(&tables_->scheme);
    if (!scheme || tables_->pair.coupled) {
        throw core::NumericalError(
            "gradients need the splitting scheme and modes that no damping couples");
    }
    Slot& slot = workspace.memory().slot(0, tables_, first, second);
    gradients.clear();
    thread_local AdjointMemory memory;
    std::visit(
        [&]<class Law>(const Law& law) {
            const contact::Contact<Law> contact(law, setup.separation, slot.pair.effective_mass);
            thread_local CollisionRecord<Law> record;  // megabytes, kept for the next one
            ModeNumbers by = request.by;
            by.shapes = by.shapes && !request.along;
            memory.change.follows = false;
            if (request.along) {
                set_along(slot.pair, *request.along, tables_->propagators.padded(), memory.change);
                memory.change.follows = SplittingLaw<Law>::depends_on_overlap_alone && !by.any() &&
                                        can_follow(slot.pair);
                by.shapes = !memory.change.follows;
            }
            ModeNumbers shown = by;
            shown.shapes = shown.shapes && !request.along;
            keep_modes(slot.pair, request, by, record);
            CollisionBySplitting collision(slot.pair, tables_->propagators, contact,
                                           scheme->tolerance, time_limit, slot.splitting, result,
                                           &record);
            if (!collision.begin()) return;
            do {
                collision.run().go_on();
            } while (collision.judge());
            if (result.status != Status::separated) return;
            CollisionAdjoint<Law> adjoint(slot.pair, tables_->propagators, slot.splitting,
                                          tables_->slopes, law, setup.separation, record, request,
                                          by, memory);
            const auto add = [&](Quantity quantity, PairGradient& of_pair, const Graze& graze) {
                CollisionGradient& gradient = gradients.emplace_back();
                gradient.quantity = quantity;
                gradient.graze = graze;
                if (request.along) gradient.along = adjoint.along();
                write_gradient(of_pair, slot.pair, law, adjoint.law(), shown, gradient);
            };
            for (const Quantity quantity : request.quantities) {
                if (quantity != Quantity::margins) {
                    add(quantity, adjoint.gradient(quantity), {});
                    continue;
                }
                for (const PlaceOfGraze& place : adjoint.grazes())
                    add(quantity, adjoint.gradient(place), place.graze);
            }
        },
        setup.law);
}

CollisionWithGradients collide_with_gradients(const MovingBody& first, const MovingBody& second,
                                              const ContactSetup& contact, const Scheme& scheme,
                                              double time_limit,
                                              std::span<const Quantity> quantities) {
    const Collider collider(first.body, second.body, contact, scheme);
    Collider::Workspace workspace;
    CollisionWithGradients all;
    collider.collide_with_gradients(first.approach(), second.approach(), contact, time_limit,
                                    workspace, all.result, {quantities}, all.gradients);
    return all;
}

}  // namespace stoss::impact
