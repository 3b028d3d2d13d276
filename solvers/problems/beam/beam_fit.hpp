#pragma once
/// Problem `beam_fit`: keys of a struck beam from measured restitution
/// (docs/theory/experiments.md).

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <solvers/case/problem.hpp>
#include <solvers/problems/beam/least_squares.hpp>
#include <solvers/problems/beam/sought_keys.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::solvers {

/// How much a measured point counts.
enum class Weights { equal, standard_error };

constexpr auto enum_names(Weights) {
    return std::array{
        core::EnumName{Weights::equal, "equal", "equal weights"},
        core::EnumName{Weights::standard_error, "standard_error",
                       "weights from the standard errors of the means, which the table must give"}};
}

/// Keys of `beam_fit` beside those of models::BeamCollision.
struct BeamFit {
    static constexpr std::string_view name = "beam_fit";
    static constexpr std::string_view meaning =
        "keys of a struck beam from measured restitution: least squares, standard errors, and the "
        "combinations that the measurements cannot determine";

    std::string experiment;
    std::vector<FittedKey> fit;
    Weights weights = Weights::equal;
    Loss loss = Loss::huber;
    int starts = 4;

    static constexpr auto fields() {
        return std::tuple{
            core::field("experiment", &BeamFit::experiment,
                        "table of measured restitution along the beam (CSV)")
                .required(),
            core::field("fit", &BeamFit::fit,
                        "keys to be identified; the first search begins at their values in the "
                        "case, or at the nearest bounds")
                .required(),
            core::field("weights", &BeamFit::weights, "weights of the measured points"),
            core::field("loss", &BeamFit::loss,
                        "cost of a residual, which decides how much outliers count"),
            core::field(
                "starts", &BeamFit::starts, "", core::closed(1, 1024),
                "number of searches, each from another point; four times as many if they end "
                "at different minima, or at an improbable one; 1: one search")};
    }
};

extern const Problem beam_fit_problem;

}  // namespace stoss::solvers
