#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <stoss/contact/adhesive_spheres.hpp>
#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/jkr_profile.hpp>
#include <stoss/contact/physical_input.hpp>
#include <stoss/contact/power.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/text.hpp>

namespace stoss::contact {

/// Adhesive elastic - perfectly plastic spheres (theory/contact_laws.md 8.26, 8.27) (Thornton and
/// Ning 1998, second part). With s = a^2/R*, a the radius of the contact:
///     x = s - q s^(1/4) while loaded further, F = k (s^(3/2) - (3/2) q s^(3/4)) up to s_y, where
///     the pressure in the middle is that of yield; beyond it
///     dF/ds = (3/2) k (sqrt(x_y) - (q/4) sqrt(s_y) s^(-3/4));
///     unloading and reloading by the law of Johnson, Kendall and Roberts for the flattened
///     surface of radius R*/r.
/// The flatter surface holds the bodies with the larger force F_c/r.
struct ThorntonNingAdhesive : AdhesiveSpheres {
    static constexpr std::string_view name = "thornton_ning_adhesive";
    static constexpr std::string_view meaning =
        "adhesive elastic-plastic spheres: jkr, softer beyond yield, with a larger radius on "
        "unloading";
    static constexpr bool is_elastic = false;

    struct Memory {
        double largest_overlap = 0.0;  ///< x* [m]
        double dent = 0.0;             ///< x_p [m]: where the flattened surface touches
        double curvature = 1.0;        ///< r: of the flattened surface, of that before
        double yield_size = 0.0;       ///< s_y [m]
    };

    std::optional<double> yield_overlap = {};
    std::optional<double> yield_pressure = {};

    static constexpr std::array<std::string_view, 2> from_bodies{"pull_off_force", "yield_overlap"};

    static constexpr auto fields() {
        using This = ThorntonNingAdhesive;
        return std::tuple_cat(
            fields_of_adhesion(
                "pull-off force F_c = (3/2) pi w R* before any yield; or give work_of_adhesion"),
            std::tuple{
                core::field("yield_overlap", &This::yield_overlap, "m", core::positive,
                            "yield overlap x_y = R* (pi p_y/(2 E*))^2; or give yield_pressure"),
                core::field("yield_pressure", &This::yield_pressure, "Pa", core::positive,
                            "yield pressure p_y, in place of yield_overlap, where shapes and "
                            "materials of the "
                            "bodies are known; 1.6 times the yield stress for a metal that hardens "
                            "little")});
    }

    void set_from_bodies(const ContactBodies& bodies) {
        set_pull_off(1.5, bodies);
        if (!yield_overlap && yield_pressure)
            yield_overlap = overlap_at_yield(*yield_pressure, bodies);
    }

    std::vector<core::Violation> check(Separation separation) const {
        auto found = check_adhesion(separation);
        core::append(check_physical_input({"yield_overlap", yield_overlap},
                                          {"yield_pressure", yield_pressure}),
                     found);
        if (stiffness && pull_off_force && yield_overlap) core::append(check_numbers(), found);
        return found;
    }

    /// The bodies must not yield by their adhesion alone, where the force still pulls: the theory
    /// says nothing of that, and flattening would set energy free there.
    std::vector<core::Violation> check_numbers() const {
        const double least = 4.0 / 9.0 * core::pow(1.5 * adhesion(), 4.0 / 3.0);
        if (*yield_overlap >= least) return {};
        return {{"yield_overlap", core::with_unit(*yield_overlap, "m"),
                 "is so small that the spheres yield by adhesion alone: must be at least " +
                     core::with_unit(least, "m") + " = (4/9) (3 q/2)^(4/3), q = (4/3) sqrt(F_c/k)",
                 "give a larger yield pressure, or less adhesion"}};
    }

    Memory prepare(const PairProperties& /*pair*/) const { return {0.0, 0.0, 1.0, yield_size()}; }
    void onset(Memory& /*memory*/, double /*approach_speed*/) const {}

