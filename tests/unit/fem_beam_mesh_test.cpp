#include <stoss/fem/beam_mesh.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace {

using stoss::fem::assemble;
using stoss::fem::BeamMatrices;
using stoss::fem::BeamMesh;
using stoss::fem::BeamProperties;
using stoss::fem::BeamTheory;

const BeamProperties beam{0.8, 120.0, 0.35, 2.0, 0.004};

/// v^T A v
double energy(const Eigen::SparseMatrix<double>& a, const Eigen::VectorXd& v) {
    return v.dot(a * v);
}

TEST(BeamMesh, CountsNodesAndFreedoms) {
    const BeamMesh mesh(0.8, 5);
    EXPECT_EQ(mesh.nodes(), 6);
    EXPECT_EQ(mesh.dofs(), 12);
    EXPECT_DOUBLE_EQ(mesh.element_length(3), 0.16);
    EXPECT_EQ(mesh.node_position(5), 0.8);
}

TEST(BeamMesh, TranslationCarriesTheTotalMass) {
    for (const int elements : {1, 2, 7, 80}) {
        const BeamMesh mesh(beam.length, elements);
        const double mass = energy(assemble(mesh, beam).mass, mesh.rigid_body_shapes().col(0));
        EXPECT_NEAR(mass, beam.mass_per_length * beam.length, 1e-14);
    }
}

TEST(BeamMesh, RotationCarriesTheMomentOfInertiaOfARod) {
    const double inertia = beam.mass_per_length * std::pow(beam.length, 3) / 12.0;
    for (const int elements : {1, 2, 7, 80}) {
        const BeamMesh mesh(beam.length, elements);
        const Eigen::MatrixXd shapes = mesh.rigid_body_shapes();
        const Eigen::SparseMatrix<double> mass = assemble(mesh, beam).mass;
        EXPECT_NEAR(energy(mass, shapes.col(1)), inertia, 1e-13 * inertia);
        EXPECT_NEAR(shapes.col(0).dot(mass * shapes.col(1)), 0.0, 1e-15);
    }
}

TEST(BeamMesh, RigidMotionsStoreNoEnergy) {
    for (const int elements : {1, 2, 7, 80}) {
        const BeamMesh mesh(beam.length, elements);
        const BeamMatrices matrices = assemble(mesh, beam);
        const Eigen::MatrixXd force = matrices.stiffness * mesh.rigid_body_shapes();
        EXPECT_EQ(force.col(0).cwiseAbs().maxCoeff(), 0.0);
        EXPECT_LT(force.col(1).cwiseAbs().maxCoeff(), 1e-14 * matrices.stiffness.coeff(0, 0));
    }
}

TEST(BeamMesh, CubicDeflectionStoresItsBendingEnergy) {
    // w = x^3: the energy integral of EI (6x)^2 is 12 EI l^3.
    const BeamMesh mesh(beam.length, 9);
    Eigen::VectorXd dofs(mesh.dofs());
    for (int node = 0; node < mesh.nodes(); ++node) {
        const double x = mesh.node_position(node);
        dofs.segment<2>(2 * node) << x * x * x, 3.0 * x * x;
    }
    const double expected = 12.0 * beam.bending_stiffness * std::pow(beam.length, 3);
    EXPECT_NEAR(energy(assemble(mesh, beam).stiffness, dofs), expected, 1e-11 * expected);
}

TEST(BeamMesh, DampingIsMassAndStiffnessInProportion) {
    const BeamMatrices matrices = assemble(BeamMesh(beam.length, 11), beam);
    const Eigen::MatrixXd external = matrices.mass * (beam.external_damping / beam.mass_per_length);
    const Eigen::MatrixXd internal =
        matrices.stiffness * (beam.internal_damping / beam.bending_stiffness);
    ASSERT_EQ(matrices.damping.size(), 2u);
    EXPECT_LT((Eigen::MatrixXd(matrices.damping[0]) - external).cwiseAbs().maxCoeff(),
              1e-14 * external.cwiseAbs().maxCoeff());
    EXPECT_LT((Eigen::MatrixXd(matrices.damping[1]) - internal).cwiseAbs().maxCoeff(),
              1e-14 * internal.cwiseAbs().maxCoeff());
}

