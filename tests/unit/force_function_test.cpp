// A force that a program computes by a function of its own.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>

#include <stoss/contact/laws.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/impact/restitution.hpp>
#include <stoss/io/bind.hpp>

namespace {

using namespace stoss;
using contact::ForceFunction;

constexpr double k = 1e9, mu = 0.4;

contact::Law function_law(ForceFunction::Function function) {
    contact::FunctionLaw law;
    law.function = std::make_shared<const ForceFunction>(std::move(function));
    return law;
}

double crossley(double x, double v) {
    return k * x * std::sqrt(x) * (1.0 + mu * v);
}

contact::HuntCrossley compiled() {
    contact::HuntCrossley law;
    law.stiffness = k;
    law.damping_factor = mu;
    return law;
}

TEST(ForceFunction, SlopesAreThoseOfTheForce) {
    const ForceFunction force(crossley);
    for (const double x : {1e-12, 1e-6, 1e-3}) {
        for (const double v : {-3.0, 0.0, 1e-3, 2.0}) {
            const double by_x = 1.5 * k * std::sqrt(x) * (1.0 + mu * v);
            const double by_v = k * x * std::sqrt(x) * mu;
            EXPECT_NEAR(force.slope_by_overlap(x, v), by_x, 1e-9 * std::abs(by_x));
            EXPECT_NEAR(force.slope_by_rate(x, v), by_v, 1e-9 * by_v);
        }
    }
}

TEST(ForceFunction, SlopeWhereNoOverlapIsLeftIsToOneSide) {
    const ForceFunction spring([](double x, double) { return x < 0.0 ? NAN : 3.0 * x; });
    EXPECT_NEAR(spring.slope_by_overlap(0.0, 1.0), 3.0, 1e-12);
    EXPECT_EQ(spring.force(-1.0, 0.0), 0.0);
}

TEST(ForceFunction, WorkIsTheIntegralOfTheForceAtRest) {
    for (const double exponent : {1.0, 1.3, 1.5, 2.0, 3.5}) {
        const ForceFunction force(
            [=](double x, double v) { return k * std::pow(x, exponent) + 1e3 * v; });
        for (const double x : {1e-9, 1e-4}) {
            const double exact = k * std::pow(x, exponent + 1.0) / (exponent + 1.0);
            EXPECT_NEAR(force.work(x), exact, 1e-12 * exact) << exponent;
        }
    }
    EXPECT_EQ(ForceFunction(crossley).work(0.0), 0.0);
}

TEST(FunctionLaw, HasTheRestitutionOfTheSameLawCompiled) {
    for (const double load : {0.0, 20.0}) {
        const impact::Impact impact{1.3, 0.02, 0.0, load};
        const auto expected = impact::restitution(compiled(), impact);
        const auto found = impact::restitution(function_law(crossley), impact);
        EXPECT_EQ(found.status, expected.status);
        const auto expect_near = [](std::optional<double> a, std::optional<double> b) {
            EXPECT_NEAR(a.value(), b.value(), 1e-9 * b.value());
        };
        EXPECT_NEAR(found.cor.value(), expected.cor.value(), 1e-10);
        expect_near(found.duration, expected.duration);
        expect_near(found.peak_force, expected.peak_force);
        expect_near(found.energy_lost, expected.energy_lost);
    }
}

/// A ball meets a body that springs.
impact::CollisionResult collision(const contact::Law& law) {
    modal::ModalBody body;
    body.eigenvalues = {0.0, 4e7, 9e8};
    body.damping = {0.0, 0.0, 0.0};
    body.phi = {1.0, 1.4, 1.4};
    body.rigid = 1;
    return impact::collide({body, {0.0}}, {modal::point_mass(0.5), {std::sqrt(0.5)}}, {law},
                           time::Splitting{.tolerance = 1e-7}, 1.0);
}

TEST(FunctionLaw, CollidesAsTheSameLawCompiled) {
    const auto expected = collision(compiled());
    const auto found = collision(function_law(crossley));
    ASSERT_EQ(found.status, impact::Status::separated);
    EXPECT_NEAR(found.cor_kinematic, expected.cor_kinematic, 2e-7);
    EXPECT_NEAR(found.energy.contact_loss, expected.energy.contact_loss, 2e-7);
    EXPECT_EQ(found.sub_impacts.size(), expected.sub_impacts.size());
}

TEST(FunctionLaw, LosesNothingWhereTheForceHasNoRate) {
    const auto result = collision(function_law([](double x, double) { return k * x; }));
    ASSERT_EQ(result.status, impact::Status::separated);
    EXPECT_EQ(result.energy.contact_loss, 0.0);
    EXPECT_LE(std::abs(result.energy.residual), 1e-7);
}

TEST(FunctionLaw, WhatTheFunctionThrowsGoesOn) {
    const auto law = function_law([](double x, double) -> double {
        if (x > 1e-6) throw std::domain_error("too deep");
        return k * x;
    });
    EXPECT_THROW(collision(law), std::domain_error);
    EXPECT_THROW(impact::restitution(law, {1.0, 1.0}), std::domain_error);
}

TEST(FunctionLaw, WithoutAFunctionIsRefused) {
    const auto violations = contact::check(contact::FunctionLaw{}, contact::Separation::zero_force);
    ASSERT_EQ(violations.size(), 1u);
    EXPECT_EQ(violations[0].key, "function");
}

TEST(FunctionLaw, IsNotALawOfCases) {
    for (const std::string& name : io::detail::names_of_alternatives<contact::Law>())
        EXPECT_NE(name, contact::FunctionLaw::name);
}

}  // namespace
