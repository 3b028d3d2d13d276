#pragma once
/// Where the section of a beam changes too much within an element of the length l/n.

#include <vector>

#include <models/beam.hpp>

namespace stoss::models {

/// Further nodes [m] of a mesh of n = `elements` or more elements. They divide each interval in
/// which EI or A changes by a factor r, and which has fewer than n log2(r)/40 elements of the
/// length l/n, into so many equal ones (theory/supports.md 3.6). None for a uniform section.
std::vector<double> nodes_in_steep_sections(const Beam& beam, int elements);

}  // namespace stoss::models
