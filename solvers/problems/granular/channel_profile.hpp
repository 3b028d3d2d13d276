#pragma once
/// Means of a channel flow over place, as tables and as a picture.

#include <optional>
#include <string>

#include <models/channel.hpp>
#include <stoss/granular/plane_profile.hpp>
#include <stoss/io/csv.hpp>

namespace stoss::solvers {

// Solid fractions are those of the space beside the obstacle.

/// profile.csv: means over the cross section, along the channel.
io::Table profile_table(const granular::PlaneProfile& means, const models::Channel& channel,
                        const std::optional<models::ChannelObstacle>& obstacle);

/// cells.csv: means over the height, in cells of the plane. A cell without spheres has the solid
/// fraction 0 and no speeds. Cells inside the obstacle are left out, and all cells if there was no
/// sample.
io::Table cells_table(const granular::PlaneProfile& means, const models::Channel& channel,
                      const std::optional<models::ChannelObstacle>& obstacle);

/// The cells that had spheres as squares on the floor, as a VTK file. `cells`: the table.
std::string cells_vtp(const io::Table& cells, const granular::PlaneProfile& means,
                      const models::Channel& channel);

}  // namespace stoss::solvers
