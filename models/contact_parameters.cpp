#include <models/contact_parameters.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace stoss::models {

namespace {

/// Numbers of a law, and the properties of the materials that give them with shapes and materials.
constexpr std::pair<std::string_view, std::string_view> properties[] = {
    {"pull_off_force", "work_of_adhesion"},
    {"maugis_parameter", "adhesive_stress"},
    {"yield_overlap", "yield_pressure"},
    {"yield_strain", "yield_stress"}};

std::string_view property_of(std::string_view number) {
    for (const auto& [name, property] : properties)
        if (name == number) return property;
    return {};
}

template <class L>
bool is_given(const L& law, std::string_view name) {
    bool is_found = false;
    core::for_each_field<L>([&](const auto& field) {
        const auto& member = law.*field.member;
        if constexpr (std::same_as<decltype(member), const std::optional<double>&>)
            is_found = is_found || (field.name == name && member);
    });
    return is_found;
}

}  // namespace

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
                if (name == "stiffness") return found.push_back({key, "", why, hint});
                const std::string property(property_of(name));
                found.push_back(
                    {key, "",
                     "is missing: it cannot be computed, because the case gives no shapes and "
                     "materials",
                     "give " + key +
                         (is_given(each, property) ? " in place of " + property : std::string())});
            });
        },
        law);
    return found;
}

void append_missing(const std::vector<core::Violation>& missing,
                    std::vector<core::Violation>& found) {
    for (const core::Violation& each : missing) {
        const std::size_t name = each.key.rfind('.') + 1;
        const std::string path = each.key.substr(0, name);
        const std::string_view property = property_of(std::string_view(each.key).substr(name));
        std::erase_if(found, [&](const core::Violation& other) {
            return other.key == each.key ||
                   (!property.empty() && other.key == path + std::string(property));
        });
    }
    core::append(missing, found);
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
