#include <stoss/modal/adjoint_kernels.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <random>
#include <vector>

#include <stoss/core/aligned.hpp>
#include <stoss/modal/modal_kernels.hpp>

namespace {

using namespace stoss;

constexpr std::size_t modes = 11, padded = 16;

/// Eleven modes of all kinds, and steps of three lengths in random states.
struct Random {
    std::vector<double> eigenvalues{0.0, 0.0}, dampings{0.0, 2.0};
    std::mt19937 random{3};
    std::normal_distribution<double> normal;
    core::AlignedVector phi = numbers(), loads = numbers(), along_by_phi = numbers();
    std::vector<std::array<core::AlignedVector, 4>> states;
    std::optional<modal::Propagators> propagators;
    std::optional<modal::PropagatorSlopes> slopes;
    bool with_rates;

    explicit Random(bool rates) : with_rates(rates) {
        for (int j = 1; j < 10; ++j) {
            eigenvalues.push_back(1e4 * std::pow(j, 4.0));
            dampings.push_back(j % 3 == 0 ? 500.0 * j : 0.0);
        }
        propagators.emplace(eigenvalues, dampings, 1.0);
        slopes.emplace(*propagators);
        for (int i = 0; i < 4; ++i) states.push_back({numbers(), numbers(), numbers(), numbers()});
    }

    core::AlignedVector numbers() {
        core::AlignedVector all(padded, 0.0);
        for (std::size_t j = 0; j < modes; ++j) all[j] = normal(random);
        return all;
    }
    std::array<double, 3> triple() { return {normal(random), normal(random), normal(random)}; }
    modal::ModesBackwards all() const {
        return {padded, phi.data(), loads.data(), with_rates, along_by_phi.data()};
    }

    /// Of one level.
    std::vector<modal::StepBackwards> steps(int level) {
        std::vector<modal::StepBackwards> all;
        for (const auto& [q, v, by_q, by_v] : states) {
            all.push_back({&propagators->level(level),
                           {q.data(), v.data()},
                           {by_q.data(), by_v.data()},
                           triple(),
                           triple(),
                           with_rates ? triple() : std::array<double, 3>{}});
        }
        return all;
    }
};

/// What the kernels give of them.
std::vector<double> everything(const modal::AdjointKernels& kernels, bool with_rates) {
    Random random(with_rates);
    std::array<core::AlignedVector, 4> sums;
    for (core::AlignedVector& each : sums) each.assign(padded, 0.0);
    core::AlignedVector q(padded), v(padded);
    std::vector<double> numbers;
    for (const int l : {14, 18, 23}) {
        const auto steps = random.steps(l);
        const modal::Propagator& level = random.propagators->level(l);
        for (const modal::StepBackwards& step : steps) {
            const auto by_forces = kernels.by_forces(level, random.all(), step.by_end);
            numbers.insert(numbers.end(), by_forces.begin(), by_forces.end());
            numbers.push_back(kernels.forces_along(random.all(), step));
            kernels.to_begin(random.all(), step, {q.data(), v.data()});
            numbers.insert(numbers.end(), q.begin(), q.end());
            numbers.insert(numbers.end(), v.begin(), v.end());
        }
        for (const auto& row : kernels.responses_along(level, random.all(), random.loads.data()))
            numbers.insert(numbers.end(), row.begin(), row.end());
        kernels.add_numbers(random.all(), steps, random.slopes->level(level),
                            {sums[0].data(), sums[1].data(), sums[2].data(), sums[3].data()});
    }
    for (const core::AlignedVector& each : sums)
        numbers.insert(numbers.end(), each.begin(), each.end());
    return numbers;
}

TEST(AdjointKernels, GiveTheSameBitsOnEveryInstructionSetOfThisMachine) {
    const auto all = modal::all_adjoint_kernels();
    ASSERT_FALSE(all.empty());
    for (const bool with_rates : {false, true}) {
        const std::vector<double> expected = everything(modal::adjoint_kernels(), with_rates);
        for (const modal::AdjointKernels* each : all)
            EXPECT_EQ(everything(*each, with_rates), expected);
    }
}

/// Steps of three lengths in random order, and what they work in.
struct ElasticSteps {
    Random random{false};
    modal::Compliances compliances;
    std::vector<modal::ElasticStepBackwards> steps;
    std::vector<core::AlignedVector> states;

