// <stoss/stoss.hpp>: what a program calls is what the command computes, and wrong input is refused.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <published_beam.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <models/stoss.hpp>
#include <models/truncation.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/rigid/coulomb.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>

namespace {

using namespace stoss;

/// The message of the InputError that `call` throws; empty if it throws none.
template <class Call>
std::string refusal(const Call& call) {
    try {
        call();
    } catch (const core::InputError& error) {
        return error.what();
    }
    return {};
}

TEST(PublicLibrary, MapIsWhatSingleCollisionsAre) {
    const models::BeamCollision parameters = published_beam();
    const models::BeamModel model(parameters);
    const auto xi = linspace(0.2, 1.0, 17);
    const CollisionMap map = BeamModel(parameters).map(xi, 2);
    ASSERT_EQ(map.size(), xi.size());
    for (std::size_t i = 0; i < xi.size(); ++i) {
        const auto single = model.collide(xi[i]);
        EXPECT_EQ(map[i].cor_kinematic, single.cor_kinematic) << xi[i];
        EXPECT_EQ(map[i].impulse, single.impulse) << xi[i];
    }
    EXPECT_EQ(map.values(&CollisionResult::impulse)[3], map[3].impulse);
}

TEST(PublicLibrary, TruncationIsThatOfEachCollision) {
    models::BeamCollision parameters = published_beam();
    const models::BeamModel model(parameters);
    const models::Truncation truncation(model);
    const auto xi = linspace(0.3, 1.0, 8);
    const auto changes = BeamModel(parameters).truncation(xi, 2);
    ASSERT_EQ(changes.size(), xi.size());
    for (std::size_t i = 0; i < xi.size(); ++i)
        EXPECT_EQ(changes[i], truncation.of(xi[i], model.collide(xi[i]))) << xi[i];
    EXPECT_GT(changes[4], 0.0);
    parameters.motion.angular_velocity = 6.0;  // away from the striker
    EXPECT_EQ(BeamModel(parameters).truncation(xi)[4], std::nullopt);
    EXPECT_THROW(BeamModel(parameters).truncation(xi, 2, [] { return true; }), core::Stopped);
    EXPECT_NE(refusal([&] { BeamModel(parameters).truncation(std::array{2.0}); }).find("xi[0]: 2"),
              std::string::npos);
}

TEST(PublicLibrary, MapEndsWhenItIsStopped) {
    const auto xi = linspace(0.2, 1.0, 40);
    models::BeamCollision parameters = published_beam();
    std::atomic<int> asked{0};
    const auto stop = [&] { return ++asked > 3; };
    EXPECT_THROW(BeamModel(parameters).map(xi, 2, stop), core::Stopped);
    EXPECT_LE(asked, 20);  // the lanes of two threads
    parameters.mesh.modes.reset();
    EXPECT_THROW(BeamModel(parameters).map(xi, 2, [] { return true; }), core::Stopped);
}

TEST(PublicLibrary, HistoryIsKeptOnlyIfAskedFor) {
    const BeamModel model(published_beam());
    EXPECT_TRUE(model.collide(0.68).history.empty());
    const Collision collision = model.collide(0.68, 100);
    EXPECT_GT(collision.history.size(), 40u);
    EXPECT_LE(collision.history.size(), 100u);
    EXPECT_EQ(collision.cor_kinematic, model.collide(0.68).cor_kinematic);
}

TEST(PublicLibrary, ModelOwnsItsParameters) {
    auto parameters = std::make_unique<models::BeamCollision>(published_beam());
    const BeamModel model(*parameters);
    const double before = model.collide(0.5).cor_kinematic;
    parameters.reset();
    const BeamModel copy = model;
    EXPECT_EQ(copy.collide(0.5).cor_kinematic, before);
}

TEST(PublicLibrary, EveryWrongNumberIsNamed) {
    models::BeamCollision parameters = published_beam();
    parameters.beam.length = -1.0;
    parameters.beam.material.density = std::numeric_limits<double>::infinity();
    parameters.beam.supports[0].xi = 1.5;
    parameters.beam.section = Circle{};
    const std::string words = refusal([&] { BeamModel{parameters}; });
    EXPECT_NE(words.find("beam.length: -1 m: must be > 0 m"), words.npos) << words;
    EXPECT_NE(words.find("beam.material.density: inf kg/m^3: must be finite"), words.npos) << words;
    EXPECT_NE(words.find("beam.supports[0].xi: 1.5: must be between 0 and 1"), words.npos) << words;
    EXPECT_NE(words.find("beam.section.radius: is missing"), words.npos) << words;
}

TEST(PublicLibrary, EveryRequiredNumberThatIsMissingIsNamed) {
    EXPECT_NE(refusal([] { SphereBox{models::SphereBoxParameters{}}; }).find("density: is missing"),
              std::string::npos);
    EXPECT_NE(refusal([] {
                  impact::follow(impact::BouncingBall{.height = 1.0});
              }).find("mass: is missing"),
              std::string::npos);
    EXPECT_NE(refusal([] {
                  calibrate(SingleImpact{.mass = 1.0, .speed = 1.0}, Wanted{});
              }).find("cor: is missing"),
              std::string::npos);
    const Law law = contact::HuntCrossley{};
    const SingleImpact impact{.mass = 1.0, .speed = 1.0, .contact = {.law = law}};
    const std::string words = refusal([&] { calibrate(impact, Wanted{.cor = 0.5}); });
    EXPECT_NE(words.find("contact.stiffness: is missing"), words.npos) << words;
    EXPECT_EQ(words.find("error: stiffness"), words.npos) << words;
}

TEST(PublicLibrary, ContradictionsAreNamed) {
    EXPECT_NE(refusal([] {
                  beam({.length = 1.0,
                        .section = Tube{.outer_radius = 0.01, .inner_radius = 0.02},
                        .material = steel()});
              }).find("beam.section"),
              std::string::npos);
    models::BeamCollision parameters = published_beam();
    parameters.motion.angular_velocity = 0.0;
    EXPECT_NE(refusal([&] { BeamModel{parameters}; }).find("nothing moves"), std::string::npos);
    EXPECT_NE(refusal([] {
                  BeamModel(published_beam()).map(std::vector<double>{0.5, 1.5});
              }).find("xi[1]: 1.5: must be between 0 and 1"),
              std::string::npos);
}

TEST(PublicLibrary, RestitutionOfManySpeedsIsThatOfEach) {
    const Law law = contact::HuntCrossley{.stiffness = 1e6, .damping_factor = 0.1};
    const std::vector<double> speeds{0.1, 1.0, 3.0};
    const auto all = restitution(law, 0.02, speeds);
    for (std::size_t i = 0; i < speeds.size(); ++i)
        EXPECT_EQ(all[i].cor, impact::restitution(law, {speeds[i], 0.02}).cor);
    EXPECT_NE(refusal([&] { restitution(law, 0.02, std::vector<double>{0.0}); }).find("speed[0]"),
              std::string::npos);
    EXPECT_NE(refusal([&] { restitution(contact::Hertz{}, 0.02, speeds); }).find("stiffness"),
              std::string::npos);
}

TEST(PublicLibrary, CalibrationOfManyRestitutions) {
    contact::LinearDamping law;
    law.stiffness = 1e6;
    const SingleImpact impact{.mass = 0.01, .speed = 1.0, .contact = {.law = law}};
    const auto all = calibrate(impact, std::vector<double>{0.3, 0.9});
    EXPECT_NEAR(all[0].result.cor.value(), 0.3, 1e-12);
    EXPECT_NEAR(all[1].result.cor.value(), 0.9, 1e-12);
    EXPECT_NE(refusal([&] { calibrate(impact, Wanted{.cor = 1.5}); }).find("cor"),
              std::string::npos);
}

rigid::Contacts contacts() {
    rigid::Contacts all;
    for (int i = 0; i < 10'000; ++i) {
        const double angle = 1e-3 * i;
        all.add({{2.0, 0.5 * std::sin(angle), 0.1, 1.5, 0.2, 1.8},
                 {1.0, std::cos(angle), std::sin(3.0 * angle)},
                 0.3});
    }
    return all;
}

TEST(PublicLibrary, ContactsInArraysAreSolvedAsEachAlone) {
    const rigid::Contacts all = contacts();
    const rigid::Impulses serial = rigid::maximum_dissipation(all, 1);
    const rigid::Impulses dissipation = rigid::maximum_dissipation(all, 2);
    const rigid::Impulses coulomb = rigid::coulomb(all, 2);
    EXPECT_EQ(dissipation.unsolved, 0u);
    EXPECT_EQ(coulomb.unsolved, 0u);
    for (std::size_t i = 0; i < all.size(); i += 777) {
        EXPECT_EQ(dissipation[i], rigid::maximum_dissipation(all[i]).impulse);
        EXPECT_EQ(dissipation[i], serial[i]);
        EXPECT_EQ(coulomb[i], rigid::coulomb_solutions(all[i]).solution[0].impulse);
    }
}

TEST(PublicLibrary, ContactsWithArraysOfUnequalLengthAreRefused) {
    rigid::Contacts all = contacts();
    all.mu.pop_back();
    EXPECT_NE(refusal([&] { rigid::maximum_dissipation(all); }).find("mu: 9999 numbers"),
              std::string::npos);
}

TEST(PublicLibrary, MassesThatCollideByTheirModesExchangeMomentum) {
    const Law law = contact::Hertz{{}, 1e8};
    const Collision collision = collide(moving_mass(2.0, 0.0), moving_mass(1.0, 3.0), {law});
    EXPECT_EQ(collision.status, Status::separated);
    EXPECT_NEAR(collision.cor_kinematic, 1.0, 1e-6);
    EXPECT_NEAR(collision.impulse, 2.0 * 3.0 * 2.0 / 3.0, 1e-5);  // (1 + e) m v, m = 2/3 kg
}

TEST(PublicLibrary, ModesOfUnequalLengthAreRefused) {
    ModesInMotion body = moving_mass(1.0, 0.0);
    body.body.damping.push_back(0.0);
    const Law law = contact::Hertz{{}, 1e8};
    EXPECT_NE(refusal([&] {
                  collide(body, moving_mass(1.0, 1.0), {law});
              }).find("first.damping: 2 numbers"),
              std::string::npos);
    EXPECT_NE(refusal([] { moving(ModalBody{}, 1.0); }).find("velocity"), std::string::npos);
    ModalBody pinned = moving_mass(1.0, 0.0).body;
    pinned.phi[0] = 0.0;
    EXPECT_NE(refusal([&] { moving(pinned, 1.0); }).find("node of the rigid mode"),
              std::string::npos);
}

TEST(PublicLibrary, SchemesAndTimeLimitsOutOfRangeAreRefused) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto words = [](const models::ModalCollisionOptions& options) {
        const Law law = contact::Hertz{{}, 1e8};
        return refusal(
            [&] { collide(moving_mass(1.0, 0.0), moving_mass(1.0, 1.0), {law}, options); });
    };
    const std::string rule = ": must be between 1e-11 and 0.1";
    EXPECT_NE(
        words({.scheme = Splitting{.tolerance = 0.0}}).find("integration.tolerance: 0" + rule),
        std::string::npos);
    for (const double tolerance : {nan, -1.0, 10.0})
        EXPECT_NE(words({.scheme = Splitting{.tolerance = tolerance}}).find(rule),
                  std::string::npos);
    for (const double step : {nan, 0.0, -1e-7})
        EXPECT_NE(words({.scheme = Newmark{.step = step}}).find("integration.step"),
                  std::string::npos);
    EXPECT_NE(words({.time_limit = -1.0}).find("integration.time_limit: -1 s: must be > 0 s"),
              std::string::npos);
    EXPECT_EQ(words({.scheme = Newmark{}}), "");
}

