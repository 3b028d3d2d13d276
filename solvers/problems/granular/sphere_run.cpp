#include <solvers/problems/granular/sphere_run.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <stoss/core/progress.hpp>
#include <stoss/granular/state.hpp>
#include <stoss/granular/statistics.hpp>
#include <stoss/io/checkpoint.hpp>

namespace stoss::solvers {

namespace {

constexpr std::array record_members{
    &StepRecord::energy_first,  &StepRecord::energy,        &StepRecord::error_reduction,
    &StepRecord::largest_gain,  &StepRecord::deepest,       &StepRecord::fastest,
    &StepRecord::deepest_share, &StepRecord::sweeps,        &StepRecord::steps,
    &StepRecord::unconverged,   &StepRecord::residual,      &StepRecord::largest_kinetic,
    &StepRecord::farthest_turn, &StepRecord::since_deepest, &StepRecord::since_residual,
    &StepRecord::since_fastest, &StepRecord::since_sweeps,  &StepRecord::since_steps};
static_assert(sizeof(StepRecord) == record_members.size() * sizeof(double));

}  // namespace

std::size_t steps_in(double duration, double step) {
    return std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(duration / step)));
}

void StepRecord::add(const granular::StepReport& report, double before, double after, double speed,
                     double tolerance) {
    const double work = report.work_of_error_reduction + report.work_of_walls;
    error_reduction += report.work_of_error_reduction;
    largest_gain = std::max(largest_gain, after - before - work);
    energy = after;
    fastest = std::max(fastest, speed);
    sweeps += report.sweeps;
    steps += 1.0;
    if (report.residual > tolerance) unconverged += 1.0;
    residual = std::max(residual, report.residual);
    since_deepest = std::max(since_deepest, report.deepest_overlap);
    since_residual = std::max(since_residual, report.residual);
    since_fastest = std::max(since_fastest, speed);
    since_sweeps += report.sweeps;
    since_steps += 1.0;
}

void StepRecord::add_overlap(const granular::StepReport& report) {
    deepest = std::max(deepest, report.deepest_overlap);
    deepest_share = std::max(deepest_share, report.deepest_share);
}

void StepRecord::begin_sample() {
    since_deepest = since_residual = since_fastest = 0.0;
    since_sweeps = since_steps = 0.0;
}

SphereRun::SphereRun(std::span<const char* const> columns, std::size_t steps, int frames,
                     const RunOptions& options)
    : columns_(columns),
      steps_(steps),
      frames_wanted_(static_cast<std::size_t>(frames)),
      options_(options) {}

Outcome SphereRun::solve(const CaseHeader& header, const CaseExpectations& expectations) {
    const bool is_complete = run();
    Outcome outcome;
    outcome.header = header;
    outcome.expect = expectations.expect;
    outcome.items = "steps";
    outcome.item_count = steps_;
    outcome.items_done = steps_done();
    if (!is_complete) {
        outcome.ending = Ending::interrupted;
        return outcome;
    }
    if (!report_.is_finite) {
        outcome.ending = Ending::numerical_failure;
        outcome.warnings.push_back(failure());
    }
    add_results(outcome);
    return outcome;
}

/// False if the run was stopped before its end.
bool SphereRun::run() {
    if (!resume()) take_frame();
    core::Progress progress(words(), steps_ - steps_done(), options_.quiet);
    const auto is_save_due = [&] {
        return options_.checkpoint && options_.checkpoint->is_due() && Clock::now() >= next_save_;
    };
    while (steps_done() < steps_ && report_.is_finite) {
        if (options_.stop()) {
            save();
            return false;
        }
        report_ = step();
        if (!report_.is_finite || is_sample_due()) {
            rows_.push_back(sample());
            record_.begin_sample();
            progress.rename(words());
        }
        if (is_moment(frames_wanted_)) take_frame();
        progress.advance();
        if (is_save_due()) save();
    }
    return true;
}

std::string SphereRun::failure() const {
    return "the motion diverged at " + in_short(time(), "s");
}

/// What is counted, and how many spheres there are.
std::string SphereRun::words() const {
    return fmt::format("steps ({} spheres, {} contacts, {} sweeps)", size(), report_.pressing,
                       report_.sweeps);
}

bool SphereRun::is_moment(std::size_t count) const {
    const std::size_t step = steps_done();
    return step * count / steps_ != (step - 1) * count / steps_;
}

void SphereRun::take_frame() {
    if (frames_wanted_ > 0) frames_.take(time(), spheres(), options_.checkpoint);
}

