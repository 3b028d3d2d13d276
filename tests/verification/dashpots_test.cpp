// Beams with dashpots against closed forms.

#include <models/beam_model.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <variant>

#include <published_beam.hpp>
#include <random_collisions.hpp>
#include <stoss/modal/coupled_modes.hpp>

namespace {

using namespace stoss;
using Complex = std::complex<double>;

/// Cantilever with a dashpot at its tip: zero where s, in 1/T, is an eigenvalue.
Complex characteristic(Complex s, double damping) {
    const Complex k = std::sqrt(std::sqrt(-s * s));
    return k * k * k * (1.0 + std::cosh(k) * std::cos(k)) -
           damping * s * (std::sinh(k) * std::cos(k) - std::cosh(k) * std::sin(k));
}

TEST(Dashpots, ACantileverWithOneAtItsTipHasTheRootsOfItsCharacteristicEquation) {
    models::Beam beam = published_beam().beam;
    beam.supports = {{models::SupportType::clamp, 0.0}};
    models::Mesh mesh;
    mesh.elements = 40;
    mesh.constraints = fem::ConstraintMethod::elimination;
    const auto supported = models::supported_beam(beam, mesh);
    modal::ModalBasis basis = models::modes_of(supported, beam, 60);
    basis.shapes = supported.expand(basis.shapes);
    const double scale = beam.time_scale();
    for (const double damping : {0.3, 3.0, 30.0}) {
        beam.dashpots = {{1.0, damping * beam.bending_stiffness() * scale /
                                   (beam.length * beam.length * beam.length)}};
        const modal::CoupledModes modes(
            {basis.eigenvalues.data(), 60},
            models::dashpot_damping(beam, models::mesh_of(beam, mesh), basis));
        int met = 0;
        for (const Complex exponent : modes.exponents()) {
            const Complex s = exponent * scale;
            if (met == 3 || s.imag() == 0.0) continue;
            // One step of Newton's method from there to the root.
            const double h = 1e-6;
            const Complex slope =
                (characteristic(s * (1.0 + h), damping) - characteristic(s * (1.0 - h), damping)) /
                (2.0 * h);
            EXPECT_LT(std::abs(characteristic(s, damping) / slope), 1e-4) << s << " " << damping;
            ++met;
        }
        EXPECT_EQ(met, 3);
    }
}

/// A bar so stiff that it is rigid, e = 1, with a weak dashpot at its centre of mass.
TEST(Dashpots, ARigidBarLosesToOneWhatThePowerOfItsForceSays) {
    models::BeamCollision parameters = published_beam();
    parameters.beam.supports.clear();
    parameters.beam.length = 0.02;
    parameters.beam.material.youngs_modulus = 68.3e13;
    parameters.beam.section.shape = models::Circle{5e-3};
    parameters.motion = {-1.0, 0.0, {}};
    contact::Hertz law;
    law.stiffness = 1e8;
    parameters.contact.law = law;
    parameters.integration.time_limit = 1.0;
    parameters.mesh.modes = 4;
    parameters.mesh.elements = 10;
    const double mass = parameters.beam.mass();
    const auto plain = models::BeamModel(parameters).collide(0.5);
    ASSERT_EQ(plain.status, impact::Status::separated);
    const double damping = 1e-3 * mass / plain.separation;  // decays by 1e-3 during the contact
    parameters.beam.dashpots = {{0.5, damping}};
    const auto damped = models::BeamModel(parameters).collide(0.5);
    ASSERT_EQ(damped.status, impact::Status::separated);
    EXPECT_NEAR(plain.cor_kinematic, 1.0, 1e-6);
    // Of the energy 2 c/m int (v/v_0)^2 dt; in Hertz' contact the mean of (v/v_0)^2 is
    // B(2/5, 3/2)/B(2/5, 1/2) = 5/9.
    const double lost = 1.0 - damped.cor_kinematic * damped.cor_kinematic;
    EXPECT_NEAR(lost, 2e-3 * 5.0 / 9.0, 3e-6);
    EXPECT_NEAR(damped.energy.structural_loss, lost, 1e-6);
}

struct RandomCollision {
    impact::CollisionResult result;
    double time_limit;
};
template <class Law>
RandomCollision collide_random_beam(std::size_t seed) {
    tests::RandomCollisions random(seed);
    const tests::StruckBeam struck = random(tests::kind_of<Law>());
    const models::BeamModel model(struck.parameters);
    return {model.collide(struck.xi), model.time_limit()};
}

/// A pinned beam that the dashpot brings to rest against the ball, in ever smaller contacts or in
/// one: what is left is roundoff.
TEST(Dashpots, BodiesThatComeToRestAgainstEachOtherEndTheRun) {
    for (const auto& [result, time_limit] : {collide_random_beam<contact::KelvinVoigt>(410),
                                             collide_random_beam<contact::Viscoelastic>(7995),
                                             collide_random_beam<contact::Viscoelastic>(8699)}) {
        EXPECT_EQ(result.status, impact::Status::not_separated);
        EXPECT_LT(result.sub_impacts.back().end, 0.9 * time_limit);
        EXPECT_LT(result.steps, 1000000u);  // the time goes on in each step
    }
}

/// The overlap at the release is a sum over modes, of which 17 halvings of the last step see
/// nothing.
TEST(Dashpots, AReleaseBelowTheRoundoffOfTheOverlapEndsTheContact) {
    const auto result = collide_random_beam<contact::Viscoelastic>(916).result;
    EXPECT_EQ(result.status, impact::Status::separated);
    EXPECT_LT(result.steps, 10000u);
}

/// Two dashpots slow the beam down and the ball behind it, which rattle on and never part.
TEST(Dashpots, BodiesThatRattleOnReachTheTimeLimit) {
    const auto [result, time_limit] = collide_random_beam<contact::Tsuji>(6102);
    EXPECT_EQ(result.status, impact::Status::not_separated);
    EXPECT_GT(result.sub_impacts.back().end, 0.99 * time_limit);
}

/// Of what is left when the bodies part the overlap is 1e-13 m, the velocity 1e-10 m/s.
TEST(Dashpots, ARestitutionFarBelowTheToleranceIsFound) {
    const auto result = collide_random_beam<contact::KuwabaraKono>(8551).result;
    EXPECT_EQ(result.status, impact::Status::separated);
    EXPECT_NEAR(result.cor_kinematic, 1.165e-11, 0.01e-11);
}

}  // namespace
