/// Motion with many contacts: random systems against an independent integration and invariants,
/// and closed forms of rows, bars and oscillators (docs/theory/impact_motion.md).

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include <motion_systems.hpp>
#include <stoss/core/error.hpp>
#include <stoss/motion/detail/newton_impulses.hpp>
#include <stoss/motion/impact_motion.hpp>

namespace stoss {
namespace {

using motion::Impact;
using motion::ImpactMotion;
using motion::MotionStatus;
using motion_test::RandomRow;
using motion_test::System;

double relative_residual(const motion::MotionEnergy& energy) {
    return energy.residual() / (energy.initial + std::abs(energy.drive_work));
}

/// The motion by an explicit method of order 7 with error control, which knows nothing of modes
/// and events.
std::vector<double> integrated_rates(const System& system, double time) {
    const std::size_t n = system.modes();
    std::vector<double> y = system.coordinates;
    y.insert(y.end(), system.rates.begin(), system.rates.end());
    const auto slope = [&](const std::vector<double>& state, std::vector<double>& rate, double t) {
        for (std::size_t j = 0; j < n; ++j) {
            rate[j] = state[n + j];
            rate[n + j] = -system.eigenvalues[j] * state[j] - system.dampings[j] * state[n + j];
            for (const motion::Drive& drive : system.drives)
                rate[n + j] += drive.forces[j] * std::cos(drive.frequency * t + drive.phase);
        }
        for (std::size_t c = 0; c < system.contacts.size(); ++c) {
            const motion::Contact& contact = system.contacts[c];
            double x = -contact.gap, v = 0.0;
            for (std::size_t j = 0; j < n; ++j) {
                x -= contact.phi[j] * state[j];
                v -= contact.phi[j] * state[n + j];
            }
            for (const motion::Drive& drive : system.drives) {
                const double angle = drive.frequency * t + drive.phase;
                x += drive.surfaces[c] * std::cos(angle);
                v -= drive.surfaces[c] * drive.frequency * std::sin(angle);
            }
            if (!(x > 0.0)) continue;
            const auto& law = std::get<motion::CompliantContact>(contact.law).law;
            double force = 0.0;
            if (const auto* spring = std::get_if<contact::Hertz>(&law))
                force = *spring->stiffness * std::pow(x, spring->exponent);
            else if (const auto* lossy = std::get_if<contact::HuntCrossley>(&law))
                force = *lossy->stiffness * std::pow(x, lossy->exponent) *
                        (1.0 + *lossy->damping_factor * v);
            for (std::size_t j = 0; j < n; ++j) rate[n + j] += contact.phi[j] * force;
        }
    };
    using Stepper = boost::numeric::odeint::runge_kutta_fehlberg78<std::vector<double>>;
    boost::numeric::odeint::integrate_adaptive(
        boost::numeric::odeint::make_controlled(1e-16, 1e-13, 2e-7, Stepper{}), slope, y, 0.0, time,
        1e-6);
    return {y.begin() + static_cast<std::ptrdiff_t>(n), y.end()};
}

TEST(ManyContacts, OfRandomRowsAgreeWithAnExplicitIntegration) {
    for (unsigned seed = 0; seed < 24; ++seed) {
        RandomRow what;
        what.damped = seed % 2 == 1;
        what.driven = seed % 3 == 1;
        const System system = motion_test::random_row(what, seed);
        ImpactMotion moving(system, 1e-5);
        moving.advance(0.01);
        const std::vector<double> expected = integrated_rates(system, 0.01);
        double scale = 0.0;
        for (const double rate : expected) scale = std::max(scale, std::abs(rate));
        EXPECT_GT(moving.impacts(), 0U) << seed;
        for (std::size_t j = 0; j < system.modes(); ++j)
            EXPECT_NEAR(moving.rates()[j], expected[j], 1e-6 * scale) << seed << ' ' << j;
    }
}

TEST(ManyContacts, OfRandomRowsBalanceTheirEnergy) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        RandomRow what;
        what.bodies = 2 + static_cast<int>(seed % 4);
        what.damped = seed % 2 == 1;
        what.driven = seed % 3 == 1;
        for (const double tolerance : {1e-3, 1e-6}) {
            ImpactMotion moving(motion_test::random_row(what, seed), tolerance);
            moving.advance(0.2);
            ASSERT_EQ(moving.status(), MotionStatus::running) << seed;
            EXPECT_NEAR(relative_residual(moving.energy()), 0.0, tolerance) << seed;
            EXPECT_GE(moving.energy().contact_loss, 0.0) << seed;
            EXPECT_GE(moving.energy().structural_loss, 0.0) << seed;
        }
    }
}

