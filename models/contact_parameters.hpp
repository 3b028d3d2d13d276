#pragma once
/// A contact law and its separation rule, as a case gives them.

#include <string>
#include <tuple>
#include <vector>

#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/laws.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::models {

/// Contact law and separation rule.
struct ContactParameters {
    contact::Law law = {};
    contact::Separation separation = contact::Separation::zero_force;

    static constexpr auto fields() {
        return std::tuple{core::field("law", &ContactParameters::law, "contact law"),
                          core::field("separation", &ContactParameters::separation,
                                      "condition for the end of contact")};
    }
};

/// What is wrong with the parameters of the law together. `path` is the key that holds them.
std::vector<core::Violation> check(const ContactParameters& contact, const std::string& path);

/// What a law lacks where no shapes and materials give its numbers. `path` is the key that holds
/// them; `why` and `hint` are said of a stiffness.
std::vector<core::Violation> check_without_bodies(
    const contact::Law& law, const std::string& path, const std::string& why = "is missing",
    const std::string& hint =
        "it cannot be computed, because the case gives no shapes and materials");

/// Adds what `check_without_bodies` found to what `check` found of the same law. Of a key that is
/// missing, and of the property of the materials that would give it, only the former is said:
/// `check` may recommend a key that gives nothing without shapes.
void append_missing(const std::vector<core::Violation>& missing,
                    std::vector<core::Violation>& found);

/// What is wrong with the numbers of a law after those that follow from shapes and materials are
/// set. `path` is the key that holds the law.
std::vector<core::Violation> check_with_bodies(const contact::Law& law, const std::string& path);

}  // namespace stoss::models
