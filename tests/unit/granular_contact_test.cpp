// One contact of spheres: the relaxation is the general solution of rigid/, in any frame.

#include <gtest/gtest.h>

#include <random>

#include <stoss/granular/contact.hpp>
#include <stoss/rigid/bodies.hpp>
#include <stoss/rigid/coulomb.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>

namespace {

using namespace stoss;
using Eigen::Vector3d;

/// Two spheres that touch, both as rigid bodies and as motions.
struct Touching {
    rigid::RigidBody first, second;
    rigid::ContactFrame frame;
    granular::Motion one, other;
    granular::Contact contact;
};

rigid::RigidBody sphere(double mass, double radius, std::mt19937& engine) {
    std::normal_distribution<double> normal;
    rigid::RigidBody body;
    body.mass = mass;
    body.inertia = 0.4 * mass * radius * radius * Eigen::Matrix3d::Identity();
    body.velocity = {normal(engine), normal(engine), normal(engine)};
    body.angular_velocity = Vector3d(normal(engine), normal(engine), normal(engine)) / radius;
    return body;
}

Touching touching(std::mt19937& engine) {
    std::uniform_real_distribution<double> size(0.5e-3, 2e-3), weight(1e-6, 1e-5);
    std::normal_distribution<double> normal;
    const double radius = size(engine), other_radius = size(engine);
    Touching all;
    all.first = sphere(weight(engine), radius, engine);
    all.second = sphere(weight(engine), other_radius, engine);
    const Vector3d n = Vector3d(normal(engine), normal(engine), normal(engine)).normalized();
    all.first.position = radius * n;
    all.second.position = -other_radius * n;
    all.frame = rigid::ContactFrame::of_normal(Vector3d::Zero(), n);
    all.one = {all.first.velocity, radius * all.first.angular_velocity, 1.0 / all.first.mass,
               radius};
    all.other = {all.second.velocity, other_radius * all.second.angular_velocity,
                 1.0 / all.second.mass, other_radius};
    all.contact = {n, 0.0, 1.0 / (all.one.inverse_mass + all.other.inverse_mass), 0};
    return all;
}

Vector3d world(const rigid::ContactFrame& frame, const rigid::ContactVector& x) {
    return x.n * frame.n + x.t * frame.t + x.o * frame.o;
}

TEST(GranularContact, RelaxationIsTheGeneralSolutionOfMaximumDissipation) {
    std::mt19937 engine(7);
    std::uniform_real_distribution<double> friction(0.0, 1.5);
    int sliding = 0, sticking = 0;
    for (int i = 0; i < 2000; ++i) {
        const Touching all = touching(engine);
        const double mu = friction(engine);
        const auto problem = rigid::contact_problem(all.first, all.second, all.frame, mu);
        const auto solution = rigid::maximum_dissipation(problem);
        ASSERT_EQ(solution.status, rigid::Status::solved);
        const Vector3d expected = world(all.frame, solution.impulse);
        const Vector3d dv = granular::relative_velocity(all.contact, all.one, all.other);
        const Vector3d x = granular::relaxed(all.contact, mu, Vector3d::Zero(), dv);
        EXPECT_LE((x - expected).norm(), 1e-13 * all.contact.m_n * dv.norm());
        sliding += solution.branch == rigid::Branch::slide;
        sticking += solution.branch == rigid::Branch::stick;
    }
    EXPECT_GT(sliding, 100);
    EXPECT_GT(sticking, 100);
}

TEST(GranularContact, CoulombHasThatSolutionAlone) {
    std::mt19937 engine(8);
    for (int i = 0; i < 500; ++i) {
        const Touching all = touching(engine);
        const auto problem = rigid::contact_problem(all.first, all.second, all.frame, 0.3);
        const auto solutions = rigid::coulomb_solutions(problem);
        ASSERT_EQ(solutions.count, 1u);
        const Vector3d dv = granular::relative_velocity(all.contact, all.one, all.other);
        const Vector3d x = granular::relaxed(all.contact, 0.3, Vector3d::Zero(), dv);
        EXPECT_LE((x - world(all.frame, solutions.solution[0].impulse)).norm(),
                  1e-12 * all.contact.m_n * dv.norm());
    }
}

TEST(GranularContact, RelaxationDoesNotDependOnTheImpulseAlreadyThere) {
    std::mt19937 engine(9);
    std::normal_distribution<double> normal(0.0, 1e-6);
    for (int i = 0; i < 500; ++i) {
        Touching all = touching(engine);
        all.contact.shift = 0.1;
        const Vector3d dv = granular::relative_velocity(all.contact, all.one, all.other);
        const Vector3d alone = granular::relaxed(all.contact, 0.4, Vector3d::Zero(), dv);
        const Vector3d there{normal(engine), normal(engine), normal(engine)};
        granular::apply(all.contact, there, all.one, 1.0);
        granular::apply(all.contact, there, all.other, -1.0);
        const Vector3d after = granular::relative_velocity(all.contact, all.one, all.other);
        const Vector3d again = granular::relaxed(all.contact, 0.4, there, after);
        EXPECT_LE((again - alone).norm(), 1e-13 * (alone.norm() + there.norm()));
    }
}

TEST(GranularContact, ImpulseActsAsOnRigidBodies) {
    std::mt19937 engine(10);
    Touching all = touching(engine);
    const rigid::ContactVector x{2e-6, -1e-6, 3e-6};
    rigid::apply_impulse(all.first, all.second, all.frame, x);
    granular::apply(all.contact, world(all.frame, x), all.one, 1.0);
    granular::apply(all.contact, world(all.frame, x), all.other, -1.0);
    EXPECT_LE((all.one.v - all.first.velocity).norm(), 1e-14);
    EXPECT_LE((all.other.v - all.second.velocity).norm(), 1e-14);
    EXPECT_LE((all.one.u - all.one.radius * all.first.angular_velocity).norm(), 1e-13);
    EXPECT_LE((all.other.u - all.other.radius * all.second.angular_velocity).norm(), 1e-13);
}

}  // namespace
