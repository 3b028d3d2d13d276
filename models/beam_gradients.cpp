#include <models/beam_gradients.hpp>

#include <algorithm>
#include <array>
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

using namespace input;
using Blocks = CollisionInputs;

/// All that a collision at xi takes.
Blocks inputs_at(const CollisionBodies& bodies, double xi) {
    const CollisionBodies::At at = bodies.at(xi);
    return inputs_of(at.beam, at.beam_motion, at.striker, at.striker_motion,
                     bodies.contact_at(xi).law);
}

/// True if the body whose blocks begin there does not vibrate, and nothing damps it.
bool is_rigid(const Blocks& inputs, std::size_t body) {
    const auto vanishes = [&](std::size_t block) {
        return std::ranges::all_of(inputs[body + block], [](double x) { return x == 0.0; });
    };
    return vanishes(eigenvalues) && vanishes(damping) && vanishes(residual_flexibility);
}

bool has_loads(const Blocks& inputs) {
    const auto acts = [](double load) { return load != 0.0; };
    return std::ranges::any_of(inputs[rigid_loads], acts) ||
           std::ranges::any_of(inputs[of_a_body + rigid_loads], acts);
}

/// True if some number of the modes of the struck beam changes.
bool changes_modes(const InputChange& change) {
    return std::ranges::any_of(std::array{eigenvalues, damping, phi, residual_flexibility},
                               [&](Block block) { return !change.slope[block].empty(); });
}

/// What follows from the place, of the struck beam alone.
void add_shapes(const CollisionBodies& bodies, double xi, Blocks& blocks) {
    Eigen::VectorXd shapes;
    blocks[residual_flexibility] = {bodies.beam().shapes_at(xi, shapes)};
    blocks[phi].assign(shapes.begin(), shapes.end());
}

void add_rates(const CollisionBodies& bodies, double xi, Blocks& blocks) {
    const double scale = bodies.motion_scale(xi);
    blocks[rigid_rates] = bodies.beam_motion().scaled(scale).rigid_rates;
    blocks[of_a_body + rigid_rates] = bodies.striker_motion().scaled(scale).rigid_rates;
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
    std::string reason;                       // why there are none; empty: there are
    std::optional<ModeScaling> scaling = {};  // BeamBodySlope
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
        all[k].scaling = slopes[f].scaling;
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
    if (auto wrong = check_gradient_scheme(path, parameters.integration.scheme))
        found.push_back(std::move(*wrong));
    BeamCollision copy = parameters;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::string& key = keys[i];
        const std::string own = fmt::format("{}[{}]", path, i);
        if (key == contact_place_key) continue;
        const core::NumberKey number = core::number_at(copy, key);
        if (key.starts_with("mesh.") || key.starts_with("integration.")) {
            found.push_back({own, key, "is a number of the computation, not of the bodies",
                             "a key of beam, striker, motion or contact"});
        } else if (auto wrong = check_gradient_key(own, key, number)) {
            found.push_back(std::move(*wrong));
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
    note_changes();
}

double BeamGradients::value(std::size_t key, double xi) const {
    return keys_[key] == contact_place_key ? xi * model_.scales().length : values_[key];
}

std::vector<BeamGradients::Family> BeamGradients::families_of(
    std::span<const core::Stencil> stencils) const {
    const BeamCollision& own = model_.parameters();
    const auto nominal = inputs_at(model_.bodies(), 0.5);
    std::vector<Family> families;
    std::vector<KeyAlong> along_keys;
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        families.push_back({stencils[k], {}, 0.0, {}, false, true, {}});
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
            family.length_slope += stencils[k].weight(i) * (at.beam.length - own.beam.length);
            if (!have_same_sizes(inputs_at(*family.bodies.back(), 0.5), nominal))
                family.reason = "beside this value the model has other modes";
        }
        if (has_loads(nominal) || !family.reason.empty()) continue;
        if (is_rigid(nominal, of_a_body)) family.scaling = struck[k].scaling;
        if (is_rigid(nominal, 0) && striking[k].scaling) {
            family.scaling = striking[k].scaling;
            family.scaled_body = of_a_body;
        }
    }
    return families;
}

