#include <solvers/app/experiments.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <postproc/experiment/comparison.hpp>
#include <postproc/experiment/encoder.hpp>
#include <postproc/experiment/experiment_figures.hpp>
#include <solvers/app/results.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/core/robust.hpp>
#include <stoss/io/document.hpp>

namespace stoss::solvers {

namespace {

namespace fs = std::filesystem;

/// runs/NAME_WHAT of a file or folder NAME.
std::string default_directory(const std::string& input, const char* what) {
    fs::path path = fs::absolute(input).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();  // a trailing slash
    const fs::path name = fs::is_directory(path) ? path.filename() : path.stem();
    return (fs::path("runs") / (name.string() + "_" + what)).string();
}

/// "3.0012 +- 0.0008": as many decimals as the second digit of the error.
std::string with_error(const postproc::Measured& measured) {
    if (!(measured.standard_error > 0.0 && std::isfinite(measured.standard_error)))
        return fmt::format("{:.6g}", measured.value);
    const int decimals =
        std::clamp(1 - static_cast<int>(std::floor(core::log10(measured.standard_error))), 0, 12);
    return fmt::format("{:.{}f} +- {:.{}f}", measured.value, decimals, measured.standard_error,
                       decimals);
}

constexpr double useless_error = 0.1;  // standard error of a coefficient that lies in [0, 1]
constexpr double least_drive = 3.0;    // standard errors of a friction that accelerates
constexpr double sure_torque = 6.0;    // standard errors; below, counts may have caused it

/// Says that a coefficient is uncertain, or outside of [0, 1] by more than two standard errors.
void warn_of_coefficient(Done& done, const std::string& file, const postproc::Measured& cor) {
    const double error = 2.0 * cor.standard_error;
    std::string meaning;
    if (cor.value < -error) meaning = "is < 0: the beam does not turn back";
    if (cor.value > 1.0 + error)
        meaning = "is > 1: the beam is faster after the impact than before";
    if (!(cor.standard_error <= useless_error))
        meaning = fmt::format("has a standard error above {}: the trace does not determine it",
                              useless_error);
    if (meaning.empty()) return;
    done.warnings.push_back(
        fmt::format("{}: coefficient of restitution {} {}", file, with_error(cor), meaning));
}

/// Says that the beam is not slowed by friction alone.
void warn_of_drive(Done& done, const std::string& file,
                   const postproc::RestitutionMeasurement& measurement) {
    const postproc::Measured& acceleration = measurement.acceleration;
    const postproc::Measured& friction = measurement.friction;
    if (acceleration.value != 0.0) {
        const bool is_sure =
            std::abs(acceleration.value) > sure_torque * acceleration.standard_error;
        done.warnings.push_back(
            fmt::format("{}: a torque accelerates the beam by {} rad/s^2 before and after the "
                        "impact (gravity?); it is fitted as constant: if it varies, shorten "
                        "--window{}",
                        file, with_error(acceleration),
                        is_sure ? ""
                                : "; it may be an error of the counts: look whether the other "
                                  "traces show it, too"));
    }
    if (friction.value < -least_drive * friction.standard_error) {
        done.warnings.push_back(fmt::format(
            "{}: deceleration by friction {} rad/s^2 is < 0: something drives the beam, and not "
            "by a constant torque; the restitution may be wrong",
            file, with_error(friction)));
    }
}

void warn_of_rows(Done& done, const std::string& file, std::size_t left_out) {
    if (left_out > 0)
        done.warnings.push_back(fmt::format("{}: {} rows are left out", file, left_out));
}

/// Says that a folder has more traces than its manifest.
void warn_of_unlisted(Done& done, const std::vector<std::string>& files) {
    if (files.empty()) return;
    std::string more;
    if (files.size() == 2) more = "; so is one more file";
    if (files.size() > 2) more = fmt::format("; so are {} more files", files.size() - 1);
    done.warnings.push_back(
        fmt::format("{}: is not in manifest.csv and is left out{}", files.front(), more));
}

void warn_of(Done& done, const std::string& file,
             const postproc::RestitutionMeasurement& measurement) {
    warn_of_coefficient(done, file, measurement.cor);
    warn_of_drive(done, file, measurement);
}

void add_settings(io::Value& summary, const postproc::EncoderSettings& settings) {
    if (settings.pulses_per_revolution) {
        summary.set("pulses_per_revolution", *settings.pulses_per_revolution);
        summary.set("quadrature", settings.quadrature);
        summary.set("resolution_rad", *settings.resolution());
    }
    summary.set("window_s", settings.window);
}

Done encoder_trace(const EncoderRequest& request, const std::string& directory) {
    const auto settings = postproc::read_encoder_settings(request.input, request.options);
    const postproc::Trace trace = postproc::read_trace(request.input, settings);
    const postproc::RestitutionMeasurement measurement =
        postproc::measured_restitution(trace, settings);
    Results results{"encoder_trace",
                    fs::path(request.input).filename().string(),
                    postproc::to_value(measurement),
                    {}};
    results.summary.set("trace", request.input).set("synthetic", trace.is_synthetic);
    results.summary.set("samples", trace.time.size()).set("rows_left_out", trace.left_out);
    add_settings(results.summary, settings);
    results.tables.emplace_back("trace.csv", postproc::to_table(trace, measurement));
    results.write(directory, request.threads);

    Done done;
    warn_of_rows(done, trace.file, trace.left_out);
    warn_of(done, trace.file, measurement);
    const auto line = [&](const char* name, const postproc::Measured& measured, const char* unit) {
        done.words += fmt::format("  {:<26} {} {}\n", name, with_error(measured), unit);
    };
    if (trace.is_synthetic) done.words += "  synthetic: computed, not measured\n";
    line("instant of impact", measurement.instant, "s");
    line("angular velocity before", measurement.omega_before, "rad/s");
    line("angular velocity after", measurement.omega_after, "rad/s");
    line("deceleration before", measurement.deceleration_before, "rad/s^2");
    line("deceleration after", measurement.deceleration_after, "rad/s^2");
    line("coefficient of restitution", measurement.cor, "");
    done.words += places_of(directory);
    return done;
}

Done encoder_folder(const EncoderRequest& request, const std::string& directory) {
    const postproc::TraceFolder folder = postproc::read_trace_folder(
        request.input, request.options, request.threads, request.quiet, request.stop);
    const postproc::Experiment experiment = postproc::experiment_of(folder);
    std::vector<double> cor, errors;
    for (const postproc::Trial& trial : folder.trials) {
        cor.push_back(trial.measurement.cor.value);
        errors.push_back(trial.measurement.cor.standard_error);
    }
    const double median_error = core::median(std::move(errors));
    Results results{
        "encoder", fmt::format("Encoder traces of {}", request.input), io::Value::object(), {}};
    io::Value left_out = io::Value::array();
    Done done;
    std::size_t rows_left_out = 0;
    for (const postproc::Trial& trial : folder.trials) {
        warn_of_rows(done, trial.file, trial.rows_left_out);
        warn_of(done, trial.file, trial.measurement);
        rows_left_out += trial.rows_left_out;
    }
    for (const core::Diagnostic& each : folder.left_out) {
        left_out.append(core::to_string(each));
        done.warnings.push_back("left out: " + core::to_string(each));
    }
    warn_of_unlisted(done, folder.unlisted);
    results.summary.set("manifest", folder.manifest).set("synthetic", folder.is_synthetic);
    results.summary.set("traces", folder.trials.size());
    results.summary.set("locations", experiment.points.size());
    results.summary.set("cor_min", *std::ranges::min_element(cor));
    results.summary.set("cor_max", *std::ranges::max_element(cor));
    results.summary.set("cor_standard_error_median", median_error);
    results.summary.set("left_out", std::move(left_out)).set("rows_left_out", rows_left_out);
    add_settings(results.summary,
                 postproc::read_encoder_settings(folder.manifest, request.options));
    results.tables.emplace_back("collisions.csv", postproc::to_table(folder));
    results.tables.emplace_back("experiment.csv", postproc::to_table(experiment));
    results.write(directory, request.threads);

    if (folder.is_synthetic) done.words += "  synthetic: computed, not measured\n";
    done.words += fmt::format("  {:<26} {}\n", "traces", folder.trials.size());
    done.words += fmt::format("  {:<26} {}\n", "locations", experiment.points.size());
    done.words += fmt::format("  {:<26} {:.4f} to {:.4f}\n", "coefficient of restitution",
                              *std::ranges::min_element(cor), *std::ranges::max_element(cor));
    done.words += fmt::format("  {:<26} {:.2g} (median)\n", "its standard error", median_error);
    done.words += places_of(directory);
    return done;
}

std::string agreement_words(const postproc::Experiment& experiment,
                            const postproc::ComparedCurve& curve) {
    const postproc::Agreement& found = curve.agreement;
    std::string text = fmt::format("{}\n", curve.label);
    const auto line = [&](const char* name, const std::string& value) {
        text += fmt::format("  {:<26} {}\n", name, value);
    };
    line("run", curve.run);
    line("points",
         fmt::format("{}{}", found.points,
                     found.left_out > 0
                         ? fmt::format(" ({} left out: nothing computed there)", found.left_out)
                         : ""));
    line("bias", fmt::format("{:+.4f}", *found.bias));
    line("RMSE", !found.rmse_normalised ? fmt::format("{:.4f}", *found.rmse)
                                        : fmt::format("{:.4f} ({:.1f} % of the measured range)",
                                                      *found.rmse, 100.0 * *found.rmse_normalised));
    line("largest difference",
         fmt::format("{:+.4f} at {}", *found.largest,
                     postproc::place_words(experiment, *found.place_of_largest)));
    if (found.rank_correlation && !std::isnan(*found.rank_correlation)) {
        line("rank correlation", fmt::format("{:.3f}", *found.rank_correlation));
    }
    if (found.points_with_deviation == 0) return text;
    line("within 1 and 2 deviations",
         fmt::format("{:.0f} %, {:.0f} %", 100.0 * *found.share_within_1,
                     100.0 * *found.share_within_2));
    line("chi-square", fmt::format("{:.4g} for {} points ({:.3g} per point)", *found.chi_square,
                                   found.points_with_deviation, *found.chi_square_reduced));
    line("chi-square of the means",
         fmt::format("{:.4g}, probability {:.2g}", *found.chi_square_of_means,
                     *found.probability_of_means));
    return text;
}

/// Adds the directory of the run to labels that curves of different runs share.
void make_labels_unique(std::vector<postproc::ComparedCurve>& curves) {
    std::map<std::string, std::set<std::string>> runs;
    for (const auto& curve : curves) runs[curve.label].insert(curve.run);
    for (auto& curve : curves) {
        if (const auto found = runs.find(curve.label); found->second.size() > 1)
            curve.label += fmt::format("{}({})", curve.label.empty() ? "" : " ", curve.run);
    }
}

}  // namespace

Done encoder(const EncoderRequest& request) {
    const std::string directory =
        request.directory.empty() ? default_directory(request.input, "encoder") : request.directory;
    return fs::is_directory(request.input) ? encoder_folder(request, directory)
                                           : encoder_trace(request, directory);
}

Done compare(const CompareRequest& request) {
    const postproc::Experiment experiment =
        postproc::read_experiment(request.experiment, request.skip_bad);
    std::vector<postproc::ComparedCurve> curves;
    for (const std::string& run : request.runs) {
        if (request.stop && request.stop()) throw core::Stopped();
        auto more = postproc::compare(experiment, postproc::read_run(run));
        std::ranges::move(more, std::back_inserter(curves));
    }
    make_labels_unique(curves);
    const std::string directory = request.directory.empty()
                                      ? default_directory(request.experiment, "comparison")
                                      : request.directory;
    Results results{"comparison",
                    fmt::format("Comparison with {}", request.experiment),
                    io::Value::object(),
                    {}};
    Done done;
    io::Value comparisons = io::Value::array();
    for (const postproc::ComparedCurve& curve : curves) {
        comparisons.append(postproc::to_value(curve));
        done.words += agreement_words(experiment, curve);
        done.passed = done.passed && !(curve.agreement.rmse.value_or(0.0) >
                                       request.max_rmse.value_or(core::infinity));
    }
    results.summary.set("experiment", request.experiment);
    results.summary.set("synthetic", experiment.is_synthetic);
    results.summary.set("rows_left_out", experiment.left_out);
    results.summary.set("comparisons", std::move(comparisons));
    results.tables.emplace_back("comparison.csv", postproc::comparison_table(experiment, curves));
    results.tables.emplace_back("curves.csv", postproc::curve_table(experiment, curves));
    results.write(directory, 0);
    if (experiment.is_synthetic) {
        done.warnings.push_back(experiment.file + ": synthetic: computed, not measured");
    }
    warn_of_rows(done, experiment.file, experiment.left_out);
    if (!done.passed) {
        done.words += fmt::format("  not as asked for: an RMSE is above {:g}\n", *request.max_rmse);
    }
    done.words += places_of(directory);
    return done;
}

void refuse_unless_fit(const std::string& case_file) {
    const io::Document document = io::read_yaml(case_file);
    const io::Node* const problem = document.root.find("problem");
    if (problem == nullptr || problem->scalar == "beam_fit") return;
    throw core::InputError({document.locate(
        {"problem", problem->scalar, "cannot be fitted: `stoss fit` needs `problem: beam_fit`",
         "`stoss new beam_fit` writes such a case"})});
}

}  // namespace stoss::solvers
