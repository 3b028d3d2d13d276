#include <stoss/fem/static_compliance.hpp>

#include <Eigen/LU>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include <stoss/core/double_double.hpp>
#include <stoss/core/elementary.hpp>

namespace stoss::fem {

namespace {

using core::DoubleDouble;
using Eigen::Index;

/// A small dense matrix of double-double numbers.
class Block {
  public:
    Block(std::size_t rows, std::size_t columns)
        : rows_(rows), columns_(columns), entries_(rows * columns) {}

    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return columns_; }
    DoubleDouble& operator()(std::size_t i, std::size_t k) { return entries_[i * columns_ + k]; }
    DoubleDouble operator()(std::size_t i, std::size_t k) const {
        return entries_[i * columns_ + k];
    }

    Block transposed() const {
        Block result(columns_, rows_);
        for (std::size_t i = 0; i < rows_; ++i) {
            for (std::size_t k = 0; k < columns_; ++k) result(k, i) = (*this)(i, k);
        }
        return result;
    }
    friend Block operator*(const Block& a, const Block& b) {
        Block result(a.rows_, b.columns_);
        for (std::size_t i = 0; i < a.rows_; ++i) {
            for (std::size_t j = 0; j < a.columns_; ++j) {
                for (std::size_t k = 0; k < b.columns_; ++k)
                    result(i, k) = result(i, k) + a(i, j) * b(j, k);
            }
        }
        return result;
    }
    friend Block operator+(Block a, const Block& b) {
        for (std::size_t i = 0; i < a.entries_.size(); ++i)
            a.entries_[i] = a.entries_[i] + b.entries_[i];
        return a;
    }
    friend Block operator-(Block a, const Block& b) {
        for (std::size_t i = 0; i < a.entries_.size(); ++i)
            a.entries_[i] = a.entries_[i] - b.entries_[i];
        return a;
    }
    friend Block operator-(Block a) {
        for (DoubleDouble& entry : a.entries_) entry = -entry;
        return a;
    }

  private:
    std::size_t rows_, columns_;
    std::vector<DoubleDouble> entries_;
};

/// Of a symmetric positive definite matrix: Gauss and Jordan's elimination without pivoting.
Block inverse(Block m) {
    const std::size_t n = m.rows();
    Block result(n, n);
    for (std::size_t i = 0; i < n; ++i) result(i, i) = DoubleDouble(1.0);
    for (std::size_t pivot = 0; pivot < n; ++pivot) {
        const DoubleDouble scale = DoubleDouble(1.0) / m(pivot, pivot);
        for (std::size_t k = 0; k < n; ++k) {
            m(pivot, k) = m(pivot, k) * scale;
            result(pivot, k) = result(pivot, k) * scale;
        }
        for (std::size_t i = 0; i < n; ++i) {
            if (i == pivot) continue;
            const DoubleDouble factor = m(i, pivot);
            for (std::size_t k = 0; k < n; ++k) {
                m(i, k) = m(i, k) - factor * m(pivot, k);
                result(i, k) = result(i, k) - factor * result(pivot, k);
            }
        }
    }
    return result;
}

/// The freedoms of a node and of the inner freedoms of the element behind it, in one block.
struct Blocks {
    Index stride, dofs;

    std::size_t count() const { return static_cast<std::size_t>((dofs + stride - 1) / stride); }
    std::size_t size(std::size_t i) const {
        return static_cast<std::size_t>(std::min(stride, dofs - first(i)));
    }
    Index first(std::size_t i) const { return static_cast<Index>(i) * stride; }
};

/// A block tridiagonal stiffness matrix, factored along the beam.
class BlockFactors {
  public:
    BlockFactors(const Blocks& blocks, const Eigen::SparseMatrix<double>& matrix,
                 const std::vector<bool>& held)
        : blocks_(blocks), held_(held) {
        for (std::size_t i = 0; i < blocks_.count(); ++i) {
            Block diagonal = block(matrix, i, i);
            if (i > 0) {
                coupling_.push_back(block(matrix, i - 1, i));
                ratio_.push_back(pivot_inverse_.back() * coupling_.back());
                diagonal = diagonal - coupling_.back().transposed() * ratio_.back();
            }
            pivot_inverse_.push_back(inverse(std::move(diagonal)));
        }
    }

