#include <stoss/fem/beam_mesh.hpp>
#include <stoss/fem/hermite.hpp>
#include <stoss/fem/timoshenko.hpp>

#include <boost/math/quadrature/gauss.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace stoss::fem {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// The sum over the mesh of the matrices `element(e)` of its elements.
template <class Element>
Sparse sum_along(const BeamMesh& mesh, Element&& element) {
    std::vector<Eigen::Triplet<double>> entries;
    for (int e = 0; e < mesh.elements(); ++e) {
        const auto& matrix = element(e);
        const Eigen::Index first = mesh.w(e);
        for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
            for (Eigen::Index i = 0; i < matrix.rows(); ++i)
                entries.emplace_back(first + i, first + j, matrix(i, j));
        }
    }
    Sparse sum(mesh.dofs(), mesh.dofs());
    sum.setFromTriplets(entries.begin(), entries.end());
    return sum;
}

/// Rounded to 50 bits (Dekker 1971), as its negative is. Sums of entries of neighbouring elements
/// are then exact, and a translation meets no force: forces of one rounding error would act like
/// springs to the ground, which a fine mesh feels.
double short_number(double entry) {
    const double large = 9.0 * entry;
    return large - (large - entry);
}

/// Integral over the element [0, h] of `density`(s) b b^T with b = `shape`(s, h), s = x/h in [0,
/// 1]. Of degree 8 in s at most (mass of a section whose dimensions change linearly).
template <class Density, class Shape>
auto integral(double h, Density&& density, Shape&& shape) {
    using Gauss = boost::math::quadrature::gauss<double, 6>;
    constexpr int size = decltype(shape(0.0, h))::RowsAtCompileTime;
    Eigen::Matrix<double, size, size> sum = Eigen::Matrix<double, size, size>::Zero();
    for (std::size_t k = 0; k < Gauss::abscissa().size(); ++k) {
        for (const double side : {-1.0, 1.0}) {
            const double s = 0.5 + 0.5 * side * Gauss::abscissa()[k];
            const auto b = shape(s, h);
            // Evaluated first: with the factor inside it would not be symmetric to the bit.
            const Eigen::Matrix<double, size, size> square = b * b.transpose();
            sum += (0.5 * h * Gauss::weights()[k] * density(s)) * square;
        }
    }
    return Eigen::Matrix<double, size, size>(sum.unaryExpr(&short_number));
}

/// Over one element of a mesh, the integral of a density b b^T.
template <class Shape>
auto element_integral(const BeamMesh& mesh, int e,
                      const std::function<BeamProperties(double)>& beam,
                      double BeamProperties::*density, Shape&& shape) {
    const double h = mesh.element_length(e);
    return integral(
        h, [&](double s) { return beam(mesh.node_position(e) + s * h).*density; }, shape);
}

/// Along the mesh, the same integral.
template <class Shape>
Sparse integral_along(const BeamMesh& mesh, const std::function<BeamProperties(double)>& beam,
                      double BeamProperties::*density, Shape&& shape) {
    return sum_along(mesh, [&](int e) { return element_integral(mesh, e, beam, density, shape); });
}

/// Rounds a number to a multiple of 2^-51 of the power of two below `size`. Two such numbers that
/// are not above 2 `size`, and their sum, are exact.
double on_grid(double entry, double size) {
    const double step = std::ldexp(1.0, std::ilogb(size) - 51);
    return std::nearbyint(entry / step) * step;
}

/// Rounds the entries of the deflections of one element: no bit of them is lost in the sums with
/// those of the neighbours. `forces` and `moments` are the largest entries w-w and w-theta of all
/// three. What the first rounding adds is the stiffness of one strain, v v^T, and meets no rigid
/// motion.
template <class Matrix>
void round_like_neighbours(Matrix& matrix, double h, double forces, double moments) {
    constexpr Eigen::Index w[] = {0, Matrix::RowsAtCompileTime - 2};
    Eigen::Vector<double, Matrix::RowsAtCompileTime> v = decltype(v)::Zero();
    v[w[0]] = 1.0;
    v[w[1]] = -1.0;
    v[w[0] + 1] = v[w[1] + 1] = 0.5 * h;
    const Matrix square = v * v.transpose();
    matrix += (on_grid(matrix(0, 0), forces) - matrix(0, 0)) * square;
    for (const Eigen::Index i : w) {
        for (const Eigen::Index j : w) {
            const Eigen::Index theta = j + 1;
            matrix(i, j) = on_grid(matrix(i, j), forces);
            matrix(i, theta) = matrix(theta, i) = on_grid(matrix(i, theta), moments);
        }
    }
}

