#pragma once
/// Many independent contacts with friction for programs: owning arrays in, owning arrays out.

#include <cstddef>
#include <vector>

#include <stoss/rigid/batch.hpp>
#include <stoss/rigid/contact_problem.hpp>

namespace stoss::rigid {

/// Contacts as a structure of arrays; fields as in ContactProblem. Fill the arrays, or `add`.
struct Contacts {
    std::vector<double> A_nn = {}, A_nt = {}, A_no = {}, A_tt = {}, A_to = {},
                        A_oo = {};                     ///< [1/kg]
    std::vector<double> b_n = {}, b_t = {}, b_o = {};  ///< [m/s]
    std::vector<double> mu = {};                       ///< [-]

    std::size_t size() const { return A_nn.size(); }  ///< number of contacts
    /// Adds a contact at the end.
    void add(const ContactProblem& problem);
    /// Contact i. Precondition: all arrays have one length.
    ContactProblem operator[](std::size_t i) const;
    /// Valid as long as the arrays are not changed.
    ContactArrays arrays() const { return {A_nn, A_nt, A_no, A_tt, A_to, A_oo, b_n, b_t, b_o, mu}; }
};

/// Impulses [N s], one entry a contact; NaN where a contact is not solved.
struct Impulses {
    std::vector<double> n = {}, t = {}, o = {};  ///< [N s]
    std::size_t unsolved = 0;                    ///< contacts without a solution

    std::size_t size() const { return n.size(); }  ///< number of contacts
    ContactVector operator[](std::size_t i) const { return {n[i], t[i], o[i]}; }
};

/// maximum_dissipation of each contact, on `threads` threads, 0: all cores. The same impulses, bit
/// by bit, on any number of threads. Errors: core::InputError if the arrays have not one length or
/// `threads` is negative. An invalid contact is unsolved.
Impulses maximum_dissipation(const Contacts& contacts, int threads = 0);

/// The first of `coulomb_solutions` of each contact (separating, sticking, then slow slip).
/// Errors: as above.
Impulses coulomb(const Contacts& contacts, int threads = 0);

}  // namespace stoss::rigid
