#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include <solvers/problems/beam/least_squares.hpp>

namespace stoss::solvers {
namespace {

/// y_i = a + b i/9 for i in 0 to 9 with a = 0.2, b = 0.5; residuals of (a, b).
LeastSquares line(double outlier = 0.0) {
    LeastSquares problem;
    problem.unknowns = 2;
    problem.residuals = 10;
    problem.evaluate = [outlier](const std::vector<double>& x, double* residuals,
                                 double* jacobian) {
        for (std::size_t i = 0; i < 10; ++i) {
            const double at = static_cast<double>(i) / 9.0;
            residuals[i] = x[0] + x[1] * at - (0.2 + 0.5 * at) - (i == 4 ? outlier : 0.0);
            if (jacobian == nullptr) continue;
            jacobian[2 * i] = 1.0;
            jacobian[2 * i + 1] = at;
        }
        return true;
    };
    return problem;
}

TEST(LeastSquares, FindsTheExactLine) {
    const Minimum minimum = minimise(line(), {0.9, 0.1});
    EXPECT_TRUE(minimum.converged);
    EXPECT_NEAR(minimum.x[0], 0.2, 1e-8);
    EXPECT_NEAR(minimum.x[1], 0.5, 1e-8);
    EXPECT_LT(minimum.cost, 1e-16);
}

TEST(LeastSquares, StaysInTheBox) {
    LeastSquares problem = line();
    const auto inner = problem.evaluate;
    problem.evaluate = [inner](const std::vector<double>& x, double* residuals, double* jacobian) {
        const bool is_good = inner(x, residuals, jacobian);
        for (std::size_t i = 0; i < 10; ++i) residuals[i] += 0.4;  // a = -0.2
        return is_good;
    };
    const Minimum minimum = minimise(problem, {0.5, 0.5});
    EXPECT_EQ(minimum.x[0], 0.0);
    EXPECT_GE(minimum.x[1], 0.0);
}

TEST(LeastSquares, RobustLossLeavesAnOutlierAside) {
    const double by_squares = minimise(line(1.0), {0.5, 0.5}).x[0];
    EXPECT_GT(std::abs(by_squares - 0.2), 0.05);
    for (const Loss loss : {Loss::huber, Loss::cauchy}) {
        LeastSquares problem = line(1.0);
        problem.loss = loss;
        problem.scale = 1e-3;
        EXPECT_NEAR(minimise(problem, {0.5, 0.5}).x[0], 0.2, 2e-3);
    }
}

TEST(LeastSquares, WeightIsTheDerivativeOfTheLoss) {
    EXPECT_EQ(weight_of(Loss::none, 0.1, 50.0), 1.0);
    EXPECT_EQ(weight_of(Loss::huber, 2.0, 1.0), 1.0);
    EXPECT_DOUBLE_EQ(weight_of(Loss::huber, 2.0, -26.9), 0.1);
    EXPECT_DOUBLE_EQ(weight_of(Loss::cauchy, 2.0, 3.0 * 4.77), 0.1);
}

TEST(LeastSquares, TheCostIsThatOfTheSearch) {
    LeastSquares problem = line(1.0);
    problem.scale = 0.03;
    for (const Loss loss : {Loss::none, Loss::huber, Loss::cauchy}) {
        problem.loss = loss;
        const Minimum minimum = minimise(problem, {0.5, 0.5});
        std::vector<double> residuals(problem.residuals);
        problem.evaluate(minimum.x, residuals.data(), nullptr);
        EXPECT_NEAR(cost_of(loss, problem.scale, residuals), minimum.cost, 1e-14);
        EXPECT_DOUBLE_EQ(cost_of(loss, 0.0, {3.0, -4.0}), 12.5);  // of an exact fit
    }
}

TEST(LeastSquares, EveryPointOfAnExactFitCountsInFull) {
    for (const Loss loss : {Loss::huber, Loss::cauchy}) {
        EXPECT_EQ(weight_of(loss, 0.0, 0.0), 1.0);
        EXPECT_EQ(slope_of(loss, 0.0, 0.0), 1.0);
    }
}

TEST(LeastSquares, SlopeIsTheDerivativeOfTheWeightedResidual) {
    constexpr double scale = 0.4, step = 1e-6;
    for (const Loss loss : {Loss::none, Loss::huber, Loss::cauchy}) {
        const auto counted = [&](double r) { return weight_of(loss, scale, r) * r; };
        for (const double r : {-3.0, -0.9, -0.3, 0.0, 0.2, 0.7, 1.1, 5.0}) {
            const double slope = (counted(r + step) - counted(r - step)) / (2.0 * step);
            EXPECT_NEAR(slope_of(loss, scale, r), slope, 1e-9) << r;
        }
    }
}

TEST(LeastSquares, StepsBackFromWhereThereIsNoResult) {
    LeastSquares problem = line();
    const auto inner = problem.evaluate;
    problem.evaluate = [inner](const std::vector<double>& x, double* residuals, double* jacobian) {
        return x[0] > 0.1 && inner(x, residuals, jacobian);
    };
    EXPECT_NEAR(minimise(problem, {0.9, 0.9}).x[0], 0.2, 1e-6);
}

TEST(LeastSquares, ASearchFromWhereThereIsNoResultFailsWithAnInfiniteCost) {
    LeastSquares problem = line();
    const auto inner = problem.evaluate;
    problem.evaluate = [inner](const std::vector<double>& x, double* residuals, double* jacobian) {
        return x[0] > 0.1 && inner(x, residuals, jacobian);
    };
    testing::internal::CaptureStderr();
    const Minimum failed = minimise(problem, {0.05, 0.9});
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(failed.cost, core::infinity);
    EXPECT_FALSE(failed.converged);
    EXPECT_EQ(failed.x, (std::vector<double>{0.05, 0.9}));
    EXPECT_LT(minimise(problem, {0.9, 0.9}).cost, failed.cost);
}

TEST(LeastSquares, PassesAnExceptionOn) {
    LeastSquares problem = line();
    problem.evaluate = [](const std::vector<double>&, double*, double*) -> bool {
        throw std::runtime_error("no modes");
    };
    EXPECT_THROW(minimise(problem, {0.5, 0.5}), std::runtime_error);
}

}  // namespace
}  // namespace stoss::solvers
