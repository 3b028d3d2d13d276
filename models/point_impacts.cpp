#include <models/point_impacts.hpp>

#include <cstddef>
#include <string>
#include <utility>

#include <stoss/core/field_checks.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/core/parallel.hpp>

namespace stoss::models {

void restitution(SingleImpact impact, std::span<const double> speeds, int threads,
                 const std::function<bool()>& stop,
                 const std::function<void(std::size_t, const impact::Restitution&)>& take) {
    std::vector<core::Violation> violations =
        core::check_number("threads", threads, core::non_negative, "");
    for (std::size_t i = 0; i < speeds.size(); ++i) {
        if (core::positive.contains(speeds[i])) continue;
        core::append(core::check_number("speed[" + std::to_string(i) + "]", speeds[i],
                                        core::positive, "m/s"),
                     violations);
    }
    impact.speed = 1.0;
    core::append(core::check_fields(impact, ""), violations);
    core::throw_if_any(std::move(violations));
    core::throw_if_any(check(impact));
    const contact::Law law = impact.law();
    const impact::Impact at_unit_speed = impact.impact();
    const auto compute = [&](std::size_t i) {
        impact::Impact one = at_unit_speed;
        one.speed = speeds[i];
        take(i, impact::restitution(law, one));
    };
    core::parallel_for(speeds.size(), threads, compute, stop);
    if (stop && stop()) throw core::Stopped();
}

std::vector<impact::Restitution> restitution(SingleImpact impact, std::span<const double> speeds,
                                             int threads, const std::function<bool()>& stop) {
    std::vector<impact::Restitution> results(speeds.size());
    restitution(std::move(impact), speeds, threads, stop,
                [&](std::size_t i, const impact::Restitution& result) { results[i] = result; });
    return results;
}

std::vector<impact::Restitution> restitution(const contact::Law& law, double mass,
                                             std::span<const double> speeds, int threads) {
    return restitution(SingleImpact{.mass = mass, .contact = {.law = law}}, speeds, threads);
}

impact::Calibration calibrate(const SingleImpact& impact, const impact::Wanted& target) {
    core::throw_if_any(core::check_fields(impact, ""));
    auto violations = check_load(impact);
    core::append(check_calibration(impact, target), violations);
    core::throw_if_any(std::move(violations));
    return impact::calibrate(impact.law(), impact.impact(), target);
}

void calibrate(const SingleImpact& impact, std::span<const double> restitutions, int threads,
               const std::function<bool()>& stop,
               const std::function<void(std::size_t, const impact::Calibration&)>& take) {
    core::throw_if_any(core::check_number("threads", threads, core::non_negative, ""));
    core::parallel_for(
        restitutions.size(), threads,
        [&](std::size_t i) { take(i, calibrate(impact, impact::Wanted{.cor = restitutions[i]})); },
        stop);
    if (stop && stop()) throw core::Stopped();
}

std::vector<impact::Calibration> calibrate(const SingleImpact& impact,
                                           std::span<const double> restitutions, int threads,
                                           const std::function<bool()>& stop) {
    std::vector<impact::Calibration> all(restitutions.size());
    calibrate(impact, restitutions, threads, stop,
              [&](std::size_t i, const impact::Calibration& each) { all[i] = each; });
    return all;
}

}  // namespace stoss::models
