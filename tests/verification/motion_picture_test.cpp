/// The bodies of a motion as lines: gaps, deflections and rotations are those of the motion.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

#include <models/impact_motion.hpp>
#include <models/motion_picture.hpp>
#include <stoss/motion/impact_motion.hpp>

namespace stoss {
namespace {

using models::MotionModel;
using models::MotionPicture;
using models::MotionSystem;

models::MotionContact newton(const std::string& first, const std::string& second, double xi,
                             double gap) {
    models::MotionContact contact;
    contact.name = first + " on " + second;
    contact.first = {first, xi};
    contact.second = {second, 0.5};
    contact.gap = gap;
    contact.cor = 0.8;
    return contact;
}

/// y [m] of the point of a body that lies nearest to x, at `time` [s].
double height(const MotionPicture& picture, const motion::ImpactMotion& moving, std::size_t body,
              double x, bool lowest) {
    const std::vector<double> u = picture.displacements(moving.time(), moving.coordinates());
    double best = 1e300, y = 0.0;
    for (std::size_t i = 0; i < picture.points().size(); ++i) {
        if (picture.bodies()[i] != body) continue;
        const auto& point = picture.points()[i];
        const double distance = std::abs(point[0] - x) + (lowest ? 1e-3 : -1e-3) * point[1];
        if (distance >= best) continue;
        best = distance;
        y = point[1] + u[3 * i + 1];
    }
    return y;
}

TEST(MotionPicture, DistancesOfABarAndItsFloorAreTheGapsOfTheMotion) {
    MotionModel model;
    models::RigidBar bar;
    bar.mass = 0.5;
    bar.length = 0.4;
    bar.thickness = 0.02;
    bar.displacement = 0.01;
    bar.angular_velocity = 0.3;
    models::Surface floor;
    floor.motion = {{1e-3, 20.0, 0.4}};
    model.bodies = {{"bar", bar}, {"floor", floor}};
    model.contacts = {newton("bar", "floor", 0.0, 0.002), newton("bar", "floor", 1.0, 0.002)};
    model.contacts[1].name = "other end";
    model.gravity = 9.81;
    const MotionSystem made = models::motion_system(model);
    const MotionPicture picture(model, made);
    motion::ImpactMotion moving(made.system, 1e-6);
    for (const double time : {0.0, 0.01, 0.05, 0.1}) {
        moving.advance(time);
        const double floor_y = height(picture, moving, 1, 0.0, false);
        for (std::size_t end = 0; end < 2; ++end) {
            const double x = picture.points()[end == 0 ? 0 : 1][0];
            const double distance = height(picture, moving, 0, x, true) - floor_y;
            // The model turns by small angles; the picture turns the bar itself.
            EXPECT_NEAR(distance, -moving.overlap(made.order[end]), 2e-6) << time << " " << end;
        }
    }
}

TEST(MotionPicture, TheTipOfABeamIsWhereItsModesAre) {
    MotionModel model;
    models::BeamInMotion given;
    given.beam.length = 0.3;
    given.beam.section = models::Rectangle{0.02, 0.002};
    given.beam.material.youngs_modulus = 210e9;
    given.beam.material.poisson_ratio = 0.3;
    given.beam.material.density = 7850.0;
    given.beam.supports = {{models::SupportType::clamp, 0.0}};
    given.modes = 6;
    given.residual_flexibility = false;
    model.bodies = {{"beam", given}, {"stop", models::Surface{}}};
    models::MotionContact contact = newton("beam", "stop", 1.0, 1e-3);
    contact.cor = {};
    contact::Hertz hertz;
    hertz.stiffness = 1e8;
    contact.contact = models::ContactParameters{hertz};
    model.contacts = {contact};
    model.forces = {{{"beam", 0.5}, -2.0, 18.0, 0.0}};
    const MotionSystem made = models::motion_system(model);
    const MotionPicture picture(model, made);
    motion::ImpactMotion moving(made.system, 1e-6);
    for (const double time : {0.0, 0.02, 0.05}) {
        moving.advance(time);
        const double distance =
            height(picture, moving, 0, 0.3, true) - height(picture, moving, 1, 0.3, false);
        EXPECT_NEAR(distance, -moving.overlap(0), 1e-12) << time;
    }
}

TEST(MotionPicture, ABeamMovesAlongItsAxis) {
    MotionModel model;
    models::BeamInMotion given;
    given.beam.length = 0.3;
    given.beam.section = models::Rectangle{0.02, 0.002};
    given.beam.material = {210e9, 0.3, 7850.0};
    given.modes = 4;
    given.tangential_velocity = 0.7;
    model.bodies = {{"beam", given}, {"stop", models::Surface{}}};
    models::MotionContact contact = newton("beam", "stop", 1.0, 1e-3);
    contact.cor = {};
    contact::Hertz hertz;
    hertz.stiffness = 1e8;
    contact.contact = models::ContactParameters{hertz};
    model.contacts = {contact};
    const MotionSystem made = models::motion_system(model);
    const MotionPicture picture(model, made);
    motion::ImpactMotion moving(made.system, 1e-6);
    moving.advance(0.01);
    const std::vector<double> u = picture.displacements(moving.time(), moving.coordinates());
    for (std::size_t i = 0; i < picture.points().size(); ++i) {
        EXPECT_NEAR(u[3 * i], picture.bodies()[i] == 0 ? 0.7 * moving.time() : 0.0, 1e-15) << i;
        EXPECT_EQ(u[3 * i + 1], 0.0) << i;
    }
}

TEST(MotionPicture, ASphereRollsWithoutChangingItsRadius) {
    MotionModel model;
    models::SphereBody sphere;
    sphere.mass = 0.1;
    sphere.radius = 0.05;
    sphere.angular_velocity = -20.0;  // rolls along the tangent: its lowest point rests
    sphere.tangential_velocity = 1.0;
    model.bodies = {{"sphere", sphere}, {"floor", models::Surface{}}};
    model.contacts = {newton("sphere", "floor", 0.5, 1e-3)};
    const MotionSystem made = models::motion_system(model);
    const MotionPicture picture(model, made);
    motion::ImpactMotion moving(made.system, 1e-6);
    const double quarter = 0.5 * std::numbers::pi / 20.0;
    moving.advance(quarter);
    const std::vector<double> u = picture.displacements(moving.time(), moving.coordinates());
    const double middle = 1.0 * quarter;
    for (std::size_t i : picture.lines()[0]) {
        const double x = picture.points()[i][0] + u[3 * i],
                     y = picture.points()[i][1] + u[3 * i + 1];
        EXPECT_NEAR(std::hypot(x - middle, y), sphere.radius, 1e-15);
    }
    // The point that was the lowest one is now behind the middle.
    EXPECT_NEAR(u[0], middle - sphere.radius, 1e-12);
    EXPECT_NEAR(u[1], sphere.radius, 1e-12);
}

TEST(MotionPicture, BodiesWithoutAContactLieBesideEachOther) {
    MotionModel model;
    models::SphereBody sphere;
    sphere.mass = 0.1;
    sphere.radius = 0.05;
    model.bodies = {{"a", sphere}, {"b", sphere}, {"floor", models::Surface{}}};
    model.contacts = {newton("a", "floor", 0.5, 0.0)};
    const MotionSystem made = models::motion_system(model);
    const MotionPicture picture(model, made);
    double right_of_a = -1.0, left_of_b = 1.0;
    for (std::size_t i = 0; i < picture.points().size(); ++i) {
        const double x = picture.points()[i][0];
        if (picture.bodies()[i] == 0) right_of_a = std::max(right_of_a, x);
        if (picture.bodies()[i] == 1) left_of_b = std::min(left_of_b, x);
    }
    EXPECT_GT(left_of_b, right_of_a);
}

}  // namespace
}  // namespace stoss
