// Frequencies of Timoshenko beams against closed forms, orders of convergence and limits.

#include <models/beam_model.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <published_mesh.hpp>
#include <roots.hpp>

namespace {

using namespace stoss;
using std::numbers::pi;

/// A stout steel bar: 60 mm high, 300 mm long.
models::Beam stout(std::vector<models::Support> supports) {
    models::Beam beam;
    beam.length = 0.3;
    beam.section = {models::Rectangle{0.04, 0.06}};
    beam.material = {2.1e11, 0.3, 7850.0};
    beam.theory = models::Timoshenko{};
    beam.supports = std::move(supports);
    return beam;
}

constexpr models::Support clamp_at(double xi) {
    return {models::SupportType::clamp, xi};
}
constexpr models::Support pin_at(double xi) {
    return {models::SupportType::pin, xi};
}

modal::ModalBasis modes(const models::Beam& beam, int elements, int count) {
    models::Mesh mesh;
    mesh.elements = elements;
    mesh.modes = count;
    mesh.constraints = fem::ConstraintMethod::elimination;
    EXPECT_TRUE(models::check(beam, mesh).empty());
    return models::modes_of(models::supported_beam(beam, mesh), beam, count);
}

/// omega_j of the first vibrations.
std::vector<double> frequencies(const models::Beam& beam, int elements, int count) {
    std::vector<double> omega;
    for (const double lambda : modes(beam, elements, count).eigenvalues) {
        if (lambda > 0.0) omega.push_back(std::sqrt(lambda));
    }
    return omega;
}

/// The numbers of a uniform beam in the letters of Huang (1961): r^2 = I/(A l^2), s^2 = EI/(k A G
/// l^2), and omega = b scale.
struct Numbers {
    double r2, s2, scale;

    explicit Numbers(const models::Beam& beam) {
        const auto section = beam.section.properties(0.5);
        const double E = beam.material.youngs_modulus, nu = beam.material.poisson_ratio;
        const double rho = beam.material.density;
        const double length2 = beam.length * beam.length;
        const double EI = E * section.second_moment;
        const double shear =
            beam.shear_coefficient(0.5).value() * section.area * E / (2.0 * (1.0 + nu));
        r2 = section.second_moment / (section.area * length2);
        s2 = EI / (shear * length2);
        scale = std::sqrt(EI / (rho * section.area)) / length2;
    }
};

/// Both spectra of the beam on two pins: r^2 s^2 b^4 - [1 + n^2 pi^2 (r^2 + s^2)] b^2 + n^4 pi^4 =
/// 0, and for n = 0 the sections turning in step, without deflection.
std::vector<double> pinned_pinned(const Numbers& of, std::size_t count) {
    std::vector<double> omega{of.scale / std::sqrt(of.r2 * of.s2)};
    for (int n = 1; n <= 40; ++n) {
        const double n2 = n * n * pi * pi;
        const double half = 0.5 * (1.0 + n2 * (of.r2 + of.s2));
        const double root = std::sqrt(half * half - of.r2 * of.s2 * n2 * n2);
        omega.push_back(of.scale * n2 / std::sqrt(half + root));
        omega.push_back(of.scale * std::sqrt((half + root) / (of.r2 * of.s2)));
    }
    std::sort(omega.begin(), omega.end());
    omega.resize(count);
    return omega;
}

/// The two wave numbers of Huang times b, below the frequency at which sections turn in step.
struct Waves {
    double alpha, beta, rest;