TEST(ManyContacts, OfFreeBodiesKeepTheirMomentum) {
    for (unsigned seed = 0; seed < 30; ++seed) {
        RandomRow what;
        what.bodies = 4;
        what.between_walls = false;
        const System system = motion_test::random_row(what, seed);
        ImpactMotion moving(system, 1e-4);
        moving.advance(0.1);
        double before = 0.0, after = 0.0, scale = 0.0;
        for (std::size_t j = 0; j < system.modes(); j += 4) {
            // A rigid mode has the mode value 1/sqrt(m) on either side of its body.
            double phi = 0.0;
            for (const motion::Contact& contact : system.contacts)
                phi = std::max(phi, std::abs(contact.phi[j]));
            before += system.rates[j] / phi;
            after += moving.rates()[j] / phi;
            scale += std::abs(system.rates[j] / phi);
        }
        EXPECT_NEAR(after, before, 1e-12 * scale) << seed;
    }
}

TEST(ManyContacts, OfMirroredBodiesMoveAsTheMirrorImage) {
    for (unsigned seed = 0; seed < 10; ++seed) {
        RandomRow what;
        what.driven = true;
        System system = motion_test::random_row(what, seed);
        ImpactMotion moving(system, 1e-5);
        moving.advance(0.1);
        for (double& rate : system.rates) rate = -rate;
        for (motion::Contact& contact : system.contacts)
            for (double& phi : contact.phi) phi = -phi;
        for (double& force : system.drives[0].forces) force = -force;
        ImpactMotion mirrored(system, 1e-5);
        mirrored.advance(0.1);
        EXPECT_EQ(mirrored.impacts(), moving.impacts());
        for (std::size_t j = 0; j < system.modes(); ++j) {
            EXPECT_EQ(mirrored.rates()[j], -moving.rates()[j]) << seed << ' ' << j;
            EXPECT_EQ(mirrored.coordinates()[j], -moving.coordinates()[j]) << seed << ' ' << j;
        }
    }
}

TEST(ManyContacts, DoNotDependOnTheUnits) {
    for (unsigned seed = 0; seed < 10; ++seed) {
        RandomRow what;
        what.elastic = true;
        what.driven = seed % 2 == 1;
        const System system = motion_test::random_row(what, seed);
        const double mass = 1000.0, length = 39.37, time = 1e6 / 7.0;
        ImpactMotion moving(system, 1e-5);
        ImpactMotion other(motion_test::in_other_units(system, mass, length, time), 1e-5);
        moving.advance(0.02);
        other.advance(0.02 * time);
        EXPECT_EQ(moving.impacts(), other.impacts()) << seed;
        double scale = 0.0;
        for (const double rate : moving.rates()) scale = std::max(scale, std::abs(rate));
        for (std::size_t j = 0; j < system.modes(); ++j)
            EXPECT_NEAR(other.rates()[j] * time / (std::sqrt(mass) * length), moving.rates()[j],
                        1e-10 * scale)
                << seed << ' ' << j;
    }
}

