#include <models/single_impact.hpp>

#include <string>

namespace stoss::models {

std::vector<core::Violation> check_load(const SingleImpact& parameters) {
    return impact::check(parameters.impact());
}

std::vector<core::Violation> check(const SingleImpact& parameters) {
    auto violations = check_load(parameters);
    const ContactParameters& contact = parameters.contact;
    const auto more = check(contact, "contact");
    violations.insert(violations.end(), more.begin(), more.end());
    std::visit(
        [&](const auto& law) {
            if constexpr (requires { law.stiffness; }) {
                if (core::is_given(law.stiffness)) return;
                violations.push_back({"contact.stiffness", "", "is missing",
                                      "no shapes and materials are here to compute it from"});
            }
        },
        contact.law);
    return violations;
}

}  // namespace stoss::models
