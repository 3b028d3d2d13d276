/// The intervals and the probability of a fit, held against synthetic experiments:
///     stoss_fit_sweep EXPERIMENTS [THREADS]
/// A free bar is struck by a sphere at twenty places. Internal damping and Young's modulus of the
/// sphere are known. Each experiment adds normal noise of known size to the computed restitution,
/// and `beam_fit` looks for both. Prints in how many experiments the 95 % interval of a key holds
/// its true value, and the probability (Kolmogorov and Smirnov) that the probabilities of the fits
/// are uniform. Exits with 1 if a coverage is outside 93 to 97 %, widened by what chance does to
/// so few experiments, or if the probabilities are not uniform.
///
/// Then 200 bootstrap samples of two fits: standard errors against the scatter of the fits. Exits
/// with 1 if they differ by 20 % or more.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <bar_of_fits.hpp>
#include <solvers/problems/beam/beam_fit.hpp>
#include <solvers/problems/beam/beam_impact.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/io/document.hpp>
#include <temporary_directory.hpp>

namespace {

using namespace stoss;

constexpr int places = 20;
constexpr double first_place = 0.1, last_place = 0.9;
constexpr double damping = 2e6, modulus = 210e9;  // Pa s, Pa: the truth
constexpr double noise = 1e-3;                    // of a mean, standard error

/// How the experiments are made and evaluated.
struct Plan {
    const char* name;
    const char* loss;
    const char* weights;
    bool same_noise;  // else it grows five times along the beam
    int repeats;      // 0: the standard errors are known; else they come from so many repeats
};

/// Weights by a few repeats are uncertain themselves: such fits warn, and are shown only.
bool is_judged(const Plan& plan) {
    return plan.repeats == 0;
}

constexpr std::array plans{
    Plan{"equal weights, squares", "none", "equal", true, 0},
    Plan{"equal weights, Huber", "huber", "equal", true, 0},
    Plan{"equal weights, Cauchy", "cauchy", "equal", true, 0},
    Plan{"known standard errors, squares", "none", "standard_error", false, 0},
    Plan{"known standard errors, Huber", "huber", "standard_error", false, 0},
    Plan{"standard errors of 3 repeats", "none", "standard_error", true, 3},
    Plan{"standard errors of 20 repeats", "none", "standard_error", true, 20}};

constexpr const char* collision = R"(beam:
  length: 300 mm
  section: {shape: rectangle, width: 20 mm, height: 10 mm}
  material: {youngs_modulus: 210 GPa, poisson_ratio: 0.3, density: 7850 kg/m^3}
  internal_damping: 2e6 Pa s
striker:
  shape: sphere
  radius: 12 mm
  material: {youngs_modulus: 210 GPa, poisson_ratio: 0.3, density: 7850 kg/m^3}
motion: {velocity: -1 m/s}
mesh: {elements: 24, modes: 12, residual_flexibility: false}
integration: {scheme: splitting, tolerance: 1e-8}
)";

constexpr const char* fit = R"(weights: {}
loss: {}
starts: 1
experiment: {}
fit:
  - {{key: beam.internal_damping, from: 2e5 Pa s, to: 2e7 Pa s, spacing: logarithmic}}
  - {{key: striker.material.youngs_modulus, from: 70 GPa, to: 600 GPa}}
)";

solvers::Outcome outcome_of(const solvers::Problem& problem, const std::string& text,
                            const std::string& file) {
    return problem.read(io::parse_yaml(text, file))->solve({.threads = 1, .quiet = true});
}

struct Place {
    double xi, cor;
};

std::vector<Place> true_curve(const char* of_collision) {
    const std::string text =
        fmt::format("problem: beam_impact_map\n{}locations: {{from: {}, to: {}, points: {}}}\n",
                    of_collision, first_place, last_place, places);
    const solvers::Outcome outcome =
        outcome_of(solvers::beam_impact_map_problem, text, "truth.yaml");
    const io::Table& map = outcome.tables.front().second;
    std::vector<Place> curve;
    for (std::size_t i = 0; i < map.rows(); ++i) {
        curve.push_back({map.numbers("xi")[i], map.numbers("cor_kinematic")[i]});
    }
    return curve;
}

/// A table of measurements as an experimenter would have it.
std::string table(const Plan& plan, const std::vector<Place>& curve, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::string rows = plan.repeats > 0 ? "xi,cor,sd,repeats\n" : "xi,cor,sd\n";
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const double along = static_cast<double>(i) / (places - 1);
        const double error = plan.same_noise ? noise : noise * (0.3 + 1.2 * along);
        rows += fmt::format("{},{}", curve[i].xi, curve[i].cor + error * normal(random));
        if (plan.repeats == 0) {
            rows += fmt::format(",{}\n", error);
            continue;
        }
        double squares = 0.0;
        for (int k = 1; k < plan.repeats; ++k) squares += std::pow(normal(random), 2);
        const double deviation = error * std::sqrt(plan.repeats * squares / (plan.repeats - 1));
        rows += fmt::format(",{},{}\n", deviation, plan.repeats);
    }
    return rows;
}

