#include <stoss/contact/maugis_profile.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include <stoss/core/bisection.hpp>
#include <stoss/core/elementary.hpp>

namespace stoss::contact {

namespace {

using core::Dual;
using std::numbers::pi;

constexpr double longest_tangent = 1e7;  // there a/c = 1e-7: the contact is a point

/// t + (t^2 - 1) arctan t, its power series below t = 0.3, where the terms cancel.
Dual first_integral(double t, double angle) {
    const double slope = 2.0 * t * (angle + t / (1.0 + t * t));
    if (t > 0.3) return {t + (t * t - 1.0) * angle, slope};
    double sum = 0.0, power = t * t * t;
    for (int n = 1; n < 20; ++n) {
        sum += power * 4.0 * n / (4.0 * n * n - 1.0);
        power *= -t * t;
    }
    return {sum, slope};
}

/// t arctan t - (sqrt(1 + t^2) - 1)
Dual second_integral(double t, double angle) {
    const double root = std::sqrt(1.0 + t * t);
    return {t * angle - t * t / (1.0 + root), angle + t / (1.0 + t * t) - t / root};
}

/// g = t - (1 + t^2) arctan t, and (3/2) g + t^3, whose terms cancel for small t.
std::pair<double, double> ring_integrals(double t) {
    if (t > 0.3) {
        const double sum = t - (1.0 + t * t) * core::atan(t);
        return {sum, 1.5 * sum + t * t * t};
    }
    double rest = 0.0, power = t * t * t * t * t;
    for (int n = 2; n < 20; ++n) {
        rest += 3.0 * power / (4.0 * n * n - 1.0);
        power *= -t * t;
    }
    return {2.0 / 3.0 * (rest - t * t * t), rest};
}

}  // namespace

MaugisProfile::MaugisProfile(double lambda) : lambda_(lambda), range_(2.0 / (pi * lambda)) {
    find_end();
    const double low = std::min(1e-4, 1e-4 / lambda_);
    const auto falls = [&](double t) { return contact(t).force.derivative < 0.0; };
    largest_pull_ = -contact(core::geometric_bisection(low, last_tangent_, falls)).force.value;
    at_range_ = 0.0;
    at_range_ = energy(-range_);
}

/// theory/contact_laws.md (8.29): a from the energy of the gap at the edge, then overlap and force.
MaugisProfile::Contact MaugisProfile::contact(double t) const {
    const double angle = core::atan(t);
    const Dual by_square = 0.5 * lambda_ * first_integral(t, angle);
    const Dual by_radius = 4.0 / 3.0 * lambda_ * lambda_ * second_integral(t, angle);
    const Dual a = 2.0 / (by_radius + sqrt(by_radius * by_radius + 4.0 * by_square));
    const Dual tangent = Dual::variable(t);
    const Dual pull(t + (1.0 + t * t) * angle, 2.0 * (1.0 + t * angle));
    return {a, a * a - 4.0 / 3.0 * lambda_ * a * tangent, a * a * a - lambda_ * a * a * pull};
}

/// The branch ends where its overlap is least: with a contact, or as zones without one.
void MaugisProfile::find_end() {
    const double by_radius = 2.0 * lambda_ * lambda_ * (pi - 2.0) / 3.0;
    const double by_square = 0.25 * pi * lambda_;
    const double last_zone =
        2.0 / (by_radius + std::sqrt(by_radius * by_radius + 4.0 * by_square));  // c at a = 0
    const double least_zone = 8.0 / (3.0 * pi) * lambda_;
    if (last_zone > least_zone) {
        last_tangent_ = longest_tangent;
        pull_off_ = -range_ - 0.5 * least_zone * least_zone;
    } else {
        const double low = std::min(1e-4, 1e-4 / lambda_);
        const auto falls = [&](double t) { return contact(t).overlap.derivative < 0.0; };
        last_tangent_ = core::geometric_bisection(low, longest_tangent, falls);
        pull_off_ = contact(last_tangent_).overlap.value;
    }
    parting_ = contact(last_tangent_).overlap.value;
}

/// t of the contact at overlap d, by Newton's method on log t between bounds.
double MaugisProfile::tangent_at(double d) const {
    const double a = std::sqrt(std::max(d, 0.0)) + 0.1;  // about
    double high = last_tangent_;
    double t = std::min({std::sqrt(1.5 / (lambda_ * lambda_ * a)),
                         core::cbrt(1.5 / (lambda_ * a * a)), 0.5 * high});
    double low = t, last_step = std::numeric_limits<double>::infinity();
    while (contact(low).overlap.value < d) low *= 0.25;
    for (int iteration = 0; iteration < 200; ++iteration) {
        const Dual overlap = contact(t).overlap;
        const double excess = overlap.value - d;
        (excess > 0.0 ? low : high) = t;
        const double relative = -excess / (t * overlap.derivative), step = std::abs(relative);
        double next = relative > -0.9 ? t * (1.0 + relative) : low;
        if (!(next > low && next < high)) next = std::sqrt(low * high);
        // Steps of Newton's method that no longer decrease are roundoff of the overlap.
        const bool is_roundoff = step < 1e-6 && step > 0.5 * last_step;
        if (is_roundoff || !(std::abs(next - t) > 2e-16 * t) || step < 2e-16) break;
        t = next;
        last_step = step;
    }
    return t;
}

/// theory/contact_laws.md (8.30): c of a zone that touches nowhere.
double MaugisProfile::zone_without_contact(double d) const {
    const double least = 8.0 / (3.0 * pi) * lambda_;
    return least + std::sqrt(std::max(0.0, least * least + 2.0 * (d + range_)));
}

Dual MaugisProfile::force(double d) const {
    if (!touches(d) && pull_off_ < parting_) {
        const double c = zone_without_contact(d);
        const double by_zone = c - 8.0 / (3.0 * pi) * lambda_;
        return {-0.5 * pi * lambda_ * c * c, -pi * lambda_ * c / by_zone};
    }
    const Contact at = contact(touches(d) ? tangent_at(d) : last_tangent_);
    return {at.force.value, at.force.derivative / at.overlap.derivative};
}

double MaugisProfile::energy(double d) const {
    const bool is_zone = !touches(d) && pull_off_ < parting_;
    const double whole = is_zone ? energy_without_contact(std::max(d, pull_off_))
                                 : energy_with_contact(touches(d) ? tangent_at(d) : last_tangent_);
    return whole - at_range_;
}

/// Elastic energy, and that of the attraction, h_0 - h deep where the gap is h. By the method of
/// dimensionality reduction (Popov & Hess 2015): line displacements d - x^2 up to a, and
/// -(4/3) lambda sqrt(c^2 - x^2) from there to c; E* = 3/4, stress lambda/2. In the gap over the
/// ring between a and c the largest terms cancel; they are taken out.
double MaugisProfile::energy_with_contact(double t) const {
    const Contact at = contact(t);
    const double a = at.a.value, d = at.overlap.value, depth = 4.0 / 3.0 * lambda_;
    const double root = std::sqrt(1.0 + t * t), cube = a * a * a;
    const double rise = t * t / (1.0 + root);  // c/a - 1
    const double cubes = cube * rise * rise * (2.0 * root + 1.0) / 3.0;
    const double elastic =
        0.75 * (a * (d * d - 2.0 / 3.0 * d * a * a + 0.2 * a * a * a * a) + depth * depth * cubes);
    const auto [sum, rest] = ring_integrals(t);
    const double gap =
        cube * a * (rest - 0.5 * t * t * sum) - 2.0 * depth * cube * t * sum - 4.0 * depth * cubes;
    return elastic + 0.5 * lambda_ * gap - a * a * root * root;
}

/// The same at a = 0.
double MaugisProfile::energy_without_contact(double d) const {
    const double c = zone_without_contact(d), square = c * c;
    const double depth = 4.0 / 3.0 * lambda_, cubes = 2.0 / 3.0 * c * square;
    const double gap = -0.5 * pi * square * (2.0 * d - 0.5 * square) - 4.0 * depth * cubes;
    return 0.75 * depth * depth * cubes + 0.5 * lambda_ * gap - square;
}

}  // namespace stoss::contact
