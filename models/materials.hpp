#pragma once
/// The materials of `models/presets/materials.yaml` for programs. Sources of the values are in
/// that file; a test holds these numbers against it.

#include <models/beam.hpp>

namespace stoss::models {

inline Material steel() {
    return {.youngs_modulus = 210e9, .poisson_ratio = 0.3, .density = 7850.0};
}
inline Material steel_s235() {
    return {
        .youngs_modulus = 210e9, .poisson_ratio = 0.3, .density = 7850.0, .yield_stress = 235e6};
}
inline Material steel_s355() {
    return {
        .youngs_modulus = 210e9, .poisson_ratio = 0.3, .density = 7850.0, .yield_stress = 355e6};
}
inline Material stainless_steel() {
    return {.youngs_modulus = 200e9, .poisson_ratio = 0.3, .density = 7900.0};
}
inline Material aluminium() {
    return {.youngs_modulus = 70e9, .poisson_ratio = 0.3, .density = 2700.0};
}
inline Material aluminium_6082_t6() {
    return {.youngs_modulus = 70e9, .poisson_ratio = 0.3, .density = 2700.0, .yield_stress = 250e6};
}
inline Material copper() {
    return {.youngs_modulus = 129.8e9, .poisson_ratio = 0.343, .density = 8933.0};
}
inline Material brass() {
    return {.youngs_modulus = 100.6e9, .poisson_ratio = 0.35, .density = 8530.0};
}
inline Material glass() {
    return {.youngs_modulus = 70e9, .poisson_ratio = 0.2, .density = 2500.0};
}
inline Material ptfe() {
    return {.youngs_modulus = 0.5e9,
            .poisson_ratio = 0.46,
            .density = 2170.0,
            .surface_energy = 0.0183};
}
inline Material polystyrene() {
    return {
        .youngs_modulus = 3.3e9, .poisson_ratio = 0.33, .density = 1050.0, .surface_energy = 0.033};
}
inline Material rubber() {
    return {.youngs_modulus = 1.8e6,
            .poisson_ratio = 0.499,
            .density = 950.0,
            .surface_energy = 0.0355};
}
/// White ash along the grain.
inline Material ash() {
    return {.youngs_modulus = 12e9, .poisson_ratio = 0.371, .density = 672.0};
}

}  // namespace stoss::models
