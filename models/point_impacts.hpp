#pragma once
/// Impacts of a point mass for programs: arrays in, arrays out, input checked. The mathematics is
/// in impact/restitution.hpp and impact/calibrate.hpp.

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include <models/single_impact.hpp>
#include <stoss/impact/calibrate.hpp>
#include <stoss/impact/restitution.hpp>

namespace stoss::models {

/// The impact at each of these approach speeds [m/s], on `threads` threads, 0: all cores. The speed
/// in `impact` is not read. `stop` is asked before each impact, by several threads: core::Stopped
/// once it answers true. Empty: never.
/// Errors: core::InputError with everything that is wrong, keys as in a case file.
std::vector<impact::Restitution> restitution(SingleImpact impact, std::span<const double> speeds,
                                             int threads = 0,
                                             const std::function<bool()>& stop = {});

/// The same, for many more impacts than results are wanted in memory: `take(i, result)` is called
/// once for each speed, by several threads at once.
void restitution(SingleImpact impact, std::span<const double> speeds, int threads,
                 const std::function<bool()>& stop,
                 const std::function<void(std::size_t, const impact::Restitution&)>& take);

/// The same for a law and a mass [kg] without gravity and load.
std::vector<impact::Restitution> restitution(const contact::Law& law, double mass,
                                             std::span<const double> speeds, int threads = 0);

/// The law whose impact shows `target`: its damping follows from the restitution, and its stiffness
/// from a contact time or peak overlap if one is given.
/// Errors: core::InputError with everything that is wrong, or with what can be reached.
impact::Calibration calibrate(const SingleImpact& impact, const impact::Wanted& target);

/// One law for each of these coefficients of restitution. `stop` as of `restitution`.
std::vector<impact::Calibration> calibrate(const SingleImpact& impact,
                                           std::span<const double> restitutions, int threads = 0,
                                           const std::function<bool()>& stop = {});

/// The same, each law given to `take` as the results of `restitution` are.
void calibrate(const SingleImpact& impact, std::span<const double> restitutions, int threads,
               const std::function<bool()>& stop,
               const std::function<void(std::size_t, const impact::Calibration&)>& take);

}  // namespace stoss::models
