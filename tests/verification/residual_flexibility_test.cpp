// With the residual flexibility of the modes that are left out, few modes give the collision that
// many modes tend to: of every kind of beam, under every scheme and every law.

#include <law_numbers.hpp>
#include <models/beam_body.hpp>
#include <models/beam_model.hpp>
#include <models/mode_choice.hpp>
#include <models/truncation.hpp>
#include <published_beam.hpp>
#include <stoss/impact/explicit_collision.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <variant>
#include <vector>

namespace {

using namespace stoss;

/// How many modes are kept, and whether the others count as a spring.
struct Kept {
    int modes;
    bool residual;
};

struct Errors {
    double median, largest;
};

using Places = std::vector<double>;

models::BeamCollision with(models::BeamCollision parameters, const Kept& kept,
                           double tolerance = 1e-9) {
    parameters.mesh.modes = kept.modes;
    parameters.mesh.residual_flexibility = kept.residual;
    parameters.integration.scheme = time::Splitting{tolerance};
    EXPECT_TRUE(models::check(parameters).empty());
    return parameters;
}

contact::Hertz hertz(double stiffness) {
    contact::Hertz law;
    law.stiffness = stiffness;
    return law;
}

std::vector<double> cor(const models::BeamCollision& parameters, const Places& places) {
    const models::BeamModel model(parameters);
    std::vector<double> values;
    for (const double xi : places) {
        const auto result = model.collide(xi);
        EXPECT_EQ(result.status, impact::Status::separated) << xi;
        EXPECT_TRUE(result.converged) << xi;
        values.push_back(result.cor_kinematic);
    }
    return values;
}

Errors errors(const models::BeamCollision& parameters, const Places& places,
              const std::vector<double>& exact) {
    auto off = cor(parameters, places);
    for (std::size_t i = 0; i < off.size(); ++i) off[i] = std::abs(off[i] - exact[i]);
    std::ranges::sort(off);
    return {off[off.size() / 2], off.back()};
}

/// The published beam on a mesh that carries 150 modes.
models::BeamCollision fine_published_beam() {
    models::BeamCollision parameters = published_beam();
    parameters.mesh.elements = 160;
    return parameters;
}

const Places along_published_beam = [] {
    Places places;
    for (int i = 0; i <= 16; ++i) places.push_back(0.2 + 0.05 * i);
    return places;
}();

TEST(ResidualFlexibility, ThirtyTwoModesOfThePublishedBeamGiveTheRestitutionOfAHundredAndFifty) {
    const models::BeamCollision beam = fine_published_beam();
    const auto exact = cor(with(beam, {150, true}), along_published_beam);
    const Errors plain = errors(with(beam, {32, false}), along_published_beam, exact);
    const Errors with_residual = errors(with(beam, {32, true}), along_published_beam, exact);
    EXPECT_LE(with_residual.median, 1e-5);
    EXPECT_LE(with_residual.largest, 3e-4);
    EXPECT_GT(plain.median, 100.0 * with_residual.median);
    EXPECT_GT(plain.largest, 100.0 * with_residual.largest);
    const Errors half = errors(with(beam, {16, true}), along_published_beam, exact);
    EXPECT_GE(std::log2(half.median / with_residual.median), 6.0) << "order in p";
}

/// e of a sphere on an infinitely long beam depends on eta = m/(mu sqrt(2 pi a T)) alone, with
/// a = sqrt(EI/mu) and T = (m/(k sqrt(v0)))^(2/5): s = t - int (t - r) f dr - eta int sqrt(t - r) f
/// dr, f = s^(3/2), e = int f dt - 1.
TEST(ResidualFlexibility, ASphereOnALongBeamTendsToTheOneParameterLimit) {
    for (const auto& [eta, expected] :
         {std::pair{0.1, 0.833988}, std::pair{0.3, 0.568299}, std::pair{0.5, 0.365645}}) {
        models::BeamCollision parameters = published_beam();
        models::Beam& beam = parameters.beam;
        const double mu = beam.mass_per_length(), a = std::sqrt(beam.bending_stiffness() / mu);
        const double T = 1e-4, mass = eta * mu * std::sqrt(2.0 * std::numbers::pi * a * T);
        beam.length = 40.0 * std::sqrt(a * T);
        beam.supports = {{models::SupportType::pin, 0.0}, {models::SupportType::pin, 1.0}};
        parameters.mesh.constraints = fem::ConstraintMethod::elimination;
        parameters.mesh.elements = 224;
        parameters.motion = {};
        parameters.striker.shape = models::Sphere{0.01};
        parameters.striker.mass = mass;
        parameters.striker.velocity = 1.0;
        parameters.contact.law = hertz(mass / std::pow(T, 2.5));
        EXPECT_NEAR(cor(with(parameters, {56, true}), {0.5})[0], expected, 1e-5) << eta;
    }
}

/// A collision, and what 32 modes with residual flexibility reach.
struct Kind {
    const char* name;
    models::BeamCollision parameters;
    Places places = {0.22, 0.37, 0.55, 0.7, 0.91};
    double largest_error = 5e-5;
};

std::vector<Kind> kinds() {
    std::vector<Kind> all;
    const auto add = [&](const char* name) -> Kind& {
        all.push_back({name, published_beam()});
        all.back().parameters.mesh.elements = 80;
        return all.back();
    };
    {
        Kind& kind = add("inclined free bar with axial modes");
        kind.parameters.beam.supports = {};
        kind.parameters.motion = {};
        kind.parameters.motion.velocity = -1.0;
        kind.parameters.motion.inclination = 0.6;
        kind.parameters.striker.shape = models::Sphere{0.02};
        kind.places = {0.02, 0.1, 0.3};
    }
    add("shear").parameters.beam.theory = models::Timoshenko{};
    {
        models::Profile profile;
        profile.stations = {{0.0, models::Circle{6.35e-3}},
                            {0.4, models::Circle{8e-3}},
                            {1.0, models::Circle{4e-3}}};
        add("profile").parameters.beam.section.shape = profile;
    }
    {
        Kind& kind = add("springs and a mass");
        kind.parameters.beam.supports = {};
        kind.parameters.beam.springs = {{0.1, 1e5, 0.0}, {0.9, 2e5, 10.0}};
        kind.parameters.beam.masses = {{0.5, 0.03, 0.0}};
        kind.parameters.motion = {};
        kind.parameters.striker.mass = 0.05;
        kind.parameters.striker.velocity = 1.0;
        kind.largest_error = 3e-4;
    }
    {
        Kind& kind = add("two beams");
        models::StrikingBeam other;
        other.beam = kind.parameters.beam;
        other.beam.length = 0.3;
        other.beam.supports = {};
        other.xi = 0.3;
        kind.parameters.striker = {};
        kind.parameters.striker.shape = other;
        kind.parameters.striker.velocity = 0.3;
    }
    {
        Kind& kind = add("a dashpot");
        kind.parameters.beam.dashpots = {{0.6, 5.0, 0.0}};
        kind.largest_error = 3e-4;
    }
    for (const double damping : {1e4, 1e5, 1e6}) {
        Kind& kind = add("internal damping");
        kind.parameters.beam.internal_damping = damping;
        kind.largest_error = 5e-6;
    }
    {
        Kind& kind = add("internal damping and a dashpot");
        kind.parameters.beam.dashpots = {{0.6, 5.0, 0.0}};
        kind.parameters.beam.internal_damping = 1e5;
        kind.largest_error = 1e-5;
    }
    return all;
}

TEST(ResidualFlexibility, FewModesOfEveryKindOfBeamGiveTheRestitutionOfMany) {
    for (const Kind& kind : kinds()) {
        const auto exact = cor(with(kind.parameters, {75, true}), kind.places);
        const Errors plain = errors(with(kind.parameters, {32, false}), kind.places, exact);
        const Errors with_residual = errors(with(kind.parameters, {32, true}), kind.places, exact);
        EXPECT_LE(with_residual.largest, kind.largest_error) << kind.name;
        EXPECT_GT(plain.median, 50.0 * with_residual.median) << kind.name;
        EXPECT_GT(plain.largest, 50.0 * with_residual.largest) << kind.name;
    }
}

/// It is the small difference of a compliance and of what the modes take of it.
TEST(ResidualFlexibility, OfACantileverIsThatOfAFineMeshOnAnyFinerOne) {
    models::Beam strip;
    strip.length = 0.3;
    strip.section = {models::Rectangle{0.025, 0.006}};
    strip.material = {2.1e11, 0.3, 7850.0};
    strip.supports = {{models::SupportType::clamp, 0.0}};
    models::Beam stout = strip, tapered = strip;
    stout.theory = models::Timoshenko{};
    tapered.section = {models::Profile{
        {{0.0, models::Rectangle{0.025, 0.008}}, {1.0, models::Rectangle{0.02, 0.004}}}}};
    for (const models::Beam& beam : {strip, stout, tapered}) {
        const auto flexibility = [&](int elements) {
            models::Mesh mesh;
            mesh.elements = elements;
            mesh.modes = 22;
            const models::BeamBody body(beam, mesh);
            return body.residual_flexibility(0.93, body.shapes_at(0.93));
        };
        const double fine = flexibility(600);
        for (const int elements : {640, 1200, 1280, 2560})
            EXPECT_NEAR(flexibility(elements) / fine, 1.0, 1e-4) << elements;
    }
}

TEST(ResidualFlexibility, ABeamWithoutVibrationModesYieldsAsASpringAlsoIfItsMaterialIsDamped) {
    models::BeamCollision parameters = published_beam();
    parameters.mesh.elements = 80;
    const models::BeamModel elastic(with(parameters, {1, true}));
    parameters.beam.internal_damping = 1e5;
    const models::BeamModel damped(with(parameters, {1, true}));
    EXPECT_GT(damped.beam().at(0.7).residual_flexibility, 0.0);
    EXPECT_EQ(damped.collide(0.7).cor_kinematic, elastic.collide(0.7).cor_kinematic);
}

/// A free bar and a ball, without further sub-impacts.
TEST(ResidualFlexibility, EverySchemeTendsToTheSameRestitutionWithIt) {
    models::BeamCollision parameters = published_beam();
    parameters.beam.supports = {};
    parameters.motion = {};
    parameters.motion.velocity = -1.0;
    parameters.striker.shape = models::Sphere{0.02};
    parameters.striker.mass = 0.2;
    parameters.contact.law = hertz(1e8);
    const models::BeamModel model(with(parameters, {12, true}));
    const double xi = 0.5, step = 1e-7;
    const auto bodies = model.bodies_at(xi);
    const auto contact = model.contact_at(xi);
    ASSERT_GT(bodies.beam.residual_flexibility, 0.0);
    const double exact = model.collide(xi).cor_kinematic;
    const double plain = models::BeamModel(with(parameters, {12, false})).collide(xi).cor_kinematic;
    ASSERT_GT(std::abs(plain - exact), 1e-4);
    const auto newmark = [&](time::ForceEvaluation force, double h) {
        return impact::collide(bodies.first(), bodies.second(), contact, time::Newmark{force, h},
                               model.time_limit())
                   .cor_kinematic -
               exact;
    };
    const auto explicitly = [&](impact::ExplicitScheme scheme, double h) {
        return impact::collide_explicitly(bodies.first(), bodies.second(), contact, scheme, h,
                                          model.time_limit())
                   .cor_kinematic.value() -
               exact;
    };
    using enum time::ForceEvaluation;
    using enum impact::ExplicitScheme;
    EXPECT_NEAR(newmark(implicit, step), 0.0, 5e-7);
    EXPECT_NEAR(newmark(implicit, 2.0 * step) / newmark(implicit, step), 4.0, 0.1);
    EXPECT_NEAR(newmark(lagged, step), 0.0, 1e-3);
    EXPECT_NEAR(newmark(lagged, 2.0 * step) / newmark(lagged, step), 2.0, 0.1);
    EXPECT_NEAR(explicitly(verlet, step), 0.0, 5e-7);
    EXPECT_NEAR(explicitly(verlet, 2.0 * step) / explicitly(verlet, step), 4.0, 0.1);
    EXPECT_NEAR(explicitly(rk4, step), 0.0, 1e-9);
}

/// Every law, with parameters for the contact of the published beam.
std::vector<contact::Law> laws() {
    const double stiffness = 3e9;
    contact::HuntCrossley hunt_crossley;
    hunt_crossley.damping_factor = 0.5;
    contact::LinearDamping linear_damping;
    linear_damping.damping = 100.0;
    contact::KelvinVoigt kelvin_voigt;
    kelvin_voigt.damping = 100.0;
    contact::Jkr jkr;
    jkr.pull_off_force = 2.0;
    contact::ThorntonNing thornton_ning;
    thornton_ning.yield_overlap = 5e-6;
    contact::Dmt dmt;
    dmt.pull_off_force = 2.0;
    contact::ThorntonNingAdhesive sticky_plastic;
    sticky_plastic.pull_off_force = 2.0;
    sticky_plastic.yield_overlap = 5e-6;
    contact::Maugis maugis;
    maugis.pull_off_force = 2.0;
    contact::RampedDamping ramped_damping;
    ramped_damping.damping = 100.0;
    ramped_damping.ramp_depth = 1e-6;
    contact::Tabulated tabulated;
    for (int i = 0; i <= 8; ++i) {
        tabulated.overlap.push_back(2e-6 * i);
        tabulated.force_points.push_back(stiffness * std::pow(2e-6 * i, 1.5));
    }
    std::vector<contact::Law> all{contact::Hertz{},
                                  hunt_crossley,
                                  linear_damping,
                                  kelvin_voigt,
                                  contact::Tsuji{},
                                  contact::Viscoelastic{},
                                  contact::KuwabaraKono{},
                                  contact::SimonHuntCrossley{},
                                  jkr,
                                  thornton_ning,
                                  dmt,
                                  sticky_plastic,
                                  maugis,
                                  contact::JacksonGreen{},
                                  contact::ParallelCylinders{},
                                  ramped_damping,
                                  tabulated,
                                  contact::WaltonBraun{}};
    // All but FunctionLaw, which has no parameters of its own.
    EXPECT_EQ(all.size() + 1, std::variant_size_v<contact::Law>);
    for (contact::Law& each : all) {
        std::visit(
            [&](auto& law) {
                using Law = std::decay_t<decltype(law)>;
                if constexpr (requires { law.stiffness; }) law.stiffness = stiffness;
                tests::set_numbers_of_bodies(law, 4e10, 6e-3);
                if constexpr (std::is_same_v<Law, contact::KelvinVoigt> ||
                              std::is_same_v<Law, contact::WaltonBraun>)
                    law.stiffness = 3e7;
                if constexpr (std::is_same_v<Law, contact::WaltonBraun> ||
                              std::is_same_v<Law, contact::Tsuji> ||
                              std::is_same_v<Law, contact::Viscoelastic> ||
                              std::is_same_v<Law, contact::KuwabaraKono> ||
                              std::is_same_v<Law, contact::SimonHuntCrossley>)
                    law.restitution = 0.7;
            },
            each);
    }
    return all;
}

bool attracts(const contact::Law& law) {
    return std::visit(
        [](const auto& one) {
            return requires {
                one.pull_off_force;
            };
        },
        law);
}

TEST(Truncation, TheEstimateSeesAMeshThatIsTooCoarse) {
    models::BeamCollision beam = with(published_beam(), {60, true});
    beam.mesh.elements = 80;
    models::BeamCollision finer = beam;
    finer.mesh.elements = 640;
    const models::BeamModel model(beam);
    const models::Truncation truncation(model);
    const std::vector<double> exact = cor(finer, along_published_beam);
    int within_ten = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        const double xi = along_published_beam[i];
        const auto result = model.collide(xi);
        const double error = std::abs(result.cor_kinematic - exact[i]);
        const double estimate = truncation.of(xi, result).value();
        within_ten += estimate > error / 10.0 && estimate < error * 10.0;
    }
    EXPECT_GE(within_ten, 15);  // of 17
}

