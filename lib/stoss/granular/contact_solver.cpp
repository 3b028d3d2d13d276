#include <stoss/granular/contact_solver.hpp>

#include <algorithm>

#include <stoss/granular/grow.hpp>

namespace stoss::granular {

ContactSolver::ContactSolver(const Stepping& stepping, std::span<const Wall> walls)
    : stepping_(stepping) {
    if (stepping_.friction == Friction::frictionless) stepping_.mu = stepping_.wall_mu = 0.0;
    for (const Wall& wall : walls) {
        wall_motion_.emplace_back().v = velocity(wall);
        wall_bodies_.emplace_back().v = velocity(wall);
    }
}

void ContactSolver::make_room(const BodySystem& system) {
    if (system.has_clumps()) {
        resize_with_spare(body_contacts_, system.pair_list.pairs().size());
    } else {
        resize_with_spare(contacts_, system.pair_list.pairs().size());
    }
    tallies_.resize(system.pair_list.blocks());
}

std::size_t ContactSolver::bytes() const {
    return contacts_.capacity() * sizeof(Contact) +
           body_contacts_.capacity() * sizeof(BodyContact) + tallies_.capacity() * sizeof(Tally);
}

/// Calls work(contacts, motion): the contacts of a block, and the motion of what a pair names as
/// its first or second.
template <class Work>
void ContactSolver::by_kind(BodySystem& system, std::size_t block, const Work& work) {
    const std::size_t begin = system.pair_list.begin(block), count = tallies_[block].contacts;
    if (!system.has_clumps()) {
        work(std::span(contacts_.data() + begin, count), [&](std::uint32_t i) -> Motion& {
            return i & wall_bit ? wall_motion_[i & ~wall_bit] : system.spheres.motion[i];
        });
    } else {
        work(std::span(body_contacts_.data() + begin, count), [&](std::uint32_t i) -> BodyMotion& {
            return i & wall_bit ? wall_bodies_[i & ~wall_bit]
                                : system.clumps.motion[system.spheres.attachment[i].body];
        });
    }
}

void ContactSolver::find(BodySystem& system, std::size_t block) {
    tallies_[block] = {};
    for (std::size_t place = system.pair_list.begin(block);
         place < system.pair_list.begin(block + 1); ++place) {
        if (place + fetched_ahead < system.pair_list.begin(block + 1)) {
            const Pair& later = system.pair_list.pairs()[place + fetched_ahead];
            for (const std::uint32_t i :
                 {later.first, later.second & wall_bit ? later.first : later.second}) {
                __builtin_prefetch(&system.spheres.position[i]);
                __builtin_prefetch(&system.spheres.motion[i]);
            }
        }
        Pair& pair = system.pair_list.pairs()[place];
        const std::size_t before = tallies_[block].contacts;
        add_contact(system, pair, static_cast<std::uint32_t>(place), block);
        if (tallies_[block].contacts == before) pair.impulse.setZero();
    }
}

void ContactSolver::add_contact(const BodySystem& system, const Pair& pair, std::uint32_t place,
                                std::size_t block) {
    const auto position_of = [&](std::uint32_t i) -> const Eigen::Vector3d& {
        return system.spheres.position[i];
    };
    const auto motion_of = [&](std::uint32_t i) -> const Motion& {
        return i & wall_bit ? wall_motion_[i & ~wall_bit] : system.spheres.motion[i];
    };
    Gap gap;
    if (!is_near(pair, position_of, motion_of, system.walls, stepping_.margin, gap)) return;
    Tally& tally = tallies_[block];
    if (gap.width < 0.0) {
        const double r = motion_of(pair.first).radius;
        const double smaller =
            pair.second & wall_bit ? r : std::min(r, motion_of(pair.second).radius);
        tally.deepest = std::max(tally.deepest, -gap.width);
        tally.deepest_share = std::max(tally.deepest_share, -gap.width / smaller);
    }
    const double shift = gap_term(gap.width, stepping_.error_reduction, stepping_.step);
    const std::size_t at = system.pair_list.begin(block) + tally.contacts++;
    if (!system.has_clumps()) {
        const double inverse =
            motion_of(pair.first).inverse_mass + motion_of(pair.second).inverse_mass;
        contacts_[at] = {gap.n, shift, 1.0 / inverse, place};
    } else {
        body_contacts_[at] = body_contact(system, pair, gap.n, shift, place);
    }
}

/// The contact points of spheres of clumps are on their surfaces.
BodyContact ContactSolver::body_contact(const BodySystem& system, const Pair& pair,
                                        const Eigen::Vector3d& n, double shift,
                                        std::uint32_t place) const {
    const auto centre = [&](std::uint32_t i) -> Eigen::Vector3d {
        return system.spheres.position[i] -
               system.clumps.position[system.spheres.attachment[i].body];
    };
    const auto motion = [&](std::uint32_t i) -> const BodyMotion& {
        return system.clumps.motion[system.spheres.attachment[i].body];
    };
    const Eigen::Vector3d first = centre(pair.first) - system.spheres.motion[pair.first].radius * n;
    if (pair.second & wall_bit) {
        return {n,
                shift,
                first,
                Eigen::Vector3d::Zero(),
                motion(pair.first),
                wall_bodies_[pair.second & ~wall_bit],
                mu_of(stepping_, pair),
                stepping_.friction,
                place};
    }
    const Eigen::Vector3d second =
        centre(pair.second) + system.spheres.motion[pair.second].radius * n;
    return {n,
            shift,
            first,
            second,
            motion(pair.first),
            motion(pair.second),
            mu_of(stepping_, pair),
            stepping_.friction,
            place};
}

void ContactSolver::warm_start(BodySystem& system, std::size_t block) {
    by_kind(system, block, [&](const auto& contacts, const auto& motion_of) {
        granular::warm_start(contacts, system.pair_list.pairs(), motion_of,
                             [&](const Pair& pair) { return mu_of(stepping_, pair); });
    });
}

void ContactSolver::relax(BodySystem& system, std::size_t block) {
    by_kind(system, block, [&](const auto& contacts, const auto& motion_of) {
        tallies_[block].residual = granular::relax(
            contacts, system.pair_list.pairs(), motion_of,
            [&](const Pair& pair) { return mu_of(stepping_, pair); },
            [&](const Pair&, const Eigen::Vector3d&) { return stepping_.relaxation; });
    });
}

void ContactSolver::count(BodySystem& system, std::size_t block) {
    by_kind(system, block, [&](const auto& contacts, const auto&) {
        granular::count(
            contacts, system.pair_list.pairs(),
            [&](std::uint32_t wall) -> const Eigen::Vector3d& { return wall_motion_[wall].v; },
            tallies_[block]);
    });
}

}  // namespace stoss::granular
