#include <stoss/motion/detail/contact_state.hpp>

#include <algorithm>
#include <cmath>

#include <stoss/core/elementary.hpp>

#include <stoss/time/cubic_event.hpp>

namespace stoss::motion {

StepAccuracy::StepAccuracy(double tolerance)
    : kappa(std::min(1.1, 4.0 * core::pow(tolerance, 1.0 / 6.5))),
      growth(2.0 * kappa),
      closing(growth / (1.0 + growth)),
      negligible(0.3 * tolerance),
      onset(std::clamp(0.1 * tolerance, 1e-13, 1e-3)),
      rest(std::clamp(1e-3 * tolerance, 1e-15, 1e-5)),
      exactness(std::max(1e-6 * tolerance, 4e-16)),
      to_piece(static_cast<int>(std::lround(2.0 - 2.5 * core::log2(kappa)))) {}

bool stays_open(const ContactMotion& begin, const ContactMotion& end, double h, double error,
                double touching) {
    double gap = -begin.x;
    if (std::abs(gap) <= touching) {
        gap = 0.0;
        if (std::abs(end.x) <= touching) return true;
    }
    const double third = h / 3.0;
    const double p1 = gap - third * begin.v, p2 = -end.x + third * end.v;
    return gap >= 0.0 && gap + 3.0 * p1 >= 0.0 && 0.5 * (p1 + p2) >= 8.0 / 3.0 * error &&
           -end.x + 3.0 * p2 >= 0.0 && end.x <= touching;
}

double closing_fraction(const ContactState& contact, double h, double touching) {
    const double edge = contact.begin_overlap();
    const double x = contact.x - edge, end = contact.next.x - edge;
    const double end_slope = h * contact.next.v;
    double slope = h * contact.v;
    const auto curvature = [&] { return 3.0 * end - 2.0 * slope - end_slope; };
    const bool parts = contact.v < 0.0 || (contact.v <= contact.still && curvature() < 0.0);
    if (std::abs(x) > touching || !parts)
        return time::CubicStep{std::min(x, 0.0), end, slope, end_slope}.root(1e-9);
    slope = std::min(slope, 0.0);
    // The cubic is u (slope + b u + c u^2).
    const double b = curvature(), c = slope + end_slope - 2.0 * end;
    const double root = std::sqrt(std::max(0.0, b * b - 4.0 * c * slope));
    const double w = -0.5 * (b + std::copysign(root, b));
    const double first = slope / w, second = w / c;
    const auto is_inside = [](double u) { return u > 0.0 && u <= 1.0; };
    if (is_inside(first) && is_inside(second)) return std::min(first, second);
    return is_inside(first) ? first : is_inside(second) ? second : 1.0;
}

bool CrossingSearch::goes_on(const ContactState& contact) {
    constexpr int most = 200;
    const double overlap = contact.next.x - contact.begin_overlap();
    (overlap > 0.0 ? high_ : low_) = time_;
    double next = time_ - overlap / contact.next.v;
    // Newton's steps may go to and fro in a bracket: bisect where they do not halve.
    const bool is_fast = std::abs(next - time_) < 0.5 * last_step_;
    if (!(next > low_ && next < high_) || !is_fast) next = 0.5 * (low_ + high_);
    last_step_ = std::abs(next - time_);
    const bool is_found = overlap == 0.0 || std::abs(next - time_) <= exact_;
    if (is_found || ++count_ == most) return false;
    time_ = next;
    return true;
}

}  // namespace stoss::motion
