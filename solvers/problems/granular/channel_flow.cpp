#include <solvers/problems/granular/channel_flow.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/format.h>
#include <solvers/case/case_header.hpp>
#include <solvers/case/memory.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/distributed/ranks.hpp>
#include <solvers/distributed/sphere_stream.hpp>
#include <solvers/problems/granular/channel_profile.hpp>
#include <solvers/problems/granular/granular_figures.hpp>
#include <solvers/problems/granular/sphere_run.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/sphere.hpp>
#include <stoss/core/text.hpp>
#include <stoss/granular/plane_profile.hpp>
#include <stoss/granular/state.hpp>
#include <stoss/granular/statistics.hpp>
#include <stoss/io/bind.hpp>

namespace stoss::solvers {

namespace {

// Where g(r) is counted: from 12/15 to 14/15 of the length, as published.
constexpr double rdf_begin = 12.0 / 15.0, rdf_end = 14.0 / 15.0;

struct Case {
    CaseHeader header;
    ChannelFlow flow;
    CaseExpectations expectations;

    std::size_t steps() const { return steps_in(flow.duration, flow.stepping.step); }
    double margin() const { return flow.stepping.margin_of(flow.inflow.radius); }
    /// Spheres stream with the inflow: a skin of eight steps of it, within a fifth and a whole of
    /// the radius, is listed anew every fourth step at most.
    double skin() const {
        const double r = flow.inflow.radius;
        const double stream = 8.0 * flow.inflow.speed * flow.stepping.step;
        return flow.stepping.skin.value_or(std::clamp(stream, flow.stepping.skin_of(r), r));
    }
    granular::Stepping stepping() const {
        models::SphereStepping parameters = flow.stepping;
        parameters.skin = skin();
        return models::stepping(flow.contact, parameters, models::vector_of(flow.gravity),
                                flow.inflow.radius);
    }
};

// ---- What may be wrong

std::vector<core::Violation> check_cells(const ChannelStatistics& statistics) {
    // Measured as those of solvers/case/memory.hpp: 8,800 and 140,800 cells, a part with spheres.
    constexpr double bytes_per_cell = 1300.0;
    const double cells = static_cast<double>(statistics.along) * statistics.across;
    return check_memory(
        "statistics.along", std::to_string(statistics.along), cells * bytes_per_cell,
        fmt::format("use fewer cells: now {} by {}", statistics.along, statistics.across));
}

std::vector<core::Violation> check_case(const Case& given) {
    const ChannelFlow& flow = given.flow;
    std::vector<core::Violation> violations = models::check_triple(flow.gravity, "gravity");
    core::append(models::check(flow.channel, flow.obstacle, flow.inflow), violations);
    core::append(models::check_step(flow.stepping, flow.duration), violations);
    const double longest = 0.5 * given.margin() / flow.inflow.speed;
    if (flow.stepping.step > longest) {
        violations.push_back(
            {"stepping.step", core::with_unit(flow.stepping.step, "s"),
             "moves the pushing plane by more than half the margin: contacts would be missed",
             fmt::format("use at most {:.6g} s, or a wider margin", longest)});
    }
    constexpr double densest = 0.74;  // packing of equal spheres
    const models::Channel& channel = flow.channel;
    const double most = densest * channel.length * channel.width * channel.height /
                        core::sphere_volume(flow.inflow.radius);
    core::append(check_sphere_memory("inflow.radius", core::with_unit(flow.inflow.radius, "m"),
                                     most, flow.frames + 1, bytes_per_stream_sphere),
                 violations);
    core::append(check_cells(flow.statistics), violations);
    core::append(models::check_mass(models::mass_of(flow.inflow.radius, flow.density), "density",
                                    core::with_unit(flow.density, "kg/m^3")),
                 violations);
    if (flow.statistics.from >= flow.duration) {
        violations.push_back({"statistics.from", core::with_unit(flow.statistics.from, "s"),
                              "is not before the end of the run", "give a time below `duration`"});
    }
    return violations;
}

Case read_case(const io::Document& document) {
    auto [header, flow, expectations] =
        io::read<CaseHeader, ChannelFlow, CaseExpectations>(document);
    Case given{header, flow, expectations};
    refuse(document, check_case(given));
    return given;
}

io::Choice describe() {
    return io::describe_choice<ChannelFlow>();
}
io::Node resolve(const Case& given) {
    return io::to_node(given.header, given.flow, given.expectations);
}

// ---- The run

/// Columns of history.csv.
constexpr std::array history_columns{"time_s",
                                     "spheres",
                                     "contacts_per_sphere",
                                     "overlaps_per_sphere",
                                     "solid_fraction",
                                     "speed_mean_m_per_s",
                                     "angular_speed_mean_rad_per_s",
                                     "energy_kinetic_J",
                                     "energy_potential_J",
                                     "energy_in_J",
                                     "energy_out_J",
                                     "work_of_plane_J",
                                     "work_of_error_reduction_J",
                                     "energy_lost_J",
                                     "deepest_overlap_m",
                                     "residual_m_per_s",
                                     "sweeps",
                                     "largest_speed_m_per_s"};
enum Quantity : std::size_t {
    time_s,
    spheres,
    contacts_per_sphere,
    overlaps_per_sphere,
    solid_fraction,
    speed_mean,
    angular_speed_mean
};

/// What came into the channel and left it; all of it goes into a checkpoint.
struct Exchange {
    double energy_in = 0.0;   // of spheres that came in after the start [J]
    double energy_out = 0.0;  // of spheres that left [J]
    double plane = 0.0;       // its work [J]
    double layers = 0.0;      // that came in
    double spheres_in = 0.0;  // after the start
    double spheres_out = 0.0;
    double in_before = 0.0, out_before = 0.0;  // the same at `from`
};
constexpr std::array exchange_members{
    &Exchange::energy_in,  &Exchange::energy_out,  &Exchange::plane,     &Exchange::layers,
    &Exchange::spheres_in, &Exchange::spheres_out, &Exchange::in_before, &Exchange::out_before};
static_assert(sizeof(Exchange) == exchange_members.size() * sizeof(double));

/// On this machine, or on all processes that mpirun started.
std::unique_ptr<SphereStream> stream_of(const Case& given, const RunOptions& options) {
    const ChannelFlow& flow = given.flow;
    std::vector<granular::Wall> walls =
        models::walls_of(flow.channel, flow.obstacle, flow.inflow.speed);
    const double r = flow.inflow.radius;
    if (options.ranks == 0)
        return local_stream(given.stepping(), std::move(walls), flow.channel.length,
                            options.threads);
    // Centres stay in the channel, but for small overlaps with the walls.
    const Eigen::Vector3d low(-r, -r, -r), high = flow.channel.size() + Eigen::Vector3d(0, r, r);
    return distributed_stream(given.stepping(), walls, low, high, r);
}

class Flow final : public SphereRun {
  public:
    Flow(const Case& given, const RunOptions& options)
        : SphereRun(history_columns, given.steps(), given.flow.frames, options),
          given_(given),
          channel_(given.flow.channel),
          inflow_(given.flow.inflow),
          ranks_(options.ranks),
          stream_(stream_of(given, options)),
          profile_({Eigen::Vector3d::Zero(), channel_.size()},
                   static_cast<std::size_t>(given.flow.statistics.along),
                   static_cast<std::size_t>(given.flow.statistics.across)) {
        fill();
        record().energy_first = record().energy = stream_->energy().total();
    }

