#include <solvers/problems/beam/box_minimum.hpp>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace stoss::solvers {

namespace {

using Eigen::Index;

constexpr int most_iterations = 200;
constexpr double difference = 1e-4;   // of the unknowns, for second derivatives
constexpr double least_step = 1e-10;  // of the unknowns
constexpr double least_gain = 1e-13;  // of the cost, predicted
constexpr double slow = 0.5;          // decrease of the cost in one step
constexpr double most_damping = 1e12;

struct Point {
    Eigen::VectorXd x, gradient;
    Eigen::MatrixXd matrix;  // J^T J over the number of residuals
    double cost = std::numeric_limits<double>::infinity();
};

class Search {
  public:
    explicit Search(const BoxResiduals& residuals) : residuals_(residuals) {}

    Point at(const Eigen::VectorXd& x) const {
        Point point;
        point.x = x;
        Eigen::VectorXd residuals;
        Eigen::MatrixXd jacobian;
        if (!residuals_(x, residuals, jacobian)) return point;
        const auto count = static_cast<double>(residuals.size());
        point.cost = 0.5 * residuals.squaredNorm() / count;
        point.gradient = jacobian.transpose() * residuals / count;
        point.matrix = jacobian.transpose() * jacobian / count;
        return point;
    }

    /// Second derivatives of the cost; J^T J where a gradient beside x is missing.
    Eigen::MatrixXd second_derivatives(const Point& now) const {
        Eigen::MatrixXd second(now.x.size(), now.x.size());
        for (Index j = 0; j < now.x.size(); ++j) {
            Eigen::VectorXd low = now.x, high = now.x;
            low[j] = std::max(0.0, low[j] - difference);
            high[j] = std::min(1.0, high[j] + difference);
            const Point before = at(low), after = at(high);
            if (!std::isfinite(before.cost) || !std::isfinite(after.cost)) return now.matrix;
            second.col(j) = (after.gradient - before.gradient) / (high[j] - low[j]);
        }
        return 0.5 * (second + second.transpose());
    }

    /// The step to the minimum of the quadratic model within the box: an unknown that would leave
    /// it is held at the bound, and the others follow. None if the damped matrix is not positive.
    static std::optional<Eigen::VectorXd> step(const Point& now, const Eigen::MatrixXd& model,
                                               double damping) {
        const Eigen::VectorXd inside = projected(now.gradient, now.x);
        const double size = now.matrix.diagonal().maxCoeff();
        Eigen::MatrixXd matrix = model;
        std::vector<Index> free;
        for (Index j = 0; j < now.x.size(); ++j) {
            matrix(j, j) += damping * std::max(now.matrix(j, j), 1e-9 * size);
            if (inside[j] != 0.0) free.push_back(j);
        }
        Eigen::VectorXd step = Eigen::VectorXd::Zero(now.x.size());
        while (!free.empty()) {
            const Eigen::LLT<Eigen::MatrixXd> factors(matrix(free, free));
            if (factors.info() != Eigen::Success) return std::nullopt;
            const Eigen::VectorXd slope = now.gradient + matrix * step;
            const Eigen::VectorXd change = factors.solve(-slope(free));
            double farthest = 0.0;
            std::size_t leaves = free.size();
            for (std::size_t i = 0; i < free.size(); ++i) {
                const double there = now.x[free[i]] + change[static_cast<Index>(i)];
                const double beyond = std::max(-there, there - 1.0);
                if (beyond <= farthest) continue;
                farthest = beyond;
                leaves = i;
            }
            if (leaves == free.size()) {
                step(free) = change;
                break;
            }
            const Index j = free[leaves];
            step[j] = (change[static_cast<Index>(leaves)] > 0.0 ? 1.0 : 0.0) - now.x[j];
            free.erase(free.begin() + static_cast<std::ptrdiff_t>(leaves));
        }
        return step;
    }

  private:
    const BoxResiduals& residuals_;
};

}  // namespace

Eigen::VectorXd projected(const Eigen::VectorXd& gradient, const Eigen::VectorXd& x) {
    Eigen::VectorXd inside = gradient;
    for (Index j = 0; j < x.size(); ++j)
        if ((x[j] <= 0.0 && gradient[j] > 0.0) || (x[j] >= 1.0 && gradient[j] < 0.0))
            inside[j] = 0.0;
    return inside;
}

BoxMinimum minimise_in_box(const BoxResiduals& residuals, const std::vector<double>& start,
                           const std::function<void(const BoxMinimum&)>& better) {
    const Search search(residuals);
    Point now = search.at(
        Eigen::Map<const Eigen::VectorXd>(start.data(), static_cast<Index>(start.size())));
    BoxMinimum minimum{now.x, now.cost, now.gradient};
    if (!std::isfinite(now.cost)) return minimum;
    if (better) better(minimum);
    Eigen::MatrixXd model = now.matrix;
    bool has_second = false;
    double damping = 1e-3;
    while (minimum.iterations < most_iterations && damping < most_damping) {
        if (projected(now.gradient, now.x).isZero(0.0)) {
            minimum.converged = true;
            break;
        }
        ++minimum.iterations;
        const auto step = Search::step(now, model, damping);
        if (!step) {
            damping = std::max(10.0 * damping, 1e-6);
            continue;
        }
        const double predicted = -now.gradient.dot(*step) - 0.5 * step->dot(model * *step);
        if (!(predicted > 0.0)) {
            damping = std::max(10.0 * damping, 1e-6);
            continue;
        }
        const bool is_small =
            step->lpNorm<Eigen::Infinity>() < least_step || predicted < least_gain * now.cost;
        if (is_small && has_second) {
            minimum.converged = true;
            break;
        }
        Point next = search.at((now.x + *step).cwiseMax(0.0).cwiseMin(1.0));
        const double gained = now.cost - next.cost;
        const bool is_better = gained > 0.0;
        const bool is_slow = is_small || next.cost > slow * now.cost;
        if (is_better) {
            if (gained > 0.75 * predicted) damping *= 0.1;
            if (gained < 0.25 * predicted) damping *= 4.0;
            now = std::move(next);
            minimum = {now.x, now.cost, now.gradient, false, minimum.iterations};
            if (better) better(minimum);
        } else {
            damping = std::max(10.0 * damping, 1e-9);
        }
        has_second = has_second || is_slow;
        if (is_better || is_slow) model = has_second ? search.second_derivatives(now) : now.matrix;
    }
    return minimum;
}

}  // namespace stoss::solvers
