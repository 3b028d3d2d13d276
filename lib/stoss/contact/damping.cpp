#include <stoss/contact/damping.hpp>

#include <algorithm>
#include <array>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/lambert_w.hpp>
#include <boost/math/special_functions/log1p.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>

#include <fmt/format.h>
#include <stoss/core/elementary.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/text.hpp>
#include <stoss/core/trajectory.hpp>

namespace stoss::contact {

namespace {

using boost::math::log1pmx;

constexpr double failed = std::numeric_limits<double>::quiet_NaN();

/// The root of f in [low, high], to `resolution` or the last bits. NaN if f does not change sign.
template <class F>
double root(const F& f, double low, double high, double resolution) {
    const double at_low = f(low), at_high = f(high);
    if (at_low == 0.0) return low;
    if (at_high == 0.0) return high;
    if (!(at_low * at_high < 0.0)) return failed;
    const auto close = [=](double a, double b) {
        const double last_bits = 4.0 * std::numeric_limits<double>::epsilon();
        return std::abs(b - a) <= std::max(resolution, last_bits * std::abs(a));
    };
    std::uintmax_t iterations = 200;
    const auto [a, b] =
        boost::math::tools::toms748_solve(f, low, high, at_low, at_high, close, iterations);
    return 0.5 * (a + b);
}

/// arsinh(x) of x >= 0.
double arsinh(double x) {
    const double square = x * x;
    return core::log1p(x + square / (1.0 + std::sqrt(1.0 + square)));
}

/// -log e of the oscillator released at zero force (theory/contact_laws.md 8.12): 2 xi
/// arccos(xi)/sqrt(1 - xi^2), beyond xi = 1 its continuation.
double released_oscillator_decay(double xi) {
    const double square = (1.0 - xi) * (1.0 + xi);
    if (square == 0.0) return 2.0;
    const double r = std::sqrt(std::abs(square));
    return 2.0 * xi * (square > 0.0 ? core::atan2(r, xi) : arsinh(r)) / r;
}

/// The exact rule of Hunt and Crossley (8.9). Unknown is L = -log(1 - d), d = e z, for 1 - d
/// underflows where e is small.
double exact_hunt_crossley_number(double e) {
    const double loss = 1.0 - e;
    if (loss < 1e-8) return 1.5 * loss * (1.0 + loss);
    const auto balance = [e](double decay) {
        const double d = -core::expm1(-decay);
        const double rebound = decay < 0.5 ? log1pmx(-d) : d - decay;
        return (log1pmx(d / e) - rebound) / (d * d);
    };
    const double low = -core::log1p(-1.4 * e * loss);  // z = 3/2 (1 - e) is too small
    const double high = 1.0 + 1.0 / e;
    const double decay = root(balance, low, high, 0.0);
    return -core::expm1(-decay) / e;
}

/// One impact of (8.6), as u = x^(1/3) and w = x' + gamma x^beta in the time sigma, dt = 3 u^2
/// d(sigma): u' = w - gamma u^(3 beta), w' = -3 u^(3 alpha + 2). Smooth where x^alpha is not.
class ViscoelasticImpact {
  public:
    ViscoelasticImpact(double gamma, double alpha, double beta)
        : gamma_(gamma), alpha_(alpha), beta_(beta), kappa_(alpha - beta + 1.0) {}

    double restitution(Separation separation) const {
        const bool pulls = kappa_ > 0.0;  // else the force vanishes with the overlap
        const bool ends_by_force = separation == Separation::zero_force && pulls;
        const auto rates = [this](const State& y) {
            const double u = std::max(y[0], 0.0);
            return State{rate(y), -3.0 * core::pow(u, 3.0 * alpha_ + 2.0)};
        };
        const auto distance = [&](const State& y) {
            return ends_by_force && y[0] > 0.0 ? force(y) : y[0];
        };
        core::Trajectory<2, decltype(rates)> trajectory(rates, State{0.0, 1.0}, 0.1, 1e-14);
        for (int step = 0; step < most_steps; ++step) {
            if (!trajectory.advance(trajectory.time() + longest_step(trajectory.state())))
                return failed;
            if (!(distance(trajectory.state()) > 0.0)) {
                return -rate(trajectory.at(trajectory.time_of(distance)));
            }
            if (!ends_by_force && sticks(trajectory.state())) return 0.0;
        }
        return failed;
    }

