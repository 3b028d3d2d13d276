#pragma once
/// Problem `structure_impact`: a sphere meets a large plate or a long beam.

#include <string_view>
#include <tuple>
#include <vector>

#include <solvers/case/key_range.hpp>
#include <solvers/case/problem.hpp>
#include <solvers/case/sweep.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::solvers {

/// Keys of `structure_impact` beside those of models::StructureImpact.
struct StructureImpactRange {
    static constexpr std::string_view name = "structure_impact";
    static constexpr std::string_view meaning =
        "sphere that meets a large plate or a long beam, from which no wave returns: e, duration, "
        "peak force, and the chart of e over one parameter";

    std::vector<KeyRange> over;
    core::OrNone<Sweep> sweep;

    static constexpr auto fields() {
        return std::tuple{
            core::field("over", &StructureImpactRange::over,
                        "list with one key over a range; none: one impact"),
            core::field("sweep", &StructureImpactRange::sweep, "a key that takes several values")};
    }
};

extern const Problem structure_impact_problem;

}  // namespace stoss::solvers
