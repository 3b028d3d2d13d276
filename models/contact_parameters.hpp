#pragma once
/// A contact law and its separation rule, as a case gives them.

#include <string>
#include <string_view>
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
inline std::vector<core::Violation> check(const ContactParameters& contact,
                                          const std::string& path) {
    std::vector<core::Violation> violations =
        std::visit([&](const auto& law) { return check(law, contact.separation); }, contact.law);
    for (core::Violation& violation : violations) violation.key = path + "." + violation.key;
    return violations;
}

/// What a law lacks where no shapes and materials give its numbers. `path` is the key that holds
/// them; `why` and `hint` are said of a stiffness.
inline std::vector<core::Violation> check_without_bodies(
    const contact::Law& law, const std::string& path, const std::string& why = "is missing",
    const std::string& hint =
        "it cannot be computed, because the case gives no shapes and materials") {
    std::vector<core::Violation> found;
    std::visit(
        [&](const auto& each) {
            contact::for_each_missing(each, [&](std::string_view name) {
                const std::string key = path + "." + std::string(name);
                if (name == "stiffness")
                    found.push_back({key, "", why, hint});
                else
                    found.push_back({key, "",
                                     "is missing: it cannot be computed, because the case gives no "
                                     "shapes and materials",
                                     "give " + key});
            });
        },
        law);
    return found;
}

/// What is wrong with the numbers of a law after those that follow from shapes and materials are
/// set. `path` is the key that holds the law.
inline std::vector<core::Violation> check_with_bodies(const contact::Law& law,
                                                      const std::string& path) {
    std::vector<core::Violation> found = check_without_bodies(law, path);
    for (core::Violation& each : found) {
        each.rule = "is missing: it does not follow from the shapes and materials of the case";
        each.suggestion = "give " + each.key;
    }
    if (!found.empty()) return found;
    std::visit(
        [&](const auto& each) {
            if constexpr (requires { each.check_numbers(); }) found = each.check_numbers();
        },
        law);
    for (core::Violation& each : found) each.key = path + "." + each.key;
    return found;
}

}  // namespace stoss::models
