#pragma once
/// Encoder traces to measured impacts: one trace, or a folder of them with a manifest.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <postproc/experiment/experiment.hpp>
#include <postproc/experiment/restitution_measurement.hpp>
#include <postproc/experiment/trace.hpp>
#include <stoss/core/error.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/json.hpp>

namespace stoss::postproc {

/// The impact of a trace.
/// Errors: core::InputError with file and line if it shows no impact, more than one, or too little
/// free rotation before or after it.
RestitutionMeasurement measured_restitution(const Trace& trace, const EncoderSettings& settings);

/// The angle [rad] of the fitted motion at any time [s].
double fitted_angle(const RestitutionMeasurement& measurement, double time);

/// The numbers of a rebound, units in the keys.
io::Value to_value(const RestitutionMeasurement& measurement);

/// The samples around an impact: time, angle, fitted angle (NaN between the windows and outside).
io::Table to_table(const Trace& trace, const RestitutionMeasurement& measurement);

/// One line of a manifest and what its trace shows.
struct Trial {
    std::string file;    ///< relative to the manifest
    int line = 0;        ///< in the manifest
    double place = 0.0;  ///< in SI
    std::int64_t number = 0;
    std::size_t rows_left_out = 0;  ///< bad rows of the trace that were skipped
    RestitutionMeasurement measurement;
};

/// All traces of a folder.
struct TraceFolder {
    std::string manifest;
    Abscissa abscissa = Abscissa::xi;
    bool is_synthetic = false;
    std::vector<Trial> trials;
    std::vector<core::Diagnostic> left_out;  ///< why traces could not be used
    std::vector<std::string> unlisted;       ///< files like traces that the manifest lacks
};

/// Reads `manifest.csv` of a folder (columns: file, location, perhaps trial) and measures its
/// traces on `threads` threads (0: all cores), with progress unless `quiet`.
/// Errors: core::FileError, core::InputError with file and line for everything that is wrong with
/// the manifest or any trace. With `skip_bad` among the settings traces that cannot be used, and
/// bad rows of the others, are left out. `stop` is asked before each trace, by several threads:
/// core::Stopped once it answers true. Empty: never.
TraceFolder read_trace_folder(const std::string& folder, const std::vector<std::string>& options,
                              int threads, bool quiet, const std::function<bool()>& stop = {});

/// One row a trial.
io::Table to_table(const TraceFolder& folder);

/// The mean of the trials at each location.
Experiment experiment_of(const TraceFolder& folder);

}  // namespace stoss::postproc
