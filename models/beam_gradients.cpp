#include <models/beam_gradients.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <models/beam_body_slopes.hpp>
#include <stoss/core/number_key.hpp>

namespace stoss::models {

namespace {

/// Between the points of a stencil, relative to the number; of a number that is 0, in SI units.
/// Truncation and roundoff are then about 1e-13 of the formulas.
constexpr double relative_step = 0x1p-10;

/// The slopes of a model on both sides of a number differ by less than this fraction of quantity
/// over number, or it has a kink or a jump there. Roundoff of a small residual flexibility comes
/// to 1e-6.
constexpr double smooth = 1e-3;

core::Stencil stencil_of(const core::NumberKey& key) {
    const double value = key.value().value();
    const double size = value == 0.0 ? 1.0 : std::abs(value);
    return core::Stencil::in(key.range, value, relative_step * size);
}

/// Points on one side of x [m], in the element of the mesh with more room there.
core::Stencil stencil_in_element(const fem::BeamMesh& mesh, double x) {
    int element = 0;
    while (element + 1 < mesh.elements() && mesh.node_position(element + 1) <= x) ++element;
    const double left = x - mesh.node_position(element);
    const double right = mesh.element_length(element) - left;
    constexpr double steps = core::Stencil::points + 1;
    return right >= left ? core::Stencil{x, right / steps, 0} : core::Stencil{x, left / steps, -6};
}

/// The number at `key` of a copy of the parameters, set to each point of the stencil.
std::vector<BeamCollision> along(const BeamCollision& parameters, const std::string& key,
                                 const core::Stencil& stencil) {
    std::vector<BeamCollision> all(core::Stencil::points, parameters);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const core::NumberKey number = core::number_at(all[i], key);
        if (number && stencil.weight(i) != 0.0) number.set(stencil.number(i));
    }
    return all;
}

/// All that a collision takes of its bodies and of the law, block by block.
std::vector<std::vector<double>> inputs_of(const CollisionBodies& bodies, double xi) {
    const CollisionBodies::At at = bodies.at(xi);
    std::vector<std::vector<double>> inputs;
    const auto add = [&](const modal::ModalBody& body, const ModalMotion& motion) {
        inputs.insert(inputs.end(), {body.eigenvalues,
                                     body.damping,
                                     body.phi,
                                     {body.residual_flexibility},
                                     motion.rigid_rates,
                                     motion.vibration,
                                     motion.vibration_rates,
                                     motion.rigid_loads});
    };
    add(at.beam, at.beam_motion);
    add(at.striker, at.striker_motion);
    std::visit(
        [&](const auto& law) {
            inputs.emplace_back();
            core::for_each_number(
                law, [&](auto, const auto&, double number) { inputs.back().push_back(number); });
        },
        bodies.contact_at(xi).law);
    return inputs;
}

/// Derivatives of a quantity by them, in the same blocks.
std::vector<std::vector<double>> slopes_by_inputs(const impact::CollisionGradient& gradient) {
    std::vector<std::vector<double>> slopes;
    for (const impact::BodyGradient* body : {&gradient.first, &gradient.second}) {
        slopes.insert(slopes.end(), {body->eigenvalues,
                                     body->damping,
                                     body->phi,
                                     {body->residual_flexibility},
                                     body->rigid_rates,
                                     body->vibration,
                                     body->vibration_rates,
                                     body->rigid_loads});
    }
    slopes.emplace_back();
    for (const impact::LawSlope& each : gradient.law) slopes.back().push_back(each.slope);
    return slopes;
}

bool have_same_sizes(const std::vector<std::vector<double>>& a,
                     const std::vector<std::vector<double>>& b) {
    return std::ranges::equal(
        a, b, [](const auto& one, const auto& other) { return one.size() == other.size(); });
}

/// True if the key moves a node of the mesh.
bool moves_a_node(std::string_view key) {
    return key.ends_with("].xi") && (key.starts_with("beam.") || key.starts_with("striker.beam."));
}

/// A case while one key changes.
struct KeyAlong {
    const std::string& key;
    const core::Stencil& stencil;
    std::vector<BeamCollision> changed;  // at the points of the stencil
};

/// The modes of a beam at the points of the stencil of one key, to first order.
struct BodiesAlong {
    std::vector<std::shared_ptr<const BeamBody>> bodies;
    std::string reason;  // why there are none; empty: there are
};

/// The modes of one beam of a collision along each key; keys without `prefix` do not change them.
template <class Select>
std::vector<BodiesAlong> bodies_along(const std::vector<KeyAlong>& keys, std::string_view prefix,
                                      const std::shared_ptr<const BeamBody>& body,
                                      const BeamCollision& nominal, const Select& beam_of) {
    std::vector<BodiesAlong> all(keys.size());
    std::vector<BeamFamily> families;
    std::vector<std::size_t> concerned;
    for (std::size_t k = 0; k < keys.size(); ++k) {
        all[k].bodies.assign(core::Stencil::points, body);
        if (!keys[k].key.starts_with(prefix)) continue;
        concerned.push_back(k);
        families.push_back({keys[k].stencil, {}});
        for (const BeamCollision& each : keys[k].changed)
            families.back().beams.push_back(beam_of(each));
    }
    if (concerned.empty()) return all;
    std::vector<BeamBodySlope> slopes;
    try {
        slopes = beam_body_slopes(*body, beam_of(nominal), nominal.mesh, families);
    } catch (const core::NumericalError& error) {
        for (const std::size_t k : concerned) all[k].reason = error.what();
        return all;
    }
    for (std::size_t f = 0; f < families.size(); ++f) {
        const std::size_t k = concerned[f];
        const core::Stencil& stencil = families[f].stencil;
        for (std::size_t i = 0; i < core::Stencil::points; ++i) {
            all[k].bodies[i] =
                std::make_shared<const BeamBody>(*body, slopes[f], stencil.number(i) - stencil.at,
                                                 families[f].beams[i], nominal.mesh);
        }
    }
    return all;
}

}  // namespace

