#include <stoss/motion/detail/series_compliance.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>
#include <stoss/time/detail/node_interpolation.hpp>

namespace stoss::motion {

namespace {

constexpr int most_iterations = 40;

/// True if Newton's method has found a force [N], but for roundoff, with this last change. `size`:
/// of the forces of the step, and of what the slope of the law makes of the overlap [N].
bool is_settled(double change, double size) {
    return std::abs(change) <= 64.0 * std::numeric_limits<double>::epsilon() * size;
}

/// Of a contact at the nodes and at the end of a step [N].
double largest_force(const NodeMotion& nodes, double end) {
    double largest = std::abs(end);
    for (const double force : nodes.force) largest = std::max(largest, std::abs(force));
    return largest;
}

Eigen::Index index(std::size_t a) {
    return static_cast<Eigen::Index>(a);
}

}  // namespace

SeriesCompliance::SeriesCompliance(const System& system) : system_(system) {}

void SeriesCompliance::begin(std::span<const std::size_t> active,
                             const std::vector<ContactState>& contacts, double h,
                             std::span<NodeMotion> nodes) const {
    for (std::size_t a = 0; a < active.size(); ++a) {
        double displacement = 0.0;
        for (const std::size_t d : active) displacement += of(active[a], d) * contacts[d].force;
        for (std::size_t i = 0; i < 3; ++i)
            nodes[a].v[i] -= displacement * time::rate_weights[i][0] / h;
    }
}

bool SeriesCompliance::finish(std::span<const std::size_t> active, std::span<NodeMotion> nodes,
                              double h, double exact, std::vector<ContactState>& contacts) {
    if (active.size() == 1) return finish_one(active[0], nodes[0], h, exact, contacts);
    const Eigen::Index size = index(active.size());
    per_step_ = rate_by_values[4][4] / h;
    has_rates_ = false;
    flexibility_.resize(size, size);
    for (Eigen::VectorXd* const each :
         {&x_, &v_, &force_, &rate_, &by_nodes_, &slope_, &by_rate_, &law_})
        each->resize(size);
    for (std::size_t a = 0; a < active.size(); ++a) {
        const ContactState& contact = contacts[active[a]];
        const Eigen::Index row = index(a);
        has_rates_ = has_rates_ || contact.has_rates;
        x_[row] = contact.next.x;
        v_[row] = contact.next.v;
        force_[row] = 0.0;
        by_nodes_[row] = rate_by_values[4][0] * contact.force / h;
        for (std::size_t k = 0; k < 3; ++k) {
            force_[row] += time::parabola_weights[2][k] * nodes[a].force[k];
            by_nodes_[row] += rate_by_values[4][k + 1] * nodes[a].force[k] / h;
        }
        for (std::size_t b = 0; b < active.size(); ++b)
            flexibility_(row, index(b)) = of(active[a], active[b]);
    }
    find_end_forces(active, contacts, exact);
    double largest = slope_.cwiseProduct(x_).cwiseAbs().maxCoeff();
    for (std::size_t a = 0; a < active.size(); ++a)
        largest = std::max(largest, largest_force(nodes[a], force_[index(a)]));
    if (!force_.allFinite() || !is_settled(change_.cwiseAbs().maxCoeff(), largest)) return false;
    if (has_rates_)
        rate_ = by_nodes_ + per_step_ * force_;
    else
        find_elastic_rates();
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        contacts[c].next.x -= displacement(c, active, force_);
        contacts[c].next.v -= displacement(c, active, rate_);
    }
    settle_node_rates(active, h, contacts, nodes);
    return true;
}

/// `finish` for one force, in plain numbers.
bool SeriesCompliance::finish_one(std::size_t c, NodeMotion& nodes, double h, double exact,
                                  std::vector<ContactState>& contacts) const {
    const ContactState& contact = contacts[c];
    const double flexibility = of(c, c), per_step = rate_by_values[4][4] / h;
    double by_nodes = rate_by_values[4][0] * contact.force / h, force = 0.0, rate = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
        force += time::parabola_weights[2][k] * nodes.force[k];
        by_nodes += rate_by_values[4][k + 1] * nodes.force[k] / h;
    }
    ForcePoint law;
    double change = 0.0;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
        rate = by_nodes + per_step * force;
        const double v = contact.has_rates ? contact.next.v - flexibility * rate : contact.next.v;
        law = contact.law->newton_point(contact.next.x - flexibility * force, v, force, flexibility,
                                        flexibility * per_step);
        const double slope = law.by_x + law.by_v * per_step;
        change = (law.force - force) / (1.0 + slope * flexibility);
        force += change;
        if (!(std::abs(change) > exact * std::abs(force))) break;
    }
    const double size = largest_force(nodes, force) + std::abs(law.by_x * contact.next.x);
    if (!is_settled(change, size)) return false;
    rate = contact.has_rates ? by_nodes + per_step * force
                             : law.by_x * contact.next.v / (1.0 + law.by_x * flexibility);
    for (std::size_t i = 0; i < 3; ++i) {
        const std::array<double, 4>& before = time::rate_weights[i];
        const std::array<double, 5>& after = rate_by_values[i + 1];
        double as_solved = before[0] * contact.force;
        double settled = after[0] * contact.force + after[4] * force;
        for (std::size_t k = 0; k < 3; ++k) {
            as_solved += before[k + 1] * nodes.force[k];
            settled += after[k + 1] * nodes.force[k];
        }
        const double of_modes = nodes.v[i] + flexibility * as_solved / h;
        const double slope = nodes.slope[i];
        nodes.v[i] = contact.has_rates ? of_modes - flexibility * settled / h
                                       : of_modes / (1.0 + slope * flexibility);
    }
    for (std::size_t d = 0; d < contacts.size(); ++d) {
        contacts[d].next.x -= of(d, c) * force;
        contacts[d].next.v -= of(d, c) * rate;
    }
    return true;
}

