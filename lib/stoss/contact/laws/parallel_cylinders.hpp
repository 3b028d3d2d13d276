#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>
#include <tuple>

#include <stoss/contact/contact_law.hpp>
#include <stoss/core/dual.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/field_checks.hpp>

namespace stoss::contact {

/// Elastic cylinders with parallel axes that touch along a line of the length L
/// (theory/contact_laws.md 8.34) (Johnson 1985, section 4.2 and appendix 3): the axes approach by
///     x = (F/(pi E* L)) (ln(F_0/F) - 1),  F_0 = 4 pi E* L R_m^2/R*,
/// R_m the mean of the radii. Elastic, e = 1. The theory holds while the half width of the contact,
/// a = sqrt(4 F R*/(pi E* L)), is small against the radii; from a = 0.89 R_m on the curve goes on
/// along its tangent.
struct ParallelCylinders : Memoryless {
    static constexpr std::string_view name = "parallel_cylinders";
    static constexpr std::string_view meaning =
        "elastic cylinders with parallel axes: line contact, x = (F/(pi E* L)) (ln(F_0/F) - 1)";
    static constexpr bool is_elastic = true;

    std::optional<double> effective_modulus = {};
    std::optional<double> length = {};
    std::optional<double> effective_radius = {};
    std::optional<double> mean_radius = {};

    static constexpr std::array<std::string_view, 4> from_bodies{"effective_modulus", "length",
                                                                 "effective_radius", "mean_radius"};

    static constexpr auto fields() {
        using This = ParallelCylinders;
        return std::tuple{
            core::field("effective_modulus", &This::effective_modulus, "Pa", core::positive,
                        "effective modulus E*; if left out, that of the two bodies, where the case "
                        "gives these"),
            core::field("length", &This::length, "m", core::positive,
                        "length L of the line of contact; if left out, that of the shorter "
                        "cylinder, where the case gives the two"),
            core::field("effective_radius", &This::effective_radius, "m", core::positive,
                        "effective radius R*, 1/R* = 1/R_1 + 1/R_2; if left out, that of the two "
                        "bodies, where the case gives these"),
            core::field(
                "mean_radius", &This::mean_radius, "m", core::positive,
                "mean radius R_m: ln R_m is the mean of ln R_1 and ln R_2, each with the weight "
                "(1 - nu_i^2)/E_i; if left out, that of the two bodies, where the case gives "
                "these")};
    }

    void set_from_bodies(const ContactBodies& bodies) {
        if (!bodies.line) return;
        if (!effective_modulus) effective_modulus = bodies.modulus;
        if (!length) length = bodies.line->length;
        if (!effective_radius) effective_radius = bodies.radius;
        if (!mean_radius) mean_radius = bodies.line->mean_radius;
    }

    template <class T>
    T force(const T& x, const T& /*v*/, const NoMemory& /*memory*/) const {
        const double f = force_at(core::value_of(x));
        return core::composed(x, f, slope(f));
    }

    template <class T>
    T stored_energy(const T& x, const NoMemory& /*memory*/) const {
        const double at = core::value_of(x), f = force_at(at);
        if (!(f > 0.0)) return T(0.0);
        const double bent = std::min(f, last_force());
        double stored = bent * bent / (2.0 * line_modulus()) * (logarithm(bent) - 1.5);
        if (f > bent) stored += 0.5 * (f * f - bent * bent) / slope(f);
        return core::composed(x, stored, f);
    }

  private:
    /// ln(F_0/F) where the curve ends: a = 4 R_m exp(-3/2).
    static constexpr double last_logarithm = 3.0;

    /// pi E* L [N/m]
    double line_modulus() const { return std::numbers::pi * *effective_modulus * *length; }
    /// F_0 [N]
    double scale() const {
        return 4.0 * line_modulus() * *mean_radius * *mean_radius / *effective_radius;
    }
    double last_force() const { return scale() * core::exp(-last_logarithm); }
    double logarithm(double f) const { return core::log(scale() / f); }

    /// dF/dx [N/m]; 0 at F = 0, as the limit.
    double slope(double f) const {
        if (!(f > 0.0)) return 0.0;
        return line_modulus() / (std::max(logarithm(f), last_logarithm) - 2.0);
    }

    /// F [N] of x [m]: with l = ln(F_0/F) and X = x pi E* L/F_0, l - ln(l - 1) = -ln X.
    double force_at(double x) const {
        if (!(x > 0.0)) return 0.0;
        const double last = last_force();
        const double last_overlap = last / line_modulus() * (last_logarithm - 1.0);
        if (x > last_overlap) return last + (x - last_overlap) * slope(last);
        const double wanted = -core::log(x * line_modulus() / scale());
        double l = wanted + core::log(wanted);
        for (int iteration = 0; iteration < 50; ++iteration) {
            const double change = (l - core::log(l - 1.0) - wanted) * (l - 1.0) / (l - 2.0);
            l -= change;
            if (!(std::abs(change) > 4e-16 * l)) break;
        }
        return scale() * core::exp(-l);
    }
};

}  // namespace stoss::contact
