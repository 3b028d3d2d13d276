#include <solvers/problems/beam/beam_impact.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <models/beam_model.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/collision_columns.hpp>
#include <solvers/case/collision_ending.hpp>
#include <solvers/case/input_echo.hpp>
#include <solvers/case/limit_warnings.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/beam/beam_case.hpp>
#include <solvers/problems/beam/beam_figures.hpp>
#include <solvers/problems/beam/beam_report.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/impact/contact_work.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/vtk.hpp>

namespace stoss::solvers {

namespace {

using Case = std::tuple<CaseHeader, models::BeamCollision, BeamImpact, CaseExpectations>;

constexpr std::size_t history_capacity = 8192;  // samples kept of one collision
constexpr std::size_t shape_frames = 128;       // beam shapes written for ParaView
constexpr int shape_points = 200;               // segments of a shape

Case read_case(const io::Document& document) {
    Case parameters =
        io::read<CaseHeader, models::BeamCollision, BeamImpact, CaseExpectations>(document);
    const auto& [header, collision, place, expectations] = parameters;
    std::vector<core::Violation> violations = models::check(collision);
    core::append(solvers::check(place.location, collision.beam.length), violations);
    core::append(check_gradient_keys(place, collision), violations);
    refuse(document, violations);
    const double xi = place.location.on(collision.beam.length);
    const double approach_speed = models::rigid_approach_speed(collision, xi);
    if (!(approach_speed > 0.0)) refuse(document, {bodies_do_not_approach(xi, approach_speed)});
    return parameters;
}

io::Choice describe() {
    return io::describe_choice<BeamImpact, models::BeamCollision>();
}
io::Node resolve(const Case& given) {
    const auto& [header, collision, place, expectations] = given;
    return io::to_node(header, collision, place, expectations);
}

InputEcho echo(const Case& given) {
    const auto& [header, collision, place, expectations] = given;
    return echo_of(collision, std::array{place.location.on(collision.beam.length)});
}

io::Table history_table(const models::BeamModel& model, const impact::History& history) {
    struct Column {
        const char* name;
        double (*value)(const models::BeamModel&, const impact::Sample&);
    };
    using Model = const models::BeamModel&;
    using Sample = const impact::Sample&;
    static constexpr auto mode = [](Sample s, std::size_t j) {
        return j < s.energy_modes.size() ? s.energy_modes[j] : 0.0;
    };
    static constexpr Column columns[] = {
        {"time_s", [](Model, Sample s) { return s.time; }},
        {"tau", [](Model m, Sample s) { return s.time / m.scales().time; }},
        {"overlap_m", [](Model, Sample s) { return s.overlap; }},
        {"displacement_m", [](Model, Sample s) { return s.body_displacement; }},
        {"displacement_nondimensional",
         [](Model m, Sample s) { return s.body_displacement / m.scales().length; }},
        {"approach_velocity_m_per_s", [](Model, Sample s) { return s.approach_velocity; }},
        {"approach_velocity_nondimensional",
         [](Model m, Sample s) { return s.approach_velocity / m.scales().speed; }},
        {"force_N", [](Model, Sample s) { return s.force; }},
        {"force_nondimensional", [](Model m, Sample s) { return s.force / m.scales().force; }},
        {"energy_rigid", [](Model, Sample s) { return s.energy_rigid; }},
        {"energy_vibration", [](Model, Sample s) { return s.energy_vibration; }},
        {"energy_mode_1", [](Model, Sample s) { return mode(s, 0); }},
        {"energy_mode_2", [](Model, Sample s) { return mode(s, 1); }},
        {"energy_mode_3", [](Model, Sample s) { return mode(s, 2); }},
        {"energy_mode_4", [](Model, Sample s) { return mode(s, 3); }},
        {"energy_contact", [](Model, Sample s) { return s.energy_contact; }},
        {"energy_structural_loss", [](Model, Sample s) { return s.energy_structural_loss; }},
        {"energy_contact_loss", [](Model, Sample s) { return s.energy_contact_loss; }},
        {"energy_load_work", [](Model, Sample s) { return s.energy_load_work; }},
    };
    io::Table table;
    for (const Column& column : columns) {
        std::vector<double> values;
        values.reserve(history.samples().size());
        for (Sample sample : history.samples()) values.push_back(column.value(model, sample));
        table.add(column.name, std::move(values));
    }
    return table;
}

io::Table sub_impact_table(const models::BeamModel& model, const impact::CollisionResult& result) {
    std::vector<std::int64_t> number;
    std::vector<double> start, end, tau_start, tau_end, impulse, peak_force;
    for (const impact::SubImpact& sub_impact : result.sub_impacts) {
        number.push_back(static_cast<std::int64_t>(number.size()) + 1);
        start.push_back(sub_impact.start);
        end.push_back(sub_impact.end);
        tau_start.push_back(sub_impact.start / model.scales().time);
        tau_end.push_back(sub_impact.end / model.scales().time);
        impulse.push_back(sub_impact.impulse);
        peak_force.push_back(sub_impact.peak_force);
    }
    io::Table table;
    table.add("sub_impact", std::move(number));
    table.add("start_s", std::move(start));
    table.add("end_s", std::move(end));
    table.add("tau_start", std::move(tau_start));
    table.add("tau_end", std::move(tau_end));
    table.add("impulse_N_s", std::move(impulse));
    table.add("peak_force_N", std::move(peak_force));
    return table;
}

/// Numbers of a finished collision that follow from the columns of the map.
void add_derived(io::Value& summary, const models::BeamModel& model,
                 const impact::CollisionResult& result) {
    const impact::EnergyBalance& energy = result.energy;
    summary.set("separation_speed_m_per_s", result.separation_speed);
    summary.set("separation_speed_nondimensional", result.separation_speed / model.scales().speed);
    summary.set("cor_difference", result.cor_kinematic - result.cor_kinetic);
    const double brought = 1.0 + energy.load_work;
    summary.set("energy_sum", brought + energy.residual);
    summary.set("energy_lost", brought - energy.rigid - energy.vibration);
}

/// Where the energy is when the bodies have come to rest: in the last sample of the motion.
void add_energies_at_rest(io::Value& summary, const impact::Sample& last) {
    summary.set("energy_rigid", last.energy_rigid)
        .set("energy_vibration", last.energy_vibration)
        .set("energy_structural_loss", last.energy_structural_loss)
        .set("energy_contact_loss", last.energy_contact_loss)
        .set("energy_load_work", last.energy_load_work);
}

/// `columns`: those of the map.
io::Value summary_of(const models::BeamModel& model, double xi,
                     const impact::CollisionResult& result, std::span<const double> columns) {
    io::Value summary = io::Value::object();
    summary.set("status", impact::to_string(result.status));
    add_model_scales(summary, model, xi);
    const auto names = collision_columns();
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == "sub_impacts") {
            summary.set(std::string(names[i]), result.sub_impacts.size());
        } else {
            summary.set(std::string(names[i]), columns[i]);
        }
    }
    summary.set("initial_energy_J", result.initial_energy);
    summary.set("approach_speed_nondimensional", result.approach_speed / model.scales().speed);
    if (result.status == impact::Status::separated) add_derived(summary, model, result);
    summary.set("steps", result.steps);
    return summary;
}

