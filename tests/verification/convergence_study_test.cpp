// `stoss converge`: measured orders of modes, elements and time on the published beam.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <published_beam.hpp>
#include <solvers/problems/beam/convergence_study.hpp>
#include <solvers/problems/beam/convergence_verdict.hpp>

namespace {

using namespace stoss;
using solvers::all_refined;
using solvers::ConvergenceStudy;
using solvers::Refined;

models::BeamCollision beam_with(int modes, bool residual_flexibility,
                                const impact::Scheme& scheme) {
    models::BeamCollision beam = published_beam();
    beam.mesh.modes = modes;
    beam.mesh.residual_flexibility = residual_flexibility;
    beam.integration.scheme = scheme;
    return beam;
}

/// Of so many places of the published beam, evenly spaced from xi = 0.2 to 1.
ConvergenceStudy study(const models::BeamCollision& beam, int places = 25) {
    std::vector<solvers::StudiedPlace> chosen;
    for (int i = 0; i < places; ++i) chosen.push_back({0, 0.2 + 0.8 * i / (places - 1)});
    ConvergenceStudy study({beam}, chosen);
    EXPECT_TRUE(study.compute({.quiet = true}));
    EXPECT_EQ(study.collisions_done(), study.collisions());
    return study;
}

TEST(ConvergenceStudy, WithResidualFlexibilityTheOrderInTheModesIsAboveSix) {
    const ConvergenceStudy of_32 = study(beam_with(32, true, time::Splitting{}));
    EXPECT_GE(of_32.order(Refined::modes).value(), 6.0);
    const solvers::CorChanges changes = of_32.changes(Refined::modes);
    EXPECT_LE(changes.median.value(), 1e-5);
    EXPECT_LE(changes.largest.value(), 3e-4);
}

TEST(ConvergenceStudy, WithoutItTheOrderInTheModesIsAboutThree) {
    // Theory: 3. The fewest modes are not in the asymptotic range yet.
    EXPECT_NEAR(study(beam_with(60, false, time::Splitting{})).order(Refined::modes).value(), 3.0,
                0.7);
}

TEST(ConvergenceStudy, HermiteElementsAreOfOrderFour) {
    // The frequencies are (theory/finite_elements.md 2.7).
    EXPECT_NEAR(study(beam_with(25, true, time::Splitting{})).order(Refined::elements).value(), 4.0,
                0.3);
}

TEST(ConvergenceStudy, TheErrorOfTheSplittingSchemeFallsWithItsTolerance) {
    EXPECT_NEAR(study(beam_with(25, true, time::Splitting{1e-7})).order(Refined::time).value(), 1.0,
                0.35);
}

TEST(ConvergenceStudy, NewmarksSchemeIsOfOrderTwo) {
    EXPECT_NEAR(
        study(beam_with(10, true, time::Newmark{.step = 2e-7}), 9).order(Refined::time).value(),
        2.0, 0.3);
}

TEST(ConvergenceStudy, TheThreeChangesAddUpToThatFromTheCaseToTheFinest) {
    const ConvergenceStudy of_16 = study(beam_with(16, true, time::Splitting{1e-4}), 5);
    for (std::size_t place = 0; place < of_16.places().size(); ++place) {
        double sum = 0.0;
        for (const Refined each : all_refined) sum += of_16.change(each, place);
        EXPECT_NEAR(sum, of_16.cor_of_case(place) - of_16.cor_of_reference(place), 1e-15);
    }
}

TEST(ConvergenceStudy, TheRefinementsRefineOneThingFromCoarseToFineAndHoldTheCase) {
    models::BeamCollision beam = published_beam();
    beam.mesh.modes = 40;
    beam.mesh.elements = 40;
    const solvers::Resolution own = solvers::resolution_of(beam);
    const ConvergenceStudy planned({beam}, {{0, 0.68}});
    for (const Refined each : all_refined) {
        const ConvergenceStudy::Refinement& refinement = planned.refinement(each);
        EXPECT_EQ(fineness(each, refinement.levels[refinement.own_level].resolution),
                  fineness(each, own));
        for (std::size_t level = 1; level < refinement.levels.size(); ++level) {
            EXPECT_GT(fineness(each, refinement.levels[level].resolution),
                      fineness(each, refinement.levels[level - 1].resolution));
        }
    }
    const solvers::Resolution& finest = planned.refinement(Refined::modes).levels.back().resolution;
    EXPECT_EQ(finest.modes, 80);
    EXPECT_EQ(finest.elements, 320);  // four for each mode
    EXPECT_DOUBLE_EQ(finest.time, 1e-8);
}

TEST(ConvergenceStudy, AToleranceThatCannotBeTightenedIsNotStudiedFurther) {
    models::BeamCollision beam = published_beam();
    beam.integration.scheme = time::Splitting{1e-11};
    const ConvergenceStudy planned({beam}, {{0, 0.68}});
    const ConvergenceStudy::Refinement& refinement = planned.refinement(Refined::time);
    EXPECT_EQ(refinement.own_level + 1, refinement.levels.size());
}

TEST(ConvergenceStudy, EveryPlaceOfAStoppedStudyIsLeftOpen) {
    models::BeamCollision beam = published_beam();
    ConvergenceStudy stopped({beam}, {{0, 0.68}});
    EXPECT_FALSE(stopped.compute({.quiet = true, .stop = [] { return true; }}));
    EXPECT_EQ(stopped.collisions_done(), 0u);
}

TEST(ConvergenceStudy, CollisionsThatDoNotEndInTimeAreNoPlacesOfAComparison) {
    models::BeamCollision beam = published_beam();
    beam.mesh.modes = 10;
    beam.integration.time_limit = 1e-5;
    ConvergenceStudy unfinished({beam}, {{0, 0.68}});
    EXPECT_TRUE(unfinished.compute({.quiet = true}));
    EXPECT_EQ(unfinished.changes().places, 0u);
    EXPECT_FALSE(unfinished.changes().largest);
    EXPECT_FALSE(unfinished.order(Refined::modes));
}

// ---- Verdict

solvers::ConvergenceVerdict verdict(const models::BeamCollision& beam) {
    return verdict_of(study(beam), beam, {""});
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(ConvergenceVerdict, OfFewModesWithoutResidualFlexibilityAsksForIt) {
    const auto found = verdict(beam_with(25, false, time::Splitting{}));
    EXPECT_EQ(found.largest_part, Refined::modes);
    EXPECT_TRUE(contains(found.advice, "take mesh.residual_flexibility: true")) << found.advice;
    EXPECT_TRUE(contains(found.parts, "the modes change it")) << found.parts;
}

TEST(ConvergenceVerdict, OfFewModesWithItNamesTheNumberThatIsEnough) {
    auto beam = beam_with(16, true, time::Splitting{});
    const auto found = verdict(beam);
    const std::string words = "for mesh.tolerance = 1e-04 take mesh.modes: ";
    ASSERT_TRUE(found.advice.starts_with(words)) << found.advice;
    beam.mesh.modes = std::stoi(found.advice.substr(words.size()));
    EXPECT_LE(*beam.mesh.modes, 32);
    EXPECT_LT(study(beam).changes(Refined::modes).quantile_90.value(), 1e-4);
}

TEST(ConvergenceVerdict, OfACoarseMeshNamesTheElementsThatAreEnough) {
    auto beam = beam_with(32, true, time::Splitting{});
    const auto found = verdict(beam);
    EXPECT_EQ(found.largest_part, Refined::elements);
    EXPECT_EQ(found.advice, "for mesh.tolerance = 1e-04 take mesh.elements: 160");
    beam.mesh.elements = 160;
    EXPECT_TRUE(contains(verdict(beam).advice, "these settings are enough"));
}

TEST(ConvergenceVerdict, OfACoarseStepNamesTheStepThatIsEnough) {
    auto beam = beam_with(32, true, time::Newmark{.step = 1e-6});
    beam.mesh.elements = 160;
    const auto found = verdict(beam);
    EXPECT_EQ(found.largest_part, Refined::time);
    EXPECT_TRUE(contains(found.advice, "take integration.step: ")) << found.advice;
}

/// A titanium beam, clamped and pinned, on a mesh that is too coarse, with too few modes.
models::BeamCollision coarse_beam(int modes) {
    models::BeamCollision collision;
    models::Beam& beam = collision.beam;
    beam.length = 0.3;
    beam.section.shape = models::Rectangle{.width = 0.015, .height = 0.008};
    beam.material = {110e9, 0.33, 4500.0};
    beam.supports = {{models::SupportType::clamp, 0.0}, {models::SupportType::pin, 1.0}};
    collision.striker.shape = models::Sphere{.radius = 0.012};
    collision.striker.material = {210e9, 0.3, 7800.0};
    collision.striker.velocity = 2.0;
    collision.mesh.modes = modes;
    collision.mesh.elements = 20;
    return collision;
}

ConvergenceStudy study_of_coarse(const models::BeamCollision& beam) {
    std::vector<solvers::StudiedPlace> places;
    for (int i = 0; i < 10; ++i) places.push_back({0, 0.05 + 0.1 * i});
    ConvergenceStudy study({beam}, places);
    EXPECT_TRUE(study.compute({.quiet = true}));
    return study;
}

/// The number behind a key of an advice.
int advised(const std::string& advice, const std::string& key) {
    const std::size_t at = advice.find(key + ": ");
    EXPECT_NE(at, std::string::npos) << advice;
    return at == std::string::npos ? 0 : std::stoi(advice.substr(at + key.size() + 2));
}

TEST(ConvergenceVerdict, TheAdviceIsEnoughWhereModesAndElementsAreTooFew) {
    for (const int modes : {8, 10, 12, 14}) {
        models::BeamCollision beam = coarse_beam(modes);
        const std::string advice = verdict_of(study_of_coarse(beam), beam, {""}).advice;
        beam.mesh.modes = advised(advice, "mesh.modes");
        beam.mesh.elements = advised(advice, "mesh.elements");
        const ConvergenceStudy finer = study_of_coarse(beam);
        EXPECT_LE(finer.changes().quantile_90.value(), beam.mesh.tolerance) << advice;
    }
}

TEST(ConvergenceVerdict, WithoutAMeasuredOrderAsksForAnotherStudy) {
    const models::BeamCollision beam = coarse_beam(10);
    const ConvergenceStudy of_10 = study_of_coarse(beam);
    ASSERT_FALSE(of_10.order(Refined::modes));
    const std::string advice = verdict_of(of_10, beam, {""}).advice;
    EXPECT_TRUE(advice.ends_with("and study again: no order in modes was measured")) << advice;
}

TEST(ConvergenceVerdict, NamesThePlacesThatStandOut) {
    const auto beam = beam_with(32, true, time::Splitting{});
    const ConvergenceStudy of_32 = study(beam);
    const auto found = verdict_of(of_32, beam, {""});
    for (std::size_t place = 0; place < of_32.places().size(); ++place) {
        const bool is_unknown = std::count(found.unknown.begin(), found.unknown.end(), place) > 0;
        EXPECT_EQ(std::abs(of_32.change(place)) > found.known_to, is_unknown);
    }
    EXPECT_LE(found.unknown.size(), 3u);  // a tenth of them
}

TEST(ConvergenceVerdict, APlaceWithinTheToleranceIsNoException) {
    auto beam = beam_with(32, true, time::Splitting{});
    beam.mesh.elements = 160;
    const ConvergenceStudy of_32 = study(beam);
    ASSERT_LE(of_32.changes().quantile_90.value(), beam.mesh.tolerance);
    const auto found = verdict_of(of_32, beam, {""});
    EXPECT_LE(found.known_to, beam.mesh.tolerance);
    for (const std::size_t place : found.unknown)
        EXPECT_GT(std::abs(of_32.change(place)), beam.mesh.tolerance) << place;
}

TEST(ConvergenceVerdict, OfAChoiceCountsAllPlacesOfTheCase) {
    const auto beam = beam_with(32, true, time::Splitting{});
    const ConvergenceStudy of_32 = study(beam);
    const auto found = verdict_of(of_32, beam, {""}, {600, 3});
    for (const std::string& words : {found.known, found.methods}) {
        EXPECT_TRUE(contains(words, " of the 600 places")) << words;
        EXPECT_TRUE(contains(words, "; 575 places were not studied, and at 3 of these")) << words;
    }
    EXPECT_TRUE(contains(found.parts, "at 90 % of the 25 evenly spaced places")) << found.parts;
}

TEST(ConvergenceStudy, PlacesThatWereAddedDoNotMoveMedianAndQuantile) {
    const auto beam = beam_with(10, true, time::Splitting{});
    std::vector<solvers::StudiedPlace> sample, with_added;
    for (int i = 0; i < 6; ++i) sample.push_back({0, 0.3 + 0.1 * i});
    with_added = sample;
    with_added.push_back({0, 0.55, false});
    const auto changes = [&](const std::vector<solvers::StudiedPlace>& places) {
        ConvergenceStudy study({beam}, places);
        EXPECT_TRUE(study.compute({.quiet = true}));
        return study.changes();
    };
    const solvers::CorChanges without = changes(sample), with = changes(with_added);
    EXPECT_EQ(with.median, without.median);
    EXPECT_EQ(with.quantile_90, without.quantile_90);
    EXPECT_EQ(with.places, without.places + 1);
    EXPECT_EQ(with.places_in_quantiles, without.places_in_quantiles);
    EXPECT_GE(with.largest, without.largest);
}

TEST(ConvergenceVerdict, TheSentenceForAPaperNamesEverySetting) {
    auto beam = beam_with(32, true, time::Splitting{});
    beam.mesh.elements = 160;
    const std::string sentence = verdict(beam).methods;
    EXPECT_TRUE(sentence.starts_with(
        "Coefficients of restitution were computed with 32 modes and residual flexibility on 160 "
        "elements at a tolerance of 1e-06; with 64 modes on 640 elements at a tolerance of 1e-08 "
        "they changed by at most "))
        << sentence;
}

}  // namespace
