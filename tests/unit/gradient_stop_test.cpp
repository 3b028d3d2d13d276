/// Collisions with derivatives end soon after a stop, and a map keeps those that are finished.

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include <published_beam.hpp>
#include <solved_case.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/impact/gradient.hpp>
#include <stoss/io/checkpoint.hpp>

namespace stoss::tests {
namespace {

using impact::Quantity;

/// Counts how often it is asked, and answers true from question number `last` on.
struct CountedStop {
    int last;
    int asked = 0;
    core::StopScope::Stop answer = [this] { return ++asked >= last; };
};

constexpr int never = 1'000'000'000;

/// How often a collision with gradients of these quantities asks. Errors: core::Stopped.
int questions(std::span<const Quantity> quantities, int last = never) {
    models::BeamCollision fine = published_beam();
    fine.integration.scheme = time::Splitting{.tolerance = 1e-9};
    const models::BeamModel model(fine);
    CountedStop stop{last};
    const core::StopScope scope(&stop.answer);
    EXPECT_GE(model.collide_with_gradients(0.7, {quantities}).gradients.size(), quantities.size());
    return stop.asked;
}

TEST(GradientStop, IsHeardInTheSweepsBackwardsAndInTheSearchForKinks) {
    const int forward = questions({});
    ASSERT_GT(forward, 0);
    const std::vector<Quantity> results(20, Quantity::cor_kinetic), margins{Quantity::margins};
    EXPECT_GT(questions(results), forward);
    EXPECT_GT(questions(margins), forward);
    EXPECT_THROW(questions(results, forward + 1), core::Stopped);
    EXPECT_THROW(questions(margins, forward + 1), core::Stopped);
}

const std::string map =
    "problem: beam_impact_map\n"
    "beam:\n"
    "  length: 508 mm\n"
    "  section: {shape: circle, radius: 6.35 mm}\n"
    "  material: {youngs_modulus: 68.3 GPa, poisson_ratio: 0.34, density: 2710 kg/m^3}\n"
    "  supports: [{type: pin, xi: 0}]\n"
    "striker:\n"
    "  shape: cylinder\n"
    "  radius: 6.35 mm\n"
    "  material: {youngs_modulus: 68.3 GPa, poisson_ratio: 0.34}\n"
    "motion: {angular_velocity: -3 rad/s}\n"
    "mesh: {elements: 20, modes: 8}\n"
    "integration: {scheme: splitting, tolerance: 1e-4}\n"
    "locations: {from: 0.3, to: 0.9, points: 12}\n"
    "gradient: [striker.radius, location]\n";

TEST(GradientStop, OfAMapKeepsTheCollisionsWhoseDerivativesAreFinished) {
    CountedStop counted{never};
    const std::string whole = bytes(solve(map, {1, true, counted.answer}));
    EXPECT_GT(counted.asked, 2 * 12);  // more often than before and after each collision
    bool has_part = false;
    for (const int eighths : {2, 4, 6}) {
        CountedStop stop{counted.asked * eighths / 8};
        io::Checkpoint checkpoint("case");
        const auto cut = solve(map, {1, true, stop.answer, &checkpoint});
        EXPECT_EQ(cut.ending, solvers::Ending::interrupted);
        has_part = has_part || (cut.items_done > 0 && cut.items_done < cut.item_count);
        io::Checkpoint kept("case");
        kept.take_text(checkpoint.text(), "partial.csv");
        EXPECT_EQ(bytes(solve(map, {.quiet = true, .checkpoint = &kept})), whole) << eighths;
    }
    EXPECT_TRUE(has_part);
}

}  // namespace
}  // namespace stoss::tests
