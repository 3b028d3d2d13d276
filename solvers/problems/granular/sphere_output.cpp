#include <solvers/problems/granular/sphere_output.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>

#include <fmt/format.h>
#include <stoss/core/fields.hpp>
#include <stoss/io/vtk.hpp>

namespace stoss::solvers {

namespace {

constexpr std::size_t frame_columns = 11;  // number, radius, position, velocity, angular velocity

/// Middle of a bin of rdf.csv [diameters].
double rdf_distance(std::size_t bin) {
    return (static_cast<double>(bin) + 0.5) * rdf_range / static_cast<double>(rdf_bins);
}

}  // namespace

std::vector<std::size_t> by_number(const granular::Spheres& spheres) {
    std::vector<std::size_t> order(spheres.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return spheres.id[a] < spheres.id[b]; });
    return order;
}

io::Table spheres_table(const granular::Spheres& spheres) {
    const std::vector<std::size_t> order = by_number(spheres);
    io::Table table;
    std::vector<std::int64_t> numbers;
    for (const std::size_t i : order) numbers.push_back(spheres.id[i]);
    table.add("sphere", std::move(numbers));
    const std::vector<std::uint32_t> clump_of = clump_of_number(spheres);
    if (!clump_of.empty())
        table.add("clump", std::vector<std::int64_t>(clump_of.begin(), clump_of.end()));
    const auto add = [&](const std::string& name, const auto& value) {
        std::vector<double> values;
        for (const std::size_t i : order) values.push_back(value(spheres[i]));
        table.add(name, std::move(values));
    };
    add("radius_m", [](const granular::Sphere& sphere) { return sphere.radius; });
    for (int k = 0; k < 3; ++k) {
        add(fmt::format("{}_m", "xyz"[k]),
            [k](const granular::Sphere& sphere) { return sphere.position[k]; });
    }
    for (int k = 0; k < 3; ++k) {
        add(fmt::format("v_{}_m_per_s", "xyz"[k]),
            [k](const granular::Sphere& sphere) { return sphere.velocity[k]; });
    }
    for (int k = 0; k < 3; ++k) {
        add(fmt::format("omega_{}_rad_per_s", "xyz"[k]),
            [k](const granular::Sphere& sphere) { return sphere.angular_velocity[k]; });
    }
    return table;
}

io::Table contacts_table(std::span<const ContactForce> contacts,
                         std::span<const std::string> wall_names) {
    std::vector<std::int64_t> sphere, other;
    std::vector<std::string> walls;
    for (const ContactForce& contact : contacts) {
        const bool is_wall = (contact.second & granular::wall_bit) != 0;
        sphere.push_back(contact.first);
        other.push_back(is_wall ? -1 : std::int64_t{contact.second});
        walls.push_back(is_wall ? wall_names[contact.second & ~granular::wall_bit] : "");
    }
    io::Table table;
    table.add("sphere", std::move(sphere));
    table.add("other_sphere", std::move(other));
    table.add("wall", std::move(walls));
    const auto add = [&](const std::string& name, const auto& value) {
        std::vector<double> values;
        for (const ContactForce& contact : contacts) values.push_back(value(contact));
        table.add(name, std::move(values));
    };
    for (int k = 0; k < 3; ++k) {
        add(fmt::format("{}_m", "xyz"[k]),
            [k](const ContactForce& contact) { return contact.point[k]; });
    }
    for (int k = 0; k < 3; ++k) {
        add(fmt::format("n_{}", "xyz"[k]),
            [k](const ContactForce& contact) { return contact.normal[k]; });
    }
    add("normal_force_N", [](const ContactForce& contact) { return contact.normal_force; });
    for (int k = 0; k < 3; ++k) {
        add(fmt::format("tangential_force_{}_N", "xyz"[k]),
            [k](const ContactForce& contact) { return contact.tangential_force[k]; });
    }
    return table;
}

std::vector<double> wall_forces(std::span<const ContactForce> contacts, std::size_t walls) {
    std::vector<double> forces(walls, 0.0);
    for (const ContactForce& contact : contacts) {
        if (contact.second & granular::wall_bit)
            forces[contact.second & ~granular::wall_bit] += contact.normal_force;
    }
    return forces;
}

std::vector<std::uint32_t> clump_of_number(const granular::Spheres& spheres) {
    std::vector<std::uint32_t> clump_of(spheres.attachment.size());
    for (std::size_t i = 0; i < clump_of.size(); ++i)
        clump_of[spheres.id[i]] = spheres.attachment[i].body;
    return clump_of;
}

