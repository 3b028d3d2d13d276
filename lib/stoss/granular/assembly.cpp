#include <stoss/granular/assembly.hpp>

#include <functional>

namespace stoss::granular {

namespace {

constexpr std::size_t chunk_size = 1024;  // spheres that one thread moves at a time

/// Room for `count` contacts and a little more, so that a list that breathes does not allocate.
template <class T>
void resize(std::vector<T>& contacts, std::size_t count) {
    if (count > contacts.capacity()) contacts.reserve(count + count / 16);
    contacts.resize(count);
}

}  // namespace

Assembly::Assembly(const Stepping& stepping, std::vector<Wall> walls, int threads)
    : stepping_(stepping), walls_(std::move(walls)), workers_(threads) {
    if (stepping_.friction == Friction::frictionless) stepping_.mu = stepping_.wall_mu = 0.0;
    for (const Wall& wall : walls_) {
        Motion motion;
        motion.v = velocity(wall);
        wall_motion_.push_back(motion);
        wall_bodies_.emplace_back().v = motion.v;
        wall_speed_ = std::max(wall_speed_, motion.v.norm());
    }
}

void Assembly::add(const Sphere& sphere) {
    spheres_.add(sphere, next_number_++);
    is_listed_ = false;
}

void Assembly::add(const Clump& clump) {
    const auto body = static_cast<std::uint32_t>(bodies_.size());
    double cubes = 0.0;
    for (const Member& member : clump.members) cubes += std::pow(member.radius, 3);
    bodies_.add(clump);
    for (const Member& member : clump.members) {
        Sphere sphere;
        sphere.radius = member.radius;
        sphere.mass = clump.mass * std::pow(member.radius, 3) / cubes;
        spheres_.add(sphere, next_number_++);
        spheres_.attachment.push_back({body, member.place});
        for (const Member& other : clump.members)
            spheres_.extent = std::max(spheres_.extent, (member.place - other.place).norm());
    }
    for (std::size_t i = spheres_.size() - clump.members.size(); i < spheres_.size(); ++i) carry(i);
    is_listed_ = false;
}

/// A sphere of a clump is where that puts it, and moves with it.
void Assembly::carry(std::size_t i) {
    const Attachment& at = spheres_.attachment[i];
    const BodyMotion& body = bodies_.motion[at.body];
    const Eigen::Vector3d arm = bodies_.orientation[at.body] * at.place;
    spheres_.position[i] = bodies_.position[at.body] + arm;
    spheres_.motion[i].v = body.v + body.omega.cross(arm);
    spheres_.motion[i].u = spheres_.motion[i].radius * body.omega;
}

void Assembly::remove(std::span<const std::uint32_t> places) {
    spheres_.remove(places);
    list_.forget(places);
    is_listed_ = false;
}

void Assembly::place(std::size_t wall, const Eigen::Vector3d& point) {
    std::get<Plane>(walls_[wall]).point = point;
    is_listed_ = false;
}

/// Two spheres, or a sphere and a wall, may have come nearer by the skin.
bool Assembly::is_pair_list_old() const {
    return !is_listed_ || moved_ + std::max(moved_, walls_moved_) > stepping_.skin;
}

void Assembly::list_pairs() {
    list_.rebuild(spheres_, walls_, stepping_.margin + stepping_.skin, workers_);
    make_room();
    moved_ = walls_moved_ = 0.0;
    is_listed_ = true;
    ++listings_;
}

/// For the contacts and tallies of all pairs.
void Assembly::make_room() {
    if (are_free()) {
        resize(contacts_, list_.pairs().size());
    } else {
        resize(body_contacts_, list_.pairs().size());
    }
    tallies_.resize(list_.blocks());
}

/// Work on all blocks: colour after colour, the blocks of a colour at once.
template <class Work>
void Assembly::by_colours(const Work& work) {
    for (std::size_t colour = 0; colour < PairList::colours; ++colour) {
        const std::size_t begin = list_.colour_begin(colour);
        const auto of_block = [&](std::size_t i) { work(begin + i); };
        workers_.for_each(list_.colour_begin(colour + 1) - begin, std::cref(of_block));
    }
}

/// Calls work(contacts, motion): the contacts of a block, and the motion of what a pair names as
/// its first or second.
template <class Work>
void Assembly::by_kind(std::size_t block, const Work& work) {
    const std::size_t begin = list_.begin(block), count = tallies_[block].contacts;
    if (are_free()) {
        work(std::span(contacts_.data() + begin, count), [&](std::uint32_t i) -> Motion& {
            return i & wall_bit ? wall_motion_[i & ~wall_bit] : spheres_.motion[i];
        });
    } else {
        work(std::span(body_contacts_.data() + begin, count), [&](std::uint32_t i) -> BodyMotion& {
            return i & wall_bit ? wall_bodies_[i & ~wall_bit]
                                : bodies_.motion[spheres_.attachment[i].body];
        });
    }
}

double Assembly::mu_of(const Pair& pair) const {
    return pair.second & wall_bit ? stepping_.wall_mu : stepping_.mu;
}

/// Calls work(begin, end, chunk) for pieces of [0, count), at once.
template <class Work>
void Assembly::by_chunks(std::size_t count, const Work& work) {
    const auto of_chunk = [&](std::size_t chunk) {
        work(chunk * chunk_size, std::min(count, (chunk + 1) * chunk_size), chunk);
    };
    workers_.for_each((count + chunk_size - 1) / chunk_size, std::cref(of_chunk));
}

void Assembly::accelerate() {
    if (!are_free()) {
        by_chunks(bodies_.size(), [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t i = begin; i < end; ++i)
                bodies_.accelerate(i, stepping_.step, stepping_.gravity);
        });
        return;
    }
    const Eigen::Vector3d change = stepping_.step * stepping_.gravity;
    by_chunks(spheres_.size(), [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) spheres_.motion[i].v += change;
    });
}

