#include <solvers/problems/modal/modal_gradient.hpp>

#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <solvers/case/contact_binding.hpp>
#include <solvers/case/key_slopes.hpp>
#include <solvers/case/sweep.hpp>
#include <solvers/problems/modal/modal_case.hpp>
#include <stoss/contact/continuity.hpp>
#include <stoss/core/stencil.hpp>

namespace stoss::solvers {

namespace {

using models::CollisionInputs;

CollisionInputs inputs_at(const ModalCase& all, Eigen::Index point) {
    return models::inputs_of(all.body.modes.at(point), all.body.motion, all.striking_body(),
                             all.striker_motion(), all.impact.contact.law);
}

bool has_residual_flexibility(const CollisionInputs& inputs) {
    const auto of = [&](std::size_t body) {
        return inputs[body + models::input::residual_flexibility].front() != 0.0;
    };
    return of(0) || of(models::input::of_a_body);
}

/// What no collision depends on; empty: it is none of that.
std::string use_of(const ModalCase& all, const std::string& key) {
    if (key.starts_with("integration.")) return "is a number of the computation, not of the bodies";
    if (key == "body.mass" || (key == "striker.mass" && all.striking_modes()))
        return "only checks the table of modes";
    return {};
}

}  // namespace

std::vector<core::Violation> check_gradient_keys(const ModalCase& all) {
    const ModalImpact& impact = all.impact;
    std::vector<core::Violation> found = check_gradient_lists(impact), unknown;
    if (!impact.has_gradient()) return found;
    if (auto wrong = models::check_gradient_scheme("gradient", impact.integration.scheme))
        found.push_back(std::move(*wrong));
    ModalCase copy = all;
    for (std::size_t i = 0; i < impact.gradient->size(); ++i) {
        const std::string& key = (*impact.gradient)[i];
        const std::string path = fmt::format("gradient[{}]", i);
        if (std::string use = use_of(all, key); !use.empty()) {
            found.push_back({path, key, std::move(use), "a key of body, striker or contact"});
        } else if (auto wrong = models::check_collision_key(path, key, copy.number_at(key))) {
            if (key.find(".modes[") != key.npos)
                wrong->suggestion =
                    "a cell is body.modes[ROW].COLUMN: rows count from 0, columns have the names "
                    "of the table; a rigid mode has its shapes alone";
            unknown.push_back(std::move(*wrong));
        }
    }
    const auto is_accepted = [&](const std::string& name) {
        const core::NumberKey number = copy.number_at(name);
        return use_of(all, name).empty() && number && number.value();
    };
    suggest_accepted_keys(unknown, single_keys(io::describe_keys<ModalImpact>()), is_accepted,
                          "for example striker.velocity, or body.modes[2].frequency_Hz");
    core::append(std::move(unknown), found);
    return found;
}

ModalGradient::ModalGradient(const ModalCase& all)
    : case_(all), quantities_(all.impact.quantities()) {
    for (const std::string& key : *all.impact.gradient) add_changes(key);
}

void ModalGradient::add_changes(const std::string& key) {
    ModalCase changed = case_;
    const core::NumberKey number = changed.number_at(key);
    values_.push_back(number.value().value());
    keys_.push_back({key, std::string(number.unit), {}});
    const core::Stencil stencil = models::stencil_of(number);
    std::vector<std::vector<CollisionInputs>> inputs(case_.points.size());
    for (std::size_t i = 0; i < core::Stencil::points; ++i) {
        number.set(stencil.number(i));
        const auto wrong = changed.settle();
        if (!wrong.empty())
            keys_.back().reason =
                fmt::format("beside this value {} {}", wrong.front().key, wrong.front().rule);
        const bool has_other_damping = contact::damps_from_onset(changed.impact.contact.law) !=
                                       contact::damps_from_onset(case_.impact.contact.law);
        for (std::size_t p = 0; p < inputs.size(); ++p) {
            inputs[p].push_back(inputs_at(changed, case_.points[p]));
            if (has_other_damping && has_residual_flexibility(inputs[p].back()))
                keys_.back().reason = models::has_other_modes_beside;
        }
    }
    change_.emplace_back();
    if (!keys_.back().reason.empty()) return;
    for (const auto& along : inputs) {
        change_.back().push_back(models::change_along(stencil, along));
        models::note_modes(change_.back().back(), along.front(), by_);
        law_ |= models::law_numbers(change_.back().back());
    }
}

void ModalGradient::take_slopes(std::size_t point,
                                std::span<const impact::CollisionGradient> gradients,
                                models::CollisionSlopes& slopes) const {
    slopes.by_key =
        Eigen::MatrixXd::Constant(static_cast<Eigen::Index>(quantities_.size()),
                                  static_cast<Eigen::Index>(keys_.size()), io::no_number);
    slopes.kinks.resize(keys_.size());
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        if (!keys_[k].reason.empty()) continue;
        const models::InputChange& change = change_[k][point];
        for (std::size_t q = 0; q < quantities_.size(); ++q)
            slopes.by_key(static_cast<Eigen::Index>(q), static_cast<Eigen::Index>(k)) =
                models::slope_along(change, gradients[q],
                                    impact::value_of(slopes.result, quantities_[q]));
        for (const auto& each : gradients.subspan(quantities_.size())) {
            const impact::Graze& graze = each.graze;
            models::take_nearer(slopes.kinks[k], graze,
                                models::slope_along(change, each, graze.margin));
        }
    }
}

GradientRow ModalGradient::row(std::size_t point, const impact::Collider& collider,
                               impact::Collider::Workspace& workspace) const {
    const modal::ModalBody body = case_.body.modes.at(case_.points[point]);
    const modal::ModalBody striker = case_.striking_body();
    const models::ModalMotion motion = case_.striker_motion();
    const bool with_kinks = case_.impact.gradient_kinks;
    std::vector<impact::Quantity> wanted = quantities_;
    if (with_kinks) wanted.push_back(impact::Quantity::margins);
    models::CollisionSlopes slopes;
    std::vector<impact::CollisionGradient> gradients;
    collider.collide_with_gradients(
        case_.body.motion.of(body).approach(), motion.of(striker).approach(), case_.contact(),
        case_.time_limit(striker), workspace, slopes.result, {wanted, by_, law_}, gradients);
    if (!gradients.empty()) take_slopes(point, gradients, slopes);
    GradientRow row{fmt::format("at {}", case_.name_of(case_.points[point])),
                    {static_cast<double>(point + 1)},
                    values_,
                    {},
                    slopes_in_row(slopes, keys_.size(), quantities_.size(), with_kinks)};
    for (const impact::Quantity quantity : quantities_)
        row.results.push_back(gradients.empty() ? io::no_number
                                                : impact::value_of(slopes.result, quantity));
    return row;
}

}  // namespace stoss::solvers
