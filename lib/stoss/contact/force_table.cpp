#include <stoss/contact/force_table.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <stoss/core/text.hpp>

namespace stoss::contact {

namespace {

constexpr double rounding = 1e-9;  // what decimals may leave of an equality

using core::Violation;

void check_curve(std::vector<Violation>& violations, const std::string& key,
                 std::span<const double> force, std::size_t overlaps) {
    if (force.size() != overlaps) {
        violations.push_back(
            {key, fmt::format("{} forces", force.size()),
             fmt::format("must have one force for each of the {} overlaps", overlaps), ""});
        return;
    }
    if (force.front() != 0.0) {
        violations.push_back({key, core::with_unit(force.front(), "N"),
                              "must begin with 0 N: at first contact there is no force", ""});
    }
    for (std::size_t i = 1; i < force.size(); ++i) {
        if (force[i] >= force[i - 1] && std::isfinite(force[i])) continue;
        violations.push_back({key, core::with_unit(force[i], "N"),
                              fmt::format("must not fall: the force before is {}",
                                          core::with_unit(force[i - 1], "N")),
                              ""});
        return;
    }
}

/// Each deeper loading must lose at least as much as the one before, or a loop of loading and
/// unloading would give energy.
void check_passive(std::vector<Violation>& violations, const ForcePoints& points) {
    const ForceTable table(points);
    constexpr int parts = 16;
    double lost = 0.0;
    for (std::size_t i = 1; i < points.overlap.size(); ++i) {
        for (int part = 1; part <= parts; ++part) {
            const double low = points.overlap[i - 1], high = points.overlap[i];
            const double x = low + (high - low) * part / parts;
            const double work = table.loading_work(x);
            const double now = work - table.unloading_work(x, x);
            if (now < lost - rounding * work) {
                violations.push_back(
                    {"unloading_force", "",
                     fmt::format("would return more energy than loading to {:.6g} m stored", x),
                     "unloading from an overlap inside the table follows the same curve, "
                     "scaled; lower unloading_force"});
                return;
            }
            lost = std::max(lost, now);
        }
    }
}

}  // namespace

std::vector<Violation> check(const ForcePoints& points) {
    std::vector<Violation> violations;
    const auto& x = points.overlap;
    if (x.size() < 2) {
        violations.push_back({"overlap", fmt::format("{} overlaps", x.size()),
                              "must have at least two overlaps", ""});
        return violations;
    }
    if (x.front() != 0.0)
        violations.push_back(
            {"overlap", core::with_unit(x.front(), "m"), "must begin with 0 m", ""});
    for (std::size_t i = 1; i < x.size(); ++i) {
        if (x[i] > x[i - 1] && std::isfinite(x[i])) continue;
        violations.push_back(
            {"overlap", core::with_unit(x[i], "m"),
             fmt::format("must rise: the overlap before is {}", core::with_unit(x[i - 1], "m")),
             ""});
        break;
    }
    check_curve(violations, "force", points.force, x.size());
    if (violations.empty() && !(points.force[1] > 0.0))
        violations.push_back({"force", core::with_unit(points.force[1], "N"),
                              "must be > 0 N at the second overlap",
                              "a gap is not part of a contact law"});
    if (points.unloading_force.empty()) return violations;
    check_curve(violations, "unloading_force", points.unloading_force, x.size());
    if (!violations.empty()) return violations;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double loaded = points.force[i], unloaded = points.unloading_force[i];
        if (unloaded <= loaded * (1.0 + rounding)) continue;
        violations.push_back({"unloading_force", core::with_unit(unloaded, "N"),
                              fmt::format("must be <= force, which is {} at the same overlap",
                                          core::with_unit(loaded, "N")),
                              ""});
        return violations;
    }
    if (std::abs(points.unloading_force.back() - points.force.back()) >
        rounding * points.force.back()) {
        violations.push_back({"unloading_force",
                              core::with_unit(points.unloading_force.back(), "N"),
                              fmt::format("must end at the last force, {}: unloading begins there",
                                          core::with_unit(points.force.back(), "N")),
                              ""});
        return violations;
    }
    check_passive(violations, points);
    return violations;
}

ForceTable::ForceTable(const ForcePoints& points) : loading_(points.overlap, points.force) {
    if (points.unloading_force.empty()) return;
    std::vector<double> place, part;
    for (std::size_t i = 0; i < points.overlap.size(); ++i) {
        place.push_back(points.overlap[i] / points.overlap.back());
        part.push_back(points.unloading_force[i] / points.unloading_force.back());
        if (part.back() == 0.0) dent_ = place.back();
    }
    unloading_.emplace(place, part);
}

double ForceTable::unloading(double x, double largest) const {
    if (!(x > 0.0)) return 0.0;
    return loading(largest) * unloading_->value(x / largest);
}

double ForceTable::unloading_slope(double x, double largest) const {
    if (!(x > 0.0)) return 0.0;
    return loading(largest) / largest * unloading_->slope(x / largest);
}

int ForceTable::unloading_interval(double x, double largest) const {
    return unloading_->interval(x / largest);
}

double ForceTable::unloading_work(double x, double largest) const {
    if (!(x > 0.0)) return 0.0;
    return loading(largest) * largest * unloading_->integral(x / largest);
}

}  // namespace stoss::contact
