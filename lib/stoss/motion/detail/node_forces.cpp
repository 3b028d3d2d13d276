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
    for (std::size_t i = 0; i < 3; ++i) {
        const TangentialPoint point = force.friction->at_node(i, h, *force.law, normal, nodes[a]);
        const Eigen::Index row = at(a, i);
        residual_[row] = point.force - force_[row];
        jacobian_.row(row).setZero();
        for (std::size_t k = 0; k < 3; ++k)
            jacobian_.row(row) += point.by_y[k] * compliance_x_.row(at(a, k)) +
                                  point.by_rate[k] * compliance_v_.row(at(a, k)) +
                                  point.by_x[k] * compliance_x_.row(at(force.normal, k));
        jacobian_(row, at(force.normal, i)) -= point.by_force;
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
        if (acting[a].friction)
            add_tangential(acting[a], a, nodes, h);
        else
            add_normal(*acting[a].law, a, nodes[a]);
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
