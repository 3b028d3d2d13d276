#pragma once
/// Problem `calibrate`: the damping of a law from the restitution asked for.

#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <models/other_programs.hpp>
#include <solvers/case/problem.hpp>
#include <solvers/case/sweep.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::solvers {

/// Keys of `calibrate` beside those of models::SingleImpact. With `for` law and separation are
/// those of the program.
struct Calibrate {
    static constexpr std::string_view name = "calibrate";
    static constexpr std::string_view meaning =
        "damping (and stiffness) of a law from a wanted restitution, and what the published rules "
        "for its damping give instead";

    std::vector<double> cor;
    core::OrNone<double> contact_time;
    core::OrNone<double> peak_overlap;
    core::OrNone<Sweep> sweep;
    core::OrNone<models::ProgramName> program;

    static constexpr auto fields() {
        return std::tuple{
            core::field("cor", &Calibrate::cor, "", core::closed(1e-6, 1.0),
                        "list of wanted coefficients of restitution")
                .required(),
            core::field("contact_time", &Calibrate::contact_time, "s", core::positive,
                        "wanted duration; sets the stiffness"),
            core::field("peak_overlap", &Calibrate::peak_overlap, "m", core::positive,
                        "wanted largest overlap; sets the stiffness"),
            core::field("sweep", &Calibrate::sweep, "a key that takes several values"),
            core::field("for", &Calibrate::program,
                        "program whose parameters are wanted; it determines law and separation")};
    }
};

extern const Problem calibrate_problem;

}  // namespace stoss::solvers
