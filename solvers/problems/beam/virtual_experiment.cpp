#include <solvers/problems/beam/virtual_experiment.hpp>

#include <algorithm>
#include <array>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>

#include <fmt/format.h>
#include <models/beam_matrices.hpp>
#include <models/beam_model.hpp>
#include <postproc/experiment/columns.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/collision_ending.hpp>
#include <solvers/case/input_echo.hpp>
#include <solvers/case/open_rows.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/beam/beam_case.hpp>
#include <solvers/problems/beam/virtual_experiment_figures.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/modal/modal_flow.hpp>

namespace stoss::solvers {

namespace {

constexpr double revolution = 2.0 * std::numbers::pi;
constexpr std::size_t history_capacity = 2000;
constexpr std::size_t most_samples = 200'000'000;  // of all traces together: 2 GB

struct Case {
    CaseHeader header;
    models::BeamCollision collision;
    VirtualExperiment experiment;
    CaseExpectations expectations;

    std::size_t places() const { return experiment.locations.count(); }
    /// xi of a place.
    double xi(std::size_t place) const {
        return experiment.locations.xi(place, collision.beam.length);
    }
    std::size_t repeats() const { return static_cast<std::size_t>(experiment.repeats); }
    std::size_t collisions() const { return places() * repeats(); }
    std::size_t samples() const {
        const EncoderModel& encoder = experiment.encoder;
        return static_cast<std::size_t>((encoder.before + encoder.after) * encoder.sampling_rate) +
               1;
    }
    double resolution() const {
        const EncoderModel& encoder = experiment.encoder;
        return revolution / (encoder.pulses_per_revolution * (encoder.quadrature ? 4.0 : 1.0));
    }
};

/// xi of the only pin; nothing if the beam can do more than turn about a pin, or less.
std::optional<double> pin_of(const models::Beam& beam) {
    std::optional<double> pin;
    for (const models::Support& support : beam.supports) {
        if (support.type == models::SupportType::free) continue;
        if (pin || support.type != models::SupportType::pin) return {};
        pin = support.xi;
    }
    return pin;
}

/// Wider scatter than the struck side of the pin would put nearly every place off the beam: it
/// would be drawn again without end.
std::vector<core::Violation> check_scatter(const Case& given) {
    const double pin = *pin_of(given.collision.beam), length = given.collision.beam.length;
    const double side = (given.xi(0) > pin ? 1.0 - pin : pin) * length;
    const double scatter = given.experiment.scatter.location;
    if (scatter <= side) return {};
    return {{"scatter.location", core::with_unit(scatter, "m"),
             fmt::format("must be <= {:.4g} m, the length of the beam from the pin to its struck "
                         "end",
                         side),
             ""}};
}

/// Restitution is read from the rotation of the beam alone, whose free motion has one closed form a
/// mode and begins without vibration.
std::vector<core::Violation> check_motion(const models::BeamCollision& collision) {
    std::vector<core::Violation> violations;
    if (collision.striker.velocity != 0.0) {
        violations.push_back({"striker.velocity",
                              core::with_unit(collision.striker.velocity, "m/s"),
                              "must be 0: restitution is read from the rotation of the beam alone",
                              "let the beam turn: motion.angular_velocity"});
    }
    if (collision.striker.striking_beam()) {
        violations.push_back(
            {"striker.shape", std::string(models::StrikingBeam::name),
             "must be cylinder or sphere: restitution is read from the rotation of the beam alone",
             "use a cylinder or sphere"});
    }
    if (const double mass = collision.striker.total_mass(); std::isfinite(mass)) {
        violations.push_back(
            {"striker.mass", core::with_unit(mass, "kg"),
             "must be inf: restitution is read from the rotation of the beam alone",
             "write mass: inf"});
    }
    if (models::is_loaded(collision)) {
        violations.push_back({"motion", "",
                              "gravity and loads are not possible: before and after the impact "
                              "only bearing friction acts on the beam",
                              "leave them out"});
    }
    if (!collision.motion.vibration.empty()) {
        violations.push_back({"motion.vibration", "",
                              "is not possible: the beam vibrates only after the impact",
                              "leave it out"});
    }
    if (auto coupling = models::what_couples_modes(collision.beam, "beam.")) {
        coupling->rule += ", which the motion before and after the impact does not have";
        coupling->suggestion = "leave out " + coupling->key;
        violations.push_back(std::move(*coupling));
    }
    return violations;
}

std::vector<core::Violation> check_case(const Case& given) {
    auto violations = models::check(given.collision);
    core::append(solvers::check(given.experiment.locations, given.collision.beam.length),
                 violations);
    if (!pin_of(given.collision.beam)) {
        violations.push_back({"beam.supports", "",
                              "must be one pin: the encoder records how the beam turns about it",
                              ""});
    }
    if (!violations.empty()) return violations;
    const auto [least, greatest] =
        std::ranges::minmax(given.experiment.locations.all(given.collision.beam.length));
    for (const double xi : {least, greatest}) {  // V_rel is linear in xi
        const double speed = models::rigid_approach_speed(given.collision, xi);
        if (speed > 0.0) continue;
        violations.push_back(
            {"locations", core::to_text(xi),
             fmt::format("the bodies do not approach each other there: V_rel = {:.4g} m/s", speed),
             how_to_approach});
        break;
    }
    if (violations.empty()) core::append(check_scatter(given), violations);
    core::append(check_motion(given.collision), violations);
    const double all =
        static_cast<double>(given.samples()) * static_cast<double>(given.collisions());
    if (all > static_cast<double>(most_samples)) {
        violations.push_back(
            {"repeats", std::to_string(given.experiment.repeats),
             fmt::format("{:.3g} samples in all are too many", all),
             fmt::format("at most {:.0g} are possible; use fewer collisions or shorter traces",
                         static_cast<double>(most_samples))});
    }
    return violations;
}

Case read_case(const io::Document& document) {
    auto [header, collision, experiment, expectations] =
        io::read<CaseHeader, models::BeamCollision, VirtualExperiment, CaseExpectations>(document);
    Case result{header, collision, experiment, expectations};
    refuse(document, check_case(result));
    return result;
}

io::Choice describe() {
    return io::describe_choice<VirtualExperiment, models::BeamCollision>();
}
io::Node resolve(const Case& given) {
    return io::to_node(given.header, given.collision, given.experiment, given.expectations);
}

InputEcho echo(const Case& given) {
    return echo_of(given.collision, given.experiment.locations.all(given.collision.beam.length));
}

/// What chance decides about one collision.
struct Chance {
    double xi;      // that is struck
    double speed;   // factor of all velocities
    double phase;   // of the first contact between two samples, in [0, 1)
    double offset;  // angle of the beam at first contact [rad]
};

/// Drawn in one order, whatever the number of threads.
std::vector<Chance> draw(const Case& given) {
    std::mt19937_64 engine(static_cast<std::uint64_t>(given.experiment.seed));
    boost::random::normal_distribution<double> normal;
    boost::random::uniform_01<double> uniform;
    const Scatter& scatter = given.experiment.scatter;
    const double width = scatter.location / given.collision.beam.length;
    // A place off the beam, and a beam that turns the other way, are drawn again; by check_scatter
    // one place in three is on it.
    const auto drawn_within = [&](double mean, double deviation, const core::Range& range) {
        double value = mean + deviation * normal(engine);
        while (!range.contains(value)) value = mean + deviation * normal(engine);
        return value;
    };
    const double pin = *pin_of(given.collision.beam);
    std::vector<Chance> chances;
    for (std::size_t i = 0; i < given.collisions(); ++i) {
        const double xi = given.xi(i / given.repeats());
        const core::Range side =
            xi > pin ? core::Range{pin, 1.0, true, false} : core::Range{0.0, pin, false, true};
        chances.push_back({drawn_within(xi, width, side),
                           drawn_within(1.0, scatter.speed, core::positive), uniform(engine),
                           revolution * uniform(engine)});
    }
    return chances;
}

/// Free rotation of the beam about its pin: viscous damping and dry friction
/// (theory/experiments.md 14.1).
struct FreeRotation {
    double omega;     // at time 0 [rad/s]
    double damping;   // [1/s]
    double friction;  // [rad/s^2]

