#pragma once
/// Means of a channel flow over place, as tables and as a picture.

#include <string>

#include <models/channel.hpp>
#include <stoss/granular/plane_profile.hpp>
#include <stoss/io/csv.hpp>

namespace stoss::solvers {

/// profile.csv: means over the cross section, along the channel.
io::Table profile_table(const granular::PlaneProfile& means, const models::Channel& channel);

/// cells.csv: means over the height, in cells of the plane; cells without a sphere are left out.
io::Table cells_table(const granular::PlaneProfile& means, const models::Channel& channel);

/// The same cells as squares on the floor, as a VTK file.
std::string cells_vtp(const granular::PlaneProfile& means, const models::Channel& channel);

}  // namespace stoss::solvers
