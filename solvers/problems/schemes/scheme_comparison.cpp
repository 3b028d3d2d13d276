#include <solvers/problems/schemes/scheme_comparison.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>
#include <set>
#include <type_traits>

#include <fmt/format.h>
#include <solvers/case/beam_binding.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/input_echo.hpp>
#include <solvers/case/long_table.hpp>
#include <solvers/case/open_rows.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/schemes/beam_schemes.hpp>
#include <solvers/problems/schemes/point_schemes.hpp>
#include <solvers/problems/schemes/scheme_figures.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/core/progress.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/checkpoint.hpp>

namespace stoss::solvers {

std::string_view ComparedScheme::scheme_name() const {
    return std::visit([](const auto& each) { return each.name; }, scheme);
}

double SchemeComparison::step(std::size_t index) const {
    return 1.0 / (sample_rate * schemes[index].oversampling);
}

impact::PointScheme SchemeComparison::how(std::size_t index) const {
    const ComparedScheme& compared = schemes[index];
    impact::PointScheme result{{}, compared.correction, step(index)};
    std::visit(
        [&]<class Scheme>(const Scheme& scheme) {
            if constexpr (!std::is_same_v<Scheme, time::Splitting>) result.scheme = scheme;
        },
        compared.scheme);
    return result;
}

namespace {

constexpr double percent = 100.0;
constexpr std::size_t most_samples = 2000;  // of a scheme in samples.csv
constexpr int curve_points = 200;           // of the closed phase curve

using Case = std::tuple<CaseHeader, SchemeComparison, CaseExpectations>;
using Violations = std::vector<core::Violation>;

void check_law(const SchemeComparison& comparison, Violations& violations) {
    const models::BeamContact& contact = comparison.contact;
    core::append(models::check(contact, "contact"), violations);
    if (contact.area != models::BeamContact{}.area) {
        violations.push_back({"contact.area", std::string(core::name_of(contact.area)),
                              "is for a comparison on a beam only", ""});
    }
    models::append_missing(
        models::check_without_bodies(
            contact.law, "contact",
            "is missing; it cannot be computed, because a point mass has no shape",
            "give contact.stiffness, a plain number in N/m^n"),
        violations);
}

bool is_word(const std::string& text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    });
}

void check_names(const SchemeComparison& comparison, Violations& violations) {
    if (comparison.schemes.empty()) {
        violations.push_back({"schemes", "[]", "must hold at least one scheme", ""});
    }
    std::set<std::string> names;
    for (std::size_t i = 0; i < comparison.schemes.size(); ++i) {
        const std::string name = comparison.schemes[i].label();
        const std::string key =
            fmt::format("schemes[{}].{}", i, comparison.schemes[i].name ? "name" : "scheme");
        if (!is_word(name)) {
            violations.push_back({key, name, "must be letters, digits and _", ""});
        } else if (!names.insert(name).second) {
            violations.push_back({key, name, "is used twice", "give one of them another `name`"});
        }
    }
}

void check_schemes_of_a_point(const SchemeComparison& comparison, Violations& violations) {
    for (std::size_t i = 0; i < comparison.schemes.size(); ++i) {
        if (!std::holds_alternative<time::Splitting>(comparison.schemes[i].scheme)) continue;
        violations.push_back({fmt::format("schemes[{}].scheme", i), "splitting",
                              "is a scheme for beams only",
                              "write splitting_2 or splitting_4 for a point mass"});
    }
}

void check_closed_forms(const SchemeComparison& comparison, Violations& violations) {
    if (impact::has_closed_forms(comparison.impact())) return;
    constexpr const char* rule =
        "needs the closed forms of an impact: law hunt_crossley or hertz, and no external force";
    for (std::size_t i = 0; i < comparison.schemes.size(); ++i) {
        if (!comparison.schemes[i].correction.is_any()) continue;
        violations.push_back({fmt::format("schemes[{}].correction", i), "", rule, ""});
    }
    if (comparison.as_published) violations.push_back({"as_published", "true", rule, ""});
}

/// True if a mapping of the case says something else than the defaults.
template <class T>
bool is_other(const T& given, const T& defaults) {
    return !io::same_tree(io::to_node(given), io::to_node(defaults));
}

