#include <solvers/problems/motion/impact_motion.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <numbers>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <models/motion_picture.hpp>
#include <solvers/case/beam_binding.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/contact_binding.hpp>
#include <solvers/case/ranged_case.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/motion/kept_motion.hpp>
#include <solvers/problems/motion/motion_figures.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/core/progress.hpp>
#include <stoss/core/state_numbers.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/checkpoint.hpp>
#include <stoss/io/vtk.hpp>
#include <stoss/motion/impact_motion.hpp>
#include <stoss/motion/lyapunov.hpp>

namespace stoss::solvers {

namespace {

using models::MotionModel;
using Violations = std::vector<core::Violation>;

struct Case {
    CaseHeader header;
    CaseExpectations expectations;
    ImpactMotion keys;
    RangedCase<MotionModel> models;
};

auto read_all(const io::Document& document) {
    return io::read<CaseHeader, MotionModel, ImpactMotion, CaseExpectations>(document);
}

void check_keys(const ImpactMotion& keys, const MotionModel& model, Violations& found) {
    if (keys.end.has_value() == keys.poincare.has_value())
        found.push_back(
            {keys.end ? "end" : "end.time", "",
             keys.end ? "cannot be given together with `poincare`: each of them ends the motion"
                      : "is missing",
             "give either `end`, or `poincare` with its number of periods"});
    if (!keys.over.empty() && !keys.poincare)
        found.push_back({"over", "", "needs `poincare`", "give poincare.frequency"});
    if (!keys.poincare || keys.poincare->contact.empty()) return;
    std::vector<std::string> names;
    for (const models::MotionContact& contact : model.contacts) names.push_back(contact.name);
    if (std::ranges::find(names, keys.poincare->contact) != names.end()) return;
    const auto nearest = core::nearest_word(keys.poincare->contact, names);
    found.push_back({"poincare.contact", keys.poincare->contact, "is not a contact of the case",
                     nearest             ? "did you mean `" + *nearest + "`?"
                     : names.size() == 1 ? "the contact is " + names[0]
                                         : "the contacts are " + core::listed(names, "and")});
}

/// What only the finished system shows: bodies that overlap at time 0, contacts that cannot move.
Violations start_of(const MotionModel& model, const models::MotionSystem& made) {
    const Violations of_system = motion::check(made.system);
    Violations found;
    for (std::size_t i = 0; i < model.contacts.size(); ++i) {
        const std::string system_key = fmt::format("contacts[{}].", made.order[i]);
        const std::string key = fmt::format("contacts[{}].", i);
        for (core::Violation each : of_system) {
            if (!each.key.starts_with(system_key)) continue;
            each.key = key + each.key.substr(system_key.size());
            if (each.key.ends_with("].phi"))
                each = {key + "first", "", "is at a place where neither body can move",
                        "choose another place on the beam, or name a body that moves"};
            if (each.key.ends_with("].law.restitution")) each.key = key + "contact.restitution";
            found.push_back(std::move(each));
        }
    }
    if (found.empty() && !of_system.empty()) {
        const core::Violation& first = of_system.front();
        found.push_back({"bodies", "",
                         fmt::format("must give a motion of finite numbers ({}: {} {})", first.key,
                                     first.value, first.rule),
                         "look for a number of wrong size, such as a radius or a density"});
    }
    return found;
}

/// The same, or that the modes of a body cannot be computed.
Violations start_of(const MotionModel& model) {
    try {
        return start_of(model, models::motion_system(model));
    } catch (const core::NumericalError& error) {
        return {{"bodies", "",
                 fmt::format("must have modes that can be computed ({})", error.what()),
                 "look for a number of wrong size, such as a density or a length"}};
    }
}

/// The same at both ends of a range.
void check_start(const RangedCase<MotionModel>& models, const io::Document& document) {
    if (!models.range) {
        refuse(document, start_of(models.given));
        return;
    }
    io::Problems problems;
    for (const auto& [row, end] :
         {std::pair{std::size_t{0}, "over[0].from"}, std::pair{models.rows() - 1, "over[0].to"}}) {
        const core::Diagnostic place = document.locate({end, "", "", ""});
        for (core::Violation& each : start_of(models.at(row)))
            problems.push_back({document.file, place.line, place.column, std::move(each)});
    }
    io::throw_if_any(document, std::move(problems));
}

Case read_case(const io::Document& document) {
    Case all;
    MotionModel model;
    std::tie(all.header, model, all.keys, all.expectations) = read_all(document);
    Violations found = check(model);
    check_keys(all.keys, model, found);
    refuse(document, found);
    refuse(document,
           check_ranges(model, all.keys.over, {}, ImpactMotion::name, "forces[0].amplitude"));
    all.models =
        read_ranged(document, model, all.keys.over, std::optional<Sweep>{},
                    [](const io::Document& changed) { return std::get<1>(read_all(changed)); });
    check_start(all.models, document);
    return all;
}

io::Choice describe() {
    return io::describe_choice<ImpactMotion, MotionModel>();
}
io::Node resolve(const Case& all) {
    return io::to_node(all.header, all.models.given, all.keys, all.expectations);
}

/// A motion that could go on has been followed as far as the case asks.
std::string_view word_of(motion::MotionStatus status) {
    return status == motion::MotionStatus::running ? "complete" : motion::to_string(status);
}

// ---- sections

/// One point of a Poincare section.
struct SectionPoint {
    double gap = 0.0, rate = 0.0;  ///< [m], [m/s]: that at which the gap opens
    std::size_t impacts = 0;       ///< in the period before
    double speed = 0.0;            ///< largest approach speed in it [m/s]
};

/// Contacts whose impacts did not have the restitution that their law asks for, in the order of
/// the case.
struct MissedRestitution {
    std::vector<bool> undamped;  ///< an impact lacked its damping
    std::vector<bool> dented;    ///< an impact began in the dent of an earlier one

