#pragma once
/// The trace of a rotary encoder: angle against time, as it was recorded.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <postproc/experiment/columns.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::postproc {

/// How an encoder was read, and which part of its trace counts. Keys of `encoder.yaml` beside the
/// traces; options of `stoss encoder`.
struct EncoderSettings {
    static constexpr std::string_view name = "encoder";
    static constexpr std::string_view meaning = "keys of encoder.yaml, a file beside the traces";

    core::OrNone<int> pulses_per_revolution;
    bool quadrature = false;
    core::OrNone<double> counter_range;
    core::OrNone<double> sampling_rate;
    double window = 0.25;
    core::OrNone<double> from, to;
    bool skip_bad = false;
    core::OrNone<ColumnMapping> time, angle;

    static constexpr auto fields() {
        return std::tuple{
            core::field("pulses_per_revolution", &EncoderSettings::pulses_per_revolution, "",
                        core::closed(1, 1e8), "pulses of one channel in one revolution"),
            core::field("quadrature", &EncoderSettings::quadrature,
                        "true: both edges of both channels are counted, four a pulse"),
            core::field("counter_range", &EncoderSettings::counter_range, "", core::at_least(2),
                        "number of counts after which the counter begins again at 0; none: found "
                        "from jumps of the counts"),
            core::field("sampling_rate", &EncoderSettings::sampling_rate, "Hz", core::positive,
                        "sampling rate of a trace without a column of time"),
            core::field("window", &EncoderSettings::window, "s", core::positive,
                        "longest motion that is fitted before and after the impact"),
            core::field("from", &EncoderSettings::from, "s", core::finite,
                        "time before which samples are ignored"),
            core::field("to", &EncoderSettings::to, "s", core::finite,
                        "time after which samples are ignored"),
            core::field("skip_bad", &EncoderSettings::skip_bad,
                        "true: rows and traces that cannot be used are left out"),
            core::field("time", &EncoderSettings::time, "column of the time"),
            core::field("angle", &EncoderSettings::angle, "column of the angle")};
    }

    /// Angle of one count [rad]; nothing if the pulses are not known.
    std::optional<double> resolution() const;
};

/// A trace in SI: ascending times, angles without the jumps of a counter that begins anew.
struct Trace {
    std::string file;
    bool is_synthetic = false;
    std::vector<double> time;   ///< [s]
    std::vector<double> angle;  ///< [rad]
    std::vector<int> lines;     ///< of the samples in the file
    double resolution = 0.0;    ///< angle of one count [rad]; 0: unknown
    std::size_t left_out = 0;   ///< bad rows that were skipped
};

/// `encoder.yaml` in the folder of `trace_file`, changed by `options` (`key=value`); the defaults
/// if there is none. Errors: core::InputError for a bad file or option, core::FileError if it
/// cannot be read.
EncoderSettings read_encoder_settings(const std::string& trace_file,
                                      const std::vector<std::string>& options);

/// Errors: core::FileError if the file cannot be read. core::InputError with file and line: no
/// column of angles, or of times without a sampling rate; both of these; counts without a
/// resolution; a cell that is no number; times that do not ascend; a jump that is neither motion
/// nor a counter that begins anew; fewer than two samples.
Trace read_trace(const std::string& file, const EncoderSettings& settings);

}  // namespace stoss::postproc