/// Newton's method for F = f(y - R F, y' - R F') at the end of a step. For laws with rates F' is
/// that of the cubic through the node forces and F.
void SeriesCompliance::find_end_forces(std::span<const std::size_t> active,
                                       const std::vector<ContactState>& contacts, double exact) {
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
        change_.noalias() = flexibility_ * force_;
        rate_ = by_nodes_ + per_step_ * force_;
        for (std::size_t a = 0; a < active.size(); ++a) {
            const Eigen::Index row = index(a);
            const double v = has_rates_ ? v_[row] - flexibility_.row(row).dot(rate_) : v_[row];
            const double own = flexibility_(row, row);
            const ForcePoint law = contacts[active[a]].law->newton_point(
                x_[row] - change_[row], v, force_[row], own, own * per_step_);
            law_[row] = law.force;
            slope_[row] = law.by_x;
            by_rate_[row] = law.by_v * per_step_;
        }
        matrix_.noalias() = (slope_ + by_rate_).asDiagonal() * flexibility_;
        matrix_.diagonal().array() += 1.0;
        change_ = matrix_.partialPivLu().solve(law_ - force_);
        force_ += change_;
        if (!(change_.cwiseAbs().maxCoeff() > exact * force_.cwiseAbs().maxCoeff())) return;
    }
}

/// F' = K (y' - R F'), with K the slopes of the laws.
void SeriesCompliance::find_elastic_rates() {
    matrix_.noalias() = slope_.asDiagonal() * flexibility_;
    matrix_.diagonal().array() += 1.0;
    rate_ = matrix_.partialPivLu().solve(slope_.cwiseProduct(v_));
}

/// In the collocation they are those of a polynomial that does not know the force at the end.
void SeriesCompliance::settle_node_rates(std::span<const std::size_t> active, double h,
                                         const std::vector<ContactState>& contacts,
                                         std::span<NodeMotion> nodes) {
    const Eigen::VectorXd& end = force_;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t a = 0; a < active.size(); ++a) {
            const NodeMotion& of = nodes[a];
            const ContactState& contact = contacts[active[a]];
            const std::array<double, 4>& by = time::rate_weights[i];
            rate_[index(a)] = by[0] * contact.force / h;
            for (std::size_t k = 0; k < 3; ++k) rate_[index(a)] += by[k + 1] * of.force[k] / h;
            slope_[index(a)] = of.slope[i];
        }
        change_.noalias() = flexibility_ * rate_;
        for (std::size_t a = 0; a < active.size(); ++a)
            v_[index(a)] = nodes[a].v[i] + change_[index(a)];  // of the modes
        if (has_rates_) {
            for (std::size_t a = 0; a < active.size(); ++a) {
                const std::array<double, 5>& by = rate_by_values[i + 1];
                double sum = by[0] * contacts[active[a]].force + by[4] * end[index(a)];
                for (std::size_t k = 0; k < 3; ++k) sum += by[k + 1] * nodes[a].force[k];
                rate_[index(a)] = sum / h;
            }
        } else {
            find_elastic_rates();
        }
        change_.noalias() = flexibility_ * rate_;
        for (std::size_t a = 0; a < active.size(); ++a)
            nodes[a].v[i] = v_[index(a)] - change_[index(a)];
    }
}

double SeriesCompliance::displacement(std::size_t c, std::span<const std::size_t> active,
                                      const Eigen::VectorXd& by) const {
    double sum = 0.0;
    for (std::size_t a = 0; a < active.size(); ++a) sum += of(c, active[a]) * by[index(a)];
    return sum;
}

void SeriesCompliance::release(const ContactState& contact,
                               std::vector<ContactState>& contacts) const {
    const double force = contact.force;
    const double rate = contact.law->point(contact.x, contact.v).by_x * contact.v;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        const double residual = of(c, contact.impact.contact);
        contacts[c].x += residual * force;
        contacts[c].v += residual * rate;
    }
}

void SeriesCompliance::settle_rates(std::vector<ContactState>& contacts) {
    std::vector<std::size_t> active;
    for (std::size_t c = 0; c < contacts.size(); ++c)
        if (contacts[c].phase == Phase::touching) active.push_back(c);
    if (active.empty()) return;
    const Eigen::Index size = index(active.size());
    flexibility_.resize(size, size);
    for (Eigen::VectorXd* const each : {&v_, &slope_}) each->resize(size);
    for (std::size_t a = 0; a < active.size(); ++a) {
        const ContactState& contact = contacts[active[a]];
        v_[index(a)] = contact.v;
        slope_[index(a)] = contact.law->point(contact.x, contact.v).by_x;
        for (std::size_t b = 0; b < active.size(); ++b)
            flexibility_(index(a), index(b)) = of(active[a], active[b]);
    }
    find_elastic_rates();
    for (std::size_t c = 0; c < contacts.size(); ++c)
        contacts[c].v -= displacement(c, active, rate_);
}

double SeriesCompliance::energy(const std::vector<ContactState>& contacts) const {
    double sum = 0.0;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        if (contacts[c].phase != Phase::touching) continue;
        for (std::size_t d = 0; d < contacts.size(); ++d)
            if (contacts[d].phase == Phase::touching)
                sum += 0.5 * of(c, d) * contacts[c].force * contacts[d].force;
    }
    return sum;
}

}  // namespace stoss::motion
