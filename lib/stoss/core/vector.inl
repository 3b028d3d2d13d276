// A vector register of doubles with the operators of a number, one computation a lane, and with the
// functions of core/number.hpp. Not a header: included inside the namespace of an instruction set
// (hwy::foreach_target), after core/lanes.hpp. Nothing is contracted: each lane has the bits of the
// scalar.

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, core::lanes>;
using Mask = hn::Mask<Doubles>;
#if HWY_HAVE_SCALABLE
#error "vectors of unknown length are not supported"
#endif
/// Doubles in a register.
constexpr std::size_t width = HWY_MIN(HWY_LANES(double), core::lanes);

/// Not zero until it is set, not even by `{}`: Highway's vectors for ARM64 then hold what was there.
struct Vector {
    hn::Vec<Doubles> v;

    Vector() = default;
    HWY_INLINE Vector(double x) : v(hn::Set(Doubles(), x)) {}
    HWY_INLINE explicit Vector(hn::Vec<Doubles> x) : v(x) {}
};

/// From and to any address.
HWY_INLINE Vector load(const double* from) {
    return Vector(hn::LoadU(Doubles(), from));
}
HWY_INLINE void store(Vector value, double* to) {
    hn::StoreU(value.v, Doubles(), to);
}

HWY_INLINE Vector operator+(Vector a, Vector b) {
    return Vector(hn::Add(a.v, b.v));
}
HWY_INLINE Vector operator-(Vector a, Vector b) {
    return Vector(hn::Sub(a.v, b.v));
}
HWY_INLINE Vector operator*(Vector a, Vector b) {
    return Vector(hn::Mul(a.v, b.v));
}
HWY_INLINE Vector operator/(Vector a, Vector b) {
    return Vector(hn::Div(a.v, b.v));
}
HWY_INLINE Vector operator-(Vector a) {
    return Vector(hn::Neg(a.v));
}
HWY_INLINE Mask operator<(Vector a, Vector b) {
    return hn::Lt(a.v, b.v);
}
HWY_INLINE Mask operator>(Vector a, Vector b) {
    return hn::Gt(a.v, b.v);
}
HWY_INLINE Mask operator<=(Vector a, Vector b) {
    return hn::Le(a.v, b.v);
}
HWY_INLINE Mask operator>=(Vector a, Vector b) {
    return hn::Ge(a.v, b.v);
}
HWY_INLINE Mask operator==(Vector a, Vector b) {
    return hn::Eq(a.v, b.v);
}
HWY_INLINE Vector sqrt(Vector a) {
    return Vector(hn::Sqrt(a.v));
}
HWY_INLINE Vector abs(Vector a) {
    return Vector(hn::Abs(a.v));
}
HWY_INLINE Vector copysign(Vector size, Vector sign) {
    return Vector(hn::CopySign(size.v, sign.v));
}
HWY_INLINE Vector select(Mask condition, Vector yes, Vector no) {
    return Vector(hn::IfThenElse(condition, yes.v, no.v));
}
HWY_INLINE Mask both(Mask a, Mask b) {
    return hn::And(a, b);
}
HWY_INLINE Mask either(Mask a, Mask b) {
    return hn::Or(a, b);
}
HWY_INLINE Mask but(Mask a, Mask b) {
    return hn::AndNot(b, a);
}
HWY_INLINE bool any(Mask condition) {
    return !hn::AllFalse(Doubles(), condition);
}
HWY_INLINE Vector larger(Vector a, Vector b) {
    return select(a < b, b, a);
}
HWY_INLINE Vector smaller(Vector a, Vector b) {
    return select(b < a, b, a);
}
