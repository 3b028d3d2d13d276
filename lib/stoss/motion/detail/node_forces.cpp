#include <stoss/motion/detail/node_forces.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>

namespace stoss::motion {

namespace {

constexpr int most_iterations = 40;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

Eigen::Index at(std::size_t contact, std::size_t node) {
    return static_cast<Eigen::Index>(3 * contact + node);
}

}  // namespace

TangentNodes tangent_nodes(const ActingForce& force, std::span<const NodeMotion> nodes,
                           std::size_t first) {
    return {nodes[first], force.friction->is_planar() ? NodeMotion{} : nodes[first + 1]};
}

bool NodeForces::solve(const System& system, const StepTable& table,
                       std::span<const ActingForce> acting, std::span<NodeMotion> nodes,
                       double exact) {
    const auto size = static_cast<Eigen::Index>(3 * acting.size());
    compliance_x_.resize(size, size);
    compliance_v_.resize(size, size);
    for (std::size_t a = 0; a < acting.size(); ++a) {
        for (std::size_t b = 0; b < acting.size(); ++b) {
            const StepTable::Compliance& pair =
                table.compliance(system, acting[a].direction, acting[b].direction);
            for (std::size_t i = 0; i < 3; ++i) {
                for (std::size_t k = 0; k < 3; ++k) {
                    compliance_x_(at(a, i), at(b, k)) = pair.x[i][k];
                    compliance_v_(at(a, i), at(b, k)) = pair.v[i][k];
                }
            }
        }
    }
    free_.assign(nodes.begin(), nodes.end());
    force_.resize(size);
    for (std::size_t a = 0; a < acting.size(); ++a)
        for (std::size_t i = 0; i < 3; ++i) force_[at(a, i)] = nodes[a].force[i];
    double last_change = std::numeric_limits<double>::infinity();
    bool solved = false;
    for (int iteration = 0; iteration < most_iterations && !solved; ++iteration) {
        find_motion(free_, nodes);
        const double change = newton_step(acting, nodes, table.step());
        if (!std::isfinite(change)) return false;
        const double rate = iteration == 0 ? 1.0 : std::min(1.0, change / last_change);
        solved = change * rate <= std::max(exact * force_.cwiseAbs().maxCoeff(), roundoff_);
        last_change = change;
    }
    find_motion(free_, nodes);
    for (std::size_t a = 0; a < acting.size(); ++a)
        for (std::size_t i = 0; i < 3; ++i) nodes[a].force[i] = force_[at(a, i)];
    return solved;
}

void NodeForces::find_motion(std::span<const NodeMotion> free, std::span<NodeMotion> nodes) {
    taken_.noalias() = compliance_x_ * force_;
    for (std::size_t a = 0; a < nodes.size(); ++a)
        for (std::size_t i = 0; i < 3; ++i) nodes[a].x[i] = free[a].x[i] - taken_[at(a, i)];
    taken_.noalias() = compliance_v_ * force_;
    for (std::size_t a = 0; a < nodes.size(); ++a)
        for (std::size_t i = 0; i < 3; ++i) nodes[a].v[i] = free[a].v[i] - taken_[at(a, i)];
}

void NodeForces::add_normal(const AnyContact& law, std::size_t a, NodeMotion& nodes) {
    for (std::size_t i = 0; i < 3; ++i) {
        const ForcePoint point = law.point(nodes.x[i], nodes.v[i]);
        const Eigen::Index row = at(a, i);
        nodes.slope[i] = point.by_x;
        const double size_of_x = std::abs(nodes.x[i]) + std::abs(free_[a].x[i]);
        roundoff_ = std::max(roundoff_, 2.0 * epsilon * std::abs(point.by_x) * size_of_x);
        residual_[row] = point.force - force_[row];
        jacobian_.row(row) =
            point.by_x * compliance_x_.row(row) + point.by_v * compliance_v_.row(row);
        jacobian_(row, row) += 1.0;
    }
}

void NodeForces::add_tangential(const ActingForce& force, std::size_t a,
                                std::span<const NodeMotion> nodes, double h) {
    NodeMotion normal = nodes[force.normal];
    for (std::size_t i = 0; i < 3; ++i) normal.force[i] = force_[at(force.normal, i)];
    const TangentialForces forces =
        force.friction->at_nodes(h, *force.law, normal, tangent_nodes(force, nodes, a));
    add_component(forces, force, a, 0);
    if (!force.friction->is_planar()) add_component(forces, force, a, 1);
}

void NodeForces::add_component(const TangentialForces& forces, const ActingForce& force,
                               std::size_t a, std::size_t component) {
    const std::size_t d = component, tangents = force.friction->is_planar() ? 1 : 2;
    for (std::size_t i = 0; i < 3; ++i) {
        const Eigen::Index row = at(a + d, i);
        residual_[row] = forces.force[d][i] - force_[row];
        jacobian_.row(row) = forces.by_y[d][i] * compliance_x_.row(row);
        for (std::size_t k = 0; k < 3; ++k) {
            for (std::size_t c = 0; c < tangents; ++c)
                jacobian_.row(row) += forces.by_rate[d][i][c][k] * compliance_v_.row(at(a + c, k));
            jacobian_.row(row) += forces.by_x[d][i][k] * compliance_x_.row(at(force.normal, k));
            jacobian_(row, at(force.normal, k)) -= forces.by_force[d][i][k];
        }
        jacobian_(row, row) += 1.0;
    }
}

double NodeForces::newton_step(std::span<const ActingForce> acting, std::span<NodeMotion> nodes,
                               double h) {
    const Eigen::Index size = force_.size();
    residual_.resize(size);
    jacobian_.resize(size, size);
    roundoff_ = 0.0;
    for (std::size_t a = 0; a < acting.size(); ++a) {
        if (!acting[a].friction)
            add_normal(*acting[a].law, a, nodes[a]);
        else if (acting[a].component == 0)
            add_tangential(acting[a], a, nodes, h);
    }
    if (size == 3) {
        const Eigen::Matrix3d matrix = jacobian_;
        taken_ = matrix.partialPivLu().solve(Eigen::Vector3d(residual_));
    } else {
        taken_ = jacobian_.partialPivLu().solve(residual_);
    }
    force_ += taken_;
    return taken_.cwiseAbs().maxCoeff();
}

}  // namespace stoss::motion
