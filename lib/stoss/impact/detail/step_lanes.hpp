#pragma once
/// Steps in contact of several collisions side by side, one a lane of a vector register: what
/// time/collocation.hpp and impact/detail/step_deviation.hpp do for one.
///
/// Lane by lane the same numbers, to the last bit, as those two give for Hertz's law F = k x^(3/2);
/// what a lane holds does not depend on the others.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <stoss/core/lanes.hpp>
#include <stoss/impact/detail/step_outcome.hpp>
#include <stoss/modal/modal_kernels.hpp>

namespace stoss::impact {

/// One step of each lane. Indices: of Gauss nodes and places between them as in modal::Compliances.
struct StepLanes : modal::MotionLanes {
    static constexpr std::size_t count = core::lanes;
    using Row = core::Row;
    template <std::size_t n>
    using Rows = core::Rows<n>;

    // What is given.
    Row stiffness;                                  ///< k [N/m^(3/2)]
    Row residual;                                   ///< R [m/N]
    Row overlap, rate, acceleration, force_before;  ///< at the begin [m, m/s, m/s^2, N]
    Row step;                                       ///< h [s]
    std::array<Rows<3>, 3> compliance_x, compliance_v, compliance_seen;  ///< modal::Compliances
    std::array<Rows<4>, 3> defect_taken, defect_seen;  ///< their `defect`, `seen_defect`
    Row growth, closing, contact_resonance, epsilon, exactness, compliance, onset,
        resolution;    ///< StepLimits
    Row longest_step;  ///< of their propagators [s]

    // What is found beside the forces.
    std::array<bool, count> solved{};
    Rows<3> x, v, slope;  ///< at the nodes [m, m/s], dF/dx [N/m]

    // What follows from forces and end, where `end_x` and `end_v` are the overlap of the modes.
    Row seen_x, seen_v;  ///< overlap of the law at the end [m, m/s]
    Row impulse, moment, largest_slope, force_after, acceleration_after, peak;  ///< StepOutcome
    Row ahead, nearly_over;  ///< StepPrediction; not 0: it is
    alignas(core::cache_line)
        std::array<std::int64_t, count> level{};  ///< StepPrediction, of any length

    /// Those of rates only if `with_rates`.
    void set_compliances(std::size_t lane, const modal::Compliances& compliances, bool with_rates);
    void set_limits(std::size_t lane, const StepLimits& limits);
    StepOutcome outcome(std::size_t lane) const;
    StepPrediction step_prediction(std::size_t lane, const StepLimits& limits) const;
};

struct StepKernels {
    /// The forces of each step and those that drive its deviation; rates are only used, and found,
    /// if `with_rates`.
    void (*solve)(StepLanes& lanes, bool with_rates);
    /// What each step did, and what comes next.
    void (*conclude)(StepLanes& lanes);
};

/// Those for this machine.
const StepKernels& step_kernels();

/// Those for each instruction set that this machine has. Not safe while another thread calls either
/// function.
std::vector<const StepKernels*> all_step_kernels();

}  // namespace stoss::impact
