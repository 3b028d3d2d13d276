#include <solvers/case/impact_ending.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace stoss::solvers {

namespace {

constexpr double tolerated_residual = 1e-3;  // of the initial energy

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

}  // namespace stoss::solvers
