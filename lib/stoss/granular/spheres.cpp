#include <stoss/granular/spheres.hpp>

#include <utility>

#include <stoss/granular/state.hpp>

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

// Counts are below 2^53 and exact as doubles.
void Spheres::write(std::vector<double>& state) const {
    state.push_back(static_cast<double>(size()));
    for (std::size_t i = 0; i < size(); ++i) {
        state.insert(state.end(),
                     {static_cast<double>(id[i]), motion[i].radius, motion[i].inverse_mass});
        for (const auto* vector : {&position[i], &reference[i], &motion[i].v, &motion[i].u})
            put(state, *vector);
    }
    state.push_back(extent);
    state.push_back(static_cast<double>(attachment.size()));
    for (const Attachment& at : attachment) {
        state.push_back(static_cast<double>(at.body));
        put(state, at.place);
    }
}

void Spheres::read(std::span<const double>& state) {
    const auto count = static_cast<std::size_t>(take(state));
    motion.resize(count);
    position.resize(count);
    reference.resize(count);
    id.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        id[i] = static_cast<std::uint32_t>(take(state));
        motion[i].radius = take(state);
        motion[i].inverse_mass = take(state);
        for (auto* vector : {&position[i], &reference[i], &motion[i].v, &motion[i].u})
            take(state, *vector);
    }
    extent = take(state);
    attachment.resize(static_cast<std::size_t>(take(state)));
    for (Attachment& at : attachment) {
        at.body = static_cast<std::uint32_t>(take(state));
        take(state, at.place);
    }
}

std::size_t Spheres::bytes() const {
    return motion.capacity() * sizeof(Motion) +
           (position.capacity() + reference.capacity()) * sizeof(Eigen::Vector3d) +
           id.capacity() * sizeof(std::uint32_t) + attachment.capacity() * sizeof(Attachment);
}

}  // namespace stoss::granular
