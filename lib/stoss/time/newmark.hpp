#pragma once
/// Newmark's constant-average-acceleration scheme (delta = 1/2, alpha = 1/4) for modes that share
/// one scalar contact force: equations (7.1) to (7.4) of docs/theory/newmark.md.

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include <stoss/core/fields.hpp>

namespace stoss::time {

/// Instant at which the contact force of a step is evaluated.
enum class ForceEvaluation {
    implicit,  ///< at the end of the step, solved with the motion
    lagged     ///< at the end of the step, but with the overlap known at its start
};

constexpr auto enum_names(ForceEvaluation) {
    return std::array{
        core::EnumName{ForceEvaluation::implicit, "implicit",
                       "force at the displacement at the end of the step"},
        core::EnumName{ForceEvaluation::lagged, "lagged",
                       "force at the displacement one step earlier, as published; gains energy"}};
}

/// Choice of the scheme and its step, as a user gives it.
struct Newmark {
    static constexpr std::string_view name = "newmark";
    static constexpr std::string_view meaning =
        "constant-average-acceleration Newmark with a fixed step, order 2";

    ForceEvaluation force = ForceEvaluation::implicit;
    double step = 1e-7;

    static constexpr auto fields() {
        return std::tuple{core::field("force", &Newmark::force,
                                      "instant at which the contact force is evaluated"),
                          core::field("step", &Newmark::step, "s", core::positive, "time step")};
    }
};

/// Overlap [m] and its rate [m/s].
struct OverlapState {
    double overlap = 0.0;  ///< [m]
    double rate = 0.0;     ///< [m/s]
};

/// The modes q_j'' + d_j q_j' + lambda_j q_j = phi_j P advanced by one fixed step.
///
/// For linear modes the scheme is the trapezoidal rule, so a step is a fixed 2x2 map of (q, q')
/// plus a fixed multiple of P_n + P_{n+1}. A step is split in two: `predict` moves the modes as if
/// P_{n+1} were zero, `correct` adds what P_{n+1} does, so that P_{n+1} may be solved for in
/// between.
class NewmarkModes {
  public:
    /// Spans of equal length: eigenvalues [1/s^2], dampings [1/s], mode values at the contact point
    /// [kg^(-1/2)], already signed so that overlap = -sum phi_j q_j. Step [s].
    NewmarkModes(std::span<const double> eigenvalues, std::span<const double> dampings,
                 std::span<const double> phi, double step)
        : phi_(phi.begin(), phi.end()), half_step_(0.5 * step) {
        // Modes are advanced `lanes` at a time; the last ones are filled up with modes that do
        // nothing.
        phi_.resize((phi.size() + lanes - 1) / lanes * lanes, 0.0);
        for (std::vector<double>* each : {&keep_, &pull_, &push_}) each->resize(phi_.size(), 0.0);
        for (std::size_t j = 0; j < phi.size(); ++j) {
            const double denominator =
                1.0 + half_step_ * dampings[j] + half_step_ * half_step_ * eigenvalues[j];
            keep_[j] = (2.0 - denominator) / denominator;
            pull_[j] = step * eigenvalues[j] / denominator;
            push_[j] = half_step_ * phi[j] / denominator;
            rate_per_force_ += phi[j] * push_[j];
        }
    }

    /// Length that the arrays of coordinates and rates must have: at least the number of modes.
    std::size_t size() const { return phi_.size(); }

    /// q' <- keep q' - pull q + push P_n, q <- q + dt/2 (q'_old + q'_new) (7.2). Returns the
    /// overlap that results. Both spans have length `size()`; entries beyond the modes are zero.
    OverlapState predict(std::span<double> q, std::span<double> rate, double force) const {
        std::array<double, lanes> overlap{}, overlap_rate{};
        for (std::size_t begin = 0; begin < size(); begin += lanes) {
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const std::size_t j = begin + lane;
                const double before = rate[j];
                rate[j] = keep_[j] * before - pull_[j] * q[j] + push_[j] * force;
                q[j] += half_step_ * (before + rate[j]);
                overlap[lane] -= phi_[j] * q[j];
                overlap_rate[lane] -= phi_[j] * rate[j];
            }
        }
        return {sum(overlap), sum(overlap_rate)};
    }

    /// Adds the contribution of P_{n+1} (7.3).
    void correct(std::span<double> q, std::span<double> rate, double force) const {
        for (std::size_t j = 0; j < size(); ++j) {
            const double kick = push_[j] * force;
            rate[j] += kick;
            q[j] += half_step_ * kick;
        }
    }

    /// Decrease of the overlap rate [m/s] and of the overlap [m] for one newton of P_{n+1} (7.4).
    double rate_per_force() const { return rate_per_force_; }
    /// The second of them [m/N].
    double overlap_per_force() const { return half_step_ * rate_per_force_; }

  private:
    static constexpr std::size_t lanes =
        4;  // independent sums: the compiler may keep them in a vector

    static double sum(const std::array<double, lanes>& part) {
        return (part[0] + part[1]) + (part[2] + part[3]);
    }

    std::vector<double> phi_, keep_, pull_, push_;
    double half_step_;
    double rate_per_force_ = 0.0;
};

}  // namespace stoss::time
