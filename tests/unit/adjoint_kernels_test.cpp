#include <stoss/modal/adjoint_kernels.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include <stoss/core/aligned.hpp>

namespace {

using namespace stoss;

constexpr std::size_t padded = 16;

/// What eleven modes of all kinds in a random state give.
std::vector<double> everything(modal::BackOverStep back_over_step, bool with_rates) {
    std::vector<double> eigenvalues{0.0, 0.0}, dampings{0.0, 2.0};
    for (int j = 1; j < 10; ++j) {
        eigenvalues.push_back(1e4 * std::pow(j, 4.0));
        dampings.push_back(j % 3 == 0 ? 500.0 * j : 0.0);
    }
    const modal::Propagators propagators(eigenvalues, dampings, 1.0);
    const modal::PropagatorSlopes slopes(propagators);
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    std::array<core::AlignedVector, 10> all;
    for (core::AlignedVector& each : all) {
        each.assign(padded, 0.0);
        for (std::size_t j = 0; j < eigenvalues.size(); ++j) each[j] = normal(random);
    }
    auto& [phi, loads, begin_q, begin_v, q, v, by_phi, by_loads, by_eigenvalue, by_damping] = all;
    for (const int l : {14, 18, 23}) {
        const modal::Propagator& level = propagators.level(l);
        back_over_step(level, padded,
                       {.phi = phi.data(),
                        .loads = loads.data(),
                        .begin = {begin_q.data(), begin_v.data()},
                        .force = {1.0, -2.0, 0.7},
                        .by_x = {0.1, 0.2, -0.3},
                        .by_v = {0.01, -0.02, 0.03},
                        .with_rates = with_rates,
                        .slopes = slopes.level(level),
                        .q = q.data(),
                        .v = v.data(),
                        .by_phi = by_phi.data(),
                        .by_loads = by_loads.data(),
                        .by_eigenvalue = by_eigenvalue.data(),
                        .by_damping = by_damping.data()});
    }
    std::vector<double> numbers;
    for (const core::AlignedVector& each : all)
        numbers.insert(numbers.end(), each.begin(), each.end());
    return numbers;
}

TEST(AdjointKernels, GiveTheSameBitsOnEveryInstructionSetOfThisMachine) {
    const auto all = modal::all_back_over_step();
    ASSERT_FALSE(all.empty());
    for (const bool with_rates : {false, true}) {
        const std::vector<double> expected = everything(modal::back_over_step(), with_rates);
        for (const modal::BackOverStep each : all)
            EXPECT_EQ(everything(each, with_rates), expected);
    }
}

}  // namespace
