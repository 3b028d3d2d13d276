#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <stoss/contact/adhesive_spheres.hpp>
#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/maugis_profile.hpp>
#include <stoss/contact/physical_input.hpp>
#include <stoss/core/dual.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/text.hpp>

namespace stoss::contact {

/// Adhesive elastic spheres between the limits of Derjaguin, Muller and Toporov (small lambda) and
/// of Johnson, Kendall and Roberts (large lambda) (theory/contact_laws.md 8.28 to 8.30) (Maugis
/// 1992): the surfaces attract each other with one stress up to the distance h_0 = w/stress. The
/// overlap counts from there: at x = 0 the surfaces are h_0 apart. The force is elastic; what the
/// branch has stored at its end is lost.
struct Maugis : AdhesiveSpheres {
    static constexpr std::string_view name = "maugis";
    static constexpr std::string_view meaning =
        "adhesive elastic spheres between dmt and jkr; attraction of a finite range";
    static constexpr bool is_elastic = true;

    struct Memory {
        MaugisProfile profile;
        double length = 1.0;  ///< x_0 [m]
        double force = 1.0;   ///< pi w R* [N]
    };

    std::optional<double> maugis_parameter = {};
    std::optional<double> adhesive_stress = {};

    static constexpr std::array<std::string_view, 2> from_bodies{"pull_off_force",
                                                                 "maugis_parameter"};

    static constexpr auto fields() {
        return std::tuple_cat(
            fields_of_adhesion("F_c, between (3/2) pi w R* and 2 pi w R*; or give "
                               "work_of_adhesion"),
            std::tuple{
                core::field("maugis_parameter", &Maugis::maugis_parameter, "",
                            core::closed(0.01, 100.0),
                            "Maugis parameter lambda = 1.157 times the parameter of Tabor; below "
                            "0.1 the limit dmt "
                            "is near, above 5 jkr"),
                core::field(
                    "adhesive_stress", &Maugis::adhesive_stress, "Pa", core::positive,
                    "stress of the attraction, w/h_0, in place of maugis_parameter, where w and "
                    "the bodies are known; 1.03 w/z_0 fits a Lennard-Jones potential")});
    }

    /// lambda = 2 sigma (R*/(pi w K^2))^(1/3), K = (4/3) E*.
    void set_from_bodies(const ContactBodies& bodies) {
        if (!work_of_adhesion) return;
        if (!maugis_parameter && adhesive_stress) {
            const double modulus = 4.0 / 3.0 * bodies.modulus;
            maugis_parameter = 2.0 * *adhesive_stress *
                               core::cbrt(bodies.radius / (std::numbers::pi * *work_of_adhesion *
                                                           modulus * modulus));
        }
        if (!maugis_parameter) return;
        const double usable = std::clamp(*maugis_parameter, 0.01, 100.0);  // see check_parameter
        set_pull_off(MaugisProfile(usable).largest_pull(), bodies);
    }

    std::vector<core::Violation> check(Separation separation) const {
        auto found = check_adhesion(separation);
        core::append(check_physical_input({"maugis_parameter", maugis_parameter},
                                          {"adhesive_stress", adhesive_stress}),
                     found);
        if (adhesive_stress && !work_of_adhesion)
            found.push_back({"adhesive_stress", core::with_unit(*adhesive_stress, "Pa"),
                             "needs `work_of_adhesion`, which gives the range with it",
                             "give work_of_adhesion in place of pull_off_force"});
        return found;
    }

    std::vector<core::Violation> check_numbers() const { return check_parameter(); }

    Memory prepare(const PairProperties& /*pair*/) const {
        const MaugisProfile profile(*maugis_parameter);
        const double unit = *pull_off_force / profile.largest_pull();
        return {profile, core::pow(unit / *stiffness, 2.0 / 3.0), unit};
    }
    void onset(Memory& /*memory*/, double /*approach_speed*/) const {}
    void accept(Memory& /*memory*/, double /*x*/, double /*v*/) const {}

    template <class T>
    T force(const T& x, const T& /*v*/, const Memory& memory) const {
        const core::Dual f = memory.profile.force(overlap(core::value_of(x), memory));
        return core::composed(x, memory.force * f.value,
                              memory.force / memory.length * f.derivative);
    }

    /// Integral of F dx from x = 0.
    template <class T>
    T stored_energy(const T& x, const Memory& memory) const {
        const double d = overlap(core::value_of(x), memory);
        const double stored = memory.force * memory.length * memory.profile.energy(d);
        return core::composed(x, stored, memory.force * memory.profile.force(d).value);
    }

    double elastic_force(double x, const Memory& memory) const { return force(x, 0.0, memory); }

    double singular_overlap(const Memory& memory) const {
        return memory.length * (memory.profile.touching() + memory.profile.range());
    }

    double end_overlap(const Memory& memory) const {
        return memory.length * (memory.profile.pull_off() + memory.profile.range());
    }

  private:
    static double overlap(double x, const Memory& memory) {
        return x / memory.length - memory.profile.range();
    }

    /// One that follows from the bodies may lie outside of its range.
    std::vector<core::Violation> check_parameter() const {
        constexpr core::Range usable = core::closed(0.01, 100.0);
        if (!maugis_parameter || usable.contains(*maugis_parameter)) return {};
        const bool is_small = *maugis_parameter < usable.low;
        std::array<char, 16> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(),
                                       *maugis_parameter, std::chars_format::general, 3);
        const std::string limit = is_small ? "use `law: dmt`, the limit of small lambda"
                                           : "use `law: jkr`, the limit of large lambda";
        if (!adhesive_stress)
            return {{"maugis_parameter", core::to_text(*maugis_parameter),
                     "must be between 0.01 and 100", limit}};
        return {{"adhesive_stress", core::with_unit(*adhesive_stress, "Pa"),
                 "gives lambda = " + std::string(digits.data(), end.ptr) +
                     ", which must be between 0.01 and 100",
                 limit}};
    }
};

}  // namespace stoss::contact
