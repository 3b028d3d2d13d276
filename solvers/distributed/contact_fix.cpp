#include <solvers/distributed/contact_fix.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace stoss::solvers {

namespace {

using granular::Contact;
using granular::Motion;
using granular::Pair;
using granular::wall_bit;

Eigen::Vector3d vector_of(const double* numbers) {
    return {numbers[0], numbers[1], numbers[2]};
}

void put(const Eigen::Vector3d& vector, double* numbers) {
    std::copy(vector.begin(), vector.end(), numbers);
}

std::array<double, 6> velocities_of(const Motion& motion) {
    const Eigen::Vector3d &v = motion.v, &u = motion.u;
    return {v.x(), v.y(), v.z(), u.x(), u.y(), u.z()};
}

constexpr int partner_numbers = 4;

}  // namespace

ContactFix::ContactFix(LAMMPS_NS::LAMMPS* lammps, int argc, char** argv) : Fix(lammps, argc, argv) {
    time_integrate = 1;
    force_reneighbor = 1;
    next_reneighbor = -1;
    create_attribute = 1;
    maxexchange_dynamic = 1;
    comm_forward = comm_reverse = static_cast<int>(Velocities{}.size());
    grow_arrays(atom->nmax);
    atom->add_callback(LAMMPS_NS::Atom::GROW);
}

ContactFix::~ContactFix() {
    atom->delete_callback(id, LAMMPS_NS::Atom::GROW);
}

void ContactFix::begin(const granular::Stepping& stepping, std::vector<granular::Wall> walls) {
    stepping_ = stepping;
    walls_ = std::move(walls);
    if (stepping_.friction == granular::Friction::frictionless)
        stepping_.mu = stepping_.wall_mu = 0.0;
    for (const granular::Wall& wall : walls_) {
        wall_motion_.emplace_back().v = velocity(wall);
        wall_speed_ = std::max(wall_speed_, velocity(wall).norm());
    }
}

void ContactFix::place(std::size_t wall, const Eigen::Vector3d& point) {
    std::get<granular::Plane>(walls_[wall]).point = point;
    list_anew();
}

void ContactFix::list_anew() {
    next_reneighbor = update->ntimestep + 1;
}

int ContactFix::setmask() {
    using namespace LAMMPS_NS::FixConst;
    return PRE_EXCHANGE | POST_NEIGHBOR | POST_FORCE | FINAL_INTEGRATE;
}

// ---- Who is where

std::size_t ContactFix::owned() const {
    return static_cast<std::size_t>(atom->nlocal);
}

std::size_t ContactFix::all() const {
    return owned() + static_cast<std::size_t>(atom->nghost);
}

bool ContactFix::is_ghost(std::uint32_t i) const {
    return !(i & wall_bit) && i >= owned();
}

Motion& ContactFix::motion_of(std::uint32_t i) {
    return i & wall_bit ? wall_motion_[i & ~wall_bit] : motion_[i];
}

/// A contact that opens has no force: no remainder may seem to press.
double ContactFix::weight_of(const Pair& pair, const Eigen::Vector3d& x) const {
    const bool is_cautious = is_ghost(pair.second) && !x.isZero(0.0);
    return is_cautious ? boundary_weight * stepping_.relaxation : stepping_.relaxation;
}

// ---- Pairs, and the impulses that outlive a list of them

void ContactFix::pre_exchange() {
    keep_impulses();
    // LAMMPS forgets what leaves the box: that is the outlet, and nothing may leave elsewhere.
    const double *low = domain->boxlo, *high = domain->boxhi;
    for (std::size_t i = 0; i < owned(); ++i) {
        const double* const x = atom->x[i];
        is_valid_ = is_valid_ && x[0] >= low[0] && x[1] >= low[1] && x[2] >= low[2] &&
                    x[1] < high[1] && x[2] < high[2];
    }
}

void ContactFix::keep_impulses() {
    if (is_kept_) return;
    for (std::size_t i = 0; i < all(); ++i) partners_[i].clear();
    for (const Pair& pair : pairs_) {
        if (pair.impulse.isZero(0.0)) continue;
        const bool is_wall = (pair.second & wall_bit) != 0;
        const std::int64_t second =
            is_wall ? -1 - std::int64_t{pair.second & ~wall_bit} : atom->tag[pair.second];
        partners_[pair.first].push_back({second, pair.impulse});
        if (!is_wall) partners_[pair.second].push_back({atom->tag[pair.first], -pair.impulse});
    }
    message_ = Message::impulses;
    comm->reverse_comm_fix_variable(this);
    message_ = Message::corrections;
    note_kept();
}

