#include <stoss/modal/coupled_modes.hpp>

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <unsupported/Eigen/MatrixFunctions>
#include <vector>

#include <stoss/modal/modal_flow.hpp>

namespace {

using namespace stoss;
using Eigen::MatrixXd;

/// Modes of a body with `rigid` rigid motions, a dashpot at each of some points and damping of the
/// modes themselves.
struct System {
    std::vector<double> eigenvalues;
    MatrixXd damping;

    System(int rigid, int vibrations, int dashpots, unsigned seed, bool modal = true) {
        std::mt19937 random(seed);
        std::normal_distribution<double> normal;
        for (int j = 0; j < rigid; ++j) eigenvalues.push_back(0.0);
        for (int j = 1; j <= vibrations; ++j) eigenvalues.push_back(std::pow(j + 0.3, 4.0));
        const auto n = static_cast<Eigen::Index>(eigenvalues.size());
        damping = MatrixXd::Zero(n, n);
        for (int k = 0; k < dashpots; ++k) {
            Eigen::VectorXd shape(n);
            for (double& value : shape) value = normal(random);
            damping += std::exp(normal(random)) * shape * shape.transpose();
        }
        if (modal) {
            for (Eigen::Index j = rigid; j < n; ++j)
                damping(j, j) += 0.02 * std::sqrt(eigenvalues[static_cast<std::size_t>(j)]);
        }
    }