/// The contacts of a block, from where the bodies are now. A pair too far apart forgets its
/// impulse.
void Assembly::find_contacts(std::size_t block) {
    tallies_[block] = {};
    for (std::size_t place = list_.begin(block); place < list_.begin(block + 1); ++place) {
        if (place + fetched_ahead < list_.begin(block + 1)) {
            const Pair& later = list_.pairs()[place + fetched_ahead];
            for (const std::uint32_t i :
                 {later.first, later.second & wall_bit ? later.first : later.second}) {
                __builtin_prefetch(&spheres_.position[i]);
                __builtin_prefetch(&spheres_.motion[i]);
            }
        }
        Pair& pair = list_.pairs()[place];
        const std::size_t before = tallies_[block].contacts;
        take_contact(pair, static_cast<std::uint32_t>(place), block);
        if (tallies_[block].contacts == before) pair.impulse.setZero();
    }
}

void Assembly::take_contact(const Pair& pair, std::uint32_t place, std::size_t block) {
    const Motion& first = spheres_.motion[pair.first];
    const Motion& second = pair.second & wall_bit ? wall_motion_[pair.second & ~wall_bit]
                                                  : spheres_.motion[pair.second];
    const Eigen::Vector3d& x = spheres_.position[pair.first];
    Gap gap;
    const bool is_close =
        pair.second & wall_bit
            ? is_near(x, first.radius, walls_[pair.second & ~wall_bit], stepping_.margin, gap)
            : is_near(x, first.radius, spheres_.position[pair.second], second.radius,
                      stepping_.margin, gap);
    if (!is_close) return;
    Tally& tally = tallies_[block];
    tally.deepest = std::max(tally.deepest, -gap.width);
    const double shift = gap_term(gap.width, stepping_.error_reduction, stepping_.step);
    const std::size_t at = list_.begin(block) + tally.contacts++;
    if (are_free()) {
        contacts_[at] = {gap.n, shift, 1.0 / (first.inverse_mass + second.inverse_mass), place};
    } else {
        body_contacts_[at] = body_contact(pair, gap.n, shift, place);
    }
}

/// The contact points of spheres of clumps are on their surfaces.
BodyContact Assembly::body_contact(const Pair& pair, const Eigen::Vector3d& n, double shift,
                                   std::uint32_t place) const {
    const auto centre = [&](std::uint32_t i) -> Eigen::Vector3d {
        return spheres_.position[i] - bodies_.position[spheres_.attachment[i].body];
    };
    const auto motion = [&](std::uint32_t i) -> const BodyMotion& {
        return bodies_.motion[spheres_.attachment[i].body];
    };
    const Eigen::Vector3d first = centre(pair.first) - spheres_.motion[pair.first].radius * n;
    if (pair.second & wall_bit) {
        return {n,
                shift,
                first,
                Eigen::Vector3d::Zero(),
                motion(pair.first),
                wall_bodies_[pair.second & ~wall_bit],
                mu_of(pair),
                stepping_.friction,
                place};
    }
    const Eigen::Vector3d second = centre(pair.second) + spheres_.motion[pair.second].radius * n;
    return {n,
            shift,
            first,
            second,
            motion(pair.first),
            motion(pair.second),
            mu_of(pair),
            stepping_.friction,
            place};
}

void Assembly::warm_start(std::size_t block) {
    by_kind(block, [&](const auto& contacts, const auto& motion_of) {
        granular::warm_start(contacts, list_.pairs(), motion_of,
                             [&](const Pair& pair) { return mu_of(pair); });
    });
}

void Assembly::relax(std::size_t block) {
    by_kind(block, [&](const auto& contacts, const auto& motion_of) {
        tallies_[block].residual = granular::relax(
            contacts, list_.pairs(), motion_of, [&](const Pair& pair) { return mu_of(pair); },
            [&](const Pair&, const Eigen::Vector3d&) { return stepping_.relaxation; });
    });
}

