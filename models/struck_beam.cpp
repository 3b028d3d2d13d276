#include <models/struck_beam.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <stoss/core/elementary.hpp>

namespace stoss::models {

namespace {

/// The lowest axial frequency of a free bar [rad/s] (theory/collision.md 6.11); the k-th is k times
/// as high.
double lowest_axial_frequency(const Beam& beam) {
    return std::numbers::pi / beam.length *
           std::sqrt(beam.material.youngs_modulus / beam.material.density);
}

/// d_k [1/s] of an axial mode (theory/collision.md 6.11).
double axial_damping(const Beam& beam, double eigenvalue) {
    return beam.internal_damping / beam.material.youngs_modulus * eigenvalue;
}

/// As many as there are of bending, because the waves along the axis may be all that the contact
/// excites; and all up to the frequency of the fastest one of bending.
Eigen::Index axial_modes(const modal::ModalBasis& bending, double slowest) {
    const double fastest = std::sqrt(bending.eigenvalues[bending.modes() - 1]);
    return std::max(bending.modes(), static_cast<Eigen::Index>(fastest / slowest));
}

}  // namespace

StruckBeam::StruckBeam(const Beam& beam, double inclination, std::shared_ptr<const BeamBody> body)
    : beam_(beam), inclination_(inclination), body_(std::move(body)) {
    if (body_->residual_mode) residual_modes_.push_back(*body_->residual_mode);
    if (inclination_ == 0.0) return;
    const double slowest = lowest_axial_frequency(beam_);
    const Eigen::Index axial = axial_modes(basis(), slowest);
    for (Eigen::Index k = 1; k <= axial; ++k)
        axial_frequencies_.push_back(static_cast<double>(k) * slowest);
    if (!body_->residual_mode) return;
    // Waves along the axis and waves of shear have the same order: lambda ~ k^2.
    const double highest = axial_frequencies_.back() * axial_frequencies_.back();
    const double eigenvalue = modal::residual_eigenvalue_of_shear * highest;
    residual_modes_.push_back({eigenvalue, axial_damping(beam_, eigenvalue)});
}

modal::ModalBody StruckBeam::at(double xi) const {
    modal::ModalBody body = body_->bending_at(xi);
    for (const double omega : axial_frequencies_) {
        body.eigenvalues.push_back(omega * omega);
        body.damping.push_back(axial_damping(beam_, omega * omega));
    }
    for (const ResidualMode& each : residual_modes_) {
        body.eigenvalues.push_back(each.eigenvalue);
        body.damping.push_back(each.damping);
    }
    Eigen::VectorXd phi;
    body.residual_flexibility = shapes_at(xi, phi);
    body.phi.assign(phi.begin(), phi.end());
    return body;
}

double StruckBeam::shapes_at(double xi, Eigen::VectorXd& phi) const {
    const Eigen::Index modes = basis().modes();
    const auto axial = static_cast<Eigen::Index>(axial_frequencies_.size());
    const auto residual_modes = static_cast<Eigen::Index>(residual_modes_.size());
    const double across = core::cos(inclination_), along = core::sin(inclination_);
    phi.resize(modes + axial + residual_modes);
    phi.head(modes) = body_->shapes_at(xi);
    const double of_bending = body_->residual_flexibility(xi, phi);
    double of_axial = 0.0;
    if (inclination_ != 0.0) {
        phi.segment(1, modes - 1) *= across;  // all but the translation
        const double largest = along * std::sqrt(2.0 / beam_.mass());
        for (Eigen::Index k = 0; k < axial; ++k) {
            phi[modes + k] =
                largest * core::cos(std::numbers::pi * static_cast<double>(k + 1) * xi);
        }
        of_axial = axial_residual_flexibility(xi);
    }
    if (residual_modes_.empty()) return across * across * of_bending + along * along * of_axial;
    const std::array roots{across * std::sqrt(of_bending * residual_modes_.front().eigenvalue),
                           along * std::sqrt(of_axial * residual_modes_.back().eigenvalue)};
    for (Eigen::Index i = 0; i < residual_modes; ++i)
        phi[modes + axial + i] = roots[static_cast<std::size_t>(i)];
    return 0.0;
}

/// R [m/N] of the axial modes that are left out, along the axis.
double StruckBeam::axial_residual_flexibility(double xi) const {
    if (!body_->compliance) return 0.0;
    // sum cos^2(k pi xi)/k^2 over all k is pi^2/2 (1/3 - xi + xi^2)
    // (theory/modal_reduction.md 4.13).
    double sum = 0.5 * std::numbers::pi * std::numbers::pi * (1.0 / 3.0 - xi * (1.0 - xi));
    for (std::size_t k = 1; k <= axial_frequencies_.size(); ++k) {
        const double shape = core::cos(std::numbers::pi * static_cast<double>(k) * xi);
        sum -= shape * shape / static_cast<double>(k * k);
    }
    const double slowest = lowest_axial_frequency(beam_);
    return 2.0 / beam_.mass() / (slowest * slowest) * std::max(0.0, sum);
}

double StruckBeam::displacement(double xi, const std::vector<double>& modal_coordinates) const {
    const Eigen::Map<const Eigen::VectorXd> q(modal_coordinates.data(), basis().modes());
    return body_->mesh.interpolation(xi * beam_.length).dot(basis().shapes * q);
}

Eigen::VectorXd StruckBeam::rotations(double xi) const {
    return basis().shapes.transpose() * body_->mesh.rotation(xi * beam_.length);
}

std::vector<double> StruckBeam::nodes(Eigen::Index mode) const {
    return nodes_of(body_->mesh, basis(), mode);
}

}  // namespace stoss::models
