#include <models/beam_gradients.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <models/beam_body_slopes.hpp>
#include <models/beam_matrices.hpp>
#include <models/key_points.hpp>
#include <stoss/contact/continuity.hpp>
#include <stoss/core/number_key.hpp>

namespace stoss::models {

namespace {

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

/// True if all eigenvalues of a body change as its scaling says, which is that of bending. Axial
/// modes change otherwise with the length and with the height of the section.
bool all_scale(const ModeScaling& scaling, std::span<const double> eigenvalues,
               std::span<const double> slope) {
    constexpr double roundoff = 1e-6;
    const double size = std::abs(scaling.log_frequencies) + std::abs(scaling.log_shapes);
    double rest = 0.0, all = 0.0;  // squares
    for (std::size_t j = 0; j < eigenvalues.size(); ++j) {
        const double change = slope.empty() ? 0.0 : slope[j];
        const double other = change - 2.0 * scaling.log_frequencies * eigenvalues[j];
        rest += other * other;
        all += eigenvalues[j] * eigenvalues[j];
    }
    return std::sqrt(rest) <= roundoff * size * std::sqrt(all);
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

/// The modes of a beam as a key changes, to first order.
struct BodyAlong {
    std::shared_ptr<const BeamBody> body;     // null: there is no such beam
    std::optional<BeamBodySlope> slope = {};  // none: the key does not change the modes
    std::string reason = {};                  // why there is no slope though it does

    /// By `step` of the key; `beam`: with it.
    std::shared_ptr<const BeamBody> moved(double step, const Beam& beam, const Mesh& mesh) const {
        return slope ? std::make_shared<const BeamBody>(*body, *slope, step, beam, mesh) : body;
    }
    std::optional<ModeScaling> scaling() const {
        return slope ? slope->scaling : std::optional<ModeScaling>{};
    }
};

/// A case while one key changes.
struct KeyAlong {
    const BeamCollision& nominal;
    const std::string& key;
    KeyPoints points;
    BodyAlong struck = {}, striking = {};

    BeamCollision changed(double number) const {
        BeamCollision collision = nominal;
        const core::NumberKey own = core::number_at(collision, key);
        if (own) own.set(number);
        return collision;
    }
    std::shared_ptr<const CollisionBodies> bodies_at(const core::Stencil& stencil,
                                                     double number) const {
        const BeamCollision at = changed(number);
        const StrikingBeam* const other = at.striker.striking_beam();
        const double step = number - stencil.at;
        return std::make_shared<const CollisionBodies>(
            at, struck.moved(step, at.beam, nominal.mesh),
            other ? striking.moved(step, other->beam, nominal.mesh) : striking.body);
    }
};

/// The modes of one beam of a collision, `body`, along each key; keys without `prefix` do not
/// change them. `part`: of the keys.
template <class Select>
void take_slopes(std::vector<KeyAlong>& keys, std::string_view prefix, BodyAlong KeyAlong::*part,
                 const std::shared_ptr<const BeamBody>& body, const Select& beam_of) {
    std::vector<BeamFamily> families;
    std::vector<BodyAlong*> concerned;
    for (KeyAlong& each : keys) {
        (each.*part).body = body;
        if (!each.key.starts_with(prefix)) continue;
        concerned.push_back(&(each.*part));
        const core::Stencil& stencil = each.points.stencils.front();
        families.push_back({stencil, {}});
        for (std::size_t i = 0; i < core::Stencil::points; ++i)
            families.back().beams.push_back(beam_of(each.changed(stencil.number(i))));
    }
    if (concerned.empty()) return;
    const BeamCollision& nominal = keys.front().nominal;
    try {
        auto slopes = beam_body_slopes(*body, beam_of(nominal), nominal.mesh, families);
        for (std::size_t f = 0; f < concerned.size(); ++f)
            concerned[f]->slope = std::move(slopes[f]);
    } catch (const core::NumericalError& error) {
        for (BodyAlong* each : concerned) each->reason = error.what();
    }
}

/// R of a beam in the middle of each element [m/N].
std::vector<double> residuals_along(const BeamBody& body) {
    std::vector<double> all;
    for (int e = 0; e < body.mesh.elements(); ++e) {
        const double x = body.mesh.node_position(e) + 0.5 * body.mesh.element_length(e);
        const double xi = x / body.mesh.length();
        all.push_back(body.residual_flexibility(xi, body.shapes_at(xi)));
    }
    return all;
}

/// The largest change of what a collision takes of both bodies, relative to what it is. What is
/// zero is left out.
double relative_change(const CollisionBodies& from, const CollisionBodies& to) {
    double largest = 0.0;
    const auto see = [&](std::span<const double> a, std::span<const double> b) {
        double size = 0.0, change = 0.0;  // squares
        for (std::size_t i = 0; i < a.size(); ++i) {
            size += a[i] * a[i];
            change += (a[i] - b[i]) * (a[i] - b[i]);
        }
        if (!std::isfinite(size) || size == 0.0) return;
        largest =
            std::isfinite(change) ? std::max(largest, std::sqrt(change / size)) : core::infinity;
    };
    const auto see_each = [&](std::span<const double> a, std::span<const double> b) {
        constexpr double visible = 1e-3;
        const double most = a.empty() ? 0.0 : std::ranges::max(a);
        for (std::size_t i = 0; i < a.size(); ++i)
            if (a[i] > visible * most) see(a.subspan(i, 1), b.subspan(i, 1));
    };
    const Blocks before = inputs_at(from, 0.5), after = inputs_at(to, 0.5);
    for (std::size_t block = 0; block < law; ++block) see(before[block], after[block]);
    for (std::size_t p = 0; p < before[law].size(); ++p)
        see(std::span(before[law]).subspan(p, 1), std::span(after[law]).subspan(p, 1));
    see_each(residuals_along(*from.beam().body()), residuals_along(*to.beam().body()));
    if (from.striking_beam())
        see_each(residuals_along(*from.striking_beam()), residuals_along(*to.striking_beam()));
    return largest;
}

/// A number that is 0 does not say what is small beside it. Makes the stencil so short that the
/// bodies change little along it: far along their tangent the modes are those of no beam.
void shorten(KeyAlong& key) {
    constexpr double little = 0x1p-7;
    core::Stencil stencil = key.points.stencils.front();
    const auto nominal = key.bodies_at(stencil, stencil.at);
    const auto change = [&](std::size_t i) {
        const auto there = key.bodies_at(stencil, stencil.number(i));
        const bool is_comparable =
            have_same_sizes(inputs_at(*there, 0.5), inputs_at(*nominal, 0.5));
        return is_comparable ? relative_change(*nominal, *there) : 0.0;
    };
    for (; stencil.length > 0x1p-60; stencil.length *= 0x1p-3) {
        if (change(0) > little || change(core::Stencil::points - 1) > little) continue;
        key.points.stencils.front() = stencil;
        return;
    }
}

/// True if a law that damps from the onset would have a mode for the residual flexibility.
bool may_have_residual_mode(const CollisionBodies& bodies) {
    const auto has_flexibility = [](const BeamBody* body) {
        return body && body->compliance && !body->residual_mode;
    };
    return has_flexibility(bodies.beam().body().get()) ||
           has_flexibility(bodies.striking_beam().get());
}

bool have_same_modes(const CollisionBodies& a, const CollisionBodies& b) {
    if (!have_same_sizes(inputs_at(a, 0.5), inputs_at(b, 0.5))) return false;
    return !may_have_residual_mode(a) || contact::damps_from_onset(a.contact_at(0.5).law) ==
                                             contact::damps_from_onset(b.contact_at(0.5).law);
}

/// True if a mode value may have a kink there: only derivatives by all mode values tell whether it
/// matters.
bool has_rough_shapes(const InputChange& change) {
    if (change.roughness.empty()) return false;
    constexpr double roundoff = 1e-6;
    double rough = 0.0, steep = 0.0;
    for (const std::size_t block : {std::size_t{phi}, std::size_t{of_a_body + phi}}) {
        for (const double each : change.roughness[block]) rough = std::max(rough, std::abs(each));
        for (const double each : change.slope[block]) steep = std::max(steep, std::abs(each));
    }
    return rough > roundoff * steep;
}

std::optional<core::Violation> what_couples_modes(const BeamCollision& parameters) {
    auto found = models::what_couples_modes(parameters.beam, "beam.");
    const StrikingBeam* const other = parameters.striker.striking_beam();
    if (!found && other) found = models::what_couples_modes(other->beam, "striker.beam.");
    return found;
}

/// True if damping couples the modes when a number of `collision` changes, as external damping of 0
/// does on a beam with masses.
bool couples_modes_beside(const BeamCollision& collision, const core::NumberKey& number) {
    const double value = number.value().value();
    number.set(value == 0.0 ? 1.0 : 1.01 * value);
    const bool couples = what_couples_modes(collision).has_value();
    number.set(value);
    return couples;
}

}  // namespace

std::vector<core::Violation> check_gradient(const BeamCollision& parameters,
                                            std::span<const std::string> keys,
                                            const std::string& path) {
    std::vector<core::Violation> found;
    const std::optional<core::Violation> coupling = what_couples_modes(parameters);
    if (coupling) {
        found.push_back(
            {path, "",
             fmt::format("cannot be computed with {}, which {}", coupling->key, coupling->rule),
             fmt::format("leave out {}, or vary the keys with `sweep`", coupling->key)});
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
        } else if (auto wrong = check_collision_key(own, key, number)) {
            found.push_back(std::move(*wrong));
        } else if (moves_a_node(key)) {
            found.push_back({own, key,
                             "moves nodes of the mesh: derivatives by places of supports, springs, "
                             "masses, materials and stations are not known",
                             "location: the place of contact; or vary the key with `sweep`"});
        } else if (!coupling && couples_modes_beside(copy, number)) {
            found.push_back({own, key,
                             "has no derivative: beside its value damping couples the modes",
                             "vary the key with `sweep`"});
        }
    }
    return found;
}

BeamGradients::BeamGradients(const BeamModel& model, std::vector<std::string> keys)
    : model_(model), keys_(std::move(keys)) {
    BeamCollision copy = model.parameters();
    std::vector<KeyPoints> points;
    for (const std::string& key : keys_) {
        if (key == contact_place_key) {
            units_.emplace_back("m");
            values_.push_back(0.0);
            points.push_back({{core::Stencil{}}});
            continue;
        }
        const core::NumberKey number = core::number_at(copy, key);
        units_.emplace_back(number.unit);
        values_.push_back(number.value().value());
        points.push_back(key == "striker.xi" ? points_on_striker(values_.back())
                                             : KeyPoints{{stencil_of(number)}});
    }
    families_ = families_of(points);
    const BeamCollision& own = model.parameters();
    const BeamBody& body = *model.beam().body();
    places_ = std::make_shared<const CollisionBodies>(
        own,
        std::make_shared<const BeamBody>(body, BeamBodySlope::none(body), 0.0, own.beam, own.mesh),
        model.bodies().striking_beam());
    note_changes();
}

KeyPoints BeamGradients::points_on_striker(double xi) const {
    const BeamBody& body = *model_.bodies().striking_beam();
    const BeamCollision& own = model_.parameters();
    const double length = body.mesh.length();
    KeyPoints points = points_around(own.striker.striking_beam()->beam, body, xi * length,
                                     own.motion.closing_speed().has_value());
    for (core::Stencil& each : points.stencils) {
        each.at = points.stencils.size() == 1 ? xi : each.at / length;
        each.length /= length;
    }
    return points;
}

double BeamGradients::value(std::size_t key, double xi) const {
    return keys_[key] == contact_place_key ? xi * model_.scales().length : values_[key];
}

std::vector<BeamGradients::Family> BeamGradients::families_of(
    std::span<const KeyPoints> points) const {
    const BeamCollision& own = model_.parameters();
    const auto nominal = inputs_at(model_.bodies(), 0.5);
    std::vector<KeyAlong> along;
    for (std::size_t k = 0; k < keys_.size(); ++k) along.push_back({own, keys_[k], points[k]});
    take_slopes(along, "beam.", &KeyAlong::struck, model_.beam().body(),
                [](const BeamCollision& of) -> const Beam& { return of.beam; });
    take_slopes(
        along, "striker.beam.", &KeyAlong::striking, model_.bodies().striking_beam(),
        [](const BeamCollision& of) -> const Beam& { return of.striker.striking_beam()->beam; });
    std::vector<Family> families(keys_.size());
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        Family& family = families[k];
        KeyAlong& key = along[k];
        family.reason = key.struck.reason + key.striking.reason;
        family.points = key.points;
        if (keys_[k] == contact_place_key || !family.reason.empty()) continue;
        if (values_[k] == 0.0 && keys_[k] != "striker.xi") shorten(key);
        family.points = key.points;
        for (std::size_t i = 0; i < key.points.count(); ++i) {
            const core::Stencil& stencil = key.points.stencil_of(i);
            family.bodies.push_back(key.bodies_at(stencil, key.points.number(i)));
            family.length_slope +=
                stencil.weight(i % core::Stencil::points) *
                (family.bodies.back()->parameters().beam.length - own.beam.length);
            if (!have_same_modes(*family.bodies.back(), model_.bodies()))
                family.reason = has_other_modes_beside;
        }
        if (has_loads(nominal) || !family.reason.empty()) continue;
        if (is_rigid(nominal, of_a_body)) family.scaling = key.struck.scaling();
        if (is_rigid(nominal, 0) && key.striking.scaling()) {
            family.scaling = key.striking.scaling();
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
        family.change = change_along(family.points, blocks);
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
    for (Family& family : families_) {
        const std::size_t block = family.scaled_body + eigenvalues;
        if (family.scaling &&
            !all_scale(*family.scaling, nominal[block], family.change.slope[block]))
            family.scaling.reset();
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
    InputChange there = change_along(family.points, blocks);
    for (std::size_t block = 0; block < all_blocks; ++block) {
        if (blocks.front()[block].empty()) continue;
        change.slope[block] = std::move(there.slope[block]);
        if (!change.roughness.empty()) change.roughness[block] = std::move(there.roughness[block]);
    }
    return change;
}

InputChange BeamGradients::change_of_place(double xi) const {
    const BeamCollision& own = model_.parameters();
    const double length = model_.scales().length;
    const bool has_speed = own.motion.closing_speed().has_value();
    // Axial shapes are cosines.
    const KeyPoints points = points_around(own.beam, *model_.beam().body(), xi * length,
                                           has_speed || own.motion.inclination != 0.0);
    std::vector<Blocks> blocks(points.count(), Blocks(all_blocks));
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const double there = points.number(i) / length;
        add_shapes(*places_, there, blocks[i]);
        if (has_speed) add_rates(*places_, there, blocks[i]);
        if (!places_->has_one_contact())
            blocks[i][law] = numbers_of(places_->contact_at(there).law);
    }
    return change_along(points, blocks);
}

CollisionSlopes BeamGradients::at(double xi, std::span<const impact::Quantity> quantities,
                                  double xi_by_length, bool with_kinks) const {
    std::vector<impact::Quantity> wanted(quantities.begin(), quantities.end());
    if (with_kinks) wanted.push_back(impact::Quantity::margins);
    std::optional<InputChange> of_place;  // per metre
    if (by_place_ || (by_length_ && xi_by_length != 0.0)) of_place = change_of_place(xi);
    impact::GradientRequest request{wanted, by_, law_};
    request.by.shapes |= of_place.has_value();
    if (of_place && !by_.any() && !has_rough_shapes(*of_place)) {
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
