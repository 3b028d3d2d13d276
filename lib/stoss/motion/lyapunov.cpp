#include <stoss/motion/lyapunov.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include <stoss/core/elementary.hpp>
#include <stoss/core/error.hpp>

namespace stoss::motion {

namespace {

/// Distance of the neighbour over that of the motion from rest.
constexpr double small = 1e-7;

}  // namespace

LyapunovExponent::LyapunovExponent(const System& system, double tolerance, double rate)
    : neighbour_(system, tolerance),
      weights_(system.eigenvalues),
      begin_(neighbour_.state()),
      direction_(2 * system.modes()) {
    if (!(rate > 0.0 && std::isfinite(rate)))
        core::throw_if_any({{"rate", std::to_string(rate) + " 1/s", "must be finite and > 0", ""}});
    for (double& weight : weights_) weight += rate * rate;
    choose_direction();
}

double LyapunovExponent::distance(const std::vector<double>& q,
                                  const std::vector<double>& v) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < weights_.size(); ++j)
        sum += weights_[j] * q[j] * q[j] + v[j] * v[j];
    return std::sqrt(sum);
}

/// One in which all modes move alike.
void LyapunovExponent::choose_direction() {
    const std::size_t modes = weights_.size();
    const double part = 1.0 / std::sqrt(2.0 * static_cast<double>(modes));
    for (std::size_t j = 0; j < modes; ++j) {
        direction_[j] = part / std::sqrt(weights_[j]);
        direction_[modes + j] = part;
    }
}

void LyapunovExponent::begin(const ImpactMotion& moving) {
    if (intervals_ > 0) return;  // the last one goes on
    begin_ = moving.state();
    begin_time_ = moving.time();
    largest_ = std::max(largest_, distance(moving.coordinates(), moving.rates()));
    has_begun_ = true;
}

void LyapunovExponent::follow(const ImpactMotion& moving) {
    // An impact that only one of the two has had yet parts them for a moment.
    constexpr double parted = 1e3;
    constexpr std::size_t most_intervals = 8;
    if (!has_begun_ || !(largest_ > 0.0)) return;
    const std::size_t modes = weights_.size();
    std::vector<double> q(modes), v(modes);
    const double begin = small * largest_;
    for (std::size_t j = 0; j < modes; ++j) {
        q[j] = begin * direction_[j];
        v[j] = begin * direction_[modes + j];
    }
    neighbour_.take_up(begin_);
    neighbour_.displace(q, v);
    neighbour_.advance(moving.time());
    const std::vector<double> other_q = neighbour_.coordinates(), other_v = neighbour_.rates(),
                              this_q = moving.coordinates(), this_v = moving.rates();
    for (std::size_t j = 0; j < modes; ++j) {
        q[j] = other_q[j] - this_q[j];
        v[j] = other_v[j] - this_v[j];
    }
    const double end = distance(q, v);
    if (end > parted * begin && ++intervals_ < most_intervals) return;
    intervals_ = 0;
    const bool has_merged = !(end > 0.0);
    const bool has_stopped = neighbour_.time() != moving.time() || !std::isfinite(end);
    if (has_merged || has_stopped) {
        is_lost_ = true;
        choose_direction();
        return;
    }
    sum_ += core::log(end / begin);
    time_ += moving.time() - begin_time_;
    for (std::size_t j = 0; j < modes; ++j) {
        direction_[j] = q[j] / end;
        direction_[modes + j] = v[j] / end;
    }
}

void LyapunovExponent::restart() {
    sum_ = time_ = 0.0;
    intervals_ = 0;
    has_begun_ = is_lost_ = false;
}

std::optional<double> LyapunovExponent::value() const {
    if (!(time_ > 0.0) || is_lost_) return std::nullopt;
    return sum_ / time_;
}

}  // namespace stoss::motion
