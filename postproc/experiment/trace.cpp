#include <postproc/experiment/trace.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>

#include <fmt/format.h>
#include <stoss/core/robust.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/document.hpp>

namespace stoss::postproc {

namespace {

namespace fs = std::filesystem;

constexpr double revolution = 2.0 * std::numbers::pi;
constexpr const char* settings_name = "encoder.yaml";
constexpr double few_counts = 4.0;  // a step that no search for jumps looks at

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
    std::vector<int> columns;  // where each angle begins in its line
    bool is_counted = false;
};

RawTrace read_rows(const io::CellTable& table, const EncoderSettings& settings) {
    const std::string mapping_file = settings_file_of(table.file);
    const auto angle = find_column(table, angle_kind(), settings.angle, mapping_file);
    if (!angle) refuse_missing_column(table, angle_kind(), mapping_file);
    const auto time = find_column(table, time_kind(), settings.time, mapping_file);
    if (!time && !settings.sampling_rate) {
        refuse_without_header(table);
        refuse(table.file, table.header_line,
               {"time", "", "is missing; the columns are " + core::listed(table.names, "and"),
                "name the column `t [s]`, or give the sampling rate: --rate 2000"});
    }
    if (time && settings.sampling_rate) {
        refuse(table.file, table.header_line,
               {"sampling_rate", core::with_unit(*settings.sampling_rate, "Hz"),
                fmt::format("is given, but the times are in the column `{}`",
                            table.names[time->index]),
                "leave it out"});
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
        raw.columns.push_back(cells.columns[angle->index]);
    }
    if (!problems.empty() && !settings.skip_bad) throw bad_rows(std::move(problems));
    return raw;
}

void check_times(const Trace& trace, const EncoderSettings& settings) {
    for (std::size_t i = 1; i < trace.time.size(); ++i) {
        if (trace.time[i] > trace.time[i - 1]) continue;
        refuse(trace.file, trace.lines[i],
               {"time", core::with_unit(trace.time[i], "s"),
                fmt::format("must be > {}, the time of the sample before (line {})",
                            core::with_unit(trace.time[i - 1], "s"), trace.lines[i - 1]),
                trace.time[i] == trace.time[i - 1]
                    ? "write the times with more digits, or leave them out and give the sampling "
                      "rate: --rate 2000"
                    : "sort the rows by time"});
    }
    if (trace.time.size() < 2) {
        refuse(trace.file, 0,
               {"", "", fmt::format("{} samples are not enough for a trace", trace.time.size()),
                settings.from || settings.to ? "--from and --to leave no more of it" : ""});
    }
}

/// A counter shows counts from 0 on, or as many below 0 as above. Others prove that its range is
/// not the one that is given.
void check_range(const RawTrace& raw, double range) {
    const std::vector<double>& counts = raw.trace.angle;
    const bool is_signed = std::ranges::min(counts) < 0.0;
    const double low = is_signed ? -0.5 * range : 0.0, high = low + range;
    const auto wrong = std::ranges::find_if_not(
        counts, [&](double count) { return count >= low && count < high; });
    if (wrong == counts.end()) return;
    const auto sample = static_cast<std::size_t>(wrong - counts.begin());
    throw core::InputError(
        {{raw.trace.file,
          raw.trace.lines[sample],
          raw.columns[sample],
          {"angle", core::with_unit(*wrong, "counts"),
           fmt::format("cannot be: {} with a range of {} counts shows {:.10g} to {:.10g}",
                       is_signed ? "a counter of both signs" : "a counter", core::to_text(range),
                       std::ceil(low), std::ceil(high) - 1.0),
           "the range is the number of counts after which the counter begins anew, for example "
           "--counter-range 65536; it is often found if you leave it out"}}});
}

/// The range of a counter, found from the largest of its steps: one revolution or a power of two.
/// Nothing if no step is longer than half of the smallest range that holds all counts.
std::optional<double> range_of(const std::vector<double>& counts, double counts_per_revolution) {
    const auto extremes = std::ranges::minmax(counts);
    const double span = extremes.max - extremes.min;
    double largest = 0.0, speed = 0.0;  // steps: the largest one, and the usual one before it
    for (std::size_t i = 1; i < counts.size(); ++i) {
        const double step = std::abs(counts[i] - counts[i - 1]);
        if (step <= largest) continue;
        largest = step;
        speed = i > 1 ? std::abs(counts[i - 1] - counts[i - 2]) : 0.0;
    }
    std::vector<double> ranges{counts_per_revolution};
    for (double range = 0x1p8; range <= 0x1p32; range *= 2.0) ranges.push_back(range);
    std::erase_if(ranges, [&](double range) { return range <= span; });
    if (ranges.empty() || largest <= 0.5 * std::ranges::min(ranges)) return {};
    return std::ranges::min(ranges, {},
                            [&](double range) { return std::abs(range - largest - speed); });
}

/// One revolution if the angle [rad] begins anew after each. An angle that goes beyond one does
/// not.
std::optional<double> range_of_angle(const std::vector<double>& angle) {
    constexpr double noise = 0.01;  // of a revolution
    const auto [lowest, highest] = std::ranges::minmax(angle);
    if (highest - lowest > (1.0 + noise) * revolution) return {};
    return revolution;
}

/// Takes out the jumps of a counter that begins anew after `range`.
void unwrap(std::vector<double>& angle, double range) {
    double shift = 0.0, last = angle.front();
    for (std::size_t i = 1; i < angle.size(); ++i) {
        const double step = angle[i] - last;
        last = angle[i];
        if (std::abs(step) > 0.5 * range) shift -= std::copysign(range, step);
        angle[i] += shift;
    }
}

/// Finds samples between which the angle jumps, other than by motion: farther than `least` and ten
/// times the usual speed, near by or in most of the trace.
class JumpSearch {
  public:
    JumpSearch(const std::vector<double>& time, const std::vector<double>& angle, double least)
        : time_(time), angle_(angle), least_(least) {
        for (std::size_t i = 1; i < time.size(); ++i) {
            speeds_.push_back(std::abs(angle[i] - angle[i - 1]) / (time[i] - time[i - 1]));
        }
        std::vector<double> sorted = speeds_;
        const auto most = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() * 9 / 10);
        std::ranges::nth_element(sorted, most);
        const auto [lowest, highest] = std::ranges::minmax(angle);
        usual_ = std::max(*most, (highest - lowest) / (time.back() - time.front()));
    }

