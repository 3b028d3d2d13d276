#pragma once
/// `locations:`, the places along a beam that a problem looks at.

#include <cstddef>
#include <optional>
#include <tuple>
#include <vector>

#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::solvers {

/// Evenly spaced places along the beam, both ends included; or a list of them.
struct Locations {
    double from = core::not_given;
    double to = core::not_given;
    std::optional<int> points;
    std::optional<std::vector<double>> at;

    static constexpr auto fields() {
        return std::tuple{
            core::field("from", &Locations::from, "", core::closed(0.0, 1.0), "first xi"),
            core::field("to", &Locations::to, "", core::closed(0.0, 1.0), "last xi"),
            core::field("points", &Locations::points, "", core::closed(1, 1e6), "number of places"),
            core::field("at", &Locations::at, "", core::closed(0.0, 1.0),
                        "the places one by one, in place of from, to and points")};
    }

    /// Precondition of both: `check` found nothing.
    std::size_t count() const;
    double xi(std::size_t index) const;
};

/// What is wrong with the places: neither or both of `at` and from, to, points; or none at all.
std::vector<core::Violation> check(const Locations& locations);

}  // namespace stoss::solvers
