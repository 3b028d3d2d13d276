#include <stoss/modal/coupled_modes.hpp>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <complex>

#include <stoss/core/error.hpp>
#include <stoss/modal/detail/block_sizes.hpp>
#include <stoss/modal/propagators.hpp>

namespace stoss::modal {

namespace {

// Eigenvalues and vectors of a matrix that is not symmetric lose digits where eigenvalues are
// close; `check_completeness` refuses where too few are left.
using Complex = std::complex<double>;
using Column = Eigen::VectorXd;
using Row = Eigen::RowVectorXd;
using ComplexMatrix = Eigen::MatrixXcd;
using ComplexColumn = Eigen::VectorXcd;
using ComplexRow = Eigen::RowVectorXcd;
using Eigen::Index;
using Eigen::MatrixXd;
using Indices = std::vector<Index>;

/// One block over the state z = (q, q') of all modes: (q_j, v_j) = rows z, z = columns (q_j, v_j).
struct Block {
    double eigenvalue, damping;
    MatrixXd rows, columns;  // 2 x 2n, 2n x 2
};

/// A real eigenvalue s of the motion: its coordinate is row z, and moves z along the column.
struct RealMotion {
    double s;
    Row row;
    Column column;
};

using Exponents = std::vector<Complex>;

/// s of a mode that moves alone, s^2 + d s + lambda = 0.
void append_exponents(double eigenvalue, double damping, Exponents& exponents) {
    const double discriminant = 0.25 * damping * damping - eigenvalue;
    if (discriminant < 0.0) {
        exponents.emplace_back(-0.5 * damping, std::sqrt(-discriminant));
        return;
    }
    const double fast = -0.5 * damping - std::sqrt(discriminant);
    exponents.emplace_back(fast + 0.0);
    exponents.emplace_back(fast == 0.0 ? 0.0 : eigenvalue / fast);
}

/// Groups of modes that the damping couples with each other.
std::vector<Indices> groups_of(const MatrixXd& damping) {
    std::vector<Indices> groups;
    std::vector<bool> known(static_cast<std::size_t>(damping.rows()), false);
    const auto join = [&](Indices& group, Index j) {
        if (known[static_cast<std::size_t>(j)]) return;
        known[static_cast<std::size_t>(j)] = true;
        group.push_back(j);
    };
    for (Index first = 0; first < damping.rows(); ++first) {
        Indices group;
        join(group, first);
        for (std::size_t next = 0; next < group.size(); ++next) {
            for (Index j = 0; j < damping.rows(); ++j) {
                if (damping(group[next], j) != 0.0) join(group, j);
            }
        }
        if (!group.empty()) groups.push_back(std::move(group));
    }
    return groups;
}

/// The block of a motion q = shape a, a'' + d a' + lambda a = 0. `shape` is of unit length.
Block block_of_mode(const Column& shape, double eigenvalue, double damping) {
    const Index n = shape.size();
    Block block{eigenvalue, damping, MatrixXd::Zero(2, 2 * n), MatrixXd::Zero(2 * n, 2)};
    block.rows.block(0, 0, 1, n) = block.rows.block(1, n, 1, n) = shape.transpose();
    block.columns.block(0, 0, n, 1) = block.columns.block(n, 1, n, 1) = shape;
    return block;
}

/// The block of a complex pair s, conj(s): its coordinate is (v_j - conj(s) q_j)/(2 i Im s), which
/// without damping makes q_j and v_j those of the mode.
Block block_of_pair(Complex s, const ComplexRow& row, const ComplexColumn& column) {
    const Complex scale(0.0, 2.0 * s.imag());
    const ComplexRow eta = scale * row;
    Block block{std::norm(s), -2.0 * s.real(), MatrixXd(2, row.size()), MatrixXd(column.size(), 2)};
    block.rows.row(0) = eta.imag() / s.imag();
    block.rows.row(1) = eta.real() + s.real() * block.rows.row(0);
    block.columns.col(0) = -2.0 * (column * (std::conj(s) / scale)).real();
    block.columns.col(1) = 2.0 * (column / scale).real();
    return block;
}

/// The block of two real eigenvalues a != b, whose coordinates are v_j - b q_j and v_j - a q_j.
Block block_of_two(const RealMotion& a, const RealMotion& b) {
    const double gap = a.s - b.s;
    Block block{a.s * b.s + 0.0, -(a.s + b.s), MatrixXd(2, a.row.size()),
                MatrixXd(a.column.size(), 2)};
    block.rows.row(0) = (a.row - b.row) / gap;
    block.rows.row(1) = (a.s * a.row - b.s * b.row) / gap;
    block.columns.col(0) = -(b.s * a.column + a.s * b.column);
    block.columns.col(1) = a.column + b.column;
    return block;
}

/// The damped and coupled modes of one group: rigid motions D and vibrations V, the columns, of
/// frequencies omega. With y = (omega V^T q, D^T q', V^T q') their motion is y' = A y, D^T q beside
/// it. All eigenvalues of A have negative real parts.
class Group {
  public:
    Group(const Indices& group, std::span<const double> eigenvalues, const MatrixXd& damping)
        : n_(damping.rows()), undamped_(n_, 0), rigid_(n_, 0), vibrating_(n_, 0) {
        Indices rigid, vibrations;
        for (const Index j : group) {
            (eigenvalues[static_cast<std::size_t>(j)] == 0.0 ? rigid : vibrations).push_back(j);
        }
        split_rigid(rigid, damping);
        vibrating_.resize(n_, static_cast<Index>(vibrations.size()));
        frequencies_.resize(vibrating_.cols());
        for (Index k = 0; k < vibrating_.cols(); ++k) {
            const Index j = vibrations[static_cast<std::size_t>(k)];
            vibrating_.col(k) = Column::Unit(n_, j);
            frequencies_[k] = std::sqrt(eigenvalues[static_cast<std::size_t>(j)]);
        }
        set_motion(damping);
    }

