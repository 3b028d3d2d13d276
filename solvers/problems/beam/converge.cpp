#include <solvers/problems/beam/converge.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <models/beam_collision.hpp>
#include <models/collide_many.hpp>
#include <models/truncation.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/beam/beam_case.hpp>
#include <solvers/problems/beam/beam_impact.hpp>
#include <solvers/problems/beam/convergence_study.hpp>
#include <solvers/problems/beam/convergence_verdict.hpp>
#include <stoss/core/arrays.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/core/progress.hpp>
#include <stoss/io/bind.hpp>

namespace stoss::solvers {

namespace {

constexpr std::size_t most_places = 25;    // spread evenly over the case
constexpr std::size_t most_doubtful = 25;  // beside them

// ---- The case

/// A case of either problem: curves of places. `resolved` below: with all defaults written out.
struct StudiedCase {
    CaseHeader header;
    std::vector<models::BeamCollision> curves;
    std::vector<std::string> labels;  ///< the swept value of each curve; empty without a sweep
    std::optional<std::string> swept_key;
    std::vector<std::vector<double>> xi;  ///< of each curve, all places of the case
};

StudiedCase read_collision(const io::Document& resolved) {
    const auto [header, collision, place, expectations] =
        io::read<CaseHeader, models::BeamCollision, BeamImpact, CaseExpectations>(resolved);
    return {header, {collision}, {""}, {}, {{place.location.on(collision.beam.length)}}};
}

StudiedCase read_map(const io::Document& document, const io::Document& resolved) {
    const auto [header, collision, map, expectations] =
        io::read<CaseHeader, models::BeamCollision, BeamImpactMap, CaseExpectations>(resolved);
    StudiedCase studied;
    studied.header = header;
    const Locations& locations = *map.locations;
    const auto add = [&](const models::BeamCollision& curve, const std::string& label) {
        studied.curves.push_back(curve);
        studied.labels.push_back(label);
        studied.xi.push_back(locations.all(curve.beam.length));
    };
    if (!map.sweep) {
        add(collision, "");
        return studied;
    }
    const std::string& key = map.sweep->key;
    if (key.starts_with("mesh.") || key.starts_with("integration.")) {
        refuse(document,
               {{"sweep.key", key,
                 "cannot be swept in a convergence study, which varies mesh and integration",
                 fmt::format("study one value: --set sweep=none --set {}={}", key,
                             map.sweep->values.front())}});
    }
    studied.swept_key = key;
    for (const std::string& value : map.sweep->values) {
        io::Document changed = resolved;
        changed.root.set(key, io::Node::text(value));
        add(std::get<models::BeamCollision>(
                io::read<CaseHeader, models::BeamCollision, BeamImpactMap, CaseExpectations>(
                    changed)),
            value);
    }
    return studied;
}

StudiedCase read_case(const io::Document& document, const io::Node& resolved) {
    const std::string& problem = resolved.find("problem")->scalar;
    const bool is_map = problem == BeamImpactMap::name;
    if (!is_map && problem != BeamImpact::name) {
        refuse(document, {{"problem", problem,
                           fmt::format("has no convergence study; must be {} or {}",
                                       BeamImpact::name, BeamImpactMap::name),
                           ""}});
    }
    const io::Document whole{document.file, resolved};
    return is_map ? read_map(document, whole) : read_collision(whole);
}

/// What is wrong with the mesh once the number of modes is known.
std::vector<core::Violation> check_mesh(const models::BeamCollision& collision) {
    const int elements = finest_elements(collision);
    if (elements <= most_elements) return {};
    return {{"mesh.elements", std::to_string(collision.mesh.elements),
             fmt::format("is too many for a convergence study, which needs up to {}: must be at "
                         "most {} for it",
                         elements, most_elements / 4),
             "study the case with fewer elements"}};
}

/// `mesh.modes: auto`: one p for all curves and places. False if it was stopped.
bool settle(StudiedCase& studied, const RunOptions& options,
            std::optional<models::ModeChoice>& choice) {
    std::vector<models::BeamCollision*> curves;
    for (models::BeamCollision& curve : studied.curves) curves.push_back(&curve);
    std::vector<double> places;
    for (std::size_t curve = 0; curve < studied.xi.size(); ++curve) {
        if (curve > 0 && studied.xi[curve] == studied.xi[curve - 1]) continue;
        places.insert(places.end(), studied.xi[curve].begin(), studied.xi[curve].end());
    }
    return settle_modes(curves, places, options, choice);
}

/// All collisions in which the bodies close.
std::vector<StudiedPlace> closing_places(const StudiedCase& studied) {
    std::vector<StudiedPlace> all;
    for (std::size_t curve = 0; curve < studied.curves.size(); ++curve) {
        for (const double xi : studied.xi[curve]) {
            if (models::rigid_approach_speed(studied.curves[curve], xi) > 0.0)
                all.push_back({curve, xi});
        }
    }
    return all;
}

/// What further modes would change of e_N at each place, as a run estimates it; nullopt if it was
/// stopped. Newmark's scheme is replaced by the faster splitting scheme.
std::optional<std::vector<double>> truncations(const StudiedCase& studied,
                                               const std::vector<StudiedPlace>& places,
                                               const RunOptions& options) {
    const std::size_t count = studied.curves.size();
    std::vector<std::optional<models::BeamModel>> models(count);
    std::vector<std::optional<models::Truncation>> truncation(count);
    const auto make = [&](std::size_t curve) {
        models::BeamCollision parameters = studied.curves[curve];
        if (!parameters.integration.estimates_error())
            parameters.integration.scheme = time::Splitting{};
        models[curve].emplace(parameters);
        truncation[curve].emplace(*models[curve]);
    };
    core::parallel_for(count, options.threads, make, options.stop);
    if (options.stop()) return std::nullopt;
    core::Progress progress("places looked at", places.size(), options.quiet);
    std::vector<double> found(places.size(), 0.0);
    const models::CollisionList collisions{places.size(),
                                           [&](std::size_t i) -> models::CollisionList::Request {
                                               return {i, &*models[places[i].curve], places[i].xi};
                                           },
                                           options.threads, options.stop};
    const bool is_done = models::collide_with_truncation(
        collisions,
        [&](std::size_t i) -> const models::Truncation& { return *truncation[places[i].curve]; },
        [](std::size_t, const impact::CollisionResult&) {},
        [&](std::size_t i, std::optional<double> estimate) {
            found[i] = estimate.value_or(0.0);
            progress.advance();
        });
    return is_done ? std::optional(found) : std::nullopt;
}

/// The places of a study, in the order of the case.
struct ChosenPlaces {
    std::vector<StudiedPlace> places;
    PlaceChoice choice;
};

/// All places; of many those that are evenly spaced among them, and the worst of those of which a
/// run would warn. nullopt if it was stopped.
std::optional<ChosenPlaces> chosen_places(const StudiedCase& studied, const RunOptions& options) {
    const std::vector<StudiedPlace> all = closing_places(studied);
    if (all.size() <= most_places) return ChosenPlaces{all, {}};
    const auto truncation = truncations(studied, all, options);
    if (!truncation) return std::nullopt;
    std::vector<bool> is_sample(all.size(), false);
    for (const std::size_t i : core::spread_indices(most_places, all.size())) is_sample[i] = true;
    std::vector<std::size_t> doubtful;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double tolerance = studied.curves[all[i].curve].mesh.tolerance;
        if (!is_sample[i] && (*truncation)[i] > tolerance) doubtful.push_back(i);
    }
    std::ranges::stable_sort(doubtful, std::greater{},
                             [&](std::size_t i) { return (*truncation)[i]; });
    const std::size_t added = std::min(doubtful.size(), most_doubtful);
    std::vector<bool> is_added(all.size(), false);
    for (std::size_t i = 0; i < added; ++i) is_added[doubtful[i]] = true;
    ChosenPlaces chosen{{}, {all.size(), doubtful.size() - added}};
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (is_sample[i] || is_added[i])
            chosen.places.push_back({all[i].curve, all[i].xi, is_sample[i]});
    }
    return chosen;
}