/// Sums the stiffnesses of all elements. Where they differ from one element to the next, both are
/// rounded alike: a translation meets no force there either.
template <class Element>
Sparse stiffness_sum(const BeamMesh& mesh, Element&& stiffness) {
    using Matrix = decltype(stiffness(0));
    std::vector<Matrix> elements;
    std::vector<double> forces, moments;
    for (int e = 0; e < mesh.elements(); ++e) {
        elements.push_back(stiffness(e));
        const auto row = elements.back().row(0).cwiseAbs();
        forces.push_back(row[0]);
        moments.push_back(std::max(row[1], row[row.size() - 1]));
    }
    const auto around = [&](const std::vector<double>& sizes, std::size_t e) {
        const std::size_t first = e > 0 ? e - 1 : 0, end = std::min(e + 2, sizes.size());
        return *std::ranges::max_element(std::span(sizes).subspan(first, end - first));
    };
    for (std::size_t e = 0; e < elements.size(); ++e) {
        const double h = mesh.element_length(static_cast<int>(e));
        const double force = around(forces, e), moment = around(moments, e);
        if (force > 0.0) round_like_neighbours(elements[e], h, force, moment);
    }
    return sum_along(mesh, [&](int e) { return elements[static_cast<std::size_t>(e)]; });
}

/// Along the mesh, the integral of a stiffness.
template <class Shape>
Sparse stiffness_along(const BeamMesh& mesh, const std::function<BeamProperties(double)>& beam,
                       double BeamProperties::*density, Shape&& shape) {
    return stiffness_sum(mesh,
                         [&](int e) { return element_integral(mesh, e, beam, density, shape); });
}

/// The stiffness of a uniform beam. Elements of one length cancel in a translation as they are.
Sparse uniform_stiffness(const BeamMesh& mesh, double bending_stiffness) {
    const auto of_element = [&](int e) {
        return hermite_stiffness(bending_stiffness, mesh.element_length(e));
    };
    const double first = mesh.element_length(0);
    for (int e = 1; e < mesh.elements(); ++e)
        if (mesh.element_length(e) != first) return stiffness_sum(mesh, of_element);
    return sum_along(mesh, of_element);
}

BeamMatrices assemble_bending(const BeamMesh& mesh,
                              const std::function<BeamProperties(double)>& beam) {
    const auto sum = [&](double BeamProperties::*density, auto&& shape) {
        return integral_along(mesh, beam, density, shape);
    };
    const auto stiffness = [&](double BeamProperties::*density) {
        return stiffness_along(mesh, beam, density, hermite_curvature);
    };
    return {sum(&BeamProperties::mass_per_length, hermite_shape),
            stiffness(&BeamProperties::bending_stiffness),
            {sum(&BeamProperties::external_damping, hermite_shape),
             stiffness(&BeamProperties::internal_damping)}};
}

BeamMatrices assemble_with_shear(const BeamMesh& mesh,
                                 const std::function<BeamProperties(double)>& beam) {
    const auto sum = [&](double BeamProperties::*density, auto&& shape) {
        return integral_along(mesh, beam, density, shape);
    };
    const auto stiffness = [&](double BeamProperties::*density) {
        return stiffness_along(mesh, beam, density, timoshenko_curvature);
    };
    return {sum(&BeamProperties::mass_per_length, timoshenko_deflection) +
                sum(&BeamProperties::rotary_inertia, timoshenko_rotation),
            stiffness(&BeamProperties::bending_stiffness) +
                sum(&BeamProperties::shear_stiffness, timoshenko_shear),
            {sum(&BeamProperties::external_damping, timoshenko_deflection),
             stiffness(&BeamProperties::internal_damping) +
                 sum(&BeamProperties::shear_damping, timoshenko_shear)}};
}

}  // namespace

BeamMesh::BeamMesh(double length, int elements, BeamTheory theory)
    : length_(length),
      nodes_{0.0},
      theory_(theory),
      stride_(theory == BeamTheory::timoshenko ? 5 : 2) {
    append(length, elements);
}