    void append_to(std::vector<Block>& blocks, Exponents& exponents) const {
        for (const auto& shape : undamped_.colwise()) {
            blocks.push_back(block_of_mode(shape, 0.0, 0.0));
            exponents.insert(exponents.end(), {0.0, 0.0});
        }
        if (motion_.rows() == 0) return;
        const Eigen::EigenSolver<MatrixXd> solver(motion_);
        if (solver.info() != Eigen::Success) {
            throw core::NumericalError(
                "the eigenvalues of the damped motion could not be computed");
        }
        const ComplexColumn& s = solver.eigenvalues();
        const ComplexMatrix right = solver.eigenvectors(), left = right.inverse();
        const Indices carriers = carriers_of(s, right);
        std::vector<RealMotion> real;
        if (carriers.empty()) {
            real = resting_places();
        } else {
            append_carried(carriers, s, right, left, blocks);
        }
        for (Index k = 0; k < s.size(); ++k) {
            if (std::find(carriers.begin(), carriers.end(), k) != carriers.end()) {
                exponents.push_back(s[k]);
                continue;
            }
            const ComplexRow row = left.row(k) * to_motion_.cast<Complex>();
            const ComplexColumn column = back(right.col(k), s[k]);
            if (s[k].imag() > 0.0) blocks.push_back(block_of_pair(s[k], row, column));
            if (s[k].imag() == 0.0) real.push_back({s[k].real(), row.real(), column.real()});
            if (s[k].imag() >= 0.0) exponents.push_back(s[k]);
        }
        exponents.insert(exponents.end(), static_cast<std::size_t>(rigid_.cols()), 0.0);
        append_pairs(std::move(real), blocks);
    }

  private:
    /// Rigid motions that no damping acts on, and the others.
    void split_rigid(const Indices& rigid, const MatrixXd& damping) {
        if (rigid.empty()) return;
        constexpr double roundoff = 1e-12;
        const MatrixXd own = damping(rigid, rigid);
        const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(own);
        for (Index k = 0; k < own.rows(); ++k) {
            MatrixXd& kind = solver.eigenvalues()[k] > roundoff * own.trace() ? rigid_ : undamped_;
            kind.conservativeResize(Eigen::NoChange, kind.cols() + 1);
            kind.rightCols(1).setZero();
            kind(rigid, kind.cols() - 1) = solver.eigenvectors().col(k);
        }
    }