/// Keys of the other kind of body, and none of either.
void check_body(const SchemeComparison& comparison, Violations& violations) {
    if (comparison.point.has_value() == comparison.beam.has_value()) {
        violations.push_back(
            {comparison.point ? "beam" : "point", "",
             comparison.point ? "cannot be given together with `point`" : "is missing",
             "give `point` (a point mass) or `beam`"});
    }
    if (comparison.beam) return;
    const SchemeComparison without;
    for (const auto& [given, key] :
         {std::pair{comparison.striker.has_value(), "striker"},
          std::pair{is_other(comparison.motion, without.motion), "motion"},
          std::pair{is_other(comparison.mesh, without.mesh), "mesh"},
          std::pair{comparison.location.has_value(), "location"}}) {
        if (given) violations.push_back({key, "", "is for a comparison on a beam only", ""});
    }
}

Case read_case(const io::Document& document) {
    Case parameters = io::read<CaseHeader, SchemeComparison, CaseExpectations>(document);
    const SchemeComparison& comparison = std::get<SchemeComparison>(parameters);
    Violations violations;
    check_body(comparison, violations);
    check_names(comparison, violations);
    if (violations.empty() && comparison.beam) violations = check_beam_comparison(comparison);
    if (comparison.point && !comparison.beam) {
        check_law(comparison, violations);
        check_schemes_of_a_point(comparison, violations);
        check_closed_forms(comparison, violations);
    }
    refuse(document, violations);
    return parameters;
}

io::Choice describe() {
    return io::describe_choice<SchemeComparison>();
}
io::Node resolve(const Case& given) {
    const auto& [header, comparison, expectations] = given;
    return io::to_node(header, comparison, expectations);
}

/// Of a comparison on a beam.
InputEcho echo(const Case& given) {
    const auto& [header, comparison, expectations] = given;
    return comparison.beam ? echo_of_beam_comparison(comparison) : InputEcho{};
}

/// Everything found out about one scheme.
struct Compared {
    impact::PointImpactResult first;
    std::vector<impact::PointSample> samples;  // of the first impact
    Sequence sequence;
    Sequence published;  // with the restart of Papetti et al. 2011; only if asked for
    std::vector<StepStudy> study;
};

// ---- The sequences, which may be long, as rows of a checkpoint

std::vector<double> to_row(const Sequence& sequence) {
    std::vector<double> row{static_cast<double>(sequence.status),
                            static_cast<double>(sequence.count),
                            sequence.energy_error.value_or(io::no_number),
                            sequence.energy_deviation.value_or(io::no_number)};
    for (const SequenceImpact& rebound : sequence.rebounds) {
        row.insert(row.end(), {rebound.number, rebound.velocity, rebound.reference_velocity,
                               rebound.energy_error});
    }
    return row;
}

Sequence to_sequence(const std::vector<double>& row) {
    Sequence sequence{true,
                      static_cast<impact::Status>(static_cast<int>(row[0])),
                      static_cast<std::size_t>(row[1]),
                      io::number_in(row[2]),
                      io::number_in(row[3]),
                      {}};
    for (std::size_t i = 4; i + 3 < row.size(); i += 4) {
        sequence.rebounds.push_back({row[i], row[i + 1], row[i + 2], row[i + 3]});
    }
    return sequence;
}

/// The printed Heun scheme, whose published sequences restart from the predicted velocity.
bool has_published_restart(const ComparableScheme& scheme) {
    const auto* heun = std::get_if<time::Heun>(&scheme);
    return heun != nullptr && heun->start_force == time::StartForce::kept;
}

/// The sequences of all schemes, and behind them those as published. Incomplete where stopped.
std::vector<Sequence> run_sequences(const SchemeComparison& comparison, const RunOptions& options) {
    const std::size_t count = comparison.schemes.size();
    std::vector<Sequence> sequences(comparison.as_published ? 2 * count : count);
    core::Progress progress("sequences", sequences.size(), options.quiet);
    core::parallel_for(
        sequences.size(), options.threads,
        [&](std::size_t i) {
            const auto kept = kept_row(options, i);
            const bool predicted =
                i >= count && has_published_restart(comparison.schemes[i - count].scheme);
            sequences[i] = !kept.empty()
                               ? to_sequence(kept)
                               : run_sequence(comparison, i % count, predicted, options.stop);
            if (options.checkpoint && kept.empty() && sequences[i].is_complete) {
                options.checkpoint->add(i, to_row(sequences[i]));
            }
            progress.advance();
        },
        options.stop);
    return sequences;
}

