// Two flexible beams that cross, and free bars: symmetry, conservation, the limit of rigid bodies.

#include <models/beam_model.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <published_mesh.hpp>
#include <string>
#include <vector>

namespace {

using namespace stoss;

models::Beam rod(double length, double radius, double youngs_modulus = 7e10) {
    models::Beam beam;
    beam.length = length;
    beam.section = {models::Circle{radius}};
    beam.material = {youngs_modulus, 0.33, 2700.0};
    return beam;
}

struct CollisionRequest {
    double xi, velocity, angular_velocity;
};

/// `first` meets `second`, each struck and moving as told, both along the same axis.
models::BeamCollision crossed(const models::Beam& first, const CollisionRequest& of_first,
                              const models::Beam& second, const CollisionRequest& of_second) {
    models::BeamCollision parameters;
    parameters.mesh = tests::published_mesh();
    parameters.beam = first;
    parameters.motion.velocity = of_first.velocity;
    parameters.motion.angular_velocity = of_first.angular_velocity;
    models::StrikingBeam other;
    other.beam = second;
    other.xi = of_second.xi;
    other.crossing_angle = 1.1;
    other.angular_velocity = of_second.angular_velocity;
    parameters.striker.shape = other;
    parameters.striker.velocity = of_second.velocity;
    parameters.integration.scheme = time::Splitting{1e-10};
    EXPECT_TRUE(models::check(parameters).empty());
    return parameters;
}

impact::CollisionResult collide(const models::BeamCollision& parameters, double xi) {
    return models::BeamModel(parameters).collide(xi);
}

/// The bodies change their names and the axis its sense.
TEST(TwoCrossedBeams, AreTheSameWhenExchanged) {
    const models::Beam beam = rod(0.4, 0.006);
    for (const double of_first : {0.5, 0.11}) {
        const CollisionRequest one{of_first, -0.3, 2.0}, two{0.93, 0.8, -1.5};
        const CollisionRequest turned_one{one.xi, -one.velocity, -one.angular_velocity};
        const CollisionRequest turned_two{two.xi, -two.velocity, -two.angular_velocity};
        const auto here = collide(crossed(beam, one, beam, two), one.xi);
        const auto there = collide(crossed(beam, turned_two, beam, turned_one), two.xi);
        ASSERT_EQ(here.status, impact::Status::separated);
        EXPECT_NEAR(here.cor_kinematic, there.cor_kinematic, 1e-12);
        EXPECT_NEAR(here.cor_kinetic, there.cor_kinetic, 1e-12);
        EXPECT_NEAR(here.impulse / there.impulse, 1.0, 1e-12);
        EXPECT_NEAR(here.separation / there.separation, 1.0, 1e-12);
        EXPECT_NEAR(here.energy.vibration, there.energy.vibration, 1e-12);
        ASSERT_EQ(here.sub_impacts.size(), there.sub_impacts.size());
        const std::size_t half = here.energy.modes.size() / 2;
        for (std::size_t j = 0; j < half; ++j)
            EXPECT_NEAR(here.energy.modes[j], there.energy.modes[half + j], 1e-12);
    }
}

TEST(TwoCrossedBeams, KeepMomentumAndEnergy) {
    auto long_beam = rod(0.5, 0.008), short_beam = rod(0.2, 0.004, 2.1e11);
    long_beam.supports = {{models::SupportType::pin, 0.25}};
    short_beam.theory = models::Timoshenko{};
    const auto parameters = crossed(long_beam, {0.0, 0.0, -3.0}, short_beam, {0.4, 0.7, 4.0});
    for (const double xi : {0.4, 0.8, 1.0}) {
        const auto result = collide(parameters, xi);
        ASSERT_EQ(result.status, impact::Status::separated) << xi;
        EXPECT_NEAR(result.cor_kinematic, result.cor_kinetic, 1e-9) << xi;
        EXPECT_NEAR(result.energy.residual, 0.0, 1e-9) << xi;
        EXPECT_NEAR(models::rigid_approach_speed(parameters, xi), result.approach_speed, 1e-9);
        // The impulse is what the closing velocity of the rigid bodies says of it.
        const double arm = (xi - 0.25) * 0.5, off = (0.4 - 0.5) * 0.2;
        const double compliance = arm * arm / long_beam.inertia(0.125) + 1.0 / short_beam.mass() +
                                  off * off / short_beam.inertia(0.1);
        const double change = result.approach_speed + result.separation_speed;
        EXPECT_NEAR(result.impulse * compliance / change, 1.0, 1e-7) << xi;
    }
}

/// Beams so stiff that they are rigid: the impact of two masses on a spring of Hertz, whose
/// duration is 2.9432748 x_max/v with x_max = (5 m v^2/(4 k))^(2/5).
void expect_rigid(const impact::CollisionResult& result, double compliance, double stiffness) {
    ASSERT_EQ(result.status, impact::Status::separated);
    EXPECT_NEAR(result.cor_kinematic, 1.0, 1e-6);
    const double v = result.approach_speed, m = 1.0 / compliance;
    EXPECT_NEAR(result.impulse / (2.0 * m * v), 1.0, 1e-6);
    const double overlap = std::pow(1.25 * m * v * v / stiffness, 0.4);
    EXPECT_NEAR(result.separation / (2.9432748 * overlap / v), 1.0, 1e-6);
    EXPECT_NEAR(result.peak_force / (stiffness * std::pow(overlap, 1.5)), 1.0, 1e-6);
}

constexpr double soft_contact = 1e7;  // [N/m^(3/2)]
constexpr double rigid = 7e18;        // Young's modulus [Pa] of a bar that does not bend

TEST(StiffFreeBar, HitByAMassReboundsByTheLawOfTwoMasses) {
    models::BeamCollision parameters;
    parameters.mesh = tests::published_mesh();
    parameters.beam = rod(0.3, 0.006, rigid);
    parameters.striker = {models::Sphere{0.01}, models::SurfaceMaterial{2.1e11, 0.3}, 0.03, 1.2};
    std::get<contact::Hertz>(parameters.contact.law).stiffness = soft_contact;
    parameters.integration = {time::Splitting{1e-9}, 1.0};
    const models::Beam& beam = parameters.beam;
    for (const double xi : {0.5, 0.8, 1.0}) {
        const double arm = (xi - 0.5) * beam.length;
        const double compliance =
            1.0 / 0.03 + 1.0 / beam.mass() + arm * arm / beam.inertia(0.5 * beam.length);
        expect_rigid(collide(parameters, xi), compliance, soft_contact);
    }
}

TEST(StiffFreeBar, ThatTranslatesAndTurnsOntoAnAnvilReboundsAsARigidBody) {
    models::BeamCollision parameters;
    parameters.mesh = tests::published_mesh();
    parameters.beam = rod(0.3, 0.006, rigid);
    parameters.motion.velocity = -1.0;
    parameters.motion.angular_velocity = -3.0;
    parameters.striker.shape = models::Cylinder{0.01};
    parameters.striker.material =
        models::SurfaceMaterial{.youngs_modulus = 2.1e11, .poisson_ratio = 0.3};
    std::get<contact::Hertz>(parameters.contact.law).stiffness = soft_contact;
    parameters.integration = {time::Splitting{1e-9}, 1.0};
    const models::Beam& beam = parameters.beam;
    for (const double xi : {0.5, 0.7, 1.0}) {
        const double arm = (xi - 0.5) * beam.length;
        const auto result = collide(parameters, xi);
        EXPECT_NEAR(result.approach_speed, 1.0 + 3.0 * arm, 1e-9);
        expect_rigid(result, 1.0 / beam.mass() + arm * arm / beam.inertia(0.5 * beam.length),
                     soft_contact);
    }
}

TEST(TwoStiffBeams, ReboundByTheLawOfTwoMasses) {
    auto parameters =
        crossed(rod(0.3, 0.006, rigid), {0.0, -0.5, 0.0}, rod(0.2, 0.005, rigid), {0.9, 0.6, 1.0});
    std::get<contact::Hertz>(parameters.contact.law).stiffness = soft_contact;
    parameters.integration.time_limit = 1.0;
    const auto& other = std::get<models::StrikingBeam>(parameters.striker.shape).beam;
    const double arm = 0.2 * 0.3, off = 0.4 * 0.2;
    const double compliance = 1.0 / parameters.beam.mass() +
                              arm * arm / parameters.beam.inertia(0.15) + 1.0 / other.mass() +
                              off * off / other.inertia(0.1);
    expect_rigid(collide(parameters, 0.7), compliance, soft_contact);
}

TEST(StrikingBeam, ThatIsStiffIsACylinderOfItsMass) {
    const models::Beam beam = rod(0.4, 0.006), stiff = rod(0.1, 0.008, rigid);
    auto flexible = crossed(beam, {0.0, 0.0, 0.0}, stiff, {0.5, 1.0, 0.0});
    auto point = flexible;
    point.striker = {models::Cylinder{0.008, 1.1}, models::SurfaceMaterial{rigid, 0.33},
                     stiff.mass(), 1.0};
    EXPECT_EQ(models::contact_stiffness(flexible, 0.5).value(),
              models::contact_stiffness(point, 0.5).value());
    EXPECT_NEAR(collide(flexible, 0.8).cor_kinematic, collide(point, 0.8).cor_kinematic, 1e-6);
}

std::vector<std::string> complaints(const models::BeamCollision& parameters) {
    std::vector<std::string> keys;
    for (const core::Violation& violation : models::check(parameters))
        keys.push_back(violation.key);
    return keys;
}

TEST(StrikingBeam, IsCheckedAsTheOtherBeam) {
    using Keys = std::vector<std::string>;
    const models::Beam beam = rod(0.4, 0.006);
    const auto sound = crossed(beam, {0.0, 0.0, 0.0}, beam, {0.5, 1.0, 0.0});
    EXPECT_EQ(complaints(sound), Keys{});

    auto heavy = sound;
    heavy.striker.mass = 1.0;
    heavy.striker.material = {7e10, 0.3};
    EXPECT_EQ(complaints(heavy), (Keys{"striker.material", "striker.mass"}));

    auto held = sound;
    auto& other = std::get<models::StrikingBeam>(held.striker.shape);
    other.beam.supports = {{models::SupportType::clamp, 0.0}};
    other.angular_velocity = 1.0;
    EXPECT_EQ(complaints(held), (Keys{"striker.velocity", "striker.angular_velocity"}));

    auto off = sound;
    std::get<models::StrikingBeam>(off.striker.shape).beam.masses = {{0.99995, 1.0, 0.0}};
    EXPECT_EQ(complaints(off), Keys{"striker.beam.masses[0].xi"});

    auto still = sound;
    still.striker.velocity = 0.0;
    EXPECT_EQ(complaints(still), Keys{"motion"});

    auto ball = sound;
    ball.striker = {models::Sphere{0.01}, {}, 0.1, 1.0};
    EXPECT_EQ(complaints(ball), Keys{"striker.material"});
}

}  // namespace
