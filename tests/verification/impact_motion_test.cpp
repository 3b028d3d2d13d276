/// Motion with many contacts against closed forms, independent integrations and invariants
/// (docs/theory/impact_motion.md).

#include <gtest/gtest.h>

#include <array>
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <motion_systems.hpp>
#include <stoss/core/error.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/modal/modal_body.hpp>
#include <stoss/modal/modal_response.hpp>
#include <stoss/motion/detail/contact_state.hpp>
#include <stoss/motion/impact_motion.hpp>

namespace stoss {
namespace {

using motion::CompliantContact;
using motion::Contact;
using motion::Drive;
using motion::Impact;
using motion::ImpactMotion;
using motion::MotionStatus;
using motion::NewtonImpact;
using motion::System;
using motion_test::bodies;
using motion_test::chain;
using motion_test::hertz;

/// A free body with vibrations between two stops.
System body_between_stops(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    System system = bodies(6);
    system.rates[0] = 1.0;
    double omega = 200.0;
    for (std::size_t j = 1; j < 6; ++j) {
        omega *= 1.5 + uniform(random);
        system.eigenvalues[j] = omega * omega;
    }
    for (const double side : {1.0, -1.0}) {
        Contact contact{{side * 1.5}, 0.002, CompliantContact{hertz(1e8)}};
        for (std::size_t j = 1; j < 6; ++j)
            contact.phi.push_back(side * (2.0 * uniform(random) - 1.0));
        system.contacts.push_back(contact);
    }
    return system;
}

/// A mass on a spring, driven by a force, with a rigid stop.
System oscillator_against_a_stop(double omega, double drive, double acceleration, double gap,
                                 double cor) {
    System system = bodies(1);
    system.eigenvalues[0] = omega * omega;
    system.contacts = {{{-1.0}, gap, NewtonImpact{cor}}};
    system.drives = {{drive, 0.0, {acceleration}, {}}};
    return system;
}

System ball_on_table(double cor, double amplitude, double frequency) {
    System system = bodies(1);
    system.contacts = {{{1.0}, 2.0 * amplitude, NewtonImpact{cor}}};
    system.drives = {{0.0, 0.0, {-9.81}, {}}, {frequency, 0.0, {}, {amplitude}}};
    return system;
}

TEST(HarmonicResponse, AgreesWithTheClosedFormAwayFromResonance) {
    const double omega = 3.0, frequency = 7.0;
    for (const double t : {1e-4, 0.3, 2.0, 40.0}) {
        const auto response = modal::harmonic_response(omega * omega, 0.0, frequency, t);
        const double scale = 1.0 / (omega * omega - frequency * frequency);
        EXPECT_NEAR(response.cos_q, scale * (std::cos(frequency * t) - std::cos(omega * t)), 1e-13);
        EXPECT_NEAR(response.sin_q,
                    scale * (std::sin(frequency * t) - frequency / omega * std::sin(omega * t)),
                    1e-13);
    }
}

TEST(HarmonicResponse, GrowsWithTimeAtResonance) {
    const double omega = 5.0;
    for (const double t : {0.01, 1.0, 30.0}) {
        const auto response = modal::harmonic_response(omega * omega, 0.0, omega, t);
        EXPECT_NEAR(response.cos_q, t * std::sin(omega * t) / (2.0 * omega), 1e-12 * (1.0 + t));
    }
}

TEST(HarmonicResponse, OfARigidModeIsTheTwofoldIntegral) {
    const auto response = modal::harmonic_response(0.0, 0.0, 4.0, 1.3);
    EXPECT_NEAR(response.cos_q, (1.0 - std::cos(5.2)) / 16.0, 1e-15);
    EXPECT_NEAR(response.cos_v, std::sin(5.2) / 4.0, 1e-15);
}

/// Newton's method alone goes to and fro on an arc tangent.
TEST(CrossingSearch, FindsACrossingWhereNewtonsMethodDoesNot) {
    motion::CrossingSearch search(0.54, 1.0, 1e-15);
    motion::ContactState contact;
    int calls = 0;
    do {
        const double u = 50.0 * (search.time() - 0.5);
        contact.next = {std::atan(u), 50.0 / (1.0 + u * u)};
        ASSERT_LT(++calls, 100);
    } while (search.goes_on(contact));
    EXPECT_NEAR(search.time(), 0.5, 1e-14);
}

TEST(ImpactMotion, OfOneContactIsTheCollisionOfTheSameBodies) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    for (int body = 0; body < 20; ++body) {
        modal::ModalBody struck{{0.0}, {0.0}, {1.0 + uniform(random)}, 1};
        double omega = 300.0;
        for (int j = 1; j < 8; ++j) {
            omega *= 1.5 + uniform(random);
            struck.eigenvalues.push_back(omega * omega);
            struck.damping.push_back(body % 2 == 0 ? 0.0 : 0.02 * omega);
            struck.phi.push_back(2.0 * uniform(random) - 1.0);
        }
        const double mass = 0.1 + uniform(random), root = std::sqrt(mass);
        const modal::ModalBody striker = modal::point_mass(mass);
        const auto expected = impact::collide({struck, {0.0}}, {striker, {root}}, {hertz(1e8)},
                                              time::Splitting{1e-10}, 1.0);
        ASSERT_EQ(expected.status, impact::Status::separated);

        System system = bodies(9);
        std::copy(struck.eigenvalues.begin(), struck.eigenvalues.end(), system.eigenvalues.begin());
        std::copy(struck.damping.begin(), struck.damping.end(), system.dampings.begin());
        system.rates[8] = root;
        system.contacts = {{struck.phi, 0.0, CompliantContact{hertz(1e8)}}};
        system.contacts[0].phi.push_back(-1.0 / root);
        ImpactMotion moving(system, 1e-5);
        double impulse = 0.0;
        moving.advance(1.0, [&](const Impact& each) {
            impulse += each.impulse;
            return true;
        });
        const double leaving = struck.phi[0] * moving.rates()[0] - moving.rates()[8] / root;
        EXPECT_NEAR(leaving, expected.cor_kinematic, 1e-8) << body;
        EXPECT_NEAR(impulse, expected.impulse, 1e-8 * expected.impulse) << body;
    }
}

TEST(ImpactMotion, OfFiveSpheresInARowAgreesWithAnExplicitIntegration) {
    const double mass = 0.033, stiffness = 1e10;
    ImpactMotion moving(chain(5, mass, stiffness), 1e-6);
    moving.advance(1.0);
    EXPECT_EQ(moving.status(), MotionStatus::separated);

    using Vector = std::array<double, 10>;
    Vector y{};
    y[5] = 1.0;
    const auto slope = [&](const Vector& state, Vector& rate, double /*time*/) {
        std::copy_n(state.begin() + 5, 5, rate.begin());
        std::fill_n(rate.begin() + 5, 5, 0.0);
        for (std::size_t c = 0; c < 4; ++c) {
            const double overlap = std::max(0.0, state[c] - state[c + 1]);
            const double acceleration = stiffness * overlap * std::sqrt(overlap) / mass;
            rate[5 + c] -= acceleration;
            rate[6 + c] += acceleration;
        }
    };
    // Steps so small that the begin of a contact, where the force is not smooth, does no harm.
    boost::numeric::odeint::runge_kutta4<Vector> scheme;
    constexpr int steps = 1000000;
    for (int k = 0; k < steps; ++k) scheme.do_step(slope, y, 0.0, 2e-4 / steps);
    for (std::size_t j = 0; j < 5; ++j)
        EXPECT_NEAR(moving.rates()[j] / std::sqrt(mass), y[5 + j], 1e-10) << j;
}

TEST(ImpactMotion, KeepsTheMomentumOfFreeBodies) {
    ImpactMotion moving(chain(20, 0.01, 1e9), 1e-4);
    moving.advance(1.0);
    double momentum = 0.0;
    for (const double rate : moving.rates()) momentum += 0.1 * rate;
    EXPECT_NEAR(momentum / 0.01, 1.0, 1e-12);
}

TEST(ImpactMotion, KeepsTheEnergyOverTenThousandElasticImpacts) {
    for (const unsigned seed : {7U, 8U}) {
        const System system = body_between_stops(seed);
        for (const double tolerance : {1e-4, 1e-6}) {
            ImpactMotion moving(system, tolerance);
            int impacts = 0;
            moving.advance(1e9, [&](const Impact&) { return ++impacts < 10000; });
            ASSERT_EQ(impacts, 10000);
            EXPECT_NEAR(moving.energy().residual() / moving.energy().initial, 0.0, tolerance);
        }
    }
}

/// The points of a table, where the curvature of the force jumps, end steps.
TEST(ImpactMotion, KeepsTheEnergyBetweenTablesOfForce) {
    contact::Tabulated elastic, lossy;
    elastic.overlap = lossy.overlap = {0.0, 1e-4, 2e-4, 3e-4};
    elastic.force_points = lossy.force_points = {0.0, 40.0, 90.0, 150.0};
    lossy.unloading_force = {0.0, 10.0, 50.0, 150.0};
    System system = bodies(1);
    const double root = std::sqrt(0.02);
    system.rates[0] = root;
    system.contacts = {{{1.0 / root}, 1e-3, CompliantContact{elastic}},
                       {{-1.0 / root}, 1e-3, CompliantContact{lossy}}};
    for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
        ImpactMotion moving(system, tolerance);
        moving.advance(1.0);
        EXPECT_GT(moving.impacts(), 300U);
        EXPECT_NEAR(moving.energy().residual() / moving.energy().initial, 0.0, 0.1 * tolerance);
    }
}