Compared compare(const SchemeComparison& comparison, std::size_t index,
                 const Reference& reference) {
    Compared compared;
    const impact::PointImpacts impacts(comparison.impact(), comparison.how(index), most_steps);
    compared.first = impacts.run(comparison.point->speed, true, &compared.samples);
    compared.study = study_steps(comparison, index, reference);
    return compared;
}

// ---- Results

double evaluations_per_step(const Compared& compared) {
    return static_cast<double>(compared.first.force_evaluations) /
           static_cast<double>(compared.first.steps);
}

/// What the deviations are relative to.
struct Scales {
    double overlap, energy, output_velocity;
};

/// `fitted`: of the fitted rebound velocity, as Papetti et al. 2011 took for their Table II(b).
Scales scales_of(const SchemeComparison& comparison, const Reference& reference, bool fitted) {
    const impact::PointImpact impact = comparison.impact();
    const double speed = comparison.point->speed;
    Scales scales{reference.largest_overlap, io::no_number, reference.output_velocity};
    if (!impact::has_closed_forms(impact)) return scales;
    const impact::HuntCrossleyImpact closed = impact::closed_forms(impact, speed);
    scales.overlap = closed.largest_overlap();
    if (fitted) scales.output_velocity = closed.fitted_rebound_velocity();
    const double v = scales.output_velocity;
    const double loss = 0.5 * impact.mass * (speed - v) * (speed + v);
    const bool elastic = !(closed.energy_loss() > 0.0);
    scales.energy = elastic ? 0.5 * impact.mass * speed * speed : loss;
    return scales;
}

/// The columns of schemes.csv: name, and the number of one scheme.
struct SchemeColumn {
    const char* name;
    double (*value)(const Compared&, const Scales&);
};

constexpr SchemeColumn scheme_columns[] = {
    {"contact_samples",
     [](const Compared& c, const Scales&) { return static_cast<double>(c.first.contact_samples); }},
    {"overlap_deviation_percent",
     [](const Compared& c, const Scales& s) {
         return percent * c.first.overlap_deviation.value_or(io::no_number) / s.overlap;
     }},
    {"output_velocity_error_percent",
     [](const Compared& c, const Scales& s) {
         return percent *
                (c.first.output_velocity.value_or(io::no_number) / s.output_velocity - 1.0);
     }},
    {"energy_deviation_percent",
     [](const Compared& c, const Scales& s) {
         return percent * c.first.energy_deviation.value_or(io::no_number) / s.energy;
     }},
    {"accumulated_energy_error_percent",
     [](const Compared& c, const Scales&) {
         return percent * c.sequence.energy_error.value_or(io::no_number);
     }},
    {"largest_energy_deviation_percent",
     [](const Compared& c, const Scales&) {
         return percent * c.sequence.energy_deviation.value_or(io::no_number);
     }},
    {"force_evaluations_per_step",
     [](const Compared& c, const Scales&) { return evaluations_per_step(c); }},
    {"order", [](const Compared& c, const Scales&) { return order_of(c.study); }},
};

std::string status_of(const Compared& compared) {
    return std::string(impact::to_string(compared.sequence.status));
}

io::Table scheme_table(const SchemeComparison& comparison, const std::vector<Compared>& all,
                       const Scales& scales) {
    io::Table table;
    std::vector<std::string> names, statuses;
    for (std::size_t i = 0; i < all.size(); ++i) {
        names.push_back(comparison.schemes[i].label());
        statuses.push_back(status_of(all[i]));
    }
    table.add("scheme", std::move(names));
    for (const SchemeColumn& column : scheme_columns) {
        std::vector<double> values;
        for (const Compared& each : all) values.push_back(column.value(each, scales));
        table.add(column.name, std::move(values));
    }
    table.add("status", std::move(statuses));
    return table;
}

