#pragma once
/// The keys of a law of adhesive spheres.

#include <numbers>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/physical_input.hpp>
#include <stoss/core/field_checks.hpp>

namespace stoss::contact {

/// Base of a law of adhesive spheres: stiffness and pull-off force, or what they follow from.
struct AdhesiveSpheres {
    std::optional<double> stiffness = {};
    std::optional<double> pull_off_force = {};
    std::optional<double> work_of_adhesion = {};

    static constexpr double exponent = 1.5;

  protected:
    /// `pull_off` says how F_c follows from w.
    static constexpr auto fields_of_adhesion(std::string_view pull_off) {
        using This = AdhesiveSpheres;
        return std::tuple{
            core::field("stiffness", &This::stiffness, "N/m^(3/2)", core::positive,
                        stiffness_meaning),
            core::field("pull_off_force", &This::pull_off_force, "N", core::positive, pull_off),
            core::field("work_of_adhesion", &This::work_of_adhesion, "J/m^2", core::positive,
                        "work of adhesion w, in place of pull_off_force, where the shapes of the "
                        "bodies are known")};
    }

    /// F_c = factor pi w R*, unless it is given.
    void set_pull_off(double factor, const ContactBodies& bodies) {
        if (!pull_off_force && work_of_adhesion)
            pull_off_force = factor * std::numbers::pi * *work_of_adhesion * bodies.radius;
    }

    std::vector<core::Violation> check_adhesion(Separation separation) const {
        auto found = check_physical_input({"pull_off_force", pull_off_force},
                                          {"work_of_adhesion", work_of_adhesion});
        core::append(check_pulls(separation), found);
        return found;
    }
};

}  // namespace stoss::contact
