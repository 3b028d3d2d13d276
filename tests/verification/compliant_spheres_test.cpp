// Compliant spheres against closed forms, conservation laws and the order of the scheme.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include <stoss/contact/geometry.hpp>
#include <stoss/granular/compliant_assembly.hpp>
#include <stoss/granular/compliant_contact.hpp>
#include <stoss/impact/calibrate.hpp>
#include <stoss/impact/restitution.hpp>

namespace {

using namespace stoss;
using namespace stoss::granular;
using Eigen::Vector3d;

constexpr double radius = 0.01, density = 2800.0, modulus = 2.5e10;

double mass_of(double r) {
    return density * 4.0 / 3.0 * std::numbers::pi * r * r * r;
}

Sphere sphere_at(const Vector3d& x, const Vector3d& v, double r = radius) {
    return {x, v, Vector3d::Zero(), r, mass_of(r)};
}

/// A sphere that has just touched the floor z = 0.
Sphere on_floor(const Vector3d& v, const Vector3d& omega = Vector3d::Zero()) {
    return {{0, 0, radius}, v, omega, radius, mass_of(radius)};
}

CompliantStepping stepping(const contact::Law& law, double step, double mu = 0.0,
                           double share = 0.0) {
    CompliantStepping all;
    all.step = step;
    all.law = law;
    all.spheres = {modulus, share, mu};
    all.walls = {2.0 * modulus, share, mu};
    all.skin = 0.2 * radius;
    return all;
}

/// What an impact leaves.
struct ImpactResult {
    Sphere sphere;
    double duration = 0.0, peak_force = 0.0, residual = 0.0;
};

/// Steps on until nothing touches any more. Precondition: what is added touches at time 0.
ImpactResult follow(CompliantAssembly& assembly) {
    ImpactResult all;
    const double first = assembly.energy().total();
    do {
        if (!assembly.step()) return {};
        for (const TouchingPair& pair : assembly.contacts())
            all.peak_force = std::max(all.peak_force, pair.force);
    } while (!assembly.contacts().empty());
    all.duration = assembly.time();
    all.residual = assembly.energy().total() / first - 1.0;
    for (std::size_t i = 0; i < assembly.spheres().size(); ++i)
        if (assembly.spheres().id[i] == 0) all.sphere = assembly.spheres()[i];
    return all;
}

/// Largest force and duration of an impact on Hertz's law (Johnson 1985, section 11.1).
struct Hertz {
    double force, duration;
    Hertz(double mass, double k, double v)
        : force(k * std::pow(1.25 * mass * v * v / k, 0.6)),
          duration(2.9432750568 * std::pow(1.25 * mass * v * v / k, 0.4) / v) {}
};

TEST(CompliantSpheres, ElasticImpactOfTwoSpheresIsThatOfHertz) {
    const double m = mass_of(radius), k = contact::hertz_stiffness(modulus, 0.5 * radius);
    const Hertz exact(0.5 * m, k, 2.0);
    const auto assembly =
        compliant_assembly(stepping(contact::Hertz{}, exact.duration / 1000.0), {}, 1);
    assembly->add(sphere_at({-radius, 0, 0}, {1, 0, 0}));
    assembly->add(sphere_at({radius, 0, 0}, {-1, 0, 0}));
    const ImpactResult after = follow(*assembly);
    EXPECT_NEAR(after.sphere.velocity.x(), -1.0, 1e-6);
    EXPECT_NEAR(after.peak_force / exact.force, 1.0, 1e-5);
    EXPECT_NEAR(after.duration / exact.duration, 1.0, 2e-3);
    EXPECT_EQ(assembly->momentum().norm(), 0.0);
}

TEST(CompliantSpheres, RestitutionAskedForIsObtained) {
    const double m = mass_of(radius), k = contact::hertz_stiffness(2.0 * modulus, radius);
    contact::HuntCrossley hunt_crossley;
    contact::Tsuji tsuji;
    contact::KuwabaraKono kuwabara_kono;
    contact::KelvinVoigt kelvin_voigt;
    kelvin_voigt.stiffness = 1e7;
    contact::WaltonBraun walton_braun;
    walton_braun.stiffness = 1e7;
    hunt_crossley.restitution = tsuji.restitution = kuwabara_kono.restitution = 0.6;
    kelvin_voigt.restitution = walton_braun.restitution = 0.6;
    for (const contact::Law& law : std::initializer_list<contact::Law>{
             hunt_crossley, tsuji, kuwabara_kono, kelvin_voigt, walton_braun}) {
        const impact::Restitution wanted =
            impact::restitution(law_of_pair(law, 2.0 * modulus, radius), {1.5, m});
        EXPECT_NEAR(wanted.cor.value(), 0.6, 1e-12);
        const auto assembly =
            compliant_assembly(stepping(law, wanted.duration.value() / 2000.0), {Plane{}}, 1);
        assembly->add(on_floor({0, 0, -1.5}));
        const ImpactResult after = follow(*assembly);
        EXPECT_NEAR(after.sphere.velocity.z() / 1.5, 0.6, 1e-4) << law.index();
        EXPECT_NEAR(after.residual, 0.0, 1e-4) << law.index();
    }
    // A law that takes no restitution itself is calibrated to the pair.
    contact::SimonHuntCrossley simon;
    simon.stiffness = k;
    const impact::Calibration calibrated = impact::calibrate(simon, {1.5, m}, {0.6});
    EXPECT_NEAR(calibrated.result.cor.value(), 0.6, 1e-12);
    const auto assembly = compliant_assembly(
        stepping(calibrated.law, calibrated.result.duration.value() / 2000.0), {Plane{}}, 1);
    assembly->add(on_floor({0, 0, -1.5}));
    EXPECT_NEAR(follow(*assembly).sphere.velocity.z() / 1.5, 0.6, 1e-4);
}

/// Rebound speed of a law without jumps, with `steps` steps a contact.
double rebound(const contact::Law& law, int steps) {
    const double m = mass_of(radius);
    const double duration =
        impact::restitution(law_of_pair(law, 2.0 * modulus, radius), {1.5, m}).duration.value();
    const auto assembly = compliant_assembly(stepping(law, duration / steps), {Plane{}}, 1);
    assembly->add(on_floor({0, 0, -1.5}));
    return follow(*assembly).sphere.velocity.z() / 1.5;
}

TEST(CompliantSpheres, RestitutionConvergesWithOrderTwo) {
    contact::HuntCrossley law;
    law.restitution = 0.5;
    double before = rebound(law, 100) - 0.5;
    for (const int steps : {200, 400, 800}) {
        const double error = rebound(law, steps) - 0.5;
        EXPECT_NEAR(std::log2(before / error), 2.0, 0.03) << steps;
        before = error;
    }
    EXPECT_LT(std::abs(before), 3e-6);
}

/// An impact that sticks at first and slides at last.
ImpactResult oblique(int steps) {
    contact::HuntCrossley law;
    law.restitution = 0.8;
    const double m = mass_of(radius);
    const double duration =
        impact::restitution(law_of_pair(law, 2.0 * modulus, radius), {1.0, m}).duration.value();
    const auto assembly =
        compliant_assembly(stepping(law, duration / steps, 0.3, 0.8), {Plane{}}, 1);
    assembly->add(on_floor({0.4, 0.2, -1}, {10, 0, 5}));
    return follow(*assembly);
}

TEST(CompliantSpheres, AnObliqueImpactConvergesAndItsEnergyClosesWithOrderTwo) {
    const Vector3d exact = oblique(12800).sphere.angular_velocity;
    const auto error = [&](const ImpactResult& after) {
        return (after.sphere.angular_velocity - exact).norm() / exact.norm();
    };
    const ImpactResult coarse = oblique(200), fine = oblique(800);
    EXPECT_NEAR(0.5 * std::log2(error(coarse) / error(fine)), 2.0, 0.2);
    EXPECT_LT(error(fine), 1e-5);
    EXPECT_NEAR(0.5 * std::log2(coarse.residual / fine.residual), 2.0, 0.05);
    EXPECT_LT(std::abs(fine.residual), 3e-6);
}

TEST(CompliantSpheres, WithMuchFrictionTheSlipSwingsAsALinearSpringDoes) {
    // Normal and tangential springs are linear: slip' = slip cos(pi sqrt(7/2 k_t/k)).
    contact::KelvinVoigt law;
    law.stiffness = 1e7;
    law.damping = 0.0;
    const double m = mass_of(radius), half_period = std::numbers::pi * std::sqrt(m / 1e7);
    for (const double share : {0.1, 2.0 / 7.0, 0.8}) {
        const auto assembly =
            compliant_assembly(stepping(law, half_period / 10000.0, 1e6, share), {Plane{}}, 1);
        assembly->add(on_floor({0.3, 0, -1}, {0, -20, 0}));
        const ImpactResult after = follow(*assembly);
        const double slip = after.sphere.velocity.x() - radius * after.sphere.angular_velocity.y();
        EXPECT_NEAR(slip / 0.5, std::cos(std::numbers::pi * std::sqrt(3.5 * share)), 1e-3) << share;
    }
}

TEST(CompliantSpheres, ImpactThatSlidesThroughoutIsThatOfRigidSpheres) {
    // Walton: the tangential impulse is mu times the normal one.
    contact::HuntCrossley law;
    law.restitution = 0.5;
    const double m = mass_of(radius), mu = 0.1;
    const double duration =
        impact::restitution(law_of_pair(law, 2.0 * modulus, radius), {1.0, m}).duration.value();
    const auto assembly =
        compliant_assembly(stepping(law, duration / 1000.0, mu, 0.8), {Plane{}}, 1);
    assembly->add(on_floor({3, 0, -1}));
    const ImpactResult after = follow(*assembly);
    const double impulse = 1.0 + after.sphere.velocity.z();
    EXPECT_NEAR(after.sphere.velocity.x(), 3.0 - mu * impulse, 1e-5);
    EXPECT_NEAR(radius * after.sphere.angular_velocity.y(), 2.5 * mu * impulse, 2.5e-5);
    EXPECT_NEAR(after.residual, 0.0, 1e-6);
}

TEST(CompliantSpheres, ADentStaysUntilTheSurfacesPart) {
    // After the force has vanished at the dent, nothing pushes though the surfaces still overlap.
    contact::WaltonBraun law;
    law.stiffness = 1e6;
    law.restitution = 0.5;
    const double m = mass_of(radius),
                 duration = impact::restitution(law, {1.0, m}).duration.value();
    const auto assembly = compliant_assembly(stepping(law, duration / 500.0), {Plane{}}, 1);
    assembly->add(on_floor({0, 0, -1}));
    int waiting = 0;
    do {
        ASSERT_TRUE(assembly->step());
        for (const TouchingPair& pair : assembly->contacts()) {
            EXPECT_GE(pair.force, 0.0);
            waiting += pair.force == 0.0 && pair.overlap > 0.0;
        }
    } while (!assembly->contacts().empty());
    EXPECT_GT(waiting, 100);
    EXPECT_NEAR(assembly->spheres()[0].velocity.z(), 0.5, 1e-5);
}

TEST(CompliantSpheres, AdhesiveSpheresHoldOnUntilThePullOff) {
    // What is lost is the work of adhesion between x = 0 and the pull-off, wherever the speed.
    contact::Jkr law;
    law.stiffness = 1e8;
    law.pull_off_force = 5.0;
    const double m = mass_of(radius);
    CompliantStepping all = stepping(law, 1e-8);
    all.separation = contact::Separation::zero_overlap;
    const double lost = law.stored_energy(law.end_overlap({}), {});
    const auto assembly = compliant_assembly(all, {Plane{}}, 1);
    assembly->add(on_floor({0, 0, -0.1}));
    const ImpactResult after = follow(*assembly);
    EXPECT_NEAR(after.sphere.velocity.squaredNorm(), 0.01 - 2.0 * lost / m, 1e-6);
    EXPECT_NEAR(after.residual, 0.0, 1e-4);
}

/// Laws whose damping follows from a wanted restitution, on spheres of glass that are as soft as
/// rubber.
std::vector<contact::Law> damped_laws(double restitution) {
    contact::HuntCrossley hunt_crossley;
    contact::SimonHuntCrossley simon;
    contact::Tsuji tsuji;
    contact::KuwabaraKono kuwabara_kono;
    contact::LinearDamping linear;
    hunt_crossley.restitution = simon.restitution = tsuji.restitution = restitution;
    kuwabara_kono.restitution = linear.restitution = restitution;
    return {hunt_crossley, simon, tsuji, kuwabara_kono, linear};
}

constexpr double soft_modulus = 2e6;

CompliantStepping soft_stepping(const contact::Law& law, double step) {
    CompliantStepping all = stepping(law, step);
    all.spheres.modulus = soft_modulus;
    all.walls.modulus = 2.0 * soft_modulus;
    all.gravity = {0, 0, -9.81};
    return all;
}

/// Overlap with the floor that carries `count` spheres.
double static_overlap(double count) {
    const double k = contact::hertz_stiffness(2.0 * soft_modulus, radius);
    return std::pow(count * mass_of(radius) * 9.81 / k, 2.0 / 3.0);
}

TEST(CompliantSpheres, AContactOfTheStartIsDampedAsIfItsBodiesHadMet) {
    for (const contact::Law& law : damped_laws(0.3)) {
        const auto assembly = compliant_assembly(soft_stepping(law, 1e-5), {Plane{}}, 1);
        assembly->add(sphere_at({0, 0, radius - 0.5 * static_overlap(1.0)}, Vector3d::Zero()));
        assembly->begin();
        const double first = assembly->energy().total();
        for (int i = 0; i < 20000; ++i) ASSERT_TRUE(assembly->step());
        EXPECT_NEAR(assembly->deepest_overlap() / static_overlap(1.0), 1.0, 1e-3) << law.index();
        const CompliantEnergy last = assembly->energy();
        EXPECT_GT(last.normal_loss, 0.0) << law.index();
        EXPECT_NEAR(last.total() - first, 0.0, 0.01 * last.normal_loss) << law.index();
    }
}

TEST(CompliantSpheres, AContactOfTheStartBeganWithTheSpeedOfItsEnergy) {
    // A sphere at rest at the deepest point of an elastic impact with 1 m/s is one that met with
    // it.
    contact::HuntCrossley law;
    law.restitution = 0.5;
    const double m = mass_of(radius), k = contact::hertz_stiffness(2.0 * modulus, radius);
    const double x = std::pow(1.25 * m / k, 0.4);
    const auto rebound_of = [&](const contact::HuntCrossley& of) {
        const auto assembly = compliant_assembly(stepping(of, 1e-8), {Plane{}}, 1);
        assembly->add(sphere_at({0, 0, radius - x}, Vector3d::Zero()));
        return follow(*assembly).sphere.velocity.z();
    };
    contact::HuntCrossley given;
    given.damping_factor = contact::hunt_crossley_number(0.5, contact::HuntCrossleyRule::exact);
    EXPECT_NEAR(rebound_of(law), rebound_of(given), 1e-9);
    EXPECT_LT(rebound_of(law), 0.8);
}

TEST(CompliantSpheres, EnergyOfTheStartHasWhatItsContactsStore) {
    const double k = contact::hertz_stiffness(2.0 * modulus, radius), x = 1e-4;
    const auto assembly = compliant_assembly(stepping(contact::Hertz{}, 1e-7), {Plane{}}, 1);
    assembly->add(sphere_at({0, 0, radius - x}, Vector3d::Zero()));
    assembly->begin();
    const double stored = 0.4 * k * std::pow(x, 2.5), first = assembly->energy().total();
    EXPECT_NEAR(first / stored, 1.0, 1e-10);
    EXPECT_NEAR(assembly->deepest_share(), x / radius, 1e-12);
    EXPECT_NEAR(follow(*assembly).residual, 0.0, 1e-5);
}

TEST(CompliantSpheres, DampingOfSpheresThatTouchAtRestBringsNoEnergyIn) {
    // The first contact begins at g dt: mu = z/v0 is huge then.
    for (const int count : {1, 10}) {
        for (const contact::Law& law : damped_laws(0.3)) {
            const auto assembly = compliant_assembly(soft_stepping(law, 2e-5), {Plane{}}, 1);
            for (int i = 0; i < count; ++i)
                assembly->add(sphere_at({0, 0, radius * (1.0 + 2.0 * i)}, Vector3d::Zero()));
            assembly->begin();
            const double first = assembly->energy().total();
            for (int i = 0; i < 100000; ++i) ASSERT_TRUE(assembly->step());
            const CompliantEnergy last = assembly->energy();
            EXPECT_NEAR(last.total() - first, 0.0, 0.01 * last.normal_loss)
                << law.index() << " " << count;
            if (count > 1) continue;  // the deepest contact is not that on the floor
            EXPECT_NEAR(assembly->deepest_overlap() / static_overlap(1.0), 1.0, 0.01)
                << law.index();
        }
    }
}

TEST(CompliantSpheres, AdhesionHoldsASphereThatTouchesTheCeilingButForRoundoff) {
    contact::Jkr jkr;
    contact::Dmt dmt;
    jkr.stiffness = dmt.stiffness = 1e6;
    jkr.pull_off_force = dmt.pull_off_force = 100.0 * mass_of(radius) * 9.81;
    for (const contact::Law& law : {contact::Law(jkr), contact::Law(dmt)}) {
        for (const double gap : {0.0, 1e-17, -1e-17}) {
            CompliantStepping all = stepping(law, 1e-6);
            all.gravity = {0, 0, -9.81};
            all.separation = contact::Separation::zero_overlap;
            const auto assembly =
                compliant_assembly(all, {Plane{{0, 0, 0}, -Vector3d::UnitZ(), {0, 0, 0}}}, 1);
            assembly->add(sphere_at({0, 0, -radius - gap}, Vector3d::Zero()));
            for (int i = 0; i < 1000; ++i) ASSERT_TRUE(assembly->step());
            EXPECT_EQ(assembly->contacts().size(), 1u) << law.index() << " " << gap;
        }
    }
}

TEST(TangentialSpring, NeitherSlipNorAChangeOfStiffnessGivesEnergy) {
    std::mt19937 engine(5);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    TangentialSpring spring;
    Vector3d normal = Vector3d::UnitZ();
    double work = 0.0, lost = 0.0, stiffness = 1e6;  // done on the spring; told as lost [J]
    for (int i = 0; i < 1000; ++i) {
        const double angle = 0.01 * number(engine), size = spring.force().norm();
        const Vector3d next(std::sin(angle), 0.0, std::cos(angle));
        spring.turn(normal, next, angle);
        EXPECT_NEAR(spring.force().norm(), size, 1e-12 * size);
        EXPECT_NEAR(spring.force().dot(next), 0.0, 1e-12);
        normal = next;
        const Vector3d slip = (i % 2 == 0 ? 1e-6 * number(engine) : 0.0) * Vector3d::UnitY();
        if (i % 2 == 1) stiffness = 1e6 * (1.1 + number(engine));
        const Vector3d before = spring.force();
        bool is_sliding = false;
        const double loss = spring.advance(slip, {stiffness, stiffness, 2.0, 0.0}, is_sliding);
        EXPECT_GE(loss, -1e-20);
        EXPECT_LE(spring.force().norm(), 2.0 + 1e-15);
        work -= 0.5 * slip.dot(before + spring.force());
        lost += loss;
    }
    EXPECT_GT(lost, 0.0);
    EXPECT_NEAR(work, lost + spring.stored_energy(), 1e-12 * lost);
}

/// Spheres of several sizes that move freely into each other.
std::unique_ptr<CompliantAssembly> cloud(double step, int threads) {
    contact::Tsuji law;
    law.restitution = 0.7;
    auto assembly = compliant_assembly(stepping(law, step, 0.4, 0.8), {}, threads);
    std::mt19937 engine(3);
    std::uniform_real_distribution<double> v(-2, 2), size(0.6 * radius, radius);
    for (int i = 0; i < 64; ++i) {
        const Vector3d place(i % 4 - 1.5, i / 4 % 4 - 1.5, i / 16 - 1.5);
        Sphere sphere =
            sphere_at(2.02 * radius * place, {v(engine), v(engine), v(engine)}, size(engine));
        sphere.velocity -= 200.0 * sphere.position;
        sphere.angular_velocity = Vector3d(v(engine), v(engine), v(engine)) / radius;
        assembly->add(sphere);
    }
    return assembly;
}

TEST(CompliantSpheres, ACloudKeepsItsMomentumAndItsEnergyIsAccountedFor) {
    const auto assembly = cloud(2e-7, 1);
    const Vector3d p = assembly->momentum(), L = assembly->angular_momentum();
    const CompliantEnergy first = assembly->energy();
    double scale = 0.0, deepest = 0.0;
    for (const Motion& motion : assembly->spheres().motion)
        scale += motion.v.norm() / motion.inverse_mass;
    for (int i = 0; i < 4000; ++i) {
        ASSERT_TRUE(assembly->step());
        deepest = std::max(deepest, assembly->deepest_overlap());
    }
    EXPECT_GT(deepest, 1e-3 * radius);
    EXPECT_LT((assembly->momentum() - p).norm(), 1e-13 * scale);
    EXPECT_LT((assembly->angular_momentum() - L).norm(), 1e-13 * scale * 4.0 * radius);
    const CompliantEnergy last = assembly->energy();
    EXPECT_GT(last.normal_loss, 0.01 * first.total());
    EXPECT_GT(last.friction_loss, 0.01 * first.total());
    EXPECT_NEAR(last.total() / first.total(), 1.0, 1e-4);
}

TEST(CompliantSpheres, ThreadsDoNotChangeABit) {
    const auto one = cloud(1e-6, 1), two = cloud(1e-6, 2);
    for (int i = 0; i < 300; ++i) {
        one->step();
        two->step();
    }
    for (std::size_t i = 0; i < 64; ++i) {
        EXPECT_EQ(one->spheres().position[i], two->spheres().position[i]);
        EXPECT_EQ(one->spheres().motion[i].u, two->spheres().motion[i].u);
    }
}

TEST(CompliantSpheres, ARestoredAssemblyGoesOnWithTheSameBits) {
    const auto whole = cloud(1e-6, 1), second = cloud(1e-6, 1);
    for (int i = 0; i < 300; ++i) whole->step();
    ASSERT_FALSE(whole->contacts().empty());
    second->restore(whole->state());
    for (int i = 0; i < 200; ++i) {
        whole->step();
        second->step();
    }
    EXPECT_EQ(whole->state().size(), second->state().size());
    for (std::size_t i = 0; i < 64; ++i) {
        EXPECT_EQ(whole->spheres().position[i], second->spheres().position[i]);
        EXPECT_EQ(whole->spheres().motion[i].u, second->spheres().motion[i].u);
    }
    EXPECT_EQ(whole->energy().total(), second->energy().total());
}

}  // namespace
