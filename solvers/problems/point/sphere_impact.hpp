#pragma once
/// Problem `sphere_impact`: a compliant sphere meets a plane or another sphere, once or over a key.

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <solvers/case/key_range.hpp>
#include <solvers/case/problem.hpp>
#include <solvers/case/sweep.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::solvers {

/// Measured or published values of one column, to be shown beside ours.
struct Measurement {
    std::string label;
    std::string quantity;
    std::vector<std::string> at;
    std::vector<double> values;

    static constexpr auto fields() {
        return std::tuple{
            core::field("label", &Measurement::label, "authors of the values").required(),
            core::field("quantity", &Measurement::quantity, "name of a column of map.csv")
                .required(),
            core::field("at", &Measurement::at,
                        "places in the range of `over`, written as for its key itself")
                .required(),
            core::field("values", &Measurement::values, "", core::finite,
                        "one value for each place, in the unit of the column")
                .required()};
    }
};

/// Keys of `sphere_impact` beside those of models::SphereImpact.
struct SphereImpactRange {
    static constexpr std::string_view name = "sphere_impact";
    static constexpr std::string_view meaning =
        "compliant sphere that meets a plane or a sphere, obliquely and with spin: rebound, slip, "
        "spin, also over one key";

    std::vector<KeyRange> over;
    core::OrNone<Sweep> sweep;
    std::vector<Measurement> measurements;
    core::OrNone<std::vector<std::string>> gradient = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("over", &SphereImpactRange::over,
                        "list with one key over a range; none: one impact"),
            core::field("sweep", &SphereImpactRange::sweep, "a key that takes several values"),
            core::field("measurements", &SphereImpactRange::measurements,
                        "measured or published values over the range, drawn and compared with the "
                        "computed ones"),
            core::field("gradient", &SphereImpactRange::gradient,
                        "keys by which the results of one impact are differentiated, such as mu or "
                        "motion.angular_velocity")};
    }
};

extern const Problem sphere_impact_problem;

}  // namespace stoss::solvers