/// What came of one fit.
struct Fitted {
    bool is_done = false;
    std::array<bool, 2> holds{};  // the interval of a key its true value
    double probability = -1.0;    // none
};

Fitted evaluate(const Plan& plan, const std::vector<Place>& curve, unsigned seed,
                const std::string& folder) {
    const std::string name = fmt::format("{}/{}.csv", folder, seed);
    std::ofstream(name) << table(plan, curve, seed);
    const std::string text = fmt::format("problem: beam_fit\n{}", collision) +
                             fmt::format(fmt::runtime(fit), plan.weights, plan.loss, name);
    Fitted fitted;
    const solvers::Outcome outcome =
        outcome_of(solvers::beam_fit_problem, text, folder + "/fit.yaml");
    std::remove(name.c_str());
    const io::Table& keys = outcome.tables.front().second;
    constexpr std::array truth{damping, modulus};
    for (std::size_t j = 0; j < truth.size(); ++j) {
        fitted.holds[j] =
            keys.numbers("low_95")[j] <= truth[j] && truth[j] <= keys.numbers("high_95")[j];
    }
    if (const io::Value* const value = outcome.summary.find("probability")) {
        fitted.probability = *value->number();
    }
    fitted.is_done = outcome.ending == solvers::Ending::complete;
    return fitted;
}

/// Probability of a sample as far from the uniform distribution by chance (Stephens 1970).
double uniformity(std::vector<double> sample) {
    std::ranges::sort(sample);
    const auto n = static_cast<double>(sample.size());
    double distance = 0.0;
    for (std::size_t i = 0; i < sample.size(); ++i) {
        const auto below = static_cast<double>(i);
        distance = std::max({distance, sample[i] - below / n, (below + 1.0) / n - sample[i]});
    }
    const double lambda = (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * distance;
    double sum = 0.0;
    for (int k = 1; k <= 100; ++k) {
        sum += (k % 2 == 1 ? 2.0 : -2.0) * std::exp(-2.0 * k * k * lambda * lambda);
    }
    return std::clamp(lambda < 0.2 ? 1.0 : sum, 0.0, 1.0);
}

/// Prints the line of a plan; true if intervals and probabilities are what they claim to be.
bool judge(const Plan& plan, const std::vector<Fitted>& fits) {
    const auto count = static_cast<double>(fits.size());
    const double admitted = std::max(0.02, 3.3 * std::sqrt(0.95 * 0.05 / count));
    std::array<double, 2> coverage{};
    std::vector<double> probabilities;
    bool is_right = true;
    for (const Fitted& each : fits) {
        is_right = is_right && each.is_done;
        for (std::size_t j = 0; j < coverage.size(); ++j) {
            coverage[j] += static_cast<double>(each.holds[j]) / count;
        }
        if (each.probability >= 0.0) probabilities.push_back(each.probability);
    }
    std::printf("%-34s %9.1f %% %12.1f %%", plan.name, 100.0 * coverage[0], 100.0 * coverage[1]);
    for (const double each : coverage) is_right = is_right && std::abs(each - 0.95) <= admitted;
    if (!probabilities.empty()) {
        const double uniform = uniformity(probabilities);
        std::printf("  %13.3f", uniform);
        is_right = is_right && uniform > 0.01;
    }
    is_right = is_right || !is_judged(plan);
    std::printf("%s\n", is_right ? "" : "   WRONG");
    std::fflush(stdout);  // the next plan takes minutes
    return is_right;
}

/// A fit of two keys to a table that is the truth and normal noise.
struct Bootstrap {
    const char* name;
    const char* collision;
    const char* keys;
    double noise;
    bool knows_its_keys;  // else only the product of their powers, as combinations.csv has it
    std::array<double, 2> exponents{};  // of that product
};

/// The bar of virtual_experiment_fit_pair.yaml: both keys act by the contact stiffness alone.
constexpr Bootstrap pair{"two keys of one stiffness",
                         tests::bar_of_fits,
                         R"(fit:
  - {key: striker.material.youngs_modulus, from: 40 GPa, to: 120 GPa}
  - {key: striker.radius, from: 2 mm, to: 20 mm}
)",
                         3e-4,
                         false,
                         {1.0, 0.5}};
constexpr Bootstrap known{"damping and modulus", collision, R"(fit:
  - {key: beam.internal_damping, from: 2e5 Pa s, to: 2e7 Pa s, spacing: logarithmic}
  - {key: striker.material.youngs_modulus, from: 70 GPa, to: 600 GPa}
)",
                          1e-3, true};

