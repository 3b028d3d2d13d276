#pragma once
/// What there is to choose from: `stoss list`, `stoss describe`, `stoss schema`.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <stoss/io/describe.hpp>

namespace stoss::solvers {

/// Names and one-line meanings of "laws", "problems" or "schemes".
std::string list(std::string_view what);

/// What a name means, and its keys.
struct Description {
    std::string meaning;
    std::vector<io::KeyDescription> keys;  ///< of a problem with those of the whole case
};

/// Of a problem, law, scheme, material or of a file beside measurements.
/// Errors: core::InputError for an unknown name.
Description description_of(const std::string& name);

/// How keys are shown.
struct DescribeLook {
    std::size_t width = 100;  ///< letters in a line
    bool all = false;         ///< every key of every level, as a wide table
};

/// The keys of a name, or what is below the key at a path such as `striker.shape`.
/// Errors: core::InputError for an unknown name or path.
std::string describe(const std::string& name, const std::string& path, const DescribeLook& look);

/// JSON Schema of case files.
std::string schema();

}  // namespace stoss::solvers
