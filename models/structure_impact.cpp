#include <models/structure_impact.hpp>

#include <cmath>
#include <numbers>
#include <string>

#include <models/compliant_spheres.hpp>
#include <models/granular.hpp>
#include <stoss/contact/geometry.hpp>

namespace stoss::models {

double InfinitePlate::bending_stiffness() const {
    const double nu = material.poisson_ratio;
    return material.youngs_modulus * thickness * thickness * thickness / (12.0 * (1.0 - nu * nu));
}

double StructureImpact::striker_mass() const {
    return mass ? *mass : mass_of(sphere.radius, sphere.material.density);
}

double StructureImpact::contact_stiffness() const {
    if (stiffness) return *stiffness;
    return std::visit(
        [&](const auto& structure) {
            const double modulus = contact::effective_modulus(
                sphere.material.youngs_modulus, sphere.material.poisson_ratio,
                structure.material.youngs_modulus, structure.material.poisson_ratio);
            return contact::elliptical_stiffness(
                modulus,
                contact::gap_between(structure.surface(), contact::sphere(sphere.radius), 0.0));
        },
        target.shape);
}

double StructureImpact::time_scale() const {
    return impact::hertz_time_scale(striker_mass(), contact_stiffness(), speed);
}

double StructureImpact::parameter() const {
    return std::visit(
        [&]<class S>(const S& structure) {
            const auto parameter_of = S::structure == impact::InfiniteStructure::plate
                                          ? impact::plate_parameter
                                          : impact::beam_parameter;
            return parameter_of(striker_mass(), time_scale(), structure.inertia(),
                                structure.bending_stiffness());
        },
        target.shape);
}

std::vector<core::Violation> check(const StructureImpact& parameters) {
    const auto* const beam = std::get_if<InfiniteBeam>(&parameters.target.shape);
    if (beam == nullptr) return {};
    if (beam->section.is_uniform()) return check(beam->section, "target.section");
    return {{"target.section", "",
             "must be constant: the beam has no ends to which a profile could refer",
             "use a shape such as `circle` or `rectangle`"}};
}

StructureImpactResult impact_on_structure(const StructureImpact& parameters) {
    const double time = parameters.time_scale(), parameter = parameters.parameter();
    const auto structure =
        std::visit([]<class S>(const S&) { return S::structure; }, parameters.target.shape);
    const impact::InfiniteImpact scaled = impact::infinite_impact(structure, parameter);
    // The same for all structures: at parameter 0 nothing moves but the sphere.
    static const impact::InfiniteImpact on_rigid = impact::infinite_impact(structure, 0.0);
    const double diffusivity = std::visit(
        [](const auto& each) { return std::sqrt(each.bending_stiffness() / each.inertia()); },
        parameters.target.shape);
    const double duration = scaled.duration * time;
    const double edge_distance = std::sqrt(std::numbers::pi * diffusivity * duration);
    return {parameter,
            scaled.cor,
            scaled.cor_error,
            duration,
            scaled.peak_force * parameters.striker_mass() * parameters.speed / time,
            scaled.peak_overlap * parameters.speed * time,
            scaled.duration / on_rigid.duration,
            scaled.peak_force / on_rigid.peak_force,
            edge_distance,
            2.0 * edge_distance};
}

}  // namespace stoss::models
