#include <stoss/impact/infinite_structure.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <vector>

#include <stoss/core/elementary.hpp>
#include <stoss/impact/detail/parabola.hpp>

namespace stoss::impact {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// The longest contact that is followed, in T. On a plate every contact ends, at large lambda after
// 5 lambda ln(lambda). On a beam a contact ends before 3.5 T or never.
constexpr double longest_on_plate = 1e5, longest_on_beam = 5.0;
// From here on no contact with a beam ends: what seems an end would be roundoff.
constexpr double surely_lasting = 3.0;

constexpr std::array resolutions{200, 400, 800};  // steps in which time grows by the factor e

/// The overlap at one instant.
struct Instant {
    double time = 0.0, overlap = 0.0;
};

/// The overlap around the second of three instants.
detail::Parabola parabola(const Instant& a, const Instant& b, const Instant& c) {
    return {{a.time, b.time, c.time}, {a.overlap, b.overlap, c.overlap}};
}

/// Mean of s^(3/2) while s goes from a to b along a straight line.
double mean_force(double a, double b) {
    const double p = std::sqrt(a), q = std::sqrt(b);
    return 0.4 * (a * a + a * p * q + a * b + p * q * b + b * b) / (p + q);
}

/// x + weight x^(3/2) = free, by Newton's method from above; the left side is convex in x. `free`
/// itself if it is not > 0.
double with_own_force(double free, double weight) {
    double x = free;
    for (int i = 0; i < 50 && x > 0.0; ++i) {
        const double root = std::sqrt(x);
        const double change = (x + weight * x * root - free) / (1.0 + 1.5 * weight * root);
        x -= change;
        if (!(std::abs(change) > 1e-16 * x)) break;
    }
    return x;
}

/// theory/infinite_structures.md (17.3) in steps that grow with time. The force is linear in each
/// step where it moves sphere and structure; the overlap is, where the impulse is summed.
class GrowingSteps {
  public:
    GrowingSteps(InfiniteStructure structure, double parameter, int resolution)
        : is_plate_(structure == InfiniteStructure::plate),
          parameter_(parameter),
          resolution_(resolution),
          // The force rises the faster, the larger the parameter is.
          start_(1.0 / std::sqrt(1.0 + parameter)) {}

    /// Steps until the overlap is gone.
    InfiniteImpact solve() {
        const double longest = is_plate_ ? longest_on_plate : longest_on_beam;
        while (now_.time < longest) {
            const Instant next = step();
            if (!(next.overlap > 0.0)) return ended(next);
        }
        return lasting();
    }

  private:
    /// Displacement of the structure by a force that grows with a slope of 1 for the time u.
    double by_ramp(double u) const {
        return parameter_ * u * u * (is_plate_ ? 0.5 : std::sqrt(u) / 3.75);
    }

    /// What the structure moves until `time` if the force keeps its slope.
    double expected_motion(double time) const {
        const double h = time - now_.time;
        if (is_plate_) return parameter_ * h * (force_ + 0.5 * h * slope_);
        double sum = 0.0;
        for (const Bend& bend : bends_) sum += bend.change * by_ramp(time - bend.time);
        return sum - moved_;
    }

    /// One step, unless the overlap is gone at its end.
    Instant step() {
        const double time = start_ * core::expm1(++count_ / resolution_), h = time - now_.time;
        const double motion = expected_motion(time), force = force_ + h * slope_;
        const double weight = by_ramp(h) / h;
        const double free = now_.overlap + h * (speed_ - h * force_ / 3.0) - motion;
        const Instant next{time, with_own_force(free + weight * force, weight + h * h / 6.0)};
        if (next.overlap > 0.0) {
            const double own = next.overlap * std::sqrt(next.overlap);
            moved_ += motion + weight * (own - force);
            accept(next, own);
        }
        return next;
    }

    void accept(const Instant& next, double force) {
        const double h = next.time - now_.time, slope = (force - force_) / h;
        if (!is_plate_) bends_.push_back({now_.time, slope - slope_});
        speed_ -= h * mean_force(now_.overlap, next.overlap);
        peak_ = std::max(peak_, next.overlap);
        if (now_.overlap >= before_.overlap && now_.overlap > next.overlap)
            peak_ = std::max(peak_, parabola(before_, now_, next).vertex());
        slope_ = slope;
        force_ = force;
        before_ = now_;
        now_ = next;
    }

    InfiniteImpact ended(const Instant& beyond) const {
        const double rest = parabola(before_, now_, beyond).end();
        const double cor = rest * mean_force(now_.overlap, 0.0) - speed_;
        return {cor, now_.time + rest, peak_ * std::sqrt(peak_), peak_, 0.0};
    }

    InfiniteImpact lasting() const {
        return {not_a_number, not_a_number, peak_ * std::sqrt(peak_), peak_, not_a_number};
    }

    /// A change of the slope of the force.
    struct Bend {
        double time, change;
    };

    bool is_plate_;
    double parameter_, resolution_, start_;
    double count_ = 0.0;
    Instant before_, now_;
    double force_ = 0.0, slope_ = 0.0;
    double speed_ = 1.0;  ///< of the sphere
    double moved_ = 0.0;  ///< by the structure
    double peak_ = 0.0;
    std::vector<Bend> bends_;  ///< of the force on a beam
};

}  // namespace

InfiniteImpact infinite_impact(InfiniteStructure structure, double parameter) {
    std::array<InfiniteImpact, resolutions.size()> runs;
    for (std::size_t i = 0; i < runs.size(); ++i)
        runs[i] = GrowingSteps(structure, parameter, resolutions[i]).solve();
    // The error falls as the square of the steps.
    const auto extrapolated = [&](double InfiniteImpact::*member, std::size_t fine) {
        return (4.0 * runs[fine].*member - runs[fine - 1].*member) / 3.0;
    };
    InfiniteImpact best;
    for (const auto member : {&InfiniteImpact::cor, &InfiniteImpact::duration,
                              &InfiniteImpact::peak_force, &InfiniteImpact::peak_overlap})
        best.*member = extrapolated(member, 2);
    best.cor_error = std::abs(best.cor - extrapolated(&InfiniteImpact::cor, 1));
    if (structure == InfiniteStructure::beam && parameter > surely_lasting)
        best.cor = best.duration = best.cor_error = not_a_number;
    return best;
}

double plate_parameter(double mass, double time_scale, double mass_per_area,
                       double bending_stiffness) {
    return mass / (8.0 * std::sqrt(mass_per_area * bending_stiffness) * time_scale);
}

double beam_parameter(double mass, double time_scale, double mass_per_length,
                      double bending_stiffness) {
    const double diffusivity = std::sqrt(bending_stiffness / mass_per_length);
    return mass / (mass_per_length * std::sqrt(2.0 * std::numbers::pi * diffusivity * time_scale));
}

double hertz_time_scale(double mass, double stiffness, double speed) {
    return core::pow(mass / (stiffness * std::sqrt(speed)), 0.4);
}

}  // namespace stoss::impact
