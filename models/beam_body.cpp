#include <models/beam_body.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace stoss::models {

namespace {

/// Phi_r^T M S: rates of the rigid modes for unit motion along each rigid shape S.
Eigen::MatrixXd rigid_momenta(const fem::SupportedBeam& beam, const Eigen::MatrixXd& modes) {
    return modes.leftCols(beam.rigid_shapes.cols()).transpose() *
           (beam.matrices.mass * beam.rigid_shapes);
}

/// What bends, shears and moves at xi. A Kelvin-Voigt material has one time c_i/E for all strains.
fem::BeamProperties properties_of(const Beam& beam, double xi) {
    const Material& material = beam.material_at(xi);
    const SectionProperties section = beam.section.properties(xi);
    fem::BeamProperties properties{beam.length, material.youngs_modulus * section.second_moment,
                                   material.density * section.area, beam.external_damping,
                                   beam.internal_damping * section.second_moment};
    if (beam.has_shear()) {
        const double shear_modulus =
            material.youngs_modulus / (2.0 * (1.0 + material.poisson_ratio));
        properties.rotary_inertia = material.density * section.second_moment;
        properties.shear_stiffness =
            beam.shear_coefficient(xi).value() * shear_modulus * section.area;
        properties.shear_damping =
            beam.internal_damping / material.youngs_modulus * properties.shear_stiffness;
    }
    return properties;
}

std::vector<fem::NodeProperties> nodes_with_more(const Beam& beam, const fem::BeamMesh& mesh) {
    std::vector<fem::NodeProperties> nodes;
    const auto node = [&](double xi) { return mesh.node_at(xi * beam.length).value(); };
    for (const PointMass& each : beam.masses) {
        nodes.push_back({node(each.xi), each.mass, each.inertia, 0.0, 0.0});
    }
    for (const Support& each : beam.supports) {
        if (each.offset != 0.0)
            nodes.push_back({node(each.xi), 0.0, beam.axial_inertia(each), 0.0, 0.0});
    }
    for (const SpringSupport& each : beam.springs) {
        nodes.push_back({node(each.xi), 0.0, 0.0, each.translation, each.rotation});
    }
    return nodes;
}

/// Matrices of a beam with masses and springs, before supports.
fem::BeamMatrices free_matrices(const Beam& beam, const fem::BeamMesh& mesh,
                                const std::vector<fem::NodeProperties>& nodes) {
    fem::BeamMatrices matrices =
        beam.is_uniform()
            ? fem::assemble(mesh, properties_of(beam, 0.0))
            : fem::assemble(mesh, [&](double x) { return properties_of(beam, x / beam.length); });
    fem::add(mesh, matrices, nodes);
    return matrices;
}

}  // namespace

std::vector<fem::Support> fem_supports(const Beam& beam) {
    std::vector<fem::Support> supports;
    for (const Support& support : beam.supports) {
        if (support.type == SupportType::free) continue;
        const auto kind = support.type == SupportType::pin     ? fem::SupportKind::pin
                          : support.type == SupportType::clamp ? fem::SupportKind::clamp
                                                               : fem::SupportKind::slider;
        supports.push_back({support.xi * beam.length, kind});
    }
    return supports;
}

std::vector<std::pair<std::string, double>> points_on_nodes(const Beam& beam) {
    std::vector<std::pair<std::string, double>> points;
    const auto add = [&](std::string_view key, const auto& list) {
        for (std::size_t i = 0; i < list.size(); ++i)
            points.emplace_back(fmt::format("beam.{}[{}].xi", key, i), list[i].xi);
    };
    add("supports", beam.supports);
    add("springs", beam.springs);
    add("dashpots", beam.dashpots);
    add("masses", beam.masses);
    add("materials", beam.materials);
    if (const auto* profile = std::get_if<Profile>(&beam.section.shape)) {
        add("section.stations", profile->stations);
    }
    return points;
}

fem::BeamMesh mesh_of(const Beam& beam, const Mesh& options) {
    std::vector<double> places;
    for (const auto& point : points_on_nodes(beam)) places.push_back(point.second * beam.length);
    return fem::BeamMesh(
        beam.length, options.elements,
        beam.has_shear() ? fem::BeamTheory::timoshenko : fem::BeamTheory::euler_bernoulli,
        std::move(places));
}

fem::SupportedBeam supported_beam(const Beam& beam, const Mesh& options) {
    const fem::BeamMesh mesh = mesh_of(beam, options);
    const std::vector<fem::NodeProperties> nodes = nodes_with_more(beam, mesh);
    return fem::support(mesh, free_matrices(beam, mesh, nodes), fem_supports(beam),
                        options.constraints, options.penalty_factor, nodes);
}

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
    dashpots = dashpot_damping(beam, mesh, basis);
    if (options.residual_flexibility) add_residual(beam, options);
}

BeamBody::BeamBody(const BeamBody& richer, const Beam& beam, const Mesh& options)
    : mesh(richer.mesh), basis(richer.basis), rigid_momenta(richer.rigid_momenta) {
    const Eigen::Index modes = options.modes.value();
    basis.eigenvalues.conservativeResize(modes);
    basis.damping.conservativeResize(modes);
    basis.shapes.conservativeResize(Eigen::NoChange, modes);
    dashpots = richer.dashpots.topLeftCorner(std::min(modes, richer.dashpots.rows()),
                                             std::min(modes, richer.dashpots.cols()));
    if (!options.residual_flexibility) return;
    compliance = richer.compliance;
    add_residual(beam, options);
}

void BeamBody::add_residual(const Beam& beam, const Mesh& options) {
    if (!compliance) {
        // Of the matrices that the modes are of: with a penalty the supports yield a little.
        const bool is_penalty = options.constraints == fem::ConstraintMethod::penalty;
        const auto held =
            is_penalty ? std::vector<Eigen::Index>{} : fem::held_freedoms(mesh, fem_supports(beam));
        compliance.emplace(mesh,
                           is_penalty ? supported_beam(beam, options).matrices
                                      : free_matrices(beam, mesh, nodes_with_more(beam, mesh)),
                           held, basis.shapes.leftCols(basis.rigid),
                           [beam](double x) { return properties_of(beam, x / beam.length); });
    }
    if (beam.internal_damping > 0.0 && basis.modes() > basis.rigid)
        residual_mode = residual_mode_of(beam, basis);
}

double BeamBody::residual_flexibility(double xi, const Eigen::VectorXd& phi) const {
    if (!compliance) return 0.0;
    double of_modes = 0.0;
    for (Eigen::Index j = basis.rigid; j < basis.modes(); ++j)
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
        for (Eigen::Index j = basis.rigid; j < basis.modes(); ++j)
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
    body.dashpots = dashpots;
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
    return basis.shapes.transpose() * mesh.interpolation(xi * mesh.length());
}

void BeamBody::vibrate(const std::vector<ModeMotion>& given, ModalMotion& motion) const {
    if (given.empty()) return;
    motion.vibration.assign(static_cast<std::size_t>(basis.modes() - basis.rigid), 0.0);
    motion.vibration_rates = motion.vibration;
    for (const ModeMotion& each : given) {
        double largest = 0.0;
        for (int i = 0; i <= shape_segments; ++i) {
            const double x = mesh.length() * i / shape_segments;
            largest = std::max(
                largest, std::abs(mesh.interpolation(x).dot(basis.shapes.col(each.mode - 1))));
        }
        const auto j = static_cast<std::size_t>(each.mode - 1 - basis.rigid);
        motion.vibration[j] += each.displacement / largest;
        motion.vibration_rates[j] += each.velocity / largest;
    }
}

}  // namespace stoss::models
