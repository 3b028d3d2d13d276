#include <models/mode_choice.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <stoss/core/error.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/core/progress.hpp>
#include <stoss/core/units.hpp>

namespace stoss::models {

namespace {

constexpr int first_rung = 10;

int next_rung(int modes) {
    return (5 * modes + 3) / 4;  // a quarter more, rounded up
}

/// One collision while its modes are raised, with e_N on the last three rungs; NaN where the bodies
/// did not part.
struct Trial {
    std::size_t beam;
    double xi;
    double two_before = core::not_given, before = core::not_given, now = core::not_given;

    void add(double cor) { two_before = std::exchange(before, std::exchange(now, cor)); }

    /// Largest change of e_N from the lowest of the three rungs to the two above. Bodies that part
    /// on none of them are no matter of the modes.
    double change() const {
        if (std::isnan(two_before) && std::isnan(before) && std::isnan(now)) return 0.0;
        const double change = std::max(std::abs(before - two_before), std::abs(now - two_before));
        return std::isnan(two_before + before + now) ? core::infinity : change;
    }
};

std::vector<Trial> trials_of(std::span<const BeamCollision> beams, std::span<const double> places) {
    std::vector<Trial> trials;
    for (std::size_t beam = 0; beam < beams.size(); ++beam) {
        for (const double xi : places) {
            if (rigid_approach_speed(beams[beam], xi) > 0.0) trials.push_back({beam, xi});
        }
    }
    return trials;
}

/// e_N of every trial with this many modes. False if it was stopped.
bool climb(std::vector<Trial>& trials, std::span<const BeamCollision> beams, int modes,
           const ModeSearch& search) {
    std::vector<std::optional<BeamModel>> models(beams.size());
    const auto make = [&](std::size_t beam) {
        const auto is_its = [&](const Trial& trial) { return trial.beam == beam; };
        if (std::any_of(trials.begin(), trials.end(), is_its)) {
            models[beam].emplace(with_modes(beams[beam], modes));
        }
    };
    core::parallel_for(beams.size(), search.threads, make, search.stop);
    if (search.stop()) return false;
    core::Progress progress(fmt::format("with {} modes", modes), trials.size(), search.quiet);
    const auto strike = [&](std::size_t i) {
        const impact::CollisionResult result = models[trials[i].beam]->collide(trials[i].xi);
        const bool parted = result.status == impact::Status::separated;
        trials[i].add(parted ? result.cor_kinematic : core::not_given);
        progress.advance();
    };
    core::parallel_for(trials.size(), search.threads, strike, search.stop);
    return !search.stop();
}

[[noreturn]] void give_up(const Trial& worst, double tolerance, int modes) {
    throw core::NumericalError(fmt::format(
        "mesh.modes: auto: up to {} modes are not enough: at xi = {:.6g} the coefficient of "
        "restitution still changes by {:.2g}, more than mesh.tolerance = {}; allow more, or give "
        "the number of modes",
        modes, worst.xi, worst.change(), core::to_text(tolerance)));
}

}  // namespace

BeamCollision with_modes(BeamCollision parameters, int modes) {
    const int own = parameters.mesh.elements;
    parameters.mesh.modes = modes;
    parameters.mesh.elements = own * std::max(1, (2 * modes + own - 1) / own);
    return parameters;
}

std::optional<ModeChoice> choose_modes(std::span<const BeamCollision> beams,
                                       std::span<const double> places, const ModeSearch& search) {
    const auto tolerance = [&](const Trial& trial) { return beams[trial.beam].mesh.tolerance; };
    const auto by_change = [&](const Trial& a, const Trial& b) {
        return a.change() / tolerance(a) < b.change() / tolerance(b);
    };
    std::vector<Trial> open = trials_of(beams, places);
    ModeChoice choice;
    // The rungs of `Trial`: `lowest` is the candidate, the two above it have to agree.
    int lowest = 0, middle = 0;
    for (int modes = first_rung; !open.empty(); modes = next_rung(modes)) {
        if (!climb(open, beams, modes, search)) return std::nullopt;
        if (lowest > 0) {
            const auto settled = std::partition(open.begin(), open.end(), [&](const Trial& trial) {
                return !(trial.change() < tolerance(trial));
            });
            if (settled != open.end()) {
                const auto worst = std::max_element(settled, open.end(), by_change);
                choice = {lowest, worst->change(), worst->xi};
                open.erase(settled, open.end());
            }
            if (!open.empty() && next_rung(modes) > search.most_modes) {
                const auto worst = std::max_element(open.begin(), open.end(), by_change);
                give_up(*worst, tolerance(*worst), modes);
            }
        }
        lowest = std::exchange(middle, modes);
    }
    return choice;
}

}  // namespace stoss::models
