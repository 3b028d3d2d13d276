#pragma once
/// Where the impacts of a trace are.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include <postproc/experiment/detail/motion_break.hpp>
#include <postproc/experiment/restitution_measurement.hpp>

namespace stoss::postproc::detail {

// An impact is an abrupt change of the angular velocity: of at least this part of the largest one,
// so many standard errors above noise, and better explained by a kink than by a parabola.
inline constexpr double least_change = 0.2, least_signal = 6.0, least_gain = 1.5;
inline constexpr double still = 0.1;  // of the speed on the other side: the beam is at rest
inline constexpr std::size_t most_candidates = 1000;

/// A straight line through samples, weighted with 1 - u^2, u in [-1, 1] over their span: vibrations
/// that are short against the span do not turn it.
struct Slope {
    double value = 0.0;     // [rad/s]
    double variance = 0.0;  // [rad^2/s^2]
};

/// Takes every so many of the samples [begin, end) that there are at most 200.
inline Slope local_slope(Samples time, Samples angle, std::size_t begin, std::size_t end) {
    const std::size_t stride = (end - begin) / 200 + 1;
    const double middle = 0.5 * (time[begin] + time[end - 1]);
    const double half = 0.5 * (time[end - 1] - time[begin]) * (1.0 + 1e-9);
    const auto place = [&](std::size_t i) { return (time[i] - middle) / half; };
    double w = 0.0, ws = 0.0, wss = 0.0, wy = 0.0, wsy = 0.0;
    for (std::size_t i = begin; i < end; i += stride) {
        const double s = place(i), weight = 1.0 - s * s, y = weight * (angle[i] - angle[begin]);
        w += weight, ws += weight * s, wss += weight * s * s, wy += y, wsy += s * y;
    }
    const double spread = wss - ws * ws / w;
    const double slope = (wsy - ws * wy / w) / spread, offset = (wy - slope * ws) / w;
    double squares = 0.0, leverage = 0.0;
    for (std::size_t i = begin; i < end; i += stride) {
        const double s = place(i), weight = 1.0 - s * s;
        const double residual = angle[i] - angle[begin] - offset - slope * s;
        squares += weight * residual * residual;
        leverage += weight * weight * (s - ws / w) * (s - ws / w);
    }
    return {slope / half, squares / w * leverage / (spread * spread * half * half)};
}

/// The angular velocity on either side of an instant.
struct Change {
    double instant = 0.0;              // [s]
    double before = 0.0, after = 0.0;  // [rad/s]
    double noise = 0.0;                // standard error of their difference [rad/s]

    double size() const { return std::abs(after - before); }
    double fastest() const { return std::max(std::abs(before), std::abs(after)); }
    bool starts_motion() const { return std::abs(before) < still * std::abs(after); }
    bool ends_motion() const { return std::abs(after) < still * std::abs(before); }
};

/// Finds the impacts of a trace: abrupt changes of the angular velocity of a beam that moves.
class ImpactSearch {
  public:
    ImpactSearch(Samples time, Samples angle, const Sampling& sampling)
        : time_(time), angle_(angle), window_(sampling.window), floor_(0.1 * sampling.resolution) {
        search({0, time.size()}, 0.5 * reach());
    }

    /// Instants [s], the largest change of all first.
    const std::vector<double>& impacts() const { return impacts_; }
    /// Least distance [s] of two changes that are distinguished.
    double reach() const { return 0.2 * window_; }

  private:
    double far() const { return 0.8 * window_; }

    /// The change at an instant, by up to `reach` [s] on either side within `stretch`.
    std::optional<Change> change_at(double instant, const Stretch& stretch, double reach,
                                    double least) const {
        const double from = std::max(time_[stretch.begin], instant - reach);
        const double to = std::min(time_[stretch.end - 1], instant + reach);
        if (instant - from < least || to - instant < least) return {};
        const std::size_t begin = index_at(time_, from), end = index_at(time_, to) + 1;
        const std::size_t middle = index_at(time_, instant);
        if (middle < begin + least_samples || end < middle + least_samples) return {};
        const Slope before = local_slope(time_, angle_, begin, middle);
        const Slope after = local_slope(time_, angle_, middle, end);
        return Change{instant, before.value, after.value,
                      std::sqrt(before.variance + after.variance)};
    }

    bool is_abrupt(const Change& change) const {
        return change.size() > least_change * fastest_ &&
               change.size() > least_signal * change.noise && !change.starts_motion() &&
               !(change.ends_motion() && !impacts_.empty());
    }

    /// The impact near a change, if there is one: a kink that leaves an abrupt change.
    std::optional<double> impact_near(double instant, const Stretch& stretch) const {
        const std::size_t begin = std::max(stretch.begin, index_at(time_, instant - 2.0 * reach()));
        const std::size_t end = std::min(stretch.end, index_at(time_, instant + 2.0 * reach()));
        const double from = std::max(time_[begin], instant - reach());
        const double to = std::min(time_[end - 1], instant + reach());
        const FoundBreak kink =
            best_break<2>(Break::kink, time_, angle_, begin, end, from, to, floor_);
        if (!(kink.gain > least_gain)) return {};
        // A slow change is a push or friction: it is small near by. A vibration is small from afar.
        const auto change = change_at(kink.instant, stretch, far(), 0.0);
        const auto near = change_at(kink.instant, stretch, 0.5 * reach(), 0.0);
        if (!change || !is_abrupt(*change)) return {};
        if (near && near->size() < least_change * fastest_) return {};
        return kink.instant;
    }

    /// Looks for the largest impact of a stretch with `least` [s] on either side of it, then on
    /// both sides of what it found.
    void search(const Stretch& stretch, double least) {
        std::vector<Change> open;
        const std::size_t stride = stretch.size() / most_candidates + 1;
        for (std::size_t i = stretch.begin; i < stretch.end; i += stride) {
            if (const auto change = change_at(time_[i], stretch, far(), least))
                open.push_back(*change);
        }
        if (impacts_.empty()) {
            for (const Change& each : open) fastest_ = std::max(fastest_, each.fastest());
        }
        std::erase_if(open, [&](const Change& each) { return !is_abrupt(each); });
        while (!open.empty()) {
            const Change largest = *std::ranges::max_element(open, {}, &Change::size);
            if (const auto impact = impact_near(largest.instant, stretch)) {
                impacts_.push_back(*impact);
                search({stretch.begin, index_at(time_, *impact - 0.2 * reach())}, reach());
                search({index_at(time_, *impact + 0.2 * reach()), stretch.end}, reach());
                return;
            }
            std::erase_if(open, [&](const Change& each) {
                return std::abs(each.instant - largest.instant) <= reach();
            });
        }
    }

    Samples time_, angle_;
    double window_, floor_, fastest_ = 0.0;
    std::vector<double> impacts_;
};

}  // namespace stoss::postproc::detail
