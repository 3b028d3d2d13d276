#include <postproc/experiment/encoder.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <stoss/core/interrupt.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/core/progress.hpp>

namespace stoss::postproc {

namespace {

namespace fs = std::filesystem;

const ColumnKind file_kind{"file", "file", {{"", {"file", "trace", "filename", "file_name"}}}};
const ColumnKind trial_kind{"trial", "trial", {{"", {"trial", "repeat", "run", "number", "no"}}}};

/// What both a single rebound and a table of many show, in this order.
struct Item {
    const char* key;
    double (*value)(const RestitutionMeasurement&);
};

constexpr std::array<Item, 18> items{{
    {"cor", [](const RestitutionMeasurement& r) { return r.cor.value; }},
    {"cor_standard_error", [](const RestitutionMeasurement& r) { return r.cor.standard_error; }},
    {"cor_systematic_error", [](const RestitutionMeasurement& r) { return r.cor_systematic; }},
    {"impact_s", [](const RestitutionMeasurement& r) { return r.instant.value; }},
    {"impact_standard_error_s",
     [](const RestitutionMeasurement& r) { return r.instant.standard_error; }},
    {"omega_before_rad_per_s",
     [](const RestitutionMeasurement& r) { return r.omega_before.value; }},
    {"omega_before_standard_error_rad_per_s",
     [](const RestitutionMeasurement& r) { return r.omega_before.standard_error; }},
    {"omega_after_rad_per_s", [](const RestitutionMeasurement& r) { return r.omega_after.value; }},
    {"omega_after_standard_error_rad_per_s",
     [](const RestitutionMeasurement& r) { return r.omega_after.standard_error; }},
    {"deceleration_before_rad_per_s2",
     [](const RestitutionMeasurement& r) { return r.deceleration_before.value; }},
    {"deceleration_after_rad_per_s2",
     [](const RestitutionMeasurement& r) { return r.deceleration_after.value; }},
    {"before_from_s", [](const RestitutionMeasurement& r) { return r.before.from; }},
    {"before_to_s", [](const RestitutionMeasurement& r) { return r.before.to; }},
    {"after_from_s", [](const RestitutionMeasurement& r) { return r.after.from; }},
    {"after_to_s", [](const RestitutionMeasurement& r) { return r.after.to; }},
    {"before_residual_rad", [](const RestitutionMeasurement& r) { return r.before.residual; }},
    {"after_residual_rad", [](const RestitutionMeasurement& r) { return r.after.residual; }},
    {"samples_in_fit",
     [](const RestitutionMeasurement& r) {
         return static_cast<double>(r.before.samples + r.after.samples);
     }},
}};

/// The lines of a manifest.
struct Manifest {
    Abscissa abscissa;
    bool is_synthetic;
    std::vector<Trial> trials;
};

/// The number of a trial.
std::int64_t read_trial(const io::CellTable& table, const io::CellTable::Row& row,
                        const ColumnPlace& place, std::vector<core::Diagnostic>& problems) {
    const double value = read_cell(table, row, place, problems).value_or(0.0);
    if (value == std::floor(value) && std::abs(value) < 1e15)
        return static_cast<std::int64_t>(value);
    problems.push_back({table.file,
                        row.line,
                        row.columns[place.index],
                        {table.names[place.index], row.cells[place.index],
                         "must be a whole number of at most 15 digits", ""}});
    return 0;
}

Manifest read_manifest(const std::string& file) {
    const io::CellTable table = io::read_cells(file);
    const auto name = find_column(table, file_kind, {}, "");
    if (!name) refuse_missing_column(table, file_kind, "");
    const auto place = find_column(table, location_kind(), {}, "");
    if (!place) refuse_missing_column(table, location_kind(), "");
    const auto number = find_column(table, trial_kind, {}, "");
    Manifest manifest{
        place->si.empty() ? Abscissa::xi : Abscissa::x, says_synthetic(table.comments), {}};
    std::vector<core::Diagnostic> problems;
    std::map<fs::path, int> lines;  // of the traces so far
    for (const io::CellTable::Row& row : table.rows) {
        Trial trial;
        trial.line = row.line;
        const auto location = read_cell(table, row, *place, problems);
        if (row.cells.size() != table.names.size()) continue;  // reported elsewhere
        trial.file = row.cells[name->index];
        if (location) trial.place = *location;
        if (location &&
            (*location < 0.0 || (manifest.abscissa == Abscissa::xi && *location > 1.0))) {
            problems.push_back(
                {file,
                 row.line,
                 1,
                 {table.names[place->index], row.cells[place->index],
                  manifest.abscissa == Abscissa::xi ? "must be between 0 and 1: xi = x/l"
                                                    : "must be >= 0",
                  ""}});
        }
        if (number) trial.number = read_trial(table, row, *number, problems);
        const fs::path trace = fs::path(file).parent_path() / trial.file;
        if (!fs::is_regular_file(trace)) {
            problems.push_back({file,
                                row.line,
                                row.columns[name->index],
                                {"file", trial.file,
                                 fs::exists(trace) ? "is no file" : "there is no such file", ""}});
        }
        std::error_code ignored;
        const auto [first, is_new] = lines.insert({fs::weakly_canonical(trace, ignored), row.line});
        if (!is_new) {
            problems.push_back(
                {file,
                 row.line,
                 row.columns[name->index],
                 {"file", trial.file, fmt::format("is the trace of line {} again", first->second),
                  "give each trial its own trace, or delete this line"}});
        }
        manifest.trials.push_back(std::move(trial));
    }
    if (!problems.empty()) throw core::InputError(std::move(problems));
    if (manifest.trials.empty()) {
        throw core::InputError({{file, 0, 0, {"", "", "names no trace", ""}}});
    }
    return manifest;
}

/// Files of the folder that have the ending of a trace, but are in no line of the manifest; sorted.
std::vector<std::string> unlisted_files(const std::string& folder, const Manifest& manifest) {
    std::set<fs::path> endings, listed;
    for (const Trial& trial : manifest.trials) {
        const fs::path trace = fs::path(folder) / trial.file;
        endings.insert(trace.extension());
        listed.insert(fs::weakly_canonical(trace));
    }
    listed.insert(fs::weakly_canonical(fs::path(folder) / "manifest.csv"));
    std::vector<std::string> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const fs::path& file = entry.path();
        if (!entry.is_regular_file() || !endings.contains(file.extension())) continue;
        if (!listed.contains(fs::weakly_canonical(file))) files.push_back(file.filename().string());
    }
    std::ranges::sort(files);
    return files;
}

}  // namespace

