#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/physical_input.hpp>
#include <stoss/contact/power.hpp>

namespace stoss::contact {

/// Elastic - perfectly plastic spheres (theory/contact_laws.md 8.17) (Thornton and Ning 1998):
/// Hertz up to the yield overlap, from there along the tangent; unloading and reloading along the
/// Hertz curve of the flattened surface, of radius R_p > R*. Rate-independent; e falls with the
/// speed. The dent stays.
struct ThorntonNing {
    static constexpr std::string_view name = "thornton_ning";
    static constexpr std::string_view meaning =
        "elastic-plastic spheres: Hertz's law, linear beyond the yield overlap, with a larger "
        "radius on unloading";
    static constexpr bool is_elastic = false;

    struct Memory {
        double largest_overlap = 0.0;  ///< x* [m]
        double dent = 0.0;             ///< x_p [m]: overlap at which unloading ends
        double unloading = 0.0;        ///< k_p [N/m^(3/2)] of the flattened surface
    };

    std::optional<double> stiffness = {};
    std::optional<double> yield_overlap = {};
    std::optional<double> yield_pressure = {};

    static constexpr double exponent = 1.5;
    static constexpr std::array<std::string_view, 1> from_bodies{"yield_overlap"};

    static constexpr auto fields() {
        return std::tuple{
            core::field("stiffness", &ThorntonNing::stiffness, "N/m^(3/2)", core::positive,
                        "stiffness k; if left out, computed from the shapes and materials of the "
                        "two bodies"),
            core::field("yield_overlap", &ThorntonNing::yield_overlap, "m", core::positive,
                        "yield overlap x_y = R* (pi p_y/(2 E*))^2; or give yield_pressure"),
            core::field(
                "yield_pressure", &ThorntonNing::yield_pressure, "Pa", core::positive,
                "yield pressure p_y, in place of yield_overlap, where shapes and materials of the "
                "bodies are known; 1.6 times the yield stress for a metal that hardens little")};
    }

    void set_from_bodies(const ContactBodies& bodies) {
        if (yield_overlap || !yield_pressure) return;
        const double strain = 0.5 * std::numbers::pi * *yield_pressure / bodies.modulus;
        yield_overlap = bodies.radius * strain * strain;
    }

    std::vector<core::Violation> check(Separation /*separation*/) const {
        return check_physical_input({"yield_overlap", yield_overlap},
                                    {"yield_pressure", yield_pressure});
    }

    Memory prepare(const PairProperties& /*pair*/) const { return {0.0, 0.0, *stiffness}; }
    void onset(Memory& /*memory*/, double /*approach_speed*/) const {}

    template <class T>
    T force(const T& x, const T& /*v*/, const Memory& memory) const {
        if (!(x < T(memory.largest_overlap))) return loading(x);
        if (!(x > T(memory.dent))) return T(0.0);
        return memory.unloading * power(x - memory.dent, 1.5);
    }

    template <class T>
    T stored_energy(const T& x, const Memory& memory) const {
        if (!(x < T(memory.largest_overlap))) {
            const T f = loading(x);
            return 0.4 * f * elastic_part(x, f);
        }
        if (!(x > T(memory.dent))) return T(0.0);
        return 0.4 * memory.unloading * power(x - memory.dent, 2.5);
    }

    void accept(Memory& memory, double x, double /*v*/) const {
        if (!(x > memory.largest_overlap)) return;
        const double f = loading(x);
        memory.largest_overlap = x;
        if (!(x > *yield_overlap)) return;
        memory.dent = x - elastic_part(x, f);
        memory.unloading = f / power(x - memory.dent, 1.5);
    }

    double end_overlap(const Memory& memory) const { return memory.dent; }

    /// x*: yielding continues from the largest overlap so far.
    double kink_overlap(const Memory& memory) const {
        return std::max(*yield_overlap, memory.largest_overlap);
    }

  private:
    /// Hertz up to x_y, its tangent beyond.
    template <class T>
    T loading(const T& x) const {
        if (!(x > T(*yield_overlap))) return *stiffness * power(x, 1.5);
        const double root = std::sqrt(*yield_overlap);
        return *stiffness * root * (*yield_overlap + 1.5 * (x - *yield_overlap));
    }

    /// x* - x_p: what unloading from the force f at x gives back of the overlap,
    /// f = k_p (x* - x_p)^(3/2) with k_p = k sqrt(k x^(3/2)/f).
    template <class T>
    T elastic_part(const T& x, const T& f) const {
        using std::sqrt;
        if (!(x > T(*yield_overlap))) return x;
        return f / (*stiffness * sqrt(x));
    }
};

}  // namespace stoss::contact
