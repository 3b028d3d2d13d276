#include <models/rigid_contact.hpp>
#include <models/sliding_rod.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <solvers/registry/registry.hpp>
#include <stoss/io/document.hpp>

namespace {

using namespace stoss::models;
namespace rigid = stoss::rigid;

BodyKeys sphere() {
    BodyKeys body;
    body.mass = 2.0;
    body.moments = {0.008, 0.008, 0.008};  // 2/5 m r^2, r = 0.1 m
    body.position = {0.0, 0.0, 0.1};
    body.velocity = {5.0, 0.0, -1.0};
    return body;
}

RigidContact sphere_on_wall() {
    GivenBodies bodies;
    bodies.first = sphere();
    bodies.frame.point = {0.0, 0.0, 0.0};
    bodies.frame.normal = {0.0, 0.0, 1.0};
    bodies.frame.tangent = {1.0, 0.0, 0.0};
    RigidContact contact;
    contact.given = bodies;
    contact.mu = 0.2;
    return contact;
}

TEST(RigidContactModel, SphereOnAWallHasItsClosedForm) {
    const RigidContact contact = sphere_on_wall();
    ASSERT_TRUE(check(contact).empty());
    const rigid::ContactProblem problem = contact.problem();
    EXPECT_DOUBLE_EQ(problem.A.nn, 1.0 / 2.0);
    EXPECT_DOUBLE_EQ(problem.A.tt, 3.5 / 2.0);
    EXPECT_DOUBLE_EQ(problem.A.oo, 3.5 / 2.0);
    EXPECT_EQ(problem.b, (rigid::ContactVector{1.0, -5.0, 0.0}));
}

TEST(RigidContactModel, BodiesWhoseNumbersLieTooFarApartForDoublesAreRefused) {
    RigidContact contact = sphere_on_wall();
    BodyKeys& first = std::get<GivenBodies>(contact.given).first;
    first.position = {-1e300, 0.0, 0.1};  // its lever squared is no number
    ASSERT_EQ(check(contact).size(), 1u);
    EXPECT_EQ(check(contact).front().key, "first");
}

TEST(RigidContactModel, BodiesAndTheirOperatorAreOneProblem) {
    const RigidContact bodies = sphere_on_wall();
    const rigid::ContactProblem expected = bodies.problem();
    GivenOperator given;
    const rigid::ContactMatrix& A = expected.A;
    given.A = {A.nn, A.nt, A.no, A.tt, A.to, A.oo};
    given.b = {expected.b.n, expected.b.t, expected.b.o};
    RigidContact contact;
    contact.given = given;
    contact.mu = bodies.mu;
    EXPECT_EQ(contact.problem().A, expected.A);
    EXPECT_EQ(contact.problem().b, expected.b);
}

TEST(RigidContactModel, AMatrixOfInertiaStandsForMomentsAndProducts) {
    RigidContact by_moments = sphere_on_wall(), by_matrix = sphere_on_wall();
    BodyKeys& first = std::get<GivenBodies>(by_moments.given).first;
    first.moments = {3.0, 2.0, 4.0};
    first.products = {0.5, -0.25, 0.125};
    BodyKeys& second = std::get<GivenBodies>(by_matrix.given).first;
    second.moments.clear();
    second.inertia =
        std::vector<std::vector<double>>{{3.0, 0.5, -0.25}, {0.5, 2.0, 0.125}, {-0.25, 0.125, 4.0}};
    EXPECT_TRUE(check(by_matrix).empty());
    EXPECT_EQ(by_matrix.problem().A, by_moments.problem().A);
    second.moments = {3.0, 2.0, 4.0};
    ASSERT_EQ(check(by_matrix).size(), 1u);
    EXPECT_EQ(check(by_matrix).front().rule, "cannot be given together with `inertia`");
}

TEST(RigidContactModel, KeysThatAnotherKeyReplacesAreRefused) {
    RigidContact contact = sphere_on_wall();
    BodyKeys& body = std::get<GivenBodies>(contact.given).first;
    body.inertia = std::vector<std::vector<double>>{{3, 0, 0}, {0, 3, 0}, {0, 0, 3}};
    body.moments.clear();
    body.rotation = std::vector<double>{0.1, 0.0, 0.0};
    EXPECT_TRUE(check(contact).empty());
    body.products = {0.5, 0.0, 0.0};
    body.orientation = {0.8, 0.6, 0.0, 0.0};
    const auto found = check(contact);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].key, "first.products");
    EXPECT_EQ(found[1].key, "first.orientation");
    EXPECT_EQ(found[1].rule, "cannot be given together with `rotation`");
}

