#include <models/contact_pair.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <models/law_materials.hpp>
#include <stoss/core/elementary.hpp>

namespace stoss::models {

namespace {

contact::Gap gap_of(const ImpactBody& body, const ImpactPartner& target) {
    const auto surface = [](const auto& shape) { return shape.surface(); };
    return contact::gap_between(std::visit(surface, body.shape), std::visit(surface, target.shape),
                                target.crossing_angle);
}

template <class Shape>
std::optional<double> volume_of(const Shape& shape) {
    return std::visit([](const auto& each) { return each.volume(); }, shape);
}

/// Material of the target: its own, or that of the body.
StrikerMaterial material_of(const ImpactPartner& target, const ImpactBody& body) {
    return target.material.value_or(body.material);
}

/// Mass of the target [kg]; none if it does not move, or without a density.
std::optional<double> mass_of(const ImpactPartner& target, const ImpactBody& body) {
    const auto volume = volume_of(target.shape);
    const auto density = material_of(target, body).density;
    if (target.fixed || !volume || !density) return std::nullopt;
    return *volume * *density;
}

/// Two cylinders with parallel axes; none for other shapes, or without a length.
std::optional<contact::LineContact> line_contact(const ImpactBody& body,
                                                 const ImpactPartner& target) {
    const auto* const first = std::get_if<SolidCylinder>(&body.shape);
    const auto* const second = std::get_if<SolidCylinder>(&target.shape);
    if (first == nullptr || second == nullptr || target.crossing_angle != 0.0) return std::nullopt;
    if (!first->length && !second->length) return std::nullopt;
    const auto compliance = [](const SurfaceMaterial& of) {
        return (1.0 - of.poisson_ratio * of.poisson_ratio) / of.youngs_modulus;
    };
    const double own = compliance(surface_of(body.material));
    const double share = own / (own + compliance(material_of(target, body)));
    const double mean =
        share * core::log(first->radius) + (1.0 - share) * core::log(second->radius);
    return contact::LineContact{
        std::min(first->length.value_or(core::infinity), second->length.value_or(core::infinity)),
        core::exp(mean)};
}

std::optional<double> hollow_radius(const ImpactPartner& target) {
    if (const auto* const socket = std::get_if<SphericalSocket>(&target.shape))
        return double{socket->radius};
    if (const auto* const groove = std::get_if<CylindricalGroove>(&target.shape))
        return double{groove->radius};
    return std::nullopt;
}

std::string shape_name(const ImpactPartner& target) {
    return std::string(std::visit([]<class S>(const S&) { return S::name; }, target.shape));
}

}  // namespace

std::optional<double> effective_mass(const ImpactBody& body, const ImpactPartner& target) {
    const auto volume = volume_of(body.shape);
    const auto other = mass_of(target, body);
    if (!volume) return other;
    const double own = *volume * body.material.density;
    return other ? own * *other / (own + *other) : own;
}

contact::ContactBodies contact_bodies(const ImpactBody& body, const ImpactPartner& target) {
    const Material& own = body.material;
    const StrikerMaterial other = material_of(target, body);
    const double modulus = contact::effective_modulus(own.youngs_modulus, own.poisson_ratio,
                                                      other.youngs_modulus, other.poisson_ratio);
    const contact::Gap gap = gap_of(body, target);
    if (gap.smaller > 0.0)
        return {modulus, contact::gaussian_radius(gap),
                contact::elliptical_stiffness(modulus, gap)};
    return {modulus, 1.0 / gap.larger, 0.0, line_contact(body, target)};
}

contact::Law with_materials(contact::Law law, const ImpactBody& body, const ImpactPartner& target) {
    return with_materials(std::move(law), surface_of(body.material), material_of(target, body));
}

std::vector<core::Violation> check(const ImpactBody& body, const ImpactPartner& target,
                                   const contact::Law& law) {
    std::vector<core::Violation> found;
    if (!target.fixed && volume_of(target.shape) && !material_of(target, body).density)
        found.push_back({"mass", "", "is missing: the target has no density",
                         "give target.material.density, target.fixed: true, or mass"});
    else if (!effective_mass(body, target))
        found.push_back({"mass", "", "is missing: neither body has a mass",
                         "give mass, or the length of a cylinder"});
    const contact::Gap gap = gap_of(body, target);
    const bool along_line = std::holds_alternative<contact::ParallelCylinders>(law);
    if (gap.smaller < 0.0 || !(gap.larger > 0.0)) {
        found.push_back({"target.shape", shape_name(target),
                         "is not wider than the body, which would touch it around its edge, not "
                         "at a point",
                         "give a radius larger than that of the body; a cylinder does not fit"});
    } else if (along_line && !line_contact(body, target)) {
        found.push_back({"contact.law", "parallel_cylinders",
                         "is for two cylinders with parallel axes, and a length",
                         "give body and target the shape cylinder, crossing_angle: 0, and at least "
                         "one of them a length"});
    } else if (!along_line && !(gap.smaller > 0.0)) {
        found.push_back({"target", "",
                         "touches the body along a line, for which no stiffness can be computed",
                         "let a sphere touch the plane, cross two cylinders, or use the law "
                         "parallel_cylinders for parallel ones"});
    }
    return found;
}

bool is_hollow(const ImpactPartner& target) {
    return hollow_radius(target).has_value();
}

std::vector<core::Violation> check_width(const ImpactBody& body, const ImpactPartner& target,
                                         double force) {
    const auto hollow = hollow_radius(target);
    const auto* const ball = std::get_if<SolidSphere>(&body.shape);
    if (!hollow || ball == nullptr) return {};
    const contact::ContactBodies bodies = contact_bodies(body, target);
    const double a =
        contact::unit_contact_ellipse(bodies.modulus, gap_of(body, target)).under(force).a;
    const double own = a / ball->radius, other = a / *hollow;
    const double missed = 0.25 * (own * own + own * other + other * other);
    if (missed <= 0.05) return {};
    return {{"target.shape", shape_name(target),
             fmt::format("fits the body too closely for Hertz's theory: under {:.3g} N the contact "
                         "is {:.3g} m wide on each side, and the gap at its edge differs from that "
                         "of the theory by {:.1f} % (limit 5 %)",
                         force, a, 100.0 * missed),
             "give a wider hollow, a slower body, or a table of measured forces"}};
}

}  // namespace stoss::models