    /// exp(t M) z of z' = M z by scaling and squaring, for z = (q, q').
    Eigen::VectorXd after(double time, const Eigen::VectorXd& state) const {
        const Eigen::Index n = damping.rows();
        MatrixXd matrix = MatrixXd::Zero(2 * n, 2 * n);
        matrix.topRightCorner(n, n).setIdentity();
        for (Eigen::Index j = 0; j < n; ++j)
            matrix(n + j, j) = -eigenvalues[static_cast<std::size_t>(j)];
        matrix.bottomRightCorner(n, n) = -damping;
        const MatrixXd flow = (time * matrix).exp();
        return flow * state;
    }
};

std::span<double> part(Eigen::VectorXd& state, Eigen::Index which) {
    const Eigen::Index n = state.size() / 2;
    return {state.data() + which * n, static_cast<std::size_t>(n)};
}

/// The same by the blocks.
Eigen::VectorXd after_by_blocks(const modal::CoupledModes& modes, double time,
                                Eigen::VectorXd state) {
    std::vector<double> q(modes.blocks()), v(modes.blocks());
    modes.to_blocks(part(state, 0), part(state, 1), q, v);
    for (std::size_t j = 0; j < modes.blocks(); ++j) {
        const auto flow = modal::modal_flow(modes.eigenvalues()[j], modes.dampings()[j], time);
        const double from = q[j];
        q[j] = flow.qq * from + flow.qv * v[j];
        v[j] = flow.vq * from + flow.vv * v[j];
    }
    modes.to_modes(q, v, part(state, 0), part(state, 1));
    return state;
}

Eigen::VectorXd random_state(std::size_t modes, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    Eigen::VectorXd state(2 * static_cast<Eigen::Index>(modes));
    for (double& value : state) value = normal(random);
    return state;
}

TEST(CoupledModes, MoveAsTheMatrixExponentialSays) {
    unsigned seed = 1;
    for (const int rigid : {0, 1, 2, 3}) {
        for (const int dashpots : {1, 2, 4}) {
            ++seed;
            const System system(rigid, 4, dashpots, seed, seed % 2 == 0);
            const modal::CoupledModes modes(system.eigenvalues, system.damping);
            const Eigen::VectorXd start = random_state(system.eigenvalues.size(), seed);
            for (const double time : {0.01, 0.3, 2.0}) {
                const Eigen::VectorXd exact = system.after(time, start);
                const Eigen::VectorXd blocks = after_by_blocks(modes, time, start);
                EXPECT_LT((exact - blocks).norm(), 1e-10 * start.norm())
                    << rigid << " rigid, " << dashpots << " dashpots, t = " << time;
            }
        }
    }
}

TEST(CoupledModes, AnImpulseMovesNoPointAtOnce) {
    const System system(2, 6, 2, 5);
    const modal::CoupledModes modes(system.eigenvalues, system.damping);
    const std::vector<double> phi{0.3, -1.0, 0.5, 0.2, -0.7, 1.1, 0.4, -0.2};
    modal::BlockShape shape;
    modes.see(phi, shape);
    double moved = 0.0, rate = 0.0, mobility = 0.0;
    for (std::size_t j = 0; j < modes.blocks(); ++j) {
        const double acceleration =
            -modes.eigenvalues()[j] * shape.in_q[j] - modes.dampings()[j] * shape.in_v[j];
        moved += shape.out_q[j] * shape.in_q[j] + shape.out_v[j] * shape.in_v[j];
        rate += shape.out_q[j] * shape.in_v[j] + shape.out_v[j] * acceleration;
    }
    for (const double p : phi) mobility += p * p;
    EXPECT_NEAR(moved, 0.0, 1e-12);
    EXPECT_NEAR(rate, mobility, 1e-11 * mobility);
}

TEST(CoupledModes, KeepTheirDigitsWhereARigidMotionIsHardlyDamped) {
    for (const double weak : {1e-4, 1e-8, 1e-12, 1e-18}) {
        System system(1, 3, 0, 4, false);
        const Eigen::Vector4d at(weak, 0.7, -1.0, 0.4);
        system.damping = 0.8 * at * at.transpose();
        const modal::CoupledModes modes(system.eigenvalues, system.damping);
        const Eigen::VectorXd start = random_state(4, 9);
        for (const double time : {0.1, 3.0}) {
            EXPECT_LT((system.after(time, start) - after_by_blocks(modes, time, start)).norm(),
                      1e-10 * start.norm())
                << weak;
        }
    }
}

TEST(CoupledModes, GiveNoNegativeZero) {
    const System system(2, 2, 1, 8);
    const modal::CoupledModes modes(system.eigenvalues, system.damping);
    ASSERT_EQ(std::ranges::count(modes.eigenvalues(), 0.0), 2);
    for (const double eigenvalue : modes.eigenvalues()) EXPECT_FALSE(std::signbit(eigenvalue));
}

TEST(CoupledModes, ThatNothingCouplesStayAsTheyAre) {
    const std::vector<double> eigenvalues{0.0, 4.0, 25.0};
    const MatrixXd damping = Eigen::Vector3d(0.5, 0.0, 30.0).asDiagonal();
    const modal::CoupledModes modes(eigenvalues, damping);
    EXPECT_EQ(modes.eigenvalues(), eigenvalues);
    EXPECT_EQ(modes.dampings(), (std::vector{0.5, 0.0, 30.0}));
    modal::BlockShape shape;
    const std::vector<double> phi{1.0, 2.0, 3.0};
    modes.see(phi, shape);
    for (std::size_t j = 0; j < phi.size(); ++j) {
        EXPECT_EQ(shape.in_v[j], phi[j]);
        EXPECT_EQ(shape.out_q[j], phi[j]);
        EXPECT_EQ(shape.in_q[j], 0.0);
    }
}

TEST(CoupledModes, OfABodyThatNothingHoldsOrDampsKeepTheirSpeed) {
    const modal::CoupledModes modes(std::vector{0.0, 0.0}, MatrixXd::Zero(2, 2));
    Eigen::VectorXd state = random_state(2, 4), later = state;
    later.head(2) += 3.0 * state.tail(2);
    EXPECT_LT((after_by_blocks(modes, 3.0, state) - later).norm(), 1e-14);
}

TEST(CoupledModes, OfNoModeAreNoBlocks) {
    const modal::CoupledModes modes({}, MatrixXd(0, 0));
    EXPECT_EQ(modes.blocks(), 0u);
    EXPECT_TRUE(modes.exponents().empty());
}

TEST(CoupledModes, RigidMotionsThatNoDashpotFeelsKeepTheirSpeed) {
    // Translation and rotation of a free body with one dashpot at the place 0.5 of the rotation.
    const std::vector<double> eigenvalues{0.0, 0.0, 9.0};
    const Eigen::Vector3d at_dashpot(1.0, 0.5, 0.0);
    const modal::CoupledModes modes(eigenvalues, 2.0 * at_dashpot * at_dashpot.transpose());
    Eigen::VectorXd state = Eigen::VectorXd::Zero(6);
    state[3] = -0.5;  // turns about the dashpot
    state[4] = 1.0;
    const Eigen::VectorXd later = after_by_blocks(modes, 100.0, state);
    EXPECT_NEAR(later[0], -50.0, 1e-9);
    EXPECT_NEAR(later[1], 100.0, 1e-9);
    EXPECT_NEAR(later[4], 1.0, 1e-12);
}

TEST(CoupledModes, ThatBecomeOneStillMoveAsTheyShould) {
    // (s^2 + c s + 1)(s^2 + 2 c s + 4) - 2 c^2 s^2 = (s^2 + s + 2)^2 for c = 2/3: one pair of
    // eigenvalues with one shape, where there were two.
    System system(0, 2, 0, 1, false);
    system.eigenvalues = {1.0, 4.0};
    const Eigen::Vector2d at(1.0, std::sqrt(2.0));
    system.damping = 2.0 / 3.0 * at * at.transpose();
    const modal::CoupledModes modes(system.eigenvalues, system.damping);
    const Eigen::VectorXd start = random_state(2, 3);
    for (const double time : {0.1, 1.0, 5.0}) {
        EXPECT_LT((system.after(time, start) - after_by_blocks(modes, time, start)).norm(), 1e-7);
    }
}

}  // namespace
