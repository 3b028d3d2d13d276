#include <stoss/modal/modal_kernels.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <thread>
#include <vector>

#include <stoss/core/gauss3.hpp>
#include <stoss/modal/modal_flow.hpp>
#include <stoss/modal/modal_response.hpp>

namespace {

using namespace stoss;

/// Eleven modes of all kinds in a random state.
struct Modes {
    std::vector<double> eigenvalues{0.0, 0.0}, dampings{0.0, 2.0};
    core::AlignedVector phi, q, v;

    Modes() {
        for (int j = 1; j < 10; ++j) {
            eigenvalues.push_back(1e4 * std::pow(j, 4.0));
            dampings.push_back(j % 3 == 0 ? 500.0 * j : 0.0);
        }
        std::mt19937 random(3);
        std::normal_distribution<double> normal;
        for (core::AlignedVector* each : {&phi, &q, &v}) {
            each->assign(16, 0.0);
            for (std::size_t j = 0; j < eigenvalues.size(); ++j) (*each)[j] = normal(random);
        }
        for (std::size_t j = 2; j < eigenvalues.size(); ++j) q[j] /= std::sqrt(eigenvalues[j]);
    }
    modal::ModalState state() { return {q.data(), v.data()}; }
    modal::Propagators propagators() const { return {eigenvalues, dampings, 1.0}; }
};

struct Outcome {
    core::AlignedVector q = core::AlignedVector(16), v = core::AlignedVector(16);
    std::vector<double> numbers;

