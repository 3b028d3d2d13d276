/// Friction on elastic beams: how a beam moves and stretches along its axis, and oblique impacts on
/// it (docs/theory/impact_motion.md 27.24).

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

#include <models/axial_modes.hpp>
#include <models/impact_motion.hpp>
#include <stoss/core/error.hpp>
#include <stoss/motion/impact_motion.hpp>

namespace stoss {
namespace {

using models::AxialModes;
using models::Beam;
using models::BeamInMotion;
using models::MotionModel;
using models::MotionSystem;
using models::SupportType;
using motion::Impact;
using motion::ImpactMotion;

constexpr double pi = std::numbers::pi;
constexpr double length = 0.3, height = 0.006, density = 7850.0, modulus = 210e9;

Beam strip(std::vector<models::Support> supports = {}) {
    Beam beam;
    beam.length = length;
    beam.section.shape = models::Rectangle{0.02, height};
    beam.material.youngs_modulus = modulus;
    beam.material.poisson_ratio = 0.3;
    beam.material.density = density;
    beam.supports = std::move(supports);
    return beam;
}

const double wave = std::sqrt(modulus / density);           // [m/s]
const double stretch = length / (modulus * 0.02 * height);  // l/(EA) [m/N]

models::Mesh mesh() {
    models::Mesh mesh;
    mesh.elements = 60;
    mesh.modes = 10;
    return mesh;
}

/// Flexibility at the first of the places, of modes and replacement.
double flexibility(const AxialModes& axial) {
    const double xi = axial.residual.places[0];
    const Eigen::VectorXd phi = axial.shapes_at(xi);
    double sum = 0.0;
    for (Eigen::Index j = axial.basis.rigid; j < axial.basis.modes(); ++j)
        sum += phi[j] * phi[j] / axial.basis.eigenvalues[j];
    for (std::size_t k = 0; k < axial.residual.modes.size(); ++k) {
        const double shape = axial.residual.shapes(0, static_cast<Eigen::Index>(k));
        sum += shape * shape / axial.residual.modes[k].eigenvalue;
    }
    return sum;
}

TEST(AxialModes, OfAFreeBarAreThoseOfTheClosedForm) {
    const AxialModes axial(strip(), mesh(), {0.37, 0.8}, std::pow(5.5 * pi * wave / length, 2));
    ASSERT_EQ(axial.basis.modes(), 6);
    ASSERT_EQ(axial.basis.rigid, 1);
    const double mass = strip().mass();
    EXPECT_NEAR(axial.shapes_at(0.2)[0], 1.0 / std::sqrt(mass), 1e-12);
    for (int k = 1; k <= 5; ++k) {
        EXPECT_NEAR(std::sqrt(axial.basis.eigenvalues[k]) / (k * pi * wave / length), 1.0, 5e-6);
        for (const double xi : {0.0, 0.37, 0.61, 1.0})
            EXPECT_NEAR(std::abs(axial.shapes_at(xi)[k]),
                        std::sqrt(2.0 / mass) * std::abs(std::cos(k * pi * xi)), 2e-3);
    }
    // Of the vibrations alone, under a force and the inertia that it sets in motion.
    EXPECT_NEAR(flexibility(axial) / stretch, 1.0 / 3.0 - 0.37 * 0.63, 1e-9);
}

TEST(AxialModes, OfAHeldBarAreThoseOfTheClosedForm) {
    const double highest = std::pow(3.2 * pi * wave / length, 2);
    const AxialModes clamped(strip({{SupportType::clamp, 0.0}}), mesh(), {1.0}, highest);
    ASSERT_EQ(clamped.basis.rigid, 0);
    for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(std::sqrt(clamped.basis.eigenvalues[k]) / ((k + 0.5) * pi * wave / length), 1.0,
                    1e-6);
    EXPECT_NEAR(flexibility(clamped) / stretch, 1.0, 1e-9);
    const AxialModes pinned(strip({{SupportType::pin, 0.0}, {SupportType::pin, 1.0}}), mesh(),
                            {0.3}, highest);
    for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(std::sqrt(pinned.basis.eigenvalues[k]) / ((k + 1.0) * pi * wave / length), 1.0,
                    1e-6);
    EXPECT_NEAR(flexibility(pinned) / stretch, 0.3 * 0.7, 1e-9);
    EXPECT_EQ(AxialModes(strip({{SupportType::slider, 0.0}}), mesh(), {0.3}, highest).basis.rigid,
              1);
}

/// A clamped bar with a mass M at its end: z tan z = mu l/M with z = omega l/c.
TEST(AxialModes, OfABarWithAMassAtItsEndMeetTheCharacteristicEquation) {
    Beam beam = strip({{SupportType::clamp, 0.0}});
    const double bar = beam.mass();
    beam.masses = {{1.0, 0.4 * bar, 0.0}};
    const AxialModes axial(beam, mesh(), {1.0}, std::pow(3.2 * pi * wave / length, 2));
    for (int k = 0; k < 3; ++k) {
        const double z = std::sqrt(axial.basis.eigenvalues[k]) * length / wave;
        EXPECT_NEAR(z * std::sin(z) / (2.5 * std::cos(z)), 1.0, 1e-4) << k;
    }
}

/// A cone: u x is a wave of constant speed. With both ends free and radii r and 2 r, at x = l and
/// 2 l from its tip, tan(k l) = k l/(1 + 2 (k l)^2).
TEST(AxialModes, OfAFreeConeMeetTheCharacteristicEquation) {
    Beam beam = strip();
    beam.section.shape =
        models::Profile{{{0.0, models::Circle{0.005}}, {1.0, models::Circle{0.01}}}, {}};
    const AxialModes axial(beam, mesh(), {0.5}, std::pow(3.5 * pi * wave / length, 2));
    ASSERT_GE(axial.basis.modes(), 4);
    for (int k = 1; k <= 3; ++k) {
        const double z = std::sqrt(axial.basis.eigenvalues[k]) * length / wave;
        EXPECT_NEAR(std::tan(z), z / (1.0 + 2.0 * z * z), 2e-5 * z) << k;
    }
    EXPECT_LT(axial.residual.modes.size(), 2U);
}

contact::Law hertz(double stiffness) {
    contact::Hertz law;
    law.stiffness = stiffness;
    return law;
}

models::SphereBody ball(double velocity, double tangential) {
    models::SphereBody sphere;
    sphere.mass = 0.01;
    sphere.radius = 0.0067;
    sphere.velocity = velocity;
    sphere.tangential_velocity = tangential;
    return sphere;
}

/// A ball that falls on the upper surface of a body at xi.
template <class Kind>
MotionModel oblique(const Kind& body, double xi, double tangential = 1.5) {
    MotionModel model;
    model.bodies = {{"ball", ball(-2.0, tangential)}, {"body", body}};
    models::MotionContact contact;
    contact.name = "impact";
    contact.first = {"ball", 0.5};
    contact.second = {"body", xi};
    contact.contact = models::ContactParameters{hertz(2e9)};
    models::MotionFriction friction;
    friction.mu = 0.3;
    friction.tangential_ratio = 0.8;
    contact.friction = friction;
    model.contacts = {contact};
    return model;
}

BeamInMotion beam_of(const Beam& beam, int modes = 10) {
    BeamInMotion given;
    given.beam = beam;
    given.modes = modes;
    return given;
}

struct Outcome {
    double impulse = 0.0, tangential = 0.0;  // [N s]
    std::array<double, 3> ball{};            // velocities along, up [m/s], spin [rad/s]
    double residual = 0.0;
};

Outcome outcome_of(const MotionModel& model, double time = 4e-4) {
    const MotionSystem made = models::motion_system(model);
    EXPECT_TRUE(motion::check(made.system).empty());
    ImpactMotion moving(made.system, 1e-8);
    Outcome outcome;
    moving.advance(time, [&](const Impact& each) {
        outcome.impulse += each.impulse;
        outcome.tangential += each.tangential_impulse;
        return true;
    });
    EXPECT_FALSE(moving.is_touching());
    const auto& sphere = std::get<models::SphereBody>(model.bodies[0].kind);
    const models::BodyInSystem& modes = made.bodies.at("ball");
    const std::vector<double> rates = moving.rates();
    outcome.ball = {rates[*modes.tangential] / std::sqrt(sphere.mass),
                    rates[modes.begin] / std::sqrt(sphere.mass),
                    rates[modes.begin + 1] / std::sqrt(sphere.inertia())};
    outcome.residual = moving.energy().residual() / moving.energy().initial;
    return outcome;
}

/// Along the tangent a pinned beam has the mode values of closed forms: the axis those of a bar,
/// the surface the slopes of sines times half of its height.
TEST(BeamFriction, ModeValuesAlongTheTangentAreThoseOfTheClosedForm) {
    BeamInMotion given = beam_of(strip({{SupportType::pin, 0.0}, {SupportType::pin, 1.0}}), 6);
    given.residual_flexibility = false;
    given.elements = 200;
    const double xi = 0.4;
    const MotionSystem made = models::motion_system(oblique(given, xi));
    const models::BodyInSystem& body = made.bodies.at("body");
    const motion::Contact& contact = made.system.contacts[0];
    const double largest = std::sqrt(2.0 / given.beam.mass());
    for (std::size_t j = 0; j < 6; ++j) {
        const double k = static_cast<double>(j + 1) * pi;
        const double up = -contact.phi[body.begin + j];
        EXPECT_NEAR(std::abs(up), largest * std::abs(std::sin(k * xi)), 1e-6);
        if (std::abs(up) < 1e-3) continue;
        // -z w' of the beam, less than that of the ball: + z w'.
        EXPECT_NEAR(contact.friction->phi[body.begin + j] / up,
                    0.5 * height * k / length * std::cos(k * xi) / std::sin(k * xi), 1e-6);
    }
    ASSERT_TRUE(body.tangential && body.axial);
    const double along = contact.friction->phi[*body.tangential];
    EXPECT_NEAR(std::abs(along), largest * std::sin(pi * xi), 1e-8);
    const auto axial = static_cast<std::size_t>(body.axial->basis.modes());
    for (std::size_t k = 0; k < axial; ++k)
        EXPECT_EQ(contact.phi[*body.tangential + k], 0.0) << "the axis does not move upwards";
}

/// The spring and slider of an impact by closed-form modes (16 of bending, 4 axial ones) and
/// 800,000 steps of the classical Runge-Kutta scheme, by a program of its own.
TEST(BeamFriction, OfAPinnedBeamAgreesWithAnIndependentIntegration) {
    BeamInMotion given = beam_of(strip({{SupportType::pin, 0.0}, {SupportType::pin, 1.0}}), 16);
    given.residual_flexibility = false;
    given.elements = 300;
    MotionModel model = oblique(given, 0.4);
    model.contacts[0].friction->tangential_ratio = {};
    model.contacts[0].friction->tangential_stiffness = 6e6;
    const Outcome found = outcome_of(model);
    EXPECT_NEAR(found.impulse, 0.03191681034, 1e-7);
    EXPECT_NEAR(found.tangential, -0.00834054204, 1e-7);
    EXPECT_NEAR(found.ball[0], 0.665945796, 1e-5);
    EXPECT_NEAR(found.ball[1], 1.191681034, 1e-5);
    EXPECT_NEAR(found.ball[2], -311.2142552, 2e-3);
}

TEST(BeamFriction, OfAStiffBeamTendsToThatOfARigidBar) {
    models::RigidBar bar;
    bar.mass = strip().mass();
    bar.length = length;
    bar.thickness = height;
    bar.tangential_velocity = 0.2;
    for (const double xi : {0.5, 0.8}) {
        const Outcome rigid = outcome_of(oblique(bar, xi));
        double last = 1.0;
        for (const double stiffer : {1e4, 1e6}) {
            BeamInMotion given = beam_of(strip(), 6);
            given.beam.material.youngs_modulus = stiffer * modulus;
            given.tangential_velocity = 0.2;
            const Outcome elastic = outcome_of(oblique(given, xi));
            double off = std::abs(elastic.impulse - rigid.impulse) / rigid.impulse +
                         std::abs(elastic.tangential - rigid.tangential) / rigid.impulse;
            for (std::size_t i = 0; i < 2; ++i) off += std::abs(elastic.ball[i] - rigid.ball[i]);
            EXPECT_LT(off, 0.05 * last) << xi << ' ' << stiffer;
            last = off;
        }
        EXPECT_LT(last, 1e-5);
    }
}

/// Along both directions and about the middle of the beam, with the friction on its surface.
TEST(BeamFriction, OfAFreeBeamKeepsAllMomenta) {
    for (const double xi : {0.13, 0.5, 0.77}) {
        BeamInMotion given = beam_of(strip());
        given.velocity = 0.1;
        given.angular_velocity = 0.7;
        given.tangential_velocity = -0.4;
        const MotionModel model = oblique(given, xi);
        const MotionSystem made = models::motion_system(model);
        ImpactMotion moving(made.system, 1e-6);
        const models::BodyInSystem& body = made.bodies.at("body");
        const models::BodyInSystem& sphere = made.bodies.at("ball");
        const double mass = given.beam.mass(), turn = given.beam.inertia(0.5 * length);
        const auto momenta = [&] {
            const std::vector<double> v = moving.rates();
            const double own = std::sqrt(0.01), spin = std::sqrt(0.4 * 0.01) * 0.0067;
            const double up = own * v[sphere.begin], along = own * v[*sphere.tangential];
            return std::array{up + std::sqrt(mass) * v[body.begin],
                              along + std::sqrt(mass) * v[*body.tangential],
                              std::sqrt(turn) * v[body.begin + 1] + spin * v[sphere.begin + 1] +
                                  (xi - 0.5) * length * up - (0.5 * height + 0.0067) * along};
        };
        const auto before = momenta();
        std::size_t impacts = 0;
        moving.advance(2e-3, [&](const Impact& each) {
            EXPECT_NE(each.tangential_impulse, 0.0);
            ++impacts;
            return true;
        });
        EXPECT_GT(impacts, 0U);
        const auto now = momenta();
        EXPECT_NEAR(now[0], before[0], 1e-12 * 0.02);
        EXPECT_NEAR(now[1], before[1], 1e-12 * 0.02);
        EXPECT_NEAR(now[2], before[2], 1e-11 * 0.02 * length);
    }
}

TEST(BeamFriction, BalancesTheEnergy) {
    for (const auto& supports :
         {std::vector<models::Support>{}, std::vector<models::Support>{{SupportType::clamp, 0.0}},
          std::vector<models::Support>{{SupportType::pin, 0.0}, {SupportType::pin, 1.0}}}) {
        for (const double damping : {0.0, 1e5}) {
            Beam beam = strip(supports);
            beam.internal_damping = damping;
            for (const double tangential : {0.3, 5.0})
                EXPECT_NEAR(outcome_of(oblique(beam_of(beam), 0.6, tangential)).residual, 0.0,
                            1e-8);
        }
    }
}

MotionModel with_partial_slip(MotionModel model, int rings) {
    model.contacts[0].friction->tangential = contact::PartialSlip{rings};
    return model;
}

/// It also mirrors, and differs from one spring across the contact, hardly along the normal.
TEST(BeamFriction, ByPartialSlipOfAnElasticBeamConvergesWithTheRings) {
    const auto clamped = [](double xi) { return beam_of(strip({{SupportType::clamp, xi}})); };
    const MotionModel model = oblique(clamped(0.0), 0.7);
    const Outcome fine = outcome_of(with_partial_slip(model, 800));
    const auto error = [&](const Outcome& outcome) {
        EXPECT_NEAR(outcome.residual, 0.0, 1e-6);
        return std::abs(outcome.tangential - fine.tangential) / fine.impulse;
    };
    EXPECT_LT(error(outcome_of(with_partial_slip(model, 50))), 3e-4);
    EXPECT_LT(error(outcome_of(with_partial_slip(model, 200))), 5e-5);
    const Outcome left = outcome_of(with_partial_slip(oblique(clamped(1.0), 0.3, -1.5), 800));
    EXPECT_NEAR(left.tangential, -fine.tangential, 1e-9 * fine.impulse);
    const Outcome spring = outcome_of(model);
    EXPECT_GT(std::abs(fine.tangential - spring.tangential), 1e-3 * fine.impulse);
    EXPECT_NEAR(fine.impulse, spring.impulse, 1e-4 * spring.impulse);
}

TEST(BeamFriction, OfAMirroredBeamIsTheMirrorImage) {
    const auto clamped = [](double xi) { return beam_of(strip({{SupportType::clamp, xi}})); };
    const Outcome right = outcome_of(oblique(clamped(0.0), 0.7, 1.5));
    const Outcome left = outcome_of(oblique(clamped(1.0), 0.3, -1.5));
    EXPECT_NEAR(left.impulse, right.impulse, 1e-9 * right.impulse);
    EXPECT_NEAR(left.tangential, -right.tangential, 1e-9 * right.impulse);
    EXPECT_NEAR(left.ball[0], -right.ball[0], 1e-8);
    EXPECT_NEAR(left.ball[1], right.ball[1], 1e-8);
}

/// The lower surface lies on the other side of the axis: a ball from below is a ball from above,
/// upside down.
TEST(BeamFriction, OnTheLowerSurfaceIsThatOnTheUpperOneUpsideDown) {
    MotionModel above = oblique(beam_of(strip({{SupportType::clamp, 0.0}})), 0.7);
    MotionModel below = above;
    std::get<models::SphereBody>(below.bodies[0].kind).velocity = 2.0;
    std::swap(below.contacts[0].first, below.contacts[0].second);
    const Outcome of_above = outcome_of(above), of_below = outcome_of(below);
    EXPECT_NEAR(of_below.impulse, of_above.impulse, 1e-12);
    EXPECT_NEAR(of_below.tangential, -of_above.tangential, 1e-12);  // that on the beam
    EXPECT_NEAR(of_below.ball[0], of_above.ball[0], 1e-10);
    EXPECT_NEAR(of_below.ball[1], -of_above.ball[1], 1e-10);
    EXPECT_NEAR(of_below.ball[2], -of_above.ball[2], 1e-7);
}

/// Few modes with the replacement of the others come nearer to many modes than without it.
TEST(BeamFriction, TheReplacementOfAxialModesComesNearerToManyModes) {
    const Beam beam = strip({{SupportType::clamp, 0.0}});
    const Outcome many = outcome_of(oblique(beam_of(beam, 70), 0.6));
    BeamInMotion few = beam_of(beam, 12);
    const Outcome with = outcome_of(oblique(few, 0.6));
    few.residual_flexibility = false;
    const Outcome without = outcome_of(oblique(few, 0.6));
    const auto off = [&](const Outcome& each) {
        return std::abs(each.tangential - many.tangential) / many.impulse;
    };
    EXPECT_LT(off(with), 0.4 * off(without));
    EXPECT_LT(off(with), 3e-4);
}

}  // namespace
}  // namespace stoss
