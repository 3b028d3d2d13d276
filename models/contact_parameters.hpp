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
        return std::tuple{
            core::field("law", &ContactParameters::law, "contact law"),
            core::field("separation", &ContactParameters::separation, "when contact ends")};
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

}  // namespace stoss::models
