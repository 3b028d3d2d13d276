#pragma once
/// The impact with Coulomb-like friction at one contact (Stewart & Trinkle 1996; Stewart 1998):
///     |x_to| <= mu x_n,  0 <= (A x - b)_n _|_ x_n >= 0,
///     where the contact slides, x_to = -mu x_n slip/|slip|.
/// Equation (11.7) of docs/theory/rigid_impact.md. It may have several solutions; all of them are
/// found.

#include <array>
#include <cstddef>
#include <span>

#include <stoss/rigid/contact_problem.hpp>

namespace stoss::rigid {

/// Every solution: separating, sticking, then the sliding ones from slow to fast slip.
struct CoulombSolutions {
    Status status = Status::invalid;          ///< look at it first
    std::size_t count = 0;                    ///< how many there are
    std::array<ContactSolution, 6> solution;  ///< the first `count` are set

    /// True if beside these every convex combination of the first two is a solution, too: a rod at
    /// its critical angle (Painleve).
    bool continuum = false;

    /// The solutions that are set.
    std::span<const ContactSolution> all() const& { return {solution.data(), count}; }
    /// Deleted for temporaries: the span would outlive its data.
    std::span<const ContactSolution> all() const&& = delete;
};

/// All solutions of one contact problem; each has its slip speed as multiplier. Invalid input
/// gives Status::invalid (see `violations`), an impulse or velocity beyond the range of doubles
/// Status::failed; then `count` is 0. Does not throw, does not allocate.
CoulombSolutions coulomb_solutions(const ContactProblem& problem);

/// The impulse [N s] of the first of `coulomb_solutions`, for many contacts in turn: in plain
/// doubles unless the contact may slide in several ways. NaN where b or A make it invalid and b.n
/// is not below 0. Does not throw, does not allocate.
ContactVector coulomb_impulse(const ContactProblem& problem);

}  // namespace stoss::rigid
