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

// About what each takes at the most, as measured: how the largest memory of a whole run grows with
// their number [bytes]. That is while the tables are written.

/// A sphere of a packed box without pictures: 2.2 to 2.5 contacts each, 1.5 of clumps; 3,000 and
/// 30,000 spheres.
inline constexpr double bytes_per_free_sphere = 3000.0, bytes_per_clump_sphere = 5000.0,
                        bytes_per_compliant_sphere = 5900.0;
/// More for each spring of a contact of that sphere with partial slip: 20 and 100 springs.
inline constexpr double bytes_per_ring = 100.0;
/// A sphere of a channel, which has no table of contacts: 15,600 and 171,600 spheres.
inline constexpr double bytes_per_stream_sphere = 1300.0;
/// A sphere in a picture: 1,000 pictures of 2,000 spheres.
inline constexpr double bytes_per_pictured_sphere = 470.0;

/// The same of a run with so many spheres, of so many bytes, and pictures of them.
std::vector<core::Violation> check_sphere_memory(const std::string& key, const std::string& value,
                                                 double spheres, double frames, double bytes);

}  // namespace stoss::solvers
