#pragma once
/// `stoss report --bundle`: what another person needs to see the same run, in one file.

#include <string>

namespace stoss::solvers {

/// Writes DIRECTORY.tar: case.yaml with the files that it names, provenance.json and summary.json.
/// `stoss run case.yaml`, where it is unpacked, computes the run again. Returns the path written.
/// Errors: core::FileError if the directory holds no complete run of a case, or the file cannot be
/// written; core::InputError if its case cannot be read.
std::string write_bundle(const std::string& directory);

}  // namespace stoss::solvers
