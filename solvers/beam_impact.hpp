#pragma once
/// Problems `beam_impact` (one collision of a beam) and `beam_impact_map` (many along the beam).

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <solvers/problem.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::solvers {

/// Where the beam is struck.
struct Location {
    double xi = core::not_given;

    static constexpr auto fields() {
        return std::tuple{core::field("xi", &Location::xi, "", core::closed(0.0, 1.0),
                                      "place x_c/l of the contact along the beam")
                              .required()};
    }
};

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

/// Evenly spaced places along the beam, both ends included.
struct Locations {
    double from = core::not_given;
    double to = core::not_given;
    int points = 0;

    static constexpr auto fields() {
        return std::tuple{
            core::field("from", &Locations::from, "", core::closed(0.0, 1.0), "first xi")
                .required(),
            core::field("to", &Locations::to, "", core::closed(0.0, 1.0), "last xi").required(),
            core::field("points", &Locations::points, "", core::closed(1, 1e6), "number of places")
                .required()};
    }

    double xi(std::size_t index) const;
};

/// One key of the case takes several values in turn; each gives a curve of the map.
struct Sweep {
    std::string key;
    std::vector<std::string> values;

    static constexpr auto fields() {
        return std::tuple{
            core::field("key", &Sweep::key, "path of the swept key, e.g. motion.angular_velocity")
                .required(),
            core::field("values", &Sweep::values, "its values, written as the key itself would be")
                .required()};
    }
};

/// Keys of `beam_impact_map` beside those of models::BeamCollision.
struct BeamImpactMap {
    static constexpr std::string_view name = "beam_impact_map";
    static constexpr std::string_view meaning =
        "collisions at many places along a beam: a map of the coefficient of restitution";

    Locations locations;
    std::optional<Sweep> sweep;

    static constexpr auto fields() {
        return std::tuple{
            core::field("locations", &BeamImpactMap::locations, "where the beam is struck")
                .required(),
            core::field("sweep", &BeamImpactMap::sweep, "a key that takes several values")};
    }
};

extern const Problem beam_impact_problem;
extern const Problem beam_impact_map_problem;

}  // namespace stoss::solvers
