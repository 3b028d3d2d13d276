#include <models/checked_beam_model.hpp>

#include <string>
#include <utility>
#include <vector>

#include <models/collide_many.hpp>
#include <models/mode_choice.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/core/progress.hpp>

namespace stoss::models {

namespace {

void check_call(std::span<const double> xi, int threads) {
    std::vector<core::Violation> violations =
        core::check_number("threads", threads, core::non_negative, "");
    for (std::size_t i = 0; i < xi.size(); ++i) {
        core::append(
            core::check_number("xi[" + std::to_string(i) + "]", xi[i], core::closed(0.0, 1.0), ""),
            violations);
    }
    core::throw_if_any(std::move(violations));
}

CollisionList list_of(const BeamModel& model, std::span<const double> xi, int threads,
                      const std::function<bool()>& stop) {
    return {xi.size(),
            [&model, xi](std::size_t i) {
                return CollisionList::Request{i, &model, xi[i]};
            },
            threads, stop};
}

}  // namespace

CheckedBeamModel::CheckedBeamModel(const BeamCollision& parameters) : parameters_(parameters) {
    core::throw_if_any(core::check_fields(parameters, ""));
    core::throw_if_any(check(parameters));
    if (parameters.mesh.modes) model_ = std::make_shared<const BeamModel>(parameters);
}

CheckedBeamModel CheckedBeamModel::settled(std::span<const double> xi, int threads,
                                           const std::function<bool()>& stop) const {
    check_call(xi, threads);
    if (model_) return *this;
    ModeSearch search;
    search.threads = threads;
    if (stop) search.stop = stop;
    const std::optional<ModeChoice> choice = choose_modes({&parameters_, 1}, xi, search);
    if (!choice) throw core::Stopped();
    CheckedBeamModel settled = *this;
    settled.parameters_ = with_modes(parameters_, choice->modes);
    // Not a part of the richer basis of the search: whoever gives this number of modes gets the
    // same bits.
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
                           const std::function<bool()>& stop, const TakeResult& take) const {
    const CheckedBeamModel ready = settled(xi, threads, stop);
    core::Progress progress("collisions", xi.size(), true);
    const auto take_and_count = [&](std::size_t i, const impact::CollisionResult& result) {
        take(i, result);
        progress.advance();
    };
    if (!models::collide(list_of(ready.model(), xi, threads, stop), take_and_count))
        throw core::Stopped();
}

Collision CheckedBeamModel::collide(double xi, std::size_t samples) const {
    const CheckedBeamModel ready = settled({&xi, 1});
    if (samples == 0) return {ready.model().collide(xi)};
    impact::History history(samples);
    Collision collision{ready.model().collide(xi, &history)};
    collision.history = history.samples();
    return collision;
}

std::vector<std::optional<double>> CheckedBeamModel::truncation(
    std::span<const double> xi, int threads, const std::function<bool()>& stop) const {
    const CheckedBeamModel ready = settled(xi, threads, stop);
    const Truncation of_model(ready.model());
    std::vector<std::optional<double>> changes(xi.size());
    const bool is_whole = collide_with_truncation(
        list_of(ready.model(), xi, threads, stop),
        [&](std::size_t) -> const Truncation& { return of_model; },
        [](std::size_t, const impact::CollisionResult&) {},
        [&](std::size_t i, std::optional<double> change) { changes[i] = change; });
    if (!is_whole) throw core::Stopped();
    return changes;
}

}  // namespace stoss::models
