// Beams whose distributed damping couples the modes, against other computations of the same beams.

#include <models/beam_model.hpp>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>
#include <vector>

#include <stoss/modal/coupled_modes.hpp>

namespace {

using namespace stoss;
using Complex = std::complex<double>;

/// A cantilever of aluminium with a heavy mass, and a sphere at its tip.
models::BeamCollision heavy_cantilever() {
    models::BeamCollision parameters;
    models::Beam& beam = parameters.beam;
    beam.length = 0.5;
    beam.section.shape = models::Rectangle{0.02, 0.01};
    beam.material = {70e9, 0.3, 2700.0};
    beam.supports = {{models::SupportType::clamp, 0.0}};
    beam.masses = {{.xi = 0.6, .mass = 1.0}};
    parameters.striker.shape = models::Sphere{0.01};
    parameters.striker.material = {210e9, 0.3};
    parameters.striker.mass = 0.3;
    parameters.striker.velocity = 1.0;
    contact::Hertz law;
    law.stiffness = 1e7;
    parameters.contact.law = law;
    parameters.mesh.modes = 20;
    parameters.mesh.elements = 120;
    return parameters;
}

double restitution(const models::BeamCollision& parameters, double xi) {
    const auto result = models::BeamModel(parameters).collide(xi);
    EXPECT_EQ(result.status, impact::Status::separated);
    return result.cor_kinematic;
}

/// The same with the external damping as dashpots at the middles of `count` equal parts.
models::BeamCollision on_dashpots(models::BeamCollision parameters, int count) {
    models::Beam& beam = parameters.beam;
    const double each = std::exchange(beam.external_damping, 0.0) * beam.length / count;
    for (int i = 0; i < count; ++i)
        beam.dashpots.push_back({.xi = (i + 0.5) / count, .translation = each});
    return parameters;
}

/// The error of the row falls with the square of the distance of the dashpots.
void expect_limit_of_dashpots(const models::BeamCollision& parameters, double xi) {
    const double damped = restitution(parameters, xi);
    const double row = restitution(on_dashpots(parameters, 30), xi);
    const double finer = restitution(on_dashpots(parameters, 60), xi);
    EXPECT_NEAR((row - damped) / (finer - damped), 4.0, 0.2);
    EXPECT_NEAR(damped, finer + (finer - row) / 3.0, 1e-6);
}

TEST(CoupledDamping, ExternalDampingIsTheLimitOfARowOfDashpots) {
    for (const double damping : {5.0, 50.0, 200.0}) {
        models::BeamCollision parameters = heavy_cantilever();
        parameters.beam.external_damping = damping;
        expect_limit_of_dashpots(parameters, 1.0);
    }
}

/// Translation and rotation are coupled as strongly as they are damped.
TEST(CoupledDamping, ExternalDampingOfAFreeBeamIsARowOfDashpots) {
    models::BeamCollision parameters = heavy_cantilever();
    parameters.beam.supports.clear();
    parameters.beam.external_damping = 1000.0;
    const double damped = restitution(parameters, 0.1);
    EXPECT_NEAR(damped, restitution(on_dashpots(parameters, 60), 0.1), 2e-7);
    EXPECT_NEAR(damped, 0.0824164, 1e-7);
}

/// Known from a time integration of finite elements with their full damping matrix.
TEST(CoupledDamping, TheHeavyCantileverReboundsAsFiniteElementsSay) {
    models::BeamCollision parameters = heavy_cantilever();
    parameters.beam.external_damping = 200.0;
    const auto result = models::BeamModel(parameters).collide(1.0);
    EXPECT_NEAR(result.cor_kinematic, 0.256936, 5e-6);
    EXPECT_LT(std::abs(result.energy.residual), 1e-6);
    EXPECT_NEAR(result.energy.structural_loss + result.energy.rigid + result.energy.vibration, 1.0,
                1e-6);
}

/// s [1/s] of all vibrations exp(s t) of finite elements, Im s > 0, by rising |s|.
std::vector<Complex> motions_of_elements(const models::Beam& beam, const models::Mesh& mesh) {
    const fem::BeamMatrices matrices = models::supported_beam(beam, mesh).matrices;
    const Eigen::Index n = matrices.mass.rows();
    const Eigen::LLT<Eigen::MatrixXd> mass{Eigen::MatrixXd(matrices.mass)};
    Eigen::MatrixXd damping = Eigen::MatrixXd::Zero(n, n);
    for (const auto& term : matrices.damping) damping += term;
    Eigen::MatrixXd motion = Eigen::MatrixXd::Zero(2 * n, 2 * n);
    const double rate = 1.0 / beam.time_scale();
    motion.topRightCorner(n, n) = rate * Eigen::MatrixXd::Identity(n, n);
    motion.bottomLeftCorner(n, n) = -mass.solve(Eigen::MatrixXd(matrices.stiffness)) / rate;
    motion.bottomRightCorner(n, n) = -mass.solve(damping);
    const Eigen::EigenSolver<Eigen::MatrixXd> solver(motion, false);
    std::vector<Complex> found;
    for (const Complex s : solver.eigenvalues())
        if (s.imag() > 1e-3 * rate) found.push_back(s);
    std::ranges::sort(found, {}, [](const Complex& s) { return std::abs(s); });
    return found;
}

/// All modes of a mesh move as its elements do.
void expect_motions_of_elements(models::Beam beam) {
    models::Mesh mesh;
    mesh.elements = 8;
    mesh.constraints = fem::ConstraintMethod::elimination;
    mesh.residual_flexibility = false;
    mesh.modes = static_cast<int>(models::supported_beam(beam, mesh).matrices.mass.rows());
    const models::BeamBody body(beam, mesh);
    ASSERT_GT(body.coupled_damping.size(), 0);
    ASSERT_GT(body.basis.damping_coupling, 1e-3);
    Eigen::MatrixXd damping = body.basis.damping.asDiagonal();
    damping += body.coupled_damping;
    const modal::CoupledModes modes(
        {body.basis.eigenvalues.data(), static_cast<std::size_t>(body.basis.modes())}, damping);
    std::vector<Complex> motions;
    for (const Complex s : modes.exponents())
        if (s.imag() > 1e-3 / beam.time_scale()) motions.push_back(s);
    const std::vector<Complex> expected = motions_of_elements(beam, mesh);
    ASSERT_EQ(motions.size(), expected.size());
    for (std::size_t i = 0; i < 5; ++i)
        EXPECT_LT(std::abs(motions[i] - expected[i]), 1e-6 * std::abs(expected[i])) << i;
}

TEST(CoupledDamping, AllModesMoveAsTheFiniteElements) {
    models::Beam plain = heavy_cantilever().beam;
    plain.masses.clear();

    models::Beam with_mass = plain;
    with_mass.masses = {{.xi = 0.625, .mass = 1.0, .inertia = 1e-4}};
    with_mass.external_damping = 50.0;
    expect_motions_of_elements(with_mass);
    with_mass.supports.clear();
    expect_motions_of_elements(with_mass);

    models::Beam of_two = plain;
    of_two.materials = {{.xi = 0.5, .material = {200e9, 0.3, 7800.0}}};
    of_two.internal_damping = 1e6;
    expect_motions_of_elements(of_two);

    models::Beam on_spring = plain;
    on_spring.springs = {{.xi = 1.0, .translation = 1e4}};
    on_spring.internal_damping = 1e6;
    expect_motions_of_elements(on_spring);

    models::Beam tapered = plain;
    tapered.section.shape =
        models::Profile{.stations = {{.xi = 0.0, .shape = models::Rectangle{0.02, 0.01}},
                                     {.xi = 1.0, .shape = models::Rectangle{0.02, 0.004}}}};
    tapered.external_damping = 50.0;
    expect_motions_of_elements(tapered);

    models::Beam stout = plain;
    stout.length = 0.1;
    stout.theory = models::Timoshenko{};
    stout.external_damping = 500.0;
    expect_motions_of_elements(stout);
}

/// A collision does not know which basis of the rigid modes it was given.
TEST(CoupledDamping, TheRigidModesMayBeAnyBasis) {
    models::BeamCollision parameters = heavy_cantilever();
    models::Beam& beam = parameters.beam;
    beam.supports.clear();
    beam.external_damping = 1000.0;
    const auto supported = models::supported_beam(beam, parameters.mesh);
    const fem::BeamMesh mesh = models::mesh_of(beam, parameters.mesh);
    const double scale = 1.0 / (beam.time_scale() * beam.time_scale());
    const auto restitution_with = [&](const Eigen::MatrixXd& rigid_shapes) {
        const auto& [mass, stiffness, damping] = supported.matrices;
        const modal::ModalBasis basis =
            modal::modal_basis(mass, stiffness, damping, rigid_shapes, {20, scale});
        modal::ModalBody body = modal::modal_body(basis, mesh.interpolation(0.1 * beam.length));
        body.coupled_damping = basis.coupling;
        const std::vector<double> at_rest{0.0, 0.0};
        const modal::ModalBody striker = modal::point_mass(0.3);
        const std::vector<double> moving{1.0 / striker.phi[0]};
        const impact::MovingBody second{striker, moving, {}, {}, {}};
        const auto result =
            impact::collide({body, at_rest, {}, {}, {}}, second,
                            models::BeamModel(parameters).contact_at(0.1), time::Splitting{}, 10.0);
        EXPECT_EQ(result.status, impact::Status::separated);
        return result.cor_kinematic;
    };
    const Eigen::MatrixXd& shapes = supported.rigid_shapes;
    Eigen::MatrixXd others = shapes;
    others.col(0) += 3.0 / beam.length * shapes.col(1);
    EXPECT_NEAR(restitution_with(others), restitution_with(shapes), 1e-9);
}

TEST(CoupledDamping, DampingThatIsProportionalCouplesNothing) {
    models::Beam beam = heavy_cantilever().beam;
    beam.masses.clear();
    beam.external_damping = 50.0;
    beam.internal_damping = 1e6;
    beam.materials = {{.xi = 0.5, .material = beam.material}};
    for (const auto method : {fem::ConstraintMethod::elimination, fem::ConstraintMethod::penalty}) {
        models::Mesh mesh;
        mesh.modes = 25;
        mesh.elements = 80;
        mesh.constraints = method;
        const models::BeamBody body(beam, mesh);
        EXPECT_EQ(body.coupled_damping.size(), 0);
        EXPECT_LT(body.basis.damping_coupling, 1e-6);
    }
}

/// 1e-3 N/m is no stiffness that the damping of the material could lack.
TEST(CoupledDamping, ANegligibleOneLeavesTheModesAsTheyAre) {
    models::BeamCollision parameters = heavy_cantilever();
    models::Beam& beam = parameters.beam;
    beam.supports.clear();
    beam.masses.clear();
    beam.springs = {{.xi = 0.0, .translation = 1e-3}, {.xi = 1.0, .translation = 1e-3}};
    beam.external_damping = 5.0;
    beam.internal_damping = 2e5;
    const models::BeamBody body(beam, parameters.mesh);
    EXPECT_GT(body.basis.damping_coupling, 0.0);
    EXPECT_EQ(body.coupled_damping.size(), 0);
}

/// A hard beam on a spring of 1 Hz is a mass on that spring, which does not matter in an impact.
TEST(SoftSprings, HoldABeamByAHertz) {
    models::BeamCollision parameters;
    models::Beam& beam = parameters.beam;
    beam.length = 0.06;
    beam.section.shape = models::Circle{0.006};
    beam.material = {210e9, 0.3, 7850.0};
    beam.theory = models::Timoshenko{};
    parameters.striker.shape = models::Sphere{0.005};
    parameters.striker.material = {210e9, 0.3, 7850.0};
    parameters.striker.velocity = 1.0;
    parameters.mesh.modes = 20;
    parameters.mesh.elements = 80;
    const auto on_spring = [&](double stiffness) {
        beam.springs = {{.xi = 0.5, .translation = stiffness}};
        return models::BeamModel(parameters);
    };
    const double firm = on_spring(100.0).collide(0.5).cor_kinematic;
    for (const double stiffness : {2.0, 0.2}) {
        const models::BeamModel model = on_spring(stiffness);
        // Roundoff of shear and bending, 7.7e9 1/s^2.
        EXPECT_NEAR(model.beam().basis().eigenvalues[1], stiffness / beam.mass(), 0.02);
        EXPECT_NEAR(model.collide(0.5).cor_kinematic, firm, 1e-6);
    }
}

}  // namespace
