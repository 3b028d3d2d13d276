#pragma once
/// Many independent contacts at once, on the vector units of the machine that runs it.

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <stoss/rigid/contact_problem.hpp>

namespace stoss::rigid {

/// Contacts as a structure of arrays, all of one length; fields as in ContactProblem.
struct ContactArrays {
    std::span<const double> A_nn, A_nt, A_no, A_tt, A_to, A_oo;  ///< [1/kg]
    std::span<const double> b_n, b_t, b_o;                       ///< [m/s]
    std::span<const double> mu;                                  ///< [-]
};

/// Impulses [N s] as a structure of arrays.
struct ImpulseArrays {
    std::span<double> n, t, o;
};

/// maximum_dissipation of each contact: the same impulses, bit by bit. The impulse of an invalid
/// contact is NaN. Returns how many were not solved. Does not throw, does not allocate.
/// Precondition: all arrays have one length.
std::size_t maximum_dissipation(const ContactArrays& contacts, const ImpulseArrays& impulses);

/// Contacts whose A and mu stay while b changes: what does not depend on b is computed once.
class PreparedContacts {
  public:
    /// Copies A and mu; the b of `contacts` are not read. Precondition: all arrays have one length.
    explicit PreparedContacts(const ContactArrays& contacts);

    std::size_t size() const { return size_; }

    /// The contacts [begin, begin + b_n.size()) with these b: the same impulses as of the function
    /// above. Returns how many were not solved. Does not throw, does not allocate.
    std::size_t maximum_dissipation(std::size_t begin, std::span<const double> b_n,
                                    std::span<const double> b_t, std::span<const double> b_o,
                                    const ImpulseArrays& impulses) const;

  private:
    std::size_t size_;
    std::array<std::vector<double>, 7> contacts_;   // A, mu
    std::array<std::vector<double>, 12> prepared_;  // fields of the kernel's Prepared
};

/// Name of the vector instructions in use, e.g. "AVX2".
std::string_view vector_instructions();

}  // namespace stoss::rigid
