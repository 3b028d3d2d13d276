#include <stoss/impact/detail/shape_change_adjoint.hpp>

#include <cstddef>

namespace stoss::impact {

ShapeChangeAdjoint::ShapeChangeAdjoint(const ContactPair& pair, ShapeChangeMemory& memory)
    : pair_(pair), memory_(memory) {
    if (!memory.follows) return;
    memory.along_by_phi.assign(memory.along.size(), 0.0);
    for (std::size_t j = 0; j < pair.modes(); ++j) {
        const double a = j < pair.rigid ? 1.0 : 2.0;
        // A vibration without phi is never excited, and the adjoint of its state is zero.
        if (pair.phi[j] != 0.0) memory.along_by_phi[j] = a * memory.along[j] / pair.phi[j];
    }
    memory.has_responses.fill(false);
}

void ShapeChangeAdjoint::start() {
    of_steps_ = 0.0;
    is_in_steps_ = false;
}

double ShapeChangeAdjoint::of_vibrations(PastState by, PastState now) const {
    double sum = 0.0;
    for (std::size_t j = pair_.rigid; j < pair_.modes(); ++j)
        sum += memory_.along_by_phi[j] * (by.q[j] * now.q[j] + by.v[j] * now.v[j]);
    return 0.5 * sum;
}

void ShapeChangeAdjoint::enter_steps(PastState by, PastState now) {
    if (!follows() || is_in_steps_) return;
    is_in_steps_ = true;
    of_steps_ -= of_vibrations(by, now);
}

void ShapeChangeAdjoint::leave_steps(PastState by, PastState now) {
    if (!is_in_steps_) return;
    is_in_steps_ = false;
    of_steps_ += of_vibrations(by, now);
}

void ShapeChangeAdjoint::add_step(const modal::ModesBackwards& modes,
                                  const modal::StepBackwards& step, double forces) {
    const modal::Propagator& level = *step.level;
    time::Matrix3& response = memory_.responses[level.number];
    if (!memory_.has_responses[level.number]) {
        response = kernels_.responses_along(level, modes, memory_.along.data());
        memory_.has_responses[level.number] = true;
    }
    of_steps_ += forces;
    for (std::size_t i = 0; i < 3; ++i) {
        double overlap = -2.0 * time::dot(response[i], step.force);
        for (std::size_t j = 0; j < pair_.rigid; ++j)
            overlap -= memory_.along[j] *
                       (level.entry(modal::FlowColumn::node_qq[i], j) * step.begin.q[j] +
                        level.entry(modal::FlowColumn::node_qv[i], j) * step.begin.v[j]);
        of_steps_ += step.by_x[i] * overlap;
    }
}

}  // namespace stoss::impact
