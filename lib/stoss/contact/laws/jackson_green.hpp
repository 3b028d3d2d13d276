#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/flattened_spheres.hpp>
#include <stoss/contact/physical_input.hpp>
#include <stoss/contact/power.hpp>
#include <stoss/core/bisection.hpp>
#include <stoss/core/dual.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/text.hpp>

namespace stoss::contact {

/// Elastic - perfectly plastic spheres up to full plasticity (theory/contact_laws.md 8.31 to 8.33):
/// loading by the fit of Jackson and Green (2005) to finite elements, Hertz where that is smaller;
/// unloading and reloading by Hertz for the flattened surface (Brake 2015; Thornton and Ning 1998).
/// The hardness falls as the contact becomes as wide as the sphere. The dent stays.
struct JacksonGreen : FlattenedSpheres<JacksonGreen> {
    static constexpr std::string_view name = "jackson_green";
    static constexpr std::string_view meaning =
        "elastic-plastic spheres up to full plasticity: a fit to finite elements";

    struct Memory : FlattenedSurface {
        double critical_overlap = 1.0;  ///< x_c [m]
        double kink = 1.0;              ///< overlap [m] at which loading leaves Hertz's curve
        double factor = 1.0;            ///< C: by it x_c exceeds that of the yield stress
    };

    std::optional<double> effective_radius = {};
    std::optional<double> yield_strain = {};
    std::optional<double> yield_stress = {};
    std::optional<double> poisson_ratio = {};

    static constexpr std::array<std::string_view, 3> from_bodies{"effective_radius", "yield_strain",
                                                                 "poisson_ratio"};

    static constexpr auto fields() {
        using This = JacksonGreen;
        return std::tuple{
            stiffness_field(),
            core::field("effective_radius", &This::effective_radius, "m", core::positive,
                        "effective radius R*; if left out, that of the two bodies, where the case "
                        "gives these"),
            core::field("yield_strain", &This::yield_strain, "",
                        core::Range{0.0, 0.05, true, false},
                        "yield strain Y/E* of the softer body; or give yield_stress"),
            core::field("yield_stress", &This::yield_stress, "Pa", core::positive,
                        "yield stress Y of the softer body in simple tension, in place of "
                        "yield_strain, where "
                        "the materials of the bodies are known"),
            core::field("poisson_ratio", &This::poisson_ratio, "", core::closed(0.0, 0.5),
                        "Poisson's ratio nu of the softer body; if left out, that of its material, "
                        "where the case gives it")};
    }

    void set_from_bodies(const ContactBodies& bodies) {
        if (!effective_radius) effective_radius = bodies.radius;
        if (!yield_strain && yield_stress) yield_strain = *yield_stress / bodies.modulus;
    }

    std::vector<core::Violation> check(Separation /*separation*/) const {
        return check_physical_input({"yield_strain", yield_strain}, {"yield_stress", yield_stress});
    }

    std::vector<core::Violation> check_numbers() const {
        if (!yield_strain || *yield_strain <= 0.05) return {};
        return {{yield_stress ? "yield_stress" : "yield_strain", core::to_text(*yield_strain),
                 "is a strain Y/E* beyond the range of the fit, 0.05", "use a law without yield"}};
    }

    Memory prepare(const PairProperties& /*pair*/) const {
        Memory memory;
        memory.factor = 1.295 * core::exp(0.736 * *poisson_ratio);
        const double strain = 0.5 * std::numbers::pi * memory.factor * *yield_strain;
        memory.critical_overlap = *effective_radius * strain * strain;
        memory.unloading = *stiffness;
        // The fit, which exceeds Hertz's force for small overlaps, falls below it once.
        const auto exceeds = [&](double w) { return fit(w, memory) > w * std::sqrt(w); };
        memory.kink = core::geometric_bisection(1.0, 1e4, exceeds) * memory.critical_overlap;
        return memory;
    }

    /// Hertz until the fit falls below it.
    template <class T>
    T loading(const T& x, const Memory& memory) const {
        if (!(x > T(memory.kink))) return *stiffness * power(x, 1.5);
        const double unit = *stiffness * power(memory.critical_overlap, 1.5);
        return unit * fit(x / T(memory.critical_overlap), memory);
    }
    /// Overlap [m] up to which loading is that of Hertz.
    double yield_at(const Memory& memory) const { return memory.kink; }

  private:
    template <class T>
    static T raised(const T& x, double p) {
        const double base = core::value_of(x), value = core::pow(base, p);
        return core::composed(x, value, p * value / base);
    }
    template <class T>
    static T falling(const T& x) {
        const double value = core::exp(-core::value_of(x));
        return core::composed(x, value, -value);
    }
    template <class T>
    static T cosine(const T& x) {
        const double angle = core::value_of(x);
        return core::composed(x, core::cos(angle), -core::sin(angle));
    }

    /// Force over that at x_c, of w = x/x_c > 0 (8.31): the hardness H over Y falls with a/R*,
    /// which is 1 at most.
    template <class T>
    T fit(const T& w, const Memory& memory) const {
        const double growth = 0.14 * core::exp(23.0 * *yield_strain);
        T width = raised(w * raised(w / T(1.9), growth), 0.5) *
                  std::sqrt(memory.critical_overlap / *effective_radius);
        if (width > T(1.0)) width = T(1.0);
        const T hardness = 2.84 - 0.92 * (1.0 - cosine(std::numbers::pi * width));
        return falling(0.25 * raised(w, 5.0 / 12.0)) * raised(w, 1.5) +
               4.0 / memory.factor * hardness * (1.0 - falling(0.04 * raised(w, 5.0 / 9.0))) * w;
    }
};

}  // namespace stoss::contact