    /// The sample after the first jump. A lone wrong sample, which jumps there and back, is none.
    std::optional<std::size_t> first() const {
        for (std::size_t i = 1; i < angle_.size(); ++i) {
            if (!is_jump(i, i - 1)) continue;
            const bool is_back = i + 1 < angle_.size() && !is_jump(i + 1, i - 1);
            if (!is_back) return i;
            ++i;
        }
        return {};
    }

  private:
    static constexpr std::size_t near = 4;
    static constexpr double factor = 10.0;

    /// Between the samples `from` and `to`.
    bool is_jump(std::size_t to, std::size_t from) const {
        const double turned = std::abs(angle_[to] - angle_[from]) - least_;
        const double most = factor * (time_[to] - time_[from]);  // of the usual speed
        return turned > most * usual_ &&
               turned > most * usual_in(from - std::min(from, near), from) &&
               turned > most * usual_in(to, std::min(to + near, speeds_.size()));
    }

    /// Of the intervals [begin, end).
    double usual_in(std::size_t begin, std::size_t end) const {
        return core::median({speeds_.begin() + static_cast<std::ptrdiff_t>(begin),
                             speeds_.begin() + static_cast<std::ptrdiff_t>(end)});
    }

    const std::vector<double>&time_, &angle_;
    double least_, usual_ = 0.0;
    std::vector<double> speeds_;
};

/// Refuses a trace that jumps although its counter is unwound. `recorded`: with the jumps of the
/// counter; `revolution`: in the unit of both.
void refuse_jumps(const Trace& trace, const std::vector<double>& recorded, bool is_counted,
                  double revolution) {
    const double least = is_counted ? few_counts : revolution / 8.0;
    const auto jump = JumpSearch(trace.time, trace.angle, least).first();
    if (!jump) return;
    const double from = recorded[*jump - 1], to = recorded[*jump];
    const std::string rule =
        is_counted ? fmt::format(
                         "jumps from {:.10g} to {:.10g} counts between two samples: counts "
                         "were lost, or the counter began again",
                         from, to)
                   : fmt::format("jumps by {:.6g} of a revolution between two samples",
                                 std::abs(to - from) / revolution);
    refuse(trace.file, trace.lines[*jump],
           {"angle", "", rule,
            is_counted ? "if the counter began again, give its range: --counter-range 65536; "
                         "otherwise cut the trace with --from and --to"
                       : "cut the trace with --from and --to"});
}

}  // namespace

std::optional<double> EncoderSettings::resolution() const {
    if (!pulses_per_revolution) return {};
    return revolution / (*pulses_per_revolution * (quadrature ? 4.0 : 1.0));
}

EncoderSettings read_encoder_settings(const std::string& trace_file,
                                      const std::vector<std::string>& options) {
    const auto add_options = [&](io::Document& document) {
        for (const std::string& option : options) {
            const std::size_t equals = option.find('=');
            document.root.set(option.substr(0, equals), io::Node::text(option.substr(equals + 1)));
        }
        auto settings = io::read<EncoderSettings>(document);
        if (settings.from && settings.to && *settings.from >= *settings.to) {
            throw core::InputError({document.locate(
                {"from", core::with_unit(*settings.from, "s"),
                 fmt::format("must be before `to`, {}", core::with_unit(*settings.to, "s")), ""})});
        }
        return settings;
    };
    io::Document given;
    given.file = "options";
    given.root.kind = io::Node::Kind::mapping;
    const EncoderSettings settings = add_options(given);  // refuses options in their own name
    const std::string file = settings_file_of(trace_file);
    if (!fs::exists(file)) return settings;
    io::Document document = io::read_yaml(file);
    return add_options(document);
}

Trace read_trace(const std::string& file, const EncoderSettings& settings) {
    const io::CellTable table = io::read_cells(file);
    RawTrace raw = read_rows(table, settings);
    Trace& trace = raw.trace;
    check_times(trace, settings);
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
    if (settings.counter_range) check_range(raw, *settings.counter_range);
    const double count = raw.is_counted ? trace.resolution : 1.0;
    const double turn = revolution / count;
    std::optional<double> range = settings.counter_range;
    if (!range) range = raw.is_counted ? range_of(trace.angle, turn) : range_of_angle(trace.angle);
    const std::vector<double> recorded = trace.angle;
    if (range) unwrap(trace.angle, *range);
    refuse_jumps(trace, recorded, raw.is_counted, turn);
    for (double& angle : trace.angle) angle *= count;
    return std::move(raw.trace);
}

}  // namespace stoss::postproc