TEST(ImpactMotion, KeepsTheDentOfAContact) {
    contact::WaltonBraun law;
    law.stiffness = 1e6;
    law.restitution = 0.6;
    System system = bodies(1);
    const double root = std::sqrt(0.02);
    system.rates[0] = -root;
    system.contacts = {{{1.0 / root}, 0.0, CompliantContact{law}},
                       {{-1.0 / root}, 1e-2, CompliantContact{hertz(1e8)}}};
    ImpactMotion moving(system, 1e-6);
    std::vector<double> cor;
    moving.advance(1.0, [&](const Impact& each) {
        if (each.contact == 0) cor.push_back(each.separation_speed / each.approach_speed);
        return cor.size() < 3;
    });
    ASSERT_EQ(cor.size(), 3U);
    EXPECT_NEAR(cor[0], 0.6, 1e-8);
    EXPECT_NEAR(cor[1], 1.0, 1e-8);
    EXPECT_NEAR(cor[2], 1.0, 1e-8);
    EXPECT_TRUE(moving.met_dent(0));
    EXPECT_FALSE(moving.met_dent(1));
}

TEST(ImpactMotion, OfABouncingBallRestsWhenTheGeometricSeriesEnds) {
    for (const double cor : {0.3, 0.8, 0.95}) {
        System system = bodies(1);
        system.contacts = {{{1.0}, 1.0, NewtonImpact{cor}}};
        system.drives = {{0.0, 0.0, {-9.81}, {}}};
        ImpactMotion moving(system, 1e-6);
        moving.advance(1000.0);
        EXPECT_EQ(moving.status(), MotionStatus::rests);
        const double rest = std::sqrt(2.0 / 9.81) * (1.0 + cor) / (1.0 - cor);
        EXPECT_NEAR(moving.time(), rest, 1e-10 * rest) << cor;
    }
}

