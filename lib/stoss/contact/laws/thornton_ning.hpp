#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/flattened_spheres.hpp>
#include <stoss/contact/physical_input.hpp>
#include <stoss/contact/power.hpp>

namespace stoss::contact {

/// Elastic - perfectly plastic spheres (theory/contact_laws.md 8.17) (Thornton and Ning 1998):
/// Hertz up to the yield overlap, from there along the tangent; unloading and reloading along the
/// Hertz curve of the flattened surface, of radius R_p > R*. Rate-independent; e falls with the
/// speed. The dent stays.
struct ThorntonNing : FlattenedSpheres<ThorntonNing> {
    static constexpr std::string_view name = "thornton_ning";
    static constexpr std::string_view meaning =
        "elastic-plastic spheres: Hertz's law, linear beyond the yield overlap, with a larger "
        "radius on unloading";

    using Memory = FlattenedSurface;

    std::optional<double> yield_overlap = {};
    std::optional<double> yield_pressure = {};

    static constexpr std::array<std::string_view, 1> from_bodies{"yield_overlap"};

    static constexpr auto fields() {
        return std::tuple{
            stiffness_field(),
            core::field("yield_overlap", &ThorntonNing::yield_overlap, "m", core::positive,
                        "yield overlap x_y = R* (pi p_y/(2 E*))^2; or give yield_pressure"),
            core::field(
                "yield_pressure", &ThorntonNing::yield_pressure, "Pa", core::positive,
                "yield pressure p_y, in place of yield_overlap, where shapes and materials of the "
                "bodies are known; 1.6 times the yield stress for a metal that hardens little")};
    }

    void set_from_bodies(const ContactBodies& bodies) {
        if (!yield_overlap && yield_pressure)
            yield_overlap = overlap_at_yield(*yield_pressure, bodies);
    }

    std::vector<core::Violation> check(Separation /*separation*/) const {
        return check_physical_input({"yield_overlap", yield_overlap},
                                    {"yield_pressure", yield_pressure});
    }

    Memory prepare(const PairProperties& /*pair*/) const { return {0.0, 0.0, *stiffness}; }

    /// Hertz up to x_y, its tangent beyond.
    template <class T>
    T loading(const T& x, const Memory& /*memory*/) const {
        if (!(x > T(*yield_overlap))) return *stiffness * power(x, 1.5);
        const double root = std::sqrt(*yield_overlap);
        return *stiffness * root * (*yield_overlap + 1.5 * (x - *yield_overlap));
    }
    /// Overlap [m] up to which loading is that of Hertz.
    double yield_at(const Memory& /*memory*/) const { return *yield_overlap; }
};

}  // namespace stoss::contact
