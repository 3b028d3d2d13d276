// A beam on a pin that lies off its axis.

#include <models/beam_model.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <published_beam.hpp>

namespace {

using namespace stoss;

models::BeamCollision beam_with(std::vector<models::Support> supports) {
    models::BeamCollision parameters = published_beam();
    parameters.beam.supports = std::move(supports);
    parameters.mesh.elements = 200;
    parameters.mesh.constraints = fem::ConstraintMethod::elimination;
    EXPECT_TRUE(models::check(parameters.beam, parameters.mesh).empty());
    return parameters;
}

/// beta l of the first modes: omega = (beta l)^2/T.
std::vector<double> wave_numbers(const models::BeamCollision& parameters) {
    const auto basis = models::modes_of(models::supported_beam(parameters.beam, parameters.mesh),
                                        parameters.beam, 8);
    std::vector<double> numbers;
    for (const double lambda : basis.eigenvalues)
        numbers.push_back(std::sqrt(std::sqrt(lambda) * parameters.beam.time_scale()));
    return numbers;
}

/// b of a pinned-free beam with the inertia J at its pin: sum of the moments there,
/// (J/(rho A l^3)) b^3 (1 + cos b cosh b) = sinh b cos b - cosh b sin b.
TEST(Pins, OffTheAxisOneMovesTheBeamAlongIt) {
    models::BeamCollision parameters = beam_with({{models::SupportType::pin, 0.0, 0.03}});
    const models::Beam& beam = parameters.beam;
    const double ratio =
        beam.axial_inertia(beam.supports[0]) / (beam.mass_per_length() * std::pow(beam.length, 3));
    EXPECT_DOUBLE_EQ(ratio, std::pow(0.03 / 0.508, 2));
    const auto numbers = wave_numbers(parameters);
    EXPECT_EQ(numbers[0], 0.0);
    for (std::size_t j = 1; j < 6; ++j) {
        const double b = numbers[j];
        const double left = ratio * b * b * b * (1.0 / std::cosh(b) + std::cos(b));
        EXPECT_NEAR(left, std::tanh(b) * std::cos(b) - std::sin(b), 1e-5) << j;
    }
}

/// A beam that is rigid has 1/I_p of I_p = m (l^2/3 + a^2) about a pin at its end.
TEST(Pins, OffTheAxisTheRigidModeHasItsInertia) {
    for (const double offset : {0.0, 0.05, -0.05}) {
        const models::BeamCollision parameters =
            beam_with({{models::SupportType::pin, 0.0, offset}});
        const models::BeamModel model(parameters);
        const double l = parameters.beam.length, phi = model.beam().at(1.0).phi[0];
        const double inertia = parameters.beam.mass() * (l * l / 3.0 + offset * offset);
        EXPECT_NEAR(phi * phi, l * l / inertia, 1e-9 * phi * phi);
    }
}

}  // namespace
