#include <solvers/locations.hpp>

#include <stoss/core/units.hpp>

namespace stoss::solvers {

std::size_t Locations::count() const {
    return at ? at->size() : static_cast<std::size_t>(*points);
}

double Locations::xi(std::size_t index) const {
    if (at) return (*at)[index];
    if (index == 0) return from;
    if (index + 1 == count()) return to;
    // Weights that are whole numbers: 0.5 stays 0.5.
    const auto end = static_cast<double>(*points - 1), to_weight = static_cast<double>(index);
    return (from * (end - to_weight) + to * to_weight) / end;
}

std::vector<core::Violation> check(const Locations& locations) {
    std::vector<core::Violation> violations;
    const bool has_from = core::is_given(locations.from), has_to = core::is_given(locations.to);
    if (locations.at) {
        if (locations.at->empty()) {
            violations.push_back({"locations.at", "[]", "must hold at least one place", ""});
        }
        if (has_from || has_to || locations.points) {
            violations.push_back({"locations.at", "", "cannot stand beside from, to and points",
                                  "give the places one by one, or evenly spaced"});
        }
        return violations;
    }
    const auto missing = [&](bool is_given, const char* key) {
        if (is_given) return;
        violations.push_back(
            {key, "", "is missing", "give from, to and points, or the places one by one: `at`"});
    };
    missing(has_from, "locations.from");
    missing(has_to, "locations.to");
    missing(locations.points.has_value(), "locations.points");
    if (violations.empty() && *locations.points > 1 && !(locations.to > locations.from)) {
        violations.push_back({"locations.to", core::to_text(locations.to),
                              "must be > locations.from = " + core::to_text(locations.from), ""});
    }
    return violations;
}

}  // namespace stoss::solvers