    /// Solution for right-hand sides in blocks; held freedoms must be zero in them.
    std::vector<Block> solve(std::vector<Block> right) const {
        for (std::size_t i = 1; i < right.size(); ++i)
            right[i] = right[i] - ratio_[i - 1].transposed() * right[i - 1];
        for (std::size_t i = 0; i < right.size(); ++i) right[i] = pivot_inverse_[i] * right[i];
        for (std::size_t i = right.size() - 1; i > 0; --i)
            right[i - 1] = right[i - 1] - ratio_[i - 1] * right[i];
        return right;
    }

    /// Blocks of the inverse: of each index with itself, and with the next.
    void select_inverse(std::vector<Block>& diagonal, std::vector<Block>& beside) const {
        diagonal = pivot_inverse_;
        beside.clear();
        for (std::size_t i = diagonal.size() - 1; i > 0; --i) {
            beside.push_back(-(ratio_[i - 1] * diagonal[i]));
            diagonal[i - 1] = pivot_inverse_[i - 1] - beside.back() * ratio_[i - 1].transposed();
        }
        std::reverse(beside.begin(), beside.end());
        for (std::size_t i = 0; i < diagonal.size(); ++i) {
            for (std::size_t k = 0; k < diagonal[i].rows(); ++k) {
                if (is_held(i, k)) diagonal[i](k, k) = DoubleDouble(0.0);
            }
        }
    }

    bool is_held(std::size_t i, std::size_t k) const {
        return held_[static_cast<std::size_t>(blocks_.first(i)) + k];
    }

  private:
    /// A held freedom has a row and a column of the unit matrix.
    Block block(const Eigen::SparseMatrix<double>& matrix, std::size_t row,
                std::size_t column) const {
        Block result(blocks_.size(row), blocks_.size(column));
        for (std::size_t k = 0; k < result.columns(); ++k) {
            const Index place = blocks_.first(column) + static_cast<Index>(k);
            for (Eigen::SparseMatrix<double>::InnerIterator at(matrix, place); at; ++at) {
                const Index inside = at.row() - blocks_.first(row);
                if (inside < 0 || inside >= static_cast<Index>(result.rows())) continue;
                const auto i = static_cast<std::size_t>(inside);
                if (!is_held(row, i) && !is_held(column, k)) result(i, k) = at.value();
            }
            if (row == column && is_held(row, k)) result(k, k) = DoubleDouble(1.0);
        }
        return result;
    }

