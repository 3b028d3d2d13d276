#include <stoss/core/error.hpp>
#include <stoss/fem/constraints.hpp>
#include <stoss/modal/modal_basis.hpp>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>
#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "aluminium_beam.hpp"
#include "message_of.hpp"

namespace {

using namespace stoss;
using fem::ConstraintMethod;
using fem::Support;
using fem::SupportedBeam;
using fem::SupportKind;
using modal::modal_basis;
using modal::ModalBasis;
using tests::message_of;
using Sparse = Eigen::SparseMatrix<double>;

const fem::BeamProperties beam = tests::aluminium_beam(3.0, 1e6);
const double scale = tests::eigenvalue_scale(beam);
const std::vector<Support> pin{{1.905e-2, SupportKind::pin}};
const std::vector<Support> end_pin{{0.0, SupportKind::pin}};

SupportedBeam supported(int elements, const std::vector<Support>& supports,
                        ConstraintMethod method = ConstraintMethod::elimination) {
    const fem::BeamMesh mesh(beam.length, elements);
    return fem::support(mesh, fem::assemble(mesh, beam), supports, method);
}

ModalBasis basis_of(const SupportedBeam& body, Eigen::Index modes) {
    return modal_basis(body.matrices.mass, body.matrices.stiffness, body.matrices.damping,
                       body.rigid_shapes, {modes, scale});
}

double orthonormality_error(const ModalBasis& basis, const Sparse& mass) {
    const Eigen::MatrixXd gram = basis.shapes.transpose() * mass * basis.shapes;
    return (gram - Eigen::MatrixXd::Identity(gram.rows(), gram.cols())).cwiseAbs().maxCoeff();
}

/// Largest relative difference of eigenvalues after the rigid ones.
double eigenvalue_difference(const ModalBasis& a, const ModalBasis& b, Eigen::Index modes) {
    const auto part = [&](const ModalBasis& basis) {
        return basis.eigenvalues.segment(basis.rigid, modes - basis.rigid).array();
    };
    return (part(a) / part(b) - 1.0).abs().maxCoeff();
}

Sparse diagonal(const Eigen::VectorXd& values) {
    return Sparse(Eigen::MatrixXd(values.asDiagonal()).sparseView());
}

// Eigen cuts the sums of long products by these sizes.
TEST(ModalBasis, SumsAreCutAlikeOnEveryProcessor) {
    EXPECT_EQ(Eigen::l1CacheSize(), 32 * 1024);
    EXPECT_EQ(Eigen::l2CacheSize(), 256 * 1024);
    EXPECT_EQ(Eigen::l3CacheSize(), 2 * 1024 * 1024);
}

TEST(ModalBasis, ShapesAreMassOrthonormal) {
    for (const int elements : {2, 3, 8, 80}) {
        for (const auto& supports : {std::vector<Support>{}, end_pin}) {
            const SupportedBeam body = supported(elements, supports);
            for (const Eigen::Index modes :
                 {Eigen::Index{3}, body.matrices.mass.rows() / 2, body.matrices.mass.rows()}) {
                EXPECT_LT(orthonormality_error(basis_of(body, modes), body.matrices.mass), 1e-13)
                    << elements << " elements, " << modes << " modes";
            }
        }
    }
}

TEST(ModalBasis, ShapesDiagonaliseTheStiffness) {
    const SupportedBeam body = supported(80, pin);
    const ModalBasis basis = basis_of(body, 25);
    const Eigen::MatrixXd full = basis.shapes.transpose() * body.matrices.stiffness * basis.shapes;
    const Eigen::MatrixXd expected = basis.eigenvalues.asDiagonal();
    EXPECT_LT((full - expected).cwiseAbs().maxCoeff(), 1e-11 * basis.eigenvalues[24]);
}

TEST(ModalBasis, RigidModesComeFirstWithEigenvalueZero) {
    const SupportedBeam body = supported(80, {});
    const ModalBasis basis = basis_of(body, 25);
    ASSERT_EQ(basis.rigid, 2);
    EXPECT_EQ(basis.eigenvalues[0], 0.0);
    EXPECT_EQ(basis.eigenvalues[1], 0.0);
    EXPECT_GT(basis.eigenvalues[2], 0.0);
    const double mass = beam.mass_per_length * beam.length;
    const double inertia = mass * beam.length * beam.length / 12.0;
    const Eigen::VectorXd translation = body.rigid_shapes.col(0) / std::sqrt(mass);
    const Eigen::VectorXd rotation = body.rigid_shapes.col(1) / std::sqrt(inertia);
    EXPECT_LT((basis.shapes.col(0) - translation).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LT((basis.shapes.col(1) - rotation).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(ModalBasis, EigenvaluesRise) {
    const ModalBasis basis = basis_of(supported(80, pin), 161);
    for (Eigen::Index i = 1; i < basis.modes(); ++i) {
        EXPECT_GT(basis.eigenvalues[i], basis.eigenvalues[i - 1]) << i;
    }
}

TEST(ModalBasis, PenaltyAndEliminationAgree) {
    const ModalBasis penalty = basis_of(supported(80, pin, ConstraintMethod::penalty), 25);
    const ModalBasis elimination = basis_of(supported(80, pin), 25);
    EXPECT_EQ(penalty.rigid, 1);
    EXPECT_EQ(elimination.rigid, 1);
    EXPECT_LT(eigenvalue_difference(penalty, elimination, 25), 1e-6);
}

TEST(ModalBasis, PenaltyAndEliminationSeeTheSameShapes) {
    const fem::BeamMesh mesh(beam.length, 80);
    const SupportedBeam stiff = supported(80, pin, ConstraintMethod::penalty);
    const SupportedBeam held = supported(80, pin);
    const Eigen::MatrixXd a = stiff.expand(basis_of(stiff, 25).shapes);
    const Eigen::MatrixXd b = held.expand(basis_of(held, 25).shapes);
    for (const double xi : {0.0, 0.111, 0.68, 1.0}) {
        const Eigen::VectorXd at = mesh.interpolation(xi * beam.length);
        EXPECT_LT((a.transpose() * at - b.transpose() * at).cwiseAbs().maxCoeff(), 1e-5) << xi;
    }
}

TEST(ModalBasis, FewModesAndAllModesAgree) {
    // Lanczos for 25 and 60 modes, dense solutions for all 161: with and without a penalty.
    for (const auto method : {ConstraintMethod::elimination, ConstraintMethod::penalty}) {
        const SupportedBeam body = supported(80, pin, method);
        const ModalBasis few = basis_of(body, 25);
        const ModalBasis more = basis_of(body, 60);
        const ModalBasis all = basis_of(body, body.matrices.mass.rows());
        EXPECT_LT(eigenvalue_difference(few, all, 25), 1e-12);
        EXPECT_LT(eigenvalue_difference(more, all, 60), 1e-12);
        EXPECT_LT((few.shapes - all.shapes.leftCols(25)).cwiseAbs().maxCoeff(),
                  1e-9 * all.shapes.cwiseAbs().maxCoeff());
    }
}

TEST(ModalBasis, AllModesResolveTheInverseOfTheMass) {
    // sum_j phi_j^2 over all modes is N^T M^-1 N, whatever the stiffness.
    const fem::BeamMesh mesh(beam.length, 20);
    const SupportedBeam body = supported(20, {});
    const ModalBasis basis = basis_of(body, 42);
    const Eigen::VectorXd at = mesh.interpolation(0.3);
    const Eigen::MatrixXd mass = body.matrices.mass;
    const double expected = at.dot(mass.ldlt().solve(at));
    EXPECT_NEAR((basis.shapes.transpose() * at).squaredNorm(), expected, 1e-11 * expected);
}

TEST(ModalBasis, SingleModeIsFound) {
    EXPECT_EQ(basis_of(supported(80, {}), 1).rigid, 1);
    const ModalBasis clamped = basis_of(supported(80, {{0.0, SupportKind::clamp}}), 1);
    EXPECT_EQ(clamped.rigid, 0);
    EXPECT_NEAR(std::sqrt(clamped.eigenvalues[0] / scale), 3.516015, 1e-6);
}

TEST(ModalBasis, ProportionalDampingStaysModal) {
    const double external = beam.external_damping / beam.mass_per_length;
    const double internal = beam.internal_damping / beam.bending_stiffness;
    for (const int elements : {80, 5000}) {
        const ModalBasis basis = basis_of(supported(elements, {}), 12);
        for (Eigen::Index i = 0; i < 12; ++i) {
            const double expected = external + internal * basis.eigenvalues[i];
            EXPECT_NEAR(basis.damping[i], expected, 1e-8 * expected) << elements << ' ' << i;
        }
        EXPECT_LT(basis.damping_coupling, 1e-7);
    }
}

TEST(ModalBasis, InternalDampingLeavesRigidModesUndamped) {
    const fem::BeamProperties inner = tests::aluminium_beam(0.0, 1e6);
    for (const int elements : {2, 80, 1000}) {
        const fem::BeamMesh mesh(inner.length, elements);
        const SupportedBeam body =
            fem::support(mesh, fem::assemble(mesh, inner), {}, ConstraintMethod::elimination);
        const ModalBasis basis = basis_of(body, 4);
        EXPECT_EQ(basis.damping[0], 0.0);
        EXPECT_EQ(basis.damping[1], 0.0);
        EXPECT_GT(basis.damping[2], 0.0);
    }
}

TEST(ModalBasis, WeakExternalDampingSurvivesBesideStrongInternalDamping) {
    const fem::BeamProperties weak = tests::aluminium_beam(1e-3, 1e6);
    const fem::BeamMesh mesh(weak.length, 80);
    const SupportedBeam body =
        fem::support(mesh, fem::assemble(mesh, weak), {}, ConstraintMethod::elimination);
    const double expected = weak.external_damping / weak.mass_per_length;
    const ModalBasis basis = basis_of(body, 162);
    EXPECT_NEAR(basis.damping[0], expected, 1e-6 * expected);
    EXPECT_NEAR(basis.damping[1], expected, 1e-6 * expected);
}

TEST(ModalBasis, DashpotCouplesTheModes) {
    SupportedBeam body = supported(20, {});
    Sparse dashpot(42, 42);
    dashpot.insert(0, 0) = 5.0;
    body.matrices.damping = {dashpot};
    const ModalBasis basis = basis_of(body, 6);
    // One dashpot: Phi^T C Phi has rank one, so every coupling is complete.
    EXPECT_NEAR(basis.damping_coupling, 1.0, 1e-12);
    EXPECT_NEAR(basis.damping[3], 5.0 * basis.shapes(0, 3) * basis.shapes(0, 3), 1e-10);
    Eigen::MatrixXd full = basis.coupling;
    full += basis.damping.asDiagonal();
    const Eigen::VectorXd at = basis.shapes.row(0);
    EXPECT_LT((full - 5.0 * at * at.transpose()).norm(), 1e-12 * full.norm());
    EXPECT_EQ(full, full.transpose());
    EXPECT_EQ(basis.coupling.diagonal().norm(), 0.0);
}

TEST(ModalBasis, UndampedBodyHasNoDampingAndNoCoupling) {
    SupportedBeam body = supported(20, end_pin);
    body.matrices.damping.clear();
    const ModalBasis basis = basis_of(body, 6);
    EXPECT_EQ(basis.damping.cwiseAbs().maxCoeff(), 0.0);
    EXPECT_EQ(basis.damping_coupling, 0.0);
}

TEST(ModalBasis, FirstProminentFreedomIsPositive) {
    for (const Eigen::Index modes : {Eigen::Index{25}, Eigen::Index{161}}) {
        const SupportedBeam body = supported(80, pin);
        const ModalBasis basis = basis_of(body, modes);
        const Eigen::ArrayXd weight = body.matrices.mass.diagonal().array().sqrt();
        for (Eigen::Index j = basis.rigid; j < modes; ++j) {
            const Eigen::ArrayXd size = weight * basis.shapes.col(j).array();
            Eigen::Index first = 0;
            while (std::abs(size[first]) < 0.5 * size.abs().maxCoeff()) ++first;
            EXPECT_GT(size[first], 0.0) << j;
        }
    }
}

TEST(ModalBasis, SameInputGivesTheSameBytes) {
    const SupportedBeam body = supported(80, pin);
    for (const Eigen::Index modes : {Eigen::Index{25}, Eigen::Index{161}}) {
        const ModalBasis a = basis_of(body, modes), b = basis_of(body, modes);
        const auto bytes = sizeof(double) * static_cast<std::size_t>(a.shapes.size());
        EXPECT_EQ(std::memcmp(a.shapes.data(), b.shapes.data(), bytes), 0);
        EXPECT_EQ(a.eigenvalues, b.eigenvalues);
        EXPECT_EQ(a.damping, b.damping);
    }
}

// Factors of units that are powers of four: their roots are exact.
TEST(ModalBasis, OtherUnitsOfTheFreedomsGiveTheSameBits) {
    constexpr double mass = 0x1p14, length = 0x1p-10, time = 0x1p6;
    for (const auto& supports : {std::vector<Support>{}, pin}) {
        const SupportedBeam body = supported(80, supports);
        const auto& m = body.matrices;
        Eigen::VectorXd units(m.mass.rows());  // deflections are lengths, rotations have no unit
        for (Eigen::Index i = 0; i < units.size(); ++i) {
            const bool is_rotation = body.remaining[static_cast<std::size_t>(i)] % 2 == 1;
            units[i] = is_rotation ? 1.0 : 1.0 / length;
        }
        const auto in_units = [&](const Sparse& matrix, double factor) {
            const Sparse scaled = units.asDiagonal() * matrix * units.asDiagonal();
            return Sparse(factor * mass * length * length * scaled);
        };
        const std::vector<Sparse> damping{in_units(m.damping[0], 1.0 / time),
                                          in_units(m.damping[1], 1.0 / time)};
        for (const Eigen::Index modes : {Eigen::Index{25}, m.mass.rows()}) {
            const ModalBasis here = basis_of(body, modes);
            const ModalBasis there =
                modal_basis(in_units(m.mass, 1.0), in_units(m.stiffness, 1.0 / (time * time)),
                            damping, units.cwiseInverse().asDiagonal() * body.rigid_shapes,
                            {modes, scale / (time * time)});
            EXPECT_EQ(there.eigenvalues * (time * time), here.eigenvalues);
            EXPECT_EQ(there.damping * time, here.damping);
            EXPECT_EQ(there.damping_coupling, here.damping_coupling);
            const double inertia = std::sqrt(mass) * length;
            EXPECT_EQ(units.asDiagonal() * there.shapes * inertia, here.shapes) << modes;
        }
    }
}

TEST(ModalBasis, EigenvalueScaleDoesNotMatterWithinReason) {
    const SupportedBeam body = supported(80, pin);
    const auto& m = body.matrices;
    const ModalBasis reference = basis_of(body, 25);
    for (const double factor : {0.1, 10.0, 1000.0}) {
        const ModalBasis other =
            modal_basis(m.mass, m.stiffness, m.damping, body.rigid_shapes, {25, factor * scale});
        EXPECT_LT(eigenvalue_difference(other, reference, 25), 1e-12) << factor;
    }
}

TEST(ModalBasis, KnownDiagonalSystemIsSolved) {
    const Eigen::Vector3d masses(2.0, 4.0, 0.5), springs(8.0, 4.0, 18.0);
    const ModalBasis basis =
        modal_basis(diagonal(masses), diagonal(springs), {}, Eigen::MatrixXd(3, 0), {3, 1.0});
    EXPECT_LT((basis.eigenvalues - Eigen::Vector3d(1.0, 4.0, 36.0)).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_NEAR(basis.shapes(1, 0), 0.5, 1e-15);
    EXPECT_NEAR(basis.shapes(0, 1), std::sqrt(0.5), 1e-15);
    EXPECT_NEAR(basis.shapes(2, 2), std::sqrt(2.0), 1e-15);
}

TEST(ModalBasis, RepeatedEigenvaluesGiveIndependentShapes) {
    const Eigen::Vector4d masses = Eigen::Vector4d::Ones(), springs(1.0, 5.0, 5.0, 9.0);
    const ModalBasis basis =
        modal_basis(diagonal(masses), diagonal(springs), {}, Eigen::MatrixXd(4, 0), {4, 1.0});
    EXPECT_LT((basis.eigenvalues - springs).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LT(orthonormality_error(basis, diagonal(masses)), 1e-14);
}

TEST(ModalBasis, LanczosFindsEveryCopyOfAnEigenvalue) {
    Eigen::VectorXd springs(120);
    for (int i = 0; i < 120; ++i) springs[i] = std::pow(1 + i / 3, 2);
    const Sparse mass = diagonal(Eigen::VectorXd::Ones(120));
    const ModalBasis basis =
        modal_basis(mass, diagonal(springs), {}, Eigen::MatrixXd(120, 0), {12, 1.0});
    EXPECT_LT((basis.eigenvalues - springs.head(12)).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_LT(orthonormality_error(basis, mass), 1e-14);
}

TEST(ModalBasis, BeamClampedInTheMiddleHasEveryModeTwice) {
    const SupportedBeam body = supported(80, {{0.5 * beam.length, SupportKind::clamp}});
    const ModalBasis basis = basis_of(body, 24);
    const ModalBasis half = [] {
        fem::BeamProperties one = beam;
        one.length = 0.5 * beam.length;
        const fem::BeamMesh mesh(one.length, 40);
        return basis_of(fem::support(mesh, fem::assemble(mesh, one),
                                     std::vector<Support>{{0.0, SupportKind::clamp}},
                                     ConstraintMethod::elimination),
                        12);
    }();
    for (Eigen::Index j = 0; j < 24; ++j) {
        EXPECT_NEAR(basis.eigenvalues[j] / half.eigenvalues[j / 2], 1.0, 1e-12) << j;
    }
    EXPECT_LT(orthonormality_error(basis, body.matrices.mass), 1e-13);
}

/// Unit masses and springs between walls, in space: lambda = sum of 4 sin^2 of three directions.
struct Lattice {
    Sparse stiffness;
    std::vector<double> eigenvalues;  ///< exact, in order

    Lattice(int a, int b, int c) : stiffness(a * b * c, a * b * c) {
        std::vector<Eigen::Triplet<double>> entries;
        const auto freedom = [&](int i, int j, int k) { return (i * b + j) * c + k; };
        const auto couple = [&](int one, int other) {
            entries.emplace_back(one, other, -1.0);
            entries.emplace_back(other, one, -1.0);
        };
        const auto eigenvalue = [](int n, int j) {
            const double sine = std::sin(0.5 * j * std::numbers::pi / (n + 1));
            return 4.0 * sine * sine;
        };
        for (int i = 0; i < a; ++i) {
            for (int j = 0; j < b; ++j) {
                for (int k = 0; k < c; ++k) {
                    entries.emplace_back(freedom(i, j, k), freedom(i, j, k), 6.0);
                    if (i + 1 < a) couple(freedom(i, j, k), freedom(i + 1, j, k));
                    if (j + 1 < b) couple(freedom(i, j, k), freedom(i, j + 1, k));
                    if (k + 1 < c) couple(freedom(i, j, k), freedom(i, j, k + 1));
                    eigenvalues.push_back(eigenvalue(a, i + 1) + eigenvalue(b, j + 1) +
                                          eigenvalue(c, k + 1));
                }
            }
        }
        std::sort(eigenvalues.begin(), eigenvalues.end());
        stiffness.setFromTriplets(entries.begin(), entries.end());
    }
};

void expect_the_modes_of(const Lattice& lattice) {
    const Eigen::Index n = lattice.stiffness.rows();
    const Sparse mass = diagonal(Eigen::VectorXd::Ones(n));
    const ModalBasis basis =
        modal_basis(mass, lattice.stiffness, {}, Eigen::MatrixXd(n, 0), {30, 0.1});
    for (Eigen::Index j = 0; j < 30; ++j) {
        EXPECT_NEAR(basis.eigenvalues[j], lattice.eigenvalues[static_cast<std::size_t>(j)], 1e-13)
            << j;
    }
    EXPECT_TRUE(std::is_sorted(basis.eigenvalues.begin(), basis.eigenvalues.end()));
    EXPECT_LT(orthonormality_error(basis, mass), 1e-13);
}

TEST(ModalBasis, ModesOfALatticeWithAWideEnvelope) {
    expect_the_modes_of({11, 12, 13});
}

// As of a square bar: most eigenvalues come twice, with other last digits.
TEST(ModalBasis, CopiesOfAnEigenvalueAreInOrder) {
    expect_the_modes_of({8, 8, 11});
    expect_the_modes_of({9, 9, 13});
}

TEST(ModalBasis, RigidShapeThatIsHeldIsRefused) {
    SupportedBeam body = supported(80, pin);
    body.rigid_shapes = Eigen::MatrixXd::Ones(161, 1);
    const std::string message = message_of([&] { basis_of(body, 25); });
    EXPECT_NE(message.find("rigid mode 1 of 1 stores energy"), std::string::npos) << message;
}

TEST(ModalBasis, MissingRigidShapeIsFound) {
    SupportedBeam body = supported(80, {});
    const Eigen::MatrixXd both = body.rigid_shapes;
    body.rigid_shapes = both.leftCols(1);
    std::string message = message_of([&] { basis_of(body, 25); });
    EXPECT_NE(message.find("1 rigid modes expected, 2 found"), std::string::npos) << message;
    message = message_of([&] { basis_of(body, 162); });
    EXPECT_NE(message.find("1 rigid modes expected, 2 found"), std::string::npos) << message;
}

/// A free beam on a spring, as if it had no rigid modes but the rotation about it.
SupportedBeam on_spring(int elements, double stiffness) {
    SupportedBeam body = supported(elements, {});
    const Eigen::Index middle = elements;  // the displacement of the node in the middle
    body.matrices.stiffness.coeffRef(middle, middle) += stiffness;
    const Eigen::MatrixXd both = body.rigid_shapes;
    body.rigid_shapes = both.col(1) - both(middle, 1) * both.col(0);
    return body;
}

TEST(ModalBasis, ASoftSpringHoldsABeam) {
    const double stiffness = 1e-3, mass = beam.mass_per_length * beam.length;
    for (const int elements : {20, 80}) {
        const ModalBasis basis = basis_of(on_spring(elements, stiffness), 10);
        EXPECT_NEAR(basis.eigenvalues[1], stiffness / mass, 1e-3 * stiffness / mass);
        EXPECT_LT(basis.eigenvalues[1], 1e-8 * basis.eigenvalues[2]);
    }
}

TEST(ModalBasis, ASpringThatRoundoffHidesIsNamed) {
    const std::string message = message_of([&] { basis_of(on_spring(80, 1e-9), 10); });
    EXPECT_NE(message.find("springs may be too soft"), std::string::npos) << message;
}

TEST(ModalBasis, ASingleFreedomOfNegativeStiffnessIsRefused) {
    Eigen::SparseMatrix<double> mass(1, 1), stiffness(1, 1);
    mass.insert(0, 0) = 2.0;
    stiffness.insert(0, 0) = -0.5;
    EXPECT_EQ(message_of([&] {
                  modal::modal_basis(mass, stiffness, {}, Eigen::MatrixXd(1, 0), {1, 1.0});
              }),
              "0 rigid modes expected, 1 found: the only other eigenvalue is -0.25 1/s^2");
}

TEST(ModalBasis, TooManyOrTooFewModesAreRefused) {
    const SupportedBeam body = supported(4, {});
    EXPECT_EQ(message_of([&] { basis_of(body, 11); }),
              "11 modes wanted, 2 of them rigid, of 10 freedoms");
    EXPECT_EQ(message_of([&] { basis_of(body, 0); }),
              "0 modes wanted, 2 of them rigid, of 10 freedoms");
}

TEST(ModalBasis, MatrixThatIsNotFiniteIsRefused) {
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
        SupportedBeam body = supported(80, pin);
        body.matrices.stiffness.coeffRef(5, 5) = bad;
        EXPECT_EQ(message_of([&] { basis_of(body, 25); }), "the stiffness matrix is not finite");
        body = supported(80, pin);
        body.matrices.damping[1].coeffRef(5, 5) = bad;
        EXPECT_EQ(message_of([&] { basis_of(body, 25); }), "the damping matrix is not finite");
    }
}

TEST(ModalBasis, MatricesAndRigidShapesOfAnotherSizeAreRefused) {
    const SupportedBeam body = supported(4, {});
    const auto message = [&](const auto& change) {
        SupportedBeam other = body;
        change(other);
        return message_of([&] { basis_of(other, 5); });
    };
    EXPECT_EQ(message([](SupportedBeam& b) { b.matrices.mass = Sparse(10, 8); }),
              "the mass matrix of 10 freedoms is 10 x 8");
    EXPECT_EQ(message([](SupportedBeam& b) { b.matrices.stiffness = Sparse(8, 8); }),
              "the stiffness matrix of 10 freedoms is 8 x 8");
    EXPECT_EQ(message([](SupportedBeam& b) { b.matrices.stiffness = Sparse(10, 12); }),
              "the stiffness matrix of 10 freedoms is 10 x 12");
    EXPECT_EQ(message([](SupportedBeam& b) { b.matrices.damping[1] = Sparse(12, 12); }),
              "the damping matrix of 10 freedoms is 12 x 12");
    for (const Eigen::Index rows : {0, 8, 12}) {
        EXPECT_EQ(message([&](SupportedBeam& b) { b.rigid_shapes.setOnes(rows, 2); }),
                  "the rigid shapes of 10 freedoms have " + std::to_string(rows) + " rows");
    }
    EXPECT_EQ(message([](SupportedBeam& b) { b.rigid_shapes.setOnes(10, 11); }),
              "5 modes wanted, 11 of them rigid, of 10 freedoms");
}

TEST(ModalBasis, NegativeStiffnessIsRefused) {
    for (const Eigen::Index modes : {Eigen::Index{25}, Eigen::Index{162}}) {
        SupportedBeam body = supported(80, {});
        body.matrices.stiffness *= -1.0;
        EXPECT_NE(message_of([&] { basis_of(body, modes); }).find("not positive definite"),
                  std::string::npos)
            << modes;
    }
}

TEST(ModalBasis, MassThatIsNotDefiniteIsRefused) {
    for (const Eigen::Index modes : {Eigen::Index{25}, Eigen::Index{162}}) {
        SupportedBeam body = supported(80, {});
        body.matrices.mass.coeffRef(5, 5) = -1.0;
        EXPECT_EQ(message_of([&] { basis_of(body, modes); }),
                  "the mass matrix is not positive definite")
            << modes;
    }
}

TEST(ModalBasis, ScaleThatIsNoScaleIsRefused) {
    const SupportedBeam body = supported(8, {});
    const auto& m = body.matrices;
    for (const double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
        EXPECT_THROW(modal_basis(m.mass, m.stiffness, m.damping, body.rigid_shapes, {3, bad}),
                     core::NumericalError)
            << bad;
    }
}

}  // namespace
