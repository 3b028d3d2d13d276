#include <models/theory_limits.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <published_beam.hpp>
#include <published_mesh.hpp>
#include <solved_case.hpp>
#include <solvers/case/limit_warnings.hpp>
#include <solvers/registry/registry.hpp>
#include <stoss/io/checkpoint.hpp>
#include <temporary_directory.hpp>

namespace {

using namespace stoss;
using tests::solve;

/// A clamped steel strip that a steel ball strikes.
models::BeamCollision struck_strip() {
    models::BeamCollision parameters;
    parameters.mesh = tests::published_mesh();
    parameters.beam.length = 0.3;
    parameters.beam.section.shape = models::Rectangle{0.025, 0.003};
    parameters.beam.material = {2.1e11, 0.3, 7850.0};
    parameters.beam.supports = {{models::SupportType::clamp, 0.0},
                                {models::SupportType::clamp, 1.0}};
    parameters.striker.shape = models::Sphere{0.005};
    parameters.striker.material = {2.1e11, 0.3};
    parameters.striker.mass = 4.11e-3;
    parameters.striker.velocity = 1.0;
    return parameters;
}

/// Number of the limit whose quantity holds these words.
std::size_t index_of(const models::TheoryLimits& limits, const std::string& words) {
    const auto& all = limits.limits();
    const auto found = std::ranges::find_if(
        all, [&](const auto& each) { return each.quantity.find(words) != std::string::npos; });
    EXPECT_NE(found, all.end()) << words;
    return static_cast<std::size_t>(found - all.begin());
}

/// What the warnings of a collision say that have these words in their quantity.
std::vector<std::string> warnings(const models::BeamCollision& parameters, double xi,
                                  const std::string& words) {
    const models::BeamModel model(parameters);
    const models::TheoryLimits limits(model);
    const auto values = limits.values(xi, model.collide(xi));
    solvers::Outcome outcome;
    const std::vector<solvers::LimitedCollision> collisions{{&limits, xi, values}};
    solvers::warn_of_limits(outcome, collisions);
    std::erase_if(outcome.warnings,
                  [&](const auto& each) { return each.find(words) == std::string::npos; });
    return outcome.warnings;
}

/// None: the limit does not apply.
std::optional<double> value(const models::BeamCollision& parameters, double xi,
                            const std::string& words) {
    const models::BeamModel model(parameters);
    const models::TheoryLimits limits(model);
    return limits.values(xi, model.collide(xi)).at(index_of(limits, words));
}

double bound(const models::BeamCollision& parameters, const std::string& words) {
    const models::BeamModel model(parameters);
    const models::TheoryLimits limits(model);
    return limits.limits().at(index_of(limits, words)).bound;
}

/// A limit, and a parameter with which its number rises through the bound between two values.
struct Crossing {
    const char* name;
    const char* words;
    models::BeamCollision (*collision)(double);
    double low, high;

