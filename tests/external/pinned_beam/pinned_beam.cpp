// A pinned aluminium beam swings against a fixed cylinder: the coefficient of restitution along it.
#include <cstdio>
#include <numbers>
#include <vector>

#include <stoss/contact/geometry.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/fem/beam_mesh.hpp>
#include <stoss/fem/constraints.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/modal/modal_basis.hpp>
#include <stoss/modal/modal_body.hpp>

int main() {
    using namespace stoss;

    // The beam: solid circular section, pinned near its left end. SI units everywhere.
    const double length = 0.508, radius = 6.35e-3, pin = 0.0375 * length;
    const double modulus = 68.3e9, poisson_ratio = 0.34, density = 2710.0;
    const double area = std::numbers::pi * radius * radius;
    fem::BeamProperties properties;
    properties.length = length;
    properties.bending_stiffness = modulus * area * radius * radius / 4.0;
    properties.mass_per_length = density * area;

    // Its 25 lowest modes, once; they serve every place.
    const fem::BeamMesh mesh(length, 80);
    const std::vector<fem::Support> supports{{pin, fem::SupportKind::pin}};
    const fem::SupportedBeam beam = fem::support(mesh, fem::assemble(mesh, properties), supports,
                                                 fem::ConstraintMethod::elimination);
    modal::ModalOptions options;
    options.modes = 25;
    options.eigenvalue_scale = properties.bending_stiffness /
                               (properties.mass_per_length * length * length * length * length);
    modal::ModalBasis basis = modal::modal_basis(beam.matrices.mass, beam.matrices.stiffness,
                                                 beam.matrices.damping, beam.rigid_shapes, options);
    basis.shapes = beam.expand(basis.shapes);

    // The cylinder does not move, and Hertz's law joins it to the beam.
    const modal::ModalBody cylinder = modal::point_mass(core::infinity);
    contact::Hertz hertz;
    const contact::Gap gap = contact::gap_between(
        contact::cylinder(radius), contact::cylinder(radius), 0.5 * std::numbers::pi);
    hertz.stiffness = contact::elliptical_stiffness(
        contact::effective_modulus(modulus, poisson_ratio, modulus, poisson_ratio), gap);
    const impact::ContactSetup contact{hertz};

    // Eleven collisions on all cores. Each writes to a place of its own.
    const double angular_velocity = -6.0, time_limit = 1.0;
    std::vector<impact::CollisionResult> results(11);
    const auto place = [&](std::size_t i) {
        return (0.2 + 0.08 * static_cast<double>(i)) * length;
    };
    const auto strike = [&](std::size_t i) {
        const modal::ModalBody struck = modal::modal_body(basis, mesh.interpolation(place(i)));
        const double rate = angular_velocity * (place(i) - pin) / struck.phi.front();
        results[i] =
            impact::collide({struck, {rate}}, {cylinder, {}}, contact, time::Newmark{}, time_limit);
    };
    core::parallel_for(results.size(), 0, strike, {});

    std::puts("xi    restitution  sub-impacts  separation");
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (results[i].status != impact::Status::separated) return 1;
        std::printf("%.2f  %.6f  %11zu  %7.4f ms\n", place(i) / length, results[i].cor_kinematic,
                    results[i].sub_impacts.size(), 1e3 * results[i].separation);
    }
}
