#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/physical_input.hpp>
#include <stoss/contact/power.hpp>
#include <stoss/core/elementary.hpp>

namespace stoss::contact {

/// Adhesive elastic spheres (theory/contact_laws.md 8.18), (8.19) (Johnson, Kendall and Roberts
/// 1971). With s = a^2/R*, a the radius of the contact,
///     x = s - q s^(1/4),  F = k (s^(3/2) - (3/2) q s^(3/4)),  F_c = (9/16) k q^2.
/// The bodies jump into contact at x = 0, where the force is -(8/9) F_c, and hold on until the
/// pull-off at x = -3 (q/4)^(4/3), where it is -(5/9) F_c. The energy stored there is the work of
/// adhesion, and it is lost: the force is elastic, the impact is not.
struct Jkr : Memoryless {
    static constexpr std::string_view name = "jkr";
    static constexpr std::string_view meaning =
        "adhesive elastic spheres; jump into contact at x = 0, pull-off at x < 0";
    static constexpr bool is_elastic = true;

    std::optional<double> stiffness = {};
    std::optional<double> pull_off_force = {};
    std::optional<double> work_of_adhesion = {};

    static constexpr double exponent = 1.5;
    static constexpr std::array<std::string_view, 1> from_bodies{"pull_off_force"};

    static constexpr auto fields() {
        return std::tuple{
            core::field("stiffness", &Jkr::stiffness, "N/m^(3/2)", core::positive,
                        "k; if left out, computed from the shapes and materials of the two bodies"),
            core::field("pull_off_force", &Jkr::pull_off_force, "N", core::positive,
                        "F_c = (3/2) pi w R*; or give work_of_adhesion"),
            core::field("work_of_adhesion", &Jkr::work_of_adhesion, "J/m^2", core::positive,
                        "w, in place of pull_off_force, where the shapes of the bodies are known")};
    }

    void set_from_bodies(const ContactBodies& bodies) {
        if (pull_off_force || !work_of_adhesion) return;
        pull_off_force = 1.5 * std::numbers::pi * *work_of_adhesion * bodies.radius;
    }

    std::vector<core::Violation> check(Separation separation) const {
        auto found = check_physical_input({"pull_off_force", pull_off_force},
                                          {"work_of_adhesion", work_of_adhesion});
        if (separation == Separation::zero_overlap) return found;
        found.push_back({"separation", "zero_force",
                         "is for forces that may not pull, and this law lives by pulling",
                         "write `separation: zero_overlap`; contact then ends at the pull-off"});
        return found;
    }

    template <class T>
    T force(const T& x, const T& /*v*/, const NoMemory& /*memory*/) const {
        const T s = contact_size(x);
        return *stiffness * (power(s, 1.5) - 1.5 * adhesion() * power(s, 0.75));
    }

    /// Integral of F dx from x = 0.
    template <class T>
    T stored_energy(const T& x, const NoMemory& /*memory*/) const {
        const double q = adhesion();
        const T s = contact_size(x);
        const T from_nothing = 0.4 * power(s, 2.5) - q * power(s, 1.75) + 0.375 * q * q * s;
        return *stiffness * (from_nothing + 0.225 * core::pow(q, 10.0 / 3.0));
    }

    double end_overlap(const NoMemory& /*memory*/) const {
        return -3.0 * core::pow(0.25 * adhesion(), 4.0 / 3.0);
    }

  private:
    /// q [m^(3/4)]
    double adhesion() const { return 4.0 / 3.0 * std::sqrt(*pull_off_force / *stiffness); }

    /// s = a^2/R* at overlap x: with y = (s/q^(4/3))^(1/4) and d = x/q^(4/3) the largest root of
    /// y^4 - y = d, by Ferrari's resolvent m^3 + d m = 1/8. At the pull-off and beyond: its value
    /// there.
    double contact_size(double x) const {
        const double scale = core::pow(adhesion(), 4.0 / 3.0);
        const double d = x / scale;
        const double third = d / 3.0;
        const double root = std::sqrt(std::max(0.0, 1.0 / 256.0 + third * third * third));
        const double c = core::cbrt(1.0 / 16.0 + root);
        const double m =
            d > 0.0 ? 0.125 / (c * c + third + third * third / (c * c)) : c - third / c;
        const double width = std::sqrt(2.0 * m);
        const double y = 0.5 * (width + std::sqrt(std::max(0.0, 2.0 / width - 2.0 * m)));
        return scale * y * y * y * y;
    }

    /// The derivative ds/dx = 1/(1 - (q/4) s^(-3/4)); it is infinite where pull-off occurs.
    core::Dual contact_size(core::Dual x) const {
        const double s = contact_size(x.value);
        const double slope = 1.0 - 0.25 * adhesion() / power(s, 0.75);
        return {s, x.derivative == 0.0 ? 0.0 : x.derivative / slope};
    }
};

}  // namespace stoss::contact