    Blocks blocks_;
    std::vector<bool> held_;
    std::vector<Block> pivot_inverse_, coupling_, ratio_;
};

/// Freedoms that, held as well, leave no rigid motion: deflections at which the rigid shapes are
/// large.
std::vector<Index> grounded_freedoms(const BeamMesh& mesh, const Eigen::MatrixXd& rigid_shapes) {
    if (rigid_shapes.cols() == 0) return {};
    if (rigid_shapes.cols() == 2) return {mesh.w(0), mesh.w(mesh.elements())};
    const auto size = [&](Index freedom) { return std::abs(rigid_shapes(freedom, 0)); };
    const Index left = mesh.w(0), right = mesh.w(mesh.elements());
    return {size(left) < size(right) ? right : left};
}

/// The columns of a dense matrix as blocks of rows; freedoms that are held are zero.
std::vector<Block> in_blocks(const Blocks& blocks, const Eigen::MatrixXd& columns,
                             const std::vector<bool>& held) {
    std::vector<Block> result;
    for (std::size_t i = 0; i < blocks.count(); ++i) {
        Block part(blocks.size(i), static_cast<std::size_t>(columns.cols()));
        for (std::size_t k = 0; k < part.rows(); ++k) {
            const Index freedom = blocks.first(i) + static_cast<Index>(k);
            if (held[static_cast<std::size_t>(freedom)]) continue;
            for (Index c = 0; c < columns.cols(); ++c)
                part(k, static_cast<std::size_t>(c)) = columns(freedom, c);
        }
        result.push_back(std::move(part));
    }
    return result;
}

/// The inverse over the freedoms of an element, from its blocks: of the left node with itself, of
/// the left node with the right one, of the right node with itself.
Eigen::MatrixXd element_inverse(const Block& left, const Block& between, const Block& right) {
    const auto split = static_cast<Index>(left.rows());
    const Index size = split + 2;
    Eigen::MatrixXd inverse(size, size);
    for (Index a = 0; a < size; ++a) {
        for (Index b = a; b < size; ++b) {
            const auto row = static_cast<std::size_t>(a < split ? a : a - split);
            const auto column = static_cast<std::size_t>(b < split ? b : b - split);
            const Block& from = b < split ? left : a < split ? between : right;
            inverse(a, b) = inverse(b, a) = static_cast<double>(from(row, column));
        }
    }
    return inverse;
}

/// Stiffness of a uniform segment of length h against deflection and rotation of its end, the other
/// end clamped (Przemieniecki 1968, 5.6). `side`: 1 if the end is the right one, -1 if the left.
Eigen::Matrix2d end_stiffness(const BeamProperties& beam, bool with_shear, double h, double side) {
    const double bending = beam.bending_stiffness;
    const double shear = with_shear ? 12.0 * bending / (beam.shear_stiffness * h * h) : 0.0;
    const double scale = bending / (h * h * h * (1.0 + shear));
    return scale *
           Eigen::Matrix2d{{12.0, -side * 6.0 * h}, {-side * 6.0 * h, (4.0 + shear) * h * h}};
}

/// Deflection of a uniform segment between clamps under a unit force at a distance b from the right
/// clamp, at a place x no further right than the force. h: length of the segment [m]. It follows
/// from the moment M and the force V of the left clamp, with EI theta' = M - V x,
/// w' = theta + V/(kGA), and no rotation and deflection at the right clamp.
double deflection_between_clamps(const BeamProperties& beam, bool with_shear, double h, double x,
                                 double b) {
    const double bending = beam.bending_stiffness;
    const double shear = with_shear ? bending / beam.shear_stiffness : 0.0;  // EI/kGA [m^2]
    const double force =
        (b * b * (3.0 * h - 2.0 * b) + 12.0 * shear * b) / (h * h * h + 12.0 * shear * h);
    const double moment = 0.5 * (force * h - b * b / h);
    return (x * x * (3.0 * moment - force * x) / 6.0 + shear * force * x) / bending;
}

/// A x, accumulated in double-double.
Eigen::MatrixXd product(const Eigen::SparseMatrix<double>& matrix, const Eigen::MatrixXd& x) {
    Eigen::MatrixXd result(matrix.rows(), x.cols());
    for (Index c = 0; c < x.cols(); ++c) {
        std::vector<DoubleDouble> sums(static_cast<std::size_t>(matrix.rows()));
        for (Index column = 0; column < matrix.cols(); ++column) {
            for (Eigen::SparseMatrix<double>::InnerIterator at(matrix, column); at; ++at) {
                DoubleDouble& sum = sums[static_cast<std::size_t>(at.row())];
                sum = sum + DoubleDouble(at.value()) * DoubleDouble(x(column, c));
            }
        }
        for (Index i = 0; i < result.rows(); ++i)
            result(i, c) = static_cast<double>(sums[static_cast<std::size_t>(i)]);
    }
    return result;
}

}  // namespace

/// The inverse stiffness on the vibration modes, by blocks. Inertia relief: with Psi the rigid
/// shapes, g the inverse of the beam on more supports and B = g M Psi, it is
/// g - Psi B^T - B Psi^T + Psi (Psi^T M B) Psi^T.
class RelievedInverse {
  public:
    RelievedInverse(const BeamMesh& mesh, const BeamMatrices& matrices, std::span<const Index> held,
                    const Eigen::MatrixXd& rigid_shapes)
        : blocks_{mesh.w(1), mesh.dofs()},
          still_(held_or_grounded(mesh, held, rigid_shapes)),
          factors_(blocks_, matrices.stiffness, still_),
          work_(static_cast<std::size_t>(rigid_shapes.cols()),
                static_cast<std::size_t>(rigid_shapes.cols())) {
        const std::vector<bool> nothing(still_.size(), false);
        const Eigen::MatrixXd momenta = matrices.mass * rigid_shapes;
        shapes_ = in_blocks(blocks_, rigid_shapes, nothing);
        const std::vector<Block> momentum = in_blocks(blocks_, momenta, nothing);
        deflection_ = factors_.solve(in_blocks(blocks_, momenta, still_));
        for (std::size_t i = 0; i < blocks_.count(); ++i)
            work_ = work_ + momentum[i].transposed() * deflection_[i];
    }

