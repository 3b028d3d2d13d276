#include <models/beam_body_slopes.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include <models/beam_matrices.hpp>
#include <stoss/fem/constraints.hpp>
#include <stoss/fem/static_compliance.hpp>
#include <stoss/modal/modal_slopes.hpp>

namespace stoss::models {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

Sparse sum(const std::vector<Sparse>& terms) {
    Sparse all = terms.front();
    for (std::size_t i = 1; i < terms.size(); ++i) all += terms[i];
    return all;
}

/// The derivative of Phi_r^T M S. A unit rotation, the last of the rigid shapes S, grows in scaled
/// freedoms as the length.
Eigen::MatrixXd momenta_slope(const fem::BeamMesh& mesh, const fem::SupportedBeam& supported,
                              const modal::ModalBasis& basis, const modal::ModalSlopes& slopes,
                              const Sparse& mass, double relative_length_slope) {
    const Eigen::MatrixXd& shapes = supported.rigid_shapes;
    const Eigen::MatrixXd rigid = basis.shapes.leftCols(basis.rigid);
    Eigen::MatrixXd slope =
        slopes.shapes.leftCols(basis.rigid).transpose() * (supported.matrices.mass * shapes) +
        rigid.transpose() * (mass * shapes);
    if (shapes.cols() == 0) return slope;
    const Eigen::VectorXd last = shapes.col(shapes.cols() - 1);
    const Eigen::MatrixXd all = supported.expand(last);
    bool turns = false;
    for (int node = 0; node < mesh.nodes(); ++node) turns |= all(mesh.theta(node), 0) != 0.0;
    if (turns) {
        slope.col(shapes.cols() - 1) +=
            relative_length_slope * (rigid.transpose() * (supported.matrices.mass * last));
    }
    return slope;
}

/// The part of a matrix by which it changes as a whole.
double common_slope(const Sparse& matrix, const Sparse& change) {
    return change.cwiseProduct(matrix).sum() / matrix.squaredNorm();
}

/// True if the matrix changes by that part and no more than `small` beside it.
bool changes_by(const Sparse& matrix, const Sparse& change, double part, double small) {
    const Sparse rest = change - part * matrix;
    // A soft spring is seen on the diagonal, where nothing cancels.
    const Eigen::ArrayXd diagonal = matrix.diagonal().array().abs();
    return rest.norm() <= small * matrix.norm() &&
           (rest.diagonal().array().abs() <= small * diagonal).all();
}

/// If nothing is damped, all mass changes by the same part, and all stiffness too
/// (theory/gradients.md 26.20, 26.21).
std::optional<ModeScaling> mode_scaling(const fem::BeamMatrices& matrices,
                                        const modal::ModalBasis& basis,
                                        const modal::MatrixSlopes& by_matrices) {
    constexpr double roundoff = 1e-11;
    const double mass = common_slope(matrices.mass, by_matrices.mass);
    const double stiffness = common_slope(matrices.stiffness, by_matrices.stiffness);
    const double small = roundoff * std::max(std::abs(mass), std::abs(stiffness));
    const bool scales = small > 0.0 && basis.damping.isZero(0.0) &&
                        changes_by(matrices.mass, by_matrices.mass, mass, small) &&
                        changes_by(matrices.stiffness, by_matrices.stiffness, stiffness, small);
    if (!scales) return std::nullopt;
    const bool has_same_mass = std::abs(mass) <= small;
    return has_same_mass ? ModeScaling{0.5 * stiffness, 0.0}
                         : ModeScaling{0.5 * (stiffness - mass), -0.5 * mass};
}

}  // namespace

BeamBodySlope BeamBodySlope::none(const BeamBody& body) {
    const modal::ModalBasis& basis = body.basis;
    BeamBodySlope slope;
    slope.modes = {Eigen::VectorXd::Zero(basis.modes()), Eigen::VectorXd::Zero(basis.modes()),
                   Eigen::MatrixXd::Zero(basis.shapes.rows(), basis.modes())};
    slope.rigid_momenta =
        Eigen::MatrixXd::Zero(body.rigid_momenta.rows(), body.rigid_momenta.cols());
    const Eigen::Index freedoms = body.mesh.w(1) + 2;
    slope.compliance.assign(static_cast<std::size_t>(body.mesh.elements()),
                            Eigen::MatrixXd::Zero(freedoms, freedoms));
    return slope;
}

std::vector<BeamBodySlope> beam_body_slopes(const BeamBody& body, const Beam& beam,
                                            const Mesh& options,
                                            std::span<const BeamFamily> families) {
    const fem::BeamMesh& mesh = body.mesh;
    const fem::SupportedBeam supported = supported_beam(beam, options);
    modal::ModalBasis basis = body.basis;
    basis.shapes = Eigen::MatrixXd(body.basis.shapes)(supported.remaining, Eigen::all);
    std::vector<fem::BeamMatrices> whole;
    std::vector<modal::MatrixSlopes> remaining;
    for (const BeamFamily& family : families) {
        const fem::BeamMatrices free = matrix_slopes(mesh, family.stencil, family.beams);
        const fem::SupportedBeam held = fem::support(mesh, free, fem_supports(beam),
                                                     options.constraints, options.penalty_factor);
        const bool is_penalty = options.constraints == fem::ConstraintMethod::penalty;
        whole.push_back(is_penalty ? held.matrices : free);
        remaining.push_back(
            {held.matrices.mass, held.matrices.stiffness, sum(held.matrices.damping)});
    }
    const std::vector<modal::ModalSlopes> modes =
        modal::modal_slopes(basis, supported.matrices.mass, supported.matrices.stiffness,
                            supported.matrices.damping, remaining);
    std::vector<std::vector<Eigen::MatrixXd>> compliance(families.size());
    if (options.residual_flexibility) {
        compliance = fem::compliance_slopes(mesh, whole_matrices(beam, mesh, options),
                                            held_freedoms(beam, mesh, options),
                                            body.basis.shapes.leftCols(basis.rigid), whole);
    }
    std::vector<BeamBodySlope> slopes;
    for (std::size_t p = 0; p < families.size(); ++p) {
        double by_length = 0.0;
        for (std::size_t i = 0; i < families[p].beams.size(); ++i)
            by_length += families[p].stencil.weight(i) * families[p].beams[i].length;
        slopes.push_back({modes[p],
                          momenta_slope(mesh, supported, basis, modes[p], remaining[p].mass,
                                        by_length / mesh.length()),
                          compliance[p], mode_scaling(supported.matrices, basis, remaining[p])});
        slopes.back().modes.shapes = supported.expand(modes[p].shapes);
    }
    return slopes;
}

}  // namespace stoss::models
