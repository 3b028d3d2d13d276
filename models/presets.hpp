#pragma once
/// What a case may give by a name. The texts are files of `models/presets`, built into the library.

#include <string_view>

namespace stoss::models {

/// models/presets/materials.yaml: name -> youngs_modulus, poisson_ratio, density, source, check.
std::string_view material_presets();

}  // namespace stoss::models
