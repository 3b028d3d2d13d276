#include <models/beam_body.hpp>

#include <algorithm>
#include <cmath>

#include <models/beam_matrices.hpp>
#include <models/largest_displacement.hpp>

namespace stoss::models {

namespace {

/// Phi_r^T M S: rates of the rigid modes for unit motion along each rigid shape S.
Eigen::MatrixXd rigid_momenta(const fem::SupportedBeam& beam, const Eigen::MatrixXd& modes) {
    return modes.leftCols(beam.rigid_shapes.cols()).transpose() *
           (beam.matrices.mass * beam.rigid_shapes);
}

}  // namespace

modal::ModalBasis modes_of(const fem::SupportedBeam& supported, const Beam& beam, int modes) {
    const double time_scale = beam.time_scale();
    return modal::modal_basis(supported.matrices.mass, supported.matrices.stiffness,
                              supported.matrices.damping, supported.rigid_shapes,
                              {modes, 1.0 / (time_scale * time_scale)});
}

Eigen::MatrixXd dashpot_damping(const Beam& beam, const fem::BeamMesh& mesh,
                                const modal::ModalBasis& basis) {
    if (beam.dashpots.empty()) return {};
    Eigen::MatrixXd damping = Eigen::MatrixXd::Zero(basis.modes(), basis.modes());
    const double displacement = 1.0 / std::sqrt(beam.mass());  // of a mass-normalised shape
    const auto add = [&](double strength, const Eigen::SparseVector<double>& freedom,
                         double scale) {
        if (strength == 0.0) return;
        Eigen::VectorXd at = basis.shapes.transpose() * freedom;
        // At a node or a pin the shape is roundoff: such a mode is not damped.
        const double least = 1e-9 * scale;
        at = at.unaryExpr([least](double a) { return std::abs(a) > least ? a : 0.0; });
        damping += strength * at * at.transpose();
    };
    for (const Dashpot& each : beam.dashpots) {
        add(each.translation, mesh.interpolation(each.xi * beam.length), displacement);
        add(each.rotation, mesh.rotation(each.xi * beam.length), displacement / beam.length);
    }
    return damping;
}

Eigen::MatrixXd coupling_of(const Beam& beam, const fem::BeamMesh& mesh,
                            const modal::ModalBasis& basis) {
    const Eigen::MatrixXd dashpots = dashpot_damping(beam, mesh, basis);
    // Below that it changes a restitution by less, and beside very soft springs it is roundoff.
    constexpr double negligible = 1e-6;
    if (!coupling_damping(beam, "") || basis.damping_coupling < negligible) return dashpots;
    if (dashpots.size() == 0) return basis.coupling;
    return basis.coupling + dashpots;
}

std::vector<double> nodes_of(const fem::BeamMesh& mesh, const modal::ModalBasis& basis,
                             Eigen::Index mode) {
    constexpr int points_per_element = 8;
    const auto at = [&](double xi) {
        return mesh.interpolation(xi * mesh.length()).dot(basis.shapes.col(mode));
    };
    const auto root = [&](double left, double right) {  // bisection needs the change of sign only
        const bool sign = std::signbit(at(left));
        while (right - left > 1e-12) {
            const double middle = 0.5 * (left + right);
            (std::signbit(at(middle)) == sign ? left : right) = middle;
        }
        return 0.5 * (left + right);
    };
    const int segments = points_per_element * mesh.elements();
    std::vector<double> values;
    for (int i = 0; i <= segments; ++i) values.push_back(at(static_cast<double>(i) / segments));
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    const double zero = 1e-9 * std::max(-*least, *greatest);  // what a penalty leaves of 0
    std::vector<double> places;
    std::size_t before = values.size();  // the last point that is not 0
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::abs(values[i]) <= zero) continue;
        if (before < i && std::signbit(values[i]) != std::signbit(values[before])) {
            places.push_back(
                root(static_cast<double>(before) / segments, static_cast<double>(i) / segments));
        }
        before = i;
    }
    return places;
}

namespace {

/// Its frequency is such that its inertia is the mean one of the modes that are left out: with
/// lambda ~ j^s that of lambda_p (2 s - 1)/(s - 1), s = 4 of bending, 2 of shear
/// (theory/modal_reduction.md 4.14). Precondition: the last mode is a vibration mode.
ResidualMode residual_mode_of(const Beam& beam, const modal::ModalBasis& basis) {
    const Eigen::Index last = basis.modes() - 1;
    const double highest = basis.eigenvalues[last];
    const double eigenvalue = highest * (beam.has_shear() ? modal::residual_eigenvalue_of_shear
                                                          : modal::residual_eigenvalue_of_bending);
    const double external = beam.external_damping * beam.length / beam.mass();
    const double internal = std::max(0.0, basis.damping[last] - external);
    return {eigenvalue, external + internal / highest * eigenvalue};
}

}  // namespace

