#pragma once
/// Steps in contact of several collisions side by side, one a lane of a vector register: the text
/// of time/detail/collocation.inl and time/detail/contact_step.inl with vectors for numbers. Lane
/// by lane the bits are those of one collision; what a lane holds does not depend on the others.

#include <array>
#include <cstddef>
#include <vector>

#include <stoss/contact/damped_powers.hpp>
#include <stoss/core/lanes.hpp>
#include <stoss/impact/detail/contact_step.hpp>
#include <stoss/modal/modal_kernels.hpp>

namespace stoss::impact {

/// One step of each lane. Indices: of Gauss nodes and places between them as in modal::Compliances.
struct StepLanes : modal::MotionLanes {
    static constexpr std::size_t count = core::lanes;
    using Row = core::Row;
    template <std::size_t n>
    using Rows = core::Rows<n>;

    /// Forces [N] of a law at the overlaps [m] and rates [m/s] of the lanes [begin, begin + count),
    /// and their derivatives [N/m] and [N s/m]. Those are null if they are not wanted; `by_rate`
    /// is, and `rate` is not read, if the law has no rates.
    using Law = void (*)(const StepLanes& lanes, std::size_t begin, std::size_t count,
                         const double* overlap, const double* rate, double* force,
                         double* by_overlap, double* by_rate);

    /// Likewise one number of each lane.
    using OfLaw = void (*)(const StepLanes& lanes, std::size_t begin, std::size_t count,
                           const double* overlap, const double* rate, double* value);

    // What is given.
    bool law_has_rates = false;
    Law law = nullptr;  ///< null: in vectors, Hertz's law F = k x^(3/2) or, with rates, `powers`
    OfLaw dissipated_power = nullptr;      ///< [W] of a law with rates
    OfLaw force_of_approach = nullptr;     ///< [N] of the deviation of the approach speed, likewise
    std::array<const void*, count> run{};  ///< what these need; null: nothing in this lane
    contact::DampedPowers powers;          ///< but for the numbers that follow
    Row stiffness;                         ///< k [N/m^p]
    Row damping, least_force;
    Row residual;                                   ///< R [m/N]
    Row overlap, rate, acceleration, force_before;  ///< at the begin [m, m/s, m/s^2, N]
    Row deviation_before;  ///< by how much that force deviates, of a law with rates [N]
    Row step;              ///< h [s]
    std::array<Rows<3>, 3> compliance_x, compliance_v, compliance_seen;  ///< modal::Compliances
    std::array<Rows<4>, 3> defect_taken, defect_seen;  ///< their `defect`, `seen_defect`
    std::array<Rows<3>, 3> compliance_seen_v;          ///< of a law with rates
    std::array<Rows<4>, 3> defect_taken_v, defect_seen_v;
    Row growth, closing, contact_resonance, epsilon, exactness, compliance, onset, resolution,
        longest;  ///< StepLimits

    // What is found beside the forces.
    std::array<bool, count> solved{};
    Rows<3> x, v, slope;  ///< at the nodes [m, m/s], dF/dx [N/m]

    // What follows from forces and end, where `end_x` and `end_v` are the overlap of the modes.
    Row seen_x, seen_v;  ///< overlap of the law at the end [m, m/s]
    Row impulse, moment, largest_slope, force_after, acceleration_after, peak;  ///< StepOutcome
    Rows<3> dissipated;                 ///< StepOutcome, likewise
    Row next_step, ahead, nearly_over;  ///< StepPrediction; not 0: it is

    /// Those of rates only as far as these are asked for.
    void set_compliances(std::size_t lane, const modal::Compliances& compliances,
                         modal::Rates rates);
    void set_limits(std::size_t lane, const StepLimits& limits);
    StepOutcome outcome(std::size_t lane) const;
    StepPrediction step_prediction(std::size_t lane) const;
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