/// A free steel bar of 24 mm by 500 mm, struck by a ball. Its modes beyond the 22nd are nearly
/// waves of shear, and the error falls with the power -3 of their number.
TEST(Truncation, TheEstimateKnowsThatModesWithShearConvergeMoreSlowly) {
    const auto bar = [](int modes) {
        models::BeamCollision parameters;
        parameters.beam.length = 0.5;
        parameters.beam.section = {models::Circle{0.012}};
        parameters.beam.material = {2.1e11, 0.3, 7850.0};
        parameters.beam.theory = models::Timoshenko{};
        parameters.striker.shape = models::Sphere{0.02};
        parameters.striker.material = models::StrikerMaterial{2.1e11, 0.3, 7850.0};
        parameters.striker.velocity = 1.0;
        parameters.mesh.elements = 320;
        parameters.mesh.modes = modes;
        parameters.integration.scheme = time::Splitting{1e-10};
        EXPECT_TRUE(models::check(parameters).empty());
        return models::BeamModel(parameters);
    };
    const double exact = bar(150).collide(0.4).cor_kinematic;
    for (const int modes : {22, 44, 60}) {
        const models::BeamModel model = bar(modes);
        const auto result = model.collide(0.4);
        const double error = std::abs(result.cor_kinematic - exact);
        const double estimate = models::Truncation(model).of(0.4, result).value();
        EXPECT_GT(estimate, error / 3.0) << modes;
        EXPECT_LT(estimate, 10.0 * error) << modes;
    }
}

