#include <solvers/problems/granular/channel_profile.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <stoss/io/vtk.hpp>

namespace stoss::solvers {

io::Table profile_table(const granular::PlaneProfile& means, const models::Channel& channel,
                        const std::optional<models::ChannelObstacle>& obstacle) {
    const auto slices = static_cast<double>(means.along());
    const double length = channel.length / slices;
    std::vector<double> x, v_x, speed, angular_speed, fraction;
    for (std::size_t i = 0; i < means.along(); ++i) {
        const granular::PlaneProfile::Means cell = means.slice(i);
        const double begin = static_cast<double>(i) * length;
        const double space =
            models::free_volume(channel, obstacle, {begin, 0.0}, {begin + length, channel.width});
        x.push_back((static_cast<double>(i) + 0.5) * length);
        v_x.push_back(cell.velocity.x());
        speed.push_back(cell.speed);
        angular_speed.push_back(cell.angular_speed);
        fraction.push_back(cell.volume / space);
    }
    io::Table table;
    table.add("x_m", std::move(x));
    table.add("v_x_m_per_s", std::move(v_x));
    table.add("speed_m_per_s", std::move(speed));
    table.add("angular_speed_rad_per_s", std::move(angular_speed));
    table.add("solid_fraction", std::move(fraction));
    return table;
}

io::Table cells_table(const granular::PlaneProfile& means, const models::Channel& channel,
                      const std::optional<models::ChannelObstacle>& obstacle) {
    constexpr double roundoff = 1e-9;  // of the volume of a cell
    const double dx = channel.length / static_cast<double>(means.along());
    const double dy = channel.width / static_cast<double>(means.across());
    std::array<std::vector<double>, 8> columns;
    for (std::size_t i = 0; i < means.along(); ++i) {
        for (std::size_t k = 0; k < means.across(); ++k) {
            const granular::PlaneProfile::Means cell = means.column(i, k);
            const Eigen::Vector2d low(static_cast<double>(i) * dx, static_cast<double>(k) * dy);
            const double space =
                models::free_volume(channel, obstacle, low, low + Eigen::Vector2d(dx, dy));
            const bool is_inside = space < roundoff * dx * dy * channel.height;
            if (is_inside || !(cell.spheres >= 0.0)) continue;
            const std::array<double, 8> row{(static_cast<double>(i) + 0.5) * dx,
                                            (static_cast<double>(k) + 0.5) * dy,
                                            cell.velocity.x(),
                                            cell.velocity.y(),
                                            cell.velocity.z(),
                                            cell.speed,
                                            cell.angular_speed,
                                            cell.volume / space};
            for (std::size_t c = 0; c < row.size(); ++c) columns[c].push_back(row[c]);
        }
    }
    constexpr std::array names{"x_m",
                               "y_m",
                               "v_x_m_per_s",
                               "v_y_m_per_s",
                               "v_z_m_per_s",
                               "speed_m_per_s",
                               "angular_speed_rad_per_s",
                               "solid_fraction"};
    io::Table table;
    for (std::size_t c = 0; c < columns.size(); ++c) table.add(names[c], std::move(columns[c]));
    return table;
}

std::string cells_vtp(const io::Table& cells, const granular::PlaneProfile& means,
                      const models::Channel& channel) {
    const double dx = 0.5 * channel.length / static_cast<double>(means.along());
    const double dy = 0.5 * channel.width / static_cast<double>(means.across());
    const auto x = cells.numbers("x_m"), y = cells.numbers("y_m");
    io::Surface surface;
    surface.point_arrays = {{"velocity_m_per_s", 3, {}},
                            {"speed_m_per_s", 1, {}},
                            {"angular_speed_rad_per_s", 1, {}},
                            {"solid_fraction", 1, {}}};
    const auto v_x = cells.numbers("v_x_m_per_s"), v_y = cells.numbers("v_y_m_per_s"),
               v_z = cells.numbers("v_z_m_per_s");
    std::array<std::vector<double>, 4> values;  // of the arrays behind the velocity
    for (std::size_t k = 1; k < values.size(); ++k)
        values[k] = cells.numbers(surface.point_arrays[k].name);
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (std::isnan(v_x[i])) continue;  // no spheres
        const std::size_t first = surface.points.size();
        surface.polygons.push_back({first, first + 1, first + 2, first + 3});
        for (const auto& [a, b] : {std::pair{-dx, -dy}, {dx, -dy}, {dx, dy}, {-dx, dy}}) {
            surface.points.push_back({x[i] + a, y[i] + b, 0.0});
            for (const double v : {v_x[i], v_y[i], v_z[i]})
                surface.point_arrays[0].values.push_back(v);
            for (std::size_t k = 1; k < values.size(); ++k)
                surface.point_arrays[k].values.push_back(values[k][i]);
        }
    }
    return io::to_vtp(surface);
}

}  // namespace stoss::solvers
