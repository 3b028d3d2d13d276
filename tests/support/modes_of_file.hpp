#pragma once
/// The modes of a table, read at once.

#include <optional>
#include <string>

#include <solvers/problems/modal/modal_file.hpp>

namespace stoss::tests {

inline solvers::NamedModes read_modes(const std::string& file, std::optional<int> rigid_modes) {
    return solvers::modes_of(solvers::read_mode_cells(file, rigid_modes));
}

}  // namespace stoss::tests