/// A rigid uniform bar of mass m falls on both ends. The end that closes at v takes the impulse
/// (1 + e) m v/4, and the other end closes (1 + e) v/2 faster. With the speeds s_n of the impacts,
/// s_(n+1) = (1 + e)/2 s_n - e s_(n-1); the gap that opens at e s_n closes again at s_(n+2).
TEST(ManyContacts, OfABarThatClattersFollowTheClosedForm) {
    for (const double cor : {0.02, 0.05, 0.071, 0.0722, 0.1, 0.3, 0.5, 0.9, 1.0}) {
        System system = motion_test::bodies(2);
        system.rates = {-1.0, 0.0};
        const double turn = std::sqrt(3.0), tilt = 0.01;
        system.coordinates = {tilt * turn, tilt};  // left end on the floor, right end 2 tilt turn
        system.contacts = {{{1.0, -turn}, 0.0, motion::NewtonImpact{cor}},
                           {{1.0, turn}, 0.0, motion::NewtonImpact{cor}}};
        ImpactMotion moving(system, 1e-6);
        std::vector<Impact> impacts;
        moving.advance(1.0, [&](const Impact& each) {
            impacts.push_back(each);
            return true;
        });
        std::vector<double> speed{1.0, 1.0 + 0.5 * (1.0 + cor)};
        while (speed.back() > 1e-3)
            speed.push_back(0.5 * (1.0 + cor) * speed.back() - cor * *(speed.rbegin() + 1));
        std::vector<double> time{0.0, 2.0 * tilt * turn / speed[1]};
        for (std::size_t n = 2; n < speed.size(); ++n)
            time.push_back(time.back() +
                           cor * speed[n - 2] * (time[n - 1] - time[n - 2]) / speed[n]);
        const bool ends = speed.back() < 0.0;  // e > 7 - 4 sqrt 3 = 0.0718: a finite number
        EXPECT_TRUE(!ends || cor > 7.0 - 4.0 * std::sqrt(3.0)) << cor;
        if (ends) {
            EXPECT_EQ(impacts.size(), speed.size() - 1) << cor;
        }
        ASSERT_GE(impacts.size(), speed.size() - 1) << cor;
        for (std::size_t n = 0; n + 1 < speed.size(); ++n) {
            EXPECT_EQ(impacts[n].contact, n % 2) << cor << ' ' << n;
            EXPECT_NEAR(impacts[n].approach_speed, speed[n], 1e-12) << cor << ' ' << n;
            EXPECT_NEAR(impacts[n].start, time[n], 1e-12) << cor << ' ' << n;
        }
    }
}

/// The first push reaches the whole row at once: the overlaps down the row fall below the smallest
/// numbers.
TEST(ManyContacts, OfLongRowsThatTouchKeepTheEnergy) {
    for (const std::size_t spheres : {5U, 8U, 9U, 10U, 20U, 50U, 100U}) {
        ImpactMotion moving(motion_test::chain(spheres, 1.0, 1.0), 1e-6);
        std::size_t ended = 0;
        moving.advance(1.4 * static_cast<double>(spheres), [&](const Impact& each) {
            EXPECT_GT(each.impulse, 0.9) << spheres << ' ' << each.contact;
            ++ended;
            return true;
        });
        // One for each contact: the spheres that the wave leaves at rest meet again by roundoff.
        EXPECT_EQ(ended, spheres - 1);
        EXPECT_EQ(moving.impacts(), spheres - 1);
        EXPECT_NEAR(relative_residual(moving.energy()), 0.0, 1e-10) << spheres;
        EXPECT_LT(moving.steps(), 250 * spheres);
        double momentum = 0.0;
        for (const double rate : moving.rates()) momentum += rate;
        EXPECT_NEAR(momentum, 1.0, 1e-12) << spheres;
    }
}

