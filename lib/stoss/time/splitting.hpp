#pragma once
/// Choice of the splitting scheme, as a user gives it.

#include <string_view>
#include <tuple>

#include <stoss/core/fields.hpp>

namespace stoss::time {

/// The motion of the modes between contacts and under a force that is a polynomial over the step is
/// exact; the force is found by collocation at Gauss nodes; steps adapt
/// (docs/theory/splitting_scheme.md).
struct Splitting {
    static constexpr std::string_view name = "splitting";
    static constexpr std::string_view meaning =
        "exact motion of the modes and a collocated contact force, order 6; the steps adapt to the "
        "tolerance";

    double tolerance = 1e-6;

    static constexpr auto fields() {
        return std::tuple{core::field("tolerance", &Splitting::tolerance, "",
                                      core::closed(1e-11, 0.1),
                                      "largest error of the coefficient of restitution, and "
                                      "largest relative error of the impulse")};
    }
};

}  // namespace stoss::time