TEST(BeamMesh, MatricesAreSymmetric) {
    const BeamMatrices matrices = assemble(BeamMesh(beam.length, 11), beam);
    for (const auto* matrix :
         {&matrices.mass, &matrices.stiffness, &matrices.damping[0], &matrices.damping[1]}) {
        const Eigen::MatrixXd dense = *matrix;
        EXPECT_EQ(dense, dense.transpose());
    }
}

/// A translation meets no force, and the matrices are symmetric to the bit.
void expect_no_force_in_a_translation(const BeamMesh& mesh, const BeamMatrices& matrices) {
    Eigen::VectorXd translation = Eigen::VectorXd::Zero(mesh.dofs());
    for (int node = 0; node < mesh.nodes(); ++node) translation[mesh.w(node)] = 1.0;
    for (const auto* matrix : {&matrices.stiffness, &matrices.damping[1]}) {
        const Eigen::SparseMatrix<double> transposed = matrix->transpose();
        EXPECT_EQ((*matrix * translation).norm(), 0.0);
        EXPECT_EQ((*matrix - transposed).norm(), 0.0);
    }
}

// Forces of one rounding error would act like springs to the ground, which a fine mesh feels.
TEST(BeamMesh, StiffnessIsSymmetricToTheBitAndATranslationMeetsNoForce) {
    const auto tapered = [](double x) {
        BeamProperties at = beam;
        at.bending_stiffness *= 1.0 + 0.7 * x;
        return at;
    };
    for (const auto theory : {BeamTheory::euler_bernoulli, BeamTheory::timoshenko}) {
        for (const int elements : {1, 7, 638, 640, 1280}) {
            const BeamMesh mesh(beam.length, elements, theory);
            SCOPED_TRACE(elements);
            for (const BeamMatrices& matrices : {assemble(mesh, beam), assemble(mesh, tapered)})
                expect_no_force_in_a_translation(mesh, matrices);
        }
    }
}

/// Elements of 1e-5 of the length between long ones, and EI that jumps there to eighty times.
TEST(BeamMesh, ATranslationMeetsNoForceWhereTheStiffnessJumps) {
    const double l = beam.length;
    std::vector<double> places;
    for (int i = 0; i <= 10; ++i) places.push_back(l * (0.3 + 1e-5 * i));
    const auto shoulder = [&](double x) {
        BeamProperties at = beam;
        const double height = 1.0 + 2.0 * std::clamp((x / l - 0.3) / 1e-4, 0.0, 1.0);
        at.bending_stiffness *= std::pow(height, 4);
        return at;
    };
    for (const auto theory : {BeamTheory::euler_bernoulli, BeamTheory::timoshenko}) {
        const BeamMesh mesh(l, 80, theory, places);
        expect_no_force_in_a_translation(mesh, assemble(mesh, shoulder));
    }
}

TEST(BeamMesh, ATranslationMeetsNoForceWhereTheLengthsOfElementsDiffer) {
    for (const int elements : {7, 80, 720, 950}) {
        const BeamMesh mesh(beam.length, elements, BeamTheory::euler_bernoulli,
                            {0.317 * beam.length, 0.6 * beam.length});
        expect_no_force_in_a_translation(mesh, assemble(mesh, beam));
    }
}

TEST(BeamMesh, APlaceIsInOneElement) {
    const BeamMesh mesh(1.0, 4);
    const auto is_at = [&](double x, int element, double place) {
        return mesh.element_at(x) == std::pair(element, place);
    };
    EXPECT_TRUE(is_at(0.0, 0, 0.0));
    EXPECT_TRUE(is_at(0.125, 0, 0.5));
    EXPECT_TRUE(is_at(0.25, 1, 0.0));
    EXPECT_TRUE(is_at(1.0, 3, 1.0));
}

TEST(BeamMesh, InterpolationPicksTheDeflectionOfANode) {
    const BeamMesh mesh(beam.length, 7);
    for (int node = 0; node < mesh.nodes(); ++node) {
        Eigen::VectorXd expected = Eigen::VectorXd::Zero(mesh.dofs());
        expected[2 * node] = 1.0;
        const Eigen::VectorXd shape = mesh.interpolation(mesh.node_position(node));
        EXPECT_LT((shape - expected).cwiseAbs().maxCoeff(), 1e-14) << "node " << node;
    }
}