std::vector<core::Violation> check_gradient(const BeamCollision& parameters,
                                            std::span<const std::string> keys,
                                            const std::string& path) {
    std::vector<core::Violation> found;
    const StrikingBeam* const other = parameters.striker.striking_beam();
    if (!parameters.beam.dashpots.empty() || (other && !other->beam.dashpots.empty())) {
        found.push_back({path, "", "cannot be computed with dashpots, which couple the modes",
                         "take the dashpots out, or vary the keys with `sweep`"});
    }
    if (!std::holds_alternative<time::Splitting>(parameters.integration.scheme)) {
        found.push_back({path, "", "needs the scheme whose steps have derivatives",
                         "integration: {scheme: splitting}"});
    }
    BeamCollision copy = parameters;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::string& key = keys[i];
        const std::string own = fmt::format("{}[{}]", path, i);
        if (key == contact_place_key) continue;
        const core::NumberKey number = core::number_at(copy, key);
        if (key.starts_with("mesh.") || key.starts_with("integration.")) {
            found.push_back({own, key, "is a number of the computation, not of the bodies",
                             "a key of beam, striker, motion or contact"});
        } else if (!number) {
            found.push_back({own, key, "is not a key with a number of this case", ""});
        } else if (!number.value()) {
            found.push_back({own, key, "has no value in this case: the model finds it",
                             "give the key, or take the derivative by the keys it follows from"});
        } else if (!std::isfinite(*number.value())) {
            found.push_back({own, key, "is infinite: there is no derivative by it", ""});
        } else if (moves_a_node(key)) {
            found.push_back({own, key,
                             "moves nodes of the mesh: derivatives by places of supports, springs, "
                             "masses, materials and stations are not known",
                             "location: the place of contact; or vary the key with `sweep`"});
        }
    }
    return found;
}

BeamGradients::BeamGradients(const BeamModel& model, std::vector<std::string> keys)
    : model_(model), keys_(std::move(keys)) {
    BeamCollision copy = model.parameters();
    std::vector<core::Stencil> stencils;
    for (const std::string& key : keys_) {
        if (key == contact_place_key) {
            units_.emplace_back("m");
            values_.push_back(0.0);
            stencils.emplace_back();
            continue;
        }
        const core::NumberKey number = core::number_at(copy, key);
        units_.emplace_back(number.unit);
        values_.push_back(number.value().value());
        stencils.push_back(
            key == "striker.xi"
                ? stencil_in_element(model.striking_beam()->mesh,
                                     values_.back() * model.striking_beam()->mesh.length())
                : stencil_of(number));
        if (key == "striker.xi") {
            stencils.back().at = values_.back();
            stencils.back().length /= model.striking_beam()->mesh.length();
        }
    }
    families_ = families_of(stencils);
    const BeamCollision& own = model.parameters();
    const BeamBody& body = *model.beam().body();
    places_ = std::make_shared<const CollisionBodies>(
        own,
        std::make_shared<const BeamBody>(body, BeamBodySlope::none(body), 0.0, own.beam, own.mesh),
        model.bodies().striking_beam());
}

double BeamGradients::value(std::size_t key, double xi) const {
    return keys_[key] == contact_place_key ? xi * model_.scales().length : values_[key];
}