    void set_motion(const MatrixXd& damping) {
        const Index r = rigid_.cols(), p = vibrating_.cols();
        MatrixXd moving(n_, r + p);
        moving << rigid_, vibrating_;
        const MatrixXd omega = frequencies_.asDiagonal();
        motion_ = MatrixXd::Zero(r + 2 * p, r + 2 * p);
        motion_.block(0, p + r, p, p) = omega;
        motion_.block(p + r, 0, p, p) = -omega;
        motion_.block(p, p, r + p, r + p) = -moving.transpose() * damping * moving;
        to_motion_ = MatrixXd::Zero(r + 2 * p, 2 * n_);
        to_motion_.block(0, 0, p, n_) = omega * vibrating_.transpose();
        to_motion_.block(p, n_, r + p, n_) = moving.transpose();
    }

    /// The state that moves with y exp(s t); the rigid positions by integration.
    ComplexColumn back(const ComplexColumn& y, Complex s) const {
        const Index r = rigid_.cols(), p = vibrating_.cols();
        const ComplexColumn rate = y.segment(p, r), vibration_rate = y.tail(p);
        const ComplexColumn vibration = y.head(p).cwiseQuotient(frequencies_.cast<Complex>());
        ComplexColumn state(2 * n_);
        state << rigid_ * (rate / s) + vibrating_ * vibration,
            rigid_ * rate + vibrating_ * vibration_rate;
        return state;
    }

    /// The slowest real motions, as many as there are rigid positions, if their rates carry all of
    /// these; else none.
    Indices carriers_of(const ComplexColumn& s, const ComplexMatrix& right) const {
        const Index r = rigid_.cols(), p = vibrating_.cols();
        Indices real;
        for (Index k = 0; k < s.size(); ++k) {
            if (s[k].imag() == 0.0) real.push_back(k);
        }
        if (r == 0 || static_cast<Index>(real.size()) < r) return {};
        std::sort(real.begin(), real.end(),
                  [&](Index a, Index b) { return std::abs(s[a]) < std::abs(s[b]); });
        real.resize(static_cast<std::size_t>(r));
        const MatrixXd rates = right(Eigen::seqN(p, r), real).real().colwise().normalized();
        return rates.fullPivLu().rcond() > 1e-6 ? real : Indices{};
    }

    /// Rigid positions with the slow motions y exp(s t) that carry them, one block each:
    /// q_j' = v_j, v_j' = s v_j. Together, as where such a motion would come to rest, by v_j/s, may
    /// be so far away that no digits were left.
    void append_carried(const Indices& carriers, const ComplexColumn& s, const ComplexMatrix& right,
                        const ComplexMatrix& left, std::vector<Block>& blocks) const {
        const Index r = rigid_.cols(), p = vibrating_.cols();
        // What all other motions add to the positions, from y.
        MatrixXd others = MatrixXd::Zero(r, motion_.rows());
        for (Index k = 0; k < s.size(); ++k) {
            if (std::find(carriers.begin(), carriers.end(), k) != carriers.end()) continue;
            others += (right.col(k).segment(p, r) / s[k] * left.row(k)).real();
        }
        MatrixXd positions = -others * to_motion_;
        positions.leftCols(n_) += rigid_.transpose();
        const MatrixXd rates = right(Eigen::seqN(p, r), carriers).real();
        const MatrixXd scales = rates.colwise().norm().asDiagonal();
        const MatrixXd directions = rates * scales.inverse();
        const MatrixXd coordinates = directions.fullPivLu().solve(positions);
        for (Index j = 0; j < r; ++j) {
            const Index k = carriers[static_cast<std::size_t>(j)];
            const Column y = right.col(k).real() / scales(j, j);
            Block block{0.0, -s[k].real(), MatrixXd(2, 2 * n_), MatrixXd::Zero(2 * n_, 2)};
            block.rows.row(0) = coordinates.row(j);
            block.rows.row(1) = scales(j, j) * left.row(k).real() * to_motion_;
            block.columns.col(0).head(n_) = rigid_ * directions.col(j);
            block.columns.col(1) << vibrating_ * y.head(p).cwiseQuotient(frequencies_),
                rigid_ * y.segment(p, r) + vibrating_ * y.tail(p);
            blocks.push_back(std::move(block));
        }
    }

