#include <solvers/problems/beam/beam_case.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <fmt/format.h>
#include <models/mode_choice.hpp>
#include <solvers/case/stopped_work.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/bind.hpp>

namespace stoss::solvers {

std::vector<core::Violation> check_with(const models::BeamCollision& collision,
                                        const std::string& key, double value) {
    try {
        io::Document changed{"", io::to_node(collision)};
        changed.root.set(key, io::Node::text(core::to_text(value)));
        return models::check(io::read<models::BeamCollision>(changed));
    } catch (const core::InputError& error) {
        return core::violations_of(error);
    }
}

bool settle_modes(std::span<models::BeamCollision* const> beams, std::span<const double> places,
                  const RunOptions& options, std::optional<models::ModeChoice>& choice) {
    std::vector<models::BeamCollision> left_open;
    for (const models::BeamCollision* beam : beams) {
        if (!beam->mesh.modes) left_open.push_back(*beam);
    }
    if (left_open.empty()) return true;
    const bool is_done = run_unless_stopped(options.stop, [&] {
        choice =
            models::choose_modes(left_open, places, {options.threads, options.quiet, options.stop});
    });
    if (!is_done || !choice) return false;
    for (models::BeamCollision* beam : beams) {
        if (!beam->mesh.modes) *beam = models::with_modes(*beam, choice->modes);
    }
    return true;
}

void add_choice(Outcome& outcome, const std::optional<models::ModeChoice>& choice,
                const models::BeamCollision* settled) {
    if (!choice) return;
    outcome.summary.set("modes_chosen", choice->modes);
    outcome.summary.set("modes_cor_change", choice->cor_change);
    outcome.summary.set("modes_cor_change_xi", choice->xi);
    outcome.summary.set("modes_places", choice->places);
    outcome.summary.set("modes_places_open", choice->open);
    outcome.headlines.insert(outcome.headlines.end(), {"modes_chosen", "modes_cor_change"});
    if (!settled) return;
    outcome.chosen = {{"mesh.modes", settled->mesh.modes.value()},
                      {"mesh.elements", settled->mesh.elements}};
}

void add_model_scales(io::Value& summary, const models::BeamModel& model,
                      std::optional<double> xi) {
    summary.set("time_scale_s", model.scales().time);
    summary.set("length_m", model.scales().length);
    summary.set("force_scale_N", model.scales().force);
    if (xi || model.has_one_contact()) {
        summary.set("contact_stiffness_N_per_m_to_n",
                    models::contact_stiffness(model.parameters(), xi.value_or(0.0))
                        .value_or(io::no_number));
    }
    io::Value frequencies = io::Value::array();
    for (const double eigenvalue : model.beam().basis().eigenvalues) {
        frequencies.append(std::sqrt(eigenvalue) / (2.0 * std::numbers::pi));
    }
    summary.set("elements", model.beam().elements());
    summary.set("modes", static_cast<std::int64_t>(model.beam().basis().modes()));
    summary.set("rigid_modes", static_cast<std::int64_t>(model.beam().basis().rigid));
    summary.set("frequencies_Hz", std::move(frequencies));
}

namespace {

std::string remedy_for(const models::Mesh& mesh) {
    if (!mesh.residual_flexibility) return "use `mesh.residual_flexibility: true`, or more modes";
    const int enough = models::elements_per_mode * mesh.modes.value_or(0);
    const std::string elements =
        mesh.elements < enough
            ? fmt::format(" and mesh.elements (to four for each mode, {} or more)", enough)
            : "";
    return fmt::format(
        "raise mesh.modes{}; where many sub-impacts follow each other, e depends on every small "
        "detail of the beam, and no model can predict it",
        elements);
}

}  // namespace

void warn_of_truncation(Outcome& outcome, const models::Mesh& mesh,
                        std::span<const TruncatedCollision> collisions) {
    std::vector<TruncatedCollision> open;
    double largest = io::no_number;
    for (const TruncatedCollision& each : collisions) {
        if (!each.cor_truncation) continue;
        if (*each.cor_truncation > mesh.tolerance) {
            open.push_back(each);
        } else {
            largest = std::fmax(largest, *each.cor_truncation);
        }
    }
    outcome.summary.set("not_predictable", open.size());
    outcome.summary.set("cor_truncation_max", largest);
    outcome.summary.set("cor_tolerance", mesh.tolerance);
    if (open.empty()) return;
    std::ranges::sort(open, std::greater{}, &TruncatedCollision::cor_truncation);
    constexpr std::size_t most_named = 5;
    std::string places;
    for (std::size_t i = 0; i < std::min(open.size(), most_named); ++i)
        places += fmt::format("{}{:.4g}{}", i == 0 ? "" : ", ", open[i].xi, open[i].where);
    if (open.size() > most_named) places += fmt::format(" and {} more", open.size() - most_named);
    const std::string who =
        collisions.size() == 1 ? "the collision"
                               : fmt::format("{} of {} collisions", open.size(), collisions.size());
    // No number: the estimate is one only if the change is small (docs/theory/number_of_modes.md).
    outcome.warnings.push_back(fmt::format(
        "{}: e is not predictable to mesh.tolerance = {} at xi = {}: finer settings would change "
        "it by more, and cor_truncation may be far too small there; `stoss converge` measures the "
        "change; {}",
        who, core::to_text(mesh.tolerance), places, remedy_for(mesh)));
}

}  // namespace stoss::solvers