TEST(ImpactMotion, OfABouncingBallGoesNoFartherThanAsked) {
    for (const double cor : {0.9, 0.99, 0.998}) {
        System system = bodies(1);
        system.contacts = {{{1.0}, 1.0, NewtonImpact{cor}}};
        system.drives = {{0.0, 0.0, {-9.81}, {}}};
        ImpactMotion moving(system, 1e-6);
        const double rest = std::sqrt(2.0 / 9.81) * (1.0 + cor) / (1.0 - cor);
        const double asked = rest - 2.5e-6 / (1.0 - cor);  // where single motions are roundoff
        moving.advance(asked);
        EXPECT_EQ(moving.time(), asked) << cor;
    }
}

/// Force [N] on a body at the end, how near it is, and the overlap [m] that is roundoff.
struct Pressed {
    double force, near, roundoff;
};

/// A body of one mode that touches a stop is pressed on at `time` [s]: by a law with that force,
/// and by Newton's law without overlap.
void expect_pressed(System system, const contact::Law& law, double time, const Pressed& expected) {
    system.contacts = {{{1.0}, 0.0, CompliantContact{law}}};
    ImpactMotion pressed(system, 1e-6);
    pressed.advance(time);
    EXPECT_EQ(pressed.status(), MotionStatus::running);
    EXPECT_NEAR(pressed.force(0), expected.force, expected.near);
    system.contacts[0].law = NewtonImpact{0.5};
    ImpactMotion held(system, 1e-6);
    held.advance(time);
    EXPECT_EQ(held.status(), MotionStatus::running);
    EXPECT_NEAR(held.overlap(0), 0.0, expected.roundoff);
}