    /// Where the damped rigid motions come to rest: D^T q - (rows of q' in A^-1) y. They move for
    /// pushes only: eigenvalue 0.
    std::vector<RealMotion> resting_places() const {
        const Index r = rigid_.cols(), p = vibrating_.cols();
        if (r == 0) return {};
        const MatrixXd integral = motion_.inverse().middleRows(p, r);
        std::vector<RealMotion> places;
        for (Index k = 0; k < r; ++k) {
            RealMotion place{0.0, -integral.row(k) * to_motion_, Column::Zero(2 * n_)};
            place.row.head(n_) += rigid_.col(k).transpose();
            place.column.head(n_) = rigid_.col(k);
            places.push_back(std::move(place));
        }
        return places;
    }

    /// Two by two, neighbours in speed: so a block of fast ones is soon at rest, and no slow one
    /// has its steps bounded by a fast partner. Equal ones, and a last one, have a partner that
    /// nothing moves and that moves nothing.
    void append_pairs(std::vector<RealMotion> real, std::vector<Block>& blocks) const {
        constexpr double apart = 1e-3;
        std::sort(real.begin(), real.end(),
                  [](const RealMotion& a, const RealMotion& b) { return a.s > b.s; });
        const double scale = motion_.norm() / static_cast<double>(motion_.rows());
        const auto alone = [&](const RealMotion& motion) {
            const double partner = motion.s == 0.0 ? -scale : 2.0 * motion.s;
            blocks.push_back(
                block_of_two(motion, {partner, 0.0 * motion.row, 0.0 * motion.column}));
        };
        for (std::size_t k = 0; k < real.size(); ++k) {
            const bool is_last = k + 1 == real.size();
            if (is_last || real[k].s - real[k + 1].s <= -apart * real[k + 1].s) {
                alone(real[k]);
            } else {
                blocks.push_back(block_of_two(real[k], real[k + 1]));
                ++k;
            }
        }
    }

