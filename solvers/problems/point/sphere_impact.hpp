#pragma once
/// Problem `sphere_impact`: a compliant sphere meets a plane or another sphere, once or over a key.

#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <solvers/case/key_range.hpp>
#include <solvers/case/problem.hpp>
#include <solvers/case/sweep.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::solvers {

/// Keys of `sphere_impact` beside those of models::SphereImpact.
struct SphereImpactRange {
    static constexpr std::string_view name = "sphere_impact";
    static constexpr std::string_view meaning =
        "compliant sphere that meets a plane or a sphere, obliquely and with spin: rebound, slip, "
        "spin; over a key";

    std::vector<KeyRange> over;
    core::OrNone<Sweep> sweep;

    static constexpr auto fields() {
        return std::tuple{
            core::field("over", &SphereImpactRange::over,
                        "a list with one key that runs through a range; none: one impact"),
            core::field("sweep", &SphereImpactRange::sweep, "a key that takes several values")};
    }
};

extern const Problem sphere_impact_problem;

}  // namespace stoss::solvers
