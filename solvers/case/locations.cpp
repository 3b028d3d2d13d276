#include <solvers/case/locations.hpp>

#include <fmt/format.h>
#include <stoss/core/arrays.hpp>
#include <stoss/core/text.hpp>

namespace stoss::solvers {

namespace {

using Violations = std::vector<core::Violation>;

/// A distance beyond the end of the beam.
void check_distance(const std::string& key, double x, double length, Violations& violations) {
    if (x <= length) return;
    violations.push_back({key, core::with_unit(x, "m"),
                          fmt::format("is not on the beam: must be between 0 and beam.length = {}",
                                      core::with_unit(length, "m")),
                          ""});
}

void check_place(const std::string& key, const core::Place& place, double length,
                 Violations& violations) {
    if (place.is_distance) check_distance(key, place.value, length, violations);
}

/// As the case writes it.
std::string written(const core::Place& place) {
    return core::with_unit(place.value, place.is_distance ? "m" : "");
}

void check_list(const Locations& locations, double length, Violations& violations) {
    if (locations.at->empty()) {
        violations.push_back({"locations.at", "[]", "must hold at least one place", ""});
    }
    for (std::size_t i = 0; i < locations.at->size(); ++i) {
        check_place(fmt::format("locations.at[{}]", i), (*locations.at)[i], length, violations);
    }
    if (!locations.from && !locations.to && !locations.points) return;
    violations.push_back({"locations.at", "", "cannot be given together with from, to and points",
                          "give the places one by one, or evenly spaced"});
}

}  // namespace

std::size_t Locations::count() const {
    return at ? at->size() : static_cast<std::size_t>(*points);
}

double Locations::xi(std::size_t index, double length) const {
    if (at) return (*at)[index].share(length);
    return core::evenly_spaced(from->share(length), to->share(length), count(), index);
}

std::vector<double> Locations::all(double length) const {
    std::vector<double> places;
    for (std::size_t i = 0; i < count(); ++i) places.push_back(xi(i, length));
    return places;
}

std::vector<core::Violation> check(const Location& location, double length,
                                   const std::string& key) {
    Violations violations;
    if (!location.xi && !location.x) {
        violations.push_back({key + ".xi", "", "is missing",
                              "add `xi` (place x_c/l of the contact along the beam): a pure number "
                              "such as \"0.5\"; or `x`: a length such as \"12.7 mm\""});
    }
    if (location.xi && location.x) {
        violations.push_back({key + ".x", core::with_unit(*location.x, "m"),
                              "cannot be given together with xi", "keep one of them"});
    }
    if (location.x) check_distance(key + ".x", *location.x, length, violations);
    return violations;
}

std::vector<core::Violation> check(const Locations& locations, double length) {
    Violations violations;
    if (locations.at) {
        check_list(locations, length, violations);
        return violations;
    }
    const auto require = [&](bool is_there, const char* key) {
        if (is_there) return;
        violations.push_back(
            {key, "", "is missing", "give from, to and points, or the places one by one: `at`"});
    };
    require(locations.from.has_value(), "locations.from");
    require(locations.to.has_value(), "locations.to");
    require(locations.points.has_value(), "locations.points");
    if (locations.from) check_place("locations.from", *locations.from, length, violations);
    if (locations.to) check_place("locations.to", *locations.to, length, violations);
    if (violations.empty() && *locations.points > 1 &&
        !(locations.to->share(length) > locations.from->share(length))) {
        violations.push_back({"locations.to", written(*locations.to),
                              "must be > locations.from = " + written(*locations.from), ""});
    }
    return violations;
}

}  // namespace stoss::solvers
