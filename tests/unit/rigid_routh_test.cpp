// Restitution along Routh's path (docs/theory/rigid_impact.md): closed forms, properties over
// random contacts, order, bad input.

#include <stoss/rigid/routh.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include <random_contacts.hpp>

namespace {

using namespace stoss::rigid;
using stoss::tests::ContactKind;
using stoss::tests::RandomContacts;

constexpr Restitution hypotheses[] = {Restitution::newton, Restitution::poisson,
                                      Restitution::stronge};

/// A planar contact by its 2 x 2 operator: nothing moves along o.
constexpr ContactProblem planar_contact(double A_nn, double A_nt, double A_tt, double b_n,
                                        double b_t, double mu) {
    return {{A_nn, A_nt, 0.0, A_tt, 0.0, A_tt}, {b_n, b_t, 0.0}, mu};
}

/// The end of a rod (m = 1, l = 1), at that angle from the plane.
ContactProblem rod(double angle, double b_t, double mu) {
    const double c = std::cos(angle), s = std::sin(angle);
    return planar_contact(1 + 3 * c * c, -3 * s * c, 1 + 3 * s * s, 1.0, b_t, mu);
}

/// v_n and the lost energy of a planar impact by Stronge's hypothesis, piece by piece.
struct PlanarStronge {
    double velocity, dissipated;

