#include <models/mode_choice.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <models/collide_many.hpp>
#include <models/truncation.hpp>
#include <stoss/core/arrays.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/core/progress.hpp>

namespace stoss::models {

namespace {

constexpr int first_mode_count = 16;

int next_mode_count(int modes) {
    return static_cast<int>(std::lround(truncation_ratio * modes));
}

/// One collision while its modes are raised.
struct Trial {
    std::size_t beam;
    double xi;
    std::optional<double> before = {}, now = {};  ///< e_N on the last two levels
    double change = core::infinity;          ///< of e_N by further modes; 0: the bodies never part
    double earlier_change = core::infinity;  ///< the same one level before

    void add(std::optional<double> cor, std::optional<double> truncation) {
        before = std::exchange(now, cor);
        const bool never_parts = !before && !now;
        earlier_change = change;
        change = never_parts ? 0.0 : truncation.value_or(core::infinity);
    }
};

/// So many of them, evenly spaced, each beam with places of its own.
std::vector<Trial> trials_of(std::span<const BeamCollision> beams, std::span<const double> places,
                             std::size_t most) {
    std::vector<Trial> all;
    for (std::size_t beam = 0; beam < beams.size(); ++beam) {
        for (const double xi : places) {
            if (rigid_approach_speed(beams[beam], xi) > 0.0) all.push_back({beam, xi});
        }
    }
    std::vector<Trial> some;
    for (const std::size_t i : core::spread_indices(most, all.size())) some.push_back(all[i]);
    return some;
}

/// The largest of the next numbers of modes whose mesh is that of `modes`.
int most_on_same_mesh(const BeamCollision& beam, int modes, int most_modes) {
    const int elements = with_modes(beam, modes).mesh.elements;
    for (int next = next_mode_count(modes); next <= most_modes; next = next_mode_count(next)) {
        if (with_modes(beam, next).mesh.elements != elements) break;
        modes = next;
    }
    return modes;
}

/// The models of one beam at one number of modes. The modes of a mesh are computed once.
struct Level {
    std::optional<BeamModel> richest;        ///< on this mesh
    std::optional<BeamModel> model;          ///< with this number of modes
    std::optional<BeamModel> with_residual;  ///< if the model has no residual flexibility
    double share = 1.0;                      ///< of the change of e, by further modes

    void set_modes(const BeamCollision& beam, int modes, int most_modes) {
        BeamCollision parameters = with_modes(beam, modes);
        if (!richest || richest->parameters().mesh.elements != parameters.mesh.elements) {
            BeamCollision richer = parameters;
            richer.mesh.modes = most_on_same_mesh(beam, modes, most_modes);
            richest.emplace(richer);
        }
        model = richest->reduced(parameters);
        if (std::exchange(parameters.mesh.residual_flexibility, true)) {
            share = truncation_share(*model);
            return;
        }
        with_residual = richest->reduced(parameters);
    }
};

/// e_N of every trial with this many modes. False if it was stopped.
bool try_modes(std::vector<Trial>& trials, std::span<const BeamCollision> beams, int modes,
               const ModeSearch& search, std::vector<Level>& levels) {
    const auto make = [&](std::size_t beam) {
        const auto is_its = [&](const Trial& trial) { return trial.beam == beam; };
        if (std::any_of(trials.begin(), trials.end(), is_its))
            levels[beam].set_modes(beams[beam], modes, search.most_modes);
    };
    core::parallel_for(beams.size(), search.threads, make, search.stop);
    if (search.stop()) return false;
    // With the model itself, and with the one that has the residual flexibility.
    std::vector<CollisionList::Request> requests;
    for (const Trial& trial : trials) {
        const Level& level = levels[trial.beam];
        requests.push_back({0, &*level.model, trial.xi});
        if (level.with_residual) requests.push_back({0, &*level.with_residual, trial.xi});
    }
    core::Progress progress(fmt::format("with {} modes", modes), requests.size(), search.quiet);
    std::vector<std::optional<double>> cors(requests.size());
    const CollisionList list{requests.size(), [&](std::size_t i) { return requests[i]; },
                             search.threads, search.stop};
    const auto take = [&](std::size_t i, const impact::CollisionResult& result) {
        cors[i] = restitution_of(result);
        progress.advance();
    };
    if (!models::collide(list, take)) return false;
    auto next = cors.begin();
    for (Trial& trial : trials) {
        const Level& level = levels[trial.beam];
        const auto cor = *next++;
        const auto other = level.with_residual ? *next++ : trial.now;
        std::optional<double> truncation;
        if (cor && other) truncation = level.share * std::abs(*cor - *other);
        trial.add(cor, truncation);
    }
    return true;
}

}  // namespace

BeamCollision with_modes(BeamCollision parameters, int modes) {
    const int own = parameters.mesh.elements;
    parameters.mesh.modes = modes;
    const int least = elements_per_mode * modes;
    parameters.mesh.elements = own * std::max(1, (least + own - 1) / own);
    return parameters;
}

std::optional<ModeChoice> choose_modes(std::span<const BeamCollision> beams,
                                       std::span<const double> places, const ModeSearch& search) {
    std::vector<Trial> trials = trials_of(beams, places, search.most_places);
    const auto is_open = [&](const Trial& trial) {
        const BeamCollision& beam = beams[trial.beam];
        const double change =
            converges_unevenly(beam) ? std::max(trial.change, trial.earlier_change) : trial.change;
        return !(change < beam.mesh.tolerance);
    };
    int modes = first_mode_count;
    for (const BeamCollision& beam : beams)
        modes = std::max(modes, highest_vibrating_mode(beam) + 1);
    ModeChoice choice{.modes = modes, .places = trials.size()};
    std::vector<Level> levels(beams.size());
    for (; !trials.empty(); modes = next_mode_count(modes)) {
        if (!try_modes(trials, beams, modes, search, levels)) return std::nullopt;
        choice.modes = modes;
        choice.open =
            static_cast<std::size_t>(std::count_if(trials.begin(), trials.end(), is_open));
        constexpr std::size_t one_in = 10;
        if (one_in * choice.open <= trials.size() || next_mode_count(modes) > search.most_modes)
            break;
    }
    for (const Trial& trial : trials) {
        if (is_open(trial) || trial.change < choice.cor_change) continue;
        choice.cor_change = trial.change;
        choice.xi = trial.xi;
    }
    const auto is_made = [](const Level& level) { return level.model.has_value(); };
    if (std::all_of(levels.begin(), levels.end(), is_made)) {
        for (Level& level : levels) choice.models.push_back(std::move(*level.model));
    }
    return choice;
}

}  // namespace stoss::models
