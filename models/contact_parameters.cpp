#include <models/contact_parameters.hpp>

#include <string_view>
#include <variant>

namespace stoss::models {

std::vector<core::Violation> check(const ContactParameters& contact, const std::string& path) {
    std::vector<core::Violation> violations =
        std::visit([&](const auto& law) { return check(law, contact.separation); }, contact.law);
    for (core::Violation& violation : violations) violation.key = path + "." + violation.key;
    return violations;
}

std::vector<core::Violation> check_without_bodies(const contact::Law& law, const std::string& path,
                                                  const std::string& why, const std::string& hint) {
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

std::vector<core::Violation> check_with_bodies(const contact::Law& law, const std::string& path) {
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
