#pragma once
/// Double-double numbers: twice the digits of a double, for kernels written once for any number
/// type (Dekker 1971; Ogita, Rump & Oishi 2005). They do without fused multiply-add, which is a
/// slow call where the compiler must not assume that the machine has it.

#include <cmath>
#include <limits>

namespace stoss::core {

/// The unevaluated sum high + low, |low| <= ulp(high)/2: about 32 digits, the range of a double.
/// Relative error of + - * /: below 2^-100; of sqrt: below 2^-98. Not for infinities, or for
/// numbers and results near the ends of the range.
struct DoubleDouble {
    double high = 0.0;
    double low = 0.0;

    constexpr DoubleDouble() = default;
    constexpr DoubleDouble(double value) : high(value) {}  // exact: lets kernels mix both types
    constexpr DoubleDouble(double h, double l) : high(h), low(l) {}

    explicit constexpr operator double() const { return high; }

    /// a + b without error, for |a| >= |b|.
    static constexpr DoubleDouble fast_sum(double a, double b) {
        const double sum = a + b;
        return {sum, b - (sum - a)};
    }
    /// a + b without error.
    static constexpr DoubleDouble exact_sum(double a, double b) {
        const double sum = a + b;
        const double part = sum - a;
        return {sum, (a - (sum - part)) + (b - part)};
    }
    /// a b without error (Dekker 1971).
    static constexpr DoubleDouble exact_product(double a, double b) {
        constexpr double splitter = 134217729.0;  // 2^27 + 1
        const double a_high = a * splitter - (a * splitter - a), a_low = a - a_high;
        const double b_high = b * splitter - (b * splitter - b), b_low = b - b_high;
        const double product = a * b;
        return {product,
                ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
    }

    friend constexpr DoubleDouble operator-(DoubleDouble a) { return {-a.high, -a.low}; }
    friend constexpr DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
        const DoubleDouble high = exact_sum(a.high, b.high);
        const DoubleDouble low = exact_sum(a.low, b.low);
        const DoubleDouble sum = fast_sum(high.high, high.low + low.high);
        return fast_sum(sum.high, sum.low + low.low);
    }
    friend constexpr DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + (-b); }
    friend constexpr DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
        const DoubleDouble product = exact_product(a.high, b.high);
        return fast_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
    }
    friend constexpr DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
        const double first = a.high / b.high;
        const DoubleDouble rest = a - DoubleDouble(first) * b;
        const double second = rest.high / b.high;
        const double third = (rest - DoubleDouble(second) * b).high / b.high;
        return fast_sum(first, second) + DoubleDouble(third);
    }
    friend constexpr bool operator==(DoubleDouble a, DoubleDouble b) {
        return a.high == b.high && a.low == b.low;
    }
    friend constexpr bool operator<(DoubleDouble a, DoubleDouble b) {
        return a.high < b.high || (a.high == b.high && a.low < b.low);
    }
    friend constexpr bool operator>(DoubleDouble a, DoubleDouble b) { return b < a; }
    friend constexpr bool operator<=(DoubleDouble a, DoubleDouble b) {
        return a.high < b.high || (a.high == b.high && a.low <= b.low);
    }
    friend constexpr bool operator>=(DoubleDouble a, DoubleDouble b) { return b <= a; }
};

inline DoubleDouble sqrt(DoubleDouble a) {
    if (!(a.high > 0.0)) return std::sqrt(a.high);
    const double root = std::sqrt(a.high);
    const DoubleDouble rest = a - DoubleDouble::exact_product(root, root);
    return DoubleDouble::fast_sum(root, rest.high / (2.0 * root));
}

/// a d - b c, free of cancellation.
constexpr DoubleDouble difference_of_products(double a, double d, double b, double c) {
    return DoubleDouble::exact_product(a, d) - DoubleDouble::exact_product(b, c);
}

constexpr DoubleDouble abs(DoubleDouble a) {
    return a.high < 0.0 || (a.high == 0.0 && a.low < 0.0) ? -a : a;
}

}  // namespace stoss::core