/// Steps so small that the begins and ends of contacts, where the force is not smooth, do no harm.
TEST(ManyContacts, OfARowThatTouchesAgreeWithAnExplicitIntegration) {
    constexpr std::size_t spheres = 12;
    constexpr double time = 13.0;
    using Vector = std::array<double, 2 * spheres>;
    Vector y{};
    y[spheres] = 1.0;
    const auto slope = [](const Vector& state, Vector& rate, double /*time*/) {
        std::copy_n(state.begin() + spheres, spheres, rate.begin());
        std::fill_n(rate.begin() + spheres, spheres, 0.0);
        for (std::size_t c = 0; c + 1 < spheres; ++c) {
            const double overlap = std::max(0.0, state[c] - state[c + 1]);
            const double force = overlap * std::sqrt(overlap);
            rate[spheres + c] -= force;
            rate[spheres + c + 1] += force;
        }
    };
    boost::numeric::odeint::runge_kutta4<Vector> scheme;
    constexpr int steps = 200000;
    for (int k = 0; k < steps; ++k) scheme.do_step(slope, y, 0.0, time / steps);
    ImpactMotion moving(motion_test::chain(spheres, 1.0, 1.0), 1e-8);
    moving.advance(time);
    for (std::size_t j = 0; j < spheres; ++j)
        EXPECT_NEAR(moving.rates()[j], y[spheres + j], 1e-9) << j;
}

/// A wave in a row of spheres: what passes contacts 20 and 28.
struct RowWave {
    double speed = 0.0;       ///< [1/s] spheres per time
    double half_width = 0.0;  ///< [-] spheres between the points of half the largest force
    double overlap = 0.0;     ///< largest one [m]
};

RowWave row_wave(double v) {
    ImpactMotion moving(motion_test::chain(36, 1.0, 1.0, v), 1e-4);
    const std::array<std::size_t, 2> contacts{20, 28};
    std::array<std::vector<double>, 2> forces;
    const double step = 0.01 * std::pow(v, -0.2);
    for (int k = 0; k < 4500; ++k) {
        moving.advance(step * k);
        for (std::size_t i = 0; i < 2; ++i) forces[i].push_back(moving.force(contacts[i]));
    }
    const double peak = *std::ranges::max_element(forces[0]), half = 0.5 * peak;
    const auto passes = [&](const std::vector<double>& force, bool up) {
        for (std::size_t k = 1; k < force.size(); ++k) {
            const bool is_here = up ? force[k - 1] < half && force[k] >= half
                                    : force[k - 1] >= half && force[k] < half;
            const double part = (half - force[k - 1]) / (force[k] - force[k - 1]);
            if (is_here) return step * (static_cast<double>(k) - 1.0 + part);
        }
        return 0.0;
    };
    const double first = passes(forces[0], true);
    const double speed = 8.0 / (passes(forces[1], true) - first);
    return {speed, speed * (passes(forces[0], false) - first), std::pow(peak, 2.0 / 3.0)};
}

/// Nesterenko's wave: all speeds in a row of spheres scale with v^(1/5) for Hertz's law, exactly,
/// and its length does not depend on v. In the limit of long waves its speed is
/// V/D = (4/5 k/m)^(1/2) x^(1/4) with the largest overlap x, and the force has the form
/// cos^6(z sqrt(10)/(5 D)), whose width at half of its height is 1.491 D. The wave spans five
/// spheres only, so that this limit is an approximation.
TEST(ManyContacts, OfALongRowCarryNesterenkosWave) {
    const RowWave slow = row_wave(1.0), fast = row_wave(32.0);
    EXPECT_NEAR(fast.speed / slow.speed, 2.0, 1e-5);
    EXPECT_NEAR(fast.half_width, slow.half_width, 1e-4);
    const double limit = std::sqrt(0.8) * std::pow(slow.overlap, 0.25);
    EXPECT_NEAR(slow.speed / limit, 1.0, 0.02);
    EXPECT_NEAR(slow.half_width, 1.491, 0.15);
}