    /// Each with a place of its own for its begin, or all in one.
    explicit ElasticSteps(bool in_place) {
        for (auto& row : compliances.x) row = random.triple();
        for (const int l : {14, 18, 23}) {
            for (const modal::StepBackwards& step : random.steps(l)) {
                steps.emplace_back().step = step;
                steps.back().compliances = &compliances;
                steps.back().slope = random.triple();
            }
        }
        states.assign(2 * (steps.size() + 1), random.numbers());
        states[1] = random.numbers();
        for (std::size_t n = 0; n < steps.size(); ++n) {
            const std::size_t end = in_place ? 0 : 2 * n, begin = in_place ? 0 : end + 2;
            steps[n].step.by_end = {states[end].data(), states[end + 1].data()};
            steps[n].by_begin = {states[begin].data(), states[begin + 1].data()};
        }
    }
};

TEST(AdjointKernels, GiveTheSameBitsForStepsOneByOneAndTogether) {
    for (const modal::AdjointKernels* kernels : modal::all_adjoint_kernels()) {
        for (const bool in_place : {false, true}) {
            ElasticSteps all(in_place);
            core::AlignedVector q = all.states[0], v = all.states[1];
            kernels->back_over_steps(all.random.all(), all.steps);
            for (const modal::ElasticStepBackwards& each : all.steps) {
                modal::StepBackwards step = each.step;
                step.by_end = {q.data(), v.data()};
                const auto by = kernels->by_forces(*step.level, all.random.all(), step.by_end);
                EXPECT_EQ(each.by_force, by);
                EXPECT_EQ(each.along, kernels->forces_along(all.random.all(), step));
                for (std::size_t i = 0; i < 3; ++i) {
                    const auto& row = each.overlap_by_force[i];
                    EXPECT_EQ(step.by_x[i], row[0] * by[0] + row[1] * by[1] + row[2] * by[2]);
                }
                kernels->to_begin(all.random.all(), step, {q.data(), v.data()});
            }
            const modal::ModalState first = all.steps.back().by_begin;
            EXPECT_EQ(std::vector(first.q, first.q + padded), std::vector(q.begin(), q.end()));
            EXPECT_EQ(std::vector(first.v, first.v + padded), std::vector(v.begin(), v.end()));
        }
    }
}

/// (1 + F' c)^T mu = what the forces are worth, and the overlaps are worth F' mu.
TEST(AdjointKernels, SolveTheTransposedMatrixOfAStep) {
    for (const modal::AdjointKernels* kernels : modal::all_adjoint_kernels()) {
        ElasticSteps all(false);
        kernels->back_over_steps(all.random.all(), all.steps);
        for (const modal::ElasticStepBackwards& each : all.steps) {
            for (std::size_t k = 0; k < 3; ++k) {
                double sum = 0.0, size = 0.0;
                for (std::size_t i = 0; i < 3; ++i) {
                    const double by = each.step.by_x[i];
                    const double part =
                        (i == k ? by / each.slope[i] : 0.0) + all.compliances.x[i][k] * by;
                    sum += part;
                    size += std::abs(part);
                }
                EXPECT_NEAR(sum, each.by_force[k], 1e-11 * size);
            }
        }
    }
}

/// What the outputs of the steps are worth: with the motion of each by the kernels forwards.
TEST(AdjointKernels, TakeTheStepsOfTheKernelsForwards) {
    Random random(false);
    const auto& kernels = modal::adjoint_kernels();
    const auto& forwards = modal::modal_kernels();
    for (const int l : {14, 18, 23}) {
        const modal::Propagator& level = random.propagators->level(l);
        for (const modal::StepBackwards& step : random.steps(l)) {
            core::AlignedVector next_q(padded), next_v(padded), q(padded), v(padded);
            const auto worth = [&](std::array<double, 3> force) {
                const modal::ModalState from{const_cast<double*>(step.begin.q),
                                             const_cast<double*>(step.begin.v)};
                modal::NodeOverlaps nodes;
                forwards.free_overlaps(level, padded, random.phi.data(), from, modal::Rates::none,
                                       nullptr, nodes);
                forwards.apply_forces(level, padded, random.phi.data(), from, force,
                                      {next_q.data(), next_v.data()}, nullptr);
                double sum = 0.0;
                for (std::size_t k = 0; k < 3; ++k) sum += step.by_x[k] * nodes.x[k];
                for (std::size_t j = 0; j < modes; ++j)
                    sum += step.by_end.q[j] * next_q[j] + step.by_end.v[j] * next_v[j];
                return sum;
            };
            kernels.to_begin(random.all(), step, {q.data(), v.data()});
            double sum = 0.0, size = 0.0;
            for (std::size_t j = 0; j < modes; ++j) {
                const double by_q = q[j] * step.begin.q[j], by_v = v[j] * step.begin.v[j];
                sum += by_q + by_v;
                size += std::abs(by_q) + std::abs(by_v);
            }
            EXPECT_NEAR(sum, worth({}), 1e-13 * size);
            const auto by_forces = kernels.by_forces(level, random.all(), step.by_end);
            for (std::size_t k = 0; k < 3; ++k) {
                std::array<double, 3> one{};
                one[k] = 1e3;
                EXPECT_NEAR(by_forces[k], 1e-3 * (worth(one) - worth({})), 1e-13 * size);
            }
        }
    }
}

}  // namespace
