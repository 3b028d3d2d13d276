#include <stoss/motion/detail/node_forces.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <variant>

#include <stoss/time/detail/collocation.hpp>

namespace stoss::motion {

namespace {

constexpr int most_iterations = 40;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

double largest(const std::vector<double>& values) {
    double size = 0.0;
    for (const double value : values) size = std::max(size, std::abs(value));
    return size;
}

}  // namespace

TangentNodes tangent_nodes(const ActingForce& force, std::span<const NodeMotion> nodes,
                           std::size_t first) {
    return {nodes[first], force.friction->is_planar() ? NodeMotion{} : nodes[first + 1]};
}

bool AnyContact::solve_alone(const NodeMatrix& by_x, const NodeMatrix& by_v, double exact,
                             NodeMotion& nodes) const {
    return std::visit(
        [&](const auto& contact) {
            constexpr bool has_rates = !std::decay_t<decltype(contact)>::is_elastic;
            const time::NodeForces found = time::solve_node_forces<has_rates>(
                contact, nodes.x, nodes.v, by_x, by_v, nodes.force, exact);
            if (!found.solved) return false;
            for (std::size_t i = 0; i < 3; ++i) {
                nodes.x[i] -= time::dot(by_x[i], found.force);
                nodes.v[i] -= time::dot(by_v[i], found.force);
            }
            nodes.force = found.force;
            nodes.slope = found.slope;
            return true;
        },
        contact_);
}

bool NodeForces::solve(const StepTable& table, std::span<const ActingForce> acting,
                       std::span<NodeMotion> nodes, double exact) {
    if (acting.size() == 1) {
        const std::size_t own = acting[0].direction;
        const StepTable::Compliance& taken = *table.compliance(own, own);
        if (acting[0].law->solve_alone(taken.x, taken.v, exact, nodes[0])) return true;
    }
    find_places(acting);
    find_compliances(table, acting);
    free_.assign(nodes.begin(), nodes.end());
    force_.resize(3 * acting.size());
    for (std::size_t a = 0; a < acting.size(); ++a)
        for (std::size_t i = 0; i < 3; ++i) force_[at(a, i)] = nodes[a].force[i];
    double last_change = std::numeric_limits<double>::infinity();
    bool solved = false;
    for (int iteration = 0; iteration < most_iterations && !solved; ++iteration) {
        find_motion(free_, nodes);
        const double change = newton_step(acting, nodes, table.step());
        if (!std::isfinite(change)) return false;
        const double rate = iteration == 0 ? 1.0 : std::min(1.0, change / last_change);
        solved = change * rate <= std::max(exact * largest(force_), roundoff_);
        last_change = change;
    }
    find_motion(free_, nodes);
    for (std::size_t a = 0; a < acting.size(); ++a)
        for (std::size_t i = 0; i < 3; ++i) nodes[a].force[i] = force_[at(a, i)];
    return solved;
}

/// Normal forces of one body near each other. Friction couples the forces of a contact, which the
/// list has far from each other.
void NodeForces::find_places(std::span<const ActingForce> acting) {
    order_.resize(acting.size());
    for (std::size_t a = 0; a < acting.size(); ++a) order_[a] = a;
    if (acting.empty() || !acting.back().friction)
        std::ranges::sort(order_, {},
                          [&](std::size_t a) { return directions_.rank(acting[a].contact); });
    places_.resize(acting.size());
    for (std::size_t place = 0; place < order_.size(); ++place) places_[order_[place]] = place;
}

std::size_t NodeForces::half_band(std::span<const ActingForce> acting) const {
    if (acting.empty()) return 0;
    if (acting.back().friction) return 3 * acting.size() - 1;
    std::size_t blocks = 0;
    for (std::size_t a = 0; a < acting.size(); ++a)
        for (std::size_t b = a + 1; b < acting.size(); ++b)
            if (directions_.pair(acting[a].direction, acting[b].direction))
                blocks = std::max(blocks, places_[a] > places_[b] ? places_[a] - places_[b]
                                                                  : places_[b] - places_[a]);
    return 3 * blocks + 2;
}

void NodeForces::find_compliances(const StepTable& table, std::span<const ActingForce> acting) {
    const std::size_t size = 3 * acting.size(), half = half_band(acting);
    compliance_x_.reset(size, half);
    compliance_v_.reset(size, half);
    jacobian_.reset(size, half);
    for (std::size_t a = 0; a < acting.size(); ++a) {
        for (std::size_t b = 0; b < acting.size(); ++b) {
            const StepTable::Compliance* const pair =
                table.compliance(acting[a].direction, acting[b].direction);
            if (!pair) continue;
            for (std::size_t i = 0; i < 3; ++i) {
                for (std::size_t k = 0; k < 3; ++k) {
                    compliance_x_(at(a, i), at(b, k)) = pair->x[i][k];
                    compliance_v_(at(a, i), at(b, k)) = pair->v[i][k];
                }
            }
        }
    }
}

void NodeForces::find_motion(std::span<const NodeMotion> free, std::span<NodeMotion> nodes) {
    for (std::size_t a = 0; a < nodes.size(); ++a) {
        for (std::size_t i = 0; i < 3; ++i) {
            nodes[a].x[i] = free[a].x[i] - compliance_x_.product(at(a, i), force_);
            nodes[a].v[i] = free[a].v[i] - compliance_v_.product(at(a, i), force_);
        }
    }
}

void NodeForces::add_normal(const AnyContact& law, std::size_t a, NodeMotion& nodes) {
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t row = at(a, i);
        const double by_x = compliance_x_(row, row), by_v = compliance_v_(row, row);
        const ForcePoint point = law.newton_point(nodes.x[i], nodes.v[i], force_[row], by_x, by_v);
        nodes.slope[i] = point.by_x;
        const double size_of_x = std::abs(nodes.x[i]) + std::abs(free_[a].x[i]);
        roundoff_ = std::max(roundoff_, 2.0 * epsilon * std::abs(point.by_x) * size_of_x);
        // A rate that forces change at once, through a flexibility, has much roundoff, but its
        // force hardly any.
        const double size_of_v = std::abs(nodes.v[i]) + std::abs(free_[a].v[i]);
        roundoff_ = std::max(roundoff_, 2.0 * epsilon * std::abs(point.by_v) * size_of_v /
                                            std::abs(1.0 + point.by_x * by_x + point.by_v * by_v));
        residual_[row] = point.force - force_[row];
        for (std::size_t j = jacobian_.first(row); j < jacobian_.last(row); ++j)
            jacobian_(row, j) =
                point.by_x * compliance_x_(row, j) + point.by_v * compliance_v_(row, j);
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
        const std::size_t row = at(a + d, i);
        residual_[row] = forces.force[d][i] - force_[row];
        for (std::size_t j = 0; j < jacobian_.size(); ++j) {
            double sum = 0.0;
            for (std::size_t c = 0; c < tangents; ++c)
                sum += forces.by_y[d][c][i] * compliance_x_(at(a + c, i), j);
            for (std::size_t k = 0; k < 3; ++k) {
                for (std::size_t c = 0; c < tangents; ++c)
                    sum += forces.by_rate[d][i][c][k] * compliance_v_(at(a + c, k), j);
                sum += forces.by_x[d][i][k] * compliance_x_(at(force.normal, k), j);
            }
            jacobian_(row, j) = sum;
        }
        for (std::size_t k = 0; k < 3; ++k)
            jacobian_(row, at(force.normal, k)) -= forces.by_force[d][i][k];
        jacobian_(row, row) += 1.0;
    }
}

double NodeForces::newton_step(std::span<const ActingForce> acting, std::span<NodeMotion> nodes,
                               double h) {
    residual_.resize(force_.size());
    jacobian_.clear();
    roundoff_ = 0.0;
    for (std::size_t a = 0; a < acting.size(); ++a) {
        if (!acting[a].friction)
            add_normal(*acting[a].law, a, nodes[a]);
        else if (acting[a].component == 0)
            add_tangential(acting[a], a, nodes, h);
    }
    jacobian_.solve(residual_);
    for (std::size_t row = 0; row < force_.size(); ++row) force_[row] += residual_[row];
    return largest(residual_);
}

}  // namespace stoss::motion
