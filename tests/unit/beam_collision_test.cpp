#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <models/plausibility.hpp>
#include <published_beam.hpp>

namespace {

using namespace stoss;

models::BeamCollision fast_beam() {
    return published_beam(time::ForceEvaluation::implicit, 5e-7);
}

/// The keys that `check` complains about.
std::vector<std::string> complaints(const models::BeamCollision& parameters) {
    std::vector<std::string> keys;
    for (const core::Violation& violation : models::check(parameters))
        keys.push_back(violation.key);
    return keys;
}

using Keys = std::vector<std::string>;

TEST(Beam, OfThePaperHasItsTimeScaleAndItsDampingNumber) {
    const models::Beam beam = published_beam().beam;
    EXPECT_NEAR(beam.time_scale(), 16.1904e-3, 1e-7);
    EXPECT_NEAR(1e-7 / beam.time_scale(), 6.1765e-6, 1e-10);
    EXPECT_NEAR(1e6 / (beam.material.youngs_modulus * beam.time_scale()), 9.0432e-4, 1e-8);
}

/// The closed form and the rigid modes must agree.
void expect_speed_of_modes(const models::BeamCollision& parameters) {
    ASSERT_EQ(complaints(parameters), Keys{});
    const models::BeamModel model(parameters);
    for (const double xi : {0.3, 0.68, 1.0}) {
        EXPECT_NEAR(models::rigid_approach_speed(parameters, xi), model.collide(xi).approach_speed,
                    1e-9)
            << xi;
    }
}

models::BeamCollision struck(std::vector<models::Support> supports) {
    auto parameters = fast_beam();
    parameters.beam.supports = std::move(supports);
    parameters.motion.angular_velocity = 0.0;
    parameters.striker.mass = 0.2;
    parameters.striker.velocity = 1.5;
    return parameters;
}

TEST(RigidApproachSpeed, IsThatOfTheRigidModes) {
    expect_speed_of_modes(fast_beam());

    auto free_beam = struck({});
    free_beam.motion.velocity = -0.7;
    free_beam.motion.angular_velocity = 1.0;
    expect_speed_of_modes(free_beam);

    auto pinned_beam = struck({{models::SupportType::pin, 0.25}});
    pinned_beam.motion.angular_velocity = 1.0;
    expect_speed_of_modes(pinned_beam);

    expect_speed_of_modes(struck({{models::SupportType::clamp, 0.0}}));
}

TEST(Striker, OfAMaterialWithADensityHasTheMassOfASolidOne) {
    models::Striker striker;
    striker.material = models::StrikerMaterial(2.1e11, 0.3, 7850.0);
    striker.shape = models::Sphere{0.01};
    EXPECT_NEAR(striker.total_mass(), 7850.0 * 4.0 / 3.0 * std::numbers::pi * 1e-6, 1e-15);
    striker.shape = models::Sphere{0.02};
    EXPECT_NEAR(striker.total_mass(), 7850.0 * 4.0 / 3.0 * std::numbers::pi * 8e-6, 1e-14);
    models::Cylinder cylinder{0.01};
    striker.shape = cylinder;
    EXPECT_EQ(striker.total_mass(), core::infinity) << "no length";
    cylinder.length = 0.05;
    striker.shape = cylinder;
    EXPECT_NEAR(striker.total_mass(), 7850.0 * std::numbers::pi * 1e-4 * 0.05, 1e-14);
    striker.mass = 0.2;
    EXPECT_EQ(striker.total_mass(), 0.2);
    striker.mass = core::infinity;
    EXPECT_EQ(striker.total_mass(), core::infinity);
}

TEST(Striker, OfAMaterialWithoutDensityIsFixed) {
    models::Striker striker;
    striker.shape = models::Sphere{0.01};
    striker.material = models::SurfaceMaterial{2.1e11, 0.3};
    EXPECT_EQ(striker.total_mass(), core::infinity);
    auto parameters = struck({});
    parameters.striker = striker;
    parameters.striker.velocity = 1.0;
    EXPECT_EQ(complaints(parameters), Keys{"striker.velocity"});
    parameters.striker.material->density = 7850.0;
    EXPECT_EQ(complaints(parameters), Keys{});
}

TEST(Striker, ALengthThatGivesNoMassIsRefused) {
    auto parameters = fast_beam();
    models::Cylinder cylinder{0.00635};
    cylinder.length = 0.04;
    parameters.striker.shape = cylinder;
    parameters.striker.mass.reset();
    EXPECT_EQ(complaints(parameters), Keys{"striker.length"});
}

TEST(LawOfABeam, TakesYieldAndAdhesionFromTheMaterials) {
    auto parameters = fast_beam();
    parameters.contact.separation = contact::Separation::zero_overlap;
    parameters.beam.material.yield_stress = 350e6;
    parameters.beam.material.surface_energy = 0.04;
    const auto law_of = [&](const contact::Law& law) {
        parameters.contact.law = law;
        return models::law_at(parameters, 0.4);
    };
    EXPECT_FALSE(std::get<contact::Jkr>(law_of(contact::Jkr{})).work_of_adhesion);
    EXPECT_EQ(complaints(parameters), Keys{"contact.pull_off_force"});
    parameters.striker.material->yield_stress = 250e6;
    parameters.striker.material->surface_energy = 0.09;
    const auto plastic = std::get<contact::ThorntonNing>(law_of(contact::ThorntonNing{}));
    EXPECT_EQ(plastic.yield_pressure, 1.6 * 250e6);
    EXPECT_GT(plastic.yield_overlap.value(), 0.0);
    EXPECT_EQ(complaints(parameters), Keys{});
    const auto fit = std::get<contact::JacksonGreen>(law_of(contact::JacksonGreen{}));
    EXPECT_EQ(fit.yield_stress, 250e6);
    EXPECT_EQ(fit.poisson_ratio, parameters.striker.material->poisson_ratio);
    const auto adhesive = std::get<contact::Jkr>(law_of(contact::Jkr{}));
    EXPECT_NEAR(adhesive.work_of_adhesion.value(), 0.12, 1e-16);
    EXPECT_GT(adhesive.pull_off_force.value(), 0.0);
    EXPECT_EQ(complaints(parameters), Keys{});
    contact::Jkr given;
    given.pull_off_force = 1e-3;
    EXPECT_EQ(std::get<contact::Jkr>(law_of(given)).pull_off_force, 1e-3);
}

TEST(DropHeight, GivesTheSpeedOfAFreeFall) {
    models::Motion motion;
    EXPECT_FALSE(motion.closing_speed());
    motion.drop_height = 0.3;
    EXPECT_NEAR(*motion.closing_speed(), std::sqrt(2.0 * 9.80665 * 0.3), 1e-15);
    motion.gravity = -1.62;
    EXPECT_NEAR(*motion.closing_speed(), std::sqrt(2.0 * 1.62 * 0.3), 1e-15);
}

TEST(DropHeight, IsTheSameCollisionAsItsSpeed) {
    auto fallen = fast_beam(), given = fast_beam();
    fallen.motion.drop_height = 0.1;
    given.motion.approach_speed = std::sqrt(2.0 * 9.80665 * 0.1);
    const auto a = models::BeamModel(fallen).collide(0.4);
    const auto b = models::BeamModel(given).collide(0.4);
    EXPECT_EQ(a.cor_kinematic, b.cor_kinematic);
    EXPECT_NEAR(a.approach_speed, std::sqrt(2.0 * 9.80665 * 0.1), 1e-12);
    EXPECT_NEAR(models::closing_speed(fallen, 0.4), a.approach_speed, 1e-12);
}

TEST(DropHeight, MovesTheStrikerWhereNothingElseMovesOrAFreeBeamThatFallsOnAFixedOne) {
    auto dropped = struck({{models::SupportType::clamp, 0.0}}), moved = dropped;
    dropped.striker.velocity = 0.0;
    dropped.motion.drop_height = 0.3;
    moved.striker.velocity = *dropped.motion.closing_speed();
    ASSERT_EQ(complaints(dropped), Keys{});
    EXPECT_NEAR(models::BeamModel(dropped).collide(0.6).cor_kinematic,
                models::BeamModel(moved).collide(0.6).cor_kinematic, 1e-12);

    auto falling = struck({});
    falling.striker.mass = core::infinity;
    falling.striker.velocity = 0.0;
    falling.motion.drop_height = 0.3;
    ASSERT_EQ(complaints(falling), Keys{});
    EXPECT_NEAR(models::BeamModel(falling).collide(0.5).approach_speed,
                *falling.motion.closing_speed(), 1e-12);
    falling.beam.supports = {{models::SupportType::pin, 0.0}};
    EXPECT_EQ(complaints(falling), Keys{"motion"}) << "neither can fall";
}

TEST(DropHeight, BesideAnApproachSpeedIsRefused) {
    auto parameters = fast_beam();
    parameters.motion.drop_height = 0.3;
    parameters.motion.approach_speed = 1.0;
    EXPECT_EQ(complaints(parameters), Keys{"motion.drop_height"});
}

/// A bat: thick at one end, with a mass at the other.
models::BeamCollision struck_bat() {
    auto parameters = struck({});
    models::Profile profile;
    profile.stations = {
        {0.0, models::Circle{0.004}}, {0.5, models::Circle{0.006}}, {1.0, models::Circle{0.009}}};
    parameters.beam.section = {profile};
    parameters.beam.masses = {{0.1, 0.02, 1e-6}};
    parameters.motion.velocity = -0.7;
    parameters.motion.angular_velocity = 1.0;
    parameters.integration.scheme = time::Splitting{1e-9};
    return parameters;
}

TEST(RigidApproachSpeed, OfABeamThatChangesIsAboutItsCentreOfMass) {
    auto bat = struck_bat();
    expect_speed_of_modes(bat);
    const double centre = bat.beam.centre_of_mass() / bat.beam.length;
    EXPECT_GT(centre, 0.55);
    EXPECT_NEAR(models::rigid_approach_speed(bat, centre), 1.5 + 0.7, 1e-12);
    bat.beam.springs = {{0.25, 1e3, 0.0}};
    bat.motion.velocity.reset();
    expect_speed_of_modes(bat);
    bat.beam.springs = {{0.25, 0.0, 5.0}};
    bat.motion = {-0.7, 0.0, {}};
    expect_speed_of_modes(bat);
}

TEST(BeamModel, OfABeamThatChangesKeepsEnergyAndImpulse) {
    const models::BeamModel model(struck_bat());
    for (const double xi : {0.15, 0.4, 0.66, 0.97}) {
        const auto result = model.collide(xi);
        ASSERT_EQ(result.status, impact::Status::separated) << xi;
        EXPECT_NEAR(result.cor_kinematic, result.cor_kinetic, 1e-9) << xi;
        EXPECT_NEAR(result.energy.residual, 0.0, 1e-8) << xi;
    }
}

TEST(BeamModel, MirroredBeamGivesTheMirroredMap) {
    auto bat = struck_bat();
    bat.motion.angular_velocity = 0.0;
    auto mirrored = bat;
    auto& stations = std::get<models::Profile>(mirrored.beam.section.shape).stations;
    std::reverse(stations.begin(), stations.end());
    for (models::Station& station : stations) station.xi = 1.0 - station.xi;
    mirrored.beam.masses[0].xi = 0.9;
    const models::BeamModel one(bat), other(mirrored);
    for (const double xi : {0.15, 0.66, 0.97}) {
        EXPECT_NEAR(one.collide(xi).cor_kinematic, other.collide(1.0 - xi).cor_kinematic, 1e-7);
    }
}

TEST(BeamModel, StiffnessFollowsTheSurfaceOfTheBeam) {
    const auto bat = struck_bat();
    const models::BeamModel model(bat);
    auto uniform = bat;
    uniform.beam.section = {models::Circle{0.0075}};
    const models::BeamModel there(uniform);
    EXPECT_FALSE(model.has_one_contact());
    EXPECT_NEAR(models::contact_stiffness(model.parameters(), 0.75).value() /
                    models::contact_stiffness(there.parameters(), 0.0).value(),
                1.0, 1e-14);
}

/// Supports that are all but rigid springs are supports.
TEST(BeamModel, StiffSpringsActAsPins) {
    auto pinned = struck({{models::SupportType::pin, 0.0}, {models::SupportType::pin, 1.0}});
    pinned.integration.scheme = time::Splitting{1e-8};
    auto sprung = pinned;
    sprung.beam.supports.clear();
    sprung.beam.springs = {{0.0, 1e15, 0.0}, {1.0, 1e15, 0.0}};
    const models::BeamModel one(pinned), other(sprung);
    EXPECT_NEAR(one.collide(0.4).cor_kinematic, other.collide(0.4).cor_kinematic, 1e-5);
}

TEST(RigidApproachSpeed, IsTheRotationAboutThePin) {
    const auto parameters = published_beam();
    EXPECT_NEAR(models::rigid_approach_speed(parameters, 0.68), 6.0 * (0.68 - 0.0375) * 0.508,
                1e-12);
    EXPECT_EQ(models::rigid_approach_speed(parameters, 0.0375), 0.0);
    EXPECT_LT(models::rigid_approach_speed(parameters, 0.01), 0.0);
}

TEST(BeamModel, DoesNotComputeWhatDoesNotClose) {
    const models::BeamModel model(fast_beam());
    EXPECT_EQ(model.collide(0.0375).status, impact::Status::no_approach);
    EXPECT_EQ(model.collide(0.01).status, impact::Status::no_approach);
}

TEST(BeamModel, GivenApproachSpeedScalesTheMotionAtEveryPlace) {
    auto parameters = fast_beam();
    parameters.motion.approach_speed = 0.7;
    const models::BeamModel model(parameters);
    EXPECT_NEAR(model.collide(0.3).approach_speed, 0.7, 1e-9);
    EXPECT_NEAR(model.collide(0.9).approach_speed, 0.7, 1e-9);
    EXPECT_EQ(model.collide(0.01).status, impact::Status::no_approach);  // not turned round
}

TEST(BeamModel, InitialEnergyIsThatOfTheRigidBeamAndTheStriker) {
    auto parameters = fast_beam();
    const double mass = parameters.beam.mass(), length = parameters.beam.length;
    const double arm = (0.5 - 0.0375) * length;
    const double about_pin = mass * (length * length / 12.0 + arm * arm);
    EXPECT_NEAR(models::BeamModel(parameters).collide(0.68).initial_energy, 0.5 * about_pin * 36.0,
                1e-9);
    parameters.striker.mass = 0.02;
    parameters.striker.velocity = 3.0;
    EXPECT_NEAR(models::BeamModel(parameters).collide(0.68).initial_energy,
                0.5 * about_pin * 36.0 + 0.5 * 0.02 * 9.0, 1e-9);
}

TEST(BeamModel, AStiffShortBeamReboundsAsARigidBody) {
    // Only the rigid mode: e = 1 and the impulse is that of the effective mass at the contact.
    auto parameters = fast_beam();
    parameters.mesh.modes = 1;
    const models::BeamModel model(parameters);
    const auto result = model.collide(0.68);
    EXPECT_NEAR(result.cor_kinematic, 1.0, 1e-6);
    const double mass = parameters.beam.mass(), length = parameters.beam.length;
    const double arm = (0.5 - 0.0375) * length, lever = (0.68 - 0.0375) * length;
    const double effective = mass * (length * length / 12.0 + arm * arm) / (lever * lever);
    EXPECT_NEAR(result.impulse, 2.0 * effective * result.approach_speed, 1e-6);
}

TEST(BeamModel, AMirroredBeamCollidesInTheMirror) {
    auto parameters = fast_beam();
    const auto one = models::BeamModel(parameters).collide(0.68);
    parameters.beam.supports = {{models::SupportType::pin, 1.0 - 0.0375}};
    parameters.motion.angular_velocity = 6.0;
    const auto mirrored = models::BeamModel(parameters).collide(0.32);
    EXPECT_NEAR(one.cor_kinematic, mirrored.cor_kinematic, 1e-7);
    EXPECT_EQ(one.sub_impacts.size(), mirrored.sub_impacts.size());
}

TEST(BeamModel, ABallOnAClampedBeamIsMeasuredByTheBallAlone) {
    auto parameters = fast_beam();
    parameters.beam.supports = {{models::SupportType::clamp, 0.0},
                                {models::SupportType::clamp, 1.0}};
    parameters.motion = {};
    parameters.striker.shape = models::Sphere{0.01};
    parameters.striker.mass = 0.03;
    parameters.striker.velocity = 0.5;
    ASSERT_EQ(complaints(parameters), Keys{});
    const auto result = models::BeamModel(parameters).collide(0.5);
    EXPECT_EQ(result.status, impact::Status::separated);
    EXPECT_DOUBLE_EQ(result.approach_speed, 0.5);
    EXPECT_NEAR(result.impulse, 0.03 * 0.5 * (1.0 + result.cor_kinematic), 1e-12);
}

TEST(BeamModel, StiffnessComesFromGeometryUnlessGiven) {
    auto parameters = fast_beam();
    const double modulus = 68.3e9 / (2.0 * (1.0 - 0.34 * 0.34));
    EXPECT_NEAR(models::contact_stiffness(parameters, 0.0).value() /
                    (4.0 / 3.0 * modulus * std::sqrt(6.35e-3)),
                1.0, 1e-14);
    std::get<contact::Hertz>(parameters.contact.law).stiffness = 5e7;
    EXPECT_EQ(models::contact_stiffness(parameters, 0.0).value(), 5e7);
}

TEST(BeamModel, ASphereTouchesTheBeamWithTheGaussianRadiusOfTheGapInACircle) {
    auto parameters = fast_beam();
    parameters.contact.area = models::ContactArea::circle;
    const double sphere = 0.02, beam = 6.35e-3;
    parameters.striker.shape = models::Sphere{sphere};
    const double radius = std::sqrt(sphere / (1.0 / sphere + 1.0 / beam));
    const double modulus = 68.3e9 / (2.0 * (1.0 - 0.34 * 0.34));
    EXPECT_NEAR(models::contact_stiffness(parameters, 0.0).value() /
                    (4.0 / 3.0 * modulus * std::sqrt(radius)),
                1.0, 1e-14);
}

TEST(BeamModel, DisplacementOfNoModesIsZeroAndOfTheRigidModeIsARotation) {
    const models::BeamModel model(fast_beam());
    std::vector<double> q(25, 0.0);
    EXPECT_EQ(model.beam().displacement(0.7, q), 0.0);
    q[0] = 1.0;
    EXPECT_NEAR(model.beam().displacement(0.0375, q), 0.0, 1e-9);
    EXPECT_NEAR(model.beam().displacement(1.0, q) / model.beam().displacement(0.5187500, q), 2.0,
                1e-8);
}

/// A cylinder across a flat face: the geometry gives no stiffness, and nothing needs one.
TEST(CheckedBeam, WithAStiffnessMayTouchAlongALine) {
    for (const models::ContactArea area :
         {models::ContactArea::ellipse, models::ContactArea::circle}) {
        auto parameters = struck({});
        parameters.beam.section.shape = models::Rectangle{0.02, 0.01};
        parameters.striker.shape = models::Cylinder{.radius = 0.006};
        parameters.contact.area = area;
        contact::ThorntonNing law;
        law.stiffness = 1e9;
        law.yield_pressure = 3e8;  // the overlap would follow from it at a point
        parameters.contact.law = law;
        EXPECT_EQ(complaints(parameters), Keys{"striker.shape"});
        law.yield_pressure.reset();
        law.yield_overlap = 1e-6;
        parameters.contact.law = law;
        EXPECT_EQ(complaints(parameters), Keys{});
        EXPECT_TRUE(models::implausible(parameters, std::array{0.5}).empty());
        parameters.contact.law = contact::Hertz{};
        EXPECT_EQ(complaints(parameters), Keys{"striker.shape"});
        contact::Hertz hertz;
        hertz.stiffness = 1e9;
        parameters.contact.law = hertz;
        EXPECT_EQ(complaints(parameters), Keys{});
        EXPECT_TRUE(models::implausible(parameters, std::array{0.5}).empty());
        EXPECT_EQ(models::contact_stiffness(parameters, 0.5).value(), 1e9);
    }
}

/// A beam that is flat up to the middle and round beyond.
TEST(CheckedBeam, MayBeFlatWhereACylinderDoesNotStrike) {
    auto parameters = struck({});
    parameters.beam.section.shape =
        models::Profile{.stations = {{0.0, models::Rectangle{0.02, 0.02}},
                                     {0.5, models::Rectangle{0.02, 0.02}},
                                     {0.5, models::Circle{0.01}},
                                     {1.0, models::Circle{0.01}}}};
    parameters.striker.shape = models::Cylinder{.radius = 0.01};
    EXPECT_TRUE(models::check(parameters, core::closed(0.6, 0.9)).empty());
    EXPECT_TRUE(models::check(parameters, core::closed(0.8, 0.8)).empty());
    const auto violations = models::check(parameters, core::closed(0.25, 0.9));
    ASSERT_EQ(violations.size(), 1u);
    EXPECT_EQ(violations[0].key, "striker.shape");
    EXPECT_NE(violations[0].rule.find("at xi = 0.25"), std::string::npos) << violations[0].rule;
}

/// What a support prevents needs no spring and no dashpot.
TEST(CheckedBeam, HoldsNoLinkThatASupportKeepsFromMoving) {
    using models::SupportType;
    const auto complaints_of = [](SupportType type, const models::Dashpot& dashpot) {
        auto parameters = struck({{type, 0.25}});
        parameters.beam.dashpots = {dashpot};
        parameters.integration.scheme = time::Splitting{};
        return complaints(parameters);
    };
    EXPECT_EQ(complaints_of(SupportType::pin, {0.25, 1.0, 1.0}),
              Keys{"beam.dashpots[0].translation"});
    EXPECT_EQ(complaints_of(SupportType::slider, {0.25, 1.0, 1.0}),
              Keys{"beam.dashpots[0].rotation"});
    EXPECT_EQ(complaints_of(SupportType::pin, {0.3, 1.0, 0.0}), Keys{});
    auto parameters = struck({{SupportType::clamp, 0.25}});
    parameters.beam.springs = {{0.25, 1.0, 1.0}};
    EXPECT_EQ(complaints(parameters),
              (Keys{"beam.springs[0].translation", "beam.springs[0].rotation"}));
}

TEST(CheckedBeam, IsFreeAtItsEndsOnly) {
    EXPECT_EQ(complaints(struck({{models::SupportType::free, 0.5}})), Keys{"beam.supports[0].xi"});
    EXPECT_EQ(complaints(struck({{models::SupportType::free, 1.0}})), Keys{});
}

TEST(CheckedBeam, IsCleanForThePaper) {
    EXPECT_EQ(complaints(published_beam()), Keys{});
}

/// Most of these distances are less than 1e-4 by their roundoff.
TEST(CheckedBeam, HoldsPlacesThatAreATenThousandthOfItsLengthApart) {
    for (const double xi : {0.1, 0.2, 0.3, 0.5, 0.7, 0.9}) {
        auto parameters = published_beam();
        parameters.beam.masses = {{xi, 0.1, 0.0}, {xi + 1e-4, 0.1, 0.0}};
        EXPECT_EQ(complaints(parameters), Keys{}) << xi;
        parameters.beam.masses[1].xi = xi + 0.99e-4;
        EXPECT_EQ(complaints(parameters), Keys{"beam.masses[1].xi"}) << xi;
    }
}

TEST(CheckedBeam, TellsEverythingThatFieldsAloneCannot) {
    auto too_close = published_beam();
    too_close.beam.masses = {{0.03755, 0.1, 0.0}};
    EXPECT_EQ(complaints(too_close), Keys{"beam.masses[0].xi"});

    auto doubled = published_beam();
    doubled.beam.supports.push_back({models::SupportType::clamp, 0.0375});
    EXPECT_EQ(complaints(doubled), Keys{"beam.supports[1].xi"});

    auto many_modes = published_beam();
    many_modes.mesh.modes = 162;
    EXPECT_EQ(complaints(many_modes), Keys{"mesh.modes"});

    auto dense = published_beam();
    dense.mesh.elements = 4000;
    dense.mesh.modes = 4000;
    EXPECT_EQ(complaints(dense), Keys{"mesh.modes"});

    auto still = published_beam();
    still.motion.angular_velocity = 0.0;
    EXPECT_EQ(complaints(still), Keys{"motion"});

    auto translated = published_beam();
    translated.motion.velocity = -1.0;
    EXPECT_EQ(complaints(translated), Keys{"motion.velocity"});

    auto driven = published_beam();
    driven.striker.velocity = 1.0;
    EXPECT_EQ(complaints(driven), Keys{"striker.velocity"});

    auto soft = published_beam();
    std::get<contact::Hertz>(soft.contact.law).exponent = 2.0;
    EXPECT_EQ(complaints(soft), Keys{"contact.stiffness"});
}

TEST(BeamModel, ExternalDampingEndsTheCompressionWhereTheHistorySaysSo) {
    models::BeamCollision parameters = published_beam();
    parameters.beam.external_damping = 800.0;
    parameters.striker.mass = 0.05;
    impact::History history(100000);
    const auto result = models::BeamModel(parameters).collide(0.4, &history);
    double before = 0.0;
    for (const impact::Sample& sample : history.samples()) {
        if (!(sample.approach_velocity > 0.0)) {
            EXPECT_GT(result.compression_end.value(), before);
            EXPECT_LE(result.compression_end.value(), sample.time);
            EXPECT_LT(sample.time - before, 1e-6);
            return;
        }
        before = sample.time;
    }
    ADD_FAILURE() << "the bodies approach to the end";
}

/// k of the default area over that of the circle of the same Gaussian curvature.
double stiffness_over_circle(double striker_radius, double crossing_angle) {
    auto parameters = fast_beam();
    parameters.contact.law = contact::Hertz{};
    parameters.striker.shape =
        models::Cylinder{.radius = striker_radius, .crossing_angle = crossing_angle};
    const double by_default = models::contact_stiffness(parameters, 0.5).value();
    parameters.contact.area = models::ContactArea::circle;
    return by_default / models::contact_stiffness(parameters, 0.5).value();
}

/// docs/theory/contact.md (5.8): circle over ellipse is 0.55 for equal cylinders that cross at 5
/// degrees.
TEST(ContactArea, IsTheExactEllipseUnlessACircleIsAskedFor) {
    const double radius = 6.35e-3, degree = std::numbers::pi / 180.0;
    EXPECT_NEAR(stiffness_over_circle(radius, 90.0 * degree), 1.0, 1e-12);
    EXPECT_NEAR(1.0 / stiffness_over_circle(radius, 5.0 * degree), 0.55, 0.005);
    EXPECT_NEAR(1.0 / stiffness_over_circle(10.0 * radius, 90.0 * degree), 1.0 / 1.109, 1e-3);
}

}  // namespace