/// A stepped bar of plastic with shear. Its e with 43 and with 31 modes agree by chance.
TEST(Truncation, TheEstimateWithShearDoesNotTrustTwoBasesThatAgreeByChance) {
    models::BeamCollision parameters;
    models::Beam& beam = parameters.beam;
    beam.length = 0.34985745622262;
    beam.material = {3e9, 0.4, 1200.0};
    beam.theory = models::Timoshenko{};
    beam.supports = {{models::SupportType::slider, 0.0}, {models::SupportType::pin, 0.88}};
    beam.masses = {{0.85, 0.03724451480802191, 7.993971781012024e-05}};
    using models::Rectangle;
    beam.section = {
        models::Profile{.stations = {{0.0, Rectangle{0.034479410355338296, 0.021073212822966432}},
                                     {0.55, Rectangle{0.030309037041466994, 0.019876172914994217}},
                                     {0.55, Rectangle{0.04811040223469716, 0.020044436688933805}},
                                     {1.0, Rectangle{0.05155080006203444, 0.016825564861752733}}}}};
    parameters.striker.shape = models::Sphere{0.01};
    parameters.striker.material = models::StrikerMaterial{2e11, 0.3, 7800.0};
    parameters.striker.mass = 0.00847921538975696;
    parameters.striker.velocity = 0.30963468765025004;
    contact::KuwabaraKono law;
    law.stiffness = 9978305590.10374;
    law.damping_factor = 5.5116845721908836e-06;
    parameters.contact.law = law;
    parameters.contact.separation = contact::Separation::zero_overlap;
    parameters.mesh.elements = 200;
    ASSERT_TRUE(models::check(parameters).empty());
    const double xi = 0.936;
    const models::BeamModel model(with(parameters, {43, true}));
    const auto result = model.collide(xi);
    parameters.mesh.elements = 480;
    const double exact = cor(with(parameters, {120, true}), {xi}).front();
    EXPECT_GT(models::Truncation(model).of(xi, result).value(),
              std::abs(result.cor_kinematic - exact) / 10.0);
    parameters.mesh = {};
    const auto choice = models::choose_modes(std::span(&parameters, 1), std::vector{xi}, {});
    EXPECT_GT(choice->modes, 43);
}

