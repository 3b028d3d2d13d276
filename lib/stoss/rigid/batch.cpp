#include <stoss/rigid/batch.hpp>

#include <cstdint>

#include <stoss/core/detail/vector_targets.hpp>
#include <stoss/core/lanes.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>

// Compiled once for each instruction set; the program takes the best one that the machine has.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stoss/rigid/batch.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef STOSS_RIGID_BATCH_ONCE
#define STOSS_RIGID_BATCH_ONCE
namespace stoss::rigid {
namespace {

/// Where the entries of some quantities begin.
template <std::size_t count>
using Fields = std::array<const double*, count>;

/// Solves contact i alone; returns 1 if it could not be solved.
std::size_t solve_one(const Fields<7>& A, const Fields<3>& b, const std::array<double*, 3>& x,
                      std::size_t i) {
    const ContactSolution solution =
        maximum_dissipation({{A[0][i], A[1][i], A[2][i], A[3][i], A[4][i], A[5][i]},
                             {b[0][i], b[1][i], b[2][i]},
                             A[6][i]});
    x[0][i] = solution.impulse.n;
    x[1][i] = solution.impulse.t;
    x[2][i] = solution.impulse.o;
    return solution.status == Status::solved ? 0 : 1;
}

}  // namespace
}  // namespace stoss::rigid
#endif

