#include <models/single_impact.hpp>

#include <algorithm>
#include <string>
#include <type_traits>
#include <variant>

#include <fmt/format.h>
#include <models/compliant_spheres.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/text.hpp>

namespace stoss::models {

namespace {

/// What a law gives already of that which `wanted` decides.
template <class L>
std::vector<core::Violation> check_given(const L& law, const impact::Wanted& wanted) {
    const std::string_view damping = impact::damping_key(law);
    const bool wants_time = wanted.contact_time.has_value();
    const bool wants_stiffness = wants_time || wanted.peak_overlap.has_value();
    std::vector<core::Violation> violations;
    core::for_each_field<L>([&](const auto& field) {
        const auto& value = law.*field.member;
        using Value = std::decay_t<decltype(value)>;
        const auto refuse = [&](std::string text, std::string rule) {
            violations.push_back({fmt::format("contact.{}", field.name), std::move(text),
                                  std::move(rule), "leave it out"});
        };
        if constexpr (std::is_same_v<Value, std::optional<double>>) {
            if (!value) return;
            const std::string text = core::with_unit(*value, field.unit);
            if (field.name == damping)
                refuse(text, "is the unknown of this problem: it follows from `cor`");
            if (field.name == "restitution")
                refuse(text,
                       "cannot be given together with `cor`: both are the wanted restitution");
            if (field.name == "stiffness" && wants_stiffness)
                refuse(text, fmt::format("is the unknown of this problem: it follows from `{}`",
                                         wants_time ? "contact_time" : "peak_overlap"));
        } else if constexpr (std::is_enum_v<Value>) {
            if (field.name == "rule" && core::name_of(value) != "exact")
                refuse(std::string(core::name_of(value)),
                       "is not used: the damping is calibrated to give `cor` exactly");
        }
    });
    return violations;
}

}  // namespace

std::optional<double> SingleImpact::effective_mass() const {
    if (mass) return *mass;
    return body ? models::effective_mass(*body, target) : std::nullopt;
}

std::optional<double> SingleImpact::smaller_radius() const {
    if (!body) return std::nullopt;
    double smallest =
        std::visit([](const auto& shape) -> double { return shape.radius; }, body->shape);
    if (const auto* const sphere = std::get_if<SolidSphere>(&target.shape))
        smallest = std::min<double>(smallest, sphere->radius);
    if (const auto* const cylinder = std::get_if<SolidCylinder>(&target.shape))
        smallest = std::min<double>(smallest, cylinder->radius);
    return smallest;
}

std::optional<double> SingleImpact::effective_radius() const {
    return std::visit(
        [](const auto& law) -> std::optional<double> {
            if constexpr (requires { law.effective_radius; }) return law.effective_radius;
            return std::nullopt;
        },
        contact.law);
}

double SingleImpact::share_of_radius(double overlap) const {
    const std::optional<double> smaller = smaller_radius();
    return overlap / (smaller ? *smaller : effective_radius().value_or(core::infinity));
}

contact::Law SingleImpact::law() const {
    if (!body) return contact.law;
    contact::Law law = with_materials(contact.law, *body, target);
    const contact::ContactBodies bodies = contact_bodies(*body, target);
    std::visit([&](auto& each) { contact::set_from_bodies(each, bodies); }, law);
    return law;
}

std::vector<core::Violation> check_load(const SingleImpact& parameters) {
    if (parameters.body) {
        auto found = check(*parameters.body, parameters.target, parameters.contact.law);
        if (parameters.mass)
            std::erase_if(found, [](const core::Violation& each) { return each.key == "mass"; });
        if (!found.empty()) return found;
    }
    if (!parameters.effective_mass())
        return {
            {"mass", "", "is missing", "give it, or give `body` (shape, material) and `target`"}};
    return impact::check(parameters.impact());
}

std::vector<core::Violation> check(const SingleImpact& parameters) {
    auto violations = check_load(parameters);
    ContactParameters contact = parameters.contact;
    if (parameters.body)
        contact.law = with_materials(contact.law, *parameters.body, parameters.target);
    core::append(check(contact, "contact"), violations);
    if (parameters.body)
        core::append(check_geometric_stiffness(contact.law, "contact"), violations);
    else
        append_missing(check_without_bodies(contact.law, "contact"), violations);
    if (parameters.body && violations.empty())
        violations = check_with_bodies(parameters.law(), "contact");
    return violations;
}

std::vector<core::Violation> check_wanted(const ContactParameters& contact,
                                          const impact::Wanted& wanted) {
    auto violations = impact::check(contact.law, wanted);
    for (core::Violation& violation : violations) {
        if (violation.key == "law") violation.key = "contact.law";
    }
    if (impact::damping_key(contact.law).empty()) return violations;
    core::append(std::visit([&](const auto& law) { return check_given(law, wanted); }, contact.law),
                 violations);
    return violations;
}

std::vector<core::Violation> check_calibration(const SingleImpact& parameters,
                                               const impact::Wanted& wanted) {
    auto violations = check_wanted(parameters.contact, wanted);
    const contact::Law& law = parameters.contact.law;
    auto missing = parameters.body ? check_geometric_stiffness(law, "contact")
                                   : check_without_bodies(law, "contact", "is missing",
                                                          "give it, `body` and `target`, or "
                                                          "contact_time or peak_overlap");
    if (wanted.contact_time || wanted.peak_overlap)
        std::erase_if(missing, [](const auto& each) { return each.key == "contact.stiffness"; });
    append_missing(missing, violations);
    return violations;
}

}  // namespace stoss::models
