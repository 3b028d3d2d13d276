#include <stoss/modal/step_propagator.hpp>

#include <cstddef>

#include <stoss/core/gauss3.hpp>
#include <stoss/modal/detail/flow_columns.hpp>

namespace stoss::modal {

namespace {

/// `fill(lambda, d, at)` writes the columns of one mode.
template <class Fill>
Propagator filled(const Propagators& propagators, std::size_t modes, double step,
                  core::AlignedVector& numbers, const Fill& fill) {
    numbers.resize(FlowColumn::count * propagators.padded(), 0.0);
    const double *const eigenvalues = propagators.eigenvalues(), *const dampings =
                                                                     propagators.dampings();
    for (std::size_t j = 0; j < modes; ++j) {
        double* const to = numbers.data() + Propagator::place(j);
        // The rigid modes of many bodies are all the same.
        if (j > 0 && eigenvalues[j] == eigenvalues[j - 1] && dampings[j] == dampings[j - 1]) {
            const double* const from = numbers.data() + Propagator::place(j - 1);
            for (std::size_t c = 0; c < FlowColumn::count; ++c)
                to[c * Propagator::lanes] = from[c * Propagator::lanes];
            continue;
        }
        fill(eigenvalues[j], dampings[j],
             [&](std::size_t column) -> double& { return to[column * Propagator::lanes]; });
    }
    return {step, eigenvalues, dampings, numbers.data()};
}

}  // namespace

Propagator step_propagator(const Propagators& propagators, std::size_t modes, double step,
                           core::AlignedVector& numbers) {
    return filled(propagators, modes, step, numbers, [&](double lambda, double d, const auto& at) {
        detail::fill_end(modal_step(lambda, d, step), at);
        for (std::size_t i = 0; i < core::Gauss3::nodes; ++i)
            detail::fill_node(modal_step(lambda, d, core::Gauss3::node[i] * step), i, at);
    });
}

Propagator free_propagator(const Propagators& propagators, std::size_t modes, double step,
                           core::AlignedVector& numbers) {
    return filled(propagators, modes, step, numbers, [&](double lambda, double d, const auto& at) {
        detail::fill_flow(modal_flow(lambda, d, step), at);
    });
}

}  // namespace stoss::modal