/// A load -10 N sin(W t) on a body that touches: the roundoff of its cosine may point away from the
/// surface.
TEST(ImpactMotion, OfABodyThatTouchesFollowsALoadThatBeginsAtZero) {
    constexpr double pi = std::numbers::pi;
    for (const double phase : {0.5 * pi, -0.5 * pi, 1.5 * pi, 2.5 * pi}) {
        System system = bodies(1);
        system.drives = {{4.0 * pi, phase, {std::copysign(10.0, std::sin(phase))}, {}}};
        SCOPED_TRACE(phase);
        expect_pressed(system, hertz(1e7), 0.125, {10.0, 0.5, 1e-15});
    }
}

/// A load that lifts a body by less than the shortest step shows before it presses it on.
TEST(ImpactMotion, OfABodyThatIsLiftedALittleGoesOn) {
    constexpr double pi = std::numbers::pi;
    for (const double ahead : {1e-3, 1e-4}) {
        System system = bodies(1);
        system.drives = {{2.0 * pi, 0.5 * pi - ahead, {1.0}, {}}};
        SCOPED_TRACE(ahead);
        expect_pressed(system, hertz(1e4, 1.0), 0.25, {1.0, 0.1, 1e-12});
    }
}

TEST(ImpactMotion, OfBodiesThatMoveAlikePushEachOtherWhereOneSlowsDown) {
    System system = bodies(2);
    system.eigenvalues[1] = 100.0;
    system.rates = {1.0, 1.0};
    system.contacts = {{{-1.0, 1.0}, 0.0, CompliantContact{hertz(1e4, 1.0)}}};
    ImpactMotion moving(system, 1e-8);
    moving.advance(0.2);
    EXPECT_EQ(moving.status(), MotionStatus::running);
    // Of a stiff contact: 2 x'' = -100 x.
    const double x = std::sin(std::sqrt(50.0) * 0.2) / std::sqrt(50.0);
    EXPECT_NEAR(moving.coordinates()[0], x, 1e-2 * x);
    EXPECT_NEAR(moving.force(0), 50.0 * x, 0.05 * 50.0 * x);
}

/// The damper ends the force while the bodies still overlap; farther out the spring pushes again.
TEST(ImpactMotion, ADamperThatGrowsWithTheOverlapMayReleaseTheBodiesOnce) {
    contact::RampedDamping law;
    law.stiffness = 1e6;
    law.exponent = 1.0;
    law.damping = 500.0;
    law.ramp_depth = 1e-4;
    System system = bodies(1);
    system.rates[0] = -0.401;
    system.contacts = {{{1.0}, 0.0, CompliantContact{law}}};
    ImpactMotion moving(system, 1e-8);
    moving.advance(1.0);
    EXPECT_NEAR(moving.rates()[0], 0.401 * 0.540605, 1e-6);  // integrated to 1e-12
}

TEST(ImpactMotion, OfABodyOnATableThatFallsALittleFasterThanItLeavesInEveryPeriod) {
    const double frequency = 20.0 * std::numbers::pi;
    const double amplitude = 1.0005 * 9.81 / (frequency * frequency);
    System system = ball_on_table(0.5, amplitude, frequency);
    system.contacts[0].gap = 0.0;
    system.coordinates[0] = -amplitude;
    system.drives[1].phase = std::numbers::pi;
    ImpactMotion moving(system, 1e-6);
    moving.advance(2.0);  // twenty periods
    EXPECT_GE(moving.impacts(), 19U);
}

/// One impact a period T on a table of velocity w at impact: the ball leaves upwards at g T/2 and
/// comes back as fast, (g T/2 - w) = e (g T/2 + w).
TEST(ImpactMotion, OfABallOnAShakingTableHasThePeriodOneOrbitOfTheClosedForm) {
    const double cor = 0.5, frequency = 2.0 * std::numbers::pi * 30.0;
    const double period = 1.0 / 30.0, flight = 0.5 * 9.81 * period;
    const double table = flight * (1.0 - cor) / (1.0 + cor);
    const double amplitude = 1.3 * table / frequency;
    System system = ball_on_table(cor, amplitude, frequency);
    // s = a cos(W t) rises at w where sin(W t) = -w/(a W); stable where the table slows down.
    const double phase = 2.0 * std::numbers::pi - std::asin(table / (amplitude * frequency));
    system.drives[1].phase = phase;
    system.contacts[0].gap = 0.0;
    system.coordinates[0] = amplitude * std::cos(phase) + 1e-6;
    system.rates[0] = -flight;
    ImpactMotion moving(system, 1e-6);
    Impact last;
    int count = 0;
    moving.advance(1e9, [&](const Impact& each) {
        last = each;
        return ++count < 400;
    });
    EXPECT_NEAR(last.approach_speed, flight + table, 1e-9);
    EXPECT_NEAR(last.separation_speed, flight - table, 1e-9);
}