BeamBody::BeamBody(const Beam& beam, const Mesh& options) : mesh(mesh_of(beam, options)) {
    const fem::SupportedBeam supported = supported_beam(beam, options);
    basis = modes_of(supported, beam, options.modes.value());
    rigid_momenta = models::rigid_momenta(supported, basis.shapes);
    basis.shapes = supported.expand(basis.shapes);
    shapes_by_freedom = basis.shapes.transpose();
    coupled_damping = coupling_of(beam, mesh, basis);
    if (options.residual_flexibility) add_residual(beam, options);
}

BeamBody::BeamBody(const BeamBody& richer, const Beam& beam, const Mesh& options)
    : mesh(richer.mesh), basis(richer.basis), rigid_momenta(richer.rigid_momenta) {
    const Eigen::Index modes = options.modes.value();
    basis.eigenvalues.conservativeResize(modes);
    basis.damping.conservativeResize(modes);
    basis.shapes.conservativeResize(Eigen::NoChange, modes);
    basis.coupling.conservativeResize(modes, modes);
    shapes_by_freedom = basis.shapes.transpose();
    coupled_damping =
        richer.coupled_damping.topLeftCorner(std::min(modes, richer.coupled_damping.rows()),
                                             std::min(modes, richer.coupled_damping.cols()));
    if (!options.residual_flexibility) return;
    compliance = richer.compliance;
    add_residual(beam, options);
}

namespace {

/// The same elements along another length [m]: `mesh_of` may divide a changed section otherwise.
fem::BeamMesh stretched(const fem::BeamMesh& mesh, double length) {
    std::vector<double> places;
    for (int node = 1; node < mesh.elements(); ++node)
        places.push_back(mesh.node_position(node) * (length / mesh.length()));
    return {length, 1, mesh.theory(), std::move(places)};
}

/// What is to be added to the nodal compliance of each element, G, for the difference of compliance
/// and modes, G - Phi Lambda^-1 Phi^T, of a body moved by `step` along `slope`.
std::vector<Eigen::MatrixXd> less_modes(const BeamBody& nominal, const BeamBodySlope& slope,
                                        double step) {
    const modal::ModalBasis& basis = nominal.basis;
    const Eigen::Index vibrations = basis.modes() - basis.rigid;
    const Eigen::VectorXd flexibility = basis.eigenvalues.tail(vibrations).cwiseInverse();
    const Eigen::VectorXd change =
        -flexibility.cwiseAbs2().cwiseProduct(slope.modes.eigenvalues.tail(vibrations));
    std::vector<Eigen::MatrixXd> all;
    for (int e = 0; e < nominal.mesh.elements(); ++e) {
        const Eigen::Index first = nominal.mesh.w(e), count = nominal.mesh.theta(e + 1) + 1 - first;
        const Eigen::MatrixXd shapes = basis.shapes.block(first, basis.rigid, count, vibrations);
        const Eigen::MatrixXd turned =
            slope.modes.shapes.block(first, basis.rigid, count, vibrations) *
            flexibility.asDiagonal() * shapes.transpose();
        const Eigen::MatrixXd slope_of_modes =
            turned + turned.transpose() + shapes * change.asDiagonal() * shapes.transpose();
        all.emplace_back(step * (slope.compliance[static_cast<std::size_t>(e)] - slope_of_modes) -
                         shapes * flexibility.asDiagonal() * shapes.transpose());
    }
    return all;
}

}  // namespace

BeamBody::BeamBody(const BeamBody& nominal, const BeamBodySlope& slope, double step,
                   const Beam& beam, const Mesh& options)
    : mesh(nominal.mesh),
      basis(nominal.basis),
      coupled_damping(nominal.coupled_damping),
      rigid_momenta(nominal.rigid_momenta + step * slope.rigid_momenta),
      compliance_is_residual(true) {
    basis.eigenvalues += step * slope.modes.eigenvalues;
    basis.damping += step * slope.modes.damping;
    basis.shapes += step * slope.modes.shapes;
    shapes_by_freedom = basis.shapes.transpose();
    if (!options.residual_flexibility) return;
    const fem::BeamMesh own = stretched(mesh, beam.length);
    Eigen::MatrixXd rigid = basis.shapes.leftCols(basis.rigid);
    for (auto shape : rigid.colwise())  // none, if the beam is held
        for (int node = 0; node < own.nodes(); ++node)
            shape(own.theta(node)) *= mesh.length() / own.length();
    const bool needs_matrices = own.theory() == fem::BeamTheory::timoshenko;
    compliance = nominal.compliance->changed(
        less_modes(nominal, slope, step),
        {own, needs_matrices ? whole_matrices(beam, own, options) : fem::BeamMatrices{}, rigid,
         [beam](double x) { return properties_of(beam, x / beam.length); }});
    add_residual(beam, options);
}