/// The refusal of a vibrating body with this damping beside that of its modes, 3 and 5 1/s.
std::string refusal_of_coupling(const Eigen::MatrixXd& coupling) {
    ModesInMotion body = moving({.eigenvalues = {0.0, 4e6},
                                 .damping = {3.0, 5.0},
                                 .phi = {1.0, 1.2},
                                 .rigid = 1,
                                 .coupled_damping = coupling},
                                0.0);
    const Law law = contact::Hertz{{}, 1e8};
    return refusal([&] { collide(body, moving_mass(0.5, 1.0), {law}); });
}

TEST(PublicLibrary, DampingThatCouplesTheModesMustBeSquareFiniteAndSymmetric) {
    using Matrix = Eigen::MatrixXd;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const Matrix& wrong : {Matrix::Zero(5, 5).eval(), Matrix::Zero(1, 2).eval(),
                                Matrix::Zero(2, 1).eval(), Matrix::Zero(3, 3).eval()})
        EXPECT_NE(refusal_of_coupling(wrong).find("must be square, with at most one row for each"),
                  std::string::npos);
    EXPECT_NE(refusal_of_coupling(Matrix{{nan, 0.0}, {0.0, 1.0}}).find("must be finite"),
              std::string::npos);
    EXPECT_NE(refusal_of_coupling(Matrix{{2.0, 1.0}, {-1.0, 2.0}})
                  .find("first.coupled_damping: 2 x 2: must be symmetric"),
              std::string::npos);
    EXPECT_EQ(refusal_of_coupling(Matrix{{2.0, 1.0 + 1e-13}, {1.0, 2.0}}), "");
    EXPECT_EQ(refusal_of_coupling(Matrix{{2.0}}), "");  // of the first mode only
}

