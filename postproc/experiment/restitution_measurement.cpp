#include <postproc/experiment/restitution_measurement.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include <fmt/format.h>
#include <postproc/experiment/detail/impact_search.hpp>
#include <postproc/experiment/detail/rebound_fit.hpp>

namespace stoss::postproc {

using detail::least_samples;
using detail::Samples;

namespace {

/// Median of each sample and its neighbours, two on either side: a lone wrong count disappears.
std::vector<double> without_spikes(Samples angle) {
    std::vector<double> result(angle.begin(), angle.end());
    for (std::size_t i = 2; i + 2 < angle.size(); ++i) {
        std::array<double, 5> near{};
        std::copy_n(angle.begin() + static_cast<std::ptrdiff_t>(i) - 2, 5, near.begin());
        std::nth_element(near.begin(), near.begin() + 2, near.end());
        result[i] = near[2];
    }
    return result;
}

}  // namespace

double turned_angle(double omega, double deceleration, double damping, double time) {
    const double bent = deceleration * time * time * detail::Curvature(-damping * time).value;
    return omega * time - (omega > 0.0 ? bent : -bent);
}

std::variant<RestitutionMeasurement, NoMeasurement> measure_restitution(Samples time, Samples angle,
                                                                        const Sampling& sampling) {
    if (time.size() < 2 * least_samples + 1) {
        return NoMeasurement{0,
                             fmt::format("the trace has {} samples, but at least {} are needed",
                                         time.size(), 2 * least_samples + 1),
                             ""};
    }
    const std::vector<double> clean = without_spikes(angle);
    Sampling within = sampling;  // the trace
    within.window = std::min(sampling.window, time.back() - time.front());
    const detail::ImpactSearch search(time, clean, within);
    const std::vector<double>& impacts = search.impacts();
    if (impacts.empty()) {
        return NoMeasurement{
            0,
            fmt::format("no impact found: between {:.4g} s and {:.4g} s the angular "
                        "velocity never changes abruptly",
                        time.front(), time.back()),
            fmt::format("an impact within {:.3g} s of either end cannot be measured",
                        0.5 * search.reach())};
    }
    if (impacts.size() > 1) {
        const auto [first, second] = std::minmax(impacts[0], impacts[1]);
        return NoMeasurement{
            detail::index_at(time, second),
            fmt::format("{} impacts found, at {:.4g} s and {:.4g} s{}; one is wanted",
                        impacts.size(), first, second, impacts.size() > 2 ? " and more" : ""),
            "cut the trace with --from and --to"};
    }
    return detail::ReboundFit(time, angle, clean, within, search.reach()).fit(impacts.front());
}

}  // namespace stoss::postproc
