#include <stoss/granular/assembly.hpp>
#include <stoss/granular/state.hpp>

namespace stoss::granular {

// Counts are below 2^53 and exact as doubles.
std::vector<double> Assembly::state() const {
    std::vector<double> state{static_cast<double>(system_.spheres.size()),
                              static_cast<double>(next_number_),
                              static_cast<double>(steps_),
                              static_cast<double>(listings_),
                              static_cast<double>(relaxations_),
                              is_listed_ ? 1.0 : 0.0,
                              moved_,
                              walls_moved_};
    // All but clumps and what is counted once.
    state.reserve(64 + 15 * system_.spheres.size() + 5 * system_.pair_list.pairs().size() +
                  system_.pair_list.blocks());
    for (std::size_t i = 0; i < system_.spheres.size(); ++i) {
        state.insert(state.end(),
                     {static_cast<double>(system_.spheres.id[i]), system_.spheres.motion[i].radius,
                      system_.spheres.motion[i].inverse_mass});
        put(state, system_.spheres.position[i]);
        put(state, system_.spheres.reference[i]);
        put(state, system_.spheres.motion[i].v);
        put(state, system_.spheres.motion[i].u);
    }
    system_.clumps.write(state);
    state.push_back(system_.spheres.extent);
    state.push_back(static_cast<double>(system_.spheres.attachment.size()));
    for (const Attachment& at : system_.spheres.attachment) {
        state.push_back(static_cast<double>(at.body));
        put(state, at.place);
    }
    for (const Wall& wall : system_.walls) {
        if (const Plane* const plane = std::get_if<Plane>(&wall)) put(state, plane->point);
    }
    system_.pair_list.write(state);
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
    system_.spheres.motion.resize(count);
    system_.spheres.position.resize(count);
    system_.spheres.reference.resize(count);
    system_.spheres.id.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        system_.spheres.id[i] = static_cast<std::uint32_t>(take(state));
        system_.spheres.motion[i].radius = take(state);
        system_.spheres.motion[i].inverse_mass = take(state);
        take(state, system_.spheres.position[i]);
        take(state, system_.spheres.reference[i]);
        take(state, system_.spheres.motion[i].v);
        take(state, system_.spheres.motion[i].u);
    }
    system_.clumps.read(state);
    system_.spheres.extent = take(state);
    system_.spheres.attachment.resize(static_cast<std::size_t>(take(state)));
    for (Attachment& at : system_.spheres.attachment) {
        at.body = static_cast<std::uint32_t>(take(state));
        take(state, at.place);
    }
    for (Wall& wall : system_.walls) {
        if (Plane* const plane = std::get_if<Plane>(&wall)) take(state, plane->point);
    }
    system_.pair_list.read(state);
    contacts_.make_room(system_);
}

}  // namespace stoss::granular