HWY_BEFORE_NAMESPACE();
namespace stoss::rigid {
namespace HWY_NAMESPACE {

#include <stoss/core/vector.inl>

#include <stoss/rigid/contact_kernel.inl>

/// The sliding lanes. `solved` loses those that the doubles cannot tell.
Sliding<Vector> slide_lanes(const Prepared<Vector>& P, const Sticking<Vector>& S, Mask slides,
                            Mask& solved) {
    const SlidingEquation<Vector> equation = sliding_equation(P, S, visible_arc(P, S));
    Bracket<Vector> bracket{-1.0, 2.0};
    Vector z = -1.0;
    Mask unsettled = both(slides, solved);
    for (int count = 0; count < max_steps && !hn::AllFalse(Doubles(), unsettled); ++count) {
        const Vector next = next_place(equation.G, z, bracket);
        const Mask settled = is_settled(next, z, Vector(1.0), settled_step);
        z = select(unsettled, next, z);
        unsettled = but(unsettled, settled);
    }
    const Sliding<Vector> R = sliding(P, S, equation, z);
    const Mask pressing = both(R.x_n > Vector(0.0), R.multiplier > Vector(0.0));
    const Mask trusted = but(pressing, unsettled);
    solved = but(solved, but(slides, trusted));
    return R;
}

/// One vector of contacts; returns the mask of those left to the scalar solver.
Mask solve_lanes(const Prepared<Vector>& P, Vector b_n, Vector b_t, Vector b_o,
                 const std::array<double*, 3>& x, std::size_t i) {
    const Vector zero = 0.0;
    const Sticking<Vector> S = sticking(P, b_n, b_t, b_o);
    const Mask separate = b_n < zero, smooth = P.mu == zero, sticks = S.length <= S.mu_x0_n;
    const Mask apart = either(separate, smooth), known = either(apart, sticks);
    const Mask closing = b_n > zero;
    const Mask slides = but(closing, known);
    Mask solved =
        both(both(is_benign(P), is_in_range(P.mu, b_n, b_t, b_o)), either(known, closing));

    Vector x_n = select(separate, zero, b_n), y_1 = 0.0, y_2 = 0.0;
    const Mask stuck = but(sticks, apart);
    x_n = select(stuck, b_n + P.kappa * S.y0_1, x_n);
    y_1 = select(stuck, S.y0_1, y_1);
    y_2 = select(stuck, S.y0_2, y_2);
    if (!hn::AllFalse(Doubles(), both(slides, solved))) {
        const Sliding<Vector> R = slide_lanes(P, S, slides, solved);
        x_n = select(slides, R.x_n, x_n);
        y_1 = select(slides, R.y_1, y_1);
        y_2 = select(slides, R.y_2, y_2);
    }
    const Vector t = y_1 * P.inverse_A_nn, o = y_2 * P.inverse_A_nn;
    store(x_n * P.inverse_A_nn, x[0] + i);
    store(P.u_t * t - P.u_o * o, x[1] + i);
    store(P.u_o * t + P.u_t * o, x[2] + i);
    return hn::Not(solved);
}

Prepared<Vector> prepared(const Fields<7>& contacts, std::size_t i) {
    return prepare(load(contacts[0] + i), load(contacts[1] + i), load(contacts[2] + i),
                   load(contacts[3] + i), load(contacts[4] + i), load(contacts[5] + i),
                   load(contacts[6] + i));
}
Prepared<Vector> prepared(const Fields<12>& fields, std::size_t i) {
    return {load(fields[0] + i), load(fields[1] + i), load(fields[2] + i),  load(fields[3] + i),
            load(fields[4] + i), load(fields[5] + i), load(fields[6] + i),  load(fields[7] + i),
            load(fields[8] + i), load(fields[9] + i), load(fields[10] + i), load(fields[11] + i)};
}

const char* instructions() {
    return hwy::TargetName(HWY_TARGET);
}

void prepare_all(const Fields<7>& contacts, const std::array<double*, 12>& fields,
                 std::size_t count) {
    const std::size_t lanes = hn::Lanes(Doubles());
    for (std::size_t i = 0; i < count; i += lanes) {
        const Prepared<Vector> P = prepared(contacts, i);
        const Vector all[12] = {P.inverse_A_nn, P.u_t,  P.u_o,  P.kappa, P.q,
                                P.opening,      P.C_11, P.C_12, P.C_22,  P.inverse_det,
                                P.hadamard,     P.mu};
        for (std::size_t field = 0; field < 12; ++field) store(all[field], fields[field] + i);
    }
}

/// `source` is what `prepared` reads: A and mu, or the prepared fields.
template <class Source>
std::size_t solve_all(const Source& source, const Fields<7>& contacts, const Fields<3>& b,
                      const std::array<double*, 3>& x, std::size_t count) {
    const std::size_t lanes = hn::Lanes(Doubles());
    std::size_t unsolved = 0, i = 0;
    for (; i + lanes <= count; i += lanes) {
        const Mask left =
            solve_lanes(prepared(source, i), load(b[0] + i), load(b[1] + i), load(b[2] + i), x, i);
        if (hn::AllFalse(Doubles(), left)) continue;
        std::uint8_t bits[8] = {};
        hn::StoreMaskBits(Doubles(), left, bits);
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const bool is_left = (bits[lane / 8] >> (lane % 8)) & 1;
            if (is_left) unsolved += solve_one(contacts, b, x, i + lane);
        }
    }
    for (; i < count; ++i) unsolved += solve_one(contacts, b, x, i);
    return unsolved;
}

std::size_t solve_contacts(const Fields<7>& contacts, const Fields<3>& b,
                           const std::array<double*, 3>& x, std::size_t count) {
    return solve_all(contacts, contacts, b, x, count);
}
std::size_t solve_prepared(const Fields<12>& fields, const Fields<7>& contacts, const Fields<3>& b,
                           const std::array<double*, 3>& x, std::size_t count) {
    return solve_all(fields, contacts, b, x, count);
}

}  // namespace HWY_NAMESPACE
}  // namespace stoss::rigid
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace stoss::rigid {

HWY_EXPORT(instructions);
HWY_EXPORT(prepare_all);
HWY_EXPORT(solve_contacts);
HWY_EXPORT(solve_prepared);

namespace {

Fields<7> fields_of(const ContactArrays& contacts) {
    return {contacts.A_nn.data(), contacts.A_nt.data(), contacts.A_no.data(), contacts.A_tt.data(),
            contacts.A_to.data(), contacts.A_oo.data(), contacts.mu.data()};
}

}  // namespace

std::size_t maximum_dissipation(const ContactArrays& contacts, const ImpulseArrays& impulses) {
    return HWY_DYNAMIC_DISPATCH(solve_contacts)(
        fields_of(contacts), {contacts.b_n.data(), contacts.b_t.data(), contacts.b_o.data()},
        {impulses.n.data(), impulses.t.data(), impulses.o.data()}, contacts.A_nn.size());
}

PreparedContacts::PreparedContacts(const ContactArrays& contacts) : size_(contacts.A_nn.size()) {
    // A vector may reach beyond the last contact; what it finds there is not used.
    const std::size_t room = size_ + core::lanes;
    const Fields<7> given = fields_of(contacts);
    Fields<7> from;
    for (std::size_t field = 0; field < 7; ++field) {
        contacts_[field].assign(given[field], given[field] + size_);
        contacts_[field].resize(room, 1.0);
        from[field] = contacts_[field].data();
    }
    std::array<double*, 12> to;
    for (std::size_t field = 0; field < 12; ++field) {
        prepared_[field].resize(room);
        to[field] = prepared_[field].data();
    }
    HWY_DYNAMIC_DISPATCH(prepare_all)(from, to, size_);
}

std::size_t PreparedContacts::maximum_dissipation(std::size_t begin, std::span<const double> b_n,
                                                  std::span<const double> b_t,
                                                  std::span<const double> b_o,
                                                  const ImpulseArrays& impulses) const {
    Fields<7> contacts;
    for (std::size_t field = 0; field < 7; ++field)
        contacts[field] = contacts_[field].data() + begin;
    Fields<12> fields;
    for (std::size_t field = 0; field < 12; ++field)
        fields[field] = prepared_[field].data() + begin;
    return HWY_DYNAMIC_DISPATCH(solve_prepared)(
        fields, contacts, {b_n.data(), b_t.data(), b_o.data()},
        {impulses.n.data(), impulses.t.data(), impulses.o.data()}, b_n.size());
}

std::string_view vector_instructions() {
    return HWY_DYNAMIC_DISPATCH(instructions)();
}

}  // namespace stoss::rigid
#endif  // HWY_ONCE