TEST(PublicLibrary, DampingThatCouplesTheModesMustNotFeedEnergyIn) {
    using Matrix = Eigen::MatrixXd;
    const std::string words = refusal_of_coupling(-1000.0 * Matrix::Identity(2, 2));
    EXPECT_NE(words.find("must be positive semidefinite"), words.npos) << words;
    EXPECT_NE(words.find("smallest eigenvalue is -997 1/s"), words.npos) << words;
    EXPECT_NE(refusal_of_coupling(Matrix{{0.0, 4.0}, {4.0, 0.0}}), "");
    EXPECT_EQ(refusal_of_coupling(Matrix{{0.0, 3.0}, {3.0, 0.0}}), "");  // its modes are damped
    EXPECT_EQ(refusal_of_coupling(4.0 * Matrix::Ones(2, 2)), "");        // a dashpot
}

TEST(PublicLibrary, NegativeNumbersOfThreadsAreRefused) {
    const std::string words = "threads: -1: must be >= 0";
    const Law law = contact::HuntCrossley{.stiffness = 1e6, .damping_factor = 0.1};
    const SingleImpact impact{.mass = 1.0, .speed = 1.0, .contact = {.law = law}};
    const BeamModel model(published_beam());
    const std::vector<double> one{1.0};
    EXPECT_NE(refusal([&] { restitution(law, 0.02, one, -1); }).find(words), words.npos);
    EXPECT_NE(refusal([&] { calibrate(impact, one, -1); }).find(words), words.npos);
    EXPECT_NE(refusal([&] { model.map(one, -1); }).find(words), words.npos);
    EXPECT_NE(refusal([&] { model.truncation(one, -1); }).find(words), words.npos);
    EXPECT_NE(refusal([&] { model.settled(one, -1); }).find(words), words.npos);
    EXPECT_NE(refusal([] { rigid::coulomb({}, -1); }).find(words), words.npos);
    EXPECT_NE(refusal([] { rigid::maximum_dissipation({}, -1); }).find(words), words.npos);
    EXPECT_NE(refusal([] { SphereBox(SphereBoxParameters{}, -1); }).find(words), words.npos);
}

