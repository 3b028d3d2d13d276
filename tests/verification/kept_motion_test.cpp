/// Motions that are kept as numbers and taken up again go on with the same bits.

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include <motion_systems.hpp>
#include <stoss/core/error.hpp>
#include <stoss/motion/impact_motion.hpp>

namespace stoss {
namespace {

using motion::ImpactMotion;
using motion::System;

/// Numbers of what came after.
std::vector<double> rest_of(ImpactMotion& moving, double end) {
    std::vector<double> seen;
    moving.advance(end, [&](const motion::Impact& each) {
        seen.insert(seen.end(), {each.start, each.end, each.approach_speed, each.impulse, each.loss,
                                 each.peak_force, each.slip});
        return true;
    });
    const std::vector<double> state = moving.state();
    seen.insert(seen.end(), state.begin(), state.end());
    return seen;
}

/// Interrupted at instants that have nothing to do with the motion, also inside of impacts.
void expect_same_bits(const System& system, double end) {
    for (const double part : {0.0, 0.1234, 0.37, 0.71, 0.93}) {
        ImpactMotion moving(system, 1e-4), taken_up(system, 1e-4);
        moving.advance(part * end);
        taken_up.take_up(moving.state());
        EXPECT_EQ(taken_up.time(), moving.time());
        EXPECT_EQ(rest_of(taken_up, end), rest_of(moving, end)) << part;
    }
}

TEST(KeptMotion, GoesOnWithTheSameBits) {
    for (unsigned seed = 0; seed < 8; ++seed)
        expect_same_bits(
            motion_test::random_row(
                {.bodies = 3, .vibrations = 2, .damped = true, .driven = seed % 2 == 0}, seed),
            0.02);
}

TEST(KeptMotion, OfALawWithAMemoryGoesOnWithTheSameBits) {
    System system = motion_test::chain(5, 0.1, 1e8);
    contact::WaltonBraun plastic;
    plastic.stiffness = 1e7;
    plastic.restitution = 0.6;
    for (motion::Contact& contact : system.contacts)
        contact.law = motion::CompliantContact{plastic};
    expect_same_bits(system, 2e-3);
}

TEST(KeptMotion, OfABallOnATableGoesOnWithTheSameBits) {
    System system = motion_test::bodies(1);
    system.contacts = {{{1.0}, 1e-3, motion::NewtonImpact{0.4}}};
    system.drives = {{0.0, 0.0, {-9.81}, {}}, {200.0, 0.0, {}, {4e-4}}};
    expect_same_bits(system, 3.0);
}

TEST(KeptMotion, OfAnotherSystemIsRefused) {
    ImpactMotion moving(motion_test::chain(5, 0.1, 1e8), 1e-4);
    const ImpactMotion other(motion_test::chain(6, 0.1, 1e8), 1e-4);
    EXPECT_THROW(moving.take_up(other.state()), core::InputError);
}

}  // namespace
}  // namespace stoss
