#pragma once

#include <array>
#include <numbers>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/physical_input.hpp>
#include <stoss/contact/power.hpp>
#include <stoss/core/field_checks.hpp>

namespace stoss::contact {

/// Adhesive elastic spheres that are hard and small (theory/contact_laws.md 8.25) (Derjaguin,
/// Muller and Toporov 1975, in the form of Maugis 1992): Hertz, and the pull F_c of the surfaces
/// around the contact as long as it lasts. Onset and end are at x = 0, so nothing is lost: e = 1
/// without load.
struct Dmt : Memoryless {
    static constexpr std::string_view name = "dmt";
    static constexpr std::string_view meaning =
        "adhesive hard spheres: Hertz's force minus a constant attraction; no loss";
    static constexpr bool is_elastic = true;

    std::optional<double> stiffness = {};
    std::optional<double> pull_off_force = {};
    std::optional<double> work_of_adhesion = {};

    static constexpr double exponent = 1.5;
    static constexpr std::array<std::string_view, 1> from_bodies{"pull_off_force"};

    static constexpr auto fields() {
        return std::tuple{
            core::field("stiffness", &Dmt::stiffness, "N/m^(3/2)", core::positive,
                        "stiffness k; if left out, computed from the shapes and materials of the "
                        "two bodies"),
            core::field("pull_off_force", &Dmt::pull_off_force, "N", core::positive,
                        "pull-off force F_c = 2 pi w R*; or give work_of_adhesion"),
            core::field("work_of_adhesion", &Dmt::work_of_adhesion, "J/m^2", core::positive,
                        "work of adhesion w, in place of pull_off_force, where the shapes of the "
                        "bodies are known")};
    }

    void set_from_bodies(const ContactBodies& bodies) {
        if (pull_off_force || !work_of_adhesion) return;
        pull_off_force = 2.0 * std::numbers::pi * *work_of_adhesion * bodies.radius;
    }

    std::vector<core::Violation> check(Separation separation) const {
        auto found = check_physical_input({"pull_off_force", pull_off_force},
                                          {"work_of_adhesion", work_of_adhesion});
        core::append(check_pulls(separation), found);
        return found;
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
