#pragma once
/// The contact forces at the nodes of one step, solved with the motion that they cause, and the
/// defect of their parabola between the nodes.

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include <stoss/core/dual.hpp>
#include <stoss/core/gauss3.hpp>
#include <stoss/core/number.hpp>

namespace stoss::time {

/// Of Newton's method in `solve_node_forces`.
inline constexpr int most_iterations = 40;
/// Its matrix is taken again after a change of more than so much of the forces, or of the change
/// before.
inline constexpr double far = 0.1, slow = 0.05;

namespace kernel {

using core::any, core::both, core::but, core::either, core::larger, core::select, core::smaller;
using std::abs;

#include <stoss/time/detail/collocation.inl>

/// The force of a contact and its derivatives; `contact.force(x, v)` as in solve_contact_force.
template <bool with_rates, class Contact>
LawPoint<double> law_point(const Contact& contact, double x, double v) {
    const core::Dual by_x = contact.force(core::Dual::variable(x), core::Dual(v));
    LawPoint<double> point{by_x.value, by_x.derivative, 0.0};
    if constexpr (with_rates)
        point.by_v = contact.force(core::Dual(x), core::Dual::variable(v)).derivative;
    return point;
}

/// A contact as the kernel asks for it.
template <class Contact, bool with_rates>
struct ContactForce {
    static constexpr bool has_rates = with_rates;
    const Contact& contact;

    double force(double x, double v) const { return contact.force(x, v); }
    LawPoint<double> point(double x, double v) const {
        return law_point<with_rates>(contact, x, v);
    }
};

}  // namespace kernel

using Triple = kernel::Triple<double>;
using Matrix3 = kernel::Matrix3<double>;
using NodeForces = kernel::NodeForces<double>;
using LawPoint = kernel::LawPoint<double>;
using kernel::dot, kernel::inverse3, kernel::law_point, kernel::step_defect;

/// `kernel::solve_nodes` for a contact.
template <bool with_rates, class Contact>
NodeForces solve_node_forces(const Contact& contact, const Triple& free_x, const Triple& free_v,
                             const Matrix3& compliance_x, const Matrix3& compliance_v,
                             const Triple& guess, double exact) {
    return kernel::solve_nodes<with_rates>(kernel::ContactForce<Contact, with_rates>{contact},
                                           free_x, free_v, compliance_x, compliance_v, guess,
                                           exact);
}

}  // namespace stoss::time