TEST(Truncation, TheEstimateKnowsThatLawsThatDampFromTheOnsetConvergeMoreSlowly) {
    contact::LinearDamping linear_damping;
    contact::Tsuji tsuji;
    contact::KuwabaraKono kuwabara_kono;
    contact::KelvinVoigt kelvin_voigt;
    linear_damping.restitution = tsuji.restitution = kuwabara_kono.restitution =
        kelvin_voigt.restitution = 0.7;
    kelvin_voigt.stiffness = 1e7;
    for (const contact::Law& law : {contact::Law(linear_damping), contact::Law(tsuji),
                                    contact::Law(kuwabara_kono), contact::Law(kelvin_voigt)}) {
        models::BeamCollision parameters = fine_published_beam();
        parameters.contact.law = law;
        const std::vector<double> exact = cor(with(parameters, {140, true}), along_published_beam);
        for (const int modes : {22, 31}) {
            const models::BeamModel model(with(parameters, {modes, true}));
            const models::Truncation truncation(model);
            std::vector<double> ratios;
            for (std::size_t i = 0; i < exact.size(); ++i) {
                const auto result = model.collide(along_published_beam[i]);
                ratios.push_back(truncation.of(along_published_beam[i], result).value() /
                                 std::abs(result.cor_kinematic - exact[i]));
            }
            std::ranges::sort(ratios);
            EXPECT_GT(ratios[ratios.size() / 2], 0.5) << law.index() << " " << modes;
            EXPECT_LT(ratios[ratios.size() / 2], 10.0) << law.index() << " " << modes;
        }
    }
}

