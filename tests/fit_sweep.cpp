/// The intervals and the probability of a fit, held against synthetic experiments:
///     stoss_fit_sweep EXPERIMENTS [THREADS]
/// A free bar is struck by a sphere at twenty places. Internal damping and Young's modulus of the
/// sphere are known. Each experiment adds normal noise of known size to the computed restitution,
/// and `beam_fit` looks for both. Prints in how many experiments the 95 % interval of a key holds
/// its true value, and the probability (Kolmogorov and Smirnov) that the probabilities of the fits
/// are uniform. Exits with 1 if a coverage is outside 93 to 97 %, widened by what chance does to
/// so few experiments, or if the probabilities are not uniform.

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

std::vector<Place> true_curve() {
    const std::string text =
        fmt::format("problem: beam_impact_map\n{}locations: {{from: {}, to: {}, points: {}}}\n",
                    collision, first_place, last_place, places);
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

}  // namespace

int main(int count, char** arguments) try {
    const int experiments = count > 1 ? std::atoi(arguments[1]) : 0;
    const int threads = count > 2 ? std::atoi(arguments[2]) : 0;
    if (experiments < 1) {
        std::fprintf(stderr, "usage: %s EXPERIMENTS [THREADS]\n", arguments[0]);
        return 2;
    }
    const std::vector<Place> curve = true_curve();
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
    return is_right ? 0 : 1;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
