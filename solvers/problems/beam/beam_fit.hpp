#pragma once
/// Problem `beam_fit`: keys of a struck beam from measured restitution
/// (docs/theory/experiments.md).

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <solvers/case/key_range.hpp>
#include <solvers/case/problem.hpp>
#include <solvers/problems/beam/least_squares.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::solvers {

/// A key that is to be found, and where.
struct FittedKey {
    std::string key, from, to;
    Spacing spacing = Spacing::linear;

    static constexpr auto fields() {
        return std::tuple{
            core::field("key", &FittedKey::key, "path of the key, e.g. beam.internal_damping")
                .required(),
            core::field("from", &FittedKey::from,
                        "smallest admissible value, written as the key itself would be")
                .required(),
            core::field("to", &FittedKey::to, "largest admissible value").required(),
            core::field("spacing", &FittedKey::spacing,
                        "logarithmic: for a key whose order of magnitude is not known")};
    }
};

/// How much a measured point counts.
enum class Weights { equal, standard_error };

constexpr auto enum_names(Weights) {
    return std::array{
        core::EnumName{Weights::equal, "equal", "all points alike"},
        core::EnumName{Weights::standard_error, "standard_error",
                       "by the standard errors of the means, which the table must give"}};
}

/// Keys of `beam_fit` beside those of models::BeamCollision.
struct BeamFit {
    static constexpr std::string_view name = "beam_fit";
    static constexpr std::string_view meaning =
        "keys of a struck beam from measured restitution: least squares, standard errors, and "
        "what the measurements cannot tell apart";

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
                        "keys that are to be found; the search begins at the values of the case")
                .required(),
            core::field("weights", &BeamFit::weights, "how much a measured point counts"),
            core::field("loss", &BeamFit::loss, "how much a point far from all others counts"),
            core::field("starts", &BeamFit::starts, "", core::closed(1, 1024),
                        "number of points from which a search begins")};
    }
};

extern const Problem beam_fit_problem;

}  // namespace stoss::solvers