/// Shaw and Holmes (1983): with one impact a period, between impacts
/// x = A cos wt + B sin wt + alpha cos(W t + phi), B = -(1 + e) v/(2 w), A = B S/(1 - C),
/// alpha W sin phi = v (e - 1)/2, alpha cos phi = d - A: a quadratic equation of v.
TEST(ImpactMotion, OfAnOscillatorAgainstARigidStopHasThePeriodOneOrbitOfTheClosedForm) {
    const double omega = 1.0, drive = 2.2, force = 1.0, gap = 0.02, cor = 0.7;
    const double period = 2.0 * std::numbers::pi / drive;
    const double alpha = force / (omega * omega - drive * drive);
    const double c = std::cos(omega * period), s = std::sin(omega * period);
    const double a_per_v = -(1.0 + cor) / (2.0 * omega) * s / (1.0 - c);
    const double sin_per_v = (cor - 1.0) / (2.0 * drive);
    // (d - a v)^2 + (b v)^2 = alpha^2
    const double p = a_per_v * a_per_v + sin_per_v * sin_per_v;
    const double q = -gap * a_per_v, r = gap * gap - alpha * alpha;
    const double speed = (-q + std::sqrt(q * q - p * r)) / p;
    ImpactMotion moving(oscillator_against_a_stop(omega, drive, force, gap, cor), 1e-6);
    Impact last;
    int count = 0;
    moving.advance(1e9, [&](const Impact& each) {
        last = each;
        return ++count < 3000;
    });
    EXPECT_NEAR(last.approach_speed, speed, 1e-9 * speed);
    EXPECT_NEAR(last.separation_speed, cor * speed, 1e-9 * speed);
}

TEST(ImpactMotion, OfBodiesThatRestOnADrivenTableLeavesWhereTheTableFallsFasterThanTheBody) {
    const double frequency = 100.0, amplitude = 2.0 * 9.81 / (frequency * frequency);
    System system = ball_on_table(0.0, amplitude, frequency);
    system.contacts[0].gap = 0.0;
    system.coordinates[0] = amplitude;
    ImpactMotion moving(system, 1e-6);
    std::vector<Impact> impacts;
    moving.advance(1.0, [&](const Impact& each) {
        impacts.push_back(each);
        return impacts.size() < 2;
    });
    ASSERT_EQ(impacts.size(), 2U);
    // After an impact with e = 0 the ball rests until a W^2 cos(W t) = g, then moves freely.
    const double angle = std::acos(0.5);
    const double v = -amplitude * frequency * std::sin(angle), y = amplitude * 0.5;
    const double lift = (2.0 * std::numbers::pi *
                             std::ceil(impacts[0].start * frequency / (2.0 * std::numbers::pi)) -
                         angle) /
                        frequency;
    const double flight = impacts[1].start - lift;
    EXPECT_GT(flight, 0.0);
    EXPECT_NEAR(y - v * flight - 0.5 * 9.81 * flight * flight,
                amplitude * std::cos(frequency * impacts[1].start), 1e-12);
}

TEST(ImpactMotion, DoesNotDependOnTheOrderOfContacts) {
    System system = body_between_stops(9);
    ImpactMotion moving(system, 1e-5);
    moving.advance(1.0);
    std::swap(system.contacts[0], system.contacts[1]);
    ImpactMotion swapped(system, 1e-5);
    swapped.advance(1.0);
    EXPECT_EQ(moving.coordinates(), swapped.coordinates());
    EXPECT_EQ(moving.impacts(), swapped.impacts());
}

TEST(ImpactMotion, StoppedAndContinuedIsTheSameMotion) {
    const System system = body_between_stops(10);
    ImpactMotion whole(system, 1e-5), parts(system, 1e-5);
    whole.advance(0.03);
    for (int k = 1; k <= 30; ++k) parts.advance(0.001 * k);
    EXPECT_NEAR(parts.time(), whole.time(), 1e-17);
    for (std::size_t j = 0; j < 6; ++j) EXPECT_NEAR(parts.rates()[j], whole.rates()[j], 1e-8) << j;
}

