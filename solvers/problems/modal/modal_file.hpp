#pragma once
/// A body's modes as a table: what other programs hand over, and what `modal_analysis` writes
/// (docs/modal-basis.md).

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>
#include <stoss/core/number_key.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/modal/modal_body.hpp>

namespace stoss::solvers {

/// The modes of a body, mass-normalised, at points that have names. Rigid modes come first.
struct NamedModes {
    std::vector<double> eigenvalues;  ///< lambda_j [1/s^2]; exactly 0 for a rigid mode
    std::vector<double> damping;      ///< d_j [1/s]
    std::size_t rigid = 0;
    std::vector<std::string> points;
    Eigen::MatrixXd shapes;  ///< points x modes [1/sqrt(kg)]
    /// R [m/N] of each point: what the modes that are left out yield per force
    /// (theory/modal_reduction.md 4.13); empty: none. In a table it is the last row, whose
    /// frequency is infinite.
    std::vector<double> residual_flexibility;

    /// The row of `shapes` that belongs to a point; nullopt if there is no such point.
    std::optional<Eigen::Index> find(const std::string& point) const;
    /// As a body struck at a point sees them.
    modal::ModalBody at(Eigen::Index point) const;
    /// Adds a point at which the body is `body`. Its modes are those of the points before.
    void add(const std::string& point, const modal::ModalBody& body);
};

/// The numbers of a table of modes as its cells have them.
struct ModeCells {
    std::vector<double> frequency;   ///< [Hz]
    std::vector<double> damping;     ///< modal damping [1/s], or damping ratios; empty: none
    bool has_ratios = false;         ///< of damping
    std::vector<double> modal_mass;  ///< [kg]; empty: 1
    std::size_t rigid = 0;           ///< so many of the first modes are rigid
    std::vector<std::string> points;
    std::vector<std::vector<double>> shapes;   ///< of each point, mode by mode
    std::vector<double> residual_flexibility;  ///< of each point [m/N]; empty: none

    /// The number in a row and column, "[2].frequency_Hz"; rows count from 0. None if there is no
    /// such cell, and for the frequency of a rigid mode and the damping that rigid modes share.
    core::NumberKey number_at(std::string_view cell);
};

/// The modes that the cells describe.
NamedModes modes_of(const ModeCells& cells);

/// The names that a column other than a point's may have.
std::span<const std::string_view> own_mode_columns();

/// Reads a table of modes. `rigid_modes`: so many of the first modes are rigid whatever frequency
/// they have; nullopt: those whose frequency is 0.
/// Errors: core::FileError if the file cannot be read; core::InputError with file, line and column
/// of everything that is wrong with it.
ModeCells read_mode_cells(const std::string& file, std::optional<int> rigid_modes);

/// The table that reads back as the same modes.
io::Table mode_table(const NamedModes& modes);

}  // namespace stoss::solvers