/// Shapes of the beam over time, evenly spaced in time, for ParaView.
void add_shapes(Outcome& outcome, const models::BeamModel& model, const impact::History& history) {
    const auto& samples = history.samples();
    const std::size_t count = std::min(samples.size(), shape_frames);
    std::vector<io::Frame> frames;
    std::size_t i = 0;
    for (std::size_t frame = 0; frame < count; ++frame) {
        core::throw_if_stopped();
        // The first sample at or after its time: samples are denser where contacts begin and end.
        const double time = samples.front().time + (samples.back().time - samples.front().time) *
                                                       static_cast<double>(frame) /
                                                       static_cast<double>(shape_frames);
        while (i + 1 < samples.size() && samples[i].time < time) ++i;
        if (!frames.empty() && samples[i].time <= frames.back().time) continue;
        io::Polyline line;
        std::vector<double> displacement;
        for (int point = 0; point <= shape_points; ++point) {
            const double xi = static_cast<double>(point) / shape_points;
            line.points.push_back({xi * model.scales().length, 0.0, 0.0});
            displacement.insert(displacement.end(),
                                {0.0, model.beam().displacement(xi, samples[i].body_modes), 0.0});
        }
        line.point_arrays.push_back({"displacement_m", 3, std::move(displacement)});
        line.field_values.push_back({"force_N", samples[i].force});
        frames.push_back({samples[i].time, std::move(line)});
    }
    io::add_series(outcome.files, "vtk/beam", frames);
}

