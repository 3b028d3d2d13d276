#include <stoss/core/error.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/modal/accurate_product.hpp>
#include <stoss/modal/detail/block_sizes.hpp>
#include <stoss/modal/modal_basis.hpp>
#include <stoss/modal/refined_shapes.hpp>
#include <stoss/modal/shifted_factors.hpp>

#include <Spectra/MatOp/SparseSymMatProd.h>
#include <Spectra/SymGEigsShiftSolver.h>
#include <fmt/format.h>
#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace stoss::modal {

namespace {

using Eigen::Index;
using Sparse = Eigen::SparseMatrix<double>;

/// An eigenvalue of shapes that are not refined cannot be distinguished from zero below this
/// fraction of the next one.
constexpr double zero_eigenvalue = 1e-8;

/// What a term of the damping leaves on a rigid mode is roundoff below this fraction of its parts.
constexpr double zero_damping = 1e-8;

/// A rigid shape may have an eigenvalue up to this fraction of the scale: the stiffness is rounded.
/// With 5,000 Hermite elements a rotation reaches 1e-6.
constexpr double rigid_energy = 1e-4;

/// Residual of a Lanczos vector that is refined, and of one that stays as it is.
constexpr double tolerance_before_refinement = 1e-8, last_tolerance = 1e-12;

constexpr Index lanczos_restarts = 1000;

/// Vectors kept between restarts, for `count` modes.
Index krylov_size(Index count) {
    return 2 * count + 20;
}

/// Both matrices, their factors, the eigenvalue scale, and mass-orthonormal rigid shapes R.
struct Pencil {
    const Sparse& stiffness;
    const Sparse& mass;
    double scale;
    ShiftedFactors factors;
    Eigen::MatrixXd rigid;
    Eigen::MatrixXd mass_rigid;  ///< M R
};

/// Factors K - sigma M, sigma in units of the scale.
void factorise_below_all(Pencil& pencil, double sigma) {
    pencil.factors.factorise(sigma * pencil.scale);
    if (pencil.factors.is_positive_definite()) return;
    throw core::NumericalError(
        "stiffness plus shifted mass is not positive definite: the modes cannot be computed");
}

/// x -> (K/scale - sigma M)^-1 x without its rigid part, in the form that Spectra calls. Without
/// the rigid part the double eigenvalue 0 of a free body, which Lanczos could find once only, is
/// gone.
class FlexibleInverse {
  public:
    using Scalar = double;

    explicit FlexibleInverse(Pencil& pencil) : pencil_(pencil) {}

    Index rows() const { return pencil_.mass.rows(); }

    void set_shift(double sigma) { factorise_below_all(pencil_, sigma); }

    void perform_op(const double* in, double* out) const {
        core::throw_if_stopped();
        const Eigen::Map<const Eigen::VectorXd> x(in, rows());
        Eigen::Map<Eigen::VectorXd> y(out, rows());
        y = pencil_.scale * pencil_.factors.solve(x);
        if (pencil_.rigid.cols() > 0) y -= pencil_.rigid * (pencil_.mass_rigid.transpose() * y);
    }

