#include <solvers/problems/beam/least_squares.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <utility>

#include <ceres/ceres.h>
#include <stoss/core/elementary.hpp>
#include <stoss/core/robust.hpp>

namespace stoss::solvers {

namespace {

using core::huber_width;
constexpr double cauchy_width = 2.385;  // 95 % efficient, too (Holland and Welsch 1977)

/// All residuals at once: the collisions of one set of parameters are computed together.
class Evaluation : public ceres::EvaluationCallback {
  public:
    Evaluation(const LeastSquares& problem, const double* x)
        : problem_(problem),
          x_(x),
          residuals_(problem.residuals),
          jacobian_(problem.residuals * problem.unknowns) {}

    void PrepareForEvaluation(bool with_jacobian, bool) override {
        std::vector<double> x(x_, x_ + problem_.unknowns);
        if (error_ || (x == evaluated_ && (has_jacobian_ || !with_jacobian))) return;
        with_jacobian = with_jacobian || problem_.always_with_jacobian;
        has_jacobian_ = with_jacobian;
        evaluated_ = std::move(x);
        try {
            is_good_ = problem_.evaluate(evaluated_, residuals_.data(),
                                         with_jacobian ? jacobian_.data() : nullptr);
        } catch (...) {  // Ceres would not pass it on
            error_ = std::current_exception();
            is_good_ = false;
        }
    }

    bool read(std::size_t index, double* residual, double* row) const {
        if (!is_good_) return false;
        *residual = residuals_[index];
        if (row != nullptr) {
            const auto first =
                jacobian_.begin() + static_cast<std::ptrdiff_t>(index * problem_.unknowns);
            std::copy_n(first, problem_.unknowns, row);
        }
        return true;
    }

    bool is_good() const { return is_good_; }

    void rethrow() const {
        if (error_) std::rethrow_exception(error_);
    }

  private:
    const LeastSquares& problem_;
    const double* x_;                // where Ceres keeps the unknowns
    std::vector<double> evaluated_;  // the unknowns of the last evaluation
    std::vector<double> residuals_, jacobian_;
    bool is_good_ = false, has_jacobian_ = false;
    std::exception_ptr error_;
};

/// One residual, so that the loss acts on it alone.
class OneResidual : public ceres::CostFunction {
  public:
    OneResidual(const Evaluation& evaluation, std::size_t index, std::size_t unknowns)
        : evaluation_(evaluation), index_(index) {
        set_num_residuals(1);
        mutable_parameter_block_sizes()->push_back(static_cast<std::int32_t>(unknowns));
    }

    bool Evaluate(double const* const*, double* residual, double** jacobians) const override {
        return evaluation_.read(index_, residual, jacobians == nullptr ? nullptr : jacobians[0]);
    }

  private:
    const Evaluation& evaluation_;
    std::size_t index_;
};

std::unique_ptr<ceres::LossFunction> loss_of(const LeastSquares& problem) {
    switch (problem.loss) {
        case Loss::huber:
            return std::make_unique<ceres::HuberLoss>(huber_width * problem.scale);
        case Loss::cauchy:
            return std::make_unique<ceres::CauchyLoss>(cauchy_width * problem.scale);
        case Loss::none:
            break;
    }
    return nullptr;
}

ceres::Solver::Options options() {
    ceres::Solver::Options options;
    options.linear_solver_type = ceres::DENSE_QR;
    options.max_num_iterations = 100;
    options.function_tolerance = 1e-10;
    options.parameter_tolerance = 1e-9;
    options.logging_type = ceres::SILENT;
    return options;
}

}  // namespace

double weight_of(Loss loss, double scale, double residual) {
    if (!(scale > 0.0)) return 1.0;
    const double size = std::abs(residual);
    if (loss == Loss::huber) {
        const double width = huber_width * scale;
        return size > width ? width / size : 1.0;
    }
    if (loss == Loss::cauchy) {
        const double ratio = size / (cauchy_width * scale);
        return 1.0 / (1.0 + ratio * ratio);
    }
    return 1.0;
}

double cost_of(Loss loss, double scale, const std::vector<double>& residuals) {
    double sum = 0.0;
    for (const double residual : residuals) {
        const double square = residual * residual;
        const double huber = huber_width * scale, cauchy = cauchy_width * scale;
        if (loss == Loss::huber && scale > 0.0 && std::abs(residual) > huber) {
            sum += huber * (2.0 * std::abs(residual) - huber);
        } else if (loss == Loss::cauchy && scale > 0.0) {
            sum += cauchy * cauchy * core::log1p(square / (cauchy * cauchy));
        } else {
            sum += square;
        }
    }
    return 0.5 * sum;
}

double slope_of(Loss loss, double scale, double residual) {
    if (!(scale > 0.0)) return 1.0;
    if (loss == Loss::huber) return std::abs(residual) > huber_width * scale ? 0.0 : 1.0;
    if (loss == Loss::cauchy) {
        const double ratio = residual / (cauchy_width * scale), square = ratio * ratio;
        return (1.0 - square) / ((1.0 + square) * (1.0 + square));
    }
    return 1.0;
}

Minimum minimise(const LeastSquares& problem, const std::vector<double>& start) {
    Minimum minimum;
    minimum.x = start;
    Evaluation evaluation(problem, minimum.x.data());
    evaluation.PrepareForEvaluation(true, true);
    evaluation.rethrow();
    if (!evaluation.is_good()) return minimum;  // Ceres would write an error message
    const std::unique_ptr<ceres::LossFunction> loss = loss_of(problem);
    ceres::Problem::Options ownership;
    ownership.loss_function_ownership = ceres::DO_NOT_TAKE_OWNERSHIP;
    ownership.evaluation_callback = &evaluation;
    ceres::Problem equations(ownership);
    for (std::size_t i = 0; i < problem.residuals; ++i) {
        equations.AddResidualBlock(new OneResidual(evaluation, i, problem.unknowns), loss.get(),
                                   minimum.x.data());
    }
    for (std::size_t j = 0; j < problem.unknowns; ++j) {
        equations.SetParameterLowerBound(minimum.x.data(), static_cast<int>(j), 0.0);
        equations.SetParameterUpperBound(minimum.x.data(), static_cast<int>(j), 1.0);
    }
    ceres::Solver::Summary summary;
    ceres::Solve(options(), &equations, &summary);
    evaluation.rethrow();
    minimum.iterations = summary.num_successful_steps + summary.num_unsuccessful_steps;
    if (!summary.IsSolutionUsable()) return minimum;
    minimum.cost = summary.final_cost;
    minimum.converged = summary.termination_type == ceres::CONVERGENCE;
    return minimum;
}

}  // namespace stoss::solvers
