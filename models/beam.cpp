#include <models/beam.hpp>

#include <cmath>
#include <numbers>

namespace stoss::models {

double Circle::area() const {
    return std::numbers::pi * radius * radius;
}

double Circle::second_moment() const {
    return 0.25 * std::numbers::pi * radius * radius * radius * radius;
}

double Beam::mass_per_length() const {
    return material.density *
           std::visit([](const auto& shape) { return shape.area(); }, section.shape);
}

double Beam::bending_stiffness() const {
    return material.youngs_modulus *
           std::visit([](const auto& shape) { return shape.second_moment(); }, section.shape);
}

double Beam::time_scale() const {
    return length * length * std::sqrt(mass_per_length() / bending_stiffness());
}

double Beam::contact_radius() const {
    return std::visit([](const Circle& circle) { return circle.radius; }, section.shape);
}

}  // namespace stoss::models
