#pragma once
/// Which program made a result, where and when.

#include <cstdint>
#include <string>

#include <stoss/io/json.hpp>

namespace stoss::io {

/// Version of Stoss, e.g. "0.1.0".
std::string version();

/// Commit of the sources, with "-modified" if they were changed since; "unknown" without git.
std::string commit();

/// Libraries that it was built with, and their versions: "Eigen3 3.4.0, fmt 9.1.0, ...".
std::string libraries();

/// Facts that a result does not follow from but may depend on: version, commit, build type,
/// compiler and its flags, libraries, host, operating system, processor, date and time (UTC, ISO
/// 8601), seed, number of threads (`threads`, or all cores if 0). A fact that the system does not
/// tell is "unknown".
Value provenance(std::int64_t seed, int threads);

}  // namespace stoss::io
