#include <solvers/problems/motion/poincare_sections.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <solvers/problems/motion/kept_motion.hpp>
#include <solvers/problems/motion/motion_ending.hpp>
#include <stoss/core/state_numbers.hpp>
#include <stoss/io/checkpoint.hpp>
#include <stoss/motion/impact_motion.hpp>
#include <stoss/motion/lyapunov.hpp>

namespace stoss::solvers {

namespace {

using models::MotionModel;

/// One point of a Poincare section.
struct SectionPoint {
    double gap = 0.0, rate = 0.0;  ///< [m], [m/s]: that at which the gap opens
    std::size_t impacts = 0;       ///< in the period before
    double speed = 0.0;            ///< largest approach speed in it [m/s]
};

/// A motion seen once a period.
struct SectionedMotion {
    motion::MotionStatus status = motion::MotionStatus::running;
    std::vector<SectionPoint> points;
    double energy_residual = 0.0;  ///< relative to the work that was done
    std::size_t impacts = 0, steps = 0;
    double time = 0.0;
    motion::MotionEnergy energy;
    double lyapunov = io::no_number;  ///< [1/s], if it was asked for
    double drive_speed = 0.0;         ///< largest one of the surface of the contact [m/s]
    MissedRestitution missed;
    std::vector<bool> unsolved;  ///< contacts whose forces were not found, in the order of the case
    std::vector<double> largest_angles;  ///< [rad], of each body of the case
    bool is_whole = true;                ///< false: the run was stopped before the last period
};

/// Largest speed [m/s] that the drives give the surface of a contact.
double drive_speed(const motion::System& system, std::size_t contact) {
    double speed = 0.0;
    for (const motion::Drive& drive : system.drives)
        if (!drive.surfaces.empty()) speed += drive.frequency * std::abs(drive.surfaces[contact]);
    return speed;
}

/// The place of the contact of that name; the first one if there is none.
std::size_t observed_contact(const MotionModel& model, const std::string& name) {
    for (std::size_t i = 0; i < model.contacts.size(); ++i)
        if (model.contacts[i].name == name) return i;
    return 0;
}

void put(std::vector<double>& numbers, const std::vector<SectionPoint>& points) {
    for (const SectionPoint& each : points)
        numbers.insert(numbers.end(),
                       {each.gap, each.rate, static_cast<double>(each.impacts), each.speed});
}
SectionPoint take_point(std::span<const double>& numbers) {
    SectionPoint point;
    point.gap = core::take(numbers);
    point.rate = core::take(numbers);
    point.impacts = static_cast<std::size_t>(core::take(numbers));
    point.speed = core::take(numbers);
    return point;
}

void note_ending(SectionedMotion& result, const MotionModel& model,
                 const models::MotionSystem& made, const motion::ImpactMotion& moving) {
    result.status = moving.status();
    result.energy = moving.energy();
    result.energy_residual = relative_residual(result.energy);
    result.impacts = moving.impacts();
    result.steps = moving.steps();
    result.time = moving.time();
    result.missed = missed_restitution(model, made, moving);
    result.unsolved = unsolved_contacts(made, moving);
}

/// A motion that the run follows alone is kept by the checkpoint of `options`.
SectionedMotion sectioned(const ImpactMotion& keys, const MotionModel& model,
                          const RunOptions& options) {
    const PoincareSection& section = *keys.poincare;
    const models::MotionSystem made = models::motion_system(model);
    const std::size_t contact = made.order[observed_contact(model, section.contact)];
    motion::ImpactMotion moving(made.system, keys.integration.tolerance);
    SectionedMotion result;
    result.drive_speed = drive_speed(made.system, contact);
    result.largest_angles.resize(model.bodies.size());
    SectionPoint point;
    const double shift = section.phase / (2.0 * std::numbers::pi);
    const int last = section.transient + section.periods;
    std::optional<motion::LyapunovExponent> exponent;
    if (section.lyapunov)
        exponent.emplace(made.system, keys.integration.tolerance,
                         2.0 * std::numbers::pi * section.frequency);
    int k = 0;
    KeptMotion kept(moving, options, [&] {
        std::vector<double> record{static_cast<double>(k)};
        core::PutNumbers put_exponent(record);
        if (exponent) put_exponent(*exponent);
        core::put(record, result.largest_angles);
        put(record, {point});
        put(record, result.points);
        return record;
    });
    if (const std::vector<double> record = kept.take_up(); !record.empty()) {
        std::span<const double> numbers = record;
        k = static_cast<int>(core::take(numbers));
        core::TakeNumbers take_exponent(numbers);
        if (exponent) take_exponent(*exponent);
        core::take(numbers, result.largest_angles);
        point = take_point(numbers);
        while (!numbers.empty()) result.points.push_back(take_point(numbers));
    }
    for (; k <= last && result.is_whole; ++k) {
        const double time = (static_cast<double>(k) + shift) / section.frequency;
        result.is_whole = kept.advance(time, [&](const motion::Impact& impact) {
            ++point.impacts;
            point.speed = std::max(point.speed, impact.approach_speed);
            note_angles(model, made, moving, result.largest_angles);
            return true;
        });
        note_angles(model, made, moving, result.largest_angles);
        if (!result.is_whole || moving.status() != motion::MotionStatus::running) break;
        point.gap = -moving.overlap(contact);
        point.rate = -moving.overlap_rate(contact);
        if (k > section.transient) result.points.push_back(point);
        point = {};
        if (!exponent || 2 * k < section.transient) continue;  // its direction settles first
        exponent->follow(moving);
        if (k == section.transient) exponent->restart();
        exponent->begin(moving);
    }
    if (exponent) result.lyapunov = exponent->value().value_or(io::no_number);
    note_ending(result, model, made, moving);
    return result;
}

/// A row of a diagram as a checkpoint keeps it.
std::vector<double> to_row(SectionedMotion result) {
    std::vector<double> row;
    core::PutNumbers put_all(row);
    put_all(result.status, result.energy_residual, result.impacts, result.steps, result.time,
            result.energy, result.lyapunov, result.drive_speed);
    for (const auto* const each :
         {&result.missed.undamped, &result.missed.dented, &result.unsolved})
        row.insert(row.end(), each->begin(), each->end());
    core::put(row, result.largest_angles);
    put(row, result.points);
    return row;
}
SectionedMotion from_row(std::span<const double> row, const MotionModel& model) {
    SectionedMotion result;
    core::TakeNumbers take_all(row);
    take_all(result.status, result.energy_residual, result.impacts, result.steps, result.time,
             result.energy, result.lyapunov, result.drive_speed);
    const std::size_t contacts = model.contacts.size();
    result.missed = MissedRestitution(contacts);
    result.unsolved.resize(contacts);
    result.largest_angles.resize(model.bodies.size());
    for (auto* const each : {&result.missed.undamped, &result.missed.dented, &result.unsolved})
        for (std::size_t i = 0; i < contacts; ++i) (*each)[i] = core::take(row) != 0.0;
    core::take(row, result.largest_angles);
    while (!row.empty()) result.points.push_back(take_point(row));
    return result;
}

/// The least number of periods after which the section repeats, up to 32; 0: it does not.
/// `frequency` [Hz]: of the sections.
int periodicity(const SectionedMotion& motion, double frequency) {
    constexpr double same = 1e-5;
    constexpr std::size_t longest = 32;
    const std::vector<SectionPoint>& points = motion.points;
    // Gap and rate of a body at rest are roundoff: speeds of impacts and drives tell what is small.
    double gap = 0.0, rate = motion.drive_speed;
    for (const SectionPoint& each : points) {
        gap = std::max(gap, std::abs(each.gap));
        rate = std::max({rate, std::abs(each.rate), each.speed});
    }
    gap = std::max(gap, rate / (2.0 * std::numbers::pi * frequency));
    for (std::size_t p = 1; p <= longest && 2 * p <= points.size(); ++p) {
        bool repeats = true;
        for (std::size_t k = points.size() - p; k < points.size(); ++k) {
            const SectionPoint &now = points[k], &before = points[k - p];
            repeats = repeats && std::abs(now.gap - before.gap) <= same * gap &&
                      std::abs(now.rate - before.rate) <= same * rate;
        }
        if (repeats) return static_cast<int>(p);
    }
    return 0;
}

/// The larger number; NaN if one of them is.
double larger(double one, double other) {
    return std::isnan(one) || one > other ? one : other;
}

double impacts_per_period(const SectionedMotion& result) {
    std::size_t impacts = 0;
    for (const SectionPoint& each : result.points) impacts += each.impacts;
    return result.points.empty()
               ? io::no_number
               : static_cast<double>(impacts) / static_cast<double>(result.points.size());
}

io::Table section_table(const ImpactMotion& keys, const RangedCase<MotionModel>& motions,
                        const std::vector<SectionedMotion>& results) {
    std::vector<double> values, gaps, rates, speeds;
    std::vector<std::int64_t> periods, impacts;
    for (std::size_t row = 0; row < results.size(); ++row) {
        const auto& points = results[row].points;
        for (std::size_t k = 0; k < points.size(); ++k) {
            if (motions.range) values.push_back((*motions.range)[row]);
            periods.push_back(static_cast<std::int64_t>(k) + keys.poincare->transient + 1);
            gaps.push_back(points[k].gap);
            rates.push_back(points[k].rate);
            impacts.push_back(static_cast<std::int64_t>(points[k].impacts));
            speeds.push_back(points[k].speed);
        }
    }
    io::Table table;
    if (motions.range) table.add(motions.place_name(), std::move(values));
    table.add("period", std::move(periods));
    table.add("gap_m", std::move(gaps));
    table.add("rate_m_per_s", std::move(rates));
    table.add("impacts", std::move(impacts));
    table.add("speed_m_per_s", std::move(speeds));
    return table;
}

io::Table diagram_table(const ImpactMotion& keys, const RangedCase<MotionModel>& motions,
                        const std::vector<SectionedMotion>& results) {
    std::vector<std::string> status;
    std::vector<std::int64_t> repeats;
    std::vector<double> impacts, speeds, exponents, residuals;
    for (const SectionedMotion& each : results) {
        status.emplace_back(word_of(each.status));
        repeats.push_back(periodicity(each, keys.poincare->frequency));
        impacts.push_back(impacts_per_period(each));
        double speed = 0.0;
        for (const SectionPoint& point : each.points) speed = std::max(speed, point.speed);
        speeds.push_back(speed);
        exponents.push_back(each.lyapunov);
        residuals.push_back(each.energy_residual);
    }
    io::Table table;
    table.add(motions.place_name(), motions.places());
    table.add("status", std::move(status));
    table.add("periodicity", std::move(repeats));
    table.add("impacts_per_period", std::move(impacts));
    table.add("speed_max_m_per_s", std::move(speeds));
    if (keys.poincare->lyapunov) table.add("lyapunov_1_per_s", std::move(exponents));
    table.add("energy_residual", std::move(residuals));
    return table;
}

void judge_all(Outcome& outcome, const MotionModel& model,
               const std::vector<SectionedMotion>& results) {
    MissedRestitution missed(model.contacts.size());
    std::vector<double> angles(model.bodies.size(), 0.0);
    for (const SectionedMotion& each : results) {
        judge(outcome, each.status, each.energy_residual);
        warn_of_forces(outcome, model, each.unsolved);
        for (std::size_t i = 0; i < angles.size(); ++i)
            angles[i] = std::max(angles[i], each.largest_angles[i]);
        for (std::size_t i = 0; i < missed.undamped.size(); ++i) {
            missed.undamped[i] = missed.undamped[i] || each.missed.undamped[i];
            missed.dented[i] = missed.dented[i] || each.missed.dented[i];
        }
    }
    warn_of_angles(outcome, model, angles);
    judge_restitution(outcome, model, missed);
}

/// Warns of damping that couples the modes at an end of the range. The given case is none of its
/// motions.
void warn_of_couplings(Outcome& outcome, const RangedCase<MotionModel>& motions) {
    for (const std::size_t row : {std::size_t{0}, motions.rows() - 1}) {
        const MotionModel model = motions.at(row);
        if (!has_coupled_modes(model)) continue;
        warn_of_couplings(outcome, model, models::motion_system(model));
        return;
    }
}

}  // namespace

Outcome solve_sections(const ImpactMotion& keys, const RangedCase<MotionModel>& motions,
                       const RunOptions& options, Outcome outcome) {
    warn_of_couplings(outcome, motions);
    io::Checkpoint* const checkpoint = motions.range ? options.checkpoint : nullptr;
    RunOptions own = options;
    if (motions.range) own.checkpoint = nullptr;  // it keeps whole motions
    const auto results = compute_rows(
        motions, "motions", options,
        [&](const MotionModel& model) { return sectioned(keys, model, own); },
        [&](std::size_t row, SectionedMotion& result) {
            const auto kept = checkpoint ? checkpoint->row(row) : std::vector<double>{};
            if (!kept.empty()) result = from_row(kept, motions.given);
            return !kept.empty();
        },
        [&](std::size_t row, const SectionedMotion& result) {
            if (checkpoint && result.is_whole) checkpoint->add(row, to_row(result));
            return result.is_whole;
        },
        outcome);
    if (outcome.ending == Ending::interrupted) return outcome;
    judge_all(outcome, motions.given, results);
    io::Value& summary = outcome.summary = io::Value::object();
    double residual = 0.0;
    std::size_t impacts = 0;
    for (const SectionedMotion& each : results) {
        residual = larger(std::abs(each.energy_residual), residual);
        impacts += each.impacts;
    }
    summary.set("status", motions.range ? "complete" : word_of(results[0].status));
    summary.set("motions", results.size()).set("impacts", impacts);
    if (!motions.range) {
        summary.set("periodicity", periodicity(results[0], keys.poincare->frequency));
        summary.set("impacts_per_period", impacts_per_period(results[0]));
        if (std::isfinite(results[0].lyapunov))
            summary.set("lyapunov_1_per_s", results[0].lyapunov);
        add_energies(summary, results[0].energy, has_friction(motions.given));
    }
    summary.set("energy_residual_max", residual);
    outcome.headlines = {"status",           "impacts",
                         "periodicity",      "impacts_per_period",
                         "lyapunov_1_per_s", "energy_residual_max"};
    outcome.tables.emplace_back("sections.csv", section_table(keys, motions, results));
    if (motions.range) {
        outcome.tables.emplace_back("map.csv", diagram_table(keys, motions, results));
        outcome.curves = {"map.csv", motions.place_name(),
                          std::vector<std::string>(results.size())};
        summary.set("place", motions.place_name());
    } else {
        outcome.curves = {"sections.csv", "period",
                          std::vector<std::string>(results[0].points.size())};
    }
    return outcome;
}

}  // namespace stoss::solvers
