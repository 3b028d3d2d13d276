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

SectionProperties Profile::properties(double xi) const {
    const auto right = std::upper_bound(stations.begin(), stations.end() - 1, xi,
                                        [](double x, const Station& each) { return x < each.xi; });
    const auto left = right - 1;
    const double u = std::min(1.0, (xi - left->xi) / (right->xi - left->xi));
    return std::visit(
        [&]<class Shape>(const Shape& shape) {
            return between(shape, std::get<Shape>(right->shape), u).properties();
        },
        left->shape);
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

}  // namespace stoss::models