/// Where an orbit just misses a rigid stop, a stop that is closer by d is hit with a speed in
/// proportion to the square root of d (Nordmark 1991).
TEST(ManyContacts, OfAGrazingOrbitHaveTheExponentOneHalf) {
    const double drive = 2.2, force = 1.0;
    const double amplitude = force / (drive * drive - 1.0);
    const auto speed = [&](double closer) {
        System system = motion_test::bodies(1);
        system.eigenvalues[0] = 1.0;
        system.coordinates[0] = amplitude;  // x = amplitude cos(W t), driven by -cos(W t)
        system.coordinates[0] *= std::cos(1.0);
        system.rates[0] = -amplitude * drive * std::sin(1.0);
        system.contacts = {{{-1.0}, amplitude - closer, motion::NewtonImpact{0.7}}};
        system.drives = {{drive, 1.0, {-force}, {}}};
        ImpactMotion moving(system, 1e-6);
        double first = 0.0;
        moving.advance(20.0, [&](const Impact& each) {
            first = each.approach_speed;
            return false;
        });
        return first;
    };
    double last = speed(1e-4);
    for (const double closer : {1e-5, 1e-6, 1e-7}) {
        const double now = speed(closer);
        EXPECT_GT(now, 0.0) << closer;
        EXPECT_NEAR(std::log10(last / now), 0.5, 1e-3) << closer;
        EXPECT_NEAR(now, drive * std::sqrt(2.0 * amplitude * closer), 1e-2 * now) << closer;
        last = now;
    }
}

/// The stability of the orbit with one impact a period (Shaw and Holmes 1983): the map of one
/// period has the determinant e^2 without damping. Its multipliers are complex here, so that a
/// disturbance decays by the factor e a period.
TEST(ManyContacts, OfAnImpactOscillatorContractTheMapOfAPeriodByTheSquareOfTheCoefficient) {
    const double drive = 2.2, cor = 0.7, period = 2.0 * std::numbers::pi / drive;
    const auto after = [&](double q, double v, int periods) {
        System system = motion_test::bodies(1);
        system.eigenvalues[0] = 1.0;
        system.coordinates[0] = q;
        system.rates[0] = v;
        system.contacts = {{{-1.0}, 0.02, motion::NewtonImpact{cor}}};
        system.drives = {{drive, 0.0, {1.0}, {}}};
        ImpactMotion moving(system, 1e-6);
        moving.advance(periods * period);
        return std::array{moving.coordinates()[0], moving.rates()[0]};
    };
    const auto [q, v] = after(0.0, 0.0, 500);
    const auto [same_q, same_v] = after(q, v, 1);
    EXPECT_NEAR(same_q, q, 1e-10);
    EXPECT_NEAR(same_v, v, 1e-10);
    const double d = 1e-6;
    const auto q_up = after(q + d, v, 1), q_down = after(q - d, v, 1);
    const auto v_up = after(q, v + d, 1), v_down = after(q, v - d, 1);
    const double qq = (q_up[0] - q_down[0]) / (2.0 * d), vq = (q_up[1] - q_down[1]) / (2.0 * d);
    const double qv = (v_up[0] - v_down[0]) / (2.0 * d), vv = (v_up[1] - v_down[1]) / (2.0 * d);
    EXPECT_NEAR(qq * vv - qv * vq, cor * cor, 1e-7);
    EXPECT_LT(std::abs(qq + vv), 2.0 * cor);
}

