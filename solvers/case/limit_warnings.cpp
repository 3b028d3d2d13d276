#include <solvers/case/limit_warnings.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace stoss::solvers {

namespace {

/// How often the limit of that number is exceeded, and by which collision most.
struct Excess {
    std::size_t count = 0;
    const LimitedCollision* worst = nullptr;
    double ratio = 1.0;  ///< of its value to its bound
};

Excess excess_of(std::span<const LimitedCollision> collisions, std::size_t limit) {
    Excess excess;
    for (const LimitedCollision& each : collisions) {
        if (limit >= each.values.size() || !each.values[limit]) continue;
        const double ratio = *each.values[limit] / each.limits->limits()[limit].bound;
        if (!(ratio > 1.0)) continue;
        ++excess.count;
        if (excess.worst && !(ratio > excess.ratio)) continue;
        excess.worst = &each;
        excess.ratio = ratio;
    }
    return excess;
}

/// Value and bound with three digits, or with so many that the larger value looks larger.
std::pair<std::string, std::string> apart(double value, double bound) {
    constexpr int most_digits = 17;  // tell any two doubles apart
    for (int digits = 3;; ++digits) {
        std::string one = fmt::format("{:.{}g}", value, digits);
        std::string other = fmt::format("{:.{}g}", bound, digits);
        if (one != other || digits == most_digits) return {std::move(one), std::move(other)};
    }
}

std::string sentence(const Excess& excess, std::size_t limit, std::size_t collisions) {
    const LimitedCollision& worst = *excess.worst;
    const models::TheoryLimit& rule = worst.limits->limits()[limit];
    const auto [value, bound] = apart(worst.values[limit].value(), rule.bound);
    const std::string who =
        collisions == 1
            ? fmt::format("the collision: {} is {}", rule.quantity, value)
            : fmt::format("{} of {} collisions: {} is {} at worst, at xi = {:.4g}{}", excess.count,
                          collisions, rule.quantity, value, worst.xi, worst.where);
    return fmt::format("{}, more than {}: {} ({}); {}", who, bound, rule.rule, rule.source,
                       rule.remedy);
}

}  // namespace

void warn_of_limits(Outcome& outcome, std::span<const LimitedCollision> collisions) {
    std::size_t limits = 0;
    for (const LimitedCollision& each : collisions) limits = std::max(limits, each.values.size());
    for (std::size_t limit = 0; limit < limits; ++limit) {
        const Excess excess = excess_of(collisions, limit);
        if (excess.worst) outcome.warnings.push_back(sentence(excess, limit, collisions.size()));
    }
}

}  // namespace stoss::solvers
