#include <models/struck_beam.hpp>

#include <algorithm>
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

}  // namespace

StruckBeam::StruckBeam(const Beam& beam, double inclination, std::shared_ptr<const BeamBody> body)
    : beam_(beam), inclination_(inclination), body_(std::move(body)) {
    if (inclination_ == 0.0) return;
    // Up to the frequency of the fastest bending mode.
    const double slowest = lowest_axial_frequency(beam_);
    const double fastest = std::sqrt(basis().eigenvalues[basis().modes() - 1]);
    for (int k = 1; k * slowest <= fastest; ++k) axial_frequencies_.push_back(k * slowest);
}

modal::ModalBody StruckBeam::at(double xi) const {
    modal::ModalBody body = body_->bending_at(xi);
    for (const double omega : axial_frequencies_) {
        body.eigenvalues.push_back(omega * omega);
        body.damping.push_back(beam_.internal_damping / beam_.material.youngs_modulus * omega *
                               omega);
    }
    if (body_->residual_mode) {
        body.eigenvalues.push_back(body_->residual_mode->eigenvalue);
        body.damping.push_back(body_->residual_mode->damping);
    }
    Eigen::VectorXd phi;
    body.residual_flexibility = shapes_at(xi, phi);
    body.phi.assign(phi.begin(), phi.end());
    return body;
}

double StruckBeam::shapes_at(double xi, Eigen::VectorXd& phi) const {
    const Eigen::Index modes = basis().modes();
    const auto axial = static_cast<Eigen::Index>(axial_frequencies_.size());
    const auto& residual_mode = body_->residual_mode;
    phi.resize(modes + axial + (residual_mode ? 1 : 0));
    phi.head(modes) = body_->shapes_at(xi);
    double residual = residual_flexibility(xi, phi);
    if (inclination_ != 0.0) {
        phi.segment(1, modes - 1) *= core::cos(inclination_);  // all but the translation
        const double largest = core::sin(inclination_) * std::sqrt(2.0 / beam_.mass());
        for (Eigen::Index k = 0; k < axial; ++k) {
            phi[modes + k] =
                largest * core::cos(std::numbers::pi * static_cast<double>(k + 1) * xi);
        }
    }
    if (!residual_mode) return residual;
    phi[modes + axial] = std::sqrt(residual * residual_mode->eigenvalue);
    return 0.0;
}

/// R [m/N] of bending and axial modes that are left out, seen along the normal of the contact.
double StruckBeam::residual_flexibility(double xi, const Eigen::VectorXd& bending) const {
    const double of_bending = body_->residual_flexibility(xi, bending);
    if (!body_->compliance || inclination_ == 0.0) return of_bending;
    // sum cos^2(k pi xi)/k^2 over all k is pi^2/2 (1/3 - xi + xi^2)
    // (theory/modal_reduction.md 4.13).
    double sum = 0.5 * std::numbers::pi * std::numbers::pi * (1.0 / 3.0 - xi * (1.0 - xi));
    for (std::size_t k = 1; k <= axial_frequencies_.size(); ++k) {
        const double shape = core::cos(std::numbers::pi * static_cast<double>(k) * xi);
        sum -= shape * shape / static_cast<double>(k * k);
    }
    const double slowest = lowest_axial_frequency(beam_);
    const double of_axial = 2.0 / beam_.mass() / (slowest * slowest) * std::max(0.0, sum);
    const double across = core::cos(inclination_), along = core::sin(inclination_);
    return across * across * of_bending + along * along * of_axial;
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