RestitutionMeasurement measured_restitution(const Trace& trace, const EncoderSettings& settings) {
    const auto result =
        measure_restitution(trace.time, trace.angle, {trace.resolution, settings.window});
    if (const auto* measurement = std::get_if<RestitutionMeasurement>(&result)) return *measurement;
    const NoMeasurement& trouble = std::get<NoMeasurement>(result);
    throw core::InputError(
        {{trace.file, trace.lines[trouble.sample], 1, {"", "", trouble.rule, trouble.suggestion}}});
}

double fitted_angle(const RestitutionMeasurement& measurement, double time) {
    const bool is_before = time < measurement.instant.value;
    const double s = time - measurement.instant.value;
    const double omega = is_before ? measurement.omega_before.value : measurement.omega_after.value;
    const double deceleration =
        is_before ? measurement.deceleration_before.value : measurement.deceleration_after.value;
    return (is_before ? measurement.before.angle : measurement.after.angle) +
           turned_angle(omega, deceleration, measurement.damping, s);
}

io::Value to_value(const RestitutionMeasurement& measurement) {
    io::Value value = io::Value::object();
    for (const Item& item : items) value.set(item.key, item.value(measurement));
    return value;
}

io::Table to_table(const Trace& trace, const RestitutionMeasurement& measurement) {
    const double margin = 0.2 * std::max(measurement.before.length(), measurement.after.length());
    std::vector<double> time, angle, fit;
    for (std::size_t i = 0; i < trace.time.size(); ++i) {
        const double now = trace.time[i];
        if (now < measurement.before.from - margin || now > measurement.after.to + margin) continue;
        const bool is_fitted = (now >= measurement.before.from && now <= measurement.before.to) ||
                               (now >= measurement.after.from && now <= measurement.after.to);
        time.push_back(now);
        angle.push_back(trace.angle[i]);
        fit.push_back(is_fitted ? fitted_angle(measurement, now) : io::no_number);
    }
    io::Table table;
    if (trace.is_synthetic) table.comments.emplace_back(synthetic_comment);
    table.add("time_s", std::move(time));
    table.add("angle_rad", std::move(angle));
    table.add("fit_rad", std::move(fit));
    return table;
}