    /// Over the freedoms of each element.
    std::vector<Eigen::MatrixXd> of_elements() const {
        std::vector<Block> diagonal, beside;
        factors_.select_inverse(diagonal, beside);
        std::vector<Eigen::MatrixXd> all;
        for (std::size_t i = 0; i + 1 < blocks_.count(); ++i) {
            all.push_back(element_inverse(relieved(diagonal[i], i, i),
                                          relieved(beside[i], i, i + 1),
                                          relieved(diagonal[i + 1], i + 1, i + 1)));
        }
        return all;
    }

    /// Its columns that belong to the freedoms of an element: deflections of the beam.
    Eigen::MatrixXd columns(int element) const {
        const Index first = blocks_.stride * element, count = blocks_.stride + 2;
        Eigen::MatrixXd forces = Eigen::MatrixXd::Zero(blocks_.dofs, count);
        forces.middleRows(first, count).setIdentity();
        const std::vector<Block> held = factors_.solve(in_blocks(blocks_, forces, still_));
        const Block by_shapes = rows_of_element(shapes_, element).transposed();
        const Block by_deflection = rows_of_element(deflection_, element).transposed();
        Eigen::MatrixXd columns(blocks_.dofs, count);
        for (std::size_t i = 0; i < blocks_.count(); ++i)
            put(relieved_part(held, i, by_shapes, by_deflection), i, columns);
        return columns;
    }

    /// Its product with a vector of forces at all freedoms.
    Eigen::VectorXd times(const Eigen::VectorXd& forces) const {
        const std::vector<Block> all =
            in_blocks(blocks_, forces, std::vector(still_.size(), false));
        const std::vector<Block> held = factors_.solve(in_blocks(blocks_, forces, still_));
        Block on_shapes(work_.rows(), 1), on_deflection(work_.rows(), 1);
        for (std::size_t i = 0; i < blocks_.count(); ++i) {
            on_shapes = on_shapes + shapes_[i].transposed() * all[i];
            on_deflection = on_deflection + deflection_[i].transposed() * all[i];
        }
        Eigen::MatrixXd result(blocks_.dofs, 1);
        for (std::size_t i = 0; i < blocks_.count(); ++i)
            put(relieved_part(held, i, on_shapes, on_deflection), i, result);
        return result;
    }

  private:
    static std::vector<bool> held_or_grounded(const BeamMesh& mesh, std::span<const Index> held,
                                              const Eigen::MatrixXd& rigid_shapes) {
        std::vector<bool> still(static_cast<std::size_t>(mesh.dofs()), false);
        for (const Index freedom : held) still[static_cast<std::size_t>(freedom)] = true;
        for (const Index freedom : grounded_freedoms(mesh, rigid_shapes))
            still[static_cast<std::size_t>(freedom)] = true;
        return still;
    }

    Block relieved(const Block& inverse, std::size_t i, std::size_t k) const {
        return inverse - shapes_[i] * deflection_[k].transposed() -
               deflection_[i] * shapes_[k].transposed() +
               shapes_[i] * work_ * shapes_[k].transposed();
    }

    /// Rows of block i of the product with forces f: `held` is g f, the others Psi^T f and B^T f.
    Block relieved_part(const std::vector<Block>& held, std::size_t i, const Block& by_shapes,
                        const Block& by_deflection) const {
        return held[i] - shapes_[i] * by_deflection - deflection_[i] * by_shapes +
               shapes_[i] * work_ * by_shapes;
    }

    void put(const Block& rows, std::size_t i, Eigen::MatrixXd& to) const {
        for (std::size_t k = 0; k < rows.rows(); ++k) {
            for (std::size_t c = 0; c < rows.columns(); ++c)
                to(blocks_.first(i) + static_cast<Index>(k), static_cast<Index>(c)) =
                    static_cast<double>(rows(k, c));
        }
    }

    static Block rows_of_element(const std::vector<Block>& from, int element) {
        const Block& left = from[static_cast<std::size_t>(element)];
        const Block& right = from[static_cast<std::size_t>(element) + 1];
        Block rows(left.rows() + 2, left.columns());
        for (std::size_t c = 0; c < rows.columns(); ++c) {
            for (std::size_t k = 0; k < rows.rows(); ++k)
                rows(k, c) = k < left.rows() ? left(k, c) : right(k - left.rows(), c);
        }
        return rows;
    }

