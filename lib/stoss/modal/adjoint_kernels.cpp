#include <stoss/modal/adjoint_kernels.hpp>

#include <stoss/core/detail/each_target.hpp>
#include <stoss/core/detail/vector_targets.hpp>
#include <stoss/core/lanes.hpp>
#include <stoss/core/number.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stoss/modal/adjoint_kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace stoss::modal {
namespace HWY_NAMESPACE {
namespace {

#include <stoss/core/vector.inl>

#include <stoss/core/detail/matrix3.inl>

#include <stoss/modal/detail/mode_loops.inl>

using Step = StepColumn;

/// The columns of a propagator that are the entries of the matrix of a step
/// (theory/gradients.md 26.4).
constexpr auto step_entries = [] {
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

/// Adjoints of the forces of a step, through its end.
struct EndAdjoint {
    std::array<double, 3> by_force;
    double along;  ///< AdjointKernels::forces_along; 0 if it is not wanted
};

template <bool along>
EndAdjoint end_adjoint(const ModesBackwards& modes, const StepBackwards& step) {
    const Vector force[3] = {Vector(step.force[0]), Vector(step.force[1]), Vector(step.force[2])};
    Sum by_force[3], by_change;
    for_modes(modes.n, [&](std::size_t j, std::size_t block) HWY_ATTR {
        const Table table(*step.level, j);
        const Vector phi = load(modes.phi + j);
        const Vector of_q = phi * load(step.by_end.q + j), of_v = phi * load(step.by_end.v + j);
        Vector by[3];
        for (std::size_t k = 0; k < 3; ++k) {
            by[k] =
                table[Column::end_response_q[k]] * of_q + table[Column::end_response_v[k]] * of_v;
            by_force[k].add(block, by[k]);
        }
        if constexpr (along)
            by_change.add(block, load(modes.along_by_phi + j) *
                                     (force[0] * by[0] + force[1] * by[1] + force[2] * by[2]));
    });
    return {{by_force[0].total(), by_force[1].total(), by_force[2].total()}, by_change.total()};
}

std::array<double, 3> by_forces(const Propagator& level, const ModesBackwards& modes,
                                ConstModalState by_end) {
    return end_adjoint<false>(modes, {&level, {}, by_end}).by_force;
}

double forces_along(const ModesBackwards& modes, const StepBackwards& step) {
    return end_adjoint<true>(modes, step).along;
}

std::array<std::array<double, 3>, 3> responses_along(const Propagator& level,
                                                     const ModesBackwards& modes,
                                                     const double* along) {
    Sum by[3][3];
    for_modes(modes.n, [&](std::size_t j, std::size_t block) HWY_ATTR {
        const Table table(level, j);
        const Vector product = load(modes.phi + j) * load(along + j);
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t k = 0; k < 3; ++k)
                by[i][k].add(block, product * table[Column::response_q[3 * i + k]]);
    });
    std::array<std::array<double, 3>, 3> all{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k) all[i][k] = by[i][k].total();
    return all;
}

/// The arguments are copies: a store in the loop cannot change their pointers, so the compiler
/// keeps them in registers.
template <bool with_rates>
HWY_INLINE void back_to_begin(ModesBackwards modes, StepBackwards step, Propagator level,
                              ModalState by_begin) {
    Vector by_x[3], by_v[3];
    for (std::size_t i = 0; i < 3; ++i) {
        by_x[i] = Vector(step.by_x[i]);
        by_v[i] = Vector(step.by_v[i]);
    }
    for_modes(modes.n, [&](std::size_t j, std::size_t block) HWY_ATTR {
        if (block == 0) {
            // `add_numbers` needs them soon.
            hwy::Prefetch(step.begin.q + j);
            hwy::Prefetch(step.begin.v + j);
        }
        const Table table(level, j);
        Vector node_q = by_x[0] * table[Column::node_qq[0]];
        Vector node_v = by_x[0] * table[Column::node_qv[0]];
        for (std::size_t i = 1; i < 3; ++i) {
            node_q = node_q + by_x[i] * table[Column::node_qq[i]];
            node_v = node_v + by_x[i] * table[Column::node_qv[i]];
        }
        for (std::size_t i = 0; with_rates && i < 3; ++i) {
            node_q = node_q + by_v[i] * table[Column::node_vq[i]];
            node_v = node_v + by_v[i] * table[Column::node_vv[i]];
        }
        const Vector phi = load(modes.phi + j);
        const Vector q = load(step.by_end.q + j), v = load(step.by_end.v + j);
        store(table[Column::qq] * q + table[Column::vq] * v - phi * node_q, by_begin.q + j);
        store(table[Column::qv] * q + table[Column::vv] * v - phi * node_v, by_begin.v + j);
    });
}

void to_begin(const ModesBackwards& modes, const StepBackwards& step, ModalState by_begin) {
    modes.with_rates ? back_to_begin<true>(modes, step, *step.level, by_begin)
                     : back_to_begin<false>(modes, step, *step.level, by_begin);
}

/// Adjoints of the overlaps of steps from those of their forces (26.5), one step a lane. No more
/// steps than lanes.
HWY_INLINE void find_overlaps_by_forces(std::span<ElasticStepBackwards> steps) {
    double slopes[3][width], numbers[3][3][width];
    for (std::size_t n = 0; n < width; ++n) {
        // Lanes without a step repeat the last one.
        const ElasticStepBackwards& step = steps[HWY_MIN(n, steps.size() - 1)];
        for (std::size_t i = 0; i < 3; ++i) {
            slopes[i][n] = step.slope[i];
            for (std::size_t k = 0; k < 3; ++k) numbers[i][k][n] = step.compliances->x[i][k];
        }
    }
    Matrix3<Vector> transposed;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k)
            transposed[k][i] = load(slopes[i]) * load(numbers[i][k]);
        transposed[i][i] = Vector(1.0) + transposed[i][i];
    }
    const Matrix3<Vector> inverse = inverse3(transposed);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k) store(load(slopes[i]) * inverse[i][k], numbers[i][k]);
    for (std::size_t n = 0; n < steps.size(); ++n)
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t k = 0; k < 3; ++k) steps[n].overlap_by_force[i][k] = numbers[i][k][n];
}

