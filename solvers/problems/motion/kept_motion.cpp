#include <solvers/problems/motion/kept_motion.hpp>

#include <cstddef>
#include <span>
#include <utility>

#include <stoss/io/checkpoint.hpp>

namespace stoss::solvers {

KeptMotion::KeptMotion(motion::ImpactMotion& moving, const RunOptions& options,
                       std::function<std::vector<double>()> record)
    : moving_(moving), options_(options), record_(std::move(record)) {}

std::vector<double> KeptMotion::take_up() {
    if (!options_.checkpoint) return {};
    std::vector<double> all = options_.checkpoint->state();
    if (all.empty()) return {};
    const auto size = static_cast<std::ptrdiff_t>(all.front());
    const auto record = all.begin() + 1, state = record + size;
    moving_.take_up(std::span<const double>(state, all.end()));
    return {record, state};
}

bool KeptMotion::advance(double time, const std::function<bool(const motion::Impact&)>& ended) {
    for (;;) {
        if (options_.stop()) {
            keep();
            return false;
        }
        bool goes_on = true, pauses = false;
        moving_.advance(time, [&](const motion::Impact& impact) {
            goes_on = ended(impact) && goes_on;
            pauses = is_due() || options_.stop();
            return goes_on && !pauses;
        });
        if (!goes_on) return true;
        if (is_due()) keep();
        if (!pauses) return true;
    }
}

bool KeptMotion::is_due() const {
    return options_.checkpoint && options_.checkpoint->is_due() && Clock::now() >= next_;
}

void KeptMotion::keep() {
    if (!options_.checkpoint) return;
    const auto start = Clock::now();
    const std::vector<double> record = record_(), state = moving_.state();
    std::vector<double> all{static_cast<double>(record.size())};
    all.insert(all.end(), record.begin(), record.end());
    all.insert(all.end(), state.begin(), state.end());
    options_.checkpoint->replace_state(all);
    next_ = Clock::now() + 50 * (Clock::now() - start);  // at most 2 % of the time
}

}  // namespace stoss::solvers
