// Maps of struck beams by several threads, with the estimate of what further modes would change.
#include <models/collide_many.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <vector>

#include <published_beam.hpp>

namespace {

using namespace stoss;

/// Two beams, one after the other at each of many places.
struct TwoBeams {
    std::vector<models::BeamModel> models;
    std::vector<models::Truncation> truncations;

    TwoBeams(bool residual_flexibility, const impact::Scheme& scheme) {
        for (const int modes : {12, 20}) {
            models::BeamCollision parameters = published_beam();
            parameters.mesh.modes = modes;
            parameters.mesh.residual_flexibility = residual_flexibility;
            parameters.integration.scheme = scheme;
            models.emplace_back(parameters);
        }
        for (const models::BeamModel& model : models) truncations.emplace_back(model);
    }

    models::CollisionList list(std::size_t count, int threads) const {
        return {count,
                [this, count](std::size_t i) -> models::CollisionList::Request {
                    const double part = static_cast<double>(i) / static_cast<double>(count);
                    return {0, &models[i % 2], 0.1 + 0.9 * part};
                },
                threads};
    }
};

void expect_estimates_of_each_alone(const TwoBeams& beams, std::size_t count, int threads) {
    const models::CollisionList list = beams.list(count, threads);
    std::vector<double> cors(count);
    std::vector<std::optional<double>> estimates(count);
    std::vector<int> finished(count);
    const bool ended = models::collide_with_truncation(
        list, [&](std::size_t i) -> const models::Truncation& { return beams.truncations[i % 2]; },
        [&](std::size_t i, const impact::CollisionResult& result) {
            EXPECT_EQ(finished[i], 0);
            cors[i] = result.cor_kinematic;
        },
        [&](std::size_t i, std::optional<double> truncation) {
            estimates[i] = truncation;
            ++finished[i];
        });
    EXPECT_TRUE(ended);
    EXPECT_EQ(finished, std::vector<int>(count, 1));
    for (std::size_t i = 0; i < count; ++i) {
        const double xi = list.request(i).xi;
        const impact::CollisionResult alone = beams.models[i % 2].collide(xi);
        EXPECT_EQ(cors[i], alone.cor_kinematic) << xi;
        const auto expected = beams.truncations[i % 2].of(xi, alone);
        ASSERT_TRUE(expected.has_value()) << xi;
        EXPECT_EQ(estimates[i], expected) << xi;
    }
}

TEST(CollideMany, EstimatesOfTruncationHaveTheBitsOfEachAlone) {
    for (const bool residual_flexibility : {true, false}) {
        const TwoBeams beams(residual_flexibility, time::Splitting{});
        expect_estimates_of_each_alone(beams, 101, 1);
        expect_estimates_of_each_alone(beams, 40, 3);
        expect_estimates_of_each_alone(beams, 1, 2);
    }
}

TEST(CollideMany, ARunByNewmarksSchemeIsEstimatedByTheSplittingScheme) {
    expect_estimates_of_each_alone(TwoBeams(true, time::Newmark{.step = 1e-6}), 12, 2);
}

TEST(CollideMany, ACollisionThatDoesNotBeginHasNoEstimate) {
    models::BeamCollision parameters = published_beam();
    parameters.mesh.modes = 12;
    parameters.motion.angular_velocity = 6.0;  // away from the striker
    const models::BeamModel model(parameters);
    const models::Truncation truncation(model);
    const models::CollisionList list{3,
                                     [&](std::size_t) -> models::CollisionList::Request {
                                         return {0, &model, 0.5};
                                     },
                                     1};
    std::size_t taken = 0, finished = 0;
    models::collide_with_truncation(
        list, [&](std::size_t) -> const models::Truncation& { return truncation; },
        [&](std::size_t, const impact::CollisionResult& result) {
            EXPECT_EQ(result.status, impact::Status::no_approach);
            ++taken;
        },
        [&](std::size_t, std::optional<double> estimate) {
            EXPECT_FALSE(estimate.has_value());
            ++finished;
        });
    EXPECT_EQ(taken, 3U);
    EXPECT_EQ(finished, 3U);
}

TEST(CollideMany, AStopLeavesNoCollisionWithoutItsEstimate) {
    const TwoBeams beams(true, time::Splitting{});
    models::CollisionList list = beams.list(1000, 2);
    std::atomic<std::size_t> taken{0}, finished{0};
    list.stop = [&] { return taken > 30; };
    EXPECT_FALSE(models::collide_with_truncation(
        list, [&](std::size_t i) -> const models::Truncation& { return beams.truncations[i % 2]; },
        [&](std::size_t, const impact::CollisionResult&) { ++taken; },
        [&](std::size_t, std::optional<double>) { ++finished; }));
    EXPECT_LT(taken, 200U);
    EXPECT_EQ(finished, taken);
}

TEST(CollideMany, AfterAnExceptionNoCollisionBegins) {
    const TwoBeams beams(true, time::Splitting{});
    std::atomic<std::size_t> taken{0};
    const auto fail = [&](std::size_t, const impact::CollisionResult&) {
        if (++taken == 20) throw std::runtime_error("full");
    };
    EXPECT_THROW(models::collide(beams.list(1000, 2), fail), std::runtime_error);
    EXPECT_LT(taken, 100U);
}

}  // namespace
