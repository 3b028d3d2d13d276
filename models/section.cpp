#include <models/section.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <stoss/core/text.hpp>

namespace stoss::models {

namespace {

using Violations = std::vector<core::Violation>;

/// Each dimension at the fraction u of the way from `a` to `b`.
template <class Shape>
Shape between(const Shape& a, const Shape& b, double u) {
    Shape shape;
    core::for_each_field<Shape>([&](const auto& field) {
        const double left = a.*field.member, right = b.*field.member;
        // Equal ones stay as they are, infinite ones too.
        shape.*field.member = left == right ? left : (1.0 - u) * left + u * right;
    });
    return shape;
}

/// What is wrong with the dimensions of one section, its key in front.
void check_shape(const Tube& tube, const std::string& key, Violations& violations) {
    if (tube.inner_radius < tube.outer_radius) return;
    violations.push_back({key + ".inner_radius", core::with_unit(tube.inner_radius, "m"),
                          "must be less than outer_radius", ""});
}
void check_shape(const ISection& section, const std::string& key, Violations& violations) {
    if (!(2.0 * section.flange < section.height)) {
        violations.push_back({key + ".flange", core::with_unit(section.flange, "m"),
                              "must be less than height/2", "a solid section is a `rectangle`"});
    }
    if (section.web > section.width) {
        violations.push_back(
            {key + ".web", core::with_unit(section.web, "m"), "must be at most the width", ""});
    }
}
template <class Shape>
void check_shape(const Shape&, const std::string&, Violations&) {}

void check_shape(const Profile& profile, const std::string& key, Violations& violations) {
    const auto& stations = profile.stations;
    const std::string list = key + ".stations";
    if (stations.size() < 2 || stations.front().xi != 0.0 || stations.back().xi != 1.0) {
        violations.push_back({list, fmt::format("{} stations", stations.size()),
                              "must run from xi = 0 to xi = 1",
                              "place the first station at 0 and the last one at 1"});
        return;
    }
    for (std::size_t i = 0; i < stations.size(); ++i) {
        const std::string own = fmt::format("{}[{}]", list, i);
        std::visit([&](const auto& shape) { check_shape(shape, own, violations); },
                   stations[i].shape);
        if (i == 0) continue;
        const double xi = stations[i].xi, before = stations[i - 1].xi;
        const bool third = i > 1 && stations[i - 2].xi == xi;
        const bool at_end = xi == before && (xi == 0.0 || xi == 1.0);
        if (xi < before || third || at_end) {
            violations.push_back({own + ".xi", core::to_text(xi),
                                  third    ? "is the place of two stations already"
                                  : at_end ? "must not be a step at the end of the beam"
                                           : "stations must be in the order of xi",
                                  "at most two stations may be at one place, inside the beam"});
        } else if (xi > before && stations[i].shape.index() != stations[i - 1].shape.index()) {
            violations.push_back({own + ".shape", "",
                                  "must be the shape of the station before: dimensions change "
                                  "linearly between stations",
                                  "put two stations at one place to change the shape"});
        }
    }
}

}  // namespace

// Shear coefficients: Cowper (1966), J. Appl. Mech. 33, 335.

std::optional<double> Circle::shear_coefficient(double nu) const {
    return 6.0 * (1.0 + nu) / (7.0 + 6.0 * nu);
}

std::optional<double> Tube::shear_coefficient(double nu) const {
    const double m = inner_radius / outer_radius, m2 = m * m;
    const double wall = (1.0 + m2) * (1.0 + m2);
    return 6.0 * (1.0 + nu) * wall / ((7.0 + 6.0 * nu) * wall + (20.0 + 12.0 * nu) * m2);
}

std::optional<double> Rectangle::shear_coefficient(double nu) const {
    return 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu);
}

std::optional<double> Ellipse::shear_coefficient(double nu) const {
    const double n = height / width, n2 = n * n;
    return 12.0 * (1.0 + nu) * n2 * (3.0 * n2 + 1.0) /
           ((40.0 + 37.0 * nu) * n2 * n2 + (16.0 + 10.0 * nu) * n2 + nu);
}