    Waves(const Numbers& of, double b) {
        const double difference = of.r2 - of.s2;
        const double root = std::sqrt(difference * difference + 4.0 / (b * b));
        alpha = b * std::sqrt(0.5 * (root - of.r2 - of.s2));
        beta = b * std::sqrt(0.5 * (root + of.r2 + of.s2));
        rest = b / std::sqrt(1.0 - b * b * of.r2 * of.s2);
    }
};

/// omega from the frequency equation `f`(b, waves)/cosh(alpha) = 0 of Huang (1961).
template <class F>
std::vector<double> huang(const Numbers& of, std::size_t count, F&& f) {
    std::vector<double> omega = roots(
        [&](double b) {
            const Waves waves(of, b);
            return f(b, waves) / std::cosh(waves.alpha);
        },
        0.5, 0.05, count);
    for (double& b : omega) b *= of.scale;
    return omega;
}

void expect_frequencies(const models::Beam& beam, const std::vector<double>& known,
                        double tolerance) {
    const auto omega = frequencies(beam, 80, static_cast<int>(known.size()) + 2);
    ASSERT_GE(omega.size(), known.size());
    for (std::size_t j = 0; j < known.size(); ++j)
        EXPECT_NEAR(omega[j] / known[j], 1.0, tolerance) << "vibration " << j + 1;
}

TEST(TimoshenkoBeam, OnTwoPinsHasBothSpectraOfTheClosedForm) {
    const models::Beam beam = stout({pin_at(0.0), pin_at(1.0)});
    const Numbers numbers(beam);
    const auto known = pinned_pinned(numbers, 20);
    expect_frequencies(beam, known, 1e-5);
    const double cutoff = numbers.scale / std::sqrt(numbers.r2 * numbers.s2);
    EXPECT_GE(std::count_if(known.begin(), known.end(), [&](double w) { return w >= cutoff; }), 6)
        << "the second spectrum is among them";
}

TEST(TimoshenkoBeam, ClampedAtOneEndHasTheFrequenciesOfHuang) {
    const models::Beam beam = stout({clamp_at(0.0)});
    const Numbers of(beam);
    const double difference2 = (of.r2 - of.s2) * (of.r2 - of.s2);
    const auto known = huang(of, 5, [&](double b, const Waves& w) {
        return 2.0 + (b * b * difference2 + 2.0) * std::cosh(w.alpha) * std::cos(w.beta) -
               w.rest * (of.r2 + of.s2) * std::sinh(w.alpha) * std::sin(w.beta);
    });
    expect_frequencies(beam, known, 1e-6);
}

/// Free: x, y = r^2, s^2; clamped: s^2, r^2.
std::vector<double> alike(const Numbers& of, double x, double y, std::size_t count) {
    return huang(of, count, [&](double b, const Waves& w) {
        return 2.0 - 2.0 * std::cosh(w.alpha) * std::cos(w.beta) +
               w.rest * (b * b * x * (x - y) * (x - y) + 3.0 * x - y) * std::sinh(w.alpha) *
                   std::sin(w.beta);
    });
}

TEST(TimoshenkoBeam, WithEqualEndsHasTheFrequenciesOfHuang) {
    const models::Beam free_beam = stout({}), clamped = stout({clamp_at(0.0), clamp_at(1.0)});
    const Numbers of(free_beam);
    expect_frequencies(free_beam, alike(of, of.r2, of.s2, 4), 1e-6);
    expect_frequencies(clamped, alike(of, of.s2, of.r2, 4), 1e-6);
}

TEST(TimoshenkoBeam, ConvergesWithOrderFourOnElementsMuchShorterThanItsDepth) {
    const models::Beam beam = stout({clamp_at(0.0)});
    const double exact = frequencies(beam, 320, 8)[5];
    const double coarse = frequencies(beam, 20, 8)[5] - exact;
    const double fine = frequencies(beam, 40, 8)[5] - exact;
    EXPECT_NEAR(std::log2(coarse / fine), 4.0, 0.1);
    EXPECT_GT(fine, 0.0) << "a Ritz value lies above the exact one";
}

TEST(TimoshenkoBeam, DoesNotLockHoweverSlender) {
    models::Beam beam = stout({clamp_at(0.0), pin_at(1.0)});
    beam.section = {models::Rectangle{0.04, 1e-5}};  // 30,000 times as long as high
    models::Beam classical = beam;
    classical.theory = models::EulerBernoulli{};
    const auto with_shear = frequencies(beam, 8, 6), without = frequencies(classical, 8, 6);
    for (std::size_t j = 0; j < without.size(); ++j)
        EXPECT_NEAR(with_shear[j] / without[j], 1.0, 1e-6) << "mode " << j + 1;
}

/// omega/omega(Euler-Bernoulli) = 1 - (1/2)(1 + s^2/r^2)(n pi r)^2 to first order.
TEST(TimoshenkoBeam, SoftensByTheSquareOfDepthOverWaveLength) {
    models::Beam beam = stout({pin_at(0.0), pin_at(1.0)});
    beam.section = {models::Circle{0.002}};
    const Numbers of(beam);
    models::Beam classical = beam;
    classical.theory = models::EulerBernoulli{};
    const auto with_shear = frequencies(beam, 80, 4), without = frequencies(classical, 80, 4);
    for (std::size_t j = 0; j < 4; ++j) {
        const double n = static_cast<double>(j + 1) * pi;
        const double first = 0.5 * n * n * (of.r2 + of.s2);
        EXPECT_NEAR((1.0 - with_shear[j] / without[j]) / first, 1.0, 3.0 * first) << j + 1;
    }
}

TEST(TimoshenkoBeam, TurnsWithTheInertiaOfItsSections) {
    const models::Beam beam = stout({});
    const auto section = beam.section.properties(0.5);
    const double rod = beam.mass() * beam.length * beam.length / 12.0;
    const double sections = beam.material.density * section.second_moment * beam.length;
    EXPECT_NEAR(beam.inertia(0.5 * beam.length), rod + sections, 1e-12 * rod);
    const models::Mesh mesh{
        .elements = 20, .modes = 4, .constraints = fem::ConstraintMethod::elimination};
    const auto supported = models::supported_beam(beam, mesh);
    const Eigen::VectorXd turn = supported.rigid_shapes.col(1);
    EXPECT_NEAR(turn.dot(supported.matrices.mass * turn), rod + sections, 1e-12 * rod);
    EXPECT_EQ(modes(beam, 20, 4).rigid, 2);
}

/// c_i/E is one time for bending and shear, so that every mode is damped by (c_i/E) lambda.
TEST(TimoshenkoBeam, OfKelvinVoigtMaterialHasUncoupledModes) {
    models::Beam beam = stout({clamp_at(0.0)});
    beam.internal_damping = 1e5;
    const auto basis = modes(beam, 40, 12);
    EXPECT_LT(basis.damping_coupling, 1e-9);
    for (Eigen::Index j = 0; j < basis.modes(); ++j)
        EXPECT_NEAR(basis.damping[j] / (1e5 / 2.1e11 * basis.eigenvalues[j]), 1.0, 1e-9);
}

TEST(TimoshenkoBeam, PenaltyAndEliminationAgree) {
    const models::Beam beam = stout({clamp_at(0.0), pin_at(0.75)});
    models::Mesh mesh;
    mesh.elements = 40;
    const auto eliminated = frequencies(beam, 40, 10);
    const auto basis = models::modes_of(models::supported_beam(beam, mesh), beam, 10);
    for (std::size_t j = 0; j < 10; ++j) {
        const double omega = std::sqrt(basis.eigenvalues[static_cast<Eigen::Index>(j)]);
        EXPECT_NEAR(omega / eliminated[j], 1.0, 1e-5) << "mode " << j + 1;
    }
}

TEST(TimoshenkoBeam, KeepsEnergyAndImpulseWhenStruck) {
    models::BeamCollision parameters;
    parameters.mesh = tests::published_mesh();
    parameters.beam = stout({});
    parameters.striker = {models::Sphere{0.02}, models::SurfaceMaterial{2.1e11, 0.3}, 0.26, 2.0};
    parameters.mesh.elements = 40;
    parameters.mesh.modes = 30;
    parameters.integration.scheme = time::Splitting{1e-8};
    const models::BeamModel model(parameters);
    for (const double xi : {0.02, 0.37, 0.5}) {
        const auto result = model.collide(xi);
        ASSERT_EQ(result.status, impact::Status::separated);
        EXPECT_NEAR(result.cor_kinematic, result.cor_kinetic, 1e-9);
        EXPECT_NEAR(result.energy.residual, 0.0, 1e-8);
    }
}

}  // namespace
