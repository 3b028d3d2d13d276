// Steps of a free motion that are proven to have no contact (theory/splitting_scheme.md 12.6), and
// the levels of steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include <stoss/impact/detail/contact_pair.hpp>
#include <stoss/impact/detail/free_motion_proof.hpp>
#include <stoss/impact/detail/run_instant.hpp>
#include <stoss/impact/detail/splitting_memory.hpp>
#include <stoss/impact/detail/splitting_motion.hpp>
#include <stoss/impact/detail/step_levels.hpp>
#include <stoss/impact/detail/step_resolution.hpp>
#include <stoss/modal/modal_body.hpp>
#include <stoss/modal/modal_kernels.hpp>
#include <stoss/modal/propagators.hpp>

namespace {

using namespace stoss;

constexpr std::size_t vibrations = 6;

modal::ModalBody vibrating_body() {
    modal::ModalBody body = modal::point_mass(0.3);
    for (std::size_t j = 1; j <= vibrations; ++j) {
        const double omega = 900.0 * static_cast<double>(j * j);
        body.eigenvalues.push_back(omega * omega);
        body.damping.push_back(0.0);
        body.phi.push_back(j % 2 ? 2.0 : -1.6);
    }
    return body;
}

/// A body that moves freely from any state.
class FreeBody {
  public:
    FreeBody()
        : pair_(body_, modal::ModalBody{}), motion_(pair_, propagators_, prepared(), false, false) {
        motion_.start();
    }

    /// Bodies that move and vibrate at random, and are mostly apart.
    void start(std::mt19937& generator) {
        std::normal_distribution<double> normal;
        const modal::ModalState& now = motion_.now();
        now.q[0] = std::exp(1.5 * normal(generator)) * 6e-6;
        now.v[0] = 0.1 * normal(generator);
        for (std::size_t j = 1; j <= vibrations; ++j) {
            const double amplitude = 1e-6 * normal(generator);
            now.q[j] = amplitude;
            now.v[j] = std::sqrt(body_.eigenvalues[j]) * 1e-6 * normal(generator);
        }
        at_.x = overlap(0.0);
        at_.rate = pair_.overlap({now.v, 1 + vibrations});
    }

    double overlap(double time) const {
        const modal::ModalState& now = motion_.now();
        double sum = body_.phi[0] * (now.q[0] + now.v[0] * time);
        for (std::size_t j = 1; j <= vibrations; ++j) {
            const double omega = std::sqrt(body_.eigenvalues[j]);
            sum += body_.phi[j] *
                   (now.q[j] * std::cos(omega * time) + now.v[j] / omega * std::sin(omega * time));
        }
        return -sum;
    }
    double largest_overlap(double time) const {
        constexpr int points = 500;
        double largest = -1.0;
        for (int i = 0; i <= points; ++i) largest = std::max(largest, overlap(time * i / points));
        return largest;
    }

    const modal::ModalBody body_ = vibrating_body();
    impact::ContactPair pair_;
    modal::Propagators propagators_{pair_.eigenvalues, pair_.dampings, 1.0};
    impact::SplittingMemory memory_;
    impact::SplittingMotion motion_;
    impact::RunInstant at_;
    impact::StepLevels levels_{propagators_, impact::StepResolution{}};