    void note(modal::Overlap overlap) {
        numbers.insert(numbers.end(), {overlap.x, overlap.v});
        numbers.insert(numbers.end(), q.begin(), q.end());
        numbers.insert(numbers.end(), v.begin(), v.end());
    }
};

/// Everything that the kernels say of one step.
std::vector<double> everything(const modal::ModalKernels& kernels) {
    Modes modes;
    const modal::Propagators propagators = modes.propagators();
    Outcome outcome;
    const modal::ModalState to{outcome.q.data(), outcome.v.data()};
    for (const int l : {14, 18, 23}) {
        const modal::Propagator& level = propagators.level(l);
        const modal::ModalState off{modes.v.data(), modes.q.data()};
        modal::NodeOverlaps nodes;
        kernels.free_overlaps(level, 16, modes.phi.data(), modes.state(), modal::Rates::everywhere,
                              &off, nodes);
        const auto compliances =
            kernels.compliances(level, 16, modes.phi.data(), modal::Rates::everywhere);
        for (std::size_t i = 0; i < 3; ++i) {
            outcome.numbers.insert(outcome.numbers.end(),
                                   {nodes.x[i], nodes.v[i], nodes.seen[i], nodes.deviation[i],
                                    nodes.seen_v[i], nodes.deviation_v[i]});
            for (std::size_t k = 0; k < 3; ++k) {
                outcome.numbers.insert(outcome.numbers.end(),
                                       {compliances.x[i][k], compliances.v[i][k],
                                        compliances.seen[i][k], compliances.seen_v[i][k]});
            }
            for (const auto& more : {compliances.defect[i], compliances.seen_defect[i],
                                     compliances.defect_v[i], compliances.seen_defect_v[i]})
                outcome.numbers.insert(outcome.numbers.end(), more.begin(), more.end());
        }
        outcome.note(kernels.apply_forces(level, 16, modes.phi.data(), modes.state(),
                                          {1.0, -2.0, 0.7}, to, nullptr));
        outcome.note(kernels.move_freely(level, 16, modes.phi.data(), modes.state(), to, nullptr));
        Outcome deviation;
        const std::array<double, 3> force{1.0, -2.0, 0.7};
        const std::array<double, 4> defect{0.3, -1.0, 2.0, -0.5};
        const modal::DeviationStep step{
            off, {deviation.q.data(), deviation.v.data()}, force, defect};
        outcome.note(kernels.apply_forces(level, 16, modes.phi.data(), modes.state(),
                                          {0.2, 0.1, 3.0}, to, &step));
        deviation.note({});
        outcome.numbers.insert(outcome.numbers.end(), deviation.numbers.begin(),
                               deviation.numbers.end());
    }
    for (const int order : {3, modal::roundoff_order}) {
        outcome.note(kernels.move_freely_briefly(propagators, 2e-5, order, modes.phi.data(),
                                                 modes.state(), to));
    }
    outcome.numbers.push_back(
        kernels.amplitudes(propagators, modes.phi.data(), modes.state(), outcome.q.data()));
    const auto bounds =
        kernels.free_motion_bounds(propagators, propagators.step(12), outcome.q.data());
    outcome.numbers.insert(outcome.numbers.end(), {bounds.smooth, bounds.any});
    outcome.numbers.push_back(
        kernels.unresolved(propagators, propagators.step(16), outcome.q.data()));
    Modes pushed;
    outcome.note(kernels.apply_impulse_moments(propagators, {1e-4, 2.0, 1e-4, 3e-9},
                                               pushed.phi.data(), pushed.state()));
    outcome.numbers.insert(outcome.numbers.end(), pushed.q.begin(), pushed.q.end());
    outcome.numbers.insert(outcome.numbers.end(), pushed.v.begin(), pushed.v.end());
    return outcome.numbers;
}

TEST(ModalKernels, GiveTheSameBitsOnEveryInstructionSetOfThisMachine) {
    const auto all = modal::all_modal_kernels();
    ASSERT_FALSE(all.empty());
    const std::vector<double> expected = everything(modal::modal_kernels());
    for (const modal::ModalKernels* kernels : all) EXPECT_EQ(everything(*kernels), expected);
}

TEST(ModalKernels, MotionsSideBySideAreTheSameBitsAsEachAlone) {
    Modes modes;
    const modal::Propagators propagators = modes.propagators();
    const modal::ModalState off{modes.v.data(), modes.q.data()};
    for (const modal::ModalKernels* kernels : modal::all_modal_kernels()) {
        modal::MotionLanes lanes;
        std::array<Outcome, core::lanes> to, off_to;
        constexpr std::size_t empty = 3;
        for (std::size_t i = 0; i < core::lanes; ++i) {
            lanes.motion[i] = {i == empty ? nullptr : &propagators.level(14 + static_cast<int>(i)),
                               16,
                               modes.phi.data(),
                               std::array{modal::Rates::none, modal::Rates::at_nodes,
                                          modal::Rates::everywhere}[i % 3],
                               modes.state(),
                               {to[i].q.data(), to[i].v.data()},
                               off,
                               {off_to[i].q.data(), off_to[i].v.data()}};
            for (std::size_t k = 0; k < 3; ++k) {
                lanes.force[k][i] = static_cast<double>(i) - static_cast<double>(k);
                lanes.deviation_force[k][i] = 0.1 * static_cast<double>(i + k);
            }
            for (std::size_t w = 0; w < 4; ++w)
                lanes.defect[w][i] = 0.3 * static_cast<double>(i) - 0.2 * static_cast<double>(w);
        }
        kernels->free_overlaps_of_lanes(lanes);
        kernels->apply_forces_to_lanes(lanes);
        for (std::size_t i = 0; i < core::lanes; ++i) {
            if (i == empty) {
                EXPECT_EQ(to[i].q, core::AlignedVector(16));
                continue;
            }
            const modal::MotionLane& motion = lanes.motion[i];
            modal::NodeOverlaps nodes;
            kernels->free_overlaps(*motion.level, 16, motion.phi, motion.from, motion.rates, &off,
                                   nodes);
            std::array<double, 3> force{}, deviation_force{};
            std::array<double, 4> defect{};
            for (std::size_t k = 0; k < 3; ++k) {
                force[k] = lanes.force[k][i];
                deviation_force[k] = lanes.deviation_force[k][i];
                EXPECT_EQ(lanes.free_x[k][i], nodes.x[k]);
                EXPECT_EQ(lanes.free_v[k][i], nodes.v[k]);
                EXPECT_EQ(lanes.free_seen[k][i], nodes.seen[k]);
                EXPECT_EQ(lanes.free_deviation[k][i], nodes.deviation[k]);
                EXPECT_EQ(lanes.free_seen_v[k][i], nodes.seen_v[k]);
                EXPECT_EQ(lanes.free_deviation_v[k][i], nodes.deviation_v[k]);
            }
            for (std::size_t w = 0; w < 4; ++w) defect[w] = lanes.defect[w][i];
            Outcome alone, off_alone;
            const modal::DeviationStep step{
                off, {off_alone.q.data(), off_alone.v.data()}, deviation_force, defect};
            const modal::Overlap end =
                kernels->apply_forces(*motion.level, 16, motion.phi, motion.from, force,
                                      {alone.q.data(), alone.v.data()}, &step);
            EXPECT_EQ(lanes.end_x[i], end.x);
            EXPECT_EQ(lanes.end_v[i], end.v);
            EXPECT_EQ(to[i].q, alone.q);
            EXPECT_EQ(to[i].v, alone.v);
            EXPECT_EQ(off_to[i].q, off_alone.q);
            EXPECT_EQ(off_to[i].v, off_alone.v);
        }
    }
}

TEST(Propagators, KnowsTheLongestStepWithinATime) {
    const Modes modes;
    const modal::Propagators propagators = modes.propagators();
    for (int l = 0; l < modal::Propagators::levels; ++l) {
        const double step = propagators.step(l);
        EXPECT_EQ(propagators.level_within(step), l);
        EXPECT_EQ(propagators.level_within(std::nextafter(step, 2.0 * step)), l);
        EXPECT_EQ(propagators.level_within(1.41 * step), l);
        if (l + 1 < modal::Propagators::levels) {
            EXPECT_EQ(propagators.level_within(std::nextafter(step, 0.0)), l + 1);
        }
    }
    EXPECT_EQ(propagators.level_within(0.0), modal::Propagators::levels - 1);
    EXPECT_EQ(propagators.level_within(1e300), 0);
    EXPECT_EQ(propagators.level_within(std::numeric_limits<double>::infinity()), 0);
}

/// The table of a level of these propagators.
std::vector<double> table_of(const modal::Propagators& propagators, int level) {
    const double* const table = propagators.level(level).table;
    return {table, table + modal::FlowColumn::count * propagators.padded()};
}

TEST(Propagators, HaveTheSameTablesInWhateverOrderTheyAreAskedFor) {
    const Modes modes;
    const std::vector<int> levels{30, 12, 13, 11, 2, 3, 40, 21, 20, 0, 7, 41, 55};
    const modal::Propagators one_after_another = modes.propagators();
    for (const int level : levels) {
        const modal::Propagators alone = modes.propagators();
        EXPECT_EQ(table_of(one_after_another, level), table_of(alone, level)) << level;
    }
}

TEST(Propagators, HaveTheSameTablesIfThreadsAskForThemAtOnce) {
    const Modes modes;
    const modal::Propagators shared = modes.propagators(), expected = modes.propagators();
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&shared, t] {
            for (int l = 0; l < 48; ++l) (void)shared.level(47 - (l + 12 * t) % 48);
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (int l = 0; l < 48; ++l) EXPECT_EQ(table_of(shared, l), table_of(expected, l)) << l;
}

TEST(ModalKernels, PushIsTheFlowPlusTheResponseToTheParabolaOfForces) {
    Modes modes;
    const modal::Propagators propagators = modes.propagators();
    const modal::Propagator& level = propagators.level(17);
    const double h = level.step;
    Outcome outcome;
    // The force 3 - 2 u + 5 u^2 with u the fraction of the step.
    std::array<double, 3> force{};
    for (std::size_t k = 0; k < 3; ++k) {
        const double u = core::Gauss3::node[k];
        force[k] = 3.0 - 2.0 * u + 5.0 * u * u;
    }
    const auto end =
        modal::modal_kernels().apply_forces(level, 16, modes.phi.data(), modes.state(), force,
                                            {outcome.q.data(), outcome.v.data()}, nullptr);
    double x = 0.0;
    for (std::size_t j = 0; j < modes.eigenvalues.size(); ++j) {
        const auto flow = modal::modal_flow(modes.eigenvalues[j], modes.dampings[j], h);
        const auto y = modal::polynomial_response(modes.eigenvalues[j], modes.dampings[j], h);
        const double pushed = modes.phi[j] * (3.0 * y.q[0] - 2.0 * y.q[1] + 5.0 * y.q[2]);
        const double q = flow.qq * modes.q[j] + flow.qv * modes.v[j] + pushed;
        EXPECT_NEAR(outcome.q[j], q, 1e-13 * (std::abs(modes.q[j]) + std::abs(modes.v[j]) * h));
        x -= modes.phi[j] * q;
    }
    EXPECT_NEAR(end.x, x, 1e-13);
}

/// The overlap of the modes at a fraction u of a step of length h under the force sum c_m u^m, and
/// its rate.
modal::Overlap overlap_within(const Modes& modes, double h, double u, std::span<const double> c) {
    modal::Overlap overlap;
    for (std::size_t j = 0; j < modes.eigenvalues.size(); ++j) {
        const auto flow = modal::modal_flow(modes.eigenvalues[j], modes.dampings[j], u * h);
        const auto y = modal::polynomial_response(modes.eigenvalues[j], modes.dampings[j], u * h);
        double q = flow.qq * modes.q[j] + flow.qv * modes.v[j];
        double v = flow.vq * modes.q[j] + flow.vv * modes.v[j];
        for (std::size_t m = 0; m < c.size(); ++m) {
            const double force = modes.phi[j] * c[m] * std::pow(u, static_cast<double>(m));
            q += force * y.q[m];
            v += force * y.v[m];
        }
        overlap.x -= modes.phi[j] * q;
        overlap.v -= modes.phi[j] * v;
    }
    return overlap;
}

void expect_near(double x, double v, const modal::Overlap& expected) {
    EXPECT_NEAR(x, expected.x, 1e-12);
    EXPECT_NEAR(v, expected.v, 1e-11 * std::max(1.0, std::abs(expected.v)));
}

TEST(ModalKernels, OverlapsAlongAStepAreThoseOfTheFlowLessTheCompliances) {
    Modes modes;
    const modal::Propagators propagators = modes.propagators();
    const modal::Propagator& level = propagators.level(17);
    const double h = level.step;
    const auto& kernels = modal::modal_kernels();
    const modal::ModalState state = modes.state();
    modal::NodeOverlaps free, only_x;
    // The motion as a deviation from itself.
    kernels.free_overlaps(level, 16, modes.phi.data(), state, modal::Rates::everywhere, &state,
                          free);
    kernels.free_overlaps(level, 16, modes.phi.data(), state, modal::Rates::none, nullptr, only_x);
    const auto compliance =
        kernels.compliances(level, 16, modes.phi.data(), modal::Rates::everywhere);
    EXPECT_EQ(only_x.x, free.x);
    EXPECT_EQ(free.deviation, free.x);
    EXPECT_EQ(free.deviation_v, free.v);
    // 3 - 2 u + 5 u^2, given by its values at the nodes.
    const std::array parabola{3.0, -2.0, 5.0};
    const auto taken = [&](const std::array<double, 3>& by) {
        double x = 0.0;
        for (std::size_t k = 0; k < 3; ++k) {
            const double u = core::Gauss3::node[k];
            x += by[k] * (parabola[0] + u * (parabola[1] + u * parabola[2]));
        }
        return x;
    };
    for (std::size_t i = 0; i < 3; ++i) {
        expect_near(free.x[i] - taken(compliance.x[i]), free.v[i] - taken(compliance.v[i]),
                    overlap_within(modes, h, core::Gauss3::node[i], parabola));
    }
    const std::array seen{core::Gauss3::between[0], core::Gauss3::between[1], 1.0};
    for (std::size_t i = 0; i < 3; ++i) {
        expect_near(free.seen[i] - taken(compliance.seen[i]),
                    free.seen_v[i] - taken(compliance.seen_v[i]),
                    overlap_within(modes, h, seen[i], parabola));
    }
    // (2 - z + 3 z^2 - z^3) node_polynomial(z) with z = 2 u - 1.
    const std::array defect{-7.0, 104.0, -474.0, 1036.0, -1216.0, 720.0, -160.0};
    const std::array in_z{2.0, -1.0, 3.0, -1.0};
    const std::array<double, 0> none{};
    const auto by_defect = [&](double u) {
        const modal::Overlap free = overlap_within(modes, h, u, none),
                             pushed = overlap_within(modes, h, u, defect);
        return modal::Overlap{free.x - pushed.x, free.v - pushed.v};
    };
    for (std::size_t i = 0; i < 3; ++i) {
        const auto sum = [&](const std::array<double, 4>& by) {
            return std::inner_product(by.begin(), by.end(), in_z.begin(), 0.0);
        };
        expect_near(sum(compliance.defect[i]), sum(compliance.defect_v[i]),
                    by_defect(core::Gauss3::node[i]));
        expect_near(sum(compliance.seen_defect[i]), sum(compliance.seen_defect_v[i]),
                    by_defect(seen[i]));
    }
}

TEST(ModalKernels, ADeviationMovesByTheFlowAndTheResponseToForcesAndDefect) {
    Modes modes;
    const modal::Propagators propagators = modes.propagators();
    const modal::Propagator& level = propagators.level(17);
    // The force (2 - z + 3 z^2 - z^3) node_polynomial(z) + 4 u - 1, all of it a polynomial in u.
    const auto y_of = [&](std::size_t j) {
        const auto y =
            modal::polynomial_response(modes.eigenvalues[j], modes.dampings[j], level.step);
        constexpr std::array coefficients{-8.0, 108.0, -474.0, 1036.0, -1216.0, 720.0, -160.0};
        double q = 0.0;
        for (std::size_t m = 0; m < 7; ++m) q += coefficients[m] * y.q[m];
        return q;
    };
    std::array<double, 3> force{};
    for (std::size_t k = 0; k < 3; ++k) force[k] = 4.0 * core::Gauss3::node[k] - 1.0;
    const std::vector<double> q(modes.q.begin(), modes.q.end());
    const std::vector<double> v(modes.v.begin(), modes.v.end());
    const std::array<double, 4> defect{2.0, -1.0, 3.0, -1.0};
    Outcome moved, deviation;
    const modal::DeviationStep step{
        modes.state(), {deviation.q.data(), deviation.v.data()}, force, defect};
    modal::modal_kernels().apply_forces(level, 16, modes.phi.data(), modes.state(), {1.0, 2.0, 3.0},
                                        {moved.q.data(), moved.v.data()}, &step);
    for (std::size_t j = 0; j < modes.eigenvalues.size(); ++j) {
        const auto flow = modal::modal_flow(modes.eigenvalues[j], modes.dampings[j], level.step);
        const double expected = flow.qq * q[j] + flow.qv * v[j] + modes.phi[j] * y_of(j);
        EXPECT_NEAR(deviation.q[j], expected,
                    1e-11 * (std::abs(q[j]) + std::abs(v[j]) * level.step));
    }
}

TEST(ModalKernels, BriefFlightIsTheExactFlow) {
    Modes modes;
    const modal::Propagators propagators = modes.propagators();
    const double time = 0.25 / propagators.fastest();
    Outcome outcome;
    modal::modal_kernels().move_freely_briefly(propagators, time, modal::roundoff_order,
                                               modes.phi.data(), modes.state(),
                                               {outcome.q.data(), outcome.v.data()});
    for (std::size_t j = 0; j < modes.eigenvalues.size(); ++j) {
        const auto flow = modal::modal_flow(modes.eigenvalues[j], modes.dampings[j], time);
        const double scale = std::abs(modes.q[j]) + std::abs(modes.v[j]) * time;
        EXPECT_NEAR(outcome.q[j], flow.qq * modes.q[j] + flow.qv * modes.v[j], 1e-15 * scale);
        EXPECT_NEAR(outcome.v[j] * time, (flow.vq * modes.q[j] + flow.vv * modes.v[j]) * time,
                    1e-15 * scale);
    }
}

TEST(ModalKernels, ADeviationFliesAsTheMotionDoes) {
    Modes modes;
    const modal::Propagators propagators = modes.propagators();
    const auto& kernels = modal::modal_kernels();
    const modal::Propagator& level = propagators.level(14);
    Outcome motion, beside, deviation, alone;
    const modal::ModalState off{modes.v.data(), modes.q.data()};
    const modal::DeviationStates flight{off, {deviation.q.data(), deviation.v.data()}};
    const double* const phi = modes.phi.data();
    kernels.move_freely(level, 16, phi, modes.state(), {motion.q.data(), motion.v.data()}, nullptr);
    kernels.move_freely(level, 16, phi, modes.state(), {beside.q.data(), beside.v.data()}, &flight);
    kernels.move_freely(level, 16, phi, off, {alone.q.data(), alone.v.data()}, nullptr);
    EXPECT_EQ(beside.q, motion.q);
    EXPECT_EQ(beside.v, motion.v);
    EXPECT_EQ(deviation.q, alone.q);
    EXPECT_EQ(deviation.v, alone.v);
}

/// Pushes at three instants, each with the free motion before and after it, against all at once.
TEST(ModalKernels, ALatePushLeadsWhereThePushesInTheirTimeLead) {
    Modes modes;
    const modal::Propagators propagators = modes.propagators();
    const double rest = 0.1 / propagators.fastest();
    modal::LateForce force{rest};
    Modes late, expected;
    const auto move_freely = [&](double time) {
        for (std::size_t j = 0; j < modes.eigenvalues.size(); ++j) {
            const auto flow = modal::modal_flow(modes.eigenvalues[j], modes.dampings[j], time);
            const double q = expected.q[j], v = expected.v[j];
            expected.q[j] = flow.qq * q + flow.qv * v;
            expected.v[j] = flow.vq * q + flow.vv * v;
        }
    };
    double before = 0.0;
    for (const auto& [part, impulse] : {std::pair{0.2, 3.0}, {0.5, 1.0}, {0.9, 0.5}}) {
        const double s = part * rest;
        force.impulse += impulse;
        force.first += s * impulse;
        force.second += 0.5 * s * s * impulse;
        move_freely(s - before);
        before = s;
        for (std::size_t j = 0; j < modes.eigenvalues.size(); ++j)
            expected.v[j] += modes.phi[j] * impulse;
    }
    move_freely(-before);
    modal::modal_kernels().apply_impulse_moments(propagators, force, modes.phi.data(),
                                                 late.state());
    for (std::size_t j = 0; j < modes.eigenvalues.size(); ++j) {
        // Moments of the third order in the time are left out.
        const double pushed = std::abs(modes.phi[j]) * force.impulse;
        EXPECT_NEAR(late.v[j], expected.v[j], 2e-4 * pushed) << j;
        EXPECT_NEAR(late.q[j], expected.q[j], 2e-4 * pushed * rest) << j;
    }
}

TEST(ModalKernels, VibrationsAreUnresolvedWithTheSixthPowerOfTheStepUntilNothingIsResolved) {
    const std::vector<double> eigenvalues{0.0, 1.0, 1e4}, dampings(3, 0.0);
    const modal::Propagators propagators(eigenvalues, dampings, 1.0);
    core::AlignedVector amplitudes(8, 0.0);
    amplitudes[0] = 100.0;  // rigid: does not count
    amplitudes[1] = 2.0;
    amplitudes[2] = 3.0;
    const auto& kernels = modal::modal_kernels();
    const auto lost = [](double omega, double h) {
        return std::min(1.0, std::pow(omega * h / 11.2, 6));
    };
    for (const double h : {1e-3, 0.1, 1.0, 5.0, 20.0}) {
        const double expected = 2.0 * lost(1.0, h) + 3.0 * lost(100.0, h);
        EXPECT_NEAR(kernels.unresolved(propagators, h, amplitudes.data()), expected,
                    1e-14 * expected);
    }
    EXPECT_EQ(kernels.unresolved(propagators, 20.0, amplitudes.data()), 5.0);
}

TEST(ModalKernels, FlightNeverLeavesItsBoundsAroundTheCubic) {
    Modes modes;
    const modal::Propagators propagators = modes.propagators();
    const auto& kernels = modal::modal_kernels();
    core::AlignedVector reach(16);
    kernels.amplitudes(propagators, modes.phi.data(), modes.state(), reach.data());
    double x0 = 0.0, v0 = 0.0;
    for (std::size_t j = 0; j < 16; ++j) {
        x0 -= modes.phi[j] * modes.q[j];
        v0 -= modes.phi[j] * modes.v[j];
    }
    for (const int l : {8, 12, 16, 20}) {
        const double h = propagators.step(l);
        const auto bounds = kernels.free_motion_bounds(propagators, h, reach.data());
        Outcome outcome;
        const auto end =
            kernels.move_freely(propagators.level(l), 16, modes.phi.data(), modes.state(),
                                {outcome.q.data(), outcome.v.data()}, nullptr);
        for (double u = 0.05; u < 1.0; u += 0.05) {
            double x = 0.0;
            for (std::size_t j = 0; j < modes.eigenvalues.size(); ++j) {
                const auto flow = modal::modal_flow(modes.eigenvalues[j], modes.dampings[j], u * h);
                x -= modes.phi[j] * (flow.qq * modes.q[j] + flow.qv * modes.v[j]);
            }
            const double rest = 1.0 - u;
            const double cubic = rest * rest * ((1.0 + 2.0 * u) * x0 + u * h * v0) +
                                 u * u * ((3.0 - 2.0 * u) * end.x - rest * h * end.v);
            EXPECT_LE(std::abs(x - cubic), 16.0 * u * u * rest * rest * bounds.smooth + 1e-13);
            EXPECT_LE(std::abs(x - cubic), bounds.any + 1e-13);
        }
    }
}

}  // namespace