void ContactFix::note_kept() {
    std::size_t most = 0;
    for (std::size_t i = 0; i < owned(); ++i) most = std::max(most, partners_[i].size());
    maxexchange = 1 + partner_numbers * static_cast<int>(most);
    is_kept_ = true;
}

Eigen::Vector3d ContactFix::kept_impulse(int i, std::int64_t partner) const {
    for (const Partner& kept : partners_[static_cast<std::size_t>(i)]) {
        if (kept.number == partner) return kept.impulse;
    }
    return Eigen::Vector3d::Zero();
}

void ContactFix::list_pairs() {
    const int place = lammps_find_pair_neighlist(lmp, "zero", 1, 0, 0);
    const LAMMPS_NS::NeighList& list = *neighbor->lists[place];
    pairs_.clear();
    for (int k = 0; k < list.inum; ++k) {
        const int i = list.ilist[k];
        const auto first = static_cast<std::uint32_t>(i);
        for (int m = 0; m < list.numneigh[i]; ++m) {
            const int j = list.firstneigh[i][m] & NEIGHMASK;
            pairs_.push_back({first, static_cast<std::uint32_t>(j), kept_impulse(i, atom->tag[j])});
        }
        const Eigen::Vector3d x = vector_of(atom->x[i]);
        for (std::uint32_t wall = 0; wall < walls_.size(); ++wall) {
            if (near(walls_[wall], x).distance < atom->radius[i] + reach())
                pairs_.push_back(
                    {first, wall_bit | wall, kept_impulse(i, -1 - std::int64_t{wall})});
        }
    }
    is_kept_ = false;
    walls_moved_ = 0.0;
}

// ---- A step

/// The own spheres, accelerated, and what does not change of the ghosts.
void ContactFix::take_in() {
    motion_.resize(all());
    received_.resize(all());
    const Eigen::Vector3d change = stepping_.step * stepping_.gravity;
    for (std::size_t i = 0; i < all(); ++i) {
        motion_[i].radius = atom->radius[i];
        motion_[i].inverse_mass = 1.0 / atom->rmass[i];
    }
    for (std::size_t i = 0; i < owned(); ++i) {
        motion_[i].v = vector_of(atom->v[i]) + change;
        motion_[i].u = atom->radius[i] * vector_of(atom->omega[i]);
    }
}

void ContactFix::find_contacts() {
    const auto position_of = [&](std::uint32_t i) { return vector_of(atom->x[i]); };
    const auto motion = [&](std::uint32_t i) -> const Motion& { return motion_of(i); };
    contacts_.clear();
    tally_ = {};
    for (std::uint32_t place = 0; place < pairs_.size(); ++place) {
        Pair& pair = pairs_[place];
        granular::Gap gap;
        if (!is_near(pair, position_of, motion, walls_, stepping_.margin, gap)) {
            pair.impulse.setZero();
            continue;
        }
        tally_.deepest = std::max(tally_.deepest, -gap.width);
        contacts_.push_back(
            {gap.n, granular::gap_term(gap.width, stepping_.error_reduction, stepping_.step),
             1.0 / (motion(pair.first).inverse_mass + motion(pair.second).inverse_mass), place});
    }
    tally_.contacts = contacts_.size();
}

/// What this process changed of ghosts goes to their owners.
void ContactFix::send_corrections() {
    std::fill_n(received_.begin(), owned(), Velocities{});
    for (std::size_t i = owned(); i < all(); ++i) {
        const Velocities now = velocities_of(motion_[i]);
        for (std::size_t k = 0; k < now.size(); ++k) received_[i][k] = now[k] - received_[i][k];
    }
    comm->reverse_comm_fix(this);
    for (std::size_t i = 0; i < owned(); ++i) {
        motion_[i].v += vector_of(received_[i].data());
        motion_[i].u += vector_of(received_[i].data() + 3);
    }
}

void ContactFix::give_back() const {
    for (std::size_t i = 0; i < owned(); ++i) {
        put(motion_[i].v, atom->v[i]);
        put(motion_[i].u / motion_[i].radius, atom->omega[i]);
    }
}