void BeamGradients::note_changes() {
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        Family& family = families_[k];
        by_place_ |= keys_[k] == contact_place_key;
        by_length_ |= family.length_slope != 0.0;
        if (!family.reason.empty() || family.bodies.empty()) continue;
        std::vector<Blocks> blocks;
        for (const auto& bodies : family.bodies) {
            blocks.push_back(inputs_at(*bodies, 0.5));
            blocks.back()[rigid_rates] = bodies->beam_motion().rigid_rates;
            blocks.back()[of_a_body + rigid_rates] = bodies->striker_motion().rigid_rates;
        }
        family.change = change_along(family.stencil, blocks);
        const bool is_of_beam = keys_[k].starts_with("beam.") && changes_modes(family.change);
        family.moves_shapes = is_of_beam || keys_[k] == "motion.inclination";
        family.has_one_contact = std::ranges::all_of(
            family.bodies, [](const auto& bodies) { return bodies->has_one_contact(); });
    }
    const Blocks nominal = inputs_at(model_.bodies(), 0.5);
    take_scaling_apart(nominal);
    if ((by_place_ || by_length_) && !places_->has_one_contact()) law_ = impact::all_law_numbers;
    for (const Family& family : families_) {
        by_.shapes |= family.moves_shapes;
        // For the scaled body they follow from the law; `slope_by_scaling` reads those of the
        // other.
        if (family.scaling && family.scaling->log_shapes != 0.0)
            by_.rigid_shapes |= !nominal[of_a_body - family.scaled_body + phi].empty();
        note_modes(family.change, nominal, by_);
        law_ |= family.has_one_contact ? law_numbers(family.change) : impact::all_law_numbers;
    }
}

void BeamGradients::take_scaling_apart(const CollisionInputs& nominal) {
    const auto exponents = unit_exponents(model_.bodies().contact_at(0.5).law);
    impact::ModeNumbers others{false, false, false};
    ModeScaling any;
    for (const Family& family : families_) {
        if (family.scaling) {
            any.log_frequencies += std::abs(family.scaling->log_frequencies);
            any.log_shapes += std::abs(family.scaling->log_shapes);
            continue;
        }
        others.shapes |= family.moves_shapes;
        note_modes(family.change, nominal, others);
    }
    const bool scales = any.log_frequencies != 0.0 || any.log_shapes != 0.0;
    if (!scales || !exponents || others.of_all_modes()) {
        for (Family& family : families_) family.scaling.reset();
        return;
    }
    exponents_ = *exponents;
    for (std::size_t p = 0; p < exponents_.size(); ++p) {
        const bool matters = any.log_frequencies * exponents_[p].time != 0.0 ||
                             any.log_shapes * exponents_[p].mass != 0.0;
        if (matters) law_ |= impact::LawNumbers{1} << p;
    }
    for (Family& family : families_) {
        if (!family.scaling) continue;
        family.moves_shapes = false;
        for (const std::size_t body : {std::size_t{0}, std::size_t{of_a_body}}) {
            for (const Block block : {eigenvalues, damping, phi, residual_flexibility}) {
                family.change.slope[body + block].clear();
                if (!family.change.roughness.empty()) family.change.roughness[body + block].clear();
            }
        }
    }
}

bool BeamGradients::changes_with_place(const Family& family) const {
    return family.moves_shapes || !family.has_one_contact ||
           model_.parameters().motion.closing_speed().has_value();
}

