#include <models/checked_beam_model.hpp>

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include <models/mode_choice.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/core/progress.hpp>

namespace stoss::models {

namespace {

void check_places(std::span<const double> xi) {
    std::vector<core::Violation> violations;
    for (std::size_t i = 0; i < xi.size(); ++i) {
        for (core::Violation& each :
             core::check_number("xi[" + std::to_string(i) + "]", xi[i], core::closed(0.0, 1.0), ""))
            violations.push_back(std::move(each));
    }
    core::throw_if_any(std::move(violations));
}

using Take = std::function<void(std::size_t, const impact::CollisionResult&)>;

/// All collisions of one model, shared by the threads.
void collide_all(const BeamModel& model, std::span<const double> xi, int threads,
                 const std::function<bool()>& stop, const Take& take_result) {
    core::Progress progress("collisions", xi.size(), true);
    std::atomic<std::size_t> begun{0};
    std::atomic<bool> stopped{false};
    const auto next = [&](BeamModel::CollisionRequest& request) {
        if (stop && stop()) stopped = true;
        const std::size_t item = stopped ? xi.size() : begun++;
        if (item >= xi.size()) return false;
        request = {.id = item, .model = &model, .xi = xi[item]};
        return true;
    };
    const auto take = [&](std::size_t i, const impact::CollisionResult& result) {
        take_result(i, result);
        progress.advance();
    };
    core::parallel_for(static_cast<std::size_t>(core::thread_count(threads)), threads,
                       [&](std::size_t) { BeamModel::collide_all(next, take); }, {});
    if (stopped) throw core::Stopped();
}

}  // namespace

CheckedBeamModel::CheckedBeamModel(const BeamCollision& parameters) : parameters_(parameters) {
    core::throw_if_any(core::check_fields(parameters, ""));
    core::throw_if_any(check(parameters));
    if (parameters.mesh.modes) model_ = std::make_shared<const BeamModel>(parameters);
}

CheckedBeamModel CheckedBeamModel::settled(std::span<const double> xi, int threads,
                                           const std::function<bool()>& stop) const {
    if (model_) return *this;
    check_places(xi);
    ModeSearch search;
    search.threads = threads;
    if (stop) search.stop = stop;
    const std::optional<ModeChoice> choice = choose_modes({&parameters_, 1}, xi, search);
    if (!choice) throw core::Stopped();
    CheckedBeamModel settled = *this;
    settled.parameters_ = with_modes(parameters_, choice->modes);
    settled.model_ = std::make_shared<const BeamModel>(settled.parameters_);
    return settled;
}

CollisionMap CheckedBeamModel::map(std::span<const double> xi, int threads,
                                   const std::function<bool()>& stop) const {
    std::vector<impact::CollisionResult> results(xi.size());
    map(xi, threads, stop,
        [&](std::size_t i, const impact::CollisionResult& result) { results[i] = result; });
    return {{xi.begin(), xi.end()}, std::move(results)};
}

void CheckedBeamModel::map(std::span<const double> xi, int threads,
                           const std::function<bool()>& stop, const Take& take) const {
    check_places(xi);
    const CheckedBeamModel ready = settled(xi, threads, stop);
    collide_all(ready.model(), xi, threads, stop, take);
}

Collision CheckedBeamModel::collide(double xi, std::size_t samples) const {
    check_places({&xi, 1});
    const CheckedBeamModel ready = settled({&xi, 1});
    if (samples == 0) return {ready.model().collide(xi)};
    impact::History history(samples);
    Collision collision{ready.model().collide(xi, &history)};
    collision.history = history.samples();
    return collision;
}

}  // namespace stoss::models