template <bool along>
void back_over_steps_in_turn(const ModesBackwards& modes, std::span<ElasticStepBackwards> steps) {
    for (ElasticStepBackwards& each : steps) {
        const EndAdjoint end = end_adjoint<along>(modes, each.step);
        each.by_force = end.by_force;
        each.along = end.along;
        for (std::size_t i = 0; i < 3; ++i) {
            const std::array<double, 3>& row = each.overlap_by_force[i];
            each.step.by_x[i] =
                row[0] * end.by_force[0] + row[1] * end.by_force[1] + row[2] * end.by_force[2];
        }
        back_to_begin<false>(modes, each.step, *each.step.level, each.by_begin);
    }
}

void back_over_steps(const ModesBackwards& modes, std::span<ElasticStepBackwards> steps) {
    for (std::size_t n = 0; n < steps.size(); n += width)
        find_overlaps_by_forces(steps.subspan(n, HWY_MIN(width, steps.size() - n)));
    modes.along_by_phi ? back_over_steps_in_turn<true>(modes, steps)
                       : back_over_steps_in_turn<false>(modes, steps);
}

/// Of several steps: sums of the adjoints of a node, times the forces and times one. No mode has a
/// part in them.
struct NodeSums {
    Vector forces[Step::end_q][3], one[Step::end_q];

    template <std::size_t nodes>
    HWY_INLINE void add_up(std::span<const StepBackwards> steps) {
        double by_forces[nodes][3] = {}, by_one[nodes] = {};
        for (const StepBackwards& step : steps) {
            for (std::size_t o = 0; o < nodes; ++o) {
                const double by = o < Step::node_v ? step.by_x[o] : step.by_v[o - Step::node_v];
                for (std::size_t k = 0; k < 3; ++k) by_forces[o][k] += by * step.force[k];
                by_one[o] += by;
            }
        }
        for (std::size_t o = 0; o < nodes; ++o) {
            for (std::size_t k = 0; k < 3; ++k) forces[o][k] = Vector(by_forces[o][k]);
            one[o] = Vector(by_one[o]);
        }
    }
};

/// Sums over several steps of the adjoints of the outputs of a register full of modes, times the
/// inputs: of the nodes without the factor -phi.
template <std::size_t nodes>
struct OutputSums {
    Vector by[Step::outputs][Step::inputs];
    Vector end_forces[2][3], end_one[2];  // times the forces alone, and times one

    HWY_INLINE OutputSums(std::span<const StepBackwards> steps, std::size_t j, Vector phi,
                          Vector loads, const NodeSums& sums) {
        add_nodes(steps, j);
        add_ends(steps, j);
        for (std::size_t k = 0; k < 3; ++k) {
            for (std::size_t o = 0; o < nodes; ++o)
                by[o][Step::force + k] = phi * sums.forces[o][k] + loads * sums.one[o];
            for (std::size_t o = 0; o < 2; ++o)
                by[Step::end_q + o][Step::force + k] = phi * end_forces[o][k] + loads * end_one[o];
        }
    }