std::optional<double> ISection::shear_coefficient(double nu) const {
    const double middle = height - flange;  // between the middles of the flanges
    const double m = 2.0 * width * flange / (middle * web);
    const double n2 = (width / middle) * (width / middle);
    const double shape = 12.0 + m * (72.0 + m * (150.0 + m * 90.0));
    const double contraction = 11.0 + m * (66.0 + m * (135.0 + m * 90.0));
    const double flanges = 30.0 * n2 * m * (1.0 + m) + 5.0 * nu * n2 * m * (8.0 + 9.0 * m);
    return 10.0 * (1.0 + nu) * (1.0 + 3.0 * m) * (1.0 + 3.0 * m) /
           (shape + nu * contraction + flanges);
}

std::optional<double> GeneralSection::shear_coefficient(double) const {
    return std::nullopt;
}

SectionProperties Circle::properties() const {
    return {std::numbers::pi * radius * radius,
            0.25 * std::numbers::pi * radius * radius * radius * radius, 1.0 / radius, 2.0 * radius,
            2.0 * radius};
}

SectionProperties Tube::properties() const {
    const double outer = outer_radius * outer_radius, inner = inner_radius * inner_radius;
    return {std::numbers::pi * (outer - inner),
            0.25 * std::numbers::pi * (outer - inner) * (outer + inner), 1.0 / outer_radius,
            2.0 * outer_radius,
            inner_radius > 0.0 ? outer_radius - inner_radius : 2.0 * outer_radius};
}

SectionProperties Rectangle::properties() const {
    return {width * height, width * height * height * height / 12.0, 0.0, height,
            std::min(width, height)};
}

SectionProperties Ellipse::properties() const {
    // Half axes a across and b along the motion: I = pi a b^3/4, curvature at the end b/a^2.
    const double a = 0.5 * width, b = 0.5 * height;
    return {std::numbers::pi * a * b, 0.25 * std::numbers::pi * a * b * b * b, b / (a * a), height,
            std::min(width, height)};
}

SectionProperties ISection::properties() const {
    const double inner = height - 2.0 * flange;
    return {2.0 * width * flange + web * inner,
            (width * height * height * height - (width - web) * inner * inner * inner) / 12.0, 0.0,
            height, flange};
}

/// Height and thickness are those of the rectangle that has the same I/A.
SectionProperties GeneralSection::properties() const {
    const double height_of_rectangle = std::sqrt(12.0 * second_moment / area);
    return {area, second_moment, 1.0 / contact_radius, height_of_rectangle, height_of_rectangle};
}

template <class F>
auto Profile::at(double xi, F&& f) const {
    const auto right = std::upper_bound(stations.begin(), stations.end() - 1, xi,
                                        [](double x, const Station& each) { return x < each.xi; });
    const auto left = right - 1;
    const double u = std::min(1.0, (xi - left->xi) / (right->xi - left->xi));
    return std::visit(
        [&]<class Shape>(const Shape& shape) {
            return f(between(shape, std::get<Shape>(right->shape), u));
        },
        left->shape);
}

SectionProperties Profile::properties(double xi) const {
    return at(xi, [](const auto& each) { return each.properties(); });
}

std::optional<double> Profile::shear_coefficient(double xi, double nu) const {
    return at(xi, [&](const auto& each) { return each.shear_coefficient(nu); });
}

SectionProperties Section::properties(double xi) const {
    return std::visit(
        [&](const auto& each) {
            if constexpr (requires { each.properties(xi); }) {
                return each.properties(xi);
            } else {
                return each.properties();
            }
        },
        shape);
}

std::optional<double> Section::shear_coefficient(double xi, double nu) const {
    return std::visit(
        [&](const auto& each) {
            if constexpr (requires { each.shear_coefficient(xi, nu); }) {
                return each.shear_coefficient(xi, nu);
            } else {
                return each.shear_coefficient(nu);
            }
        },
        shape);
}

std::vector<core::Violation> check(const Section& section, const std::string& key) {
    Violations violations;
    std::visit([&](const auto& shape) { check_shape(shape, key, violations); }, section.shape);
    return violations;
}

}  // namespace stoss::models