    explicit MissedRestitution(std::size_t contacts = 0) : undamped(contacts), dented(contacts) {}
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
    bool is_whole = true;        ///< false: the run was stopped before the last period
};

/// True if a law has a restitution that is to come of every impact.
bool wants_restitution(const contact::Law& law) {
    return std::visit(
        [](const auto& each) {
            if constexpr (requires { each.restitution.has_value(); })
                return each.restitution.has_value();
            return false;
        },
        law);
}

MissedRestitution missed_restitution(const MotionModel& model, const models::MotionSystem& made,
                                     const motion::ImpactMotion& moving) {
    MissedRestitution missed(model.contacts.size());
    for (std::size_t i = 0; i < model.contacts.size(); ++i) {
        const auto& parameters = model.contacts[i].contact;
        if (!parameters || !wants_restitution(parameters->law)) continue;
        missed.undamped[i] = moving.lacked_damping(made.order[i]);
        missed.dented[i] = moving.met_dent(made.order[i]);
    }
    return missed;
}

/// The contacts that touch where the forces were not found; all, if those that are about to touch
/// have a gap of roundoff.
std::vector<bool> unsolved_contacts(const models::MotionSystem& made,
                                    const motion::ImpactMotion& moving) {
    std::vector<bool> unsolved(made.order.size());
    if (moving.status() != motion::MotionStatus::unsolved) return unsolved;
    for (std::size_t i = 0; i < unsolved.size(); ++i)
        unsolved[i] = moving.overlap(made.order[i]) >= 0.0;
    if (std::ranges::find(unsolved, true) == unsolved.end()) unsolved.flip();
    return unsolved;
}

double relative_residual(const motion::MotionEnergy& energy) {
    const double scale = energy.initial + std::abs(energy.drive_work) + energy.contact_loss +
                         energy.friction_loss + energy.structural_loss + std::abs(energy.load_work);
    return scale > 0.0 ? energy.residual() / scale : 0.0;
}

/// Largest speed [m/s] that the drives give the surface of a contact.
double drive_speed(const motion::System& system, std::size_t contact) {
    double speed = 0.0;
    for (const motion::Drive& drive : system.drives)
        if (!drive.surfaces.empty()) speed += drive.frequency * std::abs(drive.surfaces[contact]);
    return speed;
}

std::size_t observed_contact(const Case& all) {
    const auto& contacts = all.models.given.contacts;
    for (std::size_t i = 0; i < contacts.size(); ++i)
        if (contacts[i].name == all.keys.poincare->contact) return i;
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

/// A motion that the run follows alone is kept by the checkpoint of `options`.
SectionedMotion sectioned(const Case& all, const MotionModel& model, const RunOptions& options) {
    const PoincareSection& section = *all.keys.poincare;
    const models::MotionSystem made = models::motion_system(model);
    const std::size_t contact = made.order[observed_contact(all)];
    motion::ImpactMotion moving(made.system, all.keys.integration.tolerance);
    SectionedMotion result;
    result.drive_speed = drive_speed(made.system, contact);
    SectionPoint point;
    const double shift = section.phase / (2.0 * std::numbers::pi);
    const int last = section.transient + section.periods;
    std::optional<motion::LyapunovExponent> exponent;
    if (section.lyapunov)
        exponent.emplace(made.system, all.keys.integration.tolerance,
                         2.0 * std::numbers::pi * section.frequency);
    int k = 0;
    KeptMotion kept(moving, options, [&] {
        std::vector<double> record{static_cast<double>(k)};
        core::PutNumbers put_exponent(record);
        if (exponent) put_exponent(*exponent);
        put(record, {point});
        put(record, result.points);
        return record;
    });
    if (const std::vector<double> record = kept.take_up(); !record.empty()) {
        std::span<const double> numbers = record;
        k = static_cast<int>(core::take(numbers));
        core::TakeNumbers take_exponent(numbers);
        if (exponent) take_exponent(*exponent);
        point = take_point(numbers);
        while (!numbers.empty()) result.points.push_back(take_point(numbers));
    }
    for (; k <= last && result.is_whole; ++k) {
        const double time = (static_cast<double>(k) + shift) / section.frequency;
        result.is_whole = kept.advance(time, [&](const motion::Impact& impact) {
            ++point.impacts;
            point.speed = std::max(point.speed, impact.approach_speed);
            return true;
        });
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
    result.status = moving.status();
    result.energy = moving.energy();
    result.energy_residual = relative_residual(result.energy);
    result.impacts = moving.impacts();
    result.steps = moving.steps();
    result.time = moving.time();
    result.missed = missed_restitution(model, made, moving);
    result.unsolved = unsolved_contacts(made, moving);
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
    put(row, result.points);
    return row;
}
SectionedMotion from_row(std::span<const double> row, std::size_t contacts) {
    SectionedMotion result;
    core::TakeNumbers take_all(row);
    take_all(result.status, result.energy_residual, result.impacts, result.steps, result.time,
             result.energy, result.lyapunov, result.drive_speed);
    result.missed = MissedRestitution(contacts);
    result.unsolved.resize(contacts);
    for (auto* const each : {&result.missed.undamped, &result.missed.dented, &result.unsolved})
        for (std::size_t i = 0; i < contacts; ++i) (*each)[i] = core::take(row) != 0.0;
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

double impacts_per_period(const SectionedMotion& result) {
    std::size_t impacts = 0;
    for (const SectionPoint& each : result.points) impacts += each.impacts;
    return result.points.empty()
               ? io::no_number
               : static_cast<double>(impacts) / static_cast<double>(result.points.size());
}

io::Table section_table(const Case& all, const std::vector<SectionedMotion>& results) {
    std::vector<double> values, gaps, rates, speeds;
    std::vector<std::int64_t> periods, impacts;
    for (std::size_t row = 0; row < results.size(); ++row) {
        const auto& points = results[row].points;
        for (std::size_t k = 0; k < points.size(); ++k) {
            if (all.models.range) values.push_back((*all.models.range)[row]);
            periods.push_back(static_cast<std::int64_t>(k) + all.keys.poincare->transient + 1);
            gaps.push_back(points[k].gap);
            rates.push_back(points[k].rate);
            impacts.push_back(static_cast<std::int64_t>(points[k].impacts));
            speeds.push_back(points[k].speed);
        }
    }
    io::Table table;
    if (all.models.range) table.add(all.models.place_name(), std::move(values));
    table.add("period", std::move(periods));
    table.add("gap_m", std::move(gaps));
    table.add("rate_m_per_s", std::move(rates));
    table.add("impacts", std::move(impacts));
    table.add("speed_m_per_s", std::move(speeds));
    return table;
}

io::Table diagram_table(const Case& all, const std::vector<SectionedMotion>& results) {
    std::vector<std::string> status;
    std::vector<std::int64_t> repeats;
    std::vector<double> impacts, speeds, exponents, residuals;
    for (const SectionedMotion& each : results) {
        status.emplace_back(word_of(each.status));
        repeats.push_back(periodicity(each, all.keys.poincare->frequency));
        impacts.push_back(impacts_per_period(each));
        double speed = 0.0;
        for (const SectionPoint& point : each.points) speed = std::max(speed, point.speed);
        speeds.push_back(speed);
        exponents.push_back(each.lyapunov);
        residuals.push_back(each.energy_residual);
    }
    io::Table table;
    table.add(all.models.place_name(), all.models.places());
    table.add("status", std::move(status));
    table.add("periodicity", std::move(repeats));
    table.add("impacts_per_period", std::move(impacts));
    table.add("speed_max_m_per_s", std::move(speeds));
    if (all.keys.poincare->lyapunov) table.add("lyapunov_1_per_s", std::move(exponents));
    table.add("energy_residual", std::move(residuals));
    return table;
}

bool has_friction(const MotionModel& model) {
    return std::ranges::any_of(model.contacts, [](const models::MotionContact& contact) {
        return contact.friction.has_value();
    });
}

void add_energies(io::Value& summary, const motion::MotionEnergy& energy, bool has_friction) {
    summary.set("energy_initial_J", energy.initial)
        .set("energy_modes_J", energy.modes)
        .set("energy_contacts_J", energy.contacts)
        .set("contact_loss_J", energy.contact_loss);
    if (has_friction) summary.set("friction_loss_J", energy.friction_loss);
    summary.set("structural_loss_J", energy.structural_loss)
        .set("load_work_J", energy.load_work)
        .set("drive_work_J", energy.drive_work);
}

/// Adds a warning that is not there yet.
void warn(Outcome& outcome, std::string words) {
    if (std::ranges::find(outcome.warnings, words) == outcome.warnings.end())
        outcome.warnings.push_back(std::move(words));
}

/// Warns of those contacts of the model for which `which` says so.
void warn_of_contacts(Outcome& outcome, const MotionModel& model, const std::vector<bool>& which,
                      std::string_view words) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < which.size(); ++i)
        if (which[i]) names.push_back("`" + model.contacts[i].name + "`");
    if (names.empty()) return;
    warn(outcome, fmt::format("{} {}: {}", names.size() == 1 ? "contact" : "contacts",
                              core::listed(names, "and"), words));
}

/// True if modes that are left out of a body yield to the contact forces.
bool has_residual_flexibility(const MotionModel& model) {
    return std::ranges::any_of(model.bodies, [](const models::Body& body) {
        const auto* const beam = std::get_if<models::BeamInMotion>(&body.kind);
        return beam && beam->residual_flexibility;
    });
}

/// Why the forces of the contacts `which` of the model could not be found.
void warn_of_forces(Outcome& outcome, const MotionModel& model, const std::vector<bool>& which) {
    warn_of_contacts(
        outcome, model, which,
        fmt::format("the equations of the contact forces could not be solved, even in "
                    "the shortest step: the numbers are those of the step before; {}",
                    has_residual_flexibility(model) ? "give the beams `residual_flexibility: false`"
                                                    : "change integration.tolerance"));
}

void judge(Outcome& outcome, motion::MotionStatus status) {
    if (status == motion::MotionStatus::not_finite) {
        outcome.ending = Ending::numerical_failure;
        warn(outcome, "the motion diverged");
    } else if (status == motion::MotionStatus::unsolved) {
        outcome.ending = Ending::numerical_failure;
    } else if (status == motion::MotionStatus::rests) {
        warn(outcome,
             "impacts by Newton's law follow each other infinitely often in a finite time: the "
             "motion is computed up to the end of this time, even if other bodies still move");
    } else if (status == motion::MotionStatus::pushed) {
        warn(outcome,
             "a force law acts on a body that rests on a surface by Newton's law (`cor`): the "
             "motion is computed up to there; give that surface a force law as well");
    }
}

void judge_restitution(Outcome& outcome, const MotionModel& model,
                       const MissedRestitution& missed) {
    warn_of_contacts(outcome, model, missed.undamped,
                     "an impact had no damping, because its damping follows from `restitution` and "
                     "the approach speed, and bodies that already touch have no approach speed; "
                     "give the damping itself (`damping_factor` or `damping`) in place of "
                     "`restitution`");
    warn_of_contacts(
        outcome, model, missed.dented,
        "only the first impact has the wanted `restitution`: its dent stays, and later impacts in "
        "the dent lose less energy or none; for one restitution of all impacts give a damped law "
        "with `restitution` or, for bodies without vibrations, `cor` in place of the law");
}

Outcome solve_sections(const Case& all, const RunOptions& options, Outcome outcome) {
    io::Checkpoint* const checkpoint = all.models.range ? options.checkpoint : nullptr;
    RunOptions own = options;
    if (all.models.range) own.checkpoint = nullptr;  // it keeps whole motions
    const auto results = compute_rows(
        all.models, "motions", options,
        [&](const MotionModel& model) { return sectioned(all, model, own); },
        [&](std::size_t row, SectionedMotion& result) {
            const auto kept = checkpoint ? checkpoint->row(row) : std::vector<double>{};
            if (!kept.empty()) result = from_row(kept, all.models.given.contacts.size());
            return !kept.empty();
        },
        [&](std::size_t row, const SectionedMotion& result) {
            if (checkpoint && result.is_whole) checkpoint->add(row, to_row(result));
            return result.is_whole;
        },
        outcome);
    if (outcome.ending == Ending::interrupted) return outcome;
    io::Value& summary = outcome.summary = io::Value::object();
    double residual = 0.0;
    std::size_t impacts = 0;
    MissedRestitution missed(all.models.given.contacts.size());
    for (const SectionedMotion& each : results) {
        residual = std::max(residual, std::abs(each.energy_residual));
        impacts += each.impacts;
        judge(outcome, each.status);
        warn_of_forces(outcome, all.models.given, each.unsolved);
        for (std::size_t i = 0; i < missed.undamped.size(); ++i) {
            missed.undamped[i] = missed.undamped[i] || each.missed.undamped[i];
            missed.dented[i] = missed.dented[i] || each.missed.dented[i];
        }
    }
    judge_restitution(outcome, all.models.given, missed);
    summary.set("status", all.models.range ? "complete" : word_of(results[0].status));
    summary.set("motions", results.size()).set("impacts", impacts);
    if (!all.models.range) {
        summary.set("periodicity", periodicity(results[0], all.keys.poincare->frequency));
        summary.set("impacts_per_period", impacts_per_period(results[0]));
        if (std::isfinite(results[0].lyapunov))
            summary.set("lyapunov_1_per_s", results[0].lyapunov);
        add_energies(summary, results[0].energy, has_friction(all.models.given));
    }
    summary.set("energy_residual_max", residual);
    outcome.headlines = {"status",           "impacts",
                         "periodicity",      "impacts_per_period",
                         "lyapunov_1_per_s", "energy_residual_max"};
    outcome.tables.emplace_back("sections.csv", section_table(all, results));
    if (all.models.range) {
        outcome.tables.emplace_back("map.csv", diagram_table(all, results));
        outcome.curves = {"map.csv", all.models.place_name(),
                          std::vector<std::string>(results.size())};
        summary.set("place", all.models.place_name());
    } else {
        outcome.curves = {"sections.csv", "period",
                          std::vector<std::string>(results[0].points.size())};
    }
    return outcome;
}

// ---- one motion

/// How the names of quantities along the first and the second tangent begin.
constexpr std::array<const char*, 2> tangential{"tangential_", "lateral_"},
    slip{"slip_", "lateral_slip_"};

/// All bodies at some moments of a motion, for ParaView.
class MotionFrames {
  public:
    /// `frames` of `samples`, evenly spaced; the first and the last sample are among them.
    explicit MotionFrames(const MotionOutput& output)
        : samples_(static_cast<std::size_t>(output.samples)),
          frames_(std::min(static_cast<std::size_t>(output.frames), samples_)) {}

    /// Keeps the coordinates of sample k, if it is one of the frames.
    void take(std::size_t k, const motion::ImpactMotion& moving) {
        if (frames_ == 0 || (k > 0 && k * (frames_ - 1) / (samples_ - 1) ==
                                          (k - 1) * (frames_ - 1) / (samples_ - 1)))
            return;
        kept_.push_back(moving.time());
        const std::vector<double> coordinates = moving.coordinates();
        kept_.insert(kept_.end(), coordinates.begin(), coordinates.end());
    }

    void put(std::vector<double>& numbers) const {
        numbers.push_back(static_cast<double>(kept_.size()));
        numbers.insert(numbers.end(), kept_.begin(), kept_.end());
    }
    void take_up(std::span<const double>& numbers) {
        kept_.resize(static_cast<std::size_t>(core::take(numbers)));
        for (double& each : kept_) each = core::take(numbers);
    }

    /// Appends vtk/motion.pvd and a file a frame.
    void add_to(Outcome& outcome, const MotionModel& model,
                const models::MotionSystem& made) const {
        if (kept_.empty()) return;
        const models::MotionPicture picture(model, made);
        const std::size_t row = made.system.modes() + 1;
        std::vector<double> bodies;
        for (const std::size_t body : picture.bodies())
            bodies.push_back(static_cast<double>(body + 1));
        std::vector<io::Frame> frames;
        for (std::size_t at = 0; at < kept_.size(); at += row) {
            core::throw_if_stopped();
            const std::span<const double> coordinates(&kept_[at + 1], row - 1);
            io::Polyline lines{picture.points(), {}, {}, picture.lines()};
            std::vector<double> displacements = picture.displacements(kept_[at], coordinates);
            for (std::size_t i = 0; i < displacements.size(); ++i)
                lines.points[i / 3][i % 3] += displacements[i];
            lines.point_arrays = {{"displacement_m", 3, std::move(displacements)},
                                  {"body", 1, bodies}};
            frames.push_back({kept_[at], std::move(lines)});
        }
        io::add_series(outcome.files, "vtk/motion", frames);
    }

  private:
    std::size_t samples_, frames_;
    std::vector<double> kept_;  // rows of time [s] and coordinates
};

/// The rows of history.csv and impacts.csv of a motion under way.
class Recorder {
  public:
    Recorder(const MotionModel& model, const models::MotionSystem& made, std::size_t most)
        : model_(model),
          made_(made),
          most_(most),
          gaps_(size()),
          rates_(size()),
          forces_(size()),
          tangents_(models::is_spatial(model) ? 2 : 1) {
        for (auto* const each : {&friction_, &slips_})
            for (auto& component : *each) component.resize(size());
    }

    void take(const motion::ImpactMotion& moving) {
        times_.push_back(moving.time());
        for (std::size_t i = 0; i < size(); ++i) {
            const std::size_t c = made_.order[i];
            gaps_[i].push_back(-moving.overlap(c));
            rates_[i].push_back(-moving.overlap_rate(c));
            forces_[i].push_back(moving.force(c));
            if (!model_.contacts[i].friction) continue;
            for (std::size_t d = 0; d < tangents_; ++d) {
                friction_[d][i].push_back(moving.tangential_force(c)[d]);
                slips_[d][i].push_back(moving.slip_rate(c)[d]);
            }
        }
        const motion::MotionEnergy energy = moving.energy();
        modes_.push_back(energy.modes);
        contacts_.push_back(energy.contacts);
        lost_.push_back(energy.contact_loss + energy.friction_loss + energy.structural_loss);
        work_.push_back(energy.load_work + energy.drive_work);
    }
    void take(const motion::Impact& impact) {
        ++count_;
        if (most_ == 0) return;
        if (impacts_.size() == most_) impacts_.pop_front();
        impacts_.push_back(impact);
    }

    std::size_t impacts() const { return count_; }

    /// All that was recorded, as numbers and back.
    void put(std::vector<double>& numbers) {
        numbers.push_back(static_cast<double>(count_));
        for (const std::vector<double>* const column : columns()) {
            numbers.push_back(static_cast<double>(column->size()));
            numbers.insert(numbers.end(), column->begin(), column->end());
        }
        numbers.push_back(static_cast<double>(impacts_.size()));
        for (const motion::Impact& each : impacts_) core::put_bytes(numbers, each);
    }
    void take_up(std::span<const double>& numbers) {
        count_ = static_cast<std::size_t>(core::take(numbers));
        for (std::vector<double>* const column : columns()) {
            column->resize(static_cast<std::size_t>(core::take(numbers)));
            for (double& each : *column) each = core::take(numbers);
        }
        impacts_.resize(static_cast<std::size_t>(core::take(numbers)));
        for (motion::Impact& each : impacts_) core::take_bytes(numbers, each);
    }

    io::Table history() {
        io::Table table;
        table.add("time_s", std::move(times_));
        for (std::size_t i = 0; i < size(); ++i) {
            const std::string& name = model_.contacts[i].name;
            table.add("gap_" + name + "_m", std::move(gaps_[i]));
            table.add("rate_" + name + "_m_per_s", std::move(rates_[i]));
            table.add("force_" + name + "_N", std::move(forces_[i]));
            if (!model_.contacts[i].friction) continue;
            for (std::size_t d = 0; d < tangents_; ++d) {
                table.add(tangential[d] + ("force_" + name) + "_N", std::move(friction_[d][i]));
                table.add(slip[d] + ("rate_" + name) + "_m_per_s", std::move(slips_[d][i]));
            }
        }
        table.add("energy_modes_J", std::move(modes_));
        table.add("energy_contacts_J", std::move(contacts_));
        table.add("energy_lost_J", std::move(lost_));
        table.add("work_J", std::move(work_));
        return table;
    }

    io::Table impact_table() const {
        std::vector<std::string> names;
        for (const motion::Impact& each : impacts_) names.push_back(name_of(each.contact));
        io::Table table;
        std::vector<std::int64_t> number;
        const std::size_t before = count_ - impacts_.size();
        for (std::size_t k = 0; k < impacts_.size(); ++k)
            number.push_back(static_cast<std::int64_t>(before + k) + 1);
        table.add("impact", std::move(number));
        table.add("contact", std::move(names));
        using Value = double (*)(const motion::Impact&);
        static constexpr std::pair<const char*, Value> columns[] = {
            {"start_s", [](const motion::Impact& i) { return i.start; }},
            {"end_s", [](const motion::Impact& i) { return i.end; }},
            {"approach_speed_m_per_s", [](const motion::Impact& i) { return i.approach_speed; }},
            {"separation_speed_m_per_s",
             [](const motion::Impact& i) { return i.separation_speed; }},
            {"cor",
             [](const motion::Impact& i) {
                 return i.approach_speed > 0.0 ? i.separation_speed / i.approach_speed
                                               : io::no_number;
             }},
            {"impulse_N_s", [](const motion::Impact& i) { return i.impulse; }},
            {"peak_force_N", [](const motion::Impact& i) { return i.peak_force; }},
            {"loss_J", [](const motion::Impact& i) { return i.loss; }},
        };
        static constexpr std::pair<const char*, Value> columns_of_friction[] = {
            {"tangential_impulse_N_s",
             [](const motion::Impact& i) { return i.tangential_impulse; }},
            {"slip_m", [](const motion::Impact& i) { return i.slip; }},
            {"friction_loss_J", [](const motion::Impact& i) { return i.friction_loss; }},
        };
        static constexpr std::pair<const char*, Value> columns_in_space[] = {
            {"lateral_impulse_N_s", [](const motion::Impact& i) { return i.lateral_impulse; }},
            {"lateral_slip_m", [](const motion::Impact& i) { return i.lateral_slip; }},
        };
        const auto add = [&](const auto& all) {
            for (const auto& [name, value] : all) {
                std::vector<double> values;
                for (const motion::Impact& each : impacts_) values.push_back(value(each));
                table.add(name, std::move(values));
            }
        };
        add(columns);
        if (!has_friction(model_)) return table;
        add(columns_of_friction);
        if (tangents_ == 2) add(columns_in_space);
        return table;
    }

  private:
    std::size_t size() const { return model_.contacts.size(); }
    std::vector<std::vector<double>*> columns() {
        std::vector<std::vector<double>*> all{&times_, &modes_, &contacts_, &lost_, &work_};
        for (auto* const list :
             {&gaps_, &rates_, &forces_, &friction_[0], &friction_[1], &slips_[0], &slips_[1]})
            for (std::vector<double>& column : *list) all.push_back(&column);
        return all;
    }
    std::string name_of(std::size_t place) const {
        for (std::size_t i = 0; i < size(); ++i)
            if (made_.order[i] == place) return model_.contacts[i].name;
        return "";
    }

    const MotionModel& model_;
    const models::MotionSystem& made_;
    std::size_t most_, count_ = 0;
    std::vector<double> times_, modes_, contacts_, lost_, work_;
    std::vector<std::vector<double>> gaps_, rates_, forces_;
    std::size_t tangents_;                                              // of contacts with friction
    std::array<std::vector<std::vector<double>>, 2> friction_, slips_;  // along each of them
    std::deque<motion::Impact> impacts_;
};

io::Value summary_of(const MotionModel& model, const models::MotionSystem& made,
                     const motion::ImpactMotion& moving, std::size_t impacts) {
    const motion::MotionEnergy energy = moving.energy();
    io::Value summary = io::Value::object();
    summary.set("status", word_of(moving.status()))
        .set("time_s", moving.time())
        .set("impacts", impacts)
        .set("modes", made.system.modes())
        .set("steps", moving.steps());
    add_energies(summary, energy, has_friction(model));
    summary.set("energy_residual", relative_residual(energy));
    for (std::size_t i = 0; i < model.contacts.size(); ++i) {
        summary.set("gap_" + model.contacts[i].name + "_m", -moving.overlap(made.order[i]));
        summary.set("rate_" + model.contacts[i].name + "_m_per_s",
                    -moving.overlap_rate(made.order[i]));
        if (!model.contacts[i].friction) continue;
        const std::size_t tangents = models::is_spatial(model) ? 2 : 1;
        for (std::size_t d = 0; d < tangents; ++d)
            summary.set(slip[d] + ("rate_" + model.contacts[i].name) + "_m_per_s",
                        moving.slip_rate(made.order[i])[d]);
    }
    return summary;
}

Outcome solve_motion(const Case& all, const RunOptions& options, Outcome outcome) {
    const MotionModel& model = all.models.given;
    const models::MotionSystem made = models::motion_system(model);
    motion::ImpactMotion moving(made.system, all.keys.integration.tolerance);
    Recorder recorder(model, made, static_cast<std::size_t>(all.keys.output.impacts));
    MotionFrames frames(all.keys.output);
    const auto samples = static_cast<std::size_t>(all.keys.output.samples);
    core::Progress progress("samples", samples, options.quiet);
    outcome.items = "samples";
    outcome.item_count = samples;
    std::size_t k = 1;
    KeptMotion kept(moving, options, [&] {
        std::vector<double> record{static_cast<double>(k)};
        recorder.put(record);
        frames.put(record);
        return record;
    });
    if (const std::vector<double> record = kept.take_up(); !record.empty()) {
        std::span<const double> numbers = record;
        k = static_cast<std::size_t>(core::take(numbers));
        recorder.take_up(numbers);
        frames.take_up(numbers);
    } else {
        recorder.take(moving);
        frames.take(0, moving);
    }
    bool is_over = false;
    for (; k < samples && !is_over; ++k) {
        const double time =
            all.keys.end->time * static_cast<double>(k) / static_cast<double>(samples - 1);
        const bool goes_on = kept.advance(time, [&](const motion::Impact& impact) {
            recorder.take(impact);
            is_over = static_cast<double>(recorder.impacts()) >= all.keys.end->impacts;
            return !is_over;
        });
        if (!goes_on) {
            outcome.ending = Ending::interrupted;
            outcome.items_done = k;
            return outcome;
        }
        is_over = is_over || moving.status() != motion::MotionStatus::running;
        recorder.take(moving);
        frames.take(k, moving);
        progress.advance();
    }
    outcome.items_done = samples;
    outcome.summary = summary_of(model, made, moving, recorder.impacts());
    outcome.headlines = {"status", "time_s", "impacts", "energy_residual"};
    const io::Table impacts = recorder.impact_table();
    outcome.curves = {"impacts.csv", "impact", std::vector<std::string>(impacts.rows())};
    outcome.tables.emplace_back("impacts.csv", impacts);
    outcome.tables.emplace_back("history.csv", recorder.history());
    frames.add_to(outcome, model, made);
    judge(outcome, moving.status());
    warn_of_forces(outcome, model, unsolved_contacts(made, moving));
    judge_restitution(outcome, model, missed_restitution(model, made, moving));
    return outcome;
}

/// Each mode moves on its own here.
void warn_of_couplings(Outcome& outcome, const MotionModel& model) {
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        const auto* const given = std::get_if<models::BeamInMotion>(&model.bodies[i].kind);
        if (!given) continue;
        const auto coupling =
            models::coupling_damping(given->beam, fmt::format("bodies[{}].beam.", i));
        if (!coupling) continue;
        const auto made = models::motion_system(model).bodies.at(model.bodies[i].name);
        warn(outcome,
             fmt::format("{} {} (damping_coupling {:.2g}), which a motion leaves out: its "
                         "damping is approximate; beam_impact takes it into account",
                         coupling->key, coupling->rule, made.beam->basis.damping_coupling));
    }
}

Outcome solve(const Case& all, const RunOptions& options) {
    Outcome outcome;
    outcome.header = all.header;
    outcome.expect = all.expectations.expect;
    warn_of_couplings(outcome, all.models.given);
    return all.keys.poincare ? solve_sections(all, options, std::move(outcome))
                             : solve_motion(all, options, std::move(outcome));
}

}  // namespace

const Problem impact_motion_problem{.name = ImpactMotion::name,
                                    .meaning = ImpactMotion::meaning,
                                    .describe = describe,
                                    .read = typed_case<read_case, resolve, solve>,
                                    .report = {postproc::motion_figures, postproc::motion_report}};

}  // namespace stoss::solvers