void ContactFix::post_force(int) {
    const auto motion = [&](std::uint32_t i) -> Motion& { return motion_of(i); };
    const auto mu = [&](const Pair& pair) { return mu_of(stepping_, pair); };
    energy_before_ = energy().total();
    is_kept_ = false;
    take_in();
    comm->forward_comm_fix(this);
    find_contacts();
    warm_start(contacts_, pairs_, motion, mu);
    send_corrections();
    sweeps_ = 0;
    do {
        comm->forward_comm_fix(this);
        tally_.residual =
            relax(contacts_, pairs_, motion, mu,
                  [&](const Pair& pair, const Eigen::Vector3d& x) { return weight_of(pair, x); });
        send_corrections();
        MPI_Allreduce(&tally_.residual, &residual_, 1, MPI_DOUBLE, MPI_MAX, world);
        ++sweeps_;
    } while (sweeps_ < stepping_.sweeps && residual_ > stepping_.tolerance);
    count(
        contacts_, pairs_,
        [&](std::uint32_t wall) -> const Eigen::Vector3d& { return wall_motion_[wall].v; }, tally_);
    give_back();
}

void ContactFix::final_integrate() {
    for (std::size_t i = 0; i < owned(); ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            atom->x[i][k] += stepping_.step * atom->v[i][k];
            is_valid_ = is_valid_ && std::isfinite(atom->x[i][k]);
        }
    }
    granular::move(walls_, stepping_.step);
    // LAMMPS sees to spheres that moved half the skin; walls are ours.
    walls_moved_ += stepping_.step * wall_speed_;
    if (walls_moved_ > 0.5 * stepping_.skin) list_anew();
}

granular::Energy ContactFix::energy() const {
    granular::Energy energy;
    for (std::size_t i = 0; i < owned(); ++i) {
        const double mass = atom->rmass[i], r = atom->radius[i];
        energy.translation += 0.5 * mass * vector_of(atom->v[i]).squaredNorm();
        energy.rotation +=
            0.5 * mass / granular::spin_gain * r * r * vector_of(atom->omega[i]).squaredNorm();
        energy.potential -= mass * stepping_.gravity.dot(vector_of(atom->x[i]));
    }
    return energy;
}

// ---- What LAMMPS carries for us

void ContactFix::grow_arrays(int count) {
    partners_.resize(static_cast<std::size_t>(count));
}

void ContactFix::copy_arrays(int from, int to, int) {
    partners(to) = partners(from);
}

void ContactFix::set_arrays(int i) {
    partners(i).clear();
}

int ContactFix::pack_exchange(int i, double* numbers) {
    int at = 0;
    numbers[at++] = static_cast<double>(partners(i).size());
    for (const Partner& partner : partners(i)) {
        numbers[at] = static_cast<double>(partner.number);
        put(partner.impulse, numbers + at + 1);
        at += partner_numbers;
    }
    return at;
}

int ContactFix::add_partners(int i, const double* numbers) {
    const int end = 1 + partner_numbers * static_cast<int>(numbers[0]);
    for (int at = 1; at < end; at += partner_numbers) {
        partners(i).push_back(
            {static_cast<std::int64_t>(numbers[at]), vector_of(numbers + at + 1)});
    }
    return end;
}

int ContactFix::unpack_exchange(int i, double* numbers) {
    partners(i).clear();
    return add_partners(i, numbers);
}

int ContactFix::pack_forward_comm(int count, int* list, double* numbers, int, int*) {
    double* next = numbers;
    for (int k = 0; k < count; ++k) {
        const Velocities now = velocities_of(motion_[static_cast<std::size_t>(list[k])]);
        next = std::copy(now.begin(), now.end(), next);
    }
    return static_cast<int>(next - numbers);
}

void ContactFix::unpack_forward_comm(int count, int first, double* numbers) {
    for (int k = first; k < first + count; ++k) {
        const auto i = static_cast<std::size_t>(k);
        std::copy_n(numbers, received_[i].size(), received_[i].begin());
        motion_[i].v = vector_of(numbers);
        motion_[i].u = vector_of(numbers + 3);
        numbers += received_[i].size();
    }
}

int ContactFix::pack_reverse_comm_size(int count, int first) {
    int size = 0;
    for (int i = first; i < first + count; ++i)
        size += 1 + partner_numbers * static_cast<int>(partners(i).size());
    return size;
}

int ContactFix::pack_reverse_comm(int count, int first, double* numbers) {
    double* next = numbers;
    for (int i = first; i < first + count; ++i) {
        if (message_ == Message::impulses) {
            next += pack_exchange(i, next);
        } else {
            const Velocities& change = received_[static_cast<std::size_t>(i)];
            next = std::copy(change.begin(), change.end(), next);
        }
    }
    return static_cast<int>(next - numbers);
}

void ContactFix::unpack_reverse_comm(int count, int* list, double* numbers) {
    for (int k = 0; k < count; ++k) {
        const auto i = static_cast<std::size_t>(list[k]);
        if (message_ == Message::impulses) {
            numbers += add_partners(list[k], numbers);
        } else {
            for (double& change : received_[i]) change += *numbers++;
        }
    }
}

}  // namespace stoss::solvers