InputChange BeamGradients::change_of(const Family& family, double xi) const {
    const bool has_speed = model_.parameters().motion.closing_speed().has_value();
    InputChange change = family.change;
    std::vector<Blocks> blocks(family.bodies.size(), Blocks(all_blocks));
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const CollisionBodies& bodies = *family.bodies[i];
        if (family.moves_shapes) add_shapes(bodies, xi, blocks[i]);
        if (has_speed) add_rates(bodies, xi, blocks[i]);
        if (!family.has_one_contact) blocks[i][law] = numbers_of(bodies.contact_at(xi).law);
    }
    InputChange there = change_along(family.stencil, blocks);
    for (std::size_t block = 0; block < all_blocks; ++block) {
        if (blocks.front()[block].empty()) continue;
        change.slope[block] = std::move(there.slope[block]);
        if (!change.roughness.empty()) change.roughness[block] = std::move(there.roughness[block]);
    }
    return change;
}

InputChange BeamGradients::change_of_place(double xi) const {
    const double length = model_.scales().length;
    const core::Stencil stencil = stencil_in_element(model_.beam().body()->mesh, xi * length);
    std::vector<Blocks> blocks(core::Stencil::points, Blocks(all_blocks));
    const bool has_speed = model_.parameters().motion.closing_speed().has_value();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const double there = stencil.number(i) / length;
        add_shapes(*places_, there, blocks[i]);
        if (has_speed) add_rates(*places_, there, blocks[i]);
        if (!places_->has_one_contact())
            blocks[i][law] = numbers_of(places_->contact_at(there).law);
    }
    return change_along(stencil, blocks);
}

CollisionSlopes BeamGradients::at(double xi, std::span<const impact::Quantity> quantities,
                                  double xi_by_length, bool with_kinks) const {
    std::vector<impact::Quantity> wanted(quantities.begin(), quantities.end());
    if (with_kinks) wanted.push_back(impact::Quantity::margins);
    std::optional<InputChange> of_place;  // per metre
    if (by_place_ || (by_length_ && xi_by_length != 0.0)) of_place = change_of_place(xi);
    impact::GradientRequest request{wanted, by_, law_};
    request.by.shapes |= of_place.has_value();
    if (of_place && !by_.any()) {
        request.along = impact::ShapeChange{of_place->slope[phi], of_place->slope[of_a_body + phi]};
        of_place->is_along = true;
    }
    impact::CollisionWithGradients collision = model_.collide_with_gradients(xi, request);
    const std::span all(collision.gradients);
    CollisionSlopes slopes{std::move(collision.result), {}};
    if (collision.gradients.empty()) return slopes;
    slopes.by_key = Eigen::MatrixXd::Constant(static_cast<Eigen::Index>(quantities.size()),
                                              static_cast<Eigen::Index>(keys_.size()),
                                              std::numeric_limits<double>::quiet_NaN());
    if (with_kinks) slopes.kinks.resize(keys_.size());
    const Blocks inputs = exponents_.empty() ? Blocks{} : inputs_at(model_.bodies(), xi);
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        const Family& family = families_[k];
        if (!family.reason.empty()) continue;
        const double shift = xi_by_length * model_.scales().length * family.length_slope;
        std::optional<InputChange> here;
        if (!family.bodies.empty() && changes_with_place(family)) here = change_of(family, xi);
        const InputChange& change = family.bodies.empty() ? *of_place
                                    : here                ? *here
                                                          : family.change;
        const auto slope = [&](const impact::CollisionGradient& gradient, double value) {
            double own = slope_along(change, gradient, value);
            if (family.scaling)
                own += slope_by_scaling(*family.scaling, family.scaled_body, gradient, value,
                                        inputs, exponents_);
            return shift == 0.0 ? own : own + shift * slope_along(*of_place, gradient, value);
        };
        for (std::size_t q = 0; q < quantities.size(); ++q) {
            slopes.by_key(static_cast<Eigen::Index>(q), static_cast<Eigen::Index>(k)) =
                slope(all[q], impact::value_of(slopes.result, quantities[q]));
        }
        for (const impact::CollisionGradient& gradient : all.subspan(quantities.size())) {
            take_nearer(slopes.kinks[k], gradient.graze, slope(gradient, gradient.graze.margin));
        }
    }
    return slopes;
}

}  // namespace stoss::models
