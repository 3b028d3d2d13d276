#include <models/parts.hpp>

#include <utility>

#include <models/beam_collision.hpp>
#include <stoss/core/field_checks.hpp>

namespace stoss::models {

namespace {

Striker fixed(Striker striker) {
    striker.mass = core::infinity;
    return striker;
}

}  // namespace

Beam beam(Beam given) {
    core::throw_if_any(core::check_fields(given, "beam"));
    core::throw_if_any(check(given, Mesh{}));
    return given;
}

Support pin(double xi) {
    return {.type = SupportType::pin, .xi = xi};
}
Support clamp(double xi) {
    return {.type = SupportType::clamp, .xi = xi};
}
Support slider(double xi) {
    return {.type = SupportType::slider, .xi = xi};
}

Striker fixed_cylinder(double radius, const StrikerMaterial& material) {
    return fixed({.shape = Cylinder{.radius = radius}, .material = material});
}
Striker fixed_sphere(double radius, const StrikerMaterial& material) {
    return fixed({.shape = Sphere{.radius = radius}, .material = material});
}
Striker solid_sphere(double radius, const Material& material, double velocity) {
    return {.shape = Sphere{.radius = radius}, .material = material, .velocity = velocity};
}
Striker solid_cylinder(double radius, double length, const Material& material, double velocity) {
    return {.shape = Cylinder{.radius = radius, .length = length},
            .material = material,
            .velocity = velocity};
}

}  // namespace stoss::models
