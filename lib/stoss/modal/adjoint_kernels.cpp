#include <stoss/modal/adjoint_kernels.hpp>

#include <cstdint>
#include <type_traits>

#include <stoss/core/detail/vector_targets.hpp>
#include <stoss/core/lanes.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stoss/modal/adjoint_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace stoss::modal {
namespace HWY_NAMESPACE {
namespace {

#include <stoss/core/vector.inl>

/// The columns of a propagator that are the entries of the matrix of a step
/// (theory/gradients.md 26.4).
constexpr auto step_entries = [] {
    using Column = FlowColumn;
    using Step = StepColumn;
    std::array<std::array<std::size_t, Step::inputs>, Step::outputs> at{};
    for (std::size_t i = 0; i < 3; ++i) {
        at[Step::node_q + i][Step::q] = Column::node_qq[i];
        at[Step::node_q + i][Step::v] = Column::node_qv[i];
        at[Step::node_v + i][Step::q] = Column::node_vq[i];
        at[Step::node_v + i][Step::v] = Column::node_vv[i];
        at[Step::end_q][Step::force + i] = Column::end_response_q[i];
        at[Step::end_v][Step::force + i] = Column::end_response_v[i];
        for (std::size_t k = 0; k < 3; ++k) {
            at[Step::node_q + i][Step::force + k] = Column::response_q[3 * i + k];
            at[Step::node_v + i][Step::force + k] = Column::response_v[3 * i + k];
        }
    }
    at[Step::end_q][Step::q] = Column::qq;
    at[Step::end_q][Step::v] = Column::qv;
    at[Step::end_v][Step::q] = Column::vq;
    at[Step::end_v][Step::v] = Column::vv;
    return at;
}();

template <bool with_rates>
void back_over(const Propagator& level, std::size_t n, const StepBackwards& step) {
    using Step = StepColumn;
    Vector force[3], by_x[3], by_v[3];
    for (std::size_t k = 0; k < 3; ++k) {
        force[k] = Vector(step.force[k]);
        by_x[k] = Vector(step.by_x[k]);
        by_v[k] = Vector(step.by_v[k]);
    }
    for (std::size_t j = 0; j < n; j += width) {
        const double* const table = level.table + Propagator::place(j);
        const Vector phi = load(step.phi + j), load_of_mode = load(step.loads + j);
        Vector input[Step::inputs], by_input[Step::inputs];
        input[Step::q] = load(step.begin.q + j);
        input[Step::v] = load(step.begin.v + j);
        for (std::size_t k = 0; k < 3; ++k) input[Step::force + k] = phi * force[k] + load_of_mode;
        for (Vector& each : by_input) each = Vector(0.0);
        Vector seen(0.0), by_eigenvalue(0.0), by_damping(0.0);
        for (std::size_t o = 0; o < Step::outputs; ++o) {
            const bool is_node_q = o < Step::node_v, is_node = o < Step::end_q;
            if (!with_rates && is_node && !is_node_q) continue;
            Vector by, output(0.0);
            if (is_node) {
                by = -(phi * (is_node_q ? by_x[o] : by_v[o - Step::node_v]));
            } else {
                by = load((o == Step::end_q ? step.q : step.v) + j);
            }
            for (std::size_t i = 0; i < Step::inputs; ++i) {
                const Vector entry = load(table + step_entries[o][i] * Propagator::lanes);
                by_input[i] = by_input[i] + entry * by;
                if (is_node) output = output + entry * input[i];
            }
            if (is_node) seen = seen - (is_node_q ? by_x[o] : by_v[o - Step::node_v]) * output;
            const double* const slopes = step.slopes + PropagatorSlopes::place(j);
            Vector of_eigenvalue(0.0), of_damping(0.0);
            for (std::size_t i = 0; i < Step::inputs; ++i) {
                const auto slope = [&](std::size_t kind) HWY_ATTR {
                    return load(slopes + (kind + Step::at(o, i)) * Propagator::lanes);
                };
                of_eigenvalue = of_eigenvalue + slope(Step::by_eigenvalue) * input[i];
                of_damping = of_damping + slope(Step::by_damping) * input[i];
            }
            by_eigenvalue = by_eigenvalue + by * of_eigenvalue;
            by_damping = by_damping + by * of_damping;
        }
        Vector by_load(0.0);
        for (std::size_t k = 0; k < 3; ++k) {
            seen = seen + force[k] * by_input[Step::force + k];
            by_load = by_load + by_input[Step::force + k];
        }
        const auto add = [](Vector value, double* to) HWY_ATTR { store(load(to) + value, to); };
        store(by_input[Step::q], step.q + j);
        store(by_input[Step::v], step.v + j);
        add(seen, step.by_phi + j);
        add(by_load, step.by_loads + j);
        add(by_eigenvalue, step.by_eigenvalue + j);
        add(by_damping, step.by_damping + j);
    }
}

void over_step(const Propagator& level, std::size_t n, const StepBackwards& step) {
    step.with_rates ? back_over<true>(level, n, step) : back_over<false>(level, n, step);
}

}  // namespace

BackOverStep back_over_step_here() {
    return over_step;
}

}  // namespace HWY_NAMESPACE
}  // namespace stoss::modal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace stoss::modal {

HWY_EXPORT(back_over_step_here);

BackOverStep back_over_step() {
    static const BackOverStep function = HWY_DYNAMIC_DISPATCH(back_over_step_here)();
    return function;
}

std::vector<BackOverStep> all_back_over_step() {
    std::vector<BackOverStep> all;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        all.push_back(HWY_DYNAMIC_DISPATCH(back_over_step_here)());
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return all;
}

}  // namespace stoss::modal
#endif