TEST(RigidContactModel, RotationTurnsAboutTheAxesOfSpaceInTurn) {
    RigidContact contact = sphere_on_wall();
    BodyKeys& body = std::get<GivenBodies>(contact.given).first;
    const double right = 0.5 * 3.14159265358979323846;
    body.rotation = std::vector<double>{right, right, 0.0};
    const Eigen::Quaterniond turned = std::get<GivenBodies>(contact.given).first_body().orientation;
    // y goes to z by the first turn, and z to x by the second.
    EXPECT_NEAR((turned * Eigen::Vector3d::UnitY() - Eigen::Vector3d::UnitX()).norm(), 0.0, 1e-15);
}

TEST(RigidContactModel, AVelocityIsGivenByComponentsOrBySpeedAndAngles) {
    VelocityEntries velocity;
    velocity.speed = 2.0;
    velocity.inclination = 3.14159265358979323846 / 6.0;
    EXPECT_TRUE(check(velocity, "b").empty()) << "the azimuth is 0 if it is left out";
    const rigid::ContactVector b = velocity.components();
    EXPECT_NEAR(b.n, std::sqrt(3.0), 1e-15);
    EXPECT_NEAR(b.t, 1.0, 1e-15);
    EXPECT_EQ(b.o, 0.0);
    velocity.n = 1.0;
    EXPECT_EQ(check(velocity, "b").size(), 1u);
    const auto missing = check(VelocityEntries{}, "b");
    ASSERT_EQ(missing.size(), 3u);
    EXPECT_EQ(missing.front().key, "b.n");
}

TEST(RigidContactModel, ProductsOfInertiaAreEntriesOfTheTensor) {
    RigidContact contact = sphere_on_wall();
    auto& bodies = std::get<GivenBodies>(contact.given);
    bodies.first.moments = {3.0, 2.0, 4.0};
    bodies.first.products = {0.5, -0.25, 0.125};
    rigid::RigidBody body;
    body.mass = 2.0;
    body.inertia << 3.0, 0.5, -0.25, 0.5, 2.0, 0.125, -0.25, 0.125, 4.0;
    body.position = {0.0, 0.0, 0.1};
    body.velocity = {5.0, 0.0, -1.0};
    rigid::ContactFrame frame;
    frame.n = Eigen::Vector3d::UnitZ();
    frame.t = Eigen::Vector3d::UnitX();
    frame.o = Eigen::Vector3d::UnitY();
    EXPECT_EQ(contact.problem().A, contact_problem(body, rigid::RigidBody::fixed(), frame, 0.2).A);
}

TEST(RigidContactModel, AWallThatMovesIsAnInfiniteMass) {
    RigidContact contact = sphere_on_wall();
    BodyKeys wall;
    wall.mass = stoss::core::infinity;
    wall.velocity = {0.0, 0.0, 0.5};
    std::get<GivenBodies>(contact.given).second = wall;
    ASSERT_TRUE(check(contact).empty());
    EXPECT_DOUBLE_EQ(contact.problem().b.n, 1.5);
    EXPECT_DOUBLE_EQ(contact.problem().A.nn, 0.5);
}

TEST(SixMassBodyModel, FramesDifferInLengthOnly) {
    SixMassBody body;
    body.masses = {0.03, 65.0, 50.0};
    body.distances = {10.0, 1.0, 1.0};
    body.normal = {0.25, 0.36, -0.9};
    body.velocity = {-0.06, -0.7, -0.23};
    body.mu = 3.7;
    const auto orthonormal = body.contact_frame();
    body.frame = SixMassFrame::published;
    const auto published = body.contact_frame();
    EXPECT_TRUE(rigid::violations(orthonormal, rigid::FrameRule::orthonormal, "frame").empty());
    EXPECT_FALSE(rigid::violations(published, rigid::FrameRule::orthonormal, "frame").empty());
    EXPECT_NEAR(published.t.normalized().dot(orthonormal.t), 1.0, 1e-15);
    EXPECT_NEAR(
        published.t.norm(),
        std::sqrt(0.36 * 0.36 + 0.9 * 0.9) / std::sqrt(0.25 * 0.25 + 0.36 * 0.36 + 0.9 * 0.9),
        1e-15);
}

TEST(SlidingRodModel, CriticalFrictionIsTheClosedFormRoundedUp) {
    SlidingRod rod;
    rod.mass = 1.7;
    rod.length = 2.3;
    rod.speed = 0.4;
    for (double angle = 0.05; angle < 1.55; angle += 0.01) {
        const rigid::ContactMatrix A = rod_contact(rod, angle, 0.0).A;
        const double mu = critical_friction(A), c = std::cos(angle), s = std::sin(angle);
        EXPECT_NEAR(mu, (3.0 * c * c + 1.0) / (3.0 * s * c), 4e-15 * mu);
        EXPECT_GE(std::fma(mu, std::abs(A.nt), -A.nn), 0.0);
        EXPECT_LT(std::fma(std::nextafter(mu, 0.0), std::abs(A.nt), -A.nn), 0.0);
    }
}

