#include <models/beam_matrices.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>
#include <models/steep_sections.hpp>
#include <stoss/core/text.hpp>

namespace stoss::models {

fem::BeamProperties properties_of(const Beam& beam, double xi) {
    const Material& material = beam.material_at(xi);
    const SectionProperties section = beam.section.properties(xi);
    fem::BeamProperties properties{beam.length, material.youngs_modulus * section.second_moment,
                                   material.density * section.area, beam.external_damping,
                                   beam.internal_damping * section.second_moment};
    if (beam.has_shear()) {
        const double shear_modulus =
            material.youngs_modulus / (2.0 * (1.0 + material.poisson_ratio));
        properties.rotary_inertia = material.density * section.second_moment;
        properties.shear_stiffness =
            beam.shear_coefficient(xi).value() * shear_modulus * section.area;
        properties.shear_damping =
            beam.internal_damping / material.youngs_modulus * properties.shear_stiffness;
    }
    return properties;
}

namespace {

/// True if M is a multiple of the integral of w w^T.
bool has_one_mass_per_length(const Beam& beam) {
    const auto is_other = [&](const MaterialFrom& each) {
        return each.material.density != beam.material.density;
    };
    const auto is_there = [](const PointMass& each) {
        return each.mass > 0.0 || each.inertia > 0.0;
    };
    const auto is_off_axis = [](const Support& each) { return each.offset != 0.0; };
    return beam.section.is_uniform() && std::ranges::none_of(beam.materials, is_other) &&
           std::ranges::none_of(beam.masses, is_there) && !beam.has_shear() &&
           std::ranges::none_of(beam.supports, is_off_axis);
}

/// True if K is a multiple of the stiffness of all sections at E = 1.
bool has_one_modulus(const Beam& beam) {
    const auto is_other = [&](const MaterialFrom& each) {
        return each.material.youngs_modulus != beam.material.youngs_modulus;
    };
    return std::ranges::none_of(beam.materials, is_other) && beam.springs.empty();
}

}  // namespace

std::optional<core::Violation> coupling_damping(const Beam& beam, const std::string& key) {
    if (beam.external_damping > 0.0 && !has_one_mass_per_length(beam))
        return core::Violation{key + "external_damping",
                               core::with_unit(beam.external_damping, "N s/m^2"),
                               "is not proportional to the mass and couples the modes", ""};
    if (beam.internal_damping > 0.0 && !has_one_modulus(beam))
        return core::Violation{key + "internal_damping",
                               core::with_unit(beam.internal_damping, "Pa s"),
                               "is not proportional to the stiffness and couples the modes", ""};
    return std::nullopt;
}

std::optional<core::Violation> what_couples_modes(const Beam& beam, const std::string& key) {
    if (beam.dashpots.empty()) return coupling_damping(beam, key);
    return core::Violation{key + "dashpots", "", "couple the modes", ""};
}

std::vector<fem::NodeProperties> nodes_with_more(const Beam& beam, const fem::BeamMesh& mesh) {
    std::vector<fem::NodeProperties> nodes;
    const auto node = [&](double xi) { return mesh.node_at(xi * mesh.length()).value(); };
    for (const PointMass& each : beam.masses) {
        nodes.push_back({node(each.xi), each.mass, each.inertia, 0.0, 0.0});
    }
    for (const Support& each : beam.supports) {
        if (each.offset != 0.0)
            nodes.push_back({node(each.xi), 0.0, beam.axial_inertia(each), 0.0, 0.0});
    }
    for (const SpringSupport& each : beam.springs) {
        nodes.push_back({node(each.xi), 0.0, 0.0, each.translation, each.rotation});
    }
    return nodes;
}

fem::BeamMatrices free_matrices(const Beam& beam, const fem::BeamMesh& mesh,
                                const std::vector<fem::NodeProperties>& nodes) {
    fem::BeamMatrices matrices =
        beam.is_uniform()
            ? fem::assemble(mesh, properties_of(beam, 0.0))
            : fem::assemble(mesh, [&](double x) { return properties_of(beam, x / beam.length); });
    fem::add(mesh, matrices, nodes);
    return matrices;
}

std::vector<fem::Support> fem_supports(const Beam& beam) {
    std::vector<fem::Support> supports;
    for (const Support& support : beam.supports) {
        if (support.type == SupportType::free) continue;
        const auto kind = support.type == SupportType::pin     ? fem::SupportKind::pin
                          : support.type == SupportType::clamp ? fem::SupportKind::clamp
                                                               : fem::SupportKind::slider;
        supports.push_back({support.xi * beam.length, kind});
    }
    return supports;
}

std::vector<std::pair<std::string, double>> points_on_nodes(const Beam& beam) {
    std::vector<std::pair<std::string, double>> points;
    const auto add = [&](std::string_view key, const auto& list) {
        for (std::size_t i = 0; i < list.size(); ++i)
            points.emplace_back(fmt::format("beam.{}[{}].xi", key, i), list[i].xi);
    };
    add("supports", beam.supports);
    add("springs", beam.springs);
    add("dashpots", beam.dashpots);
    add("masses", beam.masses);
    add("materials", beam.materials);
    if (const auto* profile = std::get_if<Profile>(&beam.section.shape)) {
        add("section.stations", profile->stations);
    }
    return points;
}

fem::BeamMesh mesh_of(const Beam& beam, const Mesh& options) {
    std::vector<double> places = nodes_in_steep_sections(beam, options.elements);
    for (const auto& point : points_on_nodes(beam)) places.push_back(point.second * beam.length);
    return fem::BeamMesh(
        beam.length, options.elements,
        beam.has_shear() ? fem::BeamTheory::timoshenko : fem::BeamTheory::euler_bernoulli,
        std::move(places));
}

fem::SupportedBeam supported_beam(const Beam& beam, const Mesh& options) {
    const fem::BeamMesh mesh = mesh_of(beam, options);
    const std::vector<fem::NodeProperties> nodes = nodes_with_more(beam, mesh);
    return fem::support(mesh, free_matrices(beam, mesh, nodes), fem_supports(beam),
                        options.constraints, options.penalty_factor, nodes);
}

std::vector<Eigen::Index> held_freedoms(const Beam& beam, const fem::BeamMesh& mesh,
                                        const Mesh& options) {
    if (options.constraints == fem::ConstraintMethod::penalty) return {};
    return fem::held_freedoms(mesh, fem_supports(beam));
}

fem::BeamMatrices whole_matrices(const Beam& beam, const fem::BeamMesh& mesh, const Mesh& options) {
    return options.constraints == fem::ConstraintMethod::penalty
               ? supported_beam(beam, options).matrices
               : free_matrices(beam, mesh, nodes_with_more(beam, mesh));
}

namespace {

/// The coefficients of all matrices that a beam of another length has in scaled freedoms.
fem::BeamProperties scaled_properties(const Beam& beam, double xi, double length) {
    fem::BeamProperties scaled = properties_of(beam, xi);
    const double ratio = beam.length / length, cube = ratio * ratio * ratio;
    scaled.mass_per_length *= ratio;
    scaled.external_damping *= ratio;
    scaled.bending_stiffness /= cube;
    scaled.internal_damping /= cube;
    scaled.rotary_inertia /= ratio;
    scaled.shear_stiffness /= ratio;
    scaled.shear_damping /= ratio;
    return scaled;
}

constexpr std::array coefficients{
    &fem::BeamProperties::bending_stiffness, &fem::BeamProperties::mass_per_length,
    &fem::BeamProperties::external_damping,  &fem::BeamProperties::internal_damping,
    &fem::BeamProperties::rotary_inertia,    &fem::BeamProperties::shear_stiffness,
    &fem::BeamProperties::shear_damping};

}  // namespace

fem::BeamMatrices matrix_slopes(const fem::BeamMesh& mesh, const core::Stencil& stencil,
                                std::span<const Beam> beams) {
    const double length = mesh.length();
    const auto slopes_at = [&](double xi) {
        fem::BeamProperties slopes;
        slopes.length = length;
        const fem::BeamProperties first = scaled_properties(beams.front(), xi, length);
        std::array<bool, coefficients.size()> changes{};
        for (std::size_t i = 0; i < beams.size(); ++i) {
            const fem::BeamProperties at = scaled_properties(beams[i], xi, length);
            for (std::size_t c = 0; c < coefficients.size(); ++c) {
                slopes.*coefficients[c] += stencil.weight(i) * at.*coefficients[c];
                changes[c] |= at.*coefficients[c] != first.*coefficients[c];
            }
        }
        for (std::size_t c = 0; c < coefficients.size(); ++c)
            if (!changes[c]) slopes.*coefficients[c] = 0.0;  // not the roundoff of the weights
        return slopes;
    };
    fem::BeamMatrices slopes =
        beams.front().is_uniform()
            ? fem::assemble(mesh, slopes_at(0.0))
            : fem::assemble(mesh, [&](double x) { return slopes_at(x / length); });
    for (std::size_t i = 0; i < beams.size(); ++i) {
        const double ratio = beams[i].length / length, weight = stencil.weight(i);
        std::vector<fem::NodeProperties> nodes = nodes_with_more(beams[i], mesh);
        for (fem::NodeProperties& each : nodes) {
            each.mass *= weight;
            each.translation_stiffness *= weight;
            each.inertia *= weight / (ratio * ratio);
            each.rotation_stiffness *= weight / (ratio * ratio);
        }
        fem::add(mesh, slopes, nodes);
    }
    return slopes;
}

}  // namespace stoss::models