  private:
    using State = std::array<double, 2>;
    static constexpr int most_steps = 1'000'000;

    /// The estimate of Fehlberg's pair does not see the error of an integral over the time, which w
    /// is while u is near sigma. The change of the powers of u that the rates hold bounds the step
    /// instead.
    double longest_step(const State& y) const {
        return 0.25 / (std::max(3.0 * alpha_ + 2.0, 3.0 * beta_) * std::abs(rate(y)));
    }
    /// x'
    double rate(const State& y) const {
        return y[1] - gamma_ * core::pow(std::max(y[0], 0.0), 3.0 * beta_);
    }
    /// F/x^(beta - 1)
    double force(const State& y) const {
        return core::pow(y[0], 3.0 * kappa_) + gamma_ * beta_ * rate(y);
    }
    /// True once the overlap can only creep to zero and never get there: the region
    /// 0 > x' >= -2 x^kappa/(gamma beta), kappa x^(alpha - 2 beta + 1) <= (gamma beta/2)^2 is never
    /// left.
    bool sticks(const State& y) const {
        const double surplus = alpha_ - 2.0 * beta_ + 1.0;
        if (!(surplus > 0.0) || !(rate(y) < 0.0)) return false;
        const double half = 0.5 * gamma_ * beta_;
        return -half * rate(y) <= core::pow(y[0], 3.0 * kappa_) &&
               kappa_ * core::pow(y[0], 3.0 * surplus) <= half * half;
    }

