/// Sweet spots of a map: places at which e is largest or least along the beam.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <models/beam_gradients.hpp>
#include <models/beam_model.hpp>
#include <published_beam.hpp>
#include <solvers/problems/beam/beam_gradient.hpp>

namespace stoss {
namespace {

using impact::Quantity;
using solvers::GradientKeys;
using solvers::GradientStudy;
using solvers::SweetSpot;

class SweetSpots : public testing::Test {
  protected:
    static models::BeamModel model() {
        models::BeamCollision collision = published_beam();
        resolve_modes(collision, 10);
        collision.integration.scheme = time::Splitting{1e-10};
        return models::BeamModel(collision);
    }
    static GradientKeys wanted(const std::string& key) {
        GradientKeys keys;
        keys.gradient.emplace(std::vector{key});
        keys.gradient_of.emplace(std::vector{Quantity::cor_kinematic});
        keys.gradient_kinks = false;
        return keys;
    }
    std::vector<SweetSpot> spots(
        const std::vector<double>& places,
        const std::string& key = std::string(models::contact_place_key)) const {
        const GradientStudy study(model_, wanted(key));
        std::vector<solvers::GradientRow> rows;
        for (const double xi : places) rows.push_back({"", {xi}, {}, {}, study.slopes(xi, 0.0)});
        return study.sweet_spots(rows);
    }
    double e(double xi) const { return model_.collide(xi).cor_kinematic; }

    const models::BeamModel model_ = model();
    const std::vector<double> places_{0.3,  0.35, 0.4,  0.45, 0.5,  0.55, 0.6,
                                      0.65, 0.7,  0.75, 0.8,  0.85, 0.9};
};

TEST_F(SweetSpots, AreLargestOrLeastNearby) {
    const std::vector<SweetSpot> found = spots(places_);
    ASSERT_FALSE(found.empty());
    constexpr double beside = 1e-4;
    for (const SweetSpot& spot : found) {
        EXPECT_NEAR(spot.cor, e(spot.xi), 1e-7);
        const double sign = spot.is_largest ? 1.0 : -1.0;
        for (const double there : {spot.xi - beside, spot.xi + beside})
            EXPECT_LT(sign * (e(there) - spot.cor), 1e-7) << spot.xi;
    }
}

TEST_F(SweetSpots, HaveNoSlopeWhereTheyAreSmooth) {
    constexpr std::array of{Quantity::cor_kinematic};
    const models::BeamGradients gradients(model_, {std::string(models::contact_place_key)});
    const std::vector<SweetSpot> found = spots(places_);
    double steepest = 0.0;
    for (const double xi : places_)
        steepest = std::max(steepest, std::abs(gradients.at(xi, of).by_key(0, 0)));
    ASSERT_TRUE(std::ranges::any_of(found, &SweetSpot::is_smooth));
    for (const SweetSpot& spot : found) {
        if (!spot.is_smooth) continue;
        EXPECT_LT(std::abs(gradients.at(spot.xi, of).by_key(0, 0)), 1e-3 * steepest);
    }
}

TEST_F(SweetSpots, DoNotDependOnTheOrderOfThePlaces) {
    const std::vector<SweetSpot> found = spots(places_);
    std::vector<SweetSpot> back = spots({places_.rbegin(), places_.rend()});
    std::ranges::reverse(back);
    ASSERT_EQ(back.size(), found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(back[i].xi, found[i].xi);
        EXPECT_EQ(back[i].is_largest, found[i].is_largest);
    }
}

/// A place on a kink has a result and no derivative.
TEST_F(SweetSpots, AreFoundAcrossAPlaceWithoutDerivative) {
    const GradientStudy study(model_, wanted(std::string(models::contact_place_key)));
    const SweetSpot known = spots(places_).front();
    std::vector<solvers::GradientRow> rows;
    for (const double xi : {known.xi - 1e-6, known.xi + 1e-6})
        rows.push_back({"", {xi}, {}, {e(xi)}, study.slopes(xi, 0.0)});
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    rows.insert(rows.begin() + 1, {"", {known.xi + 1e-7}, {}, {0.5}, {none}});
    ASSERT_EQ(study.sweet_spots(rows).size(), 1U);
    EXPECT_NEAR(study.sweet_spots(rows).front().xi, known.xi, 1e-8);
    rows[1].results = {none};
    EXPECT_TRUE(study.sweet_spots(rows).empty());  // no collision there
}

TEST_F(SweetSpots, NeedTheDerivativeByThePlace) {
    EXPECT_TRUE(spots(places_, "striker.radius").empty());
}

}  // namespace
}  // namespace stoss
