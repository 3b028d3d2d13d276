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

    // What is given.
    Row stiffness;                                      ///< k [N/m^(3/2)]
    Row overlap, rate, acceleration, force_before;      ///< at the begin [m, m/s, m/s^2, N]
    Row step;                                           ///< h [s]
    Rows<3> free_x, free_v, free_seen, free_deviation;  ///< modal::NodeOverlaps
    std::array<Rows<3>, 3> compliance_x, compliance_v, compliance_seen;  ///< modal::Compliances
    std::array<Rows<4>, 3> defect_taken, defect_seen;  ///< their `defect`, `seen_defect`

    // What is found.
    std::array<bool, count> solved{};
    Rows<3> v, force, slope;  ///< at the nodes [m/s], [N], dF/dx [N/m]
    Rows<3> deviation_force;  ///< impact::DeviationForce
    Rows<4> defect;

    void set_compliances(std::size_t lane, const modal::Compliances& compliances);
};

/// The forces of each step and those that drive its deviation; rates are only used, and found, if
/// `with_rates`.
using SolveLanes = void (*)(StepLanes& lanes, bool with_rates);

/// That for this machine.
SolveLanes solve_lanes();

/// Those for each instruction set that this machine has. Not safe while another thread calls either
/// function.
std::vector<SolveLanes> all_solve_lanes();

}  // namespace stoss::impact