/// gradient.csv and what the summary says of it.
void add_gradient(Outcome& outcome, const models::BeamModel& model, const BeamImpact& place,
                  std::span<const double> columns) {
    if (!place.has_gradient()) return;
    const GradientStudy study(model, place);
    const double length = model.scales().length;
    const auto xi_on = [&](double of) { return place.location.on(of); };
    const std::array rows{
        study.row(columns, study.slopes(xi_on(length), xi_by_length(xi_on, length)))};
    GradientTable table = beam_gradient_table(place);
    table.add(study.keys(), rows.front());
    table.add_to(outcome.summary, false);
    outcome.tables.emplace_back("gradient.csv", table.table());
    add_gradient_lines(outcome);
    warn_of_gradient(outcome.warnings, study.keys(), rows);
}

Outcome solve(const Case& given, const RunOptions& options) {
    const core::StopScope scope(&options.stop);  // a stopped run keeps no results
    auto [header, collision, place, expectations] = given;
    const double xi = place.location.on(collision.beam.length);
    Outcome outcome;
    outcome.header = header;
    outcome.expect = expectations.expect;
    outcome.items = "collisions";
    outcome.item_count = 1;
    std::optional<models::ModeChoice> choice;
    if (!settle_modes(std::array{&collision}, std::array{xi}, options, choice)) {
        outcome.ending = Ending::interrupted;
        return outcome;
    }
    const models::BeamModel model = choice && choice->models.size() == 1
                                        ? std::move(choice->models.front())
                                        : models::BeamModel(collision);
    impact::History history(history_capacity);
    const impact::CollisionResult result = model.collide(xi, &history);
    const BeamStudy study(model);
    const std::vector<double> columns =
        collision_values(study, xi, result, study.truncation.of(xi, result));

    outcome.items_done = 1;
    outcome.summary = summary_of(model, xi, result, columns);
    const bool at_rest = came_to_rest(result, model.time_limit());
    if (at_rest) add_energies_at_rest(outcome.summary, history.samples().back());
    outcome.summary.set("cor_contact",
                        impact::contact_restitution(result, history).value_or(io::no_number));
    outcome.headlines = {"status",      "cor_kinematic",  "peak_force_N",   "separation_s",
                         "impulse_N_s", "cor_truncation", "cor_kinetic",    "cor_energetic",
                         "cor_contact", "sub_impacts",    "tau_separation", "energy_residual"};
    add_choice(outcome, choice, &collision);
    outcome.tables.emplace_back("history.csv", history_table(model, history));
    outcome.tables.emplace_back("sub_impacts.csv", sub_impact_table(model, result));
    add_gradient(outcome, model, place, columns);
    add_shapes(outcome, model, history);
    judge(outcome,
          std::array{Ended{result.status, result.energy.residual, result.cor_error, at_rest}},
          collision.integration.scheme);
    const auto truncation = io::number_in(columns[column_index("cor_truncation")]);
    warn_of_truncation(outcome, collision.mesh, std::array{TruncatedCollision{xi, truncation, {}}});
    warn_of_limits(
        outcome, std::array{LimitedCollision{&study.limits, xi, study.limits.values(xi, result)}});
    return outcome;
}

}  // namespace

const Problem beam_impact_problem{
    .name = BeamImpact::name,
    .meaning = BeamImpact::meaning,
    .describe = describe,
    .read = typed_case<read_case, resolve, solve, echo>,
    .report = {postproc::beam_impact_figures, postproc::beam_impact_report}};

}  // namespace stoss::solvers
