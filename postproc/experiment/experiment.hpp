#pragma once
/// Tables of measured coefficients of restitution.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <postproc/experiment/columns.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/core/place.hpp>
#include <stoss/io/csv.hpp>

namespace stoss::postproc {

/// Which column is what, where the header does not say it: the YAML file beside a table.
struct ExperimentMapping {
    static constexpr std::string_view name = "experiment";
    static constexpr std::string_view meaning =
        "keys of NAME.columns.yaml, a file beside a table NAME.csv of measured restitution";

    core::OrNone<ColumnMapping> location, speed, cor, standard_deviation, standard_error,
        systematic_error, repeats;
    bool synthetic = false;

    static constexpr auto fields() {
        return std::tuple{
            core::field("location", &ExperimentMapping::location,
                        "place at which the beam was struck"),
            core::field("speed", &ExperimentMapping::speed,
                        "approach speed, or angular velocity before the impact"),
            core::field("cor", &ExperimentMapping::cor, "measured coefficient of restitution"),
            core::field("standard_deviation", &ExperimentMapping::standard_deviation,
                        "standard deviation of one measurement of the coefficient"),
            core::field("standard_error", &ExperimentMapping::standard_error,
                        "standard error of the mean of the coefficient"),
            core::field("systematic_error", &ExperimentMapping::systematic_error,
                        "part of the standard error that repeats do not average out"),
            core::field("repeats", &ExperimentMapping::repeats,
                        "number of measurements whose mean the row gives"),
            core::field("synthetic", &ExperimentMapping::synthetic,
                        "true: the numbers are computed, not measured")};
    }
};

/// What a coefficient of restitution was measured against.
enum class Abscissa { xi, x, approach_speed, angular_velocity };

/// The column of a run's map that holds it: `xi`, `x_m`, ...
std::string_view column_name(Abscissa abscissa);

/// All measurements at one place (or speed).
struct MeasuredPoint {
    double place = 0.0;                    ///< in SI; speeds without sign
    double cor = 0.0;                      ///< mean
    std::optional<double> deviation = {};  ///< standard deviation of one measurement, if known
    double repeats = 1.0;
    double systematic = 0.0;  ///< standard error that all repeats share, beside the deviation

    /// Standard error of the mean (theory/experiments.md 14.8); none if it is not known.
    std::optional<double> standard_error() const;
    /// Standard error of one measurement; none if it is not known.
    std::optional<double> error_of_one() const;
};

/// The deviation of one measurement, of whose standard error a part is systematic.
/// Precondition: standard_error >= systematic.
double scatter_of(double standard_error, double systematic);

/// A measured curve, by ascending place.
struct Experiment {
    std::string file;
    Abscissa abscissa = Abscissa::xi;
    bool is_synthetic = false;
    std::vector<MeasuredPoint> points;
    std::size_t left_out = 0;  ///< bad rows that were skipped
};

/// Reads a table with a column of locations or speeds and one of restitution; deviation, repeats,
/// systematic and standard error may be there (theory/experiments.md 14.7, 14.8: rows of one
/// place become one point).
/// Errors: core::FileError if the file cannot be read; core::InputError with file and line for a
/// missing column and for every bad row, unless `skip_bad`: then bad rows are left out.
Experiment read_experiment(const std::string& file, bool skip_bad);

/// Says in which unit places in metres were read, for a message on places that do not fit; empty
/// for other experiments.
std::string unit_hint(const Experiment& experiment);

/// The places of an experiment along a beam of that length [m], as xi.
/// Errors: core::InputError if it was measured against speed, or if a place is not on the beam.
std::vector<double> locations_of(const Experiment& experiment, double length);

/// The same as distances where they were measured as such: on a beam of another length they stay
/// where they are.
std::vector<core::Place> places_of(const Experiment& experiment, double length);

/// The means of equal places, from single measurements of equal weight.
std::vector<MeasuredPoint> averaged(const std::vector<MeasuredPoint>& rows);

/// A table that `read_experiment` reads.
io::Table to_table(const Experiment& experiment);

}  // namespace stoss::postproc
