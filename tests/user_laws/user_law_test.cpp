// A law dropped into a user's folder joins the variant and works in collide() and between spheres.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include <models/contact_parameters.hpp>
#include <stoss/granular/compliant_assembly.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/io/describe.hpp>

namespace {

using namespace stoss;

constexpr double mass = 0.5, stiffness = 1e6, speed = 0.8;

impact::CollisionResult drop(double damping_ratio, contact::Separation separation) {
    contact::DampedSpring law;
    law.stiffness = stiffness;
    law.damping = 2.0 * damping_ratio * std::sqrt(stiffness * mass);
    time::Newmark scheme;
    scheme.step = 2e-7;
    return impact::collide({modal::point_mass(mass), {-speed * std::sqrt(mass)}},
                           {modal::ModalBody{}, {}}, {law, separation}, scheme, 1.0);
}

TEST(UserLaw, ReboundsAsTheClosedFormSaysWhereContactEndsAtZeroOverlap) {
    for (const double zeta : {0.05, 0.2, 0.6}) {
        const auto result = drop(zeta, contact::Separation::zero_overlap);
        ASSERT_EQ(result.status, impact::Status::separated);
        const double expected = std::exp(-std::numbers::pi * zeta / std::sqrt(1.0 - zeta * zeta));
        // The force drops to zero inside the last step: there a fixed step is of order 1.
        EXPECT_NEAR(result.cor_kinematic, expected, 2e-4);
    }
}

TEST(UserLaw, ReboundsAsTheClosedFormSaysWhereContactEndsAtZeroForce) {
    for (const double zeta : {0.05, 0.2, 0.6}) {
        const auto result = drop(zeta, contact::Separation::zero_force);
        ASSERT_EQ(result.status, impact::Status::separated);
        const double root = std::sqrt(1.0 - zeta * zeta);
        const double angle = std::atan2(2.0 * zeta * root, 2.0 * zeta * zeta - 1.0);
        EXPECT_NEAR(result.cor_kinematic, std::exp(-zeta / root * angle), 1e-7);
    }
}

TEST(UserLaw, IsDescribedAsALawOfCasesSoThatPythonMakesAClassOfIt) {
    const auto keys = io::describe_keys<models::ContactParameters>();
    const auto& laws = keys.front().value.choices;
    const auto own = std::ranges::find(laws, "damped_spring", &io::Choice::name);
    ASSERT_NE(own, laws.end());
    ASSERT_EQ(own->keys.size(), 2u);
    EXPECT_EQ(own->keys[1].key, "damping");
    EXPECT_EQ(own->keys[1].value.unit, "N s/m");
}

TEST(UserLaw, LosesInTheContactWhatTheReboundLacks) {
    for (const auto separation :
         {contact::Separation::zero_force, contact::Separation::zero_overlap}) {
        const auto result = drop(0.2, separation);
        EXPECT_NEAR(result.energy.contact_loss, 1.0 - result.cor_kinematic * result.cor_kinematic,
                    1e-4);
        EXPECT_LT(std::abs(result.energy.residual), 1e-4);
    }
}

TEST(UserLaw, PullsOnlyUnderTheZeroOverlapRule) {
    const auto free = drop(0.6, contact::Separation::zero_force);
    const auto held = drop(0.6, contact::Separation::zero_overlap);
    EXPECT_GT(free.impulse, held.impulse);
    EXPECT_LT(free.separation, held.separation);
}

/// A body with one rigid mode and five vibrations.
modal::ModalBody springy_body() {
    modal::ModalBody body = modal::point_mass(mass);
    for (int j = 1; j <= 5; ++j) {
        const double omega = 1.5e3 * j * j;
        body.eigenvalues.push_back(omega * omega);
        body.damping.push_back(0.0);
        body.phi.push_back(body.phi[0]);
    }
    return body;
}

/// The same bodies at many speeds.
class Speeds : public impact::CollisionStream {
  public:
    explicit Speeds(const impact::ContactSetup& contact)
        : contact_(contact), collider_(body_, {}, contact, time::Splitting{1e-7}) {}

    static constexpr std::size_t count = 40;
    std::vector<impact::CollisionResult> results{count};

    bool next(Collision& collision) override {
        if (begun_ == count) return false;
        rates_ = {rate(begun_)};
        collision = {begun_++, &collider_, {body_.phi, rates_}, {{}, {}}, contact_, 1.0};
        return true;
    }
    void take(std::size_t id, const impact::CollisionResult& result) override {
        results[id] = result;
    }
    impact::CollisionResult alone(std::size_t id) const {
        return impact::collide({body_, {rate(id)}}, {modal::ModalBody{}, {}}, contact_,
                               time::Splitting{1e-7}, 1.0);
    }

  private:
    double rate(std::size_t i) const {
        return -(0.1 + 0.05 * static_cast<double>(i)) / body_.phi[0];
    }

    const modal::ModalBody body_ = springy_body();
    impact::ContactSetup contact_;
    impact::Collider collider_;
    std::vector<double> rates_;
    std::size_t begun_ = 0;
};

TEST(UserLaw, ElasticOnesGiveTheBitsOfEachCollisionAloneInLanes) {
    contact::CubicSpring law;
    law.stiffness = 1e7;
    law.depth = 1e-4;
    Speeds speeds({law, contact::Separation::zero_force});
    impact::Collider::Workspace workspace;
    impact::Collider::collide_all(speeds, workspace);
    std::size_t with_several = 0;
    for (std::size_t i = 0; i < Speeds::count; ++i) {
        const impact::CollisionResult &one = speeds.results[i], alone = speeds.alone(i);
        ASSERT_EQ(one.status, impact::Status::separated);
        EXPECT_EQ(one.cor_kinematic, alone.cor_kinematic) << i;
        EXPECT_EQ(one.impulse, alone.impulse) << i;
        EXPECT_EQ(one.peak_force, alone.peak_force) << i;
        EXPECT_EQ(one.cor_error, alone.cor_error) << i;
        EXPECT_EQ(one.steps, alone.steps) << i;
        EXPECT_LT(one.cor_error.value(), 1e-7) << i;
        if (one.sub_impacts.size() > 1) ++with_several;
    }
    EXPECT_GT(with_several, 0U);
}

TEST(UserLaw, ActsBetweenCompliantSpheres) {
    const double zeta = 0.2, period = 2.0 * std::numbers::pi * std::sqrt(mass / stiffness);
    contact::DampedSpring law;
    law.stiffness = stiffness;
    law.damping = 2.0 * zeta * std::sqrt(stiffness * mass);
    granular::CompliantStepping stepping;
    stepping.step = period / 4000.0;
    stepping.law = law;
    stepping.skin = 0.01;
    const auto assembly = granular::compliant_assembly(stepping, {granular::Plane{}}, 1);
    assembly->add({{0, 0, 0.1}, {0, 0, -speed}, {0, 0, 0}, 0.1, mass});
    for (int i = 0; i < 4000; ++i) ASSERT_TRUE(assembly->step());
    const double root = std::sqrt(1.0 - zeta * zeta);
    const double angle = std::atan2(2.0 * zeta * root, 2.0 * zeta * zeta - 1.0);
    EXPECT_NEAR(assembly->spheres()[0].velocity.z() / speed, std::exp(-zeta / root * angle), 1e-5);
}

}  // namespace