/// Elastic bar that bounces under gravity on a rigid floor (Doyen, Ern and Piperno 2011): it falls
/// for 1 s, touches for 2/3 s, is free for 2 s, touches for 2/3 s, and is as it was after 16/3 s.
/// The first impact leaves 4/27 of the energy of the fall as vibration, the second one takes it
/// back.
TEST(ManyContacts, OfABouncingElasticBarReachTheExactSolutionAsTheFloorStiffens) {
    const double mass = 10.0, length = 10.0, wave = 30.0, gravity = 10.0;
    constexpr std::size_t modes = 400;
    System system = motion_test::bodies(modes);
    motion::Contact floor{{}, 5.0, {}};
    for (std::size_t j = 0; j < modes; ++j) {
        const double omega = std::numbers::pi * static_cast<double>(j) * wave / length;
        system.eigenvalues[j] = omega * omega;
        floor.phi.push_back(std::sqrt((j == 0 ? 1.0 : 2.0) / mass));
    }
    system.drives = {{0.0, 0.0, std::vector<double>(modes), {}}};
    system.drives[0].forces[0] = -gravity * std::sqrt(mass);
    std::array<double, 2> vibration{}, end{}, first_impulse{};
    const std::array<double, 2> stiffness{1e4, 1e5};
    for (std::size_t i = 0; i < 2; ++i) {
        floor.law = motion::CompliantContact{motion_test::hertz(stiffness[i], 1.0)};
        system.contacts = {floor};
        ImpactMotion moving(system, 1e-6);
        std::vector<double> begins, ends, impulses;
        moving.advance(5.0, [&](const Impact& each) {
            if (each.impulse < 1.0) return true;
            begins.push_back(each.start);
            ends.push_back(each.end);
            impulses.push_back(each.impulse);
            return true;
        });
        const auto vibrates = [&] {
            double sum = 0.0;
            for (std::size_t j = 1; j < modes; ++j)
                sum += moving.rates()[j] * moving.rates()[j] +
                       system.eigenvalues[j] * moving.coordinates()[j] * moving.coordinates()[j];
            return 0.5 * sum / (mass * gravity * 5.0);
        };
        ASSERT_EQ(begins.size(), 2U);
        EXPECT_NEAR(begins[0], 1.0, 1e-12);
        first_impulse[i] = std::abs(impulses[0] - 800.0 / 3.0);
        end[i] = std::abs(ends[1] - 13.0 / 3.0);
        vibration[i] = vibrates();
        EXPECT_NEAR(moving.energy().residual() / (mass * gravity * 5.0), 0.0, 1e-8);
    }
    EXPECT_LT(first_impulse[1], 0.2 * first_impulse[0]);
    EXPECT_LT(end[1], 0.2 * end[0]);
    EXPECT_LT(end[1], 0.02);
    EXPECT_LT(vibration[1], 0.3 * vibration[0]);
    EXPECT_LT(vibration[1], 0.01);
    RecordProperty("end_1e5", std::to_string(end[1]));
}

/// A mass on a spring swings against a stop without a gap (code_aster, test SDND101a): while it
/// touches, spring and stop act side by side.
TEST(ManyContacts, OfAnOscillatorThatTouchesItsStopFollowTheClosedForm) {
    const double mass = 100.0, spring = 1e4, stop = 1e6, root = std::sqrt(mass);
    System system = motion_test::bodies(1);
    system.eigenvalues[0] = spring / mass;
    system.rates[0] = root;
    system.contacts = {
        {{-1.0 / root}, 0.0, motion::CompliantContact{motion_test::hertz(stop, 1.0)}}};
    ImpactMotion moving(system, 1e-8);
    std::vector<Impact> impacts;
    moving.advance(10.0, [&](const Impact& each) {
        impacts.push_back(each);
        return impacts.size() < 5;
    });
    ASSERT_EQ(impacts.size(), 5U);
    const double both = std::sqrt((spring + stop) / mass), alone = std::sqrt(spring / mass);
    for (std::size_t k = 0; k < 5; ++k) {
        const double begin = static_cast<double>(k) * std::numbers::pi * (1.0 / both + 1.0 / alone);
        EXPECT_NEAR(impacts[k].start, begin, 1e-9) << k;
        EXPECT_NEAR(impacts[k].end, begin + std::numbers::pi / both, 1e-9) << k;  // 31.260 ms
        EXPECT_NEAR(impacts[k].peak_force, stop / both, 1e-3) << k;               // 9950.37 N
        EXPECT_NEAR(impacts[k].impulse, stop * 2.0 / (both * both), 1e-6) << k;   // 198.02 N s
        EXPECT_NEAR(impacts[k].approach_speed, 1.0, 1e-9) << k;
    }
}