TEST(Truncation, TheEstimateKnowsThatADampingFromTheApproachSpeedConvergesMoreSlowly) {
    std::vector<double> ratios;
    for (const double restitution : {0.5, 0.7, 0.9}) {
        contact::HuntCrossley law;
        law.restitution = restitution;
        models::BeamCollision parameters = fine_published_beam();
        parameters.contact.law = law;
        const std::vector<double> exact = cor(with(parameters, {140, true}), along_published_beam);
        for (const int modes : {22, 31}) {
            const models::BeamModel model(with(parameters, {modes, true}));
            const models::Truncation truncation(model);
            for (std::size_t i = 0; i < exact.size(); ++i) {
                const auto result = model.collide(along_published_beam[i]);
                ratios.push_back(truncation.of(along_published_beam[i], result).value() /
                                 std::abs(result.cor_kinematic - exact[i]));
            }
        }
    }
    std::ranges::sort(ratios);
    EXPECT_GT(ratios[ratios.size() / 2], 1.0);
    EXPECT_LT(ratios[ratios.size() / 2], 3.0);
    EXPECT_GT(ratios[ratios.size() / 10], 0.1);
}

double share_with(const contact::Law& law) {
    models::BeamCollision parameters = published_beam();
    parameters.contact.law = law;
    if (attracts(law)) parameters.contact.separation = contact::Separation::zero_overlap;
    return models::truncation_share(models::BeamModel(with(parameters, {20, true})));
}

