#include <models/compliant_contact.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

#include <fmt/format.h>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/text.hpp>

namespace stoss::models {

namespace {

using Violations = std::vector<core::Violation>;

void check_rest(const BodyKeys& keys, const std::string& path, Violations& found) {
    if (!std::isinf(keys.mass)) return;
    const auto moves = [](double value) { return value != 0.0; };
    const std::pair<const char*, const std::vector<double>*> rates[] = {
        {"velocity", &keys.velocity}, {"angular_velocity", &keys.angular_velocity}};
    for (const auto& [name, values] : rates) {
        if (std::none_of(values->begin(), values->end(), moves)) continue;
        found.push_back({fmt::format("{}.{}", path, name),
                         fmt::format("[{}]", fmt::join(*values, ", ")),
                         "must be zero for a body of infinite mass",
                         "take the velocities relative to that body"});
    }
}

void check_law(const CompliantContact& compliant, Violations& found) {
    core::append(check(compliant.contact, "contact"), found);
    append_missing(check_without_bodies(compliant.contact.law, "contact"), found);
    std::visit(
        [&]<class L>(const L& law) {
            if constexpr (!requires { law.stiffness; })
                found.push_back({"contact.law", std::string(L::name),
                                 "must be a law with a `stiffness` that can be raised", ""});
        },
        compliant.contact.law);
}

/// What is wrong with the law at each of the factors. Precondition: nothing is at the factor 1.
void check_raised_laws(const CompliantContact& compliant, Violations& found) {
    for (const double factor : compliant.stiffness_factors) {
        const contact::Law raised = compliant.law(factor);
        Violations of_law = check({raised, compliant.contact.separation}, "contact");
        if (of_law.empty()) of_law = check_with_bodies(raised, "contact");
        for (const core::Violation& each : of_law) {
            found.push_back({"stiffness_factors", core::to_text(factor),
                             fmt::format("gives a law that cannot act: {}, {}, {}", each.key,
                                         each.value, each.rule),
                             each.suggestion});
        }
    }
}

}  // namespace

contact::Law CompliantContact::law(double factor) const {
    contact::Law stiffer = contact.law;
    std::visit(
        [&](auto& each) {
            if constexpr (requires { each.stiffness; }) each.stiffness = *each.stiffness * factor;
            if constexpr (requires { each.unloading_stiffness; }) {  // e = sqrt(k1/k2) stays
                if (each.unloading_stiffness) *each.unloading_stiffness *= factor;
            }
        },
        stiffer);
    return stiffer;
}

impact::CompliantImpact CompliantContact::impact(const GivenBodies& bodies) const {
    impact::CompliantImpact impact;
    impact.first = bodies.first_body();
    impact.second = bodies.second_body();
    impact.frame = bodies.contact_frame();
    impact.mu = mu;
    impact.separation = contact.separation;
    impact.friction = friction;
    impact.steps_per_radian = steps_per_radian;
    return impact;
}

std::vector<core::Violation> check(const GivenBodies& bodies, const CompliantContact& compliant) {
    Violations found = check(bodies);
    const auto& factors = compliant.stiffness_factors;
    if (factors.empty() || !std::is_sorted(factors.begin(), factors.end(), std::less_equal<>())) {
        found.push_back({"stiffness_factors", fmt::format("[{}]", fmt::join(factors, ", ")),
                         "must hold at least one number and rise from one to the next", ""});
    }
    const std::size_t before = found.size();
    check_law(compliant, found);
    if (found.size() == before) check_raised_laws(compliant, found);
    check_rest(bodies.first, "first", found);
    if (bodies.second) check_rest(*bodies.second, "second", found);
    if (!found.empty()) return found;
    const rigid::ContactFrame frame = bodies.contact_frame();
    found = rigid::violations(frame, rigid::FrameRule::orthonormal, "frame");
    if (!found.empty()) return found;
    const double b_n = contact_problem(bodies.first_body(), bodies.second_body(), frame, 0.0).b.n;
    if (!(b_n > 0.0)) {
        found.push_back({"frame.normal", fmt::format("b_n = {} m/s", b_n),
                         "the bodies must approach each other at the contact point",
                         "n points from the second body to the first"});
    }
    return found;
}

CompliantContact ImpactHypotheses::compliant() const {
    CompliantContact compliant;
    compliant.mu = mu;
    compliant.contact = contact;
    compliant.friction = friction;
    compliant.steps_per_radian = steps_per_radian;
    compliant.stiffness_factors = {1.0};
    return compliant;
}

std::vector<core::Violation> check(const GivenBodies& bodies, const ImpactHypotheses& hypotheses) {
    return check(bodies, hypotheses.compliant());
}

}  // namespace stoss::models