std::vector<BeamGradients::Family> BeamGradients::families_of(
    std::span<const core::Stencil> stencils) const {
    const BeamCollision& own = model_.parameters();
    const auto nominal = inputs_of(model_.bodies(), 0.5);
    std::vector<Family> families;
    std::vector<KeyAlong> along_keys;
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        families.push_back({stencils[k], {}, 0.0, {}});
        along_keys.push_back({keys_[k], stencils[k], along(own, keys_[k], stencils[k])});
    }
    const auto struck =
        bodies_along(along_keys, "beam.", model_.beam().body(), own,
                     [](const BeamCollision& of) -> const Beam& { return of.beam; });
    const auto striking = bodies_along(
        along_keys, "striker.beam.", model_.bodies().striking_beam(), own,
        [](const BeamCollision& of) -> const Beam& { return of.striker.striking_beam()->beam; });
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        Family& family = families[k];
        family.reason = struck[k].reason + striking[k].reason;
        if (keys_[k] == contact_place_key || !family.reason.empty()) continue;
        for (std::size_t i = 0; i < core::Stencil::points; ++i) {
            const BeamCollision& at = along_keys[k].changed[i];
            family.bodies.push_back(std::make_shared<const CollisionBodies>(at, struck[k].bodies[i],
                                                                            striking[k].bodies[i]));
            family.length_slope += stencils[k].weight(i) * at.beam.length;
            if (!have_same_sizes(inputs_of(*family.bodies.back(), 0.5), nominal))
                family.reason = "beside this value the model has other modes";
        }
    }
    return families;
}

Eigen::VectorXd BeamGradients::slopes_of(const core::Stencil& stencil,
                                         std::span<const Inputs> inputs,
                                         std::span<const impact::CollisionGradient> gradients,
                                         const impact::CollisionResult& result) const {
    // Of a smooth function the sixth difference vanishes nearly. A stencil on one side of the
    // number lies beside a bound of it, or in one element: there is nothing to compare with.
    static constexpr std::array<double, core::Stencil::points> sixth{1.0,  -6.0, 15.0, -20.0,
                                                                     15.0, -6.0, 1.0};
    Eigen::VectorXd slopes = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(gradients.size()));
    for (std::size_t q = 0; q < gradients.size(); ++q) {
        const Inputs by = slopes_by_inputs(gradients[q]);
        double slope = 0.0, roughness = 0.0;
        for (std::size_t block = 0; block < by.size(); ++block) {
            for (std::size_t j = 0; j < inputs.front()[block].size(); ++j) {
                double change = 0.0, rest = 0.0;
                for (std::size_t i = 0; i < inputs.size(); ++i) {
                    change += stencil.weight(i) * inputs[i][block][j];
                    rest += sixth[i] * inputs[i][block][j];
                }
                if (change == 0.0) continue;
                slope += by[block][j] * change;
                roughness += by[block][j] * rest / stencil.length;
            }
        }
        const double scale = std::abs(impact::value_of(result, gradients[q].quantity)) /
                             std::max(std::abs(stencil.at), stencil.length);
        const bool is_smooth =
            stencil.first != -3 || std::abs(roughness) <= smooth * std::max(scale, std::abs(slope));
        slopes[static_cast<Eigen::Index>(q)] =
            is_smooth ? slope : std::numeric_limits<double>::quiet_NaN();
    }
    return slopes;
}

Eigen::VectorXd BeamGradients::along_place(double xi,
                                           std::span<const impact::CollisionGradient> gradients,
                                           const impact::CollisionResult& result) const {
    const double length = model_.scales().length;
    const core::Stencil stencil = stencil_in_element(model_.beam().body()->mesh, xi * length);
    std::vector<Inputs> inputs;
    for (std::size_t i = 0; i < core::Stencil::points; ++i)
        inputs.push_back(inputs_of(*places_, stencil.number(i) / length));
    return slopes_of(stencil, inputs, gradients, result);
}

CollisionSlopes BeamGradients::at(double xi, std::span<const impact::Quantity> quantities,
                                  double xi_by_length) const {
    impact::CollisionWithGradients collision = model_.collide_with_gradients(xi, quantities);
    CollisionSlopes slopes{std::move(collision.result), {}};
    if (collision.gradients.empty()) return slopes;
    slopes.by_key = Eigen::MatrixXd::Constant(static_cast<Eigen::Index>(quantities.size()),
                                              static_cast<Eigen::Index>(keys_.size()),
                                              std::numeric_limits<double>::quiet_NaN());
    std::optional<Eigen::VectorXd> by_place;  // per metre
    const auto along_it = [&]() -> const Eigen::VectorXd& {
        if (!by_place) by_place = along_place(xi, collision.gradients, slopes.result);
        return *by_place;
    };
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        const Family& family = families_[k];
        if (!family.reason.empty()) continue;
        auto column = slopes.by_key.col(static_cast<Eigen::Index>(k));
        if (family.bodies.empty()) {
            column = along_it();
            continue;
        }
        std::vector<Inputs> inputs;
        for (const auto& bodies : family.bodies) inputs.push_back(inputs_of(*bodies, xi));
        column = slopes_of(family.stencil, inputs, collision.gradients, slopes.result);
        if (xi_by_length != 0.0 && family.length_slope != 0.0)
            column += xi_by_length * model_.scales().length * family.length_slope * along_it();
    }
    return slopes;
}

}  // namespace stoss::models