    Index n_;
    MatrixXd undamped_, rigid_, vibrating_;
    Column frequencies_;
    MatrixXd motion_, to_motion_;  // A; y from (q, q')
};

/// Holds the blocks to what they are made for: all states of the modes are states of the blocks.
/// `rate`: of the modes, [1/s], to compare positions with velocities.
void check_completeness(const MatrixXd& rows, const MatrixXd& columns, double rate) {
    constexpr double roundoff = 1e-7;
    const Index n = columns.rows() / 2;
    MatrixXd lost = columns * rows - MatrixXd::Identity(2 * n, 2 * n);
    lost.topRightCorner(n, n) *= rate;
    lost.bottomLeftCorner(n, n) /= rate;
    if (lost.cwiseAbs().maxCoeff() < roundoff) return;
    throw core::NumericalError(
        "two damped modes coincide in frequency, decay and shape, so that the motion cannot be "
        "decoupled; change a damping slightly");
}

using ConstVector = Eigen::Map<const Eigen::VectorXd>;
using Vector = Eigen::Map<Eigen::VectorXd>;

ConstVector view(std::span<const double> numbers) {
    return {numbers.data(), static_cast<Index>(numbers.size())};
}
Vector edit(std::span<double> numbers) {
    return {numbers.data(), static_cast<Index>(numbers.size())};
}

}  // namespace

CoupledModes::CoupledModes(std::span<const double> eigenvalues, const MatrixXd& given)
    : modes_(eigenvalues.size()) {
    if (modes_ == 0) return;
    // Couplings that are roundoff of others are none: else modes that a dashpot at their node
    // cannot couple would lose digits to it.
    constexpr double roundoff = 1e-14;
    const MatrixXd off_diagonal = given - MatrixXd(given.diagonal().asDiagonal());
    MatrixXd damping =
        off_diagonal.unaryExpr([least = roundoff * given.cwiseAbs().maxCoeff()](double c) {
            return std::abs(c) > least ? c : 0.0;
        });
    damping.diagonal() = given.diagonal();
    const Index n = damping.rows();
    std::vector<Block> blocks;
    for (const Indices& group : groups_of(damping)) {
        if (group.size() == 1) {
            const Index j = group.front();
            const double eigenvalue = eigenvalues[static_cast<std::size_t>(j)];
            blocks.push_back(block_of_mode(Column::Unit(n, j), eigenvalue, damping(j, j)));
            append_exponents(eigenvalue, damping(j, j), exponents_);
        } else {
            Group(group, eigenvalues, damping).append_to(blocks, exponents_);
        }
    }
    const auto count = static_cast<Index>(blocks.size());
    from_modes_.resize(2 * count, 2 * n);
    to_modes_.resize(2 * n, 2 * count);
    for (Index k = 0; k < count; ++k) {
        const Block& block = blocks[static_cast<std::size_t>(k)];
        eigenvalues_.push_back(block.eigenvalue);
        dampings_.push_back(block.damping);
        for (const Index part : {0, 1}) {
            from_modes_.row(part * count + k) = block.rows.row(part);
            to_modes_.col(part * count + k) = block.columns.col(part);
        }
    }
    std::sort(exponents_.begin(), exponents_.end(),
              [](const auto& a, const auto& b) { return std::abs(a) < std::abs(b); });
    const double fastest = *std::max_element(eigenvalues.begin(), eigenvalues.end());
    const double rate = fastest > 0.0 ? std::sqrt(fastest) : damping.norm();
    check_completeness(from_modes_, to_modes_, rate > 0.0 ? rate : 1.0);
}

void CoupledModes::see(std::span<const double> phi, BlockShape& shape) const {
    const auto n = static_cast<Index>(modes_), count = static_cast<Index>(blocks());
    const std::size_t lanes = Propagators::lanes;
    for (core::AlignedVector* each : {&shape.in_q, &shape.in_v, &shape.out_q, &shape.out_v}) {
        each->assign((blocks() + lanes - 1) / lanes * lanes, 0.0);
    }
    const auto head = [&](core::AlignedVector& all) { return Vector(all.data(), count); };
    head(shape.in_q).noalias() = from_modes_.topRightCorner(count, n) * view(phi);
    head(shape.in_v).noalias() = from_modes_.bottomRightCorner(count, n) * view(phi);
    head(shape.out_q).noalias() = to_modes_.topLeftCorner(n, count).transpose() * view(phi);
    head(shape.out_v).noalias() = to_modes_.topRightCorner(n, count).transpose() * view(phi);
}

void CoupledModes::to_blocks(std::span<const double> q, std::span<const double> v,
                             std::span<double> block_q, std::span<double> block_v) const {
    const auto n = static_cast<Index>(modes_), count = static_cast<Index>(blocks());
    edit(block_q).noalias() = from_modes_.topLeftCorner(count, n) * view(q);
    edit(block_q).noalias() += from_modes_.topRightCorner(count, n) * view(v);
    edit(block_v).noalias() = from_modes_.bottomLeftCorner(count, n) * view(q);
    edit(block_v).noalias() += from_modes_.bottomRightCorner(count, n) * view(v);
}

void CoupledModes::to_modes(std::span<const double> block_q, std::span<const double> block_v,
                            std::span<double> q, std::span<double> v) const {
    const auto n = static_cast<Index>(modes_), count = static_cast<Index>(blocks());
    edit(q).noalias() = to_modes_.topLeftCorner(n, count) * view(block_q);
    edit(q).noalias() += to_modes_.topRightCorner(n, count) * view(block_v);
    edit(v).noalias() = to_modes_.bottomLeftCorner(n, count) * view(block_q);
    edit(v).noalias() += to_modes_.bottomRightCorner(n, count) * view(block_v);
}

void CoupledModes::rate_weights(std::span<const double> weight, std::span<double> of_q,
                                std::span<double> of_v) const {
    const auto n = static_cast<Index>(modes_), count = static_cast<Index>(blocks());
    edit(of_q).noalias() = to_modes_.bottomLeftCorner(n, count).transpose() * view(weight);
    edit(of_v).noalias() = to_modes_.bottomRightCorner(n, count).transpose() * view(weight);
}

}  // namespace stoss::modal
