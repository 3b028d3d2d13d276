#include <solvers/distributed/contact_fix.hpp>
#include <solvers/distributed/messages.hpp>
#include <solvers/distributed/rank_spheres.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <unordered_map>

#include <stoss/core/interrupt.hpp>
#include <stoss/granular/state.hpp>

namespace stoss::solvers {

namespace {

using granular::put;
using granular::take;

constexpr int balance_every = 50;  // steps

/// Adds up, or takes the largest, over all processes; for the first one.
std::vector<double> reduced(std::vector<double> numbers, MPI_Op how) {
    std::vector<double> result(numbers.size());
    MPI_Reduce(numbers.data(), result.data(), static_cast<int>(numbers.size()), MPI_DOUBLE, how, 0,
               MPI_COMM_WORLD);
    return result;
}

void put_wall(std::vector<double>& numbers, const granular::Wall& wall) {
    numbers.push_back(static_cast<double>(wall.index()));
    if (const auto* const plane = std::get_if<granular::Plane>(&wall)) {
        for (const auto* vector : {&plane->point, &plane->normal, &plane->velocity})
            put(numbers, *vector);
    } else if (const auto* const block = std::get_if<granular::Block>(&wall)) {
        put(numbers, block->low);
        put(numbers, block->high);
    } else {
        const auto& cylinder = std::get<granular::Cylinder>(wall);
        put(numbers, cylinder.point);
        put(numbers, cylinder.axis);
        numbers.push_back(cylinder.radius);
    }
}

granular::Wall take_wall(std::span<const double>& numbers) {
    const auto kind = static_cast<std::size_t>(take(numbers));
    if (kind == granular::Wall(granular::Plane{}).index()) {
        granular::Plane plane;
        for (auto* vector : {&plane.point, &plane.normal, &plane.velocity}) take(numbers, *vector);
        return plane;
    }
    if (kind == granular::Wall(granular::Block{}).index()) {
        granular::Block block;
        take(numbers, block.low);
        take(numbers, block.high);
        return block;
    }
    granular::Cylinder cylinder;
    take(numbers, cylinder.point);
    take(numbers, cylinder.axis);
    cylinder.radius = take(numbers);
    return cylinder;
}

/// Takes LAMMPS's words; tells its errors, which end the process, and nothing else.
FILE* errors_alone() {
    cookie_io_functions_t functions{};
    functions.write = [](void*, const char* text, std::size_t size) -> ssize_t {
        const std::string_view words(text, size);
        const std::size_t error = words.find("ERROR");
        if (error != words.npos) {
            const std::string told = fmt::format("error: LAMMPS: {}\n", words.substr(error));
            std::fputs(told.c_str(), stderr);
        }
        return static_cast<ssize_t>(size);
    };
    return fopencookie(nullptr, "w", functions);
}

LAMMPS_NS::LAMMPS& engine(void* handle) {
    return *static_cast<LAMMPS_NS::LAMMPS*>(handle);
}

LAMMPS_NS::Fix* contact_fix(LAMMPS_NS::LAMMPS* lammps, int argc, char** argv) {
    return new ContactFix(lammps, argc, argv);  // LAMMPS deletes it
}

}  // namespace

// ---- Setup as a message

std::vector<double> EngineSetup::numbers() const {
    std::vector<double> numbers{stepping.step,
                                static_cast<double>(stepping.friction),
                                stepping.mu,
                                stepping.wall_mu,
                                static_cast<double>(stepping.sweeps),
                                stepping.tolerance,
                                stepping.relaxation,
                                stepping.error_reduction,
                                stepping.margin,
                                stepping.skin,
                                largest_radius};
    for (const auto* vector : {&stepping.gravity, &low, &high}) put(numbers, *vector);
    for (const granular::Wall& wall : walls) put_wall(numbers, wall);
    return numbers;
}

EngineSetup EngineSetup::of(std::span<const double> numbers) {
    EngineSetup setup;
    granular::Stepping& stepping = setup.stepping;
    stepping.step = take(numbers);
    stepping.friction = static_cast<granular::Friction>(static_cast<int>(take(numbers)));
    stepping.mu = take(numbers);
    stepping.wall_mu = take(numbers);
    stepping.sweeps = static_cast<int>(take(numbers));
    for (double* number : {&stepping.tolerance, &stepping.relaxation, &stepping.error_reduction,
                           &stepping.margin, &stepping.skin, &setup.largest_radius})
        *number = take(numbers);
    for (auto* vector : {&stepping.gravity, &setup.low, &setup.high}) take(numbers, *vector);
    while (!numbers.empty()) setup.walls.push_back(take_wall(numbers));
    return setup;
}

// ---- Words

std::vector<double> RankSpheres::lead(Word word, std::span<const double> numbers) {
    std::array<std::int64_t, 2> head{static_cast<std::int64_t>(word),
                                     static_cast<std::int64_t>(numbers.size())};
    MPI_Bcast(head.data(), 2, MPI_INT64_T, 0, MPI_COMM_WORLD);
    std::vector<double> message(numbers.begin(), numbers.end());
    broadcast(message);
    return act(word, message);
}

void RankSpheres::follow() {
    Word word{};
    do {
        std::array<std::int64_t, 2> head{};
        MPI_Bcast(head.data(), 2, MPI_INT64_T, 0, MPI_COMM_WORLD);
        word = static_cast<Word>(head[0]);
        std::vector<double> message(static_cast<std::size_t>(head[1]));
        broadcast(message);
        act(word, message);
    } while (word != Word::end);
}

std::vector<double> RankSpheres::act(Word word, std::span<const double> numbers) {
    switch (word) {
        case Word::open:
            open(EngineSetup::of(numbers));
            break;
        case Word::add:
            return add(numbers);
        case Word::place:
            place(numbers);
            break;
        case Word::step:
            return step();
        case Word::energy:
            return energy();
        case Word::spheres:
            return gathered(spheres());
        case Word::impulses:
            return gathered(impulses());
        case Word::recall:
            recall(numbers);
            break;
        case Word::close:
            close();
            break;
        case Word::end:
            break;
    }
    return {};
}

// ---- LAMMPS

RankSpheres::~RankSpheres() {
    close();
}

void RankSpheres::close() {
    if (lammps_) lammps_close(lammps_);
    lammps_ = nullptr;
    fix_ = nullptr;
    has_run_ = false;
}

void RankSpheres::command(const std::string& line) {
    lammps_command(lammps_, line.c_str());
}

void RankSpheres::open(const EngineSetup& setup) {
    std::array<std::string, 6> words{"stoss", "-screen", "none", "-log", "none", "-nocite"};
    std::array<char*, words.size()> argv{};
    std::transform(words.begin(), words.end(), argv.begin(),
                   [](std::string& word) { return word.data(); });
    lammps_ = lammps_open(static_cast<int>(argv.size()), argv.data(), MPI_COMM_WORLD, nullptr);
    engine(lammps_).screen = errors_alone();  // LAMMPS closes it
    (*engine(lammps_).modify->fix_map)["stoss"] = contact_fix;
    const granular::Stepping& stepping = setup.stepping;
    for (const char* line : {"units si", "atom_style sphere", "boundary f f f", "newton on"})
        command(line);
    std::string region = "region box block";
    for (Eigen::Index k = 0; k < 3; ++k)
        region += fmt::format(" {:.17g} {:.17g}", setup.low[k], setup.high[k]);
    command(region);
    command("create_box 1 box");
    command(fmt::format("pair_style zero {:.17g} nocoeff",
                        2.0 * setup.largest_radius + stepping.margin));
    command("pair_coeff * *");
    command(fmt::format("neighbor {:.17g} bin", stepping.skin));
    command("neigh_modify every 1 delay 0 check yes");
    command(fmt::format("timestep {:.17g}", stepping.step));
    command("fix contacts all stoss");
    command(fmt::format("fix balance all balance {} 1.05 shift xyz 10 1.02", balance_every));
    command("thermo_style custom step");
    command("thermo_modify lost ignore");
    LAMMPS_NS::Modify& modify = *engine(lammps_).modify;
    fix_ = dynamic_cast<ContactFix*>(modify.fix[modify.find_fix("contacts")]);
    fix_->begin(stepping, setup.walls);
}

std::vector<double> RankSpheres::add(std::span<const double> numbers) {
    LAMMPS_NS::Atom& atom = *engine(lammps_).atom;
    const auto numbers_of = [&](std::size_t k) { return numbers.data() + k * sphere_numbers; };
    const std::size_t count = numbers.size() / sphere_numbers;
    std::vector<int> number(count), type(count, 1);
    std::vector<double> x, v;
    for (std::size_t k = 0; k < count; ++k) {
        const double* const at = numbers_of(k);
        number[k] = static_cast<int>(at[0]) + 1;  // LAMMPS counts from 1
        x.insert(x.end(), at + 3, at + 6);
        v.insert(v.end(), at + 6, at + 9);
    }
    fix_->keep_impulses();
    fix_->list_anew();
    const int before = atom.nlocal;
    atom.nghost = 0;  // new spheres take their places until the pairs are listed anew
    lammps_create_atoms(lammps_, static_cast<int>(count), number.data(), type.data(), x.data(),
                        v.data(), nullptr, 0);
    std::size_t k = 0;
    for (int i = before; i < atom.nlocal; ++i) {  // those of this process, in the same order
        while (number[k] != atom.tag[i]) ++k;
        const double* const at = numbers_of(k);
        atom.radius[i] = at[1];
        atom.rmass[i] = at[2];
        std::copy_n(at + 9, 3, atom.omega[i]);
    }
    return reduced({static_cast<double>(atom.nlocal)}, MPI_SUM);
}

void RankSpheres::place(std::span<const double> numbers) {
    const auto wall = static_cast<std::size_t>(take(numbers));
    Eigen::Vector3d point;
    take(numbers, point);
    fix_->place(wall, point);
}

std::vector<double> RankSpheres::step() {
    // The first one sets LAMMPS up, computes nothing, and has no neighbours to look at.
    if (!has_run_) command("run 0 post no");
    has_run_ = true;
    command("run 1 pre no post no");
    const LAMMPS_NS::Atom& atom = *engine(lammps_).atom;
    double fastest = 0.0;
    for (int i = 0; i < atom.nlocal; ++i) {
        const double* const v = atom.v[i];
        fastest = std::max(fastest, v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    const granular::Tally& tally = fix_->tally();
    std::vector<double> answer =
        reduced({static_cast<double>(tally.contacts), static_cast<double>(tally.pressing),
                 static_cast<double>(tally.overlapping), tally.error_reduction, tally.walls,
                 fix_->energy_before(), fix_->energy().total(), static_cast<double>(atom.nlocal)},
                MPI_SUM);
    const std::vector<double> largest =
        reduced({tally.deepest, std::sqrt(fastest), static_cast<double>(atom.nlocal),
                 fix_->is_valid() ? 0.0 : 1.0, core::interrupted() ? 1.0 : 0.0},
                MPI_MAX);
    answer.insert(answer.end(), largest.begin(), largest.end());
    answer.insert(answer.end(), {static_cast<double>(fix_->sweeps()), fix_->residual()});
    return answer;
}

std::vector<double> RankSpheres::energy() const {
    const granular::Energy energy = fix_->energy();
    return reduced({energy.translation, energy.rotation, energy.potential}, MPI_SUM);
}

std::vector<double> RankSpheres::spheres() const {
    const LAMMPS_NS::Atom& atom = *engine(lammps_).atom;
    std::vector<double> numbers;
    for (int i = 0; i < atom.nlocal; ++i) {
        numbers.insert(numbers.end(),
                       {static_cast<double>(atom.tag[i] - 1), atom.radius[i], atom.rmass[i]});
        for (double** vectors : {atom.x, atom.v, atom.omega})
            numbers.insert(numbers.end(), vectors[i], vectors[i] + 3);
    }
    return numbers;
}

/// Of each sphere with contacts: its number, how many, and of each of them number and impulse.
std::vector<double> RankSpheres::impulses() {
    const LAMMPS_NS::Atom& atom = *engine(lammps_).atom;
    fix_->keep_impulses();
    std::vector<double> numbers;
    for (int i = 0; i < atom.nlocal; ++i) {
        const auto& partners = fix_->partners(i);
        if (partners.empty()) continue;
        numbers.push_back(static_cast<double>(atom.tag[i]));
        numbers.push_back(static_cast<double>(partners.size()));
        for (const ContactFix::Partner& partner : partners) {
            numbers.push_back(static_cast<double>(partner.number));
            put(numbers, partner.impulse);
        }
    }
    return numbers;
}

/// What `impulses` gave, to the spheres of this process.
void RankSpheres::recall(std::span<const double> numbers) {
    const LAMMPS_NS::Atom& atom = *engine(lammps_).atom;
    std::unordered_map<int, int> place;
    for (int i = 0; i < atom.nlocal; ++i) place[atom.tag[i]] = i;
    while (!numbers.empty()) {
        const auto found = place.find(static_cast<int>(take(numbers)));
        for (auto count = static_cast<std::size_t>(take(numbers)); count > 0; --count) {
            ContactFix::Partner partner;
            partner.number = static_cast<std::int64_t>(take(numbers));
            take(numbers, partner.impulse);
            if (found != place.end()) fix_->partners(found->second).push_back(partner);
        }
    }
    fix_->note_kept();
}

}  // namespace stoss::solvers