TEST(ImpactMotion, RefusesBodiesThatOverlapAtTheBegin) {
    System system = body_between_stops(1);
    system.contacts[1].gap = -1e-4;
    try {
        ImpactMotion moving(system, 1e-6);
        FAIL() << "not refused";
    } catch (const core::InputError& error) {
        ASSERT_EQ(error.diagnostics().size(), 1U);
        EXPECT_EQ(error.diagnostics()[0].violation.key, "contacts[1].gap");
        EXPECT_EQ(error.diagnostics()[0].violation.rule,
                  "the bodies overlap by 0.0001 m at time 0");
    }
}

TEST(ImpactMotion, TakesARoundoffOfTheCosineOfATableForNoOverlap) {
    System system = ball_on_table(0.5, 1e-3, 160.0);
    system.contacts[0].gap = 0.0;
    for (const double phase : {0.5, -0.5, 1.5}) {
        system.drives[1].phase = phase * std::numbers::pi;
        EXPECT_TRUE(motion::check(system).empty()) << phase;
    }
}

TEST(ImpactMotion, RefusesNumbersThatAreNotFinite) {
    System system = body_between_stops(1);
    system.eigenvalues[2] = std::nan("");
    system.rates.pop_back();
    EXPECT_EQ(motion::check(system).size(), 2U);
}

/// Each rule alone, on a system that keeps all of them. Those of friction and of the residual
/// flexibility are in tests of their own.
TEST(ImpactMotion, RefusesASystemThatBreaksARule) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    using Change = void (*)(System&);
    const std::pair<Change, const char*> rules[] = {
        {[](System& s) { s = {}; }, "eigenvalues is empty: no body can move"},
        {[](System& s) { s.eigenvalues[1] = -1.0; }, "eigenvalues[1] must be finite and >= 0"},
        {[](System& s) { s.dampings[2] = -1.0; }, "dampings[2] must be finite and >= 0"},
        {[](System& s) { s.dampings.pop_back(); }, "dampings must hold 6 numbers, one a mode"},
        {[](System& s) { s.coordinates[0] = nan; }, "coordinates[0] must be finite"},
        {[](System& s) { s.rates.push_back(0.0); }, "rates must hold 6 numbers, one a mode"},
        {[](System& s) { s.drives[0].frequency = -1.0; },
         "drives[0].frequency must be finite and >= 0"},
        {[](System& s) { s.drives[0].phase = nan; }, "drives[0].phase must be finite"},
        {[](System& s) { s.drives[0].forces = {1.0}; },
         "drives[0].forces must hold 6 numbers, one a mode"},
        {[](System& s) { s.drives[0].surfaces = {1.0}; },
         "drives[0].surfaces must hold 2 numbers, one a contact"},
        {[](System& s) { s.contacts[1].phi.pop_back(); },
         "contacts[1].phi must hold 6 numbers, one a mode"},
        {[](System& s) { s.contacts[1].phi[3] = nan; }, "contacts[1].phi[3] must be finite"},
        {[](System& s) { s.contacts[0].phi.assign(6, 0.0); },
         "contacts[0].phi is zero: neither body can move there"},
        {[](System& s) { s.contacts[0].law = NewtonImpact{1.1}; },
         "contacts[0].cor must be in [0, 1]"},
        {[](System& s) { s.contacts[0].law = CompliantContact{contact::Hertz{}}; },
         "contacts[0].law.stiffness is missing"},
        {[](System& s) { s.contacts[0].gap = nan; }, "contacts[0].gap must be finite"},
        {[](System& s) { s.contacts[0].gap = -1.0; },
         "contacts[0].gap the bodies overlap by 1 m at time 0"},
    };
    System whole = body_between_stops(1);
    whole.drives = {{10.0, 0.0, std::vector<double>(6, 0.0), {0.0, 0.0}}};
    EXPECT_TRUE(motion::check(whole).empty());
    for (const auto& [change, expected] : rules) {
        System system = whole;
        change(system);
        const auto found = motion::check(system);
        ASSERT_EQ(found.size(), 1U) << expected;
        EXPECT_EQ(found[0].key + " " + found[0].rule, expected);
    }
    for (const double tolerance : {0.0, 0.1, nan})
        EXPECT_THROW(ImpactMotion(whole, tolerance), core::InputError) << tolerance;
    ImpactMotion moving(whole, 1e-6);
    EXPECT_THROW(moving.displace(std::array{1.0}, whole.rates), core::InputError);
}

}  // namespace
}  // namespace stoss