TEST(Truncation, TheShareIsTheSameForTheSameLawByAnotherName) {
    contact::HuntCrossley hunt_crossley;
    contact::SimonHuntCrossley simon;
    hunt_crossley.damping_factor = 0.5;
    simon.damping_factor = 0.2;
    EXPECT_EQ(share_with(hunt_crossley), models::truncation_share_of_bending);
    EXPECT_EQ(share_with(simon), models::truncation_share_of_bending);
    hunt_crossley.damping_factor.reset();
    simon.damping_factor.reset();
    hunt_crossley.restitution = simon.restitution = 0.7;
    EXPECT_NEAR(share_with(hunt_crossley), 0.2284, 1e-4);
    EXPECT_EQ(share_with(simon), share_with(hunt_crossley));
}

TEST(Truncation, TheShareOfOrderFiveIsThatOfADampingFromTheApproachSpeedAlone) {
    for (const contact::Law& law : laws()) {
        const bool has_order_five = std::abs(share_with(law) - 0.2284) < 1e-4;
        EXPECT_EQ(has_order_five, std::holds_alternative<contact::SimonHuntCrossley>(law))
            << law.index();
    }
}

/// A number of [from, to], the same on every platform.
double uniform(std::mt19937& random, double from, double to) {
    return from + (to - from) * static_cast<double>(random()) / 4294967295.0;
}

/// A steel bar without supports, and a steel ball that strikes it.
models::BeamCollision random_bar(std::mt19937& random) {
    models::BeamCollision parameters;
    models::Beam& bar = parameters.beam;
    bar.length = uniform(random, 0.1, 1.0);
    bar.material = {2.1e11, 0.3, 7850.0};
    const double height = bar.length / uniform(random, 20.0, 80.0);
    bar.section = {models::Rectangle{2.0 * height, height}};
    parameters.striker.shape = models::Sphere{height * uniform(random, 0.5, 2.0)};
    parameters.striker.material = models::StrikerMaterial{2.1e11, 0.3, 7850.0};
    parameters.mesh.elements = 480;
    return parameters;
}

/// Estimate over true change of e by further modes, of each collision with 22 and 31 modes.
void add_ratios(const models::BeamCollision& parameters, double xi, std::vector<double>& ratios) {
    const double exact = cor(with(parameters, {120, true}, 1e-8), {xi})[0];
    for (const int modes : {22, 31}) {
        const models::BeamModel model(with(parameters, {modes, true}, 1e-8));
        const auto result = model.collide(xi);
        ratios.push_back(models::Truncation(model).of(xi, result).value() /
                         std::abs(result.cor_kinematic - exact));
    }
}

/// Of ten beams on two pins that are struck at this distance xi from a dashpot.
std::vector<double> ratios_with_dashpot(bool is_rotational, double distance) {
    std::mt19937 random(1);
    std::vector<double> ratios;
    for (int i = 0; i < 10; ++i) {
        models::BeamCollision parameters = random_bar(random);
        models::Beam& beam = parameters.beam;
        beam.supports = {{models::SupportType::pin, 0.0}, {models::SupportType::pin, 1.0}};
        const double xi = uniform(random, 0.25, 0.5);
        const double strength =
            beam.mass() / beam.time_scale() * std::pow(10.0, uniform(random, 0.0, 4.0));
        const double area = 0.01 * beam.length * beam.length;
        beam.dashpots = {
            {xi + distance, is_rotational ? 0.0 : strength, is_rotational ? strength * area : 0.0}};
        parameters.striker.velocity = uniform(random, 0.1, 5.0);
        add_ratios(parameters, xi, ratios);
    }
    std::ranges::sort(ratios);
    return ratios;
}