TraceFolder read_trace_folder(const std::string& folder, const std::vector<std::string>& options,
                              int threads, bool quiet, const std::function<bool()>& stop) {
    TraceFolder result;
    result.manifest = (fs::path(folder) / "manifest.csv").string();
    if (!fs::exists(result.manifest)) {
        throw core::FileError(fmt::format(
            "{}: there is no manifest.csv, which gives file, location and trial of each trace",
            folder));
    }
    Manifest manifest = read_manifest(result.manifest);
    result.abscissa = manifest.abscissa;
    result.unlisted = unlisted_files(folder, manifest);
    const EncoderSettings settings = read_encoder_settings(result.manifest, options);
    std::vector<std::vector<core::Diagnostic>> troubles(manifest.trials.size());
    std::vector<char> synthetic(manifest.trials.size(), 0);
    core::Progress progress("traces", manifest.trials.size(), quiet);
    core::parallel_for(
        manifest.trials.size(), threads,
        [&](std::size_t i) {
            Trial& trial = manifest.trials[i];
            try {
                const Trace trace = read_trace((fs::path(folder) / trial.file).string(), settings);
                synthetic[i] = trace.is_synthetic;
                trial.rows_left_out = trace.left_out;
                trial.measurement = measured_restitution(trace, settings);
            } catch (const core::InputError& error) {
                troubles[i] = error.diagnostics();
            } catch (const core::FileError& error) {
                troubles[i] = {{result.manifest, trial.line, 1, {"file", "", error.what(), ""}}};
            }
            progress.advance();
        },
        stop);
    if (stop && stop()) throw core::Stopped();
    result.is_synthetic = manifest.is_synthetic;
    for (std::size_t i = 0; i < troubles.size(); ++i) {
        result.is_synthetic = result.is_synthetic || synthetic[i] != 0;
        if (troubles[i].empty()) result.trials.push_back(std::move(manifest.trials[i]));
        result.left_out.insert(result.left_out.end(), troubles[i].begin(), troubles[i].end());
    }
    if (!result.left_out.empty() && (!settings.skip_bad || result.trials.empty())) {
        throw bad_rows(std::move(result.left_out));
    }
    return result;
}

io::Table to_table(const TraceFolder& folder) {
    io::Table table;
    if (folder.is_synthetic) table.comments.emplace_back(synthetic_comment);
    std::vector<std::string> files;
    std::vector<double> places;
    std::vector<std::int64_t> numbers;
    for (const Trial& trial : folder.trials) {
        files.push_back(trial.file);
        places.push_back(trial.place);
        numbers.push_back(trial.number);
    }
    table.add("file", std::move(files));
    table.add(std::string(column_name(folder.abscissa)), std::move(places));
    table.add("trial", std::move(numbers));
    for (const Item& item : items) {
        std::vector<double> values;
        for (const Trial& trial : folder.trials) values.push_back(item.value(trial.measurement));
        table.add(item.key, std::move(values));
    }
    return table;
}

Experiment experiment_of(const TraceFolder& folder) {
    Experiment experiment;
    experiment.file = folder.manifest;
    experiment.abscissa = folder.abscissa;
    experiment.is_synthetic = folder.is_synthetic;
    std::vector<MeasuredPoint> rows;
    for (const Trial& trial : folder.trials) {
        const RestitutionMeasurement& found = trial.measurement;
        MeasuredPoint row{trial.place, found.cor.value};
        row.systematic = found.cor_systematic;
        row.deviation = scatter_of(found.cor.standard_error, found.cor_systematic);
        rows.push_back(row);
    }
    experiment.points = averaged(rows);
    return experiment;
}

}  // namespace stoss::postproc
