#include <postproc/experiment/restitution_measurement.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <random>
#include <tuple>
#include <variant>
#include <vector>

#include <encoder_signal.hpp>
#include <stoss/core/elementary.hpp>

namespace stoss::postproc {
namespace {

using tests::EncoderSignal;

std::variant<RestitutionMeasurement, NoMeasurement> measured(const EncoderSignal& signal) {
    return measure_restitution(signal.times(), signal.angles(), {signal.resolution(), 0.25});
}

RestitutionMeasurement measurement(const EncoderSignal& signal) {
    const auto result = measured(signal);
    if (const auto* trouble = std::get_if<NoMeasurement>(&result)) {
        ADD_FAILURE() << trouble->rule;
        return {};
    }
    return std::get<RestitutionMeasurement>(result);
}

std::string why_not(const std::vector<double>& time, const std::vector<double>& angle) {
    const auto result = measure_restitution(time, angle, {EncoderSignal{}.resolution(), 0.25});
    const auto* trouble = std::get_if<NoMeasurement>(&result);
    return trouble != nullptr ? trouble->rule : "a rebound";
}

/// How often restitution is within 0.01 of the truth, and within two standard errors of it, for
/// `count` impacts that differ in restitution, phase and offset.
struct Record {
    int near = 0, covered = 0, count = 50;
    double squares = 0.0;                 // of error over standard error, mean
    double mean = 0.0, systematic = 0.0;  // error, and the part of the standard error, mean
};

/// `noise` [rad]: standard deviation of a normal error of each angle.
Record record_of(EncoderSignal signal, double noise = 0.0) {
    std::mt19937_64 engine(7);
    const auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1p-53; };
    boost::random::normal_distribution<double> normal;
    Record record;
    for (int i = 0; i < record.count; ++i) {
        signal.cor = 0.3 + 0.6 * uniform();
        signal.impact = 0.3 + uniform() / signal.rate;
        signal.offset = 6.0 * uniform();
        std::vector<double> angles = signal.angles();
        for (double& angle : angles) angle += noise * normal(engine);
        const auto result =
            measure_restitution(signal.times(), angles, {signal.resolution(), 0.25});
        if (!std::holds_alternative<RestitutionMeasurement>(result)) continue;
        const auto& found = std::get<RestitutionMeasurement>(result);
        const Measured cor = found.cor;
        record.mean += (cor.value - signal.cor) / record.count;
        record.systematic += found.cor_systematic / record.count;
        record.squares +=
            core::pow((cor.value - signal.cor) / cor.standard_error, 2) / record.count;
        record.near += std::abs(cor.value - signal.cor) < 0.01;
        record.covered += std::abs(cor.value - signal.cor) < 2.0 * cor.standard_error;
    }
    return record;
}

TEST(RestitutionMeasurement, OfAnExactAngleIsExact) {
    EncoderSignal signal;
    signal.pulses = 0.0;
    signal.vibration = 0.0;
    const RestitutionMeasurement found = measurement(signal);
    EXPECT_NEAR(found.cor.value, 0.5, 1e-7);
    EXPECT_NEAR(found.omega_before.value, -3.0, 1e-7);
    EXPECT_NEAR(found.omega_after.value, 1.5, 1e-7);
    EXPECT_NEAR(found.instant.value, 0.3, 1e-7);
    EXPECT_LT(found.cor.standard_error, 1e-5);
}

TEST(RestitutionMeasurement, DecelerationByDryFrictionIsFoundAndRemoved) {
    EncoderSignal signal;
    signal.pulses = 0.0;
    signal.vibration = 0.0;
    signal.dry_friction = 1.5;
    const RestitutionMeasurement found = measurement(signal);
    EXPECT_NEAR(found.deceleration_before.value, 1.5, 1e-5);
    EXPECT_NEAR(found.deceleration_after.value, 1.5, 1e-5);
    EXPECT_NEAR(found.cor.value, 0.5, 1e-6);
}

void expect_the_stated_error(const Record& record) {
    EXPECT_EQ(record.near, record.count);
    EXPECT_GE(record.covered, 45);
}

TEST(RestitutionMeasurement, CountsAndVibrationStayWithinTheStatedError) {
    expect_the_stated_error(record_of({}));
}

TEST(RestitutionMeasurement, VibrationThatDoesNotDieAwayStaysWithinTheStatedError) {
    EncoderSignal signal;
    signal.decay = 0.0;
    expect_the_stated_error(record_of(signal));
}

TEST(RestitutionMeasurement, FrictionOfEitherLawStaysWithinTheStatedError) {
    EncoderSignal dry, viscous;
    dry.dry_friction = 0.2;
    viscous.viscous_friction = 0.04;
    for (const EncoderSignal& signal : {dry, viscous}) {
        expect_the_stated_error(record_of(signal));
    }
}

TEST(RestitutionMeasurement, OfManyTracesIsWrongByTheSystematicPartOfTheError) {
    EncoderSignal dry, viscous, none;
    for (EncoderSignal* const signal : {&dry, &viscous, &none}) signal->pulses = 200000.0;
    dry.dry_friction = 0.1;
    viscous.viscous_friction = 0.1 / 3.0;
    const Record of_dry = record_of(dry), of_viscous = record_of(viscous);
    EXPECT_NEAR(of_dry.mean, -of_dry.systematic, 0.2 * of_dry.systematic);
    EXPECT_NEAR(of_viscous.mean, of_viscous.systematic, 0.2 * of_viscous.systematic);
    EXPECT_GT(of_dry.systematic, 2e-4);
    EXPECT_LT(record_of(none).systematic, 2e-5);
}

// The angle leaves the motion before a contact of 8 ms by less than a count at first.
TEST(RestitutionMeasurement, ContactThatTheCountsHideDoesNotShiftIt) {
    EncoderSignal signal;
    signal.vibration = 0.0;
    signal.contact = 8e-3;
    for (const double pulses : {500.0, 2000.0}) {
        signal.pulses = pulses;
        EXPECT_LT(std::abs(record_of(signal).mean), 1.0 / pulses) << pulses;
    }
}

// After the impact the beam passes 1/3 count a sample, before the other one nearly 1/2.
TEST(RestitutionMeasurement, CountsThatRepeatStayWithinTheStatedError) {
    std::mt19937_64 engine(7);
    for (const auto& [cor, dry, viscous] : {std::tuple{0.704, 0.15, 0.0}, {0.98, 0.0, 0.2}}) {
        EncoderSignal signal;
        signal.vibration = 0.0;
        signal.cor = cor;
        signal.dry_friction = dry;
        signal.viscous_friction = viscous;
        int covered = 0;
        for (int i = 0; i < 50; ++i) {
            signal.impact = 0.3 + static_cast<double>(engine() >> 11) * 0x1p-53 / signal.rate;
            signal.offset = 6.0 * static_cast<double>(engine() >> 11) * 0x1p-53;
            const Measured found = measurement(signal).cor;
            covered += std::abs(found.value - cor) < 2.0 * found.standard_error;
        }
        EXPECT_GE(covered, 40) << cor;
    }
}

TEST(RestitutionMeasurement, StrongFrictionOfBothLawsStaysWithinTheStatedError) {
    EncoderSignal signal;
    signal.viscous_friction = 2.0;
    signal.dry_friction = 1.0;
    for (const double vibration : {0.0, 6e-3}) {
        signal.vibration = vibration;
        expect_the_stated_error(record_of(signal));
    }
}

TEST(RestitutionMeasurement, ConstantTorqueStaysWithinTheStatedError) {
    EncoderSignal small, large, without_vibration;
    small.acceleration = -0.3;
    large.acceleration = without_vibration.acceleration = 8.0;
    without_vibration.vibration = 0.0;
    for (const EncoderSignal& signal : {small, large, without_vibration}) {
        expect_the_stated_error(record_of(signal));
    }
}

TEST(RestitutionMeasurement, TorqueAndFrictionAreToldApart) {
    EncoderSignal signal;
    signal.dry_friction = 0.5;
    signal.acceleration = 8.0;
    const RestitutionMeasurement both = measurement(signal);
    EXPECT_NEAR(both.acceleration.value, 8.0, 0.2);
    EXPECT_NEAR(both.friction.value, 0.5, 0.2);
    EXPECT_NEAR(both.deceleration_before.value, 8.5, 0.2);  // the beam turns against the torque
    EXPECT_NEAR(both.deceleration_after.value, -7.5, 0.4);
    signal.acceleration = 0.0;
    const RestitutionMeasurement friction = measurement(signal);
    EXPECT_EQ(friction.acceleration.value, 0.0);
    EXPECT_EQ(friction.friction.value, friction.deceleration_before.value);
}

TEST(RestitutionMeasurement, NormalNoiseStaysWithinTheStatedError) {
    EncoderSignal signal;
    signal.pulses = 0.0;
    signal.vibration = 0.0;
    for (const double rate : {500.0, 2000.0}) {
        signal.rate = rate;
        const Record record = record_of(signal, 2e-3);
        EXPECT_GE(record.covered, 45);
        EXPECT_LT(record.squares, 1.3);
        EXPECT_GT(record.squares, 0.5);
    }
}

TEST(RestitutionMeasurement, StrongViscousFrictionOfAFineAngleIsNoEndOfTheFreeRotation) {
    EncoderSignal angle, counts;
    angle.vibration = counts.vibration = 0.0;
    angle.pulses = 0.0;
    counts.pulses = 200000.0;
    for (const double damping : {0.05, 1.0}) {
        angle.viscous_friction = counts.viscous_friction = damping;
        for (const Record& record :
             {record_of(angle, 1e-4), record_of(angle, 1e-5), record_of(counts)}) {
            EXPECT_EQ(record.near, record.count) << damping;
            EXPECT_GE(record.covered, 44) << damping;
        }
        const RestitutionMeasurement exact = measurement(angle);
        EXPECT_NEAR(exact.cor.value, 0.5, 1e-8) << damping;
        EXPECT_NEAR(exact.damping, damping, 1e-5) << damping;
        EXPECT_NEAR(exact.deceleration_before.value, 3.0 * damping, 1e-5) << damping;
        EXPECT_GT(exact.before.length(), 0.24) << damping;
        EXPECT_GT(exact.after.length(), 0.24) << damping;
    }
}

TEST(RestitutionMeasurement, FastSamplingStaysWithinTheStatedError) {
    EncoderSignal signal;
    signal.rate = 10000.0;
    expect_the_stated_error(record_of(signal));
}

TEST(RestitutionMeasurement, SlowRotationStatesALargerError) {
    EncoderSignal slow;
    slow.omega_before = -0.4;
    slow.vibration = 1e-3;
    const RestitutionMeasurement found = measurement(slow);
    EXPECT_NEAR(found.cor.value, 0.5, 2.0 * found.cor.standard_error);
    EXPECT_GT(found.cor.standard_error, 3.0 * measurement({}).cor.standard_error);
    EXPECT_LT(found.cor.standard_error, 0.05);
}

TEST(RestitutionMeasurement, DoesNotDependOnTheSenseOfRotation) {
    EncoderSignal forward;
    forward.omega_before = 3.0;
    EXPECT_NEAR(measurement(forward).cor.value, measurement({}).cor.value, 2e-3);
    EXPECT_GT(measurement(forward).omega_before.value, 0.0);
}

TEST(RestitutionMeasurement, LoneWrongCountsDoNotTurnTheLines) {
    const EncoderSignal signal;
    std::vector<double> angle = signal.angles();
    for (const std::size_t i : {100u, 400u, 700u, 900u}) angle[i] += 0.5;
    const auto result = measure_restitution(signal.times(), angle, {signal.resolution(), 0.25});
    ASSERT_TRUE(std::holds_alternative<RestitutionMeasurement>(result));
    EXPECT_NEAR(std::get<RestitutionMeasurement>(result).cor.value, 0.5, 5e-3);
}

TEST(RestitutionMeasurement, MissingSamplesDoNotMatter) {
    const EncoderSignal signal;
    std::vector<double> time, angle;
    for (std::size_t i = 0; i < signal.samples(); ++i) {
        if (i % 7 == 3 || (i > 300 && i < 360)) continue;
        time.push_back(signal.time(i));
        angle.push_back(signal.angles()[i]);
    }
    const auto result = measure_restitution(time, angle, {signal.resolution(), 0.25});
    ASSERT_TRUE(std::holds_alternative<RestitutionMeasurement>(result));
    EXPECT_NEAR(std::get<RestitutionMeasurement>(result).cor.value, 0.5, 5e-3);
}

TEST(RestitutionMeasurement, APushBeforeTheFreeRotationIsNotFitted) {
    EncoderSignal signal;
    signal.vibration = 0.0;
    std::vector<double> angle = signal.angles();
    // Until 0.18 s a hand still accelerates the beam, at 15 rad/s^2.
    for (std::size_t i = 0; i < 360; ++i) {
        const double early = 0.18 - signal.time(i);
        angle[i] -= 7.5 * early * early;
    }
    const auto result = measure_restitution(signal.times(), angle, {signal.resolution(), 0.25});
    ASSERT_TRUE(std::holds_alternative<RestitutionMeasurement>(result))
        << std::get<NoMeasurement>(result).rule;
    const RestitutionMeasurement& found = std::get<RestitutionMeasurement>(result);
    EXPECT_GE(found.before.from, 0.17);
    EXPECT_NEAR(found.cor.value, 0.5, 0.01);
}

TEST(RestitutionMeasurement, WindowIsNeverLongerThanAskedFor) {
    const RestitutionMeasurement found = measurement({});
    EXPECT_LE(found.before.length(), 0.25);
    EXPECT_LE(found.after.length(), 0.25);
    EXPECT_LT(found.before.to, 0.3);
    EXPECT_GE(found.after.from, 0.3);
}

TEST(RestitutionMeasurement, WindowLongerThanTheTraceIsTheTrace) {
    EncoderSignal signal;
    signal.impact = 0.4;
    const auto result =
        measure_restitution(signal.times(), signal.angles(), {signal.resolution(), 50.0});
    ASSERT_TRUE(std::holds_alternative<RestitutionMeasurement>(result))
        << std::get<NoMeasurement>(result).rule;
    EXPECT_NEAR(std::get<RestitutionMeasurement>(result).cor.value, 0.5, 5e-3);
}

TEST(RestitutionMeasurement, UniformRotationHasNoImpact) {
    EncoderSignal signal;
    std::vector<double> angle;
    for (const double time : signal.times()) angle.push_back(-3.0 * time);
    EXPECT_EQ(why_not(signal.times(), angle),
              "no impact found: between 0 s and 0.7995 s the angular velocity never changes "
              "abruptly");
}

TEST(RestitutionMeasurement, SlowingDownToRestIsNoImpact) {
    const EncoderSignal signal;
    std::vector<double> angle;
    for (const double time : signal.times()) {
        const double left = std::max(0.0, 0.5 - time);
        angle.push_back(3.0 * left * left);
    }
    EXPECT_TRUE(why_not(signal.times(), angle).starts_with("no impact found"));
}

TEST(RestitutionMeasurement, NoiseAloneHasNoImpact) {
    const EncoderSignal signal;
    std::mt19937_64 engine(1);
    std::vector<double> angle;
    for (std::size_t i = 0; i < signal.samples(); ++i) {
        angle.push_back(1e-3 * static_cast<double>(engine() % 5));
    }
    EXPECT_TRUE(why_not(signal.times(), angle).starts_with("no impact found"));
}

TEST(RestitutionMeasurement, TwoImpactsAreRefusedWithTheirInstants) {
    EncoderSignal signal;
    std::vector<double> angle = signal.angles();
    for (std::size_t i = 0; i < angle.size(); ++i) {
        angle[i] -= 2.5 * std::max(0.0, signal.time(i) - 0.55);  // struck again: 1.5 to -1 rad/s
    }
    const std::string rule = why_not(signal.times(), angle);
    EXPECT_TRUE(rule.starts_with("2 impacts found, at 0.3")) << rule;
    EXPECT_TRUE(rule.find(" and 0.5") != std::string::npos) << rule;
}

TEST(RestitutionMeasurement, ImpactAtTheVeryEndLeavesTooLittle) {
    EncoderSignal signal;
    signal.length = 0.303;
    const auto result = measured(signal);
    ASSERT_TRUE(std::holds_alternative<NoMeasurement>(result));
}

TEST(RestitutionMeasurement, ImpactNearAnEndIsMeasuredWithALargerError) {
    EncoderSignal late;
    late.length = 0.36;
    const RestitutionMeasurement found = measurement(late);
    EXPECT_NEAR(found.cor.value, 0.5, 2.0 * found.cor.standard_error);
    EXPECT_GT(found.cor.standard_error, 2.0 * measurement({}).cor.standard_error);
}

TEST(RestitutionMeasurement, OfAFewSamplesIsRefused) {
    EXPECT_EQ(why_not({0.0, 1.0}, {0.0, 1.0}),
              "the trace has 2 samples, but at least 21 are needed");
}

}  // namespace
}  // namespace stoss::postproc