TEST(SlidingRodModel, TouchesWithoutApproach) {
    SlidingRod rod;
    rod.mass = rod.length = rod.speed = 1.0;
    EXPECT_EQ(rod_contact(rod, 0.7, 1.0).b, (rigid::ContactVector{0.0, 1.0, 0.0}));
}

std::vector<std::string> warnings_of(const std::string& text) {
    const stoss::io::Document document = stoss::io::parse_yaml(text, "case.yaml");
    return stoss::solvers::problem_of(document).read(document)->solve({1, true}).warnings;
}

const std::string sphere_above_a_wall =
    "problem: rigid_contact\n"
    "given: bodies\n"
    "first: {mass: 2 kg, moments: [0.008 kg m^2, 0.008 kg m^2, 0.008 kg m^2], position: [0, 0, "
    "0.1 m], velocity: [5 m/s, 0, -1 m/s]}\n"
    "mu: 0.2\n";

TEST(RigidContactProblem, WarnsOfANormalAlongWhichTheBodiesPart) {
    const auto warnings =
        warnings_of(sphere_above_a_wall + "frame: {point: [0, 0, 0], normal: [0, 0, -1]}\n");
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_EQ(warnings.front(),
              "frame.normal: the bodies do not approach each other, their closing speed is -1 m/s "
              "and must be > 0 m/s for an impact: the normal points from the second body to the "
              "first: reverse it, or correct the velocities");
    EXPECT_EQ(
        warnings_of(sphere_above_a_wall + "frame: {point: [0, 0, 0], normal: [0, 1, 0]}\n").size(),
        1U);  // across the velocity: 0 m/s
    EXPECT_TRUE(warnings_of(sphere_above_a_wall + "frame: {point: [0, 0, 0], normal: [0, 0, 1]}\n")
                    .empty());
}

TEST(RigidContactProblem, WarnsOfAGivenVelocityWithWhichTheBodiesPart) {
    const auto warnings = warnings_of(
        "problem: rigid_contact\n"
        "given: operator\n"
        "A: {nn: 1 kg^-1, nt: 0 kg^-1, no: 0 kg^-1, tt: 2 kg^-1, to: 0 kg^-1, oo: 2 kg^-1}\n"
        "b: {n: -0.25 m/s, t: 0.5 m/s, o: 0 m/s}\n"
        "mu: 0.3\n");
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_TRUE(
        warnings.front().starts_with("b.n: the bodies do not approach each other, their "
                                     "closing speed is -0.25 m/s"));
}

TEST(SixMassBodyProblem, WarnsOfANormalAlongWhichItLeavesThePlane) {
    const std::string text =
        "problem: six_mass_body\n"
        "masses: {x: 1 kg, y: 1 kg, z: 1 kg}\n"
        "distances: {x: 1 m, y: 1 m, z: 1 m}\n"
        "velocity: [0, 0, -1 m/s]\n"
        "mu: 0.2\n"
        "normal: ";
    const auto warnings = warnings_of(text + "[-0.8, 0, -0.6]\n");
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_TRUE(warnings.front().starts_with("normal: the bodies do not approach each other"));
    EXPECT_TRUE(warnings_of(text + "[0.8, 0, 0.6]\n").empty());
}

TEST(SixMassBodyProblem, WarnsOfAMassBeyondThePlane) {
    const std::string text =
        "problem: six_mass_body\n"
        "masses: {x: 1 kg, y: 1 kg, z: 1 kg}\n"
        "distances: {x: 1 m, y: 1 m, z: 2 m}\n"
        "velocity: [-1 m/s, 0, -1 m/s]\n"
        "mu: 0.2\n"
        "normal: ";
    const auto warnings = warnings_of(text + "[0.8, 0, 0.6]\n");
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_TRUE(warnings.front().starts_with("normal: a mass on the z axis lies 0.4 m beyond"));
    EXPECT_TRUE(warnings_of(text + "[0.9, 0, 0.4]\n").empty());
}

/// The body is symmetric: both masses on the x axis give one contact.
TEST(SixMassBodyModel, IsTheSameForBothMassesOnTheXAxis) {
    SixMassBody body;
    body.masses = {1.0, 2.0, 3.0};
    body.distances = {4.0, 1.0, 1.0};
    body.normal = {0.8, 0.1, -0.6};
    body.velocity = {-1.0, 0.2, 0.1};
    body.mu = 0.3;
    rigid::ContactFrame other = body.contact_frame();
    other.point = -other.point;
    const auto expected = body.problem();
    const auto found = contact_problem(body.body(), rigid::RigidBody::fixed(), other, 0.3);
    EXPECT_EQ(found.b, expected.b);
    EXPECT_DOUBLE_EQ(found.A.nn, expected.A.nn);
    EXPECT_DOUBLE_EQ(found.A.nt, expected.A.nt);
    EXPECT_DOUBLE_EQ(found.A.oo, expected.A.oo);
}

}  // namespace
