#include <stoss/granular/spheres.hpp>

#include <utility>

namespace stoss::granular {

Sphere Spheres::operator[](std::size_t i) const {
    const Motion& m = motion[i];
    return {position[i], m.v, m.u / m.radius, m.radius, 1.0 / m.inverse_mass};
}

void Spheres::add(const Sphere& sphere, std::uint32_t number) {
    motion.push_back({sphere.velocity, sphere.radius * sphere.angular_velocity, 1.0 / sphere.mass,
                      sphere.radius});
    position.push_back(sphere.position);
    reference.push_back(sphere.position);
    id.push_back(number);
}

void Spheres::remove(std::span<const std::uint32_t> places) {
    if (places.empty()) return;
    std::size_t kept = places.front(), next = 0;
    for (std::size_t i = kept; i < size(); ++i) {
        if (next < places.size() && places[next] == i) {
            ++next;
            continue;
        }
        motion[kept] = motion[i];
        position[kept] = position[i];
        reference[kept] = reference[i];
        id[kept++] = id[i];
    }
    motion.resize(kept);
    position.resize(kept);
    reference.resize(kept);
    id.resize(kept);
}

void Spheres::permute(std::vector<std::uint32_t>& rank) {
    for (std::size_t i = 0; i < rank.size(); ++i) {
        while (rank[i] != i) {
            const std::uint32_t to = rank[i];
            std::swap(motion[i], motion[to]);
            std::swap(position[i], position[to]);
            std::swap(reference[i], reference[to]);
            std::swap(id[i], id[to]);
            if (!attachment.empty()) std::swap(attachment[i], attachment[to]);
            std::swap(rank[i], rank[to]);
        }
    }
}

std::size_t Spheres::bytes() const {
    return motion.capacity() * sizeof(Motion) +
           (position.capacity() + reference.capacity()) * sizeof(Eigen::Vector3d) +
           id.capacity() * sizeof(std::uint32_t) + attachment.capacity() * sizeof(Attachment);
}

}  // namespace stoss::granular