  private:
    // In two rounds, for which there are registers enough.
    HWY_INLINE void add_nodes(std::span<const StepBackwards> steps, std::size_t j) {
        Vector of_q[nodes], of_v[nodes];
        for (std::size_t o = 0; o < nodes; ++o) of_q[o] = of_v[o] = Vector(0.0);
        end_one[0] = end_one[1] = Vector(0.0);
        for (const StepBackwards& step : steps) {
            const Vector q = load(step.begin.q + j), v = load(step.begin.v + j);
            for (std::size_t o = 0; o < nodes; ++o) {
                const Vector adjoint(o < Step::node_v ? step.by_x[o] : step.by_v[o - Step::node_v]);
                of_q[o] = of_q[o] + adjoint * q;
                of_v[o] = of_v[o] + adjoint * v;
            }
            end_one[0] = end_one[0] + load(step.by_end.q + j);
            end_one[1] = end_one[1] + load(step.by_end.v + j);
        }
        for (std::size_t o = 0; o < nodes; ++o) {
            by[o][Step::q] = of_q[o];
            by[o][Step::v] = of_v[o];
        }
    }
    HWY_INLINE void add_ends(std::span<const StepBackwards> steps, std::size_t j) {
        Vector state[2][2], forces[2][3];
        for (std::size_t o = 0; o < 2; ++o) {
            state[o][0] = state[o][1] = Vector(0.0);
            for (std::size_t k = 0; k < 3; ++k) forces[o][k] = Vector(0.0);
        }
        for (const StepBackwards& step : steps) {
            const Vector q = load(step.begin.q + j), v = load(step.begin.v + j);
            const Vector adjoint[2] = {load(step.by_end.q + j), load(step.by_end.v + j)};
            for (std::size_t o = 0; o < 2; ++o) {
                state[o][0] = state[o][0] + adjoint[o] * q;
                state[o][1] = state[o][1] + adjoint[o] * v;
                for (std::size_t k = 0; k < 3; ++k)
                    forces[o][k] = forces[o][k] + adjoint[o] * Vector(step.force[k]);
            }
        }
        for (std::size_t o = 0; o < 2; ++o) {
            by[Step::end_q + o][Step::q] = state[o][0];
            by[Step::end_q + o][Step::v] = state[o][1];
            for (std::size_t k = 0; k < 3; ++k) end_forces[o][k] = forces[o][k];
        }
    }
};

template <std::size_t nodes>
void add_numbers_of(const ModesBackwards& modes, std::span<const StepBackwards> steps,
                    const double* slopes, const ByModes& by) {
    const Propagator& level = *steps.front().level;
    NodeSums sums;
    sums.add_up<nodes>(steps);
    const auto add = [](Vector value, double* to) HWY_ATTR { store(load(to) + value, to); };
    for (std::size_t j = 0; j < modes.n; j += width) {
        const Table table(level, j);
        const Vector phi = load(modes.phi + j);
        const OutputSums<nodes> of(steps, j, phi, load(modes.loads + j), sums);
        Vector by_phi(0.0), by_load(0.0), by_node_load(0.0);
        for (std::size_t o = 0; o < nodes; ++o) {
            by_phi = by_phi - table[step_entries[o][Step::q]] * of.by[o][Step::q] -
                     table[step_entries[o][Step::v]] * of.by[o][Step::v];
            for (std::size_t k = 0; k < 3; ++k) {
                const Vector entry = table[step_entries[o][Step::force + k]];
                by_phi = by_phi - entry * (of.by[o][Step::force + k] + phi * sums.forces[o][k]);
                by_node_load = by_node_load + entry * sums.one[o];
            }
        }
        for (std::size_t o = 0; o < 2; ++o) {
            for (std::size_t k = 0; k < 3; ++k) {
                const Vector entry = table[step_entries[Step::end_q + o][Step::force + k]];
                by_phi = by_phi + entry * of.end_forces[o][k];
                by_load = by_load + entry * of.end_one[o];
            }
        }
        add(by_phi, by.phi + j);
        add(by_load - phi * by_node_load, by.loads + j);
        const auto along = [&](std::size_t kind) HWY_ATTR {
            const double* const first = slopes + PropagatorSlopes::place(j);
            const auto of_output = [&](std::size_t o) HWY_ATTR {
                Vector sum(0.0);
                for (std::size_t i = 0; i < Step::inputs; ++i)
                    sum = sum +
                          load(first + (kind + Step::at(o, i)) * Propagator::lanes) * of.by[o][i];
                return sum;
            };
            Vector of_nodes(0.0);
            for (std::size_t o = 0; o < nodes; ++o) of_nodes = of_nodes + of_output(o);
            return of_output(Step::end_q) + of_output(Step::end_v) - phi * of_nodes;
        };
        if (by.eigenvalue) add(along(Step::by_eigenvalue), by.eigenvalue + j);
        if (by.damping) add(along(Step::by_damping), by.damping + j);
    }
}

void add_numbers(const ModesBackwards& modes, std::span<const StepBackwards> steps,
                 const double* slopes, const ByModes& by) {
    modes.with_rates ? add_numbers_of<Step::end_q>(modes, steps, slopes, by)
                     : add_numbers_of<Step::node_v>(modes, steps, slopes, by);
}

}  // namespace

const AdjointKernels* adjoint_kernels_here() {
    static constexpr AdjointKernels kernels{by_forces,       forces_along,    to_begin,
                                            back_over_steps, responses_along, add_numbers};
    return &kernels;
}

}  // namespace HWY_NAMESPACE
}  // namespace stoss::modal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace stoss::modal {

HWY_EXPORT(adjoint_kernels_here);

const AdjointKernels& adjoint_kernels() {
    static const AdjointKernels& kernels = *HWY_DYNAMIC_DISPATCH(adjoint_kernels_here)();
    return kernels;
}

std::vector<const AdjointKernels*> all_adjoint_kernels() {
    return core::of_each_target([] { return HWY_DYNAMIC_DISPATCH(adjoint_kernels_here)(); });
}

}  // namespace stoss::modal
#endif
