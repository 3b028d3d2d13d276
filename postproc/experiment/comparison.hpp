#pragma once
/// Comparison of computed and measured restitution (docs/theory/experiments.md).

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <postproc/experiment/experiment.hpp>
#include <postproc/report/run_data.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/json.hpp>

namespace stoss::postproc {

/// How well a computed curve agrees with the measured points (14.9 to 14.13). Differences are
/// computed less measured. None: not defined for so few points, or without deviations.
struct Agreement {
    std::size_t points = 0;    ///< compared
    std::size_t left_out = 0;  ///< measured where nothing was computed
    std::optional<double> bias = {};
    std::optional<double> rmse = {};
    std::optional<double> rmse_normalised = {};  ///< over the range of the measured values
    std::optional<double> largest = {};          ///< difference of largest magnitude
    std::optional<double> place_of_largest = {};
    std::optional<double> rank_correlation = {};      ///< Spearman's
    std::size_t points_with_deviation = 0;            ///< of those compared
    std::optional<double> share_within_1 = {};        ///< of these, within 1 standard deviation
    std::optional<double> share_within_2 = {};        ///< within 2
    std::optional<double> chi_square = {};            ///< with the standard deviations
    std::optional<double> chi_square_reduced = {};    ///< per point
    std::optional<double> chi_square_of_means = {};   ///< of the normal deviates of the means
    std::optional<double> probability_of_means = {};  ///< of a chi-square so large by chance
};

/// One computed curve and its agreement.
struct ComparedCurve {
    std::string run;                 ///< directory
    std::string label;               ///< title of the run, and the swept value if there is one
    std::vector<double> place, cor;  ///< as computed, by ascending place
    std::vector<double> at_points;   ///< at the measured places; NaN where nothing was computed
    Agreement agreement;
};

/// The curves of a run against what was measured: one a swept value, or one against speed.
/// Errors: core::FileError and core::InputError if the run has no map, or none against that.
std::vector<ComparedCurve> compare(const Experiment& experiment, const Run& run);

/// The normal deviate that is as improbable as the difference [e] of a computed value from the mean
/// of a point (14.13): Student's t with n - 1 degrees of freedom, for the deviation is that of the
/// n repeats themselves. A systematic error beside it makes the deviate too small, never too large.
/// The deviation of one measurement comes from elsewhere and is taken as exact.
/// Precondition: the standard error is > 0.
double normal_deviate(const MeasuredPoint& point, double difference);

/// `computed` at the measured points; NaN where there is nothing to compare with.
Agreement agreement(const std::vector<MeasuredPoint>& measured,
                    const std::vector<double>& computed);

/// Places, measured values, and computed ones with their difference for each curve.
io::Table comparison_table(const Experiment& experiment, const std::vector<ComparedCurve>& curves);

/// The computed curves one below the other: number of the curve, place, restitution.
io::Table curve_table(const Experiment& experiment, const std::vector<ComparedCurve>& curves);

/// The agreement of one curve, as in summary.json.
io::Value to_value(const ComparedCurve& curve);

}  // namespace stoss::postproc
