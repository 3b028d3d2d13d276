#include <stoss/impact/detail/free_motion.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <stoss/modal/modal_flow.hpp>

namespace stoss::impact {

FreeMotion::FreeMotion(const ContactPair& pair)
    : pair_(pair), q_(pair.modes()), rate_(pair.modes()) {}

double FreeMotion::time_to_contact(std::span<const double> q, std::span<const double> rate,
                                   double resolution, double horizon) {
    std::copy_n(q.begin(), q_.size(), q_.begin());
    std::copy_n(rate.begin(), rate_.size(), rate_.begin());
    double time = 0.0;
    while (time < horizon) {
        if (is_free_for_ever()) return std::numeric_limits<double>::infinity();
        const double step =
            std::max(safe_time(-pair_.overlap(q_), -pair_.overlap(rate_)), resolution);
        advance(std::min(step, horizon));
        time += step;
        if (pair_.overlap(q_) > 0.0) return time;
    }
    return horizon;
}

/// (theory/collision.md 6.9).
bool FreeMotion::is_free_for_ever() const {
    return pair_.approach_velocity(rate_) < 0.0 &&
           pair_.parts_for_good(q_, rate_, pair_.vibration_bound(q_, rate_));
}

/// (6.10): the time in which gap + opening_rate t - bound t^2/2 stays positive.
double FreeMotion::safe_time(double gap, double opening_rate) const {
    const double bound = pair_.acceleration_bound(q_, rate_);
    if (bound == 0.0) {
        return opening_rate < 0.0 ? -gap / opening_rate : std::numeric_limits<double>::infinity();
    }
    return (opening_rate + std::sqrt(opening_rate * opening_rate + 2.0 * bound * gap)) / bound;
}

void FreeMotion::advance(double time) {
    for (std::size_t j = 0; j < q_.size(); ++j) {
        const modal::ModalFlow flow =
            modal::modal_flow(pair_.eigenvalues[j], pair_.dampings[j], time);
        const double q = q_[j];
        q_[j] = flow.qq * q + flow.qv * rate_[j];
        rate_[j] = flow.vq * q + flow.vv * rate_[j];
    }
}

}  // namespace stoss::impact