    Blocks blocks_;
    std::vector<bool> still_;
    BlockFactors factors_;
    std::vector<Block> shapes_, deflection_;
    Block work_;
};

ElementCompliance::ElementCompliance(const BeamMesh& mesh, const BeamMatrices& matrices,
                                     const Eigen::MatrixXd& rigid_shapes,
                                     std::function<BeamProperties(double)> beam)
    : mesh_(mesh), beam_(std::move(beam)), rigid_shapes_(rigid_shapes) {
    const bool with_shear = mesh.theory() == BeamTheory::timoshenko;
    for (int e = 0; e < mesh.elements() && with_shear; ++e) {
        const Eigen::Matrix3d inner =
            Eigen::MatrixXd(matrices.stiffness.block(mesh.theta(e) + 1, mesh.theta(e) + 1, 3, 3));
        inner_.push_back(inner.inverse());
    }
    if (rigid_shapes.cols() > 0 && !with_shear) sum_inertia_work();
}

void ElementCompliance::sum_inertia_work() {
    inertia_work_ = Eigen::MatrixXd::Zero(rigid_shapes_.cols(), rigid_shapes_.cols());
    for (int e = 0; e < mesh_.elements(); ++e) {
        // Of a load a + b s between clamps (a^2/720 + a b h/720 + b^2 h^2/2800) h^5/EI.
        const double h = mesh_.element_length(e);
        const double scale = core::pow(h, 5) / middle_of(e).bending_stiffness;
        const Eigen::Matrix2d work{{1.0 / 720.0, h / 1440.0}, {h / 1440.0, h * h / 2800.0}};
        const auto load = inertia_load(e);
        inertia_work_ += scale * load.transpose() * work * load;
    }
}

BeamProperties ElementCompliance::middle_of(int element) const {
    return beam_(mesh_.node_position(element) + 0.5 * mesh_.element_length(element));
}

Eigen::Matrix<double, 2, Eigen::Dynamic> ElementCompliance::inertia_load(int element) const {
    Eigen::Matrix<double, 2, Eigen::Dynamic> load(2, rigid_shapes_.cols());
    load << rigid_shapes_.row(mesh_.w(element)), rigid_shapes_.row(mesh_.theta(element));
    return middle_of(element).mass_per_length * load;
}

void ElementCompliance::see_rigid_motions(double x, Eigen::VectorXd& shape,
                                          Eigen::VectorXd& bow) const {
    const int element = mesh_.element_at(x).first;
    const double h = mesh_.element_length(element), s = x - mesh_.node_position(element);
    shape = rigid_shapes_.row(mesh_.w(element)).transpose() +
            s * rigid_shapes_.row(mesh_.theta(element)).transpose();
    // Deflection between clamps under the loads 1 and s.
    const double unit = s * s * (h - s) * (h - s) / middle_of(element).bending_stiffness;
    const Eigen::RowVector2d deflection(unit / 24.0, unit * (s + 2.0 * h) / 120.0);
    bow = (deflection * inertia_load(element)).transpose();
}

double ElementCompliance::under_inertia(double x, double other) const {
    if (rigid_shapes_.cols() == 0 || mesh_.theory() == BeamTheory::timoshenko) return 0.0;
    Eigen::VectorXd shape, bow, other_shape, other_bow;
    see_rigid_motions(x, shape, bow);
    see_rigid_motions(other, other_shape, other_bow);
    return shape.dot(inertia_work_ * other_shape) - (bow.dot(other_shape) + other_bow.dot(shape));
}

