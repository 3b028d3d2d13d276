#include <stoss/core/error.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/text.hpp>
#include <stoss/fem/constraints.hpp>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

namespace stoss::fem {

namespace {

using Eigen::Index;
using Sparse = Eigen::SparseMatrix<double>;

std::optional<int> nearest_node(double length, int elements, double x) {
    const double place = x / length * elements;
    const double node = std::round(place);
    if (!(std::abs(place - node) <= node_tolerance * elements)) return std::nullopt;
    return static_cast<int>(node);
}

/// Support `at` is at no node.
core::Violation off_nodes(const BeamMesh& mesh, std::span<const Support> supports, std::size_t at) {
    std::vector<double> places;
    for (const Support& support : supports) places.push_back(support.x);
    const ElementCounts counts = admissible_elements(mesh.length(), places, mesh.elements());
    std::string hint;
    if (counts.below) hint = std::to_string(*counts.below);
    if (counts.above) hint += (hint.empty() ? "" : " or ") + std::to_string(*counts.above);
    if (!hint.empty()) hint += " elements put every support on a node";
    return {"supports[" + std::to_string(at) + "].x", core::with_unit(supports[at].x, "m"),
            "must be at a node of the " + std::to_string(mesh.elements()) + " elements", hint};
}

/// Rigid motions that leave `still` freedoms at rest: the null space of their rows of the rigid
/// shapes (theory/supports.md 3.4), over all freedoms.
Eigen::MatrixXd free_rigid_shapes(const BeamMesh& mesh, const std::set<Index>& still) {
    Eigen::MatrixXd shapes = mesh.rigid_body_shapes();
    if (still.empty()) return shapes;
    // In one unit, the length: a rotation by 1/length moves a point by up to 1/2.
    const Eigen::Vector2d unit(1.0, 1.0 / mesh.length());
    Eigen::Matrix2d gram = Eigen::Matrix2d::Zero();
    for (int node = 0; node < mesh.nodes(); ++node) {
        const std::pair<Index, double> freedoms[] = {{mesh.w(node), 1.0},
                                                     {mesh.theta(node), mesh.length()}};
        for (const auto& [freedom, scale] : freedoms) {
            if (!still.contains(freedom)) continue;
            const Eigen::Vector2d row = scale * shapes.row(freedom).transpose().cwiseProduct(unit);
            gram += row * row.transpose();
        }
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> solver(gram);
    // Two pins one of `most_elements` apart give 1e-9 here, one pin gives roundoff.
    const double zero = 1e-13 * solver.eigenvalues()[1];
    if (solver.eigenvalues()[0] > zero) return {shapes.rows(), 0};
    const Eigen::Vector2d null = solver.eigenvectors().col(0);
    if (std::abs(null[1]) < 1e-9) return shapes.col(0);  // only the rotation is held
    const Eigen::Vector2d motion = null.cwiseProduct(unit);
    shapes = (shapes * motion / motion[1]).eval();  // unit angle, in the positive sense
    for (const Index freedom : still) shapes.row(freedom).setZero();
    return shapes;
}

void add_penalty(const BeamMesh& mesh, Sparse& stiffness, const std::set<Index>& held,
                 double factor) {
    double deflections = 0.0, rotations = 0.0;
    const Eigen::VectorXd diagonal = stiffness.diagonal();
    for (int node = 0; node < mesh.nodes(); ++node) {
        deflections += diagonal[mesh.w(node)];
        rotations += diagonal[mesh.theta(node)];
    }
    for (int node = 0; node < mesh.nodes(); ++node) {
        const Index w = mesh.w(node), theta = mesh.theta(node);
        if (held.contains(w)) stiffness.coeffRef(w, w) += factor * deflections;
        if (held.contains(theta)) stiffness.coeffRef(theta, theta) += factor * rotations;
    }
}

/// 0/1 matrix that picks the rows `remaining` out of `dofs`.
Sparse selection(const std::vector<Index>& remaining, Index dofs) {
    Sparse pick(static_cast<Index>(remaining.size()), dofs);
    for (std::size_t i = 0; i < remaining.size(); ++i) {
        pick.insert(static_cast<Index>(i), remaining[i]) = 1.0;
    }
    pick.makeCompressed();
    return pick;
}

}  // namespace

std::vector<Index> held_freedoms(const BeamMesh& mesh, std::span<const Support> supports) {
    std::set<Index> held;
    for (std::size_t i = 0; i < supports.size(); ++i) {
        const std::optional<int> node = mesh.node_at(supports[i].x);
        if (!node) core::throw_if_any({off_nodes(mesh, supports, i)});
        const SupportKind kind = supports[i].kind;
        if (kind != SupportKind::slider) held.insert(mesh.w(*node));
        if (kind != SupportKind::pin) held.insert(mesh.theta(*node));
    }
    return {held.begin(), held.end()};
}

ElementCounts admissible_elements(double length, std::span<const double> places, int wanted) {
    const auto fits = [&](int elements) {
        return std::all_of(places.begin(), places.end(),
                           [&](double x) { return nearest_node(length, elements, x).has_value(); });
    };
    ElementCounts counts{fits(wanted), std::nullopt, std::nullopt};
    if (counts.admissible) return counts;
    for (int n = wanted - 1; n >= 1 && !counts.below; --n) {
        if (fits(n)) counts.below = n;
    }
    for (int n = wanted + 1; n <= most_elements && !counts.above; ++n) {
        if (fits(n)) counts.above = n;
    }
    return counts;
}

Eigen::MatrixXd SupportedBeam::expand(const Eigen::MatrixXd& vectors) const {
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(dofs, vectors.cols());
    for (std::size_t i = 0; i < remaining.size(); ++i) {
        all.row(remaining[i]) = vectors.row(static_cast<Index>(i));
    }
    return all;
}

void reduce_to_remaining(SupportedBeam& beam) {
    const Sparse pick = selection(beam.remaining, beam.dofs);
    const auto reduce = [&](Sparse& matrix) { matrix = (pick * matrix * pick.transpose()).eval(); };
    reduce(beam.matrices.mass);
    reduce(beam.matrices.stiffness);
    for (Sparse& term : beam.matrices.damping) reduce(term);
    beam.rigid_shapes = (pick * beam.rigid_shapes).eval();
}

SupportedBeam support(const BeamMesh& mesh, const BeamMatrices& matrices,
                      std::span<const Support> supports, ConstraintMethod method,
                      double penalty_factor, std::span<const NodeProperties> springs) {
    const std::vector<Index> places = held_freedoms(mesh, supports);
    const std::set<Index> held(places.begin(), places.end());
    std::set<Index> still = held;
    for (const NodeProperties& at : springs) {
        if (at.translation_stiffness > 0.0) still.insert(mesh.w(at.node));
        if (at.rotation_stiffness > 0.0) still.insert(mesh.theta(at.node));
    }
    SupportedBeam result{matrices, free_rigid_shapes(mesh, still), {}, mesh.dofs()};
    const bool penalty = method == ConstraintMethod::penalty;
    if (penalty) add_penalty(mesh, result.matrices.stiffness, held, penalty_factor);
    for (Index i = 0; i < mesh.dofs(); ++i) {
        if (penalty || !held.contains(i)) result.remaining.push_back(i);
    }
    if (!penalty) reduce_to_remaining(result);
    return result;
}

}  // namespace stoss::fem