  private:
    Pencil& pencil_;
};

/// Mass-orthonormal columns spanning the same space, in the same order and sense (Gram-Schmidt,
/// twice).
Eigen::MatrixXd orthonormalised(const Sparse& mass, Eigen::MatrixXd shapes) {
    for (Index j = 0; j < shapes.cols(); ++j) {
        for (int pass = 0; pass < 2; ++pass) {
            const Eigen::MatrixXd before = shapes.leftCols(j);
            shapes.col(j) -= (before * (before.transpose() * (mass * shapes.col(j)))).eval();
            shapes.col(j) /= std::sqrt(shapes.col(j).dot(mass * shapes.col(j)));
        }
    }
    return shapes;
}

/// Lanczos may miss a mode. The number of negative pivots of K - tau M is the number of eigenvalues
/// below tau (Sylvester); tau lies in the widest of the last gaps of the eigenvalues found, in
/// units of the scale (theory/modal_reduction.md 4.3).
void check_none_missed(Pencil& pencil, const Eigen::VectorXd& eigenvalues) {
    const Index n = eigenvalues.size();
    Index upper = n - 1;
    const auto gap = [&](Index i) { return eigenvalues[i] / eigenvalues[i - 1]; };
    for (Index i = n - 2; i >= std::max<Index>(1, n - 3); --i) {
        if (gap(i) > gap(upper)) upper = i;
    }
    const double tau = 0.5 * (eigenvalues[upper - 1] + eigenvalues[upper]);
    pencil.factors.factorise(tau * pencil.scale);
    const Index below = pencil.factors.negative_pivots();
    const Index expected = pencil.rigid.cols() + upper;
    if (below == expected) return;
    throw core::NumericalError(fmt::format(
        "the eigensolver found {} modes (rigid ones included) where the structure has {}", expected,
        below));
}

/// The `count` lowest vibration shapes by Lanczos iteration on the shifted inverse
/// (theory/modal_reduction.md 4.2), and one more to know where they end. Precondition: count >= 2,
/// krylov_size(count) <= n - r.
Eigen::MatrixXd lanczos_shapes(Pencil& pencil, Index count) {
    FlexibleInverse inverse(pencil);
    Spectra::SparseSymMatProd<double> mass(pencil.mass);
    Spectra::SymGEigsShiftSolver<FlexibleInverse, Spectra::SparseSymMatProd<double>,
                                 Spectra::GEigsMode::ShiftInvert>
        solver(inverse, mass, count + 1, krylov_size(count), -1.0);
    solver.init();
    const double tolerance =
        pencil.factors.in_double_double() ? tolerance_before_refinement : last_tolerance;
    const Index found = solver.compute(Spectra::SortRule::LargestMagn, lanczos_restarts, tolerance,
                                       Spectra::SortRule::SmallestAlge);
    if (solver.info() != Spectra::CompInfo::Successful) {
        throw core::NumericalError(
            fmt::format("the eigensolver found {} of {} vibration modes in {} restarts (Lanczos, "
                        "shifted inverse)",
                        found, count + 1, lanczos_restarts));
    }
    check_none_missed(pencil, solver.eigenvalues());
    return solver.eigenvectors().leftCols(count);
}

/// Where the dense solution passes from the inverse to the direct form: at the geometric mean of
/// the extreme eigenvalues, moved by a few modes to the widest gap so that no pair is cut in two.
Index crossover(const Eigen::VectorXd& eigenvalues) {
    const Index n = eigenvalues.size();
    const double middle = std::sqrt(eigenvalues[n - 1]);
    Index first = 1;
    while (first < n - 1 && eigenvalues[first] < middle) ++first;
    Index best = first;
    const auto gap = [&](Index i) { return eigenvalues[i] / eigenvalues[i - 1]; };
    for (Index i = first; i < std::min(first + 4, n); ++i) {
        if (eigenvalues[i - 1] >= middle && gap(i) > gap(best)) best = i;
    }
    return best;
}

/// All vibration shapes by dense solutions (theory/modal_reduction.md 4.4), lowest first. The
/// inverse form is accurate to roundoff of its largest 1/lambda, so for the low modes; the direct
/// form to roundoff of the largest lambda, so for the high ones. Each gives its half.
Eigen::MatrixXd dense_shapes(Pencil& pencil) {
    factorise_below_all(pencil, -1.0);  // refuses matrices that are not definite
    const Eigen::MatrixXd stiffness = pencil.stiffness / pencil.scale, mass = pencil.mass;
    const Eigen::MatrixXd flexible = mass - pencil.mass_rigid * pencil.mass_rigid.transpose();
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> inverse(flexible,
                                                                            stiffness + mass);
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> direct(stiffness, mass);
    if (inverse.info() != Eigen::Success || direct.info() != Eigen::Success) {
        throw core::NumericalError("the dense eigensolver did not converge");
    }
    const Index n = mass.rows(), rigid = pencil.rigid.cols();
    const Index low = std::max(crossover(direct.eigenvalues()) - rigid, Index{0});
    Eigen::MatrixXd shapes(n, n - rigid);
    for (Index j = 0; j < low; ++j) {
        shapes.col(j) =
            inverse.eigenvectors().col(n - 1 - j) / std::sqrt(inverse.eigenvalues()[n - 1 - j]);
    }
    shapes.rightCols(n - rigid - low) = direct.eigenvectors().rightCols(n - rigid - low);
    return shapes;
}

/// Makes Phi^T M Phi = 1 to roundoff where the solver left it near: Newton steps for the inverse
/// square root of the Gram matrix. On fine meshes of stout beams the rotary inertia cancels in a
/// plain product with M; the accurate one takes over there.
void restore_orthonormality(const Sparse& mass, Eigen::MatrixXd& shapes) {
    constexpr double roundoff = 2e-14;
    const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(shapes.cols(), shapes.cols());
    for (int step = 0; step < 8; ++step) {
        const Eigen::MatrixXd momenta =
            step < 4 ? Eigen::MatrixXd(mass * shapes) : accurate_product(mass, shapes);
        const Eigen::MatrixXd error = shapes.transpose() * momenta - one;
        if (error.cwiseAbs().maxCoeff() < roundoff) return;
        if (!(error.norm() < 0.5)) break;
        shapes -= (shapes * (0.5 * error)).eval();
    }
    throw core::NumericalError("the eigensolver gave modes that are not independent");
}

/// The `count` lowest vibration shapes, mass-orthonormal, and orthogonal to the rigid ones.
Eigen::MatrixXd vibration_shapes(Pencil& pencil, Index count) {
    const Index n = pencil.mass.rows(), rigid = pencil.rigid.cols();
    if (count == 0) return {n, 0};
    Eigen::MatrixXd shapes = krylov_size(count) <= n - rigid
                                 ? lanczos_shapes(pencil, count)
                                 : Eigen::MatrixXd(dense_shapes(pencil).leftCols(count));
    if (EnvelopeFactors* const factors = pencil.factors.in_double_double())
        refine_shapes(pencil.stiffness, pencil.mass, *factors, shapes);
    shapes -= (pencil.rigid * (pencil.mass_rigid.transpose() * shapes)).eval();
    restore_orthonormality(pencil.mass, shapes);
    return shapes;
}

/// Makes the first prominent freedom of every column positive.
void choose_signs(const Eigen::VectorXd& mass_diagonal, Eigen::Ref<Eigen::MatrixXd> shapes) {
    const Eigen::ArrayXd weight = mass_diagonal.array().sqrt();
    for (Index j = 0; j < shapes.cols(); ++j) {
        const Eigen::ArrayXd size = weight * shapes.col(j).array().abs();
        const double half = 0.5 * size.maxCoeff();
        Index i = 0;
        while (size[i] < half) ++i;
        if (shapes(i, j) < 0.0) shapes.col(j) = -shapes.col(j);
    }
}

/// Rayleigh quotients of mass-normalised shapes.
Eigen::VectorXd rayleigh_quotients(const Sparse& matrix, const Eigen::MatrixXd& shapes) {
    return shapes.cwiseProduct(accurate_product(matrix, shapes)).colwise().sum().transpose();
}

/// Copies of one eigenvalue differ by roundoff, and so may their order.
void put_in_order(Eigen::Ref<Eigen::VectorXd> eigenvalues, Eigen::Ref<Eigen::MatrixXd> shapes) {
    for (Index i = 1; i < eigenvalues.size(); ++i) {
        for (Index j = i; j > 0 && eigenvalues[j] < eigenvalues[j - 1]; --j) {
            std::swap(eigenvalues[j], eigenvalues[j - 1]);
            shapes.col(j).swap(shapes.col(j - 1));
        }
    }
}

/// The number of rigid modes is given, not found from eigenvalues; this checks that they agree.
void check_rigid_shapes(const Eigen::VectorXd& eigenvalues, double scale) {
    for (Index i = 0; i < eigenvalues.size(); ++i) {
        if (std::abs(eigenvalues[i]) <= rigid_energy * scale) continue;
        throw core::NumericalError(
            fmt::format("rigid mode {} of {} stores energy: its eigenvalue is {:.6g} 1/s^2, the "
                        "eigenvalue scale {:.6g} 1/s^2",
                        i + 1, eigenvalues.size(), eigenvalues[i], scale));
    }
}

/// A rigid mode that no shape was given for has the rounding of K as its eigenvalue: with refined
/// shapes about eps n^2 of those of bending (theory/modal_reduction.md 4.6).
double least_eigenvalue(Pencil& pencil) {
    if (!pencil.factors.in_double_double()) return zero_eigenvalue;
    const auto n = static_cast<double>(pencil.mass.rows());
    return std::min(zero_eigenvalue, std::numeric_limits<double>::epsilon() * n * n);
}

/// `least`: fraction of the next eigenvalue below which one cannot be distinguished from zero.
void check_vibrations(const Eigen::VectorXd& eigenvalues, Index rigid, double least) {
    const Index n = eigenvalues.size();
    if (!eigenvalues.allFinite()) throw core::NumericalError("the eigenvalues are not finite");
    if (n == 1 && !(eigenvalues[0] > 0.0))
        throw core::NumericalError(fmt::format(
            "{} rigid modes expected, {} found: the only other eigenvalue is {:.6g} 1/s^2", rigid,
            rigid + 1, eigenvalues[0]));
    Index found = 0;
    while (found + 1 < n && eigenvalues[found] <= least * eigenvalues[found + 1]) ++found;
    if (found == 0) return;
    throw core::NumericalError(fmt::format(
        "{} rigid modes expected, {} found: eigenvalue {} is {:.6g} 1/s^2, the next one {:.6g} "
        "1/s^2, and roundoff hides one below {:.3g} 1/s^2; springs may be too soft, or masses too "
        "heavy",
        rigid, rigid + found, rigid + found, eigenvalues[found - 1], eigenvalues[found],
        least * eigenvalues[found]));
}

/// Largest |D_ij| / sqrt(D_ii D_jj) off the diagonal of D = Phi^T C Phi
/// (theory/modal_reduction.md 4.7).
double largest_coupling(const Eigen::MatrixXd& full, const Eigen::VectorXd& diagonal) {
    double largest = 0.0;
    for (Index j = 0; j < diagonal.size(); ++j) {
        for (Index i = 0; i < j; ++i) {
            const double size = std::sqrt(diagonal[i] * diagonal[j]);
            if (size > 0.0) largest = std::max(largest, std::abs(full(i, j)) / size);
        }
    }
    return largest;
}

/// Phi^T C Phi, term by term. What a term leaves on a rigid mode is roundoff if nearly all of it
/// cancels: internal damping does not act on a rigid mode.
Eigen::MatrixXd reduced_damping(std::span<const Sparse> damping, const Eigen::MatrixXd& shapes,
                                Index rigid) {
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(shapes.cols(), shapes.cols());
    const Eigen::MatrixXd size = shapes.leftCols(rigid).cwiseAbs();
    for (const Sparse& term : damping) {
        Eigen::MatrixXd full = shapes.transpose() * accurate_product(term, shapes);
        const Eigen::RowVectorXd without_signs =
            size.cwiseProduct(term.cwiseAbs() * size).colwise().sum();
        for (Index i = 0; i < rigid; ++i) {
            if (std::abs(full(i, i)) > zero_damping * without_signs[i]) continue;
            full.row(i).setZero();
            full.col(i).setZero();
        }
        sum += full;
    }
    return sum;
}

void check_matrix(const Sparse& matrix, std::string_view name, Index n) {
    if (matrix.rows() != n || matrix.cols() != n) {
        throw core::NumericalError(fmt::format("the {} matrix of {} freedoms is {} x {}", name, n,
                                               matrix.rows(), matrix.cols()));
    }
    if (std::isfinite(matrix.sum())) return;
    throw core::NumericalError(fmt::format("the {} matrix is not finite", name));
}

void check_arguments(const Sparse& mass, const Sparse& stiffness, std::span<const Sparse> damping,
                     const Eigen::MatrixXd& rigid_shapes, const ModalOptions& options) {
    const Index n = mass.rows(), rigid = rigid_shapes.cols();
    check_matrix(mass, "mass", n);
    check_matrix(stiffness, "stiffness", n);
    for (const Sparse& term : damping) check_matrix(term, "damping", n);
    if (rigid_shapes.rows() != n) {
        throw core::NumericalError(
            fmt::format("the rigid shapes of {} freedoms have {} rows", n, rigid_shapes.rows()));
    }
    if (options.modes < 1 || options.modes > n || rigid > n) {
        throw core::NumericalError(fmt::format("{} modes wanted, {} of them rigid, of {} freedoms",
                                               options.modes, rigid, n));
    }
    if (Eigen::SimplicialLLT<Sparse>(mass).info() != Eigen::Success) {
        throw core::NumericalError("the mass matrix is not positive definite");
    }
    if (!(options.eigenvalue_scale > 0.0) || std::isinf(options.eigenvalue_scale)) {
        throw core::NumericalError(fmt::format(
            "the eigenvalue scale must be > 0 1/s^2 and finite, not {}", options.eigenvalue_scale));
    }
}

/// S_ii = 2^k_i near 1/sqrt(M_ii). In place of a freedom x_i the solvers see x_i / S_ii, of a mass
/// near 1 in any units (theory/modal_reduction.md 4.1).
Eigen::VectorXd scales_of_freedoms(const Sparse& mass) {
    return mass.diagonal().unaryExpr(
        [](double entry) { return std::ldexp(1.0, -(std::ilogb(entry) >> 1)); });
}

Sparse scaled(const Eigen::VectorXd& scales, const Sparse& matrix) {
    return scales.asDiagonal() * matrix * scales.asDiagonal();
}

/// modal_basis() of scaled freedoms.
ModalBasis basis_of_scaled_freedoms(const Sparse& mass, const Sparse& stiffness,
                                    std::span<const Sparse> damping,
                                    const Eigen::MatrixXd& rigid_shapes,
                                    const ModalOptions& options) {
    const Index n = mass.rows(), rigid = rigid_shapes.cols();
    // Two vibration modes at least: the check below compares each with the next.
    const Index computed = std::min(n, std::max(options.modes, rigid + 2));
    const Index vibrations = computed - rigid;
    Pencil pencil{stiffness, mass, options.eigenvalue_scale, {stiffness, mass, vibrations}, {}, {}};
    pencil.rigid = orthonormalised(mass, rigid_shapes);
    pencil.mass_rigid = mass * pencil.rigid;
    Eigen::MatrixXd shapes(n, computed);
    Eigen::VectorXd eigenvalues = Eigen::VectorXd::Zero(computed);
    shapes.leftCols(rigid) = pencil.rigid;
    check_rigid_shapes(rayleigh_quotients(stiffness, shapes.leftCols(rigid)),
                       options.eigenvalue_scale);
    shapes.rightCols(vibrations) = vibration_shapes(pencil, vibrations);
    choose_signs(mass.diagonal(), shapes.rightCols(vibrations));
    eigenvalues.tail(vibrations) = rayleigh_quotients(stiffness, shapes.rightCols(vibrations));
    check_vibrations(eigenvalues.tail(vibrations), rigid, least_eigenvalue(pencil));
    put_in_order(eigenvalues.tail(vibrations), shapes.rightCols(vibrations));
    Eigen::MatrixXd full = reduced_damping(damping, shapes, rigid);

    const Index modes = options.modes;
    const Eigen::VectorXd reduced = full.diagonal().head(modes);
    const double coupling = largest_coupling(full, reduced);
    full.diagonal().setZero();
    // phi_i . C phi_j is accurate to roundoff of C phi_j: the slower mode is the better j.
    const Eigen::MatrixXd between =
        Eigen::MatrixXd(full.selfadjointView<Eigen::Lower>()).topLeftCorner(modes, modes);
    return {eigenvalues.head(modes), reduced,  shapes.leftCols(modes),
            std::min(rigid, modes),  coupling, between};
}

}  // namespace

ModalBasis modal_basis(const Sparse& mass, const Sparse& stiffness, std::span<const Sparse> damping,
                       const Eigen::MatrixXd& rigid_shapes, const ModalOptions& options) {
    check_arguments(mass, stiffness, damping, rigid_shapes, options);
    const Eigen::VectorXd scales = scales_of_freedoms(mass);
    std::vector<Sparse> scaled_damping;
    for (const Sparse& term : damping) scaled_damping.push_back(scaled(scales, term));
    ModalBasis basis =
        basis_of_scaled_freedoms(scaled(scales, mass), scaled(scales, stiffness), scaled_damping,
                                 scales.cwiseInverse().asDiagonal() * rigid_shapes, options);
    basis.shapes = scales.asDiagonal() * basis.shapes;
    return basis;
}

}  // namespace stoss::modal
