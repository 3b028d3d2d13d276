#include <stoss/granular/assembly.hpp>
#include <stoss/granular/state.hpp>

namespace stoss::granular {

// Counts are below 2^53 and exact as doubles.
std::vector<double> Assembly::state() const {
    std::vector<double> state{static_cast<double>(spheres_.size()),
                              static_cast<double>(next_number_),
                              static_cast<double>(steps_),
                              static_cast<double>(listings_),
                              static_cast<double>(relaxations_),
                              is_listed_ ? 1.0 : 0.0,
                              moved_,
                              walls_moved_};
    // All but clumps and what is counted once.
    state.reserve(64 + 15 * spheres_.size() + 5 * list_.pairs().size() + list_.blocks());
    for (std::size_t i = 0; i < spheres_.size(); ++i) {
        state.insert(state.end(), {static_cast<double>(spheres_.id[i]), spheres_.motion[i].radius,
                                   spheres_.motion[i].inverse_mass});
        put(state, spheres_.position[i]);
        put(state, spheres_.reference[i]);
        put(state, spheres_.motion[i].v);
        put(state, spheres_.motion[i].u);
    }
    bodies_.write(state);
    state.push_back(spheres_.extent);
    state.push_back(static_cast<double>(spheres_.attachment.size()));
    for (const Attachment& at : spheres_.attachment) {
        state.push_back(static_cast<double>(at.body));
        put(state, at.place);
    }
    for (const Wall& wall : walls_) {
        if (const Plane* const plane = std::get_if<Plane>(&wall)) put(state, plane->point);
    }
    list_.write(state);
    return state;
}

void Assembly::restore(std::span<const double> state) {
    const auto count = static_cast<std::size_t>(take(state));
    next_number_ = static_cast<std::uint32_t>(take(state));
    steps_ = static_cast<std::size_t>(take(state));
    listings_ = static_cast<std::size_t>(take(state));
    relaxations_ = static_cast<std::uint64_t>(take(state));
    is_listed_ = take(state) != 0.0;
    moved_ = take(state);
    walls_moved_ = take(state);
    spheres_.motion.resize(count);
    spheres_.position.resize(count);
    spheres_.reference.resize(count);
    spheres_.id.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        spheres_.id[i] = static_cast<std::uint32_t>(take(state));
        spheres_.motion[i].radius = take(state);
        spheres_.motion[i].inverse_mass = take(state);
        take(state, spheres_.position[i]);
        take(state, spheres_.reference[i]);
        take(state, spheres_.motion[i].v);
        take(state, spheres_.motion[i].u);
    }
    bodies_.read(state);
    spheres_.extent = take(state);
    spheres_.attachment.resize(static_cast<std::size_t>(take(state)));
    for (Attachment& at : spheres_.attachment) {
        at.body = static_cast<std::uint32_t>(take(state));
        take(state, at.place);
    }
    for (Wall& wall : walls_) {
        if (Plane* const plane = std::get_if<Plane>(&wall)) take(state, plane->point);
    }
    list_.read(state);
    make_room();
}

}  // namespace stoss::granular
