#pragma once
/// What a kernel asks of a number type beside its operators, for double: a condition is a bool.
/// core/vector.inl gives the same for vector registers, where a condition is a mask.

#include <algorithm>
#include <cmath>

/// For functions of kernels on vector registers: a call would pass them through memory. Under the
/// address sanitizer plain functions, for its checks in code that is inlined often take minutes to
/// compile.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STOSS_INLINE inline
#endif
#endif
#if !defined(STOSS_INLINE) && defined(_MSC_VER)
#define STOSS_INLINE __forceinline
#elif !defined(STOSS_INLINE)
#define STOSS_INLINE inline __attribute__((always_inline))
#endif

namespace stoss::core {

/// What a comparison of two numbers gives.
template <class Real>
using Condition = decltype(Real(0.0) < Real(0.0));

template <class Real>
constexpr Real select(bool condition, Real yes, Real no) {
    return condition ? yes : no;
}
constexpr bool both(bool a, bool b) {
    return a && b;
}
constexpr bool either(bool a, bool b) {
    return a || b;
}
/// True where a holds and b does not.
constexpr bool but(bool a, bool b) {
    return a && !b;
}
constexpr bool any(bool condition) {
    return condition;
}

/// If one of them is NaN, the result is `a`.
constexpr double larger(double a, double b) {
    return std::max(a, b);
}
constexpr double smaller(double a, double b) {
    return std::min(a, b);
}
inline double copysign(double size, double sign) {
    return std::copysign(size, sign);
}

}  // namespace stoss::core
