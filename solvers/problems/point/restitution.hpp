#pragma once
/// Problem `restitution`: one impact, or the impacts of a whole range of one or two keys.

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <solvers/case/key_range.hpp>
#include <solvers/case/problem.hpp>
#include <solvers/case/sweep.hpp>

namespace stoss::solvers {

/// Keys of `restitution` beside those of models::SingleImpact.
struct ImpactRestitution {
    static constexpr std::string_view name = "restitution";
    static constexpr std::string_view meaning =
        "impact of a point mass under gravity and load: restitution, duration, peak force, also "
        "over one or two keys";

    std::vector<KeyRange> over;
    core::OrNone<Sweep> sweep;
    core::OrNone<std::vector<std::string>> gradient = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("over", &ImpactRestitution::over,
                        "up to two keys over a range; none: one impact"),
            core::field("sweep", &ImpactRestitution::sweep, "a key that takes several values"),
            core::field("gradient", &ImpactRestitution::gradient,
                        "keys by which the results of one impact are differentiated, such as speed "
                        "or contact.damping")};
    }
};

extern const Problem restitution_problem;

}  // namespace stoss::solvers
