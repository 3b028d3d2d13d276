#pragma once
/// What a case may give by a name. The texts are files of `models/presets`, built into the library.

#include <string_view>

namespace stoss::models {

/// models/presets/materials.yaml: name -> youngs_modulus, poisson_ratio, density, source,
/// check, and where they are known yield_stress and surface_energy.
std::string_view material_presets();

}  // namespace stoss::models
