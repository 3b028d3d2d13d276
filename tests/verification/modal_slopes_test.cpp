/// Derivatives of modes by properties of a beam, alone and through a collision
/// (docs/theory/gradients.md).

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <stoss/core/error.hpp>
#include <stoss/fem/constraints.hpp>
#include <stoss/impact/gradient.hpp>
#include <stoss/modal/modal_body.hpp>
#include <stoss/modal/modal_slopes.hpp>

#include "aluminium_beam.hpp"
#include "message_of.hpp"

namespace stoss {
namespace {

using Eigen::Index;
using fem::SupportedBeam;
using modal::MatrixSlopes;
using modal::ModalBasis;
using modal::ModalSlopes;
using tests::message_of;
using Numbers = std::array<double, 7>;  // EI, mu, c_e, c_i I, a mass, its inertia, a spring

constexpr Index modes = 8;
constexpr double place = 0.173;  // of the contact [m]

/// A beam with a mass at one node, on a pin and a spring if it is held.
SupportedBeam beam_of(const Numbers& p, bool held, int elements = 20) {
    fem::BeamProperties beam = tests::aluminium_beam();
    beam.bending_stiffness = p[0];
    beam.mass_per_length = p[1];
    beam.external_damping = p[2];
    beam.internal_damping = p[3];
    const fem::BeamMesh mesh(beam.length, elements);
    fem::BeamMatrices matrices = fem::assemble(mesh, beam);
    std::vector<fem::NodeProperties> nodes{{elements / 4, p[4], p[5], 0.0, 0.0}};
    if (held) nodes.push_back({17 * elements / 20, 0.0, 0.0, p[6], 0.0});
    fem::add(mesh, matrices, nodes);
    const std::vector<fem::Support> pins(held ? 1 : 0, {0.0, fem::SupportKind::pin});
    return fem::support(mesh, matrices, pins, fem::ConstraintMethod::elimination, 1e3, nodes);
}

Numbers numbers() {
    const fem::BeamProperties beam = tests::aluminium_beam(3.0, 1e6);
    return {beam.bending_stiffness,
            beam.mass_per_length,
            beam.external_damping,
            beam.internal_damping,
            0.02,
            3e-6,
            4e4};
}

ModalBasis basis_of(const SupportedBeam& body) {
    return modal::modal_basis(body.matrices.mass, body.matrices.stiffness, body.matrices.damping,
                              body.rigid_shapes,
                              {modes, tests::eigenvalue_scale(tests::aluminium_beam())});
}

Eigen::SparseMatrix<double> sum(const std::vector<Eigen::SparseMatrix<double>>& terms) {
    Eigen::SparseMatrix<double> all = terms.front();
    for (std::size_t i = 1; i < terms.size(); ++i) all += terms[i];
    return all;
}

/// The matrices are linear in every number: twice the number less once is exact.
std::vector<MatrixSlopes> matrix_slopes(bool held, int elements = 20) {
    const SupportedBeam once = beam_of(numbers(), held, elements);
    std::vector<MatrixSlopes> slopes;
    for (std::size_t i = 0; i < (held ? 7U : 6U); ++i) {
        Numbers doubled = numbers();
        doubled[i] *= 2.0;
        const SupportedBeam twice = beam_of(doubled, held, elements);
        const double p = numbers()[i];
        slopes.push_back({(twice.matrices.mass - once.matrices.mass) / p,
                          (twice.matrices.stiffness - once.matrices.stiffness) / p,
                          (sum(twice.matrices.damping) - sum(once.matrices.damping)) / p});
    }
    return slopes;
}

std::vector<ModalSlopes> slopes_of(bool held) {
    const SupportedBeam body = beam_of(numbers(), held);
    return modal::modal_slopes(basis_of(body), body.matrices.mass, body.matrices.stiffness,
                               body.matrices.damping, matrix_slopes(held));
}

/// Central difference of fourth order over the number i.
template <class F>
auto difference(std::size_t i, double relative, F value) -> decltype(value(numbers())) {
    const double h = relative * numbers()[i];
    const auto at = [&](double steps) {
        Numbers p = numbers();
        p[i] += steps * h;
        return value(p);
    };
    return (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / (12.0 * h);
}

TEST(ModalSlopes, AgreeWithDifferencesOfModes) {
    for (const bool held : {false, true}) {
        const std::vector<ModalSlopes> slopes = slopes_of(held);
        const ModalBasis basis = basis_of(beam_of(numbers(), held));
        for (std::size_t i = 0; i < slopes.size(); ++i) {
            const double p = numbers()[i];
            const auto expect_same = [&](const auto& slope, auto member, const auto& scale) {
                const auto change = difference(i, 2e-3, [&](const Numbers& q) -> Eigen::ArrayXXd {
                    return (basis_of(beam_of(q, held)).*member).array();
                });
                const Eigen::ArrayXXd error = (Eigen::ArrayXXd(change) - slope.array()).abs() * p;
                EXPECT_LT((error / scale).maxCoeff(), 1e-9) << "number " << i << ", held " << held;
            };
            expect_same(slopes[i].eigenvalues, &ModalBasis::eigenvalues,
                        basis.eigenvalues.array().max(1.0));
            expect_same(slopes[i].damping, &ModalBasis::damping, basis.damping.array());
            expect_same(slopes[i].shapes, &ModalBasis::shapes, basis.shapes.cwiseAbs().maxCoeff());
        }
    }
}

/// What the rounding of K - lambda M would change grows with the fourth power of the elements. How
/// the end of the beam moves in each mode changes with the spring as on fewer elements.
TEST(ModalSlopes, OfAFineMeshHaveTheDigitsOfACoarseOne) {
    const auto at_end = [&](int elements) -> Eigen::RowVectorXd {
        const SupportedBeam body = beam_of(numbers(), true, elements);
        const std::vector<MatrixSlopes> by_spring{matrix_slopes(true, elements).back()};
        const Eigen::MatrixXd shapes =
            modal::modal_slopes(basis_of(body), body.matrices.mass, body.matrices.stiffness,
                                body.matrices.damping, by_spring)
                .front()
                .shapes;
        return shapes.row(shapes.rows() - 2).cwiseAbs();  // the sign of a shape is free
    };
    const Eigen::RowVectorXd coarse = at_end(200), fine = at_end(1000);
    EXPECT_LT((fine - coarse).cwiseAbs().maxCoeff(), 1e-7 * coarse.maxCoeff());
}

/// All stiffnesses c times as large: eigenvalues too, shapes the same. All masses: eigenvalues fall
/// as 1/c, shapes as 1/sqrt(c).
TEST(ModalSlopes, ScalingsHaveClosedForms) {
    for (const bool held : {false, true}) {
        const SupportedBeam body = beam_of(numbers(), held);
        const ModalBasis basis = basis_of(body);
        const std::vector<MatrixSlopes> scalings{{{}, body.matrices.stiffness, {}},
                                                 {body.matrices.mass, {}, {}},
                                                 {{}, {}, sum(body.matrices.damping)}};
        const auto slopes = modal::modal_slopes(basis, body.matrices.mass, body.matrices.stiffness,
                                                body.matrices.damping, scalings);
        const double largest = basis.eigenvalues.maxCoeff(),
                     highest = basis.shapes.cwiseAbs().maxCoeff();
        EXPECT_LT((slopes[0].eigenvalues - basis.eigenvalues).cwiseAbs().maxCoeff(),
                  1e-12 * largest);
        EXPECT_LT(slopes[0].shapes.cwiseAbs().maxCoeff(), 1e-11 * highest);
        EXPECT_LT((slopes[1].eigenvalues + basis.eigenvalues).cwiseAbs().maxCoeff(),
                  1e-12 * largest);
        EXPECT_LT((slopes[1].shapes + 0.5 * basis.shapes).cwiseAbs().maxCoeff(), 1e-11 * highest);
        EXPECT_LT((slopes[1].damping + basis.damping).cwiseAbs().maxCoeff(),
                  1e-10 * basis.damping.maxCoeff());
        EXPECT_LT((slopes[2].damping - basis.damping).cwiseAbs().maxCoeff(),
                  1e-12 * basis.damping.maxCoeff());
    }
}

TEST(ModalSlopes, EqualEigenvaluesAreRefusedWithTheReason) {
    Eigen::SparseMatrix<double> one(3, 3), stiffness(3, 3);
    one.setIdentity();
    stiffness.insert(0, 0) = 1.0;
    stiffness.insert(1, 1) = stiffness.insert(2, 2) = 4.0;
    const ModalBasis basis{Eigen::Vector3d(1.0, 4.0, 4.0), Eigen::Vector3d::Zero(),
                           Eigen::Matrix3d::Identity()};
    const std::vector<MatrixSlopes> parameter{{{}, one, {}}};
    const std::string words =
        message_of([&] { modal::modal_slopes(basis, one, stiffness, {}, parameter); });
    EXPECT_NE(words.find("modes 2 and 3 have equal eigenvalues"), std::string::npos) << words;
}

TEST(ModalSlopes, ASpringUnderAFreeBeamIsRefused) {
    const SupportedBeam body = beam_of(numbers(), false);
    MatrixSlopes spring;
    spring.stiffness.resize(body.matrices.mass.rows(), body.matrices.mass.cols());
    spring.stiffness.insert(4, 4) = 1.0;
    const std::string words = message_of([&] {
        modal::modal_slopes(basis_of(body), body.matrices.mass, body.matrices.stiffness, {},
                            std::vector{spring});
    });
    EXPECT_NE(words.find("gives it stiffness"), std::string::npos) << words;
    spring.stiffness.resize(3, 3);
    const std::string size = message_of([&] {
        modal::modal_slopes(basis_of(body), body.matrices.mass, body.matrices.stiffness, {},
                            std::vector{spring});
    });
    EXPECT_NE(size.find("is 3 x 3"), std::string::npos) << size;
}

/// A sphere strikes the beam, which is at rest.
impact::CollisionWithGradients collide(const Numbers& p, bool held) {
    const SupportedBeam body = beam_of(p, held);
    const fem::BeamMesh mesh(tests::aluminium_beam().length, 20);
    ModalBasis basis = basis_of(body);
    basis.shapes = body.expand(basis.shapes);
    const modal::ModalBody beam = modal::modal_body(basis, mesh.interpolation(place));
    const modal::ModalBody sphere = modal::point_mass(0.01);
    const std::vector<double> still(beam.rigid, 0.0), rate{-std::sqrt(0.01) * 0.4};  // 0.4 m/s
    const std::array wanted{impact::Quantity::cor_kinematic, impact::Quantity::impulse};
    return impact::collide_with_gradients({sphere, rate}, {beam, still}, {contact::Hertz{{}, 2e9}},
                                          time::Splitting{1e-12}, 1.0, wanted);
}

TEST(ModalSlopes, GiveGradientsOfACollisionByPropertiesOfTheBeam) {
    const fem::BeamMesh mesh(tests::aluminium_beam().length, 20);
    for (const bool held : {false, true}) {
        const impact::CollisionWithGradients collision = collide(numbers(), held);
        ASSERT_EQ(collision.gradients.size(), 2U);
        const SupportedBeam body = beam_of(numbers(), held);
        const std::vector<ModalSlopes> slopes = slopes_of(held);
        for (const impact::CollisionGradient& gradient : collision.gradients) {
            for (std::size_t i = 0; i < slopes.size(); ++i) {
                const Eigen::VectorXd phi =
                    body.expand(slopes[i].shapes).transpose() * mesh.interpolation(place);
                double slope = 0.0;
                for (Index j = 0; j < modes; ++j) {
                    const auto k = static_cast<std::size_t>(j);
                    slope += gradient.second.eigenvalues[k] * slopes[i].eigenvalues[j] +
                             gradient.second.damping[k] * slopes[i].damping[j] +
                             gradient.second.phi[k] * phi[j];
                }
                const double expected = difference(i, 1e-3, [&](const Numbers& p) {
                    return impact::value_of(collide(p, held).result, gradient.quantity);
                });
                const double size =
                    impact::value_of(collision.result, gradient.quantity) / numbers()[i];
                EXPECT_NEAR(slope / size, expected / size, 1e-7)
                    << "number " << i << ", held " << held;
            }
        }
    }
}

}  // namespace
}  // namespace stoss
