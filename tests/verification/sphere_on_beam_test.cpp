// Timoshenko's problem (1913): a sphere strikes the middle of a beam on two pins. The reference
// shares nothing with the library: the beam is its closed-form modes, and the equation of
// Timoshenko,
//
//     x(t) = v t - integral over 0..t of g(t - s) F(s) ds,  F = k x^(3/2) where x > 0,
//     g(t) = t/m + sum over n odd of 2/(M omega_n) sin(omega_n t),
//
// is solved as the Volterra equation that it is, by product integration: F is linear between the
// instants, its products with g are integrated in closed form.

#include <models/beam_model.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <published_mesh.hpp>
#include <vector>

namespace {

using namespace stoss;
using std::numbers::pi;

struct Problem {
    double length, width, height;  // of the beam [m]
    double radius, velocity;       // of the sphere
    double E, nu, density;
    int modes;  // odd ones of the reference

    double beam_mass() const { return density * length * width * height; }
    double sphere_mass() const { return density * 4.0 / 3.0 * pi * std::pow(radius, 3); }
    double stiffness() const { return 2.0 / 3.0 * E / (1.0 - nu * nu) * std::sqrt(radius); }
    double omega(int n) const {
        const double I = width * std::pow(height, 3) / 12.0;
        return std::pow(n * pi / length, 2) * std::sqrt(E * I / (density * width * height));
    }
};

/// Steel beam of 1 x 1 x 15.35 cm and sphere of radius 1 cm at 1 cm/s, as Timoshenko had them.
const Problem classical{0.1535, 0.01, 0.01, 0.01, 0.01, 2.158e11, 0.3, 7960.0, 12};
/// A heavy sphere on a beam of 60 x 27.8 x 780 mm.
const Problem heavy{0.78, 0.06, 0.0278, 0.07, 0.5, 2.1e11, 0.3, 7850.0, 12};

struct History {
    double step;
    std::vector<double> force;
    std::vector<double> overlap;

    double impulse() const {
        double sum = 0.0;
        for (const double each : force) sum += each;
        return step * sum;
    }
    double peak() const { return *std::max_element(force.begin(), force.end()); }
    int contacts() const {
        int count = 0;
        for (std::size_t i = 1; i < force.size(); ++i)
            count += force[i] > 0.0 && !(force[i - 1] > 0.0);
        return count;
    }
    double end() const {
        std::size_t last = 0;
        for (std::size_t i = 0; i < force.size(); ++i)
            if (force[i] > 0.0) last = i;
        // Where the overlap vanishes, linearly between two instants.
        return step *
               (static_cast<double>(last) + overlap[last] / (overlap[last] - overlap[last + 1]));
    }
};

/// Integrals of g times the hat functions of the instants: weight[k] of the force k steps ago.
std::vector<double> weights(const Problem& of, double h, std::size_t steps) {
    std::vector<double> weight(steps);
    for (std::size_t k = 0; k < steps; ++k) {
        const double t = h * static_cast<double>(k);
        weight[k] = k == 0 ? h * h / (6.0 * of.sphere_mass()) : h * t / of.sphere_mass();
        for (int i = 0; i < of.modes; ++i) {
            const double w = of.omega(2 * i + 1), compliance = 2.0 / (of.beam_mass() * w);
            weight[k] += compliance *
                         (k == 0 ? (1.0 - std::sin(w * h) / (w * h)) / w
                                 : std::sin(w * t) * 2.0 * (1.0 - std::cos(w * h)) / (w * w * h));
        }
    }
    return weight;
}

History solve(const Problem& of, double duration, std::size_t steps) {
    History history{duration / static_cast<double>(steps), {0.0}, {0.0}};
    const auto weight = weights(of, history.step, steps + 1);
    const double k = of.stiffness();
    for (std::size_t n = 1; n <= steps; ++n) {
        double free = of.velocity * history.step * static_cast<double>(n);
        for (std::size_t j = 1; j < n; ++j) free -= weight[n - j] * history.force[j];
        double x = std::max(free, 0.0);
        for (int i = 0; i < 50 && free > 0.0; ++i) {  // x + w_0 k x^(3/2) = free, convex
            const double root = std::sqrt(x);
            x -= (x + weight[0] * k * x * root - free) / (1.0 + 1.5 * weight[0] * k * root);
        }
        history.overlap.push_back(free > 0.0 ? x : free);
        history.force.push_back(free > 0.0 ? k * x * std::sqrt(x) : 0.0);
    }
    return history;
}

models::BeamCollision case_of(const Problem& of) {
    models::BeamCollision parameters;
    parameters.mesh = tests::published_mesh();
    parameters.beam.length = of.length;
    parameters.beam.section = {models::Rectangle{of.width, of.height}};
    parameters.beam.material = {of.E, of.nu, of.density};
    parameters.beam.supports = {{models::SupportType::pin, 0.0}, {models::SupportType::pin, 1.0}};
    parameters.striker = {models::Sphere{of.radius}, models::SurfaceMaterial{of.E, of.nu},
                          of.sphere_mass(), of.velocity};
    parameters.mesh.elements = 200;
    parameters.mesh.modes = 2 * of.modes - 1;  // the even ones have a node in the middle
    parameters.mesh.constraints = fem::ConstraintMethod::elimination;
    parameters.integration.scheme = time::Splitting{1e-8};
    return parameters;
}

void expect_reference(const Problem& of, double duration) {
    impact::History samples(20000);
    const auto result = models::BeamModel(case_of(of)).collide(0.5, &samples);
    ASSERT_EQ(result.status, impact::Status::separated);
    ASSERT_LT(result.separation, duration);
    const History coarse = solve(of, duration, 4000), fine = solve(of, duration, 8000);
    const auto extrapolated = [](double a, double b) { return b + (b - a) / 3.0; };
    EXPECT_EQ(fine.contacts(), static_cast<int>(result.sub_impacts.size()));
    const double impulse = extrapolated(coarse.impulse(), fine.impulse());
    EXPECT_NEAR(result.impulse / impulse, 1.0, 1e-5);
    EXPECT_NEAR(result.peak_force / fine.peak(), 1.0, 1e-4);
    EXPECT_NEAR(result.separation / fine.end(), 1.0, 1e-4);
    // Restitution of the sphere, which is all that is rigid here.
    EXPECT_NEAR(result.cor_kinematic, impulse / (of.sphere_mass() * of.velocity) - 1.0, 1e-5);
    // The force at every instant.
    double worst = 0.0;
    for (const impact::Sample& sample : samples.samples()) {
        const double place = sample.time / fine.step;
        const auto i = static_cast<std::size_t>(place);
        if (i + 1 >= fine.force.size()) break;
        const double u = place - static_cast<double>(i);
        const double force = (1.0 - u) * fine.force[i] + u * fine.force[i + 1];
        worst = std::max(worst, std::abs(sample.force - force) / fine.peak());
    }
    EXPECT_LT(worst, 1e-3) << "force history";
}

TEST(SphereOnASupportedBeam, HasTheForceOfTimoshenkosIntegralEquation) {
    expect_reference(classical, 1.5e-3);
}

TEST(SphereOnASupportedBeam, OfAHeavySphereHasTheSameSubImpactsAsTheIntegralEquation) {
    expect_reference(heavy, 12e-3);
}

}  // namespace