/// A rod meets a longer one of the same section at rest (Saint-Venant 1867): it stays at rest
/// itself, e = L_1/L_2, under the force rho c S v/2. 400 modes of each; the shorter one is pressed
/// against the other for as long as a wave runs to and fro in that.
TEST(ManyContacts, OfARodOnALongerOneFollowSaintVenant) {
    const double density = 7800.0, modulus = 210e9, section = 3.14e-4, speed = 0.1;
    const double wave = std::sqrt(modulus / density);
    constexpr std::size_t modes = 400;
    const std::array<double, 2> lengths{1.0, 2.0};
    System system = motion_test::bodies(2 * modes);
    motion::Contact contact{{}, 0.0, motion::CompliantContact{motion_test::hertz(1e10, 1.0)}};
    std::array<double, 2> masses{};
    for (std::size_t rod = 0; rod < 2; ++rod) {
        masses[rod] = density * section * lengths[rod];
        for (std::size_t j = 0; j < modes; ++j) {
            const double omega = std::numbers::pi * static_cast<double>(j) * wave / lengths[rod];
            system.eigenvalues[rod * modes + j] = omega * omega;
            const double phi = std::sqrt((j == 0 ? 1.0 : 2.0) / masses[rod]);
            contact.phi.push_back(rod == 0 ? -phi : phi);
        }
    }
    system.rates[0] = std::sqrt(masses[0]) * speed;
    system.contacts = {contact};
    ImpactMotion moving(system, 1e-8);
    double impulse = 0.0, peak = 0.0;
    moving.advance(1e-3, [&](const Impact& each) {
        impulse += each.impulse;
        peak = std::max(peak, each.peak_force);
        return true;
    });
    const double first = moving.rates()[0] / std::sqrt(masses[0]);
    const double second = moving.rates()[modes] / std::sqrt(masses[1]);
    EXPECT_NEAR((second - first) / speed, 0.5, 4e-3);
    EXPECT_NEAR(impulse, masses[0] * speed, 6e-4);
    // The front of the wave in 400 modes overshoots.
    EXPECT_NEAR(peak / (0.5 * density * wave * section * speed), 1.0, 0.012);
    EXPECT_NEAR(relative_residual(moving.energy()), 0.0, 1e-8);
}

/// An impact damper: a loose mass m between two walls of an oscillator of the mass 1 and frequency
/// 1 that a force cos(W t + b) drives, with two impacts a period (Masri and Caughey 1966). Half a
/// period turns the motion over, x(t + pi/W) = -x(t), and the loose mass moves at -u there. With
/// the speed p of the oscillator before the impact on the upper wall,
///     p = u (1 + 2 m - e)/(1 + e),   x = A cos t + B sin t + alpha cos(W t + b),
///     B = -m u,   A = m u tan(pi/(2 W)),   alpha W sin b = m u - p,
///     alpha cos b = -pi u/(2 W) - D/2 - A: a quadratic equation of u.
TEST(ManyContacts, OfAnImpactDamperFollowTheClosedForm) {
    for (const auto& [m, cor, drive] :
         {std::array{0.1, 0.7, 1.1}, std::array{0.2, 0.5, 1.1}, std::array{0.1, 0.5, 0.8}}) {
        const double gap = 5.0, half = std::numbers::pi / drive,
                     alpha = 1.0 / (1.0 - drive * drive);
        const double p_by_u = (1.0 + 2.0 * m - cor) / (1.0 + cor);
        const double a_by_u = m * std::tan(0.5 * half), sine_by_u = (m - p_by_u) / drive;
        const double cosine_by_u = -0.5 * half - a_by_u;
        const double p2 = cosine_by_u * cosine_by_u + sine_by_u * sine_by_u;
        const double p1 = -0.5 * gap * cosine_by_u, p0 = 0.25 * gap * gap - alpha * alpha;
        const double u = (-p1 - std::sqrt(p1 * p1 - p2 * p0)) / p2;
        const double a = a_by_u * u, b = -m * u, p = p_by_u * u;
        const double sine = sine_by_u * u, cosine = cosine_by_u * u - 0.5 * gap;
        // From the middle between two impacts on.
        const double t = 0.5 * half, root = std::sqrt(m);
        System system = motion_test::bodies(2);
        system.eigenvalues[0] = 1.0;
        system.coordinates = {a * std::cos(t) + b * std::sin(t) + cosine * std::cos(drive * t) -
                                  sine * std::sin(drive * t),
                              0.0};
        system.rates = {-a * std::sin(t) + b * std::cos(t) -
                            drive * (cosine * std::sin(drive * t) + sine * std::cos(drive * t)),
                        root * u};
        system.contacts = {{{-1.0, 1.0 / root}, 0.5 * gap, motion::NewtonImpact{cor}},
                           {{1.0, -1.0 / root}, 0.5 * gap, motion::NewtonImpact{cor}}};
        system.drives = {
            {drive, std::atan2(sine / alpha, cosine / alpha) + drive * t, {1.0, 0.0}, {}}};
        ImpactMotion moving(system, 1e-6);
        std::vector<Impact> impacts;
        moving.advance(8.0 * half, [&](const Impact& each) {
            impacts.push_back(each);
            return true;
        });
        ASSERT_EQ(impacts.size(), 8U);
        for (std::size_t k = 0; k < 8; ++k) {
            EXPECT_EQ(impacts[k].contact, k % 2) << k;
            EXPECT_NEAR(impacts[k].start, (0.5 + static_cast<double>(k)) * half, 1e-8) << k;
            EXPECT_NEAR(impacts[k].approach_speed, std::abs(u + p), 1e-8) << k;
        }
        EXPECT_NEAR(relative_residual(moving.energy()), 0.0, 1e-13);
    }
}

