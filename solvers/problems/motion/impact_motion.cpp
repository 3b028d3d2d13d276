#include <solvers/problems/motion/impact_motion.hpp>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <solvers/case/beam_binding.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/contact_binding.hpp>
#include <solvers/case/ranged_case.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/motion/kept_motion.hpp>
#include <solvers/problems/motion/motion_ending.hpp>
#include <solvers/problems/motion/motion_figures.hpp>
#include <solvers/problems/motion/motion_recorder.hpp>
#include <solvers/problems/motion/poincare_sections.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/progress.hpp>
#include <stoss/core/state_numbers.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/motion/impact_motion.hpp>

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

io::Value summary_of(const MotionModel& model, const models::MotionSystem& made,
                     const motion::ImpactMotion& moving, std::size_t impacts) {
    const motion::MotionEnergy energy = moving.energy();
    io::Value summary = io::Value::object();
    summary.set("status", word_of(moving.status()))
        .set("time_s", moving.time())
        .set("impacts", impacts)
        .set("impacts_not_ended", moving.impacts() - impacts)
        .set("modes", made.system.modes())
        .set("steps", moving.steps());
    add_energies(summary, energy, has_friction(model));
    summary.set("energy_residual", relative_residual(energy));
    for (std::size_t i = 0; i < model.contacts.size(); ++i) {
        summary.set("gap_" + model.contacts[i].name + "_m", -moving.overlap(made.order[i]));
        summary.set("rate_" + model.contacts[i].name + "_m_per_s",
                    -moving.overlap_rate(made.order[i]));
        if (!model.contacts[i].friction) continue;
        for (std::size_t d = 0; d < tangents_of(model); ++d)
            summary.set(slip_names[d] + ("rate_" + model.contacts[i].name) + "_m_per_s",
                        moving.slip_rate(made.order[i])[d]);
    }
    return summary;
}

/// Keys of the summary that a terminal shows.
std::vector<std::string_view> headlines(bool has_open_impacts) {
    std::vector<std::string_view> names{"status", "time_s", "impacts"};
    if (has_open_impacts) names.emplace_back("impacts_not_ended");
    names.emplace_back("energy_residual");
    return names;
}

Outcome solve_motion(const Case& all, const RunOptions& options, Outcome outcome) {
    const MotionModel& model = all.models.given;
    const models::MotionSystem made = models::motion_system(model);
    warn_of_couplings(outcome, model, made);
    motion::ImpactMotion moving(made.system, all.keys.integration.tolerance);
    MotionRecorder recorder(model, made, static_cast<std::size_t>(all.keys.output.impacts));
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
            recorder.take(impact, moving);
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
    outcome.headlines = headlines(moving.impacts() > recorder.impacts());
    const io::Table impacts = recorder.impact_table();
    outcome.curves = {"impacts.csv", "impact", std::vector<std::string>(impacts.rows())};
    outcome.tables.emplace_back("impacts.csv", impacts);
    outcome.tables.emplace_back("history.csv", recorder.history());
    frames.add_to(outcome, model, made);
    judge(outcome, moving.status(), relative_residual(moving.energy()));
    warn_of_forces(outcome, model, unsolved_contacts(made, moving));
    warn_of_angles(outcome, model, recorder.largest_angles());
    judge_restitution(outcome, model, missed_restitution(model, made, moving));
    return outcome;
}

Outcome solve(const Case& all, const RunOptions& options) {
    Outcome outcome;
    outcome.header = all.header;
    outcome.expect = all.expectations.expect;
    return all.keys.poincare ? solve_sections(all.keys, all.models, options, std::move(outcome))
                             : solve_motion(all, options, std::move(outcome));
}

}  // namespace

const Problem impact_motion_problem{.name = ImpactMotion::name,
                                    .meaning = ImpactMotion::meaning,
                                    .describe = describe,
                                    .read = typed_case<read_case, resolve, solve>,
                                    .report = {postproc::motion_figures, postproc::motion_report}};

}  // namespace stoss::solvers