// ---- Tables

std::string_view time_column(const models::BeamCollision& collision) {
    return collision.integration.estimates_error() ? "tolerance" : "step_s";
}

/// A row a level, from coarse to fine on each refinement.
io::Table convergence_table(const ConvergenceStudy& study, const models::BeamCollision& collision) {
    std::vector<std::string> refined, role;
    std::vector<std::int64_t> modes, elements, places, places_in_quantiles, counts;
    std::vector<double> time, median, quantile_90, largest, xi;
    for (const Refined each : all_refined) {
        const ConvergenceStudy::Refinement& refinement = study.refinement(each);
        for (std::size_t level = 0; level < refinement.levels.size(); ++level) {
            const Resolution& resolution = refinement.levels[level].resolution;
            const CorChanges changes = study.changes(each, level);
            const bool is_reference = level + 1 == refinement.levels.size();
            refined.emplace_back(name_of(each, collision.integration.scheme));
            role.emplace_back(is_reference                    ? "reference"
                              : level == refinement.own_level ? "case"
                                                              : "");
            modes.push_back(resolution.modes);
            elements.push_back(resolution.elements);
            time.push_back(resolution.time);
            places.push_back(static_cast<std::int64_t>(changes.places));
            places_in_quantiles.push_back(static_cast<std::int64_t>(changes.places_in_quantiles));
            median.push_back(changes.median.value_or(io::no_number));
            quantile_90.push_back(changes.quantile_90.value_or(io::no_number));
            largest.push_back(changes.largest.value_or(io::no_number));
            xi.push_back(is_reference || !changes.largest
                             ? io::no_number
                             : study.places()[changes.place_of_largest].xi);
            counts.push_back(study.counts(each, level));
        }
    }
    io::Table table;
    table.add("refined", std::move(refined));
    table.add("role", std::move(role));
    table.add("modes", std::move(modes));
    table.add("elements", std::move(elements));
    table.add(std::string(time_column(collision)), std::move(time));
    table.add("places", std::move(places));
    table.add("places_in_quantiles", std::move(places_in_quantiles));
    table.add("cor_change_median", std::move(median));
    table.add("cor_change_quantile_90", std::move(quantile_90));
    table.add("cor_change_max", std::move(largest));
    table.add("xi_of_max", std::move(xi));
    table.add("used_for_order", std::move(counts));
    return table;
}