    double gamma_, alpha_, beta_, kappa_;
};

/// The loss 1 - e = A gamma of light damping, for any separation (8.13).
double light_damping_loss(double alpha, double beta) {
    const double p = beta / (alpha + 1.0);
    return 2.0 * p * core::pow(0.5 * (alpha + 1.0), p) * boost::math::beta(p, 1.5);
}

}  // namespace

double hunt_crossley_restitution(double z) {
    if (z == 0.0) return 1.0;
    if (z > 0.5) {
        return (1.0 + boost::math::lambert_w0(-(1.0 + z) * core::exp(-(1.0 + z)))) / z;
    }
    // Near the branch point W_0 loses digits; Newton's method for d = e z does not.
    const double wanted = log1pmx(z);
    double d = z / (1.0 + 2.0 / 3.0 * z);
    for (int iteration = 0; iteration < 6; ++iteration) {
        d += (log1pmx(-d) - wanted) * (1.0 - d) / d;
    }
    return d / z;
}

double hunt_crossley_number(double e, HuntCrossleyRule rule) {
    switch (rule) {
        case HuntCrossleyRule::exact:
            return exact_hunt_crossley_number(e);
        case HuntCrossleyRule::hunt_crossley_1975:
            return 1.5 * (1.0 - e);
        case HuntCrossleyRule::lankarani_nikravesh_1990:
            return 0.75 * (1.0 - e * e);
        case HuntCrossleyRule::hu_guo:
            return 1.5 * (1.0 - e) / e;
        case HuntCrossleyRule::flores:
            break;
    }
    return 1.6 * (1.0 - e) / e;
}

double least_restitution(HuntCrossleyRule rule) {
    const double number = hunt_crossley_number(0.0, rule);
    return std::isfinite(number) ? hunt_crossley_restitution(number) : 0.0;
}

double oscillator_restitution(double xi, Separation separation) {
    if (separation == Separation::zero_force) return core::exp(-released_oscillator_decay(xi));
    return xi < 1.0 ? core::exp(-std::numbers::pi * xi / std::sqrt((1.0 - xi) * (1.0 + xi))) : 0.0;
}

double oscillator_damping_ratio(double e, Separation separation) {
    const double decay = -core::log(e);
    if (separation == Separation::zero_overlap) return decay / core::hypot(decay, std::numbers::pi);
    if (decay == 0.0) return 0.0;
    // (8.12) lies between 2 xi, or 2 log xi beyond xi = 1, and pi xi.
    const double low = 0.9 * decay / std::numbers::pi;
    const double high = 1.1 * (decay <= 2.0 ? 0.5 * decay : core::exp(0.5 * decay));
    return root([=](double xi) { return released_oscillator_decay(xi) - decay; }, low, high, 0.0);
}

double viscoelastic_restitution(double gamma, double alpha, double beta, Separation separation) {
    if (gamma == 0.0) return 1.0;
    if (beta == alpha + 1.0) return hunt_crossley_restitution(gamma * beta);
    if (2.0 * beta == alpha + 1.0) {
        return oscillator_restitution(0.5 * gamma * std::sqrt(beta), separation);
    }
    return ViscoelasticImpact(gamma, alpha, beta).restitution(separation);
}

namespace {

/// `viscoelastic_number` where it has no closed form: a zero of impacts that are integrated.
double integrated_number(double e, double alpha, double beta, Separation separation) {
    const double loss_per_damping = light_damping_loss(alpha, beta);
    if (1.0 - e < 1e-10) return (1.0 - e) / loss_per_damping;
    const auto excess = [=](double log_gamma) {
        return viscoelastic_restitution(core::exp(log_gamma), alpha, beta, separation) - e;
    };
    constexpr double p = 0.3;  // e^-p - 1 is nearly proportional to gamma, compare (8.15)
    const double guess = core::log((core::pow(e, -p) - 1.0) / (p * loss_per_damping));
    const bool is_too_light = excess(guess) > 0.0;
    double stride = is_too_light ? 0.03 : -0.03;
    double near = guess, far = guess + stride;
    while (std::abs(stride) < 100.0 && (excess(far) > 0.0) == is_too_light) {
        near = far;
        stride *= 2.0;
        far += stride;
    }
    return core::exp(root(excess, std::min(near, far), std::max(near, far), 1e-14));
}

}  // namespace

double viscoelastic_number(double e, double alpha, double beta, Separation separation) {
    if (e == 1.0) return 0.0;
    if (beta == alpha + 1.0) return hunt_crossley_number(e, HuntCrossleyRule::exact) / beta;
    if (2.0 * beta == alpha + 1.0) {
        return 2.0 * oscillator_damping_ratio(e, separation) / std::sqrt(beta);
    }
    // It takes as long as a collision, and all collisions of a map ask for the same number.
    struct Known {
        double e = -1.0, alpha = 0.0, beta = 0.0;
        Separation separation{};
        double number = 0.0;
    };
    thread_local Known last;
    if (!(last.e == e && last.alpha == alpha && last.beta == beta && last.separation == separation))
        last = {e, alpha, beta, separation, integrated_number(e, alpha, beta, separation)};
    return last.number;
}

double linear_damping_fit(double e, double n) {
    const double alpha = 1.794 + n * (-2.306 + n * (3.077 + n * (-1.48 + n * 0.3331)));
    const double beta = 1.285 * core::pow(n, 0.2553) - 1.725;
    return alpha * (core::pow(e, beta) - 1.0);
}

std::vector<core::Violation> check_one_given(std::string_view damping_key,
                                             std::optional<double> damping,
                                             std::optional<double> restitution) {
    const std::string key(damping_key);
    if (damping && restitution) {
        return {{"restitution", core::to_text(*restitution),
                 "`" + key + "` is given as well, and each of them determines the damping",
                 "leave one of them out"}};
    }
    if (!damping && !restitution) {
        return {{key, "", "is missing, and so is `restitution`, from which it would follow",
                 "add the wanted `restitution: 0.8`, or `" + key + "`"}};
    }
    return {};
}

double required_restitution(std::string_view damping_key, std::optional<double> restitution) {
    core::throw_if_any(check_one_given(damping_key, std::nullopt, restitution));
    return *restitution;
}

std::vector<core::Violation> check_reachable(double restitution, HuntCrossleyRule rule) {
    const double least = least_restitution(rule);
    if (!(restitution < least)) return {};
    const double given = hunt_crossley_restitution(hunt_crossley_number(restitution, rule));
    return {
        {"restitution", core::to_text(restitution),
         fmt::format(
             "rule `{}` gives no restitution below {:.4f}; for the wanted value it gives {:.4f}",
             core::name_of(rule), least, given),
         "`rule: exact` gives the wanted value"}};
}

std::vector<core::Violation> check_fit(double exponent, Separation separation) {
    const std::string fit(core::name_of(LinearDampingRule::poursina_nikravesh_2020));
    if (separation != Separation::zero_force) {
        return {{"rule", fit, "holds for `separation: zero_force` only", "use `rule: exact`"}};
    }
    if (exponent > 2.0) {
        return {{"rule", fit,
                 fmt::format("holds for an exponent of 1 to 2, not {}", core::to_text(exponent)),
                 "use `rule: exact`"}};
    }
    return {};
}

}  // namespace stoss::contact
