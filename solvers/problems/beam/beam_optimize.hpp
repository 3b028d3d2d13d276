#pragma once
/// Problem `beam_optimize`: keys of a struck beam for a wanted restitution along it
/// (docs/gradients.md).

#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <solvers/case/locations.hpp>
#include <solvers/case/problem.hpp>
#include <solvers/problems/beam/sought_keys.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::solvers {

/// What a design is to reach at all places.
enum class Goal { flat, given, largest, least_vibration };

constexpr auto enum_names(Goal) {
    return std::array{
        core::EnumName{Goal::flat, "flat", "the same e at all places, whatever it is"},
        core::EnumName{Goal::given, "given", "e as `target` says"},
        core::EnumName{Goal::largest, "largest", "e as near 1 as possible"},
        core::EnumName{Goal::least_vibration, "least_vibration",
                       "as little of the energy in the vibrations as possible"}};
}

/// Keys of `beam_optimize` beside those of models::BeamCollision.
struct BeamOptimize {
    static constexpr std::string_view name = "beam_optimize";
    static constexpr std::string_view meaning =
        "keys of a struck beam for a wanted restitution along it: the design within bounds that "
        "comes nearest, by exact derivatives, from several starts";

    std::vector<FittedKey> design;
    Goal goal = Goal::flat;
    std::optional<double> target;
    Locations locations;
    int starts = 3;

    static constexpr auto fields() {
        return std::tuple{
            core::field("design", &BeamOptimize::design,
                        "keys that are free, with their bounds; the first search begins at their "
                        "values in the case, or at the nearest bounds")
                .required(),
            core::field("goal", &BeamOptimize::goal, "what is to be reached at the places"),
            core::field("target", &BeamOptimize::target, "", core::closed(0.0, 1.0),
                        "wanted coefficient of restitution, with `goal: given`"),
            core::field("locations", &BeamOptimize::locations, "places at which the goal counts")
                .required(),
            core::field("starts", &BeamOptimize::starts, "", core::closed(1, 1024),
                        "number of searches, each from another point")};
    }
};

extern const Problem beam_optimize_problem;

}  // namespace stoss::solvers
