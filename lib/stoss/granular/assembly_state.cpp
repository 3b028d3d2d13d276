#include <stoss/granular/assembly.hpp>
#include <stoss/granular/state.hpp>

namespace stoss::granular {

// Counts are below 2^53 and exact as doubles.
std::vector<double> Assembly::state() const {
    std::vector<double> state{static_cast<double>(next_number_),
                              static_cast<double>(steps_),
                              static_cast<double>(relaxations_),
                              is_listed_ ? 1.0 : 0.0,
                              moved_,
                              walls_moved_};
    // All but clumps and what is counted once.
    state.reserve(64 + 15 * system_.spheres.size() + 5 * system_.pair_list.pairs().size() +
                  system_.pair_list.blocks());
    system_.spheres.write(state);
    system_.clumps.write(state);
    for (const Wall& wall : system_.walls) {
        if (const Plane* const plane = std::get_if<Plane>(&wall)) put(state, plane->point);
    }
    system_.pair_list.write(state);
    return state;
}

void Assembly::restore(std::span<const double> state) {
    next_number_ = static_cast<std::uint32_t>(take(state));
    steps_ = static_cast<std::size_t>(take(state));
    relaxations_ = static_cast<std::uint64_t>(take(state));
    is_listed_ = take(state) != 0.0;
    moved_ = take(state);
    walls_moved_ = take(state);
    system_.spheres.read(state);
    system_.clumps.read(state);
    for (Wall& wall : system_.walls) {
        if (Plane* const plane = std::get_if<Plane>(&wall)) take(state, plane->point);
    }
    system_.pair_list.read(state);
    contacts_.make_room(system_);
}

}  // namespace stoss::granular
