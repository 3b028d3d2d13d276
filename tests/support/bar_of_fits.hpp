#pragma once
/// The bar of cases/validation/virtual_experiment_fit_pair.yaml and what it strikes, as keys of a
/// case.

namespace stoss::tests {

inline constexpr const char* bar_of_fits = R"(beam:
  length: 508 mm
  section: {shape: circle, radius: 6.35 mm}
  material: {youngs_modulus: 68.3 GPa, poisson_ratio: 0.34, density: 2710 kg/m^3}
  supports:
    - {type: pin, xi: 0.0375}
  internal_damping: 1e6 Pa s
striker:
  shape: cylinder
  radius: 6.35 mm
  material: {youngs_modulus: 68.3 GPa, poisson_ratio: 0.34}
motion: {angular_velocity: -3 rad/s}
mesh: {elements: 80, modes: 25, residual_flexibility: false, constraints: penalty}
)";

}  // namespace stoss::tests