double ElementCompliance::under_force(double x, double other) const {
    const int element = mesh_.element_at(x).first;
    if (x != other && element != mesh_.element_at(other).first) return 0.0;
    const double h = mesh_.element_length(element);
    const double before = std::min(x, other) - mesh_.node_position(element);
    const double after = h - (std::max(x, other) - mesh_.node_position(element));
    if (!(before > 0.0 && after > 0.0)) return 0.0;
    const bool with_shear = mesh_.theory() == BeamTheory::timoshenko;
    double exact = 0.0;
    if (x == other) {
        // Both parts of the element, clamped at the nodes, carry the force between them.
        const BeamProperties beam = beam_(x);
        const Eigen::Matrix2d both = end_stiffness(beam, with_shear, before, 1.0) +
                                     end_stiffness(beam, with_shear, after, -1.0);
        exact = both(1, 1) / (both(0, 0) * both(1, 1) - both(0, 1) * both(1, 0));
    } else {
        exact = deflection_between_clamps(beam_(0.5 * (x + other)), with_shear, h, before, after);
    }
    if (!with_shear) return exact;
    const auto inner = [&](double place) {
        const Eigen::SparseVector<double> shape = mesh_.interpolation(place);
        return Eigen::Vector3d{shape.coeff(mesh_.theta(element) + 1),
                               shape.coeff(mesh_.theta(element) + 2),
                               shape.coeff(mesh_.theta(element) + 3)};
    };
    return exact - inner(x).dot(inner_[static_cast<std::size_t>(element)] * inner(other));
}

StaticCompliance::StaticCompliance(const BeamMesh& mesh, const BeamMatrices& matrices,
                                   std::span<const Index> held, const Eigen::MatrixXd& rigid_shapes,
                                   std::function<BeamProperties(double)> beam)
    : mesh_(mesh),
      whole_(std::make_shared<const RelievedInverse>(mesh, matrices, held, rigid_shapes)),
      inverse_(whole_->of_elements()),
      inside_(mesh, matrices, rigid_shapes, std::move(beam)) {}

StaticCompliance StaticCompliance::changed(std::span<const Eigen::MatrixXd> change,
                                           ElementCompliance inside) const {
    StaticCompliance result = *this;
    for (std::size_t e = 0; e < result.inverse_.size(); ++e) result.inverse_[e] += change[e];
    result.inside_ = std::move(inside);
    result.whole_.reset();
    return result;
}

double StaticCompliance::at(double x) const {
    const Eigen::SparseVector<double> shape = mesh_.interpolation(x);
    const Eigen::MatrixXd& inverse = inverse_[static_cast<std::size_t>(mesh_.element_at(x).first)];
    const Eigen::Map<const Eigen::VectorXd> values(shape.valuePtr(), shape.nonZeros());
    const double place = inside_.length() / mesh_.length() * x;
    return values.dot(inverse * values) + inside_.under_force(place, place) +
           inside_.under_inertia(place, place);
}

double StaticCompliance::between(double x, double other) const {
    if (x == other) return at(x);
    if (!whole_) throw std::logic_error("a changed beam has no compliance between places");
    const auto [left, right] = std::minmax(x, other);  // the same bits for the two exchanged
    const Eigen::VectorXd deflections = whole_->times(Eigen::VectorXd(mesh_.interpolation(left)));
    return mesh_.interpolation(right).dot(deflections) + inside_.under_force(left, right) +
           inside_.under_inertia(left, right);
}

std::vector<std::vector<Eigen::MatrixXd>> compliance_slopes(const BeamMesh& mesh,
                                                            const BeamMatrices& matrices,
                                                            std::span<const Eigen::Index> held,
                                                            const Eigen::MatrixXd& rigid_shapes,
                                                            std::span<const BeamMatrices> slopes) {
    const RelievedInverse inverse(mesh, matrices, held, rigid_shapes);
    std::vector<std::vector<Eigen::MatrixXd>> all(slopes.size());
    for (int e = 0; e < mesh.elements(); ++e) {
        const Eigen::MatrixXd deflections = inverse.columns(e);
        // A held beam has no rigid shapes: an empty matrix, which has no rows to take.
        const Eigen::MatrixXd rigid =
            rigid_shapes.cols() > 0
                ? Eigen::MatrixXd(
                      rigid_shapes *
                      rigid_shapes.middleRows(mesh.w(e), deflections.cols()).transpose())
                : Eigen::MatrixXd::Zero(deflections.rows(), deflections.cols());
        for (std::size_t p = 0; p < slopes.size(); ++p) {
            const Eigen::MatrixXd by_inertia =
                deflections.transpose() * product(slopes[p].mass, rigid);
            all[p].push_back(-(deflections.transpose() * product(slopes[p].stiffness, deflections) +
                               by_inertia + by_inertia.transpose()));
        }
    }
    return all;
}

}  // namespace stoss::fem
