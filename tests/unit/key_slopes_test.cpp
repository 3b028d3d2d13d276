/// Derivatives of the results of a computation from seven computations.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <solved_case.hpp>
#include <solvers/case/key_slopes.hpp>
#include <solvers/registry/registry.hpp>

namespace stoss::tests {
namespace {

using Results = std::vector<double>;

Results slopes_by(const core::NumberKey& number, const solvers::ComputeResults& compute,
                  const Results& own, const solvers::SlopeSteps& steps = {}) {
    return solvers::slopes_by(number, compute, own, steps).slopes;
}

core::NumberKey key_of(double& number, const core::Range& range = core::finite) {
    return {&number, "m", range};
}

TEST(KeySlopes, AreThoseOfAnalyticFunctions) {
    double x = 1.3;
    const auto compute = [&] { return Results{std::sin(x), std::exp(x), 2.0, 1.0 / x}; };
    const Results found = slopes_by(key_of(x), compute, compute());
    const Results expected{std::cos(1.3), std::exp(1.3), 0.0, -1.0 / 1.69};
    for (std::size_t r = 0; r < expected.size(); ++r)
        EXPECT_NEAR(found[r], expected[r], 1e-11) << r;
    EXPECT_EQ(x, 1.3);
}

TEST(KeySlopes, AtABoundStayOnItsSide) {
    double x = 1.0;
    const auto compute = [&] {
        EXPECT_LE(x, 1.0);
        return Results{std::sqrt(2.0 - x)};
    };
    EXPECT_NEAR(slopes_by(key_of(x, core::closed(0.0, 1.0)), compute, compute())[0], -0.5, 1e-10);
}

TEST(KeySlopes, AtZeroTakeANumberThatMatters) {
    double x = 0.0;
    const auto compute = [&] { return Results{std::exp(1e5 * x), 3.0 * x}; };
    const Results found = slopes_by(key_of(x), compute, compute());
    EXPECT_NEAR(found[0] / 1e5, 1.0, 1e-8);
    EXPECT_NEAR(found[1], 3.0, 1e-8);
    double y = 0.0;
    const auto linear = [&] { return Results{0.0 + 7.0 * y}; };
    EXPECT_NEAR(slopes_by(key_of(y), linear, linear())[0], 7.0, 1e-12);
}

TEST(KeySlopes, DoNotExistAtAKinkAJumpAndWithoutResults) {
    double x = 1.0;
    const auto compute = [&] {
        Results results{std::abs(x - 1.0), x > 1.0 ? 1.0 : 2.0, x * x};
        if (x > 1.0) results.push_back(1.0);
        return results;
    };
    Results own = compute();
    own.push_back(1.0);
    const Results found = slopes_by(key_of(x), compute, own);
    EXPECT_TRUE(std::isnan(found[0]));
    EXPECT_TRUE(std::isnan(found[1]));
    EXPECT_NEAR(found[2], 2.0, 1e-11);
    EXPECT_TRUE(std::isnan(found[3]));
}

/// A kink beside the number is no kink at it: computations that do not reach it are smooth.
TEST(KeySlopes, BesideAKinkAreThoseOfShorterSteps) {
    double x = 1.0;
    const auto compute = [&] { return Results{std::exp(x) + std::max(0.0, x - 1.007)}; };
    const auto at = [&](const solvers::SlopeSteps& steps) {
        return solvers::slopes_by(key_of(x), compute, compute(), steps);
    };
    const auto wide = at({{0x1p-7}});
    EXPECT_TRUE(std::isnan(wide.slopes[0]));
    EXPECT_EQ(wide.reach, 3.0 * 0x1p-7);
    const auto near = at({{0x1p-7, 0x1p-9}});
    EXPECT_NEAR(near.slopes[0], std::exp(1.0), 1e-10);
}

/// Noise as of a computation: short steps see it, longer ones do not.
TEST(KeySlopes, OfARoughResultAreThoseOfLongerSteps) {
    double x = 1.3;
    for (const auto& [noise, error] : {std::pair{1e-9, 1e-6}, {2e-6, 1e-4}}) {
        const auto compute = [&, noise = noise] {
            return Results{std::sin(x) + noise * std::sin(1e7 * x)};
        };
        EXPECT_NEAR(slopes_by(key_of(x), compute, compute())[0], std::cos(1.3), error);
    }
}

/// Jumps at equal distances, which are equal from one to the next of seven equidistant places.
TEST(KeySlopes, OfASawtoothAreThoseOfItsMeanOrNone) {
    constexpr double at = 1.3;
    double x = at;
    int found = 0;
    for (const solvers::SlopeSteps& steps :
         {solvers::SlopeSteps{}, solvers::SlopeSteps{{0x1p-7, 0x1p-9, 0x1p-11}, 1e-4, 2e-6}}) {
        for (int i = 0; i < 4000; ++i) {
            const double share = std::fmod(0.6180339887 * i, 1.0);
            const double size = std::pow(10.0, -8.0 + 6.0 * share);
            const double length = steps.lengths[static_cast<std::size_t>(i) % steps.lengths.size()];
            const double detuned = 1.0 + std::pow(10.0, -2 - i % 5);
            const double period = at * std::min(length, 0x1p-10) / (1 + i % 8) * detuned;
            const auto compute = [&] {
                const double phase = x / period + 0.3;
                return Results{1.0 + std::sin(x) + size * (phase - std::floor(phase))};
            };
            const double slope = solvers::slopes_by(key_of(x), compute, compute(), steps).slopes[0];
            if (std::isnan(slope)) continue;
            ++found;
            EXPECT_NEAR(slope, std::cos(at), 5e-4) << i;
        }
    }
    EXPECT_GT(found, 1000);
}

TEST(KeySlopes, SayWhetherNoiseIsTheReason) {
    double x = 1.3;
    const auto compute = [&] {
        return Results{std::sin(x) + 2e-4 * std::sin(1e7 * x), std::abs(x - 1.3) + 1.0,
                       x > 1.3 ? 1.0 : 2.0};
    };
    const auto found = solvers::slopes_by(key_of(x), compute, compute());
    for (const double slope : found.slopes) EXPECT_TRUE(std::isnan(slope));
    EXPECT_EQ(found.is_lost_in_noise, (std::vector<bool>{true, false, false}));
}

/// A result that is noise alone does not say how far a number that is 0 must go.
TEST(KeySlopes, AtZeroAreThoseOfChangesFarAboveTheNoise) {
    double x = 0.0;
    const auto compute = [&] {
        const double noise = std::sin(1e17 * x + 1.0);
        return Results{1.0 + 0.3 * x + x * x + 1e-9 * noise, 5.0 - 1e-3 * x + 1e-9 * noise,
                       1e-17 * noise};
    };
    const Results found = slopes_by(key_of(x), compute, compute());
    EXPECT_NEAR(found[0], 0.3, 1e-5);
    EXPECT_NEAR(found[1], -1e-3, 1e-5);
}

/// A result that is noise far from the number, but not beside it, says nothing of its size either.
TEST(KeySlopes, AtZeroDoNotFollowAResultThatLeaps) {
    double x = 0.0;
    const auto compute = [&] { return Results{1.0 + 0.3 * x, x > 1e-9 ? 3e-3 : 1e-17}; };
    EXPECT_NEAR(slopes_by(key_of(x), compute, compute())[0], 0.3, 1e-9);
}

/// An angle below 90 degrees: the results change by its square, which seems to need a large angle.
TEST(KeySlopes, AtZeroStayWithinTheBoundOfTheNumber) {
    constexpr double bound = 1.57;
    double x = 0.0;
    const auto compute = [&] {
        EXPECT_GE(x, 0.0);
        EXPECT_LT(x, bound);
        return Results{std::cos(x), std::sin(x), x * x};
    };
    const auto key = key_of(x, core::Range{0.0, bound, false, true});
    const Results found = slopes_by(key, compute, compute());
    EXPECT_NEAR(found[0], 0.0, 1e-9);
    EXPECT_NEAR(found[1], 1.0, 1e-9);
    EXPECT_NEAR(found[2], 0.0, 1e-9);
    const auto even = [&] {
        EXPECT_LT(x, bound);
        return Results{1.0};
    };
    EXPECT_NEAR(slopes_by(key, even, even())[0], 0.0, 1e-12);
}

TEST(KeySlopes, ThatMustBeExactAreThoseOfTheSmoothestLength) {
    double x = 1.3;
    const auto compute = [&] { return Results{std::sin(30.0 * x)}; };
    const double right = 30.0 * std::cos(39.0);
    const auto error = [&](const solvers::SlopeSteps& steps) {
        const auto found = solvers::slopes_by(key_of(x), compute, compute(), steps);
        return std::abs(found.slopes[0] - right);
    };
    const std::vector<double> lengths{0x1p-6, 0x1p-8, 0x1p-10, 0x1p-12};
    EXPECT_GT(error({lengths, 0.1}), 1e-8 * std::abs(right));
    EXPECT_LT(error({lengths, 0.1, 1e-8}), 1e-10 * std::abs(right));
    EXPECT_LT(error({lengths, 0.1, 0.0}), 1e-10 * std::abs(right));
}

/// gradient.csv of a case.
io::Table gradient_of(const std::string& text) {
    const auto outcome = solve(text);
    EXPECT_TRUE(outcome.warnings.empty());
    for (const auto& [file, table] : outcome.tables)
        if (file == "gradient.csv") return table;
    return {};
}

/// The energy that an elastic impact loses is 0 but for roundoff, which is no kink.
TEST(RestitutionSlopes, OfNoLossAreZero) {
    const io::Table table = gradient_of(
        "problem: restitution\nmass: 10 g\nspeed: 0.5 m/s\ngravity: 9.81 m/s^2\nload: 0.5 N\n"
        "contact: {law: tabulated, overlap: [0, 50 um, 100 um, 200 um, 1 mm], force: [0, 10, 25, "
        "80, 1000]}\ngradient: [mass, speed, load]\n");
    for (const double slope : table.numbers("d_energy_lost_J")) EXPECT_EQ(slope, 0.0);
    for (const double slope : table.numbers("d_cor")) EXPECT_NEAR(slope, 0.0, 1e-6);
    const auto by_mass = table.numbers("log_peak_force");  // F^2 = 2 m E k in an even slope
    EXPECT_GT(by_mass[0], 0.5);
}

/// By a speed that is 0 they are the mean of those by two small speeds.
TEST(PendulumSlopes, ByANumberThatIsZeroAreThoseBesideIt) {
    const auto slopes_at = [](const char* speed) {
        return gradient_of(fmt::format(
            "problem: pendulum_pair\nrod_1: {{mass: 1 kg, length: 6 m, angle: 15 deg, "
            "angular_velocity: {} rad/s}}\nrod_2: {{mass: 0.2 kg, length: 4 m, angle: -86 deg}}\n"
            "pivot_2: {{right: -2 m}}\nimpact: {{model: contact, law: hunt_crossley, stiffness: "
            "1e8, damping_factor: 0.2}}\nduration: 8 s\ngradient: [rod_1.angular_velocity]\n",
            speed));
    };
    const io::Table zero = slopes_at("0"), more = slopes_at("0.01"), less = slopes_at("-0.01");
    for (const char* column : {"d_start_s", "d_approach_speed_m_per_s", "d_restitution"}) {
        const auto at_zero = zero.numbers(column);
        const auto above = more.numbers(column), below = less.numbers(column);
        ASSERT_EQ(at_zero.size(), 3U);
        for (std::size_t i = 0; i < at_zero.size(); ++i)
            EXPECT_NEAR(at_zero[i], 0.5 * (above[i] + below[i]), 1e-2 * std::abs(at_zero[i]))
                << column << i;
    }
}

/// Against derivatives by complex steps of an independent program, by rod_2.length.
TEST(PendulumSlopes, OfALaterImpactAreExact) {
    const io::Table table = gradient_of(
        "problem: pendulum_pair\nrod_1: {mass: 1 kg, length: 5.547 m, angle: 0.26 rad, "
        "angular_velocity: 0.1 rad/s}\nrod_2: {mass: 0.486 kg, length: 3.533 m, angle: -0.621 rad, "
        "angular_velocity: -0.2 rad/s}\npivot_2: {right: -2 m, up: 0.3 m}\n"
        "impact: {model: impulse_momentum, restitution: 0.87}\nduration: 6 s\n"
        "gradient: [rod_2.length]\n");
    const auto start = table.numbers("d_start_s"), v = table.numbers("d_approach_speed_m_per_s");
    ASSERT_EQ(start.size(), 2U);
    EXPECT_NEAR(start[0], -0.046098456696417, 1e-10);
    EXPECT_NEAR(start[1], -0.305058124467321, 1e-10);
    EXPECT_NEAR(v[0], 2.572308904745857, 1e-9);
    EXPECT_NEAR(v[1], 4.194569520566669, 1e-9);
}

TEST(PendulumSlopes, OfPlasticImpactsAreThoseOfRealImpacts) {
    const io::Table table = gradient_of(
        "problem: pendulum_pair\nrod_1: {mass: 1 kg, length: 6 m, angle: 0.1 rad, "
        "angular_velocity: 0 rad/s}\nrod_2: {mass: 0.2 kg, length: 4 m, angle: -1.57 rad}\n"
        "pivot_2: {right: -2 m}\nimpact: {model: impulse_momentum, restitution: 0}\n"
        "duration: 5 s\ngradient: [rod_1.angular_velocity]\n");
    const auto start = table.numbers("d_start_s"), v = table.numbers("d_approach_speed_m_per_s");
    ASSERT_EQ(start.size(), 2U);
    EXPECT_NEAR(start[0], 0.233811, 1e-6);
    EXPECT_NEAR(v[0], -0.871832, 1e-6);
}

std::string oblique(double angle, const char* law, const char* keys) {
    return fmt::format(
        "problem: sphere_impact\nsphere: {{radius: 3 mm, material: {{youngs_modulus: 70 GPa, "
        "poisson_ratio: 0.23, density: 2500 kg/m^3}}}}\ntarget: {{shape: plane}}\n"
        "motion: {{given: speed_and_angle, speed: 2 m/s, angle: {} deg, angular_velocity: 20 "
        "rad/s}}\ncontact: {{{}}}\nmu: 0.15\ngradient: [{}]\n",
        angle, law, keys);
}

/// The slip takes speeds in one way: d/d(omega) = -r d/d(v_t), v_t = v sin(angle) and v_n alone by
/// its cosine. So the derivatives by speed, angle and spin are not independent.
TEST(SphereSlopes, BySpinAndByTangentialVelocityAreOne) {
    const std::string text =
        "problem: sphere_impact\nsphere: {radius: 3 mm, material: {youngs_modulus: 70 GPa, "
        "poisson_ratio: 0.23, density: 2500 kg/m^3}}\ntarget: {shape: plane}\n"
        "motion: {given: components, normal_speed: 1.5 m/s, tangential_speed: 0.6 m/s, "
        "angular_velocity: 20 rad/s}\ncontact: {law: tsuji, restitution: 0.8}\nmu: 0.15\n"
        "gradient: [motion.angular_velocity, motion.tangential_speed]\n";
    const io::Table table = gradient_of(text);
    const auto slip = table.numbers("d_slip_m_per_s");
    EXPECT_NEAR(slip[0], -0.003 * slip[1], 1e-6 * std::abs(slip[0]));
    EXPECT_GT(std::abs(slip[1]), 0.01);
    const auto e = table.numbers("d_cor");
    EXPECT_NEAR(e[1], 0.0, 1e-9);
}

/// Stick, partial slip, sliding: of numbers without a unit the sums over all keys are 0.
TEST(SphereSlopes, KnowNoUnits) {
    for (const double angle : {10.0, 40.0}) {
        const io::Table table = gradient_of(
            oblique(angle, "law: hunt_crossley, damping_factor: 0.1",
                    "contact.damping_factor, motion.speed, motion.angular_velocity, sphere.radius, "
                    "sphere.material.density, sphere.material.youngs_modulus"));
        const std::vector<std::vector<double>> exponents{
            {0, 0, 0, 0, 1, 1}, {-1, 1, 0, 1, -3, -1}, {1, -1, -1, 0, 0, -2}};  // kg, m, s
        for (const char* column : {"log_cor", "log_cor_tangential"}) {
            const auto slopes = table.numbers(column);
            for (const auto& dimension : exponents) {
                double sum = 0.0, magnitude = 0.0;
                for (std::size_t k = 0; k < slopes.size(); ++k) {
                    sum += dimension[k] * slopes[k];
                    magnitude += std::abs(dimension[k] * slopes[k]);
                }
                EXPECT_LT(std::abs(sum), 1e-6 * magnitude + 1e-8) << angle << column;
            }
        }
    }
}

/// The tangential velocity after the impact is in proportion to small angles.
TEST(SphereSlopes, AtTheAngleZeroAreThoseOfSmallAngles) {
    const auto text = [](double angle) { return oblique(angle, "law: hertz", "motion.angle"); };
    const auto ratio = [&](const char* result, double angle) {
        std::string at = text(angle);
        at.erase(at.find("gradient"));
        at.erase(at.find(", angular_velocity: 20 rad/s"), 28);
        const double number = solve(at).summary.find(result)->number().value();
        return number / (angle * std::acos(-1.0) / 180.0);
    };
    std::string at_zero = text(0.0);
    at_zero.erase(at_zero.find(", angular_velocity: 20 rad/s"), 28);
    const auto tables = solve(at_zero).tables;
    const io::Table& table = std::ranges::find(tables, "gradient.csv", [](const auto& each) {
                                 return std::string(each.first);
                             })->second;
    for (const auto& [column, result] :
         {std::pair{"d_tangential_velocity_m_per_s", "tangential_velocity_m_per_s"},
          std::pair{"d_angular_velocity_rad_per_s", "angular_velocity_rad_per_s"}}) {
        const double right = ratio(result, 0.05);
        EXPECT_NEAR(table.numbers(column)[0], right, 1e-4 * std::abs(right)) << column;
    }
}

/// The slip after the impact has a kink at the mu = 0.2518 from which the sphere sticks at first.
std::string near_a_kink(double mu) {
    return fmt::format(
        "problem: sphere_impact\nsphere: {{radius: 10 mm, material: steel}}\n"
        "motion: {{given: components, normal_speed: 1 m/s, tangential_speed: 0.5 m/s}}\n"
        "contact: {{law: hunt_crossley, restitution: 0.7}}\nmu: {}\nsteps: 100000\n"
        "gradient: [mu]\n",
        mu);
}

TEST(SphereSlopes, BesideAKinkAreThoseOfItsSide) {
    const auto slip_at = [](double mu) {
        return solve(near_a_kink(mu)).summary.find("slip_m_per_s")->number().value();
    };
    const double slope = gradient_of(near_a_kink(0.25)).numbers("d_slip_m_per_s")[0];
    EXPECT_NEAR(slope, (slip_at(0.2501) - slip_at(0.2499)) / 0.0002, 1e-4 * std::abs(slope));
    const auto warnings = solve(near_a_kink(0.2518)).warnings;
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_TRUE(warnings[0].starts_with("no derivatives by mu: within 0.15 % of this value there"));
}

TEST(SphereSlopes, AlongTheNormalAreThoseOfTheImpactAlone) {
    const io::Table table = gradient_of(
        oblique(30, "law: hunt_crossley, damping_factor: 0.1", "contact.damping_factor"));
    const double k = 4.0 / 3.0 * 70e9 / (1.0 - 0.23 * 0.23) * std::sqrt(0.003);
    const double mass = 4.0 / 3.0 * std::acos(-1.0) * 2.7e-8 * 2500.0;
    const io::Table alone = gradient_of(fmt::format(
        "problem: restitution\nmass: {:.17g} kg\nspeed: {:.17g} m/s\ncontact: {{law: "
        "hunt_crossley, "
        "stiffness: {:.17g}, damping_factor: 0.1}}\ngradient: [contact.damping_factor]\n",
        mass, 2.0 * std::sqrt(0.75), k));
    EXPECT_NEAR(table.numbers("log_cor")[0], alone.numbers("log_cor")[0], 1e-6);
    EXPECT_NEAR(table.numbers("log_peak_overlap")[0], alone.numbers("log_peak_overlap")[0], 1e-6);
}

/// With a contact in place of an instantaneous impact: the sums over all keys are the exponents of
/// the unit of a result, at each impact.
TEST(PendulumSlopes, KnowNoUnits) {
    const io::Table table = gradient_of(
        "problem: pendulum_pair\nrod_1: {mass: 1 kg, length: 6 m, angle: 15 deg, "
        "angular_velocity: 0.1 rad/s}\nrod_2: {mass: 0.2 kg, length: 4 m, angle: -90 deg}\n"
        "pivot_2: {right: -2 m, up: 0.1 m}\nimpact: {model: contact, law: hunt_crossley, "
        "stiffness: 1e7, damping_factor: 0.2}\nduration: 5 s\n"
        "gradient: [rod_1.mass, rod_2.mass, rod_1.length, rod_2.length, pivot_2.right, pivot_2.up, "
        "rod_1.angular_velocity, gravity, impact.stiffness, impact.damping_factor]\n");
    using Exponents = std::array<std::vector<double>, 3>;
    const Exponents of_keys{{{1, 1, 0, 0, 0, 0, 0, 0, 1, 0},
                             {0, 0, 1, 1, 1, 1, 0, 1, -0.5, -1},
                             {0, 0, 0, 0, 0, 0, -1, -2, -2, 1}}};
    const std::vector<std::pair<std::string, std::array<double, 3>>> results{
        {"log_restitution", {0, 0, 0}},
        {"log_start", {0, 0, 1}},
        {"log_approach_speed", {0, 1, -1}}};
    for (const auto& [name, of_result] : results) {
        const auto slopes = table.numbers(name);
        const std::size_t impacts = slopes.size() / of_keys[0].size();
        ASSERT_GE(impacts, 2U);
        for (std::size_t i = 0; i < slopes.size() / of_keys[0].size(); ++i) {
            for (std::size_t dimension = 0; dimension < 3; ++dimension) {
                double sum = 0.0;
                for (std::size_t k = 0; k < of_keys[dimension].size(); ++k)
                    sum += of_keys[dimension][k] * slopes[k * impacts + i];
                EXPECT_NEAR(sum, of_result[dimension], 1e-6) << name << i << dimension;
            }
        }
    }
}

/// From rest all times go as g^(-1/2) and all speeds as g^(1/2), at each impact.
TEST(PendulumSlopes, ByGravityAreThoseOfSimilarity) {
    const io::Table table = gradient_of(
        "problem: pendulum_pair\nrod_1: {mass: 1 kg, length: 6 m, angle: 15 deg}\n"
        "rod_2: {mass: 0.2 kg, length: 4 m, angle: -90 deg}\npivot_2: {right: -2 m}\n"
        "impact: {model: impulse_momentum, restitution: 0.3}\nduration: 8 s\n"
        "gradient: [gravity, impact.restitution]\n");
    const auto start = table.numbers("log_start"), e = table.numbers("log_restitution");
    const auto speed = table.numbers("log_approach_speed");
    ASSERT_EQ(start.size(), 6U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(start[i], -0.5, 1e-9);
        EXPECT_NEAR(speed[i], 0.5, 1e-9);
        EXPECT_NEAR(e[3 + i], 1.0, 1e-9);
    }
}

}  // namespace
}  // namespace stoss::tests