/// Standard deviation of values over root mean square of their standard errors.
double scatter(const std::vector<std::array<double, 2>>& values_and_errors) {
    const auto n = static_cast<double>(values_and_errors.size());
    double mean = 0.0, squares = 0.0, errors = 0.0;
    for (const auto& [value, error] : values_and_errors) mean += value / n;
    for (const auto& [value, error] : values_and_errors) {
        squares += (value - mean) * (value - mean) / (n - 1.0);
        errors += error * error / n;
    }
    return std::sqrt(squares / errors);
}

/// Prints how the scatter of the fits compares with their standard errors; true if by less than 20
/// per cent.
bool bootstrap(const Bootstrap& plan, const std::string& folder, int threads) {
    constexpr std::size_t samples = 200;
    constexpr double half_width = 2.10092204024;  // of a 95 % interval, 18 degrees of freedom
    const std::vector<Place> truth = true_curve(plan.collision);
    // The two keys, their product, and the fitted curve at its quarters.
    std::array<std::vector<std::array<double, 2>>, 6> found;
    for (auto& each : found) each.resize(samples);
    core::parallel_for(
        samples, threads,
        [&](std::size_t i) {
            std::mt19937 random(static_cast<unsigned>(i) + 1);
            std::normal_distribution<double> normal;
            std::string rows = "xi,cor\n";
            for (const Place& each : truth)
                rows += fmt::format("{},{}\n", each.xi, each.cor + plan.noise * normal(random));
            const std::string name = fmt::format("{}/{}.csv", folder, i);
            std::ofstream(name) << rows;
            const solvers::Outcome outcome = outcome_of(
                solvers::beam_fit_problem,
                fmt::format("problem: beam_fit\n{}loss: none\nstarts: 1\nexperiment: {}\n{}",
                            plan.collision, name, plan.keys),
                folder + "/fit.yaml");
            std::remove(name.c_str());
            const io::Table& keys = outcome.tables[0].second;
            const io::Table& curve = outcome.tables[2].second;
            for (std::size_t j = 0; j < 2; ++j)
                found[j][i] = {keys.numbers("value")[j], keys.numbers("standard_error")[j]};
            const io::Table& combinations = outcome.tables[4].second;
            double logarithm = 0.0;
            for (std::size_t j = 0; j < 2; ++j)
                logarithm += plan.exponents[j] * std::log(keys.numbers("value")[j]);
            found[2][i] = {logarithm, combinations.numbers("relative_standard_error")[0]};
            for (std::size_t j = 0; j < 3; ++j) {
                const double cor = curve.numbers("cor_kinematic")[25 * (j + 1)];
                found[3 + j][i] = {cor,
                                   (curve.numbers("cor_high_95")[25 * (j + 1)] - cor) / half_width};
            }
        },
        {});
    bool is_right = true;
    std::printf("bootstrap, %s: scatter over standard error", plan.name);
    for (std::size_t j = 0; j < found.size(); ++j) {
        if (j == 2 ? plan.knows_its_keys : j < 2 && !plan.knows_its_keys) continue;
        const double ratio = scatter(found[j]);
        std::printf(" %.3f", ratio);
        is_right = is_right && std::abs(ratio - 1.0) < 0.2;
    }
    std::printf("%s\n", is_right ? "" : "   WRONG");
    return is_right;
}

}  // namespace

int main(int count, char** arguments) try {
    const int experiments = count > 1 ? std::atoi(arguments[1]) : 0;
    const int threads = count > 2 ? std::atoi(arguments[2]) : 0;
    if (experiments < 1) {
        std::fprintf(stderr, "usage: %s EXPERIMENTS [THREADS]\n", arguments[0]);
        return 2;
    }
    const std::vector<Place> curve = true_curve(collision);
    const tests::TemporaryDirectory folder;
    std::printf(
        "%d experiments                    internal damping  Young's modulus  p of uniformity\n",
        experiments);
    bool is_right = true;
    unsigned first_seed = 1;
    for (const Plan& plan : plans) {
        std::vector<Fitted> fits(static_cast<std::size_t>(experiments));
        core::parallel_for(fits.size(), threads,
                           [&](std::size_t i) {
                               fits[i] =
                                   evaluate(plan, curve, first_seed + static_cast<unsigned>(i),
                                            folder.path());
                           },
                           {});
        first_seed += static_cast<unsigned>(experiments);
        is_right = judge(plan, fits) && is_right;
    }
    for (const Bootstrap& plan : {pair, known})
        is_right = bootstrap(plan, folder.path(), threads) && is_right;
    return is_right ? 0 : 1;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