void Assembly::tally(std::size_t block) {
    by_kind(block, [&](const auto& contacts, const auto&) {
        count(
            contacts, list_.pairs(),
            [&](std::uint32_t wall) -> const Eigen::Vector3d& { return wall_motion_[wall].v; },
            tallies_[block]);
    });
}

/// Positions move with the new velocities. False if one is no finite number.
bool Assembly::advance() {
    ways_.resize(spheres_.size() / chunk_size + 1);
    by_chunks(bodies_.size(), [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) bodies_.advance(i, stepping_.step);
    });
    by_chunks(spheres_.size(), [&](std::size_t begin, std::size_t end, std::size_t chunk) {
        double farthest = 0.0;
        for (std::size_t i = begin; i < end; ++i) {
            if (are_free()) {
                spheres_.position[i] += stepping_.step * spheres_.motion[i].v;
            } else {
                carry(i);
            }
            const double way = (spheres_.position[i] - spheres_.reference[i]).squaredNorm();
            farthest = std::max(farthest, std::isfinite(way) ? way : core::infinity);
        }
        ways_[chunk] = farthest;
    });
    double farthest = 0.0;
    for (std::size_t chunk = 0; chunk * chunk_size < spheres_.size(); ++chunk)
        farthest = std::max(farthest, ways_[chunk]);
    moved_ = std::sqrt(farthest);
    for (Wall& wall : walls_) {
        if (Plane* const plane = std::get_if<Plane>(&wall))
            plane->point += stepping_.step * plane->velocity;
    }
    walls_moved_ += stepping_.step * wall_speed_;
    ++steps_;
    return std::isfinite(moved_);
}

StepReport Assembly::step() {
    if (is_pair_list_old()) list_pairs();
    accelerate();
    const auto find = [&](std::size_t block) { find_contacts(block); };
    workers_.for_each(list_.blocks(), std::cref(find));
    by_colours([&](std::size_t block) { warm_start(block); });
    StepReport report;
    for (const Tally& tally : tallies_) report.contacts += tally.contacts;
    do {
        by_colours([&](std::size_t block) { relax(block); });
        report.residual = 0.0;
        for (const Tally& tally : tallies_)
            report.residual = std::max(report.residual, tally.residual);
        ++report.sweeps;
    } while (report.sweeps < stepping_.sweeps && report.residual > stepping_.tolerance);
    relaxations_ += static_cast<std::uint64_t>(report.sweeps) * report.contacts;
    const auto count = [&](std::size_t block) { tally(block); };
    workers_.for_each(list_.blocks(), std::cref(count));
    for (const Tally& tally : tallies_) {
        report.pressing += tally.pressing;
        report.overlapping += tally.overlapping;
        report.deepest_overlap = std::max(report.deepest_overlap, tally.deepest);
        report.work_of_error_reduction += tally.error_reduction;
        report.work_of_walls += tally.walls;
    }
    report.is_finite = advance();
    return report;
}

Energy Assembly::energy() const {
    Energy energy;
    for (std::size_t i = 0; i < spheres_.size() && are_free(); ++i) {
        const Motion& motion = spheres_.motion[i];
        const double mass = 1.0 / motion.inverse_mass;
        energy.translation += 0.5 * mass * motion.v.squaredNorm();
        energy.rotation += 0.5 * mass / spin_gain * motion.u.squaredNorm();
        energy.potential -= mass * stepping_.gravity.dot(spheres_.position[i]);
    }
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        const double mass = 1.0 / bodies_.motion[i].inverse_mass;
        energy.translation += 0.5 * mass * bodies_.motion[i].v.squaredNorm();
        energy.rotation += bodies_.rotation_energy(i);
        energy.potential -= mass * stepping_.gravity.dot(bodies_.position[i]);
    }
    return energy;
}

Eigen::Vector3d Assembly::momentum() const {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (std::size_t i = 0; i < spheres_.size() && are_free(); ++i)
        sum += spheres_.motion[i].v / spheres_.motion[i].inverse_mass;
    for (const BodyMotion& body : bodies_.motion) sum += body.v / body.inverse_mass;
    return sum;
}

Eigen::Vector3d Assembly::angular_momentum() const {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (std::size_t i = 0; i < spheres_.size() && are_free(); ++i) {
        const Motion& motion = spheres_.motion[i];
        sum += (spheres_.position[i].cross(motion.v) + motion.radius / spin_gain * motion.u) /
               motion.inverse_mass;
    }
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        const BodyMotion& body = bodies_.motion[i];
        sum += bodies_.position[i].cross(body.v) / body.inverse_mass + bodies_.spin(i);
    }
    return sum;
}

std::size_t Assembly::bytes() const {
    return spheres_.bytes() + bodies_.bytes() + list_.bytes() +
           contacts_.capacity() * sizeof(Contact) +
           body_contacts_.capacity() * sizeof(BodyContact) + tallies_.capacity() * sizeof(Tally) +
           ways_.capacity() * sizeof(double);
}

}  // namespace stoss::granular
