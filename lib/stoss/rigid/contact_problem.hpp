#pragma once
/// The impact of two rigid bodies at one contact point, reduced to that point
/// (docs/theory/rigid_impact.md).

#include <cstddef>
#include <string_view>
#include <vector>

#include <stoss/core/error.hpp>

namespace stoss::rigid {

/// Components along the contact frame: normal n (from the second body to the first), tangents t
/// and o.
struct ContactVector {
    double n = 0.0, t = 0.0, o = 0.0;

    bool operator==(const ContactVector&) const = default;
};

/// Symmetric 3 x 3 matrix in the contact frame, by its six entries.
struct ContactMatrix {
    double nn = 0.0, nt = 0.0, no = 0.0, tt = 0.0, to = 0.0, oo = 0.0;

    bool operator==(const ContactMatrix&) const = default;
};

constexpr ContactVector operator*(const ContactMatrix& A, const ContactVector& x) {
    return {A.nn * x.n + A.nt * x.t + A.no * x.o, A.nt * x.n + A.tt * x.t + A.to * x.o,
            A.no * x.n + A.to * x.t + A.oo * x.o};
}
constexpr ContactVector operator*(double factor, const ContactVector& x) {
    return {factor * x.n, factor * x.t, factor * x.o};
}
constexpr ContactVector operator+(const ContactVector& x, const ContactVector& y) {
    return {x.n + y.n, x.t + y.t, x.o + y.o};
}
constexpr ContactVector operator-(const ContactVector& x, const ContactVector& y) {
    return {x.n - y.n, x.t - y.t, x.o - y.o};
}
constexpr double dot(const ContactVector& x, const ContactVector& y) {
    return x.n * y.n + x.t * y.t + x.o * y.o;
}

/// Largest coefficient of friction [-] of a contact problem. With a larger one the powers of mu in
/// the solvers overflow, although its impulse would have the same digits.
inline constexpr double largest_friction = 1e50;

/// What two rigid bodies do at one contact under the impulse x [N s] on the first body (-x on the
/// second): their relative velocity there becomes A x - b [m/s].
struct ContactProblem {
    ContactMatrix A;  ///< Delassus operator [1/kg], symmetric positive definite
    ContactVector b;  ///< minus the relative velocity without the impulse [m/s]; b.n > 0: closing
    double mu = 0.0;  ///< coefficient of friction [-], from 0 to `largest_friction`
};

/// Kinetic energy [J] that the impulse x takes away: b.x - x.A x/2.
constexpr double dissipated_energy(const ContactProblem& problem, const ContactVector& x) {
    return dot(problem.b, x) - 0.5 * dot(x, problem.A * x);
}

/// What makes `problem` no contact problem (keys `A`, `b`, `mu`); empty if it is one.
std::vector<core::Violation> violations(const ContactProblem& problem);

/// True if `violations(problem)` is empty. Does not allocate.
bool is_valid(const ContactProblem& problem);

/// How a solution came about.
enum class Status {
    solved,
    invalid,  ///< the input is no contact problem (see `violations`); all numbers are NaN
    failed    ///< valid input that could not be solved, or whose impulse or velocity is beyond the
              ///< range of doubles; all numbers are NaN
};

/// What the contact does.
enum class Branch {
    separate,      ///< no impulse: the bodies part, or touch without pressing
    frictionless,  ///< mu = 0
    stick,         ///< the contact points leave with one velocity
    slide          ///< impulse on the edge of the friction cone
};

/// The section of the friction cone by the plane of maximum compression.
enum class Conic { ellipse, parabola, hyperbola };

/// Words for tables and messages.
std::string_view to_string(Status status);
std::string_view to_string(Branch branch);
std::string_view to_string(Conic conic);

/// One solution of a contact problem.
struct ContactSolution {
    Status status = Status::invalid;
    Branch branch = Branch::separate;
    Conic conic = Conic::ellipse;
    ContactVector impulse;           ///< x [N s]
    ContactVector velocity;          ///< relative velocity after the impact, A x - b [m/s];
                                     ///< its t and o components are the slip
    double multiplier = 0.0;         ///< s [m/s] of the friction cone; > 0 if the contact slides
    double dissipated_energy = 0.0;  ///< [J]
};

}  // namespace stoss::rigid