    /// Angle [rad] turned in `time` [s], which may be negative.
    double angle(double time) const {
        const double sense = omega < 0.0 ? -1.0 : 1.0, speed = std::abs(omega);
        const double now = friction > 0.0 ? std::min(time, time_to_rest()) : time;
        if (damping * std::abs(now) < 1e-8) return sense * (speed - 0.5 * friction * now) * now;
        const double limit = friction / damping;
        return sense * (-(speed + limit) * core::expm1(-damping * now) / damping - limit * now);
    }

  private:
    double time_to_rest() const {
        const double speed = std::abs(omega);
        if (damping * speed < 1e-8 * friction) return speed / friction;
        return core::log1p(damping * speed / friction) / damping;
    }
};

/// The rotation of the beam at the encoder through one collision; time counts from first contact.
class Rotation {
  public:
    Rotation(const models::BeamModel& model, const Eigen::VectorXd& shapes, double friction,
             const impact::History& history)
        : model_(model), shapes_(shapes), friction_(friction), samples_(history.samples()) {}

    double omega_before() const { return rigid_after(samples_.front()).omega; }  // [rad/s]
    /// At `separation` [s]. From there to the last sample the computed motion is free, with viscous
    /// damping alone.
    double omega_after(double separation) const {
        const FreeRotation last = rigid_after(samples_.back());
        return last.omega * core::exp(last.damping * (samples_.back().time - separation));
    }

