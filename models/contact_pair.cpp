#include <models/contact_pair.hpp>

namespace stoss::models {

namespace {

contact::Gap gap_of(const ImpactBody& body, const ImpactPartner& target) {
    const auto surface = [](const auto& shape) { return shape.surface(); };
    return contact::gap_between(std::visit(surface, body.shape), std::visit(surface, target.shape),
                                target.crossing_angle);
}

template <class Shape>
std::optional<double> mass_of(const Shape& shape, const Material& material) {
    const auto volume = std::visit([](const auto& each) { return each.volume(); }, shape);
    if (!volume) return std::nullopt;
    return *volume * material.density;
}

}  // namespace

std::optional<double> effective_mass(const ImpactBody& body, const ImpactPartner& target) {
    const auto own = mass_of(body.shape, body.material);
    const auto other = target.fixed
                           ? std::nullopt
                           : mass_of(target.shape, target.material.value_or(body.material));
    if (!own) return other;
    if (!other) return own;
    return *own * *other / (*own + *other);
}

contact::ContactBodies contact_bodies(const ImpactBody& body, const ImpactPartner& target) {
    const Material& own = body.material;
    const Material other = target.material.value_or(own);
    const double modulus = contact::effective_modulus(own.youngs_modulus, own.poisson_ratio,
                                                      other.youngs_modulus, other.poisson_ratio);
    const contact::Gap gap = gap_of(body, target);
    return {modulus, contact::gaussian_radius(gap), contact::elliptical_stiffness(modulus, gap)};
}

std::vector<core::Violation> check(const ImpactBody& body, const ImpactPartner& target) {
    std::vector<core::Violation> found;
    if (!effective_mass(body, target))
        found.push_back({"mass", "", "is missing: neither body has a mass",
                         "give mass, or the length of a cylinder"});
    if (!(gap_of(body, target).smaller > 0.0))
        found.push_back({"target", "",
                         "touches the body along a line, for which no stiffness can be computed",
                         "let a sphere touch the plane, or cross two cylinders"});
    return found;
}

}  // namespace stoss::models
