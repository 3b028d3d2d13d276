#pragma once

#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include <stoss/contact/adhesive_spheres.hpp>
#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/jkr_profile.hpp>
#include <stoss/contact/power.hpp>
#include <stoss/core/elementary.hpp>

namespace stoss::contact {

/// Adhesive elastic spheres (theory/contact_laws.md 8.18), (8.19) (Johnson, Kendall and Roberts
/// 1971). With s = a^2/R*, a the radius of the contact,
///     x = s - q s^(1/4),  F = k (s^(3/2) - (3/2) q s^(3/4)),  F_c = (9/16) k q^2.
/// The bodies jump into contact at x = 0, where the force is -(8/9) F_c, and hold on until the
/// pull-off at x = -3 (q/4)^(4/3), where it is -(5/9) F_c. The energy stored there is the work of
/// adhesion, and it is lost: the force is elastic, the impact is not.
struct Jkr : AdhesiveSpheres, Memoryless {
    static constexpr std::string_view name = "jkr";
    static constexpr std::string_view meaning =
        "adhesive elastic spheres; jump into contact at x = 0, pull-off at x < 0";
    static constexpr bool is_elastic = true;

    static constexpr std::array<std::string_view, 1> from_bodies{"pull_off_force"};

    static constexpr auto fields() {
        return fields_of_adhesion("pull-off force F_c = (3/2) pi w R*; or give work_of_adhesion");
    }
    void set_from_bodies(const ContactBodies& bodies) { set_pull_off(1.5, bodies); }
    std::vector<core::Violation> check(Separation separation) const {
        return check_adhesion(separation);
    }

    template <class T>
    T force(const T& x, const T& /*v*/, const NoMemory& /*memory*/) const {
        const T s = jkr_size(x, adhesion());
        return *stiffness * (power(s, 1.5) - 1.5 * adhesion() * power(s, 0.75));
    }

    /// Integral of F dx from x = 0.
    template <class T>
    T stored_energy(const T& x, const NoMemory& /*memory*/) const {
        const double q = adhesion();
        const T s = jkr_size(x, adhesion());
        const T from_nothing = 0.4 * power(s, 2.5) - q * power(s, 1.75) + 0.375 * q * q * s;
        return *stiffness * (from_nothing + 0.225 * core::pow(q, 10.0 / 3.0));
    }

    double end_overlap(const NoMemory& /*memory*/) const { return jkr_pull_off(adhesion()); }

  private:
    /// q [m^(3/4)]
    double adhesion() const { return jkr_adhesion(*pull_off_force, *stiffness); }
};

}  // namespace stoss::contact