io::Table clumps_table(const granular::Bodies& bodies, std::span<const Eigen::Quaterniond> axes) {
    io::Table table;
    std::vector<std::int64_t> numbers(bodies.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    table.add("clump", std::move(numbers));
    const auto add = [&](const std::string& name, const auto& value) {
        std::vector<double> values;
        for (std::size_t i = 0; i < bodies.size(); ++i) values.push_back(value(i));
        table.add(name, std::move(values));
    };
    add("mass_kg", [&](std::size_t i) { return 1.0 / bodies.motion[i].inverse_mass; });
    for (int k = 0; k < 3; ++k)
        add(fmt::format("{}_m", "xyz"[k]), [&](std::size_t i) { return bodies.position[i][k]; });
    std::vector<Eigen::Quaterniond> of_shape;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        of_shape.push_back(bodies.orientation[i] * axes[i].conjugate());
    for (int k = 0; k < 4; ++k) {
        add(fmt::format("q_{}", "wxyz"[k]),
            [&](std::size_t i) { return of_shape[i].coeffs()[(k + 3) % 4]; });
    }
    for (int k = 0; k < 3; ++k) {
        add(fmt::format("v_{}_m_per_s", "xyz"[k]),
            [&](std::size_t i) { return bodies.motion[i].v[k]; });
    }
    for (int k = 0; k < 3; ++k) {
        add(fmt::format("omega_{}_rad_per_s", "xyz"[k]),
            [&](std::size_t i) { return bodies.motion[i].omega[k]; });
    }
    return table;
}

io::Table rdf_table(std::vector<double> g, double diameter) {
    std::vector<double> r, in_diameters;
    for (std::size_t k = 0; k < rdf_bins; ++k) {
        in_diameters.push_back(rdf_distance(k));
        r.push_back(in_diameters.back() * diameter);
    }
    io::Table table;
    table.add("distance_m", std::move(r));
    table.add("distance_diameters", std::move(in_diameters));
    table.add("g", std::move(g));
    return table;
}

double peak_of(const granular::RadialDistribution& rdf) {
    constexpr double fewest = 10.0;  // spheres: g about one of them is a matter of chance
    double highest = 0.0, place = io::no_number;
    for (std::size_t k = 0; k < rdf.g.size(); ++k) {
        if (!(rdf.g[k] > highest) || rdf.spheres[k] < fewest) continue;
        highest = rdf.g[k];
        place = rdf_distance(k);
    }
    return place;
}

void SphereFrames::take(double time, const granular::Spheres& spheres, io::Checkpoint* checkpoint) {
    std::vector<double> frame{time};
    for (const std::size_t i : by_number(spheres)) {
        const granular::Sphere sphere = spheres[i];
        frame.insert(frame.end(), {static_cast<double>(spheres.id[i]), sphere.radius});
        for (const auto* vector : {&sphere.position, &sphere.velocity, &sphere.angular_velocity})
            frame.insert(frame.end(), vector->begin(), vector->end());
    }
    const std::size_t index = frames_.size();
    if (checkpoint && checkpoint->row(index).empty()) checkpoint->add(index, frame);
    frames_.push_back(std::move(frame));
}

void SphereFrames::resume(std::size_t count, const io::Checkpoint& checkpoint) {
    frames_.resize(count);
    for (std::size_t i = 0; i < count; ++i) frames_[i] = checkpoint.row(i);
}

void SphereFrames::add_to(std::vector<std::pair<std::string, std::string>>& files,
                          const std::vector<std::uint32_t>& clump_of) const {
    std::vector<std::pair<double, std::string>> names;
    for (const std::vector<double>& row : frames_) {
        if (row.size() == 1) continue;  // a picture of no sphere
        io::Surface cloud{{},
                          {},
                          {{"number", 1, {}},
                           {"radius_m", 1, {}},
                           {"velocity_m_per_s", 3, {}},
                           {"angular_velocity_rad_per_s", 3, {}}}};
        for (std::size_t begin = 1; begin < row.size(); begin += frame_columns) {
            const double* const at = row.data() + begin;
            cloud.points.push_back({at[2], at[3], at[4]});
            cloud.point_arrays[0].values.push_back(at[0]);
            cloud.point_arrays[1].values.push_back(at[1]);
            for (std::size_t k = 0; k < 3; ++k) {
                cloud.point_arrays[2].values.push_back(at[5 + k]);
                cloud.point_arrays[3].values.push_back(at[8 + k]);
            }
        }
        if (!clump_of.empty()) {
            cloud.point_arrays.push_back({"clump", 1, {}});
            for (const double number : cloud.point_arrays[0].values)
                cloud.point_arrays[4].values.push_back(clump_of[static_cast<std::size_t>(number)]);
        }
        names.emplace_back(row[0], fmt::format("spheres_{:04}.vtp", names.size()));
        files.emplace_back("vtk/" + names.back().second, io::to_vtp(cloud));
    }
    if (!names.empty()) files.emplace_back("vtk/spheres.pvd", io::to_pvd(names));
}

}  // namespace stoss::solvers