/// Counts, the last report, the record, the history, and the state of the derived class.
void SphereRun::save() {
    if (!options_.checkpoint) return;
    const auto start = Clock::now();
    std::vector<double> all{static_cast<double>(frames_.count()), static_cast<double>(rows_.size()),
                            static_cast<double>(report_.pressing), report_.deepest_overlap,
                            report_.residual};
    for (const auto member : record_members) all.push_back(record_.*member);
    for (const std::vector<double>& row : rows_) granular::put(all, row);
    granular::put(all, state());
    options_.checkpoint->replace_state(all);
    next_save_ = Clock::now() + 50 * (Clock::now() - start);  // at most 2 % of the time
}

/// False if there is nothing to go on from.
bool SphereRun::resume() {
    if (!options_.checkpoint) return false;
    const std::vector<double> all = options_.checkpoint->state();
    if (all.empty()) return false;
    std::span<const double> rest = all;
    const auto frames = static_cast<std::size_t>(granular::take(rest));
    rows_.assign(static_cast<std::size_t>(granular::take(rest)),
                 std::vector<double>(columns_.size()));
    report_.pressing = static_cast<std::size_t>(granular::take(rest));
    report_.deepest_overlap = granular::take(rest);
    report_.residual = granular::take(rest);
    for (const auto member : record_members) record_.*member = granular::take(rest);
    for (std::vector<double>& row : rows_) {
        for (double& value : row) value = granular::take(rest);
    }
    restore(rest);
    frames_.resume(frames, *options_.checkpoint);
    return true;
}

io::Table SphereRun::history() const {
    io::Table table;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
        std::vector<double> values;
        for (const std::vector<double>& row : rows_) values.push_back(row[k]);
        table.add(columns_[k], std::move(values));
    }
    return table;
}

void include_end(granular::StepReport& last, const granular::Spheres& spheres,
                 std::span<const granular::Wall> walls) {
    const granular::DeepestOverlap end = granular::deepest_overlap(spheres, walls);
    last.deepest_overlap = std::max(last.deepest_overlap, end.depth);
    last.deepest_share = std::max(last.deepest_share, end.share);
}

std::string in_short(double value, std::string_view unit) {
    return fmt::format("{:.3g} {}", value, unit);
}

void warn_of_missed_contacts(Outcome& outcome, double fastest, double step, double margin) {
    if (2.0 * step * fastest <= margin) return;
    outcome.warnings.push_back(fmt::format(
        "a sphere moved {} in a step, more than half the margin of {}: contacts may have been "
        "missed; take a shorter step or a wider margin",
        in_short(step * fastest, "m"), in_short(margin, "m")));
}

void warn_of_rigid_overlap(Outcome& outcome, double share) {
    constexpr double tolerated_overlap = 0.1;
    if (share <= tolerated_overlap) return;
    outcome.warnings.push_back(fmt::format(
        "the deepest overlap is {:.2g} of the smaller radius: rigid spheres should overlap far "
        "less; take a shorter step, or raise `stepping.sweeps` or `stepping.error_reduction`",
        share));
}

void warn_of_unsolved_contacts(Outcome& outcome, const StepRecord& record, double lost,
                               const models::SphereStepping& stepping) {
    constexpr double much_work = 0.05, much_gain = 0.01;  // of the energy lost
    constexpr double much_residual = 0.1;                 // of the largest speed
    const double negligible = 1e-6 * (std::abs(record.energy_first) + std::abs(record.energy));
    std::vector<std::string> facts;
    if (record.error_reduction > std::max(negligible, much_work * lost)) {
        facts.push_back(
            fmt::format("the reduction of overlaps brought in {:.2g} J, {:.2g} J were lost",
                        record.error_reduction, lost));
    }
    if (record.largest_gain > std::max(negligible, much_gain * lost))
        facts.push_back(fmt::format("a step gained {:.2g} J", record.largest_gain));
    const bool is_unconverged = record.unconverged_share() > 0.5;
    if (is_unconverged && record.residual > much_residual * record.fastest &&
        record.residual > 100.0 * stepping.tolerance) {
        facts.push_back(fmt::format(
            "{:.0f} % of the steps end at {} sweeps, the worst with a residual of {:.2g} m/s",
            100.0 * record.unconverged_share(), stepping.sweeps, record.residual));
    }
    if (facts.empty()) return;
    outcome.warnings.push_back(fmt::format(
        "energies are not accurate: {}; {}, or take a shorter step", fmt::join(facts, "; "),
        is_unconverged ? "raise `stepping.sweeps`" : "lower `stepping.error_reduction`"));
}

}  // namespace stoss::solvers
