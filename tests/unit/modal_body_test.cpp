#include <stoss/modal/modal_basis.hpp>
#include <stoss/modal/modal_body.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using namespace stoss::modal;

TEST(ModalBody, PointMassIsOneRigidMode) {
    const ModalBody body = point_mass(0.25);
    EXPECT_EQ(body.modes(), 1u);
    EXPECT_EQ(body.rigid, 1u);
    EXPECT_EQ(body.eigenvalues, std::vector{0.0});
    EXPECT_EQ(body.damping, std::vector{0.0});
    EXPECT_EQ(body.phi, std::vector{2.0});
}

TEST(ModalBody, InfiniteMassHasNoModes) {
    const ModalBody body = point_mass(std::numeric_limits<double>::infinity());
    EXPECT_EQ(body.modes(), 0u);
    EXPECT_EQ(body.rigid, 0u);
    EXPECT_TRUE(body.eigenvalues.empty());
}

TEST(ModalBody, SeesTheShapesAtTheContactPoint) {
    ModalBasis basis;
    basis.eigenvalues = Eigen::Vector2d(0.0, 9.0);
    basis.damping = Eigen::Vector2d(0.0, 0.5);
    basis.shapes = Eigen::MatrixXd{{1.0, 2.0}, {3.0, -4.0}, {5.0, 6.0}};
    basis.rigid = 1;
    Eigen::SparseVector<double> place(3);
    place.insert(0) = 0.5;
    place.insert(1) = 0.25;
    const ModalBody body = modal_body(basis, place);
    EXPECT_EQ(body.eigenvalues, (std::vector{0.0, 9.0}));
    EXPECT_EQ(body.damping, (std::vector{0.0, 0.5}));
    EXPECT_EQ(body.phi, (std::vector{1.25, 0.0}));
    EXPECT_EQ(body.rigid, 1u);
}

TEST(ModalBody, ItsLowestModesHaveTheirPartOfTheCouplingOfTheFirstModes) {
    const ModalBody body{{0.0, 4.0, 9.0, 25.0},
                         {0.0, 0.1, 0.2, 0.3},
                         {1.0, 1.0, 1.0, 1.0},
                         1,
                         Eigen::MatrixXd{{1.0, 2.0}, {2.0, 3.0}}};
    EXPECT_EQ(with_lowest_modes(body, 3).coupled_damping, body.coupled_damping);
    EXPECT_EQ(with_lowest_modes(body, 2).coupled_damping, body.coupled_damping);
    EXPECT_EQ(with_lowest_modes(body, 1).coupled_damping, (Eigen::MatrixXd{{1.0}}));
}

}  // namespace