    double angle(double time) const {
        if (time < 0.0) return rigid_after(samples_.front()).angle(time);
        const impact::Sample& last = samples_.back();
        return time < last.time ? in_contact(time) : in_free_motion(last, time - last.time);
    }

  private:
    double sum(const std::vector<double>& values) const {
        return shapes_.dot(Eigen::Map<const Eigen::VectorXd>(values.data(), shapes_.size()));
    }

    /// Between two samples: the cubic through angles and rates.
    double in_contact(double time) const {
        const auto above = std::ranges::upper_bound(samples_, time, {}, &impact::Sample::time);
        const impact::Sample& end = *above;
        const impact::Sample& begin = *(above - 1);
        const double step = end.time - begin.time, s = (time - begin.time) / step, r = 1.0 - s;
        if (begin.force == 0.0 && end.force == 0.0) return in_free_motion(begin, time - begin.time);
        return r * r * (1.0 + 2.0 * s) * sum(begin.body_modes) +
               s * s * (1.0 + 2.0 * r) * sum(end.body_modes) +
               step * s * r * (r * sum(begin.body_rates) - s * sum(end.body_rates));
    }

    /// `time` after a sample, by the exact flow of the vibrations.
    double in_free_motion(const impact::Sample& start, double time) const {
        const modal::ModalBasis& basis = model_.beam().basis();
        double angle = shapes_[0] * start.body_modes[0] + rigid_after(start).angle(time);
        for (Eigen::Index j = 1; j < shapes_.size(); ++j) {
            const auto mode = static_cast<std::size_t>(j);
            const modal::ModalFlow flow =
                modal::modal_flow(basis.eigenvalues[j], basis.damping[j], time);
            angle +=
                shapes_[j] * (flow.qq * start.body_modes[mode] + flow.qv * start.body_rates[mode]);
        }
        return angle;
    }

    FreeRotation rigid_after(const impact::Sample& start) const {
        return {shapes_[0] * start.body_rates[0], model_.beam().basis().damping[0], friction_};
    }

