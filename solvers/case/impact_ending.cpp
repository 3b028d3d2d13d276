#include <solvers/case/impact_ending.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace stoss::solvers {

namespace {

constexpr double tolerated_residual = 1e-3;  // of the initial energy
constexpr double tolerated_overlap = 0.1;    // of the radius

}  // namespace

void ImpactEndings::add(bool diverged, bool still_touching, double energy_residual) {
    ++impacts_;
    diverged_ += diverged;
    touching_ += still_touching;
    residual_ = std::max(residual_, std::abs(energy_residual));
}

void ImpactEndings::judge(Outcome& outcome, std::string_view steps) const {
    if (diverged_ > 0) {
        outcome.ending = Ending::numerical_failure;
        outcome.warnings.push_back(fmt::format("{} of {} impacts diverged", diverged_, impacts_));
    }
    if (touching_ > 0) {
        outcome.warnings.push_back(
            fmt::format("{} of {} impacts did not end within the time limit", touching_, impacts_));
    }
    if (residual_ > tolerated_residual) {
        outcome.warnings.push_back(
            fmt::format("the error of the energy balance of an impact is {:.2g} of the initial "
                        "energy; raise {}",
                        residual_, steps));
    }
}

void warn_of_deep_overlap(Outcome& outcome, double share, std::string_view radius) {
    if (share <= tolerated_overlap) return;
    outcome.warnings.push_back(fmt::format(
        "the deepest overlap is {:.2g} of the {}: contact laws of spheres hold far below 1; take a "
        "stiffer material or lower speeds",
        share, radius));
}

}  // namespace stoss::solvers