TEST(BeamMesh, InterpolationFollowsRigidMotionsAnywhere) {
    const BeamMesh mesh(beam.length, 7);
    const Eigen::MatrixXd shapes = mesh.rigid_body_shapes();
    for (const double x : {0.0, 0.01, 0.3333, 0.5, 0.799999, 0.8}) {
        EXPECT_NEAR(mesh.interpolation(x).dot(shapes.col(0)), 1.0, 1e-15);
        EXPECT_NEAR(mesh.interpolation(x).dot(shapes.col(1)), x - 0.4, 1e-15);
    }
}

TEST(BeamMesh, InterpolationErrorFallsWithTheFourthPowerOfTheElement) {
    const auto error = [](int elements) {
        const BeamMesh mesh(beam.length, elements);
        Eigen::VectorXd dofs(mesh.dofs());
        for (int node = 0; node < mesh.nodes(); ++node) {
            const double x = mesh.node_position(node);
            dofs.segment<2>(2 * node) << std::sin(9.0 * x), 9.0 * std::cos(9.0 * x);
        }
        double worst = 0.0;
        for (int i = 0; i <= 1000; ++i) {
            const double x = beam.length * i / 1000.0;
            worst = std::max(worst, std::abs(mesh.interpolation(x).dot(dofs) - std::sin(9.0 * x)));
        }
        return worst;
    };
    EXPECT_NEAR(std::log2(error(20) / error(40)), 4.0, 0.1);
}

BeamMesh placed(int elements, std::vector<double> places) {
    return BeamMesh(0.8, elements, stoss::fem::BeamTheory::euler_bernoulli, std::move(places));
}

TEST(BeamMesh, PutsANodeAtEveryPlace) {
    const BeamMesh mesh = placed(10, {0.31, 0.0555, 0.8, 0.0, 0.31 + 1e-11});
    for (const double place : {0.0555, 0.31, 0.8}) EXPECT_TRUE(mesh.node_at(place)) << place;
    EXPECT_FALSE(mesh.node_at(0.3));
    EXPECT_EQ(mesh.nodes(), mesh.elements() + 1);
    double sum = 0.0;
    for (int e = 0; e < mesh.elements(); ++e) {
        EXPECT_LE(mesh.element_length(e), 0.08 * (1.0 + 1e-5));
        EXPECT_NEAR(mesh.node_position(e) + mesh.element_length(e), mesh.node_position(e + 1),
                    1e-15);
        sum += mesh.element_length(e);
    }
    EXPECT_NEAR(sum, 0.8, 1e-15);
    EXPECT_EQ(mesh.elements(), 1 + 4 + 7);
}

TEST(BeamMesh, StaysEqualWhereItHasTheNodesAlready) {
    const BeamMesh mesh = placed(8, {0.1, 0.7, 0.8});
    ASSERT_EQ(mesh.elements(), 8);
    for (int e = 0; e < 8; ++e) EXPECT_EQ(mesh.element_length(e), 0.1);
}

TEST(BeamMesh, OfUnequalElementsHasTheMassAndTheRigidMotionsOfTheBeam) {
    const BeamMesh mesh = placed(7, {0.123, 0.6});
    const BeamMatrices matrices = assemble(mesh, beam);
    const Eigen::MatrixXd shapes = mesh.rigid_body_shapes();
    EXPECT_NEAR(energy(matrices.mass, shapes.col(0)), beam.mass_per_length * beam.length, 1e-14);
    EXPECT_NEAR(energy(matrices.mass, shapes.col(1)),
                beam.mass_per_length * std::pow(beam.length, 3) / 12.0, 1e-14);
    EXPECT_NEAR(energy(matrices.stiffness, shapes.col(1)), 0.0, 1e-9);
    for (const double x : {0.0, 0.05, 0.123, 0.4, 0.6, 0.77, 0.8})
        EXPECT_NEAR(mesh.interpolation(x).dot(shapes.col(1)), x - 0.4, 1e-15);
}

}  // namespace