    const models::BeamModel& model_;
    const Eigen::VectorXd& shapes_;
    double friction_;
    const std::vector<impact::Sample>& samples_;
};

/// What one collision leaves: its trace and the truth behind it.
struct Record {
    impact::CollisionResult result;
    std::optional<double> omega_before, omega_after;  // [rad/s]
    double contact = 0.0;                             // first contact [s]
    std::vector<std::int64_t> counts;
    bool is_done = false;
};

/// A record as the numbers that a checkpoint keeps: what the tables need, then the counts.
std::vector<double> to_row(const Record& record) {
    const impact::CollisionResult& result = record.result;
    std::vector<double> row{static_cast<double>(result.status),
                            result.cor_kinematic,
                            result.separation,
                            static_cast<double>(result.sub_impacts.size()),
                            result.energy.residual,
                            result.cor_error.value_or(io::no_number),
                            record.omega_before.value_or(io::no_number),
                            record.omega_after.value_or(io::no_number),
                            record.contact};
    row.insert(row.end(), record.counts.begin(), record.counts.end());
    return row;
}

Record to_record(const std::vector<double>& row) {
    Record record;
    impact::CollisionResult& result = record.result;
    result.status = static_cast<impact::Status>(static_cast<int>(row[0]));
    result.cor_kinematic = row[1];
    result.separation = row[2];
    result.sub_impacts.resize(static_cast<std::size_t>(row[3]));
    result.energy.residual = row[4];
    result.cor_error = io::number_in(row[5]);
    record.omega_before = io::number_in(row[6]);
    record.omega_after = io::number_in(row[7]);
    record.contact = row[8];
    for (auto count = row.begin() + 9; count != row.end(); ++count) {
        record.counts.push_back(static_cast<std::int64_t>(*count));
    }
    record.is_done = true;
    return record;
}

Record record(const Case& given, const models::BeamModel& model, const Eigen::VectorXd& shapes,
              const Chance& chance) {
    Record record;
    impact::History history(history_capacity);
    record.result = model.collide(chance.xi, chance.speed, &history);
    record.is_done = true;
    if (record.result.status != impact::Status::separated) return record;
    const Rotation rotation(model, shapes, given.experiment.bearing_friction, history);
    record.omega_before = rotation.omega_before();
    record.omega_after = rotation.omega_after(record.result.separation);
    const EncoderModel& encoder = given.experiment.encoder;
    record.contact = encoder.before + chance.phase / encoder.sampling_rate;
    for (std::size_t i = 0; i < given.samples(); ++i) {
        const double time = static_cast<double>(i) / encoder.sampling_rate - record.contact;
        const double angle = chance.offset + rotation.angle(time);
        record.counts.push_back(static_cast<std::int64_t>(std::floor(angle / given.resolution())));
    }
    return record;
}

std::vector<Record> record_all(const Case& given, const models::BeamModel& model,
                               const std::vector<Chance>& chances, const RunOptions& options) {
    const double place = given.experiment.encoder.xi.value_or(*pin_of(given.collision.beam));
    const Eigen::VectorXd shapes = model.beam().rotations(place);
    const auto rows = compute_open_rows(
        chances.size(), {"collisions"}, options,
        [&](std::size_t i) { return to_row(record(given, model, shapes, chances[i])); });
    std::vector<Record> records(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (!rows[i].empty()) records[i] = to_record(rows[i]);
    return records;
}

std::string trace_name(const Case& given, std::size_t collision) {
    return fmt::format("trace_{:04}_{:03}.csv", collision / given.repeats() + 1,
                       collision % given.repeats() + 1);
}

io::Table synthetic_table() {
    io::Table table;
    table.comments.emplace_back(postproc::synthetic_comment);
    return table;
}

io::Table trace_table(const Case& given, const Record& record) {
    std::vector<double> time;
    for (std::size_t i = 0; i < record.counts.size(); ++i) {
        time.push_back(static_cast<double>(i) / given.experiment.encoder.sampling_rate);
    }
    io::Table table = synthetic_table();
    table.add("time_s", std::move(time));
    table.add("angle_counts", record.counts);
    return table;
}

/// What the experimenter knows: the intended place of each trace.
io::Table manifest(const Case& given, const std::vector<Record>& records) {
    std::vector<std::string> files;
    std::vector<double> xi;
    std::vector<std::int64_t> trials;
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (records[i].counts.empty()) continue;
        files.push_back(trace_name(given, i));
        xi.push_back(given.xi(i / given.repeats()));
        trials.push_back(static_cast<std::int64_t>(i % given.repeats()) + 1);
    }
    io::Table table = synthetic_table();
    table.add("file", std::move(files));
    table.add("xi", std::move(xi));
    table.add("trial", std::move(trials));
    return table;
}

/// What only the computation knows.
io::Table truth(const Case& given, const std::vector<Chance>& chances,
                const std::vector<Record>& records) {
    io::Table table = synthetic_table();
    std::vector<std::string> files, statuses;
    std::vector<std::int64_t> sub_impacts;
    for (std::size_t i = 0; i < records.size(); ++i) {
        files.push_back(trace_name(given, i));
        statuses.emplace_back(impact::to_string(records[i].result.status));
        sub_impacts.push_back(static_cast<std::int64_t>(records[i].result.sub_impacts.size()));
    }
    const auto add = [&](const char* name, const auto& value) {
        std::vector<double> values;
        for (std::size_t i = 0; i < records.size(); ++i) values.push_back(value(i));
        table.add(name, std::move(values));
    };
    const auto separated = [&](std::size_t i, double value) {
        return records[i].counts.empty() ? io::no_number : value;
    };
    table.add("file", std::move(files));
    add("xi", [&](std::size_t i) { return given.xi(i / given.repeats()); });
    add("xi_struck", [&](std::size_t i) { return chances[i].xi; });
    add("omega_before_rad_per_s",
        [&](std::size_t i) { return records[i].omega_before.value_or(io::no_number); });
    add("omega_after_rad_per_s",
        [&](std::size_t i) { return records[i].omega_after.value_or(io::no_number); });
    add("cor_kinematic",
        [&](std::size_t i) { return separated(i, records[i].result.cor_kinematic); });
    add("first_contact_s", [&](std::size_t i) { return separated(i, records[i].contact); });
    add("separation_s", [&](std::size_t i) {
        return separated(i, records[i].contact + records[i].result.separation);
    });
    table.add("sub_impacts", std::move(sub_impacts));
    table.add("status", std::move(statuses));
    return table;
}

/// So that `stoss encoder` needs no options.
std::string encoder_settings(const EncoderModel& encoder) {
    return fmt::format("pulses_per_revolution: {}\nquadrature: {}\n", encoder.pulses_per_revolution,
                       encoder.quadrature ? "true" : "false");
}

io::Value summary_of(const Case& given, const std::vector<Record>& records) {
    std::size_t recorded = 0;
    double least = core::infinity, greatest = -core::infinity;
    for (const Record& record : records) {
        if (record.counts.empty()) continue;
        ++recorded;
        least = std::min(least, record.result.cor_kinematic);
        greatest = std::max(greatest, record.result.cor_kinematic);
    }
    io::Value summary = io::Value::object();
    summary.set("synthetic", true);
    summary.set("seed", given.experiment.seed);
    summary.set("locations", given.places());
    summary.set("collisions", records.size());
    summary.set("traces", recorded);
    summary.set("samples_per_trace", given.samples());
    summary.set("resolution_rad", given.resolution());
    if (recorded > 0) {
        summary.set("cor_kinematic_min", least).set("cor_kinematic_max", greatest);
    }
    return summary;
}

Outcome solve(Case given, const RunOptions& options) {
    const std::vector<Chance> chances = draw(given);
    Outcome outcome;
    outcome.header = given.header;
    outcome.expect = given.expectations.expect;
    outcome.seed = given.experiment.seed;
    outcome.headlines = {"traces", "cor_kinematic_min", "cor_kinematic_max"};
    outcome.items = "collisions";
    outcome.item_count = given.collisions();
    outcome.ending = Ending::interrupted;  // until all is done
    const std::vector<double> places = given.experiment.locations.all(given.collision.beam.length);
    std::optional<models::ModeChoice> choice;
    if (!settle_modes(std::array{&given.collision}, places, options, choice)) return outcome;
    const models::BeamModel model(given.collision);
    const std::vector<Record> records = record_all(given, model, chances, options);
    outcome.items_done = static_cast<std::size_t>(std::ranges::count_if(records, &Record::is_done));
    if (outcome.items_done < outcome.item_count) return outcome;
    outcome.ending = Ending::complete;
    outcome.summary = summary_of(given, records);
    add_choice(outcome, choice, &given.collision);
    outcome.tables.emplace_back("truth.csv", truth(given, chances, records));
    outcome.tables.emplace_back("traces/manifest.csv", manifest(given, records));
    outcome.files.emplace_back("traces/encoder.yaml", encoder_settings(given.experiment.encoder));
    std::vector<Ended> ended;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const impact::CollisionResult& result = records[i].result;
        ended.push_back({result.status, result.energy.residual, result.cor_error});
        if (records[i].counts.empty()) continue;
        outcome.tables.emplace_back("traces/" + trace_name(given, i),
                                    trace_table(given, records[i]));
    }
    judge(outcome, ended, given.collision.integration.scheme);
    return outcome;
}

}  // namespace

const Problem virtual_experiment_problem{
    .name = VirtualExperiment::name,
    .meaning = VirtualExperiment::meaning,
    .describe = describe,
    .read = typed_case<read_case, resolve, solve, echo>,
    .report = {postproc::virtual_experiment_figures, postproc::virtual_experiment_report},
    .has_shards = true};

}  // namespace stoss::solvers
