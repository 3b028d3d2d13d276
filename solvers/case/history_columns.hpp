#pragma once
/// The instants of one collision as columns with names.

#include <array>
#include <string_view>

#include <stoss/impact/collide.hpp>

namespace stoss::solvers {

/// A number of every instant; the name ends with its unit.
struct HistoryColumn {
    std::string_view name;
    double impact::Sample::*number;
};

/// Columns of the history.csv of two bodies by their modes, in their order.
inline constexpr std::array history_columns{
    HistoryColumn{"time_s", &impact::Sample::time},
    HistoryColumn{"overlap_m", &impact::Sample::overlap},
    HistoryColumn{"displacement_m", &impact::Sample::body_displacement},
    HistoryColumn{"approach_velocity_m_per_s", &impact::Sample::approach_velocity},
    HistoryColumn{"force_N", &impact::Sample::force},
    HistoryColumn{"energy_rigid", &impact::Sample::energy_rigid},
    HistoryColumn{"energy_vibration", &impact::Sample::energy_vibration},
    HistoryColumn{"energy_contact", &impact::Sample::energy_contact},
    HistoryColumn{"energy_structural_loss", &impact::Sample::energy_structural_loss},
    HistoryColumn{"energy_contact_loss", &impact::Sample::energy_contact_loss},
    HistoryColumn{"energy_load_work", &impact::Sample::energy_load_work},
};

}  // namespace stoss::solvers
