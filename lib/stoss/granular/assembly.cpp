#include <stoss/core/elementary.hpp>
#include <stoss/granular/assembly.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace stoss::granular {

namespace {

constexpr std::size_t chunk_size = 1024;  // spheres that one thread moves at a time

/// Sets position and velocities of sphere i from those of its clump.
void move_with_clump(BodySystem& system, std::size_t i) {
    const Attachment& at = system.spheres.attachment[i];
    const BodyMotion& body = system.clumps.motion[at.body];
    const Eigen::Vector3d arm = system.clumps.orientation[at.body] * at.place;
    system.spheres.position[i] = system.clumps.position[at.body] + arm;
    system.spheres.motion[i].v = body.v + body.omega.cross(arm);
    system.spheres.motion[i].u = system.spheres.motion[i].radius * body.omega;
}

/// Calls work(begin, end, chunk) for pieces of [0, count), at once.
template <class Work>
void by_chunks(core::Workers& workers, std::size_t count, const Work& work) {
    const auto of_chunk = [&](std::size_t chunk) {
        work(chunk * chunk_size, std::min(count, (chunk + 1) * chunk_size), chunk);
    };
    workers.for_each((count + chunk_size - 1) / chunk_size, std::cref(of_chunk));
}

}  // namespace

Assembly::Assembly(const Stepping& stepping, std::vector<Wall> walls, int threads)
    : stepping_(stepping),
      system_{{}, {}, std::move(walls), {}},
      contacts_(stepping, system_.walls),
      workers_(threads) {
    for (const Wall& wall : system_.walls)
        wall_speed_ = std::max(wall_speed_, velocity(wall).norm());
}

void Assembly::add(const Sphere& sphere) {
    system_.spheres.add(sphere, next_number_++);
    is_listed_ = false;
}

void Assembly::add(const Clump& clump) {
    const auto body = static_cast<std::uint32_t>(system_.clumps.size());
    double cubes = 0.0;
    for (const Member& member : clump.members) cubes += core::pow(member.radius, 3);
    system_.clumps.add(clump);
    for (const Member& member : clump.members) {
        Sphere sphere;
        sphere.radius = member.radius;
        sphere.mass = clump.mass * core::pow(member.radius, 3) / cubes;
        system_.spheres.add(sphere, next_number_++);
        system_.spheres.attachment.push_back({body, member.place});
        for (const Member& other : clump.members)
            system_.spheres.extent =
                std::max(system_.spheres.extent, (member.place - other.place).norm());
    }
    for (std::size_t i = system_.spheres.size() - clump.members.size(); i < system_.spheres.size();
         ++i)
        move_with_clump(system_, i);
    is_listed_ = false;
}

void Assembly::remove(std::span<const std::uint32_t> places) {
    system_.spheres.remove(places);
    system_.pair_list.forget(places);
    is_listed_ = false;
}

void Assembly::place(std::size_t wall, const Eigen::Vector3d& point) {
    std::get<Plane>(system_.walls[wall]).point = point;
    is_listed_ = false;
}

/// Two spheres, or a sphere and a wall, may have come nearer by the skin.
bool Assembly::is_pair_list_old() const {
    return !is_listed_ || moved_ + std::max(moved_, walls_moved_) > stepping_.skin;
}

void Assembly::list_pairs() {
    system_.pair_list.rebuild(system_.spheres, system_.walls, stepping_.margin + stepping_.skin,
                              workers_);
    contacts_.make_room(system_);
    moved_ = walls_moved_ = 0.0;
    is_listed_ = true;
}

void Assembly::accelerate() {
    if (system_.has_clumps()) {
        by_chunks(workers_, system_.clumps.size(),
                  [&](std::size_t begin, std::size_t end, std::size_t) {
                      for (std::size_t i = begin; i < end; ++i)
                          system_.clumps.accelerate(i, stepping_.step, stepping_.gravity);
                  });
        return;
    }
    const Eigen::Vector3d change = stepping_.step * stepping_.gravity;
    by_chunks(workers_, system_.spheres.size(),
              [&](std::size_t begin, std::size_t end, std::size_t) {
                  for (std::size_t i = begin; i < end; ++i) system_.spheres.motion[i].v += change;
              });
}

/// Positions move with the new velocities. False if one is no finite number.
bool Assembly::advance() {
    ways_.resize(system_.spheres.size() / chunk_size + 1);
    by_chunks(workers_, system_.clumps.size(),
              [&](std::size_t begin, std::size_t end, std::size_t) {
                  for (std::size_t i = begin; i < end; ++i)
                      system_.clumps.advance(i, stepping_.step);
              });
    by_chunks(
        workers_, system_.spheres.size(),
        [&](std::size_t begin, std::size_t end, std::size_t chunk) {
            double farthest = 0.0;
            for (std::size_t i = begin; i < end; ++i) {
                if (!system_.has_clumps()) {
                    system_.spheres.position[i] += stepping_.step * system_.spheres.motion[i].v;
                } else {
                    move_with_clump(system_, i);
                }
                const double way =
                    (system_.spheres.position[i] - system_.spheres.reference[i]).squaredNorm();
                farthest = std::max(farthest, std::isfinite(way) ? way : core::infinity);
            }
            ways_[chunk] = farthest;
        });
    double farthest = 0.0;
    for (std::size_t chunk = 0; chunk * chunk_size < system_.spheres.size(); ++chunk)
        farthest = std::max(farthest, ways_[chunk]);
    moved_ = std::sqrt(farthest);
    granular::move(system_.walls, stepping_.step);
    walls_moved_ += stepping_.step * wall_speed_;
    ++steps_;
    return std::isfinite(moved_);
}

StepReport Assembly::step() {
    if (is_pair_list_old()) list_pairs();
    accelerate();
    const auto find = [&](std::size_t block) { contacts_.find(system_, block); };
    workers_.for_each(system_.pair_list.blocks(), std::cref(find));
    const auto by_colours = [&](const auto& work) { system_.pair_list.by_colours(workers_, work); };
    by_colours([&](std::size_t block) { contacts_.warm_start(system_, block); });
    StepReport report;
    for (const Tally& tally : contacts_.tallies()) report.contacts += tally.contacts;
    do {
        by_colours([&](std::size_t block) { contacts_.relax(system_, block); });
        report.residual = 0.0;
        for (const Tally& tally : contacts_.tallies())
            report.residual = std::max(report.residual, tally.residual);
        ++report.sweeps;
    } while (report.sweeps < stepping_.sweeps && report.residual > stepping_.tolerance);
    relaxations_ += static_cast<std::uint64_t>(report.sweeps) * report.contacts;
    const auto count = [&](std::size_t block) { contacts_.count(system_, block); };
    workers_.for_each(system_.pair_list.blocks(), std::cref(count));
    for (const Tally& tally : contacts_.tallies()) {
        report.pressing += tally.pressing;
        report.overlapping += tally.overlapping;
        report.deepest_overlap = std::max(report.deepest_overlap, tally.deepest);
        report.deepest_share = std::max(report.deepest_share, tally.deepest_share);
        report.work_of_error_reduction += tally.error_reduction;
        report.work_of_walls += tally.walls;
    }
    report.is_finite = advance();
    return report;
}

std::size_t Assembly::bytes() const {
    return spheres().bytes() + bodies().bytes() + system_.pair_list.bytes() + contacts_.bytes() +
           ways_.capacity() * sizeof(double);
}

}  // namespace stoss::granular
