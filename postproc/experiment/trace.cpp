#include <postproc/experiment/trace.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>

#include <fmt/format.h>
#include <stoss/core/text.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/document.hpp>

namespace stoss::postproc {

namespace {

namespace fs = std::filesystem;

constexpr double revolution = 2.0 * std::numbers::pi;
constexpr const char* settings_name = "encoder.yaml";

const ColumnKind& time_kind() {
    static const ColumnKind kind{
        "time", "t [s]", {{"s", {"t", "time", "timestamp", "time_stamp"}}}};
    return kind;
}

const ColumnKind& angle_kind() {
    static const ColumnKind kind{"angle",
                                 "angle [counts]",
                                 {{"count",
                                   {"count", "counts", "pulses", "ticks", "encoder",
                                    "encoder_counts", "encoder_count", "counter"}},
                                  {"rad",
                                   {"angle", "theta", "phi", "position", "rotation",
                                    "angular_position", "encoder_angle", "encoder_position"}}}};
    return kind;
}

std::string settings_file_of(const std::string& trace_file) {
    return (fs::path(trace_file).parent_path() / settings_name).string();
}

[[noreturn]] void refuse(const std::string& file, int line, core::Violation violation) {
    throw core::InputError({{file, line, line > 0 ? 1 : 0, std::move(violation)}});
}

/// A trace as its rows say it: angles in counts or radians.
struct RawTrace {
    Trace trace;
    bool is_counted = false;
};

RawTrace read_rows(const io::CellTable& table, const EncoderSettings& settings) {
    const std::string mapping_file = settings_file_of(table.file);
    const auto angle = find_column(table, angle_kind(), settings.angle, mapping_file);
    if (!angle) refuse_missing_column(table, angle_kind(), mapping_file);
    const auto time = find_column(table, time_kind(), settings.time, mapping_file);
    if (!time && !settings.sampling_rate) {
        refuse(table.file, table.header_line,
               {"time", "", "is missing; the columns are " + core::listed(table.names, "and"),
                "name the column `t [s]`, or give the sampling rate: --rate 2000"});
    }
    RawTrace raw;
    raw.is_counted = angle->si == "count";
    raw.trace.file = table.file;
    raw.trace.is_synthetic = says_synthetic(table.comments);
    std::vector<core::Diagnostic> problems;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const io::CellTable::Row& cells = table.rows[row];
        const std::size_t known = problems.size();
        const auto value = read_cell(table, cells, *angle, problems);
        double instant = static_cast<double>(row) / settings.sampling_rate.value_or(1.0);
        if (time && value) instant = read_cell(table, cells, *time, problems).value_or(instant);
        if (problems.size() > known) {
            ++raw.trace.left_out;
            continue;
        }
        const bool early = settings.from && instant < *settings.from;
        if (early || (settings.to && instant > *settings.to)) continue;
        raw.trace.time.push_back(instant);
        raw.trace.angle.push_back(*value);
        raw.trace.lines.push_back(cells.line);
    }
    if (!problems.empty() && !settings.skip_bad) throw bad_rows(std::move(problems));
    return raw;
}

void check_times(const Trace& trace) {
    for (std::size_t i = 1; i < trace.time.size(); ++i) {
        if (trace.time[i] > trace.time[i - 1]) continue;
        refuse(trace.file, trace.lines[i],
               {"time", core::with_unit(trace.time[i], "s"),
                fmt::format("must be > {}, the time of the sample before (line {})",
                            core::with_unit(trace.time[i - 1], "s"), trace.lines[i - 1]),
                "sort the rows by time"});
    }
    if (trace.time.size() < 2) {
        refuse(
            trace.file, 0,
            {"", "", fmt::format("{} samples are not enough for a trace", trace.time.size()), ""});
    }
}

/// The range of a counter that jumps by `jump` counts: as given, one revolution or a power of two.
std::optional<double> range_of(double jump, double counts_per_revolution,
                               const std::optional<double>& given) {
    if (given) return std::abs(jump) > 0.5 * *given ? given : std::nullopt;
    for (const double range :
         {counts_per_revolution, 0x1p8, 0x1p10, 0x1p12, 0x1p14, 0x1p16, 0x1p24, 0x1p32}) {
        if (range >= counts_per_revolution &&
            std::abs(std::abs(jump) - range) < counts_per_revolution / 8.0) {
            return range;
        }
    }
    return std::nullopt;
}

/// Takes out the jumps of a counter that begins anew. Angles are in counts here.
void unwrap(Trace& trace, double counts_per_revolution, const std::optional<double>& given) {
    const double most = given ? 0.5 * *given : 0.5 * counts_per_revolution;
    double shift = 0.0, last = trace.angle.front();
    for (std::size_t i = 1; i < trace.angle.size(); ++i) {
        const double jump = trace.angle[i] - last;
        last = trace.angle[i];
        if (std::abs(jump) > most) {
            const auto range = range_of(jump, counts_per_revolution, given);
            if (!range) {
                refuse(trace.file, trace.lines[i],
                       {"angle", "",
                        fmt::format("jumps by {:.6g} of a revolution between two samples",
                                    std::abs(jump) / counts_per_revolution),
                        "if the counter restarted there, give its range: --counter-range 65536"});
            }
            shift -= std::copysign(*range, jump);
        }
        trace.angle[i] += shift;
    }
}

}  // namespace

std::optional<double> EncoderSettings::resolution() const {
    if (!pulses_per_revolution) return {};
    return revolution / (*pulses_per_revolution * (quadrature ? 4.0 : 1.0));
}

EncoderSettings read_encoder_settings(const std::string& trace_file,
                                      const std::vector<std::string>& options) {
    const std::string file = settings_file_of(trace_file);
    io::Document document;
    document.root.kind = io::Node::Kind::mapping;
    if (fs::exists(file)) document = io::read_yaml(file);
    document.file = fs::exists(file) ? file : "options";
    for (const std::string& option : options) {
        const std::size_t equals = option.find('=');
        document.root.set(option.substr(0, equals), io::Node::text(option.substr(equals + 1)));
    }
    return io::read<EncoderSettings>(document);
}

Trace read_trace(const std::string& file, const EncoderSettings& settings) {
    const io::CellTable table = io::read_cells(file);
    RawTrace raw = read_rows(table, settings);
    Trace& trace = raw.trace;
    check_times(trace);
    trace.resolution = settings.resolution().value_or(0.0);
    if (raw.is_counted && trace.resolution == 0.0) {
        refuse(file, table.header_line,
               {"pulses_per_revolution", "", "is missing: the angle is in counts",
                fmt::format("give it: --pulses 2000, or in {}", settings_file_of(file))});
    }
    if (!raw.is_counted && settings.counter_range) {
        refuse(file, table.header_line,
               {"counter_range", core::to_text(*settings.counter_range),
                "is a number of counts, but the angle is in rad", "leave it out"});
    }
    const double count = raw.is_counted ? trace.resolution : 1.0;
    unwrap(trace, revolution / count, settings.counter_range);
    for (double& angle : trace.angle) angle *= count;
    return std::move(raw.trace);
}

}  // namespace stoss::postproc
