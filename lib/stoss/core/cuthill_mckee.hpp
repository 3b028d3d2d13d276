#pragma once
/// An order of the nodes of a graph in which neighbours are near each other.

#include <cstddef>
#include <vector>

namespace stoss::core {

/// The nodes in the order of Cuthill and McKee (1969): the neighbours of a numbered node follow by
/// rising degree, each connected part from a node of lowest degree. `neighbours`: of each node,
/// symmetric; that a node is its own neighbour does not matter if it holds for all.
std::vector<std::size_t> cuthill_mckee(const std::vector<std::vector<std::size_t>>& neighbours);

}  // namespace stoss::core
