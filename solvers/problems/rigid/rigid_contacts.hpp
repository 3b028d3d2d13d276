#pragma once
/// Problem `rigid_contacts`: many frictional impacts of rigid bodies, a row of a table each.

#include <string>
#include <vector>

#include <models/rigid_contact.hpp>
#include <solvers/case/problem.hpp>
#include <stoss/io/csv.hpp>

namespace stoss::solvers {

/// The contacts of a table. Columns: `A_nn_per_kg` and the five other entries; `b_n_m_per_s`,
/// `b_t_m_per_s`, `b_o_m_per_s`, or `speed_m_per_s`, `inclination_deg`, `azimuth_deg` (or `_rad`);
/// `mu` or `friction`. Any other column is kept for the results.
/// Errors: core::InputError with file and line for a column that is missing, a cell that is no
/// number, and a row that is no contact.
std::vector<rigid::ContactProblem> read_contacts(const io::Table& table);

extern const Problem rigid_contacts_problem;

}  // namespace stoss::solvers
