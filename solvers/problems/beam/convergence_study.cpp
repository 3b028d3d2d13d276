#include <solvers/problems/beam/convergence_study.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include <models/collide_many.hpp>
#include <models/mode_choice.hpp>
#include <solvers/case/collision_columns.hpp>
#include <solvers/case/open_rows.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/core/progress.hpp>
#include <stoss/io/checkpoint.hpp>
#include <stoss/statistics/sensitivity.hpp>

namespace stoss::solvers {

namespace {

constexpr double loosest_tolerance = 0.1;  // as time::Splitting has it

bool has_tolerance(const impact::Scheme& scheme) {
    return std::holds_alternative<time::Splitting>(scheme);
}

/// Factors of tolerance or step, from coarse to fine; 1 is the case.
std::span<const double> time_factors(const impact::Scheme& scheme) {
    static constexpr std::array tolerances{100.0, 10.0, 1.0, 0.1, 0.01};
    static constexpr std::array steps{4.0, 2.0, 1.0, 0.5, 0.25};
    return has_tolerance(scheme) ? tolerances : steps;
}

double scaled_time(const impact::Scheme& scheme, double time, double factor) {
    if (!has_tolerance(scheme)) return factor * time;
    return std::clamp(factor * time, std::min(time, tightest_tolerance),
                      std::max(time, loosest_tolerance));
}

/// Slope of y over x by least squares.
double slope(const std::vector<double>& x, const std::vector<double>& y) {
    const auto count = static_cast<double>(x.size());
    double mean_x = 0.0, mean_y = 0.0, xx = 0.0, xy = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        mean_x += x[i] / count;
        mean_y += y[i] / count;
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    return xy / xx;
}

}  // namespace

Resolution resolution_of(const models::BeamCollision& collision) {
    const impact::Scheme& scheme = collision.integration.scheme;
    const auto* const splitting = std::get_if<time::Splitting>(&scheme);
    return {collision.mesh.modes.value(), collision.mesh.elements,
            splitting ? splitting->tolerance : std::get<time::Newmark>(scheme).step};
}

models::BeamCollision with_resolution(models::BeamCollision collision,
                                      const Resolution& resolution) {
    collision.mesh.modes = resolution.modes;
    collision.mesh.elements = resolution.elements;
    impact::Scheme& scheme = collision.integration.scheme;
    if (auto* const splitting = std::get_if<time::Splitting>(&scheme)) {
        splitting->tolerance = resolution.time;
    } else {
        std::get<time::Newmark>(scheme).step = resolution.time;
    }
    return collision;
}

double fineness(Refined refined, const Resolution& resolution) {
    switch (refined) {
        case Refined::modes:
            return resolution.modes;
        case Refined::elements:
            return resolution.elements;
        case Refined::time:
            break;
    }
    return 1.0 / resolution.time;
}

int finest_elements(const models::BeamCollision& collision) {
    models::BeamCollision fine = collision;
    fine.mesh.elements *= 4;
    return models::with_modes(fine, 2 * collision.mesh.modes.value()).mesh.elements;
}

std::string_view name_of(Refined refined, const impact::Scheme& scheme) {
    if (refined == Refined::modes) return "modes";
    if (refined == Refined::elements) return "elements";
    return has_tolerance(scheme) ? "tolerance" : "step";
}

ConvergenceStudy::ConvergenceStudy(std::vector<models::BeamCollision> curves,
                                   std::vector<StudiedPlace> places)
    : curves_(std::move(curves)), places_(std::move(places)) {
    const models::BeamCollision& first = curves_.front();
    const impact::Scheme& scheme = first.integration.scheme;
    const Resolution own = resolution_of(first);
    const Resolution fine{2 * own.modes, finest_elements(first),
                          scaled_time(scheme, own.time, time_factors(scheme).back())};
    add_modes(own, fine);
    add_elements(own, fine);
    add_time(own, fine);
    cor_.assign(resolutions_.size() * places_.size(), io::no_number);
}

std::size_t ConvergenceStudy::number_of(const Resolution& resolution) {
    const auto found = std::find(resolutions_.begin(), resolutions_.end(), resolution);
    const auto number = static_cast<std::size_t>(found - resolutions_.begin());
    if (found == resolutions_.end()) resolutions_.push_back(resolution);
    return number;
}

/// A further level; one that is there already, or that a curve cannot have, is left out.
void ConvergenceStudy::add(Refined refined, const Resolution& resolution) {
    std::vector<Level>& levels = refinements_[static_cast<std::size_t>(refined)].levels;
    if (!levels.empty() && levels.back().resolution == resolution) return;
    const auto is_possible = [&](const models::BeamCollision& curve) {
        return models::check(with_resolution(curve, resolution)).empty();
    };
    if (!std::all_of(curves_.begin(), curves_.end(), is_possible)) return;
    levels.push_back({resolution, number_of(resolution)});
}

void ConvergenceStudy::add_modes(const Resolution& own, const Resolution& fine) {
    Refinement& refinement = refinements_[static_cast<std::size_t>(Refined::modes)];
    for (int half_octave = -4; half_octave <= 2; ++half_octave) {
        const double modes = own.modes * core::pow(2.0, 0.5 * half_octave);
        const int rounded = std::max(1, static_cast<int>(std::lround(modes)));
        add(Refined::modes, {rounded, fine.elements, fine.time});
        if (half_octave == 0) refinement.own_level = refinement.levels.size() - 1;
    }
}

void ConvergenceStudy::add_elements(const Resolution& own, const Resolution& fine) {
    for (const int factor : {1, 2, 4}) {
        add(Refined::elements, {own.modes, factor * own.elements, fine.time});
    }
    add(Refined::elements, {own.modes, fine.elements, fine.time});
}

void ConvergenceStudy::add_time(const Resolution& own, const Resolution& fine) {
    Refinement& refinement = refinements_[static_cast<std::size_t>(Refined::time)];
    const impact::Scheme& scheme = curves_.front().integration.scheme;
    for (const double factor : time_factors(scheme)) {
        const double time = factor == 1.0 ? own.time : scaled_time(scheme, own.time, factor);
        add(Refined::time, {own.modes, own.elements, time});
        if (factor == 1.0) refinement.own_level = refinement.levels.size() - 1;
    }
    add(Refined::time, {own.modes, own.elements, fine.time});
}

bool ConvergenceStudy::compute(const RunOptions& options) {
    core::Progress progress("collisions", cor_.size(), options.quiet);
    const auto advance = [&] { progress.advance(); };
    for (std::size_t r = 0; r < resolutions_.size(); ++r) {
        if (!compute(r, options, advance)) return false;
    }
    return true;
}

/// All collisions of one resolution.
bool ConvergenceStudy::compute(std::size_t resolution, const RunOptions& options,
                               const std::function<void()>& advance) {
    const auto row_of = [&](std::size_t place) { return resolution * places_.size() + place; };
    std::vector<std::size_t> open;
    std::vector<bool> is_needed(curves_.size(), false);
    for (std::size_t place = 0; place < places_.size(); ++place) {
        const std::vector<double> row = kept_row(options, row_of(place));
        if (row.empty()) {
            open.push_back(place);
            is_needed[places_[place].curve] = true;
        } else {
            cor_[row_of(place)] = row.front();
            ++done_;
            advance();
        }
    }
    std::vector<std::optional<models::BeamModel>> models(curves_.size());
    const auto make = [&](std::size_t curve) {
        if (!is_needed[curve]) return;
        models[curve].emplace(with_resolution(curves_[curve], resolutions_[resolution]));
    };
    core::parallel_for(curves_.size(), options.threads, make, options.stop);
    if (options.stop()) return open.empty();
    std::atomic<std::size_t> done{0};
    const models::CollisionList collisions{open.size(),
                                           [&](std::size_t i) -> models::CollisionList::Request {
                                               const StudiedPlace& place = places_[open[i]];
                                               return {i, &*models[place.curve], place.xi};
                                           },
                                           options.threads, options.stop};
    const auto take = [&](std::size_t i, const impact::CollisionResult& result) {
        const models::BeamModel& model = *models[places_[open[i]].curve];
        cor_[row_of(open[i])] = known_restitution(result, model.time_limit());
        if (options.checkpoint) {
            options.checkpoint->add(row_of(open[i]), {cor_[row_of(open[i])]});
        }
        ++done;
        advance();
    };
    models::collide(collisions, take);
    done_ += done;
    return done == open.size();
}

const ConvergenceStudy::Refinement& ConvergenceStudy::refinement(Refined refined) const {
    return refinements_[static_cast<std::size_t>(refined)];
}

double ConvergenceStudy::cor(const Level& level, std::size_t place) const {
    return cor_[level.number * places_.size() + place];
}

double ConvergenceStudy::cor_of_case(std::size_t place) const {
    const Refinement& time = refinement(Refined::time);
    return cor(time.levels[time.own_level], place);
}

double ConvergenceStudy::cor_of_reference(std::size_t place) const {
    return cor(refinement(Refined::modes).levels.back(), place);
}

double ConvergenceStudy::change(Refined refined, std::size_t place) const {
    const Refinement& all = refinement(refined);
    return cor(all.levels[all.own_level], place) - cor(all.levels.back(), place);
}

double ConvergenceStudy::change(std::size_t place) const {
    return cor_of_case(place) - cor_of_reference(place);
}

template <class Change>
CorChanges ConvergenceStudy::spread(Change change) const {
    CorChanges changes{};
    std::vector<double> sample, others;
    for (std::size_t place = 0; place < places_.size(); ++place) {
        const double size = std::abs(change(place));
        if (std::isnan(size)) continue;
        if (!changes.largest || size > *changes.largest) {
            changes.largest = size;
            changes.place_of_largest = place;
        }
        (places_[place].is_sample ? sample : others).push_back(size);
    }
    changes.places = sample.size() + others.size();
    std::vector<double>& sorted = sample.empty() ? others : sample;
    std::ranges::sort(sorted);
    changes.places_in_quantiles = sorted.size();
    changes.median = statistics::quantile(sorted, 0.5);
    changes.quantile_90 = statistics::quantile(sorted, 0.9);
    return changes;
}

CorChanges ConvergenceStudy::changes() const {
    return spread([&](std::size_t place) { return change(place); });
}

CorChanges ConvergenceStudy::changes(Refined refined) const {
    return changes(refined, refinement(refined).own_level);
}

CorChanges ConvergenceStudy::changes(Refined refined, std::size_t level) const {
    const std::vector<Level>& levels = refinement(refined).levels;
    return spread(
        [&](std::size_t place) { return cor(levels[level], place) - cor(levels.back(), place); });
}

double ConvergenceStudy::floor() const {
    const std::size_t levels = refinement(Refined::time).levels.size();
    return levels < 2 ? 0.0 : changes(Refined::time, levels - 2).median.value_or(io::no_number);
}

bool ConvergenceStudy::counts(Refined refined, std::size_t level) const {
    const std::vector<Level>& levels = refinement(refined).levels;
    const double least = refined == Refined::time ? 0.0 : floor();
    const auto median = changes(refined, level).median;
    return median && *median > least && *median < asymptotic &&
           fineness(refined, levels[level].resolution) <=
               0.51 * fineness(refined, levels.back().resolution);
}

std::optional<double> ConvergenceStudy::order(Refined refined) const {
    std::vector<double> x, y;
    for (std::size_t level = 0; level < refinement(refined).levels.size(); ++level) {
        if (!counts(refined, level)) continue;
        x.push_back(core::log(fineness(refined, refinement(refined).levels[level].resolution)));
        y.push_back(core::log(*changes(refined, level).median));
    }
    if (x.size() < 2) return std::nullopt;
    return -slope(x, y);
}

}  // namespace stoss::solvers
