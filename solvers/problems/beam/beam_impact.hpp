#pragma once
/// Problems `beam_impact` (one collision of a beam) and `beam_impact_map` (many along the beam).

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <solvers/case/locations.hpp>
#include <solvers/case/problem.hpp>
#include <solvers/case/sweep.hpp>
#include <solvers/problems/beam/beam_gradient.hpp>
#include <solvers/problems/beam/uncertainty.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/io/document.hpp>

namespace stoss::solvers {

/// In which quantities the axes of figures are.
enum class Axes { physical, scaled };

constexpr auto enum_names(Axes) {
    return std::array{
        core::EnumName{Axes::physical, "physical", "lengths, times and impulses with units"},
        core::EnumName{
            Axes::scaled, "scaled",
            "scaled by the beam: xi = x/l, tau = t/T with T = l^2 sqrt(mu/EI), force by EI/l^2"}};
}

/// How the figures of a run are drawn. Changes no number of the tables.
struct Plot {
    Axes axes = Axes::physical;

    static constexpr auto fields() {
        return std::tuple{core::field("axes", &Plot::axes, "quantities on the axes")};
    }
};

/// Keys of `beam_impact` beside those of models::BeamCollision.
struct BeamImpact : BeamGradientKeys {
    static constexpr std::string_view name = "beam_impact";
    static constexpr std::string_view meaning =
        "one collision of a beam with a striker: restitution, sub-impacts, energies, time history";

    Location location;
    Plot plot = {};

    static constexpr auto fields() {
        return std::tuple_cat(
            std::tuple{
                core::field("location", &BeamImpact::location, "place at which the beam is struck")
                    .required()},
            BeamGradientKeys::fields(),
            std::tuple{core::field("plot", &BeamImpact::plot, "look of the figures")});
    }
};

/// Places that the figures of a map point out.
struct Marks {
    int nodes = 0;
    core::OrNone<double> pivot;

    static constexpr auto fields() {
        return std::tuple{
            core::field("nodes", &Marks::nodes, "", core::closed(0, 9),
                        "number of lowest vibration modes whose nodes are marked"),
            core::field(
                "pivot", &Marks::pivot, "", core::closed(0.0, 1.0),
                "place xi of a pivot, such as the hands, whose centre of percussion is marked")};
    }
};

/// Keys of `beam_impact_map` beside those of models::BeamCollision.
struct BeamImpactMap : BeamGradientKeys {
    static constexpr std::string_view name = "beam_impact_map";
    static constexpr std::string_view meaning =
        "collisions at many places along a beam: a map of the coefficient of restitution";

    core::OrNone<Locations> locations;
    core::OrNone<std::string> locations_from;
    core::OrNone<Sweep> sweep;
    core::OrNone<Uncertainty> uncertainty;
    Marks marks;
    Plot plot = {};

    static constexpr auto fields() {
        return std::tuple_cat(
            std::tuple{
                core::field("locations", &BeamImpactMap::locations,
                            "places at which the beam is struck"),
                core::field(
                    "locations_from", &BeamImpactMap::locations_from,
                    "table of measured restitution (CSV): the beam is struck at the measured "
                    "places, and the report compares"),
                core::field("sweep", &BeamImpactMap::sweep, "a key that takes several values"),
                core::field("uncertainty", &BeamImpactMap::uncertainty,
                            "keys with a probability distribution: band and Sobol indices of e")},
            BeamGradientKeys::fields(),
            std::tuple{core::field("marks", &BeamImpactMap::marks,
                                   "places that are marked in the figures"),
                       core::field("plot", &BeamImpactMap::plot, "look of the figures")});
    }
};

/// A collision of a map over time.
struct MapHistory {
    std::size_t curve;  ///< number of the swept value; 0 if nothing is swept
    double xi;          ///< where the beam is struck
    impact::History history;
    double peak_force = 0.0;  ///< [N]; that of the samples may be lower
};

/// Computes collisions of a map again, with their history: evenly spaced places of evenly spaced
/// curves, `most` at most. `document`: case.yaml of a run, on all cores.
/// Errors: core::InputError if it is no case of a map.
std::vector<MapHistory> histories_of_map(const io::Document& document, std::size_t most);

extern const Problem beam_impact_problem;
extern const Problem beam_impact_map_problem;

}  // namespace stoss::solvers