    friend void PrintTo(const Crossing& of, std::ostream* out) { *out << of.name; }
};

models::BeamCollision at_speed(double speed) {
    auto parameters = struck_strip();
    parameters.striker.velocity = speed;
    return parameters;
}

models::BeamCollision heavy_at_speed(double speed) {
    auto parameters = at_speed(speed);
    parameters.striker.mass = 0.3;
    return parameters;
}

models::BeamCollision soft_at_speed(double speed) {
    auto parameters = at_speed(speed);
    parameters.striker.material->yield_stress = 1e9;
    return parameters;
}

models::BeamCollision of_height(double height) {
    auto parameters = at_speed(0.1);
    parameters.beam.section.shape = models::Rectangle{0.025, height};
    return parameters;
}

/// The lighter the striker, whose surface is nearly flat, the shorter the contact.
models::BeamCollision stout_struck_by(double per_gram) {
    auto parameters = at_speed(5.0);
    parameters.beam.length = 0.1;
    parameters.beam.section.shape = models::Rectangle{0.005, 0.015};
    parameters.beam.theory = models::Timoshenko{};
    parameters.striker.shape = models::Sphere{0.05};
    parameters.striker.mass = 1e-3 / per_gram;
    parameters.mesh.modes = 40;
    return parameters;
}

const Crossing crossings[] = {
    {"Curvature", "radius of curvature", at_speed, 0.01, 100.0},
    {"Thickness", "thickness of the beam", at_speed, 0.01, 100.0},
    {"Yield", "yield stress", soft_at_speed, 1e-4, 1.0},
    {"Duration", "duration of the contact", at_speed, 1e-3, 1e3},
    {"Slope", "slope of the beam", heavy_at_speed, 0.1, 20.0},
    {"Deflection", "deflection of the beam", heavy_at_speed, 0.1, 20.0},
    {"Wave", "shear and rotary inertia", of_height, 1e-3, 0.02},
    {"CutOff", "cut-off frequency", stout_struck_by, 0.02, 2.0},
};

class EveryLimit : public testing::TestWithParam<Crossing> {};

TEST_P(EveryLimit, IsSilentJustInsideAndWarnsJustOutside) {
    const Crossing& of = GetParam();
    double inside = of.low, outside = of.high;
    const double limit = bound(of.collision(inside), of.words);
    ASSERT_LT(value(of.collision(inside), 0.5, of.words).value(), limit);
    ASSERT_GT(value(of.collision(outside), 0.5, of.words).value(), limit);
    while (outside > 1.001 * inside) {
        const double middle = std::sqrt(inside * outside);
        (value(of.collision(middle), 0.5, of.words).value() > limit ? outside : inside) = middle;
    }
    EXPECT_TRUE(warnings(of.collision(inside), 0.5, of.words).empty());
    const auto said = warnings(of.collision(outside), 0.5, of.words);
    ASSERT_EQ(said.size(), 1U);
    EXPECT_TRUE(said[0].starts_with("the collision: ")) << said[0];
}

INSTANTIATE_TEST_SUITE_P(TheoryLimits, EveryLimit, testing::ValuesIn(crossings),
                         [](const auto& of) { return std::string(of.param.name); });

TEST(TheoryLimits, WarningOfAMapCountsAndNamesTheWorst) {
    auto parameters = struck_strip();
    parameters.striker.velocity = 3.0;
    parameters.striker.material->yield_stress = 1e9;
    const models::BeamModel model(parameters);
    const models::TheoryLimits limits(model);
    const std::size_t yield = index_of(limits, "yield stress");
    std::vector<std::vector<std::optional<double>>> values(
        3, std::vector<std::optional<double>>(limits.limits().size(), 0.0));
    values[0][yield] = 1.7;
    values[2][yield] = 2.5;
    std::vector<solvers::LimitedCollision> collisions;
    for (std::size_t i = 0; i < values.size(); ++i)
        collisions.push_back({&limits, 0.1 * static_cast<double>(i + 1), values[i]});
    solvers::Outcome outcome;
    solvers::warn_of_limits(outcome, collisions);
    ASSERT_EQ(outcome.warnings.size(), 1U);
    EXPECT_EQ(outcome.warnings[0],
              "2 of 3 collisions: peak pressure of the contact over the yield stress is 2.5 at "
              "worst, at xi = 0.3, more than 1.6: the softer body yields below its surface "
              "(Johnson 1985, section 6.1); use `contact.law: thornton_ning` or `walton_braun`");
}

TEST(TheoryLimits, WarningHasSoManyDigitsThatTheValueIsMoreThanTheBound) {
    const models::BeamModel model(struck_strip());
    const models::TheoryLimits limits(model);
    const std::size_t thickness = index_of(limits, "thickness of the beam");
    const double bound = limits.limits()[thickness].bound;
    ASSERT_EQ(bound, 0.1);
    std::vector<std::optional<double>> values(limits.limits().size(), 0.0);
    values[thickness] = 0.100004;
    solvers::Outcome outcome;
    const std::vector<solvers::LimitedCollision> collisions{{&limits, 0.5, values}};
    solvers::warn_of_limits(outcome, collisions);
    ASSERT_EQ(outcome.warnings.size(), 1U);
    EXPECT_NE(outcome.warnings[0].find(" is 0.100004, more than 0.1: "), std::string::npos)
        << outcome.warnings[0];
}

TEST(TheoryLimits, YieldNeedsAYieldStressAndALawWithoutPlasticity) {
    const char* const words = "yield stress";
    auto parameters = struck_strip();
    EXPECT_FALSE(value(parameters, 0.5, words));
    parameters.beam.material.yield_stress = 3e8;
    const double of_beam = value(parameters, 0.5, words).value();
    parameters.striker.material->yield_stress = 1.5e8;
    EXPECT_NEAR(value(parameters, 0.5, words).value() / of_beam, 2.0, 1e-12)
        << "the softer one counts";
    contact::ThorntonNing plastic;
    plastic.yield_overlap = 1e-3;
    parameters.contact.law = plastic;
    EXPECT_FALSE(value(parameters, 0.5, words));
}

TEST(TheoryLimits, DeflectionCountsOnlyBetweenSupportsThatMayHoldTheBeam) {
    auto parameters = struck_strip();
    EXPECT_GT(value(parameters, 0.5, "deflection of the beam").value(), 0.0);
    parameters.beam.supports = {{models::SupportType::clamp, 0.0}};
    EXPECT_FALSE(value(parameters, 0.5, "deflection of the beam"));
    EXPECT_GT(value(parameters, 0.5, "slope of the beam").value(), 0.0);
}

TEST(TheoryLimits, WaveOfEulerAndBernoulliLosesWhatTimoshenkosModesLose) {
    // On two pins the loss of a mode is the difference of the two theories' frequencies.
    auto parameters = struck_strip();
    parameters.beam.section.shape = models::Rectangle{0.025, 0.012};
    parameters.beam.supports = {{models::SupportType::pin, 0.0}, {models::SupportType::pin, 1.0}};
    const models::BeamModel slender(parameters);
    parameters.beam.theory = models::Timoshenko{};
    const models::BeamModel stout(parameters);
    impact::CollisionResult result = slender.collide(0.3);
    const models::TheoryLimits limits(slender);
    for (const std::size_t mode : {0U, 4U, 9U}) {
        std::ranges::fill(result.energy.modes, 0.0);
        result.energy.modes[mode] = 0.5;
        const auto j = static_cast<Eigen::Index>(mode);
        const double loss = 1.0 - std::sqrt(stout.beam().basis().eigenvalues[j] /
                                            slender.beam().basis().eigenvalues[j]);
        EXPECT_NEAR(
            limits.values(0.3, result)[index_of(limits, "shear and rotary inertia")].value(), loss,
            2e-4 + 1e-3 * loss)
            << mode;
    }
}

TEST(TheoryLimits, ModesThatCarryLessThanAHundredthTogetherDoNotMatter) {
    const models::BeamModel model(struck_strip());
    const models::TheoryLimits limits(model);
    const std::size_t wave = index_of(limits, "shear and rotary inertia");
    impact::CollisionResult result = model.collide(0.5);
    std::ranges::fill(result.energy.modes, 0.0);
    EXPECT_EQ(limits.values(0.5, result)[wave].value(), 0.0);
    result.energy.modes[2] = 0.2;
    const double third = limits.values(0.5, result)[wave].value();
    EXPECT_GT(third, 0.0);
    result.energy.modes[10] = result.energy.modes[12] = 0.0049;
    EXPECT_EQ(limits.values(0.5, result)[wave].value(), third);
    result.energy.modes[12] = 0.0052;
    EXPECT_GT(limits.values(0.5, result)[wave].value(), third);
}

/// The largest of a history up to the last separation, over the whole beam.
struct LargestMotion {
    double deflection = 0.0, slope = 0.0;
};

LargestMotion largest_motion(const models::BeamModel& model, const impact::History& history,
                             double end) {
    constexpr int places = 40;
    LargestMotion largest;
    for (int i = 0; i <= places; ++i) {
        const double xi = static_cast<double>(i) / places;
        const Eigen::VectorXd rotations = model.beam().rotations(xi);
        for (const impact::Sample& sample : history.samples()) {
            if (sample.time > end) break;
            std::vector<double> q = sample.body_modes;
            std::fill_n(q.begin(), model.beam().basis().rigid, 0.0);
            const Eigen::Map<const Eigen::VectorXd> modes(q.data(), model.beam().basis().modes());
            largest.deflection =
                std::max(largest.deflection, std::abs(model.beam().displacement(xi, q)));
            largest.slope = std::max(largest.slope, std::abs(rotations.dot(modes)));
        }
    }
    return largest;
}

TEST(TheoryLimits, EstimatesOfDeflectionAndSlopeAreNearThoseOfTheHistory) {
    std::vector<std::pair<models::BeamCollision, double>> collisions;
    for (const double xi : {0.12, 0.3, 0.5}) {
        for (const double mass : {1e-3, 0.03, 0.3}) {
            auto parameters = struck_strip();
            parameters.striker.mass = mass;
            collisions.emplace_back(parameters, xi);
        }
    }
    auto cantilever = struck_strip();
    cantilever.beam.supports.pop_back();
    cantilever.striker.mass = 0.02;
    for (const double xi : {0.3, 0.7, 1.0}) collisions.emplace_back(cantilever, xi);
    for (const double xi : {0.35, 0.5, 0.68, 0.95}) collisions.emplace_back(published_beam(), xi);
    for (const auto& [parameters, xi] : collisions) {
        const models::BeamModel model(parameters);
        const models::TheoryLimits limits(model);
        impact::History history(1024);
        const impact::CollisionResult result = model.collide(xi, &history);
        ASSERT_EQ(result.status, impact::Status::separated);
        const LargestMotion of_history = largest_motion(model, history, result.separation);
        const auto values = limits.values(xi, result);
        const double slope =
            values[index_of(limits, "slope of the beam")].value() / of_history.slope;
        EXPECT_GT(slope, 0.45) << xi;
        EXPECT_LT(slope, 2.2) << xi;
        if (parameters.beam.supports.size() < 2) continue;
        const double height = 0.003;
        const double deflection = values[index_of(limits, "deflection of the beam")].value() *
                                  height / of_history.deflection;
        EXPECT_GT(deflection, 0.45) << xi;
        EXPECT_LT(deflection, 2.2) << xi;
    }
}

TEST(TheoryLimits, VibrationFromBeforeAddsItsSquare) {
    auto parameters = struck_strip();
    const models::BeamModel still(parameters);
    parameters.motion.vibration = {{1, 1e-3, 0.0}};
    const models::BeamModel vibrating(parameters);
    const models::TheoryLimits of_still(still), of_vibrating(vibrating);
    const impact::CollisionResult result = still.collide(0.5);
    const std::size_t deflection = index_of(of_still, "deflection of the beam");
    EXPECT_NEAR(of_vibrating.values(0.5, result)[deflection].value(),
                std::hypot(of_still.values(0.5, result)[deflection].value(), 1.0 / 3.0), 1e-12);
}

TEST(TheoryLimits, OfAStrikingBeamAreItsOwn) {
    auto parameters = struck_strip();
    models::StrikingBeam other;
    other.beam = parameters.beam;
    other.beam.supports.clear();
    other.beam.length = 0.1;
    other.beam.section.shape = models::Circle{0.004};
    other.beam.theory = models::Timoshenko{};
    other.xi = 0.5;
    parameters.beam.section.shape = models::Circle{0.003};
    parameters.striker = {};
    parameters.striker.shape = other;
    parameters.striker.velocity = 1.0;
    const models::BeamModel model(parameters);
    const models::TheoryLimits limits(model);
    EXPECT_EQ(limits.limits()[index_of(limits, "cut-off")].quantity,
              "frequency of the highest mode of the striking beam that matters over the cut-off "
              "frequency");
    const auto values = limits.values(0.5, model.collide(0.5));
    ASSERT_EQ(values.size(), limits.limits().size());
    EXPECT_NEAR(values[index_of(limits, "thickness of the striking beam")].value() /
                    values[index_of(limits, "thickness of the beam")].value(),
                6.0 / 8.0, 1e-12);
    EXPECT_GT(values[index_of(limits, "slope of the striking beam")].value(), 0.0);
    EXPECT_FALSE(values[index_of(limits, "deflection of the striking beam")]);
}

/// Viscoelastic beams have one more mode each, behind their own.
TEST(TheoryLimits, EnergiesOfAStrikingBeamAreThoseOfItsOwnModes) {
    const auto wave = [](double damping) {
        auto parameters = struck_strip();
        parameters.mesh.residual_flexibility = true;
        parameters.beam.section.shape = models::Circle{0.003};
        parameters.beam.internal_damping = damping;
        models::StrikingBeam other;
        other.beam = parameters.beam;
        other.beam.supports.clear();
        other.beam.length = 0.1;
        other.beam.theory = models::Timoshenko{};
        other.xi = 0.5;
        parameters.striker = {};
        parameters.striker.shape = other;
        parameters.striker.velocity = 1.0;
        const models::BeamModel model(parameters);
        impact::CollisionResult result = model.collide(0.5);
        EXPECT_EQ(result.status, impact::Status::separated);
        const modal::ModalBody struck = model.beam().at(0.5);
        std::ranges::fill(result.energy.modes, 0.0);
        result.energy.modes[struck.modes() - struck.rigid] = 1.0;  // the lowest of the other beam
        const models::TheoryLimits limits(model);
        return limits.values(0.5, result).at(index_of(limits, "of the striking beam that matters"));
    };
    EXPECT_GT(wave(0.0).value(), 0.0);
    EXPECT_DOUBLE_EQ(wave(1e5).value(), wave(0.0).value());
}

TEST(TheoryLimits, ABlowThatDoesNotSeparateHasNoNumbers) {
    auto parameters = struck_strip();
    parameters.integration.time_limit = 1e-6;
    const models::BeamModel model(parameters);
    const models::TheoryLimits limits(model);
    const impact::CollisionResult result = model.collide(0.5);
    ASSERT_NE(result.status, impact::Status::separated);
    for (const auto& each : limits.values(0.5, result)) EXPECT_FALSE(each);
    EXPECT_FALSE(limits.peak_contact(0.5, result).pressure);
}

const std::string strip_case =
    "beam:\n"
    "  length: 0.3 m\n"
    "  section: {shape: rectangle, width: 25 mm, height: 3 mm}\n"
    "  material: {youngs_modulus: 210 GPa, poisson_ratio: 0.3, density: 7850 kg/m^3, yield_stress: "
    "1 GPa}\n"
    "  supports: [{type: clamp, xi: 0}, {type: clamp, xi: 1}]\n"
    "striker: {shape: sphere, radius: 5 mm, mass: 4.11 g, velocity: 1 m/s,\n"
    "  material: {youngs_modulus: 210 GPa, poisson_ratio: 0.3, yield_stress: 800 MPa}}\n"
    "mesh: {modes: 25}\n";

/// The warning about the yield stress; empty if there is none.
std::string yield_warning(const solvers::Outcome& outcome) {
    for (const std::string& warning : outcome.warnings) {
        if (warning.find("yield stress") != std::string::npos) return warning;
    }
    return {};
}

TEST(TheoryLimits, OfACaseAreWarnedOfAlone) {
    const auto outcome = solve("problem: beam_impact\n" + strip_case + "location: {xi: 0.4}\n", {});
    EXPECT_TRUE(yield_warning(outcome).starts_with(
        "the collision: peak pressure of the contact over the yield stress is "));
    const double pressure = outcome.summary.find("peak_pressure_Pa")->number().value();
    const double radius = outcome.summary.find("contact_radius_m")->number().value();
    const double force = outcome.summary.find("peak_force_N")->number().value();
    EXPECT_NEAR(pressure * radius * radius * std::numbers::pi / (1.5 * force), 1.0, 1e-12);
}

TEST(TheoryLimits, OfAMapAreTheSameAfterABreak) {
    const std::string map =
        "problem: beam_impact_map\n" + strip_case + "locations: {from: 0.1, to: 0.9, points: 12}\n";
    const tests::TemporaryDirectory directory;
    const std::string file = directory.file("partial.csv");
    {
        io::Checkpoint checkpoint(file, "case", false);
        int asked = 0;
        const auto stop = [&] { return ++asked > 5; };
        EXPECT_EQ(solve(map, {1, true, stop, &checkpoint}).ending, solvers::Ending::interrupted);
        checkpoint.save();
    }
    io::Checkpoint checkpoint(file, "case", true);
    EXPECT_GT(checkpoint.restored(), 0U);
    const auto never = [] { return false; };
    const auto resumed = solve(map, {1, true, never, &checkpoint});
    const auto whole = solve(map, {1, true, never, nullptr});
    EXPECT_EQ(resumed.warnings, whole.warnings);
    EXPECT_TRUE(yield_warning(whole).starts_with("12 of 12 collisions: peak pressure"));
}

TEST(PeakContact, OfSpheresIsHertzs) {
    const auto parameters = struck_strip();  // sphere on a flat face
    const models::BeamModel model(parameters);
    const impact::CollisionResult result = model.collide(0.5);
    const auto peak = models::TheoryLimits(model).peak_contact(0.5, result);
    const double modulus = 2.1e11 / (2.0 * (1.0 - 0.09)), force = result.peak_force;
    EXPECT_NEAR(peak.radius.value() / std::cbrt(0.75 * force * 0.005 / modulus), 1.0, 1e-12);
    EXPECT_NEAR(peak.pressure.value() / std::cbrt(6.0 * force * modulus * modulus /
                                                  (std::pow(std::numbers::pi, 3) * 25e-6)),
                1.0, 1e-12);
}

TEST(PeakContact, IsNotKnownWhereTheAreaIsNotHertzs) {
    const auto pressure = [](const contact::Law& law, auto change) {
        auto parameters = struck_strip();
        parameters.contact.law = law;
        change(parameters);
        const models::BeamModel model(parameters);
        return models::TheoryLimits(model).peak_contact(0.5, model.collide(0.5)).pressure;
    };
    const auto as_it_is = [](auto&) {};
    contact::Hertz hertz;
    EXPECT_GT(pressure(hertz, as_it_is).value(), 0.0);
    hertz.stiffness = 1e7;
    EXPECT_GT(pressure(hertz, as_it_is).value(), 0.0);
    EXPECT_FALSE(pressure(hertz, [](auto& p) { p.striker.shape = models::Cylinder{0.005}; }));
    hertz.exponent = 1.4;
    EXPECT_FALSE(pressure(hertz, as_it_is));
    contact::KelvinVoigt linear;
    linear.stiffness = 1e6;
    linear.restitution = 0.5;
    EXPECT_FALSE(pressure(linear, as_it_is));
    contact::Jkr adhesive;
    adhesive.pull_off_force = 1e-6;
    EXPECT_FALSE(pressure(
        adhesive, [](auto& p) { p.contact.separation = contact::Separation::zero_overlap; }));
    contact::ThorntonNing plastic;
    plastic.yield_overlap = 1e-3;
    EXPECT_GT(pressure(plastic, as_it_is).value(), 0.0);
    plastic.yield_overlap = 1e-7;
    EXPECT_FALSE(pressure(plastic, as_it_is));
    contact::HuntCrossley damped;
    damped.restitution = 0.8;
    EXPECT_GT(pressure(damped, as_it_is).value(), 0.0);
}

/// |spectrum| of sin^(3/2)(pi t), 0 < t < 1, over its value at 0, at `cycles` in the pulse.
double spectrum(double cycles) {
    constexpr int points = 20000;
    std::complex<double> sum = 0.0;
    double area = 0.0;
    for (int i = 0; i < points; ++i) {
        const double t = (i + 0.5) / points;
        const double force = std::pow(std::sin(std::numbers::pi * t), 1.5);
        sum += force * std::polar(1.0, -2.0 * std::numbers::pi * cycles * t);
        area += force;
    }
    return std::abs(sum) / area;
}

TEST(HertzPulse, HardlyExcitesAModeOfTwoPeriodsOrMore) {
    EXPECT_NEAR(spectrum(1.75), 0.0, 1e-6);  // the first zero
    double largest = 0.0;
    for (double cycles = 2.0; cycles < 12.0; cycles += 0.01)
        largest = std::max(largest, spectrum(cycles));
    EXPECT_LT(largest, 0.05);
    EXPECT_NEAR(spectrum(0.5), 0.82, 0.005);
    EXPECT_NEAR(spectrum(1.0), 0.43, 0.005);
}

}  // namespace
