#include <stoss/motion/detail/ring_friction.hpp>

#include <algorithm>
#include <array>

#include <Eigen/Core>
#include <stoss/core/gauss3.hpp>
#include <stoss/modal/propagators.hpp>
#include <stoss/time/detail/largest_force.hpp>

namespace stoss::motion {

namespace {

using contact::NormalState;
using contact::RingSprings;
using core::Gauss3;
using Eigen::Vector3d;

/// Rings that a step is divided for: with as many, it has eight parts.
constexpr int rings_a_part = 400;
/// Parts of a step from its begin to the first node, from there to the next, and to its end.
constexpr std::array<int, 4> parts_between{1, 3, 3, 1};

constexpr time::Places<5> begin_twice_and_nodes({0.0, 0.0, Gauss3::node[0], Gauss3::node[1],
                                                 Gauss3::node[2]});

/// Overlap and displacements in a step of length h [s], by the polynomials of the fourth degree
/// through the motion at its begin and the places at the nodes.
class StepPath {
  public:
    StepPath(double h, const ContactMotion& begin, const TangentMotion& y, const NodeMotion& normal,
             const TangentNodes& tangent)
        : length_(h),
          begin_(y),
          curves_{curve(begin, normal), curve(y[0], tangent[0]), curve(y[1], tangent[1])} {}

    struct Point {
        double x, v;    // overlap [m] and its rate [m/s]
        Vector3d slip;  // of the first body against the second since the begin of the step [m]
    };
    /// At a fraction of the step.
    Point at(double fraction) const {
        const auto normal = curves_[0](fraction);
        return {normal.value, normal.slope / length_,
                slip_to({curves_[1](fraction).value, curves_[2](fraction).value})};
    }
    /// At these displacements [m].
    Vector3d slip_to(const Tangential& y) const {
        return {begin_[0].x - y[0], begin_[1].x - y[1], 0.0};
    }

  private:
    using Curve = time::Interpolation<5>;
    Curve curve(const ContactMotion& begin, const NodeMotion& nodes) const {
        return {begin_twice_and_nodes,
                {begin.x, begin.x, nodes.x[0], nodes.x[1], nodes.x[2]},
                {0.0, length_ * begin.v, 0.0, 0.0, 0.0}};
    }

    double length_;
    TangentMotion begin_;
    std::array<Curve, 3> curves_;
};

NormalState normal_state(const AnyContact& law, double x, double force) {
    const ForcePoint at_rest = law.point(x, 0.0);
    return {x, std::max(0.0, at_rest.by_x), at_rest.force, force};
}

/// A bed on its way through a step.
class MovingBed {
  public:
    MovingBed(RingSprings& bed, const AnyContact& law, const StepPath& path, int parts)
        : bed_(bed), law_(law), path_(path), parts_(parts) {}

    /// Goes to the end of the next stretch of the step, at a fraction of it, where the contact has
    /// the slip since the begin and the state `normal`. Returns the energy [J] that is lost.
    double go_to(double fraction, const Vector3d& slip, const NormalState& normal) {
        double lost = 0.0;
        const int parts = parts_ * parts_between[stretch_++];
        const double way = fraction - fraction_;
        for (int part = 1; part < parts; ++part) {
            const StepPath::Point now = path_.at(fraction_ + way * part / parts);
            lost += move(now.slip, normal_state(law_, now.x, law_.force(now.x, now.v)));
        }
        fraction_ = fraction;
        return lost + move(slip, normal);
    }

  private:
    double move(const Vector3d& slip, const NormalState& normal) {
        const Vector3d way = slip - slip_;
        slip_ = slip;
        return bed_.follow(way, normal);
    }

    RingSprings& bed_;
    const AnyContact& law_;
    const StepPath& path_;
    int parts_;
    std::size_t stretch_ = 0;
    double fraction_ = 0.0;
    Vector3d slip_ = Vector3d::Zero();
};

}  // namespace

RingFriction::RingFriction(const ContactFriction& given, int rings)
    : empty_(given.stiffness_ratio, given.mu, static_cast<std::size_t>(rings)),
      bed_(empty_),
      trial_(empty_),
      is_planar_(given.lateral_phi.empty()),
      parts_((rings + rings_a_part - 1) / rings_a_part) {}

void RingFriction::begin(const AnyContact& law, double x) {
    bed_ = empty_;
    follow(law, x, law.force(x, 0.0));
}

double RingFriction::end() {
    const double lost = stored_energy();
    bed_ = empty_;
    return lost;
}

Tangential RingFriction::force() const {
    return {bed_.force().x(), bed_.force().y()};
}

void RingFriction::begin_step(const TangentMotion& y, const ContactMotion& normal) {
    y_ = y;
    normal_ = normal;
}

TangentialForces RingFriction::at_nodes(double h, const AnyContact& law, const NodeMotion& normal,
                                        const TangentNodes& tangent) const {
    const StepPath path(h, normal_, y_, normal, tangent);
    trial_ = bed_;
    MovingBed moving(trial_, law, path, parts_);
    TangentialForces all;
    for (std::size_t i = 0; i < 3; ++i) {
        const NormalState state = normal_state(law, normal.x[i], normal.force[i]);
        moving.go_to(Gauss3::node[i], path.slip_to({tangent[0].x[i], tangent[1].x[i]}), state);
        const RingSprings::Tangent slopes = trial_.tangent(state);
        for (std::size_t d = 0; d < 2; ++d) {
            const auto row = static_cast<Eigen::Index>(d);
            all.force[d][i] = trial_.force()[row];
            all.by_x[d][i][i] = slopes.by_overlap[row];
            all.by_force[d][i][i] = slopes.by_normal_force[row];
            for (std::size_t c = 0; c < 2; ++c)
                all.by_y[d][c][i] = -slopes.by_slip(row, static_cast<Eigen::Index>(c));
        }
    }
    return all;
}

double RingFriction::accept(const FrictionStep& step) {
    const StepPath path(step.length, normal_, y_, step.normal, step.tangent);
    MovingBed moving(bed_, step.law, path, parts_);
    double lost = 0.0;
    for (std::size_t i = 0; i < 3; ++i)
        lost += moving.go_to(Gauss3::node[i],
                             path.slip_to({step.tangent[0].x[i], step.tangent[1].x[i]}),
                             normal_state(step.law, step.normal.x[i], step.normal.force[i]));
    lost += moving.go_to(1.0, path.slip_to({step.tangent_end[0].x, step.tangent_end[1].x}),
                         normal_state(step.law, step.end.x, step.force_end));
    return lost + bed_.gather();
}

void RingFriction::put(std::vector<double>& state) const {
    const std::size_t begin = state.size();
    bed_.write(state);
    state.resize(begin + bed_.most_numbers());
}

void RingFriction::take(std::span<const double>& state) {
    std::span<const double> own = state.first(bed_.most_numbers());
    state = state.subspan(own.size());
    bed_.read(own);
}

double RingFriction::follow(const AnyContact& law, double x, double force) {
    return bed_.follow(Vector3d::Zero(), normal_state(law, x, force));
}

}  // namespace stoss::motion