io::Table place_table(const ConvergenceStudy& study, const StudiedCase& studied) {
    std::vector<std::string> swept;
    std::vector<double> xi, own, reference;
    std::vector<std::int64_t> in_quantiles;
    std::array<std::vector<double>, all_refined.size()> changes;
    for (std::size_t place = 0; place < study.places().size(); ++place) {
        swept.push_back(studied.labels[study.places()[place].curve]);
        xi.push_back(study.places()[place].xi);
        own.push_back(study.cor_of_case(place));
        reference.push_back(study.cor_of_reference(place));
        in_quantiles.push_back(study.places()[place].is_sample);
        for (const Refined each : all_refined) {
            changes[static_cast<std::size_t>(each)].push_back(study.change(each, place));
        }
    }
    io::Table table;
    if (studied.swept_key) table.add(*studied.swept_key, std::move(swept));
    table.add("xi", std::move(xi));
    table.add("in_quantiles", std::move(in_quantiles));
    table.add("cor_kinematic", std::move(own));
    table.add("cor_kinematic_reference", std::move(reference));
    for (const Refined each : all_refined) {
        const auto name = name_of(each, studied.curves.front().integration.scheme);
        table.add(fmt::format("cor_change_{}", name),
                  std::move(changes[static_cast<std::size_t>(each)]));
    }
    return table;
}

// ---- Outcome

