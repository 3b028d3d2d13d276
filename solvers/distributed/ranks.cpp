#include <solvers/distributed/lammps.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include <solvers/distributed/launch.hpp>
#include <solvers/distributed/rank_spheres.hpp>
#include <solvers/distributed/ranks.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/granular/state.hpp>

namespace stoss::solvers {

Ranks::Ranks() : count_(launched_count()), rank_(launched_rank()) {
    if (count_ == 0) return;
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
}

Ranks::~Ranks() {
    if (count_ == 0) return;
    if (is_first()) RankSpheres().lead(Word::end);
    MPI_Finalize();
}

std::string Ranks::refusal() const {
    return {};
}

void Ranks::follow() const {
    const core::InterruptGuard guard;
    RankSpheres().follow();
}

namespace {

/// The first process leads; it keeps the walls, and counts.
class DistributedStream final : public SphereStream {
  public:
    explicit DistributedStream(EngineSetup setup)
        : setup_(std::move(setup)), watch_([this](const std::stop_token& end) { watch(end); }) {
        ranks_.lead(Word::open, setup_.numbers());
    }
    ~DistributedStream() override { ranks_.lead(Word::close); }

    void add(std::span<const granular::Sphere> spheres) override;
    void place(std::size_t wall, const Eigen::Vector3d& point) override;
    StreamStep step() override;

    double time() const override { return static_cast<double>(steps_) * setup_.stepping.step; }
    std::size_t steps() const override { return steps_; }
    std::size_t size() const override { return size_; }
    const std::vector<granular::Wall>& walls() const override { return setup_.walls; }
    granular::Energy energy() override;
    const granular::Spheres& spheres() override;

    bool is_distributed() const override { return true; }
    std::vector<double> state() override;
    void restore(std::span<const double> state) override;

  private:
    void create(std::span<const double> numbers);
    void watch(const std::stop_token& end) const;