void expect_within_ten(const std::vector<double>& ratios) {
    EXPECT_GT(ratios[ratios.size() / 2], 0.5);
    EXPECT_LT(ratios[ratios.size() / 2], 10.0);
}

TEST(Truncation, TheEstimateKnowsThatBeamsWithDashpotsConvergeMoreSlowly) {
    for (const double distance : {0.0, 0.01, 0.2})
        expect_within_ten(ratios_with_dashpot(false, distance));
    for (const double distance : {0.01, 0.03})
        expect_within_ten(ratios_with_dashpot(true, distance));
}

TEST(Truncation, TheEstimateKnowsThatDampedBeamsOfTwoModuliConvergeMoreSlowly) {
    std::mt19937 random(1);
    std::vector<double> ratios;
    for (int i = 0; i < 10; ++i) {
        models::BeamCollision parameters = random_bar(random);
        models::Beam& beam = parameters.beam;
        beam.supports = {{models::SupportType::clamp, 0.0}};
        models::Material other = beam.material;
        other.youngs_modulus *= uniform(random, 0.02, 0.3);
        beam.materials = {{0.5, other}};
        beam.internal_damping =
            beam.material.youngs_modulus * beam.time_scale() * uniform(random, 1e-5, 1e-3);
        parameters.striker.velocity = uniform(random, 0.1, 5.0);
        add_ratios(parameters, uniform(random, 0.6, 0.95), ratios);
    }
    std::ranges::sort(ratios);
    expect_within_ten(ratios);
}

TEST(Truncation, TheEstimateKnowsThatInclinedBarsConvergeMoreSlowly) {
    std::mt19937 random(1);
    std::vector<double> ratios;
    for (int i = 0; i < 20; ++i) {
        models::BeamCollision parameters = random_bar(random);
        parameters.striker.mass = core::infinity;
        parameters.motion.velocity = -uniform(random, 0.1, 2.0);
        parameters.motion.inclination = uniform(random, 0.25, 0.5) * std::numbers::pi;
        add_ratios(parameters, 1.0, ratios);
    }
    std::ranges::sort(ratios);
    expect_within_ten(ratios);
}

TEST(ResidualFlexibility, TheEnergyIsAccountedForUnderEveryLaw) {
    for (const contact::Law& law : laws()) {
        const std::string name(
            std::visit([](const auto& one) { return std::decay_t<decltype(one)>::name; }, law));
        models::BeamCollision parameters = published_beam();
        parameters.contact.law = law;
        if (attracts(law)) parameters.contact.separation = contact::Separation::zero_overlap;
        for (const double tolerance : {1e-5, 1e-8}) {
            const models::BeamModel model(with(parameters, {32, true}, tolerance));
            for (const double xi : {0.3, 0.55, 0.7}) {
                const auto result = model.collide(xi);
                const auto where = name + " at " + std::to_string(xi);
                EXPECT_EQ(result.status, impact::Status::separated) << where;
                EXPECT_TRUE(result.converged) << where;
                EXPECT_NEAR(result.energy.residual, 0.0, tolerance) << where;
            }
        }
    }
}

/// The damper moves so slowly that the spring takes nearly all of the overlap.
TEST(ResidualFlexibility, ADamperThatIsStifferThanTheSpringKeepsTheEnergy) {
    models::BeamCollision parameters = published_beam();
    contact::Viscoelastic law;
    law.stiffness = 1e9;
    for (const double exponent : {2.0, 2.2, 2.5}) {
        for (const double factor : {1.0, 2.9, 3.0, 3.1}) {
            law.damping_exponent = exponent;
            law.damping_factor = factor;
            parameters.contact.law = law;
            const auto result = models::BeamModel(with(parameters, {4, true}, 1e-4)).collide(0.55);
            EXPECT_EQ(result.status, impact::Status::separated) << exponent << ' ' << factor;
            EXPECT_TRUE(result.converged) << exponent << ' ' << factor;
            EXPECT_NEAR(result.energy.residual, 0.0, 1e-4) << exponent << ' ' << factor;
        }
    }
}

}  // namespace
