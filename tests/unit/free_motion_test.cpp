#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include <stoss/impact/detail/free_motion.hpp>
#include <stoss/modal/modal_flow.hpp>

namespace {

using namespace stoss;

/// A free point mass that carries three vibration modes, above a fixed body.
modal::ModalBody body(double damping) {
    modal::ModalBody result = modal::point_mass(0.5);
    for (const double omega : {300.0, 1700.0, 5200.0}) {
        result.eigenvalues.push_back(omega * omega);
        result.damping.push_back(damping);
        result.phi.push_back(1.1);
    }
    result.damping[0] = 0.1 * damping;
    return result;
}

struct State {
    std::vector<double> q, rate;
};

/// A state with a gap, opening by its rigid motion or not, and vibrations of about the same size.
State random_state(std::mt19937& random) {
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    State state{{2e-3 + 1e-3 * unit(random)}, {0.3 + 0.4 * unit(random)}};
    for (const double omega : {300.0, 1700.0, 5200.0}) {
        state.q.push_back(4e-4 * unit(random));
        state.rate.push_back(4e-4 * omega * unit(random));
    }
    return state;
}

/// The overlap after `time` of exact free motion.
double overlap_after(const impact::ContactPair& pair, const State& state, double time) {
    double overlap = 0.0;
    for (std::size_t j = 0; j < pair.modes(); ++j) {
        const auto flow = modal::modal_flow(pair.eigenvalues[j], pair.dampings[j], time);
        overlap -= pair.phi[j] * (flow.qq * state.q[j] + flow.qv * state.rate[j]);
    }
    return overlap;
}

impact::ContactPair pair_of(const modal::ModalBody& first, const modal::ModalBody& second) {
    impact::ContactPair pair(first, second);
    pair.set({first.phi, {}}, {second.phi, {}});
    return pair;
}

/// Both bodies are damped: the one that flees comes to rest first, and the other catches up.
TEST(FreeMotion, OfTwoDampedBodiesTheFasterToRestIsCaughtUp) {
    modal::ModalBody first = modal::point_mass(1.0), second = modal::point_mass(1.0);
    first.damping[0] = 10.0;
    second.damping[0] = 0.1;
    const auto pair = pair_of(first, second);
    const std::vector<double> q{1e-3, 0.0}, rate{2.0, 1.0};  // the gap is 1 mm and opens at 1 m/s
    const double time = impact::FreeMotion(pair).time_to_contact(q, rate, 1e-6, 10.0);
    // 1e-3 + 0.2 (1 - exp(-10 t)) = 10 (1 - exp(-t/10))
    EXPECT_NEAR(1e-3 + 0.2 * (1.0 - std::exp(-10.0 * time)), 10.0 * (1.0 - std::exp(-0.1 * time)),
                1e-4);
}

TEST(FreeMotion, NeverPassesOverAContactAndForetellsOnlyRealOnes) {
    std::mt19937 random(11);
    const double resolution = 1e-7, horizon = 0.5;
    int contacts = 0, escapes = 0;
    for (int i = 0; i < 200; ++i) {
        const modal::ModalBody moving = body(i % 2 ? 40.0 : 0.0);
        const modal::ModalBody still;
        const impact::ContactPair pair = pair_of(moving, still);
        const State state = random_state(random);
        if (overlap_after(pair, state, 0.0) > 0.0) continue;
        impact::FreeMotion flight(pair);
        const double found = flight.time_to_contact(state.q, state.rate, resolution, horizon);
        const bool is_contact = std::isfinite(found) && found < horizon;
        (is_contact ? contacts : escapes) += 1;
        const double until = std::min(found, 0.1) - 2.0 * resolution;
        for (double t = 0.0; t < until; t += 5e-6) {
            ASSERT_LE(overlap_after(pair, state, t), 0.0) << "state " << i << " at " << t;
        }
        if (is_contact) {
            EXPECT_GT(overlap_after(pair, state, found), 0.0);
        }
    }
    EXPECT_GT(contacts, 20);
    EXPECT_GT(escapes, 20);
}

TEST(FreeMotion, ARigidBodyThatRecedesIsFreeAtOnceAndOneThatClosesIsMetOnTime) {
    const modal::ModalBody mass = modal::point_mass(1.0), still;
    const impact::ContactPair pair = pair_of(mass, still);
    impact::FreeMotion flight(pair);
    const std::vector<double> gap{0.01}, up{1.0}, down{-2.0};
    EXPECT_TRUE(std::isinf(flight.time_to_contact(gap, up, 1e-6, 1.0)));
    EXPECT_NEAR(flight.time_to_contact(gap, down, 1e-6, 1.0), 0.005, 2e-6);
    EXPECT_EQ(flight.time_to_contact(gap, down, 1e-6, 0.001), 0.001);
}

TEST(FreeMotion, ADragThatStopsTheFirstBodyLetsTheSecondCatchUp) {
    // The first body recedes faster but is braked; the second follows without drag: never "for
    // ever".
    modal::ModalBody braked = modal::point_mass(1.0);
    braked.damping[0] = 100.0;
    const modal::ModalBody follower = modal::point_mass(1.0);
    const impact::ContactPair pair = pair_of(braked, follower);
    impact::FreeMotion flight(pair);
    const std::vector<double> q{1e-3, 0.0}, rate{1.0, 0.5};
    const double time = flight.time_to_contact(q, rate, 1e-6, 10.0);
    // 1e-3 + (1 - exp(-100 t))/100 = 0.5 t
    EXPECT_NEAR(1e-3 + (1.0 - std::exp(-100.0 * time)) / 100.0, 0.5 * time, 2e-6);
}

}  // namespace
