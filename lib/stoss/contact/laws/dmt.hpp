#pragma once

#include <array>
#include <string_view>
#include <vector>

#include <stoss/contact/adhesive_spheres.hpp>
#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/power.hpp>

namespace stoss::contact {

/// Adhesive elastic spheres that are hard and small (theory/contact_laws.md 8.25) (Derjaguin,
/// Muller and Toporov 1975, in the form of Maugis 1992): Hertz, and the pull F_c of the surfaces
/// around the contact as long as it lasts. Onset and end are at x = 0, so nothing is lost: e = 1
/// without load.
struct Dmt : AdhesiveSpheres, Memoryless {
    static constexpr std::string_view name = "dmt";
    static constexpr std::string_view meaning =
        "adhesive hard spheres: Hertz's force minus a constant attraction; no loss";
    static constexpr bool is_elastic = true;

    static constexpr std::array<std::string_view, 1> from_bodies{"pull_off_force"};

    static constexpr auto fields() {
        return fields_of_adhesion("pull-off force F_c = 2 pi w R*; or give work_of_adhesion");
    }
    void set_from_bodies(const ContactBodies& bodies) { set_pull_off(2.0, bodies); }
    std::vector<core::Violation> check(Separation separation) const {
        return check_adhesion(separation);
    }

    template <class T>
    T force(const T& x, const T& /*v*/, const NoMemory& /*memory*/) const {
        return *stiffness * power(x, 1.5) - *pull_off_force;
    }

    template <class T>
    T stored_energy(const T& x, const NoMemory& /*memory*/) const {
        return 0.4 * *stiffness * power(x, 2.5) - *pull_off_force * x;
    }

    /// Overlap [m] at which the attraction ends with a jump.
    double end_overlap(const NoMemory& /*memory*/) const { return 0.0; }
};

}  // namespace stoss::contact