/// As docs/library.md makes it.
TEST(PublicLibrary, ALawOfAFunctionOfOverlapAndRateCollides) {
    stoss::contact::FunctionLaw law;
    law.function = std::make_shared<const stoss::contact::ForceFunction>(
        [](double x, double v) { return 1e6 * x * (1.0 + 0.2 * v); });
    const Collision collision = collide(moving_mass(2.0, 0.0), moving_mass(1.0, 1.0), {law});
    EXPECT_EQ(collision.status, Status::separated);
    EXPECT_LT(collision.cor_kinematic, 0.95);
    EXPECT_GT(collision.cor_kinematic, 0.5);
}

TEST(PublicLibrary, MassesAndMotionsThatAreNoNumbersAreRefused) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const double velocity : {nan, std::numeric_limits<double>::infinity()})
        EXPECT_NE(refusal([&] { moving_mass(1.0, velocity); }).find("velocity"), std::string::npos);
    EXPECT_NE(refusal([&] { moving_mass(core::infinity, 1.0); }).find("velocity: 1 m/s: must be 0"),
              std::string::npos);
    for (const double mass : {0.0, -1.0, nan})
        EXPECT_NE(refusal([&] { moving_mass(mass, 0.0); }).find("mass"), std::string::npos);
    ModesInMotion body = moving_mass(1.0, 1.0);
    body.motion.rigid_rates[0] = nan;
    const Law law = contact::Hertz{{}, 1e8};
    const std::string words = refusal([&] { collide(moving_mass(1.0, 0.0), body, {law}); });
    EXPECT_NE(words.find("second.rigid_rates[0]"), std::string::npos) << words;
}

SphereBoxParameters small_box() {
    return {.size = {4e-3, 4e-3, 8e-3},
            .density = 2500.0,
            .contact = {.friction = 0.4},
            .stepping = {.step = 1e-4, .sweeps = 20}};
}

TEST(PublicLibrary, SpheresStayInTheirBoxAndComeToRest) {
    SphereBox box(small_box(), 2);
    box.fill({.count = 50, .radius = 0.4e-3, .radius_spread = 0.1, .speed = 0.1});
    ASSERT_TRUE(box.settle(0.1));
    EXPECT_EQ(box.size(), 50u);
    EXPECT_NEAR(box.time(), 0.1, 1e-12);
    EXPECT_LT(box.energy().translation, 1e-9);
    const auto positions = box.positions();
    const auto radii = box.radii();
    for (std::size_t i = 0; i < positions.size(); ++i) {
        EXPECT_GT(positions[i].minCoeff(), 0.98 * radii[i]);
        EXPECT_LT(positions[i].x(), 4e-3 - 0.98 * radii[i]);
    }
}

