#pragma once
/// Problems `beam_impact` (one collision of a beam) and `beam_impact_map` (many along the beam).

#include <optional>
#include <tuple>

#include <solvers/case/locations.hpp>
#include <solvers/case/problem.hpp>
#include <solvers/case/sweep.hpp>
#include <solvers/problems/beam/uncertainty.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::solvers {

/// Keys of `beam_impact` beside those of models::BeamCollision.
struct BeamImpact {
    static constexpr std::string_view name = "beam_impact";
    static constexpr std::string_view meaning =
        "one collision of a beam with a striker: restitution, sub-impacts, energies, time history";

    Location location;

    static constexpr auto fields() {
        return std::tuple{
            core::field("location", &BeamImpact::location, "where the beam is struck").required()};
    }
};

/// Places that the figures of a map point out.
struct Marks {
    int nodes = 0;
    core::OrNone<double> pivot;

    static constexpr auto fields() {
        return std::tuple{
            core::field("nodes", &Marks::nodes, "", core::closed(0, 9),
                        "of how many of the first vibration modes the nodes are marked"),
            core::field("pivot", &Marks::pivot, "", core::closed(0.0, 1.0),
                        "place xi, as of the hands, whose centre of percussion is marked")};
    }
};

/// Keys of `beam_impact_map` beside those of models::BeamCollision.
struct BeamImpactMap {
    static constexpr std::string_view name = "beam_impact_map";
    static constexpr std::string_view meaning =
        "collisions at many places along a beam: a map of the coefficient of restitution";

    core::OrNone<Locations> locations;
    core::OrNone<std::string> locations_from;
    core::OrNone<Sweep> sweep;
    core::OrNone<Uncertainty> uncertainty;
    Marks marks;

    static constexpr auto fields() {
        return std::tuple{
            core::field("locations", &BeamImpactMap::locations, "where the beam is struck"),
            core::field("locations_from", &BeamImpactMap::locations_from,
                        "a table of measured restitution (CSV): the beam is struck where it was "
                        "measured, and the report compares"),
            core::field("sweep", &BeamImpactMap::sweep, "a key that takes several values"),
            core::field("uncertainty", &BeamImpactMap::uncertainty,
                        "keys that are known as distributions: band and Sobol indices of e"),
            core::field("marks", &BeamImpactMap::marks, "places that the figures point out")};
    }
};

extern const Problem beam_impact_problem;
extern const Problem beam_impact_map_problem;

}  // namespace stoss::solvers