io::Value summary_of(const ConvergenceStudy& study, const StudiedCase& studied,
                     const ConvergenceVerdict& verdict) {
    const models::BeamCollision& collision = studied.curves.front();
    const Resolution own = resolution_of(collision);
    io::Value summary = io::Value::object();
    const CorChanges all = study.changes();
    summary.set("status", "complete");
    summary.set("verdict", verdict.known);
    summary.set("largest_part", verdict.parts);
    summary.set("advice", verdict.advice);
    summary.set("methods_sentence", verdict.methods);
    summary.set("cor_known_to", verdict.known_to);
    summary.set("places", study.places().size());
    summary.set("places_known", study.places().size() - verdict.unknown.size());
    summary.set("cor_change_median", all.median.value_or(io::no_number));
    summary.set("cor_change_quantile_90", all.quantile_90.value_or(io::no_number));
    summary.set("cor_change_max", all.largest.value_or(io::no_number));
    summary.set("xi_of_max", study.places()[all.place_of_largest].xi);
    summary.set("modes", own.modes).set("elements", own.elements);
    summary.set(std::string(time_column(collision)), own.time);
    summary.set("residual_flexibility", collision.mesh.residual_flexibility);
    summary.set("cor_change_floor", study.floor());
    for (const Refined each : all_refined) {
        const auto name = name_of(each, collision.integration.scheme);
        summary.set(fmt::format("order_{}", name), study.order(each).value_or(io::no_number));
        summary.set(fmt::format("cor_change_{}", name),
                    study.changes(each).quantile_90.value_or(io::no_number));
    }
    io::Value unknown = io::Value::array();
    for (const std::size_t place : verdict.unknown) unknown.append(study.places()[place].xi);
    summary.set("xi_not_known", std::move(unknown));
    return summary;
}

std::string order_words(const ConvergenceStudy& study, Refined refined) {
    const auto order = study.order(refined);
    return order ? fmt::format("{:.2g}", *order)
                 : fmt::format("not measured: fewer than two changes between {:.2g} and {}",
                               study.floor(), ConvergenceStudy::asymptotic);
}

void add_closing_lines(Outcome& outcome, const ConvergenceStudy& study,
                       const impact::Scheme& scheme, const ConvergenceVerdict& verdict) {
    for (const Refined each : all_refined) {
        outcome.closing_lines.emplace_back(fmt::format("order in {}", name_of(each, scheme)),
                                           order_words(study, each));
    }
    outcome.closing_lines.emplace_back("verdict", verdict.known);
    outcome.closing_lines.emplace_back("", verdict.parts);
    outcome.closing_lines.emplace_back("", verdict.advice);
    outcome.closing_lines.emplace_back("for the paper", verdict.methods);
}

}  // namespace

void check_convergence(const io::Document& document, const io::Node& resolved) {
    const StudiedCase studied = read_case(document, resolved);
    if (studied.curves.front().mesh.modes) refuse(document, check_mesh(studied.curves.front()));
}

Outcome study_convergence(const io::Document& document, const io::Node& resolved,
                          const RunOptions& options) {
    StudiedCase studied = read_case(document, resolved);
    Outcome outcome;
    outcome.header = {"convergence", studied.header.title, false};
    outcome.items = "collisions";
    std::optional<models::ModeChoice> choice;
    if (!settle(studied, options, choice)) {
        outcome.ending = Ending::interrupted;
        return outcome;
    }
    const models::BeamCollision& collision = studied.curves.front();
    refuse(document, check_mesh(collision));
    const auto chosen = chosen_places(studied, options);
    if (!chosen) {
        outcome.ending = Ending::interrupted;
        return outcome;
    }
    ConvergenceStudy study(studied.curves, chosen->places);
    const bool is_done = study.compute(options);
    outcome.item_count = study.collisions();
    outcome.items_done = study.collisions_done();
    if (!is_done) {
        outcome.ending = Ending::interrupted;
        return outcome;
    }
    if (study.changes().places == 0) {
        throw core::NumericalError(
            "at no place did the bodies part both with the settings of the case and with the "
            "finest; raise integration.time_limit");
    }
    const ConvergenceVerdict verdict = verdict_of(study, collision, studied.labels, chosen->choice);
    outcome.summary = summary_of(study, studied, verdict);
    outcome.summary.set("places_of_case", std::max(chosen->choice.of, study.places().size()));
    outcome.tables.emplace_back("convergence.csv", convergence_table(study, collision));
    outcome.tables.emplace_back("places.csv", place_table(study, studied));
    outcome.printed_table = "convergence.csv";
    add_closing_lines(outcome, study, collision.integration.scheme, verdict);
    add_choice(outcome, choice, &collision);
    return outcome;
}

}  // namespace stoss::solvers
