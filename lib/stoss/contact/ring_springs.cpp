#include <stoss/contact/ring_springs.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <stoss/core/elementary.hpp>
#include <stoss/core/state_numbers.hpp>

namespace stoss::contact {

using core::put;
using core::take;
using Eigen::Vector3d;

double RingSprings::stored_energy() const {
    double sum = 0.0;
    for (const Ring& ring : rings_) sum += ring.stiffness * ring.stretch.squaredNorm();
    return 0.5 * share_ * sum;
}

void RingSprings::turn(const Vector3d& n, const Vector3d& m, double twist) {
    if (n == m && twist == 0.0) return;
    const double c = core::cos(twist), s = core::sin(twist), gain = 1.0 / (1.0 + n.dot(m));
    const auto turned = [&](Vector3d v) {
        v -= gain * m.dot(v) * (n + m);
        return Vector3d(c * v + s * m.cross(v));
    };
    for (Ring& ring : rings_) ring.stretch = turned(ring.stretch);
    force_ = turned(force_);
}

/// The new ring has that overlap with which all rings together carry the force at rest. It is
/// stretched by the part of the slip after it came in.
void RingSprings::grow(const Vector3d& slip, const NormalState& normal) {
    const double added = normal.stiffness - stiffness_;
    const double carried = normal.stiffness * normal.overlap - normal.at_rest;
    const double least = rings_.empty() ? 0.0 : rings_.back().overlap;
    const double overlap = std::clamp((carried - overlap_moment_) / added,
                                      std::min(least, normal.overlap), normal.overlap);
    overlap_moment_ += added * overlap;
    stiffness_ = normal.stiffness;
    const double way = normal.overlap - last_overlap_;
    const double part = way > 0.0 ? std::min(1.0, (normal.overlap - overlap) / way) : 0.5;
    const Ring fresh{added, overlap, std::min(overlap, last_overlap_), part * slip};
    rings_.push_back(fresh);
}

/// The ring that came in becomes a part of its neighbour while both are narrow.
void RingSprings::merge_fresh() {
    const double widest = stiffness_ / static_cast<double>(most_);
    const std::size_t last = rings_.size() - 1;
    const double added = rings_.back().stiffness;
    if (last > 0 && rings_[last - 1].stiffness + added <= widest) {
        const Ring& fresh = rings_.back();
        Ring& outer = rings_[last - 1];
        const double sum = outer.stiffness + added;
        outer.overlap += added / sum * (fresh.overlap - outer.overlap);
        outer.stretch += added / sum * (fresh.stretch - outer.stretch);
        outer.stiffness = sum;
        rings_.pop_back();
    }
    if (rings_.size() > most_) merge_narrow();
}

/// What loses contact is at the edge. Within a ring the overlap grows in proportion to the
/// stiffness.
void RingSprings::shrink(double stiffness) {
    while (!rings_.empty() && stiffness < stiffness_) {
        Ring& outer = rings_.back();
        const double lost = std::min(outer.stiffness, stiffness_ - stiffness);
        overlap_moment_ -= outer.stiffness * outer.overlap;
        outer.overlap -= lost / outer.stiffness * (outer.overlap - outer.inner);
        stiffness_ -= lost;
        outer.stiffness -= lost;
        overlap_moment_ += outer.stiffness * outer.overlap;
        if (outer.stiffness > 1e-14 * stiffness) break;
        rings_.pop_back();
    }
    if (rings_.empty()) stiffness_ = overlap_moment_ = 0.0;
}

/// Neighbours that are narrow together become one. The mean of two stretches keeps the force and
/// stores less than the two.
void RingSprings::merge_narrow() {
    const double widest = 2.0 * stiffness_ / static_cast<double>(most_);
    std::size_t kept = 0;
    for (std::size_t i = 1; i < rings_.size(); ++i) {
        Ring& inner = rings_[kept];
        const Ring& outer = rings_[i];
        const double sum = inner.stiffness + outer.stiffness;
        if (sum > widest) {
            rings_[++kept] = outer;
            continue;
        }
        const double part = outer.stiffness / sum;
        inner.overlap += part * (outer.overlap - inner.overlap);
        inner.stretch += part * (outer.stretch - inner.stretch);
        inner.stiffness = sum;
    }
    rings_.resize(kept + 1);
}

/// What presses on all rings [N].
double RingSprings::pressed(const NormalState& normal) const {
    double sum = 0.0;
    for (const Ring& ring : rings_)
        sum += ring.stiffness * std::max(0.0, normal.overlap - ring.overlap);
    return sum;
}

/// A ring pulls with at most mu times what presses it. The rings share the force of the law,
/// damping included, as they share that at rest.
void RingSprings::limit(const NormalState& normal, bool& is_sliding) {
    const double all = pressed(normal);
    const double per_press = all > 0.0 ? mu_ * normal.force / (share_ * all) : 0.0;
    Vector3d sum = Vector3d::Zero();
    is_sliding = !rings_.empty();
    for (Ring& ring : rings_) {
        const double press = std::max(0.0, normal.overlap - ring.overlap);
        const double longest = press > 0.0 ? press * per_press : 0.0;
        const double square = ring.stretch.squaredNorm();
        if (square > longest * longest) {
            ring.stretch *= longest / std::sqrt(square);
        } else {
            is_sliding = false;
        }
        sum += ring.stiffness * ring.stretch;
    }
    force_ = -share_ * sum;
}

double RingSprings::move(const Vector3d& slip, const NormalState& normal, Fresh fresh,
                         bool& is_sliding) {
    const double stored = stored_energy();
    const Vector3d before = force_;
    const bool acts = normal.force > 0.0 && normal.overlap > 0.0 && share_ > 0.0;
    shrink(acts ? normal.stiffness : 0.0);
    for (Ring& ring : rings_) ring.stretch += slip;
    if (acts && normal.stiffness > stiffness_) {
        grow(slip, normal);
        if (fresh == Fresh::merges) merge_fresh();
    }
    last_overlap_ = acts ? normal.overlap : 0.0;
    limit(normal, is_sliding);
    return stored - stored_energy() - 0.5 * slip.dot(before + force_);
}

double RingSprings::advance(const Vector3d& slip, const NormalState& normal, bool& is_sliding) {
    return move(slip, normal, Fresh::merges, is_sliding);
}

double RingSprings::follow(const Vector3d& slip, const NormalState& normal) {
    bool is_sliding = false;
    return move(slip, normal, Fresh::stays, is_sliding);
}

double RingSprings::gather() {
    if (rings_.size() <= most_) return 0.0;
    const double stored = stored_energy();
    merge_narrow();
    return stored - stored_energy();
}

/// A ring that sticks follows the slip. One that slides along e pulls with mu F p/P, where p is
/// what presses it and P what presses all; more slip across e turns it.
RingSprings::Tangent RingSprings::tangent(const NormalState& normal) const {
    constexpr double on_the_cone = 1.0 - 1e-9;
    Tangent all{Eigen::Matrix3d::Zero(), Vector3d::Zero(), Vector3d::Zero()};
    const double whole = pressed(normal);
    if (!(whole > 0.0)) return all;
    const double per_press = mu_ * normal.force / (share_ * whole);
    double pressed_stiffness = 0.0;
    Vector3d sliding = Vector3d::Zero(), sliding_stiffness = Vector3d::Zero();
    for (const Ring& ring : rings_) {
        const double press = normal.overlap - ring.overlap;
        if (!(press > 0.0)) continue;
        pressed_stiffness += ring.stiffness;
        const double square = ring.stretch.squaredNorm(), longest = per_press * press;
        if (square < on_the_cone * longest * longest) {
            all.by_slip.diagonal().array() -= ring.stiffness;
            continue;
        }
        const Vector3d e = ring.stretch.normalized();
        all.by_slip -= ring.stiffness * (Eigen::Matrix3d::Identity() - e * e.transpose());
        sliding += ring.stiffness * press * e;
        sliding_stiffness += ring.stiffness * e;
    }
    all.by_slip *= share_;
    all.by_normal_force = -mu_ / whole * sliding;
    all.by_overlap =
        -mu_ * normal.force / whole * (sliding_stiffness - pressed_stiffness / whole * sliding);
    return all;
}

void RingSprings::write(std::vector<double>& state) const {
    state.insert(state.end(),
                 {stiffness_, last_overlap_, overlap_moment_, static_cast<double>(rings_.size())});
    put(state, force_);
    for (const Ring& ring : rings_) {
        state.insert(state.end(), {ring.stiffness, ring.overlap, ring.inner});
        put(state, ring.stretch);
    }
}

void RingSprings::read(std::span<const double>& state) {
    stiffness_ = take(state);
    last_overlap_ = take(state);
    overlap_moment_ = take(state);
    rings_.resize(static_cast<std::size_t>(take(state)));
    take(state, force_);
    for (Ring& ring : rings_) {
        ring.stiffness = take(state);
        ring.overlap = take(state);
        ring.inner = take(state);
        take(state, ring.stretch);
    }
}

}  // namespace stoss::contact