  private:
    impact::SplittingMemory& prepared() {
        const std::vector<double> rates(1 + vibrations, -0.1);
        pair_.set({body_.phi, rates, {}, {}, {}, 0.0}, {});
        memory_.prepare(pair_, propagators_);
        return memory_;
    }
};

TEST(FreeMotionProof, HoldsForNoStepInWhichTheBodiesTouch) {
    std::mt19937 generator(12);
    FreeBody body;
    impact::FreeMotionProof proof(body.motion_, body.at_, body.levels_);
    std::uniform_int_distribution<int> level(body.levels_.event - 12, body.levels_.event + 16);
    int proven = 0, free = 0, touching = 0;
    for (int i = 0; i < 4000; ++i) {
        body.start(generator);
        if (!(body.at_.x < 0.0)) continue;
        proof.begin(impact::Side::apart, 0.0);
        const int l = level(generator);
        const modal::Propagator& flow = body.motion_.flow(l);
        const bool touches = body.largest_overlap(flow.step) > 0.0;
        const bool holds = proof.holds(l, body.motion_.move_freely(flow));
        EXPECT_FALSE(holds && touches) << i;
        proven += holds;
        free += !touches;
        touching += touches;
    }
    EXPECT_GT(touching, 300);
    // It is no use if it rarely holds.
    EXPECT_GT(proven, 0.8 * free);
}

TEST(FreeMotionProof, HoldsForMostStepsThatAreLikelyToBeProven) {
    std::mt19937 generator(7);
    FreeBody body;
    impact::FreeMotionProof proof(body.motion_, body.at_, body.levels_);
    int steps = 0, proven = 0;
    for (int i = 0; i < 2000; ++i) {
        body.start(generator);
        if (!(body.at_.x < 0.0)) continue;
        proof.begin(impact::Side::apart, 0.0);
        const int l = proof.likely_level(body.levels_.event, true);
        if (l > body.levels_.event) continue;
        ++steps;
        proven += proof.holds(l, body.motion_.move_freely(body.motion_.flow(l)));
    }
    EXPECT_GT(steps, 1000);
    EXPECT_GT(proven, 0.9 * steps);
}

/// The reach [m] at once and a second later of a mass that leaves at 0.3 m/s and has a fast mode
/// and a slow one, which vibrates towards the other body at that speed [m/s].
std::array<double, 2> reach_of_slow_mode(double speed) {
    modal::ModalBody body = modal::point_mass(1.0);
    for (const double omega : {0.01, 5000.0}) {
        body.eigenvalues.push_back(omega * omega);
        body.damping.push_back(0.0);
        body.phi.push_back(1.0);
    }
    impact::ContactPair pair(body, modal::ModalBody{});
    const std::vector<double> rates{0.3}, rest{0.0, 0.0}, vibration{-speed, 0.1};
    pair.set({body.phi, rates, rest, vibration, {}, 0.0}, {});
    const modal::Propagators propagators(pair.eigenvalues, pair.dampings, 1.0);
    impact::SplittingMemory memory;
    memory.prepare(pair, propagators);
    impact::SplittingMotion motion(pair, propagators, memory, false, false);
    motion.start();
    impact::RunInstant at;
    const impact::StepLevels levels{propagators, impact::StepResolution{}};
    impact::FreeMotionProof proof(motion, at, levels);
    proof.begin(impact::Side::apart, 0.0);
    const double at_once = proof.reach();
    at.time = 1.0;
    return {at_once, proof.reach()};
}

TEST(FreeMotionProof, CountsASlowModeByItsRateIfTheBodyLeavesFaster) {
    const auto [at_once, later] = reach_of_slow_mode(0.1);
    EXPECT_NEAR(at_once, 0.1 / 5000.0, 1e-12);
    EXPECT_NEAR(later, 0.1 + 0.1 / 5000.0, 1e-12);
}

TEST(FreeMotionProof, CountsASlowModeByItsAmplitudeIfTheBodyLeavesMoreSlowly) {
    const auto [at_once, later] = reach_of_slow_mode(0.5);
    EXPECT_NEAR(at_once, 0.5 / 0.01 + 0.1 / 5000.0, 1e-9);
    EXPECT_EQ(later, at_once);
}

TEST(FreeMotionProof, FindsTheCrossingOfAStraightMotion) {
    FreeBody body;
    impact::FreeMotionProof proof(body.motion_, body.at_, body.levels_);
    proof.begin(impact::Side::apart, 0.0);
    body.at_.x = -3e-6;
    body.at_.rate = 1.0;
    const modal::Overlap end{7e-6, 1.0};
    EXPECT_NEAR(proof.crossing(1e-5, end), 0.3, 1e-7);
    EXPECT_EQ(proof.halvings_before_zero(true, end), 2);  // a quarter of the step ends before it
    EXPECT_EQ(proof.dip(1e-5, end), 0.0);
}

TEST(StepLevels, LongestStepIsTheLongestThatIsAdmitted) {
    const FreeBody body;
    const impact::StepLevels& levels = body.levels_;
    for (const int admitted : {levels.coarsest, levels.event, levels.event + 5}) {
        for (const int from : {levels.coarsest, levels.event, levels.event + 9}) {
            const auto admits = [&](int level) { return level >= admitted; };
            EXPECT_EQ(levels.longest(from, levels.last, admits), admitted) << from;
        }
    }
    EXPECT_EQ(levels.longest(levels.event, levels.event + 3, [](int) { return false; }),
              levels.event + 3);
}

TEST(StepLevels, EveryModeMovesLittleInAStepOfTheEventLevel) {
    const FreeBody body;
    const impact::StepLevels& levels = body.levels_;
    const double fastest = body.propagators_.fastest();
    EXPECT_LE(body.propagators_.step(levels.event) * fastest, levels.brief);
    EXPECT_GT(body.propagators_.step(levels.event - 1) * fastest, levels.brief);
}

}  // namespace