/// Contacts that are out of reach change nothing: two bodies with three contacts each move as with
/// the one that they reach.
TEST(ManyContacts, ThatAreOutOfReachChangeNothing) {
    for (unsigned seed = 0; seed < 6; ++seed) {
        RandomRow what;
        what.bodies = 2;
        what.between_walls = false;
        System one = motion_test::random_row(what, seed);
        one.rates[0] = std::abs(one.rates[0]);
        one.rates[4] = -std::abs(one.rates[4]);
        System three = one;
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> uniform(-1.0, 1.0);
        for (int extra = 0; extra < 2; ++extra) {
            motion::Contact contact = one.contacts[0];
            for (std::size_t j = 0; j < contact.phi.size(); ++j)
                if (j % 4 != 0) contact.phi[j] *= uniform(random);
            contact.gap = 0.5;
            three.contacts.push_back(contact);
        }
        ImpactMotion alone(one, 1e-6), together(three, 1e-6);
        alone.advance(0.02);
        together.advance(0.02);
        EXPECT_GT(alone.impacts(), 0U);
        EXPECT_EQ(together.impacts(), alone.impacts()) << seed;
        for (std::size_t j = 0; j < one.modes(); ++j)
            EXPECT_NEAR(together.rates()[j], alone.rates()[j], 1e-8) << seed << ' ' << j;
    }
}

/// Sweeps alone would need some hundred thousand.
TEST(NewtonImpulses, WithoutReboundLeaveALongRowOfSpheresOneVelocity) {
    constexpr std::size_t spheres = 200;
    motion::System system = motion_test::chain(spheres, 1.0, 1.0);
    std::vector<std::size_t> closed;
    std::vector<double> rates(spheres - 1, 0.0), velocities = system.rates;
    for (std::size_t c = 0; c + 1 < spheres; ++c) {
        system.contacts[c].law = motion::NewtonImpact{0.0};
        closed.push_back(c);
    }
    rates[0] = 1.0;
    motion::NewtonImpulses newton;
    const std::vector<double>& impulses = newton.of(system, closed, rates);
    for (std::size_t c = 0; c + 1 < spheres; ++c)
        for (std::size_t j = 0; j < spheres; ++j)
            velocities[j] += system.contacts[c].phi[j] * impulses[c];
    for (const double velocity : velocities) EXPECT_NEAR(velocity, 0.005, 1e-12);
}

TEST(NewtonImpulses, OfABodyBetweenSurfacesThatCloseAreRefused) {
    motion::System system = motion_test::bodies(1);
    system.contacts = {{{1.0}, 0.0, motion::NewtonImpact{0.5}},
                       {{-1.0}, 0.0, motion::NewtonImpact{0.5}}};
    motion::NewtonImpulses newton;
    EXPECT_THROW(newton.of(system, std::array<std::size_t, 2>{0, 1}, std::array{1.0, 1.0}),
                 core::NumericalError);
}

}  // namespace
}  // namespace stoss
