#pragma once
/// How impacts ended that were integrated in time steps, as warnings of a run.

#include <cstddef>
#include <string_view>

#include <solvers/case/outcome.hpp>

namespace stoss::solvers {

class ImpactEndings {
  public:
    /// One more impact. `energy_residual`: the error of its energy balance, of the initial energy.
    void add(bool diverged, bool still_touching, double energy_residual);

    /// Adds a warning for each kind of doubtful impact, and sets the ending if one diverged.
    /// `steps`: the key that makes the steps shorter if it is raised.
    void judge(Outcome& outcome, std::string_view steps) const;

  private:
    std::size_t impacts_ = 0, diverged_ = 0, touching_ = 0;
    double residual_ = 0.0;  // the largest
};

/// Warns of an overlap that is too deep for contact laws of spheres (docs/limits.md). `share`: of
/// that radius.
void warn_of_deep_overlap(Outcome& outcome, double share,
                          std::string_view radius = "smaller radius");

}  // namespace stoss::solvers