/// What Papetti et al. 2011 measured: x(v) complex beyond the rebound (Table I), the fit as the
/// reference (Table II b), Heun's sequences restarted from the predicted velocity (Table III).
io::Value published_measures(const Compared& compared, const Scales& scales) {
    const impact::PointImpactResult& first = compared.first;
    io::Value measures = io::Value::object();
    measures
        .set("overlap_deviation_percent",
             percent * first.complex_deviation.value_or(io::no_number) / scales.overlap)
        .set("output_velocity_error_percent",
             percent *
                 (first.output_velocity.value_or(io::no_number) / scales.output_velocity - 1.0))
        .set("energy_deviation_percent",
             percent * first.energy_deviation.value_or(io::no_number) / scales.energy)
        .set("accumulated_energy_error_percent",
             percent * compared.published.energy_error.value_or(io::no_number))
        .set("largest_energy_deviation_percent",
             percent * compared.published.energy_deviation.value_or(io::no_number));
    return measures;
}

void add_closed_forms(io::Value& summary, const SchemeComparison& comparison) {
    const impact::PointImpact impact = comparison.impact();
    if (!impact::has_closed_forms(impact)) return;
    const impact::HuntCrossleyImpact closed = impact::closed_forms(impact, comparison.point->speed);
    summary.set("damping_number", closed.number())
        .set("fitted_velocity_error_percent",
             percent * (closed.fitted_rebound_velocity() / closed.rebound_velocity() - 1.0))
        .set("energy_loss_J", closed.energy_loss());
}

io::Value summary_of(const SchemeComparison& comparison, const Reference& reference,
                     const std::vector<Compared>& all) {
    const Scales scales = scales_of(comparison, reference, false);
    const Scales published = scales_of(comparison, reference, true);
    io::Value summary = io::Value::object();
    summary.set("approach_speed_m_per_s", double(comparison.point->speed))
        .set("output_velocity_m_per_s", reference.output_velocity)
        .set("restitution", -reference.output_velocity / comparison.point->speed)
        .set("contact_time_s", reference.contact_time)
        .set("samples_in_contact", reference.contact_time * comparison.sample_rate)
        .set("largest_overlap_m", reference.largest_overlap);
    add_closed_forms(summary, comparison);
    summary.set("rebounds", comparison.point->rebounds);
    io::Value schemes = io::Value::object();
    for (std::size_t i = 0; i < all.size(); ++i) {
        io::Value entry = io::Value::object();
        entry.set("status", status_of(all[i]));
        for (const SchemeColumn& column : scheme_columns) {
            entry.set(column.name, column.value(all[i], scales));
        }
        if (comparison.as_published) {
            entry.set("as_published", published_measures(all[i], published));
        }
        schemes.set(comparison.schemes[i].label(), std::move(entry));
    }
    summary.set("schemes", std::move(schemes));
    return summary;
}

/// The first impact of every scheme, and the closed phase curve as the scheme `closed_form`.
io::Table sample_table(const SchemeComparison& comparison, const std::vector<Compared>& all) {
    LongTable table("scheme", {"time_s", "overlap_m", "velocity_m_per_s", "energy_J"});
    const impact::PointImpact impact = comparison.impact();
    if (impact::has_closed_forms(impact)) {
        const auto closed = impact::closed_forms(impact, comparison.point->speed);
        for (int i = 0; i <= curve_points; ++i) {
            // Denser at both ends, where the curve is steep.
            const double part = 0.5 - 0.5 * core::cos(std::numbers::pi * i / curve_points);
            const double v = closed.approach_speed() +
                             part * (closed.rebound_velocity() - closed.approach_speed());
            table.add("closed_form",
                      {io::no_number, std::max(closed.overlap(v), 0.0), v, closed.energy(v)});
        }
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& samples = all[i].samples;
        const std::size_t stride = (samples.size() + most_samples - 1) / most_samples;
        for (std::size_t k = 0; k < samples.size(); ++k) {
            if (k % stride != 0 && k + 1 != samples.size()) continue;
            table.add(comparison.schemes[i].label(), {samples[k].time, samples[k].overlap,
                                                      samples[k].velocity, samples[k].energy});
        }
    }
    return table.table();
}