    EngineSetup setup_;
    RankSpheres ranks_;
    std::uint32_t next_number_ = 0;
    std::atomic<std::size_t> steps_ = 0;
    std::size_t size_ = 0;
    granular::Spheres spheres_;  // if they are gathered
    bool is_gathered_ = false;
    std::jthread watch_;  // last, so that it ends first
};

/// mpirun ends all processes if one dies: it asks first, but then this one waits for the dead one
/// and cannot answer. Somebody must say what is left.
void DistributedStream::watch(const std::stop_token& end) const {
    using namespace std::chrono_literals;
    std::mutex mutex;
    std::condition_variable_any ended;
    std::unique_lock lock(mutex);
    const auto rest = [&](std::chrono::milliseconds time) {
        ended.wait_for(lock, end, time, [] { return false; });
    };
    while (!end.stop_requested() && !core::interrupted()) rest(20ms);
    const std::size_t before = steps_;
    rest(300ms);  // mpirun gives a second
    if (end.stop_requested() || steps_ != before) return;
    std::fputs(
        "\nwarning: asked to stop, but not stopped after 0.3 s; if a process has died, what was "
        "saved last is kept: add --resume to go on\n",
        stderr);
}

void DistributedStream::create(std::span<const double> numbers) {
    size_ = static_cast<std::size_t>(ranks_.lead(Word::add, numbers)[0]);
    is_gathered_ = false;
}

void DistributedStream::add(std::span<const granular::Sphere> spheres) {
    std::vector<double> numbers;
    for (const granular::Sphere& sphere : spheres) {
        numbers.insert(numbers.end(),
                       {static_cast<double>(next_number_++), sphere.radius, sphere.mass});
        for (const auto* vector : {&sphere.position, &sphere.velocity, &sphere.angular_velocity})
            granular::put(numbers, *vector);
    }
    create(numbers);
}

void DistributedStream::place(std::size_t wall, const Eigen::Vector3d& point) {
    std::get<granular::Plane>(setup_.walls[wall]).point = point;
    std::vector<double> numbers{static_cast<double>(wall)};
    granular::put(numbers, point);
    ranks_.lead(Word::place, numbers);
}

StreamStep DistributedStream::step() {
    const std::vector<double> answer = ranks_.lead(Word::step);
    const auto count = [&](StepNumber number) { return static_cast<std::size_t>(answer[number]); };
    StreamStep step;
    step.report.contacts = count(step_contacts);
    step.report.pressing = count(step_pressing);
    step.report.overlapping = count(step_overlapping);
    step.report.sweeps = static_cast<int>(answer[step_sweeps]);
    step.report.residual = answer[step_residual];
    step.report.deepest_overlap = answer[step_deepest];
    step.report.work_of_error_reduction = answer[step_error_reduction];
    step.report.work_of_walls = answer[step_walls];
    step.report.is_finite = answer[step_is_invalid] == 0.0;
    step.energy_before = answer[step_energy_before];
    step.energy = answer[step_energy];
    step.fastest = answer[step_fastest];
    step.most = count(step_most);
    size_ = count(step_spheres);
    is_gathered_ = false;
    ++steps_;
    granular::move(setup_.walls, setup_.stepping.step);
    // A wish to stop that came to another process is one to this.
    if (answer[step_is_signalled] != 0.0 && !core::interrupted()) std::raise(SIGTERM);
    return step;
}

granular::Energy DistributedStream::energy() {
    const std::vector<double> sums = ranks_.lead(Word::energy);
    granular::Energy energy;
    energy.translation = sums[0];
    energy.rotation = sums[1];
    energy.potential = sums[2];
    return energy;
}

const granular::Spheres& DistributedStream::spheres() {
    if (is_gathered_) return spheres_;
    const std::vector<double> numbers = ranks_.lead(Word::spheres);
    spheres_ = {};
    for (std::span<const double> rest(numbers); !rest.empty();) {
        const auto number = static_cast<std::uint32_t>(granular::take(rest));
        granular::Sphere sphere;
        sphere.radius = granular::take(rest);
        sphere.mass = granular::take(rest);
        for (auto* vector : {&sphere.position, &sphere.velocity, &sphere.angular_velocity})
            granular::take(rest, *vector);
        spheres_.add(sphere, number);
    }
    is_gathered_ = true;
    return spheres_;
}

// Numbers of spheres are below 2^31 and exact as doubles.
std::vector<double> DistributedStream::state() {
    const std::vector<double> spheres = ranks_.lead(Word::spheres);
    const std::vector<double> impulses = ranks_.lead(Word::impulses);
    std::vector<double> state{static_cast<double>(steps()), static_cast<double>(next_number_),
                              static_cast<double>(spheres.size())};
    for (const granular::Wall& wall : setup_.walls) {
        if (const auto* const plane = std::get_if<granular::Plane>(&wall))
            granular::put(state, plane->point);
    }
    state.insert(state.end(), spheres.begin(), spheres.end());
    state.insert(state.end(), impulses.begin(), impulses.end());
    return state;
}

/// As a new start with these spheres and impulses, on any number of processes.
void DistributedStream::restore(std::span<const double> state) {
    ranks_.lead(Word::close);
    ranks_.lead(Word::open, setup_.numbers());
    steps_ = static_cast<std::size_t>(granular::take(state));
    next_number_ = static_cast<std::uint32_t>(granular::take(state));
    const auto count = static_cast<std::size_t>(granular::take(state));
    for (std::size_t wall = 0; wall < setup_.walls.size(); ++wall) {
        if (!std::holds_alternative<granular::Plane>(setup_.walls[wall])) continue;
        Eigen::Vector3d point;
        granular::take(state, point);
        place(wall, point);
    }
    create(state.first(count));
    ranks_.lead(Word::recall, state.subspan(count));
}

}  // namespace

std::unique_ptr<SphereStream> distributed_stream(const granular::Stepping& stepping,
                                                 const std::vector<granular::Wall>& walls,
                                                 const Eigen::Vector3d& low,
                                                 const Eigen::Vector3d& high,
                                                 double largest_radius) {
    return std::make_unique<DistributedStream>(
        EngineSetup{stepping, walls, low, high, largest_radius});
}

}  // namespace stoss::solvers