BeamMesh::BeamMesh(double length, int elements, BeamTheory theory, std::vector<double> places)
    : BeamMesh(length, elements, theory) {
    const auto has_node = [this](double x) { return node_at(x).has_value(); };
    if (std::all_of(places.begin(), places.end(), has_node)) return;
    nodes_ = {0.0};
    lengths_.clear();
    places.push_back(length);
    std::sort(places.begin(), places.end());
    for (const double place : places) {
        const double distance = place - nodes_.back();
        if (distance <= node_tolerance * length) continue;
        append(place,
               std::max(1, static_cast<int>(std::ceil(elements * distance / length - 1e-6))));
    }
}

void BeamMesh::append(double end, int count) {
    const double begin = nodes_.back(), distance = end - begin;
    for (int i = 1; i <= count; ++i) nodes_.push_back(begin + distance * i / count);
    lengths_.insert(lengths_.end(), static_cast<std::size_t>(count), distance / count);
}

std::optional<int> BeamMesh::node_at(double x) const {
    const auto right = std::lower_bound(nodes_.begin(), nodes_.end(), x);
    for (const auto& node : {right, right == nodes_.begin() ? right : right - 1}) {
        if (node != nodes_.end() && std::abs(*node - x) <= node_tolerance * length_)
            return static_cast<int>(node - nodes_.begin());
    }
    return std::nullopt;
}

std::pair<int, double> BeamMesh::element_at(double x) const {
    const auto right = std::upper_bound(nodes_.begin() + 1, nodes_.end() - 1, x);
    const int element = static_cast<int>(right - nodes_.begin()) - 1;
    return {element, (x - node_position(element)) / element_length(element)};
}

Eigen::SparseVector<double> BeamMesh::spread(int element, const Eigen::VectorXd& values) const {
    Eigen::SparseVector<double> all(dofs());
    all.reserve(values.size());
    for (Eigen::Index k = 0; k < values.size(); ++k) all.insertBack(w(element) + k) = values[k];
    return all;
}

Eigen::SparseVector<double> BeamMesh::interpolation(double x) const {
    const auto [element, s] = element_at(x);
    const double h = element_length(element);
    if (theory_ == BeamTheory::timoshenko) return spread(element, timoshenko_deflection(s, h));
    return spread(element, hermite_shape(s, h));
}

Eigen::SparseVector<double> BeamMesh::rotation(double x) const {
    const auto [element, s] = element_at(x);
    const double h = element_length(element);
    if (theory_ == BeamTheory::timoshenko) return spread(element, timoshenko_rotation(s, h));
    return spread(element, hermite_slope(s, h));
}

Eigen::MatrixXd BeamMesh::rigid_body_shapes() const {
    Eigen::MatrixXd shapes = Eigen::MatrixXd::Zero(dofs(), 2);
    for (int node = 0; node < nodes(); ++node) {
        shapes(w(node), 0) = 1.0;
        shapes(w(node), 1) = node_position(node) - 0.5 * length_;
        shapes(theta(node), 1) = 1.0;
    }
    return shapes;
}

BeamMatrices assemble(const BeamMesh& mesh, const BeamProperties& beam) {
    if (mesh.theory() == BeamTheory::timoshenko) {
        return assemble_with_shear(mesh, [&](double) { return beam; });
    }
    const auto sum = [&](auto&& matrix, auto... densities) {
        return sum_along(mesh, [&](int e) { return matrix(densities..., mesh.element_length(e)); });
    };
    return {
        sum(hermite_mass, beam.mass_per_length),
        uniform_stiffness(mesh, beam.bending_stiffness),
        {sum(hermite_mass, beam.external_damping), uniform_stiffness(mesh, beam.internal_damping)}};
}

BeamMatrices assemble(const BeamMesh& mesh, const std::function<BeamProperties(double)>& beam) {
    return mesh.theory() == BeamTheory::timoshenko ? assemble_with_shear(mesh, beam)
                                                   : assemble_bending(mesh, beam);
}

void add(const BeamMesh& mesh, BeamMatrices& matrices, std::span<const NodeProperties> nodes) {
    for (const NodeProperties& at : nodes) {
        const Eigen::Index w = mesh.w(at.node), theta = mesh.theta(at.node);
        matrices.mass.coeffRef(w, w) += at.mass;
        matrices.mass.coeffRef(theta, theta) += at.inertia;
        matrices.stiffness.coeffRef(w, w) += at.translation_stiffness;
        matrices.stiffness.coeffRef(theta, theta) += at.rotation_stiffness;
    }
}

}  // namespace stoss::fem