    template <class T>
    T force(const T& x, const T& /*v*/, const Memory& memory) const {
        if (!(x < T(memory.largest_overlap))) return loading(jkr_size(x, adhesion()), memory);
        const double r = memory.curvature;
        const T s = jkr_size((x - memory.dent) / r, adhesion() / r);
        return *stiffness * (r * power(s, 1.5) - 1.5 * adhesion() * power(s, 0.75));
    }

    /// The integral of F dx of the flattened surface, with the energy that its touching set free.
    template <class T>
    T stored_energy(const T& x, const Memory& memory) const {
        if (x < T(memory.largest_overlap)) {
            const double r = memory.curvature;
            return stored(jkr_size((x - memory.dent) / r, adhesion() / r), T(r));
        }
        const T s = jkr_size(x, adhesion());
        if (!(s > T(memory.yield_size))) return stored(s, T(1.0));
        return stored(s, flattened(s, loading(s, memory)));
    }

    double elastic_force(double x, const Memory& memory) const {
        if (x < memory.largest_overlap || !(jkr_size(x, adhesion()) > memory.yield_size))
            return force(x, 0.0, memory);
        return stored_energy(core::Dual::variable(x), memory).derivative;
    }

    void accept(Memory& memory, double x, double /*v*/) const {
        if (!(x > memory.largest_overlap)) return;
        const double s = jkr_size(x, adhesion());
        memory.largest_overlap = x;
        if (!(s > memory.yield_size)) return;
        memory.curvature = flattened(s, loading(s, memory));
        memory.dent = (1.0 - memory.curvature) * s;
    }

    double begin_overlap(const Memory& memory) const { return memory.dent; }

    double end_overlap(const Memory& memory) const {
        return memory.dent + memory.curvature * jkr_pull_off(adhesion() / memory.curvature);
    }

    /// x*: yielding continues from the largest overlap so far.
    double kink_overlap(const Memory& memory) const {
        const double yield = memory.yield_size - adhesion() * power(memory.yield_size, 0.25);
        return std::max(yield, memory.largest_overlap);
    }

  private:
    /// q [m^(3/4)]
    double adhesion() const { return jkr_adhesion(*pull_off_force, *stiffness); }

    /// s_y: with z = s^(1/4) the positive root of z^3 - sqrt(x_y) z = q/2.
    double yield_size() const {
        const double root = std::sqrt(*yield_overlap), half = 0.5 * adhesion();
        double z = std::max(std::sqrt(root), core::cbrt(half)) * 1.3;  // above the root
        for (int iteration = 0; iteration < 60; ++iteration) {
            const double next = z - (z * (z * z - root) - half) / (3.0 * z * z - root);
            if (!(next < z)) break;
            z = next;
        }
        return z * z * z * z;
    }

    template <class T>
    T loading(const T& s, const Memory& memory) const {
        const double q = adhesion(), yield = memory.yield_size;
        if (!(s > T(yield))) return *stiffness * (power(s, 1.5) - 1.5 * q * power(s, 0.75));
        const double at_yield = power(yield, 1.5) - 1.5 * q * power(yield, 0.75);
        const T further = std::sqrt(*yield_overlap) * (s - yield) -
                          q * std::sqrt(yield) * (power(s, 0.25) - power(yield, 0.25));
        return *stiffness * (at_yield + 1.5 * further);
    }

    /// r of the surface that carries the force `f` on a contact of the size s.
    template <class T>
    T flattened(const T& s, const T& f) const {
        return (f + 1.5 * *stiffness * adhesion() * power(s, 0.75)) / (*stiffness * power(s, 1.5));
    }

    template <class T>
    T stored(const T& s, const T& r) const {
        const double q = adhesion();
        const T since_apart =
            r * r * (0.4 * power(s, 2.5)) - r * (q * power(s, 1.75)) + 0.375 * q * q * s;
        return *stiffness * (since_apart + 0.225 * core::pow(q, 10.0 / 3.0));
    }
};

}  // namespace stoss::contact