void BeamBody::add_residual(const Beam& beam, const Mesh& options) {
    if (!compliance) {
        compliance.emplace(mesh, whole_matrices(beam, mesh, options),
                           held_freedoms(beam, mesh, options), basis.shapes.leftCols(basis.rigid),
                           [beam](double x) { return properties_of(beam, x / beam.length); });
    }
    if (beam.internal_damping > 0.0 && basis.modes() > basis.rigid)
        residual_mode = residual_mode_of(beam, basis);
}

double BeamBody::residual_flexibility(double xi, const Eigen::VectorXd& phi) const {
    if (!compliance) return 0.0;
    double of_modes = 0.0;
    for (Eigen::Index j = basis.rigid; j < basis.modes() && !compliance_is_residual; ++j)
        of_modes += phi[j] * phi[j] / basis.eigenvalues[j];
    return std::max(0.0, compliance->at(xi * mesh.length()) - of_modes);
}

Eigen::MatrixXd BeamBody::residual_flexibility(std::span<const double> xi) const {
    const auto size = static_cast<Eigen::Index>(xi.size());
    Eigen::MatrixXd residual = Eigen::MatrixXd::Zero(size, size);
    if (!compliance) return residual;
    const auto residual_between = [this](double x, double y) {
        const Eigen::VectorXd phi = shapes_at(x), other = shapes_at(y);
        double of_modes = 0.0;
        for (Eigen::Index j = basis.rigid; j < basis.modes() && !compliance_is_residual; ++j)
            of_modes += phi[j] * other[j] / basis.eigenvalues[j];
        return compliance->between(x * mesh.length(), y * mesh.length()) - of_modes;
    };
    for (Eigen::Index a = 0; a < size; ++a) {
        const auto i = static_cast<std::size_t>(a);
        residual(a, a) = residual_flexibility(xi[i], shapes_at(xi[i]));
        for (Eigen::Index b = 0; b < a; ++b) {
            const auto k = static_cast<std::size_t>(b);
            const double bound = std::sqrt(residual(a, a) * residual(b, b));
            const double between = std::clamp(residual_between(xi[i], xi[k]), -bound, bound);
            residual(a, b) = residual(b, a) = between;
        }
    }
    return residual;
}

modal::ModalBody BeamBody::bending_at(double xi) const {
    modal::ModalBody body = modal::modal_body(basis, mesh.interpolation(xi * mesh.length()));
    body.coupled_damping = coupled_damping;
    return body;
}

modal::ModalBody BeamBody::at(double xi) const {
    modal::ModalBody body = bending_at(xi);
    const double residual = residual_flexibility(xi, shapes_at(xi));
    if (!residual_mode) {
        body.residual_flexibility = residual;
        return body;
    }
    body.eigenvalues.push_back(residual_mode->eigenvalue);
    body.damping.push_back(residual_mode->damping);
    body.phi.push_back(std::sqrt(residual * residual_mode->eigenvalue));
    return body;
}

ModalMotion ModalMotion::scaled(double scale) const {
    ModalMotion motion = *this;
    for (double& rate : motion.rigid_rates) rate *= scale;
    return motion;
}

Eigen::VectorXd BeamBody::shapes_at(double xi) const {
    return shapes_by_freedom * mesh.interpolation(xi * mesh.length());
}

void BeamBody::vibrate(const std::vector<ModeMotion>& given, ModalMotion& motion) const {
    if (given.empty()) return;
    motion.vibration.assign(static_cast<std::size_t>(basis.modes() - basis.rigid), 0.0);
    motion.vibration_rates = motion.vibration;
    std::vector<double> shape(shape_segments + 1);
    for (const ModeMotion& each : given) {
        for (int i = 0; i <= shape_segments; ++i) {
            const double x = mesh.length() * i / shape_segments;
            shape[static_cast<std::size_t>(i)] =
                mesh.interpolation(x).dot(basis.shapes.col(each.mode - 1));
        }
        const double largest = largest_displacement(shape);
        const auto j = static_cast<std::size_t>(each.mode - 1 - basis.rigid);
        motion.vibration[j] += each.displacement / largest;
        motion.vibration_rates[j] += each.velocity / largest;
    }
}

}  // namespace stoss::models
