#include <stoss/rigid/contact_problem.hpp>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include <fmt/core.h>

#include <stoss/core/double_double.hpp>

namespace stoss::rigid {

namespace {

using core::difference_of_products;
using core::DoubleDouble;

/// Sylvester's criterion on the matrix scaled to a unit diagonal by powers of two, so that neither
/// units nor size matter.
bool is_positive_definite(const ContactMatrix& A) {
    if (!(A.nn > 0.0 && A.tt > 0.0 && A.oo > 0.0)) return false;
    const auto scale = [](double diagonal) { return std::ldexp(1.0, -std::ilogb(diagonal) / 2); };
    const double n = scale(A.nn), t = scale(A.tt), o = scale(A.oo);
    const double nn = n * A.nn * n, nt = n * A.nt * t, no = n * A.no * o;
    const double tt = t * A.tt * t, to = t * A.to * o, oo = o * A.oo * o;
    const DoubleDouble M_tt = difference_of_products(nn, tt, nt, nt);
    const DoubleDouble M_to = difference_of_products(nn, to, nt, no);
    const DoubleDouble M_oo = difference_of_products(nn, oo, no, no);
    return M_tt > 0.0 && M_oo > 0.0 && M_tt * M_oo > M_to * M_to;
}

bool all_finite(std::initializer_list<double> numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

bool is_valid(const ContactProblem& problem) {
    const ContactMatrix& A = problem.A;
    const ContactVector& b = problem.b;
    return all_finite({A.nn, A.nt, A.no, A.tt, A.to, A.oo, b.n, b.t, b.o, problem.mu}) &&
           problem.mu >= 0.0 && problem.mu <= largest_friction && is_positive_definite(A);
}

std::vector<core::Violation> violations(const ContactProblem& problem) {
    std::vector<core::Violation> found;
    const auto finite = [&](std::string_view key, std::initializer_list<double> numbers) {
        for (const double number : numbers) {
            if (std::isfinite(number)) continue;
            found.push_back(
                {std::string(key), fmt::format("{}", number), "must be a finite number", ""});
            return false;
        }
        return true;
    };
    const ContactMatrix& A = problem.A;
    const ContactVector& b = problem.b;
    if (finite("A", {A.nn, A.nt, A.no, A.tt, A.to, A.oo}) && !is_positive_definite(A)) {
        found.push_back(
            {"A",
             fmt::format("[[{}, {}, {}], [{}, {}, {}], [{}, {}, {}]] 1/kg", A.nn, A.nt, A.no, A.nt,
                         A.tt, A.to, A.no, A.to, A.oo),
             "must be positive definite",
             "the Delassus operator of two bodies is positive definite if one of them can move"});
    }
    finite("b", {b.n, b.t, b.o});
    if (!finite("mu", {problem.mu})) return found;
    if (problem.mu < 0.0) {
        found.push_back({"mu", fmt::format("{}", problem.mu), "must be >= 0", ""});
    } else if (problem.mu > largest_friction) {
        found.push_back({"mu", fmt::format("{}", problem.mu),
                         fmt::format("must be <= {}", largest_friction),
                         "with so much friction the impulse does not depend on it"});
    }
    return found;
}

std::string_view to_string(Status status) {
    switch (status) {
        case Status::solved:
            return "solved";
        case Status::invalid:
            return "invalid";
        case Status::failed:
            return "failed";
    }
    return "";
}

std::string_view to_string(Branch branch) {
    switch (branch) {
        case Branch::separate:
            return "separate";
        case Branch::frictionless:
            return "frictionless";
        case Branch::stick:
            return "stick";
        case Branch::slide:
            return "slide";
    }
    return "";
}

std::string_view to_string(Conic conic) {
    switch (conic) {
        case Conic::ellipse:
            return "ellipse";
        case Conic::parabola:
            return "parabola";
        case Conic::hyperbola:
            return "hyperbola";
    }
    return "";
}

}  // namespace stoss::rigid