io::Table rebound_table(const SchemeComparison& comparison, const std::vector<Compared>& all) {
    LongTable table("scheme", {"rebound", "velocity_m_per_s", "reference_velocity_m_per_s",
                               "energy_error_percent"});
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (const SequenceImpact& rebound : all[i].sequence.rebounds) {
            table.add(comparison.schemes[i].label(),
                      {rebound.number, rebound.velocity, rebound.reference_velocity,
                       percent * rebound.energy_error});
        }
    }
    return table.table();
}

io::Table step_table(const SchemeComparison& comparison, const std::vector<Compared>& all) {
    LongTable table("scheme", {"smooth_steps", "motion_error", "step_s", "force_evaluations",
                               "output_velocity_error"});
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (const StepStudy& row : all[i].study) {
            table.add(comparison.schemes[i].label(),
                      {row.steps, row.motion_error, row.step, row.force_evaluations,
                       std::abs(row.output_velocity_error)});
        }
    }
    return table.table();
}

/// Times differ from run to run: they have a file of their own.
io::Table timing_table(const SchemeComparison& comparison) {
    LongTable table("scheme", {"step_ns"});
    for (std::size_t i = 0; i < comparison.schemes.size(); ++i) {
        table.add(comparison.schemes[i].label(), {nanoseconds_per_step(comparison, i)});
    }
    return table.table();
}

void judge(Outcome& outcome, const SchemeComparison& comparison, const std::vector<Compared>& all) {
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Sequence& sequence = all[i].sequence;
        if (sequence.status == impact::Status::separated) continue;
        const bool lost = sequence.status == impact::Status::not_finite;
        outcome.warnings.push_back(fmt::format(
            "{}: after {} of {} rebounds {}", comparison.schemes[i].label(), sequence.count,
            comparison.point->rebounds,
            lost ? "the motion diverged; raise sample_rate or oversampling"
                 : fmt::format("the body did not leave the wall within {} steps", most_steps)));
    }
}

Outcome compare_on_point(const SchemeComparison& comparison, const RunOptions& options) {
    Outcome outcome;
    const Reference reference(comparison.impact(), comparison.point->speed);
    const std::vector<Sequence> sequences = run_sequences(comparison, options);
    outcome.items = "sequences";
    outcome.item_count = sequences.size();
    outcome.items_done = static_cast<std::size_t>(std::count_if(
        sequences.begin(), sequences.end(), [](const Sequence& each) { return each.is_complete; }));
    if (outcome.items_done < outcome.item_count) {
        outcome.ending = Ending::interrupted;
        return outcome;
    }
    std::vector<Compared> all;
    for (std::size_t i = 0; i < comparison.schemes.size(); ++i) {
        all.push_back(compare(comparison, i, reference));
        all[i].sequence = sequences[i];
        if (comparison.as_published) all[i].published = sequences[comparison.schemes.size() + i];
    }
    outcome.summary = summary_of(comparison, reference, all);
    outcome.headlines = {"restitution", "contact_time_s", "samples_in_contact", "rebounds"};
    outcome.tables.emplace_back(
        "schemes.csv", scheme_table(comparison, all, scales_of(comparison, reference, false)));
    outcome.printed_table = "schemes.csv";
    outcome.tables.emplace_back("samples.csv", sample_table(comparison, all));
    outcome.tables.emplace_back("rebounds.csv", rebound_table(comparison, all));
    outcome.tables.emplace_back("steps.csv", step_table(comparison, all));
    outcome.tables.emplace_back("timing.csv", timing_table(comparison));
    judge(outcome, comparison, all);
    return outcome;
}

Outcome solve(const Case& given, const RunOptions& options) {
    const auto& [header, comparison, expectations] = given;
    Outcome outcome = comparison.beam ? compare_on_beam(comparison, options)
                                      : compare_on_point(comparison, options);
    outcome.header = header;
    outcome.expect = expectations.expect;
    return outcome;
}

}  // namespace

const Problem scheme_comparison_problem{
    .name = SchemeComparison::name,
    .meaning = SchemeComparison::meaning,
    .describe = describe,
    .read = typed_case<read_case, resolve, solve, echo>,
    .report = {postproc::scheme_comparison_figures, postproc::scheme_comparison_report}};

}  // namespace stoss::solvers