TEST(PublicLibrary, ABoxWhoseMotionHasDivergedStays) {
    SphereBoxParameters parameters{.size = {1.0, 1.0, 1.0},
                                   .density = 2500.0,
                                   .contact = {.friction = 0.3},
                                   .stepping = {.step = 1e3}};
    SphereBox box(parameters, 1);
    box.fill({.count = 8, .radius = 0.05, .speed = 1e308});
    EXPECT_FALSE(box.settle(1e3));
    const double time = box.time();
    EXPECT_FALSE(box.settle(1e4));
    EXPECT_EQ(box.time(), time);
}

TEST(PublicLibrary, ABoxMovesButIsNotCopied) {
    static_assert(!std::is_copy_constructible_v<SphereBox>);
    SphereBox first(small_box());
    first.fill({.count = 5, .radius = 0.4e-3});
    SphereBox box(std::move(first));
    EXPECT_TRUE(box.settle(1e-3));
    EXPECT_EQ(box.size(), 5u);
}

TEST(PublicLibrary, ABoxSettlesOnlyOnceItIsFilled) {
    EXPECT_NE(refusal([] { SphereBox(small_box()).settle(0.1); }).find("lattice: is missing"),
              std::string::npos);
}

TEST(PublicLibrary, TheSolidFractionIsBetweenALowerAndAHigherHeight) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const SphereBox box(small_box());
    EXPECT_EQ(box.solid_fraction(0.0, 1e-3), 0.0);
    EXPECT_NE(
        refusal([&] { box.solid_fraction(5e-3, 1e-3); }).find("high: 0.001 m: must be > 0.005 m"),
        std::string::npos);
    EXPECT_NE(refusal([&] { box.solid_fraction(1e-3, 1e-3); }).find("high"), std::string::npos);
    EXPECT_NE(refusal([&] { box.solid_fraction(nan, 1e-3); }).find("low"), std::string::npos);
    EXPECT_NE(refusal([&] { box.solid_fraction(0.0, nan); }).find("high"), std::string::npos);
}

TEST(PublicLibrary, SpheresThatDoNotFitAreRefused) {
    SphereBox box(small_box());
    EXPECT_NE(refusal([&] { box.fill({.count = 100000, .radius = 0.4e-3}); }).find("places"),
              std::string::npos);
    SphereBoxParameters wide = small_box();
    wide.size.x() = 1e7;
    EXPECT_NE(refusal([&] {
                  SphereBox(wide).fill({.count = 2, .radius = 0.4e-3});
              }).find("is wider than 1e+09 places of the lattice"),
              std::string::npos);
    SphereBoxParameters flat = small_box();
    flat.size.z() = -1.0;
    EXPECT_NE(refusal([&] { SphereBox{flat}; }).find("size.z: -1 m: must be > 0 m"),
              std::string::npos);
}

TEST(PublicLibrary, PendulumsThatTouchAtTheStartAreRefused) {
    const models::ImpulseMomentum model{.restitution = 0.5};
    PendulumPair pair{.rod_1 = {.mass = 1.0, .length = 1.0, .angle = 0.0},
                      .rod_2 = {.mass = 1.0, .length = 1.0, .angle = 0.0},
                      .pivot_2 = {.right = 0.0},
                      .impact = {.model = model},
                      .duration = 1.0};
    EXPECT_NE(refusal([&] { swing(pair); }).find("rod_2.angle"), std::string::npos);
    pair.rod_1.mass = 0.0;
    EXPECT_NE(refusal([&] { swing(pair); }).find("rod_1.mass: 0 kg: must be > 0 kg"),
              std::string::npos);
}

TEST(Linspace, EndsAreExactAndTheMiddleIs) {
    const auto numbers = linspace(0.2, 1.0, 400);
    EXPECT_EQ(numbers.front(), 0.2);
    EXPECT_EQ(numbers.back(), 1.0);
    EXPECT_EQ(linspace(0.0, 1.0, 3)[1], 0.5);
    EXPECT_EQ(linspace(0.3, 1.0, 1), std::vector<double>{0.3});
    EXPECT_TRUE(linspace(0.3, 1.0, 0).empty());
}

}  // namespace
