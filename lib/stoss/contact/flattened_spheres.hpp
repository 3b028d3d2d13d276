#pragma once
/// What the laws of spheres that yield share: unloading by Hertz for the flattened surface.

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/power.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::contact {

/// Memory of a surface that has been flattened.
struct FlattenedSurface {
    double largest_overlap = 0.0;  ///< x* [m]
    double dent = 0.0;             ///< x_p [m]: overlap at which unloading ends
    double unloading = 0.0;        ///< k_p [N/m^(3/2)] of the flattened surface
};

/// Base of a law of spheres that yield. Unloading and reloading follow Hertz for the radius
/// R_p > R* that carries the same force (theory/contact_laws.md 8.17) (Thornton and Ning 1998,
/// Brake 2015): F = k_p (x - x_p)^(3/2), x* - x_p = F*/(k sqrt(x*)). The dent stays.
///
/// The law has a memory made from FlattenedSurface, `loading(x, memory)`: the force [N] of loading,
/// and `yield_at(memory)`: the overlap [m] up to which that is Hertz's.
template <class Law>
struct FlattenedSpheres {
    static constexpr bool is_elastic = false;
    static constexpr double exponent = 1.5;

    std::optional<double> stiffness = {};

    template <class Memory>
    void onset(Memory& /*memory*/, double /*approach_speed*/) const {}

    template <class T, class Memory>
    T force(const T& x, const T& /*v*/, const Memory& memory) const {
        if (!(x < T(memory.largest_overlap))) return law().loading(x, memory);
        if (!(x > T(memory.dent))) return T(0.0);
        return memory.unloading * power(x - memory.dent, 1.5);
    }

    template <class T, class Memory>
    T stored_energy(const T& x, const Memory& memory) const {
        if (!(x < T(memory.largest_overlap))) {
            const T f = law().loading(x, memory);
            return 0.4 * f * elastic_part(x, f, memory);
        }
        if (!(x > T(memory.dent))) return T(0.0);
        return 0.4 * memory.unloading * power(x - memory.dent, 2.5);
    }

    template <class Memory>
    void accept(Memory& memory, double x, double /*v*/) const {
        if (!(x > memory.largest_overlap)) return;
        const double f = law().loading(x, memory);
        memory.largest_overlap = x;
        if (!(x > law().yield_at(memory))) return;
        memory.dent = x - elastic_part(x, f, memory);
        memory.unloading = f / power(x - memory.dent, 1.5);
    }

    /// x_p
    double end_overlap(const FlattenedSurface& memory) const { return memory.dent; }

    /// x*: yielding continues from the largest overlap so far.
    template <class Memory>
    double kink_overlap(const Memory& memory) const {
        return std::max(law().yield_at(memory), memory.largest_overlap);
    }

  protected:
    static constexpr auto stiffness_field() {
        return core::field("stiffness", &FlattenedSpheres::stiffness, "N/m^(3/2)", core::positive,
                           stiffness_meaning);
    }

  private:
    const Law& law() const { return static_cast<const Law&>(*this); }

    /// x* - x_p: what unloading from the force f at x gives back of the overlap,
    /// f = k_p (x* - x_p)^(3/2) with k_p = k sqrt(k x^(3/2)/f).
    template <class T, class Memory>
    T elastic_part(const T& x, const T& f, const Memory& memory) const {
        using std::sqrt;
        if (!(x > T(law().yield_at(memory)))) return x;
        return f / (*stiffness * sqrt(x));
    }
};

}  // namespace stoss::contact
