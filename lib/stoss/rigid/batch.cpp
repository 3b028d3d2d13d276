#include <stoss/rigid/batch.hpp>

#include <cstdint>

#include <stoss/rigid/maximum_dissipation.hpp>

// Compiled once for each instruction set below; the program takes the best one that the machine
// has. SVE and RVV vectors cannot be members of a struct; SSSE3 and the later AVX-512 add nothing
// here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stoss/rigid/batch.cpp"
#define HWY_DISABLED_TARGETS \
    (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_AVX3_DL)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef STOSS_RIGID_BATCH_ONCE
#define STOSS_RIGID_BATCH_ONCE
namespace stoss::rigid {
namespace {

/// Doubles in the longest vector of any instruction set in use.
constexpr std::size_t most_lanes = 8;

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

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::ScalableTag<double>;
using Mask = hn::Mask<Doubles>;
static_assert(hn::MaxLanes(Doubles()) <= most_lanes);

/// A vector of doubles with the operators of a number: one contact a lane.
struct Lanes {
    hn::Vec<Doubles> v;

    Lanes() = default;
    HWY_INLINE Lanes(double x) : v(hn::Set(Doubles(), x)) {}
    HWY_INLINE explicit Lanes(hn::Vec<Doubles> x) : v(x) {}
};

HWY_INLINE Lanes operator+(Lanes a, Lanes b) {
    return Lanes(hn::Add(a.v, b.v));
}
HWY_INLINE Lanes operator-(Lanes a, Lanes b) {
    return Lanes(hn::Sub(a.v, b.v));
}
HWY_INLINE Lanes operator*(Lanes a, Lanes b) {
    return Lanes(hn::Mul(a.v, b.v));
}
HWY_INLINE Lanes operator/(Lanes a, Lanes b) {
    return Lanes(hn::Div(a.v, b.v));
}
HWY_INLINE Lanes operator-(Lanes a) {
    return Lanes(hn::Neg(a.v));
}
HWY_INLINE Mask operator<(Lanes a, Lanes b) {
    return hn::Lt(a.v, b.v);
}
HWY_INLINE Mask operator>(Lanes a, Lanes b) {
    return hn::Gt(a.v, b.v);
}
HWY_INLINE Mask operator<=(Lanes a, Lanes b) {
    return hn::Le(a.v, b.v);
}
HWY_INLINE Mask operator>=(Lanes a, Lanes b) {
    return hn::Ge(a.v, b.v);
}
HWY_INLINE Mask operator==(Lanes a, Lanes b) {
    return hn::Eq(a.v, b.v);
}
HWY_INLINE Lanes sqrt(Lanes a) {
    return Lanes(hn::Sqrt(a.v));
}
HWY_INLINE Lanes abs(Lanes a) {
    return Lanes(hn::Abs(a.v));
}
HWY_INLINE Lanes select(Mask mask, Lanes yes, Lanes no) {
    return Lanes(hn::IfThenElse(mask, yes.v, no.v));
}
HWY_INLINE Mask both(Mask a, Mask b) {
    return hn::And(a, b);
}
HWY_INLINE Mask either(Mask a, Mask b) {
    return hn::Or(a, b);
}
HWY_INLINE Mask but(Mask a, Mask no) {
    return hn::AndNot(no, a);
}

#include <stoss/rigid/contact_kernel.inl>

Lanes load(const double* place) {
    return Lanes(hn::LoadU(Doubles(), place));
}
void store(Lanes value, double* place) {
    hn::StoreU(value.v, Doubles(), place);
}

/// The sliding lanes. `solved` loses those that the doubles cannot tell.
Sliding<Lanes> slide_lanes(const Prepared<Lanes>& P, const Sticking<Lanes>& S, Mask slides,
                           Mask& solved) {
    const SlidingEquation<Lanes> equation = sliding_equation(P, S, visible_arc(P, S));
    Bracket<Lanes> bracket{-1.0, 2.0};
    Lanes z = -1.0;
    Mask unsettled = both(slides, solved);
    for (int count = 0; count < max_steps && !hn::AllFalse(Doubles(), unsettled); ++count) {
        const Lanes next = next_place(equation.G, z, bracket);
        const Mask settled = is_settled(next, z, Lanes(1.0), settled_step);
        z = select(unsettled, next, z);
        unsettled = but(unsettled, settled);
    }
    const Sliding<Lanes> R = sliding(P, S, equation, z);
    const Mask pressing = both(R.x_n > Lanes(0.0), R.multiplier > Lanes(0.0));
    const Mask trusted = but(pressing, unsettled);
    solved = but(solved, but(slides, trusted));
    return R;
}

/// One vector of contacts; returns the mask of those left to the scalar solver.
Mask solve_lanes(const Prepared<Lanes>& P, Lanes b_n, Lanes b_t, Lanes b_o,
                 const std::array<double*, 3>& x, std::size_t i) {
    const Lanes zero = 0.0;
    const Sticking<Lanes> S = sticking(P, b_n, b_t, b_o);
    const Mask separate = b_n < zero, smooth = P.mu == zero, sticks = S.length <= S.mu_x0_n;
    const Mask apart = either(separate, smooth), known = either(apart, sticks);
    const Mask closing = b_n > zero;
    const Mask slides = but(closing, known);
    Mask solved = both(both(is_benign(P), is_in_range(b_n, b_t, b_o)), either(known, closing));

    Lanes x_n = select(separate, zero, b_n), y_1 = 0.0, y_2 = 0.0;
    const Mask stuck = but(sticks, apart);
    x_n = select(stuck, b_n + P.kappa * S.y0_1, x_n);
    y_1 = select(stuck, S.y0_1, y_1);
    y_2 = select(stuck, S.y0_2, y_2);
    if (!hn::AllFalse(Doubles(), both(slides, solved))) {
        const Sliding<Lanes> R = slide_lanes(P, S, slides, solved);
        x_n = select(slides, R.x_n, x_n);
        y_1 = select(slides, R.y_1, y_1);
        y_2 = select(slides, R.y_2, y_2);
    }
    const Lanes t = y_1 * P.inverse_A_nn, o = y_2 * P.inverse_A_nn;
    store(x_n * P.inverse_A_nn, x[0] + i);
    store(P.u_t * t - P.u_o * o, x[1] + i);
    store(P.u_o * t + P.u_t * o, x[2] + i);
    return hn::Not(solved);
}

Prepared<Lanes> prepared(const Fields<7>& contacts, std::size_t i) {
    return prepare(load(contacts[0] + i), load(contacts[1] + i), load(contacts[2] + i),
                   load(contacts[3] + i), load(contacts[4] + i), load(contacts[5] + i),
                   load(contacts[6] + i));
}
Prepared<Lanes> prepared(const Fields<12>& fields, std::size_t i) {
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
        const Prepared<Lanes> P = prepared(contacts, i);
        const Lanes all[12] = {P.inverse_A_nn, P.u_t,  P.u_o,  P.kappa,       P.q,        P.opening,
                               P.C_11,         P.C_12, P.C_22, P.inverse_det, P.hadamard, P.mu};
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
    const std::size_t room = size_ + most_lanes;
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
