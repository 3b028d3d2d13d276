#include <models/rigid_contact.hpp>
#include <models/sliding_rod.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include <postproc/report/run_data.hpp>
#include <sample_run.hpp>
#include <solved_case.hpp>
#include <solvers/problems/rigid/rigid_figures.hpp>
#include <solvers/problems/rigid/rigid_solutions.hpp>

namespace {

using namespace stoss::models;
namespace rigid = stoss::rigid;
using stoss::tests::solve;

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

TEST(RigidContactModel, ItsNormalMayHaveAnyLength) {
    RigidContact contact = sphere_on_wall();
    FrameKeys& frame = std::get<GivenBodies>(contact.given).frame;
    frame.tangent.reset();
    const rigid::ContactMatrix expected = contact.problem().A;
    for (const double length : {1e-200, 1e300}) {
        frame.normal = {0.0, 0.0, length};
        EXPECT_TRUE(check(contact).empty()) << length;
        EXPECT_EQ(contact.problem().A, expected) << length;
    }
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

TEST(RigidContactModel, AVelocityAtARightAngleHasNoOtherComponent) {
    const double right = 0.5 * std::numbers::pi;
    EXPECT_EQ(velocity_of(2.0, right, 0.0), (rigid::ContactVector{0.0, 2.0, 0.0}));
    EXPECT_EQ(velocity_of(2.0, std::nextafter(right, 0.0), 0.0).n, 0.0);
    EXPECT_EQ(velocity_of(2.0, right, right), (rigid::ContactVector{0.0, 0.0, 2.0}));
    EXPECT_EQ(velocity_of(2.0, right, 2.0 * right), (rigid::ContactVector{0.0, -2.0, 0.0}));
    EXPECT_EQ(velocity_of(2.0, right, 3.0 * right), (rigid::ContactVector{0.0, 0.0, -2.0}));
    EXPECT_EQ(velocity_of(2.0, 2.0 * right, 0.0), (rigid::ContactVector{-2.0, 0.0, 0.0}));
    EXPECT_FALSE(std::signbit(velocity_of(2.0, right, 3.0 * right).t));
    EXPECT_NEAR(velocity_of(2.0, right - 1e-12, 0.0).n, 2e-12, 1e-15);
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

TEST(SixMassBodyModel, ItsNormalMayHaveAnyLength) {
    SixMassBody body;
    body.masses = {0.03, 65.0, 50.0};
    body.distances = {10.0, 1.0, 1.0};
    body.velocity = {-0.06, -0.7, -0.23};
    body.mu = 0.5;
    for (const double length : {1e-200, 1e300}) {
        body.normal = {0.6 * length, 0.0, -0.8 * length};
        EXPECT_TRUE(check(body).empty()) << length;
        const Eigen::Vector3d expected(0.6, 0.0, -0.8);
        EXPECT_LT((body.contact_frame().n - expected).norm(), 1e-15) << length;
    }
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
    return solve(text).warnings;
}

const stoss::io::Table* table_of(const stoss::solvers::Outcome& outcome, std::string_view name) {
    for (const auto& [each, table] : outcome.tables) {
        if (each == name) return &table;
    }
    return nullptr;
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

/// A rod at 1 rad: critical friction 1.375.
const std::string wedged_rod =
    "problem: rigid_contact\n"
    "given: operator\n"
    "A: {nn: 1.8757797451 kg^-1, nt: -1.3639461402 kg^-1, no: 0 kg^-1, tt: 3.1242202549 kg^-1, to: "
    "0 kg^-1, oo: 4 kg^-1}\n"
    "mu: 3\n";

TEST(RigidContactProblem, SlidesAtARightAngleAsByItsComponents) {
    for (const char* b : {"b: {n: 0 m/s, t: 1 m/s, o: 0 m/s}\n",
                          "b: {speed: 1 m/s, inclination: 90 deg, azimuth: 0 deg}\n"}) {
        const auto outcome = solve(wedged_rod + b);
        const stoss::io::Table* solutions = table_of(outcome, "solutions.csv");
        ASSERT_NE(solutions, nullptr);
        EXPECT_EQ(solutions->rows(), 3u) << b;  // maximum dissipation, Coulomb's two
    }
}

TEST(RigidContactProblem, TellsOfAnImpactWithoutApproachAndDrawsItsSection) {
    const auto outcome = solve(wedged_rod + "b: {n: 0 m/s, t: 1 m/s, o: 0 m/s}\n");
    const stoss::io::Table* section = table_of(outcome, "section.csv");
    ASSERT_NE(section, nullptr);  // two rays from the tip of the cone
    const auto n = section->numbers("impulse_n_N_s"), t = section->numbers("impulse_t_N_s");
    const auto o = section->numbers("impulse_o_N_s");
    for (std::size_t i = 0; i < n.size(); ++i)
        EXPECT_NEAR(3.0 * n[i], std::hypot(t[i], o[i]), 1e-14) << i;
    const auto& warnings = outcome.warnings;
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_EQ(warnings.front(),
              "b.n: the bodies do not approach each other, their closing speed is 0 m/s: friction "
              "alone causes the impulse, an impact without approach");
}

TEST(RigidContactProblem, WhoseImpulseOverflowsFailsInWordsAndIsNotDrawn) {
    const auto outcome = solve(
        "problem: rigid_contact\n"
        "given: operator\n"
        "A: {nn: 1e-200 kg^-1, nt: 0 kg^-1, no: 0 kg^-1, tt: 2e-200 kg^-1, to: 0 kg^-1, oo: 2e-200 "
        "kg^-1}\n"
        "b: {n: 1e200 m/s, t: 1e200 m/s, o: 0 m/s}\n"
        "mu: 0.3\n");
    EXPECT_EQ(outcome.ending, stoss::solvers::Ending::numerical_failure);
    ASSERT_EQ(outcome.warnings.size(), 1U);
    EXPECT_TRUE(outcome.warnings.front().starts_with("the impact could not be solved"));
    EXPECT_EQ(table_of(outcome, "section.csv"), nullptr);
    EXPECT_TRUE(outcome.files.empty());
}

TEST(RigidContactProblem, HasARowOfTheImpactWithRestitution) {
    const auto outcome =
        solve(sphere_above_a_wall +
              "frame: {point: [0, 0, 0], normal: [0, 0, 1]}\nrestitution: {coefficient: 0.5}\n");
    const stoss::io::Table* solutions = table_of(outcome, "solutions.csv");
    ASSERT_NE(solutions, nullptr);
    EXPECT_EQ(solutions->texts("solution").back(), "with_restitution");
    EXPECT_NEAR(solutions->numbers("impulse_n_N_s").back(), 3.0, 1e-14);
    EXPECT_NEAR(solutions->numbers("velocity_n_m_per_s").back(), 0.5, 1e-14);
}

TEST(RigidContactProblem, FailsIfItsReboundHasNoNumbersButNotIfItIsRefused) {
    using stoss::solvers::Ending;
    for (const auto status : {rigid::ImpactStatus::failed, rigid::ImpactStatus::invalid}) {
        stoss::solvers::Outcome outcome;
        stoss::solvers::warn_of_rebound(outcome, "stronge", status);
        EXPECT_EQ(outcome.ending, Ending::numerical_failure);
        ASSERT_EQ(outcome.warnings.size(), 1u);
        EXPECT_TRUE(outcome.warnings[0].ends_with("; its numbers are missing"));
    }
    for (const auto status : {rigid::ImpactStatus::gains_energy, rigid::ImpactStatus::penetrates}) {
        stoss::solvers::Outcome outcome;
        stoss::solvers::warn_of_rebound(outcome, "newton", status);
        EXPECT_EQ(outcome.ending, Ending::complete);
        ASSERT_EQ(outcome.warnings.size(), 1u);
        EXPECT_TRUE(outcome.warnings[0].ends_with("; the numbers are those of the hypothesis"));
    }
    stoss::solvers::Outcome outcome;
    stoss::solvers::warn_of_rebound(outcome, "stronge", rigid::ImpactStatus::solved);
    EXPECT_TRUE(outcome.warnings.empty());
}

TEST(CompliantImpactProblem, ThatRunsOutOfStepsNamesTheFrictionThatNeedsFewer) {
    namespace contact = stoss::contact;
    using stoss::solvers::out_of_steps_words;
    EXPECT_TRUE(
        out_of_steps_words(contact::RegularisedCoulomb{}).ends_with("take tangential_spring"));
    EXPECT_TRUE(out_of_steps_words(contact::TangentialSpring{0.9}).ends_with("bodies parted"));
}

TEST(RigidContactFigures, DrawTheImpactWithRestitutionWhereThereIsOne) {
    stoss::tests::SampleRun run;
    run.write("summary.json", R"({"problem": "rigid_contact", "contacts_that_stick": 0,
 "place": "mu"})");
    const std::string bare = "mu,impulse_n_N_s,slip_m_per_s,dissipated_energy_J";
    run.write("map.csv", bare + "\n0.1,1,2,3\n0.2,1.5,2.5,3.5\n");
    const auto plain =
        stoss::postproc::rigid_contact_figures(stoss::postproc::read_run(run.path())).front();
    EXPECT_TRUE(plain.caption.starts_with("Impact of maximum dissipation"));
    EXPECT_EQ(plain.drawing.panels[0].curves[0].y.back(), 1.5);
    run.write("map.csv", bare +
                             ",impulse_n_with_restitution_N_s,velocity_t_with_restitution_m_per_s,"
                             "velocity_o_with_restitution_m_per_s,"
                             "dissipated_energy_with_restitution_J\n"
                             "0.1,1,2,3,4,3,4,6\n0.2,1.5,2.5,3.5,4.5,6,8,6.5\n");
    const auto rebound =
        stoss::postproc::rigid_contact_figures(stoss::postproc::read_run(run.path())).front();
    EXPECT_TRUE(rebound.caption.starts_with("Impact with restitution"));
    EXPECT_EQ(rebound.drawing.panels[0].curves[0].y.back(), 4.5);
    EXPECT_EQ(rebound.drawing.panels[1].curves[0].y.back(), 10.0);
    EXPECT_EQ(rebound.drawing.panels[2].curves[0].y.back(), 6.5);
}

}  // namespace
