#include <models/beam_residual.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include <Eigen/Eigenvalues>

namespace stoss::models {

namespace {

/// That of a viscoelastic beam is its own. Others get the one that impact::collide gives a pair
/// whose law damps from the onset on.
std::optional<ResidualMode> mode_of(const BeamBody& body) {
    if (body.residual_mode) return body.residual_mode;
    const modal::ModalBasis& basis = body.basis;
    if (basis.modes() == basis.rigid) return std::nullopt;
    constexpr double ratio = modal::residual_eigenvalue_of_bending;
    const Eigen::Index last = basis.modes() - 1;
    return ResidualMode{ratio * basis.eigenvalues[last], ratio * basis.damping[last]};
}

}  // namespace

Eigen::Index BeamResidual::at(double xi) const {
    return std::lower_bound(places.begin(), places.end(), xi) - places.begin();
}

BeamResidual residual_as_modes(BeamResidual residual, const ResidualMode& mode) {
    const Eigen::MatrixXd flexibility = residual.flexibility;
    residual.flexibility.setZero();
    if (flexibility.size() == 0) return residual;
    // R = sum of u u^T over eigenvectors u of this length: each one is a mode of shape u
    // sqrt(lambda).
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(flexibility);
    const double least = 1e-12 * std::max(0.0, solver.eigenvalues().maxCoeff());
    residual.shapes.resize(flexibility.rows(), 0);
    for (Eigen::Index k = 0; k < flexibility.rows(); ++k) {
        const double part = solver.eigenvalues()[k];
        if (!(part > least)) continue;
        const Eigen::Index column = residual.shapes.cols();
        residual.shapes.conservativeResize(Eigen::NoChange, column + 1);
        residual.shapes.col(column) =
            std::sqrt(part * mode.eigenvalue) * solver.eigenvectors().col(k);
        residual.modes.push_back(mode);
    }
    return residual;
}

BeamResidual residual_of(const BeamBody& body, std::vector<double> places, bool as_modes) {
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    BeamResidual residual;
    residual.flexibility = body.residual_flexibility(places);
    residual.places = std::move(places);
    if (!body.compliance || !(as_modes || body.residual_mode)) return residual;
    if (const std::optional<ResidualMode> mode = mode_of(body))
        return residual_as_modes(std::move(residual), *mode);
    residual.flexibility.setZero();
    return residual;
}

}  // namespace stoss::models
