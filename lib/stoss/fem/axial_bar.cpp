#include <stoss/fem/axial_bar.hpp>

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <cstddef>
#include <set>

#include <Eigen/SparseCholesky>
#include <stoss/core/error.hpp>

namespace stoss::fem {

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Index = Eigen::Index;

/// Parabolas through both ends and the middle of an element, at 0 <= s <= 1.
Eigen::Vector3d shape(double s) {
    return {(1.0 - s) * (1.0 - 2.0 * s), 4.0 * s * (1.0 - s), s * (2.0 * s - 1.0)};
}
/// Their derivatives by s.
Eigen::Vector3d slope(double s) {
    return {4.0 * s - 3.0, 4.0 - 8.0 * s, 4.0 * s - 1.0};
}

using Triplets = std::vector<Eigen::Triplet<double>>;

Sparse assembled(Index size, const Triplets& triplets) {
    Sparse matrix(size, size);
    matrix.setFromTriplets(triplets.begin(), triplets.end());
    return matrix;
}

BeamMatrices free_bar(const BeamMesh& mesh, const std::function<AxialProperties(double)>& bar,
                      std::span<const AxialMass> masses) {
    using Gauss = boost::math::quadrature::gauss<double, 6>;
    Triplets mass, stiffness, damping;
    for (int e = 0; e < mesh.elements(); ++e) {
        const double h = mesh.element_length(e);
        Eigen::Matrix3d m = Eigen::Matrix3d::Zero(), k = m, d = m;
        for (std::size_t g = 0; g < Gauss::abscissa().size(); ++g) {
            for (const double side : {-1.0, 1.0}) {
                const double s = 0.5 + 0.5 * side * Gauss::abscissa()[g];
                const double weight = 0.5 * h * Gauss::weights()[g];
                const AxialProperties at = bar(mesh.node_position(e) + s * h);
                const Eigen::Vector3d u = shape(s), strain = slope(s) / h;
                m += weight * at.mass_per_length * u * u.transpose();
                k += weight * at.stiffness * strain * strain.transpose();
                d += weight * at.internal_damping * strain * strain.transpose();
            }
        }
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                mass.emplace_back(2 * e + i, 2 * e + j, m(i, j));
                stiffness.emplace_back(2 * e + i, 2 * e + j, k(i, j));
                damping.emplace_back(2 * e + i, 2 * e + j, d(i, j));
            }
        }
    }
    for (const AxialMass& each : masses) mass.emplace_back(2 * each.node, 2 * each.node, each.mass);
    const Index size = 2 * mesh.elements() + 1;
    return {assembled(size, mass), assembled(size, stiffness), {assembled(size, damping)}};
}

}  // namespace

SupportedBeam axial_bar(const BeamMesh& mesh, const std::function<AxialProperties(double)>& bar,
                        std::span<const AxialMass> masses, std::span<const int> held) {
    SupportedBeam made{free_bar(mesh, bar, masses), {}, {}, 2 * mesh.elements() + 1};
    const std::set<int> still(held.begin(), held.end());
    for (Index i = 0; i < made.dofs; ++i)
        if (i % 2 != 0 || !still.contains(static_cast<int>(i / 2))) made.remaining.push_back(i);
    made.rigid_shapes = Eigen::MatrixXd::Ones(made.dofs, still.empty() ? 1 : 0);
    if (!still.empty()) reduce_to_remaining(made);
    return made;
}

Eigen::SparseVector<double> axial_interpolation(const BeamMesh& mesh, double x) {
    int e = 0;
    while (e + 1 < mesh.elements() && x > mesh.node_position(e + 1)) ++e;
    const Eigen::Vector3d values = shape((x - mesh.node_position(e)) / mesh.element_length(e));
    Eigen::SparseVector<double> all(2 * mesh.elements() + 1);
    for (int i = 0; i < 3; ++i) all.insert(2 * e + i) = values[i];
    return all;
}

Eigen::MatrixXd axial_deflections(const SupportedBeam& bar, std::span<const Index> loaded) {
    const Index size = bar.matrices.stiffness.rows();
    Eigen::MatrixXd loads = Eigen::MatrixXd::Zero(size, static_cast<Index>(loaded.size()));
    for (std::size_t k = 0; k < loaded.size(); ++k) {
        const auto at = std::ranges::find(bar.remaining, loaded[k]);
        if (at != bar.remaining.end())
            loads(at - bar.remaining.begin(), static_cast<Index>(k)) = 1.0;
    }
    const bool is_free = bar.rigid_shapes.cols() > 0;
    Eigen::VectorXd rigid;
    if (is_free) {
        const Eigen::VectorXd& ones = bar.rigid_shapes.col(0);
        rigid = ones / std::sqrt(ones.dot(bar.matrices.mass * ones));
        loads -= (bar.matrices.mass * rigid) * (rigid.transpose() * loads).eval();
    }
    // The first displacement of a free bar is held at 0; its rigid motion is taken out after that.
    const Index first = is_free ? 1 : 0, rest = size - first;
    const Sparse stiffness = bar.matrices.stiffness.bottomRightCorner(rest, rest);
    const Eigen::SimplicialLDLT<Sparse> solver(stiffness);
    if (solver.info() != Eigen::Success)
        throw core::NumericalError("the axial stiffness of a beam is not positive definite");
    Eigen::MatrixXd deflections = Eigen::MatrixXd::Zero(size, loads.cols());
    deflections.bottomRows(rest) = solver.solve(loads.bottomRows(rest));
    if (is_free)
        deflections -= rigid * (rigid.transpose() * (bar.matrices.mass * deflections)).eval();
    return deflections;
}

}  // namespace stoss::fem
