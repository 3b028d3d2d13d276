#pragma once
/// `location:` and `locations:`, where a beam is struck.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/core/place.hpp>

namespace stoss::solvers {

/// The key for a shift of the contact location along the beam, the same for all places.
inline constexpr std::string_view location_key = "location";

/// Where a beam is struck.
struct Location {
    std::optional<double> xi = {};
    std::optional<double> x = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("xi", &Location::xi, "", core::closed(0.0, 1.0),
                        "place x_c/l of the contact along the beam"),
            core::field("x", &Location::x, "m", core::non_negative,
                        "distance x_c of the contact from the left end, in place of xi")};
    }

    /// xi on a beam of that length [m].
    double on(double length) const { return x ? *x / length : xi.value(); }
};

/// Evenly spaced places along the beam, both ends included; or a list of them.
struct Locations {
    std::optional<core::Place> from;
    std::optional<core::Place> to;
    core::OrNone<int> points;
    core::OrNone<std::vector<core::Place>> at;

    static constexpr auto fields() {
        return std::tuple{
            core::field("from", &Locations::from, "", core::closed(0.0, 1.0),
                        "first place: xi = x/l, a pure number, or x, a length such as 10 mm"),
            core::field("to", &Locations::to, "", core::closed(0.0, 1.0), "last place: xi or x"),
            core::field("points", &Locations::points, "", core::closed(1, 1e6), "number of places"),
            core::field("at", &Locations::at, "", core::closed(0.0, 1.0),
                        "list of places, each xi or x, in place of from, to and points")};
    }

    /// Precondition of all: `check` found nothing.
    std::size_t count() const;
    /// xi of a place on a beam of that length [m]. Where both ends are distances, so is the
    /// spacing.
    double xi(std::size_t index, double length) const;
    std::vector<double> all(double length) const;  ///< xi of all places
};

/// What is wrong with a place on a beam of that length [m]: neither or both of `xi` and `x`, or off
/// the beam. `key`: of the place.
std::vector<core::Violation> check(const Location& location, double length,
                                   const std::string& key = "location");

/// What is wrong with the places on a beam of that length [m]: neither or both of `at` and from,
/// to, points; none at all; off the beam.
std::vector<core::Violation> check(const Locations& locations, double length);

}  // namespace stoss::solvers
