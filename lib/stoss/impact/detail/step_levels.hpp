#pragma once
/// The step sizes of a run by their level in the tables of propagators
/// (theory/splitting_scheme.md 12.3 to 12.6).

#include <algorithm>

#include <stoss/impact/detail/step_resolution.hpp>
#include <stoss/modal/propagators.hpp>

namespace stoss::impact {

struct StepLevels {
    static constexpr int last = modal::Propagators::levels - 1;
    static constexpr int octave = modal::Propagators::octave;
    static constexpr int to_release = 17;  ///< halvings of a step that meets the end of a force
    static constexpr double brief = 0.3;   ///< (sqrt(lambda) + d) h of the event level

    int coarsest = 0;             ///< of the longest step that is wanted
    int event = 0;                ///< of the longest step in which every mode moves little
    int finest = 0;               ///< of steps that resolve all modes
    double per_event_step = 0.0;  ///< [1/s]

    StepLevels() = default;
    StepLevels(const modal::Propagators& propagators, const StepResolution& resolution) {
        constexpr double all_resolved = 6.0;  // omega h/kappa of a step that resolves all modes
        coarsest = propagators.level_within(resolution.longest);
        event = coarsest;
        while (event < last && propagators.step(event) * propagators.fastest() > brief) ++event;
        finest = std::max(
            propagators.level_within(all_resolved * resolution.kappa / propagators.highest_omega()),
            coarsest);
        per_event_step = 1.0 / propagators.step(event);
    }

    /// The level of the longest step that is admitted, as all shorter ones are; `finest_level` if
    /// none is. Looks for it from `level` on.
    template <class Admits>
    int longest(int level, int finest_level, Admits admits) const {
        level = std::min(level, finest_level);
        while (level > coarsest && admits(level - 1)) --level;
        while (level < finest_level && !admits(level)) ++level;
        return level;
    }
};

}  // namespace stoss::impact
