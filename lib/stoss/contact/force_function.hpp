#pragma once
/// A contact force that a program computes by a function of its own.

#include <functional>
#include <utility>

namespace stoss::contact {

/// Force as a function of overlap and rate, its slopes by central differences, its work by
/// quadrature. Safe to share between threads if the function is. Exceptions of the function reach
/// the caller.
class ForceFunction {
  public:
    /// Force [N] at overlap x >= 0 [m] and rate v [m/s]; smooth in both.
    using Function = std::function<double(double x, double v)>;

    explicit ForceFunction(Function function) : function_(std::move(function)) {}

    /// Below x = 0, where an integrator may look, the force is that at x = 0.
    double force(double x, double v) const { return function_(x < 0.0 ? 0.0 : x, v); }

    /// dF/dx [N/m]; relative error about 1e-10 where the force is a power of the overlap. Two calls
    /// of the function.
    double slope_by_overlap(double x, double v) const;

    /// dF/dv [N s/m]. Two calls of the function.
    double slope_by_rate(double x, double v) const;

    /// Work [J] of the force at rest, F(x, 0), from 0 to x; relative error below 1e-12 where the
    /// force is smooth. 15 calls of the function where it is a power of the overlap with half a
    /// whole exponent, at most some thousand.
    double work(double x) const;

  private:
    Function function_;
};

}  // namespace stoss::contact
