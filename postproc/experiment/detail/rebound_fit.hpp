#pragma once
/// The impact of a trace: which samples are fitted, and what follows of the fit
/// (theory/experiments.md).

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <postproc/experiment/detail/motion_break.hpp>
#include <postproc/experiment/detail/two_rotations.hpp>
#include <postproc/experiment/restitution_measurement.hpp>

namespace stoss::postproc::detail {

// Free rotation ends at a kink that halves the squares and changes the velocity by this part.
// Viscous friction is no such kink: an exponential deviates from a parabola like a kink of 0.11 of
// the square of the part of the velocity that is lost, from a cubic like one of 0.02.
inline constexpr double end_gain = 2.0, end_change = 0.02;
inline constexpr double bend_of_parabola = 0.13, bend_of_cubic = 0.02;
// Lost counts: a step of more than so many, which explains more of the squares than a vibration.
inline constexpr double slip_gain = 2.2, slip_counts = 1.5;
inline constexpr double least_torque = 3.0;  // standard errors of the acceleration by it
inline constexpr double most_hidden = 0.05;  // of a window: contact that the angle does not show

/// Chooses the windows and fits.
class ReboundFit {
  public:
    ReboundFit(Samples time, Samples angle, Samples clean, const Sampling& sampling, double reach)
        : time_(time), angle_(angle), clean_(clean), sampling_(sampling), reach_(reach) {}

    /// `found`: where the impact is, roughly. A torque that the trace does not show is left out: to
    /// fit it costs accuracy.
    std::variant<RestitutionMeasurement, NoMeasurement> fit(double found) {
        const auto result = fit(found, true);
        const auto* const driven = std::get_if<RestitutionMeasurement>(&result);
        const bool is_driven =
            driven != nullptr && std::abs(driven->acceleration.value) >
                                     least_torque * driven->acceleration.standard_error;
        return is_driven ? result : fit(found, false);
    }

  private:
    std::variant<RestitutionMeasurement, NoMeasurement> fit(double found, bool is_driven) {
        double instant = found;
        double contact = 0.0, seen = 0.0;  // before the lines meet: contact, and what shows of it
        std::optional<TwoRotations> lines;
        for (int pass = 0; pass < 4; ++pass) {
            const Stretch before = stretch_before(instant, contact);
            const Stretch after = stretch_after(instant, seen);
            if (auto trouble = too_short(instant, before, after)) return *trouble;
            lines.emplace(time_, angle_, sampling_, instant, before, after, is_driven);
            before_ = before;
            after_ = after;
            instant_ = instant;
            instant = std::clamp(lines->meeting(), found - reach_, found + reach_);
            seen = seen_before(*lines, instant);
            contact = contact_before(*lines, seen);
        }
        if (auto trouble = slip()) return *trouble;
        return conclude(*lines);
    }

    Stretch stretch_before(double instant, double contact) const {
        Stretch stretch{index_at(time_, instant - sampling_.window),
                        index_at(time_, instant - contact)};
        while (const auto kink = end_in(stretch)) {
            const double rest = time_[stretch.end - 1] - *kink;
            stretch.begin = index_at(time_, *kink + 0.1 * rest);
        }
        return stretch;
    }

    Stretch stretch_after(double instant, double seen) const {
        Stretch stretch{index_at(time_, instant + 3.0 * seen),
                        index_at(time_, instant + sampling_.window)};
        while (const auto kink = end_in(stretch)) {
            const double rest = *kink - time_[stretch.begin];
            stretch.end = index_at(time_, *kink - 0.1 * rest);
        }
        return stretch;
    }

    /// The best break inside a stretch.
    template <int degree>
    FoundBreak break_in(const Stretch& stretch, Break kind, double floor) const {
        const std::size_t margin = stretch.size() / 10;
        return best_break<degree>(kind, time_, clean_, stretch.begin, stretch.end,
                                  time_[stretch.begin + margin], time_[stretch.end - 1 - margin],
                                  floor);
    }

    /// Mean angular velocity [rad/s] between two samples.
    double mean_speed(std::size_t from, std::size_t to) const {
        return (clean_[to] - clean_[from]) / (time_[to] - time_[from]);
    }

    /// Where the rotation is not free any more, if it is not.
    std::optional<double> end_in(const Stretch& stretch) const {
        if (stretch.size() < 3 * least_samples) return {};
        const std::size_t first = stretch.begin, last = stretch.end - 1;
        const std::size_t middle = (first + last) / 2;
        const double speed = mean_speed(first, last);
        const double change = 2.0 * (mean_speed(middle, last) - mean_speed(first, middle));
        const double lost = std::min(1.0, std::abs(change / speed));  // friction takes no more
        const auto is_end = [&](const FoundBreak& kink, double bend) {
            const double least = (end_change + bend * lost * lost) * std::abs(speed);
            return kink.gain > end_gain && std::abs(kink.size) > least;
        };
        const double floor = sampling_.resolution;
        const FoundBreak of_parabola = break_in<2>(stretch, Break::kink, floor);
        if (is_end(of_parabola, bend_of_parabola)) return of_parabola.instant;
        const FoundBreak of_cubic = break_in<3>(stretch, Break::kink, floor);
        if (is_end(of_cubic, bend_of_cubic)) return of_cubic.instant;
        return {};
    }

