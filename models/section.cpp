#include <models/section.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stoss::models {

namespace {

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

}  // namespace

// Shear coefficients: Cowper (1966), J. Appl. Mech. 33, 335.

double Circle::shear_coefficient(double nu) const {
    return 6.0 * (1.0 + nu) / (7.0 + 6.0 * nu);
}

double Tube::shear_coefficient(double nu) const {
    const double m = inner_radius / outer_radius, m2 = m * m;
    const double wall = (1.0 + m2) * (1.0 + m2);
    return 6.0 * (1.0 + nu) * wall / ((7.0 + 6.0 * nu) * wall + (20.0 + 12.0 * nu) * m2);
}

double Rectangle::shear_coefficient(double nu) const {
    return 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu);
}

double Ellipse::shear_coefficient(double nu) const {
    const double n = height / width, n2 = n * n;
    return 12.0 * (1.0 + nu) * n2 * (3.0 * n2 + 1.0) /
           ((40.0 + 37.0 * nu) * n2 * n2 + (16.0 + 10.0 * nu) * n2 + nu);
}

double ISection::shear_coefficient(double nu) const {
    const double middle = height - flange;  // between the middles of the flanges
    const double m = 2.0 * width * flange / (middle * web);
    const double n2 = (width / middle) * (width / middle);
    const double shape = 12.0 + m * (72.0 + m * (150.0 + m * 90.0));
    const double contraction = 11.0 + m * (66.0 + m * (135.0 + m * 90.0));
    const double flanges = 30.0 * n2 * m * (1.0 + m) + 5.0 * nu * n2 * m * (8.0 + 9.0 * m);
    return 10.0 * (1.0 + nu) * (1.0 + 3.0 * m) * (1.0 + 3.0 * m) /
           (shape + nu * contraction + flanges);
}

double GeneralSection::shear_coefficient(double) const {
    return core::not_given;
}

SectionProperties Circle::properties() const {
    return {std::numbers::pi * radius * radius,
            0.25 * std::numbers::pi * radius * radius * radius * radius, 1.0 / radius};
}

SectionProperties Tube::properties() const {
    const double outer = outer_radius * outer_radius, inner = inner_radius * inner_radius;
    return {std::numbers::pi * (outer - inner),
            0.25 * std::numbers::pi * (outer - inner) * (outer + inner), 1.0 / outer_radius};
}

SectionProperties Rectangle::properties() const {
    return {width * height, width * height * height * height / 12.0, 0.0};
}

SectionProperties Ellipse::properties() const {
    // Half axes a across and b along the motion: I = pi a b^3/4, curvature at the end b/a^2.
    const double a = 0.5 * width, b = 0.5 * height;
    return {std::numbers::pi * a * b, 0.25 * std::numbers::pi * a * b * b * b, b / (a * a)};
}

SectionProperties ISection::properties() const {
    const double inner = height - 2.0 * flange;
    return {2.0 * width * flange + web * inner,
            (width * height * height * height - (width - web) * inner * inner * inner) / 12.0, 0.0};
}

SectionProperties GeneralSection::properties() const {
    return {area, second_moment, 1.0 / contact_radius};
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

double Profile::shear_coefficient(double xi, double nu) const {
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

double Section::shear_coefficient(double xi, double nu) const {
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

}  // namespace stoss::models
