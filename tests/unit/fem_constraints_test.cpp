#include <stoss/core/error.hpp>
#include <stoss/fem/constraints.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "aluminium_beam.hpp"

namespace {

using namespace stoss;
using fem::ConstraintMethod;
using fem::Support;
using fem::SupportedBeam;
using fem::SupportKind;

const fem::BeamProperties damped_beam = tests::aluminium_beam(0.0, 1e6);

SupportedBeam supported(int elements, const std::vector<Support>& supports,
                        ConstraintMethod method = ConstraintMethod::elimination) {
    const fem::BeamMesh mesh(damped_beam.length, elements);
    return fem::support(mesh, fem::assemble(mesh, damped_beam), supports, method);
}

TEST(Supports, NodeIsFoundWithinATolerance) {
    const fem::BeamMesh mesh(0.508, 80);
    EXPECT_EQ(mesh.node_at(1.905e-2), 3);
    EXPECT_EQ(mesh.node_at(1.905e-2 + 1e-10), 3);
    EXPECT_EQ(mesh.node_at(0.0), 0);
    EXPECT_EQ(mesh.node_at(0.508), 80);
    EXPECT_EQ(mesh.node_at(1.905e-2 + 1e-8), std::nullopt);
    EXPECT_EQ(mesh.node_at(-0.00635), std::nullopt);
    EXPECT_EQ(mesh.node_at(0.51435), std::nullopt);
    EXPECT_EQ(mesh.node_at(std::nan("")), std::nullopt);
}

TEST(Supports, AdmissibleCountNeedsNoOther) {
    const fem::ElementCounts counts = fem::admissible_elements(0.508, std::vector{1.905e-2}, 80);
    EXPECT_TRUE(counts.admissible);
    EXPECT_FALSE(counts.below);
    EXPECT_FALSE(counts.above);
}

TEST(Supports, PinOffTheMeshNamesTheNearestCounts) {
    // xi = 0.0375 = 3/80: only multiples of 80 have a node there.
    const fem::ElementCounts counts = fem::admissible_elements(0.508, std::vector{1.905e-2}, 100);
    EXPECT_FALSE(counts.admissible);
    EXPECT_EQ(counts.below, 80);
    EXPECT_EQ(counts.above, 160);
}

TEST(Supports, AllSupportsCountTogether) {
    const std::vector places{1.0 / 3.0, 0.25, 1.0};
    const fem::ElementCounts counts = fem::admissible_elements(1.0, places, 13);
    EXPECT_FALSE(counts.admissible);
    EXPECT_EQ(counts.below, 12);
    EXPECT_EQ(counts.above, 24);
}

TEST(Supports, NoCountBelowTheFirstAdmissibleOne) {
    const fem::ElementCounts counts = fem::admissible_elements(0.508, std::vector{1.905e-2}, 50);
    EXPECT_FALSE(counts.below);
    EXPECT_EQ(counts.above, 80);
}

TEST(Supports, IrrationalPlaceHasNoAdmissibleCount) {
    const std::vector places{std::sqrt(0.5) - 0.1234567};
    const fem::ElementCounts counts = fem::admissible_elements(1.0, places, 80);
    EXPECT_FALSE(counts.admissible);
    EXPECT_FALSE(counts.below);
}

TEST(Supports, SupportOffTheMeshIsRefusedWithAHint) {
    try {
        supported(100, {{0.0, SupportKind::pin}, {1.905e-2, SupportKind::pin}});
        FAIL() << "accepted";
    } catch (const core::InputError& error) {
        ASSERT_EQ(error.diagnostics().size(), 1u);
        const core::Violation& violation = error.diagnostics()[0].violation;
        EXPECT_EQ(violation.key, "supports[1].x");
        EXPECT_EQ(violation.value, "0.01905 m");
        EXPECT_EQ(violation.rule, "must be at a node of the 100 elements");
        EXPECT_EQ(violation.suggestion, "80 or 160 elements put every support on a node");
    }
}

TEST(Supports, EliminationRemovesTheHeldFreedoms) {
    const SupportedBeam pinned = supported(80, {{1.905e-2, SupportKind::pin}});
    EXPECT_EQ(pinned.remaining.size(), 161u);
    EXPECT_EQ(pinned.matrices.stiffness.rows(), 161);
    EXPECT_EQ(supported(80, {{0.0, SupportKind::clamp}}).remaining.size(), 160u);
    EXPECT_EQ(supported(80, {}).remaining.size(), 162u);
}

TEST(Supports, TwoSupportsAtOneNodeHoldItOnce) {
    const SupportedBeam twice = supported(80, {{0.0, SupportKind::pin}, {0.0, SupportKind::clamp}});
    EXPECT_EQ(twice.remaining.size(), 160u);
}

TEST(Supports, EliminationKeepsTheEntriesOfTheOtherFreedoms) {
    const fem::BeamMesh mesh(damped_beam.length, 5);
    const Eigen::MatrixXd full = fem::assemble(mesh, damped_beam).stiffness;
    const SupportedBeam clamped = supported(5, {{damped_beam.length, SupportKind::clamp}});
    EXPECT_EQ(Eigen::MatrixXd(clamped.matrices.stiffness), full.topLeftCorner(10, 10));
}

TEST(Supports, ExpansionPutsZerosAtTheHeldFreedoms) {
    const SupportedBeam pinned = supported(80, {{1.905e-2, SupportKind::pin}});
    const Eigen::MatrixXd all = pinned.expand(Eigen::MatrixXd::Ones(161, 2));
    ASSERT_EQ(all.rows(), 162);
    EXPECT_EQ(all(6, 1), 0.0);
    EXPECT_EQ(all.sum(), 322.0);
}

TEST(Supports, PenaltyChangesTheStiffnessOfTheHeldFreedomsOnly) {
    const fem::BeamMesh mesh(damped_beam.length, 80);
    const fem::BeamMatrices free = fem::assemble(mesh, damped_beam);
    const SupportedBeam clamped =
        supported(80, {{0.0, SupportKind::clamp}}, ConstraintMethod::penalty);
    Eigen::MatrixXd added = clamped.matrices.stiffness - free.stiffness;
    double trace_w = 0.0, trace_theta = 0.0;
    for (int node = 0; node < mesh.nodes(); ++node) {
        trace_w += free.stiffness.coeff(2 * node, 2 * node);
        trace_theta += free.stiffness.coeff(2 * node + 1, 2 * node + 1);
    }
    EXPECT_NEAR(added(0, 0), 1e3 * trace_w, 1e-12 * added(0, 0));
    EXPECT_NEAR(added(1, 1), 1e3 * trace_theta, 1e-12 * added(1, 1));
    added(0, 0) = added(1, 1) = 0.0;
    EXPECT_EQ(added.cwiseAbs().maxCoeff(), 0.0);
    EXPECT_EQ(Eigen::MatrixXd(clamped.matrices.damping[1]), Eigen::MatrixXd(free.damping[1]));
}

TEST(Supports, FreeBeamKeepsTranslationAndRotation) {
    const SupportedBeam free = supported(10, {});
    EXPECT_EQ(free.rigid_shapes, fem::BeamMesh(damped_beam.length, 10).rigid_body_shapes());
}

TEST(Supports, OnePinLeavesTheRotationAboutIt) {
    const fem::BeamMesh mesh(damped_beam.length, 80);
    for (const auto method : {ConstraintMethod::elimination, ConstraintMethod::penalty}) {
        const SupportedBeam pinned = supported(80, {{1.905e-2, SupportKind::pin}}, method);
        ASSERT_EQ(pinned.rigid_shapes.cols(), 1);
        const Eigen::VectorXd shape = pinned.expand(pinned.rigid_shapes);
        EXPECT_EQ(shape[6], 0.0);
        for (const double x : {0.0, 1.905e-2, 0.2, 0.508}) {
            EXPECT_NEAR(mesh.interpolation(x).dot(shape), x - 1.905e-2, 1e-15);
        }
    }
}

TEST(Supports, TwoPinsOrAClampLeaveNoRigidMotion) {
    const double element = damped_beam.length / 5000;
    EXPECT_EQ(
        supported(5000, {{0.0, SupportKind::pin}, {element, SupportKind::pin}}).rigid_shapes.cols(),
        0);
    EXPECT_EQ(supported(80, {{1.905e-2, SupportKind::clamp}}).rigid_shapes.cols(), 0);
    EXPECT_EQ(supported(80, {{0.0, SupportKind::pin}, {0.0, SupportKind::pin}}).rigid_shapes.cols(),
              1);
}

TEST(Supports, ASliderLeavesTheTranslation) {
    for (const auto method : {ConstraintMethod::elimination, ConstraintMethod::penalty}) {
        const SupportedBeam slid = supported(10, {{0.0, SupportKind::slider}}, method);
        ASSERT_EQ(slid.rigid_shapes.cols(), 1);
        const Eigen::VectorXd shape = slid.expand(slid.rigid_shapes);
        for (Eigen::Index node = 0; node <= 10; ++node) {
            EXPECT_EQ(shape[2 * node], 1.0);
            EXPECT_EQ(shape[2 * node + 1], 0.0);
        }
        EXPECT_EQ(
            supported(10, {{0.0, SupportKind::slider}, {damped_beam.length, SupportKind::pin}},
                      method)
                .rigid_shapes.cols(),
            0);
    }
}

TEST(Supports, NamesAreThoseOfTheCases) {
    EXPECT_EQ(core::name_of(SupportKind::pin), "pin");
    EXPECT_EQ(core::name_of(SupportKind::clamp), "clamp");
    EXPECT_EQ(core::name_of(SupportKind::slider), "slider");
    EXPECT_EQ(core::name_of(ConstraintMethod::penalty), "penalty");
    EXPECT_EQ(core::name_of(ConstraintMethod::elimination), "elimination");
}

}  // namespace
