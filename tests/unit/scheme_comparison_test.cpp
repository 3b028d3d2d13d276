#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <solved_case.hpp>
#include <solvers/app/run.hpp>
#include <solvers/registry/registry.hpp>
#include <stoss/core/error.hpp>
#include <stoss/io/checkpoint.hpp>
#include <stoss/io/file.hpp>
#include <temporary_directory.hpp>

namespace {

using namespace stoss;
using tests::solve;
using tests::table;

const std::string point_case =
    "problem: scheme_comparison\n"
    "point: {mass: 10 g, speed: 1 m/s, rebounds: 300}\n"
    "contact: {law: hunt_crossley, stiffness: 1e9, damping_factor: 0.5 s/m}\n"
    "sample_rate: 44.1 kHz\n"
    "halvings: 3\n"
    "schemes:\n"
    "  - {scheme: rk4}\n"
    "  - {name: rk4_fine, scheme: rk4, oversampling: 16}\n"
    "  - {scheme: discrete_gradient}\n"
    "  - {name: corrected, scheme: verlet, correction: {phase_curve: true, output_velocity: "
    "exact}}\n";

double number(const solvers::Outcome& outcome, const std::string& scheme, const char* key) {
    return *outcome.summary.find("schemes")->find(scheme)->find(key)->number();
}

TEST(SchemeComparison, OversamplingLowersTheErrorAndCorrectionsRemoveIt) {
    const solvers::Outcome outcome = solve(point_case);
    EXPECT_TRUE(outcome.warnings.empty());
    const auto error = [&](const char* scheme) {
        return std::abs(number(outcome, scheme, "accumulated_energy_error_percent"));
    };
    EXPECT_LT(error("rk4_fine"), 0.01 * error("rk4"));
    EXPECT_LT(error("corrected"), 1e-9);
    EXPECT_EQ(number(outcome, "corrected", "overlap_deviation_percent"), 0.0);
    EXPECT_NEAR(number(outcome, "discrete_gradient", "order"), 2.0, 0.1);
}

/// Errors of the first rebound in per cent, of the textbook form and with the start force kept.
std::pair<double, double> errors_of_heun(const std::string& contact, const std::string& speed) {
    const solvers::Outcome outcome = solve(
        "problem: scheme_comparison\n"
        "point: {mass: 10 g, speed: " +
        speed +
        "}\n"
        "contact: {law: hunt_crossley, " +
        contact +
        "}\n"
        "sample_rate: 44.1 kHz\n"
        "halvings: 0\n"
        "schemes:\n"
        "  - {scheme: heun}\n"
        "  - {name: kept, scheme: heun, start_force: kept}\n");
    return {number(outcome, "heun", "output_velocity_error_percent"),
            number(outcome, "kept", "output_velocity_error_percent")};
}

TEST(SchemeComparison, HeunsTextbookFormIsTheWorseOneWithLittleDampingAndTheBetterOneWithMuch) {
    const auto [little, little_kept] =
        errors_of_heun("stiffness: 1e7, exponent: 1.3, damping_factor: 0.01 s/m", "0.5 m/s");
    EXPECT_NEAR(little, 0.295, 5e-4);
    EXPECT_NEAR(little_kept, 0.067, 5e-4);
    const auto [much, much_kept] =
        errors_of_heun("stiffness: 1e9, damping_factor: 0.5 s/m", "1 m/s");
    EXPECT_NEAR(much, 3.00, 5e-3);
    EXPECT_NEAR(much_kept, -4.68, 5e-3);
}

TEST(SchemeComparison, KeepsEveryEarlyReboundAndSomeLateOnes) {
    const solvers::Outcome outcome = solve(point_case);
    const std::vector<double> numbers = table(outcome, "rebounds.csv").numbers("rebound");
    ASSERT_GT(numbers.size(), 4U * 100U);
    EXPECT_EQ(numbers[98], 99.0);
    EXPECT_EQ(numbers[99], 100.0);
    EXPECT_EQ(numbers[100], 102.0);
    EXPECT_EQ(numbers.back(), 300.0);
}

TEST(SchemeComparison, ResultsDoNotDependOnTheNumberOfThreads) {
    const solvers::Outcome one = solve(point_case, {1, true});
    const solvers::Outcome four = solve(point_case, {4, true});
    for (const char* name : {"schemes.csv", "samples.csv", "rebounds.csv", "steps.csv"}) {
        EXPECT_EQ(io::to_csv(table(one, name)), io::to_csv(table(four, name))) << name;
    }
}

TEST(SchemeComparison, GoesOnWhereItWasInterrupted) {
    const tests::TemporaryDirectory directory;
    const std::string file = directory.file("partial.csv");
    {
        io::Checkpoint checkpoint(file, "case", false);
        std::atomic<int> asked{0};
        const auto stop = [&] { return ++asked > 8; };  // within the second sequence
        const solvers::Outcome cut = solve(point_case, {1, true, stop, &checkpoint});
        EXPECT_EQ(cut.ending, solvers::Ending::interrupted);
        EXPECT_GT(cut.items_done, 0U);
        EXPECT_LT(cut.items_done, cut.item_count);
        checkpoint.save();
    }
    io::Checkpoint checkpoint(file, "case", true);
    EXPECT_GT(checkpoint.restored(), 0U);
    const solvers::Outcome resumed =
        solve(point_case, {1, true, [] { return false; }, &checkpoint});
    EXPECT_EQ(io::to_csv(table(resumed, "rebounds.csv")),
              io::to_csv(table(solve(point_case), "rebounds.csv")));
}

TEST(SchemeComparison, LawWithoutClosedFormHasItsReboundAndNoDeviations) {
    const solvers::Outcome outcome = solve(
        "problem: scheme_comparison\n"
        "point: {mass: 10 g, speed: 1 m/s}\n"
        "contact: {law: linear_damping, stiffness: 1e7, damping: 0.5 N s/m}\n"
        "sample_rate: 1 MHz\n"
        "halvings: 2\n"
        "schemes: [{scheme: rk4}, {scheme: splitting_4}]\n");
    EXPECT_TRUE(std::isnan(number(outcome, "rk4", "overlap_deviation_percent")));
    EXPECT_NEAR(number(outcome, "rk4", "output_velocity_error_percent"), 0.0, 1e-2);
    EXPECT_NEAR(number(outcome, "splitting_4", "output_velocity_error_percent"), 0.0, 1e-2);
}

TEST(SchemeComparison, BodyThatStaysIsToldWithItsRebound) {
    const solvers::Outcome outcome = solve(
        "problem: scheme_comparison\n"
        "point: {mass: 10 g, speed: 1 m/s, rebounds: 50}\n"
        "contact: {law: linear_damping, stiffness: 1e7, damping: 5 N s/m, separation: "
        "zero_overlap}\n"
        "sample_rate: 1 MHz\n"
        "halvings: 0\n"
        "schemes: [{scheme: rk4}]\n");
    ASSERT_EQ(outcome.warnings.size(), 1U);
    EXPECT_NE(outcome.warnings[0].find("the body did not leave the wall"), std::string::npos);
    EXPECT_NE(outcome.warnings[0].find("of 50 rebounds"), std::string::npos);
}

TEST(SchemeComparison, BodyThatALoadHoldsIsANumericalError) {
    EXPECT_THROW(solve("problem: scheme_comparison\n"
                       "point: {mass: 10 g, speed: 1 m/s, external_force: 1e4 N}\n"
                       "contact: {law: hunt_crossley, stiffness: 1e7, damping_factor: 0.5 s/m}\n"
                       "sample_rate: 1 MHz\n"
                       "schemes: [{scheme: rk4}]\n"),
                 core::NumericalError);
}

TEST(SchemeComparison, RunHasFiguresReportAndAFileForTheTimes) {
    const tests::TemporaryDirectory directory;
    io::write_text(directory.file("case.yaml"), point_case);
    solvers::RunRequest request;
    request.case_file = directory.file("case.yaml");
    request.directory = directory.file("run");
    request.quiet = true;
    const solvers::RunReport report = solvers::run(request);
    for (const char* file : {"figures/phase.svg", "figures/energy.svg", "figures/rebounds.svg",
                             "figures/work_precision.svg", "report.html", "timing.csv"}) {
        EXPECT_FALSE(io::read_text(directory.file("run/" + std::string(file))).empty()) << file;
    }
    const std::string words = solvers::closing_words(report);
    EXPECT_NE(words.find("rk4_fine"), std::string::npos) << words;
    EXPECT_NE(words.find("deviation"), std::string::npos) << words;
    EXPECT_EQ(io::read_text(directory.file("run/summary.json")).find("_ns"), std::string::npos);
}

const std::string beam_case =
    "problem: scheme_comparison\n"
    "beam:\n"
    "  length: 508 mm\n"
    "  section: {shape: circle, radius: 6.35 mm}\n"
    "  material: {youngs_modulus: 68.3 GPa, poisson_ratio: 0.34, density: 2710 kg/m^3}\n"
    "  supports: [{type: pin, xi: 0.0375}]\n"
    "striker:\n"
    "  shape: cylinder\n"
    "  radius: 6.35 mm\n"
    "  material: {youngs_modulus: 68.3 GPa, poisson_ratio: 0.34}\n"
    "motion: {angular_velocity: -6 rad/s}\n"
    "contact: {law: hertz}\n"
    "mesh: {elements: 80, modes: 8}\n"
    "location: {xi: 0.68}\n"
    "sample_rate: 1 MHz\n"
    "halvings: 2\n"
    "schemes: [{name: lagged, scheme: newmark_beta, force: lagged}, {scheme: trapezoid},\n"
    "          {scheme: verlet}, {scheme: rk4}, {scheme: splitting, tolerance: 1e-7}]\n";

TEST(SchemeComparison, OnABeamTheSchemesAgreeWithTheConvergedCollision) {
    const solvers::Outcome outcome = solve(beam_case);
    EXPECT_LT(*outcome.summary.find("cor_uncertainty")->number(), 1e-6);
    for (const char* scheme : {"lagged", "trapezoid", "verlet", "rk4"}) {
        EXPECT_LT(std::abs(number(outcome, scheme, "cor_error")), 5e-2) << scheme;
    }
    EXPECT_LT(std::abs(number(outcome, "rk4", "cor_error")),
              0.1 * std::abs(number(outcome, "lagged", "cor_error")));
    EXPECT_LT(std::abs(number(outcome, "splitting", "cor_error")), 1e-6);
    EXPECT_GT(number(outcome, "lagged", "energy_residual"), 1e-3);  // the lag feeds energy in
}

TEST(SchemeComparison, OnABeamASchemeThatDoesNotEndHasNoNumbers) {
    std::string coarse = beam_case;  // a step is longer than the contact
    coarse.replace(coarse.find("1 MHz"), 5, "1 Hz");
    coarse.replace(coarse.find("halvings: 2"), 11, "halvings: 10");
    const solvers::Outcome outcome = solve(coarse);
    const io::Value& schemes = *outcome.summary.find("schemes");
    for (const char* scheme : {"lagged", "verlet", "rk4"}) {
        ASSERT_NE(*schemes.find(scheme)->find("status")->text(), "separated") << scheme;
        for (const char* key : {"cor_kinematic", "cor_error", "energy_residual"})
            EXPECT_TRUE(std::isnan(number(outcome, scheme, key))) << scheme << ' ' << key;
    }
    EXPECT_FALSE(std::isnan(number(outcome, "splitting", "cor_error")));
}

TEST(SchemeComparison, OnABeamBeyondTheLimitOfStabilityTheEnergySaysSo) {
    std::string coarse = beam_case;
    coarse.replace(coarse.find("1 MHz"), 5, "100 kHz");
    coarse.replace(coarse.find("modes: 8"), 8, "modes: 25");
    const solvers::Outcome outcome = solve(coarse);
    EXPECT_GT(std::abs(number(outcome, "verlet", "energy_residual")), 0.1);
    EXPECT_LT(std::abs(number(outcome, "trapezoid", "energy_residual")), 0.1);
    const auto told = [&](const std::string& words) {
        return std::any_of(outcome.warnings.begin(), outcome.warnings.end(),
                           [&](const std::string& warning) { return warning.starts_with(words); });
    };
    EXPECT_TRUE(told("verlet: the error of the energy balance"));
    EXPECT_FALSE(told("trapezoid"));
}

TEST(SchemeComparison, OnABeamThatNoSchemeResolvesItIsANumericalErrorAndNotAnInterruption) {
    std::string tiny = beam_case;
    tiny.replace(tiny.find("508 mm"), 6, "1e-12 mm");
    EXPECT_THROW(solve(tiny), core::NumericalError);
}

TEST(SchemeComparison, ReferenceDoesNotDependOnTheSampling) {
    // 2.2 samples in contact: a first look by one of the schemes would lose the body.
    const std::string text =
        "problem: scheme_comparison\n"
        "point: {mass: 0.002 kg, speed: 2.6 m/s}\n"
        "contact: {law: hunt_crossley, stiffness: 3e9, damping_factor: 1.1 s/m}\n"
        "halvings: 1\n"
        "schemes: [{scheme: discrete_gradient}]\n"
        "sample_rate: ";
    const solvers::Outcome coarse = solve(text + "48 kHz\n"), fine = solve(text + "4.8 MHz\n");
    const auto number = [](const solvers::Outcome& outcome, const char* key) {
        return *outcome.summary.find(key)->number();
    };
    EXPECT_NEAR(number(coarse, "restitution"), 0.3186, 5e-5);
    // (theory/point_impact.md 10.1) at v = 0
    const double z = 1.1 * 2.6;
    const double w = (z - std::log1p(z)) / (1.1 * 1.1);
    EXPECT_NEAR(number(coarse, "largest_overlap_m") / std::pow(2.5 * 0.002 / 3e9 * w, 0.4), 1.0,
                1e-14);
    for (const char* key : {"restitution", "largest_overlap_m", "contact_time_s"})
        EXPECT_EQ(number(coarse, key), number(fine, key)) << key;
}

TEST(SchemeComparison, LargestOverlapWithoutClosedFormIsThatOfTheImpact) {
    const solvers::Outcome outcome = solve(
        "problem: scheme_comparison\n"
        "point: {mass: 1 kg, speed: 1 m/s}\n"
        "contact: {law: kelvin_voigt, stiffness: 1 N/m, damping: 0.6 N s/m}\n"
        "sample_rate: 10 Hz\n"
        "halvings: 0\n"
        "schemes: [{scheme: rk4}]\n");
    // x'' + 0.6 x' + x = 0: the largest overlap is exp(-xi t)/1 at tan(w t) = w/xi.
    const double xi = 0.3, w = std::sqrt(1.0 - xi * xi), t = std::atan2(w, xi) / w;
    EXPECT_NEAR(*outcome.summary.find("largest_overlap_m")->number() /
                    (std::exp(-xi * t) * std::sin(w * t) / w),
                1.0, 1e-11);
}

}  // namespace
