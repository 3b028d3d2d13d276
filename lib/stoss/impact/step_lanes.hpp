#pragma once
/// Steps in contact of several collisions side by side, one a lane of a vector register: what
/// time/collocation.hpp and impact/step_deviation.hpp do for one.
///
/// Lane by lane the same numbers, to the last bit, as those two give for Hertz's law F = k x^(3/2);
/// what a lane holds does not depend on the others.

#include <array>
#include <cstddef>
#include <vector>

#include <stoss/core/aligned.hpp>
#include <stoss/modal/modal_kernels.hpp>

namespace stoss::impact {

/// One step of each lane. Indices: of Gauss nodes and places between them as in modal::Compliances.
struct StepLanes {
    static constexpr std::size_t count = 8;
    struct alignas(core::cache_line) Row {
        std::array<double, count> lane{};

        double& operator[](std::size_t i) { return lane[i]; }
        double operator[](std::size_t i) const { return lane[i]; }
    };
    template <std::size_t n>
    using Rows = std::array<Row, n>;

    // What `solve` takes.
    Row stiffness;                     ///< k [N/m^(3/2)]
    Row overlap, rate, acceleration;   ///< at the begin [m], [m/s], [m/s^2]
    Row step;                          ///< h [s]
    Rows<3> free_x, free_v;            ///< without forces [m], [m/s]
    std::array<Rows<3>, 3> compliance_x, compliance_v;  ///< [i][k] [m/N], [m/(N s)]
    // What it finds.
    Rows<3> v, force, slope;          ///< [m/s], [N], dF/dx [N/m]
    std::array<Rows<3>, 3> inverse;   ///< of 1 + dF/dP
    std::array<bool, count> solved{};

    // What `deviation` takes besides.
    Rows<2> free_between;             ///< [m]
    std::array<Rows<3>, 2> compliance_between;
    std::array<Rows<4>, 3> defect_taken, defect_seen;  ///< Compliances::defect, seen_defect
    Row force_before, end;            ///< F [N] at the begin, overlap [m] at the end
    Rows<3> free_deviation;           ///< [m]
    // What it finds.
    Rows<3> deviation_force;          ///< [N]
    Rows<4> defect;                   ///< [N]

    void set_compliances(std::size_t lane, const modal::Compliances& compliances);
};

struct StepLaneKernels {
    /// The forces at the nodes; rates are only used, and found, if `with_rates`.
    void (*solve)(StepLanes& lanes, bool with_rates);
    /// The forces that drive the deviations (12.8).
    void (*deviation)(StepLanes& lanes);
};

/// The kernels for this machine.
const StepLaneKernels& step_lane_kernels();

/// Those for each instruction set that this machine has. Not safe while another thread calls either
/// function.
std::vector<const StepLaneKernels*> all_step_lane_kernels();

}  // namespace stoss::impact