    PlanarStronge(const ContactProblem& problem, double e) {
        const ContactMatrix& A = problem.A;
        const double mu = problem.mu, v_t = -problem.b.t, s = v_t < 0.0 ? -1.0 : 1.0;
        const double k_1 = A.nn - mu * s * A.nt;
        const double slowing = mu * A.tt - s * A.nt;
        const double stop = slowing > 0.0 ? std::abs(v_t) / slowing : INFINITY;
        const bool sticks = std::abs(A.nt) <= mu * A.tt;
        const double k_2 = sticks ? A.nn - A.nt * A.nt / A.tt : A.nn - mu * std::abs(A.nt);
        const double growth = sticks ? 0.0 : std::abs(A.nt) - mu * A.tt;
        const double p_1 = k_1 > 0.0 ? problem.b.n / k_1 : INFINITY;
        const double v_s = -problem.b.n + k_1 * stop;
        double end, normal;
        if (stop < p_1) {  // in the compression
            const double work =
                problem.b.n * stop - 0.5 * k_1 * stop * stop + v_s * v_s / (2 * k_2);
            velocity = e * std::sqrt(2 * work * k_2);
            end = stop + (velocity - v_s) / k_2;
            normal = work * (1 - e * e);
        } else {
            const double work = problem.b.n * problem.b.n / (2 * k_1);
            velocity = e * problem.b.n;
            end = (1 + e) * p_1;
            if (stop < end) {
                velocity = std::sqrt(v_s * v_s + 2 * k_2 * (e * e * work - v_s * v_s / (2 * k_1)));
                end = stop + (velocity - v_s) / k_2;
            }
            normal = work * (1 - e * e);
        }
        const double slid = std::min(stop, end), after = end - slid;
        const double last = std::abs(v_t) - slowing * slid;
        dissipated =
            normal + 0.5 * mu * (std::abs(v_t) + last) * slid + 0.5 * mu * growth * after * after;
    }
};

TEST(RouthsPath, OfARodWhoseSlipStopsInTheCompressionIsStronges) {
    // A straight path from begin to end of the phases asks for an impact that creates energy here.
    const Impact stronge = impact(rod(1.26853, -0.376377, 0.285631), 0.98951, Restitution::stronge);
    EXPECT_EQ(stronge.status, ImpactStatus::solved);
    EXPECT_NEAR(stronge.velocity.n, 0.9142, 5e-5);
    EXPECT_NEAR(stronge.dissipated_energy, 0.0189, 5e-5);
    EXPECT_NEAR(stronge.velocity.n, 0.914197640856996, 1e-5);
}

TEST(RouthsPath, OfPlanarContactsIsPiecewiseStraight) {
    RandomContacts random(5);
    int stops = 0, again = 0, jams = 0;
    for (int i = 0; i < 20000; ++i) {
        ContactProblem problem =
            rod(random.uniform(0.05, 1.5), random.uniform(-2, 2), random.logarithmic(0.02, 5));
        if (i % 2 == 0) problem.A.nt = -problem.A.nt;
        const double e = random.uniform(0, 1);
        const RouthImpact routh = routh_impact(problem, e, Restitution::stronge);
        const PlanarStronge exact(problem, e);
        ASSERT_EQ(routh.impact.status, ImpactStatus::solved);
        EXPECT_NEAR(routh.impact.velocity.n, exact.velocity, 1e-12 * (1 + exact.velocity));
        EXPECT_NEAR(routh.impact.dissipated_energy, exact.dissipated,
                    1e-12 * (1 + exact.dissipated));
        EXPECT_EQ(routh.impact.velocity.o, 0.0);
        stops += routh.events.slip_stops;
        again += routh.events.slides_again;
        jams += routh.events.jams;
        EXPECT_EQ(routh.events.compressions, 1);
    }
    EXPECT_GT(stops, 2000);
    EXPECT_GT(again, 200);
    EXPECT_GT(jams, 200);
}

TEST(RouthsPath, KeepsWhatItsHypothesisSays) {
    for (const ContactKind kind : {ContactKind::two_bodies, ContactKind::stick_boundary}) {
        RandomContacts random(4);
        for (int i = 0; i < 500; ++i) {
            const ContactProblem problem = random(kind);
            const double e = random.uniform(0.1, 1);
            const Impact newton = routh_impact(problem, e, Restitution::newton).impact;
            EXPECT_NEAR(newton.velocity.n / (e * problem.b.n), 1, 1e-10);
            const Impact poisson = routh_impact(problem, e, Restitution::poisson).impact;
            EXPECT_NEAR(poisson.impulse.n / poisson.compression.impulse.n, 1 + e, 1e-10);
            const Impact stronge = routh_impact(problem, e, Restitution::stronge).impact;
            const PathPoint compressed = routh_point(problem, stronge.compression.impulse.n);
            const PathPoint end = routh_point(problem, stronge.impulse.n);
            EXPECT_NEAR(end.normal_work / compressed.normal_work, 1 - e * e, 1e-9);
        }
    }
}

TEST(RouthsPath, NeverCreatesEnergyByPoissonAndStronge) {
    for (const Restitution hypothesis : hypotheses) {
        int refused = 0;
        for (std::uint64_t i = 0; i < 14000; ++i) {
            RandomContacts random(i);
            const ContactProblem problem = random(ContactKind(i % 14));
            const Impact result = routh_impact(problem, random.uniform(0, 1), hypothesis).impact;
            if (result.status == ImpactStatus::gains_energy) {
                EXPECT_LT(result.dissipated_energy, 0.0);
                ++refused;
                continue;
            }
            ASSERT_EQ(result.status, ImpactStatus::solved) << i;
            EXPECT_GE(result.velocity.n, 0.0);
        }
        EXPECT_EQ(refused > 0, hypothesis == Restitution::newton);
    }
}

TEST(RouthsPath, LosesWhatTheImpulseTakes) {
    RandomContacts random(9);
    for (int i = 0; i < 2000; ++i) {
        const ContactProblem problem = random(ContactKind::two_bodies);
        const Impact result = routh_impact(problem, 0.7, Restitution::stronge).impact;
        const double taken = dissipated_energy(problem, result.impulse);
        EXPECT_NEAR(result.dissipated_energy / taken, 1.0, 1e-9);
        const ContactVector off = problem.A * result.impulse - problem.b - result.velocity;
        EXPECT_LE(dot(off, off), 1e-18 * dot(problem.b, problem.b));
    }
}

TEST(RouthsPath, AllHypothesesAgreeForSpheres) {
    RandomContacts random(3);
    for (int i = 0; i < 300; ++i) {
        const ContactProblem problem = random(ContactKind::spheres);
        const double e = random.uniform(0, 1);
        const Impact algebraic = impact(problem, e, Restitution::poisson);
        for (const Restitution hypothesis : hypotheses) {
            const Impact result = routh_impact(problem, e, hypothesis).impact;
            EXPECT_NEAR(result.velocity.n / problem.b.n, e, 1e-12);
            const ContactVector off = result.impulse - algebraic.impulse;
            EXPECT_LE(dot(off, off), 1e-24 * dot(algebraic.impulse, algebraic.impulse));
        }
    }
}

/// A spatial contact whose slip turns all the way.
const ContactProblem turning{{1.3, 0.4, -0.5, 2.5, 0.6, 1.1}, {1.0, -1.5, 0.8}, 0.4};

TEST(RouthsPath, IsOfOrderEightWhereTheSlipTurns) {
    const auto end = [](double share) {
        return routh_impact(turning, 0.6, Restitution::stronge, share).impact.velocity;
    };
    const ContactVector exact = end(1.0 / 128);
    std::array<double, 3> error{};
    double share = 0.25;
    for (double& each : error) {
        const ContactVector off = end(share) - exact;
        each = std::sqrt(dot(off, off));
        share *= 0.5;
    }
    for (std::size_t i = 0; i + 1 < error.size(); ++i) {
        const double order = std::log2(error[i] / error[i + 1]);
        RecordProperty("order_" + std::to_string(i), std::to_string(order));
        EXPECT_GT(order, 7.9) << error[i] << " " << error[i + 1];
    }
    const ContactVector off = end(turning_share) - exact;
    EXPECT_LE(std::sqrt(dot(off, off)), 1e-13);
}

TEST(RouthsPath, SolvesItsEquationInSmallSteps) {
    // Kutta's scheme in p on (11.12), far from zero slip.
    const auto rate = [](const ContactVector& v) {
        const double slip = std::hypot(v.t, v.o), mu = turning.mu;
        return ContactVector{1.0, -mu * v.t / slip, -mu * v.o / slip};
    };
    ContactVector x;
    constexpr int steps = 2000;
    constexpr double end = 0.9, h = end / steps;
    const auto slope = [&](const ContactVector& at) { return rate(turning.A * at - turning.b); };
    for (int i = 0; i < steps; ++i) {
        const ContactVector k_1 = slope(x), k_2 = slope(x + 0.5 * h * k_1);
        const ContactVector k_3 = slope(x + 0.5 * h * k_2), k_4 = slope(x + h * k_3);
        x = x + (h / 6) * (k_1 + 2.0 * k_2 + 2.0 * k_3 + k_4);
    }
    const PathPoint point = routh_point(turning, end);
    const ContactVector off = point.impulse - x;
    EXPECT_LE(std::sqrt(dot(off, off)), 1e-11);
    EXPECT_GT(std::hypot(point.velocity.t, point.velocity.o), 0.1);
}

TEST(RouthsPath, JamsWithoutApproachAsPainlevesRod) {
    // Above the critical friction: the tip is pressed in although nothing approaches, and stops.
    const double angle = std::atan(2.0);
    ContactProblem problem = rod(angle, -1.0, 1.5);
    problem.b = {0.0, -1.0, 0.0};
    problem.A.nt = -problem.A.nt;
    const RouthImpact jammed = routh_impact(problem, 0.0, Restitution::stronge);
    EXPECT_TRUE(jammed.events.jams);
    EXPECT_TRUE(jammed.events.sticks);
    const double c = std::cos(2 * angle), s = std::sin(2 * angle);
    EXPECT_NEAR(jammed.impact.impulse.n, 3 * s / 8, 1e-14);
    EXPECT_NEAR(std::abs(jammed.impact.impulse.t), (5 + 3 * c) / 8, 1e-14);
    problem.mu = 1.3;  // below 4/3
    EXPECT_EQ(routh_impact(problem, 0.5, Restitution::stronge).impact.compression.branch,
              Branch::separate);
}

/// Twice the velocity is twice the rebound, also where the work is no double any more.
TEST(RouthsPath, KeepsItsDigitsInEveryUnit) {
    const ContactMatrix A{1.0, 0.6, 0.2, 3.0, 0.3, 2.5};
    const ContactVector b{1.0, 2.0, -0.5};
    for (const double mu : {0.1, 0.5, 5.0}) {
        for (const Restitution hypothesis : hypotheses) {
            const Impact one = routh_impact({A, b, mu}, 0.5, hypothesis).impact;
            ASSERT_EQ(one.status, ImpactStatus::solved);
            for (const int exponent : {-980, -560, 300, 560, 980}) {
                const double unit = std::ldexp(1.0, exponent);
                const Impact scaled = routh_impact({A, unit * b, mu}, 0.5, hypothesis).impact;
                EXPECT_EQ(scaled.status, ImpactStatus::solved);
                EXPECT_EQ(scaled.velocity.n, unit * one.velocity.n) << exponent;
                EXPECT_EQ(scaled.impulse.t, unit * one.impulse.t) << exponent;
                const double p = 0.7 * one.impulse.n;
                EXPECT_EQ(routh_point({A, unit * b, mu}, unit * p).velocity.t,
                          unit * routh_point({A, b, mu}, p).velocity.t);
            }
        }
    }
}

/// However little friction there is, also where its square underflows.
TEST(RouthsPath, WithoutInitialSlipTendsToThatWithoutFriction) {
    ContactProblem problem;
    problem.A = {1.5, -0.8, 0.3, 3.0, 0.2, 2.0};
    problem.b = {1.0, 0.0, 0.0};
    for (const double mu : {1e-20, 1e-100, 1e-148, 1e-160, 1e-300, 5e-324}) {
        problem.mu = mu;
        const Impact impact = routh_impact(problem, 0.5, Restitution::stronge).impact;
        ASSERT_EQ(impact.status, ImpactStatus::solved) << mu;
        EXPECT_NEAR(impact.impulse.n, 1.0, 1e-15) << mu;
        EXPECT_NEAR(impact.velocity.n, 0.5, 1e-15) << mu;
        EXPECT_NEAR(impact.velocity.t, -0.8, 1e-15) << mu;
        EXPECT_NEAR(impact.velocity.o, 0.3, 1e-15) << mu;
    }
}

TEST(RouthsPath, RefusesWhatIsNoImpact) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const ContactProblem good{{1, 0, 0, 1, 0, 1}, {1, 0, 0}, .5};
    for (const double e : {-.1, 1.1, nan}) {
        const Impact result = routh_impact(good, e, Restitution::stronge).impact;
        EXPECT_EQ(result.status, ImpactStatus::invalid);
        EXPECT_NE(to_string(result.status).find("e outside [0, 1]"), std::string_view::npos);
        EXPECT_TRUE(std::isnan(result.impulse.n));
    }
    ContactProblem singular = good, negative = good, unknown = good, parting = good;
    singular.A = {1, 1, 0, 1, 0, 1};
    negative.mu = -.1;
    unknown.b.t = nan;
    parting.b.n = -1.0;
    for (const ContactProblem& bad : {singular, negative, unknown}) {
        EXPECT_EQ(routh_impact(bad, .5, Restitution::newton).impact.status, ImpactStatus::invalid);
        EXPECT_TRUE(std::isnan(routh_point(bad, 1.0).impulse.n));
        EXPECT_FALSE(violations(bad).empty());
    }
    EXPECT_TRUE(std::isnan(routh_point(good, -1.0).impulse.n));
    const Impact apart = routh_impact(parting, .5, Restitution::stronge).impact;
    EXPECT_EQ(apart.compression.branch, Branch::separate);
    EXPECT_EQ(apart.impulse, ContactVector{});
    EXPECT_EQ(apart.velocity.n, 1.0);
}

}  // namespace
