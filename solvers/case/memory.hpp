#pragma once
/// Work that this machine cannot hold is refused before it starts.

#include <string>
#include <vector>

#include <stoss/core/error.hpp>

namespace stoss::solvers {

/// About what one number of a table takes [bytes]: while it is computed, in its column and as text.
inline constexpr double bytes_per_number = 48.0;

/// Memory of this machine [bytes]; infinite if it does not tell.
double machine_memory();

/// What is wrong with a key of that value if the run keeps about so many bytes: nothing, or more
/// than the machine has.
std::vector<core::Violation> check_memory(const std::string& key, const std::string& value,
                                          double bytes, const std::string& suggestion);

/// About what a sphere takes with its contacts in a packed bed, as measured [bytes].
inline constexpr double bytes_per_free_sphere = 700.0, bytes_per_clump_sphere = 1700.0;

/// The same of a run with so many spheres, of so many bytes, and pictures of them.
std::vector<core::Violation> check_sphere_memory(const std::string& key, const std::string& value,
                                                 double spheres, double frames,
                                                 double bytes = bytes_per_free_sphere);

}  // namespace stoss::solvers