    /// A step of the angle amid free rotation: the counter lost counts.
    std::optional<NoMeasurement> slip() const {
        if (sampling_.resolution == 0.0) return {};
        for (const Stretch& stretch : {before_, after_}) {
            if (stretch.size() < 3 * least_samples) continue;
            const FoundBreak step = break_in<3>(stretch, Break::step, 0.1 * sampling_.resolution);
            const double counts = std::abs(step.size) / sampling_.resolution;
            if (!(step.gain > slip_gain && counts > slip_counts)) continue;
            return NoMeasurement{
                index_at(time_, step.instant),
                fmt::format("the angle jumps by about {:.0f} counts at {:.4g} s: counts were lost "
                            "there",
                            counts, step.instant),
                "leave that part out with --from, --to or a shorter --window"};
        }
        return {};
    }

    std::optional<NoMeasurement> too_short(double instant, const Stretch& before,
                                           const Stretch& after) const {
        for (const auto& [stretch, words] : {std::pair{before, "before"}, {after, "after"}}) {
            if (stretch.size() >= least_samples) continue;
            return NoMeasurement{
                std::min(index_at(time_, instant), time_.size() - 1),
                fmt::format("the impact at {:.4g} s leaves {} samples of free rotation {} it, but "
                            "{} are needed",
                            instant, stretch.size(), words, least_samples),
                "record for longer, or sample faster"};
        }
        return {};
    }

    /// Deviation [rad] of a sample that noise and counts do not explain.
    double tolerance(const TwoRotations& lines) const {
        return std::max(3.0 * lines.sigma(0) + 0.5 * sampling_.resolution,
                        1e-6 * std::abs(lines.speed(speed_before)) * sampling_.window);
    }

    /// How long [s] the samples just before `instant` have visibly left the motion before the
    /// impact.
    double seen_before(const TwoRotations& lines, double instant) const {
        const double tolerance = this->tolerance(lines);
        std::size_t i = index_at(time_, instant);
        while (i > 0 && instant - time_[i - 1] < 0.5 * reach_ &&
               std::abs(clean_[i - 1] - lines.motion_before(time_[i - 1])) > tolerance) {
            --i;
        }
        // The lines may meet beyond the last sample.
        return i < time_.size() ? std::max(0.0, instant - time_[i]) : 0.0;
    }

    /// How long [s] the bodies may have touched before the lines meet, of which a part is `seen`:
    /// the angle leaves the motion before by the tolerance only after a while. It is h with
    /// h - 2 sqrt(blind h) = seen if the contact force is constant.
    double contact_before(const TwoRotations& lines, double seen) const {
        const double change = std::abs(lines.speed(speed_after) - lines.speed(speed_before));
        const double blind = tolerance(lines) / change;
        const double root = std::sqrt(blind) + std::sqrt(blind + seen);
        return std::min(root * root, std::max(seen, most_hidden * sampling_.window));
    }

    /// What the resolution allows at best: one place in each count that the beam passes (14.6).
    double resolution_variance(double speed, const FitWindow& window) const {
        if (sampling_.resolution == 0.0) return 0.0;
        const double counts = std::abs(speed) * window.length() / sampling_.resolution;
        const double places = std::clamp(counts, 1.0, static_cast<double>(window.samples));
        const double coarse = sampling_.resolution / window.length();
        return coarse * coarse / places;
    }

    FitWindow window_of(const TwoRotations& lines, const Stretch& stretch, std::size_t side) const {
        return {time_[stretch.begin], time_[stretch.end - 1], stretch.size(), lines.sigma(side),
                lines.angle(side == 0 ? angle_before : angle_after)};
    }

    RestitutionMeasurement conclude(const TwoRotations& lines) const {
        RestitutionMeasurement measurement;
        measurement.before = window_of(lines, before_, 0);
        measurement.after = window_of(lines, after_, 1);
        const double before = lines.speed(speed_before), after = lines.speed(speed_after);
        const double coarse_before = resolution_variance(before, measurement.before);
        const double coarse_after = resolution_variance(after, measurement.after);
        const double per_second = 1.0 / sampling_.window;
        const auto unit = [](Unknown unknown, double size) {
            Vector vector = Vector::Zero();
            vector[unknown] = size;
            return vector;
        };
        const auto measured = [&](double value, const Vector& combination, double coarse) {
            return Measured{value, std::sqrt(std::max(lines.variance(combination), coarse))};
        };
        const Vector of_before = unit(speed_before, per_second);
        const Vector of_after = unit(speed_after, per_second);
        measurement.omega_before = measured(before, of_before, coarse_before);
        measurement.omega_after = measured(after, of_after, coarse_after);
        measurement.deceleration_before = measured(lines.deceleration(speed_before),
                                                   lines.deceleration_gradient(speed_before), 0.0);
        measurement.deceleration_after = measured(lines.deceleration(speed_after),
                                                  lines.deceleration_gradient(speed_after), 0.0);
        const double torque = lines.acceleration();
        measurement.acceleration = measured(torque, unit(driving, per_second * per_second), 0.0);
        Vector of_friction = lines.deceleration_gradient(speed_before);
        of_friction[driving] = 0.0;
        measurement.friction = measured(
            lines.deceleration(speed_before) + (before > 0.0 ? torque : -torque), of_friction, 0.0);
        measurement.damping = lines.damping();
        const double cor = lines.cor();
        const Vector of_cor = (of_after + cor * of_before) / before;
        measurement.cor =
            measured(cor, of_cor, (coarse_after + cor * cor * coarse_before) / (before * before));
        measurement.cor_systematic = std::sqrt(lines.tie_variance(of_cor));
        measurement.instant =
            measured(lines.meeting(),
                     (unit(angle_before, 1.0) - unit(angle_after, 1.0)) / (after - before), 0.0);
        return measurement;
    }

    Samples time_, angle_, clean_;
    const Sampling& sampling_;
    double reach_;
    Stretch before_, after_;
    double instant_ = 0.0;
};

}  // namespace stoss::postproc::detail