  private:
    std::size_t steps_done() const override { return stream_->steps(); }
    double time() const override { return stream_->time(); }
    std::size_t size() const override { return stream_->size(); }
    const granular::Spheres& spheres() override { return stream_->spheres(); }
    granular::StepReport step() override;
    bool is_sample_due() const override {
        const auto every = static_cast<std::size_t>(given_.flow.statistics.every);
        return steps_done() % every == 0 || steps_done() == steps();
    }
    std::vector<double> sample() override;
    std::vector<double> state() override;
    void restore(std::span<const double> state) override;
    void add_results(Outcome& outcome) override;

    void fill();
    void add_layer(double x);
    void feed();
    void sample_steady();
    double from() const { return given_.flow.statistics.from; }
    double diameter() const { return 2.0 * inflow_.radius; }
    double energy_lost() const {
        return record().energy_first + exchange_.energy_in + exchange_.plane +
               record().error_reduction - exchange_.energy_out - record().energy;
    }
    std::vector<double> row();
    std::size_t samples_in_means() const;  // rows of history.csv after `from`
    double mean(Quantity quantity, double begin = 0.0, double end = 1.0) const;
    std::size_t empty_samples() const;
    io::Value summary() const;
    granular::RadialDistribution rdf() const;

    const Case& given_;
    const models::Channel& channel_;
    const models::ChannelInflow& inflow_;
    int ranks_;
    std::unique_ptr<SphereStream> stream_;
    granular::PlaneProfile profile_;
    // Of g, of samples, and of spheres about which g counts.
    std::vector<double> rdf_sums_ = std::vector<double>(3 * rdf_bins, 0.0);
    Exchange exchange_;
    std::size_t most_ = 0;  // spheres of the process that has most
};

/// A layer of new spheres at x, but for those inside the obstacle.
void Flow::add_layer(double x) {
    const auto number = static_cast<std::size_t>(exchange_.layers);
    const auto& walls = stream_->walls();
    std::vector<granular::Sphere> layer =
        models::layer_of(inflow_, channel_, given_.flow.density, number, x);
    std::erase_if(layer, [&](const granular::Sphere& sphere) {
        return std::any_of(
            walls.begin() + models::channel_walls, walls.end(), [&](const auto& wall) {
                return granular::near(wall, sphere.position).distance <= sphere.radius;
            });
    });
    stream_->add(layer);
    exchange_.layers += 1.0;
}

/// The spheres of the start: the first layer before the plane, and more if the channel is full.
void Flow::fill() {
    add_layer(inflow_.radius);
    if (!inflow_.filled) return;
    const double first = 3.0 * inflow_.radius;  // the plane comes as far as two radii
    for (int k = 0; first + k * inflow_.spacing < channel_.length - inflow_.radius; ++k)
        add_layer(first + k * inflow_.spacing);
}

/// After a way of two radii the plane is set back by them, and a new layer takes its place. What
/// the last step went beyond stays a part of the way, so that the inflow does not depend on the
/// step.
void Flow::feed() {
    const auto way = [&] { return std::get<granular::Plane>(stream_->walls().front()).point.x(); };
    const double needed = diameter() * (1.0 - 1e-9);  // roundoff of a sum of steps
    if (way() < needed) return;
    const std::size_t before = stream_->size();
    while (way() >= needed) {
        const double rest = way() - diameter();
        stream_->place(0, {rest, 0.0, 0.0});
        add_layer(rest + inflow_.radius);
    }
    exchange_.spheres_in += static_cast<double>(stream_->size() - before);
    const double energy = stream_->energy().total();
    exchange_.energy_in += energy - record().energy;
    record().energy = energy;
}

granular::StepReport Flow::step() {
    feed();
    const std::size_t in_channel = stream_->size();
    StreamStep done = stream_->step();
    if (done.report.is_finite && steps_done() == steps())
        include_end(done.report, stream_->spheres(), stream_->walls());
    most_ = done.most;
    exchange_.spheres_out += static_cast<double>(in_channel - stream_->size());
    exchange_.energy_out += record().energy - done.energy_before;
    exchange_.plane += done.report.work_of_walls;
    record().add(done.report, done.energy_before, done.energy, done.fastest,
                 given_.flow.stepping.tolerance);
    if (stream_->time() < from()) {
        exchange_.in_before = exchange_.spheres_in;
        exchange_.out_before = exchange_.spheres_out;
    } else {
        record().add_overlap(done.report);
    }
    return done.report;
}

std::vector<double> Flow::row() {
    const granular::Spheres& all = stream_->spheres();
    const auto count = static_cast<double>(all.size());
    const granular::Energy energy = stream_->energy();
    double volume = 0.0, speed = 0.0, angular_speed = 0.0;
    for (const granular::Motion& motion : all.motion) {
        volume += 4.0 / 3.0 * std::numbers::pi * core::pow(motion.radius, 3);
        speed += motion.v.norm();
        angular_speed += motion.u.norm() / motion.radius;
    }
    return {stream_->time(),
            count,
            static_cast<double>(report().pressing) / count,
            static_cast<double>(report().overlapping) / count,
            volume / models::free_volume(channel_, given_.flow.obstacle),
            speed / count,
            angular_speed / count,
            energy.translation + energy.rotation,
            energy.potential,
            exchange_.energy_in,
            exchange_.energy_out,
            exchange_.plane,
            record().error_reduction,
            energy_lost(),
            record().since_deepest,
            record().since_residual,
            record().sweeps_per_step(),
            record().since_fastest};
}

std::vector<double> Flow::sample() {
    if (stream_->time() >= from() && report().is_finite) sample_steady();
    return row();
}

void Flow::sample_steady() {
    profile_.sample(stream_->spheres());
    const Eigen::Vector3d size = channel_.size();
    const granular::Region end{{rdf_begin * size.x(), 0.0, 0.0},
                               {rdf_end * size.x(), size.y(), size.z()}};
    const granular::RadialDistribution now =
        granular::radial_distribution(stream_->spheres(), end, rdf_range * diameter(), rdf_bins);
    for (std::size_t k = 0; k < rdf_bins; ++k) {
        if (!std::isfinite(now.g[k])) continue;
        rdf_sums_[k] += now.g[k];
        rdf_sums_[rdf_bins + k] += 1.0;
        rdf_sums_[2 * rdf_bins + k] += now.spheres[k];
    }
}

/// What was exchanged, the means and the spheres.
std::vector<double> Flow::state() {
    std::vector<double> state{stream_->is_distributed() ? 1.0 : 0.0};
    for (const auto member : exchange_members) state.push_back(exchange_.*member);
    granular::put(state, profile_.sums());
    granular::put(state, rdf_sums_);
    granular::put(state, stream_->state());
    return state;
}

void Flow::restore(std::span<const double> state) {
    const bool was_distributed = granular::take(state) != 0.0;
    if (was_distributed != stream_->is_distributed()) {
        throw core::InputError(
            {{"",
              0,
              0,
              {"--resume", "", "the saved results were computed with another number of processes",
               was_distributed ? "resume it with mpirun" : "resume it without mpirun"}}});
    }
    for (const auto member : exchange_members) exchange_.*member = granular::take(state);
    for (double& sum : profile_.sums()) sum = granular::take(state);
    for (double& sum : rdf_sums_) sum = granular::take(state);
    stream_->restore(state);
}

// ---- Results

std::size_t Flow::samples_in_means() const {
    return static_cast<std::size_t>(std::count_if(
        rows().begin(), rows().end(), [&](const auto& row) { return row[0] >= from(); }));
}

/// Of the samples in the means, those without spheres.
std::size_t Flow::empty_samples() const {
    const auto first = rows().end() - static_cast<std::ptrdiff_t>(samples_in_means());
    return static_cast<std::size_t>(std::count_if(
        first, rows().end(), [](const auto& row) { return row[Quantity::spheres] == 0.0; }));
}

/// Mean of a column over the samples after `from`, or a part of them: [begin, end) of their count.
/// A mean over spheres is unknown in a sample without any, and left out.
double Flow::mean(Quantity quantity, double begin, double end) const {
    const auto first = rows().end() - static_cast<std::ptrdiff_t>(samples_in_means());
    const auto count = static_cast<double>(samples_in_means());
    double sum = 0.0, samples = 0.0;
    const auto low = static_cast<std::ptrdiff_t>(begin * count);
    const auto high = static_cast<std::ptrdiff_t>(end * count);
    for (auto i = low; i < high; ++i) {
        if (std::isnan(first[i][quantity])) continue;
        sum += first[i][quantity];
        samples += 1.0;
    }
    return sum / samples;
}

granular::RadialDistribution Flow::rdf() const {
    granular::RadialDistribution mean;
    for (std::size_t k = 0; k < rdf_bins; ++k) {
        mean.g.push_back(rdf_sums_[k] / rdf_sums_[rdf_bins + k]);
        mean.spheres.push_back(rdf_sums_[2 * rdf_bins + k]);
    }
    return mean;
}

io::Value Flow::summary() const {
    const double count = mean(Quantity::spheres), contacts = mean(contacts_per_sphere);
    const double overlaps = mean(overlaps_per_sphere);
    const double span = stream_->time() - from();
    double peak = io::no_number;  // cells without spheres have no speed
    for (const double speed :
         cells_table(profile_, channel_, given_.flow.obstacle).numbers("speed_m_per_s"))
        peak = std::fmax(peak, speed);
    io::Value summary = io::Value::object();
    summary.set("spheres_mean", count)
        .set("spheres_drift",
             mean(Quantity::spheres, 0.5, 1.0) / mean(Quantity::spheres, 0.0, 0.5) - 1.0)
        .set("steps", stream_->steps())
        .set("time_s", stream_->time())
        .set("contacts_per_sphere", contacts)
        .set("coordination_number", 2.0 * contacts)
        .set("overlaps_per_sphere", overlaps)
        .set("coordination_number_of_overlaps", 2.0 * overlaps)
        .set("solid_fraction", mean(solid_fraction))
        .set("rdf_peak_diameters", peak_of(rdf()))
        .set("speed_mean_m_per_s", mean(speed_mean))
        .set("speed_peak_m_per_s", peak)
        .set("angular_speed_mean_rad_per_s", mean(angular_speed_mean))
        .set("deepest_overlap_m", record().deepest)
        .set("deepest_overlap_radii", record().deepest / inflow_.radius)
        .set("largest_speed_m_per_s", record().fastest)
        .set("inflow_per_s", (exchange_.spheres_in - exchange_.in_before) / span)
        .set("outflow_per_s", (exchange_.spheres_out - exchange_.out_before) / span)
        .set("spheres_in", exchange_.spheres_in)
        .set("spheres_out", exchange_.spheres_out)
        .set("spheres_last", stream_->size())
        .set("energy_first_J", record().energy_first)
        .set("energy_last_J", record().energy)
        .set("energy_in_J", exchange_.energy_in)
        .set("energy_out_J", exchange_.energy_out)
        .set("work_of_plane_J", exchange_.plane)
        .set("work_of_error_reduction_J", record().error_reduction)
        .set("energy_lost_J", energy_lost())
        .set("energy_largest_gain_J", record().largest_gain)
        .set("residual_largest_m_per_s", record().residual)
        .set("unconverged_share", record().unconverged_share());
    if (stream_->is_distributed()) {
        const double mean = static_cast<double>(stream_->size()) / ranks_;
        summary.set("processes", ranks_)
            .set("process_imbalance", static_cast<double>(most_) / mean);
    }
    return summary;
}

void Flow::add_results(Outcome& outcome) {
    const auto& obstacle = given_.flow.obstacle;
    outcome.summary = summary();
    outcome.headlines = {"spheres_mean",       "coordination_number", "solid_fraction",
                         "rdf_peak_diameters", "deepest_overlap_m",   "energy_lost_J"};
    outcome.tables.emplace_back("history.csv", history());
    outcome.tables.emplace_back("profile.csv", profile_table(profile_, channel_, obstacle));
    const io::Table cells = cells_table(profile_, channel_, obstacle);
    outcome.tables.emplace_back("cells.csv", cells);
    outcome.tables.emplace_back("rdf.csv", rdf_table(rdf().g, diameter()));
    outcome.tables.emplace_back("spheres.csv", spheres_table(stream_->spheres()));
    outcome.curves = {"profile.csv", "x_m", std::vector<std::string>(profile_.along())};
    frames().add_to(outcome.files);
    // None has a speed without spheres in a sample, or without a sample.
    const std::vector<double> speeds = cells.numbers("speed_m_per_s");
    if (std::any_of(speeds.begin(), speeds.end(), [](double v) { return std::isfinite(v); }))
        outcome.files.emplace_back("vtk/cells.vtp", cells_vtp(cells, profile_, channel_));
    warn_of_missed_contacts(outcome, record().fastest, given_.flow.stepping.step, given_.margin());
    warn_of_rigid_overlap(outcome, record().deepest / inflow_.radius);
    warn_of_unsolved_contacts(outcome, record(), energy_lost(), given_.flow.stepping);
    if (samples_in_means() < 2) {
        outcome.warnings.emplace_back(
            "the means have fewer than two samples, so `spheres_drift` is unknown; give a smaller "
            "`statistics.every` or a longer duration");
    }
    if (empty_samples() > 0) {
        outcome.warnings.push_back(
            fmt::format("the channel was empty at {} of the {} samples in the means: means over "
                        "spheres are {}",
                        empty_samples(), samples_in_means(),
                        empty_samples() < samples_in_means() ? "of the others" : "unknown"));
    }
}

Outcome solve(const Case& given, const RunOptions& options) {
    Outcome outcome = Flow(given, options).solve(given.header, given.expectations);
    outcome.seed = given.flow.inflow.seed;
    return outcome;
}

}  // namespace

const Problem channel_flow_problem{
    .name = ChannelFlow::name,
    .meaning = ChannelFlow::meaning,
    .describe = describe,
    .read = typed_case<read_case, resolve, solve>,
    .report = {postproc::channel_flow_figures, postproc::channel_flow_report},
    .has_ranks = true};

}  // namespace stoss::solvers
